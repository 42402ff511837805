# Imports reductions that exporters write for global pooling: a mean or a maximum over the spatial
# dimensions. These dimensions remain in the result, with extent 1.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ReduceMean and ReduceMax nodes."""

from . import pooling

FLOATS = ("f16", "bf16", "f32", "f64")
OPERATORS = ("ReduceMean", "ReduceMax")
# Position of the input that has the axes since opset 18. Before, the axes are an attribute.
AXES_INPUT = 1


def emit(function, node, operands, constants):
    """Emits a reduction as global pooling, and returns the list of its results. Raises ValueError
    if it is not global pooling."""
    x = operands[0]
    reason = why_not_pooling(node, x.dims, constants)
    if reason:
        node.fail(reason)
    if not takes(node, x.element):
        node.fail(f"elements of type {x.element} are not supported")
    return pooling.emit_global(function, node, [x])


def takes(node, element):
    """True if `node` supports elements of this type. ReduceMean needs floats, because the standard
    does not define how a mean of integers is rounded."""
    return node.op_type == "ReduceMax" or element in FLOATS


def why_not_pooling(node, dims, constants):
    """Returns the reason why a reduction of an input with the extents `dims` is not global pooling,
    or None if it is."""
    rank = len(dims)
    if rank < 3:
        return f"its input has rank {rank}, less than 3"
    if not node.flag("keepdims"):
        return "keepdims 0 is supported as keepdims 1 followed by Squeeze"
    axes = node.attribute("axes", ())
    if len(node.inputs) > AXES_INPUT:
        value = constants.get(node.inputs[AXES_INPUT])
        if value is None:
            return "axes are supported as a constant"
        axes = value.reshape(-1).tolist()
    for axis in axes:
        if not -rank <= axis < rank:
            return f"axis {axis} of a tensor of rank {rank}"
    if len(axes) == 0 and node.attribute("noop_with_empty_axes"):
        return "it has no axes and noop_with_empty_axes, and reduces nothing"
    reduced = {axis % rank for axis in axes} if len(axes) else set(range(rank))
    for d, extent in enumerate(dims):
        # A dimension of extent 1 may be reduced or not, because that does not change the result.
        if (d in reduced) != (d >= 2) and extent != 1:
            return (f"axes {sorted(reduced)} do not make it global pooling: dimension {d} is "
                    f"{'' if d in reduced else 'not '}reduced")
    return None
