# REQUIRES: python-module
# RUN: %python %s
"""Committed modules of JAX must be raised to the expected poolings. Lowered by jaxlib, they must
also compute JAX's numbers, which are committed, too.

test/data/jax/make_stablehlo.py made the modules: lax's windows, flax's pools, gradients, and
elementwise operations around them. Unsigned tensors, functions of f16, and f64 rounded to 16 bits
are compared with their definition. XLA cannot judge the last, since it rounds f64 to bf16 twice.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gzip
import json
import re
from pathlib import Path

import numpy as np

import pool_mlir
from pool_mlir import _pool_mlir
from pooltest import tier
from pooltest.report import Report, main

VECTORS = Path(__file__).resolve().parent.parent / "data" / "jax" / "stablehlo.json.gz"


def unpack(packed):
    numbers = [float(n) if isinstance(n, str) else n for n in packed["numbers"]]
    return np.array(numbers, packed["dtype"]).reshape(packed["shape"])


def pools(text):
    """The poolings of generic text, with attributes and types."""
    return re.findall(r'"pool\.(\w+)"\([^)]*\) (<{.*}> : \(.*?\) -> (?:\(.*?\)|\S+))', text)


def check(report, case):
    try:
        raised = _pool_mlir._raise_stablehlo(case["text"], False)
    except ValueError as error:
        report.expect("neither pooling nor elementwise" in str(error), "a refusal",
                      case["text"], error=error)
        report.expect("linalg" not in case, "a module that jaxlib lowered", case["text"])
        report.count(f"refused: {case['kind']}")
        return
    names = [name for name, _ in pools(raised)]
    report.expect(names == case.get("operations", names), "the operations", raised)
    report.expect(names and pools(raised) == pools(case["linalg"]),
                  "the pools that jaxlib lowered the rest around", raised)
    results = pool_mlir.compile(_pool_mlir._import_legalized(case["linalg"]))(
        *map(unpack, case["inputs"]))
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


def elementwise(size, source, target, body):
    """A module of a linalg.generic whose body computes %1 of %a."""
    return _pool_mlir._import_legalized(f"""
        func.func @main(%x: tensor<{size}x{source}>) -> tensor<{size}x{target}> {{
          %e = tensor.empty() : tensor<{size}x{target}>
          %y = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                                iterator_types = ["parallel"]}}
              ins(%x : tensor<{size}x{source}>) outs(%e : tensor<{size}x{target}>) {{
          ^bb0(%a: {source}, %b: {target}):
            {body}
            linalg.yield %1 : {target}
          }} -> tensor<{size}x{target}>
          return %y : tensor<{size}x{target}>
        }}""")


def check_halves(report):
    """Checks a function for every f16: it must round once, and not at each step."""
    x = np.arange(2**16, dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        expected = (1 / np.sqrt(x.astype(np.float32))).astype(np.float16)
    actual = pool_mlir.compile(elementwise(x.size, "f16", "f16", "%1 = math.rsqrt %a : f16"))(x)
    report.expect(np.array_equal(actual, expected, equal_nan=True), "rsqrt of f16")
    report.count("f16 rounded once", x.size)


def check_unsigned(report):
    """Checks unsigned tensors: jaxlib computes on signless ones, between casts."""
    text = _pool_mlir._import_legalized("""
        func.func @main(%x: tensor<1x1x?xui8>) -> tensor<1x1x?xui8> {
          %0 = builtin.unrealized_conversion_cast %x : tensor<1x1x?xui8> to tensor<1x1x?xi8>
          %1 = builtin.unrealized_conversion_cast %0 : tensor<1x1x?xi8> to tensor<1x1x?xui8>
          %2 = pool.max_pool %1 kernel [1] : tensor<1x1x?xui8> -> tensor<1x1x?xui8>
          %3 = builtin.unrealized_conversion_cast %2 : tensor<1x1x?xui8> to tensor<1x1x?xi8>
          %4 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>],
                               iterator_types = ["parallel", "parallel", "parallel"]}
              outs(%3 : tensor<1x1x?xi8>) {
          ^bb0(%a: i8):
            %5 = arith.maxui %a, %a : i8
            linalg.yield %5 : i8
          } -> tensor<1x1x?xi8>
          %6 = builtin.unrealized_conversion_cast %4 : tensor<1x1x?xi8> to tensor<1x1x?xui8>
          return %6 : tensor<1x1x?xui8>
        }""")
    x = np.arange(256, dtype=np.uint8)[None, None]
    actual = pool_mlir.compile(text)(x)
    report.expect(actual.dtype == x.dtype and np.array_equal(actual, x), "unsigned", actual)
    report.count("unsigned tensors")


def check_conversions(report):
    """Converts f64 numbers that are so close to a 16-bit tie that f32 would round them to
    the tie."""
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
            # A number just below the first one that becomes infinite, this one, half the
            # smallest number, and slightly more.
            special = np.append(special, [65520 - 2**-20, 65520, 2**-25, 2**-25 * (1 + 2**-40)])
            expected = np.append(expected, [65504, np.inf, 0, 2**-24])
        x = np.append(x, special)
        wide, narrow = f"tensor<{x.size}xf64>", f"tensor<{x.size}x{element}>"
        text = elementwise(x.size, "f64", "f64", f"""
            %0 = arith.truncf %a : f64 to {element}
            %1 = arith.extf %0 : {element} to f64""")
        actual = pool_mlir.compile(text)(x)
        wrong = ~((actual == expected) & (np.signbit(actual) == np.signbit(expected))
                  | (np.isnan(actual) & np.isnan(expected)))
        report.expect(not wrong.any(), f"f64 to {element}", data=x[wrong],
                      expected=expected[wrong], actual=actual[wrong])
        report.count("f64 rounded to 16 bits", x.size)


def run():
    report = Report("stablehlo_vectors")
    check_conversions(report)
    check_halves(report)
    check_unsigned(report)
    for case in json.loads(gzip.decompress(VECTORS.read_bytes()))["cases"]:
        check(report, case)
    report.expect(sum(n for key, n in report.counts.items() if key.startswith("raised")) > 40,
                  "most are raised")
    return report.finish()


main(run)
