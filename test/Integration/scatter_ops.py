# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""max_unpool and the gradients must compute NumPy's definition, and gradients must be the
derivatives of the forward operations.

Random problems have random type, layout and axis, with static, dynamic and mixed extents. They
run on path=vector between guard pages, on path=linalg, and in the interpreter. Unpooling must
equal the NumPy definition. Gradients must lie within the bound of pooltest/compare.py. Forward
operations in f64 are differentiated numerically: one batch holds all perturbed inputs. Indices
out of bounds run between guard pages: with run-time checks off, the code must skip them; with
checks on, it must reject the call.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import multiprocessing
import tempfile

import numpy as np

from pooltest import compare, generators, rules, scatter, tier
from pooltest.case import NUMPY_TYPES, tensor_type
from pooltest.report import Report, main
from pooltest.tools import Batch

CASES_PER_MODULE = 120
REFUSAL = "an index is negative or not below the number of positions"


def any_type(rng):
    return generators.pick(rng, tuple(NUMPY_TYPES))


def any_float(rng):
    return generators.pick(rng, scatter.FLOATS)


RANDOM = (
    lambda rng: scatter.random_unpool(rng, any_type(rng)),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng)),
    lambda rng: scatter.random_avg_pool_grad(rng, any_float(rng)),
    lambda rng: scatter.random_block_unpool(rng, any_type(rng)),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng), blocks=True),
    lambda rng: scatter.random_avg_pool_grad(rng, any_float(rng), wide=True),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng), op="min_pool"),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng), windows=True),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng), op="min_pool", windows=True),
)
HOSTILE = (
    lambda rng: scatter.random_unpool(rng, any_type(rng), True),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng), True),
    lambda rng: scatter.random_block_unpool(rng, any_type(rng), True),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng), True, blocks=True),
    lambda rng: scatter.random_max_pool_grad(rng, any_float(rng), True, windows=True),
)


def batch_of(directory, problems):
    batch = Batch(directory)
    for number, problem in enumerate(problems):
        batch.add(f"f{number}", problem.text.replace("@f(", f"@f{number}("),
                  problem.inputs, [problem.dtype])
    return batch


def check(report, problem, path, arrays):
    title = f"{path}: {problem.op}"
    if not report.expect(arrays is not None, f"{title}: no output", problem.text,
                         inputs=[i.tolist() for i in problem.inputs]):
        return
    actual, truth = arrays[0], problem.truth
    good = compare.same_shape_and_type(actual, problem.shape, problem.dtype)
    expected = truth
    if good and isinstance(truth, np.ndarray):
        good = compare.same_values(actual, truth).all()
    elif good:
        expected = truth.exact
        good = compare.are_averages(actual, truth, problem.case).all()
    report.expect(good, title, problem.text, inputs=[i.tolist() for i in problem.inputs],
                  expected=expected, actual=actual)
    report.count(f"{path}: {problem.op} compared with the definition")


def run_random(report, rng, chunk, count, directory):
    problems = []
    for number in range(count):
        problems.append(RANDOM[number % len(RANDOM)](rng))
    for problem in problems:
        for note in problem.notes:
            report.count(f"{problem.op}: {note}")
    level = "-O3" if chunk % 8 == 0 else "-O0"
    guard = f"--guard-pages={('begin', 'end')[chunk % 2]}"
    for path, options in (("vector", [level, guard]), ("linalg", [level]), ("reference", [])):
        outputs, process = batch_of(f"{directory}/{path}", problems).run("--path", path, *options)
        report.expect(process.returncode == 0, f"pool-run --path {path}", process.stderr[:3000])
        for problem, arrays in zip(problems, outputs):
            check(report, problem, path, arrays)


def run_hostile(report, rng, count, directory):
    """Checks that indices out of bounds write nothing outside the tensor, and that run-time
    checks reject them."""
    problems = []
    for number in range(count):
        problem = HOSTILE[number % len(HOSTILE)](rng)
        if problem.inputs[0].size:
            problems.append(problem)
    for side in ("begin", "end"):
        outputs, process = batch_of(f"{directory}/{side}", problems).run(
            "--runtime-checks=false", f"--guard-pages={side}", "-O0")
        report.expect(process.returncode == 0, f"guard pages at the {side}", process.stderr[:3000])
        for problem, arrays in zip(problems, outputs):
            check(report, problem, f"hostile, guard at the {side}", arrays)
    for path in ("vector", "linalg", "reference"):
        outputs, process = batch_of(f"{directory}/{path}", problems).run("--path", path)
        report.expect(process.returncode == 1, f"{path}: hostile indices are not refused")
        report.expect(all(arrays is None for arrays in outputs), f"{path}: a hostile index ran")
        refused = process.stderr.count(REFUSAL if path != "reference" else " op the index at [")
        report.expect(refused == len(problems), f"{path}: {refused} of {len(problems)} refused",
                      process.stderr[:3000])
        report.count(f"{path}: hostile indices refused", refused)


# Finite differences

def difference_case(rng, op):
    while True:
        case = generators.random_legal(rng, op, "f64", max_output=60, index_type=None,
                                       pad_value="neg_inf", divisor_override=None)
        case = case.with_(shape=(1, *case.shape[1:]))
        if 0 < rules.product(case.shape) <= 60:
            return case


