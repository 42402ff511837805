# REQUIRES: python-module, jax
# RUN: %doors_python %s
"""Programs of JAX that `import_jax` imports must compute JAX's results: random windows from lax,
flax's pools, their gradients, networks, exported functions.

A random problem becomes pooling, whose results must equal JAX's, or is refused. The test counts
the refusals of each kind of problem.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import numpy as np

import pool_mlir
from pool_mlir import _pool_mlir, _stablehlo
from pooltest import tier
from pooltest.errors import raises
from pooltest.jax_problems import KINDS, flax_pools, random_problem
from pooltest.report import Report, main
from pooltest.stablehlo import jax

import flax.linen as nn
import jax.numpy as jnp
import pool_mlir.jax as own
from jax import export, lax

CASES = tier.size(200, 20, 12)
SEED = tier.seed(23)
def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def is_same(kind, actual, expected):
    if np.array_equal(actual, expected, equal_nan=actual.dtype.kind == "f"):
        return True
    # Averages may differ in their rounding where the count does not divide the sum.
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
    # Later passes fold windows of one element away, so look at the text before them.
    raised = _pool_mlir._raise_stablehlo(_stablehlo.to_text(function, arguments), False)
    report.expect('"pool.' in raised, f"{kind}: a pool", raised)
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


def check_halves(report):
    """The result of each function of f16 is rounded to f16, also between two functions."""
    x = np.arange(2**16, dtype=np.uint16).view(np.float16)
    for function in (lambda x: jnp.tanh(jnp.exp(x)), jax.lax.rsqrt):
        actual = pool_mlir.compile(pool_mlir.import_jax(function, x))(x)
        report.expect(np.array_equal(actual, jax.jit(function)(x), equal_nan=True),
                      "functions of f16", jax.jit(function).lower(x).as_text())
        report.count("functions of every f16")


def check_exports(report, rng):
    """Files of jax.export with a symbolic batch, and lowered functions."""
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


def check_own_calls(report, rng):
    """Calls of pool_mlir.jax become their operations, as a whole and by layers."""
    batch, = export.symbolic_shape("b")
    window = dict(strides=2, pads_begin=1, layout="channels_last")
    cases = {
        "max_pool": lambda x: jnp.tanh(own.max_pool(x, 3, **window)),
        "avg_pool lp_pool": lambda x: own.lp_pool(own.avg_pool(x, 3, **window), 2, p=3),
        "adaptive_avg_pool": lambda x: own.adaptive_avg_pool(x, (2, 3), "channels_last"),
        "min_pool": lambda x: own.min_pool(x, 2, return_indices=True, axis=2),
        "max_pool_grad": lambda x: jax.vjp(lambda x: own.max_pool(x, 3, **window), x)[1](
            jnp.ones((x.shape[0], 4, 4, 3)))[0],
        "avg_pool_grad": jax.grad(lambda x: (own.avg_pool(x, 3, **window) * 0.5).sum()),
        "max_pool max_unpool": lambda x: own.max_unpool(*own.max_pool(
            x, 2, 2, return_indices=True, axis=1), (3, 8, 8, 3), axis=1),
    }
    x = rng.standard_normal((3, 8, 8, 3)).astype(np.float32)
    for names, function in cases.items():
        avals = [x]
        if "avg_pool_grad" not in names and "unpool" not in names:
            avals.append(jax.ShapeDtypeStruct((batch, 8, 8, 3), np.float32))
        for aval in avals:
            text = pool_mlir.import_jax(function, aval)
            report.expect(operations(text) == tuple(names.split()), f"calls: {names}", text)
            results = as_tuple(pool_mlir.compile(text)(x))
            report.expect(all(map(np.allclose, results, as_tuple(function(x)))),
                          f"calls: numbers of {names}", text)
            layers = pool_mlir.import_jax(lambda x, f=function: jnp.sort(jax.tree.leaves(f(x))[0]),
                                          aval, pool_layers=True)
            report.expect(operations(layers) == tuple(names.split()), f"layers: {names}", layers)
            report.count("calls of pool_mlir.jax")
    grad = jax.grad(lambda x: own.avg_pool(x, 2).sum())
    aval = jax.ShapeDtypeStruct((batch, 1, 8, 8), np.float32)
    for layers in (False, True):
        raises(report, ValueError, "'pool.avg_pool_grad' is not imported with symbolic extents",
               lambda n=layers: pool_mlir.import_jax(grad, aval, pool_layers=n))
    raises(report, ValueError, "it has no pooling",
           lambda: pool_mlir.import_jax(jnp.sort, x, pool_layers=True))
    raises(report, ValueError, "the first operation that may be pooling is "
           "'stablehlo.reduce_window'", lambda: pool_mlir.import_jax(
               lambda x: lax.reduce_window(x, 1.0, lax.mul, (1, 2, 2, 1), (1, 1, 1, 1), "VALID"),
               x, pool_layers=True))


# Function, expected result of import_jax for a symbolic batch, and expected result for
# symbolic batch, height and width. A result is the pools, or words of the refusal.
# docs/Guides/UseInJAX.md has the same table.
STEM = dict(window_shape=(3, 3), strides=(2, 2))
PADS = ((1, 1), (0, 1))
SYMBOLIC = {
    "maximum": (lambda x: nn.max_pool(x, **STEM), ("max_pool",), ("max_pool",)),
    "maximum, padded": (lambda x: nn.max_pool(x, padding=PADS, **STEM), ("max_pool",),
                        ("max_pool",)),
    "maximum, SAME": (lambda x: nn.max_pool(x, padding="SAME", **STEM), ("max_pool",),
                      "'stablehlo.custom_call' of 'stablehlo.dynamic_reduce_window'"),
    "average": (lambda x: nn.relu(nn.avg_pool(x, **STEM)), ("avg_pool",), ("avg_pool",)),
    "average of stride 1": (lambda x: nn.avg_pool(x, (3, 3), padding=PADS), ("avg_pool",),
                            ("avg_pool",)),
    "average without padding": (
        lambda x: nn.avg_pool(x, padding=PADS, count_include_pad=False, **STEM), ("avg_pool",),
        ("avg_pool", "avg_pool")),
    "mean": (lambda x: x.mean((1, 2)), ("avg_pool",), "'stablehlo.reduce'"),
}
GRADIENTS = {
    "maximum": (("max_pool_grad",), ("max_pool_grad",)),
    "maximum, padded": (("max_pool_grad",), ("max_pool_grad",)),
    "maximum, SAME": (("max_pool_grad",), ("max_pool_grad",)),
    "average": (("avg_pool", "avg_pool_grad"), "'stablehlo.dynamic_pad'"),
    "average of stride 1": (("avg_pool",), ("avg_pool",)),
    "average without padding": (("avg_pool_grad",), "'stablehlo.dynamic_pad'"),
    "mean": ((), ()),
}
SHAPES = {"b, 15, 12, 4": ((1, 15, 12, 4), (3, 15, 12, 4)),
          "b, h, w, 4": ((1, 15, 12, 4), (2, 4, 5, 4), (3, 9, 16, 4))}


def check_symbolic(report, rng):
    """Compares values with JAX for several sizes; refusals must name the place."""
    cases = dict(SYMBOLIC)
    for name, expected in GRADIENTS.items():
        gradient = jax.grad(lambda x, f=SYMBOLIC[name][0]: (f(x) * 1.5).sum())
        cases[f"gradient of the {name}"] = (gradient, *expected)
    for name, (function, *expectations) in cases.items():
        for expected, (symbols, shapes) in zip(expectations, SHAPES.items(), strict=True):
            dims = export.symbolic_shape(symbols, constraints=("h >= 4", "w >= 4")
                                         if "h" in symbols else ())
            aval = jax.ShapeDtypeStruct(dims, np.float32)
            if isinstance(expected, str):
                expect_error(report, ValueError, ".py:", function, aval)
                expect_error(report, ValueError, f"error: {expected}", function, aval)
                continue
            text = pool_mlir.import_jax(function, aval)
            report.expect(operations(text) == expected, f"{name} of ({symbols})", text)
            compiled = pool_mlir.compile(text)
            for shape in shapes:
                x = rng.standard_normal(shape).astype(np.float32)
                report.expect(np.allclose(compiled(x), function(x), rtol=1e-5, atol=1e-5),
                              f"{name} of {shape}: numbers", text)
                report.count("symbolic extents")


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
    # Most users run JAX in this mode, in which f32 is the widest float.
    with jax.enable_x64(False):
        check_flax(report, rng)
        check_halves(report)
        check_exports(report, rng)
        check_own_calls(report, rng)
        check_symbolic(report, rng)
    x = np.ones((1, 4, 4, 4), np.float32)
    expect_error(report, ValueError, "'stablehlo.sort' is neither pooling nor elementwise as it "
                 "stands, and nothing else is pooling", lambda x: jnp.sort(x), x)
    expect_error(report, ValueError, "as it stands; pool_layers=True imports its pools alone",
                 lambda x: jnp.sort(nn.max_pool(x, (2, 2))), x)
    expect_error(report, ValueError, "'stablehlo.dot_general' is neither", lambda x: x @ x, x)
    expect_error(report, ValueError, "'stablehlo.convert' is neither", lambda x: x.astype(int), x)
    expect_error(report, ValueError, "these 3 bytes are no exported JAX function", b"abc")
    expect_error(report, ValueError, "these 99 bytes are no exported", bytearray(99))
    expect_error(report, TypeError, "str is no function", "max_pool")
    expect_error(report, TypeError, "has its arguments already",
                 jax.jit(lambda x: x).lower(x), x)
    report.require_counted(*(f"raised: {kind}" for kind in KINDS))
    return report.finish()


main(run)
