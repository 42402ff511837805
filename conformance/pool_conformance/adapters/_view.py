"""A vector as systems see it that have one layout, or no poolings of few dimensions.

Not an adapter: adapters use it to transpose between layouts and to add dimensions of extent 1.
Neither changes which elements a window has.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..adapter import Adapter, Results, Unsupported, literal
from ..tensor import Tensor, is_float
from ..vector import Vector

# Attributes with one number for each spatial dimension, and the number of an added dimension
LISTS = {"kernel": 1, "strides": 1, "dilations": 1, "pads_begin": 0, "pads_end": 0,
         "output_size": 1}
# Python expressions of element types that NumPy lacks
EXTENSION_TYPES = ("bf16", "f8E4M3FN", "f8E5M2")


class View:
    """`View(vector, layout, ranks).vector` is the vector in a layout, with the least number of
    spatial dimensions in `ranks` that holds it. `back` returns results to the vector's own
    shape. Raises Unsupported if the vector has too many dimensions, or indices that another
    layout would change."""

    def __init__(self, vector: Vector, layout: str = "channels_first",
                 ranks: Sequence[int] = (1, 2, 3)) -> None:
        self.original = vector
        rank = len(vector.shape) - 2
        fitting = [r for r in ranks if r >= rank]
        if rank < 1 or not fitting:
            raise Unsupported(f"no {rank} spatial dimensions")
        self.added = min(fitting) - rank
        self.last = vector["layout"] == "channels_last"
        self.to_last = layout == "channels_last"
        if self.last != self.to_last and (vector["index_type"] or "indices" in vector.inputs):
            raise Unsupported(f"no layout {vector['layout']} with indices")
        if self.added == 0 and self.last == self.to_last:
            self.vector = vector
            return
        attributes = dict(vector.json["attributes"])
        # A list of wrong length, which the system should refuse, stays wrong.
        for name, number in LISTS.items():
            if name in attributes:
                attributes[name] = [number] * self.added + list(attributes[name])
        if "output_shape" in attributes:
            attributes["output_shape"] = self._shape(attributes["output_shape"])
        if attributes.get("axis", 0) < 0:
            attributes["axis"] += len(vector.shape)
        attributes["layout"] = layout
        if attributes.get("axis", 0) > (1 if self.to_last else 2):
            attributes["axis"] += self.added
        inputs: dict[str, dict[str, Any]] = {
            name: {**data, "shape": self._shape(data["shape"])}
            for name, data in vector.json["inputs"].items()}
        json = {**vector.json, "attributes": attributes, "inputs": inputs}
        self.vector = Vector(json)
        # The text of the arrays is not written anew: `inputs` of the new vector is set here.
        self.vector.__dict__["inputs"] = {
            name: self._tensor(tensor) for name, tensor in vector.inputs.items()}

    def _shape(self, shape: Sequence[int]) -> list[int]:
        batch, *spatial = shape
        channels = spatial.pop(-1 if self.last else 0)
        spatial = [1] * self.added + spatial
        return [batch, *spatial, channels] if self.to_last else [batch, channels, *spatial]

    def _tensor(self, tensor: Tensor) -> Tensor:
        shape = tuple(self._shape(tensor.shape))
        if tensor.array is None:
            return Tensor(tensor.type, shape, None)
        array = tensor.array
        if self.last and not self.to_last:
            array = np.moveaxis(array, -1, 1)
        elif self.to_last and not self.last:
            array = np.moveaxis(array, 1, -1)
        return Tensor.of(np.ascontiguousarray(array).reshape(shape), tensor.type)

    def shape_back(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Returns the shape of a result in the original layout and rank."""
        dims = list(shape)
        if len(dims) != len(self.vector.shape):
            return tuple(dims)
        first = 1 if self.to_last else 2
        if dims[first:first + self.added] == [1] * self.added:
            del dims[first:first + self.added]
        if self.last != self.to_last:
            dims.insert(1 if self.to_last else len(dims), dims.pop(-1 if self.to_last else 1))
        return tuple(dims)

    def array_back(self, array: Any) -> Any:
        """Returns an array in the original layout and rank. An array of an unexpected rank
        stays as it is."""
        if isinstance(array, Tensor):
            return Tensor.of(self.array_back(array.array), array.type)
        array = np.asarray(array)
        shape = self.shape_back(array.shape)
        if array.ndim == len(self.vector.shape) and self.last != self.to_last:
            array = np.moveaxis(array, 1, -1) if self.last else np.moveaxis(array, -1, 1)
        return np.ascontiguousarray(array).reshape(shape)

    def back(self, results: Results) -> dict[str, Any]:
        """Returns results in the original layout and rank."""
        return {name: self.array_back(array) for name, array in results.items()}


