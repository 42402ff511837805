# The functions of pool_mlir for JAX. Each writes its arguments as the text of an operation and
# passes the text to the primitive.
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
    """Returns `value` as a list of integers; one integer is repeated `count` times, at least
    once. Raises TypeError for a traced value. `name` is for messages."""
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value)):
        raise TypeError(f"{name} is traced, but code is compiled for its value: pass Python "
                        "integers, or name the argument in static_argnames of jax.jit")
    return _pool_mlir._integers(value, name, max(count, 1))


def make_text(name, arguments, rank):
    """Returns the operation's text. An argument of None is absent."""
    given = {key: value for key, value in arguments.items() if value is not None}
    parts = [f"{key}={list_extents(expand(key, given[key], rank - 2))}" for key in LISTS
             if key in given]
    parts += [f"{key}={value}" for key, value in given.items() if key not in LISTS]
    for part in parts:
        if " " in part:
            raise ValueError(f"'{part}' is no attribute")
    return " ".join([f"pool.{name}", *parts])


def make_indices(return_indices, index_type, axis):
    """Returns the attributes that ask for indices, the second result. They are empty if
    return_indices is False."""
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
    """The largest element of each window. With return_indices also its index, a position
    over dims[axis:]."""
    return _pool_by("max_pool", **locals())


@documented
def min_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             pad_value=None, nan_mode="propagate", return_indices=False, axis=0,
             index_type="int32"):
    """The smallest element of each window. With return_indices also its index, a position
    over dims[axis:]."""
    return _pool_by("min_pool", **locals())


@documented
def max_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """The gradient of max_pool: adds each element of output_grad at the element of x that
    max_pool chose."""
    return _grad_of("max_pool_grad", **locals())


@documented
def min_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """The gradient of min_pool: adds each element of output_grad at the element of x that
    min_pool chose."""
    return _grad_of("min_pool_grad", **locals())


#
# Averages and norms
#


@documented
def avg_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             divisor=None, divisor_override=None, integer_rounding=None):
    """The average of each window."""
    return _pool("avg_pool", **locals())


@documented
def avg_pool_grad(output_grad, input_shape, kernel, strides=None, pads_begin=None,
                  pads_end=None, dilations=None, rounding_type=None, auto_pad=None,
                  same_output=None, layout=None, *, divisor=None, divisor_override=None):
    """The gradient of avg_pool on an array of input_shape."""
    arguments = dict(locals())
    output_grad, input_shape = map(arguments.pop, ("output_grad", "input_shape"))
    output_grad = jnp.asarray(output_grad)
    text = make_text("avg_pool_grad", arguments, output_grad.ndim)
    spatial = get_spatial(text, len(input_shape))
    return bind(f"{text} input={list_extents(input_shape[d] for d in spatial)}", output_grad)[0]


@documented
def lp_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
            rounding_type=None, auto_pad=None, same_output=None, layout=None, *, p=2):
    """The p-norm of each window."""
    p = operator.index(p)
    return _pool("lp_pool", **locals())


#
# Adaptive pooling and unpooling
#


def adaptive_max_pool(x, output_size, layout=None, *, nan_mode="propagate",
                      return_indices=False, axis=0, index_type="int32"):
    """The largest element of each of output_size windows. With return_indices also its index,
    as in max_pool.

    output_size is an integer for each spatial dimension, or one for all. Window o of n over e
    elements covers floor(o * e / n) to ceil((o + 1) * e / n)."""
    return _pool_by("adaptive_max_pool", **locals())


def adaptive_avg_pool(x, output_size, layout=None, *, integer_rounding=None):
    """The average of each of output_size windows, which are adaptive_max_pool's."""
    return _pool("adaptive_avg_pool", **locals())


def max_unpool(values, indices, output_shape, *, axis=0):
    """An array of zeros of output_shape with each value at its index, a position over
    dims[axis:] of the result. output_shape must have the batch of values. If several values
    have the same position, the last one wins."""
    values, indices = jnp.asarray(values), jnp.asarray(indices)
    if len(output_shape) != values.ndim or output_shape[0] != values.shape[0]:
        raise ValueError(f"output_shape is {tuple(output_shape)}, but the values' is "
                         f"{values.shape}: rank and batch must be the same")
    extents = list_extents(expand("output_shape", output_shape[1:], values.ndim - 1))
    text = make_text("max_unpool", {"output": extents, "axis": operator.index(axis)}, values.ndim)
    return bind(text, values, indices)[0]
