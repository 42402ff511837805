"""Pooling as JAX's users write it: random windows of lax, flax's pools, gradients. JAX
and flax are needed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import numpy as np

from .stablehlo import jax

import flax.linen as nn
import jax.numpy as jnp
from jax import lax

KINDS = ("max", "min", "sum", "mean", "average", "vjp of max", "vjp of mean",
         "vjp of average", "argmax")


def random_window(rng, rank, kind):
    """Random sizes, strides, padding, and base and window dilations of all dimensions."""
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
    if max(size) == 1:
        # For windows of one element, XLA ignores negative padding or ends the process.
        pads = [(max(begin, 0), max(end, 0)) for begin, end in pads]
    if kind.startswith("vjp of max"):
        dilation = [1] * rank
    if kind == "sum" and rng.random() < 0.2:
        base = [int(rng.integers(1, 4)) if w else 1 for w in windowed]
        stride = [1] * rank
    return size, stride, pads, base, dilation


def argmax(x, window, is_weak):
    """Returns maxima with their positions, by a reduction of pairs. JAX writes another body if
    the initial value has a weak type."""
    size, stride, pads, base, dilation = window

    def body(a, b):
        better = (a[0] > b[0]) | (a[0] != a[0])
        first = better | ((a[0] == b[0]) & (a[1] < b[1]))
        return jnp.where(better, a[0], b[0]), jnp.where(first, a[1], b[1])

    positions = lax.iota(jnp.int32, x.size).reshape(x.shape)
    start = (-jnp.inf if is_weak else np.array(-np.inf, x.dtype), np.int32(2**31 - 1))
    return lax.reduce_window((x, positions), start, body, size, stride, pads, base, dilation)


def make_function(kind, dtype, window, is_weak=False):
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
        return lambda x: argmax(x, window, is_weak)
    if kind.startswith("vjp"):
        return lambda x, g: jax.vjp(forward, x)[1](g)[0]
    return forward


def random_problem(rng, kind):
    """Returns a function with non-empty results, its arguments, and a title."""
    while True:
        function, arguments, title = any_problem(rng, kind)
        shapes = jax.tree.leaves(jax.eval_shape(function, *arguments))
        if all(np.prod(s.shape) for s in shapes):
            return function, arguments, title


def any_problem(rng, kind):
    dtype = np.dtype(rng.choice(("float32", "float64")))
    if kind in ("max", "min") and rng.random() < 0.4:
        dtype = np.dtype(rng.choice(("int8", "uint8", "int32", "float16", "uint64")))
    rank = int(rng.integers(1, 6))
    shape = tuple(int(n) for n in rng.integers(1, 8, rank))
    window = random_window(rng, rank, kind)
    # Draw whole numbers, so that sums are exact. For averages, draw multiples of 360, so that
    # most quotients are exact, too.
    x = rng.integers(0 if dtype.kind == "u" else -9, 10, shape)
    x = (x * (360 if "av" in kind or "mean" in kind else 1)).astype(dtype)
    if dtype.kind == "f" and kind in ("max", "min", "sum") and rng.random() < 0.3:
        x = np.where(rng.random(shape) < 0.2, rng.choice([np.nan, np.inf, -np.inf]), x)
        x = x.astype(dtype)
    # A Python number as the initial value has a weak type. JAX converts such a number to
    # float64, so use it only with float64 operands.
    is_weak = kind == "argmax" and dtype == np.float64 and rng.random() < 0.5
    function = make_function(kind, dtype, window, is_weak)
    arguments = [x]
    if kind.startswith("vjp"):
        forward = make_function(kind.removeprefix("vjp of "), dtype, window)
        g = rng.integers(-9, 10, jax.eval_shape(forward, x).shape)
        arguments.append((g * (360 if "av" in kind or "mean" in kind else 1)).astype(dtype))
    return function, arguments, (kind, str(dtype), shape, *window)


def vjp(function):
    return lambda x, g: jax.vjp(function, x)[1](g)[0]


def flax_pools():
    """Yields a function of images, the names of the operations that it becomes, and its number
    of arguments."""
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
    yield lambda x: jnp.mean(x, (1, 2)) - jnp.max(x, (1, 2)), ("avg_pool", "max_pool"), 1
    yield lambda x: nn.max_pool(nn.gelu(nn.relu(x) + nn.silu(x)), (2, 2)), ("max_pool",), 1
    yield lambda x: nn.avg_pool(nn.softplus(nn.leaky_relu(x)) * jnp.tanh(x), (2, 2)), (
        "avg_pool",), 1
    yield lambda x: nn.max_pool(jnp.clip(x, 0, 6), (2, 2)) - 0.5, ("max_pool",), 1
    yield lambda x: nn.max_pool(nn.gelu(x, approximate=False), (2, 2)), ("max_pool",), 1
    yield lambda x: nn.max_pool(x.astype(jnp.bfloat16), (2, 2)).astype(jnp.float32), (
        "max_pool",), 1
