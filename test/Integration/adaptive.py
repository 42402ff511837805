# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Adaptive pooling, compiled on every lowering path (vector, linalg, affine), must give the
results of NumPy and OpenVINO.

Random cases have 1 to 3 spatial dimensions and static or dynamic extents. Element type, layout,
axis, index type, NaN mode, rounding and zero points are random, too. Maxima, indices and integers
must be equal; float averages must lie within the bound of pooltest/compare.py. Some cases run
with guard pages. OpenVINO's AdaptiveAvgPool-8 and AdaptiveMaxPool-8 run the cases that they
support; the report counts the others with the reason. Calls that only run time can reject must be
rejected on every path.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import multiprocessing
import re
import tempfile

import numpy as np

from pooltest import adaptive, compare, openvino_adaptive, oracle, rules, tier
from pooltest.case import NUMPY_TYPES
from pooltest.report import Report, main
from pooltest.tools import Batch

CASES_PER_MODULE = 125
PATHS = {"vector": ["-O0"], "linalg": ["-O0"], "affine": ["-O0"], "reference": []}


def title_of(source, problem):
    return f"{source}: adaptive_{problem.case.op} {problem.case} to {problem.size}"


def check(report, problem, path, arrays):
    title, text = title_of(path, problem), problem.text("f")
    if not report.expect(arrays is not None, f"{title}: no output", text):
        return
    values, expected = arrays[0], problem.values
    good = compare.same_shape_and_type(values, problem.shape, problem.case.dtype)
    if isinstance(expected, oracle.Averages):
        good = good and compare.are_averages(values, expected, problem.case).all()
        expected = expected.exact
    else:
        good = good and compare.same_values(values, expected).all()
    report.expect(good, title, text, data=problem.x.tolist(), expected=expected, actual=values)
    if problem.indices is not None:
        report.expect(compare.same_shape_and_type(arrays[1], problem.shape, problem.indices.dtype)
                      and np.array_equal(arrays[1], problem.indices), f"{title}: indices", text,
                      data=problem.x.tolist(), expected=problem.indices, actual=arrays[1])
    report.count(f"{path}: compared with the definition")


def check_peer(report, problem, answer):
    """Compares OpenVINO with the definition."""
    case, (values, indices) = problem.case, answer
    expected = problem.values
    difference = np.zeros(problem.shape, bool)
    if isinstance(expected, oracle.Averages):
        narrowed = case.with_(element_type="f32") if case.element_type == "f64" else case
        good = compare.are_averages(values, expected, narrowed)
        expected = expected.exact
    else:
        good = compare.same_values(values, expected.astype(values.dtype))
        if case.op == "avg_pool":
            # OpenVINO multiplies by a rounded reciprocal, so it may round an average halfway
            # between two integers in the other direction.
            difference = ~good & is_half(problem) & (
                np.abs(values.astype(np.int64) - expected.astype(np.int64)) == 1)
    report.difference("OpenVINO: half of an integer average rounded the other way",
                      int(difference.sum()))
    report.expect((good | difference).all(), title_of("OpenVINO", problem), problem.text("f"),
                  data=problem.x.tolist(), expected=expected, actual=values)
    if indices is not None:
        report.expect(np.array_equal(indices, problem.indices),
                      f"{title_of('OpenVINO', problem)}: indices", problem.text("f"),
                      data=problem.x.tolist(), expected=problem.indices, actual=indices)
    report.count(f"OpenVINO compared: adaptive_{case.op} {case.element_type}")


def is_half(problem):
    """True where the exact average of integers lies halfway between two of them."""
    half = np.zeros(problem.shape, bool)
    for target, sources in problem.windows():
        total = sum(int(problem.x[s]) for s in sources)
        half[target] = 2 * total % len(sources) == 0 and total % len(sources) != 0
    return half


def ask_openvino(report, problems):
    asked = []
    for problem in problems:
        reason = openvino_adaptive.why_not(problem)
        if reason:
            report.count(f"OpenVINO not asked: {reason}")
        else:
            asked.append(problem)
    for problem, answer in zip(asked, openvino_adaptive.evaluate(asked)):
        check_peer(report, problem, answer)


def count(report, problem):
    case = problem.case
    spatial = [case.shape[d] for d in case.spatial_dims]
    notes = [f"adaptive_{case.op}", f"{case.num_spatial}-D", case.element_type, case.layout,
             f"data: {problem.kind}", "dynamic" if case.dynamic else "static",
             "global" if set(problem.size) == {1} else "not global"]
    if spatial[-1] > 30:
        notes.append("wide rows")
    if any(o > i for i, o in zip(spatial, problem.size)):
        notes.append("more outputs than inputs")
    if all(i % o == 0 for i, o in zip(spatial, problem.size)):
        notes.append("regular")
    if problem.indices is not None:
        notes.append(f"indices {case.index_type}, axis {case.axis % case.rank}")
    for note in notes:
        report.count(f"case: {note}")


# Errors that can be found only at run time

