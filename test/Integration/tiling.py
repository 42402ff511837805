# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Tiles that upstream's transforms make must compute exactly their part of the whole result.

Upstream's transform ops tile random maxima, minima, averages and norms in random sizes, once as
they are and once as window_reduce. On path=linalg, tiled and untiled results must be bit-equal
except for the sign of zero. This covers halos, pads of tiles at the border, positions and counts.
Adaptive pooling, max_unpool and the gradients are tiled in the same way, with other sizes.
Run-time checks are on, so each tile must be a valid operation. Some operations are tiled by a
number of threads. With more threads than elements, the last tiles are empty and begin beyond the
end.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import tempfile
from pathlib import Path

import numpy as np

from pooltest import adaptive, compare, generators, oracle, scatter, tier
from pooltest.case import NUMPY_TYPES
from pooltest.check import Job
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

SCRIPT = """
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %op = transform.structured.match ops{{[{ops}]}} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:{count} = transform.structured.{form} [{sizes}]
      : (!transform.any_op) -> (!transform.any_op, {types})
    transform.yield
  }}
}}
"""
TILE, DISTRIBUTE = "tile_using_for %op tile_sizes", "tile_using_forall %op num_threads"
OPS = ("max_pool", "avg_pool", "min_pool", "lp_pool")
FORMS = (
    ("operations", tuple(f'"pool.{op}"' for op in OPS), ()),
    ("window_reduce", ('"pool.window_reduce"',), ("--pool-decompose",)),
)
ADAPTIVE_FORMS = (
    ("adaptive", ('"pool.adaptive_max_pool"', '"pool.adaptive_avg_pool"'), ()),
)


def random_float(rng):
    return generators.pick(rng, scatter.FLOATS)


def random_job(rng, n, number):
    op = OPS[number % len(OPS)]
    make_type = random_float if op == "lp_pool" else generators.element_type
    while True:
        case = generators.random_legal(rng, op, make_type(rng))
        if case.rank == n + 2:
            break
    if number % 3 == 0:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    job = Job(case, kind, generators.data(rng, case, kind))
    job.truth = oracle.run(job.case, job.x)
    return job


class AdaptiveJob:
    """A problem of adaptive pooling with the interface that `run_chunk` needs."""

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


def tile(text, sizes, form, ops, passes, directory, report):
    """Returns the module after tiling, or None."""
    script = Path(directory) / "script.mlir"
    loops = len(sizes) if form == TILE else 1
    script.write_text(SCRIPT.format(
        ops=", ".join(ops), form=form, count=loops, sizes=", ".join(map(str, sizes)),
        types=", ".join(["!transform.any_op"] * loops)))
    process = pool_opt(text, *passes,
                       f"--transform-preload-library=transform-library-paths={script}",
                       "--transform-interpreter")
    untiled = [op for op in ops[:1] if f"= {op[1:-1]} " in process.stdout]
    report.expect(process.returncode == 0 and "scf.for" in process.stdout
                  and not (untiled and not passes),
                  f"{form} {sizes}", text, stderr=process.stderr[:2000])
    return process.stdout if process.returncode == 0 else None


def run_chunk(rng, n, count, make_job, forms, form, report):
    jobs = []
    while len(jobs) < count:
        job = make_job(rng, n, len(jobs))
        # A forall over an empty batch makes an empty slice at offset 0, which upstream's
        # verifier rejects. So leave out such cases.
        if form == TILE or job.case.shape[0]:
            jobs.append(job)
    sizes = generators.integers(rng, n + 2, 1, 4 if form == TILE else 6)
    text = "\n".join(job.text().replace("@f(", f"@f{number}(")
                     for number, job in enumerate(jobs))
    with tempfile.TemporaryDirectory() as directory:
        outputs = {}
        modules = [("whole", text, "linalg")]
        for name, ops, passes in forms:
            tiled = tile(text, sizes, form, ops, passes, directory, report)
            if tiled:
                modules.append((name, tiled, "linalg"))
        modules.append(("vectors", modules[-1][1], "vector"))
        for name, module, path in modules:
            batch = Batch(directory, name)
            batch.texts.append(module)
            for number, job in enumerate(jobs):
                batch.add(f"f{number}", "", [job.x], job.results())
            outputs[name], process = batch.run(f"--path={path}", "-O0")
            report.expect(process.returncode == 0, f"pool-run of {name}", module,
                          stderr=process.stderr[:2000])
    for number, job in enumerate(jobs):
        whole = outputs["whole"][number]
        for name in list(outputs)[1:]:
            # On the vector path, the order of sums depends on the tile's shape, so sums of
            # tiles need not be bit-equal.
            if name == "vectors" and job.case.op not in ("max_pool", "min_pool"):
                continue
            answer = outputs[name][number]
            equal = whole is not None and answer is not None and all(
                compare.same_arrays(a, b) for a, b in zip(whole, answer))
            report.expect(equal, f"{name}: {form} {sizes}", job.text(), data=job.x.tolist())
            report.count(f"{name}: {job.case.op}")


