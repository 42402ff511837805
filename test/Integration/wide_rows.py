# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Rows of several vectors, compiled at -O3 as users do, must have the definition's results.

The cells of pooltest/cells.py get long rows (or many channels, if these are last): with a stride
of two, results still have three vectors of 512 bits. In the tier `all`, the cells cover every
operation, element type and index type, static and dynamic; other tiers draw samples. Extrema get
ties, NaN, infinities and the whole range of integers. Cells must become vectors for registers of
this machine and of 128, 256 and 512 bits, and run with guard pages. Extrema, indices and integers
must equal the definition; float sums must lie within the bound of pooltest/compare.py.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import dataclasses
import multiprocessing
import tempfile

import numpy as np

from pooltest import cells, tier, vectors
from pooltest.report import Report, main
from pooltest.tools import Batch

# Pairs: bits of the registers, or None for this machine's, and number of cells in this tier
WAYS = ((None, tier.size(None, 80, 14)),
        *((bits, tier.size(None, 20, 4)) for bits in vectors.BITS))
CELLS_PER_MODULE = 50
SEED = 15


def name_of(bits):
    return f"{bits} bits" if bits else "this machine's bits"


def run_part(part, bits, seed):
    """Runs some cells as one module in a process of its own."""
    rng = np.random.default_rng(seed)
    report = Report("wide_rows")
    guard = ("begin", "end")[seed[-1] % 2]
    inputs = [cell.inputs(rng) for cell in part]
    with tempfile.TemporaryDirectory() as directory:
        batch = Batch(directory)
        for number, (cell, arrays) in enumerate(zip(part, inputs)):
            batch.add(f"f{number}", cell.function(f"f{number}"), arrays, cell.types())
        module = vectors.convert(report, batch.texts, part, bits)
        if bits and module:
            batch.texts = [module]
        outputs, process = batch.run("--path=linalg" if bits else "--path=vector", "-O3",
                                     f"--guard-pages={guard}")
    report.expect(process.returncode == 0, f"pool-run, {name_of(bits)}",
                  stderr=process.stderr[:3000])
    for cell, arrays, results in zip(part, inputs, outputs):
        title = f"{name_of(bits)}: {cell}"
        if report.expect(results is not None, f"{title}: no output", cell.function("f")):
            truths = cell.truth(arrays)
            good = len(truths) == len(results) and all(
                cell.is_right(truth, actual, dtype)
                for truth, actual, dtype in zip(truths, results, cell.types()))
            report.expect(good, title, cell.function("f"), expected=truths, actual=results)
            report.count(f"{name_of(bits)}: compared with the definition")
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=tier.seed(SEED))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    accepted = [dataclasses.replace(cell, is_wide=True) for cell in cells.all_cells()
                if cell.refusal is None]
    report = Report("wide_rows")
    parts, bits_of, wanted = [], [], {}
    for number, (bits, count) in enumerate(WAYS):
        chosen = tier.sample(accepted, count, SEED + number)
        wanted[bits] = len(chosen)
        for start in range(0, len(chosen), CELLS_PER_MODULE):
            parts.append(chosen[start:start + CELLS_PER_MODULE])
            bits_of.append(bits)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        seeds = [[options.seed, i] for i in range(len(parts))]
        for part in pool.map(run_part, parts, bits_of, seeds):
            report.merge(part)
    for bits, number in wanted.items():
        compared = report.counts[f"{name_of(bits)}: compared with the definition"]
        report.expect(compared == number, f"{name_of(bits)}: {compared} of {number} cells ran")
    return report.finish()


if __name__ == "__main__":
    main(run)
