# RUN: env POOL_BUILD_DIR=%build_dir %python %s
# UNSUPPORTED: sanitizer
"""A compilation that crashed once in eight times (docs/Internals/upstream/two-address.md) must
not crash any more.

Many processes compile and run Inputs/two-address.mlir on path=vector at -O3, with a randomised
address space. Every fourth process also fills allocated and freed memory with a pattern of its
own. The other processes do not, because a pattern hides this crash. No process may end by a
signal, and all results must equal the interpreter's.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import concurrent.futures
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from pooltest import tier
from pooltest.report import Report, main
from pooltest.tools import TIMEOUT_SECONDS, save, tool

MODULE = Path(__file__).resolve().parent / "Inputs" / "two-address.mlir"
SHAPE = (2, 3, 7)


def perturb(number):
    """Returns process `number`'s value of $MALLOC_PERTURB_: a byte that glibc fills memory
    with, or 0 for no filling."""
    return number % 255 + 1 if number % 4 == 3 else 0


def run_once(directory, number, *options):
    """Returns (exit code, standard error, the bytes of both results or None)."""
    outputs = [Path(directory) / f"{number}.{i}.npy" for i in range(2)]
    environment = {**os.environ, "MALLOC_PERTURB_": str(perturb(number))}
    process = subprocess.run(
        [tool("pool-run"), str(MODULE), "--input", f"{directory}/x.npy", "--output",
         *map(str, outputs), *options], capture_output=True, text=True, env=environment,
        timeout=TIMEOUT_SECONDS, check=False)
    found = all(path.exists() for path in outputs)
    return (process.returncode, process.stderr,
            [path.read_bytes() for path in outputs] if found else None)


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=tier.size(1000, 150, 20))
    parser.add_argument("--seed", type=int, default=tier.seed(14))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    report = Report("crash_repeats")
    x = np.random.default_rng(options.seed).integers(-100, 100, SHAPE, np.int8)
    with tempfile.TemporaryDirectory() as directory:
        save(f"{directory}/x.npy", x)
        code, said, expected = run_once(directory, options.runs, "--path=reference")
        report.expect(code == 0, "the interpreter", stderr=said[:2000])
        ends = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for number, (code, said, arrays) in enumerate(pool.map(
                    lambda number: run_once(directory, number), range(options.runs))):
                ends[code] += 1
                if report.expect(code == 0, f"pool-run ended with code {code}",
                                 MALLOC_PERTURB_=perturb(number), stderr=said[:3000]):
                    report.expect(arrays == expected, "other results", x=x, run=number)
        for code, number in ends.items():
            report.count(f"processes that ended with code {code}", number)
    return report.finish()


if __name__ == "__main__":
    main(run)
