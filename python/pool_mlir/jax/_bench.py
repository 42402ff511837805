"""`python -m pool_mlir bench --jax`: times lax's pooling and ours, both jitted, without and with
the gradient."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import jax
import numpy as np
from jax import lax

from .. import _door_bench
from . import avg_pool, max_pool

# Name, operation, shape, kernel, stride, pad: square windows, channels last as in flax.
SIZES = (
    ("small maximum", "max", (1, 16, 16, 8), 2, 2, 0),
    ("ResNet stem", "max", (1, 112, 112, 64), 3, 2, 1),
    ("VGG 2x2", "max", (1, 224, 224, 64), 2, 2, 0),
    ("YOLO 5x5", "max", (1, 20, 20, 256), 5, 1, 2),
    ("Inception 3x3", "avg", (1, 35, 35, 192), 3, 1, 1),
    ("DenseNet 2x2", "avg", (1, 56, 56, 128), 2, 2, 0),
    ("global average", "avg", (1, 7, 7, 2048), 7, 7, 0),
)


def make_pools(operation, kernel, stride, pad):
    """Returns two functions that compute the same pooling: one by lax, and one of this package."""
    window, strides = (1, kernel, kernel, 1), (1, stride, stride, 1)
    pads = ((0, 0), (pad, pad), (pad, pad), (0, 0))
    given = dict(strides=stride, pads_begin=pad, pads_end=pad, layout="channels_last")
    if operation == "max":
        return (lambda x: lax.reduce_window(x, -np.inf, lax.max, window, strides, pads),
                lambda x: max_pool(x, kernel, **given))
    return (lambda x: lax.reduce_window(x, 0., lax.add, window, strides, pads) / kernel**2,
            lambda x: avg_pool(x, kernel, divisor="kernel", **given))


def measure(operation, shape, kernel, stride, pad, seconds):
    """Returns four least times, in microseconds: lax's and ours without the gradient, then lax's
    and ours with it. Raises RuntimeError if the results differ."""
    x = jax.device_put(np.random.default_rng(0).standard_normal(shape).astype(np.float32))
    times = []
    pools = make_pools(operation, kernel, stride, pad)
    steps = [jax.value_and_grad(lambda x, pool=pool: (pool(x) ** 2).sum()) for pool in pools]
    for functions in (pools, steps):
        functions = [jax.jit(function) for function in functions]
        results = [jax.tree.leaves(function(x))[-1] for function in functions]
        if not np.allclose(*results, rtol=1e-4, atol=1e-4):
            raise RuntimeError(f"{operation} of {shape}: other numbers than lax's")
        times += _door_bench.least([lambda f=f: jax.block_until_ready(f(x)) for f in functions],
                                   seconds)
    return times


def run(options):
    sizes = _door_bench.select(SIZES, options.only)
    # XLA starts one thread for each processor that the process may use, so limit these processors.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.threads])
    times = [measure(*size, options.seconds) for _, *size in sizes]
    _door_bench.show("lax", sizes, times, options.plot)
    print(f"jax {jax.__version__}, f32, channels last, threads: {options.threads}")
