"""Times a chain of maxima over a volume, one operation after the other and in tiles.

`--pool-tile-chains` makes tiles whose working set, including halos, fits the given bytes. All
results must be equal to the bit.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import numpy as np

from measure import native
from measure.turns import least_in_turns, pool_run

ROUNDS = 3
KIND = "form"
WHOLE = "one after the other"
WINDOW = "kernel [3, 3, 3] pads_begin [1, 1, 1] pads_end [1, 1, 1]"


def add_options(parser):
    parser.add_argument("--shape", type=int, nargs=5, default=(1, 16, 96, 128, 128))
    parser.add_argument("--operations", type=int, default=3)
    parser.add_argument("--mib", type=int, nargs="+", default=(1, 2, 4, 8, 16))
    parser.add_argument("--threads", type=int, nargs="+", default=(1, 2))


def rows(options):
    """Returns {form: module}."""
    count, tensor = options.operations, f"tensor<{'x'.join(map(str, options.shape))}xf32>"
    text = "\n".join([
        f"func.func @main(%y0: {tensor}) -> {tensor} {{",
        *(f"  %y{i + 1} = pool.max_pool %y{i} {WINDOW} : {tensor} -> {tensor}"
          for i in range(count)),
        f"  return %y{count} : {tensor}", "}", ""])
    return {WHOLE: text, **{f"tiles of {mib} MiB": native.run(
        [options.build / "bin/pool-opt", f"--pool-tile-chains=bytes={mib << 20}"], text)
        for mib in options.mib}}


def run(chosen, options, report):
    x, y = options.directory / "x.npy", options.directory / "y.npy"
    np.save(x, np.random.default_rng(0).random(options.shape, dtype=np.float32))
    results = []

    def call(name, path, threads):
        us = pool_run(options, path, [x], [y], "--repeat", 3, "--threads", threads)
        results.append(np.load(y))
        if not np.array_equal(results[0], results[-1]):
            raise native.Failure(f"{name}: another result")
        del results[1:]
        return us

    contestants = {}
    for number, (name, module) in enumerate(chosen.items()):
        path = options.directory / f"{number}.mlir"
        path.write_text(module, encoding="utf-8")
        for threads in options.threads:
            contestants[name, threads] = functools.partial(call, name, path, threads)
    least = least_in_turns(contestants, options.rounds)
    report.header("form", *(f"ms, {n} thread{'s' * (n > 1)}" for n in options.threads),
                  "times as fast")
    first = next(iter(chosen))
    for name in chosen:
        times = [least[name, threads] for threads in options.threads]
        ratio = ", ".join(f"{least[first, threads] / us:.2f}"
                          for threads, us in zip(options.threads, times))
        report.row(name, *(f"{us / 1000:.0f}" for us in times), ratio, us=times)
