# Imports a model as one function for each pooling node, with the quantisation around it.
# Types come from onnx.shape_inference.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling layers of ONNX models."""

from collections import Counter

import onnx
import onnx.inliner
import onnx.shape_inference
from onnx import TensorProto

from .._writer import Function, Names
from . import contrib, quantized, reductions
from .graph import (ELEMENTS, POOLING, WINDOW, Constants, emit_node, first_constant, is_standard,
                    is_supported, standard_opset, type_of)
from .nodes import Node
from .windows import Window


def _scopes(graph, outer):
    """Yields (graph, known types, constants) for a graph and the graphs in its nodes."""
    types, tensors = dict(outer[0]), dict(outer[1])
    for info in (*graph.input, *graph.value_info, *graph.output):
        types[info.name] = info
    for tensor in graph.initializer:
        tensors[tensor.name] = tensor
    for proto in graph.node:
        if proto.op_type == "Constant" and is_standard(proto):
            for attribute in proto.attribute:
                if attribute.name == "value":
                    tensors[proto.output[0]] = attribute.t
                elif attribute.name == "value_ints":
                    tensors[proto.output[0]] = _integers(attribute.ints)
    yield graph, types, tensors
    for proto in graph.node:
        for attribute in proto.attribute:
            for inner in (*((attribute.g,) if attribute.HasField("g") else ()),
                          *attribute.graphs):
                yield from _scopes(inner, (types, tensors))


def _integers(values):
    return onnx.helper.make_tensor("", TensorProto.INT64, [len(values)], values)


def pool_layers(model, convention):
    """Imports each pooling node as a function named after the node."""
    opset = standard_opset(model)
    if model.functions:
        try:
            model = onnx.inliner.inline_local_functions(model)
        except Exception as error:  # The package raises its own C++ types.
            raise ValueError(f"onnx.inliner refuses the model: {error}") from error
    types = inferred_types(model, opset)
    names, functions = Names(), []
    scopes = list(_scopes(model.graph, (types, {})))
    uses = Counter(name for graph, _, _ in scopes for name in (
        *(name for proto in graph.node for name in proto.input),
        *(info.name for info in graph.output)))
    for graph, known, tensors in scopes:
        for proto in graph.node:
            if is_supported(proto) and _is_pooling(proto, opset, known, tensors):
                node = Node(proto, opset)
                name = names.new(node.title, "pool")
                layer = (name, node.title, known, tensors, convention)
                functions.append(_quantized_layer(graph, node, uses, opset, layer)
                                 or _layer([node], *layer))
    if not functions:
        raise ValueError("the model has no pooling node")
    return "\n\n".join(functions)


def _is_pooling(proto, opset, types, tensors):
    """True if a node is pooling. Reductions over all spatial dimensions are global pooling."""
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
    """Returns the constants among the inputs that the import reads; see CONSTANT_INPUT."""
    constants = Constants()
    for name in node.inputs[first_constant(node):]:
        if name in tensors:
            constants.add(name, tensors[name], f"initializer '{name}'")
    return constants


def inferred_types(model, opset):
    """Returns the types of all values by name, from onnx.shape_inference.

    Before opset 22, onnx.shape_inference derives extents under ceil_mode by another rule than
    ONNX Runtime and the pool dialect. A node whose extents differ is replaced by an input of
    the right shape, and the types of later nodes are inferred again.
    """
    model_now, changed = model, True
    while changed:
        try:
            inferred = onnx.shape_inference.infer_shapes(model_now, data_prop=True)
        except Exception as error:  # The package raises its own C++ types.
            raise ValueError(f"onnx.shape_inference refuses the model: {error}") from error
        types = {}
        for graph, known, _ in _scopes(inferred.graph, ({}, {})):
            types = {**known, **types}
        changed = [(proto, dims) for proto in inferred.graph.node
                   if proto.op_type in WINDOW and is_standard(proto)
                   and (dims := _differing_dims(Node(proto, opset), types))]
        if changed:
            # Replace only the first node: the extents of later nodes may change.
            model_now = _with_inputs_for(model_now, *changed[0], types)
    return types


def _differing_dims(node, types):
    """Returns the dims of a window's output if they differ from the inferred ones, else
    None."""
    output = types.get(node.outputs[0])
    operand = types.get(node.inputs[0])
    if output is None or operand is None:
        return None
    _, theirs = type_of(output, "value")
    _, dims = type_of(operand, "value")
    window = Window.of(node)
    if theirs is None or dims is None or len(dims) != len(window.kernel) + 2:
        return None
    ours = dims[:2] + window.output_dims(node, dims[2:])
    differ = any(isinstance(a, int) and isinstance(b, int) and a != b
                 for a, b in zip(ours, theirs))
    return ours if differ else None


def _with_inputs_for(model, node, dims, types):
    """Returns the model without `node`, whose results become inputs of extents `dims`.
    Declared types that can be inferred again are dropped."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    nodes = [proto for proto in model.graph.node if proto.output[:1] != node.output[:1]]
    foreign = {name for proto in nodes if not is_standard(proto) for name in proto.output}
    told = [info for info in model.graph.value_info if info.name in foreign]
    del result.graph.node[:], result.graph.value_info[:]
    result.graph.node.extend(nodes)
    result.graph.value_info.extend(told)
    for name in filter(None, node.output):
        element = types[name].type.tensor_type.elem_type
        result.graph.input.append(onnx.helper.make_tensor_value_info(name, element, dims))
    return result


def _quantized_layer(graph, node, uses, opset, layer):
    """Imports a pooling node with the node that dequantises its input and the node that
    quantises its result. Returns None if one of the three nodes is missing or unsupported, or
    if the pooling's result has other uses."""
    if len(node.outputs) != 1 or uses[node.outputs[0]] != 1:
        return None
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


def _layer(nodes, name, title, types, tensors, convention):
    """Imports nodes, each of which reads the one before it, as one function."""
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
                element, dims = _operand_type(node, position, operand, types, tensors)
                value = known[operand] = function.argument(operand, element, dims)
            operands.append(value)
        results = emit_node(function, node, operands, constants, convention)
        known.update(zip(node.outputs, results))
    function.returns([known[output] for output in node.outputs if output])
    return function.text()


def _operand_type(node, position, name, types, tensors):
    """Returns element type and dims of an operand. If inference has none, all dims are
    unknown, and kernel_shape gives the rank."""
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
    if info.type.WhichOneof("value") is None:
        node.fail(f"the type of its input '{name}' is not known")
    element, dims = type_of(info, "value")
    if dims is None:
        kernel = node.attribute("kernel_shape")
        if not kernel or position > 1:
            node.fail(f"the rank of its input '{name}' is not known")
        dims = tuple(f"{name}#{d}" for d in range(len(kernel) + 2))
    return ELEMENTS[element], dims
