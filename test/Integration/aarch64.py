# RUN: env POOL_BUILD_DIR=%build_dir %python %s
# UNSUPPORTED: sanitizer
"""Code for aarch64 must give the host's results. It runs here under qemu.

The test draws cells of the matrix (pooltest/cells.py: operation, element type, layout, rank):
small cells and cells with rows of several vectors, every operation with types of every size and
kind, static and dynamic. Each cell runs through pool-run on the host. For each path of PATHS, a C
program under qemu calls an object compiled for aarch64.

Results of small cells must be equal, except norms: both machines add in the same order, and
neither contracts a product and a sum into an fma. Norms call the C library's pow, whose last bit
differs between machines. In wide rows, the order of a float sum depends on the register size,
which is 128 bits on aarch64. So both results are compared with the definition.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import tempfile

import numpy as np

from pooltest import cells, compare, cross, tier
from pooltest.report import Report, main
from pooltest.tools import Batch

PATHS = ("vector", "linalg")
TYPES = ("f16", "bf16", "f32", "f64", "i8", "ui8", "si16", "i32", "ui64")
SEED = 22


def is_chosen(cell):
    """Accepts half of the cells with planes. Small rows are static with channels first and
    dynamic with channels last. Wide rows are dynamic with channels first and static with
    channels last."""
    return (cell.refusal is None and cell.rank == 2 and cell.element_type in TYPES
            and (cell.layout == "channels_last") == (cell.dynamic != cell.is_wide))


def same_norms(actual, expected):
    """Allows a difference of two units in the last place of the type."""
    a, b = actual.astype(np.float64), expected.astype(np.float64)
    epsilon = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23,
               "float64": 2.0**-52}[expected.dtype.name]
    return np.abs(a - b) <= 2 * epsilon * np.abs(b)


def run_path(report, path, chosen, inputs, expected, directory):
    program = cross.Program(f"{directory}/{path}")
    for number, (cell, arrays, results) in enumerate(zip(chosen, inputs, expected)):
        program.add(f"f{number}", cell.function(f"f{number}"), arrays, results)
    outputs, said = program.run(f"--path={path}")
    report.expect(not said, f"{path}: compiling and running", stderr=said[:3000])
    for cell, arrays, results, actual in zip(chosen, inputs, expected, outputs):
        title = f"{path}: {cell}"
        if not report.expect(actual is not None, f"{title}: no output", cell.function("f")):
            continue
        same = same_norms if cell.operation.name == "lp_pool" else compare.same_values
        if cell.is_wide and cell.operation.sums:
            for truth, there, here, dtype in zip(cell.truth(arrays), actual, results,
                                                 cell.types()):
                good = all(cell.is_right(truth, y, dtype) for y in (there, here))
                report.expect(good, title, cell.function("f"), expected=truth, host=here,
                              aarch64=there)
            report.count(f"{path}: {cell.operation}")
            continue
        for there, here in zip(actual, results):
            good = there.shape == here.shape and same(there, here).all()
            report.expect(good, title, cell.function("f"), host=here, aarch64=there)
        report.count(f"{path}: {cell.operation}")


def run():
    cross.require()
    report = Report("aarch64")
    rng = np.random.default_rng(tier.seed(SEED))
    both = (dataclasses.replace(cell, is_wide=is_wide) for cell in cells.all_cells()
            for is_wide in (False, True))
    chosen = tier.sample(filter(is_chosen, both), tier.size(None, 40, 5))
    inputs = [cell.inputs(rng) for cell in chosen]
    with tempfile.TemporaryDirectory() as directory:
        for path in PATHS:
            batch = Batch(directory, f"host-{path}")
            for number, (cell, arrays) in enumerate(zip(chosen, inputs)):
                batch.add(f"f{number}", cell.function(f"f{number}"), arrays, cell.types())
            expected, process = batch.run(f"--path={path}")
            report.expect(process.returncode == 0 and None not in expected,
                          f"{path}: pool-run on the host", stderr=process.stderr[:3000])
            if None not in expected:
                run_path(report, path, chosen, inputs, expected, directory)
            report.require_counted(*(f"{path}: {operation}" for operation in cells.OPERATIONS))
    return report.finish()


if __name__ == "__main__":
    main(run)