def explicit_pads(vector: Vector) -> tuple[list[int], list[int]]:
    """Returns the pads that the vector gives. Raises Unsupported for SAME."""
    if vector["auto_pad"] == "valid":
        zeros = [0] * len(vector["kernel"])
        return zeros, zeros
    if vector["auto_pad"] != "explicit":
        raise Unsupported(f"no auto_pad {vector['auto_pad']}")
    return list(vector["pads_begin"]), list(vector["pads_end"])


def symmetric_pads(vector: Vector) -> list[int]:
    """Returns pads that are equal at both ends. If floor drops the end of the padded input,
    no smaller or larger pad is put in the place of another one: that is Unsupported too."""
    begin, end = explicit_pads(vector)
    if begin != end:
        raise Unsupported("no pads_end that differ from pads_begin")
    return begin


def ceil_mode(vector: Vector) -> bool:
    """Returns False if floor makes the vector's windows, and True if ceil_torch does. Raises
    Unsupported if neither does."""
    rounding = vector["rounding_type"]
    if rounding != "ceil":
        return rounding == "ceil_torch"
    for value in ("ceil_torch", "floor"):
        if vector.means_same(rounding_type=value):
            return value == "ceil_torch"
    raise Unsupported("no rounding_type ceil")


def check_numbers(vector: Vector, bits: int = 32) -> None:
    """Raises Unsupported if a list has not one number for each spatial dimension, or a number
    needs more bits. For systems whose form of a pooling has no place for such lists."""
    for name in LISTS:
        numbers = vector[name]
        if numbers is not None and len(numbers) != len(vector.shape) - 2:
            raise Unsupported(f"no {name} of {len(numbers)} numbers")
        if any(not -2 ** (bits - 1) <= number < 2 ** (bits - 1) for number in numbers or ()):
            raise Unsupported(f"no {name} of more than {bits} bits")


def check_types(vector: Vector, *names: str) -> None:
    """Raises Unsupported unless the type of the first input is one of `names`, the types that
    the system's document or the system's list of kernels gives."""
    if vector.type not in names:
        raise Unsupported(f"no {vector.operation} of {vector.type}")


def check_floats(vector: Vector) -> None:
    """Raises Unsupported unless the elements are floats."""
    if not is_float(vector.type):
        raise Unsupported(f"no {vector.operation} of integers")


def imports(vector: Vector, *lines: str) -> list[str]:
    """Returns the first lines of a script: `lines`, NumPy, and ml_dtypes if it is needed."""
    extension = any(tensor.type in EXTENSION_TYPES for tensor in vector.inputs.values())
    return [*lines, "import numpy as np", *(["import ml_dtypes"] if extension else [])]


def assignments(vector: Vector) -> list[str]:
    """Returns lines of a script that give each input its name."""
    return [f"{name} = {literal(tensor)}" for name, tensor in vector.inputs.items()]


def python_call(function: str, arguments: Sequence[str], keywords: dict[str, Any]) -> str:
    """Returns the text of a call. `arguments` are expressions, `keywords` are values."""
    return (f"{function}({', '.join(arguments)}"
            + "".join(f", {name}={value!r}" for name, value in keywords.items()) + ")")


def plain_ceil(vector: Vector) -> bool:
    """Returns False if floor makes the vector's windows, and True if ceil does. Raises
    Unsupported if neither does. For systems whose document says no more than "ceil"."""
    return Adapter.choose(vector, "rounding_type", "ceil", "floor") == "ceil"


def counts_padding(vector: Vector) -> bool:
    """Returns True if averages count the padding. If the count of ceil's overhang would matter
    too, that is Unsupported: for systems whose document says nothing about it."""
    divisor = Adapter.choose(vector, "divisor", "valid", "padded", "kernel")
    if divisor == "valid":
        return False
    if not vector.means_same(divisor="padded") or not vector.means_same(divisor="kernel"):
        raise Unsupported("no document says if ceil's overhang is counted")
    return True
