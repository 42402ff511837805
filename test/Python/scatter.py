# REQUIRES: python-module
# RUN: %python %s
"""pool_mlir.max_unpool and the gradients must compute the definition, on random problems and
element types, with arrays in the memory orders of pooltest/views.py. Indices without a position,
and windows that count nothing, must raise errors."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import numpy as np

import pool_mlir
from pooltest import compare, generators, keywords, scatter, tier, views
from pooltest.case import NUMPY_TYPES
from pooltest.report import Report, main

CASES = tier.size(40, 24, 6)
SEED = tier.seed(63)


def call(problem, arrays):
    if problem.op == "max_unpool":
        axis = re.search(r"axis = (-?\d+)", problem.text)
        return pool_mlir.max_unpool(*arrays[:2], problem.shape, axis=int(axis[1]) if axis else 0)
    given = keywords.window(problem.case, problem.op)
    if problem.op == "avg_pool_grad":
        return pool_mlir.avg_pool_grad(arrays[0], problem.case.shape, **given)
    if len(arrays) > 2:
        given["indices"] = arrays[2]
    return getattr(pool_mlir, problem.op)(*arrays[:2], **given)


def check(report, problem, make_view, rng):
    title = f"{make_view.__name__}: {problem.op}"
    arrays = [make_view(rng, x) if np.ndim(x) else x for x in problem.inputs]
    try:
        actual = call(problem, arrays)
    except ValueError as error:
        words = str(error)
        expected = ("(Average.C3)" if "windows that count nothing" in problem.notes else
                    "an index is negative" if "hostile" in problem.notes else "no error")
        report.expect(expected in words, f"{title}: {expected}", problem.text, error=words)
        report.count(f"{problem.op} refused")
        return
    hostile = "hostile" in problem.notes and problem.inputs[0].size
    report.expect(not hostile, f"{title}: a hostile index ran", problem.text)
    truth = problem.truth
    good = compare.same_shape_and_type(actual, problem.shape, problem.dtype)
    if good and isinstance(truth, np.ndarray):
        good = compare.same_values(actual, truth).all()
    elif good:
        good = compare.are_averages(actual, truth, problem.case).all()
    report.expect(good, title, problem.text, inputs=[x.tolist() for x in problem.inputs],
                  expected=truth, actual=actual)
    report.count(problem.op)


def check_channels_last(report):
    """Gradients of channels-last arrays are channels-last, too. Errors name the caller's
    dimensions."""
    rng = np.random.default_rng(SEED)
    x, grad = (rng.standard_normal(shape, np.float32).transpose(0, 3, 1, 2)
               for shape in ((2, 8, 8, 3), (2, 4, 4, 3)))
    rows, row_grad = np.ascontiguousarray(x), np.ascontiguousarray(grad)
    window = {"kernel": [2, 2], "strides": [2, 2]}
    of_max = pool_mlir.max_pool_grad(rows, row_grad, **window)
    of_avg = pool_mlir.avg_pool_grad(row_grad, x.shape, **window)
    for result, expected in ((pool_mlir.max_pool_grad(x, grad, **window), of_max),
                             (pool_mlir.max_pool_grad(x, row_grad, **window), of_max),
                             (pool_mlir.avg_pool_grad(grad, x.shape, **window), of_avg)):
        report.expect(result.strides == x.strides and np.array_equal(result, expected),
                      "channels last in memory", expected=expected, actual=result)
    for title, call in (
            ("dimension 2", lambda: pool_mlir.max_pool_grad(x, grad[:, :, :3], **window)),
            ("dimension 3", lambda: pool_mlir.avg_pool_grad(grad, (2, 3, 8, 20), **window)),
            ("rank 3", lambda: pool_mlir.max_pool_grad(x, grad[0], **window)),
            ("rank 3", lambda: pool_mlir.avg_pool_grad(grad, (2, 3, 8), **window)),
            ("dimension 2", lambda: pool_mlir.max_pool(x, [9, 1]))):
        try:
            call()
            words = "no error"
        except ValueError as error:
            words = str(error)
        report.expect(title in words, f"refused: {title}", error=words)


def run():
    report = Report("scatter")
    check_channels_last(report)
    rng = np.random.default_rng(SEED)
    for number in range(CASES):
        make_view = views.VIEWS[number % len(views.VIEWS)]
        hostile = number % 4 == 3
        element_type = generators.pick(rng, tuple(NUMPY_TYPES))
        float_type = generators.pick(rng, scatter.FLOATS)
        for problem in (scatter.random_unpool(rng, element_type, hostile),
                        scatter.random_max_pool_grad(rng, float_type, hostile),
                        scatter.random_max_pool_grad(rng, float_type, hostile, op="min_pool"),
                        scatter.random_avg_pool_grad(rng, float_type)):
            check(report, problem, make_view, rng)
    report.require_counted("max_unpool", "max_pool_grad", "min_pool_grad", "avg_pool_grad",
                           "max_unpool refused",
                           "max_pool_grad refused", "avg_pool_grad refused")
    return report.finish()


main(run)
