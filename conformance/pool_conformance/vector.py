"""A vector: one small problem and its only right results. OPERATIONS.md lists the operations
and the attributes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from . import rules
from .tensor import Tensor, is_float

# Operations with a kernel
WINDOWED = ("max_pool", "min_pool", "avg_pool", "sum_pool", "lp_pool")
ADAPTIVE = ("adaptive_avg_pool", "adaptive_max_pool")
GRADIENTS = ("max_pool_grad", "avg_pool_grad", "adaptive_max_pool_grad",
             "adaptive_avg_pool_grad", "lp_pool_grad")
OPERATIONS = WINDOWED + ADAPTIVE + ("max_unpool", "reduce_window") + GRADIENTS

# Documents that a vector can speak of
DOCUMENTS = ("openvino", "ngraph", "bnns", "onnx", "pytorch", "tosa", "stablehlo", "tflite",
             "webnn", "keras")


def default_attributes(operation: str, rank: int) -> dict[str, Any]:
    """Returns the values of the attributes that a vector leaves out, for a number of spatial
    dimensions."""
    ones, zeros = [1] * rank, [0] * rank
    if operation == "reduce_window":
        return {"strides": ones, "dilations": ones, "base_dilations": ones,
                "pads_begin": zeros, "pads_end": zeros}
    result: dict[str, Any] = {"layout": "channels_first"}
    if not operation.startswith("adaptive") and operation != "max_unpool":
        result |= {"strides": ones, "dilations": ones, "pads_begin": zeros, "pads_end": zeros,
                   "auto_pad": "explicit", "rounding_type": "floor", "same_output": "input"}
    if operation in ("max_pool", "min_pool", "max_pool_grad"):
        result |= {"pad_value": "pos_inf" if operation == "min_pool" else "neg_inf"}
    if "max" in operation or "min" in operation:
        result |= {"nan_mode": "ignore", "index_type": None, "axis": 0, "index_base": "input"}
    if operation in ("avg_pool", "sum_pool", "lp_pool", "avg_pool_grad"):
        result |= {"nan_mode": "propagate", "min_count": 1}
    if operation in ("avg_pool", "avg_pool_grad"):
        result |= {"divisor": "valid", "divisor_override": None}
    if operation in ("avg_pool", "adaptive_avg_pool"):
        result |= {"integer_rounding": "half_even", "input_zp": 0, "output_zp": 0}
    if operation in ("lp_pool", "lp_pool_grad"):
        result |= {"p": 2, "normalize": "none"}
    if operation == "sum_pool":
        result |= {"element_type": None}
    return result


def _ends(windows: int) -> list[int]:
    """Returns the numbers of all windows, or of the first and last 2000 if there are more. The
    windows between them have no padding."""
    if windows <= 4000:
        return list(range(windows))
    return [*range(2000), *range(windows - 2000, windows)]


@dataclass
class Expected:
    """One result that is right.

    `outputs` has the tensors by name. Each may have a bound in `bounds`: the largest allowed
    difference from the expected number, one number for all elements or one for each. Without a
    bound, elements must be equal; -0 equals +0, and all NaN are equal. If `refused` is not
    empty, the right result is an error, and `refused` says why.
    """

    outputs: dict[str, Tensor] = field(default_factory=dict)
    bounds: dict[str, Any] = field(default_factory=dict)
    refused: str = ""
    name: str = ""


@dataclass
class Vector:
    """One vector. `json` is the object of its file; the other members are read from it."""

    json: dict[str, Any]

    @property
    def name(self) -> str:
        return self.json["name"]

    @property
    def trap(self) -> str:
        return self.json["trap"]

    @property
    def operation(self) -> str:
        return self.json["operation"]

    @cached_property
    def inputs(self) -> dict[str, Tensor]:
        """The inputs by name, in the operation's order. The first one has the name `x`."""
        return {name: Tensor.from_json(data) for name, data in self.json["inputs"].items()}

    @property
    def x(self) -> Tensor:
        """The first input: the data that the windows slide over, for unpooling the values."""
        return next(iter(self.inputs.values()))

    @property
    def shape(self) -> tuple[int, ...]:
        """The first input's shape."""
        return tuple(next(iter(self.json["inputs"].values()))["shape"])

    @property
    def type(self) -> str:
        """The first input's element type."""
        return next(iter(self.json["inputs"].values()))["type"]

    @property
    def shape_only(self) -> bool:
        """True if only shapes are asked for: the inputs are too large for any machine.
        `Adapter.infer` answers these."""
        return bool(self.json.get("shape_only"))

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """All attributes of the operation: those that the file leaves out have their default
        values here. OPERATIONS.md lists them."""
        given = self.json["attributes"]
        rank = len(self.shape) - (0 if self.operation == "reduce_window" else 2)
        return {**default_attributes(self.operation, rank), **given}

    def __getitem__(self, attribute: str) -> Any:
        """`vector["kernel"]` is the attribute's value; None for one the operation lacks."""
        return self.attributes.get(attribute)

    @cached_property
    def expected(self) -> list[Expected]:
        """The results that are right. More than one only where a document leaves a choice."""
        result = []
        for data in self.json["expected"]:
            outputs, bounds = {}, {}
            for name, tensor in data.get("outputs", {}).items():
                outputs[name] = Tensor.from_json(tensor)
                if "bound" in tensor:
                    bounds[name] = tensor["bound"]
            result.append(Expected(outputs, bounds, data.get("refused", ""),
                                   data.get("name", "")))
        return result

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the results that are asked for: `values`, and `indices` if index_type is
        given; `result` of unpooling and reduce_window; `input_grad` of gradients."""
        if self.operation in GRADIENTS:
            return ("input_grad",)
        if self.operation in ("max_unpool", "reduce_window"):
            return ("result",)
        return ("values", "indices") if self["index_type"] else ("values",)

    def output_type(self, name: str) -> str:
        """Returns the element type of an output."""
        if name == "indices":
            return self["index_type"]
        return self["element_type"] or self.type

    # Help for adapters

    @property
    def rank(self) -> int:
        """Number of spatial dimensions."""
        return len(self.shape) - 2

    @cached_property
    def has_nan(self) -> bool:
        """True if an input has a NaN. Only then does nan_mode matter."""
        return not self.shape_only and any(
            is_float(t.type) and bool(np.isnan(t.values()).any()) for t in self.inputs.values())

    def dimensions(self, **changes: Any) -> list[rules.Dimension]:
        """Returns the windows along each spatial dimension, with resolved pads. `changes`
        replace attributes. Raises rules.Refusal if the rules refuse the problem."""
        return rules.dimensions({**self.attributes, **changes}, self.shape)

    def means_same(self, **changes: Any) -> bool:
        """True if the vector has the same windows and divisors with other attributes, such as
        `means_same(rounding_type="ceil_torch")`. Use it to see if a system's own rule and the
        vector's rule are the same for this vector. It compares windows and divisors only."""
        try:
            mine, other = self.dimensions(), self.dimensions(**changes)
        except rules.Refusal:
            return False
        for d, e in zip(mine, other):
            if (d.output, d.pad_begin, d.dilation) != (e.output, e.pad_begin, e.dilation):
                return False
            if d.output > 1 and d.stride != e.stride:
                return False
        divisor = self["divisor"]
        if divisor is None or self["divisor_override"] is not None:
            return True
        wanted = changes.get("divisor", divisor)
        return all(d.count(divisor, o) == e.count(wanted, o)
                   for d, e in zip(mine, other) for o in _ends(d.output))

    def index_axes(self) -> tuple[int, ...]:
        """Returns the values of `axis` that give the same indices for this shape. For
        max_unpool, this is the result's shape. ONNX counts from axis 0, PyTorch from 2."""
        shape = tuple(self["output_shape"] or self.shape)
        axis = self["axis"] % len(shape)
        return tuple(other for other in range(len(shape))
                     if prod(shape[min(axis, other):max(axis, other)]) == 1)
