"""Defines the operators `pool_mlir::*` of torch.library. Each has a kernel for the CPU, a function
for shapes without data (torch's fake tensors), a gradient and a vmap rule.

`max_pool` keeps its input for the gradient, which searches for the maxima again. Keeping their
positions instead would take eight bytes for each output.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import math

import torch
from torch.nn import functional

from ._kernels import Kernels, is_channels_last, is_plain, to_first, to_last

# torch's shapes have the channels first. In memory they may be last, which kernels also read.
FIRST = "channels_first"
KEPT = 1024  # number of sets of attributes for which an operator keeps its kernels
WINDOW = "int[] kernel, int[] stride, int[] padding, "
MAX = WINDOW + "int[] dilation, bool ceil_mode"
AVG = WINDOW + "bool ceil_mode, bool count_include_pad, int? divisor_override"
SCHEMAS = {
    "max_pool": f"(Tensor x, {MAX}) -> Tensor",
    "max_pool_indices": f"(Tensor x, {MAX}) -> (Tensor, Tensor)",
    "max_pool_grad": f"(Tensor x, Tensor grad, {MAX}) -> Tensor",
    "avg_pool": f"(Tensor x, {AVG}) -> Tensor",
    "avg_pool_grad": f"(Tensor grad, SymInt[] shape, {AVG}) -> Tensor",
    "adaptive_max_pool": "(Tensor x, SymInt[] output_size) -> (Tensor, Tensor)",
    "adaptive_avg_pool": "(Tensor x, SymInt[] output_size) -> Tensor",
    "max_unpool": "(Tensor x, Tensor indices, SymInt[] output_size) -> Tensor",
}


def torchs(name, n):
    """Returns torch's own function `name` for `n` spatial dimensions."""
    return getattr(functional, f"{name}{n}d")


def without_data(function, *arguments):
    """Returns a function that checks a tensor's shape. It calls torch's `function` on the meta
    device, without data, so a wrong shape or argument raises torch's exception."""
    def check(x):
        with torch.no_grad():
            function(torch.empty_like(x, device="meta"), *arguments)

    return check


#===----------------------------------------------------------------------===#
# Kernels
#===----------------------------------------------------------------------===#


def window(kernel, stride, padding, ceil_mode):
    return {"kernel": kernel, "strides": stride, "pads_begin": padding, "pads_end": padding,
            "rounding_type": "ceil_torch" if ceil_mode else "floor", "layout": FIRST}


def max_arguments(kernel, stride, padding, dilation, ceil_mode):
    return {**window(kernel, stride, padding, ceil_mode), "dilations": dilation,
            "nan_mode": "propagate"}


def avg_arguments(kernel, stride, padding, ceil_mode, count_include_pad, divisor_override):
    result = window(kernel, stride, padding, ceil_mode)
    result["divisor"] = "padded" if count_include_pad else "valid"
    if divisor_override is not None:
        result["divisor_override"] = divisor_override
    return result


@functools.lru_cache(KEPT)
def max_kernels(with_indices, kernel, stride, padding, dilation, ceil_mode):
    arguments = (kernel, stride, padding, dilation, ceil_mode)
    check = without_data(torchs("max_pool", len(kernel)), *arguments)
    if with_indices:
        return Kernels("max_pool", {**max_arguments(*arguments), "axis": 2}, 64, check)
    return Kernels("max_pool", max_arguments(*arguments), check=check)


@functools.lru_cache(KEPT)
def max_grad_kernels(*arguments):
    return Kernels("max_pool_grad", max_arguments(*arguments))


@functools.lru_cache(KEPT)
def avg_kernels(*arguments):
    n = len(arguments[0])
    known = arguments[:-1] if n == 1 else arguments
    return Kernels("avg_pool", avg_arguments(*arguments),
                   check=without_data(torchs("avg_pool", n), *known))


@functools.lru_cache(KEPT)
def avg_grad_kernels(*arguments):
    return Kernels("avg_pool_grad", avg_arguments(*arguments))


@functools.lru_cache(KEPT)
def adaptive_kernels(name, size):
    check = without_data(torchs(name, len(size)), size)
    if name == "adaptive_avg_pool":
        return Kernels(name, {"output_size": size, "layout": FIRST}, check=check)
    return Kernels(name, {"output_size": size, "layout": FIRST, "nan_mode": "propagate",
                          "axis": 2}, 64, check)


