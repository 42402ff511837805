"""The oracle's definitions on all windows at once, for large problems and wide rows.

Instead of the loops of oracle.py, one NumPy axis has the windows and one axis their taps;
`oracles.py` compares the results of both files. Supports every case of max_pool, min_pool,
avg_pool and lp_pool. Integer sums are exact. Float sums are longdoubles, whose error is
negligible beside the error bound of f32 or f64.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from .oracle import Averages, Maxima, never_chosen
from .rules import product, resolve, resolve_at_run_time

# Largest number of elements in all windows of one part of a problem
MAX_ELEMENTS = 1 << 22


def channels_first(case, x):
    return x if case.layout == "channels_first" else np.moveaxis(x, -1, 1)


def as_stored(case, array):
    return array if case.layout == "channels_first" else np.moveaxis(array, 1, -1)


def window_grid(dims):
    """Returns two arrays with a row for each window and a column for each tap, both in
    row-major order. The first has the tap's position in the flattened plane, or 0 in the
    padding. The second is True if the tap lies inside the input."""
    outputs, taps = [d.output for d in dims], [d.kernel for d in dims]
    where = np.zeros(outputs + taps, np.int64)
    inside = np.ones(outputs + taps, bool)
    n = len(dims)
    for i, dim in enumerate(dims):
        starts = np.arange(dim.output) * dim.stride - dim.pad_begin
        positions = starts[:, None] + np.arange(dim.kernel) * dim.dilation
        valid = (positions >= 0) & (positions < dim.input)
        along = [1] * (2 * n)
        along[i], along[n + i] = dim.output, dim.kernel
        where = where * dim.input + np.where(valid, positions, 0).reshape(along)
        inside &= valid.reshape(along)
    shape = (product(outputs), product(taps))
    where, inside = where.reshape(shape), inside.reshape(shape)
    return np.where(inside, where, 0), inside


def parts(planes, grid):
    """Yields slices of the planes. All windows of a slice have at most MAX_ELEMENTS elements,
    unless the slice is one plane."""
    step = max(1, MAX_ELEMENTS // max(1, grid.size))
    for start in range(0, planes.shape[0], step):
        yield slice(start, start + step)


class Problem:
    """Planes and windows of a case. `result` converts results back to the case's layout."""

    def __init__(self, case, x, dims):
        first = channels_first(case, x)
        self.case, self.batch, self.channels = case, *first.shape[:2]
        self.planes = first.reshape((self.batch * self.channels, product(first.shape[2:])))
        self.outputs = [d.output for d in dims]
        self.where, self.inside = window_grid(dims)

    def empty(self, dtype):
        return np.empty((self.planes.shape[0], self.where.shape[0]), dtype)

    def parts(self):
        return parts(self.planes, self.where)

    def result(self, array):
        return np.ascontiguousarray(as_stored(
            self.case, array.reshape([self.batch, self.channels, *self.outputs])))


def max_pool(case, x):
    """Like oracle.max_pool, for maxima and minima."""
    problem = Problem(case, x, resolve(case))
    extremum = np.minimum if case.op == "min_pool" else np.maximum
    inside, where = problem.inside, problem.where
    # bf16 is compared as f64, which holds it exactly.
    plain = problem.planes.astype(np.float64) if case.is_float else problem.planes
    values, taps = problem.empty(plain.dtype), problem.empty(np.int64)
    nothing = plain.dtype.type(never_chosen(case))
    padding = plain.dtype.type(0 if case.pad_value == "zero" else never_chosen(case))
    has_padding = ~inside.all(axis=1)
    first_inside = np.where(inside.any(axis=1), inside.argmax(axis=1), -1)
    for part in problem.parts():
        elements = plain[part][:, where]
        nan = inside & (elements != elements)
        chosen = inside & ~nan
        best = extremum.reduce(np.where(chosen, elements, nothing), axis=2)
        tap = (chosen & (elements == best[..., None])).argmax(axis=2)
        tap = np.where(chosen.any(axis=2), tap, first_inside)
        best = np.where(has_padding, extremum(best, padding), best)
        if case.nan_mode == "propagate":
            found = nan.any(axis=2)
            best = np.where(found, plain.dtype.type(np.nan) if case.is_float else best, best)
            tap = np.where(found, nan.argmax(axis=2), tap)
        values[part], taps[part] = best, tap
    padding_only = np.broadcast_to(~inside.any(axis=1), values.shape)
    indices = None
    if case.index_type is not None:
        axis = case.axis % case.rank
        bound = product(case.shape[axis:])
        flat = np.arange(x.size).reshape(x.shape) % bound
        flat = channels_first(case, flat).reshape(problem.planes.shape)
        position = np.take_along_axis(np.broadcast_to(where, taps.shape + where.shape[1:]),
                                      np.maximum(taps, 0)[..., None], axis=2)[..., 0]
        indices = np.where(taps < 0, 0, np.take_along_axis(flat, position, axis=1))
        indices = problem.result(indices.astype(f"int{case.index_type[1:]}"))
    return Maxima(problem.result(values.astype(case.dtype)), indices,
                  problem.result(padding_only))