# Unpooling and gradients

MATCH_ONE = """
    %f{n} = transform.structured.match ops{{["func.func"]}} attributes {{sym_name = "f{n}"}} in %root
      : (!transform.any_op) -> !transform.any_op
    %op{n} = transform.structured.match ops{{["pool.{op}"]}} in %f{n}
      : (!transform.any_op) -> !transform.any_op
"""
TILE_ONE = MATCH_ONE + """\
    %tiled{n}, %loops{n}:{count} = transform.structured.tile_using_for %op{n} tile_sizes [{sizes}]
      : (!transform.any_op) -> (!transform.any_op, {types})
"""
# With more threads than elements, some threads get an empty tile beyond the end.
DISTRIBUTE_ONE = MATCH_ONE + """\
    %tiled{n}, %loop{n} = transform.structured.tile_using_forall %op{n} num_threads [{sizes}]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
"""
SEQUENCE = """
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    {body}
    transform.yield
  }}
}}
"""


SCATTER = (
    lambda rng: scatter.random_unpool(rng, generators.pick(rng, tuple(NUMPY_TYPES))),
    lambda rng: scatter.random_max_pool_grad(rng, random_float(rng), given=False),
    lambda rng: scatter.random_avg_pool_grad(rng, random_float(rng)),
    lambda rng: scatter.random_max_pool_grad(rng, random_float(rng), given=True),
    lambda rng: scatter.random_max_pool_grad(rng, random_float(rng), given=False, op="min_pool"),
    lambda rng: scatter.random_avg_pool_grad(rng, random_float(rng), wide=True),
)


def scatter_sizes(rng, problem):
    """Returns random sizes of tiles, or None if nothing is cut. A size of 0 leaves a dimension
    uncut. Dimensions over which indices count stay uncut, and so do dimensions whose pads are
    known only at run time. A size may exceed the extent."""
    case = problem.case
    sizes = [generators.pick(rng, (0, 1, 2, 3, 4, 7, 100), (3, 3, 2, 3, 1, 1, 1))
             for _ in problem.shape]
    if problem.shape[0] == 0:
        # Upstream's verifier rejects an empty slice at offset 0. If the batch itself is cut,
        # the loop over it has no iteration, and no slice is made.
        sizes[0] = 1
    sizes[problem.axis:] = [0] * (len(sizes) - problem.axis)
    if case and case.auto_pad.startswith("same") and set(case.dynamic) & set(case.spatial_dims):
        for d in case.spatial_dims:
            sizes[d] = 0
    return sizes if any(sizes) else None


def note_cut(problem, sizes, report):
    """Counts the difficult properties of the problem's tiles."""
    case, op = problem.case, problem.op
    report.count(f"tiled {op}: {'dynamic' if 'dynamic extents' in problem.notes else 'static'}")
    if not case:
        return
    kind = f"divisor {case.divisor}" if op == "avg_pool_grad" else f"nan_mode {case.nan_mode}"
    for i, d in enumerate(case.spatial_dims):
        if not 0 < sizes[d] < case.shape[d]:
            continue
        kernel, stride, dilation, begin, end = case.window(i)
        for name, holds in (("strides above the window", stride > (kernel - 1) * dilation + 1),
                            ("strides below the window", 1 < stride < kernel),
                            ("dilations", kernel > 1 and dilation > 1),
                            ("begin pads", begin and case.auto_pad == "explicit"),
                            ("end pads", end and case.auto_pad == "explicit"),
                            (case.auto_pad, True), (case.rounding_type, True), (kind, True)):
            if holds:
                report.count(f"cut {op}: {name}")


def is_distributed(number, problem):
    """True if the sizes are numbers of threads. Empty batches have no threads."""
    return number // len(SCATTER) % 3 == 0 and problem.shape[0] != 0


