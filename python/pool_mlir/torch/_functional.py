"""torch's pooling functions with their names, arguments and exceptions.

If our kernels do not support a call, it goes to torch's own function, and `fallbacks` counts it. A
call that torch refuses goes there too, and raises torch's own exception.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import math
from collections import Counter

import torch
from torch.autograd import forward_ad
from torch.nn import functional
from torch.overrides import handle_torch_function

from . import _ops
from ._bound import batched, bind
from ._kernels import TENSORS, TYPES, is_plain
from ._ops import op

# Numbers of calls that went to torch's own functions, by "function: reason".
fallbacks = Counter()

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
HALVES = (torch.float16, torch.bfloat16)


def is_direct(x, n):
    """True if a call may go directly to a kernel: `x` has elements and `n` spatial dimensions, and
    no transform, mode or tracing needs to see the call."""
    return (not torch.compiler.is_compiling() and is_plain(x) and n < x.dim() < n + 3
            and x.numel() != 0)


def reason_for_torch(x, n, types):
    """Returns the reason why torch's own function must be called, or None if our kernels support
    `x`. `types` has the supported element types."""
    if not isinstance(x, torch.Tensor):
        return "no tensor"
    # A class with `__torch_function__` overrides torch's functions, but would not see calls of
    # ours. Other classes, such as fake tensors, override only operators, and our functions call
    # operators too.
    if (type(x) not in TENSORS
            and type(x).__torch_function__ is not torch._C._disabled_torch_function_impl):
        return f"type {type(x).__name__}"
    if x.device.type != "cpu":
        return f"device {x.device.type}"
    if x.layout is not torch.strided:
        return f"layout {x.layout}"
    if x.dtype not in types:
        return f"elements {x.dtype}"
    # Our kernels support an empty batch. Let torch decide about other empty images: it accepts
    # those without channels, but only in adaptive pooling.
    if x.dim() not in (n + 1, n + 2) or 0 in x.shape[-n - 1:]:
        return "shape"
    if forward_ad._current_level >= 0:
        return "forward mode"
    if torch._C._get_tracing_state():
        return "torch.jit.trace"
    if torch.compiler.is_compiling() and torch.onnx.is_in_onnx_export():
        return "torch.onnx.export"
    return None


def call_torch(function, reason, *arguments):
    """Calls torch's own function. Counts the call in `fallbacks` if it returns, but not while
    dynamo compiles. For a torch.fx proxy, records a call of our function in the graph instead."""
    if isinstance(arguments[0], torch.fx.Proxy):
        return handle_torch_function(functions[function.__name__], arguments[:1], *arguments)
    result = function(*arguments)
    if not torch.compiler.is_dynamo_compiling():
        fallbacks[f"{function.__name__}: {reason}"] += 1
    return result


def cast(x):
    """Returns `x`, converted to f32 if it is f16 or bf16 and autocast is enabled. torch does this
    in 3-D pooling and in unpooling."""
    if x.dtype in HALVES and torch.is_autocast_enabled("cpu"):
        return x.float()
    return x


def call_operator(name, x, n, *arguments):
    """Calls the operator `name`. Goes directly to its kernel if `is_direct` allows it."""
    if is_direct(x, n):
        return bind(name, *arguments)(x)
    return batched(lambda x: getattr(op, name)(x, *arguments), n + 2, x)


def is_integer(value):
    """True for an int, but not for a bool: as keys of a cache, True and 1 are equal."""
    return isinstance(value, int) and not isinstance(value, bool)


def integers(value, n):
    """Returns a tuple with an integer for each of `n` dimensions. One integer, also in a list, is
    repeated. Returns None if torch must check `value`."""
    if is_integer(value):
        return (value,) * n
    if isinstance(value, (list, tuple)) and len(value) in (1, n):
        if all(map(is_integer, value)):
            return tuple(value) * (n // len(value))
    return None


def windows(n, kernel_size, stride, padding, dilation):
    """Returns a list of kernel, stride, padding and dilation, each as a tuple of `n` integers.
    Returns None if torch must check them."""
    if stride is None or stride == () or stride == []:
        stride = kernel_size
    lists = [integers(value, n) for value in (kernel_size, stride, padding, dilation)]
    return None if None in lists else lists


def keys(*values):
    """Returns the values as keys of a cache, with lists as tuples. Returns None if a value is not
    None, an int or a list of ints. Other types are refused because equal keys find the same entry:
    2.0 would find the entry of 2."""
    result = []
    for value in values:
        if value is not None and type(value) is not int:
            if type(value) not in (tuple, list, torch.Size) or not {int}.issuperset(
                    map(type, value)):
                return None
            value = tuple(value)
        result.append(value)
    return result


@functools.lru_cache(4096)
def bind_max(n, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    """Returns the operator with its arguments bound, or None if torch must check the arguments."""
    lists = windows(n, kernel_size, stride, padding, dilation)
    name = "max_pool_indices" if return_indices else "max_pool"
    return lists and bind(name, *lists, ceil_mode)


@functools.lru_cache(4096)
def bind_avg(n, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    lists = windows(n, kernel_size, stride, padding, 1)
    if not lists or divisor_override == 0:
        return None
    return bind("avg_pool", *lists[:3], ceil_mode, count_include_pad, divisor_override)


@functools.lru_cache(4096)
def bind_lp(n, p, kernel_size, stride):
    lists = windows(n, kernel_size, stride, 0, 1)
    if not lists or (n == 1 and not isinstance(kernel_size, int)):
        return None
    return _ops.lp_kernels(*lists[:2], p)


@functools.lru_cache(4096)
def bind_adaptive(name, n, output_size):
    """Returns the operator with its arguments bound. Returns None if `output_size` depends on the
    input's extents, or if torch must check it."""
    size = (output_size,) * n if isinstance(output_size, int) else output_size
    if size is None or len(size) != n or any(extent < 1 for extent in size):
        return None
    return bind(name, size)


