# REQUIRES: python-module, tier-all, jax
# RUN: %peers_python %s
"""`pool_mlir.jax` against lax: random windows, forward and backward, under jit and
vmap; exports with a symbolic batch, read by another process; errors.

What JAX lacks, gradients of dilated maxima, is compared with the NumPy functions,
which other tests compare with the definition.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import pool_mlir
from pooltest import tier
from pooltest.report import Report, main
from pooltest.stablehlo import jax

import jax.numpy as jnp
import pool_mlir.jax as pool
from jax import export, lax

CASES = tier.size(600, 60, 12)
SEED = tier.seed(29)
CHECKS = [export.DisabledSafetyCheck.custom_call(pool.TARGET)]


class Problem:
    """A window with the arguments that both libraries take."""

    def __init__(self, rng):
        n = int(rng.integers(1, 4))
        self.layout = str(rng.choice(("channels_first", "channels_last")))
        self.kernel = [int(k) for k in rng.integers(1, 4, n)]
        self.strides = [int(s) for s in rng.integers(1, 4, n)]
        self.pads_begin = [int(rng.integers(0, k)) for k in self.kernel]
        self.pads_end = [int(rng.integers(0, k)) for k in self.kernel]
        self.dilations = [1] * n
        extents = [int(e) for e in rng.integers(3, 8, n)]
        self.shape = self.stored(2, 3, extents)

    def stored(self, batch, channels, spatial):
        if self.layout == "channels_first":
            return [batch, channels, *spatial]
        return [batch, *spatial, channels]

    def window(self):
        return {name: getattr(self, name) for name in (
            "strides", "pads_begin", "pads_end", "dilations", "layout")}

    def pool(self, name, x, **more):
        return getattr(pool, name)(x, self.kernel, **self.window(), **more)

    def reduce(self, x, init, operation):
        return lax.reduce_window(
            x, np.array(init, x.dtype), operation, self.stored(1, 1, self.kernel),
            self.stored(1, 1, self.strides),
            self.stored((0, 0), (0, 0), list(zip(self.pads_begin, self.pads_end))))

    def lax(self, name, x):
        if name == "max_pool":
            return self.reduce(x, -np.inf, lax.max)
        if name == "min_pool":
            return self.reduce(x, np.inf, lax.min)
        if name == "lp_pool":
            return jnp.sqrt(self.reduce(x * x, 0, lax.add))
        return self.reduce(x, 0, lax.add) / self.reduce(jnp.ones_like(x), 0, lax.add)

    def __str__(self):
        return f"{self.shape} {self.kernel} {self.window()}"


def same(a, b, exact):
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and (
        np.array_equal(a, b) if exact else np.allclose(a, b, rtol=1e-5, atol=1e-5))


def check(report, rng, name, number):
    problem = Problem(rng)
    dtype = np.dtype((np.float32, np.float64)[number // 4 % 2])
    exact = name in ("max_pool", "min_pool")
    # Ties too, and for norms no zeros, where they have no derivative.
    x = rng.integers(-4, 5, problem.shape).astype(dtype)
    way = number // 4 % 3
    if way == 2:
        # JAX reads the tangents of equal elements elsewhere than it adds gradients.
        x = rng.permutation(x.size).reshape(x.shape).astype(dtype) / 16
    if not exact:
        x = rng.uniform(0.5, 2, problem.shape).astype(dtype)

    def ours(x):
        return problem.pool(name, x)

    def theirs(x):
        return problem.lax(name, x)

    def gradient(function):
        return jax.grad(lambda x: (function(x) ** 2).sum())

    def expect(what, actual, expected):
        report.expect(same(actual, expected, exact), f"{name}: {what}", str(problem), x=x,
                      expected=expected, actual=actual)
        report.count(f"{name}: {what}")

    expect("values", ours(x), theirs(x))
    if way == 0:
        expect("gradient, jitted", jax.jit(gradient(ours))(x), gradient(theirs)(x))
    elif way == 1:
        images = np.stack([x, 2 * x, x[::-1]], 1)
        expect("vmap", jax.jit(jax.vmap(ours, 1, 2))(images),
               np.moveaxis(np.stack([theirs(images[:, i]) for i in range(3)]), 0, 2))
        expect("vmap of the gradient", jax.vmap(gradient(ours), 1)(images),
               np.stack([gradient(theirs)(images[:, i]) for i in range(3)]))
    else:
        def twice(function):
            return jax.grad(lambda x: (gradient(function)(x) ** 2).sum())
        expect("second gradient", twice(ours)(x), twice(theirs)(x))


def check_indices(report, rng):
    x = rng.integers(-4, 5, (2, 3, 6, 7)).astype(np.float32)
    for axis in (0, 1, 2):
        values, indices = pool_mlir.max_pool(
            x, 3, 2, 1, 1, return_indices=True, axis=axis, index_element_type="i32",
            nan_mode="propagate")

        def ours(x):
            return pool.max_pool(x, 3, 2, 1, 1, return_indices=True, axis=axis)

        for function in (ours, jax.jit(ours)):
            actual = function(x)
            report.expect(same(actual[0], values, True) and same(actual[1], indices, True),
                          f"indices over dims[{axis}:]")
        images = np.stack([x, -x])
        mapped = jax.vmap(ours)(images)
        for i, image in enumerate(images):
            alone = ours(image)
            report.expect(same(mapped[0][i], alone[0], True) and
                          same(mapped[1][i], alone[1], True), f"vmap of indices {axis}")
        report.count("indices")


def check_dilation(report, rng):
    for _ in range(20):
        x = rng.integers(-4, 5, (2, 3, 9, 8)).astype(np.float64)
        window = dict(strides=[1, 2], pads_begin=[1, 0], dilations=[2, 3])
        actual = jax.grad(lambda x: (pool.max_pool(x, [3, 2], **window) ** 2).sum())(x)
        y = pool_mlir.max_pool(x, [3, 2], **window)
        expected = pool_mlir.max_pool_grad(x, 2 * y, [3, 2], **window)
        report.expect(same(actual, expected, True), "gradient of a dilated maximum")
        report.count("gradients of dilated maxima")


READER = """
import sys
import numpy as np
from jax import export
import pool_mlir.jax
program = export.deserialize(open(sys.argv[1], "rb").read())
np.save(sys.argv[3], program.call(np.load(sys.argv[2])))
"""


def check_export(report, rng):
    def network(x):
        return jnp.tanh(pool.avg_pool(pool.max_pool(x, 3, 2, 1, 1), 2))

    batch, = export.symbolic_shape("b")
    aval = jax.ShapeDtypeStruct((batch, 3, 9, 9), np.float32)
    for function in (network, jax.grad(lambda x: network(x).sum())):
        data = export.export(jax.jit(function), disabled_checks=CHECKS)(aval).serialize()
        with tempfile.TemporaryDirectory() as directory:
            paths = [Path(directory) / name for name in ("program", "x.npy", "y.npy")]
            paths[0].write_bytes(data)
            for count in (1, 4):
                x = rng.standard_normal((count, 3, 9, 9)).astype(np.float32)
                np.save(paths[1], x)
                subprocess.run([sys.executable, "-c", READER, *map(str, paths)], check=True)
                report.expect(same(np.load(paths[2]), function(x), False),
                              "an exported program in another process")
                report.count("exports with a symbolic batch, called by another process")


def expect_error(report, kind, words, function):
    try:
        function()
    except kind as error:
        report.expect(words in str(error), f"the words '{words}'", str(error))
        report.count("errors")
    else:
        report.mismatch(f"no {kind.__name__}: {words}")


def check_errors(report):
    x = np.ones((1, 1, 4, 4), np.float32)
    size, = export.symbolic_shape("h")
    expect_error(report, ValueError, "'pool.max_pool' op (C8) dimension 2: the window covers 9",
                 lambda: pool.max_pool(x, 9))
    expect_error(report, ValueError, "(C5) dimension 2: stride is 0",
                 lambda: jax.jit(lambda x: pool.avg_pool(x, 2, 0))(x))
    expect_error(report, ValueError, "nan_mode is 'never', but must be one of",
                 lambda: pool.max_pool(x, 2, nan_mode="never"))
    expect_error(report, ValueError, "is no attribute", lambda: pool.max_pool(x, 2, layout="a b"))
    for words, text in (
            ("'stride' is not an attribute of this operation", "stride=2,2,"),
            ("'divisor' is not an attribute of this operation", "divisor=valid"),
            ("'input' is not an attribute of this operation", "input=4,4,"),
            ("'kernel' is given twice", "kernel=3,3,"),
            ("'kind', which is 'good', is not an attribute", "kind=good"),
            ("is no operation's text", "indices=32 indices=64"),
            ("'pool.avg_pool_grad' op has no indices", "indices=32")):
        operation = "pool.avg_pool_grad" if "grad" in words else "pool.max_pool"
        expect_error(report, ValueError, words, lambda: pool_mlir._pool_mlir._infer(
            f"{operation} kernel=2,2, {text}", [("float32", [1, 1, 4, 4])],
            [1, 1, 5, 5] if "grad" in words else None))
    expect_error(report, TypeError, "do not take bool", lambda: pool.max_pool(x > 0, 2))
    expect_error(report, ValueError, "neither int32 nor int64",
                 lambda: pool.max_pool(x, 2, return_indices=True, index_type="int8"))
    expect_error(report, ValueError, "dimension 2 is h: windows slide over known extents",
                 lambda: export.export(jax.jit(lambda x: pool.max_pool(x, 2)))(
                     jax.ShapeDtypeStruct((1, 1, size, 4), np.float32)))


def run():
    report = Report("jax_functions")
    rng = np.random.default_rng(SEED)
    for number in range(CASES):
        check(report, rng, ("max_pool", "avg_pool", "min_pool", "lp_pool")[number % 4], number)
    check_indices(report, rng)
    check_dilation(report, rng)
    check_export(report, rng)
    check_errors(report)
    return report.finish()


main(run)
