# Functions with the arguments of those of pool_mlir, as texts of the primitive.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling, adaptive pooling and unpooling."""

import operator

import jax
import jax.numpy as jnp

from . import _rules  # noqa: F401: gives the primitive its derivatives
from ._primitive import bind, get_spatial, list_extents

LISTS = ("strides", "dilations", "pads_begin", "pads_end")
WINDOW = """
    x has the batch first and the channels second, or last with layout
    "channels_last". kernel, strides, pads_begin, pads_end and dilations have an
    entry for each spatial dimension; one integer is for all. The other arguments
    are the attributes of the operation: docs/Reference/Operations.md.
"""


def make_text(name, words, **lists):
    """The operation's text from a function's arguments; absent ones are None."""
    parts = [f"{key}={list_extents(value)}" for key, value in lists.items() if value is not None]
    parts += [f"{key}={value}" for key, value in words.items() if value is not None]
    for part in parts:
        if " " in part:
            raise ValueError(f"'{part}' is no attribute")
    return " ".join([f"pool.{name}", *parts])


def expand(value, count):
    """A list with an integer for each of `count` dimensions; None stays."""
    if value is None:
        return None
    try:
        return [operator.index(value)] * max(count, 1)
    except TypeError:
        return [operator.index(v) for v in value]


def make_window(name, rank, kernel, words, **lists):
    lists = {"kernel": kernel, **{key: lists[key] for key in LISTS}}
    return make_text(name, words, **{key: expand(value, rank - 2) for key, value in lists.items()})


def make_indices(return_indices, index_type, axis):
    """Attributes for the second result; none without it."""
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


#
# Extrema
#


def _pool_by(name, x, kernel, words, return_indices, index_type, axis, **lists):
    x = jnp.asarray(x)
    words |= make_indices(return_indices, index_type, axis)
    results = bind(make_window(name, x.ndim, kernel, words, **lists), x)
    return tuple(results) if return_indices else results[0]


@documented
def max_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             pad_value=None, nan_mode="propagate", return_indices=False, axis=0,
             index_type="int32"):
    """The largest element of each window; with return_indices also where it was, as
    a position over dims[axis:]."""
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, pad_value=pad_value, nan_mode=nan_mode)
    return _pool_by("max_pool", x, kernel, words, return_indices, index_type, axis,
                    strides=strides, dilations=dilations, pads_begin=pads_begin,
                    pads_end=pads_end)


@documented
def min_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             pad_value=None, nan_mode="propagate", return_indices=False, axis=0,
             index_type="int32"):
    """The smallest element of each window, as max_pool has the largest."""
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, pad_value=pad_value, nan_mode=nan_mode)
    return _pool_by("min_pool", x, kernel, words, return_indices, index_type, axis,
                    strides=strides, dilations=dilations, pads_begin=pads_begin,
                    pads_end=pads_end)


def _grad_of(name, x, output_grad, kernel, words, **lists):
    x, output_grad = jnp.asarray(x), jnp.asarray(output_grad)
    return bind(make_window(name, x.ndim, kernel, words, **lists), x, output_grad)[0]


@documented
def max_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """The gradient of max_pool: each element of output_grad, added where max_pool chose."""
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, nan_mode=nan_mode)
    return _grad_of("max_pool_grad", x, output_grad, kernel, words, strides=strides,
                    dilations=dilations, pads_begin=pads_begin, pads_end=pads_end)


@documented
def min_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """The gradient of min_pool, in the same way."""
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, nan_mode=nan_mode)
    return _grad_of("min_pool_grad", x, output_grad, kernel, words, strides=strides,
                    dilations=dilations, pads_begin=pads_begin, pads_end=pads_end)


#
# Averages and norms
#


@documented
def avg_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             divisor=None, divisor_override=None, integer_rounding=None):
    """The average of each window."""
    x = jnp.asarray(x)
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, divisor=divisor, divisor_override=divisor_override,
                 integer_rounding=integer_rounding)
    return bind(make_window("avg_pool", x.ndim, kernel, words, strides=strides,
                            dilations=dilations, pads_begin=pads_begin, pads_end=pads_end), x)[0]


@documented
def avg_pool_grad(output_grad, input_shape, kernel, strides=None, pads_begin=None,
                  pads_end=None, dilations=None, rounding_type=None, auto_pad=None,
                  same_output=None, layout=None, *, divisor=None, divisor_override=None):
    """The gradient of avg_pool on an array of input_shape."""
    output_grad = jnp.asarray(output_grad)
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, divisor=divisor, divisor_override=divisor_override)
    text = make_window("avg_pool_grad", output_grad.ndim, kernel, words, strides=strides,
                       dilations=dilations, pads_begin=pads_begin, pads_end=pads_end)
    spatial = get_spatial(text, len(input_shape))
    return bind(f"{text} input={list_extents(input_shape[d] for d in spatial)}", output_grad)[0]


@documented
def lp_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
            rounding_type=None, auto_pad=None, same_output=None, layout=None, *, p=2):
    """The p-norm of each window."""
    x = jnp.asarray(x)
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, p=operator.index(p))
    return bind(make_window("lp_pool", x.ndim, kernel, words, strides=strides,
                            dilations=dilations, pads_begin=pads_begin, pads_end=pads_end), x)[0]


#
# Adaptive pooling and unpooling
#


def adaptive_max_pool(x, output_size, layout=None, *, nan_mode="propagate",
                      return_indices=False, axis=0, index_type="int32"):
    """The largest element of each of output_size windows, an integer for each spatial
    dimension or one for all: window o of n over e elements is floor(o * e / n) to
    ceil((o + 1) * e / n). With return_indices also where it was, as for max_pool."""
    x = jnp.asarray(x)
    words = dict(layout=layout, nan_mode=nan_mode,
                 **make_indices(return_indices, index_type, axis))
    results = bind(make_text("adaptive_max_pool", words,
                             output_size=expand(output_size, x.ndim - 2)), x)
    return tuple(results) if return_indices else results[0]


def adaptive_avg_pool(x, output_size, layout=None, *, integer_rounding=None):
    """The averages of adaptive_max_pool's windows."""
    x = jnp.asarray(x)
    return bind(make_text("adaptive_avg_pool", dict(layout=layout,
                                                    integer_rounding=integer_rounding),
                          output_size=expand(output_size, x.ndim - 2)), x)[0]


def max_unpool(values, indices, output_shape, *, axis=0):
    """Zeros of output_shape with each value where its index says, a position over
    dims[axis:] of the result; the batch is that of values. A position that is named
    twice has the last value; the gradient of each is what is there."""
    values, indices = jnp.asarray(values), jnp.asarray(indices)
    if len(output_shape) != values.ndim or output_shape[0] != values.shape[0]:
        raise ValueError(f"output_shape is {tuple(output_shape)}, but the values' is "
                         f"{values.shape}: rank and batch must be the same")
    text = make_text("max_unpool", dict(axis=operator.index(axis)),
                     output=expand(output_shape[1:], values.ndim - 1))
    return bind(text, values, indices)[0]