def difference_problem(rng, op, report):
    """Sets up the gradient of sum(w * pool(x)) by central differences. Returns the
    forward text, a batch of perturbed inputs, and the backward problem. Elements differ by
    more than the step, so a step does not change which element is the maximum. Therefore the
    quotient of a maximum is exact."""
    case = difference_case(rng, op)
    size = rules.product(case.shape)
    x = rng.permutation(size).astype(np.float64).reshape(case.shape)
    step = 0.25
    perturbed = np.repeat(x, 2 * size, axis=0)
    for position in range(size):
        perturbed[2 * position].reshape(-1)[position] += step
        perturbed[2 * position + 1].reshape(-1)[position] -= step
    many = case.with_(shape=perturbed.shape)
    shape = rules.output_shape(case)
    weights = rng.integers(-8, 9, shape).astype(np.float64)
    operands = [("%g", tensor_type(shape, "f64"), weights)]
    if op == "max_pool":
        operands.insert(0, ("%x", case.input_type(), x))
    backward = scatter.function(f"{op}_grad", operands, case.properties(), case.input_type())
    report.count(f"finite differences: {op}, {case.num_spatial}-D")
    if any(d != 1 for d in case.dilations or ()):
        report.count(f"finite differences: {op}, dilated")
    return (case, many.function("f", rules.output_shape(many)), perturbed, weights, step,
            backward, [o[2] for o in operands])


def run_differences(report, rng, count, directory):
    problems = [difference_problem(rng, ("max_pool", "avg_pool")[number % 2], report)
                for number in range(count)]
    batch = Batch(directory)
    for number, (_, forward, perturbed, _, _, backward, operands) in enumerate(problems):
        batch.add(f"f{number}", forward.replace("@f(", f"@f{number}("), [perturbed],
                  [np.dtype(np.float64)])
        batch.add(f"b{number}", backward.replace("@f(", f"@b{number}("), operands,
                  [np.dtype(np.float64)])
    outputs, process = batch.run("-O0")
    report.expect(process.returncode == 0, "finite differences", process.stderr[:3000])
    for number, (case, forward, _, weights, step, backward, operands) in enumerate(problems):
        values, grad = outputs[2 * number], outputs[2 * number + 1]
        if not report.expect(values is not None and grad is not None, "no output", backward):
            continue
        # A window of only padding gives -inf, whatever the input. Count it as 0, so that the
        # differences are finite.
        finite = np.where(np.isfinite(values[0]), values[0], 0.0)
        losses = (finite * weights).reshape(finite.shape[0], -1).sum(axis=1)
        quotient = ((losses[0::2] - losses[1::2]) / (2 * step)).reshape(case.shape)
        tolerance = 0 if case.op == "max_pool" else 1e-9
        report.expect((np.abs(quotient - grad[0]) <= tolerance).all(),
                      f"finite differences of {case.op}", forward + backward,
                      inputs=[o.tolist() for o in operands], expected=quotient, actual=grad[0])
        report.count(f"finite differences: {case.op} compared")


def run_chunk(seed, chunk, cases, hostile, differences):
    """Runs a share of all problems in a process of its own."""
    rng = np.random.default_rng([seed, chunk])
    report = Report("scatter_ops")
    with tempfile.TemporaryDirectory() as directory:
        run_random(report, rng, chunk, cases, f"{directory}/random")
        run_hostile(report, rng, hostile, f"{directory}/hostile")
        run_differences(report, rng, differences, f"{directory}/differences")
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(3000, 200, 30))
    parser.add_argument("--differences", type=int, default=tier.size(2000, 120, 20))
    parser.add_argument("--seed", type=int, default=tier.seed(9))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chunks = -(-options.cases // CASES_PER_MODULE)
    report = Report("scatter_ops")
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for part in pool.map(run_chunk, [options.seed] * chunks, range(chunks),
                             [-(-options.cases // chunks)] * chunks, [12] * chunks,
                             [-(-options.differences // chunks)] * chunks):
            report.merge(part)
    ops = ("max_unpool", "max_pool_grad", "min_pool_grad", "avg_pool_grad")
    report.require_counted(
        *(f"{path}: {op} compared with the definition" for path in ("vector", "linalg", "reference")
          for op in ops),
        *(f"{op}: {note}" for op in ops for note in ("dynamic extents", "static extents")),
        *(f"max_unpool: element type {t}" for t in NUMPY_TYPES),
        *(f"{op}: element type {t}" for op in ops[1:] for t in scatter.FLOATS),
        *(f"{path}: hostile indices refused" for path in ("vector", "linalg", "reference")),
        *(f"finite differences: {op} compared" for op in ("max_pool", "avg_pool")),
        "max_unpool: a position named twice", "max_unpool: blocks",
        "max_unpool: blocks, some indices of others", "max_pool_grad: blocks",
        "max_pool_grad: windows", "max_pool_grad: windows, some indices of others",
        "avg_pool_grad: wide", "avg_pool_grad: strides of many elements",
        "avg_pool_grad: strides and dilations",
        "avg_pool_grad: more than four windows over an element",
        "avg_pool_grad: more windows over an element than lanes",
        "max_pool_grad: indices recomputed",
        "max_pool_grad: windows of padding alone, with indices",
        "avg_pool_grad: windows that count nothing")
    return report.finish()


if __name__ == "__main__":
    main(run)
