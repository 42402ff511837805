# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Two whole networks from PyTorch must give PyTorch's results, with and without raised pooling.

test/data/torch-mlir has them in linalg and in TOSA, with PyTorch's results. All six pools of each
must become pooling operations; upstream passes lower the rest. Both forms run, and must agree
with PyTorch and with each other.

The tolerance covers rounding, since PyTorch adds in another order. Along the longest chain, a
result goes through about 200 roundings of 2^-24: 75 additions in the first convolution, 72 in the
second, 9, 9 and 20 in the averages, and 12 in the matrix product. Results are of the order of 1.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import tempfile
from pathlib import Path

import numpy as np

from pooltest import networks
from pooltest.report import Report, main
from pooltest.tools import pool_opt, run, tool

TOLERANCE = 200 * 2.0 ** -24

# Network -> (pattern that must not remain after raising, patterns of its pooling operations in
# order).
EXPECTED = {
    networks.LINALG: (r"linalg\.pooling_|\"reduction\"", [
        r"max_pool .* kernel \[3, 3\] strides \[2, 2\] pads_begin \[1, 1\] ",
        r"max_pool .* kernel \[3, 3\] strides \[2, 2\] pads_end \[1, 0\] ",
        r"max_pool .* kernel \[2, 2\] dilations \[2, 2\] pads_begin \[1, 1\] ",
        r"avg_pool .* kernel \[3, 3\] pads_begin \[1, 1\] pads_end \[1, 1\] :",
        r"avg_pool .* kernel \[3, 3\] strides \[2, 2\] pads_begin \[1, 1\] "
        r"pads_end \[1, 1\] rounding_type ceil divisor padded :",
        r"avg_pool .* kernel \[5, 4\] :"]),
    networks.TOSA: (r"tosa\.(max_pool2d|avg_pool2d|reduce_sum)", [
        r"max_pool .* kernel \[3, 3\] strides \[2, 2\] pads_begin \[1, 1\] layout",
        r"max_pool .* kernel \[2, 2\] strides \[2, 2\] layout",
        r"max_pool .* kernel \[3, 3\] pads_begin \[1, 1\] pads_end \[1, 1\] layout",
        r"avg_pool .* kernel \[3, 3\] pads_begin \[1, 1\] pads_end \[1, 1\] layout",
        r"avg_pool .* kernel \[2, 2\] strides \[2, 2\] layout",
        r"avg_pool .* kernel \[4, 4\] :"]),
}


def converted(text, pipeline):
    process = pool_opt(text, f"--pass-pipeline=builtin.module({pipeline})")
    if process.returncode != 0:
        sys.exit(f"{pipeline} failed:\n{process.stderr}")
    return process.stdout


def check_pools(network, raised, report):
    left, expected_pools = EXPECTED[network]
    pools = re.findall(r"pool\.(\w+_pool .*)", raised)
    report.count(f"{network.file}: pools raised", len(pools))
    report.expect(not re.search(left, raised), f"{network.file}: a pool is left")
    report.expect(len(pools) == len(expected_pools), f"{network.file}: {len(pools)} pools")
    for pool, expected in zip(pools, expected_pools):
        report.expect(re.match(expected, pool),
                      f"{network.file}: a pool is not the source's",
                      pool=pool, expected=expected)


def execute(directory, form, text, network, report):
    module, output = directory / f"{form}.mlir", directory / f"{form}.npy"
    module.write_text(text)
    process = run([tool("pool-run"), str(module), "--entry", "main", "--input",
                   str(network.input_path), "--output", str(output)])
    if report.expect(process.returncode == 0, f"{form} does not run", error=process.stderr):
        return np.load(output)
    return None


def check_network(network, directory, report):
    raised = converted(network.text, network.raising)
    check_pools(network, raised, report)
    expected = np.load(network.output_path)
    for form, text in (("raised", raised), ("as it was", network.text)):
        module = converted(text, network.lowering)
        actual = execute(directory, form, module, network, report)
        if actual is None:
            continue
        error = float(np.max(np.abs(actual - expected)))
        print(f"{network.file}, {form}: largest difference from PyTorch {error:.2e}")
        report.count(f"{network.file}: compared with PyTorch")
        report.expect(actual.shape == expected.shape and error <= TOLERANCE,
                      f"{network.file}, {form}: not PyTorch's numbers", actual=actual,
                      expected=expected)


def run_all():
    report = Report("cnn")
    with tempfile.TemporaryDirectory() as directory:
        for network in EXPECTED:
            check_network(network, Path(directory), report)
    return report.finish()


if __name__ == "__main__":
    main(run_all)
