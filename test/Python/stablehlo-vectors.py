# REQUIRES: python-module
# RUN: %python %s
"""What JAX prints for pooling, as committed texts, imported: the operations that it
becomes, and the numbers that JAX answers.

test/data/jax/make_stablehlo.py made them: lax's windows, flax's pools, gradients,
and elementwise operations around them.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
from pathlib import Path

import numpy as np

import pool_mlir
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


def run():
    report = Report("stablehlo_vectors")
    for case in json.loads(VECTORS.read_text())["cases"]:
        check(report, case)
    report.expect(sum(n for key, n in report.counts.items() if key.startswith("raised")) > 40,
                  "most are raised")
    return report.finish()


main(run)
