# REQUIRES: python-module
# RUN: %python %s
"""pool_mlir.max_pool, min_pool, avg_pool and lp_pool must compute the definition.

Each runs on the element types that it takes, with random attributes, and with arrays in the
memory orders of pooltest/views.py. Extrema and integers must equal the oracle's, and other floats
must lie within their bound. This applies to new arrays and to `out`.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

import pool_mlir
from pooltest import compare, generators, keywords, oracle, tier, views
from pooltest.case import FLOAT_TYPES, NUMPY_TYPES
from pooltest.report import Report, main

CASES = tier.size(6, 3, 1)
SEED = tier.seed(61)
ORACLES = {"max_pool": oracle.max_pool, "min_pool": oracle.max_pool,
           "avg_pool": oracle.avg_pool, "lp_pool": oracle.lp_pool}


def is_right(case, truth, results):
    if case.is_extremum:
        same = compare.same_values(results[0], truth.values).all()
        return same and (truth.indices is None or np.array_equal(results[1], truth.indices))
    if not case.is_float:
        return np.array_equal(results[0], truth.exact)
    bound = compare.float_bound(case, truth)
    return compare.within(results[0], truth.exact, bound, case).all()


def check(report, case, x, make_view, rng):
    title = f"{make_view.__name__}: {case}"
    view = make_view(rng, x)
    before = view.tobytes()
    truth = ORACLES[case.op](case, x)
    shape = (truth.values if case.is_extremum else truth.exact).shape
    function = getattr(pool_mlir, case.op)

    def as_tuple(results):
        return results if isinstance(results, tuple) else (results,)

    results = as_tuple(function(view, **keywords.window(case)))
    types = [case.dtype] + ([np.dtype(f"int{case.index_type[1:]}")] if case.index_type else [])
    for result, dtype in zip(results, types):
        report.expect(compare.same_shape_and_type(result, shape, dtype), f"{title}: type",
                      expected=(shape, dtype), actual=(result.shape, result.dtype))
    report.expect(len(results) == len(types) and is_right(case, truth, results), title,
                  data=x.tolist(), expected=truth, actual=results)
    report.expect(view.tobytes() == before, f"{title}: the argument has changed")

    out = tuple(np.full(shape, 77, dtype) for dtype in types)
    given = as_tuple(function(view, **keywords.window(case), out=out if len(out) > 1 else out[0]))
    report.expect(all(a is b for a, b in zip(given, out)), f"{title}: out is not returned")
    report.expect(is_right(case, truth, out), f"{title}: out", data=x.tolist(),
                  expected=truth, actual=out)
    report.count(f"{case.op} {case.element_type}")
    report.count(f"view: {make_view.__name__}")


def run():
    report = Report("windows")
    rng = np.random.default_rng(SEED)
    types = [t for t in NUMPY_TYPES if not t.startswith("si")]
    turn = 0
    for op in ORACLES:
        for element_type in types if op != "lp_pool" else FLOAT_TYPES:
            for _ in range(CASES):
                case = generators.random_legal(rng, op, element_type, max_output=60)
                kind = generators.pick(rng, generators.kinds(case))
                make_view = views.VIEWS[turn % len(views.VIEWS)]
                turn += 1
                check(report, case, generators.data(rng, case, kind), make_view, rng)
    report.require_counted(*(f"view: {view.__name__}" for view in views.VIEWS))
    return report.finish()


main(run)
