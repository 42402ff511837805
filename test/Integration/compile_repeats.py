# REQUIRES: python-module
# RUN: env POOL_BUILD_DIR=%build_dir PYTHONPATH=%build_dir/python:%src_root/benchmarks %python %s
# UNSUPPORTED: sanitizer
"""Modules must compile many times in one process without a crash.

A fault that depends on addresses shows up in some compilations only. So the Python module
compiles the same modules again and again in one process at -O3, and memory differs each time.
Every other process also fills allocated and freed memory with a pattern. The modules hold cells
of pooltest/cells.py, small and wide, random windows, gradients and adaptive pooling, and the
benchmarks' workloads. If a process dies, each function is compiled separately.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import dataclasses
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from measure.workloads import read_workloads
from pooltest import adaptive, cells, generators, scatter, tier
from pooltest.report import Report, main
from pooltest.tools import TIMEOUT_SECONDS

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
INPUTS = Path(__file__).resolve().parent / "Inputs"
FUNCTIONS_PER_MODULE = 12
WORKER = """
import sys
import pool_mlir
for number in range(int(sys.argv[2])):
    pool_mlir.compile(sys.argv[1])
    print(number + 1, flush=True)
"""


def all_functions(rng, count):
    """Yields texts of functions @f, up to `count` of each kind."""
    yield (INPUTS / "two-address.mlir").read_text().replace("@main(", "@f(")
    accepted = [cell for cell in cells.all_cells() if cell.refusal is None]
    for cell in tier.sample(accepted, count, 1):
        yield cell.function("f")
    for cell in tier.sample(accepted, count, 2):
        yield dataclasses.replace(cell, is_wide=True).function("f")
    for number in range(count):
        yield generators.random_text(rng, number)
    for number in range(count // 4):
        yield adaptive.random_problem(rng).text("f")
        yield scatter.random_unpool(rng, generators.element_type(rng)).text
        yield scatter.random_max_pool_grad(rng, generators.pick(rng, scatter.FLOATS)).text
        yield scatter.random_avg_pool_grad(rng, generators.pick(rng, scatter.FLOATS)).text
    for file in ("workloads.json", "others.json"):
        for workload in tier.sample(read_workloads(BENCHMARKS / file).values(), count // 2, 3):
            yield workload.case.function("f", workload.case.dynamic_output_shape(workload.output))


def compile_repeatedly(functions, times, perturbed, directory):
    """Returns (number of finished compilations, exit code, standard error)."""
    module = Path(directory) / f"module{perturbed}.mlir"
    module.write_text("\n".join(text.replace("@f(", f"@f{number}(", 1)
                                for number, text in enumerate(functions)))
    process = subprocess.run([sys.executable, "-c", WORKER, str(module), str(times)],
                             capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False,
                             env={**os.environ, "MALLOC_PERTURB_": str(perturbed)})
    return len(process.stdout.split()), process.returncode, process.stderr


def run_module(functions, number, times):
    """Compiles a module, first without and then with a pattern in memory. If that fails,
    compiles each of its functions separately."""
    report = Report("compile_repeats")
    for perturbed in (0, number % 255 + 1):
        with tempfile.TemporaryDirectory() as directory:
            done, code, said = compile_repeatedly(functions, times, perturbed, directory)
            report.count("compilations" if not perturbed else "compilations, memory perturbed",
                         done)
            if code == 0:
                continue
            for text in functions:
                done, own, said = compile_repeatedly([text], times * 10, perturbed, directory)
                if own != 0:
                    report.mismatch(f"compilation {done + 1} ended with code {own}", text,
                                    stderr=said[:3000])
        report.expect(report.mismatches, f"the module ended with code {code}, no function did",
                      "\n".join(functions))
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=tier.size(240, 12, 3),
                        help="functions of each kind")
    parser.add_argument("--times", type=int, default=tier.size(8, 3, 3))
    parser.add_argument("--seed", type=int, default=tier.seed(15))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    report = Report("compile_repeats")
    functions = list(all_functions(np.random.default_rng(options.seed), options.count))
    modules = [functions[start:start + FUNCTIONS_PER_MODULE]
               for start in range(0, len(functions), FUNCTIONS_PER_MODULE)]
    report.count("functions", len(functions))
    report.count("modules", len(modules))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for part in pool.map(run_module, modules, range(len(modules)),
                             [options.times] * len(modules)):
            report.merge(part)
    return report.finish()


if __name__ == "__main__":
    main(run)
