# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's Python bindings with the pool dialect: `pool_mlir.mlir.ir`, `.passmanager`, and
`.dialects.pool`, `.func` and all others of upstream."""
