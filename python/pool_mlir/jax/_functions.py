# The pooling functions for JAX. Each writes its arguments as the text of an operation, and passes
# the text to the primitive in _primitive.py.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling, adaptive pooling and unpooling."""

import operator

import jax
import jax.numpy as jnp

from .. import _pool_mlir
from . import _rules  # noqa: F401: gives the primitive its derivatives
from ._primitive import bind
from ._text import get_spatial, list_extents

# Arguments with an integer for each spatial dimension.
LISTS = ("kernel", "strides", "dilations", "pads_begin", "pads_end", "output_size")
WINDOW = """

    x has the batch first and the channels second, or last with layout="channels_last".

    kernel, strides, pads_begin, pads_end and dilations have an entry for each spatial
    dimension, or are one integer for all. The other arguments are attributes of the
    operation: see docs/Reference/Operations.md.
"""


def expand(name, value, count):
    """Returns `value` as a list of integers. One integer is repeated `count` times, at least once.
    Raises TypeError for a value that JAX traces, since it is not known yet. `name` is for
    messages."""
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value)):
        raise TypeError(f"{name} is traced, but code is compiled for its value: pass Python "
                        "integers, or name the argument in static_argnames of jax.jit")
    return _pool_mlir._integers(value, name, max(count, 1))


def make_text(name, arguments, rank):
    """Returns the text of the operation `name` on an operand of rank `rank`, such as `pool.max_pool
    kernel=3,3,`. Leaves out arguments that are None. Raises ValueError for a value with a space."""
    given = {key: value for key, value in arguments.items() if value is not None}
    parts = [f"{key}={list_extents(expand(key, given[key], rank - 2))}" for key in LISTS
             if key in given]
    parts += [f"{key}={value}" for key, value in given.items() if key not in LISTS]
    for part in parts:
        if " " in part:
            raise ValueError(f"'{part}' is no attribute")
    return " ".join([f"pool.{name}", *parts])


def make_indices(return_indices, index_type, axis):
    """Returns the attributes that ask for indices, the second result, as a dict. The dict is empty
    if `return_indices` is False. Otherwise raises ValueError if `index_type` is neither int32 nor
    int64, and for int64 without jax_enable_x64."""
    if not return_indices:
        return {}
    bits = {"int32": 32, "int64": 64}.get(jnp.dtype(index_type).name)
    if bits is None:
        raise ValueError(f"index_type is {index_type}, neither int32 nor int64")
    if bits == 64 and not jax.config.jax_enable_x64:
        raise ValueError("indices of type int64 need jax_enable_x64")
    return {"axis": operator.index(axis), "indices": bits}


def documented(function):
    function.__doc__ += WINDOW
    return function


def _pool(name, x, **arguments):
    x = jnp.asarray(x)
    return bind(make_text(name, arguments, x.ndim), x)[0]


def _pool_by(name, x, return_indices, index_type, axis, **arguments):
    x = jnp.asarray(x)
    arguments |= make_indices(return_indices, index_type, axis)
    results = bind(make_text(name, arguments, x.ndim), x)
    return tuple(results) if return_indices else results[0]


def _grad_of(name, x, output_grad, **arguments):
    x, output_grad = jnp.asarray(x), jnp.asarray(output_grad)
    return bind(make_text(name, arguments, x.ndim), x, output_grad)[0]


#
# Extrema
#


@documented
def max_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             pad_value=None, nan_mode="propagate", return_indices=False, axis=0,
             index_type="int32"):
    """Returns the largest element of each window. With return_indices, returns a tuple of these
    elements and their indices. An index is the row-major position over the dimensions of x from
    `axis` on."""
    return _pool_by("max_pool", **locals())


@documented
def min_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             pad_value=None, nan_mode="propagate", return_indices=False, axis=0,
             index_type="int32"):
    """Returns the smallest element of each window. With return_indices, returns a tuple of these
    elements and their indices. An index is the row-major position over the dimensions of x from
    `axis` on."""
    return _pool_by("min_pool", **locals())


@documented
def max_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """Returns the gradient of max_pool with respect to x. Each element of output_grad is added at
    the position of the element of x that max_pool chose."""
    return _grad_of("max_pool_grad", **locals())


@documented
def min_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """Returns the gradient of min_pool with respect to x. Each element of output_grad is added at
    the position of the element of x that min_pool chose."""
    return _grad_of("min_pool_grad", **locals())


#
# Averages and norms
#


@documented
def avg_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             divisor=None, divisor_override=None, integer_rounding=None):
    """Returns the average of each window."""
    return _pool("avg_pool", **locals())


@documented
def avg_pool_grad(output_grad, input_shape, kernel, strides=None, pads_begin=None,
                  pads_end=None, dilations=None, rounding_type=None, auto_pad=None,
                  same_output=None, layout=None, *, divisor=None, divisor_override=None):
    """Returns the gradient of avg_pool with respect to its input, which has the shape
    input_shape."""
    arguments = dict(locals())
    output_grad, input_shape = map(arguments.pop, ("output_grad", "input_shape"))
    output_grad = jnp.asarray(output_grad)
    text = make_text("avg_pool_grad", arguments, output_grad.ndim)
    spatial = get_spatial(text, len(input_shape))
    return bind(f"{text} input={list_extents(input_shape[d] for d in spatial)}", output_grad)[0]


@documented
def lp_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
            rounding_type=None, auto_pad=None, same_output=None, layout=None, *, p=2):
    """Returns the p-norm of each window: (sum |x|^p)^(1/p)."""
    p = operator.index(p)
    return _pool("lp_pool", **locals())


#
# Adaptive pooling and unpooling
#


def adaptive_max_pool(x, output_size, layout=None, *, nan_mode="propagate",
                      return_indices=False, axis=0, index_type="int32"):
    """Returns the largest element of each window. With return_indices, returns a tuple of these
    elements and their indices, as max_pool does.

    output_size is the number of windows in each spatial dimension, or one integer for all. If a
    dimension of e elements has n windows, window o has the elements from floor(o * e / n) to
    ceil((o + 1) * e / n) - 1."""
    return _pool_by("adaptive_max_pool", **locals())


def adaptive_avg_pool(x, output_size, layout=None, *, integer_rounding=None):
    """Returns the average of each window. The windows are those of adaptive_max_pool."""
    return _pool("adaptive_avg_pool", **locals())


def max_unpool(values, indices, output_shape, *, axis=0):
    """Returns an array of zeros of output_shape in which each value stands at its index: the
    row-major position over the dimensions of the result from `axis` on. If several values have the
    same position, the last one wins. Raises ValueError unless output_shape has the rank and the
    batch of values."""
    values, indices = jnp.asarray(values), jnp.asarray(indices)
    if len(output_shape) != values.ndim or output_shape[0] != values.shape[0]:
        raise ValueError(f"output_shape is {tuple(output_shape)}, but the values' is "
                         f"{values.shape}: rank and batch must be the same")
    extents = list_extents(expand("output_shape", output_shape[1:], values.ndim - 1))
    text = make_text("max_unpool", {"output": extents, "axis": operator.index(axis)}, values.ndim)
    return bind(text, values, indices)[0]
