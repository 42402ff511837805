# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Compiled code must touch no byte outside a buffer.

Random maxima, minima and averages run with `pool-run --guard-pages=begin` and `=end`. These
options put every buffer next to an unreadable page and make inputs read-only, so a read or write
outside ends the process. The results must be bit-equal to a run without guards. Fused operations
run in the same way, with operands that lack dimensions or have them in another order. First,
functions that touch the element before or after a buffer show that the guards work.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import itertools
import multiprocessing
import tempfile
from pathlib import Path

import numpy as np

from pooltest import compare, generators, tier
from pooltest.check import Job
from pooltest.modules import run_jobs
from pooltest.report import Report, main
from pooltest import oracle
from pooltest.tools import Batch, run as run_process, save, tool

CASES_PER_MODULE = 100
MODES = ("begin", "end")
PATHS = ("linalg", "vector", "affine")
# Two functions that access a buffer at index %i, which may lie outside. The first reads its
# argument; the second writes to memory that it allocates.
ACCESSES = ("""
func.func @f(%x: tensor<5xf32>, %i: index) -> f32 {
  %v = tensor.extract %x[%i] : tensor<5xf32>
  return %v : f32
}
""", """
func.func @f(%x: tensor<5xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<5xf32>
  memref.store %zero, %m[%c0] : memref<5xf32>
  memref.store %zero, %m[%i] : memref<5xf32>
  %v = memref.load %m[%c0] : memref<5xf32>
  return %v : f32
}
""")


def check_guards(directory, report):
    """Checks that an access outside is caught on the guarded side."""
    module, x, i, y = (str(Path(directory) / name)
                       for name in ("access.mlir", "x.npy", "i.npy", "y.npy"))
    save(x, np.arange(5, dtype=np.float32))
    for text in ACCESSES:
        Path(module).write_text(text)
        for index, mode, caught in ((0, "begin", False), (4, "end", False),
                                    (-1, "begin", True), (5, "end", True)):
            save(i, np.int64(index))
            Path(y).unlink(missing_ok=True)
            process = run_process([tool("pool-run"), module, "--entry", "f", "--input", x, i,
                                   "--output", y, f"--guard-pages={mode}", "-O0"])
            said = "touched memory outside a buffer" in process.stderr
            report.expect(process.returncode == (1 if caught else 0) and said == caught
                          and Path(y).exists() != caught,
                          f"guard '{mode}' and element {index} of 5", text,
                          code=process.returncode, stderr=process.stderr)
            report.count("the guards: outside is caught, inside is not")


def fused_function(name, op, element_type, dims):
    """Returns a function that pools planes and adds an operand to the result. The operand has
    the dimensions `dims`, in this order."""
    plane = f"tensor<1x2x?x?x{element_type}>"
    operand = f"tensor<{'?x' * len(dims)}{element_type}>"
    add = "arith.addf" if element_type == "f32" else "arith.addi"
    same = "affine_map<(n, c, h, w) -> (n, c, h, w)>"
    return f"""
func.func @{name}(%x: {plane}, %b: {operand}) -> {plane} {{
  %y = pool.{op} %x kernel [2, 2] strides [2, 2] : {plane} -> {plane}
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h2 = tensor.dim %x, %c2 : {plane}
  %w2 = tensor.dim %x, %c3 : {plane}
  %h = arith.divui %h2, %c2 : index
  %w = arith.divui %w2, %c2 : index
  %e = tensor.empty(%h, %w) : {plane}
  %z = linalg.generic {{
      indexing_maps = [{same}, affine_map<(n, c, h, w) -> ({', '.join(dims)})>, {same}],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%y, %b : {plane}, {operand}) outs(%e : {plane}) {{
  ^bb0(%p: {element_type}, %q: {element_type}, %o: {element_type}):
    %s = {add} %p, %q : {element_type}
    linalg.yield %s : {element_type}
  }} -> {plane}
  return %z : {plane}
}}
"""


