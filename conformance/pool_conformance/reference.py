"""The definition of every operation, one window after another.

The code is slow and plain on purpose, and shares nothing with the C++ code of the project.
Integers are Python integers. Float sums are exact fractions, rounded once to the result's type.
An implementation may add in another order, so each float result has a bound.

The bound. f16, bf16 and 8-bit floats accumulate in f32, other floats in their own type, with
unit roundoff u. A sum of m terms in any order has an error of at most g(m-1) * sum|x| with
g(n) = n*u / (1 - n*u) (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). Division
by the divisor, or multiplication by its rounded reciprocal, adds two roundings. If the terms
are such that no order rounds, the bound is 0. The allowed results are the numbers of the type
between the two ends of that interval, rounded to the type.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

import numpy as np

from . import rules
from .reference_windows import reduce_window
from .rules import Refusal
from .tensor import Tensor, decode, encode, is_float
from .vector import ADAPTIVE, Expected, Vector

Position = tuple[int, ...]
# Bits of precision of the accumulator of each float type
PRECISION = {"f64": 53}
NO_ELEMENT = "the divisor of a window is zero"


def place(vector: Vector, n: int, c: int, spatial: Position) -> Position:
    """Returns the coordinates of an element in the vector's layout."""
    if vector["layout"] == "channels_first":
        return (n, c) + spatial
    return (n,) + spatial + (c,)


