# REQUIRES: python-module, tier-all, jax
# RUN: %peers_python %s
"""`import_jax` against JAX: random windows as lax writes them, flax's pools, their
gradients, networks, what was exported, and what is refused.

A random problem is raised to one operation of the pool dialect, or refused for a
reason that is counted; its numbers are those of JAX.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import numpy as np

import pool_mlir
from pooltest import tier
from pooltest.jax_problems import KINDS, flax_pools, random_problem
from pooltest.report import Report, main
from pooltest.stablehlo import jax

import flax.linen as nn
import jax.numpy as jnp
from jax import export

CASES = tier.size(2000, 200, 20)
SEED = tier.seed(23)
def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def is_same(kind, actual, expected):
    if np.array_equal(actual, expected, equal_nan=actual.dtype.kind == "f"):
        return True
    # Not every count divides the numbers.
    is_divided = "mean" in kind or "average" in kind
    tolerance = 1e-5 if actual.dtype == np.float32 else 1e-13
    return is_divided and np.allclose(actual, expected, rtol=tolerance, atol=1e3 * tolerance)


def check_random(report, rng, kind):
    function, arguments, title = random_problem(rng, kind)
    try:
        text = pool_mlir.import_jax(function, *arguments)
    except ValueError as error:
        report.count(f"refused: {kind}")
        pools = re.search("neither pooling nor elementwise", str(error))
        report.expect(pools, "a refusal", str(title), error=error)
        return
    expected = as_tuple(jax.jit(function)(*arguments))
    actual = as_tuple(pool_mlir.compile(text)(*arguments))
    same = all(is_same(kind, a, np.asarray(e)) for a, e in zip(actual, expected, strict=True))
    report.expect(same, f"{kind}: numbers", f"{title}\n{text}", arguments=arguments,
                  expected=expected, actual=actual)
    report.expect(" = pool." in text, f"{kind}: a pool", text)
    report.count(f"raised: {kind}")


def operations(text):
    return tuple(re.findall(r" = pool\.(\w+)", text))


def check_flax(report, rng):
    x = rng.standard_normal((2, 8, 8, 3)).astype(np.float32)
    g = rng.standard_normal((2, 4, 4, 3)).astype(np.float32)
    for number, (function, names, count) in enumerate(flax_pools()):
        arguments = (x, g)[:count]
        text = pool_mlir.import_jax(function, *arguments)
        report.expect(operations(text) == names, f"flax {number}: {names}", text)
        actual = pool_mlir.compile(text)(*arguments)
        expected = jax.jit(function)(*arguments)
        report.expect(np.allclose(actual, expected, rtol=1e-5, atol=1e-6),
                      f"flax {number}: numbers", text, expected=expected, actual=actual)
        report.count("flax's pools, gradients and what is around them")


def check_exports(report, rng):
    """Files of jax.export, whose batch is symbolic; what was lowered."""
    def network(x):
        return nn.avg_pool(nn.relu(nn.max_pool(x, (2, 2)) - 0.25), (2, 2), strides=(2, 2))

    batch, = export.symbolic_shape("b")
    aval = jax.ShapeDtypeStruct((batch, 8, 8, 3), np.float32)
    exported = export.export(jax.jit(network))(aval)
    x = rng.standard_normal((3, 8, 8, 3)).astype(np.float32)
    lowered = jax.jit(network).lower(x)
    texts = [pool_mlir.import_jax(source)
             for source in (exported, bytes(exported.serialize()), lowered)]
    texts.append(pool_mlir.import_jax(network, aval))
    for text in texts:
        report.expect(operations(text) == ("max_pool", "avg_pool"), "export: operations", text)
        report.expect(np.allclose(pool_mlir.compile(text)(x), network(x), atol=1e-6),
                      "export: numbers", text)
        report.count("exported and lowered functions")
    layers = pool_mlir.import_jax(lambda x: jnp.sort(network(x)) @ jnp.ones((3, 4)), x,
                                  pool_layers=True)
    report.expect(pool_mlir.compile(layers).entries == ("max_pool_0", "avg_pool_0"),
                  "pool_layers", layers)


def expect_error(report, kind, words, function, *arguments):
    try:
        pool_mlir.import_jax(function, *arguments)
    except kind as error:
        report.expect(words in str(error), f"the words '{words}'", str(error))
        report.count("refusals")
    else:
        report.mismatch(f"no {kind.__name__}: {words}")


def run():
    report = Report("jax_import")
    rng = np.random.default_rng(SEED)
    for number in range(CASES):
        report.progress(number, CASES)
        check_random(report, rng, KINDS[number % len(KINDS)])
    # As JAX comes: flax counts in its widest float.
    with jax.enable_x64(False):
        check_flax(report, rng)
        check_exports(report, rng)
    x = np.ones((1, 4, 4, 4), np.float32)
    expect_error(report, ValueError, "'stablehlo.sort' is neither", lambda x: jnp.sort(x), x)
    expect_error(report, ValueError, "'stablehlo.dot_general' is neither", lambda x: x @ x, x)
    expect_error(report, TypeError, "str is no function", "max_pool")
    expect_error(report, TypeError, "has its arguments already",
                 jax.jit(lambda x: x).lower(x), x)
    report.require_counted(*(f"raised: {kind}" for kind in KINDS))
    return report.finish()


main(run)