@functools.lru_cache(4096)
def bind_unpool(extents, kernel_size, stride, padding, output_size):
    n = len(extents)
    lists = windows(n, kernel_size, stride, padding, 1)
    size = lists and unpooled_size(extents, *lists[:3], output_size)
    return bind("max_unpool", size) if size else None


#===----------------------------------------------------------------------===#
# Windows
#===----------------------------------------------------------------------===#


def max_pool(n, own, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    if is_direct(x, n):
        known = keys(kernel_size, stride, padding, dilation)
        bound = known and bind_max(n, *known, ceil_mode, return_indices)
        if bound:
            return bound(cast(x) if n == 3 else x)
    lists = windows(n, kernel_size, stride, padding, dilation)
    reason = reason_for_torch(x, n, TYPES) if lists else "arguments"
    if reason:
        return call_torch(own, reason, x, kernel_size, stride, padding, dilation, ceil_mode,
                          return_indices)
    if n == 3:
        x = cast(x)
    name = "max_pool_indices" if return_indices else "max_pool"
    return call_operator(name, x, n, *lists, ceil_mode)


def avg_pool(n, own, x, kernel_size, stride, padding, ceil_mode, count_include_pad,
             divisor_override=None):
    if is_direct(x, n) and x.dtype in FLOATS:
        known = keys(kernel_size, stride, padding, divisor_override)
        bound = known and bind_avg(n, *known[:3], ceil_mode, count_include_pad, known[3])
        if bound:
            return bound(cast(x) if n == 3 else x)
    lists = windows(n, kernel_size, stride, padding, 1)
    if divisor_override is not None and (not is_integer(divisor_override)
                                         or divisor_override == 0):
        lists = None
    reason = reason_for_torch(x, n, FLOATS) if lists else "arguments"
    if reason:
        more = () if n == 1 else (divisor_override,)
        return call_torch(own, reason, x, kernel_size, stride, padding, ceil_mode,
                          count_include_pad, *more)
    if n == 3:
        x = cast(x)
    return call_operator("avg_pool", x, n, *lists[:3], ceil_mode, count_include_pad,
                         divisor_override)


def lp_pool(n, own, x, norm_type, kernel_size, stride, ceil_mode):
    """Computes torch's formula with our averages, or with our maxima for an infinite norm. For p =
    2 or 4 without a gradient, one kernel computes the norm. This kernel takes absolute values, and
    torch's formula does not, but an even power is the same."""
    if (is_direct(x, n) and norm_type in (2, 4) and not ceil_mode and x.dtype in FLOATS
            and not (x.requires_grad and torch.is_grad_enabled())
            and (n < 3 or cast(x) is x)):
        known = keys(kernel_size, stride)
        kernels = known and bind_lp(n, int(norm_type), *known)
        if kernels:
            return batched(kernels, n + 2, x)
    lists = windows(n, kernel_size, stride, 0, 1)
    is_number = isinstance(norm_type, (int, float))
    is_known = lists and (n > 1 or isinstance(kernel_size, int)) and not (
        is_number and norm_type == 0)
    reason = reason_for_torch(x, n, FLOATS) if is_known else "arguments"
    if reason:
        return call_torch(own, reason, x, norm_type, kernel_size, stride, ceil_mode)
    kernel, stride = lists[:2]
    if is_number and abs(norm_type) == math.inf:
        is_largest = norm_type > 0
        result = max_pool(n, torch_functions[f"max_pool{n}d"], x.abs() if is_largest
                          else -x.abs(), kernel, stride, 0, 1, ceil_mode, False)
        return result if is_largest else -result
    sums = avg_pool(n, torch_functions[f"avg_pool{n}d"], x.pow(norm_type), kernel, stride, 0,
                    ceil_mode, True)
    return ((torch.sign(sums) * functional.relu(torch.abs(sums))).mul(math.prod(kernel))
            .pow(1.0 / norm_type))


#===----------------------------------------------------------------------===#
# Adaptive pooling and unpooling
#===----------------------------------------------------------------------===#


def sizes(x, output_size, n):
    """Returns the output's spatial extents as a tuple. A None in `output_size` stands for the
    extent of `x`. Returns None if torch must check `output_size`."""
    if is_integer(output_size):
        return (output_size,) * n
    if not isinstance(output_size, (list, tuple)) or len(output_size) != n or any(
            isinstance(extent, bool) for extent in output_size):
        return None
    return tuple(extent if size is None else size
                 for size, extent in zip(output_size, x.shape[-n:]))


def adaptive_size(n, x, output_size, types):
    """Returns (spatial extents of the output, None), or (None, the reason why torch must be
    called)."""
    reason = reason_for_torch(x, n, types)
    if reason:
        return None, reason
    size = sizes(x, output_size, n)
    if not size or any(not isinstance(extent, (int, torch.SymInt)) or extent < 1
                       for extent in size):
        return None, "arguments"
    return size, None


def adaptive_max_pool(n, own, x, output_size, return_indices):
    if is_direct(x, n):
        known = keys(output_size)
        bound = known and bind_adaptive("adaptive_max_pool", n, *known)
        if bound:
            result = bound(cast(x) if n == 3 else x)
            return result if return_indices else result[0]
    size, reason = adaptive_size(n, x, output_size, TYPES)
    if reason:
        return call_torch(own, reason, x, output_size, return_indices)
    if n == 3:
        x = cast(x)
    result = call_operator("adaptive_max_pool", x, n, size)
    return result if return_indices else result[0]


def adaptive_avg_pool(n, own, x, output_size):
    if is_direct(x, n) and x.dtype in FLOATS:
        known = keys(output_size)
        bound = known and bind_adaptive("adaptive_avg_pool", n, *known)
        if bound:
            return bound(cast(x) if n == 3 else x)
    size, reason = adaptive_size(n, x, output_size, FLOATS)
    if reason:
        return call_torch(own, reason, x, output_size)
    if n == 3:
        x = cast(x)
    return call_operator("adaptive_avg_pool", x, n, size)


def unpooled_size(extents, kernel, stride, padding, output_size):
    """Returns the spatial extents of the unpooled tensor: those of `output_size`, or by default the
    least extents that pooling reduces to `extents`. Returns None if torch must check the arguments.
    torch has a function for this, but it cannot be compiled for unknown extents."""
    n = len(kernel)
    size = least = tuple((extent - 1) * step + taps - 2 * pad for extent, step, taps, pad
                         in zip(extents, stride, kernel, padding))
    if output_size is not None:
        if not isinstance(output_size, (list, tuple)) or len(output_size) not in (n, n + 2):
            return None
        size = tuple(output_size[-n:])
    if all((is_integer(extent) or isinstance(extent, torch.SymInt))
           and abs(extent - other) < step and extent >= 1
           for extent, other, step in zip(size, least, stride)):
        return size
    return None


def max_unpool(n, own, x, indices, kernel_size, stride, padding, output_size):
    is_indexed = (isinstance(x, torch.Tensor) and isinstance(indices, torch.Tensor)
                  and indices.shape == x.shape and indices.dtype == torch.int64
                  and indices.device == x.device)
    if is_direct(x, n) and x.dtype in FLOATS and is_indexed and is_plain(indices):
        known = keys(kernel_size, stride, padding, output_size)
        bound = known and bind_unpool(x.shape[-n:], *known)
        if bound:
            return bound(cast(x), indices)
    lists = windows(n, kernel_size, stride, padding, 1)
    reason = reason_for_torch(x, n, FLOATS) if lists else "arguments"
    if not reason and not is_indexed:
        reason = "indices"
    size = None if reason else unpooled_size(x.shape[-n:], *lists[:3], output_size)
    if not size:
        return call_torch(own, reason or "shape", x, indices, kernel_size, stride, padding,
                          output_size)
    return batched(lambda x, indices: op.max_unpool(x, indices, size), n + 2, cast(x), indices)


#===----------------------------------------------------------------------===#
# The functions
#===----------------------------------------------------------------------===#

# torch's own functions by name, as they were when this module was imported.
torch_functions = {f"{name}{n}d": getattr(functional, f"{name}{n}d") for n in (1, 2, 3)
                   for name in ("max_pool", "avg_pool", "lp_pool", "adaptive_max_pool",
                                "adaptive_avg_pool", "max_unpool")}


def make_functions(n):
    """Returns the functions for `n` spatial dimensions, by name."""
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
