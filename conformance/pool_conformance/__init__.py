"""A conformance kit for pooling: vectors as data, a runner for many systems, and reports."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__version__ = "0.1.0"
