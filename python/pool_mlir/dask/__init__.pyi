"""Types of pool_mlir.dask."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar, overload

import dask.array as da
import zarr

from .._pool_mlir import (
    _AutoPad, _Divisor, _IndexElementType, _IntegerRounding,
    _Layout, _NanMode, _RoundingType, _SameOutput,
)

# A dask array, or an xarray.DataArray. The result is of the same type.
_Array = TypeVar("_Array")
# A number for each spatial dimension, one for all, or one for each named dimension.
_Window = int | Sequence[int] | Mapping[Any, int]

__all__ = ["avg_pool", "avg_pool_grad", "lp_pool", "max_pool", "max_pool_grad", "max_unpool",
    "min_pool", "min_pool_grad", "open_zarr", "to_zarr"]

@overload
def max_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first", axis: int = 0,
    pad_value: Literal["neg_inf", "zero"] = "neg_inf", nan_mode: _NanMode = "ignore",
    return_indices: Literal[False] = False, index_element_type: _IndexElementType = "i64", *,
    chunks: Any = None
) -> _Array: ...
@overload
def max_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first", axis: int = 0,
    pad_value: Literal["neg_inf", "zero"] = "neg_inf", nan_mode: _NanMode = "ignore", *,
    return_indices: Literal[True], index_element_type: _IndexElementType = "i64",
    chunks: Any = None
) -> tuple[_Array, _Array]: ...
@overload
def max_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first", axis: int = 0,
    pad_value: Literal["neg_inf", "zero"] = "neg_inf", nan_mode: _NanMode = "ignore", *,
    return_indices: bool, index_element_type: _IndexElementType = "i64", chunks: Any = None
) -> _Array | tuple[_Array, _Array]: ...
@overload
def min_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first", axis: int = 0,
    pad_value: Literal["pos_inf", "zero"] = "pos_inf", nan_mode: _NanMode = "ignore",
    return_indices: Literal[False] = False, index_element_type: _IndexElementType = "i64", *,
    chunks: Any = None
) -> _Array: ...
@overload
def min_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first", axis: int = 0,
    pad_value: Literal["pos_inf", "zero"] = "pos_inf", nan_mode: _NanMode = "ignore", *,
    return_indices: Literal[True], index_element_type: _IndexElementType = "i64",
    chunks: Any = None
) -> tuple[_Array, _Array]: ...
@overload
def min_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first", axis: int = 0,
    pad_value: Literal["pos_inf", "zero"] = "pos_inf", nan_mode: _NanMode = "ignore", *,
    return_indices: bool, index_element_type: _IndexElementType = "i64", chunks: Any = None
) -> _Array | tuple[_Array, _Array]: ...
def avg_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first",
    divisor: _Divisor = "valid", divisor_override: int | None = None,
    integer_rounding: _IntegerRounding = "half_even", input_zp: int = 0, output_zp: int = 0, *,
    uniform_sums: bool = False, chunks: Any = None
) -> _Array: ...
def lp_pool(
    x: _Array, kernel: _Window, strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first", p: int = 2, *,
    uniform_sums: bool = False, chunks: Any = None
) -> _Array: ...
def max_pool_grad(
    x: _Array, output_grad: _Array, kernel: _Window, strides: _Window | None = None,
    pads_begin: _Window | None = None, pads_end: _Window | None = None,
    dilations: _Window | None = None, rounding_type: _RoundingType = "floor",
    auto_pad: _AutoPad = "explicit", same_output: _SameOutput = "input",
    layout: _Layout = "channels_first", axis: int = 0, nan_mode: _NanMode = "ignore",
    indices: Any = None, *, chunks: Any = None
) -> _Array: ...
def min_pool_grad(
    x: _Array, output_grad: _Array, kernel: _Window, strides: _Window | None = None,
    pads_begin: _Window | None = None, pads_end: _Window | None = None,
    dilations: _Window | None = None, rounding_type: _RoundingType = "floor",
    auto_pad: _AutoPad = "explicit", same_output: _SameOutput = "input",
    layout: _Layout = "channels_first", axis: int = 0, nan_mode: _NanMode = "ignore",
    indices: Any = None, *, chunks: Any = None
) -> _Array: ...
def avg_pool_grad(
    output_grad: _Array, input_shape: Sequence[int], kernel: _Window,
    strides: _Window | None = None, pads_begin: _Window | None = None,
    pads_end: _Window | None = None, dilations: _Window | None = None,
    rounding_type: _RoundingType = "floor", auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input", layout: _Layout = "channels_first",
    divisor: _Divisor = "valid", divisor_override: int | None = None, *,
    uniform_sums: bool = False, chunks: Any = None
) -> _Array: ...
def max_unpool(
    values: _Array, indices: Any, output_shape: Sequence[int], axis: int = 0, *,
    chunks: Any = None, **window: Any
) -> _Array: ...
def open_zarr(store: Any, *, path: str | None = None) -> da.Array: ...
def to_zarr(
    array: da.Array, store: Any, *, path: str | None = None, overwrite: bool = False,
    progress: bool = False
) -> zarr.Array[Any]: ...
