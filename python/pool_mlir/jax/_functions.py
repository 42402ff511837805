# Functions of the primitive with their gradients: those of extrema go where the
# forward operation chose, those of averages are averages' own.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differentiable pooling."""

import functools
import operator
from typing import NamedTuple

import jax
import jax.numpy as jnp

from ._primitive import bind, get_spatial

LISTS = ("strides", "dilations", "pads_begin", "pads_end")
WINDOW = """
    x has the batch first and the channels second, or last with layout
    "channels_last". kernel, strides, pads_begin, pads_end and dilations have an
    entry for each spatial dimension; one integer is for all. The other arguments
    are the attributes of the operation: docs/Dialects/PoolOps.md.
"""


class Window(NamedTuple):
    """All of an operation but its name and its types."""

    attributes: str
    indices: str = ""

    def text(self, name, more=""):
        return f"pool.{name} {self.attributes}{more}"


def make_window(rank, kernel, words, **lists):
    """A window from a function's arguments; absent ones are None."""
    count = rank - 2

    def expand(name, value):
        try:
            value = [operator.index(value)] * max(count, 1)
        except TypeError:
            value = [operator.index(v) for v in value]
        return f"{name}={','.join(map(str, value))},"

    parts = [expand("kernel", kernel)]
    parts += [expand(name, lists[name]) for name in LISTS if lists[name] is not None]
    parts += [f"{name}={value}" for name, value in words.items() if value is not None]
    for part in parts:
        if " " in part:
            raise ValueError(f"'{part}' is no attribute")
    return Window(" ".join(parts))


def documented(function):
    function.__doc__ += WINDOW
    return function


#
# Extrema
#


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _extremum(name, window, x):
    results = bind(window.text(name, window.indices), x)
    return tuple(results) if window.indices else results[0]


def _extremum_forward(name, window, x):
    return _extremum(name, window, x), x


def _extremum_backward(name, window, x, g):
    # Indices have no gradient.
    g = g[0] if window.indices else g
    return (_extremum_grad(name, Window(window.attributes), x, g),)


_extremum.defvjp(_extremum_forward, _extremum_backward)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _extremum_grad(name, window, x, g):
    kept = [word for word in window.attributes.split(" ") if not word.startswith("pad_value=")]
    return bind(f"pool.{name}_grad {' '.join(kept)}", x, g)[0]


def _extremum_grad_forward(name, window, x, g):
    return _extremum_grad(name, window, x, g), x


def _extremum_grad_backward(name, window, x, ct):
    """The gradient is linear in g: what comes back is read where it was added."""
    first = get_spatial(window.text(name), x.ndim)[0]
    _, indices = bind(window.text(name, f" axis={first} indices=32"), x)
    lead = x.shape[:first]
    chosen = jnp.take_along_axis(ct.reshape(*lead, -1), indices.reshape(*lead, -1), -1)
    return jnp.zeros_like(x), chosen.reshape(indices.shape)


_extremum_grad.defvjp(_extremum_grad_forward, _extremum_grad_backward)


def _pool_by(name, x, kernel, words, return_indices, index_type, axis, **lists):
    x = jnp.asarray(x)
    window = make_window(x.ndim, kernel, words, **lists)
    if return_indices:
        bits = {"int32": 32, "int64": 64}.get(jnp.dtype(index_type).name)
        if bits is None:
            raise ValueError(f"index_type is {index_type}, neither int32 nor int64")
        if bits == 64 and not jax.config.jax_enable_x64:
            raise ValueError("indices of type int64 need jax_enable_x64")
        window = window._replace(indices=f" axis={operator.index(axis)} indices={bits}")
    return _extremum(name, window, x)


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
    return _extremum_grad(name, make_window(x.ndim, kernel, words, **lists), x, output_grad)


@documented
def max_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """The gradient of max_pool: each element of output_grad, added where max_pool chose."""
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, nan_mode=nan_mode)
    return _grad_of("max_pool", x, output_grad, kernel, words, strides=strides,
                    dilations=dilations, pads_begin=pads_begin, pads_end=pads_end)


