# Imports a model as one function for the whole graph. The types that the file declares are checked
# against the computed ones.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of ONNX models."""

import json

import onnx
from onnx import TensorProto, numpy_helper

from .._writer import Function, Value, tensor_type
from . import contrib, pooling, quantized, reductions, reshaping
from .nodes import Node, describe
from .windows import Window

WINDOW = ("MaxPool", "AveragePool", "LpPool")
GLOBAL = ("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool")
MAXIMUM = ("MaxPool", "GlobalMaxPool", "ReduceMax")
POOLING = (*WINDOW, *GLOBAL, "MaxUnpool")
SUPPORTED = {*POOLING, *reductions.OPERATORS, *reshaping.OPERATORS, "DequantizeLinear",
             "QuantizeLinear", "Constant"}
# Maps an operator to the position of the first input whose value the importer reads itself, if it
# is a constant, instead of emitting the constant. The same holds for all later inputs.
CONSTANT_INPUT = {"MaxUnpool": 2, **dict.fromkeys(reductions.OPERATORS, reductions.AXES_INPUT),
                  **dict.fromkeys(quantized.OPERATORS, 1)}
ELEMENTS = {
    TensorProto.FLOAT16: "f16", TensorProto.BFLOAT16: "bf16", TensorProto.FLOAT: "f32",
    TensorProto.DOUBLE: "f64", TensorProto.INT8: "i8", TensorProto.INT16: "i16",
    TensorProto.INT32: "i32", TensorProto.INT64: "i64", TensorProto.UINT8: "ui8",
    TensorProto.UINT16: "ui16", TensorProto.UINT32: "ui32", TensorProto.UINT64: "ui64"}


def standard_opset(model):
    for entry in model.opset_import:
        if entry.domain in ("", "ai.onnx"):
            return entry.version
    if not model.opset_import and model.ir_version < 3:
        return 1
    raise ValueError("the model imports no opset of ONNX's own domain")


def is_standard(proto):
    return proto.domain in ("", "ai.onnx")


def is_supported(proto):
    if proto.domain == contrib.DOMAIN:
        return proto.op_type in contrib.SCHEMAS
    return is_standard(proto) and proto.op_type in SUPPORTED


def of_domain(proto):
    """Returns the end of a description: the operator's domain. Returns an empty string for ONNX's
    own domain."""
    return "" if is_standard(proto) else f" of domain '{proto.domain}'"


def get_extent(dim):
    """Returns the extent of a TensorShapeProto.Dimension, or None if it is not known."""
    # Paddle's exporter writes -1 for an unknown extent.
    return dim.dim_value if dim.HasField("dim_value") and dim.dim_value != -1 else None


def type_of(info, what):
    """Returns (TensorProto element type, dims) of a ValueInfoProto. `dims` is None if the rank is
    unknown; an unknown extent is a name. Raises ValueError, with `what` in the message, if it is
    not a tensor, or if its element type or an extent is not supported."""
    if info.type.WhichOneof("value") != "tensor_type":
        raise ValueError(f"{what} '{info.name}' is not a tensor")
    tensor = info.type.tensor_type
    if tensor.elem_type not in ELEMENTS:
        raise ValueError(f"{what} '{info.name}' has elements of type "
                         f"{_type_name(tensor.elem_type)}, which is not supported")
    if not tensor.HasField("shape"):
        return tensor.elem_type, None
    dims = []
    for d, dim in enumerate(tensor.shape.dim):
        extent = get_extent(dim)
        if extent is not None:
            if extent < 0:
                raise ValueError(f"{what} '{info.name}': dimension {d} is {extent}")
            dims.append(extent)
        else:
            # Quote the names in the file, so that they differ from the names that the importer
            # makes.
            name = json.dumps(dim.dim_param) if dim.dim_param else f"#{d} of {info.name}"
            dims.append(name)
    return tensor.elem_type, tuple(dims)


def _type_name(element):
    try:
        return TensorProto.DataType.Name(element).lower()
    except ValueError:
        return str(element)


