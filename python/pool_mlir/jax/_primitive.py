# All functions call this primitive. Its operands are arrays, and its parameter `operation` is an
# operation of the pool dialect as text. The text has no types and no memory addresses, so caches
# and exported programs may keep it. `pool.max_pool_tangent` and `pool.min_pool_tangent` exist only
# in such texts; lowering replaces them by other operations.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The primitive `pool` and its rules."""

import math

import jax
import jax.numpy as jnp
import jaxlib
import numpy as np
from jax import export, lax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

from .. import _pool_mlir
from ._sharding import attach_rule, get_kept
from ._text import TARGET, edit, get_field, get_name, get_spatial

# Oldest and newest tested version of jaxlib. The extra `jax` in pyproject.toml requires the same.
OLDEST, NEWEST = (0, 10), (0, 12)

_version = tuple(int(part) for part in jaxlib.__version__.split(".")[:2])
if not OLDEST <= _version <= NEWEST:
    raise ImportError(
        f"pool_mlir.jax is for jaxlib {'.'.join(map(str, OLDEST))} to "
        f"{'.'.join(map(str, NEWEST))}, and this is {jaxlib.__version__}")

jax.ffi.register_ffi_target(TARGET, _pool_mlir._ffi_handler(), platform="cpu")


def gather(x, indices, axis):
    """Returns the elements of `x` at `indices`, which are row-major positions over the dimensions
    of `x` from `axis` on."""
    lead = x.shape[:axis]
    chosen = jnp.take_along_axis(x.reshape(*lead, math.prod(x.shape[axis:])),
                                 indices.reshape(*lead, math.prod(indices.shape[axis:])), -1)
    return chosen.reshape(indices.shape)


def _known(shape, spatial):
    """Returns `shape` with 1 in place of each symbolic extent. Raises ValueError if a spatial
    extent is symbolic."""
    for d in spatial:
        if export.is_symbolic_dim(shape[d]):
            raise ValueError(f"dimension {d} is {shape[d]}: windows slide over known extents, "
                             "batch and channels alone may be symbolic")
    return [1 if export.is_symbolic_dim(d) else int(d) for d in shape]


def _abstract(*operands, operation):
    if get_name(operation).endswith("_tangent"):
        x, tangent = operands
        values, = _abstract(x, operation=_get_primal(operation))
        return [values.update(dtype=tangent.dtype)]
    first = operands[0]
    spatial = get_spatial(operation, first.ndim)
    types = [(np.dtype(a.dtype).name, _known(a.shape, spatial)) for a in operands]
    given = get_field(operation, "input") or get_field(operation, "output")
    shape = None
    if given is not None:
        shape = list(types[0][1])
        for d, extent in zip(spatial, given.rstrip(",").split(","), strict=True):
            shape[d] = int(extent)
    # Under explicit sharding, the type of an array says which dimensions are divided among devices.
    # Keep this for the dimensions that the operation can divide. In jax.shard_map, the type says
    # over which mesh axes the data differ. `bind` has made these axes equal for all operands, and
    # `update` below keeps them.
    kept = get_kept(operation, first.ndim)
    sharding = first.sharding.update(
        spec=[cut if d in kept else None for d, cut in enumerate(first.sharding.spec)])
    results = []
    for dtype, extents in _pool_mlir._infer(operation, types, shape):
        for d in set(range(first.ndim)) - set(spatial):
            extents[d] = first.shape[d]
        results.append(first.update(shape=tuple(extents), dtype=jnp.dtype(dtype),
                                    weak_type=False, sharding=sharding))
    return results


def _get_primal(operation):
    """Returns the text of the pooling that chooses the elements: max_pool for max_pool_tangent."""
    return edit(operation, get_name(operation).removesuffix("_tangent"))


def _tangent(operation, x, tangent):
    """Returns, for each window, the tangent of the element of x that the maximum or minimum chose.
    For a window that lies entirely in padding the tangent is 0, because its index names no element
    of the window."""
    primal = _get_primal(operation)
    spatial = get_spatial(operation, x.ndim)
    axis = spatial[0]
    _, indices = bind(f"{primal} axis={axis} indices=32", x)
    ones = jnp.ones([x.shape[d] if d in spatial else 1 for d in range(x.ndim)], x.dtype)
    has_element, = bind(primal, ones)
    return jnp.where(has_element == 1, gather(tangent, indices, axis), 0)


def _lower(context, *operands, operation):
    if get_name(operation).endswith("_tangent"):
        return _lower_tangent(context, *operands, operation=operation)
    results = jax.ffi.ffi_lowering(TARGET)(context, *operands, operation=operation)
    attach_rule(results[0].owner, operation)
    return results


_lower_tangent = mlir.lower_fun(
    lambda *operands, operation: [_tangent(operation, *operands)], multiple_results=True)


def _batch(operands, dims, *, operation):
    """Applies the operation under vmap: folds vmap's dimension into the operation's batch, and
    splits the batch of the results again."""
    size = next(x.shape[d] for x, d in zip(operands, dims) if d is not None)
    operands = [jnp.broadcast_to(x, (size, *x.shape)) if d is None else jnp.moveaxis(x, d, 0)
                for x, d in zip(operands, dims)]
    # If `axis` is the batch dimension, an index counts positions in all images of a batch. Folding
    # joins several batches into one. So correct each index by the number of elements in the batches
    # before its own.
    is_over_all = int(get_field(operation, "axis", "0")) % (operands[0].ndim - 1) == 0

    def count_before(extents, indices):
        images = jnp.arange(size, dtype=indices.dtype) * jnp.asarray(
            math.prod(extents), indices.dtype)
        return images.reshape(size, *[1] * (indices.ndim - 1))

    count = operands[0].shape[1]
    if get_name(operation) == "max_unpool" and is_over_all:
        extents = map(int, get_field(operation, "output").rstrip(",").split(","))
        operands[1] = operands[1] + count_before([count, *extents], operands[1])
    flat = [x.reshape(x.shape[0] * x.shape[1], *x.shape[2:]) for x in operands]
    results = bind(operation, *flat)
    results = [r.reshape(size, count, *r.shape[1:]) for r in results]
    if len(results) == 2 and is_over_all:
        results[1] = results[1] - count_before(operands[0].shape[1:], results[1])
    return results, [0] * len(results)


pool_p = Primitive("pool")
pool_p.multiple_results = True
pool_p.def_impl(jax.jit(lambda *operands, operation: bind(operation, *operands),
                        static_argnames="operation"))
pool_p.def_abstract_eval(_abstract)
mlir.register_lowering(pool_p, _lower, platform="cpu")
batching.primitive_batchers[pool_p] = _batch


def bind(operation, *operands):
    """Applies the primitive with the text `operation` to arrays. Returns the list of its
    results."""
    return pool_p.bind(*_unify(operands), operation=operation)


def _unify(operands):
    """Returns the operands, cast so that all of them vary over the same mesh axes of jax.shard_map:
    the union of the axes of each. Otherwise JAX would assume that a result is equal on all devices
    if the first operand is."""
    varying = [jax.typeof(x).manual_axis_type.varying for x in operands]
    union = frozenset().union(*varying)
    return [lax.pcast(x, tuple(sorted(union - own)), to="varying") if own != union else x
            for x, own in zip(operands, varying)]
