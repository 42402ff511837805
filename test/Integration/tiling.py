# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Tiles compute exactly their part of the whole.

Random cases of every kind, tiled by upstream's transform ops in random sizes,
once as max_pool and avg_pool and once as window_reduce, give what they give
untiled, to the bit: halos, pads of tiles at the border, positions, counts. So
do tiles of adaptive pooling.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import tempfile
from pathlib import Path

import numpy as np

from pooltest import adaptive, generators, oracle, tier
from pooltest.check import Job
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

SCRIPT = """
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %op = transform.structured.match ops{{[{ops}]}} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:{count} = transform.structured.tile_using_for %op tile_sizes [{sizes}]
      : (!transform.any_op) -> (!transform.any_op, {types})
    transform.yield
  }}
}}
"""
FORMS = (
    ("operations", ('"pool.max_pool"', '"pool.avg_pool"'), ()),
    ("window_reduce", ('"pool.window_reduce"',), ("--pool-decompose",)),
)
ADAPTIVE_FORMS = (
    ("adaptive", ('"pool.adaptive_max_pool"', '"pool.adaptive_avg_pool"'), ()),
)


def random_job(rng, n, number):
    op = "max_pool" if number % 2 == 0 else "avg_pool"
    while True:
        case = generators.random_legal(rng, op, generators.element_type(rng))
        if case.rank == n + 2:
            break
    if number % 3 == 0:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    job = Job(case, kind, generators.data(rng, case, kind))
    job.truth = oracle.run(job.case, job.x)
    return job


class AdaptiveJob:
    """A problem of adaptive pooling as `run_chunk` wants it."""

    def __init__(self, rng, n, number):
        while True:
            self.problem = adaptive.random_problem(rng)
            self.case, self.x = self.problem.case, self.problem.x
            if self.case.rank == n + 2 and self.case.shape[0]:
                break

    def text(self):
        return self.problem.text("f")

    def results(self):
        return self.problem.types()


def tile(text, sizes, ops, passes, directory, report):
    """The module after its operations have been tiled, or None."""
    script = Path(directory) / "script.mlir"
    script.write_text(SCRIPT.format(
        ops=", ".join(ops), count=len(sizes), sizes=", ".join(map(str, sizes)),
        types=", ".join(["!transform.any_op"] * len(sizes))))
    process = pool_opt(text, *passes,
                       f"--transform-preload-library=transform-library-paths={script}",
                       "--transform-interpreter")
    untiled = [op for op in ops[:1] if f"= {op[1:-1]} " in process.stdout]
    report.expect(process.returncode == 0 and "scf.for" in process.stdout
                  and not (untiled and not passes),
                  f"tiling by {sizes}", text, stderr=process.stderr[:2000])
    return process.stdout if process.returncode == 0 else None


def run_chunk(rng, n, count, make_job, forms, report):
    jobs = [make_job(rng, n, number) for number in range(count)]
    sizes = [generators.integer(rng, 1, 4) for _ in range(n + 2)]
    text = "\n".join(job.text().replace("@f(", f"@f{number}(")
                     for number, job in enumerate(jobs))
    with tempfile.TemporaryDirectory() as directory:
        outputs = {}
        modules = [("whole", text)]
        for name, ops, passes in forms:
            tiled = tile(text, sizes, ops, passes, directory, report)
            if tiled:
                modules.append((name, tiled))
        for name, module in modules:
            batch = Batch(directory, name)
            batch.texts.append(module)
            for number, job in enumerate(jobs):
                batch.add(f"f{number}", "", [job.x], job.results())
            # Sums of vectors are associated by the shape of a tile.
            outputs[name], process = batch.run("--path=linalg", "-O0")
            report.expect(process.returncode == 0, f"pool-run of {name}", module,
                          stderr=process.stderr[:2000])
    for number, job in enumerate(jobs):
        whole = outputs["whole"][number]
        for name in list(outputs)[1:]:
            answer = outputs[name][number]
            equal = whole is not None and answer is not None and all(
                a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(whole, answer))
            report.expect(equal, f"{name} tiled by {sizes}", job.text(), data=job.x.tolist())
            report.count(f"{name}: {job.case.op}")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(360, 240, 30))
    parser.add_argument("--seed", type=int, default=tier.seed(17))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("tiling")
    count = min(40, options.cases // 3)
    for make_job, forms in ((random_job, FORMS), (AdaptiveJob, ADAPTIVE_FORMS)):
        for n in (1, 2, 3):
            for _ in range(0, options.cases // 3, count):
                run_chunk(rng, n, count, make_job, forms, report)
    return report.finish()


if __name__ == "__main__":
    main(run)
