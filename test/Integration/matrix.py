# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Every combination of operation, element type, layout, static or dynamic extents, rank and
lowering path must compute the interpreter's results, or be rejected by the verifier.

In the tier `all`, every cell that the verifier accepts runs in the interpreter and on every path
of PATHS. Other tiers draw samples. Results must equal the interpreter's. Float sums may differ by
twice the bound of pooltest/compare.py. On the vector path, each cell must become vectors for
registers of this machine and of 128, 256 and 512 bits, and runs with guard pages. The verifier
must reject every other cell with a message that names operation, operand and type. The report
says how many cells ran and why the others did not.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import tempfile

import numpy as np

from pooltest import cells, compare, oracle, tier, vectors
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

# Pairs of a path that is compared with the interpreter, and the number of cells that run on
# it in this tier. A number instead of a path means the vector path with registers of this many
# bits.
PATHS = (("vector", tier.size(None, 400, 20)), ("linalg", tier.size(None, 120, 10)),
         ("affine", tier.size(None, 60, 6)),
         *((bits, tier.size(None, 50, 6)) for bits in vectors.BITS))
CELLS_PER_MODULE = 250
SEED = 4


def run_path(report, path, part, batch, guard):
    """Runs the batch on one path. If the path is a number of bits, pool-opt lowers the batch
    here."""
    options = ["--path=reference"]
    if path != "reference":
        bits = path if path in vectors.BITS else None
        options = ["--path=linalg" if bits else f"--path={path}", "-O0"]
        if path != "linalg":
            options.append(f"--guard-pages={guard}")
        if path == "vector" or bits:
            module = vectors.convert(report, batch.texts, part, bits)
            if bits and module:
                batch.texts = [module]
    outputs, process = batch.run(*options)
    report.expect(process.returncode == 0, f"pool-run on path {path}",
                  stderr=process.stderr[:3000])
    return outputs


def within_bound(cell, actual, expected):
    """Compares two results. Each may be off by the error bound of a sum of positive numbers, so
    the two differ by at most twice this bound. A norm rounds twice more than an average: its
    power and its root."""
    reference = expected.astype(np.float64).astype(np.longdouble)
    sums = oracle.Averages(reference, np.abs(reference), cell.counted() + 2)
    return compare.within(actual, reference, 2 * compare.average_bound(cell.case(), sums))


def check(report, path, cell, arrays, expected):
    title, text = f"{path}: {cell}", cell.function("f")
    if not report.expect(arrays is not None and expected is not None, f"{title}: no output", text):
        return
    for actual, truth, dtype in zip(arrays, expected, cell.types()):
        good = compare.same_shape_and_type(actual, truth.shape, dtype)
        if good and cell.operation.sums and cell.case().is_float:
            good = within_bound(cell, actual, truth).all()
        elif good:
            good = compare.same_values(actual, truth).all()
        report.expect(good, title, text, interpreter=truth, actual=actual)
    report.count(f"{path}: {cell.operation}")


def run_cells(report, path, chosen):
    """Runs the cells in modules. Guard pages lie before the buffers of every other module, and
    behind those of the rest."""
    rng = np.random.default_rng(tier.seed(SEED))
    size = min(CELLS_PER_MODULE, -(-len(chosen) // 2))
    for number, start in enumerate(range(0, len(chosen), size)):
        part, guard = chosen[start:start + size], ("begin", "end")[number % 2]
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for i, cell in enumerate(part):
                batch.add(f"f{i}", cell.function(f"f{i}"), cell.inputs(rng), cell.types())
            expected = run_path(report, "reference", part, batch, guard)
            outputs = run_path(report, path, part, batch, guard)
        for cell, arrays, truth in zip(part, outputs, expected):
            check(report, path, cell, arrays, truth)


def check_lowering(report, accepted):
    """Checks that all cells become vectors for every register size, also the cells that are
    not in the sample that runs."""
    texts = [cell.function(f"f{number}") for number, cell in enumerate(accepted)]
    for bits in (None, *vectors.BITS):
        for start in range(0, len(accepted), CELLS_PER_MODULE):
            part = slice(start, start + CELLS_PER_MODULE)
            vectors.convert(report, texts[part], accepted[part], bits)


def check_refusals(report, refused):
    """Checks that each rejected cell gives an error on its line. All of them are parts of one
    split file."""
    text, lines = "", []
    for cell in refused:
        function = cell.function("f")
        lines.append(text.count("\n") + 2)
        text += function + "// -----\n"
        report.expect('"pool.' in function.splitlines()[1], "where the operation stands", function)
    process = pool_opt(text, "--split-input-file")
    report.expect(process.returncode == 1, "pool-opt accepts what it should refuse")
    errors = dict(re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", process.stderr, re.MULTILINE))
    for cell, line in zip(refused, lines):
        message = errors.get(str(line), "")
        named = re.fullmatch(rf"'pool\.{cell.operation.name}' op operand #0 must be .*float.*"
                             rf"but got 'tensor<.*x{cell.element_type}>'", message)
        report.expect(named, f"{cell}: not refused by name: {cell.refusal}",
                      cell.function("f"), message=message)
        report.count(f"{cell.refusal} (verifier)")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--path", action="append", help="one of PATHS; all by default")
    options = parser.parse_args()
    report = Report("matrix")
    everything = list(cells.all_cells())
    accepted = [cell for cell in everything if cell.refusal is None]
    refused = [cell for cell in everything if cell.refusal is not None]
    for number, (path, count) in enumerate(PATHS):
        if options.path and str(path) not in options.path:
            continue
        chosen = tier.sample(accepted, count, number)
        run_cells(report, path, chosen)
        ran = sum(number for key, number in report.counts.items() if key.startswith(f"{path}: "))
        report.expect(ran == len(chosen), f"{path}: {ran} of {len(chosen)} cells ran")
        report.count(f"cells through {path} and the interpreter", ran)
    if tier.NAME == "land":
        check_lowering(report, accepted)
    check_refusals(report, refused)
    report.count("cells refused", len(refused))
    report.count("cells in all", len(everything))
    return report.finish()


if __name__ == "__main__":
    main(run)
