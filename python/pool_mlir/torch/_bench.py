"""`python -m pool_mlir bench --torch`: torch's pooling beside ours, through the same
functions, forward and with the gradient."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import statistics
import time

import torch
from torch.nn import functional

from .. import _timing
from . import _ops, fallbacks, functions

# Name, function, shape, arguments: pooling of well-known networks.
SIZES = (
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
)


def least(calls, seconds, runs=5):
    """The least time of each call, in microseconds, of so many runs in turns. On one
    thread it is the processor's time: what others do on the machine does not count, but
    for the caches, where short runs help."""
    clock = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    counts = []
    for call in calls:
        call()
        start = time.perf_counter()
        call()
        counts.append(max(1, int(seconds / runs / (time.perf_counter() - start))))
    taken = [[] for _ in calls]
    for _ in range(runs):
        for call, count, times in zip(calls, counts, taken):
            start = clock()
            for _ in range(count):
                call()
            times.append((clock() - start) / count)
    return [min(times) * 1e6 for times in taken]


def step(function, x, arguments, weights):
    """Forward and backward."""
    return lambda: torch.autograd.grad(function(x, *arguments), x, weights)


def measure(name, shape, arguments, seconds):
    """torch's and our time without, and torch's and our time with the gradient."""
    own, our = getattr(functional, name), functions[name]
    x = torch.rand(shape)
    expected = own(x, *arguments)
    if not torch.allclose(our(x, *arguments), expected, rtol=1e-5, atol=1e-6):
        raise RuntimeError(f"{name} of {shape}: other numbers than torch's")
    weights, leaf = torch.rand_like(expected), x.clone().requires_grad_()
    return (*least((lambda: own(x, *arguments), lambda: our(x, *arguments)), seconds),
            *least((step(own, leaf, arguments, weights), step(our, leaf, arguments, weights)),
                     seconds))


class Nothing(torch.autograd.Function):
    """What torch takes for any gradient that is written in Python."""

    @staticmethod
    def forward(ctx, x, like):
        ctx.save_for_backward(x)
        return torch.empty_like(like)

    @staticmethod
    def backward(ctx, grad):
        return torch.empty_like(ctx.saved_tensors[0]), None


def time_calls(seconds):
    """What a call costs beside its kernels, on an image of 192 elements."""
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
        own, our = getattr(functional, name), functions[name]

        def first(function):
            result = function(leaf, *arguments)
            return result[0] if isinstance(result, tuple) else result

        def gradient(function):
            return lambda: torch.autograd.grad(first(function), leaf, weights)

        calls = (lambda: forward.plain(x), lambda: own(x, *arguments),
                 lambda: our(x, *arguments))
        steps = (lambda: (forward.plain(x), backward()), gradient(own), gradient(our),
                 lambda: torch.autograd.grad(Nothing.apply(leaf, weights), leaf, weights))
        rows.append([title, *(f"{taken:.1f}" for taken in least(calls, seconds, 100)), ""])
        rows.append([f"{title}, and its gradient",
                     *(f"{taken:.1f}" for taken in least(steps, seconds, 100))])
    print(_timing.table(["call", "our kernels us", "torch us", "ours us",
                         "an empty autograd.Function us"], rows))


def plot(rows, path):
    """Bars: how many times as fast as torch."""
    import matplotlib

    matplotlib.use("svg" if path.endswith(".svg") else "agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4))
    places = range(len(rows))
    axes.bar([place - 0.2 for place in places], [row[3] for row in rows], 0.4, label="forward")
    axes.bar([place + 0.2 for place in places], [row[6] for row in rows], 0.4,
             label="forward and backward")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylabel("times as fast as torch's own")
    axes.set_xticks(list(places), [row[0] for row in rows], rotation=30, ha="right")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def run(options):
    torch.set_num_threads(options.threads)
    if options.calls:
        time_calls(options.seconds)
        return
    sizes = [size for size in SIZES if options.only in size[0]]
    if not sizes:
        raise ValueError(f"no size has {options.only!r} in its name; there are "
                         + ", ".join(size[0] for size in SIZES))
    rows = []
    for title, name, shape, arguments in sizes:
        own, our, own_step, our_step = measure(name, shape, arguments, options.seconds)
        rows.append((title, own, our, own / our, own_step, our_step, own_step / our_step))
    means = [math.exp(statistics.fmean(math.log(row[i]) for row in rows)) for i in (3, 6)]
    rows_of_text = [[row[0], *(f"{row[i]:.0f}" if i % 3 else f"{row[i]:.1f}"
                               for i in range(1, 7))] for row in rows]
    rows_of_text.append(["geometric mean", "", "", f"{means[0]:.1f}", "", "", f"{means[1]:.1f}"])
    print(_timing.table(["size", "torch us", "ours us", "times as fast", "with gradient: torch us",
                         "ours us", "times as fast"], rows_of_text))
    print(f"torch {torch.__version__}, f32, threads: {options.threads}; calls that went to "
          f"torch's own functions: {sum(fallbacks.values())}")
    if options.plot:
        plot(rows, options.plot)
