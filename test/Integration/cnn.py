# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Two whole networks from PyTorch, with their pooling raised and as it was.

test/data/torch-mlir has them in linalg and in TOSA, with PyTorch's numbers. All
six pools of each become pooling operations, the rest is lowered by upstream
passes; both forms run and must agree with PyTorch and with each other.

The tolerance: PyTorch makes its sums in another order, so that results differ by
rounding. Along the longest chain a number is the outcome of 75 additions in the
first convolution, 72 in the second, 9, 9 and 20 in the averages and 12 in the
matrix product, about 200 roundings of 2^-24 each, of results of the order of 1.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

from pooltest.report import Report, main
from pooltest.tools import pool_opt, run, tool

DATA = Path(__file__).resolve().parent.parent / "data" / "torch-mlir"
TOLERANCE = 200 * 2.0 ** -24
# Noise of a measurement.
MAX_SLOWDOWN = 1.05
LOWER_TOSA = "func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor)"

NETWORKS = {
    "small-cnn.linalg.mlir": {
        "input": "input.npy", "output": "output.npy",
        "raise": "convert-linalg-to-pool", "lower": "",
        "left": r"linalg\.pooling_|\"reduction\"",
        # Kernel and what is peculiar to each pool, in order.
        "pools": [r"max_pool .* kernel \[3, 3\] strides \[2, 2\] pads_begin \[1, 1\] ",
                  r"max_pool .* kernel \[3, 3\] strides \[2, 2\] pads_end \[1, 0\] ",
                  r"max_pool .* kernel \[2, 2\] dilations \[2, 2\] pads_begin \[1, 1\] ",
                  r"avg_pool .* kernel \[3, 3\] pads_begin \[1, 1\] pads_end \[1, 1\] :",
                  r"avg_pool .* kernel \[3, 3\] strides \[2, 2\] pads_begin \[1, 1\] "
                  r"pads_end \[1, 1\] rounding_type ceil divisor padded :",
                  r"avg_pool .* kernel \[5, 4\] :"],
    },
    "small-cnn.tosa.mlir": {
        "input": "input-tosa.npy", "output": "output-tosa.npy",
        "raise": "convert-tosa-to-pool", "lower": LOWER_TOSA,
        "left": r"tosa\.(max_pool2d|avg_pool2d|reduce_sum)",
        "pools": [r"max_pool .* kernel \[3, 3\] strides \[2, 2\] pads_begin \[1, 1\] layout",
                  r"max_pool .* kernel \[2, 2\] strides \[2, 2\] layout",
                  r"max_pool .* kernel \[3, 3\] pads_begin \[1, 1\] pads_end \[1, 1\] layout",
                  r"avg_pool .* kernel \[3, 3\] pads_begin \[1, 1\] pads_end \[1, 1\] layout",
                  r"avg_pool .* kernel \[2, 2\] strides \[2, 2\] layout",
                  r"avg_pool .* kernel \[4, 4\] :"],
    },
}


def converted(text, pipeline):
    process = pool_opt(text, f"--pass-pipeline=builtin.module({pipeline})")
    if process.returncode != 0:
        sys.exit(f"{pipeline} failed:\n{process.stderr}")
    return process.stdout


def check_pools(name, raised, network, report):
    pools = re.findall(r"pool\.(\w+_pool .*)", raised)
    report.count(f"{name}: pools raised", len(pools))
    report.expect(not re.search(network["left"], raised), f"{name}: a pool is left")
    report.expect(len(pools) == len(network["pools"]), f"{name}: {len(pools)} pools")
    for pool, expected in zip(pools, network["pools"]):
        report.expect(re.match(expected, pool), f"{name}: a pool is not the source's",
                      pool=pool, expected=expected)


def execute(directory, form, text, network, report, repeat):
    module, output = directory / f"{form}.mlir", directory / f"{form}.npy"
    module.write_text(text)
    command = [tool("pool-run"), str(module), "--entry", "main", "--input",
               str(DATA / network["input"]), "--output", str(output)]
    process = run(command + (["--repeat", str(repeat)] if repeat else []))
    if not report.expect(process.returncode == 0, f"{form} does not run",
                         error=process.stderr):
        return None, None
    time = re.search(r"min_us=([0-9.]+)", process.stdout)
    return np.load(output), float(time.group(1)) if time else None


def check_network(name, network, directory, report, repeat):
    text = (DATA / name).read_text()
    raised = converted(text, network["raise"])
    check_pools(name, raised, network, report)
    expected = np.load(DATA / network["output"])
    times = {}
    for form, module in (("raised", raised), ("as it was", text)):
        module = converted(module, network["lower"]) if network["lower"] else module
        actual, times[form] = execute(directory, form, module, network, report, repeat)
        if actual is None:
            continue
        error = float(np.max(np.abs(actual - expected)))
        print(f"{name}, {form}: largest difference from PyTorch {error:.2e}")
        report.count(f"{name}: compared with PyTorch")
        report.expect(actual.shape == expected.shape and error <= TOLERANCE,
                      f"{name}, {form}: not PyTorch's numbers", actual=actual,
                      expected=expected)
    if repeat:
        print(f"{name}: raised {times['raised']:.1f} us, as it was "
              f"{times['as it was']:.1f} us")
        report.expect(times["raised"] <= MAX_SLOWDOWN * times["as it was"],
                      f"{name}: slower when raised", times=times)


def run_all():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=0,
                        help="time so many calls of each form as well, and fail if "
                             "the raised one is slower")
    arguments = parser.parse_args()
    report = Report("cnn")
    with tempfile.TemporaryDirectory() as directory:
        for name, network in NETWORKS.items():
            check_network(name, network, Path(directory), report, arguments.repeat)
    return report.finish()


if __name__ == "__main__":
    main(run_all)
