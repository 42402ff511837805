# Imports TFLite models. tosa-converter-for-tflite turns most operators into TOSA, which the
# compiled part of this package raises and lowers. Two kinds of operators become MLIR here instead.
# The first is pooling: the converter drops fused activations, and averages unsigned numbers as if
# they were signed. The second is the quantization of floats: the converter's result wraps, but
# LiteRT saturates.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports TFLite models: `import_tflite`."""

import copy
import math
import os
import re

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from . import _pool_mlir
from ._tosa_converter import convert
from ._writer import RANGES, Function, Names, Value, quoted, tensor_type


def _words(enumeration):
    return {number: word for word, number in vars(enumeration).items() if word.isupper()}


OPERATORS = _words(schema.BuiltinOperator)
ACTIVATIONS = _words(schema.ActivationFunctionType)
TYPES = _words(schema.TensorType)
ELEMENTS = {"FLOAT32": "f32", "INT8": "i8", "UINT8": "ui8", "INT16": "i16"}
POOLING = {"MAX_POOL_2D": "max_pool", "AVERAGE_POOL_2D": "avg_pool", "L2_POOL_2D": "avg_pool"}
# Reductions that are global pooling if they reduce height and width. Each has an operation of the
# pool dialect and the supported element types. LiteRT's MEAN of integers rescales the sum, which no
# pooling does, so MEAN supports only floats.
GLOBAL = {"MEAN": ("adaptive_avg_pool", ["FLOAT32"]),
          "REDUCE_MAX": ("adaptive_max_pool", list(ELEMENTS))}
# Bounds of the fused activations; None is no bound. LiteRT's pooling ignores all other activations.
BOUNDS = {"NONE": (None, None), "RELU": (0, None), "RELU_N1_TO_1": (-1, 1), "RELU6": (0, 6)}
# Operators that are supported in a whole graph, besides pooling. For all ELEMENTS the converter's
# TOSA computes the same numbers as LiteRT. test/Python/tflite-graphs.py tests each.
SUPPORTED = ("DEQUANTIZE", "PAD", "QUANTIZE", "RESHAPE", "SQUEEZE", *GLOBAL)


def import_tflite(path, pool_layers=False):
    """See `pool_mlir.import_tflite`. `path` may also be a `Model`. Importing its whole graph
    modifies this model, so do not import it again."""
    model = path if isinstance(path, Model) else Model(os.fspath(path))
    return (import_layers(model, model.layers()) if pool_layers
            else _pool_mlir._import_tosa(_whole_graph(model)))


def import_layers(model, layers):
    """Returns the text of a module with a function for each of `layers`, which are entries of
    `model.layers()`."""
    text = "\n".join(_layer(node, name) for name, node in layers)
    return _pool_mlir._import_tosa(f"module {{\n{text}\n}} loc({quoted(model.path)})\n")


