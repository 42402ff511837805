"""Measures the cost of `pool.uniform_sums`, by which parts of a result equal the whole.

Times every average of f16, f32 and f64 in the files of workloads, with and without the attribute,
in one process, on one thread.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import re
import statistics

import numpy as np

from measure.turns import import_pool_mlir, least_in_turns, least_time
from measure.workloads import read_files

TAKES_FILES = True
FLOATS = ("f16", "f32", "f64")


def add_options(parser):
    parser.add_argument("--seconds", type=float, default=1,
                        help="time for each workload (default: 1)")


def rows(options):
    return {name: workload for name, workload in read_files(options.files).items()
            if workload.case.op == "avg_pool" and workload.case.element_type in FLOATS}


def run(chosen, options, report):
    pool_mlir = import_pool_mlir(options)
    report.header("workload", "us", "uniform us", "ratio")
    ratios = []
    for name, workload in chosen.items():
        text = workload.function("f")
        uniform_text = re.sub(r"(pool\.avg_pool .*?) : ", r"\1 {pool.uniform_sums} : ", text,
                              count=1)
        array = np.random.default_rng(0).standard_normal(workload.case.shape).astype(
            workload.case.dtype)
        calls = (functools.partial(pool_mlir.compile(t), array) for t in (text, uniform_text))
        plain, uniform = least_in_turns(
            {i: functools.partial(least_time, call, 5) for i, call in enumerate(calls)},
            seconds=options.seconds).values()
        ratios.append(uniform / plain)
        report.row(name, f"{plain:.1f}", f"{uniform:.1f}", f"{ratios[-1]:.2f}", plain=plain,
                   uniform=uniform)
    report.line(f"\ngeometric mean {statistics.geometric_mean(ratios):.2f}, "
                f"median {statistics.median(ratios):.2f}, at most {max(ratios):.2f}")
