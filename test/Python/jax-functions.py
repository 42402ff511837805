# REQUIRES: python-module, jax
# RUN: %doors_python %s
"""Functions of `pool_mlir.jax` must compute what lax computes: random windows, forward and
backward, tangents, under jit and vmap. Also tests errors, and programs that are exported with a
symbolic batch and run in another process.

JAX lacks gradients of dilated maxima. They are compared with the NumPy functions, which other
tests compare with the definition. Adaptive pooling and unpooling are compared with definitions in
jnp.
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
from pool_mlir.jax import _primitive

CASES = tier.size(60, 6, 4)
SEED = tier.seed(29)
CHECKS = [export.DisabledSafetyCheck.custom_call(pool.TARGET)]


class Problem:
    """A random window, with its arguments for pool_mlir.jax and for lax."""

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
    # Inputs of extrema have ties. Inputs of norms have no zeros, where norms have no derivative.
    x = rng.integers(-4, 5, problem.shape).astype(dtype)
    way = number // 4 % 4
    with_ties = x
    if way >= 2:
        # Without ties: for equal elements, lax's tangents, and so its second gradients,
        # sometimes read another element than the one that gets the gradient.
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
    elif way == 2:
        def twice(function):
            return jax.grad(lambda x: (gradient(function)(x) ** 2).sum())
        expect("second gradient", twice(ours)(x), twice(theirs)(x))
    else:
        t = rng.integers(-9, 10, problem.shape).astype(dtype)

        def tangent(function):
            return lambda x: jax.jvp(function, (x,), (t,))[1]
        expect("tangent, jitted", jax.jit(tangent(ours))(x), tangent(theirs)(x))
        # Forward over reverse, and reverse over forward
        expect("tangent of the gradient", tangent(gradient(ours))(x),
               tangent(gradient(theirs))(x))
        expect("gradient of the tangent", gradient(tangent(ours))(x),
               gradient(tangent(theirs))(x))
        if exact:
            # Both products are sums of integers, so they are exact. They would differ if tangents
            # read one of several equal elements, and gradients went to another.
            y, s = jax.jvp(ours, (with_ties,), (t,))
            g = rng.integers(-9, 10, y.shape).astype(dtype)
            back, = jax.vjp(ours, with_ties)[1](g)
            report.expect((s * g).sum() == (t * back).sum(), f"{name}: ties", str(problem))
            report.count("tangents of ties are read where gradients go")


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


def windows_of(extent, outputs):
    return [slice(o * extent // outputs, -(-(o + 1) * extent // outputs))
            for o in range(outputs)]


def adaptive_by_definition(x, size, reduce):
    """Pools `x`, which has channels first, to `size` outputs by `reduce`."""
    rows, columns = (windows_of(e, o) for e, o in zip(x.shape[2:], size))
    return jnp.stack([jnp.stack([reduce(x[:, :, r, c], (2, 3)) for c in columns], -1)
                      for r in rows], -2)


def check_adaptive(report, rng, number):
    dtype = np.dtype((np.float32, np.float64)[number % 2])
    shape = (2, 3, *rng.integers(1, 9, 2))
    # No two elements are equal, because jnp divides a gradient among equal elements.
    x = rng.permutation(int(np.prod(shape))).reshape(shape).astype(dtype) / 16
    t = rng.integers(-9, 10, x.shape).astype(dtype)
    size = [int(n) for n in rng.integers(1, 7, 2)]
    last = number // 2 % 2
    for name, reduce in (("adaptive_max_pool", jnp.max), ("adaptive_avg_pool", jnp.mean)):
        def ours(x, name=name):
            if not last:
                return getattr(pool, name)(x, size)
            return jnp.moveaxis(getattr(pool, name)(jnp.moveaxis(x, 1, -1), size,
                                                    "channels_last"), -1, 1)

        def theirs(x, reduce=reduce):
            return adaptive_by_definition(x, size, reduce)

        for title, change in (
                ("values", lambda f: f),
                ("gradient", lambda f: jax.grad(lambda x: (f(x) ** 2).sum())),
                ("tangent", lambda f: lambda x: jax.jvp(f, (x,), (t,))[1]),
                ("vmap", lambda f: lambda x: jax.vmap(f)(jnp.stack([x, -x])))):
            actual, expected = change(jax.jit(ours))(x), change(theirs)(x)
            report.expect(same(actual, expected, False), f"{name}: {title}",
                          f"{x.shape} to {size}", expected=expected, actual=actual)
            report.count(f"{name}: {title}")
    axis = int(rng.integers(0, 3))
    values, indices = jax.jit(lambda x: pool.adaptive_max_pool(
        x, size, return_indices=True, axis=axis))(x)
    flat = x.reshape(*x.shape[:axis], -1)
    named = np.take_along_axis(flat, np.asarray(indices).reshape(*x.shape[:axis], -1), -1)
    report.expect(same(named.reshape(indices.shape), values, True), "adaptive indices")


def check_unpool(report, rng, number):
    x = rng.permutation(2 * 3 * 6 * 8).reshape(2, 3, 6, 8).astype(np.float32)
    axis = number % 3

    def scatter(values, indices):
        lead = x.shape[:axis]
        flat = jnp.zeros((*lead, x.size // int(np.prod(lead, dtype=int))), values.dtype)
        rows = indices.reshape(*lead, -1)
        return jnp.put_along_axis(flat, rows, values.reshape(rows.shape), -1,
                                  inplace=False).reshape(x.shape)

    def network(unpool):
        def function(x):
            values, indices = pool.max_pool(x, 2, 2, return_indices=True, axis=axis)
            return unpool(values ** 2, indices)
        return function

    ours = network(lambda v, i: pool.max_unpool(v, i, x.shape, axis=axis))
    theirs = network(scatter)
    t = rng.integers(-9, 10, x.shape).astype(np.float32)
    for title, change in (
            ("values", lambda f: f),
            ("gradient", lambda f: jax.grad(lambda x: (f(x) ** 2).sum() / 1e6)),
            ("tangent", lambda f: lambda x: jax.jvp(f, (x,), (t,))[1]),
            ("vmap", lambda f: lambda x: jax.vmap(f)(jnp.stack([x, -x])))):
        actual, expected = jax.jit(change(ours))(x), change(theirs)(x)
        report.expect(same(actual, expected, False), f"max_unpool: {title}", f"axis {axis}",
                      expected=expected, actual=actual)
        report.count(f"max_unpool: {title}")


def check_padding(report, rng):
    """With pad_value zero, a maximum must choose the same elements as in a zero-padded
    array."""
    for _ in range(12):
        x = (rng.permutation(84) - 41.5).reshape(2, 1, 6, 7)
        pads = [int(n) for n in rng.integers(0, 4, 2)]

        def ours(x):
            return pool.max_pool(x, 3, 2, pads, pads, pad_value="zero")

        def theirs(x):
            x = jnp.pad(x, ((0, 0), (0, 0), *((p, p) for p in pads)))
            return pool.max_pool(x, 3, 2)

        for change in (lambda f: f, lambda f: jax.grad(lambda x: (f(x) ** 2).sum())):
            report.expect(same(change(ours)(x), change(theirs)(x), True), "zeros as padding",
                          str(pads))
            report.count("zeros as padding")


READER = """
import sys
import numpy as np
from jax import export
import pool_mlir.jax
program = export.deserialize(open(sys.argv[1], "rb").read())
np.save(sys.argv[3], program.call(np.load(sys.argv[2])))
"""


def check_norm_at_zero(report):
    """The second derivative of a norm with p = 2 where an element is 0."""
    x = jnp.asarray([[[[0.0, 3.0]]]])
    ours = jax.hessian(lambda z: pool.lp_pool(z, (1, 2)).sum())(x)
    own = jax.hessian(lambda z: jnp.sqrt((z * z).sum()))(x)
    report.expect(np.allclose(ours, own), "a norm's second derivative at 0", expected=own,
                  actual=ours)


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
    expect_error(report, ValueError,
                 "'pool.max_pool' op (Window.C8) dimension 2: the window covers 9",
                 lambda: pool.max_pool(x, 9))
    expect_error(report, ValueError, "(Window.C5) dimension 2: stride is 0",
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
    expect_error(report, TypeError, "kernel must be a list of integers or an integer, not float",
                 lambda: pool.max_pool(x, 2.5))
    expect_error(report, TypeError, "strides must be integers, not float",
                 lambda: pool.avg_pool(x, 2, [2, 2.0]))
    expect_error(report, TypeError, "kernel must be a list of integers or an integer, not set",
                 lambda: pool.max_pool(x, {2, 1}))
    for kernel in (lambda k: k, lambda k: (2, k)):
        expect_error(report, TypeError, "kernel is traced, but code is compiled for its value: "
                     "pass Python integers", lambda: jax.jit(
                         lambda x, k: pool.max_pool(x, kernel(k)))(x, 2))
    expect_error(report, ValueError, "neither int32 nor int64",
                 lambda: pool.max_pool(x, 2, return_indices=True, index_type="int8"))
    expect_error(report, ValueError, "dimension 2 is h: windows slide over known extents",
                 lambda: export.export(jax.jit(lambda x: pool.max_pool(x, 2)))(
                     jax.ShapeDtypeStruct((1, 1, size, 4), np.float32)))


def check_versions(report):
    """The package's extra requires the supported jaxlib versions; other versions are
    refused."""
    (major, oldest), (_, newest) = _primitive.OLDEST, _primitive.NEWEST
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    extra = f'jax = ["jax>={major}.{oldest},<{major}.{newest + 1}"]'
    report.expect(extra in project, f"pyproject.toml: no {extra}")
    for version in (f"{major}.{oldest - 1}.5", f"{major}.{newest + 1}.0"):
        code = f"import jaxlib; jaxlib.__version__ = '{version}'; import pool_mlir.jax"
        words = (f"pool_mlir.jax is for jaxlib {major}.{oldest} to {major}.{newest}, "
                 f"and this is {version}")
        error = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True).stderr
        report.expect(f"ImportError: {words}" in error, f"jaxlib {version}", error)


def run():
    report = Report("jax_functions")
    rng = np.random.default_rng(SEED)
    for number in range(CASES):
        report.progress(number, CASES)
        check(report, rng, ("max_pool", "avg_pool", "min_pool", "lp_pool")[number % 4], number)
    for number in range(CASES // 12):
        check_adaptive(report, rng, number)
        check_unpool(report, rng, number)
    check_padding(report, rng)
    check_norm_at_zero(report)
    check_indices(report, rng)
    check_dilation(report, rng)
    check_export(report, rng)
    check_errors(report)
    check_versions(report)
    return report.finish()


main(run)