class Model:
    """A TFLite model that was read from a file. Raises ValueError if the file is not valid."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        if not schema.Model.ModelBufferHasIdentifier(data, 0):
            raise ValueError(f"{path}: not a TFLite model: bytes 4 to 7 are not TFL3")
        try:
            self.tree = schema.ModelT.InitFromPackedBuf(data)
            if not self.tree.subgraphs:
                raise ValueError("it has no graph")
            self.graphs = [[Node(self.tree, graph, operator) for operator in graph.operators or []]
                           for graph in self.tree.subgraphs]
            first = self.tree.subgraphs[0]
            self.inputs, self.outputs = (_tensors(first, indices)
                                         for indices in (first.inputs, first.outputs))
        # Wrong offsets in the file can raise errors of any class.
        except Exception as error:
            raise ValueError(f"{path}: not a TFLite model: {error!r}") from error

    def pools(self):
        return [node for graph in self.graphs for node in graph
                if node.kind in POOLING or node.is_global]

    def layers(self):
        """Returns (name of the function, node) for each pooling operator in all graphs. Raises
        ValueError if there is none."""
        names = Names()
        layers = [(names.new(node.title, node.kind), node) for node in self.pools()]
        if not layers:
            raise ValueError(f"{self.path}: the model has no pooling operator")
        return layers

    def get_advice(self):
        """Returns the end of a message about a graph that cannot be imported. It recommends
        pool_layers=True, or says that the model has no pooling operator."""
        return ("; pool_layers=True takes the pooling out of any model" if self.pools()
                else ", and the model has no pooling operator")


class Node:
    """An operator of a model, with its tensors. `data` has the stored bytes of each input, or
    None."""

    def __init__(self, tree, graph, operator):
        code = tree.operatorCodes[operator.opcodeIndex]
        number = max(code.builtinCode, code.deprecatedBuiltinCode)
        self.kind = OPERATORS.get(number, f"operator {number}")
        self.code, self.operator = code, operator
        self.options = operator.builtinOptions
        self.inputs, self.outputs = (_tensors(graph, indices)
                                     for indices in (operator.inputs, operator.outputs))
        self.title = _title(self.outputs[0]) if self.outputs else ""
        self.data = [tree.buffers[tensor.buffer].data for tensor in self.inputs]
        self.reduces_planes = self._reduces_planes()
        self.is_global = (self.reduces_planes and
                          TYPES.get(self.inputs[0].type) in GLOBAL[self.kind][1])
        self.is_quantizing = (self.kind == "QUANTIZE" and len(self.outputs) == 1 and
                              [TYPES.get(tensor.type) for tensor in self.inputs] == ["FLOAT32"])

    def _reduces_planes(self):
        """True for a reduction over height and width of an NHWC tensor."""
        if self.kind not in GLOBAL or (len(self.inputs), len(self.outputs)) != (2, 1) or (
                self.data[1] is None or
                TYPES.get(self.inputs[1].type) != "INT32" or len(_dims(self.inputs[0])) != 4):
            return False
        axes = np.frombuffer(bytes(self.data[1]), np.int32)
        return {int(axis) % 4 for axis in axes if -4 <= axis < 4} == {1, 2}

    def fail(self, message):
        raise ValueError(f"{self.kind} '{self.title}': {message}")

    def alone(self):
        """Returns the bytes of a model that has only this operator. Stored inputs stay stored; all
        others become inputs of the model."""
        model, code = schema.ModelT(), schema.OperatorCodeT()
        graph, operator = schema.SubGraphT(), schema.OperatorT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, self.kind)
        code.version = self.code.version
        operator.builtinOptionsType = self.operator.builtinOptionsType
        operator.builtinOptions = self.options
        count = len(self.inputs)
        operator.inputs, operator.outputs = list(range(count)), [count]
        graph.inputs = [i for i, data in enumerate(self.data) if data is None]
        graph.outputs = [count]
        # Copy the tensors, because the copies get the numbers of this model's buffers.
        graph.tensors = [copy.copy(tensor) for tensor in (*self.inputs, *self.outputs)]
        graph.operators = [operator]
        model.version, model.operatorCodes, model.subgraphs = 3, [code], [graph]
        model.buffers = [schema.BufferT()]
        for tensor, data in zip(graph.tensors, [*self.data, None]):
            tensor.buffer = 0
            if data is not None:
                tensor.buffer = len(model.buffers)
                model.buffers.append(schema.BufferT())
                model.buffers[-1].data = data
        return _pack(model)

    @property
    def activation(self):
        number = getattr(self.options, "fusedActivationFunction", 0)
        return ACTIVATIONS.get(number, str(number))


def _pack(tree):
    builder = flatbuffers.Builder(1 << 16)
    builder.Finish(tree.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _tensors(graph, indices):
    """Returns the tensors of `graph` that have the numbers `indices`. Skips -1, which stands for an
    absent tensor. If `indices` is None, returns an empty list."""
    return [graph.tensors[i] for i in ([] if indices is None else indices) if i >= 0]


def _title(tensor):
    return (tensor.name or b"").decode(errors="replace")


def _dims(tensor):
    """Returns the extents of a tensor: an int for each known extent, and a name for each unknown
    one. Raises ValueError for a negative extent other than -1."""
    shape = [] if tensor.shape is None else [int(extent) for extent in tensor.shape]
    signature = shape if tensor.shapeSignature is None else tensor.shapeSignature
    if len(signature) != len(shape):
        signature = shape
    if min(shape, default=0) < -1:
        raise ValueError(f"tensor '{_title(tensor)}' has the shape {shape}")
    return tuple(f"#{d}" if -1 in (signature[d], extent) else extent
                 for d, extent in enumerate(shape))


def _quantization(tensor):
    """Returns the scale and the zero point of a tensor, or None if it has no scale. Returns None
    for floats too, whose scale and zero point have no meaning. Raises ValueError if there are
    several scales, or if a number is not valid."""
    stored = ELEMENTS.get(TYPES.get(tensor.type), "f32")
    parameters = None if stored == "f32" else tensor.quantization
    scales = None if parameters is None else parameters.scale
    if scales is None or len(scales) == 0:
        return None
    zeros = [0] if parameters.zeroPoint is None else parameters.zeroPoint
    if len(scales) > 1 or len(zeros) != 1:
        raise ValueError(f"tensor '{_title(tensor)}' has {len(scales)} scales and {len(zeros)} "
                         "zero points; one of each is supported")
    scale, zero = np.float32(scales[0]), int(zeros[0])
    if not np.finfo(np.float32).tiny <= scale < math.inf:
        raise ValueError(f"tensor '{_title(tensor)}' has the scale {scale}, which is not a "
                         "positive number")
    low, high = RANGES[stored]
    if not low <= zero <= high:
        raise ValueError(f"tensor '{_title(tensor)}' has the zero point {zero}, which is none of "
                         f"its stored values, [{low}, {high}]")
    return scale, zero


def _attributes(tensor):
    """Returns the attribute dictionary, as text, that gives an argument or a result the
    quantization parameters of `tensor`. Returns an empty string if it has none."""
    quantization = _quantization(tensor)
    if quantization is None:
        return ""
    stored, (scale, zero) = ELEMENTS[TYPES[tensor.type]], quantization
    return ("{quant.type = !quant.uniform<"
            f"{stored.replace('ui', 'u')}:f32, {float(scale):.17e}:{zero}>}}")


def _layer(node, name):
    """Returns the text of a function `name` that has only the pooling operator `node`."""
    if node.is_global:
        _check_elements(node, GLOBAL[node.kind][1])
    else:
        _check(node)
    source, target = node.inputs[0], node.outputs[0]
    element = ELEMENTS[TYPES[source.type]]
    function = Function(name, node.title)
    dims = _dims(source)
    x = function.argument(_title(source), element, dims, _attributes(source))
    if node.is_global:
        y = _emit_global(function, node, x)
    else:
        known = _dims(target) or dims
        # If an extent of the input is unknown, the file may have a meaningless 1 for the result.
        y = _emit(function, node, x,
                  tuple(a if isinstance(a, str) else b for a, b in zip(dims, known)))
    function.returns([y], [_attributes(target)])
    return function.text()


def _check(node):
    """Raises ValueError for pooling that is not valid, or that LiteRT's kernels do not support."""
    if len(node.inputs) != 1 or len(node.outputs) != 1:
        node.fail(f"{len(node.inputs)} inputs and {len(node.outputs)} outputs, not one of each")
    if not isinstance(node.options, schema.Pool2DOptionsT):
        node.fail("it has no Pool2DOptions, which say its window")
    _check_elements(node, ["FLOAT32"] if node.kind == "L2_POOL_2D" else list(ELEMENTS))
    for tensor in (*node.inputs, *node.outputs):
        rank = len(_dims(tensor))
        if rank != 4 and (rank or tensor is node.inputs[0]):
            node.fail(f"tensor '{_title(tensor)}' has {rank} dimensions, not the four of NHWC")
    if node.options.padding not in (schema.Padding.SAME, schema.Padding.VALID):
        node.fail(f"padding is {node.options.padding}, neither SAME nor VALID")
    if node.activation not in BOUNDS:
        node.fail(f"fused_activation_function {node.activation} is not supported, and LiteRT's "
                  f"pooling ignores it; supported are {', '.join(BOUNDS)}")
    source = node.inputs[0]
    if node.activation != "NONE" and (
            TYPES[source.type] != "FLOAT32" and _quantization(source) is None):
        node.fail(f"fused_activation_function {node.activation} needs a scale, which its tensors "
                  "do not have")


