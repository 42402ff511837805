"""Values and indices by the definition: one window after another.

The code is slow and plain on purpose. Integers are exact Python integers. A float average is
computed as an exact fraction and then rounded once to longdouble. The average of absolute
values is returned, too: `compare.py` computes the error bound from it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import math
import operator
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

import numpy as np

from .rules import product, resolve, resolve_at_run_time


@dataclass
class Maxima:
    values: np.ndarray
    indices: Optional[np.ndarray]
    padding_only: np.ndarray


@dataclass
class Averages:
    """Exact results. Float averages have longdoubles: `exact`, and `magnitude`, the sum of |x|
    divided by the divisor. Norms have no `magnitude`. Integers have only `exact`, in the
    case's own type. `counted` is the largest number of elements in a window."""

    exact: np.ndarray
    magnitude: Optional[np.ndarray]
    counted: int


def windows(case, dims, at=None):
    """Yields (output position, list of taps) for each window, or only for windows at the
    output positions `at`.

    Taps are in row-major order of the window. A tap is a tuple of spatial coordinates of the
    input, or None if it lies outside the input.
    """
    for out in at or itertools.product(*(range(dim.output) for dim in dims)):
        per_dim = [dim.positions(o) for dim, o in zip(dims, out)]
        taps = []
        for position in itertools.product(*per_dim):
            inside = all(dim.inside(p) for dim, p in zip(dims, position))
            taps.append(position if inside else None)
        yield out, taps


def place(case, n, c, spatial):
    """Returns the coordinates of an element in the case's layout."""
    if case.layout == "channels_first":
        return (n, c) + spatial
    return (n,) + spatial + (c,)


def never_chosen(case):
    """Returns the value of padding that is not zero. No element is worse, so an element of the
    window always wins or ties."""
    if case.op == "min_pool":
        return math.inf if case.is_float else int(np.iinfo(case.dtype).max)
    return -math.inf if case.is_float else int(np.iinfo(case.dtype).min)


def choose(case, elements, has_padding):
    """Returns (value, position in `elements` or None) of the extremum of one window.

    `elements` are the window's elements inside the input, in row-major order.
    """
    nans = [i for i, e in enumerate(elements) if e != e]
    if case.nan_mode == "propagate" and nans:
        return math.nan, nans[0]
    preferred = operator.lt if case.op == "min_pool" else operator.gt
    best, where = None, None
    for i, element in enumerate(elements):
        if element == element and (best is None or preferred(element, best)):
            best, where = element, i
    if has_padding:
        padding = 0 if case.pad_value == "zero" else never_chosen(case)
        if best is None or preferred(padding, best):
            best = padding
    if best is None:
        best = never_chosen(case)
    if where is None and elements:
        where = 0
    return best, where


def max_pool(case, x, at=None):
    """max_pool and min_pool by the definition. `x` has the case's layout and NumPy type."""
    dims = resolve(case)
    shape = list(case.shape)
    for position, dim in zip(case.spatial_dims, dims):
        shape[position] = dim.output
    values = np.zeros(shape, case.dtype)
    indices = np.zeros(shape, np.int64)
    padding_only = np.zeros(shape, bool)
    axis = case.axis % case.rank
    weights = [product(case.shape[d + 1:]) for d in range(case.rank)]
    plain = x.astype(np.float64) if case.is_float else x.astype(object)
    for out, taps in windows(case, dims, at):
        inside = [tap for tap in taps if tap is not None]
        for n in range(case.shape[0]):
            for c in range(case.shape[case.channel_dim]):
                sources = [place(case, n, c, tap) for tap in inside]
                value, where = choose(case, [plain[s] for s in sources],
                                      len(inside) < len(taps))
                target = place(case, n, c, out)
                values[target] = value
                padding_only[target] = not inside
                if where is not None:
                    indices[target] = sum(
                        sources[where][d] * weights[d] for d in range(axis, case.rank))
    if case.index_type is None:
        return Maxima(values, None, padding_only)
    return Maxima(values, indices.astype(f"int{case.index_type[1:]}"), padding_only)