@documented
def min_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type=None, auto_pad=None, same_output=None,
                  layout=None, *, nan_mode="propagate"):
    """The gradient of min_pool, in the same way."""
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, nan_mode=nan_mode)
    return _grad_of("min_pool", x, output_grad, kernel, words, strides=strides,
                    dilations=dilations, pads_begin=pads_begin, pads_end=pads_end)


#
# Averages and norms
#


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _average(window, extents, x):
    return bind(window.text("avg_pool"), x)[0]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _average_grad(window, extents, g):
    return bind(window.text("avg_pool_grad", f" input={','.join(map(str, extents))},"), g)[0]


# Both are linear, and each other's transpose.
_average.defvjp(lambda window, extents, x: (_average(window, extents, x), None),
                lambda window, extents, _, g: (_average_grad(window, extents, g),))
_average_grad.defvjp(lambda window, extents, g: (_average_grad(window, extents, g), None),
                     lambda window, extents, _, ct: (_average(window, extents, ct),))


def _get_extents(window, x):
    """The spatial extents of x; the primitive reports symbolic ones."""
    return tuple(x.shape[d] for d in get_spatial(window.text("avg_pool"), x.ndim))


@documented
def avg_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type=None, auto_pad=None, same_output=None, layout=None, *,
             divisor=None, divisor_override=None, integer_rounding=None):
    """The average of each window."""
    x = jnp.asarray(x)
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, divisor=divisor, divisor_override=divisor_override,
                 integer_rounding=integer_rounding)
    window = make_window(x.ndim, kernel, words, strides=strides, dilations=dilations,
                         pads_begin=pads_begin, pads_end=pads_end)
    return _average(window, _get_extents(window, x), x)


@documented
def avg_pool_grad(output_grad, input_shape, kernel, strides=None, pads_begin=None,
                  pads_end=None, dilations=None, rounding_type=None, auto_pad=None,
                  same_output=None, layout=None, *, divisor=None, divisor_override=None):
    """The gradient of avg_pool on an array of input_shape."""
    output_grad = jnp.asarray(output_grad)
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout, divisor=divisor, divisor_override=divisor_override)
    window = make_window(output_grad.ndim, kernel, words, strides=strides, dilations=dilations,
                         pads_begin=pads_begin, pads_end=pads_end)
    spatial = get_spatial(window.text("avg_pool"), len(input_shape))
    return _average_grad(window, tuple(input_shape[d] for d in spatial), output_grad)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1, 2))
def _norm(window, p, extents, x):
    return bind(window.text("lp_pool", f" p={p}"), x)[0]


def _norm_forward(window, p, extents, x):
    y = _norm(window, p, extents, x)
    return y, (x, y)


def _norm_backward(window, p, extents, kept, g):
    """d y / d x = sign(x) |x|^(p - 1) / y^(p - 1); 0 where the norm is."""
    x, y = kept
    wide = jnp.promote_types(x.dtype, jnp.float32)
    x, y, g = x.astype(wide), y.astype(wide), g.astype(wide)
    share = jnp.where(y == 0, 0, g / jnp.where(y == 0, 1, y) ** (p - 1))
    sums = Window(f"{window.attributes} divisor_override=1")
    spread = _average_grad(sums, extents, share)
    return ((spread * jnp.sign(x) * jnp.abs(x) ** (p - 1)).astype(kept[0].dtype),)


_norm.defvjp(_norm_forward, _norm_backward)


@documented
def lp_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
            rounding_type=None, auto_pad=None, same_output=None, layout=None, *, p=2):
    """The p-norm of each window."""
    x = jnp.asarray(x)
    words = dict(rounding_type=rounding_type, auto_pad=auto_pad, same_output=same_output,
                 layout=layout)
    window = make_window(x.ndim, kernel, words, strides=strides, dilations=dilations,
                         pads_begin=pads_begin, pads_end=pads_end)
    return _norm(window, operator.index(p), _get_extents(window, x), x)
