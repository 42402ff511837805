#!/usr/bin/env python3
"""Times parsing and verifying, beside the nearest upstream operation.

Writes modules of 10,000, 20,000 and 40,000 `pool.max_pool` in the pretty form, and of as
many `tosa.max_pool2d`. pool-opt and mlir-opt read and verify the modules, and discard the
output. Runs are interleaved, so that a change of the machine's speed affects both, and the
minimum counts. Each tool's time for an empty function is subtracted. The benchmark only
prints and asserts nothing.

    benchmarks/parse_verify.py --build build --repetitions 7
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COUNTS = (0, 10_000, 20_000, 40_000)
POOL = ("  %{i}, %j{i} = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1]"
        " pads_end [0, 0] layout channels_last"
        " : tensor<1x112x112x64xf32> -> tensor<1x56x56x64xf32>, tensor<1x56x56x64xi64>\n")
POOL_VALUES = ("  %{i} = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1]"
               " pads_end [0, 0] layout channels_last"
               " : tensor<1x112x112x64xf32> -> tensor<1x56x56x64xf32>\n")
TOSA = ("  %{i} = tosa.max_pool2d %x {{kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>,"
        " stride = array<i64: 2, 2>}}"
        " : (tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32>\n")
# Subjects: (name, tool, one line of the module)
SUBJECTS = (("pool.max_pool", "pool-opt", POOL_VALUES),
            ("pool.max_pool with indices", "pool-opt", POOL),
            ("tosa.max_pool2d", "mlir-opt", TOSA))


def module(line, count):
    lines = "".join(line.format(i=i) for i in range(count))
    return f"func.func @f(%x: tensor<1x112x112x64xf32>) {{\n{lines}  return\n}}\n"


def seconds(tool, path):
    start = time.perf_counter()
    process = subprocess.run([tool, str(path), "-o", "/dev/null"], capture_output=True, text=True,
                             check=False)
    elapsed = time.perf_counter() - start
    if process.returncode != 0:
        sys.exit(f"{tool} failed:\n{process.stderr[:2000]}")
    return elapsed


def measure(tools, repetitions):
    """Returns {(subject, count): least seconds}."""
    best = {}
    with tempfile.TemporaryDirectory() as directory:
        paths = {}
        for name, _, line in SUBJECTS:
            for count in COUNTS:
                path = Path(directory) / f"{name.replace(' ', '-')}-{count}.mlir"
                path.write_text(module(line, count))
                paths[name, count] = path
        for _ in range(repetitions):
            for name, tool, _ in SUBJECTS:
                for count in COUNTS:
                    elapsed = seconds(tools[tool], paths[name, count])
                    best[name, count] = min(elapsed, best.get((name, count), elapsed))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="build directory (default: build)")
    parser.add_argument("--mlir-opt", default="/usr/lib/llvm-22/bin/mlir-opt")
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args()
    tools = {"pool-opt": str(Path(options.build) / "bin" / "pool-opt"),
             "mlir-opt": options.mlir_opt}
    best = measure(tools, options.repetitions)
    print(f"least of {options.repetitions} interleaved runs, milliseconds; "
          "start of the tool subtracted")
    print(f"{'operation':28}" + "".join(f"{count:>10,}" for count in COUNTS[1:])
          + f"{'start':>10}{'us per op':>12}{'40k / 10k':>12}")
    net = {}
    for name, _, _ in SUBJECTS:
        start = best[name, 0]
        net[name] = [best[name, count] - start for count in COUNTS[1:]]
        print(f"{name:28}" + "".join(f"{1e3 * t:10.1f}" for t in net[name])
              + f"{1e3 * start:10.1f}{1e6 * net[name][-1] / COUNTS[-1]:12.2f}"
              + f"{net[name][-1] / net[name][0]:12.2f}")
    tosa = SUBJECTS[-1][0]
    for name, _, _ in SUBJECTS[:-1]:
        whole = best[name, COUNTS[-1]] / best[tosa, COUNTS[-1]]
        print(f"{name} / {tosa} at {COUNTS[-1]:,}: {net[name][-1] / net[tosa][-1]:.2f} "
              f"(whole process {whole:.2f}); to be at most 1.5")


if __name__ == "__main__":
    main()