def tile_scatter(problems, text, directory, report):
    """Returns the module `text`, where each of `problems` is tiled by its own sizes."""
    body = ""
    for number, (problem, sizes) in enumerate(problems):
        loops = sum(map(bool, sizes))
        form = DISTRIBUTE_ONE if is_distributed(number, problem) else TILE_ONE
        body += form.format(n=number, op=problem.op, sizes=", ".join(map(str, sizes)),
                                count=loops, types=", ".join(["!transform.any_op"] * loops))
    script = Path(directory) / "script.mlir"
    script.write_text(SEQUENCE.format(body=body))
    process = pool_opt(text, f"--transform-preload-library=transform-library-paths={script}",
                       "--transform-interpreter")
    report.expect(process.returncode == 0 and process.stdout.count("scf.for") >= len(problems),
                  "tiling of unpooling and gradients", text, stderr=process.stderr[:2000])
    return process.stdout


def run_scatter(rng, count, report):
    problems = []
    while len(problems) < count:
        problem = SCATTER[len(problems) % len(SCATTER)](rng)
        sizes = scatter_sizes(rng, problem)
        if sizes:
            problems.append((problem, sizes))
    text = "\n".join(problem.text.replace("@f(", f"@f{number}(")
                     for number, (problem, _) in enumerate(problems))
    with tempfile.TemporaryDirectory() as directory:
        tiled = tile_scatter(problems, text, directory, report)
        outputs = {}
        for name, module, path in (("whole", text, "linalg"), ("tiles", tiled, "linalg"),
                                   ("vectors", tiled, "vector")):
            batch = Batch(directory, name)
            batch.texts.append(module)
            for number, (problem, _) in enumerate(problems):
                batch.add(f"f{number}", "", problem.inputs, [problem.dtype])
            outputs[name], process = batch.run(f"--path={path}", "-O0")
            report.expect(process.returncode == 0, f"pool-run of {name}", module,
                          stderr=process.stderr[:2000])
    for number, (problem, sizes) in enumerate(problems):
        whole, tiles, vectors = (outputs[name][number] for name in ("whole", "tiles", "vectors"))
        details = {"inputs": [x.tolist() for x in problem.inputs], "whole": whole, "tiles": tiles}
        report.expect(whole is not None and tiles is not None
                      and compare.same_arrays(whole[0], tiles[0]),
                      f"{problem.op} tiled by {sizes}", problem.text, **details)
        # On the vector path, the order of sums depends on the tile's shape, so compare with
        # the definition, within its bound.
        report.expect(vectors is not None and is_right(problem, vectors[0]),
                      f"{problem.op} tiled by {sizes}, vectors", problem.text, **details)
        note_cut(problem, sizes, report)


def is_right(problem, actual):
    truth = problem.truth
    if not compare.same_shape_and_type(actual, problem.shape, problem.dtype):
        return False
    if isinstance(truth, np.ndarray):
        return compare.same_values(actual, truth).all()
    return compare.are_averages(actual, truth, problem.case).all()


def require_scatter(report):
    ops = ("max_unpool", "max_pool_grad", "min_pool_grad", "avg_pool_grad")
    report.require_counted(
        *(f"tiled {op}: {extents}" for op in ops for extents in ("static", "dynamic")),
        *(f"cut {op}: {name}" for op in ops[1:]
          for name in ("strides above the window", "strides below the window", "dilations",
                       "begin pads", "end pads", *generators.AUTO_PADS, *generators.ROUNDINGS)),
        *(f"cut avg_pool_grad: divisor {divisor}" for divisor in ("valid", "padded", "kernel")),
        *(f"cut max_pool_grad: nan_mode {mode}" for mode in ("ignore", "propagate")))


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(360, 100, 18))
    parser.add_argument("--seed", type=int, default=tier.seed(17))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("tiling")
    count = min(40, options.cases // 3)
    for make_job, forms in ((random_job, FORMS), (AdaptiveJob, ADAPTIVE_FORMS)):
        for n in (1, 2, 3):
            for i in range(0, options.cases // 3, count):
                form = TILE if (n + i // count) % 2 else DISTRIBUTE
                run_chunk(rng, n, count, make_job, forms, form, report)
    for _ in range(0, options.cases, count):
        run_scatter(rng, count, report)
    require_scatter(report)
    return report.finish()


if __name__ == "__main__":
    main(run)
