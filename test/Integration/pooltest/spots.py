"""Compares some windows of a large problem with the definition.

Some problems are too large for the oracle as a whole. So the oracle computes a few windows of
a few planes, among them the first and the last. Channels must be first.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from . import compare, oracle
from .rules import output_shape, product, resolve


def choose(rng, extents, count):
    """Returns some positions below `extents`, among them the first and the last."""
    some = {tuple(int(rng.integers(extent)) for extent in extents) for _ in range(count)}
    return sorted(some | {(0,) * len(extents), tuple(extent - 1 for extent in extents)})


def shape_and_type(case, arrays):
    """True if the results have the case's shape and types."""
    types = [case.dtype] + ([np.dtype(f"int{case.index_type[1:]}")] if case.index_type else [])
    return len(arrays) == len(types) and all(
        compare.same_shape_and_type(array, output_shape(case), dtype)
        for array, dtype in zip(arrays, types))


def right(case, x, arrays, rng, planes=3, count=24):
    """True if results of the case's shape and types agree with the definition at some
    windows."""
    dims = resolve(case)
    at = choose(rng, [dim.output for dim in dims], count)
    spots = tuple(np.array(at).T)
    one = case.with_(shape=(1, 1, *case.shape[2:]), dynamic=())
    plane = product(case.shape[2:])
    for n, c in choose(rng, case.shape[:2], planes):
        truth = oracle.run(one, x[n:n + 1, c:c + 1], at)
        actual = arrays[0][n, c][spots]
        if case.is_extremum:
            good = compare.same_values(actual, truth.values[0, 0][spots]).all()
            if case.index_type:
                offset = {0: (n * case.shape[1] + c) * plane, 1: c * plane}.get(
                    case.axis % case.rank, 0)
                inside = ~truth.padding_only[0, 0][spots]
                good &= (arrays[1][n, c][spots] ==
                         truth.indices[0, 0][spots] + offset * inside).all()
        elif not case.is_float:
            good = (actual == truth.exact[0, 0][spots]).all()
        else:
            bound = compare.float_bound(one, truth)[0, 0][spots]
            good = compare.within(actual, truth.exact[0, 0][spots], bound, case).all()
        if not good:
            return False
    return True
