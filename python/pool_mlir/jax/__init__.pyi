"""Types of pool_mlir.jax."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from collections.abc import Sequence
from typing import Literal, overload

from jax import Array
from jax.typing import ArrayLike, DTypeLike

from .._pool_mlir import (
    _AutoPad, _Divisor, _IntegerRounding,
    _Layout, _NanMode, _RoundingType, _SameOutput,
)

_Integers = int | Sequence[int]

TARGET: str

__all__ = ["TARGET", "adaptive_avg_pool", "adaptive_max_pool", "avg_pool", "avg_pool_grad",
    "lp_pool", "max_pool", "max_pool_grad", "max_unpool", "min_pool", "min_pool_grad"]

@overload
def max_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, pad_value: Literal["neg_inf", "zero"] | None = None,
    nan_mode: _NanMode = "propagate", return_indices: Literal[False] = False, axis: int = 0,
    index_type: DTypeLike = "int32"
) -> Array: ...
@overload
def max_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, pad_value: Literal["neg_inf", "zero"] | None = None,
    nan_mode: _NanMode = "propagate", return_indices: Literal[True], axis: int = 0,
    index_type: DTypeLike = "int32"
) -> tuple[Array, Array]: ...
@overload
def max_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, pad_value: Literal["neg_inf", "zero"] | None = None,
    nan_mode: _NanMode = "propagate", return_indices: bool, axis: int = 0,
    index_type: DTypeLike = "int32"
) -> Array | tuple[Array, Array]: ...
@overload
def min_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, pad_value: Literal["pos_inf", "zero"] | None = None,
    nan_mode: _NanMode = "propagate", return_indices: Literal[False] = False, axis: int = 0,
    index_type: DTypeLike = "int32"
) -> Array: ...
@overload
def min_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, pad_value: Literal["pos_inf", "zero"] | None = None,
    nan_mode: _NanMode = "propagate", return_indices: Literal[True], axis: int = 0,
    index_type: DTypeLike = "int32"
) -> tuple[Array, Array]: ...
@overload
def min_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, pad_value: Literal["pos_inf", "zero"] | None = None,
    nan_mode: _NanMode = "propagate", return_indices: bool, axis: int = 0,
    index_type: DTypeLike = "int32"
) -> Array | tuple[Array, Array]: ...
def max_pool_grad(
    x: ArrayLike, output_grad: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, nan_mode: _NanMode = "propagate"
) -> Array: ...
def min_pool_grad(
    x: ArrayLike, output_grad: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, nan_mode: _NanMode = "propagate"
) -> Array: ...
def avg_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, divisor: _Divisor | None = None,
    divisor_override: int | None = None, integer_rounding: _IntegerRounding | None = None
) -> Array: ...
def avg_pool_grad(
    output_grad: ArrayLike, input_shape: Sequence[int], kernel: _Integers,
    strides: _Integers | None = None, pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None, dilations: _Integers | None = None,
    rounding_type: _RoundingType | None = None, auto_pad: _AutoPad | None = None,
    same_output: _SameOutput | None = None, layout: _Layout | None = None, *,
    divisor: _Divisor | None = None, divisor_override: int | None = None
) -> Array: ...
def lp_pool(
    x: ArrayLike, kernel: _Integers, strides: _Integers | None = None,
    pads_begin: _Integers | None = None, pads_end: _Integers | None = None,
    dilations: _Integers | None = None, rounding_type: _RoundingType | None = None,
    auto_pad: _AutoPad | None = None, same_output: _SameOutput | None = None,
    layout: _Layout | None = None, *, p: int = 2
) -> Array: ...
@overload
def adaptive_max_pool(
    x: ArrayLike, output_size: _Integers, layout: _Layout | None = None, *,
    nan_mode: _NanMode = "propagate", return_indices: Literal[False] = False, axis: int = 0,
    index_type: DTypeLike = "int32"
) -> Array: ...
@overload
def adaptive_max_pool(
    x: ArrayLike, output_size: _Integers, layout: _Layout | None = None, *,
    nan_mode: _NanMode = "propagate", return_indices: Literal[True], axis: int = 0,
    index_type: DTypeLike = "int32"
) -> tuple[Array, Array]: ...
@overload
def adaptive_max_pool(
    x: ArrayLike, output_size: _Integers, layout: _Layout | None = None, *,
    nan_mode: _NanMode = "propagate", return_indices: bool, axis: int = 0,
    index_type: DTypeLike = "int32"
) -> Array | tuple[Array, Array]: ...
def adaptive_avg_pool(
    x: ArrayLike, output_size: _Integers, layout: _Layout | None = None, *,
    integer_rounding: _IntegerRounding | None = None
) -> Array: ...
def max_unpool(
    values: ArrayLike, indices: ArrayLike, output_shape: Sequence[int], *, axis: int = 0
) -> Array: ...
