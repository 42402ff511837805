# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's Python bindings with the pool dialect: `pool_mlir.mlir.ir`, `.passmanager`,
`.dialects.pool` and the modules of all upstream dialects, such as `.dialects.func`."""
