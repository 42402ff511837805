# Imports a model as one function for each pooling node, together with quantization around it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling layers of ONNX models."""

import sys
import warnings
from collections import Counter

import onnx
import onnx.inliner

from .._writer import Function, Names
from . import contrib, inference, quantized, reductions
from .graph import (ELEMENTS, POOLING, Constants, emit_node, first_constant, is_standard,
                    is_supported, of_domain, standard_opset, type_of)
from .nodes import Node, describe


def find_pooling(model):
    """Inlines the functions of a model. Returns its scopes and the supported pooling nodes in them.
    A scope is (graph, types, tensors); see inference.list_scopes(). A pooling node is (proto,
    scope)."""
    opset = standard_opset(model)
    if model.functions:
        try:
            model = onnx.inliner.inline_local_functions(model)
        except Exception as error:  # The package raises its own C++ types.
            raise ValueError(f"onnx.inliner refuses the model: {error}") from error
    types = inference.inferred_types(model, opset)
    scopes = list(inference.list_scopes(model.graph, (types, {})))
    pools = [(proto, scope) for scope in scopes for proto in scope[0].node
             if is_supported(proto) and _is_pooling(proto, opset, *scope[1:])]
    return scopes, pools


def pool_layers(model, convention):
    """Returns the text of a function for each pooling node, which is named after the node. Raises
    ValueError if there is none. `convention` is the argument unpool_indices of import_onnx()."""
    opset = standard_opset(model)
    scopes, pools = find_pooling(model)
    _report_left(scopes, pools)
    uses = Counter(name for graph, _, _ in scopes for name in (
        *(name for proto in graph.node for name in proto.input),
        *(info.name for info in graph.output)))
    names, functions = Names(), []
    for proto, scope in pools:
        node = Node(proto, opset)
        layer = (names.new(node.title, "pool"), node.title, *scope, convention)
        functions.append(_quantized_layer(node, uses, opset, layer) or _layer([node], *layer))
    return "\n\n".join(functions)


def _report_left(scopes, pools):
    """Raises ValueError if there is no pooling node to import. Warns of pooling nodes that are
    skipped because they are not supported."""
    left = _list_left(scopes)
    if not pools:
        raise ValueError(_describe_left(left) or "the model has no pooling node")
    # RoI pooling has no sliding windows, so nobody expects it among the layers.
    left = [proto for proto in left if "roi" not in proto.op_type.lower()]
    if left:
        warnings.warn(_describe_left(left), stacklevel=_count_own_frames())


def _count_own_frames():
    """Returns the stacklevel with which the caller of this function should warn, so that the
    warning shows the user's line. The number varies: the user's call may pass through several
    functions of this package."""
    package = __name__.partition(".")[0]
    frame, count = sys._getframe(1), 1
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, count = frame.f_back, count + 1
    return count


def _list_left(scopes):
    """Returns the pooling nodes that are not supported."""
    return [proto for graph, _, _ in scopes for proto in graph.node
            if "Pool" in proto.op_type and not is_supported(proto)]


def _describe_left(left):
    """Returns a message about unsupported pooling nodes, or an empty string if `left` is empty."""
    if not left:
        return ""
    which = "a pooling node is" if len(left) == 1 else f"{len(left)} pooling nodes are"
    message = f"{which} not supported: {describe(left[0])}{of_domain(left[0])}"
    if len(left) > 1:
        message += " is the first"
    if any(proto.domain == contrib.BLOCKED for proto in left):
        message += ("; ONNX Runtime writes such nodes at ORT_ENABLE_ALL: import the model that it "
                    "was given, or what it writes at ORT_ENABLE_EXTENDED")
    return message


def get_advice(model):
    """Returns the end of a message about a model that cannot be imported as a whole. It recommends
    pool_layers=True, or names what hides the pooling, or says that there is no pooling. Returns
    an empty string if the search for pooling fails."""
    try:
        scopes, pools = find_pooling(model)
    except ValueError:
        return ""
    if pools:
        return "; pool_layers=True takes the pooling out of any model"
    left = _describe_left(_list_left(scopes))
    return f"; {left}" if left else ", and the model has no pooling node"


def _is_pooling(proto, opset, types, tensors):
    """True if a node is pooling, or a reduction that is global pooling. False for a reduction that
    is not valid or whose input type is unknown."""
    if proto.op_type not in reductions.OPERATORS:
        return proto.op_type in (*POOLING, *contrib.SCHEMAS)
    try:
        node = Node(proto, opset)
        element, dims = type_of(types[node.inputs[0]], "value")
        return (dims is not None and reductions.takes(node, ELEMENTS[element]) and
                not reductions.why_not_pooling(node, dims, _constant_inputs(node, tensors)))
    except (KeyError, ValueError):
        # An invalid or unknown node does not count as pooling.
        return False


