"""Helpers of the integration tests: cases, an independent oracle, peers, runners.

Nothing here shares code with the product. The rules are written a second time, so that a
mistake in one place cannot confirm itself in the other.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
