# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Windows on buffers compute what the operations on tensors do.

Random cases of every kind are decomposed, bufferised by upstream and lowered by
`convert-pool-to-loops`. The functions that result are called on every second
element of larger arrays, so that no stride is one. They give what the
interpreter gives, float sums within the stated bound, and the same numbers as
the way through linalg, which pads.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import tempfile

import numpy as np

from pooltest import compare, generators, oracle, tier
from pooltest.case import tensor_type
from pooltest.check import Job, check_job
from pooltest.modules import run_jobs
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

OPS = ("max_pool", "avg_pool", "lp_pool")


def random_job(rng, number):
    op = OPS[number % len(OPS)]
    if op == "lp_pool":
        # The windows of an average, and its data.
        case = generators.random_legal(rng, "avg_pool", generators.pick(rng, ("f16", "f32", "f64")),
                                       divisor="kernel", divisor_override=None)
    else:
        case = generators.random_legal(rng, op, generators.element_type(rng))
    if number % 2 == 0:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    job = Job(case, kind, generators.data(rng, case, kind))
    job.truth = oracle.run(case, job.x)
    if op == "lp_pool":
        job.case = case.with_(op=op, divisor="valid")
    return job


def scatter(x):
    """A larger array that holds `x` at every second element, from the second on."""
    big = np.full([2 * extent + 1 for extent in x.shape], 77, x.dtype)
    big[tuple(slice(1, None, 2) for _ in x.shape)] = x
    return big


def wrapper(job, number, results):
    """A function on tensors that calls the one on buffers with a strided view."""
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
    strided = f"{view}, strided<[{', '.join(['?'] * (rank - 1) + ['2'])}], offset: ?>>"
    anywhere = f"{view}, strided<[{', '.join(['?'] * rank)}], offset: ?>>"
    tensors = [re.sub(r", strided<.*", ">", result).replace("memref", "tensor")
               for result in results]
    names = [f"%r#{i}" if len(results) > 1 else "%r" for i in range(len(results))]
    count = f":{len(results)}" if len(results) > 1 else ""
    body = [f"%m = bufferization.to_buffer %x read_only : {big} to {big.replace('tensor', 'memref')}",
            "%two = arith.constant 2 : index", *lines,
            f"%v = memref.subview %m[{', '.join('1' * rank)}] [{', '.join(sizes)}] "
            f"[{', '.join('2' * rank)}] : {big.replace('tensor', 'memref')} to {strided}",
            f"%a = memref.cast %v : {strided} to {anywhere}",
            f"%r{count} = func.call @g{number}(%a) : ({anywhere}) -> ({', '.join(results)})"]
    body += [f"%t{i} = bufferization.to_tensor {name} restrict : {result} to {tensor}"
             for i, (name, result, tensor) in enumerate(zip(names, results, tensors))]
    values = ", ".join(f"%t{i}" for i in range(len(results)))
    body.append(f"return {values} : {', '.join(tensors)}")
    return (f"func.func @f{number}(%x: {big}) -> ({', '.join(tensors)}) {{\n  "
            + "\n  ".join(body) + "\n}\n")


def lower(jobs, report):
    """The functions @g0, ... on buffers and a function on tensors around each."""
    text = "\n".join(job.text(f"g{number}") for number, job in enumerate(jobs))
    process = pool_opt(text, "--pool-decompose",
                       "--one-shot-bufferize=bufferize-function-boundaries",
                       "--convert-pool-to-loops")
    module = process.stdout
    if not report.expect(process.returncode == 0 and "pool." not in module and "pad" not in module,
                         "lowering on buffers", text, stderr=process.stderr[:2000]):
        return None
    wrappers = []
    for number, job in enumerate(jobs):
        results = re.search(rf"func\.func @g{number}\(.*?\) -> (.*) {{\n", module).group(1)
        results = re.findall(r"memref<(?:[^<>]|<[^<>]*>)*>", results)
        wrappers.append(wrapper(job, number, results))
    module = module.replace("func.func @g", "func.func private @g").rstrip()
    assert module.endswith("}"), "the module's closing brace"
    return module[:-1] + "\n".join(wrappers) + "}\n"


def run_chunk(rng, count, report):
    jobs = [random_job(rng, number) for number in range(count)]
    module = lower(jobs, report)
    with tempfile.TemporaryDirectory() as directory:
        run_jobs(jobs, ["--path=reference"], directory, report, "reference")
        run_jobs(jobs, ["--path=linalg", "-O0"], directory, report, "linalg")
        if module is None:
            return
        batch = Batch(directory, "buffers")
        batch.texts.append(module)
        for number, job in enumerate(jobs):
            batch.add(f"f{number}", "", [scatter(job.x)], job.results())
        outputs, process = batch.run("-O0")
        report.expect(process.returncode == 0, "pool-run on buffers", module,
                      stderr=process.stderr[:2000])
    for job, arrays in zip(jobs, outputs):
        job.answers["buffers"] = arrays
        padded = job.answers["linalg"]
        equal = arrays is not None and padded is not None and all(
            a.shape == b.shape and a.dtype == b.dtype and compare.same_values(a, b).all()
            for a, b in zip(arrays, padded))
        report.expect(equal, "buffers and linalg differ", job.text(), data=job.x.tolist(),
                      buffers=arrays, linalg=padded)
        # The norms' bound stands in no document; linalg's are tested elsewhere.
        if job.case.op != "lp_pool":
            check_job(job, report)
        report.count(f"buffers: {job.case.op} {job.case.element_type}")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(600, 240, 30))
    parser.add_argument("--seed", type=int, default=tier.seed(19))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("buffers")
    for start in range(0, options.cases, 60):
        run_chunk(rng, min(60, options.cases - start), report)
    return report.finish()


if __name__ == "__main__":
    main(run)
