# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""The number of threads does not show in the results.

Cells of the matrix, with extents large enough for threads, run on one thread and
on three, and everything that comes out is the same, to the bit.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import tempfile

import numpy as np

from pooltest import cells
from pooltest.report import Report, main
from pooltest.tools import Batch

PATHS = ("vector", "linalg")
TYPES = ("bf16", "f32", "i8")
THREADS = 3
SCALE = 20
SEED = 33


def chosen_cells():
    """Planes, channels first where static and last where dynamic."""
    for cell in cells.all_cells():
        if (cell.refusal is None and cell.rank == 2 and cell.element_type in TYPES
                and (cell.layout == "channels_last") == cell.dynamic):
            yield dataclasses.replace(cell, scale=SCALE)


def run():
    report = Report("threads")
    rng = np.random.default_rng(SEED)
    chosen = list(chosen_cells())
    with tempfile.TemporaryDirectory() as directory:
        batch = Batch(directory)
        for number, cell in enumerate(chosen):
            batch.add(f"f{number}", cell.function(f"f{number}"), cell.inputs(rng), cell.types())
        for path in PATHS:
            expected, process = batch.run(f"--path={path}")
            report.expect(process.returncode == 0, f"{path}: one thread",
                          stderr=process.stderr[:3000])
            outputs, process = batch.run(f"--path={path}", f"--threads={THREADS}")
            report.expect(process.returncode == 0, f"{path}: {THREADS} threads",
                          stderr=process.stderr[:3000])
            for cell, one, many in zip(chosen, expected, outputs):
                good = one and many and all(a.tobytes() == b.tobytes()
                                            for a, b in zip(one, many))
                report.expect(good, f"{path}: {cell}", cell.function("f"), one=one, many=many)
                report.count(f"{path}: {cell.operation}")
            report.require_counted(*(f"{path}: {operation}" for operation in cells.OPERATIONS))
    return report.finish()


if __name__ == "__main__":
    main(run)
