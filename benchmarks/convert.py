#!/usr/bin/env python3
"""Times lowering to linalg, beside upstream's lowering of TOSA.

Writes modules of 2,500 to 20,000 pooling operations, maxima and averages with various
attributes, and modules of as many operations of TOSA. Converts them with
`--convert-pool-to-linalg`, and with `--tosa-to-linalg-named` and `--tosa-to-linalg`. The
time covers the passes alone, as `--mlir-timing` reports it, without reading, verifying
and printing. Runs are interleaved, so that a change of the machine's speed affects all, and
the least time counts. The benchmark only prints times and asserts nothing.

There are two mixes of pooling operations. "as TOSA's" has the operations of the TOSA
modules. "mixed" has twelve operations, and TOSA lacks most of them. They have channels
first, three spatial dimensions, ceil, dilation, indices, dynamic extents, counted padding or
rounding to even. lp_pool is one of them.

    benchmarks/convert.py --build build --repetitions 3
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

COUNTS = (2_500, 5_000, 10_000, 20_000)
TOSA_WINDOWS = (
    ("array<i64: 3, 3>", "array<i64: 1, 1, 1, 1>", "array<i64: 2, 2>", "17x17"),
    ("array<i64: 3, 3>", "array<i64: 0, 0, 0, 0>", "array<i64: 1, 1>", "31x31"),
    ("array<i64: 1, 5>", "array<i64: 0, 0, 2, 2>", "array<i64: 4, 2>", "9x17"),
)
POOL_WINDOWS = (
    ("kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]", "17x17"),
    ("kernel [3, 3]", "31x31"),
    ("kernel [1, 5] strides [4, 2] pads_begin [0, 2] pads_end [0, 2]", "9x17"),
)
MIXED = (
    "pool.max_pool %c kernel [3, 3] strides [2, 2] rounding_type ceil"
    " : tensor<1x8x32x33xf32> -> tensor<1x8x16x16xf32>",
    "pool.max_pool %c kernel [3, 3] dilations [2, 1] nan_mode propagate"
    " : tensor<1x8x32x33xf32> -> tensor<1x8x28x31xf32>",
    "pool.max_pool %d kernel [2, 2] strides [2, 2]"
    " : tensor<1x8x?x?xf32> -> tensor<1x8x?x?xf32>",
    "pool.max_pool %v kernel [2, 2, 2] pads_begin [1, 0, 1] pad_value zero"
    " : tensor<1x4x8x8x8xf16> -> tensor<1x4x8x7x8xf16>",
    "pool.max_pool %i kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]"
    " layout channels_last : tensor<1x33x33x8xi8> -> tensor<1x17x17x8xi8>",
    "pool.avg_pool %c kernel [3, 3] strides [2, 2] pads_begin [1, 1] rounding_type ceil"
    " divisor padded : tensor<1x8x32x33xf32> -> tensor<1x8x16x17xf32>",
    "pool.avg_pool %c kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] divisor kernel"
    " : tensor<1x8x32x33xf32> -> tensor<1x8x32x33xf32>",
    "pool.avg_pool %d kernel [3, 3] auto_pad same_upper"
    " : tensor<1x8x?x?xf32> -> tensor<1x8x?x?xf32>",
    "pool.avg_pool %v kernel [2, 2, 2] divisor_override 3"
    " : tensor<1x4x8x8x8xf16> -> tensor<1x4x7x7x7xf16>",
    "pool.avg_pool %i kernel [2, 2] layout channels_last input_zp 3 output_zp -4"
    " : tensor<1x33x33x8xi8> -> tensor<1x32x32x8xi8>",
    "pool.lp_pool %c kernel [2, 2] : tensor<1x8x32x33xf32> -> tensor<1x8x31x32xf32>",
)
WITH_INDICES = ("pool.max_pool %c kernel [3, 3] strides [2, 2] pads_begin [1, 1] axis 2"
                " : tensor<1x8x32x33xf32> -> tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64>")


def tosa_lines():
    for kernel, pad, stride, out in TOSA_WINDOWS:
        window = f"kernel = {kernel}, pad = {pad}, stride = {stride}"
        for value, zero, element, accumulator in (("%x", "%z", "f32", "f32"),
                                                  ("%i", "%zi", "i8", "i32")):
            x, y = f"tensor<1x33x33x8x{element}>", f"tensor<1x{out}x8x{element}>"
            yield f"%{{i}} = tosa.max_pool2d {value} {{{{{window}}}}} : ({x}) -> {y}"
            yield (f"%{{i}} = tosa.avg_pool2d {value}, {zero}, {zero} {{{{acc_type = "
                   f"{accumulator}, {window}}}}} : ({x}, tensor<1x{element}>, "
                   f"tensor<1x{element}>) -> {y}")


def same_lines():
    for window, out in POOL_WINDOWS:
        for value, element, nan, rounding in (("%x", "f32", " nan_mode propagate", ""),
                                              ("%i", "i8", "", " integer_rounding half_up")):
            types = f"tensor<1x33x33x8x{element}> -> tensor<1x{out}x8x{element}>"
            yield f"%{{i}} = pool.max_pool {value} {window} layout channels_last{nan} : {types}"
            yield (f"%{{i}} = pool.avg_pool {value} {window} layout channels_last{rounding}"
                   f" : {types}")


# Subjects: (name, pipeline, passes whose times are added, lines that a module repeats)
SUBJECTS = (
    ("tosa", "func.func(tosa-to-linalg-named,tosa-to-linalg)",
     {"TosaToLinalgNamed", "TosaToLinalg"}, list(tosa_lines())),
    ("pool, as TOSA's", "convert-pool-to-linalg", {"ConvertPoolToLinalg"}, list(same_lines())),
    ("pool, mixed", "convert-pool-to-linalg", {"ConvertPoolToLinalg"},
     [f"%{{i}} = {line}" for line in MIXED] + [f"%{{i}}, %j{{i}} = {WITH_INDICES}"]),
)
HEAD = """\
func.func @f(%x: tensor<1x33x33x8xf32>, %i: tensor<1x33x33x8xi8>, %c: tensor<1x8x32x33xf32>,
             %d: tensor<1x8x?x?xf32>, %v: tensor<1x4x8x8x8xf16>) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zi = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