@functools.lru_cache(KEPT)
def lp_kernels(kernel, stride, p):
    # torch computes a norm from its average, so torch's average checks the arguments here too.
    check = without_data(torchs("avg_pool", len(kernel)), kernel, stride)
    return Kernels("lp_pool", {"kernel": kernel, "strides": stride, "layout": FIRST, "p": p},
                   check=check)


UNPOOL = Kernels("max_unpool", {"axis": 2})


def hashable(arguments):
    return [tuple(argument) if isinstance(argument, list) else argument
            for argument in arguments]


def max_pool(x, *arguments):
    return max_kernels(False, *hashable(arguments))(x)


def indexed(kernels, x):
    """Returns values and indices in the memory order of torch's results: with the channels last if
    `x` has them last, except for 3-D adaptive pooling. The kernels return both row-major."""
    values, indices = kernels(x)
    if is_channels_last(x) and (kernels.name, x.dim()) != ("adaptive_max_pool", 5):
        return (to_first(to_last(values).contiguous()),
                to_first(to_last(indices).contiguous()))
    return values, indices


def max_pool_indices(x, *arguments):
    return indexed(max_kernels(True, *hashable(arguments)), x)


def dense(x, is_last):
    """Returns `x`, copied if necessary, without gaps in memory: with the channels last if
    `is_last`, otherwise row-major."""
    return to_first(to_last(x).contiguous()) if is_last else x.contiguous()


def max_gradient(kernels, x, grad):
    """Returns the gradient of x in the memory order of `x`. `grad` is the gradient of the
    result."""
    is_last = is_channels_last(x)
    return kernels(dense(x, is_last), dense(grad, is_last))


def max_pool_grad(x, grad, *arguments):
    return max_gradient(max_grad_kernels(*hashable(arguments)), x, grad)


def avg_pool(x, *arguments):
    return avg_kernels(*hashable(arguments))(x)


def avg_pool_grad(grad, shape, *arguments):
    return avg_grad_kernels(*hashable(arguments))(dense(grad, is_channels_last(grad)),
                                                  shape=tuple(shape))


def adaptive_max_pool(x, size):
    return indexed(adaptive_kernels("adaptive_max_pool", tuple(size)), x)


def adaptive_avg_pool(x, size):
    return adaptive_kernels("adaptive_avg_pool", tuple(size))(x)


def max_unpool(x, indices, size):
    try:
        result = UNPOOL(x, indices, shape=(*x.shape[:2], *size))
    except ValueError as error:
        # torch raises this exception for an index that names no position.
        raise RuntimeError(str(error)) from None
    # torch's result is row-major in 1-D and 3-D, so only 2-D keeps channels last.
    return dense(result, True) if x.dim() == 4 and is_channels_last(x) else result


IMPLEMENTATIONS = {name: globals()[name] for name in SCHEMAS}

#===----------------------------------------------------------------------===#
# Shapes of results without data
#===----------------------------------------------------------------------===#


def fake_max_pool(x, kernel, *arguments):
    return torchs("max_pool", len(kernel))(x, kernel, *arguments)


def fake_max_pool_indices(x, kernel, *arguments):
    return torchs("max_pool", len(kernel))(x, kernel, *arguments, return_indices=True)


def empty(x, shape):
    """Returns an uninitialized tensor of `shape` with the memory order of `x`."""
    if is_channels_last(x):
        return to_first(x.new_empty([shape[0], *shape[2:], shape[1]]))
    return x.new_empty(shape)


def fake_max_pool_grad(x, grad, *arguments):
    return empty(x, x.shape)


def in_order(x, average):
    """Returns `average`, the average of `x`. If `x` is a 3-D image with the channels last, returns
    it in this memory order, as our kernels do."""
    if x.dim() == 5 and is_channels_last(x):
        return to_first(to_last(average).contiguous())
    return average


def fake_avg_pool(x, kernel, *arguments):
    n = len(kernel)
    return in_order(x, torchs("avg_pool", n)(x, kernel,
                                             *(arguments[:-1] if n == 1 else arguments)))


def fake_avg_pool_grad(grad, shape, *arguments):
    return empty(grad, shape)


def fake_adaptive_max_pool(x, size):
    return torchs("adaptive_max_pool", len(size))(x, size, return_indices=True)


def fake_adaptive_avg_pool(x, size):
    return in_order(x, torchs("adaptive_avg_pool", len(size))(x, size))


