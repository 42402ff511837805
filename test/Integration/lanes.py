# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Two kinds of kernels must give the definition's results: kernels whose lanes are channels, and
kernels for windows that are whole planes.

random_cases.py reaches these kernels only with few lanes. Here, channels-last tensors have fewer
and more channels than a vector has lanes. Windows are of one element, or larger; the largest are
so large that the code loops over their taps. Whole planes are short or long. Extents are static
or dynamic; some dynamic windows turn out to be whole planes only at run time. Results must equal
the NumPy oracle's; float sums must lie within the bound of pooltest/compare.py.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import tempfile

import numpy as np

from pooltest import check, fast_oracle, generators, tier
from pooltest.check import Job
from pooltest.modules import run_jobs
from pooltest.report import Report, main
from pooltest.rules import Refused, resolve

CASES_PER_MODULE = 100


def random_channels_last(rng, op, element_type):
    """Returns a random case with channels last. In about one of six, the window is so large
    that the code loops over its taps."""
    while True:
        n = generators.pick(rng, (1, 2, 3), (3, 6, 2))
        channels = generators.integer(rng, 1, 70)
        if rng.random() < 1 / 6:
            extents = generators.integers(rng, n, 8, {1: 500, 2: 24, 3: 10}[n])
            window = {"kernel": tuple(generators.integer(rng, max(1, e - 6), e) for e in extents),
                      "strides": generators.integers(rng, n, 1, 3),
                      "pads_begin": generators.integers(rng, n, 0, 4),
                      "pads_end": generators.integers(rng, n, 0, 4)}
            channels = min(channels, 20)
        else:
            extents = generators.integers(rng, n, 1, {1: 24, 2: 11, 3: 6}[n])
            window = generators.random_window(rng, n, max_kernel={1: 9, 2: 5, 3: 3}[n],
                                              pads_below_kernel=0.7)
        window.update(generators.random_op(rng, op, element_type, n))
        case = generators.Case(op, (generators.integer(rng, 1, 2),) + extents + (channels,),
                               element_type=element_type, layout="channels_last", **window)
        if is_legal(case):
            return case


def random_whole_planes(rng, op, element_type):
    while True:
        n = generators.pick(rng, (1, 2, 3))
        extents = generators.integers(rng, n, 1, {1: 900, 2: 40, 3: 9}[n])
        attributes = generators.random_op(rng, op, element_type, n)
        attributes.pop("index_type", None)
        shape = (generators.integer(rng, 1, 2), generators.integer(rng, 1, 40)) + extents
        case = generators.Case(op, shape, kernel=extents, element_type=element_type,
                               **attributes)
        if is_legal(case):
            return case


def is_legal(case):
    try:
        resolve(case)
    except Refused:
        return False
    return True


def random_job(rng, number):
    op = (("max_pool", "min_pool")[number // 3 % 2], "avg_pool", "lp_pool")[number % 3]
    element_type = (generators.pick(rng, generators.FLOAT_TYPES) if op == "lp_pool"
                    else generators.element_type(rng))
    make = random_whole_planes if number % 4 == 3 else random_channels_last
    case = make(rng, op, element_type)
    if number % 5 < 2:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    job = Job(case, kind, generators.data(rng, case, kind))
    job.truth = fast_oracle.run(job.case, job.x)
    return job


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(400, 240, 24))
    parser.add_argument("--seed", type=int, default=tier.seed(7))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("lanes")
    for start in range(0, options.cases, CASES_PER_MODULE):
        jobs = [random_job(rng, start + i)
                for i in range(min(CASES_PER_MODULE, options.cases - start))]
        with tempfile.TemporaryDirectory() as directory:
            run_jobs(jobs, ["--path=vector", "-O0"], directory, report, "vector")
        for job in jobs:
            check.check_job(job, report)
    report.expect(report.counts["vector: compared with the oracle"] == options.cases,
                  "some case was not compared")
    return report.finish()


if __name__ == "__main__":
    main(run)
