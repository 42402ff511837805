# Imports operators that leave the elements as they are. Exporters write Squeeze and Unsqueeze around
# one-dimensional pooling, Flatten before a classifier, and Identity and Dropout anywhere.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Squeeze, Unsqueeze, Flatten, Identity and Dropout nodes."""

from math import prod

from .._writer import tensor_type

OPERATORS = ("Squeeze", "Unsqueeze", "Flatten", "Identity", "Dropout")


def emit(function, node, operands, constants):
    """Emits a node that changes at most the shape, and returns the list of its results. Raises
    ValueError for a Dropout that drops."""
    x = operands[0]
    if node.op_type == "Dropout":
        _check_dropout(node, constants)
    if node.op_type in ("Identity", "Dropout"):
        return [x]
    if node.op_type == "Flatten":
        return [_flatten(function, node, x)]
    axes = _axes(node, x, constants)
    if node.op_type == "Squeeze":
        return [_squeeze(function, node, x, axes)]
    return [_unsqueeze(function, node, x, axes)]


def _check_dropout(node, constants):
    if len(node.outputs) > 1:
        node.fail("its mask is not supported")
    training = constants.get(node.inputs[2]) if len(node.inputs) > 2 else None
    if len(node.inputs) > 2 and (training is None or training.any()):
        node.fail("training_mode is not supported")
    if node.opset < 7 and not node.attribute("is_test", 0):
        node.fail("is_test = 0 is not supported")


def _axes(node, x, constants):
    """Returns the axes, sorted and from 0. They are an attribute up to opset 12, and later an
    operand, which must be constant. Without axes, these are all dimensions of extent 1."""
    axes = node.attribute("axes")
    if len(node.inputs) > 1:
        value = constants.get(node.inputs[1])
        if value is None:
            node.fail("axes are supported as a constant")
        axes = [int(a) for a in value.reshape(-1)]
    if axes is None:
        if any(isinstance(d, str) for d in x.dims):
            node.fail("without axes every extent must be known")
        return [d for d, extent in enumerate(x.dims) if extent == 1]
    rank = len(x.dims) + (len(axes) if node.op_type == "Unsqueeze" else 0)
    for axis in axes:
        if not -rank <= axis < rank:
            node.fail(f"axis {axis} of a tensor of rank {rank}")
    result = sorted(axis % rank for axis in axes)
    if len(set(result)) != len(result):
        node.fail(f"axes {list(axes)} name a dimension twice")
    return result


def _groups(kept, rank):
    """Returns a group of dimensions for each of `kept`, as collapse_shape and expand_shape need. It
    has the kept dimension and the removed ones after it. The first group also has the removed ones
    before it."""
    groups, start = [], 0
    for i, d in enumerate(kept):
        end = kept[i + 1] if i + 1 < len(kept) else rank
        groups.append(list(range(start, end)))
        start = end
    return groups


def _squeeze(function, node, x, axes):
    for axis in axes:
        if x.dims[axis] != 1:
            node.fail(f"dimension {axis} of its input is not known to be 1: {x.type}")
    kept = [d for d in range(len(x.dims)) if d not in axes]
    return _collapse(function, node, x, _groups(kept, len(x.dims)),
                     tuple(x.dims[d] for d in kept))


def _unsqueeze(function, node, x, axes):
    rank = len(x.dims) + len(axes)
    kept = [d for d in range(rank) if d not in axes]
    sources = iter(range(len(x.dims)))
    extents = [1 if d in axes else function.extent(x, next(sources)) for d in range(rank)]
    rest = iter(x.dims)
    dims = tuple(1 if d in axes else next(rest) for d in range(rank))
    return _expand(function, node, x, _groups(kept, rank), extents, dims)


def _flatten(function, node, x):
    axis, rank = node.attribute("axis"), len(x.dims)
    if not -rank <= axis <= rank:
        node.fail(f"axis {axis} of a tensor of rank {rank}")
    axis = axis + rank if axis < 0 else axis
    if 0 < axis < rank:
        return _collapse(function, node, x, [list(range(axis)), list(range(axis, rank))],
                         (_product(x.dims[:axis]), _product(x.dims[axis:])))
    total = _product(x.dims)
    if rank != 1:
        x = _collapse(function, node, x, [list(range(rank))] if rank else [],
                      (total,) if rank else ())
    dims = (1, total) if axis == 0 else (total, 1)
    extents = [1 if d == 1 else function.extent(x, 0) for d in dims]
    return _expand(function, node, x, [[0, 1]] if x.dims else [], extents, dims)


def _product(dims):
    if all(isinstance(d, int) for d in dims):
        return prod(dims)
    return "?"


def _collapse(function, node, x, groups, dims):
    if len(dims) == len(x.dims):
        return x
    target = tensor_type(dims, x.element)
    return function.op(f"tensor.collapse_shape {x.name} {groups} : {x.type} into {target}",
                       x.element, dims, node.outputs[0])


def _expand(function, node, x, groups, extents, dims):
    if len(dims) == len(x.dims):
        return x
    sizes = ", ".join(str(e) if isinstance(e, int) else e.name for e in extents)
    target = tensor_type(dims, x.element)
    return function.op(f"tensor.expand_shape {x.name} {groups} output_shape [{sizes}] : "
                       f"{x.type} into {target}", x.element, dims, node.outputs[0])