def fake_max_unpool(x, indices, size):
    shape = [*x.shape[:2], *size]
    return empty(x, shape) if x.dim() == 4 else x.new_empty(shape)


#===----------------------------------------------------------------------===#
# Gradients
#===----------------------------------------------------------------------===#


def flatten(x):
    """Returns the planes of `x` as rows. Does not call Tensor.flatten, which has no rule for
    batched gradients."""
    return x.reshape(*x.shape[:2], math.prod(x.shape[2:]))


def gather(x, indices):
    """Returns the elements of `x` at `indices`, which are positions in a plane."""
    return flatten(x).gather(2, flatten(indices)).reshape(indices.shape)


def setup_max(ctx, inputs, output):
    x, *ctx.arguments = inputs
    ctx.save_for_backward(x)
    if isinstance(output, tuple):
        # Indices have no gradient, so torch need not make one of zeros.
        ctx.mark_non_differentiable(output[1])
        ctx.set_materialize_grads(False)


def backward_max(ctx, grad, grad_indices=None):
    if grad is None:
        return None, *[None] * len(ctx.arguments)
    x, = ctx.saved_tensors
    return op.max_pool_grad(x, grad, *ctx.arguments), *[None] * len(ctx.arguments)


def setup_max_grad(ctx, inputs, output):
    x, _, *ctx.arguments = inputs
    ctx.save_for_backward(x)


def backward_max_grad(ctx, grad):
    x, = ctx.saved_tensors
    _, indices = op.max_pool_indices(x, *ctx.arguments)
    return None, gather(grad, indices), *[None] * len(ctx.arguments)


def setup_avg(ctx, inputs, output):
    x, *ctx.arguments = inputs
    ctx.shape, ctx.is_last = x.shape, is_channels_last(x)


def avg_gradient(run, ctx, grad):
    """Returns `run(grad)` in the memory order of the pooled image: with the channels last if
    `ctx.is_last`. `grad` itself may have too few positions to show this order."""
    return dense(run(dense(grad, ctx.is_last)), ctx.is_last)


def backward_avg(ctx, grad):
    result = avg_gradient(lambda g: op.avg_pool_grad(g, ctx.shape, *ctx.arguments), ctx, grad)
    return result, *[None] * len(ctx.arguments)


def setup_avg_grad(ctx, inputs, output):
    _, _, *ctx.arguments = inputs


def backward_avg_grad(ctx, grad):
    return op.avg_pool(grad, *ctx.arguments), None, *[None] * len(ctx.arguments)


def setup_adaptive_avg(ctx, inputs, output):
    ctx.shape, ctx.is_last = inputs[0].shape, is_channels_last(inputs[0])


def shares(extent, outputs, like):
    """Returns a matrix of `outputs` rows and `extent` columns. Row o has the weights of the
    elements in adaptive average o: 1 / n for each of its n elements, and 0 for all others. Average
    o has the elements from floor(o * extent / outputs) to ceil((o + 1) * extent / outputs) - 1."""
    o = torch.arange(outputs, device=like.device)[:, None]
    i = torch.arange(extent, device=like.device)
    first, last = o * extent // outputs, -(-(o + 1) * extent // outputs)
    return ((i >= first) & (i < last)).to(like.dtype) / (last - first).to(like.dtype)


