# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""oneDNN's 171 pooling problems must have the definition's values and indices.

Each problem of test/data/onednn-pool-shapes.json runs in f32 as a maximum with indices and as an
average with every divisor. It also runs as an average of f16 and of bf16. Each operation is
compiled on the vector, linalg and affine paths. All elements, and the peers' results, are
compared with the vectorised oracle. The slow reference interpreter runs only the first batch and
channels of the same data. Averages must lie within the bound of pooltest/compare.py.

If an input has more than --elements elements, its batch and then its channels are reduced. No
rule of pooling depends on these two extents. --elements 0 reduces nothing.

If a window contains only padding, an average with divisor `valid` is ill-defined. The test checks
that the operation is rejected for static extents, and runs it with dynamic extents.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import json
import multiprocessing
import tempfile
from pathlib import Path

import numpy as np

from pooltest import check, fast_oracle, rules, tier
from pooltest.case import Case
from pooltest.check import Job
from pooltest.modules import run_jobs
from pooltest.report import Report, main
from pooltest.tools import pool_opt

DATA = Path(__file__).resolve().parent.parent / "data" / "onednn-pool-shapes.json"
PROBLEMS_PER_CHUNK = 12
# Number of window positions (outputs times taps) that the interpreter computes at most,
# unless a single plane has more.
INTERPRETED_POSITIONS = 400_000
INDEX_AXIS = 2


def reduced(shape, elements):
    """Reduces the batch of `shape`, then its channels, to about `elements` elements."""
    batch, channels, *spatial = shape
    plane = rules.product(spatial)
    if not elements or batch * channels * plane <= elements:
        return tuple(shape)
    batch = max(1, min(batch, elements // (channels * plane)))
    channels = max(1, min(channels, elements // (batch * plane)))
    return (batch, channels, *spatial)


def cases_of(problem, elements, report):
    """Yields the operations of a problem."""
    attributes = {name: tuple(problem[name]) for name in
                  ("kernel", "strides", "dilations", "pads_begin", "pads_end")}
    full = Case("max_pool", tuple(problem["input"]), **attributes)
    report.expect(rules.output_shape(full) == problem["output"],
                  "the extents that oneDNN's authors wrote", str(full),
                  rules=rules.output_shape(full), authors=problem["output"])
    shape = reduced(problem["input"], elements)
    if shape != full.shape:
        report.count("batch or channels reduced")
    base = full.with_(shape=shape)
    # With this axis, indices count within a plane. So they do not depend on the number of
    # channels.
    yield base.with_(index_type="i64", axis=INDEX_AXIS)
    for divisor in ("valid", "padded", "kernel"):
        average = base.with_(op="avg_pool", divisor=divisor)
        if rules.is_ill_defined(average):
            refused = pool_opt(average.function("f", rules.output_shape(full.with_(shape=shape))))
            report.expect(refused.returncode == 1 and "error:" in refused.stderr,
                          "an ill-defined average is accepted", str(average))
            report.count("ill-defined average: refused when static, NaN when dynamic")
            average = average.with_(dynamic=tuple(average.spatial_dims))
        yield average
    for element_type in ("f16", "bf16"):
        yield base.with_(op="avg_pool", divisor="kernel", element_type=element_type)


def interpreted_part(case):
    """Returns the (batches, channels) of the case that the interpreter runs."""
    outputs = rules.product(dim.output for dim in rules.resolve_at_run_time(case))
    planes = max(1, INTERPRETED_POSITIONS // (outputs * rules.product(case.kernel)))
    channels = min(case.shape[1], planes)
    return max(1, min(case.shape[0], planes // channels)), channels


def check_interpreter(jobs, directory, report):
    """Compares the interpreter on a part of each job with the oracle's part."""
    parts = []
    for job in jobs:
        batches, channels = interpreted_part(job.case)
        x = np.ascontiguousarray(job.x[:batches, :channels])
        part = Job(job.case.with_(shape=x.shape), job.kind, x)
        part.truth = part_of(job.truth, batches, channels)
        parts.append(part)
    run_jobs(parts, ["--path=reference"], directory, report, "reference")
    for part in parts:
        check.check_job(part, report)


def part_of(truth, batches, channels):
    """Returns the oracle's answer for the first batches and channels."""
    changes = {}
    for name, array in vars(truth).items():
        if isinstance(array, np.ndarray):
            changes[name] = array[:batches, :channels]
        else:
            changes[name] = array
    return type(truth)(**changes)


def run_chunk(problems, seed, elements):
    """Runs some problems in a process of its own."""
    rng = np.random.default_rng(seed)
    report = Report("onednn")
    jobs = []
    for problem in problems:
        report.count(f"problems of set {problem['set']}")
        if any(max(pads) >= k for k, *pads in zip(
                problem["kernel"], problem["pads_begin"], problem["pads_end"])):
            report.count("problems with a pad >= kernel")
        for case in cases_of(problem, elements, report):
            x = rng.standard_normal(case.shape, dtype=np.float32)
            if case.op == "max_pool":
                # Round coarsely, so that maxima have ties.
                x = np.round(x * 4) / 4
            x = x.astype(case.dtype)
            job = Job(case, "ordinary", x)
            job.truth = fast_oracle.run(case, x)
            jobs.append(job)
    with tempfile.TemporaryDirectory() as directory:
        for path in ("vector", "linalg", "affine"):
            run_jobs(jobs, [f"--path={path}", "-O2"], directory, report, path)
        check_interpreter(jobs, directory, report)
    check.ask_peers(jobs, report)
    for job in jobs:
        check.check_job(job, report)
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--elements", type=int, default=500_000)
    parser.add_argument("--problems", type=int, default=tier.size(None, 16, 3),
                        help="number of cases (default: all)")
    parser.add_argument("--seed", type=int, default=tier.seed(11))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    problems = json.loads(DATA.read_text())["problems"]
    report = Report("onednn")
    report.expect(len(problems) == 171, "the file has another number of problems")
    problems = tier.sample(problems, options.problems)
    chunks = [problems[i::-(-len(problems) // PROBLEMS_PER_CHUNK)]
              for i in range(-(-len(problems) // PROBLEMS_PER_CHUNK))]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        seeds = [[options.seed, i] for i in range(len(chunks))]
        for part in pool.map(run_chunk, chunks, seeds, [options.elements] * len(chunks)):
            report.merge(part)
    report.require_counted("linalg: compared with the oracle",
                           "reference: compared with the oracle")
    operations = len(problems) * 6
    for path in ("vector", "linalg", "affine", "reference"):
        report.expect(report.counts[f"{path}: compared with the oracle"] == operations,
                      f"{path}: some operation was not compared")
    return report.finish()


if __name__ == "__main__":
    main(run)