def _check_elements(node, allowed):
    """Raises ValueError unless the element type of the input is in `allowed`, and the result has
    the same element type, scale and zero point."""
    ends = node.inputs[0], node.outputs[0]
    words = [TYPES.get(tensor.type, str(tensor.type)) for tensor in ends]
    if words[0] not in allowed or words[1] != words[0]:
        node.fail(f"elements of type {words[0]} to {words[1]} are not supported; both must be the "
                  f"same of {', '.join(allowed)}")
    before, after = map(_quantization, ends)
    if before != after:
        node.fail(f"its input has the scale and zero point {_shown(before)}, its output "
                  f"{_shown(after)}; they must be equal")


def _shown(quantization):
    return "none" if quantization is None else "{} and {}".format(*quantization)


def _emit(function, node, x, dims):
    """Emits the pooling operator `node` on `x`, with its fused activation. Returns the result,
    which has the extents `dims`. In a converted graph, `x` stores unsigned numbers as i8, with 128
    subtracted."""
    options = node.options
    stored = ELEMENTS[TYPES[node.inputs[0].type]]
    shift = 128 if stored == "ui8" and x.element == "i8" else 0
    function.at(node.title)
    if node.kind == "L2_POOL_2D":
        x = function.each(x, x.element, lambda region, e: region.apply("arith.mulf", e, e))
    padding = ("auto_pad same_upper same_output strided"
               if options.padding == schema.Padding.SAME else "auto_pad valid")
    rounding = ""
    if POOLING[node.kind] == "avg_pool" and stored != "f32":
        rounding = " integer_rounding half_away"
        if shift:
            rounding += f" input_zp {-shift} output_zp {-shift}"
    y = Value(function.fresh("y"), x.element, dims)
    function.line(
        f"{y.name} = pool.{POOLING[node.kind]} {x.name} "
        f"kernel [{options.filterHeight}, {options.filterWidth}] "
        f"strides [{options.strideH}, {options.strideW}] {padding} layout channels_last{rounding} "
        f": {x.type} -> {y.type}")
    if node.kind == "L2_POOL_2D":
        y = function.each(y, y.element, lambda region, e: region.apply("math.sqrt", e))
    return _clamp(function, node, y, shift)


