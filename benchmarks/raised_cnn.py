#!/usr/bin/env python3
"""Times two whole networks with and without raised pooling.

The networks are test/data/torch-mlir; `--convert-linalg-to-pool` and
`--convert-tosa-to-pool` raise their pools. Upstream passes lower both forms, and pool-run
runs them in alternating processes, so that a change of the machine's speed affects both.
The least time counts; the median of the rounds' ratios is printed beside it. The benchmark
only prints and asserts nothing.

    benchmarks/raised_cnn.py --build build --rounds 9 --repeat 300
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "Integration"))
# pylint: disable=wrong-import-position
from pooltest import networks  # noqa: E402


def call(command, text=None):
    process = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{process.stderr[:2000]}")
    return process.stdout


def microseconds(options, module, network, directory):
    output = call([f"{options.build}/bin/pool-run", str(module), "--entry", "main", "--input",
                   str(network.input_path), "--output", f"{directory}/y.npy", "--repeat",
                   str(options.repeat)])
    return float(re.search(r"min_us=([0-9.]+)", output).group(1))


def measure(network, options, directory):
    """Returns a pair: the times of the raised form, and the times of the other form. Each has
    one time for each round."""
    paths = []
    for form, passes in (("raised", network.raising), ("as-it-was", "")):
        pipeline = ",".join(filter(None, (passes, network.lowering)))
        text = call([f"{options.build}/bin/pool-opt", f"--pass-pipeline=builtin.module({pipeline})"],
                    network.text)
        paths.append(Path(directory) / f"{form}.mlir")
        paths[-1].write_text(text)
    rounds = []
    for number in range(options.rounds):
        # Alternate which form is first.
        order = paths if number % 2 == 0 else paths[::-1]
        times = {path: microseconds(options, path, network, directory) for path in order}
        rounds.append([times[path] for path in paths])
    return zip(*rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="build directory (default: build)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--repeat", type=int, default=300, help="calls in a round")
    options = parser.parse_args()
    print(f"least of {options.rounds} alternate rounds of {options.repeat} calls, microseconds")
    print(f"{'network':24}{'raised':>10}{'as it was':>12}{'ratio':>8}{'median':>9}")
    for network in (networks.LINALG, networks.TOSA):
        with tempfile.TemporaryDirectory() as directory:
            raised, plain = measure(network, options, directory)
        median = statistics.median(r / p for r, p in zip(raised, plain))
        print(f"{network.file:24}{min(raised):10.1f}{min(plain):12.1f}"
              f"{min(raised) / min(plain):8.3f}{median:9.3f}   to be at most 1.05")


if __name__ == "__main__":
    main()
