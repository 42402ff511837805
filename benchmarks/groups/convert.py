"""Times lowering to linalg, beside upstream's lowering of TOSA.

Modules of 2,500 to 20,000 operations are converted by `--convert-pool-to-linalg`, and by
`--tosa-to-linalg-named` and `--tosa-to-linalg`. The time covers the passes alone, as
`--mlir-timing` reports it. "as TOSA's" has the operations of the TOSA modules. "mixed" has twelve
operations, and TOSA lacks most of them. They have channels first, three spatial dimensions, ceil,
dilation, indices, dynamic extents, counted padding or rounding to even. One is lp_pool.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import itertools
import json
import subprocess

from measure.native import Failure
from measure.turns import least_in_turns

ROUNDS = 3
KIND = "module"
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


# Name -> (pipeline, passes whose times are added, lines that a module repeats)
MODULES = {
    "tosa": ("func.func(tosa-to-linalg-named,tosa-to-linalg)",
             {"TosaToLinalgNamed", "TosaToLinalg"}, list(tosa_lines())),
    "pool, as TOSA's": ("convert-pool-to-linalg", {"ConvertPoolToLinalg"}, list(same_lines())),
    "pool, mixed": ("convert-pool-to-linalg", {"ConvertPoolToLinalg"},
                    [f"%{{i}} = {line}" for line in MIXED]
                    + [f"%{{i}}, %j{{i}} = {WITH_INDICES}"])}
HEAD = """\
func.func @f(%x: tensor<1x33x33x8xf32>, %i: tensor<1x33x33x8xi8>, %c: tensor<1x8x32x33xf32>,
             %d: tensor<1x8x?x?xf32>, %v: tensor<1x4x8x8x8xf16>) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zi = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
"""


def microseconds(tool, path, pipeline, passes):
    """Returns the time of the named passes of the pipeline."""
    process = subprocess.run(
        [tool, path, f"--pass-pipeline=builtin.module({pipeline})", "--mlir-timing",
         "--mlir-timing-display=list", "--mlir-output-format=json", "-o", "/dev/null"],
        capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise Failure(f"{pipeline} failed: {process.stderr[:2000]}")
    times = {entry["name"]: entry["wall"]["duration"] for entry in json.loads(process.stderr)}
    return 1e6 * sum(times[name] for name in passes)


def rows(_):
    return MODULES


def run(chosen, options, report):
    contestants = {}
    for name, (pipeline, passes, lines) in chosen.items():
        for count in COUNTS:
            path = options.directory / f"{len(contestants)}.mlir"
            body = "".join(f"  {line.format(i=i)}\n"
                           for i, line in zip(range(count), itertools.cycle(lines)))
            path.write_text(f"{HEAD}{body}  return\n}}\n")
            contestants[name, count] = functools.partial(
                microseconds, options.build / "bin/pool-opt", path, pipeline, passes)
    best = least_in_turns(contestants, options.rounds)
    report.header("operations", *(f"{count:,} ms" for count in COUNTS), "us per op", "20k / 2.5k")
    for name in chosen:
        times = [best[name, count] for count in COUNTS]
        report.row(name, *(f"{us / 1e3:.1f}" for us in times), f"{times[-1] / COUNTS[-1]:.1f}",
                   f"{times[-1] / times[0]:.2f}", us=times)
    report.line()
    for name in [name for name in chosen if name != "tosa" and "tosa" in chosen]:
        ratios = "  ".join(f"{best[name, count] / best['tosa', count]:.2f}" for count in COUNTS)
        report.line(f"{name} / tosa: {ratios}; to be at most 1.5 at 10,000")
