"""Computes the expected results of a workload by NumPy, in another way than the kernels.

Reduces one dimension after the other, one tap of all windows at a time, so a window of 31 x
31 takes 62 steps. Sums of floats are float64. Their error is small compared with the error
bound of an f32 accumulation (pooltest/compare.py). The input has no NaN.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from pooltest import compare, fast_oracle, rules
from pooltest.oracle import Averages, round_quotient
from pooltest.peer_view import (first_case, indices_from_first, input_to_first,
                                output_from_first)


class Truth:
    """The expected results of a case on `x`. Averages of floats also have an error bound for
    each element."""

    def __init__(self, case, x):
        self.case = case
        view, data = first_case(case), input_to_first(case, x)
        self.bound = self.indices = None
        if case.op == "max_pool":
            self.values = output_from_first(case, maxima(view, data))
            if case.index_type:
                first = fast_oracle.max_pool(view, data).indices
                self.indices = indices_from_first(case, first)
            return
        averages = float_averages(view, data) if case.is_float else None
        if averages is None:
            self.values = output_from_first(case, integer_averages(view, data))
            return
        self.values = output_from_first(case, averages.exact)
        # The expected values are rounded, too, so allow the error twice: expected and measured
        # values may be off by the bound in opposite directions.
        self.bound = 2 * output_from_first(case, compare.float_bound(case, averages))

    def fault(self, values, indices):
        """Returns the fault of the results in words, or None."""
        case = self.case
        if not compare.same_shape_and_type(values, self.values.shape, case.dtype):
            return f"values of shape {list(values.shape)} and type {values.dtype}"
        if self.bound is None:
            right = compare.same_values(values, self.values)
        else:
            right = compare.within(values, self.values, self.bound, case)
        if not right.all():
            return describe("value", right, values, self.values)
        if self.indices is None:
            return None
        if indices is None or indices.shape != self.indices.shape:
            return "no indices of that shape"
        right = indices.astype(np.int64) == self.indices
        return None if right.all() else describe("index", right, indices, self.indices)


def describe(what, right, actual, expected):
    place = np.unravel_index(np.argmin(right), right.shape)
    return (f"{np.count_nonzero(~right):,} of {right.size:,} wrong, the first {what} at "
            f"{[int(p) for p in place]} is {actual[place]} instead of {expected[place]}")


def reduce_windows(case, x, combine, neutral):
    """Reduces all windows with `combine`; padding is `neutral`."""
    for d, dim in enumerate(rules.resolve(case)):
        axis = 2 + d
        shape = list(x.shape)
        shape[axis] = dim.output
        y = np.full(shape, neutral, x.dtype)
        for t in range(dim.kernel):
            inside = [o for o in range(dim.output)
                      if dim.inside(o * dim.stride - dim.pad_begin + t * dim.dilation)]
            if not inside:
                continue
            begin = inside[0] * dim.stride - dim.pad_begin + t * dim.dilation
            out, source = [slice(None)] * x.ndim, [slice(None)] * x.ndim
            out[axis] = slice(inside[0], inside[-1] + 1)
            source[axis] = slice(begin, begin + (len(inside) - 1) * dim.stride + 1, dim.stride)
            target = y[tuple(out)]
            combine(target, x[tuple(source)], out=target)
        x = y
    return x


def maxima(case, x):
    lowest = -np.inf if case.is_float else np.iinfo(case.dtype).min
    values = reduce_windows(case, x, np.maximum, lowest)
    if case.pad_value == "zero":
        counts = reduce_windows(case, np.ones_like(x, dtype=np.int64), np.add, 0)
        full = rules.product(case.kernel)
        values = np.where(counts < full, np.maximum(values, 0), values)
    return values.astype(case.dtype)


def divisors(case):
    """Returns the divisor of each window, to be broadcast over batch and channels."""
    dims = rules.resolve(case)
    result = np.ones([1] * case.rank)
    if case.divisor_override is not None:
        return result * case.divisor_override
    for d, dim in enumerate(dims):
        counts = np.array([dim.count(case.divisor, o) for o in range(dim.output)], float)
        along = [1] * case.rank
        along[2 + d] = dim.output
        result = result * counts.reshape(along)
    return result


def float_averages(case, x):
    wide = x.astype(np.float64)
    counted = rules.product(case.kernel)
    if case.op == "lp_pool":
        total = reduce_windows(case, np.abs(wide) ** case.p, np.add, 0)
        return Averages((total ** (1 / case.p)).astype(np.longdouble), None, counted)
    divisor = divisors(case)
    total = reduce_windows(case, wide, np.add, 0)
    size = reduce_windows(case, np.abs(wide), np.add, 0)
    return Averages((total / divisor).astype(np.longdouble),
                    (size / divisor).astype(np.longdouble), counted)


def integer_averages(case, x):
    """Returns the averages of integers. Padding has the value input_zp, so it adds nothing to
    a sum. Each quotient is exact before it is rounded."""
    counts = reduce_windows(case, np.ones_like(x, dtype=np.int64), np.add, 0)
    total = reduce_windows(case, x.astype(np.int64), np.add, 0)
    divisor = np.broadcast_to(divisors(case).astype(np.int64), total.shape)
    total = total - counts * case.input_zp if case.input_zp else total
    limits = np.iinfo(case.dtype)
    rounded = np.array([round_quotient(int(t), int(n), case.integer_rounding)
                        for t, n in zip(total.flat, divisor.flat)]).reshape(total.shape)
    return np.clip(rounded + case.output_zp, limits.min, limits.max).astype(case.dtype)
