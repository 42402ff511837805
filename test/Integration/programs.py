# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Random programs, with pooling and other operations around it, must compute the same results on
every lowering path (vector, linalg, affine) and after every transformation.

A program's functions have several pooling operations, with elementwise operations, slices, calls,
loops and branches between them. The interpreter runs each program, and so does compiled code on
every path. Random passes, ours and upstream's, also transform the program: they tile, fuse and
partition. The transformed program runs, too. All results must equal the interpreter's. Where an
operation may round in several ways, results must lie within a bound (pooltest/programs/facts.py).

A failing program is made smaller as long as it fails in the same way. Then it is reported with a
command line that repeats the failure.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import multiprocessing
import sys
import tempfile
from pathlib import Path

import numpy as np

from pooltest import tier
from pooltest.case import NUMPY_TYPES
from pooltest.programs import arguments, execute, plan, reduce
from pooltest.report import Report, main

# Number of programs in the sample of `make test`
SAMPLE = 60
SEED = tier.seed(42)
# Categories of operations. With the default seed, the sample must contain all of them.
FORWARD = ("max_pool", "min_pool", "avg_pool", "lp_pool", "max_pool with indices",
           "min_pool with indices", "adaptive_max_pool", "adaptive_max_pool with indices",
           "adaptive_avg_pool", "global pooling")
SCATTERING = ("max_unpool", "max_pool_grad", "max_pool_grad with indices", "min_pool_grad",
              "avg_pool_grad")
AROUND = ("elementwise: generic", "elementwise: named", "elementwise: bias of a channel",
          "conversion of types", "extract_slice", "insert_slice", "static slice",
          "dynamic slice", "strided slice", "concatenation", "pad", "collapse_shape",
          "expand_shape", "cast of extents", "transpose", "private call", "public call",
          "elementwise: arith", "scf.for that carries tensors", "scf.while that carries tensors",
          "loop of unknown length", "slice at a loop's index",
          "scf.if that carries tensors", "branch on an argument", "branch on an element")
REQUIRED = (*(f"operation: {name}" for name in FORWARD + SCATTERING + AROUND),
            "tile_using_for", "tile_using_forall", "tile_using_forall num_threads",
            "fuse_into_containing_op", "step pool-tile-chains",
            *(f"step {name}" for name in plan.OURS), "step convert-linalg-to-pool",
            "step convert-tosa-to-pool",
            "on buffers", "operation: quant.scast", "element type !quant.uniform",
            "operation: rescaled average", *(f"step {name}" for name in plan.LAST[1]),
            *(f"results: {kind} extents" for kind in ("static", "dynamic", "mixed")),
            "results: equal", "results: within a bound", "returns an argument",
            "returns a value twice", "empty batch",
            *(f"data: {kind}" for kind in (*arguments.FLOAT_KINDS, *arguments.INTEGER_KINDS)),
            *(f"element type {name}" for name in NUMPY_TYPES))


def count_categories(program, report):
    for function in program.entries():
        report.count("entry functions")
        for place, value in enumerate(function.returns):
            kind = len(value.type.dynamic) / max(1, value.type.rank)
            report.count("results: " + {0: "static", 1: "dynamic"}.get(kind, "mixed") + " extents")
            report.count("results: equal" if not value.facts.err else "results: within a bound")
            if value in function.args:
                report.count("returns an argument")
            if value in function.returns[:place]:
                report.count("returns a value twice")
            if value.type.shape and 0 in value.type.shape:
                report.count("empty batch")
        for value in function.args:
            report.count(f"data: {program.kinds[value.number]}")
    for op in program.walk():
        for value in op.results:
            report.count(f"element type {value.type.element}" if not value.type.is_quantized
                         else "element type !quant.uniform")
        for key in op.categories():
            report.count(f"operation: {key}")
    for key in plan.categories(program):
        report.count(key)


def command(seed, index, changes):
    words = f' --reduce "{" ".join(changes)}"' if changes else ""
    return f"test/Integration/programs.py --seed {seed} --only {index}{words}"


def run_one(seed, index, changes, minimise):
    report = Report("programs")
    program = reduce.build(seed, index, changes)
    count_categories(program, report)
    refusals = []
    with tempfile.TemporaryDirectory() as directory:
        failures = execute.check(program, directory, refusals=refusals)
    for refusal in refusals:
        report.count(f"right refusal: {refusal}")
    seen = set()
    for failure in failures:
        # Report an error only once if several paths have it. All differences have the same
        # message, so report each of them.
        if failure.what in seen and failure.what != "differs":
            continue
        seen.add(failure.what)
        least = changes
        if minimise:
            least = reduce.minimise(seed, index, failure)
        small = reduce.build(seed, index, least)
        print(f"failure: {command(seed, index, least)}\n  {failure.stage}: {failure.what}\n"
              f"  {failure.details[:600]}", flush=True)
        report.mismatch(f"{failure.stage}: {failure.what}", small.emit(),
                        steps=[str(step) for step in small.steps if step],
                        details=failure.details)
    return report


def keep(program, directory):
    """Writes a program, its arrays and the commands that run it into `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "module.mlir").write_text(program.emit())
    pipeline, script = execute.command_of(program, "script.mlir")
    (directory / "script.mlir").write_text(script)
    lines = []
    for function in program.entries():
        for value in function.args:
            np.save(directory / f"v{value.number}.npy", program.data[value.number])
        given = " ".join(f"v{v.number}.npy" for v in function.args)
        outputs = " ".join(f"{function.name}.{i}.npy" for i in range(len(function.returns)))
        lines.append(f"{function.name} {given} -> {outputs}")
    (directory / "runs.txt").write_text("\n".join(lines) + "\n")
    ways = [f"pool-opt module.mlir '{pipeline}' -o transformed.mlir",
            "pool-run module.mlir --batch runs.txt --path=reference"]
    ways += [f"pool-run {'transformed' if way.transformed else 'module'}.mlir --batch runs.txt "
             + " ".join(way.options) for way in program.runs if way]
    (directory / "commands").write_text("\n".join(ways) + "\n")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=tier.size(1000, SAMPLE, 10))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", type=int, help="the one program to run")
    parser.add_argument("--reduce", default="", help="changes that make the program smaller")
    parser.add_argument("--keep", type=Path,
                        help="write the program, its arrays and its commands to this directory")
    parser.add_argument("--minimise", type=int, default=1,
                        help="0: report failing programs as they are")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    changes = options.reduce.split()
    if options.only is None and (changes or options.keep):
        sys.exit("--reduce and --keep are of one program: give --only")
    if options.keep:
        keep(reduce.build(options.seed, options.only, changes), options.keep)
    report = Report("programs")
    indices = [options.only] if options.only is not None else range(options.programs)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        waiting = [pool.submit(run_one, options.seed, index, changes,
                               options.minimise and not changes) for index in indices]
        for place, done in enumerate(waiting):
            report.merge(done.result())
            report.progress(place, len(waiting))
    # Only the sample of the default seed must contain every category.
    if (tier.NAME == "land" and tier.SEED == tier.DEFAULT_SEED
            and indices == range(SAMPLE) and options.seed == SEED):
        for key in REQUIRED:
            report.expect(report.counts[key], f"no program of the sample has '{key}'")
    return report.finish()


if __name__ == "__main__":
    main(run)