class Windows:
    """The windows of an operation. `taps(out)` lists the positions of the window with the
    spatial coordinates `out`, in row-major order; a position outside the input is None."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        self.extents = rules.spatial(vector.shape, vector["layout"])
        channel = 1 if vector["layout"] == "channels_first" else len(vector.shape) - 1
        self.batch, self.channels = vector.shape[0], vector.shape[channel]
        if self.channels < 1 or any(extent < 1 for extent in self.extents):
            raise Refusal("channels and spatial extents are at least 1")
        self.adaptive = vector.operation.startswith(ADAPTIVE)
        if self.adaptive:
            self.outputs = tuple(vector["output_size"])
            if len(self.outputs) != len(self.extents) or min(self.outputs) < 1:
                raise Refusal("output_size has a wrong length or an extent below 1")
        else:
            self.dims = rules.dimensions(vector.attributes, vector.shape)
            self.outputs = tuple(dim.output for dim in self.dims)

    def shape(self) -> Position:
        """Returns the shape of the result."""
        return place(self.vector, self.batch, self.channels, self.outputs)

    def taps(self, out: Position) -> list[Optional[Position]]:
        if self.adaptive:
            bounds = [rules.adaptive_bounds(extent, outputs, o)
                      for extent, outputs, o in zip(self.extents, self.outputs, out)]
            return list(itertools.product(*(range(*pair) for pair in bounds)))
        positions = itertools.product(*(d.positions(o) for d, o in zip(self.dims, out)))
        return [p if all(d.inside(q) for d, q in zip(self.dims, p)) else None
                for p in positions]

    def each(self) -> Iterator[tuple[Position, Position, list[Optional[Position]]]]:
        """Yields (place in the result, spatial coordinates there, places of the taps)."""
        for out in itertools.product(*map(range, self.outputs)):
            taps = self.taps(out)
            for n, c in itertools.product(range(self.batch), range(self.channels)):
                yield (place(self.vector, n, c, out), out,
                       [None if tap is None else place(self.vector, n, c, tap) for tap in taps])

    def count(self, rule: str, out: Position) -> int:
        """Returns how many positions the rule `valid`, `padded` or `kernel` counts."""
        if self.adaptive:
            return len(self.taps(out))
        return math.prod(d.count(rule, o) for d, o in zip(self.dims, out))


def lowest(type_name: str) -> Any:
    """Returns the number that plays the part of minus infinity."""
    if type_name == "f8E4M3FN":
        return -448.0
    if is_float(type_name):
        return -math.inf
    return 0 if type_name.startswith("u") else -2 ** (int(type_name[1:]) - 1)


def highest(type_name: str) -> Any:
    """Returns the number that plays the part of plus infinity."""
    if is_float(type_name):
        return -lowest(type_name)
    bits = int(type_name.lstrip("ui"))
    return 2 ** bits - 1 if type_name.startswith("u") else 2 ** (bits - 1) - 1


def flat_index(shape: Position, axis: int, position: Position) -> int:
    """Returns the position flattened over `shape[axis:]`."""
    result = 0
    for extent, coordinate in zip(shape[axis:], position[axis:]):
        result = result * extent + coordinate
    return result


def choose(elements: list[Any], smallest: bool, nan_mode: str) -> tuple[Any, Optional[int]]:
    """Returns (extremum, its first place) of a window's elements that are inside the input, or
    (None, None) if no element can be chosen."""
    nans = [i for i, element in enumerate(elements) if element != element]
    if nans and nan_mode == "propagate":
        return math.nan, nans[0]
    best: tuple[Any, Optional[int]] = (None, None)
    for i, element in enumerate(elements):
        if element == element and (best[1] is None or (element < best[0] if smallest
                                                       else element > best[0])):
            best = element, i
    return best


def extremum(vector: Vector, nan_mode: str) -> dict[str, Tensor]:
    """max_pool, min_pool and adaptive_max_pool with a nan_mode."""
    windows = Windows(vector)
    smallest = vector.operation == "min_pool"
    nothing = highest(vector.type) if smallest else lowest(vector.type)
    padding = 0 if vector["pad_value"] == "zero" else nothing
    axis = vector["axis"]
    if not -len(vector.shape) <= axis < len(vector.shape):
        raise Refusal(f"axis {axis} is outside the rank {len(vector.shape)}")
    axis %= len(vector.shape)
    check_indices(vector, axis)
    x = vector.x.values()
    values = np.zeros(windows.shape(), np.float64 if is_float(vector.type) else object)
    indices = np.zeros(windows.shape(), object)
    for target, _, taps in windows.each():
        inside = [(i, tap) for i, tap in enumerate(taps) if tap is not None]
        elements = [x[tap].item() for _, tap in inside]
        value, where = choose(elements, smallest, nan_mode)
        if where is None:
            value, where = nothing, 0
        if len(inside) < len(taps) and (padding < value if smallest else padding > value):
            value = padding
        values[target] = value
        if inside:
            number, position = inside[where]
            indices[target] = number if vector["index_base"] == "window" else \
                flat_index(vector.shape, axis, position)
    stored = encode(vector.type, values.astype(np.float64) if is_float(vector.type) else values)
    results = {"values": Tensor.of(stored, vector.type)}
    if vector["index_type"]:
        results["indices"] = Tensor.of(encode(vector["index_type"], indices))
    return results


def check_indices(vector: Vector, axis: int) -> None:
    """Raises Refusal if the indices' type cannot hold every index."""
    if not vector["index_type"]:
        return
    if vector["pad_value"] == "zero":
        raise Refusal("indices together with a pad value of zero")
    count = math.prod(vector["kernel"] if vector["index_base"] == "window"
                      else vector.shape[axis:])
    bits = int(vector["index_type"][1:])
    if count > 2 ** (bits - 1):
        raise Refusal(f"{vector['index_type']} cannot hold {count} positions")


class Interval:
    """An exact number and the largest error that an order of additions may cause."""

    def __init__(self, exact: Fraction, error: Fraction) -> None:
        self.exact, self.error = exact, error

    @staticmethod
    def sum(type_name: str, terms: list[Fraction]) -> Interval:
        """Sums the terms; the error is 0 if no order of them can round."""
        size = sum(map(abs, terms), Fraction(0))
        bits = PRECISION.get(type_name, 24)
        quantum = min((Fraction(1, t.denominator) * (t.numerator & -t.numerator)
                       for t in terms if t), default=Fraction(1))
        exact = size / quantum < 2 ** bits
        return Interval(sum(terms, Fraction(0)),
                        Fraction(0) if exact else growth(bits, len(terms)) * size)

    def divide(self, type_name: str, divisor: int) -> Interval:
        quotient, bits = self.exact / divisor, PRECISION.get(type_name, 24)
        error = self.error / abs(divisor)
        if abs(divisor) & (abs(divisor) - 1):
            error += growth(bits, 2) * (abs(quotient) + error)
        return Interval(quotient, error)


