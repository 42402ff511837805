# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Windows on buffers must compute the same results as operations on tensors.

Random maxima, averages and norms are decomposed, and upstream bufferises them.
`convert-pool-to-loops`, or `convert-pool-to-affine` in either order of loops, lowers them. The
resulting functions are called on every second element of larger arrays, so that no stride is one.
Their results must equal the oracle's; float sums must lie within the bound of
pooltest/compare.py. They must also be bit-equal to path=linalg, which pads its input.

`convert-pool-to-vector` lowers only rows of several vectors with adjacent elements. The test
checks that each such row becomes vectors. Float sums of vectors may differ from path=linalg,
because they add in another order.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import tempfile

import numpy as np

from pooltest import compare, fast_oracle, generators, rules, tier
from pooltest.case import tensor_type
from pooltest.check import Job, check_job
from pooltest.modules import run_jobs
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt
from pooltest.vectors import VECTOR

# Each conversion runs a share of the cases.
CONVERSIONS = ("--convert-pool-to-loops", "--convert-pool-to-affine",
               "--convert-pool-to-affine=by-rows")
OPS = ("max_pool", "avg_pool", "lp_pool")


def wide_rows(rng, case):
    """Returns the case with a last dimension (columns or channels) of several vectors."""
    shape = case.shape[:-1] + (generators.integer(rng, 40, 200),)
    return case.with_(shape=(1, *shape[1:]))


def random_job(rng, number, is_wide=False):
    op = OPS[number % len(OPS)]
    while True:
        element_type = (generators.pick(rng, ("f16", "bf16", "f32", "f64")) if op == "lp_pool"
                        else generators.element_type(rng))
        case = generators.random_legal(rng, op, element_type)
        case = wide_rows(rng, case) if is_wide else case
        try:
            rules.resolve(case)
            break
        except rules.Refused:
            continue
    if number % 2 == 0:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    job = Job(case, kind, generators.data(rng, case, kind))
    job.truth = fast_oracle.run(case, job.x)
    return job


def scatter(x, step):
    """Returns a larger array that holds `x` from index 1 of each dimension on: at every
    `step`th element of the last dimension, and at every second element of the others."""
    big = np.full([2 * extent + 1 for extent in x.shape], 77, x.dtype)
    last = slice(1, 1 + step * x.shape[-1], step)
    big[(*(slice(1, None, 2) for _ in x.shape[1:]), last)] = x
    return big


def wrapper(job, number, results, step):
    """Returns the text of a function on tensors. This function takes a strided view of its
    argument and passes the view to the function on buffers."""
    case, rank = job.case, job.case.rank
    element = case.element_type
    big = tensor_type([None] * rank, element)
    view = case.input_type().replace("tensor", "memref")[:-1]
    sizes, lines = [], []
    for d, extent in enumerate(case.shape):
        if d not in case.dynamic:
            sizes.append(str(extent))
            continue
        lines += [f"%i{d} = arith.constant {d} : index",
                  f"%b{d} = memref.dim %m, %i{d} : {big.replace('tensor', 'memref')}",
                  f"%d{d} = arith.divui %b{d}, %two : index"]
        sizes.append(f"%d{d}")
    steps = ["2"] * (rank - 1) + [str(step)]
    strided = f"{view}, strided<[{', '.join(['?'] * (rank - 1) + [str(step)])}], offset: ?>>"
    anywhere = f"{view}, strided<[{', '.join(['?'] * rank)}], offset: ?>>"
    # With step 1, the type also says that the elements of a row are adjacent.
    anywhere = strided if step == 1 else anywhere
    tensors = [re.sub(r", strided<.*", ">", result).replace("memref", "tensor")
               for result in results]
    names = [f"%r#{i}" if len(results) > 1 else "%r" for i in range(len(results))]
    count = f":{len(results)}" if len(results) > 1 else ""
    body = [f"%m = bufferization.to_buffer %x read_only : {big} to {big.replace('tensor', 'memref')}",
            "%two = arith.constant 2 : index", *lines,
            f"%v = memref.subview %m[{', '.join('1' * rank)}] [{', '.join(sizes)}] "
            f"[{', '.join(steps)}] : {big.replace('tensor', 'memref')} to {strided}",
            f"%a = memref.cast %v : {strided} to {anywhere}",
            f"%r{count} = func.call @g{number}(%a) : ({anywhere}) -> ({', '.join(results)})"]
    body += [f"%t{i} = bufferization.to_tensor {name} restrict : {result} to {tensor}"
             for i, (name, result, tensor) in enumerate(zip(names, results, tensors))]
    values = ", ".join(f"%t{i}" for i in range(len(results)))
    body.append(f"return {values} : {', '.join(tensors)}")
    return (f"func.func @f{number}(%x: {big}) -> ({', '.join(tensors)}) {{\n  "
            + "\n  ".join(body) + "\n}\n")


