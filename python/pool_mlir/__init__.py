"""Pooling with the exact rules of OpenVINO, nGraph, BNNS, ONNX, PyTorch and TOSA.

Functions on arrays (`max_pool`, `avg_pool`, ...) compile a kernel for what they
are called with, once, and keep it; `compile` takes any module of MLIR.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from ._pool_mlir import (
    Compiled,
    __version__,
    avg_pool,
    cache_clear,
    cache_info,
    compile,
    get_num_threads,
    lp_pool,
    max_pool,
    set_cache_size,
    set_num_threads,
)

__all__ = [
    "Compiled",
    "__version__",
    "avg_pool",
    "cache_clear",
    "cache_info",
    "compile",
    "get_num_threads",
    "lp_pool",
    "max_pool",
    "set_cache_size",
    "set_num_threads",
]