def check_fused(directory, report):
    """Checks fused operands, with widths around multiples of the number of lanes of a
    vector."""
    rng = np.random.default_rng(3)
    widths = [base + offset for base in (1, 16, 32, 48, 64, 128, 192) for offset in (0, 1, 15)]
    kinds = (("max_pool", "f32"), ("avg_pool", "f32"), ("max_pool", "i8"))
    for op, element_type in tier.sample(kinds, tier.size(None, None, 1)):
        batch, expected = Batch(Path(directory) / f"{op}.{element_type}"), []
        for dims in ("w", "wh", "hw", "h", "wn"):
            text = fused_function(dims, op, element_type, dims)
            for h, w in itertools.product((1, 3), widths):
                dtype = np.float32 if element_type == "f32" else np.int8
                x = rng.integers(-20, 20, (1, 2, 2 * h, 2 * w)).astype(dtype)
                b = rng.integers(-20, 20, [{"h": h, "w": w, "n": 1}[d] for d in dims]).astype(dtype)
                y = x.reshape(1, 2, h, 2, w, 2)
                y = y.max((3, 5)) if op == "max_pool" else y.mean((3, 5), dtype=dtype)
                # Reshape the operand so that it broadcasts to (h, w).
                b2 = {"w": b, "wh": b.T, "hw": b, "h": b.reshape(-1, 1), "wn": b.reshape(-1)}[dims]
                batch.add(dims, text, [x, b], [dtype])
                expected.append(y + b2)
                text = ""
        for path, mode in itertools.product(PATHS, MODES):
            outputs, process = batch.run(f"--path={path}", "-O0", f"--guard-pages={mode}")
            report.expect(process.returncode == 0, f"{path}, guard '{mode}': fused {op}",
                          stderr=process.stderr[:2000])
            for output, right in zip(outputs, expected):
                report.expect(output is not None and np.array_equal(output[0], right),
                              f"{path}, guard '{mode}': fused {op} of {right.shape}")
                report.count(f"{path}: a fused operand")


def random_job(rng, number):
    op = ("max_pool", "avg_pool", "min_pool", "avg_pool")[number % 4]
    case = generators.random_legal(rng, op, generators.element_type(rng))
    if number % 3 == 0:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    return Job(case, kind, generators.data(rng, case, kind))


def run_chunk(seed, chunk, count):
    rng = np.random.default_rng([seed, chunk])
    report = Report("guard_pages")
    jobs = [random_job(rng, number) for number in range(count)]
    for job in jobs:
        job.truth = oracle.run(job.case, job.x)
    # Optimised and unoptimised code access different addresses, so test both.
    level = ("-O3", "-O0", "-O2")[chunk % 3]
    with tempfile.TemporaryDirectory() as directory:
        for path, mode in itertools.product(PATHS, ("none",) + MODES):
            run_jobs(jobs, [f"--path={path}", level, f"--guard-pages={mode}"], directory, report,
                     (path, mode))
    for job in jobs:
        for path, mode in itertools.product(PATHS, MODES):
            plain, guarded = job.answers[path, "none"], job.answers[path, mode]
            equal = plain is not None and guarded is not None and all(
                compare.same_arrays(a, b) for a, b in zip(plain, guarded))
            if report.expect(equal, f"{path}, guard '{mode}': result", job.text(),
                             data=job.x.tolist(), plain=plain, guarded=guarded):
                report.count(f"{path}, guard '{mode}', {level}: equal to the run without")
                report.count(f"{job.case.op} {job.case.element_type}")
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(600, 36, 4))
    parser.add_argument("--seed", type=int, default=tier.seed(13))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    report = Report("guard_pages")
    with tempfile.TemporaryDirectory() as directory:
        check_guards(directory, report)
        check_fused(directory, report)
    counts = [min(CASES_PER_MODULE, options.cases - start)
              for start in range(0, options.cases, CASES_PER_MODULE)]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for part in pool.map(run_chunk, [options.seed] * len(counts), range(len(counts)), counts):
            report.merge(part)
    return report.finish()


if __name__ == "__main__":
    main(run)
