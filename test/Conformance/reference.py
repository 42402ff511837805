# RUN: %python %s
# UNEXPLORED: its vectors are fixed.
"""Compares the kit's reference with the oracles of the integration tests.

Both are written apart from each other. The oracles have the poolings with a window, adaptive
pooling, unpooling and the gradients of poolings with a window.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from pool_conformance.registry import vectors
from pool_conformance.vector import WINDOWED
from pooltest import adaptive, compare, oracle, scatter
from pooltest.case import NUMPY_TYPES, Case
from pooltest.report import Report, main

LISTS = ("kernel", "strides", "dilations", "pads_begin", "pads_end")
ENUMS = ("rounding_type", "auto_pad", "same_output", "layout", "nan_mode", "index_type", "axis",
         "divisor", "divisor_override", "integer_rounding", "input_zp", "output_zp")


def make_case(vector, expected):
    """Returns the oracles' form of a vector, or None if they lack an attribute of it."""
    given = vector.attributes
    averages = vector.operation.startswith(("avg", "sum", "lp"))
    if (vector.operation == "sum_pool" or vector.type not in NUMPY_TYPES
            or given.get("index_base") == "window" or given.get("normalize", "none") != "none"
            or given.get("p", 2) != int(given.get("p", 2))
            or averages and given.get("nan_mode") == "ignore"):
        return None
    keywords = {name: given[name] for name in LISTS + ENUMS if name in given}
    if keywords.get("nan_mode") == "either":
        keywords["nan_mode"] = expected.name or "ignore"
    if averages:
        keywords.pop("nan_mode", None)
    if given.get("pad_value") == "zero":
        keywords["pad_value"] = "zero"
    kernel = keywords.pop("kernel", [1] * vector.rank)
    operation = vector.operation.replace("adaptive_", "").replace("_grad", "")
    return Case(operation, vector.shape, kernel, element_type=vector.type,
                p=int(given.get("p", 2)), **keywords)


def truths(vector, case):
    """Returns the oracles' results of a vector by output."""
    x = vector.x.ml_dtypes()
    if vector.operation == "max_unpool":
        shape = tuple(vector["output_shape"])
        return {"result": scatter.unpool(x, vector.inputs["indices"].array,
                                         vector["axis"] % len(shape), shape)}
    if vector.operation == "max_pool_grad":
        return {"input_grad": scatter.max_pool_grad(case, x, vector.inputs["output_grad"]
                                                    .ml_dtypes())}
    if vector.operation == "avg_pool_grad":
        return {"input_grad": scatter.avg_pool_grad(case, vector.inputs["output_grad"]
                                                    .ml_dtypes())}
    if vector.operation in ("adaptive_max_pool", "adaptive_avg_pool"):
        problem = adaptive.Problem(case, tuple(vector["output_size"]), x)
        return {"values": problem.values, "indices": problem.indices}
    result = oracle.run(case, x)
    if isinstance(result, oracle.Maxima):
        return {"values": result.values, "indices": result.indices}
    return {"values": result}


def agrees(case, tensor, truth):
    """True if an expected tensor is within the oracle's bound."""
    actual = tensor.ml_dtypes()
    if isinstance(truth, oracle.Averages) and (case is None or case.is_float):
        bound = compare.float_bound(case, truth) if truth.magnitude is not None \
            or case.op == "lp_pool" else 0
        return compare.within(actual, truth.exact, bound, case).all()
    if isinstance(truth, oracle.Averages):
        truth = truth.exact
    return compare.same_arrays(actual, np.asarray(truth))


def check(vector, report):
    for expected in vector.expected:
        if expected.refused or vector.shape_only:
            continue
        if vector.operation not in WINDOWED + ("max_unpool", "max_pool_grad", "avg_pool_grad",
                                               "adaptive_max_pool", "adaptive_avg_pool"):
            continue
        case = None if vector.operation == "max_unpool" else make_case(vector, expected)
        if case is None and vector.operation != "max_unpool":
            continue
        if max(vector.shape) > 10 ** 4:
            continue
        for name, truth in truths(vector, case).items():
            if name in expected.outputs:
                tensor = expected.outputs[name]
                report.expect(tensor.shape == getattr(truth, "exact", truth).shape
                              and agrees(case, tensor, truth),
                              f"{vector.name}: {name}", expected=tensor.values(), truth=truth)
                report.count(vector.operation)


def body(report):
    for vector in vectors():
        check(vector, report)
    report.require_counted(*WINDOWED[:3], "lp_pool", "max_unpool", "max_pool_grad",
                           "avg_pool_grad", "adaptive_max_pool", "adaptive_avg_pool")


if __name__ == "__main__":
    main_report = Report("conformance reference")
    body(main_report)
    raise SystemExit(main_report.finish())
