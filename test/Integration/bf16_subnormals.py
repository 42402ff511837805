# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Subnormal bf16 numbers must survive in compiled code on every processor.

LLVM converts a bf16 value that lives across basic blocks to f32 and back. The AVX512-BF16
instruction that converts it back turns subnormal numbers into zeros
(docs/Internals/upstream/bf16-blocks.md). Results show the fault only on a processor with
AVX512-BF16, so the test also inspects assembly, for processors with and without it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import platform
import re
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np

from pooltest.report import Report, main
from pooltest.tools import Batch, run, tool

PATHS = ("vector", "linalg", "affine")
BF16 = ml_dtypes.bfloat16
# Multiples of the smallest subnormal number.
X = (np.array([3, -5, 127, -127, 100, 50, -64, 1]) * 2.0**-133).astype(BF16).reshape(1, 1, 8)

POOLS = {
    "max": "pool.max_pool %x kernel [2] : tensor<1x1x8xbf16> -> tensor<1x1x7xbf16>",
    "propagate": "pool.max_pool %x kernel [2] nan_mode propagate"
                 " : tensor<1x1x8xbf16> -> tensor<1x1x7xbf16>",
    "min": "pool.min_pool %x kernel [3] : tensor<1x1x8xbf16> -> tensor<1x1x6xbf16>",
    "avg": "pool.avg_pool %x kernel [2] : tensor<1x1x8xbf16> -> tensor<1x1x7xbf16>",
    "adaptive": "pool.adaptive_max_pool %x output_size [3]"
                " : tensor<1x1x8xbf16> -> tensor<1x1x3xbf16>",
}
INDICES = """
func.func @indices(%x: tensor<1x1x8xbf16>) -> (tensor<1x1x7xbf16>, tensor<1x1x7xi64>) {
  %y, %i = pool.max_pool %x kernel [2]
      : tensor<1x1x8xbf16> -> tensor<1x1x7xbf16>, tensor<1x1x7xi64>
  return %y, %i : tensor<1x1x7xbf16>, tensor<1x1x7xi64>
}
"""
# Functions that pass scalars through blocks, calls and structs.
SCALARS = """
func.func @several(%x: bf16, %y: tensor<?xbf16>, %c: i1) -> (bf16, bf16, tensor<?xbf16>) {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^then, ^else
^then:
  %v = tensor.extract %y[%c0] : tensor<?xbf16>
  return %v, %x, %y : bf16, bf16, tensor<?xbf16>
^else:
  return %x, %x, %y : bf16, bf16, tensor<?xbf16>
}
func.func private @twice(%x: bf16) -> (bf16, bf16) {
  return %x, %x : bf16, bf16
}
func.func @loop(%x: bf16, %n: index) -> bf16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> bf16 {
    %q:2 = func.call @twice(%a) : (bf16) -> (bf16, bf16)
    scf.yield %q#1 : bf16
  }
  return %r : bf16
}
"""


def get_function(name, body):
    result = body.split("-> ")[1]
    return (f"func.func @{name}(%x: tensor<1x1x8xbf16>) -> {result} {{\n"
            f"  %y = {body}\n  return %y : {result}\n}}\n")


def check_numbers(report, directory):
    pools = Batch(directory, "pools")
    for name, body in POOLS.items():
        pools.add(name, get_function(name, body), [X], [BF16])
    pools.add("indices", INDICES, [X], [BF16, np.int64])
    expected, process = pools.run("--path=reference")
    report.expect(process.returncode == 0, "reference", process.stderr)
    scalars = Batch(directory, "scalars")
    small, vector = X[0, 0, 0], X[0, 0, 1:5]
    scalars.add("several", SCALARS, [small, vector, np.array(True)], [BF16] * 3)
    scalars.add("several", "", [small, vector, np.array(False)], [BF16] * 3)
    scalars.add("loop", "", [small, np.array(3)], [BF16])
    wanted = [[vector[0], small, vector], [small, small, vector], [small]]
    for path in PATHS:
        for level in ("-O0", "-O3"):
            for batch, values in ((pools, expected), (scalars, wanted)):
                got, process = batch.run(f"--path={path}", level)
                report.expect(process.returncode == 0, f"{path} {level}", process.stderr)
                for entry, a, b in zip(batch.entries, values, got):
                    report.count(path)
                    equal = b is not None and all(
                        np.array_equal(p, q) for p, q in zip(a, b))
                    report.expect(equal, f"{entry[0]} {path} {level}", expected=a, got=b)


def check_assembly(report, directory):
    module = Path(directory) / "assembly.mlir"
    module.write_text("\n".join([*(get_function(*p) for p in POOLS.items()), INDICES, SCALARS]))
    for processor in ("sapphirerapids", "sierraforest", "x86-64-v3"):
        for path in PATHS:
            for level in ("-O0", "-O3"):
                process = run([tool("pool-compile"), str(module), "-o", "-", "--emit=asm", level,
                               "--target=x86_64-linux-gnu", f"--mcpu={processor}",
                               f"--path={path}"])
                title = f"{processor} {path} {level}"
                report.expect(process.returncode == 0, title, process.stderr)
                report.count("assembly")
                found = re.findall(r".*(?:neps2bf16|truncsfbf2).*", process.stdout)
                report.expect(not found, f"{title} converts", "\n".join(found))


def check():
    report = Report("bf16 subnormals")
    with tempfile.TemporaryDirectory() as directory:
        check_numbers(report, directory)
        if platform.machine() == "x86_64":
            check_assembly(report, directory)
    return report.finish()


if __name__ == "__main__":
    main(check)