def growth(bits: int, count: int) -> Fraction:
    u = Fraction(1, 2 ** bits)
    return count * u / (1 - count * u)


def rounded(type_name: str, value: Fraction) -> float:
    """Rounds an exact number to a type, and returns the rounded number."""
    # Round to odd in float64, so that the second rounding is right. bf16 rounds from f32.
    number = float(value)
    if type_name != "f64" and Fraction(number) != value:
        bits = np.float64(number).view(np.uint64)
        if int(bits) % 2 == 0:
            up = Fraction(number) < value
            number = float(np.nextafter(number, math.inf if up else -math.inf))
    return float(decode(type_name, encode(type_name, np.array(number))))


class Floats:
    """Collects float results: exact numbers with errors, or numbers that are not finite."""

    def __init__(self, type_name: str, shape: Position) -> None:
        self.type = type_name
        self.values = np.zeros(shape, np.float64)
        self.bounds = np.zeros(shape, np.float64)

    def set(self, target: Position, value: Interval | float) -> None:
        if isinstance(value, float):
            self.values[target] = value
            return
        center = rounded(self.type, value.exact)
        ends = [rounded(self.type, value.exact + sign * value.error) for sign in (-1, 1)]
        self.values[target] = center
        if math.isfinite(center) and all(map(math.isfinite, ends)):
            self.bounds[target] = max(center - ends[0], ends[1] - center)

    def expected(self, name: str) -> Expected:
        bounds = {}
        if self.bounds.any():
            short = [float(f"{b:.2e}") for b in (self.bounds * 1.01).reshape(-1)]
            bounds[name] = short[0] if len(set(short)) == 1 else short
        return Expected({name: Tensor.from_values(self.type, self.values)}, bounds)


def divisor_of(vector: Vector, windows: Windows, out: Position) -> Optional[int]:
    """Returns the divisor of a window, None for an average of the elements that count."""
    if vector["divisor_override"] is not None:
        if vector["divisor_override"] == 0:
            raise Refusal("divisor_override is 0")
        return vector["divisor_override"]
    if vector["nan_mode"] == "ignore" and vector["divisor"] != "kernel":
        return None
    return windows.count(vector["divisor"] or "valid", out)


def average(vector: Vector) -> list[Expected]:
    """avg_pool and adaptive_avg_pool. A window that counts nothing is ill-defined: an error is
    right, and so is 0/0, which is NaN in floats and 0 in integers."""
    windows, x = Windows(vector), vector.x.values()
    floats = Floats(vector.type, windows.shape())
    integers = np.zeros(windows.shape(), object)
    nothing = False
    for target, out, taps in windows.each():
        elements = [x[tap].item() for tap in taps if tap is not None]
        divisor = divisor_of(vector, windows, out)
        if is_float(vector.type):
            floats.set(target, float_average(vector, windows, out, taps, elements, divisor))
            nothing |= divisor == 0
            continue
        nothing |= divisor == 0
        total = sum(e - vector["input_zp"] for e in elements)
        value = round_quotient(total, divisor or 0, vector["integer_rounding"])
        limits = lowest(vector.type), highest(vector.type)
        integers[target] = min(max(value + vector["output_zp"], limits[0]), limits[1])
    result = floats.expected("values") if is_float(vector.type) else \
        Expected({"values": Tensor.from_values(vector.type, integers)})
    if nothing:
        return [Expected(refused=NO_ELEMENT, name="refused"), result]
    return [result]


def float_average(vector: Vector, windows: Windows, out: Position,
                  taps: list[Optional[Position]], elements: list[float],
                  divisor: Optional[int]) -> Interval | float:
    if vector["nan_mode"] == "ignore":
        elements = [e for e in elements if e == e]
        if len(elements) < vector["min_count"]:
            return math.nan
        if divisor is None:
            skipped = sum(tap is not None for tap in taps) - len(elements)
            divisor = windows.count(vector["divisor"], out) - skipped
    assert divisor is not None
    if divisor == 0:
        return math.nan
    total = float_sum(vector.type, elements)
    return total / divisor if isinstance(total, float) else total.divide(vector.type, divisor)


def float_sum(type_name: str, elements: list[float]) -> Interval | float:
    if not all(map(math.isfinite, elements)):
        return float(sum(elements))
    return Interval.sum(type_name, [Fraction(e) for e in elements])


