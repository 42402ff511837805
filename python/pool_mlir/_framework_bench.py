"""`bench --framework torch|jax`: times a framework's own pooling beside ours, without and with the
gradient."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import os
import statistics
import time

import numpy as np

from . import _plots, _timing
from ._bench import SIZES

# Pooling of well-known networks: name, function, shape, arguments, and True if the channels
# are last in memory.
TORCH_SIZES = (
    ("ResNet stem", "max_pool2d", (1, 64, 112, 112), (3, 2, 1)),
    ("VGG", "max_pool2d", (1, 64, 224, 224), (2,)),
    ("GoogLeNet 3x3", "max_pool2d", (1, 480, 14, 14), (3, 1, 1)),
    ("YOLO 5x5", "max_pool2d", (1, 256, 20, 20), (5, 1, 2)),
    ("Inception 3x3", "avg_pool2d", (1, 192, 35, 35), (3, 1, 1)),
    ("DenseNet 2x2", "avg_pool2d", (1, 128, 56, 56), (2,)),
    ("global average", "adaptive_avg_pool2d", (8, 512, 7, 7), (1,)),
    ("PSPNet 6x6", "adaptive_avg_pool2d", (1, 512, 60, 60), (6,)),
    ("speech", "max_pool1d", (8, 64, 4000), (4,)),
    ("video", "max_pool3d", (1, 64, 16, 56, 56), (2,)),
    ("norm", "lp_pool2d", (1, 64, 56, 56), (2, 3, 2)),
    ("ResNet stem, channels_last", "max_pool2d", (1, 64, 112, 112), (3, 2, 1), True),
    ("VGG, channels_last", "max_pool2d", (1, 64, 224, 224), (2,), True),
    ("Inception 3x3, channels_last", "avg_pool2d", (1, 192, 35, 35), (3, 1, 1), True),
    ("DenseNet 2x2, channels_last", "avg_pool2d", (1, 128, 56, 56), (2,), True),
)


class Torch:
    """torch's functions and those of pool_mlir.torch. With one thread, the clock is processor time:
    other processes can lengthen it only by cache misses. Short runs keep these misses few."""

    own = "torch"
    sizes = TORCH_SIZES
    # rtol and atol without the gradient, and with it
    tolerances = ((1e-5, 1e-6), (1e-4, 1e-4))
    read = staticmethod(np.asarray)

    def __init__(self, threads):
        from . import torch as ours
        import torch

        self.torch, self.ours = torch, ours
        self.clock = time.process_time if threads == 1 else time.perf_counter
        torch.set_num_threads(threads)

    def pairs(self, name, shape, arguments, is_last=False):
        """Yields two pairs of calls: torch's and ours without the gradient, and with it."""
        torch = self.torch
        own, our = getattr(torch.nn.functional, name), self.ours.functions[name]
        x = torch.rand(shape)
        if is_last:
            x = x.contiguous(memory_format=torch.channels_last)
        yield [lambda f=f: f(x, *arguments) for f in (own, our)]
        weights, leaf = torch.rand_like(own(x, *arguments)), x.clone().requires_grad_()
        yield [lambda f=f: torch.autograd.grad(f(leaf, *arguments), leaf, weights)[0]
               for f in (own, our)]

    def about(self, threads):
        return (f"torch {self.torch.__version__}, f32, threads: {threads}; calls that went to "
                f"torch's own functions: {sum(self.ours.fallbacks.values())}")


class Jax:
    """lax's windows and those of pool_mlir.jax, both jitted, channels last as in flax."""

    own = "lax"
    clock = time.perf_counter
    sizes = [(size.name, size) for size in SIZES]
    tolerances = ((1e-4, 1e-4), (1e-4, 1e-4))

    def __init__(self, threads):
        from . import jax as ours
        import jax

        self.jax, self.ours = jax, ours
        # XLA starts one thread for each processor that the process may use, so limit these.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])

    def pools(self, size):
        """Returns two functions that compute the same pooling: one by lax, and one of ours."""
        lax, kernel, stride, pad = self.jax.lax, size.kernel, size.stride, size.pad
        window = ((1, kernel, kernel, 1), (1, stride, stride, 1),
                  ((0, 0), (pad, pad), (pad, pad), (0, 0)))
        given = dict(strides=stride, pads_begin=pad, pads_end=pad, layout="channels_last")
        if size.operation == "max":
            return (lambda x: lax.reduce_window(x, -np.inf, lax.max, *window),
                    lambda x: self.ours.max_pool(x, kernel, **given))
        return (lambda x: lax.reduce_window(x, 0., lax.add, *window) / kernel**2,
                lambda x: self.ours.avg_pool(x, kernel, divisor="kernel", **given))

    def pairs(self, size):
        """Yields two pairs of calls: lax's and ours without the gradient, and with it."""
        jax, (batch, channels, *image) = self.jax, size.shape
        x = jax.device_put(np.random.default_rng(0).standard_normal(
            (batch, *image, channels)).astype(np.float32))
        pools = self.pools(size)
        steps = [jax.value_and_grad(lambda x, f=f: (f(x) ** 2).sum()) for f in pools]
        for functions in (pools, steps):
            yield [lambda f=jax.jit(f): jax.block_until_ready(f(x)) for f in functions]

    def read(self, result):
        """Returns the array of a call's result: with the gradient, that."""
        return np.asarray(self.jax.tree.leaves(result)[-1])

    def about(self, threads):
        return f"jax {self.jax.__version__}, f32, channels last, threads: {threads}"


