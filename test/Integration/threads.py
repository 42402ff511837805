# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Results must not depend on the number of threads.

Each cell of pooltest/cells.py (operation, element type, layout, rank), with extents large enough
for threads, runs on one thread and on three. The outputs must be bit-equal.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import itertools
import tempfile

import numpy as np

from pooltest import cells, compare, tier
from pooltest.case import Case
from pooltest.report import Report, main
from pooltest.tools import Batch

PATHS = ("vector", "linalg", "affine")
TYPES = ("bf16", "f32", "i8")
THREADS = 3
SCALE = 20
SEED = 33


def chosen_cells():
    """Yields cells of rank 2: static ones with channels first, dynamic ones with channels
    last."""
    for cell in cells.all_cells():
        if (cell.refusal is None and cell.rank == 2 and cell.element_type in TYPES
                and (cell.layout == "channels_last") == cell.dynamic):
            yield dataclasses.replace(cell, scale=SCALE)


def check_sums(report):
    """Checks sums if the number of rows is no multiple of a group's rows. The order of a sum
    depends on the group. If two groups stored the same row, the result would depend on which
    thread stores last."""
    rng = np.random.default_rng(SEED)
    window = {"kernel": (3, 3), "pads_begin": (1, 1), "pads_end": (1, 1)}
    for layout, dynamic in itertools.product(("channels_first", "channels_last"), (False, True)):
        shape = (1, 1, 5, 40000) if layout == "channels_first" else (1, 5, 4000, 20)
        rows = shape.index(5)
        case = Case("avg_pool", shape, layout=layout, dynamic=(rows, rows + 1) if dynamic else (),
                    **window)
        x = rng.standard_normal(shape).astype(np.float32)
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            text = case.function("f", case.dynamic_output_shape(shape), pretty=True)
            for _ in range(8):
                batch.add("f", text, [x], [case.dtype])
                text = ""
            (expected, *_), _ = batch.run("--path=vector")
            outputs, process = batch.run("--path=vector", f"--threads={THREADS}")
        good = expected is not None and all(
            output is not None and compare.same_arrays(output[0], expected[0])
            for output in outputs)
        report.expect(good, f"sums of {layout}, dynamic {dynamic}", stderr=process.stderr[:2000])


def run():
    report = Report("threads")
    check_sums(report)
    rng = np.random.default_rng(tier.seed(SEED))
    chosen = tier.sample(chosen_cells(), tier.size(None, 12, 3))
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
                good = one and many and all(compare.same_arrays(a, b)
                                            for a, b in zip(one, many))
                report.expect(good, f"{path}: {cell}", cell.function("f"), one=one, many=many)
                report.count(f"{path}: {cell.operation}")
            report.require_counted(*(f"{path}: {operation}" for operation in cells.OPERATIONS))
    return report.finish()


if __name__ == "__main__":
    main(run)