def round_quotient(total: int, count: int, rounding: str) -> int:
    """Returns total / count as an integer; 0 if the count is 0."""
    if count == 0:
        return 0
    quotient = Fraction(total, count)
    if rounding == "half_even":
        return round(quotient)
    if rounding == "half_away" and quotient < 0:
        return math.ceil(quotient - Fraction(1, 2))
    return math.floor(quotient + Fraction(1, 2))


def total(vector: Vector) -> list[Expected]:
    """sum_pool: floats add in f32 or f64, integers wrap in the result's type."""
    windows, x, type_name = Windows(vector), vector.x.values(), vector.output_type("values")
    floats = Floats(type_name, windows.shape())
    integers = np.zeros(windows.shape(), object)
    for target, _, taps in windows.each():
        elements = [x[tap].item() for tap in taps if tap is not None]
        if is_float(vector.type):
            if vector["nan_mode"] == "ignore":
                elements = [e for e in elements if e == e]
            enough = vector["nan_mode"] != "ignore" or len(elements) >= vector["min_count"]
            floats.set(target, float_sum(type_name, elements) if enough else math.nan)
            continue
        low, high = lowest(type_name), highest(type_name)
        integers[target] = (sum(elements) - low) % (high - low + 1) + low
    if is_float(vector.type):
        return [floats.expected("values")]
    return [Expected({"values": Tensor.from_values(type_name, integers)})]


def norm(vector: Vector) -> list[Expected]:
    """lp_pool. The bound covers powers by products or by the function pow, and a rounded 1/p."""
    windows, x, p = Windows(vector), vector.x.values(), vector["p"]
    floats = Floats(vector.type, windows.shape())
    bits = PRECISION.get(vector.type, 24)
    if p < 1:
        raise Refusal(f"p {p} is below 1")
    for target, out, taps in windows.each():
        elements = [abs(x[tap].item()) for tap in taps if tap is not None]
        if vector["nan_mode"] == "ignore":
            elements = [e for e in elements if e == e]
            if len(elements) < vector["min_count"]:
                floats.set(target, math.nan)
                continue
        if not all(map(math.isfinite, elements)):
            floats.set(target, float(sum(elements)))
            continue
        whole = p == int(p)
        powers = [Fraction(e) ** int(p) if whole else Fraction(e ** p) for e in elements]
        power = sum(powers, Fraction(0))
        if vector["normalize"] != "none":
            count = windows.count(vector["normalize"], out)
            if count == 0:
                floats.set(target, math.nan)
                continue
            power /= count
        value = Fraction(root(power, p))
        roundings = len(elements) / p + 4 + abs(math.log(value) if value else 0) + p
        floats.set(target, Interval(value, value * growth(bits, math.ceil(roundings))))
    return [floats.expected("values")]


def root(power: Fraction, p: float) -> float:
    number = np.longdouble(float(power)) + np.longdouble(float(power - Fraction(float(power))))
    return float(number ** (1 / np.longdouble(p)))


def unpool(vector: Vector) -> list[Expected]:
    """max_unpool: the last write in row-major order stays. An index out of range is an error."""
    shape = tuple(vector["output_shape"])
    values, indices = vector.x.array, vector.inputs["indices"].values()
    axis = vector["axis"] % len(shape)
    result = np.zeros(shape, values.dtype)
    rows = result.reshape(shape[:axis] + (math.prod(shape[axis:]),))
    for position in np.ndindex(*values.shape):
        index = int(indices[position])
        if not 0 <= index < rows.shape[-1]:
            raise Refusal(f"index {index} is outside the {rows.shape[-1]} positions")
        rows[position[:axis] + (index,)] = values[position]
    return [Expected({"result": Tensor.of(result, vector.type)})]


def gradient(vector: Vector) -> list[Expected]:
    """The gradients."""
    if vector["nan_mode"] != "either":
        return [gradient_by(vector, vector["nan_mode"])]
    return [replace(gradient_by(vector, mode), name=mode) for mode in ("ignore", "propagate")]