def attach_types(node, operands):
    """Checks the operands' types against the node's schema. Sets `node.target_element` to the
    element type in the attribute `output_dtype`, or to None."""
    by_word = {word: element for element, word in ELEMENTS.items()}
    for i, value in enumerate(operands):
        if value is not None:
            node.check_type(i, by_word[value.element])
    node.target_element = None
    target = node.attribute("output_dtype", 0)
    if target:
        if target not in ELEMENTS:
            node.fail(f"output_dtype {_type_name(target)} is not supported")
        node.target_element = ELEMENTS[target]


def emit_node(function, node, operands, constants, convention):
    """Emits a node, and returns the list of its results. `convention` is the argument
    unpool_indices of import_onnx(). Computes a maximum of dequantized numbers on the stored
    integers."""
    function.at(node.title)
    attach_types(node, operands)
    x = operands[0]
    if isinstance(x, quantized.Dequantized) and node.op_type in MAXIMUM and (
            node.op_type != "MaxPool" or Window.of(node).reads_input):
        operands = [x.stored, *operands[1:]]
        values, *indices = _emit(function, node, operands, constants, convention)
        return [x.with_stored(values, node.outputs[0]), *indices]
    return _emit(function, node, operands, constants, convention)


def _emit(function, node, operands, constants, convention):
    if node.op_type in (*WINDOW, "NhwcMaxPool"):
        return pooling.emit_window(function, node, operands)
    if node.op_type in GLOBAL:
        return pooling.emit_global(function, node, operands)
    if node.op_type == "MaxUnpool":
        return pooling.emit_unpool(function, node, operands, constants, convention)
    if node.op_type in quantized.OPERATORS:
        return quantized.emit(function, node, operands, constants)
    if node.op_type in reductions.OPERATORS:
        return reductions.emit(function, node, operands, constants)
    return reshaping.emit(function, node, operands, constants)


class Constants:
    """Tensors stored in the file: initializers and the results of Constant nodes."""

    def __init__(self):
        self._tensors = {}
        self._arrays = {}

    def add(self, name, tensor, what):
        if tensor.data_type not in ELEMENTS:
            raise ValueError(f"{what} has elements of type {_type_name(tensor.data_type)}, "
                             "which is not supported")
        self._tensors[name] = (tensor, what)

    def __contains__(self, name):
        return name in self._tensors

    def get(self, name):
        """Returns the array of constant `name`, or None if it is not a constant. Raises ValueError
        if the data are invalid or were not loaded."""
        if name not in self._tensors:
            return None
        if name not in self._arrays:
            tensor, what = self._tensors[name]
            if tensor.data_location == TensorProto.EXTERNAL:
                raise ValueError(f"{what}: its external data is not loaded")
            try:
                self._arrays[name] = numpy_helper.to_array(tensor)
            except (ValueError, TypeError, RuntimeError) as error:
                raise ValueError(f"{what} does not hold what it declares: {error}") from error
        return self._arrays[name]

    def type_of(self, name):
        """Returns a Value with the type of constant `name` but without a name, for a constant that
        is not emitted."""
        tensor, _ = self._tensors[name]
        return Value("", ELEMENTS[tensor.data_type], tuple(tensor.dims))

    def emit(self, function, name):
        array = self.get(name)
        tensor, what = self._tensors[name]
        element = ELEMENTS[tensor.data_type]
        function.at(name)
        kind = tensor_type(array.shape, element)
        if array.size == 0:
            text = f"arith.constant dense<> : {kind}"
        else:
            little = array.astype(array.dtype.newbyteorder("<"), copy=False)
            text = f'arith.constant dense<"0x{little.tobytes().hex().upper()}"> : {kind}'
        return function.op(text, element, array.shape, name)


def first_constant(node):
    return CONSTANT_INPUT.get(node.op_type, len(node.inputs))


def constant_tensor(node):
    """Returns the tensor of a Constant node, from whichever attribute has its value."""
    given = [a for a in node.proto.attribute]
    if len(given) != 1:
        node.fail("exactly one attribute gives its value")
    value = node.attribute(given[0].name)
    kinds = {"value_float": TensorProto.FLOAT, "value_floats": TensorProto.FLOAT,
             "value_int": TensorProto.INT64, "value_ints": TensorProto.INT64}
    if given[0].name == "value":
        return value
    if given[0].name not in kinds:
        node.fail(f"attribute '{given[0].name}' is not supported")
    shape = [len(value)] if given[0].name.endswith("s") else []
    return onnx.helper.make_tensor(node.title, kinds[given[0].name], shape,
                                   value if shape else [value])


