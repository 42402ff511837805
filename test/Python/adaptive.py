# REQUIRES: python-module
# RUN: %python %s
"""pool_mlir.adaptive_max_pool and adaptive_avg_pool must compute the definition, on random
problems of every element type, with arrays in the memory orders of pooltest/views.py."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

import pool_mlir
from pooltest import adaptive, compare, keywords, oracle, tier, views
from pooltest.case import NUMPY_TYPES
from pooltest.report import Report, main

CASES = tier.size(110, 60, 15)
SEED = tier.seed(62)


def check(report, problem, make_view, rng):
    case = problem.case
    title = f"{make_view.__name__}: adaptive_{case.op} {case} to {problem.size}"
    function = getattr(pool_mlir, f"adaptive_{case.op}")
    view = make_view(rng, problem.x)
    results = function(view, **keywords.adaptive(case, problem.size))
    results = results if isinstance(results, tuple) else (results,)
    good = len(results) == len(problem.types()) and all(
        compare.same_shape_and_type(result, problem.shape, dtype)
        for result, dtype in zip(results, problem.types()))
    expected = problem.values
    if good and isinstance(expected, oracle.Averages):
        bound = compare.average_bound(case, expected)
        good = compare.within(results[0], expected.exact, bound, case).all()
    elif good:
        good = compare.same_values(results[0], expected).all()
    if good and problem.indices is not None:
        good = np.array_equal(results[1], problem.indices)
    report.expect(good, title, data=problem.x.tolist(), expected=expected, actual=results)
    report.count(f"adaptive_{case.op}")
    report.count(case.element_type)


def run():
    report = Report("adaptive")
    rng = np.random.default_rng(SEED)
    for number in range(CASES):
        check(report, adaptive.random_problem(rng), views.VIEWS[number % len(views.VIEWS)], rng)
    report.require_counted("adaptive_max_pool", "adaptive_avg_pool", *NUMPY_TYPES)

    # Global pooling; one number stands for all dimensions.
    x = rng.random((2, 3, 5, 7), np.float32)
    report.expect(np.array_equal(pool_mlir.adaptive_max_pool(x, 1), x.max((2, 3), keepdims=True)),
                  "global maximum")
    try:
        pool_mlir.adaptive_avg_pool(x, [0, 1])
        report.expect(False, "output_size 0 is accepted")
    except ValueError as error:
        words = "'pool.adaptive_avg_pool' op (Adaptive.C4)"
        report.expect(words in str(error), "words", str(error))
    return report.finish()


main(run)
