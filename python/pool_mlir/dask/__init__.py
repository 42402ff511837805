"""Lazy pooling of dask arrays with any chunks. The arrays may be larger than memory.

The functions have the names of pool_mlir's functions, and their arguments except `out`; `chunks`
gives the chunks of the result. docs/Guides/ScaleOut.md shows which chunks are read, and how this is
tested.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from .._advice import need_extra

need_extra("dask", "dask", "zarr")

from ._functions import (avg_pool, avg_pool_grad, lp_pool, max_pool, max_pool_grad, max_unpool,
                         min_pool, min_pool_grad)
from ._zarr import open_zarr, to_zarr

__all__ = ["avg_pool", "avg_pool_grad", "lp_pool", "max_pool", "max_pool_grad", "max_unpool",
           "min_pool", "min_pool_grad", "open_zarr", "to_zarr"]
