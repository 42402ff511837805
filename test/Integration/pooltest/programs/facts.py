"""Facts about how exactly each value of a program is known, for comparing results.

Two correct evaluations of a program agree bit by bit except for the sign of zeros, unless an
operation may round in several ways: a sum in another order, a division by a reciprocal, a
power, or a function of libm. Three numbers per value bound the difference:

 - `grid`: finite elements are whole multiples of 2^grid; None if that is not known.
 - `mag`: no finite element has a larger magnitude.
 - `err`: an element differs by at most this between two correct evaluations; 0 means equal.

A sum of n terms is exact in every order if n * mag / 2^grid has no more bits than the sum's
accumulator. An exact sum always rounds to the same element. Most data are chosen so that
sums are exact. Other sums get the bound of compare.py, with `mag` in place of the elements,
and later operations pass this error on. An error must not change a choice (positions,
branches, comparisons, rounding to whole numbers). So operations that choose require values
with `err` 0, or are not drawn. Integers wrap around, and are always exact.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
from dataclasses import dataclass
from typing import Optional

import ml_dtypes
import numpy as np

from ..case import FLOAT_TYPES, NUMPY_TYPES
from ..rules import Refused

# Element type -> (bits of precision of its accumulator, and of the type)
_PRECISION = {"f16": (24, 11), "bf16": (24, 8), "f32": (24, 24), "f64": (53, 53)}


@dataclass(frozen=True)
class Facts:
    grid: Optional[int] = None
    mag: float = 0.0
    err: float = 0.0


EXACT = Facts()


class Format:
    """Limits of a float type and of its accumulator's type."""

    def __init__(self, element):
        self.accumulator, self.own = _PRECISION[element]
        self.u = 2.0 ** -self.accumulator
        self.w = 2.0 ** -self.own if self.own != self.accumulator else 0.0
        info = ml_dtypes.finfo(NUMPY_TYPES[element])
        self.largest = float(info.max)
        self.tiny = float(info.smallest_subnormal)
        wide = np.finfo(np.float64 if self.accumulator == 53 else np.float32)
        self.largest_sum = float(wide.max)
        self.tiny_sum = float(wide.smallest_subnormal)
        self.lowest_grid = math.frexp(self.tiny)[1] - 1

    def result(self, grid, mag, err):
        """Returns the facts of a value after it is rounded to the type."""
        if grid is not None:
            grid = max(grid, self.lowest_grid)
        if err > 0:
            if not mag + err < self.largest / 4:
                raise Refused("magnitude", "an inexact value may overflow")
            return Facts(None, mag, err + 2 * (self.w or self.u) * (mag + err) + 2 * self.tiny)
        return Facts(grid, min(mag * (1 + 2 * max(self.w, self.u)), self.largest), 0.0)


def is_float(element):
    return element in FLOAT_TYPES


def of_data(element, array):
    """Returns the facts of an argument whose data are `array`."""
    if not is_float(element):
        return EXACT
    values = np.asarray(array, np.float64).ravel()
    values = values[np.isfinite(values) & (values != 0)]
    if not values.size:
        return Facts(0, 0.0, 0.0)
    mantissas, exponents = np.frexp(values)
    whole = np.abs(mantissas * 2.0 ** 53).astype(np.int64)
    trailing = np.log2((whole & -whole).astype(np.float64)).astype(np.int64)
    return Facts(int((exponents - 53 + trailing).min()), float(np.abs(values).max()), 0.0)


def join(*facts):
    """Returns the facts of a value whose elements come from any of several values."""
    grids = [f.grid for f in facts]
    return Facts(None if None in grids else min(grids), max(f.mag for f in facts),
                 max(f.err for f in facts))


def require_exact(facts, what):
    if facts.err:
        raise Refused("inexact", what)


def logarithm(number):
    """Returns the binary logarithm of a non-negative number, or -inf for 0."""
    return math.log2(number) if number else -math.inf


def is_power_of_two(number):
    return number != 0 and abs(number) & (abs(number) - 1) == 0


def sums(element, x, terms, divisors, counts):
    """Returns the facts of sums of up to `terms` elements, each divided by one of `divisors`.
    `counts` has the number of elements for each divisor."""
    if not is_float(element):
        return EXACT
    form = Format(element)
    if not terms * (x.mag + x.err) < form.largest_sum / 4:
        raise Refused("magnitude", "a sum may overflow")
    if not all(divisors):
        raise Refused("ill-defined")
    share = max(count / abs(divisor) for count, divisor in zip(counts, divisors))
    mag = share * x.mag
    exact = (x.err == 0 and x.grid is not None
             and logarithm(terms * x.mag) - x.grid < form.accumulator)
    if exact and all(map(is_power_of_two, divisors)):
        shift = max(int(math.log2(abs(d))) for d in divisors)
        return form.result(x.grid - shift, mag, 0.0)
    err = share * x.err + 3 * form.u * mag + form.tiny_sum
    if not exact:
        err += 4 * terms * form.u * (mag + share * x.err)
    return form.result(None, mag, err)


def norms(element, x, terms, p):
    form = Format(element)
    size = terms ** (1 / p) * (x.mag + x.err)
    power = math.log2(terms) + p * logarithm(x.mag + x.err)
    if not power < math.log2(form.largest_sum) - 2:
        raise Refused("magnitude", "a power may overflow")
    root = 1 + abs(math.log(size)) if size else 1
    m = terms + p
    err = terms ** (1 / p) * x.err + 2 * size * form.u * (m / p + 4 + root)
    # A power may underflow to 0, which makes the sum too small.
    err += 4 * (terms * form.tiny_sum) ** (1 / p) + 64 * form.u * size
    return form.result(None, size, err)


def windows_over(element, g, divisors, overlap):
    """Returns the facts of gradients: sums of up to `overlap` elements of `g`, each divided by
    one of `divisors`."""
    least = min(abs(d) for d in divisors)
    form = Format(element)
    if g.grid is not None and all(map(is_power_of_two, divisors)):
        grid = g.grid - max(int(math.log2(abs(d))) for d in divisors)
        # The sums are exact only if no summand lies below the smallest subnormal, where it
        # would be rounded.
        if grid >= logarithm(form.tiny_sum):
            scaled = Facts(grid, g.mag / least, g.err / least)
            return sums(element, scaled, overlap, [1], [overlap])
    err = g.err / least + 3 * form.u * g.mag / least + form.tiny_sum
    return sums(element, Facts(None, g.mag / least, err), overlap, [1], [overlap])
