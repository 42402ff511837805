# REQUIRES: python-module, tier-all, jax
# RUN: %peers_python %s
"""`import_jax` against JAX: random windows as lax writes them, flax's pools, their
gradients, networks, what was exported, and what is refused.

A random problem is raised to one operation of the pool dialect, or refused for a
reason that is counted; its numbers are those of JAX.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import functools
import re

import numpy as np

import pool_mlir
from pooltest import tier
from pooltest.report import Report, main
from pooltest.stablehlo import jax

import flax.linen as nn
import jax.numpy as jnp
from jax import export, lax

CASES = tier.size(2000, 200, 20)
SEED = tier.seed(23)
KINDS = ("max", "min", "sum", "mean", "average", "vjp of max", "vjp of mean",
         "vjp of average", "argmax")


def random_window(rng, rank, kind):
    """Sizes, strides, padding, base and window dilations of all dimensions."""
    windowed = rng.random(rank) < 0.6
    if not windowed.any():
        windowed[rng.integers(rank)] = True
    size = [int(rng.integers(1, 4)) if w else 1 for w in windowed]
    stride = [int(rng.integers(1, 4)) if w else 1 for w in windowed]
    dilation = [int(rng.integers(1, 3)) if w and rng.random() < 0.2 else 1 for w in windowed]
    base = [1] * rank
    pads = [(0, 0)] * rank
    if rng.random() < 0.7:
        low = -1 if rng.random() < 0.15 and kind in ("max", "min", "sum") else 0
        pads = [(int(rng.integers(low, 3)), int(rng.integers(low, 3))) if w else (0, 0)
                for w in windowed]
    if kind.startswith("vjp of max"):
        dilation = [1] * rank
    if kind == "sum" and rng.random() < 0.2:
        base = [int(rng.integers(1, 4)) if w else 1 for w in windowed]
        stride = [1] * rank
    return size, stride, pads, base, dilation


def argmax(x, window):
    """Values with positions, by a reduction of pairs."""
    size, stride, pads, base, dilation = window

    def body(a, b):
        better = (a[0] > b[0]) | (a[0] != a[0])
        first = better | ((a[0] == b[0]) & (a[1] < b[1]))
        return jnp.where(better, a[0], b[0]), jnp.where(first, a[1], b[1])

    positions = lax.iota(jnp.int32, x.size).reshape(x.shape)
    start = (np.array(-np.inf, x.dtype), np.int32(2**31 - 1))
    return lax.reduce_window((x, positions), start, body, size, stride, pads, base, dilation)


def make_function(kind, dtype, window):
    size, stride, pads, base, dilation = window
    reduce = functools.partial(lax.reduce_window, window_dimensions=size, window_strides=stride,
                               padding=pads, base_dilation=base, window_dilation=dilation)
    is_float = jnp.issubdtype(dtype, jnp.floating)
    low, high = (-np.inf, np.inf) if is_float else (jnp.iinfo(dtype).min, jnp.iinfo(dtype).max)

    def forward(x):
        if kind.endswith("max"):
            return reduce(x, np.array(low, dtype), lax.max)
        if kind == "min":
            return reduce(x, np.array(high, dtype), lax.min)
        total = reduce(x, np.array(0, dtype), lax.add)
        if kind.endswith("mean"):
            return total / np.prod(size)
        if kind.endswith("average"):
            return total / reduce(jnp.ones_like(x), np.array(0, dtype), lax.add)
        return total

    if kind == "argmax":
        return lambda x: argmax(x, window)
    if kind.startswith("vjp"):
        return lambda x, g: jax.vjp(forward, x)[1](g)[0]
    return forward


def random_problem(rng, kind):
    dtype = np.dtype(rng.choice(("float32", "float64")))
    if kind in ("max", "min") and rng.random() < 0.4:
        dtype = np.dtype(rng.choice(("int8", "uint8", "int32", "float16", "uint64")))
    rank = int(rng.integers(1, 6))
    shape = tuple(int(n) for n in rng.integers(1, 8, rank))
    window = random_window(rng, rank, kind)
    # Multiples of many counts, so that sums and quotients are exact.
    x = rng.integers(0 if dtype.kind == "u" else -9, 10, shape)
    x = (x * (360 if "av" in kind or "mean" in kind else 1)).astype(dtype)
    if dtype.kind == "f" and kind in ("max", "min", "sum") and rng.random() < 0.3:
        x = np.where(rng.random(shape) < 0.2, rng.choice([np.nan, np.inf, -np.inf]), x)
        x = x.astype(dtype)
    function = make_function(kind, dtype, window)
    arguments = [x]
    if kind.startswith("vjp"):
        forward = make_function(kind.removeprefix("vjp of "), dtype, window)
        g = rng.integers(-9, 10, jax.eval_shape(forward, x).shape)
        arguments.append((g * (360 if "av" in kind or "mean" in kind else 1)).astype(dtype))
    return function, arguments, (kind, str(dtype), shape, *window)


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def check_random(report, rng, kind):
    while True:
        function, arguments, title = random_problem(rng, kind)
        shapes = jax.tree.leaves(jax.eval_shape(function, *arguments))
        if all(np.prod(s.shape) for s in shapes):
            break
    try:
        text = pool_mlir.import_jax(function, *arguments)
    except ValueError as error:
        report.count(f"refused: {kind}")
        pools = re.search("neither pooling nor elementwise", str(error))
        report.expect(pools, "a refusal", str(title), error=error)
        return
    expected = as_tuple(jax.jit(function)(*arguments))
    actual = as_tuple(pool_mlir.compile(text)(*arguments))
    same = all(np.array_equal(a, e, equal_nan=a.dtype.kind == "f")
               for a, e in zip(actual, expected, strict=True))
    report.expect(same, f"{kind}: numbers", f"{title}\n{text}", arguments=arguments,
                  expected=expected, actual=actual)
    report.expect(" = pool." in text, f"{kind}: a pool", text)
    report.count(f"raised: {kind}")


def vjp(function):
    return lambda x, g: jax.vjp(function, x)[1](g)[0]


def flax_pools():
    """Functions of an image and which operations they become."""
    stem = dict(window_shape=(3, 3), strides=(2, 2), padding="SAME")
    without = dict(stem, count_include_pad=False)
    yield lambda x: nn.max_pool(x, **stem), ("max_pool",), 1
    yield lambda x: nn.avg_pool(x, **stem), ("avg_pool",), 1
    yield lambda x: nn.avg_pool(x, **without), ("avg_pool",), 1
    yield lambda x: -nn.max_pool(-x, (2, 2)), ("max_pool",), 1
    yield lambda x: nn.max_pool(jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0))), (3, 3)), (
        "max_pool",), 1
    yield lambda x: nn.avg_pool(x[0], **without), ("avg_pool", "avg_pool"), 1
    for pool, kernel in ((nn.max_pool, "max_pool_grad"), (nn.avg_pool, "avg_pool_grad")):
        yield vjp(functools.partial(pool, **stem)), (kernel,), 2
    yield vjp(functools.partial(nn.avg_pool, **without)), ("avg_pool_grad",), 2
    yield jax.grad(lambda x: (nn.max_pool(x, **stem) ** 2).sum()), (
        "max_pool", "max_pool_grad"), 1
    yield lambda x: nn.max_pool(nn.gelu(nn.relu(x) + nn.silu(x)), (2, 2)), ("max_pool",), 1
    yield lambda x: nn.avg_pool(nn.softplus(nn.leaky_relu(x)) * jnp.tanh(x), (2, 2)), (
        "avg_pool",), 1
    yield lambda x: nn.max_pool(jnp.clip(x, 0, 6), (2, 2)) - 0.5, ("max_pool",), 1
    yield lambda x: nn.max_pool(nn.gelu(x, approximate=False), (2, 2)), ("max_pool",), 1
    yield lambda x: nn.max_pool(x.astype(jnp.bfloat16), (2, 2)).astype(jnp.float32), (
        "max_pool",), 1


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
