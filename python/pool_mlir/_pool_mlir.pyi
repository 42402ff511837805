"""Types of the compiled part of the package."""

import os
from collections.abc import Sequence
from typing import Any, Literal, TypeVar, overload

# An array of NumPy or of any library with __dlpack__, or a buffer. The result
# belongs to the argument's library.
_Array = TypeVar("_Array")
_Integers = int | Sequence[int]
_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_Rounding = Literal["floor", "ceil", "ceil_torch"]
_AutoPad = Literal["explicit", "same_upper", "same_lower", "valid"]
_SameOutput = Literal["input", "strided"]
_Layout = Literal["channels_first", "channels_last"]
_PadValue = Literal["neg_inf", "zero"]
_MinPadValue = Literal["pos_inf", "zero"]
_NanMode = Literal["ignore", "propagate"]
_Divisor = Literal["valid", "padded", "kernel"]
_IntegerRounding = Literal["half_even", "half_up", "half_away"]
_IndexType = Literal["i32", "i64"]

__version__: str

@overload
def max_pool(
    x: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    axis: int = 0,
    pad_value: _PadValue = "neg_inf",
    nan_mode: _NanMode = "ignore",
    return_indices: Literal[False] = False,
    index_element_type: _IndexType = "i64",
    out: _Array | None = None,
) -> _Array: ...
@overload
def max_pool(
    x: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    axis: int = 0,
    pad_value: _PadValue = "neg_inf",
    nan_mode: _NanMode = "ignore",
    *,
    return_indices: Literal[True],
    index_element_type: _IndexType = "i64",
    out: tuple[_Array | None, _Array | None] | None = None,
) -> tuple[_Array, _Array]: ...
@overload
def min_pool(
    x: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    axis: int = 0,
    pad_value: _MinPadValue = "pos_inf",
    nan_mode: _NanMode = "ignore",
    return_indices: Literal[False] = False,
    index_element_type: _IndexType = "i64",
    out: _Array | None = None,
) -> _Array: ...
@overload
def min_pool(
    x: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    axis: int = 0,
    pad_value: _MinPadValue = "pos_inf",
    nan_mode: _NanMode = "ignore",
    *,
    return_indices: Literal[True],
    index_element_type: _IndexType = "i64",
    out: tuple[_Array | None, _Array | None] | None = None,
) -> tuple[_Array, _Array]: ...
def avg_pool(
    x: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    divisor: _Divisor = "valid",
    divisor_override: int | None = None,
    integer_rounding: _IntegerRounding = "half_even",
    input_zp: int = 0,
    output_zp: int = 0,
    out: _Array | None = None,
) -> _Array: ...
def lp_pool(
    x: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    p: int = 2,
    out: _Array | None = None,
) -> _Array: ...
@overload
def adaptive_max_pool(
    x: _Array,
    output_size: _Integers,
    layout: _Layout = "channels_first",
    axis: int = 0,
    nan_mode: _NanMode = "ignore",
    return_indices: Literal[False] = False,
    index_element_type: _IndexType = "i64",
    out: _Array | None = None,
) -> _Array: ...
@overload
def adaptive_max_pool(
    x: _Array,
    output_size: _Integers,
    layout: _Layout = "channels_first",
    axis: int = 0,
    nan_mode: _NanMode = "ignore",
    *,
    return_indices: Literal[True],
    index_element_type: _IndexType = "i64",
    out: tuple[_Array | None, _Array | None] | None = None,
) -> tuple[_Array, _Array]: ...
def adaptive_avg_pool(
    x: _Array,
    output_size: _Integers,
    layout: _Layout = "channels_first",
    integer_rounding: _IntegerRounding = "half_even",
    input_zp: int = 0,
    output_zp: int = 0,
    out: _Array | None = None,
) -> _Array: ...
def max_unpool(
    values: _Array,
    indices: _Array,
    output_shape: Sequence[int],
    axis: int = 0,
    out: _Array | None = None,
) -> _Array: ...
def max_pool_grad(
    x: _Array,
    output_grad: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    axis: int = 0,
    nan_mode: _NanMode = "ignore",
    indices: _Array | None = None,
    out: _Array | None = None,
) -> _Array: ...
def min_pool_grad(
    x: _Array,
    output_grad: _Array,
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    axis: int = 0,
    nan_mode: _NanMode = "ignore",
    indices: _Array | None = None,
    out: _Array | None = None,
) -> _Array: ...
def avg_pool_grad(
    output_grad: _Array,
    input_shape: Sequence[int],
    kernel: _Integers,
    strides: _Integers | None = None,
    pads_begin: _Integers | None = None,
    pads_end: _Integers | None = None,
    dilations: _Integers | None = None,
    rounding_type: _Rounding = "floor",
    auto_pad: _AutoPad = "explicit",
    same_output: _SameOutput = "input",
    layout: _Layout = "channels_first",
    divisor: _Divisor = "valid",
    divisor_override: int | None = None,
    out: _Array | None = None,
) -> _Array: ...
def set_num_threads(n: int) -> None: ...
def get_num_threads() -> int: ...
def cache_info() -> dict[str, Any]: ...
def cache_clear(*, disk: bool = False) -> None: ...
def set_cache_size(n: int) -> None: ...
def import_openvino(
    path: _Path, pool_layers: bool = False, weights: _Path | None = None
) -> str: ...

class Compiled:
    entries: tuple[str, ...]
    compile_times: dict[str, float]
    plan: list[dict[str, Any]]
    mlir: str
    llvm: str
    def __call__(self, *args: Any, out: Any = None) -> Any: ...
    def __getitem__(self, entry: str) -> Compiled: ...
    def save_object(
        self, path: _Path, *, header: _Path | None = None, target: str = "", cpu: str = ""
    ) -> None: ...

def compile(
    source: _Path, entry: str | Sequence[str] | None = None, *, cpu: str = "",
    threads: int | None = None
) -> Compiled: ...