def divisor_of(case, dims, out):
    if case.divisor_override is not None:
        return case.divisor_override
    return product(dim.count(case.divisor, o) for dim, o in zip(dims, out))


def round_quotient(total, count, rounding):
    """Returns `total / count`, rounded to an integer, or 0 if `count` is 0."""
    if count == 0:
        return 0
    quotient = Fraction(total, count)
    if rounding == "half_even":
        return round(quotient)
    if rounding == "half_away" and quotient < 0:
        return math.ceil(quotient - Fraction(1, 2))
    return math.floor(quotient + Fraction(1, 2))


def avg_pool(case, x, at=None):
    """avg_pool by the definition; a window that counts nothing gives 0/0."""
    dims = resolve_at_run_time(case)
    shape = list(case.shape)
    for position, dim in zip(case.spatial_dims, dims):
        shape[position] = dim.output
    exact = np.zeros(shape, np.longdouble if case.is_float else case.dtype)
    magnitude = np.zeros(shape, np.longdouble) if case.is_float else None
    limits = None if case.is_float else np.iinfo(case.dtype)
    plain = x.astype(np.float64) if case.is_float else x.astype(object)
    counted = 0
    for out, taps in windows(case, dims, at):
        inside = [tap for tap in taps if tap is not None]
        counted = max(counted, len(inside))
        count = divisor_of(case, dims, out)
        for n in range(case.shape[0]):
            for c in range(case.shape[case.channel_dim]):
                elements = [plain[place(case, n, c, tap)] for tap in inside]
                target = place(case, n, c, out)
                if case.is_float:
                    elements = [float(e) for e in elements]
                    exact[target], magnitude[target] = float_average(elements, count)
                    continue
                total = sum(int(e) - case.input_zp for e in elements)
                value = round_quotient(total, count, case.integer_rounding)
                value += case.output_zp
                exact[target] = min(max(value, int(limits.min)), int(limits.max))
    return Averages(exact, magnitude, counted)


def float_average(elements, count):
    """Returns (average, sum of |x| / |count|). Each is computed exactly and then rounded to
    longdouble."""
    if count == 0:
        return np.longdouble("nan"), np.longdouble("nan")
    if not all(math.isfinite(e) for e in elements):
        total = sum(elements)
        return np.longdouble(total) / count, np.longdouble(math.inf)
    total = sum((Fraction(e) for e in elements), Fraction(0)) / count
    size = sum((abs(Fraction(e)) for e in elements), Fraction(0)) / abs(count)
    return to_longdouble(total), to_longdouble(size)


def to_longdouble(value):
    """Converts a fraction to longdouble, as the sum of two float64 parts."""
    high = float(value)
    return np.longdouble(high) + np.longdouble(float(value - Fraction(high)))


def lp_pool(case, x, at=None):
    """lp_pool by the definition: the exact sum of powers, and its root in longdouble."""
    dims = resolve(case)
    shape = list(case.shape)
    for position, dim in zip(case.spatial_dims, dims):
        shape[position] = dim.output
    norms = np.zeros(shape, np.longdouble)
    plain = x.astype(np.float64)
    counted = 0
    for out, taps in windows(case, dims, at):
        inside = [tap for tap in taps if tap is not None]
        counted = max(counted, len(inside))
        for n in range(case.shape[0]):
            for c in range(case.shape[case.channel_dim]):
                elements = [abs(float(plain[place(case, n, c, tap)])) for tap in inside]
                if all(map(math.isfinite, elements)):
                    total = to_longdouble(sum((Fraction(e) ** case.p for e in elements),
                                              Fraction(0)))
                    norm = total ** (1 / np.longdouble(case.p))
                else:
                    norm = sum(elements)
                norms[place(case, n, c, out)] = norm
    return Averages(norms, None, counted)


def run(case, x, at=None):
    """Returns all results. With `at`, computes only windows at these spatial positions of the
    output, and returns 0 elsewhere."""
    if case.is_extremum:
        return max_pool(case, x, at)
    return {"lp_pool": lp_pool}.get(case.op, avg_pool)(case, x, at)
