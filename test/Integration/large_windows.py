# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Windows so large that columns are reduced in blocks or through a buffer of rows must give the
same results as on path=linalg.

Random windows have 13 to 70 rows. Rows of the input range from narrower than a window to so wide
that they are split. Extents are known or unknown, and inputs are planes or volumes. The vector
path runs between unreadable pages, on two threads, and with vectors of other lengths. Its results
are compared with path=linalg, and some windows with the definition. Elements are small integers,
whose sums are exact, and in some cases NaN, infinities and -0. Extrema and averages of integers
must be equal; averages and norms of floats must lie within four units in the last place.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import tempfile

import numpy as np

from pooltest import spots, tier
from pooltest.case import FLOAT_TYPES, NUMPY_TYPES, Case
from pooltest.compare import same_values
from pooltest.report import Report, main
from pooltest.rules import resolve
from pooltest.tools import Batch, tool
from pooltest.tools import run as run_tool

TYPES = {"max_pool": ("f32", "i8", "f16", "f64", "bf16", "i32", "ui8"),
         "min_pool": ("f32", "i8", "f16", "f64", "bf16", "i32", "ui8"),
         "avg_pool": ("f32", "f64", "f16", "i8", "si16"), "lp_pool": ("f32", "f64")}
VECTOR = (["--guard-pages=begin"], ["--guard-pages=end"], ["--threads=2"])
VECTOR_BITS = (128, 256)
ALLOWED_ULPS = 4


def random_case(rng, number):
    """Returns a random case, or None if its output would be empty."""
    def pick(low, high):
        return int(rng.integers(low, high + 1))

    op = ("max_pool", "avg_pool", ("max_pool", "min_pool")[number // 4 % 2],
          "lp_pool")[number % 4]
    kernel = (pick(13, 50), pick(1, 60))
    # Every third window may also have strides and dilated rows, to which van Herk's blocks
    # do not apply.
    strides, dilations = (1, 1), (1, 1 if pick(0, 2) else pick(2, 3))
    if number % 3 == 2:
        kernel = (pick(13, 70), kernel[1])
        strides = (pick(1, 6), pick(1, 3))
        dilations = (1 if pick(0, 2) else 2, dilations[1])
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    begin, end = ([pick(0, span - 1) for span in spans] for _ in range(2))
    is_wide, is_volume = number % 8 == 0, number % 6 == 1
    room = (5, 1200) if is_wide else (20, 60) if is_volume else (80, 200)
    shape = [pick(max(span - pad, 1), span + more) for span, pad, more in zip(spans, begin, room)]
    if is_volume:
        depth = pick(1, 3)
        kernel, strides, dilations = (depth,) + kernel, (1,) + strides, (1,) + dilations
        begin, end, shape = [depth - 1] + begin, [0] + end, [pick(1, depth + 2)] + shape
    rank = 2 + len(shape)
    dynamic = ((), tuple(range(rank)), (rank - 1,), (rank - 2,))[number % 5 % 4]
    modes = {}
    if op in ("max_pool", "min_pool"):
        modes = {"nan_mode": ("ignore", "propagate")[pick(0, 1)]}
        if number % 8 == 2:
            modes["index_type"] = "i64"
        else:
            modes["pad_value"] = ("neg_inf", "neg_inf", "zero")[pick(0, 2)]
    case = Case(op, (1, 2, *shape), kernel, TYPES[op][pick(0, len(TYPES[op]) - 1)], strides,
                dilations, begin, end, dynamic=dynamic, **modes)
    return case if all(dim.output > 0 for dim in resolve(case)) else None


def random_input(rng, case, number):
    low = 0 if case.element_type.startswith("u") else -50
    x = rng.integers(low, 50, case.shape).astype(case.dtype)
    if case.element_type in FLOAT_TYPES and number % 2:
        for value in (np.nan, -np.inf, np.inf, -0.0):
            x[rng.random(case.shape) < 0.01] = value
        # Some windows contain only NaN or -inf.
        x[0, 0, ..., : x.shape[-1] // 2] = (np.nan, -np.inf)[number // 2 % 2]
    return x


def right(case, outputs, expected):
    if outputs is None or expected is None or not spots.shape_and_type(case, outputs):
        return False
    for output, other in zip(outputs, expected):
        same = same_values(output, other)
        if not case.is_extremum and case.element_type in FLOAT_TYPES:
            tolerance = ALLOWED_ULPS * float(np.finfo(NUMPY_TYPES[case.element_type]).eps)
            same |= np.isclose(output.astype(np.float64), other.astype(np.float64),
                               rtol=tolerance, atol=0)
        if not same.all():
            return False
    return True


def check_spots(report, how, cases, inputs, outputs):
    """Compares some windows of each case with the definition."""
    for number, (case, x, arrays) in enumerate(zip(cases, inputs, outputs)):
        good = arrays is not None and spots.shape_and_type(case, arrays) and spots.right(
            case, x, arrays, np.random.default_rng(number), planes=1, count=8)
        report.expect(good, f"{how}: the definition differs: {case}")
        report.count(f"{how}: compared with the definition")


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=tier.size(24, 12, 3))
    parser.add_argument("--seed", type=int, default=tier.seed(1))
    options = parser.parse_args()
    report = Report("large windows")
    rng = np.random.default_rng(options.seed)
    # Begin with a window for which LLVM's search for idioms, if it ran, would take a time
    # exponential in the number of columns: see getPasses() in lib/ExecutionEngine/Lowering.cpp.
    cases = [Case("max_pool", (1, 2, 64, 64), (32, 32))]
    while len(cases) < options.cases:
        case = random_case(rng, len(cases))
        if case:
            cases.append(case)
    with tempfile.TemporaryDirectory() as directory:
        batch, inputs = Batch(directory), []
        for i, case in enumerate(cases):
            output = case.shape[:2] + tuple(dim.output for dim in resolve(case))
            text = case.function(f"f{i}", case.dynamic_output_shape(output), pretty=True)
            inputs.append(random_input(rng, case, i))
            batch.add(f"f{i}", text, inputs[-1:],
                      [case.dtype] + [np.int64] * bool(case.index_type))
        expected, process = batch.run("--path=linalg", "-O2")
        report.expect(process.returncode == 0, "path=linalg", stderr=process.stderr[:2000])
        check_spots(report, "path=linalg", cases, inputs, expected)

        def compare(how, *arguments):
            outputs, process = batch.run("-O1", *arguments)
            report.expect(process.returncode == 0, how, stderr=process.stderr[:2000])
            for case, output, other in zip(cases, outputs, expected):
                report.expect(right(case, output, other), f"{how}: {case}")
                report.count(f"{how}: {case.op}")
            check_spots(report, how, cases, inputs, outputs)

        for arguments in VECTOR:
            compare(f"path=vector {arguments[0]}", "--path=vector", *arguments)
        texts = "\n".join(batch.texts)
        for bits in VECTOR_BITS:
            how = f"vector-bits={bits}"
            process = run_tool([tool("pool-opt"), f"--convert-pool-to-vector={how}"], stdin=texts)
            report.expect(process.returncode == 0, how, stderr=process.stderr[:2000])
            batch.texts = [process.stdout]
            compare(how, "--path=linalg", "--guard-pages=end")
    return report.finish()


main(run)
