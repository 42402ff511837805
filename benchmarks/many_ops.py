#!/usr/bin/env python3
"""Times `--pool-to-llvm` on modules with many poolings.

Writes functions of 100, 400 and 1,600 poolings, and modules of as many functions. Lowers
them by the paths vector and linalg, or as --path says. Prints user time and peak memory of
the process, without verification between passes, on one thread. Runs are interleaved, and the
least time counts. A run has at most 16 GiB and five minutes. The benchmark only prints and
asserts nothing.

    benchmarks/many_ops.py --build build --repetitions 3 --only chain
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

STATIC = "tensor<1x8x32x32xf32>"
DYNAMIC = "tensor<1x8x?x?xf32>"
WINDOW = "kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]"
MEMORY = 16 << 30
SECONDS = 300


def chain(operation, tensor, count):
    yield f"func.func @f(%y0: {tensor}) -> {tensor} {{"
    for i in range(count):
        yield f"  %y{i + 1} = pool.{operation} %y{i} {WINDOW} : {tensor} -> {tensor}"
    yield f"  return %y{count} : {tensor}\n}}"


def shapes(count):
    """Yields the lines of a function with `count` maxima. Each maximum has its own argument
    and result, and no two maxima have the same extents.

    A small number of maxima has the same mix of extents as a large number.
    """
    mixed = [i * 577 % 1600 for i in range(count)]
    types = [f"tensor<1x8x{16 + i % 40}x{16 + i // 40}xf32>" for i in mixed]
    arguments = ", ".join(f"%x{i}: {tensor}" for i, tensor in enumerate(types))
    results = ", ".join(f"%y{i}" for i in range(count))
    yield f"func.func @f({arguments}) -> ({', '.join(types)}) {{"
    for i, tensor in enumerate(types):
        yield f"  %y{i} = pool.max_pool %x{i} {WINDOW} : {tensor} -> {tensor}"
    yield f"  return {results} : {', '.join(types)}\n}}"


def functions(count):
    for i in range(count):
        yield f"func.func @f{i}(%x: {STATIC}) -> {STATIC} {{"
        yield f"  %y = pool.max_pool %x {WINDOW} : {STATIC} -> {STATIC}"
        yield f"  return %y : {STATIC}\n}}"


# Subjects: name -> function that gives the lines of a module for a number of poolings
SUBJECTS = {
    "chain": lambda count: chain("max_pool", STATIC, count),
    "averages": lambda count: chain("avg_pool", STATIC, count),
    "dynamic": lambda count: chain("max_pool", DYNAMIC, count),
    "shapes": shapes,
    "functions": functions,
}


def run(command):
    """Returns (user seconds, MiB of memory), or None if the command failed."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    with subprocess.Popen(command, stderr=subprocess.DEVNULL,
                          preexec_fn=limit) as process:  # pylint: disable=subprocess-popen-preexec-fn
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return (usage.ru_utime, usage.ru_maxrss / 1024) if process.returncode == 0 else None


def measure(tool, subjects, paths, counts, repetitions):
    """Returns {(subject, path, count): (least seconds, MiB), or None}."""
    best = {}
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "module.mlir"
        for repetition in range(repetitions):
            for key in [(s, p, c) for s in subjects for p in paths for c in counts]:
                if repetition and best[key] is None:
                    continue
                file.write_text("\n".join(SUBJECTS[key[0]](key[2])) + "\n")
                figures = run([tool, str(file), f"--pool-to-llvm=path={key[1]}",
                               "--verify-each=false", "--mlir-disable-threading",
                               "-o", "/dev/null"])
                best[key] = min(figures, best[key]) if repetition and figures else figures
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="build directory (default: build)")
    parser.add_argument("--tool", help="another pool-opt than that of the build")
    parser.add_argument("--only", nargs="+", choices=SUBJECTS, default=list(SUBJECTS))
    parser.add_argument("--path", nargs="+", choices=("vector", "linalg", "affine"),
                        default=["vector", "linalg"])
    parser.add_argument("--counts", nargs="+", type=int, default=[100, 400, 1600])
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    tool = options.tool or str(Path(options.build) / "bin" / "pool-opt")
    best = measure(tool, options.only, options.path, options.counts, options.repetitions)
    if all(figures is None for figures in best.values()):
        sys.exit(f"{tool} failed")
    counts = options.counts
    print("| poolings | path | " + " | ".join(f"s for {count:,}" for count in counts)
          + " | each, last to first | MiB |")
    print("|---|---|" + "---|" * (len(counts) + 2))
    for subject in options.only:
        for path in options.path:
            row = [best[subject, path, count] for count in counts]
            seconds = ["failed" if figures is None else f"{figures[0]:.2f}" for figures in row]
            ratio, memory = "-", "-"
            if row[-1]:
                memory = f"{row[-1][1]:,.0f}"
            if row[0] and row[-1]:
                ratio = f"{row[-1][0] / counts[-1] / (row[0][0] / counts[0]):.2f}"
            print(f"| {subject} | {path} | " + " | ".join(seconds) + f" | {ratio} | {memory} |")


if __name__ == "__main__":
    main()