def whole_graph(model, convention, get_advice):
    """Returns the text of @main, a function of the whole graph. `convention` is the argument
    unpool_indices of import_onnx(). `get_advice(model)` must return the end of the message about a
    node that is not supported."""
    graph = model.graph
    opset = standard_opset(model)
    function = Function("main", graph.name or "main")
    constants, values = Constants(), {}
    for tensor in graph.initializer:
        constants.add(tensor.name, tensor, f"initializer '{tensor.name}'")
    if graph.sparse_initializer:
        raise ValueError("sparse initializers are not supported")
    for info in graph.input:
        if info.name in constants:
            continue
        if info.name in values:
            raise ValueError(f"input '{info.name}' is declared twice")
        element, dims = type_of(info, "input")
        if dims is None:
            raise ValueError(f"input '{info.name}' has no shape, its rank must be known")
        values[info.name] = function.argument(info.name, ELEMENTS[element], dims)
    _check_shared_names(function)
    declared = {info.name: info for info in (*graph.value_info, *graph.output)}

    def value_of(name, who):
        if name not in values and name in constants:
            values[name] = constants.emit(function, name)
        if name not in values:
            raise ValueError(f"{who}: '{name}' is computed by no node before it")
        return values[name]

    for proto in graph.node:
        if not is_supported(proto):
            raise ValueError(f"{describe(proto)}: the operator{of_domain(proto)} is not supported "
                             f"in a whole graph{get_advice(model)}")
        node = Node(proto, opset)
        for name in filter(None, node.outputs):
            if name in values or name in constants:
                node.fail(f"computes '{name}', which is there already")
        if proto.op_type == "Constant":
            constants.add(node.outputs[0], constant_tensor(node), describe(proto))
            continue
        operands = [None if not name else
                    constants.type_of(name) if name in constants and i >= first_constant(node)
                    else value_of(name, describe(proto)) for i, name in enumerate(node.inputs)]
        results = emit_node(function, node, operands, constants, convention)
        for name, result in zip(node.outputs, results):
            if not name:
                continue
            if name in declared:
                result = _as_declared(function, node, declared[name], result)
            values[name] = result

    if not graph.output:
        raise ValueError("the graph has no outputs")
    results = []
    for info in graph.output:
        value = value_of(info.name, f"output '{info.name}'")
        results.append(value)
    function.returns(results)
    return function.text()


def _check_shared_names(function):
    """Emits run-time checks that arguments' extents of the same name are equal."""
    first = {}
    for argument, title in zip(function.arguments, function.titles):
        for d, extent in enumerate(argument.dims):
            if isinstance(extent, int):
                continue
            other, place, other_title = first.setdefault(extent, (argument, d, title))
            if (other, place) != (argument, d):
                function.require("eq", function.extent(argument, d), function.extent(other, place),
                                 f"dimension {d} of '{title}' is not dimension {place} of "
                                 f"'{other_title}', both are called {extent}")


def _as_declared(function, node, info, value):
    """Returns `value` with the type that the file declares in `info`. Raises ValueError if the
    types contradict each other. If only the file knows an extent, emits a run-time check and a
    cast."""
    if info.type.WhichOneof("value") is None:
        return value
    element, dims = type_of(info, "value")
    if ELEMENTS[element] != value.element:
        node.fail(f"'{info.name}' is declared with elements {ELEMENTS[element]}, "
                  f"they are {value.element}")
    if dims is None:
        return value
    wrong = len(dims) != len(value.dims) or any(
        isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(dims, value.dims))
    if wrong:
        node.fail(f"'{info.name}' is declared a {tensor_type(dims, value.element)}, "
                  f"it is a {value.type}")
    known = tuple(a if isinstance(a, int) else b for a, b in zip(dims, value.dims))
    for d, extent in enumerate(known):
        if extent != value.dims[d]:
            function.require("eq", function.extent(value, d), extent,
                             f"{node.title}: {node.op_type}: dimension {d} of '{info.name}' is "
                             f"not the declared {extent}")
    return function.cast(value, known)