def measure(framework, name, pairs, seconds):
    """Returns four least times, in microseconds: the framework's and ours without the gradient, and
    with it. Raises RuntimeError if the results differ."""
    times = []
    for calls, (rtol, atol) in zip(pairs, framework.tolerances):
        if not np.allclose(*(framework.read(call()) for call in calls), rtol=rtol, atol=atol):
            raise RuntimeError(f"{name}: other numbers than {framework.own}'s")
        times += _timing.time_in_turns(calls, seconds, framework.clock)
    return times


def show(own, sizes, times, path):
    """Prints a table with a row for each of `sizes`. An entry of `times` has four times in
    microseconds: the framework's and ours without the gradient, then the framework's and ours with
    it. If a file `path` is given, draws the ratios to it."""
    rows = [(size[0], theirs, our, theirs / our, own_step, our_step, own_step / our_step)
            for size, (theirs, our, own_step, our_step) in zip(sizes, times)]
    means = [math.exp(statistics.fmean(math.log(row[i]) for row in rows)) for i in (3, 6)]
    lines = [[row[0], *(f"{row[i]:.0f}" if i % 3 else f"{row[i]:.1f}" for i in range(1, 7))]
             for row in rows]
    lines.append(["geometric mean", "", "", f"{means[0]:.1f}", "", "", f"{means[1]:.1f}"])
    print(_timing.table(["size", f"{own} us", "ours us", "times as fast",
                         f"with gradient: {own} us", "ours us", "times as fast"], lines))
    if path:
        plot(own, rows, path)


def plot(own, rows, path):
    """Draws bars to the file `path`: how many times as fast as the framework's functions ours are,
    without and with the gradient."""
    figure, axes = _plots.load(path).subplots(figsize=(8, 4))
    places = range(len(rows))
    axes.bar([place - 0.2 for place in places], [row[3] for row in rows], 0.4, label="forward")
    axes.bar([place + 0.2 for place in places], [row[6] for row in rows], 0.4,
             label="forward and backward")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylabel(f"times as fast as {own}'s own")
    axes.set_xticks(list(places), [row[0] for row in rows], rotation=30, ha="right")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def time_calls(framework, seconds):
    """Prints how long a call of pool_mlir.torch takes beside its kernels, on an image of only 192
    elements."""
    import torch

    from .torch import _ops, functions

    class Nothing(torch.autograd.Function):
        """A function whose gradient runs no kernel. It shows torch's own cost of a gradient in
        Python."""

        @staticmethod
        def forward(ctx, x, like):
            ctx.save_for_backward(x)
            return torch.empty_like(like)

        @staticmethod
        def backward(ctx, grad):
            return torch.empty_like(ctx.saved_tensors[0]), None

    def least(calls):
        return [f"{us:.1f}" for us in _timing.time_in_turns(calls, seconds, framework.clock, 100)]

    x, weights = torch.rand(1, 3, 8, 8), torch.ones(1, 3, 4, 4)
    leaf = x.clone().requires_grad_()
    window = ((2, 2), (2, 2), (0, 0))
    max_window, avg_window = (*window, (1, 1), False), (*window, False, True, None)
    max_grad = _ops.max_grad_kernels(*max_window).plain
    avg_grad = _ops.avg_grad_kernels(*avg_window).plain
    rows = []
    for title, name, arguments, forward, backward in (
            ("max_pool2d", "max_pool2d", (2,), _ops.max_kernels(False, *max_window),
             lambda: max_grad(x, weights)),
            ("max_pool2d, indices", "max_pool2d", (2, None, 0, 1, False, True),
             _ops.max_kernels(True, *max_window), lambda: max_grad(x, weights)),
            ("avg_pool2d", "avg_pool2d", (2,), _ops.avg_kernels(*avg_window),
             lambda: avg_grad(weights, shape=x.shape)),
            ("adaptive_avg_pool2d", "adaptive_avg_pool2d", (4,),
             _ops.adaptive_kernels("adaptive_avg_pool", (4, 4)),
             lambda: avg_grad(weights, shape=x.shape))):
        own, our = getattr(torch.nn.functional, name), functions[name]

        def first(function):
            result = function(leaf, *arguments)
            return result[0] if isinstance(result, tuple) else result

        def gradient(function):
            return lambda: torch.autograd.grad(first(function), leaf, weights)

        calls = (lambda: forward.plain(x), lambda: own(x, *arguments),
                 lambda: our(x, *arguments))
        steps = (lambda: (forward.plain(x), backward()), gradient(own), gradient(our),
                 lambda: torch.autograd.grad(Nothing.apply(leaf, weights), leaf, weights))
        rows += [title, *least(calls), ""], [f"{title}, and its gradient", *least(steps)]
    print(_timing.table(["call", "our kernels us", "torch us", "ours us",
                         "an empty autograd.Function us"], rows))


def run(name, options):
    framework = {"torch": Torch, "jax": Jax}[name](options.threads)
    if options.calls:
        if name != "torch":
            raise ValueError("--calls is for --framework torch, or without --framework")
        time_calls(framework, options.seconds)
        return
    sizes = _timing.select(framework.sizes, options.only)
    times = [measure(framework, size[0], framework.pairs(*size[1:]), options.seconds)
             for size in sizes]
    show(framework.own, sizes, times, options.plot)
    print(framework.about(options.threads))
