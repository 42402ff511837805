"""Extents, pads and divisors of windows: integer arithmetic in one dimension.

The rules are those of `SEMANTICS` in the package's README. This module is written apart from
the C++ code of the project, so that both can be compared.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LARGEST = 2 ** 63 - 1


class Refusal(ValueError):
    """The problem has no meaning, and an implementation should refuse it."""


@dataclass(frozen=True)
class Dimension:
    """Windows along one spatial dimension, with pads that are resolved."""

    input: int
    kernel: int
    stride: int
    dilation: int
    pad_begin: int
    pad_end: int
    output: int

    def positions(self, window: int) -> range:
        """Returns the input positions of a window's taps. Some may lie outside the input."""
        start = window * self.stride - self.pad_begin
        return range(start, start + self.kernel * self.dilation, self.dilation)

    def inside(self, position: int) -> bool:
        """True if the position is an element of the input."""
        return 0 <= position < self.input

    def count(self, divisor: str, window: int) -> int:
        """Returns how many positions of a window the rule `divisor` counts: `valid` those
        inside the input, `padded` also those in the padding, `kernel` all."""
        if divisor == "kernel":
            return self.kernel
        low, high = 0, self.input
        if divisor == "padded":
            low, high = -self.pad_begin, self.input + self.pad_end
        start = window * self.stride - self.pad_begin
        first = max(0, -(-(low - start) // self.dilation))
        last = min(self.kernel, -(-(high - start) // self.dilation))
        return max(0, last - first)


def resolve(extent: int, kernel: int, stride: int, dilation: int, pad_begin: int, pad_end: int,
            auto_pad: str, rounding_type: str, same_output: str) -> Dimension:
    """Returns the windows of one dimension. Raises Refusal if there are none."""
    for name, value, least in (("extent", extent, 1), ("kernel", kernel, 1),
                               ("stride", stride, 1), ("dilation", dilation, 1),
                               ("pads_begin", pad_begin, 0), ("pads_end", pad_end, 0)):
        if value < least:
            raise Refusal(f"{name} {value} is below {least}")
    window = (kernel - 1) * dilation + 1
    if window > LARGEST:
        raise Refusal("the window's extent exceeds 64 bits")
    if auto_pad in ("same_upper", "same_lower"):
        output = extent if same_output == "input" else -(-extent // stride)
        total = max(0, (output - 1) * stride + window - extent)
        less, more = total // 2, total - total // 2
        begin, end = (less, more) if auto_pad == "same_upper" else (more, less)
        return Dimension(extent, kernel, stride, dilation, begin, end, output)
    if auto_pad == "valid":
        pad_begin = pad_end = 0
    room = extent + pad_begin + pad_end - window
    if room < 0 and rounding_type != "ceil_torch":
        raise Refusal(f"a window of {window} does not fit {extent + pad_begin + pad_end}")
    output = (room // stride if rounding_type == "floor" else -(-room // stride)) + 1
    if rounding_type == "ceil_torch" and (output - 1) * stride >= extent + pad_begin:
        output -= 1
    if output < 1:
        raise Refusal("there are no windows")
    return Dimension(extent, kernel, stride, dilation, pad_begin, pad_end, output)


def spatial(shape: tuple[int, ...], layout: str) -> tuple[int, ...]:
    """Returns the spatial extents of a shape."""
    return tuple(shape[2:] if layout == "channels_first" else shape[1:-1])


def dimensions(attributes: dict[str, Any], shape: tuple[int, ...]) -> list[Dimension]:
    """Returns the windows of an operation with a kernel. `attributes` has no gaps: see
    `Vector.attributes`."""
    extents = spatial(shape, attributes["layout"])
    for name in ("kernel", "strides", "dilations", "pads_begin", "pads_end"):
        if len(attributes[name]) != len(extents):
            raise Refusal(f"{name} has {len(attributes[name])} numbers, not {len(extents)}")
    return [resolve(*numbers, attributes["auto_pad"], attributes["rounding_type"],
                    attributes["same_output"])
            for numbers in zip(extents, attributes["kernel"], attributes["strides"],
                               attributes["dilations"], attributes["pads_begin"],
                               attributes["pads_end"])]


def adaptive_bounds(extent: int, outputs: int, output: int) -> tuple[int, int]:
    """Returns begin and end of a window of adaptive pooling."""
    return output * extent // outputs, -(-(output + 1) * extent // outputs)