def divisors(case, dims):
    """Returns a one-dimensional array of each window's divisor, as Python integers."""
    if case.divisor_override is not None:
        return np.full(product(d.output for d in dims), case.divisor_override, object)
    counts = np.ones((1,), object)
    for dim in dims:
        along = np.array([dim.count(case.divisor, o) for o in range(dim.output)], object)
        counts = (counts[:, None] * along).reshape(-1)
    return counts


def avg_pool(case, x):
    """Like oracle.avg_pool."""
    dims = resolve_at_run_time(case)
    problem = Problem(case, x, dims)
    counted = int(problem.inside.sum(axis=1).max(initial=0))
    divisor = divisors(case, dims)
    if not case.is_float:
        return Averages(integer_averages(case, problem, divisor), None, counted)
    plain = problem.planes.astype(np.float64).astype(np.longdouble)
    total, size = problem.empty(np.longdouble), problem.empty(np.longdouble)
    with np.errstate(invalid="ignore"):
        for part in problem.parts():
            elements = np.where(problem.inside, plain[part][:, problem.where], 0)
            total[part] = elements.sum(axis=2)
            size[part] = np.abs(elements).sum(axis=2)
    # Sums of values that are not finite have no bound.
    size[np.isnan(size)] = np.inf
    divisor = divisor.astype(np.longdouble)
    with np.errstate(invalid="ignore", divide="ignore"):
        exact = np.where(divisor == 0, np.nan, total / divisor)
        magnitude = np.where(divisor == 0, np.nan, size / abs(divisor))
    return Averages(problem.result(exact), problem.result(magnitude), counted)


def integer_averages(case, problem, divisor):
    """Adds elements of fewer than 64 bits in int64. Adds the two halves of 64-bit elements
    separately, and joins these sums as Python integers."""
    limits = np.iinfo(case.dtype)
    result = problem.empty(case.dtype)
    exact = np.int64 if limits.bits < 64 else object
    zero_points = problem.inside.sum(axis=1).astype(exact) * case.input_zp
    for part in problem.parts():
        elements = np.where(problem.inside, problem.planes[part][:, problem.where], 0)
        if exact is object:
            low = (elements & case.dtype.type(2**32 - 1)).sum(axis=2).astype(object)
            total = (elements >> case.dtype.type(32)).sum(axis=2).astype(object) * 2**32 + low
        else:
            total = elements.astype(np.int64).sum(axis=2)
        rounded = rounded_quotients(total - zero_points, divisor.astype(exact),
                                    case.integer_rounding) + case.output_zp
        result[part] = np.clip(rounded, int(limits.min), int(limits.max)).astype(case.dtype)
    return problem.result(result)


def rounded_quotients(total, divisor, rounding):
    """Like oracle.round_quotient."""
    total = np.where(divisor < 0, -total, total)
    count = np.where(divisor == 0, 1, abs(divisor))
    quotient = total // count
    twice = 2 * (total - quotient * count)
    above, half = twice > count, twice == count
    up = {"half_even": above | (half & (quotient % 2 == 1)), "half_up": above | half,
          "half_away": above | (half & (total > 0))}[rounding]
    return np.where(divisor == 0, 0, quotient + up)


def lp_pool(case, x):
    """Like oracle.lp_pool."""
    problem = Problem(case, x, resolve(case))
    plain = np.abs(problem.planes.astype(np.float64).astype(np.longdouble))
    norms = problem.empty(np.longdouble)
    for part in problem.parts():
        elements = np.where(problem.inside, plain[part][:, problem.where], 0)
        finite = np.isfinite(elements).all(axis=2)
        powers = elements.copy()
        for _ in range(case.p - 1):
            powers *= elements
        norms[part] = np.where(finite, powers.sum(axis=2) ** (1 / np.longdouble(case.p)),
                               elements.sum(axis=2))
    counted = int(problem.inside.sum(axis=1).max(initial=0))
    return Averages(problem.result(norms), None, counted)


def run(case, x):
    if case.is_extremum:
        return max_pool(case, x)
    return {"lp_pool": lp_pool}.get(case.op, avg_pool)(case, x)
