# RUN: %python %s
"""The two oracles that other tests trust must agree with each other and with the peers (ONNX
Runtime, OpenVINO, ...). None of this project's compiled code runs here.

One oracle goes window by window, and the other handles all windows at once.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse

import numpy as np

from pooltest import check, compare, fast_oracle, generators, oracle, tier
from pooltest.case import FLOAT_TYPES, NUMPY_TYPES
from pooltest.check import Job
from pooltest.report import Report, main


def near(a, b, bound):
    """True if all longdoubles differ by at most the bound; infinities and NaN must be the
    same."""
    with np.errstate(invalid="ignore"):
        return ((np.abs(a - b) <= bound) | (a == b) | (np.isnan(a) & np.isnan(b))).all()


def check_fast(job, report):
    """Checks the oracle that handles all windows at once."""
    case, slow, fast = job.case, job.truth, fast_oracle.run(job.case, job.x)
    if case.is_extremum:
        good = fast.values.dtype == slow.values.dtype
        good &= compare.same_values(fast.values, slow.values).all()
        good &= np.array_equal(fast.padding_only, slow.padding_only)
        good &= case.index_type is None or (fast.indices.dtype == slow.indices.dtype and
                                            np.array_equal(fast.indices, slow.indices))
    elif not case.is_float:
        good = fast.exact.dtype == slow.exact.dtype and np.array_equal(fast.exact, slow.exact)
    else:
        # Allow a thousandth of the error bound of a sum in f64.
        bound = compare.float_bound(case.with_(element_type="f64"), slow) / 1000
        good = near(fast.exact, slow.exact, bound)
        if case.op == "avg_pool":
            good &= near(fast.magnitude, slow.magnitude, bound)
    good &= case.is_extremum or fast.counted == slow.counted
    if report.expect(good, f"all windows at once: {case}", data=job.x.tolist(),
                     slow=slow, fast=fast):
        report.count(f"all windows at once, equal: {case.op} {case.element_type}")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(2400, 720, 240))
    parser.add_argument("--seed", type=int, default=tier.seed(7))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("oracles")
    jobs = []
    for number in range(options.cases):
        op = ("max_pool", "avg_pool", "min_pool", "avg_pool", "max_pool", "lp_pool")[number % 6]
        element_type = (generators.pick(rng, FLOAT_TYPES) if op == "lp_pool"
                        else generators.element_type(rng))
        if op == "avg_pool" and number % 10 == 1:
            case = generators.random_ill_defined(rng, element_type)
        else:
            case = generators.random_legal(rng, op, element_type)
        kind = generators.pick(rng, generators.kinds(case))
        x = generators.data(rng, case, kind)
        jobs.append(Job(case, kind, x, oracle.run(case, x)))
    check.ask_peers(jobs, report)
    for job in jobs:
        check_fast(job, report)
        check.check_job(job, report)
    report.require_counted(*(
        f"all windows at once, equal: {op} {element_type}" for op, types in (
            ("max_pool", NUMPY_TYPES), ("avg_pool", NUMPY_TYPES), ("lp_pool", FLOAT_TYPES))
        for element_type in types))
    return report.finish()


if __name__ == "__main__":
    main(run)