def lower(jobs, report, step, conversion):
    """Returns the functions @g0, ... on buffers, and for each a function on tensors that calls
    it."""
    text = "\n".join(job.text(f"g{number}") for number, job in enumerate(jobs))
    process = pool_opt(text, "--pool-decompose",
                       "--one-shot-bufferize=bufferize-function-boundaries",
                       *(() if step == 1 else (conversion,)))
    if step == 1 and process.returncode == 0:
        # Bufferisation leaves the innermost stride unknown. The vector path requires 1, so
        # the test writes 1.
        process = pool_opt(process.stdout.replace("?], offset: ?>", "1], offset: ?>"),
                           "--convert-pool-to-vector", "--convert-pool-to-loops")
    module = process.stdout
    if not report.expect(process.returncode == 0 and "pool." not in module and "pad" not in module,
                         "lowering on buffers", text, stderr=process.stderr[:2000]):
        return None
    wrappers = []
    for number, job in enumerate(jobs):
        results = re.search(rf"func\.func @g{number}\(.*?\) -> (.*) {{\n", module).group(1)
        results = re.findall(r"memref<(?:[^<>]|<[^<>]*>)*>", results)
        wrappers.append(wrapper(job, number, results, step))
        if step == 1:
            body = module.split(f"func.func @g{number}(")[1].split("func.func @g")[0]
            report.expect(VECTOR.search(body), "rows side by side do not become vectors",
                          job.text(), lowered=body)
            report.count("lowered to vectors")
    module = module.replace("func.func @g", "func.func private @g").rstrip()
    assert module.endswith("}"), "the module's closing brace"
    return module[:-1] + "\n".join(wrappers) + "}\n"


def run_chunk(rng, count, report, step, conversion=None):
    """Runs `count` cases. With a step of 2, `conversion` lowers them. With a step of 1, they
    have wide rows, and convert-pool-to-vector lowers them."""
    jobs = [random_job(rng, number, step == 1) for number in range(count)]
    module = lower(jobs, report, step, conversion)
    with tempfile.TemporaryDirectory() as directory:
        run_jobs(jobs, ["--path=reference"], directory, report, "reference")
        run_jobs(jobs, ["--path=linalg", "-O0"], directory, report, "linalg")
        if module is None:
            return
        batch = Batch(directory, "buffers")
        batch.texts.append(module)
        for number, job in enumerate(jobs):
            batch.add(f"f{number}", "", [scatter(job.x, step)], job.results())
        outputs, process = batch.run("-O3" if step == 1 else "-O0")
        report.expect(process.returncode == 0, "pool-run on buffers", module,
                      stderr=process.stderr[:2000])
    for job, arrays in zip(jobs, outputs):
        job.answers["buffers"] = arrays
        padded = job.answers["linalg"]
        equal = arrays is not None and padded is not None and all(
            compare.same_arrays(a, b) for a, b in zip(arrays, padded))
        # The vector path adds floats in another order, so its sums need not be bit-equal.
        if step != 1 or not job.case.is_float or job.case.is_extremum:
            report.expect(equal, "buffers and linalg differ", job.text(), data=job.x.tolist(),
                          buffers=arrays, linalg=padded)
        check_job(job, report)
        report.count(f"buffers: {job.case.op} {job.case.element_type}")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(600, 120, 30))
    parser.add_argument("--rows", type=int, default=tier.size(300, 60, 12),
                        help="cases of wide rows whose elements are adjacent")
    parser.add_argument("--seed", type=int, default=tier.seed(19))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("buffers")
    for conversion in CONVERSIONS:
        share = options.cases // len(CONVERSIONS)
        for start in range(0, share, 60):
            run_chunk(rng, min(60, share - start), report, 2, conversion)
        report.count(f"buffers by {conversion}", share)
    for start in range(0, options.rows, 60):
        run_chunk(rng, min(60, options.rows - start), report, 1)
    return report.finish()


if __name__ == "__main__":
    main(run)
