# REQUIRES: python-module, jax
# RUN: %doors_python %s
"""Pooling that is lowered to StableHLO must compute the definition when jaxlib runs it.

Types and attributes of the operations are random, and some operations are gradients. Operations
without a counterpart in StableHLO must be refused with the reason; they are counted.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import numpy as np

import pool_mlir
from pooltest import compare, generators, oracle, stablehlo, tier
from pooltest.case import tensor_type
from pooltest.report import Report, main
from pooltest.rules import Refused, output_shape, resolve

CASES = tier.size(2000, 60, 12)
SEED = tier.seed(17)
ORACLES = {"max_pool": oracle.max_pool, "min_pool": oracle.max_pool,
           "avg_pool": oracle.avg_pool, "lp_pool": oracle.lp_pool}


def is_right(case, truth, results):
    if case.is_extremum:
        same = compare.same_values(results[0], truth.values).all()
        return same and (truth.indices is None or np.array_equal(results[1], truth.indices))
    return compare.within(results[0], truth.exact, compare.float_bound(case, truth), case).all()


def lower(report, op, text):
    """Returns the module in StableHLO, or None if it is refused."""
    lowered, error = stablehlo.lower(text)
    if not error:
        return lowered
    refusal = re.search(r"cannot be converted to StableHLO: (.*)", error)
    report.expect(refusal, "an error that names its reason", text, error=error)
    reason = refusal and re.sub(r"\d+|'.*'", "N", refusal[1])
    report.count(f"refused, {op}: {reason}")
    return None


def run_lowered(report, op, text, lowered, arrays):
    """Returns jaxlib's results, or None if it rejects the module."""
    try:
        return stablehlo.run(lowered, arrays)
    except Exception as error:  # jaxlib's errors have no common class.
        report.mismatch(f"{op}: jaxlib refuses it", text, lowered=lowered, error=error)
        return None


def check_forward(report, rng, op):
    case = generators.random_legal(rng, op, generators.element_type(rng) if op != "lp_pool"
                                   else generators.pick(rng, ("f16", "bf16", "f32", "f64")))
    x = generators.data(rng, case, generators.pick(rng, generators.kinds(case)))
    text = case.function("main", output_shape(case))
    lowered = lower(report, op, text)
    if lowered is None:
        return
    results = run_lowered(report, op, text, lowered, [x])
    if results is None:
        return
    truth = ORACLES[op](case, x)
    report.expect(is_right(case, truth, results), f"{op}: numbers", text, data=x.tolist(),
                  expected=truth, actual=results)
    report.count(f"{op} {case.element_type}")


def chosen_from(rng, case):
    """Returns elements for an extremum, with many equal ones and perhaps NaNs. In a padded
    window, XLA on the CPU may choose another of several equal elements than we do. (JAX
    therefore pads first: jax-ml/jax#6010.) So if a window is padded, all elements differ, and
    at most one is NaN."""
    shape = tuple(case.shape)
    has_nan = rng.random() < 0.3
    if all(d.inside(p) for d in resolve(case) for o in range(d.output) for p in d.positions(o)):
        x = rng.integers(-3, 4, shape).astype(case.dtype)
        return np.where(rng.random(shape) < 0.2, np.nan, x).astype(case.dtype) if has_nan else x
    # Distinct numbers: 1 and the next larger ones, in steps of the last bit.
    count = np.prod(shape)
    bits = np.ones((), case.dtype).view(f"i{case.dtype.itemsize}") + rng.permutation(count)
    x = bits.astype(f"i{case.dtype.itemsize}").view(case.dtype)
    x *= rng.choice((-1, 1), count).astype(case.dtype)
    if has_nan and count:
        x[rng.integers(count)] = np.nan
    return x.reshape(shape)


def check_gradient(report, rng, op):
    case = generators.random_legal(rng, op, generators.pick(rng, ("f16", "bf16", "f32", "f64")))
    case = case.with_(index_type=None, axis=0, pad_value="neg_inf")
    if rng.random() < 0.7:
        case = case.with_(dilations=None)
        try:
            resolve(case)
        except Refused:
            return
    shape = output_shape(case)
    # Small whole numbers, so that sums and most quotients are exact.
    g = rng.integers(-8, 9, shape).astype(case.dtype)
    operands = [("%g", tensor_type(shape, case.element_type), g)]
    if case.is_extremum:
        x = chosen_from(rng, case)
        operands.insert(0, ("%x", case.input_type(), x))
    arguments = ", ".join(f"{n}: {t}" for n, t, _ in operands)
    names, types = (", ".join(part) for part in list(zip(*operands))[:2])
    result = case.input_type()
    text = (f"func.func @main({arguments}) -> {result} {{\n"
            f'  %r = "pool.{op}_grad"({names}) <{{{case.properties()}}}> : ({types}) -> {result}\n'
            f"  return %r : {result}\n}}\n")
    lowered = lower(report, f"{op}_grad", text)
    if lowered is None:
        return
    arrays = [array for _, _, array in operands]
    expected = np.asarray(pool_mlir.compile(text)(*arrays), np.float64)
    results = run_lowered(report, f"{op}_grad", text, lowered, arrays)
    if results is None:
        return
    actual = results[0].astype(np.float64)
    tolerance = {"f16": 4e-3, "bf16": 4e-2, "f32": 1e-5, "f64": 1e-12}[case.element_type]
    exact = case.is_extremum
    same = np.array_equal(actual, expected) if exact else np.allclose(
        actual, expected, rtol=tolerance, atol=8 * tolerance)
    report.expect(same, f"{op}_grad: numbers", text, arguments=arrays, expected=expected,
                  actual=actual)
    report.count(f"{op}_grad {case.element_type}")


def run():
    report = Report("pool_to_jax")
    rng = np.random.default_rng(SEED)
    for number in range(CASES):
        report.progress(number, CASES)
        op = ("max_pool", "avg_pool", "min_pool", "lp_pool")[number % 4]
        if number % 3 == 0 and op != "lp_pool":
            check_gradient(report, rng, op)
        else:
            check_forward(report, rng, op)
    for op in ORACLES:
        report.require_counted(f"{op} f32")
    return report.finish()


main(run)