def gradient_by(vector: Vector, nan_mode: Optional[str]) -> Expected:
    """A gradient with a nan_mode. Overlapping windows accumulate."""
    windows, x = Windows(vector), vector.x.values()
    grad = vector.inputs["output_grad"].values()
    if grad.shape != windows.shape():
        raise Refusal(f"output_grad has the shape {grad.shape}, not {windows.shape()}")
    terms: dict[Position, list[tuple[float, Any]]] = {}
    for target, out, taps in windows.each():
        inside = [tap for tap in taps if tap is not None]
        elements = [x[tap].item() for tap in inside]
        share = grad[target].item()
        if "max" in vector.operation:
            _, where = choose(elements, False, nan_mode or "ignore")
            if inside:
                terms.setdefault(inside[where or 0], []).append((share, 1))
            continue
        if vector.operation == "lp_pool_grad":
            for tap, weight in zip(inside, norm_weights(vector, windows, out, elements)):
                terms.setdefault(tap, []).append((share, weight))
            continue
        divisor = divisor_of(vector, windows, out)
        for tap in inside:
            terms.setdefault(tap, []).append((share, Fraction(1, divisor) if divisor else 0))
    floats = Floats(vector.type, vector.shape)
    for target, parts in terms.items():
        if not all(math.isfinite(share) for share, _ in parts):
            floats.set(target, float(sum(share for share, _ in parts)))
            continue
        products = [Fraction(share) * Fraction(weight) for share, weight in parts]
        floats.set(target, gradient_sum(vector, products))
    return floats.expected("input_grad")


def gradient_sum(vector: Vector, products: list[Fraction]) -> Interval:
    size, exact = sum(map(abs, products), Fraction(0)), sum(products, Fraction(0))
    bits = PRECISION.get(vector.type, 24)
    if vector.operation == "lp_pool_grad":
        return Interval(exact, growth(bits, 16 + len(products)) * size)
    if any(p.denominator & (p.denominator - 1) for p in products):
        return Interval(exact, growth(bits, len(products) + 2) * size)
    return Interval.sum(vector.type, products)


def norm_weights(vector: Vector, windows: Windows, out: Position,
                 elements: list[float]) -> list[float]:
    """Returns d norm / d x of each element: sign(x) * (|x| / y)^(p-1), by the count."""
    p = vector["p"]
    count = 1 if vector["normalize"] == "none" else windows.count(vector["normalize"], out)
    y = (sum(abs(e) ** p for e in elements) / count) ** (1 / p)
    if y == 0:
        return [0.0] * len(elements)
    return [math.copysign(1.0, e) * (abs(e) / y) ** (p - 1) / count if e else 0.0
            for e in elements]


def compute(vector: Vector) -> list[Expected]:
    """Returns the right results of a vector: what its member `expected` must say. Only the
    shapes count if `vector.shape_only`."""
    try:
        if vector.shape_only:
            return [infer(vector)]
        return FUNCTIONS[vector.operation](vector)
    except Refusal as refusal:
        return [Expected(refused=str(refusal))]


def maxima(vector: Vector) -> list[Expected]:
    if vector["nan_mode"] != "either":
        return [Expected(extremum(vector, vector["nan_mode"]))]
    return [Expected(extremum(vector, mode), name=mode) for mode in ("ignore", "propagate")]


def infer(vector: Vector) -> Expected:
    """Returns the shapes of the results."""
    if vector.operation == "reduce_window":
        raise Refusal("shapes of reduce_window are not vectors yet")
    windows = Windows(vector)
    if vector["index_type"]:
        check_indices(vector, vector["axis"] % len(vector.shape))
    return Expected({name: Tensor(vector.output_type(name), windows.shape(), None)
                     for name in vector.outputs})


FUNCTIONS: dict[str, Callable[[Vector], list[Expected]]] = {
    "max_pool": maxima, "min_pool": maxima, "adaptive_max_pool": maxima,
    "avg_pool": average, "adaptive_avg_pool": average, "sum_pool": total, "lp_pool": norm,
    "max_unpool": unpool, "reduce_window": reduce_window, "max_pool_grad": gradient,
    "avg_pool_grad": gradient, "adaptive_max_pool_grad": gradient,
    "adaptive_avg_pool_grad": gradient, "lp_pool_grad": gradient}
