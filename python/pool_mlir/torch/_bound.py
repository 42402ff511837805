"""A fast path: operators with bound arguments, for plain tensors (see `is_plain`).

These operators call their kernels directly, and record a gradient through one
torch.autograd.Function. For small tensors, torch's dispatcher and register_autograd would take more
time than the kernels.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import torch

from ._kernels import is_plain
from ._ops import (GRADIENTS, KEPT, adaptive_kernels, avg_grad_kernels, avg_gradient,
                   avg_kernels, backward_adaptive_avg, count_tensors, equal_windows, indexed,
                   max_grad_kernels, max_gradient, max_kernels, max_unpool)


def batched(function, rank, x, *others):
    """Calls `function`, which needs tensors of rank `rank`. If `x` has no batch, adds a batch of 1
    to all tensors, and removes it from the result."""
    if x.dim() == rank:
        return function(x, *others)
    result = function(x.unsqueeze(0), *[other.unsqueeze(0) for other in others])
    return (tuple([y.squeeze(0) for y in result]) if isinstance(result, tuple)
            else result.squeeze(0))


class Bound:
    """An operator with its arguments bound. Call it with plain tensors, with or without a batch."""

    __slots__ = ("arguments", "rank", "run", "gradient", "apply")

    def __init__(self, name, arguments):
        self.arguments = arguments
        # The first argument has an entry for each spatial dimension: it is the kernel, or the
        # result's extents.
        self.rank = len(arguments[0]) + 2
        self.run, self.gradient = BINDINGS[name](*arguments)
        # Skip Function.apply, which first checks for transforms and then calls this method of
        # its base class. Plain tensors need no such check.
        self.apply = super(torch.autograd.Function, FUNCTIONS[name]).apply

    def __call__(self, x, *others):
        if x.dim() != self.rank:
            return batched(self, self.rank, x, *others)
        if x.requires_grad and torch.is_grad_enabled():
            return self.apply(self, x, *others)
        return self.run(x, *others)


def make_function(name):
    """Returns a torch.autograd.Function for the operator `name`. Its arguments are a Bound and the
    operator's tensors."""
    setup, backward = GRADIENTS[name]
    count = count_tensors(name)

    def forward(ctx, bound, *tensors):
        result = bound.run(*tensors)
        setup(ctx, (*tensors, *bound.arguments), result)
        ctx.bound = bound
        return result

    def shortest_backward(ctx, grad, *others):
        gradient = ctx.bound.gradient
        # If torch records this gradient for a second derivative, call the differentiable operator
        # below. A kernel is not differentiable.
        if gradient and not torch.is_grad_enabled() and is_plain(grad):
            return None, gradient(ctx, grad)
        return None, *backward(ctx, grad, *others)[:count]

    return type(name, (torch.autograd.Function,), {
        "forward": staticmethod(forward), "backward": staticmethod(shortest_backward)})


def bind_max_gradient(arguments):
    kernels = max_grad_kernels(*arguments)
    return lambda ctx, grad: max_gradient(kernels, ctx.saved_tensors[0], grad)


def bind_avg_gradient(arguments):
    kernels = avg_grad_kernels(*arguments)
    return lambda ctx, grad: avg_gradient(lambda g: kernels(g, shape=ctx.shape), ctx, grad)


def adaptive_avg_gradient(ctx, grad):
    equal = equal_windows(ctx.shape[2:], grad.shape[2:])
    if equal:
        kernels = avg_grad_kernels(*equal)
        return avg_gradient(lambda g: kernels(g, shape=ctx.shape), ctx, grad)
    return backward_adaptive_avg(ctx, grad)[0]


def with_indices(kernels):
    return lambda x: indexed(kernels, x)


# Maps each operator to a function of its arguments that returns (forward, gradient). The gradient
# is None if no single kernel computes it.
BINDINGS = {
    "max_pool": lambda *a: (max_kernels(False, *a), bind_max_gradient(a)),
    "max_pool_indices": lambda *a: (with_indices(max_kernels(True, *a)), bind_max_gradient(a)),
    "avg_pool": lambda *a: (avg_kernels(*a), bind_avg_gradient(a)),
    "adaptive_max_pool":
        lambda size: (with_indices(adaptive_kernels("adaptive_max_pool", size)), None),
    "adaptive_avg_pool":
        lambda size: (adaptive_kernels("adaptive_avg_pool", size), adaptive_avg_gradient),
    "max_unpool": lambda size: (lambda x, indices: max_unpool(x, indices, size), None),
}
FUNCTIONS = {name: make_function(name) for name in BINDINGS}


@functools.lru_cache(KEPT)
def bind(name, *arguments):
    return Bound(name, arguments)
