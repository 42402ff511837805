# REQUIRES: valgrind, tier-all
# RUN: env POOL_BUILD_DIR=%build_dir PYTHONPATH=%src_root/benchmarks %python %s
"""LLVM's code generator must never read freed or uninitialised memory while it compiles our code.

Code that provokes such a read may compile a thousand times and crash once. The test compiles
cells of pooltest/cells.py, random cases, and workloads of the benchmarks. pool-compile lowers
them for x86-64 and x86-64-v4, and `llc -O3` compiles the LLVM IR under valgrind. LLVM allocates
instructions from arenas, so a read of an erased instruction shows up as an uninitialised value. A
module with an error is halved until single functions remain. The first function is
Inputs/two-address.mlir, which had such an error.

A function takes two seconds and all functions take hours, so by default the test compiles a
sample. --all compiles everything; --shard I/N compiles one of N equal parts.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import dataclasses
import multiprocessing
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from measure.workloads import read_workloads
from pooltest import cells, generators, tier
from pooltest.report import Report, main
from pooltest.tools import run as run_tool, tool

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
KNOWN = Path(__file__).resolve().parent / "Inputs" / "two-address.mlir"
PROCESSORS = ("x86-64", "x86-64-v4")
FUNCTIONS_PER_MODULE = 20
# Exit code of valgrind after an error.
FOUND = 99
COMMAND = ("valgrind", "--quiet", "--leak-check=no", f"--error-exitcode={FOUND}",
           "--num-callers=30")
LIMIT_SECONDS = 3 * 3600


def llc():
    found = shutil.which("llc-22") or shutil.which("llc")
    if not found:
        sys.exit("llc-22 is not installed: run scripts/install-toolchain.sh")
    return found


def named(text, number):
    """Renames the function @f of the text to @f<number>."""
    return re.sub(r"@f\(", f"@f{number}(", text, count=1)


def all_functions(options):
    """Yields (title, text of a function @f) for each function that the options ask for."""
    yield KNOWN.name, KNOWN.read_text().replace("@main(", "@f(")
    accepted = [cell for cell in cells.all_cells() if cell.refusal is None]
    accepted += [dataclasses.replace(cell, is_wide=True) for cell in accepted]
    for cell in tier.sample(accepted, options.cells, options.seed):
        yield str(cell), cell.function("f")
    rng = np.random.default_rng(options.seed)
    for number in range(options.cases):
        yield f"random case {number}", generators.random_text(rng, number)
    workloads = [(file, workload) for file in ("workloads.json", "others.json")
                 for workload in read_workloads(BENCHMARKS / file).values()]
    for file, workload in tier.sample(workloads, options.workloads, 14):
        case = workload.case
        yield f"{file}: {workload.name}", case.function(
            "f", case.dynamic_output_shape(workload.output))


def check(report, part, processor, llc_options, directory):
    """Checks the functions as one module; after an error, checks its halves."""
    text = "\n".join(named(text, number) for number, (_, text) in enumerate(part))
    module, code = Path(directory) / "module.mlir", Path(directory) / "module.ll"
    module.write_text(text)
    process = run_tool([tool("pool-compile"), str(module), "--emit=llvm", f"--mcpu={processor}",
                        "-o", str(code)])
    if not report.expect(process.returncode == 0, f"pool-compile for {processor}", text,
                         stderr=process.stderr[:2000]):
        return
    process = subprocess.run([*COMMAND, llc(), *llc_options, str(code), "-o", "/dev/null"],
                             capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    if process.returncode == 0:
        report.count(f"functions clean for {processor}", len(part))
    elif len(part) > 1:
        middle = len(part) // 2
        check(report, part[:middle], processor, llc_options, directory)
        check(report, part[middle:], processor, llc_options, directory)
    else:
        report.count(f"functions not clean for {processor}")
        report.mismatch(f"llc for {processor}: {part[0][0]}", part[0][1],
                        code=process.returncode, said=process.stderr[:4000])


def run_part(part, processor, llc_options):
    report = Report("codegen_valgrind")
    with tempfile.TemporaryDirectory() as directory:
        check(report, part, processor, llc_options, directory)
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=tier.size(160, 160, 4))
    parser.add_argument("--cases", type=int, default=tier.size(120, 120, 4), help="random cases")
    parser.add_argument("--workloads", type=int, default=tier.size(None, None, 4))
    parser.add_argument("--all", action="store_true", help="all cells, 1,000 random cases")
    parser.add_argument("--processor", action="append", choices=PROCESSORS)
    parser.add_argument("--llc-option", action="append", default=["-O3"])
    parser.add_argument("--shard", default="1/1", metavar="I/N")
    parser.add_argument("--seed", type=int, default=tier.seed(14))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.all:
        options.cells, options.cases = None, 1000
    print(f"codegen_valgrind: --seed {options.seed}", flush=True)
    index, shards = map(int, options.shard.split("/"))
    functions = list(all_functions(options))[index - 1::shards]
    starts = range(0, len(functions), FUNCTIONS_PER_MODULE)
    parts = [(functions[start:start + FUNCTIONS_PER_MODULE], processor, options.llc_option)
             for processor in options.processor or PROCESSORS for start in starts]
    report = Report("codegen_valgrind")
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for part in pool.map(run_part, *zip(*parts)):
            report.merge(part)
    for processor in options.processor or PROCESSORS:
        report.require_counted(f"functions clean for {processor}")
    return report.finish()


if __name__ == "__main__":
    main(run)
