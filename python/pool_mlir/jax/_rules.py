# JAX derives forward and reverse mode from two tables: TANGENTS has a rule for the tangent of each
# operation, and TRANSPOSES the transposes of linear operations. An average is linear. An extremum
# is not, but its tangent is a linear function of the tangent of x: it takes the tangents of the
# chosen elements.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of the primitive `pool`."""

import jax
import jax.numpy as jnp
from jax.interpreters import ad

from ._primitive import bind, gather, pool_p
from ._text import edit, get_field, get_name, get_spatial, list_extents

#
# Tangents
#


def _extremum_tangent(operation, primals, tangent, results):
    x, = primals
    plain = edit(operation, get_name(operation), ("axis", "indices", "pad_value"))
    chosen, = bind(edit(plain, f"{get_name(operation)}_tangent"), x, tangent)
    if get_field(operation, "pad_value") != "zero":
        return chosen
    # If the result is not the extremum of the window's elements, the padding was chosen. Its
    # tangent is 0.
    inside, = bind(plain, x)
    return jnp.where((results[0] == inside) | jnp.isnan(inside), chosen, 0)


def _adaptive_max_tangent(operation, primals, tangent, results):
    x, = primals
    axis = get_spatial(operation, x.ndim)[0]
    plain = edit(operation, "adaptive_max_pool", ("axis", "indices"),
                 f"axis={axis} indices=32")
    return gather(tangent, bind(plain, x)[1], axis)


def _norm_tangent(operation, primals, tangent, results):
    """Returns the tangent of the norm y: the sum over the window of t * x |x|^(p - 2) / y^(p - 1),
    where t is the tangent of x. Returns 0 where y is 0. The equal form with sign(x) |x|^(p - 1)
    would make JAX derive a wrong second derivative at x = 0."""
    p = int(get_field(operation, "p"))
    wide = jnp.promote_types(tangent.dtype, jnp.float32)
    x, y, t = (array.astype(wide) for array in (primals[0], results[0], tangent))
    sums, = bind(edit(operation, "avg_pool", ("p",), "divisor_override=1"),
                 t * (x * jnp.abs(x) ** (p - 2) if p > 1 else jnp.sign(x)))
    share = jnp.where(y == 0, 0, sums / jnp.where(y == 0, 1, y) ** (p - 1))
    return share.astype(tangent.dtype)


def _linear(place):
    """Returns the tangent rule of an operation that is linear in operand number `place`: apply the
    operation to the tangent of this operand."""
    def rule(operation, primals, tangent, results):
        operands = list(primals)
        operands[place] = tangent
        return bind(operation, *operands)[0]

    return rule


# Maps each operation to the number of the operand that may have a tangent, and the rule for the
# tangent of the first result. Indices have no tangent: a small change of x does not change the
# chosen elements.
TANGENTS = {
    "max_pool": (0, _extremum_tangent), "min_pool": (0, _extremum_tangent),
    "max_pool_tangent": (1, _linear(1)), "min_pool_tangent": (1, _linear(1)),
    "max_pool_grad": (1, _linear(1)), "min_pool_grad": (1, _linear(1)),
    "avg_pool": (0, _linear(0)), "avg_pool_grad": (0, _linear(0)),
    "lp_pool": (0, _norm_tangent),
    "adaptive_max_pool": (0, _adaptive_max_tangent),
    "adaptive_avg_pool": (0, _linear(0)),
    "max_unpool": (0, _linear(0)),
}


def _jvp(primals, tangents, *, operation):
    place, rule = TANGENTS[get_name(operation)]
    results = bind(operation, *primals)
    out = [ad.Zero(jax.typeof(result).to_tangent_aval()) for result in results]
    if type(tangents[place]) is not ad.Zero:
        out[0] = rule(operation, primals, tangents[place], results)
    return results, out


ad.primitive_jvps[pool_p] = _jvp

#
# Transposes
#


def _shares(extent, outputs, dtype):
    """Returns a matrix of `outputs` rows and `extent` columns. Row o has the weights of the
    elements in adaptive average o: 1 / n for each of its n elements, and 0 for all others. Average
    o has the elements from floor(o * extent / outputs) to ceil((o + 1) * extent / outputs) - 1."""
    o, i = jnp.arange(outputs)[:, None], jnp.arange(extent)
    first, last = o * extent // outputs, -(-(o + 1) * extent // outputs)
    return ((i >= first) & (i < last)).astype(dtype) / (last - first).astype(dtype)


def _transpose_adaptive_avg(operation, ct, x):
    spatial = get_spatial(operation, ct.ndim)
    pairs = [(x.aval.shape[d], ct.shape[d]) for d in spatial]
    if all(extent % outputs == 0 for extent, outputs in pairs):
        kernel = list_extents(extent // outputs for extent, outputs in pairs)
        return bind(edit(operation, "avg_pool_grad", ("output_size", "integer_rounding"),
                         f"kernel={kernel} strides={kernel} "
                         f"input={list_extents(extent for extent, _ in pairs)}"), ct)[0]
    # Windows overlap in some dimension, so multiply by a matrix in each.
    wide = ct.astype(jnp.promote_types(ct.dtype, jnp.float32))
    for d, (extent, outputs) in zip(spatial, pairs):
        shares = _shares(extent, outputs, wide.dtype)
        wide = jnp.moveaxis(jnp.moveaxis(wide, d, -1) @ shares, -1, d)
    return wide.astype(ct.dtype)


def _transpose_avg(operation, ct, x):
    extents = [x.aval.shape[d] for d in get_spatial(operation, ct.ndim)]
    return bind(edit(operation, "avg_pool_grad", ("integer_rounding",),
                     f"input={list_extents(extents)}"), ct)[0]


def _transpose_unpool(operation, ct, values, indices):
    axis = int(get_field(operation, "axis", "0"))
    return gather(ct, indices, axis % ct.ndim)


def _transpose_to(name):
    """Returns the transpose rule of the gradient or the tangent of an extremum. The rule applies
    the operation `name` to x and the cotangent."""
    return lambda operation, ct, x, linear: bind(edit(operation, name), x, ct)[0]


TRANSPOSES = {
    "max_pool_tangent": _transpose_to("max_pool_grad"),
    "min_pool_tangent": _transpose_to("min_pool_grad"),
    "max_pool_grad": _transpose_to("max_pool_tangent"),
    "min_pool_grad": _transpose_to("min_pool_tangent"),
    "avg_pool": _transpose_avg,
    "avg_pool_grad": lambda operation, ct, grad: bind(edit(operation, "avg_pool", ("input",)),
                                                      ct)[0],
    "adaptive_avg_pool": _transpose_adaptive_avg,
    "max_unpool": _transpose_unpool,
}


def _transpose(cts, *operands, operation):
    place, _ = TANGENTS[get_name(operation)]
    results = [None] * len(operands)
    if type(cts[0]) is ad.Zero:
        results[place] = ad.Zero(operands[place].aval)
    else:
        results[place] = TRANSPOSES[get_name(operation)](operation, cts[0], *operands)
    return results


ad.primitive_transposes[pool_p] = _transpose