def _emit_global(function, node, x):
    """Emits a reduction over height and width as adaptive pooling to 1 x 1, and returns the result.
    Removes these two dimensions unless the operator keeps them."""
    batch, _, _, channels = x.dims
    y = function.op(f"pool.{GLOBAL[node.kind][0]} {x.name} output_size [1, 1] layout channels_last "
                    f": {x.type} -> {tensor_type((batch, 1, 1, channels), x.element)}",
                    x.element, (batch, 1, 1, channels), "y")
    if getattr(node.options, "keepDims", False):
        return y
    dims = (batch, channels)
    return function.op(f"tensor.collapse_shape {y.name} [[0, 1, 2], [3]] : {y.type} into "
                       f"{tensor_type(dims, x.element)}", x.element, dims, "y")


def _clamp(function, node, x, shift):
    """Emits the fused activation of `node` on `x`, and returns the result. `shift` was subtracted
    from the stored numbers of `x`."""
    low, high = BOUNDS[node.activation]
    if low is None:
        return x
    if x.element != "f32":
        scale, zero = _quantization(node.inputs[0])
        least, most = RANGES[x.element]
        low, high = (most if bound is None else
                     min(max(zero - shift + _steps(bound, scale), least), most)
                     for bound in (low, high))
    signless = x.element.removeprefix("u")
    kind = {"f32": "imumf", "ui8": "ui"}.get(x.element, "si")

    def body(region, e):
        e = region.signless(e)
        for word, bound in (("max", low), ("min", high)):
            if bound is not None:
                number = float(bound) if x.element == "f32" else bound
                e = region.apply(f"arith.{word}{kind}", e, region.constant(number, signless))
        if signless != x.element:
            e = region.convert("builtin.unrealized_conversion_cast", e, x.element)
        return e

    return function.each(x, x.element, body)


def _emit_quantize(function, node, x, element):
    """Emits `saturate(round(x / scale) + zero_point)`, and returns the result. Halves are rounded
    away from zero, as in LiteRT's AffineQuantize. NaN becomes the least integer."""
    function.at(node.title)
    stored = ELEMENTS[TYPES[node.outputs[0].type]]
    scale, zero = _quantization(node.outputs[0])
    zero -= 128 if stored == "ui8" and element == "i8" else 0
    least, most = (bound - zero for bound in RANGES[element])
    signless = element.removeprefix("u")

    def body(region, e):
        e = region.apply("arith.divf", e, region.constant(repr(float(scale)), "f32"))
        e = region.apply("math.round", e)
        e = region.apply("arith.maxnumf", e, region.constant(float(least), "f32"))
        e = region.apply("arith.minnumf", e, region.constant(float(most), "f32"))
        e = region.convert("arith.fptosi", e, "i32")
        e = region.apply("arith.addi", e, region.constant(zero, "i32"))
        e = region.convert("arith.trunci", e, signless)
        if signless != element:
            e = region.convert("builtin.unrealized_conversion_cast", e, element)
        return e

    return function.each(x, element, body)


def _steps(bound, scale):
    """Returns `bound / scale` as an integer, computed as in LiteRT's
    CalculateActivationRangeQuantized: the quotient is rounded to f32, and then to an integer, with
    halves away from zero."""
    quotient = float(np.float32(min(abs(bound) / float(scale), 2.0**31)))
    return int(math.copysign(math.floor(quotient + 0.5), bound))


# Whole graphs.


