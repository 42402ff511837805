"""torch's pooling functions with their names, arguments and exceptions.

Whatever torch refuses, torch is asked to refuse: in its own words. What is not ours
goes to torch's own function, and is counted in `fallbacks`.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
from collections import Counter

import torch
from torch.autograd import forward_ad
from torch.nn import functional
from torch.overrides import has_torch_function

from . import _ops
from ._kernels import TENSORS, TYPES, is_plain
from ._ops import op

# Calls that went to torch's own functions, by "function: reason".
fallbacks = Counter()

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
HALVES = (torch.float16, torch.bfloat16)


def is_direct(x):
    """True where calling a kernel is all that a call is."""
    return (not torch.compiler.is_compiling() and is_plain(x)
            and not (x.requires_grad and torch.is_grad_enabled()))


def reason_for_torch(x, n, types):
    """Why torch's own function is to be called; None if it is not."""
    if not isinstance(x, torch.Tensor):
        return "no tensor"
    if type(x) not in TENSORS and has_torch_function((x,)):
        return f"type {type(x).__name__}"
    if x.device.type != "cpu":
        return f"device {x.device.type}"
    if x.layout is not torch.strided:
        return f"layout {x.layout}"
    if x.dtype not in types:
        return f"elements {x.dtype}"
    if x.dim() not in (n + 1, n + 2) or 0 in x.shape[1:]:
        return "shape"
    if forward_ad._current_level >= 0:
        return "forward mode"
    if torch._C._get_tracing_state():
        return "torch.jit.trace"
    return None


def call_torch(function, reason, *arguments):
    """torch's own function, counted unless it raises."""
    result = function(*arguments)
    if not torch.compiler.is_compiling():
        fallbacks[f"{function.__name__}: {reason}"] += 1
    return result


def cast(x):
    """Under autocast torch computes 3-D pooling and unpooling in f32."""
    if x.dtype in HALVES and torch.is_autocast_enabled("cpu"):
        return x.float()
    return x


def batched(function, x, n):
    """`function` of `x` with a batch, which the result has if `x` has one."""
    if x.dim() == n + 2:
        return function(x)
    result = function(x.unsqueeze(0))
    return tuple(y.squeeze(0) for y in result) if isinstance(result, tuple) else result.squeeze(0)


