"""`python -m pool_mlir bench --torch`: times torch's pooling functions and ours, without and with
the gradient."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import time

import torch
from torch.nn import functional

from .. import _door_bench, _timing
from . import _ops, fallbacks, functions

# Pooling of well-known networks: name, function, shape, arguments, and True if the channels
# are last in memory.
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
    ("ResNet stem, channels_last", "max_pool2d", (1, 64, 112, 112), (3, 2, 1), True),
    ("VGG, channels_last", "max_pool2d", (1, 64, 224, 224), (2,), True),
    ("Inception 3x3, channels_last", "avg_pool2d", (1, 192, 35, 35), (3, 1, 1), True),
    ("DenseNet 2x2, channels_last", "avg_pool2d", (1, 128, 56, 56), (2,), True),
)


def least(calls, seconds, runs=5):
    """Returns the least time of each call, in microseconds. With one thread, the clock is processor
    time: other processes can lengthen it only by cache misses. Short runs keep these misses few."""
    clock = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    return _door_bench.least(calls, seconds, clock, runs)


def step(function, x, arguments, weights):
    """Returns a function that computes the gradient of x, forward and backward. `weights` is the
    gradient of the result."""
    return lambda: torch.autograd.grad(function(x, *arguments), x, weights)


def measure(seconds, name, shape, arguments, is_last=False):
    """Returns four least times, in microseconds: torch's and ours without the gradient, then
    torch's and ours with it. Raises RuntimeError if the results differ."""
    own, our = getattr(functional, name), functions[name]
    x = torch.rand(shape)
    if is_last:
        x = x.contiguous(memory_format=torch.channels_last)
    expected = own(x, *arguments)
    if not torch.allclose(our(x, *arguments), expected, rtol=1e-5, atol=1e-6):
        raise RuntimeError(f"{name} of {shape}: other numbers than torch's")
    weights, leaf = torch.rand_like(expected), x.clone().requires_grad_()
    return (*least((lambda: own(x, *arguments), lambda: our(x, *arguments)), seconds),
            *least((step(own, leaf, arguments, weights), step(our, leaf, arguments, weights)),
                     seconds))


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


def time_calls(seconds):
    """Prints how long a call takes beside its kernels, on an image of only 192 elements."""
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


def run(options):
    torch.set_num_threads(options.threads)
    if options.calls:
        time_calls(options.seconds)
        return
    sizes = _door_bench.select(SIZES, options.only)
    times = [measure(options.seconds, *size) for _, *size in sizes]
    _door_bench.show("torch", sizes, times, options.plot)
    print(f"torch {torch.__version__}, f32, threads: {options.threads}; calls that went to "
          f"torch's own functions: {sum(fallbacks.values())}")
