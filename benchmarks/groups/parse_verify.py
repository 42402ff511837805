"""Times parsing and verifying `pool.max_pool` beside `tosa.max_pool2d`.

pool-opt and mlir-opt read and verify modules of 10,000, 20,000 and 40,000 operations, and discard
the output. Each tool's time for an empty function is subtracted.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

from measure import native
from measure.turns import least_in_turns, least_time

ROUNDS = 7
KIND = "operation"
COUNTS = (0, 10_000, 20_000, 40_000)
WINDOW = ("kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [0, 0] layout channels_last"
          " : tensor<1x112x112x64xf32> -> tensor<1x56x56x64xf32>")
TOSA = "tosa.max_pool2d"
# Name -> (tool, a line of the module)
OPERATIONS = {
    "pool.max_pool": ("pool-opt", "%{i} = pool.max_pool %x " + WINDOW),
    "pool.max_pool with indices": (
        "pool-opt", f"%{{i}}, %j{{i}} = pool.max_pool %x {WINDOW}, tensor<1x56x56x64xi64>"),
    TOSA: ("mlir-opt", "%{i} = tosa.max_pool2d %x {{kernel = array<i64: 3, 3>, pad = array<i64: 1, "
           "0, 1, 0>, stride = array<i64: 2, 2>}} : (tensor<1x112x112x64xf32>)"
           " -> tensor<1x56x56x64xf32>")}


def add_options(parser):
    parser.add_argument("--mlir-opt", default="/usr/lib/llvm-22/bin/mlir-opt")


def rows(_):
    return OPERATIONS


def run(chosen, options, report):
    tools = {"pool-opt": options.build / "bin/pool-opt", "mlir-opt": options.mlir_opt}
    contestants = {}
    for name, (tool, line) in chosen.items():
        for count in COUNTS:
            path = options.directory / f"{len(contestants)}.mlir"
            body = "".join(f"  {line.format(i=i)}\n" for i in range(count))
            path.write_text(f"func.func @f(%x: tensor<1x112x112x64xf32>) {{\n{body}  return\n}}\n")
            command = [tools[tool], path, "-o", "/dev/null"]
            contestants[name, count] = functools.partial(
                least_time, functools.partial(native.run, command), 1)
    best = least_in_turns(contestants, options.rounds)
    net = {name: [best[name, count] - best[name, 0] for count in COUNTS[1:]] for name in chosen}
    report.header("operation", *(f"{count:,} ms" for count in COUNTS[1:]), "start ms", "us per op",
                  "40k / 10k")
    for name, times in net.items():
        report.row(name, *(f"{us / 1e3:.1f}" for us in times), f"{best[name, 0] / 1e3:.1f}",
                   f"{times[-1] / COUNTS[-1]:.2f}", f"{times[-1] / times[0]:.2f}", us=times)
    report.line()
    for name in [name for name in net if name != TOSA and TOSA in net]:
        whole = best[name, COUNTS[-1]] / best[TOSA, COUNTS[-1]]
        report.line(f"{name} / tosa at {COUNTS[-1]:,}: {net[name][-1] / net[TOSA][-1]:.2f} "
                    f"(whole process {whole:.2f}); to be at most 1.5")
