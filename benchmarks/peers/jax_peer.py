"""JAX: reduce_window, compiled by XLA for the CPU.

The environment variable NPROC sets its number of threads; the worker sets it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from measure.truth import divisors
from pooltest import rules
from pooltest.peer_view import first_case, to_first

from .base import Function, Peer, Unsupported


def expression(case):
    """Returns a function of an array as stored; raises Unsupported."""
    if case.pad_value != "neg_inf" or case.input_zp or case.output_zp:
        raise Unsupported("written here with padding of -infinity and without zero points")
    if case.op == "avg_pool" and not case.is_float:
        raise Unsupported("written here for averages of floats")
    dims = rules.resolve(case)
    order = np.argsort(to_first(case))

    def stored(batch, channels, spatial):
        values = [batch, channels, *spatial]
        return [values[d] for d in order]

    window = {
        "window_dimensions": stored(1, 1, [d.kernel for d in dims]),
        "window_strides": stored(1, 1, [d.stride for d in dims]),
        # The overhang of ceil becomes padding, so that no window is lost.
        "padding": stored((0, 0), (0, 0), [
            (d.pad_begin, (d.output - 1) * d.stride + (d.kernel - 1) * d.dilation + 1
             - d.input - d.pad_begin) for d in dims]),
        "window_dilation": stored(1, 1, [d.dilation for d in dims]),
    }
    if case.op == "max_pool":
        lowest = -np.inf if case.is_float else np.iinfo(case.dtype).min
        lowest = np.array(lowest, case.dtype)
        if case.index_type:
            return functools.partial(with_indices, case, window, lowest)
        return lambda x: lax.reduce_window(x, lowest, lax.max, **window)
    # Types narrower than f32 are summed in f32, as in the other libraries.
    wide = np.dtype(np.float64 if case.element_type == "f64" else np.float32)
    zero = np.array(0, wide)
    if case.op == "lp_pool":
        def norm(x):
            powers = jnp.abs(x.astype(wide)) ** case.p
            total = lax.reduce_window(powers, zero, lax.add, **window)
            return (total ** np.array(1 / case.p, wide)).astype(case.dtype)
        return norm
    reciprocals = (1 / divisors(first_case(case))).transpose(order).astype(wide)
    return lambda x: (lax.reduce_window(x.astype(wide), zero, lax.add, **window)
                      * reciprocals).astype(case.dtype)


def with_indices(case, window, lowest, x):
    """Computes values and indices by one reduction over pairs; the first of equal
    elements wins."""
    axis = case.axis % case.rank
    index = np.dtype(f"int{case.index_type[1:]}")
    size = rules.product(case.shape[axis:])
    places = jnp.arange(size, dtype=index).reshape([1] * axis + list(case.shape[axis:]))
    places = jnp.broadcast_to(places, case.shape)

    def choose(a, b):
        first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] <= b[1]))
        return jnp.where(first, a[0], b[0]), jnp.where(first, a[1], b[1])

    neutral = (lowest, np.array(np.iinfo(index).max, index))
    return lax.reduce_window((x, places), neutral, choose, **window)


class Jax(Peer):
    names = ("jax",)
    obeys_isa = True

    def __init__(self, context):
        super().__init__(context)
        jax.config.update("jax_platforms", "cpu")
        jax.config.update("jax_enable_x64", True)
        # Run on the caller's thread instead of an additional one.
        jax.config.update("jax_cpu_enable_async_dispatch", False)

    def version(self):
        return jax.__version__

    def prepare(self, name, workload, x):
        case = workload.case
        array = jax.device_put(x)
        try:
            compiled = jax.jit(expression(case)).lower(array).compile()
        except (NotImplementedError, RuntimeError, TypeError, ValueError) as error:
            raise Unsupported(str(error).strip().splitlines()[0]) from error
        if case.index_type:
            return Function(lambda: jax.block_until_ready(compiled(array)),
                            lambda last: tuple(np.asarray(part) for part in last))
        return Function(lambda: compiled(array).block_until_ready(),
                        lambda last: (np.asarray(last), None))