def _whole_graph(model):
    """Returns the text of a module with three kinds of functions: (1) @main, (2) @graph, the
    converted graph, which @main calls, and (3) a function for each pooling operator and each
    quantization of floats, which @graph calls."""
    if not model.outputs:
        raise ValueError(f"{model.path}: the first graph has no outputs")
    tree, nodes = model.tree, model.graphs[0]
    graph = tree.subgraphs[0]
    own = {}
    for node in nodes:
        if node.kind in POOLING:
            _check(node)
        else:
            _check_around(node, model.get_advice())
        if node.kind in POOLING or node.is_quantizing:
            name = f"{node.kind.lower()}_{len(own)}"
            own[name] = node
            _make_custom(tree, node.operator, name)
    # The converter names the function after one of these fields, and we need @main.
    graph.name, tree.signatureDefs, tree.metadata, tree.description = b"main", None, None, None
    text = re.sub(r'loc\(("(?:[^"\\]|\\.)*")\(#loc\)\)', r"loc(\1)", convert(_pack(tree), model.path))
    functions = []

    def call(match):
        node = own[match[2]]
        function = Function(match[2], node.title)
        element, dims = _tensor(match[4])
        x = function.argument("x", *_tensor(match[3]))
        function.returns([_emit_quantize(function, node, x, element) if node.is_quantizing
                          else _emit(function, node, x, dims)])
        functions.append(function.text().replace("func.func", "func.func private", 1))
        return f"func.call @{match[2]}({match[1]}) : ({match[3]}) -> {match[4]}"

    text = re.sub(r'tosa\.custom (%\w+) \{.*operator_name = "(\w+)"\} : \((.*)\) -> (tensor<\S+>)',
                  call, text)
    functions.append(_main(model, text))
    text = text.replace("func.func @main(", "func.func private @graph(")
    return re.sub(r"^(module.*\{)$", lambda match: "\n".join([match[1], *functions]), text, count=1,
                  flags=re.MULTILINE)


def _check_around(node, advice):
    """Raises ValueError for an operator whose TOSA, as the converter writes it, may compute other
    numbers than LiteRT."""
    if node.kind not in SUPPORTED:
        node.fail(f"the operator is not supported in a whole graph{advice}")
    word = TYPES.get(node.inputs[0].type) if node.inputs else None
    if word not in ELEMENTS:
        node.fail(f"elements of type {word} are not supported; supported are "
                  f"{', '.join(ELEMENTS)}{advice}")
    if node.kind in GLOBAL and not node.reduces_planes:
        node.fail(f"its axes are not height and width{advice}")
    if node.is_quantizing and (
            ELEMENTS.get(TYPES.get(node.outputs[0].type), "f32") == "f32"
            or _quantization(node.outputs[0]) is None):
        node.fail("its output needs a scale and one of the types "
                  f"{', '.join(word for word in ELEMENTS if word != 'FLOAT32')}")


def _make_custom(tree, operator, name):
    """Turns an operator into a custom one called `name`, which the converter does not change."""
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
    code.customCode = name
    operator.opcodeIndex = len(tree.operatorCodes)
    tree.operatorCodes.append(code)
    operator.builtinOptionsType, operator.builtinOptions = 0, None


def _main(model, text):
    """Returns the text of @main, which calls @graph. Its arguments have the names in the file. Its
    arguments and results have the quantization parameters in the file."""
    signature = re.search(r"func\.func @main\(.*", text)[0]
    before, after = ([_tensor(kind) for kind in re.findall(r"tensor<[^>]*>", part)]
                     for part in signature.split(" -> ", 1))
    function = Function("main", "main")
    arguments = [function.argument(_title(tensor), *kind, _attributes(tensor))
                 for tensor, kind in zip(model.inputs, before)]
    name = function.fresh("r")
    results = [Value(f"{name}#{i}", *after[i]) for i in range(len(model.outputs))]
    function.line(f"{name}:{len(results)} = func.call @graph("
                  f"{', '.join(value.name for value in arguments)}) : "
                  f"({', '.join(value.type for value in arguments)}) -> "
                  f"({', '.join(value.type for value in results)})")
    function.returns(results, [_attributes(tensor) for tensor in model.outputs])
    return function.text()


def _tensor(text):
    """Returns (element type, extents) of the text of a tensor type. An unknown extent becomes a
    name."""
    *extents, element = text.removeprefix("tensor<").removesuffix(">").split("x")
    return element, tuple(f"#{d}" if extent == "?" else int(extent)
                          for d, extent in enumerate(extents))