"""


def module(lines, count):
    body = "".join(f"  {line.format(i=i)}\n"
                   for i, line in zip(range(count), itertools.cycle(lines)))
    return f"{HEAD}{body}  return\n}}\n"


def seconds(tool, path, pipeline, passes):
    """Returns the time of the named passes of the pipeline."""
    process = subprocess.run(
        [tool, str(path), f"--pass-pipeline=builtin.module({pipeline})", "--mlir-timing",
         "--mlir-timing-display=list", "--mlir-output-format=json", "-o", "/dev/null"],
        capture_output=True, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"{pipeline} failed:\n{process.stderr[:2000]}")
    times = {entry["name"]: entry["wall"]["duration"] for entry in json.loads(process.stderr)}
    return sum(times[name] for name in passes)


def measure(tool, repetitions):
    """Returns {(subject, count): least seconds}."""
    best = {}
    with tempfile.TemporaryDirectory() as directory:
        runs = []
        for name, pipeline, passes, lines in SUBJECTS:
            for count in COUNTS:
                path = Path(directory) / f"{len(runs)}.mlir"
                path.write_text(module(lines, count))
                runs.append((name, count, path, pipeline, passes))
        for _ in range(repetitions):
            for name, count, path, pipeline, passes in runs:
                elapsed = seconds(tool, path, pipeline, passes)
                best[name, count] = min(elapsed, best.get((name, count), elapsed))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="build directory (default: build)")
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    best = measure(f"{options.build}/bin/pool-opt", options.repetitions)
    print(f"converting to linalg: least of {options.repetitions} interleaved runs, milliseconds "
          "in the passes (--mlir-timing)")
    print(f"{'operations':20}" + "".join(f"{count:>10,}" for count in COUNTS)
          + f"{'us per op':>12}{'20k / 2.5k':>12}")
    for name, *_ in SUBJECTS:
        times = [best[name, count] for count in COUNTS]
        print(f"{name:20}" + "".join(f"{1e3 * t:10.1f}" for t in times)
              + f"{1e6 * times[-1] / COUNTS[-1]:12.1f}{times[-1] / times[0]:12.2f}")
    for name, *_ in SUBJECTS[1:]:
        ratios = "  ".join(f"{best[name, count] / best['tosa', count]:.2f}" for count in COUNTS)
        print(f"{name} / tosa: {ratios}; to be at most 1.5 at 10,000")


if __name__ == "__main__":
    main()
