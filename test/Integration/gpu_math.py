# REQUIRES: vulkan
# RUN: env POOL_BUILD_DIR=%build_dir %doors_python %s
"""Functions that kernels for Vulkan compute by polynomials or mended instructions must be
accurate.

They run on Mesa's lavapipe, and must be as close to Python's `math` as FUNCTIONS says. NaN,
infinities and zeros are compared exactly. A function of f16 is computed in f32 and rounded once
more.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import math

import numpy as np

from pooltest import gpu_code, tier, vulkan
from pooltest.case import NUMPY_TYPES
from pooltest.report import Report, main

SEED = 40
RANDOM = tier.size(20000, 2000, 500)
# Unit in the last place of 1 in f32
UNIT = 2.0**-23
SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5,
           1 / 3, -1 / 3, 10.0, -10.0, 2.0**-14, -2.0**-14, -1 + 2.0**-24, 60000.0, -60000.0)


def exp2(x):
    try:
        return 2.0**x
    except OverflowError:
        return math.inf


def power(x, y):
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and y % 2 == 1 else math.inf
    except ValueError:
        # A negative base, or the reciprocal of 0
        return math.nan if x else math.copysign(math.inf, x) if y % 2 == 1 else math.inf


def power_limit(x, y, result):
    """Vulkan computes `exp2(y * log2(x))`: log2 has 3 units, but 2^-21 for x near 1."""
    if not (x and math.isfinite(x) and math.isfinite(y)):
        return 0
    exponent = abs(y * math.log2(abs(x)))
    return result * ((4 + 6 * exponent) * UNIT + abs(y) * 2.0**-21)


# Name -> (operands, reference, error that the expansion promises)
FUNCTIONS = {
    # Upstream's polynomials have an error of 2.5e-7, and of 2.65 units beside the error of exp.
    # The polynomial of erf loses the sign of zero.
    "erf": (1, lambda x: math.erf(x) + 0.0, lambda x, result: 2.5e-7 + UNIT),
    "erfc": (1, math.erfc, lambda x, result: result * UNIT * (6 + 2 * x * x)),
    "exp2": (1, exp2, lambda x, result: result * UNIT * (4 + 3 * abs(x))),
    "powf": (2, power, power_limit),
}


def function(name, element_type, arity, count):
    kind = f"tensor<{count}x{element_type}>"
    names = ["%x", "%y"][:arity]
    arguments = ", ".join(f"{n}: {kind}" for n in names)
    return (f"func.func @{name}_{element_type}({arguments}) -> {kind} {{\n"
            f"  %r = math.{name} {', '.join(names)} : {kind}\n  return %r : {kind}\n}}\n")


def operands(rng, arity, element_type):
    """Returns arrays with the special values in all combinations, and random values."""
    pairs = np.array(list(itertools.product(SPECIAL, repeat=arity))).T
    random = rng.standard_normal((arity, RANDOM)) * rng.choice([0.1, 1, 8], (arity, RANDOM))
    return [array.astype(NUMPY_TYPES[element_type])
            for array in np.concatenate([pairs, random], axis=1)]


def is_right(values, actual, reference, limit, dtype):
    expected = reference(*values)
    with np.errstate(over="ignore"):
        rounded = float(dtype.type(expected))
    if actual == expected == 0:
        return math.copysign(1, actual) == math.copysign(1, expected)
    if not (math.isfinite(rounded) and all(map(math.isfinite, values))):
        return actual == rounded or (math.isnan(actual) and math.isnan(rounded))
    # Drivers may flush subnormal numbers to zero.
    allowed = limit(*values, abs(expected)) + float(np.finfo(np.float32).tiny)
    if dtype == np.float16:
        allowed += float(np.spacing(dtype.type(rounded)))
    return abs(actual - expected) <= allowed


def run():
    report, device = Report("gpu_math"), vulkan.Device()
    rng = np.random.default_rng(tier.seed(SEED))
    cells = [(name, element_type, operands(rng, FUNCTIONS[name][0], element_type))
             for name in FUNCTIONS for element_type in ("f32", "f16")]
    code = gpu_code.VulkanCode("".join(
        function(name, element_type, len(arrays), len(arrays[0]))
        for name, element_type, arrays in cells), device)
    if not report.expect(code.error is None, "pool-opt", code.error or ""):
        return report.finish()
    for name, element_type, arrays in cells:
        _, reference, limit = FUNCTIONS[name]
        actual = code.run(f"{name}_{element_type}", arrays)[0]
        columns = [array.astype(float).tolist() for array in (*arrays, actual)]
        wrong = [(values, found, reference(*values)) for *values, found in zip(*columns)
                 if not is_right(values, found, reference, limit, actual.dtype)]
        report.expect(not wrong, f"{name} of {element_type}", count=len(wrong), first=wrong[:40])
        report.count(f"values of {name}", len(actual))
    return report.finish()


if __name__ == "__main__":
    main(run)
