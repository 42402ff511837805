# Finds the types of all values in a model with onnx.shape_inference. The package knows neither ONNX
# Runtime's operators, nor ONNX Runtime's rule for output extents under ceil_mode. Both are added
# here.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of all values of ONNX models."""

import onnx
import onnx.shape_inference
from onnx import TensorProto, defs, helper

from . import contrib
from .graph import WINDOW, is_standard, type_of
from .nodes import Node, describe
from .windows import Window


def list_scopes(graph, outer):
    """Yields (graph, types, tensors) for a graph and for all graphs in attributes of its nodes,
    such as the branches of If. `types` maps names of values to declared types, and `tensors` maps
    names to constant tensors. Both include the entries of enclosing graphs; `outer` is (types,
    tensors) of the graph around `graph`."""
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
                yield from list_scopes(inner, (types, tensors))


def _integers(values):
    return onnx.helper.make_tensor("", TensorProto.INT64, [len(values)], values)


def with_stand_ins(model, opset):
    """Returns a copy of the model for type inference, in which standard nodes replace ONNX
    Runtime's. The results have the types of ONNX Runtime's results, but not their values. Returns
    the model itself if it has no node of ONNX Runtime."""
    if all(proto.domain not in (contrib.DOMAIN, contrib.BLOCKED)
           for graph, _, _ in list_scopes(model.graph, ({}, {})) for proto in graph.node):
        return model
    result = onnx.ModelProto()
    result.CopyFrom(model)
    for graph, types, tensors in list(list_scopes(result.graph, ({}, {}))):
        for proto in graph.node:
            if not proto.output or proto.output[0] in types:
                continue
            declared = (contrib.infer_element(proto, tensors) if proto.domain == contrib.DOMAIN
                        else contrib.infer_reordered(proto))
            if declared is not None:
                graph.value_info.append(declared)
        for proto in graph.node:
            if proto.domain == contrib.DOMAIN:
                _replace(proto, opset)
    return result


def _replace(proto, opset):
    """Replaces a node of ONNX Runtime by its stand-in from STAND_INS. Leaves a node with channels
    last, and a node without a stand-in in this opset."""
    op, inputs = contrib.STAND_INS.get(proto.op_type, (None, None))
    if op is None or any(a.name == "channels_last" and a.i for a in proto.attribute):
        return
    try:
        known = defs.get_schema(op, opset, "").attributes
    except defs.SchemaError:
        return
    stand_in = helper.make_node(op, proto.input[inputs], proto.output[:1], proto.name)
    stand_in.attribute.extend(a for a in proto.attribute if a.name in known)
    proto.CopyFrom(stand_in)


def inferred_types(model, opset):
    """Returns the types of all values by name, from onnx.shape_inference. Raises ValueError if
    onnx.shape_inference refuses the model.

    Before opset 22, onnx.shape_inference derives extents under ceil_mode by another rule than ONNX
    Runtime and the pool dialect. A node whose extents differ is replaced by an input of the right
    shape, and the types of later nodes are inferred again.
    """
    # Results of nodes outside of ONNX's own domain. Inference may not find their types again,
    # because stand-ins have fewer inputs than the nodes themselves.
    foreign = {name for proto in model.graph.node if not is_standard(proto)
               for name in proto.output}
    model_now, changed = with_stand_ins(model, opset), True
    while changed:
        try:
            inferred = onnx.shape_inference.infer_shapes(model_now, data_prop=True)
        except Exception as error:  # The package raises its own C++ types.
            raise ValueError(f"onnx.shape_inference refuses the model: {error}") from error
        types = {}
        for graph, known, _ in list_scopes(inferred.graph, ({}, {})):
            types = {**known, **types}
        changed = [(proto, dims) for proto in inferred.graph.node
                   if proto.op_type in WINDOW and is_standard(proto)
                   and (dims := _differing_dims(Node(proto, opset), types))]
        if changed:
            # Replace only the first node: the extents of later nodes may change.
            model_now = _with_inputs_for(model_now, *changed[0], types, foreign)
    return types


def _differing_dims(node, types):
    """Returns the output extents of a window node by ONNX Runtime's rule if they differ from the
    inferred ones. Returns None if they are equal, or if the ranks of input and output are
    unknown."""
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


def _with_inputs_for(model, node, dims, types, foreign):
    """Returns a copy of the model without `node`, whose results become inputs with the extents
    `dims`. Drops the declared shapes of other values, because inference finds them again. Keeps the
    declared types of the values `foreign`."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    nodes = [proto for proto in model.graph.node if proto.output[:1] != node.output[:1]]
    told = [info for info in model.graph.value_info if info.name not in node.output
            and (info.name in foreign or not info.type.tensor_type.HasField("shape"))]
    del result.graph.node[:], result.graph.value_info[:]
    result.graph.node.extend(nodes)
    result.graph.value_info.extend(told)
    for name in filter(None, node.output):
        element = types[name].type.tensor_type.elem_type
        result.graph.input.append(onnx.helper.make_tensor_value_info(name, element, dims))
    return result