def equal_windows(extents, outputs):
    """Returns the arguments of the avg_pool that equals this adaptive average. Returns None if an
    extent is not a multiple of its output."""
    if any(extent % output for extent, output in zip(extents, outputs)):
        return None
    kernel = tuple(extent // output for extent, output in zip(extents, outputs))
    return kernel, kernel, (0,) * len(kernel), False, False, None


def backward_adaptive_avg(ctx, grad):
    extents, outputs = ctx.shape[2:], grad.shape[2:]
    equal = equal_windows(extents, outputs)
    if equal:
        return avg_gradient(lambda g: op.avg_pool_grad(g, ctx.shape, *equal), ctx, grad), None
    # Windows overlap in some dimension, so multiply by a matrix in each, in f32 at least.
    wide = grad.double() if grad.dtype == torch.float64 else grad.float()
    for d, (extent, output) in enumerate(zip(extents, outputs), 2):
        wide = (wide.movedim(d, -1) @ shares(extent, output, wide)).movedim(-1, d)
    return dense(wide.to(grad.dtype), ctx.is_last), None


def setup_adaptive_max(ctx, inputs, output):
    ctx.shape, ctx.is_last = inputs[0].shape, is_channels_last(inputs[0])
    ctx.save_for_backward(output[1])
    ctx.mark_non_differentiable(output[1])


def backward_adaptive_max(ctx, grad, grad_indices):
    indices, = ctx.saved_tensors
    planes = grad.new_zeros([*ctx.shape[:2], math.prod(ctx.shape[2:])])
    result = planes.scatter_add(2, flatten(indices), flatten(grad))
    return dense(result.reshape(ctx.shape), ctx.is_last), None


def setup_unpool(ctx, inputs, output):
    ctx.save_for_backward(inputs[1])


def backward_unpool(ctx, grad):
    indices, = ctx.saved_tensors
    return gather(grad, indices), None, None


GRADIENTS = {
    "max_pool": (setup_max, backward_max),
    "max_pool_indices": (setup_max, backward_max),
    "max_pool_grad": (setup_max_grad, backward_max_grad),
    "avg_pool": (setup_avg, backward_avg),
    "avg_pool_grad": (setup_avg_grad, backward_avg_grad),
    "adaptive_avg_pool": (setup_adaptive_avg, backward_adaptive_avg),
    "adaptive_max_pool": (setup_adaptive_max, backward_adaptive_max),
    "max_unpool": (setup_unpool, backward_unpool),
}

#===----------------------------------------------------------------------===#
# Registration
#===----------------------------------------------------------------------===#

LIBRARY = torch.library.Library("pool_mlir", "DEF")


class Operators:
    """The operators as Python functions; `register` adds one attribute for each."""


op = Operators()


def count_tensors(name):
    """Returns the number of tensors among the operator's arguments. They are the first ones."""
    return SCHEMAS[name].split(" -> ")[0].count("Tensor ")


def make_operator(name):
    """Returns the operator as a Python function. Plain tensors without a gradient go directly to
    the kernel. Under transforms of torch.func it calls a torch.autograd.Function with a vmap rule,
    because register_autograd makes none. All other calls go through torch's dispatcher."""
    overload = getattr(torch.ops.pool_mlir, name).default
    run = IMPLEMENTATIONS[name]
    setup, backward = GRADIENTS[name]
    tensors = count_tensors(name)
    transformed = type(name, (torch.autograd.Function,), {
        "forward": staticmethod(overload), "setup_context": staticmethod(setup),
        "backward": staticmethod(backward), "generate_vmap_rule": True})

    def call(*arguments):
        if torch.compiler.is_compiling():
            return overload(*arguments)
        if torch._C._functorch.maybe_current_level() is not None:
            return transformed.apply(*arguments)
        if not all(map(is_plain, arguments[:tensors])) or (
                torch.is_grad_enabled() and torch._C._any_requires_grad(*arguments[:tensors])):
            return overload(*arguments)
        return run(*arguments)

    return call


def register_vmap(name):
    """Registers the operator's vmap rule, which folds the dimension of vmap into the batch."""
    def rule(info, in_dims, *arguments):
        folded = list(arguments)
        for i, (argument, dim) in enumerate(zip(arguments, in_dims)):
            if isinstance(argument, torch.Tensor):
                full = (argument.movedim(dim, 0) if dim is not None
                        else argument.expand(info.batch_size, *argument.shape))
                folded[i] = full.flatten(0, 1)
        if name == "avg_pool_grad":
            folded[1] = [folded[1][0] * info.batch_size, *folded[1][1:]]
        result = getattr(torch.ops.pool_mlir, name)(*folded)
        if isinstance(result, tuple):
            return tuple(one.unflatten(0, (info.batch_size, -1)) for one in result), (0, 0)
        return result.unflatten(0, (info.batch_size, -1)), 0

    torch.library.register_vmap(f"pool_mlir::{name}", rule, lib=LIBRARY)


def register(name):
    LIBRARY.define(name + SCHEMAS[name], tags=(torch.Tag.pt2_compliant_tag,))
    LIBRARY.impl(name, IMPLEMENTATIONS[name], "CPU")
    full = f"pool_mlir::{name}"
    torch.library.register_fake(full, globals()[f"fake_{name}"], lib=LIBRARY)
    setup, backward = GRADIENTS[name]
    torch.library.register_autograd(full, backward, setup_context=setup, lib=LIBRARY)
    register_vmap(name)
    setattr(op, name, make_operator(name))


for each in SCHEMAS:
    register(each)
