"""Types of pool_mlir.mpi."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from collections.abc import Sequence
from typing import Any, TypeVar

_Array = TypeVar("_Array")
_Integers = int | Sequence[int]

__all__ = ["OtherRankFailed", "avg_pool", "avg_pool_grad", "get_block", "lp_pool", "max_pool",
    "max_pool_grad", "max_unpool", "min_pool", "min_pool_grad"]

class OtherRankFailed(RuntimeError): ...

def get_block(
    shape: Sequence[int], grid: Sequence[int], comm: Any = None
) -> tuple[slice, ...]: ...

# Extrema return a pair if `attributes` ask for indices.
def max_pool(
    block: _Array, grid: Sequence[int], shape: Sequence[int], kernel: _Integers, *,
    comm: Any = None, blocks: Any = None, cuts: Any = None, **attributes: Any
) -> Any: ...
def min_pool(
    block: _Array, grid: Sequence[int], shape: Sequence[int], kernel: _Integers, *,
    comm: Any = None, blocks: Any = None, cuts: Any = None, **attributes: Any
) -> Any: ...
def avg_pool(
    block: _Array, grid: Sequence[int], shape: Sequence[int], kernel: _Integers, *,
    comm: Any = None, blocks: Any = None, cuts: Any = None, **attributes: Any
) -> _Array: ...
def lp_pool(
    block: _Array, grid: Sequence[int], shape: Sequence[int], kernel: _Integers, *,
    comm: Any = None, blocks: Any = None, cuts: Any = None, **attributes: Any
) -> _Array: ...
def max_pool_grad(
    block: _Array, output_grad: _Array, grid: Sequence[int], shape: Sequence[int],
    kernel: _Integers, *, indices: Any = None, comm: Any = None, blocks: Any = None,
    cuts: Any = None, **attributes: Any
) -> _Array: ...
def min_pool_grad(
    block: _Array, output_grad: _Array, grid: Sequence[int], shape: Sequence[int],
    kernel: _Integers, *, indices: Any = None, comm: Any = None, blocks: Any = None,
    cuts: Any = None, **attributes: Any
) -> _Array: ...
def avg_pool_grad(
    output_grad: _Array, grid: Sequence[int], shape: Sequence[int], kernel: _Integers, *,
    comm: Any = None, blocks: Any = None, cuts: Any = None, **attributes: Any
) -> _Array: ...
def max_unpool(
    values: _Array, indices: Any, grid: Sequence[int], shape: Sequence[int],
    output_shape: Sequence[int], *, comm: Any = None, blocks: Any = None, cuts: Any = None,
    **attributes: Any
) -> _Array: ...
