"""One pooling problem: its attributes, its element type, its MLIR text.

The tests, the oracle and the peers all use a `Case`. This file writes the poolings with a
window as MLIR operations; adaptive.py and scatter.py write the other operations.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass, field, replace
from typing import Optional, Sequence

import ml_dtypes
import numpy as np

# MLIR element type -> NumPy type of the .npy files
NUMPY_TYPES = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
for _bits in (8, 16, 32, 64):
    NUMPY_TYPES[f"i{_bits}"] = np.dtype(f"int{_bits}")
    NUMPY_TYPES[f"si{_bits}"] = np.dtype(f"int{_bits}")
    NUMPY_TYPES[f"ui{_bits}"] = np.dtype(f"uint{_bits}")

FLOAT_TYPES = ("f16", "bf16", "f32", "f64")
INTEGER_TYPES = tuple(t for t in NUMPY_TYPES if t not in FLOAT_TYPES)

# Enumeration attribute -> keyword of its default
ENUMS = {
    "rounding_type": "floor",
    "auto_pad": "explicit",
    "same_output": "input",
    "layout": "channels_first",
    "pad_value": "neg_inf",
    "nan_mode": "ignore",
    "divisor": "valid",
    "integer_rounding": "half_even",
}
INTEGERS = {"axis": 0, "divisor_override": None, "input_zp": 0, "output_zp": 0, "p": 2}
COMMON_ENUMS = ("rounding_type", "auto_pad", "same_output", "layout")
LISTS = ("kernel", "strides", "dilations", "pads_begin", "pads_end")


@dataclass(frozen=True)
class Case:
    """A pooling operation on an input with the extents `shape`, in the order of `layout`.

    `dynamic` lists the dimensions that are `?` in the MLIR text; `shape` has their extents,
    too. A list attribute that is None has its default.
    """

    op: str
    shape: Sequence[int]
    kernel: Sequence[int]
    element_type: str = "f32"
    strides: Optional[Sequence[int]] = None
    dilations: Optional[Sequence[int]] = None
    pads_begin: Optional[Sequence[int]] = None
    pads_end: Optional[Sequence[int]] = None
    rounding_type: str = "floor"
    auto_pad: str = "explicit"
    same_output: str = "input"
    layout: str = "channels_first"
    # For max_pool and min_pool; max_unpool has axis and index_type, too. In a Case, the
    # pad_value neg_inf means padding that is never chosen, also for min_pool. For min_pool,
    # keywords.py passes pos_inf instead.
    axis: int = 0
    pad_value: str = "neg_inf"
    nan_mode: str = "ignore"
    index_type: Optional[str] = None
    # Only for avg_pool
    divisor: str = "valid"
    divisor_override: Optional[int] = None
    integer_rounding: str = "half_even"
    input_zp: int = 0
    output_zp: int = 0
    # Only for lp_pool
    p: int = 2
    dynamic: Sequence[int] = field(default=())

    @property
    def num_spatial(self):
        return len(self.kernel)

    @property
    def rank(self):
        return len(self.shape)

    @property
    def is_float(self):
        return self.element_type in FLOAT_TYPES

    @property
    def is_extremum(self):
        return self.op in ("max_pool", "min_pool")

    @property
    def dtype(self):
        return NUMPY_TYPES[self.element_type]

    @property
    def spatial_dims(self):
        first = 2 if self.layout == "channels_first" else 1
        return range(first, first + self.num_spatial)

    @property
    def channel_dim(self):
        return 1 if self.layout == "channels_first" else self.rank - 1

    def window(self, i):
        """Returns (kernel, stride, dilation, pad begin, pad end) of spatial dimension i."""
        n = self.num_spatial
        lists = (
            self.kernel,
            self.strides or [1] * n,
            self.dilations or [1] * n,
            self.pads_begin or [0] * n,
            self.pads_end or [0] * n,
        )
        return tuple(values[i] for values in lists)

    def with_(self, **changes):
        return replace(self, **changes)

    # MLIR text

    def input_type(self):
        return tensor_type(self.shape, self.element_type, self.dynamic)

    def result_types(self, output_shape):
        """Types of the results; `output_shape` has ints, and None for `?`."""
        types = [tensor_type(output_shape, self.element_type)]
        if self.index_type:
            types.append(tensor_type(output_shape, self.index_type))
        return types

    def attributes(self):
        """Yields (name, value) of attributes that differ from their default, in the order of
        the pretty form."""
        names = LISTS + COMMON_ENUMS
        if self.is_extremum:
            names += ("axis", "pad_value", "nan_mode")
        elif self.op == "lp_pool":
            names += ("p",)
        else:
            names += ("divisor", "divisor_override", "integer_rounding", "input_zp", "output_zp")
        for name in names:
            value = getattr(self, name)
            if name in LISTS:
                if value is not None:
                    yield name, tuple(value)
            elif value != ENUMS.get(name, INTEGERS.get(name)):
                yield name, value

    def properties(self, without=()):
        """Returns the attributes that differ from their default, as the generic form has them
        inside <{ }>."""
        parts = []
        for name, value in self.attributes():
            if name in without:
                continue
            if name in LISTS:
                colon = ": " if value else ""
                text = f"array<i64{colon}{', '.join(map(str, value))}>"
            else:
                text = f"#pool.{name}<{value}>" if name in ENUMS else f"{value} : i64"
            parts.append(f"{name} = {text}")
        return ", ".join(parts)

    def generic_op(self, result_types):
        """Returns the operation in the generic form, without its results' names."""
        right = (result_types[0] if len(result_types) == 1
                 else f"({', '.join(result_types)})")
        return (f'"pool.{self.op}"(%x) <{{{self.properties()}}}>'
                f" : ({self.input_type()}) -> {right}")

    def pretty_op(self, result_types):
        """Returns the operation in the pretty form, without its results' names."""
        parts = [f"{name} {list(value) if name in LISTS else value}"
                 for name, value in self.attributes()]
        return (f"pool.{self.op} %x {' '.join(parts)}"
                f" : {self.input_type()} -> {', '.join(result_types)}")

    def function(self, name, output_shape, pretty=False):
        """Returns the text of a function `name` that applies the operation to its argument."""
        types = self.result_types(output_shape)
        operation = (self.pretty_op if pretty else self.generic_op)(types)
        values = "%v" if len(types) == 1 else "%v, %i"
        results = types[0] if len(types) == 1 else f"({', '.join(types)})"
        return (f"func.func @{name}(%x: {self.input_type()}) -> {results} {{\n"
                f"  {values} = {operation}\n"
                f"  return {values} : {', '.join(types)}\n}}\n")

    def dynamic_output_shape(self, output_shape):
        """Returns `output_shape` with None where the input dimension is dynamic."""
        return [None if d in self.dynamic else extent
                for d, extent in enumerate(output_shape)]


def tensor_type(shape, element_type, dynamic=()):
    dims = ["?" if extent is None or d in dynamic else str(extent)
            for d, extent in enumerate(shape)]
    return f"tensor<{'x'.join(dims + [element_type])}>"