def refused_calls():
    """Yields (case, output_size, [(shape, text of the message, or None if accepted)])."""
    largest = np.iinfo(np.int64).max // 3
    bound = rules.I32_INDEX_BOUND
    for op, layout in (("avg_pool", "channels_first"), ("max_pool", "channels_last")):
        case = adaptive.adaptive_case(op, (1, 1, 1, 1), layout, element_type="i8",
                                      dynamic=(0, 1, 2, 3))
        channels, first = case.channel_dim, case.spatial_dims[0]

        def shape(extents, rank=case.rank):
            return tuple(extents.get(d, 1) for d in range(rank))
        yield case, (3, 1), [
            (shape({}), None), (shape({0: 0}), None),
            (shape({channels: 0}), f"dimension {channels}"),
            (shape({first: 0}), f"dimension {first}"),
            (shape({first + 1: 0}), f"dimension {first + 1}"),
            (shape({0: 0, first: largest}), None),
            (shape({0: 0, first: largest + 1}), f"dimension {first}")]
    for size in ((1,), (3,)):
        case = adaptive.adaptive_case("max_pool", (1, 1, 1), "channels_first", element_type="i8",
                                      index_type="i32", axis=1, dynamic=(0, 1, 2))
        yield case, size, [((0, 1, bound), None), ((0, 1, bound + 1), "axis 1"),
                           ((0, 3, bound // 2), "axis 1")]


def check_refusals(report, directory):
    batch, expected = Batch(directory), []
    for number, (case, size, calls) in enumerate(refused_calls()):
        shape = [None] * case.rank
        for d, outputs in zip(case.spatial_dims, size):
            shape[d] = outputs
        text = adaptive.function(f"f{number}", case, size, shape)
        types = [case.dtype] + ([np.dtype(np.int32)] if case.index_type else [])
        for i, (extents, refusal) in enumerate(calls):
            # Broadcasting makes an array of huge extents from one element in memory.
            x = np.broadcast_to(np.zeros((), case.dtype), extents)
            batch.add(f"f{number}", "" if i else text, [x], types)
            expected.append((case, extents, refusal))
    for path in PATHS:
        outputs, process = batch.run(f"--path={path}", *PATHS[path])
        said, block = {}, ""
        for line in process.stderr.splitlines():
            block += line
            found = re.search(r"runs\.txt:(\d+): ", line)
            if found:
                said[int(found.group(1))], block = block, ""
        for line, (arrays, (case, extents, refusal)) in enumerate(zip(outputs, expected), 1):
            message = said.get(line, "")
            if refusal is None:
                report.expect(arrays is not None, f"{path}: {extents} is refused", str(case),
                              message=message)
                report.count(f"{path}: legal extents accepted")
            else:
                report.expect(arrays is None and f"adaptive_{case.op}" in message
                              and re.search(rf"\b{refusal}\b", message),
                              f"{path}: {extents} is not refused by {refusal}", str(case),
                              message=message)
                report.count(f"{path}: refused at run time")


def run_chunk(seed, chunk, number):
    """Runs a share of the cases in a process of its own."""
    rng = np.random.default_rng([seed, chunk])
    report = Report("adaptive")
    problems = [adaptive.random_problem(rng) for _ in range(number)]
    for problem in problems:
        count(report, problem)
    level = "-O3" if chunk % 8 == 0 else "-O0"
    guard = ("none", "begin", "end")[chunk % 3]
    report.count(f"guard pages: {guard}", number)
    for path, options in PATHS.items():
        if path != "reference":
            options = [level, f"--guard-pages={guard}"]
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for i, problem in enumerate(problems):
                batch.add(f"f{i}", problem.text(f"f{i}"), [problem.x], problem.types())
            outputs, process = batch.run("--path", path, *options)
        report.expect(process.returncode == 0, f"pool-run --path {path}", process.stderr[:3000])
        for problem, arrays in zip(problems, outputs):
            check(report, problem, path, arrays)
    ask_openvino(report, problems)
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(2000, 500, 20))
    parser.add_argument("--seed", type=int, default=tier.seed(13))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    report = Report("adaptive")
    counts = [min(CASES_PER_MODULE, options.cases - start)
              for start in range(0, options.cases, CASES_PER_MODULE)]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for part in pool.map(run_chunk, [options.seed] * len(counts), range(len(counts)), counts):
            report.merge(part)
    with tempfile.TemporaryDirectory() as directory:
        check_refusals(report, directory)
    report.require_counted(
        *(f"case: {note}" for note in (*NUMPY_TYPES, "global", "regular", "dynamic", "static",
                                       "wide rows", "more outputs than inputs")),
        *(f"guard pages: {side}" for side in ("begin", "end")),
        *(f"{path}: {what}" for path in PATHS
          for what in ("legal extents accepted", "refused at run time")))
    for path in PATHS:
        report.expect(report.counts[f"{path}: compared with the definition"] == options.cases,
                      f"{path}: some case was not compared")
    spoken_for = sum(number for key, number in report.counts.items()
                     if key.startswith(("OpenVINO compared", "OpenVINO not asked")))
    report.expect(spoken_for == options.cases, "OpenVINO: some case was dropped")
    return report.finish()


if __name__ == "__main__":
    main(run)
