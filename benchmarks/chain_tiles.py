#!/usr/bin/env python3
"""Times a chain of maxima over a volume, one operation after the other and in tiles.

`--pool-tile-chains` makes tiles whose working set, including halos, fits the given bytes.
Both forms run by pool-run in turns, so that a change of the machine's speed affects all,
and the least time counts. All results must be equal to the bit, or the exit code is 1. The
volume is f32, of `--shape`. The benchmark asserts nothing else.

    benchmarks/chain_tiles.py --build build --mib 1 4 16
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from scatter import pool_run

WINDOW = "kernel [3, 3, 3] pads_begin [1, 1, 1] pads_end [1, 1, 1]"


def chain(shape, count):
    tensor = f"tensor<{'x'.join(map(str, shape))}xf32>"
    lines = [f"  %y{i + 1} = pool.max_pool %y{i} {WINDOW} : {tensor} -> {tensor}"
             for i in range(count)]
    return "\n".join([f"func.func @main(%y0: {tensor}) -> {tensor} {{", *lines,
                      f"  return %y{count} : {tensor}", "}", ""])


def partition(options, text, mib):
    process = subprocess.run([options.build / "bin" / "pool-opt",
                              f"--pool-tile-chains=bytes={mib << 20}"], input=text,
                             capture_output=True, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"chain_tiles.py: {process.stderr[:2000]}")
    return process.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--shape", type=int, nargs=5, default=(1, 16, 96, 128, 128))
    parser.add_argument("--operations", type=int, default=3)
    parser.add_argument("--mib", type=int, nargs="+", default=(1, 2, 4, 8, 16))
    parser.add_argument("--threads", type=int, nargs="+", default=(1, 2))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    text = chain(options.shape, options.operations)
    forms = {"one after the other": text}
    for mib in options.mib:
        forms[f"tiles of {mib} MiB"] = partition(options, text, mib)
    least = {}
    with tempfile.TemporaryDirectory(prefix="pool-bench-") as directory:
        x = f"{directory}/x.npy"
        np.save(x, np.random.default_rng(0).random(options.shape, dtype=np.float32))
        expected = None
        for _ in range(options.rounds):
            for number, (name, module) in enumerate(forms.items()):
                path, output = f"{directory}/{number}.mlir", f"{directory}/y.npy"
                Path(path).write_text(module, encoding="utf-8")
                for threads in options.threads:
                    told = pool_run(options, path, "main", [x], [output], "--repeat", "3",
                                    "--threads", str(threads))
                    us = float(re.search(r"min_us=([0-9.]+)", told)[1])
                    least[name, threads] = min(us, least.get((name, threads), us))
                    y = np.load(output)
                    expected = y if expected is None else expected
                    if not np.array_equal(y, expected):
                        sys.exit(f"chain_tiles.py: {name}: another result")
    print("| form | " + " | ".join(f"ms, {n} thread{'s' * (n > 1)}" for n in options.threads)
          + " | times as fast |")
    print("|---|" + "--:|" * (len(options.threads) + 1))
    for name in forms:
        times = [least[name, threads] for threads in options.threads]
        ratio = ", ".join(f"{least['one after the other', threads] / us:.2f}"
                          for threads, us in zip(options.threads, times))
        print(f"| {name} | " + " | ".join(f"{us / 1000:.0f}" for us in times) + f" | {ratio} |")


if __name__ == "__main__":
    main()