def _constant_inputs(node, tensors):
    """Returns the constants among the inputs whose values the importer reads itself; see
    CONSTANT_INPUT."""
    constants = Constants()
    for name in node.inputs[first_constant(node):]:
        if name in tensors:
            constants.add(name, tensors[name], f"initializer '{name}'")
    return constants


def _quantized_layer(node, uses, opset, layer):
    """Imports a pooling node as one function together with two others: the node that dequantizes
    its input, and the node that quantizes its result. Returns None if one of these is missing, if
    one of the three is not supported, or if the pooling's result has other uses."""
    if len(node.outputs) != 1 or uses[node.outputs[0]] != 1:
        return None
    graph = layer[2]
    before = [proto for proto in graph.node
              if proto.op_type == "DequantizeLinear" and node.inputs[0] in proto.output]
    after = [proto for proto in graph.node
             if proto.op_type == "QuantizeLinear" and node.outputs[0] in proto.input[:1]]
    if not before or not after or not all(map(is_standard, (*before, *after))):
        return None
    try:
        return _layer([Node(before[0], opset), node, Node(after[0], opset)], *layer)
    except ValueError:
        return None


def _layer(nodes, name, title, graph, types, tensors, convention):
    """Returns the text of a function that computes `nodes`. Each node must read a result of the
    node before it. Operands that no node of the function computes become arguments."""
    function, known = Function(name, title), {}
    for node in nodes:
        constants, operands = _constant_inputs(node, tensors), []
        for position, operand in enumerate(node.inputs):
            if not operand:
                value = None
            elif position >= first_constant(node) and operand in constants:
                value = constants.type_of(operand)
            elif operand in known:
                value = known[operand]
            else:
                element, dims = _operand_type(node, position, operand, graph, types, tensors)
                value = known[operand] = function.argument(operand, element, dims)
            operands.append(value)
        results = emit_node(function, node, operands, constants, convention)
        known.update(zip(node.outputs, results))
    function.returns([known[output] for output in node.outputs if output])
    return function.text()


def _operand_type(node, position, name, graph, types, tensors):
    """Returns (element type, dims) of operand `name`, the input at `position`. If inference does
    not know the rank, it is taken from kernel_shape, and all extents are unknown. Raises ValueError
    if the type remains unknown."""
    if name in tensors:
        tensor = tensors[name]
        if tensor.data_type in ELEMENTS:
            return ELEMENTS[tensor.data_type], tuple(tensor.dims)
    info = onnx.ValueInfoProto(name=name)
    info.CopyFrom(types.get(name, info))
    if node.op_type in quantized.OPERATORS and not position and len(node.inputs) > 2:
        # Inference may leave out the element type. It is the type of the zero point.
        zero_point = tensors.get(node.inputs[2])
        if zero_point is not None:
            info.type.tensor_type.elem_type = zero_point.data_type
    if info.type.WhichOneof("value") is None and not position and node.op_type in POOLING:
        info.CopyFrom(_before_pooling(types.get(node.outputs[0], info)))
    if info.type.WhichOneof("value") is None:
        node.fail(f"the type of its input '{name}' is not known{_why_unknown(graph, types, name)}")
    element, dims = type_of(info, "value")
    if dims is None:
        kernel = node.attribute("kernel_shape")
        if not kernel or position > 1:
            node.fail(f"the rank of its input '{name}' is not known"
                      f"{_why_unknown(graph, types, name)}")
        dims = tuple(f"{name}#{d}" for d in range(len(kernel) + 2))
    return ELEMENTS[element], dims


def _before_pooling(info):
    """Returns what the type `info` of a pooling's first result tells about its first input: element
    type, rank, batch and channels. The spatial extents are unknown."""
    result = onnx.ValueInfoProto()
    result.CopyFrom(info)
    for dim in result.type.tensor_type.shape.dim[2:]:
        dim.Clear()
    return result


def _why_unknown(graph, types, name):
    """Returns the end of a message about the unknown type of value `name`. It names the node that
    onnx.shape_inference does not know, if there is one, and gives advice."""
    advice = f"add the type of '{name}' to value_info"
    producers = {output: proto for proto in graph.node for output in proto.output if output}
    proto, met = producers.get(name), set()
    while proto is not None and is_standard(proto) and id(proto) not in met:
        met.add(id(proto))
        proto = next((producers[operand] for operand in proto.input
                      if operand in producers and operand not in types), None)
    if proto is None or is_standard(proto):
        return f"; {advice}"
    if proto.domain.startswith(contrib.DOMAIN):
        advice += ", or import the model that ONNX Runtime was given"
    return (f": onnx.shape_inference has no rule for {describe(proto)}{of_domain(proto)}"
            f"; {advice}")
