"""Times two whole networks with and without raised pooling.

`--convert-linalg-to-pool` and `--convert-tosa-to-pool` raise the pools of test/data/torch-mlir's
networks. Upstream passes lower both forms. The median of the rounds' ratios is printed, too.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import statistics

from measure import native
from measure.turns import in_turns, pool_run
from pooltest import networks

ROUNDS = 9
KIND = "network"


def add_options(parser):
    parser.add_argument("--repeat", type=int, default=300, help="calls in a round (default: 300)")


def rows(_):
    return {network.file: network for network in (networks.LINALG, networks.TOSA)}


def run(chosen, options, report):
    report.header("network", "raised us", "as it was us", "ratio", "median")
    for name, network in chosen.items():
        contestants = {}
        for form, passes in (("raised", network.raising), ("as it was", "")):
            pipeline = ",".join(filter(None, (passes, network.lowering)))
            path = options.directory / f"{form}.mlir"
            path.write_text(native.run([options.build / "bin/pool-opt",
                                        f"--pass-pipeline=builtin.module({pipeline})"],
                                       network.text))
            contestants[form] = functools.partial(
                pool_run, options, path, [network.input_path], [options.directory / "y.npy"],
                "--repeat", options.repeat)
        raised, plain = in_turns(contestants, options.rounds).values()
        median = statistics.median(r / p for r, p in zip(raised, plain))
        report.row(name, f"{min(raised):.1f}", f"{min(plain):.1f}",
                   f"{min(raised) / min(plain):.3f}", f"{median:.3f}", raised=raised, plain=plain)
    report.line("\nThe ratio is to be at most 1.05.")
