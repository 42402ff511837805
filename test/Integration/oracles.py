# RUN: %python %s
"""The oracles against each other and against the peers, without the product.

The window-by-window oracle, the tap-by-tap one and the peers must agree before
any of them judges anything else.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse

import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from pooltest import check, compare, fast_oracle, generators, onnxruntime_values, oracle
from pooltest.case import Case
from pooltest.check import Job
from pooltest.report import Report, main


def check_fast(job, report):
    """The tap-by-tap oracle where it applies."""
    case = job.case
    if (not case.is_float or case.layout != "channels_first" or case.pad_value != "neg_inf"
            or not np.isfinite(job.x.astype(np.float64)).all()):
        report.count("tap-by-tap oracle does not apply")
        return
    if case.op == "max_pool":
        fast = fast_oracle.max_pool(case, job.x)
        good = compare.same_values(fast.values, job.truth.values).all()
        good &= np.array_equal(fast.padding_only, job.truth.padding_only)
        good &= case.index_type is None or np.array_equal(fast.indices, job.truth.indices)
    else:
        fast = fast_oracle.avg_pool(case, job.x)
        bound = compare.average_bound(case.with_(element_type="f64"), job.truth)
        good = compare.within(fast.exact, job.truth.exact, bound).all()
        good &= compare.within(fast.magnitude, job.truth.magnitude, bound).all()
    if report.expect(good, f"tap-by-tap oracle: {case}", data=job.x.tolist(),
                     slow=job.truth, fast=fast):
        report.count(f"tap-by-tap oracle equal: {case.op}")


def check_overhang_of_norm(report):
    """ONNX's reference code counts what ceil adds to an LpPool twice."""
    case = Case("lp_pool", (1, 1, 5), (2,), strides=(2,), rounding_type="ceil_torch")
    x = np.array([[[1, 2, 3, 4, 5]]], np.float32)
    kind = helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = onnxruntime_values.make_node(case, "x", ["y"])
    model = helper.make_model(helper.make_graph([node], "norm", [kind], [result]), ir_version=10,
                              opset_imports=[helper.make_opsetid("", onnxruntime_values.OPSET)])
    ours = oracle.lp_pool(case, x).exact[0, 0, 2]
    theirs = ReferenceEvaluator(model).run(None, {"x": x})[0][0, 0, 2]
    report.expect(ours == 5 and abs(theirs - np.sqrt(50)) < 1e-5,
                  "ONNX's reference LpPool under ceil", ours=ours, theirs=theirs)
    report.difference("ONNX's reference LpPool counts the overhang twice")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("oracles")
    jobs = []
    for number in range(options.cases):
        op = ("max_pool", "avg_pool")[number % 2]
        case = generators.random_legal(rng, op, generators.element_type(rng))
        kind = generators.pick(rng, generators.kinds(case))
        x = generators.data(rng, case, kind)
        jobs.append(Job(case, kind, x, oracle.run(case, x)))
    check.ask_peers(jobs, report)
    for job in jobs:
        check_fast(job, report)
        check.check_job(job, report)
    check_overhang_of_norm(report)
    report.require_counted("tap-by-tap oracle equal: max_pool", "tap-by-tap oracle equal: avg_pool")
    return report.finish()


if __name__ == "__main__":
    main(run)