def integers(value, n):
    """A list with an integer for each dimension; None if torch has to judge."""
    if isinstance(value, int):
        return (value,) * n
    if isinstance(value, (list, tuple)) and len(value) in (1, n):
        if all(isinstance(element, int) for element in value):
            return tuple(value) * (n // len(value))
    return None


def make_windows(n, kernel_size, stride, padding, dilation):
    if stride is None or stride == () or stride == []:
        stride = kernel_size
    lists = [integers(value, n) for value in (kernel_size, stride, padding, dilation)]
    return None if None in lists else lists


kept_windows = functools.lru_cache(4096)(make_windows)


def is_exact(value):
    """True for None, an int and tuples of them: 2, 2.0 and True are equal as keys."""
    if type(value) in (tuple, torch.Size):
        return all(type(element) is int for element in value)
    return value is None or type(value) is int


def windows(n, *arguments):
    """kernel, stride, padding and dilation as tuples; None if torch has to judge."""
    if torch.compiler.is_compiling() or not all(map(is_exact, arguments)):
        return make_windows(n, *arguments)
    return kept_windows(n, *arguments)


#===----------------------------------------------------------------------===#
# Windows
#===----------------------------------------------------------------------===#


def max_pool(n, own, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    lists = windows(n, kernel_size, stride, padding, dilation)
    reason = reason_for_torch(x, n, TYPES) if lists else "arguments"
    if reason:
        return call_torch(own, reason, x, kernel_size, stride, padding, dilation, ceil_mode,
                          return_indices)
    if n == 3:
        x = cast(x)
    if is_direct(x):
        kernels = _ops.max_kernels(return_indices, *lists, ceil_mode)
        if return_indices:
            return batched(lambda x: _ops.indexed(kernels, x), x, n)
        return batched(kernels, x, n)
    called = op.max_pool_indices if return_indices else op.max_pool
    return batched(lambda x: called(x, *lists, ceil_mode), x, n)


def avg_pool(n, own, x, kernel_size, stride, padding, ceil_mode, count_include_pad,
             divisor_override=None):
    lists = windows(n, kernel_size, stride, padding, 1)
    reason = reason_for_torch(x, n, FLOATS) if lists and divisor_override != 0 else "arguments"
    if reason:
        more = () if n == 1 else (divisor_override,)
        return call_torch(own, reason, x, kernel_size, stride, padding, ceil_mode,
                          count_include_pad, *more)
    if n == 3:
        x = cast(x)
    arguments = (*lists[:3], ceil_mode, count_include_pad, divisor_override)
    if is_direct(x):
        return batched(_ops.avg_kernels(*arguments), x, n)
    return batched(lambda x: op.avg_pool(x, *arguments), x, n)


def lp_pool(n, own, x, norm_type, kernel_size, stride, ceil_mode):
    """torch's formula on our sums; for an even p, where absolute values change
    nothing, the kernel that computes it at once. Its gradient is the formula's."""
    lists = windows(n, kernel_size, stride, 0, 1)
    is_known = lists and (n > 1 or isinstance(kernel_size, int))
    reason = reason_for_torch(x, n, FLOATS) if is_known else "arguments"
    if reason:
        return call_torch(own, reason, x, norm_type, kernel_size, stride, ceil_mode)
    kernel, stride = lists[:2]
    if is_direct(x) and norm_type in (2, 4) and not ceil_mode and not (
            n == 3 and x.dtype in HALVES and torch.is_autocast_enabled("cpu")):
        return batched(_ops.lp_kernels(kernel, stride, int(norm_type)), x, n)
    sums = avg_pool(n, torch_functions[f"avg_pool{n}d"], x.pow(norm_type), kernel, stride, 0,
                    ceil_mode, True)
    size = functools.reduce(lambda a, b: a * b, kernel)
    return ((torch.sign(sums) * functional.relu(torch.abs(sums))).mul(size)
            .pow(1.0 / norm_type))


#===----------------------------------------------------------------------===#
# Adaptive pooling and unpooling
#===----------------------------------------------------------------------===#


def sizes(x, output_size, n):
    """The extents of the output as a tuple; None if torch has to judge."""
    if isinstance(output_size, int):
        return (output_size,) * n
    if not isinstance(output_size, (list, tuple)) or len(output_size) != n:
        return None
    return tuple(extent if size is None else size
                 for size, extent in zip(output_size, x.shape[-n:]))


def adaptive_size(n, x, output_size, types):
    """(extents of the output, None), or None and why torch is to be called."""
    reason = reason_for_torch(x, n, types)
    if reason:
        return None, reason
    size = sizes(x, output_size, n)
    if not size or any(not isinstance(extent, (int, torch.SymInt)) or extent < 1
                       for extent in size):
        return None, "arguments"
    return size, None


def adaptive_max_pool(n, own, x, output_size, return_indices):
    size, reason = adaptive_size(n, x, output_size, TYPES)
    if reason:
        return call_torch(own, reason, x, output_size, return_indices)
    if n == 3:
        x = cast(x)
    if is_direct(x):
        kernels = _ops.adaptive_kernels("adaptive_max_pool", size)
        result = batched(lambda x: _ops.indexed(kernels, x), x, n)
    else:
        result = batched(lambda x: op.adaptive_max_pool(x, size), x, n)
    return result if return_indices else result[0]


def adaptive_avg_pool(n, own, x, output_size):
    size, reason = adaptive_size(n, x, output_size, FLOATS)
    if reason:
        return call_torch(own, reason, x, output_size)
    if n == 3:
        x = cast(x)
    if is_direct(x):
        return batched(_ops.adaptive_kernels("adaptive_avg_pool", size), x, n)
    return batched(lambda x: op.adaptive_avg_pool(x, size), x, n)


def max_unpool(n, own, x, indices, kernel_size, stride, padding, output_size):
    lists = windows(n, kernel_size, stride, padding, 1)
    reason = reason_for_torch(x, n, FLOATS) if lists else "arguments"
    if not reason and (not isinstance(indices, torch.Tensor) or indices.shape != x.shape
                       or indices.dtype != torch.int64 or indices.device != x.device):
        reason = "indices"
    if reason:
        return call_torch(own, reason, x, indices, kernel_size, stride, padding, output_size)
    size = functional._unpool_output_size(x, *lists[:3], output_size)
    if any(extent < 1 for extent in size):
        return call_torch(own, "shape", x, indices, kernel_size, stride, padding, output_size)
    x = cast(x)
    called = _ops.max_unpool if is_direct(x) else op.max_unpool
    if x.dim() == n + 2:
        return called(x, indices, size)
    return called(x.unsqueeze(0), indices.unsqueeze(0), size).squeeze(0)


#===----------------------------------------------------------------------===#
# The functions
#===----------------------------------------------------------------------===#

# torch's own by name, as they were when this was imported.
torch_functions = {f"{name}{n}d": getattr(functional, f"{name}{n}d") for n in (1, 2, 3)
                   for name in ("max_pool", "avg_pool", "lp_pool", "adaptive_max_pool",
                                "adaptive_avg_pool", "max_unpool")}


def make_functions(n):
    """The functions of `n` dimensions by name."""
    own = {name: torch_functions[f"{name}{n}d"]
           for name in ("max_pool", "avg_pool", "lp_pool", "adaptive_max_pool",
                        "adaptive_avg_pool", "max_unpool")}

    def max_pool_(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                  return_indices=False):
        return max_pool(n, own["max_pool"], input, kernel_size, stride, padding, dilation,
                        ceil_mode, return_indices)

    def avg_pool_(input, kernel_size, stride=None, padding=0, ceil_mode=False,
                  count_include_pad=True, divisor_override=None):
        return avg_pool(n, own["avg_pool"], input, kernel_size, stride, padding, ceil_mode,
                        count_include_pad, divisor_override)

    def avg_pool1d_(input, kernel_size, stride=None, padding=0, ceil_mode=False,
                    count_include_pad=True):
        return avg_pool(n, own["avg_pool"], input, kernel_size, stride, padding, ceil_mode,
                        count_include_pad)

    def lp_pool_(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        return lp_pool(n, own["lp_pool"], input, norm_type, kernel_size, stride, ceil_mode)

    def adaptive_max_pool_(input, output_size, return_indices=False):
        return adaptive_max_pool(n, own["adaptive_max_pool"], input, output_size,
                                 return_indices)

    def adaptive_avg_pool_(input, output_size):
        return adaptive_avg_pool(n, own["adaptive_avg_pool"], input, output_size)

    def max_unpool_(input, indices, kernel_size, stride=None, padding=0, output_size=None):
        return max_unpool(n, own["max_unpool"], input, indices, kernel_size, stride, padding,
                          output_size)

    made = {"max_pool": max_pool_, "avg_pool": avg_pool1d_ if n == 1 else avg_pool_,
            "lp_pool": lp_pool_, "adaptive_max_pool": adaptive_max_pool_,
            "adaptive_avg_pool": adaptive_avg_pool_, "max_unpool": max_unpool_}
    for name, function in made.items():
        function.__name__ = function.__qualname__ = f"{name}{n}d"
        function.__module__ = __package__
        function.__doc__ = f"torch.nn.functional.{name}{n}d, by kernels of pool_mlir."
    return {f"{name}{n}d": function for name, function in made.items()}


functions = {name: function for n in (1, 2, 3) for name, function in make_functions(n).items()}
