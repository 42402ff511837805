"""Helpers of the integration tests: cases, an independent oracle, peers, runners.

The rules and the oracle share no code with the product: they are written a second time, so
that a mistake in the product is not repeated in the expected results.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
