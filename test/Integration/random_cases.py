# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Random poolings must have the values and indices of the NumPy oracle, on every lowering path
(vector, linalg, affine) and in the peers OpenVINO and ONNX Runtime.

Cases have 1 to 4 spatial dimensions and random element type, rounding mode, auto_pad, layout,
axis, index type, divisor, zero point and norm. Data have ties, NaN, infinities, both zeros and
the extremes of the type; shapes are static and dynamic. Compiled code, interpreter and peers must
agree with the NumPy oracle: float averages and norms within the bound of pooltest/compare.py,
everything else exactly. The report counts cases that a peer cannot run, with the reason.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import multiprocessing
import tempfile

import numpy as np

from pooltest import check, generators, oracle, rules, tier
from pooltest.check import Job
from pooltest.modules import run_jobs
from pooltest.report import Report, main

CASES_PER_MODULE = 125
# Optimising takes ten times as long as lowering and emitting unoptimised code, and this test
# is about lowering. So only one module of this many is optimised.
OPTIMISED_EVERY = 12
PATHS = ("vector", "linalg", "affine", "reference")
KINDS = ("peered", "others", "norms")


def random_norm(rng, number):
    """Returns a random lp_pool with data. Most have f32 or f16, which peers support."""
    element_type = generators.pick(rng, ("f32", "f16", "bf16", "f64"), (5, 1, 1, 2))
    case = generators.random_legal(rng, "lp_pool", element_type)
    if number % 3 == 0:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    return Job(case, kind, generators.data(rng, case, kind), pretty=number % 4 >= 2)


def random_job(rng, number, peered):
    """Returns a random case with data. With `peered`, at least one peer can run the case.
    Without `peered`, every fifth average is ill-defined, which shows only at run time, and
    every fifteenth case has wide windows."""
    op = ("max_pool", "avg_pool", "max_pool" if peered else "min_pool", "avg_pool")[number % 4]
    element_type = generators.element_type(rng)
    late = not peered and op == "avg_pool" and number % 10 == 1
    while True:
        if late:
            case = generators.random_ill_defined(rng, element_type)
        elif not peered and number % 15 == 3:
            case = generators.random_wide(rng, op, element_type)
        else:
            case = generators.random_legal(rng, op, element_type)
        if late or number % 3 == 0:
            case = case.with_(dynamic=generators.dynamic_dims(rng, case, every_spatial=late))
        kind = generators.pick(rng, generators.kinds(case))
        job = Job(case, kind, generators.data(rng, case, kind), pretty=number % 4 >= 2)
        if not peered or any(peer.why_not(case, job.x) is None for peer in check.PEERS):
            return job


def count_categories(job, report):
    case = job.case
    keys = [f"{case.op} {case.num_spatial}-D", f"{case.op} {case.element_type}",
            f"{case.auto_pad} {case.rounding_type}", case.layout, f"data: {job.kind}",
            "dynamic extents" if case.dynamic else "static extents",
            "pretty form" if job.pretty else "generic form"]
    if case.auto_pad.startswith("same"):
        keys.append(f"same_output {case.same_output}")
    if any(d != 1 for d in case.dilations or ()):
        keys.append("dilated")
    if case.is_extremum:
        keys += [f"indices {case.index_type}", f"nan_mode {case.nan_mode}",
                 f"pad_value {case.pad_value}"]
        if job.truth.padding_only.any():
            keys.append("windows of padding alone")
    elif case.op == "lp_pool":
        keys.append(f"p = {case.p}")
    else:
        keys.append("divisor_override" if case.divisor_override else f"divisor {case.divisor}")
        if not case.is_float:
            keys.append(f"integer_rounding {case.integer_rounding}")
            if case.input_zp or case.output_zp:
                keys.append("zero points")
    if case.shape[0] == 0:
        keys.append("empty batch")
    if max(case.kernel) >= 200:
        keys.append("wide windows")
    for key in keys:
        report.count(f"case: {key}")


def run_chunk(seed, chunk, count, kind):
    """Runs a share of the cases in a process of its own."""
    rng = np.random.default_rng([seed, chunk])
    report = Report("random_cases")
    jobs = [random_norm(rng, number) if kind == "norms" else
            random_job(rng, number, kind == "peered") for number in range(count)]
    for job in jobs:
        job.truth = oracle.run(job.case, job.x)
        count_categories(job, report)
    with tempfile.TemporaryDirectory() as directory:
        level = "-O3" if chunk % OPTIMISED_EVERY == 0 else "-O0"
        report.count(f"compiled with {level}", count)
        for path in ("vector", "linalg", "affine"):
            # LLVM takes very long to vectorise the affine path's loops, so optimise them only
            # in the tier `all`.
            chosen = level if path != "affine" or tier.IS_FULL else "-O0"
            run_jobs(jobs, [f"--path={path}", chosen], directory, report, path)
        run_jobs(jobs, ["--path=reference"], directory, report, "reference")
    check.ask_peers(jobs, report)
    for job in jobs:
        check.check_job(job, report)
        if job.peers:
            report.count("norms compared with a peer" if kind == "norms"
                         else "cases compared with a peer")
    return report


def chunks(options):
    """Yields the (number of cases, kind) of each module."""
    for kind in KINDS:
        total = getattr(options, kind)
        for start in range(0, total, CASES_PER_MODULE):
            yield min(CASES_PER_MODULE, total - start), kind


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--peered", type=int, default=tier.size(5000, 280, 20),
                        help="cases that at least one peer computes")
    parser.add_argument("--others", type=int, default=tier.size(2000, 120, 10),
                        help="cases of any kind")
    parser.add_argument("--norms", type=int, default=tier.size(1000, 60, 8),
                        help="cases of lp_pool")
    parser.add_argument("--seed", type=int, default=tier.seed(5))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    report = Report("random_cases")
    counts, kinds = zip(*chunks(options))
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for part in pool.map(run_chunk, [options.seed] * len(counts), range(len(counts)), counts,
                             kinds):
            report.merge(part)
    total = options.peered + options.others + options.norms
    for path in PATHS:
        report.expect(report.counts[f"{path}: compared with the oracle"] == total,
                      f"{path}: some case was not compared")
    report.expect(report.counts["cases compared with a peer"] >= options.peered,
                  "fewer cases than asked for had a peer")
    for peer in check.PEERS:
        report.expect(50 * report.counts[f"{peer.NAME} {check.NO_CODE}"] <= total,
                      f"{peer.NAME} has no code for more than one case in fifty")
    least = options.norms // 3 if tier.IS_FULL else 1
    report.expect(report.counts["norms compared with a peer"] >= least,
                  f"fewer than {least} norms had a peer")
    for peer in check.PEERS:
        spoken_for = sum(number for key, number in report.counts.items()
                         if key.startswith((f"{peer.NAME} compared", f"{peer.NAME} not asked")))
        report.expect(spoken_for == total, f"{peer.NAME}: some case was dropped")
    return report.finish()


if __name__ == "__main__":
    main(run)
