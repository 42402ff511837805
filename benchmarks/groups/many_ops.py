"""Times `--pool-to-llvm` on modules with many poolings, and measures its memory.

The modules are functions of 100, 400 and 1,600 poolings, and as many functions of one. Prints user
time and peak memory, without verification between passes, on one thread. A run has at most 16 GiB
and five minutes.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import itertools
import math
import os
import resource
import subprocess

from measure.native import Failure
from measure.turns import least_in_turns

ROUNDS = 3
KIND = "module"
STATIC = "tensor<1x8x32x32xf32>"
DYNAMIC = "tensor<1x8x?x?xf32>"
WINDOW = "kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]"
MEMORY = 16 << 30
SECONDS = 300
FAILED = (math.inf, math.inf)


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


# Name -> function that gives the lines of a module for a number of poolings
MODULES = {
    "chain": lambda count: chain("max_pool", STATIC, count),
    "averages": lambda count: chain("avg_pool", STATIC, count),
    "dynamic": lambda count: chain("max_pool", DYNAMIC, count),
    "shapes": shapes,
    "functions": functions,
}


def lower(command):
    """Returns (user seconds, MiB of memory). Both are infinite if the command failed."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    # pylint: disable-next=subprocess-popen-preexec-fn
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, preexec_fn=limit) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return (usage.ru_utime, usage.ru_maxrss / 1024) if process.returncode == 0 else FAILED


def add_options(parser):
    parser.add_argument("--tool", help="another pool-opt than that of the build")
    parser.add_argument("--path", nargs="+", choices=("vector", "linalg", "affine"),
                        default=["vector", "linalg"])
    parser.add_argument("--counts", nargs="+", type=int, default=[100, 400, 1600])


def rows(_):
    return MODULES


def run(chosen, options, report):
    tool, counts = options.tool or options.build / "bin/pool-opt", options.counts
    file, failed = options.directory / "module.mlir", set()

    def take(name, path, count):
        # A failure may take five minutes, so a contestant fails once.
        if (name, path, count) in failed:
            return FAILED
        file.write_text("\n".join(MODULES[name](count)) + "\n")
        figures = lower([tool, file, f"--pool-to-llvm=path={path}", "--verify-each=false",
                         "--mlir-disable-threading", "-o", "/dev/null"])
        if figures == FAILED:
            failed.add((name, path, count))
        return figures

    best = least_in_turns({key: functools.partial(take, *key) for key in itertools.product(
        chosen, options.path, counts)}, options.rounds)
    if all(figures == FAILED for figures in best.values()):
        raise Failure(f"{tool} failed")
    report.header("poolings", "path", *(f"s for {count:,}" for count in counts),
                  "each, last to first", "MiB", left=(0, 1))
    for name, path in itertools.product(chosen, options.path):
        seconds, memory = zip(*(best[name, path, count] for count in counts))
        ratio = seconds[-1] / counts[-1] / (seconds[0] / counts[0])
        report.row(name, path, *("failed" if s == math.inf else f"{s:.2f}" for s in seconds),
                   f"{ratio:.2f}" if math.isfinite(ratio) else "-",
                   "-" if memory[-1] == math.inf else f"{memory[-1]:,.0f}")
        # JSON has no infinity.
        report.figures[f"{name} {path}"] = {
            key: [value if math.isfinite(value) else None for value in values]
            for key, values in (("seconds", seconds), ("mib", memory))}
