# REQUIRES: python-module
# RUN: %python %s
"""Imports committed StableHLO texts that JAX printed for pooling. Compares the resulting
operations, and the numbers with JAX's.

test/data/jax/make_stablehlo.py made them: lax's windows, flax's pools, gradients, and
elementwise operations around them. Conversions from f64 to 16 bits are compared with their
definition, because XLA's to bf16 round twice.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
from pathlib import Path

import numpy as np

import pool_mlir
from pooltest import tier
from pooltest.report import Report, main

VECTORS = Path(__file__).resolve().parent.parent / "data" / "jax" / "stablehlo.json"


def unpack(packed):
    numbers = [float(n) if isinstance(n, str) else n for n in packed["numbers"]]
    return np.array(numbers, packed["dtype"]).reshape(packed["shape"])


def check(report, case):
    try:
        text = pool_mlir._pool_mlir._import_stablehlo(case["text"], False)
    except ValueError as error:
        report.expect("neither pooling nor elementwise" in str(error), "a refusal",
                      case["text"], error=error)
        report.count(f"refused: {case['kind']}")
        return
    operations = re.findall(r" = pool\.(\w+)", text)
    report.expect(operations == case.get("operations", operations), "the operations", text)
    results = pool_mlir.compile(text)(*map(unpack, case["inputs"]))
    results = results if isinstance(results, tuple) else (results,)
    for actual, packed in zip(results, case["outputs"], strict=True):
        expected = unpack(packed)
        exact = case["kind"] != "flax"
        same = np.array_equal(actual, expected, equal_nan=expected.dtype.kind == "f")
        report.expect(same or (not exact and np.allclose(actual, expected, rtol=1e-5, atol=1e-5)),
                      "numbers", case["text"], expected=expected, actual=actual)
    report.count(f"raised: {case['kind']}")


def nearest(x, bits):
    """Rounds normal f64 numbers to `bits` bits of significand, ties to even."""
    dropped = np.uint64(53 - bits)
    number = x.view(np.uint64)
    half = (np.uint64(1) << (dropped - np.uint64(1))) - np.uint64(1)
    number = number + half + ((number >> dropped) & np.uint64(1))
    return ((number >> dropped) << dropped).view(np.float64)


def check_conversions(report):
    """Numbers so close to a 16-bit tie that f32 would round them to the tie."""
    rng = np.random.default_rng(tier.seed(5))
    for element, bits in (("f16", 11), ("bf16", 8)):
        tie = rng.integers(2**(bits - 1), 2**bits, 60) + 0.5
        tie *= 2.0**rng.integers(-20, 5, 60)
        x = np.concatenate([tie * (1 + side) for side in (-2.0**-40, 0, 2.0**-40, 2.0**-30)]
                           + [rng.standard_normal(60)])
        x = np.concatenate([x, -x])
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e300, -1e300, 5e-324])
        expected = np.concatenate([nearest(x, bits), [0, -0.0, np.inf, -np.inf, np.nan, np.inf,
                                                      -np.inf, 0]])
        if element == "f16":
            # The largest number that does not become infinite; half the smallest number,
            # and slightly more.
            special = np.append(special, [65520 - 2**-20, 65520, 2**-25, 2**-25 * (1 + 2**-40)])
            expected = np.append(expected, [65504, np.inf, 0, 2**-24])
        x = np.append(x, special)
        wide, narrow = f"tensor<{x.size}xf64>", f"tensor<{x.size}x{element}>"
        text = f"""func.func @main(%x: {wide}) -> {wide} {{
          %0 = "stablehlo.convert"(%x) : ({wide}) -> {narrow}
          %1 = "stablehlo.convert"(%0) : ({narrow}) -> {wide}
          "func.return"(%1) : ({wide}) -> ()
        }}"""
        text = pool_mlir._pool_mlir._import_stablehlo(text, False)
        actual = pool_mlir.compile(text)(x)
        wrong = ~((actual == expected) & (np.signbit(actual) == np.signbit(expected))
                  | (np.isnan(actual) & np.isnan(expected)))
        report.expect(not wrong.any(), f"f64 to {element}", data=x[wrong],
                      expected=expected[wrong], actual=actual[wrong])
        report.count("f64 rounded to 16 bits", x.size)


def run():
    report = Report("stablehlo_vectors")
    check_conversions(report)
    for case in json.loads(VECTORS.read_text())["cases"]:
        check(report, case)
    report.expect(sum(n for key, n in report.counts.items() if key.startswith("raised")) > 40,
                  "most are raised")
    return report.finish()


main(run)
