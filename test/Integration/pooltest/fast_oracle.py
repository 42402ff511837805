"""The same definitions, one tap of all windows at a time, for large problems.

Floats only, channels first, padding of -infinity; `oracles.py` holds it against
the window-by-window oracle. Averages are float64 sums: next to the bound of an
f32 accumulation their own error is nothing.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy as np

from .oracle import Averages, Maxima
from .rules import product, resolve, resolve_at_run_time


def taps(case, dims):
    """Yields (output slices, input slices) for each tap: the outputs for which
    the tap lies inside the input, and the elements it then reads."""
    for tap in itertools.product(*(range(dim.kernel) for dim in dims)):
        outputs, inputs = [slice(None)] * 2, [slice(None)] * 2
        for t, dim in zip(tap, dims):
            inside = [o for o in range(dim.output)
                      if 0 <= o * dim.stride - dim.pad_begin + t * dim.dilation < dim.input]
            if not inside:
                break
            start = inside[0] * dim.stride - dim.pad_begin + t * dim.dilation
            outputs.append(slice(inside[0], inside[-1] + 1))
            inputs.append(slice(start, start + (len(inside) - 1) * dim.stride + 1, dim.stride))
        else:
            yield tuple(outputs), tuple(inputs)


def max_pool(case, x):
    """As oracle.max_pool, for input without NaN."""
    dims = resolve(case)
    shape = list(case.shape[:2]) + [dim.output for dim in dims]
    values = np.full(shape, -np.inf, x.dtype)
    indices = np.full(shape, -1, np.int64)
    bound = product(case.shape[case.axis % case.rank:])
    positions = np.arange(x.size).reshape(x.shape) % bound
    for out, source in taps(case, dims):
        better = (x[source] > values[out]) | (indices[out] < 0)
        values[out] = np.where(better, x[source], values[out])
        indices[out] = np.where(better, positions[source], indices[out])
    padding_only = indices < 0
    indices[padding_only] = 0
    if case.index_type is None:
        return Maxima(values, None, padding_only)
    return Maxima(values, indices.astype(f"int{case.index_type[1:]}"), padding_only)


def avg_pool(case, x):
    """As oracle.avg_pool, for finite input; `exact` is a float64 sum's quotient."""
    dims = resolve_at_run_time(case)
    shape = list(case.shape[:2]) + [dim.output for dim in dims]
    total, size = np.zeros(shape), np.zeros(shape)
    x64 = x.astype(np.float64)
    for out, source in taps(case, dims):
        total[out] += x64[source]
        size[out] += np.abs(x64[source])
    divisor = np.ones([1] * case.rank)
    if case.divisor_override is not None:
        divisor *= case.divisor_override
    else:
        for d, dim in enumerate(dims):
            counts = np.array([dim.count(case.divisor, o) for o in range(dim.output)], float)
            along = [1] * case.rank
            along[2 + d] = dim.output
            divisor = divisor * counts.reshape(along)
    counted = product(dim.kernel for dim in dims)
    with np.errstate(invalid="ignore"):
        return Averages((total / divisor).astype(np.longdouble),
                        (size / divisor).astype(np.longdouble), counted)
