#!/usr/bin/env python3
"""Measures the cost of `pool.uniform_sums`, by which parts of a result equal the whole.

Times every average of f16, f32 and f64 in the workload files, with and without the attribute,
in turns in one process, on one thread. Prints both times and the ratio. The benchmark only
prints and asserts nothing.

    uniform_sums.py --build build
    uniform_sums.py --build build --only inception
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import math
import os
import statistics
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
from measure.workloads import BadWorkload, only_named, read_files  # noqa: E402

FLOATS = ("f16", "f32", "f64")


def texts_of(options):
    """Returns {workload: (module, module with uniform sums, extents, dtype)}."""
    result = {}
    for name, workload in read_files(options.files).items():
        case = workload.case
        if case.op != "avg_pool" or case.element_type not in FLOATS:
            continue
        plain = case.function("f", case.dynamic_output_shape(workload.output), pretty=True)
        lines = plain.split("\n")
        at = next(i for i, line in enumerate(lines) if "pool.avg_pool" in line)
        lines[at] = lines[at].replace(" : ", " {pool.uniform_sums} : ", 1)
        result[name] = plain, "\n".join(lines), case.shape, case.dtype
    return only_named(result, options.only, "workload")


def measure(compile_module, texts, seconds):
    """Returns the seconds of the fastest call without and with uniform sums."""
    import numpy as np  # pylint: disable=import-outside-toplevel
    plain, uniform, shape, dtype = texts
    array = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    functions = [compile_module(plain), compile_module(uniform)]
    best = [math.inf, math.inf]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for i, function in enumerate(functions):
            for _ in range(5):
                begin = time.perf_counter()
                function(array)
                best[i] = min(best[i], time.perf_counter() - begin)
    return best


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="WORKLOADS.json",
                        help="default: workloads.json and others.json beside this script")
    parser.add_argument("--build", type=Path, required=True, help="the build folder")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only workloads whose name contains TEXT; may be given several "
                             "times")
    parser.add_argument("--seconds", type=float, default=1,
                        help="time for each workload (default: 1)")
    options = parser.parse_args()
    os.environ["POOL_CACHE_DIR"] = ""
    sys.path.insert(0, str(options.build / "python"))
    import pool_mlir  # pylint: disable=import-outside-toplevel
    try:
        texts = texts_of(options)
    except BadWorkload as error:
        parser.error(str(error))
    print("| workload | us | uniform us | ratio |\n|---|--:|--:|--:|")
    ratios = []
    for name, text in texts.items():
        plain, uniform = measure(pool_mlir.compile, text, options.seconds)
        ratios.append(uniform / plain)
        print(f"| {name} | {1e6 * plain:.1f} | {1e6 * uniform:.1f} | {ratios[-1]:.2f} |", flush=True)
    print(f"\ngeometric mean {statistics.geometric_mean(ratios):.2f}, "
          f"median {statistics.median(ratios):.2f}, at most {max(ratios):.2f}")


if __name__ == "__main__":
    main()
