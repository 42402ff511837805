"""Random pooling graphs that OpenVINO IR can express. They have the form that the import
writes: without lists of default values and without attributes that have no effect."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass

import numpy as np

from .case import NUMPY_TYPES, Case, tensor_type
from .generators import integer, integers, pick, random_window
from .rules import Refused, resolve

# Element type -> weight in the random choice. Types that OpenVINO computes without
# conversion have most of the weight.
TYPES = {"f32": 8, "f16": 4, "bf16": 1, "f64": 2, "i8": 1, "ui8": 1, "i16": 1, "i32": 1,
         "i64": 1}
MAX_EXTENT = 14


@dataclass
class Value:
    """A value of the graph. `averaged` is True for averages and values computed from them.
    These are compared within a bound. They get no indices, since rounding may change which
    element is the largest."""

    name: str
    shape: tuple
    element_type: str
    dynamic: frozenset
    averaged: bool

    def type(self):
        return tensor_type(self.shape, self.element_type, self.dynamic)


def normal_window(rng, n):
    """Returns random window attributes in the form that the import writes."""
    window = random_window(rng, n, pads_below_kernel=0.8)
    window.pop("same_output", None)
    for name, default in (("strides", 1), ("dilations", 1), ("pads_begin", 0), ("pads_end", 0)):
        if window.get(name) is not None and all(v == default for v in window[name]):
            window[name] = None
    if window["auto_pad"].startswith("same"):
        window["rounding_type"] = "floor"
        if window.get("strides"):
            window["same_output"] = "strided"
    return window


def is_said(case, dims):
    """True if OpenVINO accepts the windows and computes the same as we do. Every window must
    have an element: for a window of only padding, OpenVINO returns another number."""
    if any(d.count("valid", o) == 0 for d in dims for o in range(d.output)):
        return False
    for i, d in enumerate(dims):
        extent = (d.kernel - 1) * d.dilation + 1
        _, _, _, begin, end = case.window(i)
        if case.auto_pad == "valid":
            begin = end = 0
        if case.auto_pad == "explicit" and max(begin, end) >= extent:
            return False
        if case.rounding_type == "ceil_torch" and extent > d.input + begin + end:
            return False
    return True


def window_case(rng, value):
    """Returns a random window operation on the value, or None if the rules reject it."""
    n = len(value.shape) - 2
    window = normal_window(rng, n)
    common = {"shape": value.shape, "element_type": value.element_type,
              "dynamic": tuple(sorted(value.dynamic))}
    if rng.random() < 0.5:
        index_type = None if value.averaged else pick(rng, (None, "i32", "i64"))
        axis = integer(rng, 0, n + 1) if index_type else 0
        case = Case("max_pool", index_type=index_type, axis=axis, **common, **window)
    else:
        padded = window["auto_pad"].startswith("same") or (
            window["auto_pad"] == "explicit" and (window.get("pads_begin") or window.get("pads_end")))
        divisor = pick(rng, ("valid", "kernel")) if padded else "valid"
        case = Case("avg_pool", divisor=divisor, **common, **window)
    try:
        dims = resolve(case)
    except Refused:
        return None
    return (case, [d.output for d in dims]) if is_said(case, dims) else None


class Graph:
    """`text` has one function `graph`, which returns `results`."""

    def __init__(self, rng):
        self.rng = rng
        n = pick(rng, (1, 2, 3), (2, 4, 1))
        self.element_type = pick(rng, tuple(TYPES), tuple(TYPES.values()))
        self.lines = []
        self.arguments = [self._argument(f"%x{i}", n) for i in range(integer(rng, 1, 2))]
        self.values = list(self.arguments)
        for number in range(integer(rng, 1, 5)):
            self._add_operation(number)
        self.results = self.values[len(self.arguments):] or self.values
        self.text = self._text()

    def _argument(self, name, n):
        shape = integers(self.rng, 2, 1, 3) + integers(self.rng, n, 2, MAX_EXTENT)
        dynamic = frozenset(d for d in range(n + 2) if self.rng.random() < 0.15)
        return Value(name, shape, self.element_type, dynamic, False)

    def _add_operation(self, number):
        inputs = [v for v in self.values if v.element_type == self.element_type]
        value = inputs[int(self.rng.integers(len(inputs)))]
        if self.rng.random() < 0.2:
            self._add_adaptive(number, value)
            return
        for _ in range(200):
            found = window_case(self.rng, value)
            if found:
                case, extents = found
                text = case.pretty_op(self._types(value, extents, case.index_type))
                self._add(number, value, text, extents, case.index_type,
                          case.op == "avg_pool")
                return

    def _add_adaptive(self, number, value):
        size = list(integers(self.rng, len(value.shape) - 2, 1, 5))
        averages = self.rng.random() < 0.5
        index_type = None
        clauses = ""
        if not averages and not value.averaged:
            index_type = pick(self.rng, (None, "i32", "i64"))
            clauses = " axis 2" if index_type else ""
        kind = "avg" if averages else "max"
        types = self._types(value, size, index_type, adaptive=True)
        self._add(number, value, f"pool.adaptive_{kind}_pool %x output_size {size}{clauses}"
                  f" : {value.type()} -> {', '.join(types)}", size, index_type, averages,
                  adaptive=True)

    def _dynamic(self, value, adaptive):
        return frozenset(d for d in value.dynamic if d < 2 or not adaptive)

    def _types(self, value, extents, index_type, adaptive=False):
        shape = value.shape[:2] + tuple(extents)
        dynamic = self._dynamic(value, adaptive)
        return [tensor_type(shape, t, dynamic) for t in (value.element_type, index_type) if t]

    def _add(self, number, value, text, extents, index_type, averages, adaptive=False):
        shape = value.shape[:2] + tuple(extents)
        dynamic = self._dynamic(value, adaptive)
        results = [Value(f"%y{number}", shape, value.element_type, dynamic,
                         averages or value.averaged)]
        if index_type:
            results.append(Value(f"%i{number}", shape, index_type, dynamic, False))
        names = ", ".join(v.name for v in results)
        self.lines.append(f"  {names} = {text.replace('%x ', value.name + ' ', 1)}")
        self.values += results
        if index_type == self.element_type:
            # Indices of the element type may be pooled later and then count as data. Treat
            # them as averaged.
            results[1].averaged = True

    def _text(self):
        arguments = ", ".join(f"{v.name}: {v.type()}" for v in self.arguments)
        types = ", ".join(v.type() for v in self.results)
        names = ", ".join(v.name for v in self.results)
        return (f"func.func @graph({arguments}) -> ({types}) {{\n" + "\n".join(self.lines)
                + f"\n  return {names} : {types}\n}}\n")

    def inputs(self):
        """Returns arrays of few different small numbers, so that there are ties and averages
        stay small. The type's lowest number does not occur: OpenVINO's maximum starts from
        it, and returns index 0 for a window of only such elements."""
        dtype = NUMPY_TYPES[self.element_type]
        low = 1 if self.element_type.startswith("ui") else -40
        return [self.rng.integers(low, 41, size=v.shape).astype(np.int64).astype(dtype)
                for v in self.arguments]
