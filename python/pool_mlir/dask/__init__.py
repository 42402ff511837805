"""Pooling of dask's arrays, larger than a memory: lazy, on any chunks, with the same
names and arguments as pool_mlir's functions.

docs/Guides/ScaleOut.md shows what it does with chunks, and how it is tested.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from ._functions import (avg_pool, avg_pool_grad, lp_pool, max_pool, max_pool_grad, max_unpool,
                         min_pool, min_pool_grad)
from ._zarr import open_zarr, to_zarr

__all__ = ["avg_pool", "avg_pool_grad", "lp_pool", "max_pool", "max_pool_grad", "max_unpool",
           "min_pool", "min_pool_grad", "open_zarr", "to_zarr"]
