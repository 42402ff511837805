"""Writes TFLite models with LiteRT's schema package, and runs them by LiteRT."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

TYPES = {np.dtype(word.lower()): getattr(schema.TensorType, word)
         for word in ("FLOAT32", "INT8", "UINT8", "INT16", "INT32", "FLOAT64")}
PADDINGS = {"SAME": schema.Padding.SAME, "VALID": schema.Padding.VALID}
POOLING = ("MAX_POOL_2D", "AVERAGE_POOL_2D", "L2_POOL_2D")
ACTIVATIONS = ("NONE", "RELU", "RELU_N1_TO_1", "RELU6")


def activation(word):
    return getattr(schema.ActivationFunctionType, word)


class Writer:
    """A model of one graph. `tensor` and `operator` add to the graph."""

    def __init__(self):
        self.graph = schema.SubGraphT()
        self.graph.name, self.graph.tensors, self.graph.operators = b"main", [], []
        self.model = schema.ModelT()
        self.model.version, self.model.subgraphs = 3, [self.graph]
        self.model.operatorCodes, self.model.buffers = [], [schema.BufferT()]
        self.dtypes = []

    def tensor(self, name, shape, dtype, quantization=None, unknown=(), data=None):
        """Adds a tensor and returns its number. The file says that the extents of the
        dimensions `unknown` are unknown."""
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = name.encode(), list(shape), TYPES[np.dtype(dtype)]
        if unknown:
            tensor.shapeSignature = [-1 if d in unknown else n for d, n in enumerate(shape)]
            tensor.shape = [1 if d in unknown else n for d, n in enumerate(shape)]
        if quantization is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = [quantization[0]]
            tensor.quantization.zeroPoint = [quantization[1]]
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            tensor.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        self.graph.tensors.append(tensor)
        self.dtypes.append(np.dtype(dtype))
        return len(self.graph.tensors) - 1

    def operator(self, kind, inputs, outputs, options="", **fields):
        """Adds an operator with options of the schema's class `options`."""
        code = schema.OperatorCodeT()
        code.builtinCode = getattr(schema.BuiltinOperator, kind)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        # Pooling takes signed integers only from version 2 on.
        code.version = 2 if kind in POOLING[:2] or options == "MeanInt" else 1
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes)
        self.model.operatorCodes.append(code)
        operator.inputs, operator.outputs = list(inputs), list(outputs)
        if options:
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, options)
            operator.builtinOptions = getattr(schema, options + "T")()
            for name, value in fields.items():
                assert hasattr(operator.builtinOptions, name)
                setattr(operator.builtinOptions, name, value)
        self.graph.operators.append(operator)
        return operator

    def pool(self, kind, source, target, padding, kernel, strides, fused="NONE"):
        return self.operator(
            kind, [source], [target], "Pool2DOptions", padding=PADDINGS[padding],
            filterHeight=kernel[0], filterWidth=kernel[1], strideH=strides[0],
            strideW=strides[1], fusedActivationFunction=activation(fused))

    def finish(self, inputs, outputs):
        """Returns the bytes of the model."""
        self.graph.inputs, self.graph.outputs = list(inputs), list(outputs)
        return self.pack()

    def pack(self):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def pooled(extents, padding, kernel, strides):
    """Returns the height and width of a pooling's result."""
    if padding == "SAME":
        return tuple(-(-n // s) for n, s in zip(extents, strides))
    return tuple((n - k) // s + 1 for n, k, s in zip(extents, kernel, strides))


def random_quantization(rng, dtype):
    """Returns a scale and a zero point, or None for floats. With these scales, the bounds of
    fused activations lie inside or outside the type's range."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return None
    limits = np.iinfo(dtype)
    scale = np.float32(10 ** rng.uniform(-2.5, 0) / (1 if dtype.itemsize == 1 else 256))
    zero = 0 if dtype == np.int16 else int(rng.integers(limits.min, limits.max + 1))
    return float(scale), zero


def random_array(rng, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (4 * rng.standard_normal(shape)).astype(dtype)
    limits = np.iinfo(dtype)
    # Half of the arrays have few different numbers. Their averages often lie halfway between
    # two integers, which tests rounding.
    if rng.integers(2):
        middle = int(rng.integers(limits.min, limits.max - 3))
        return rng.integers(middle, middle + 4, shape).astype(dtype)
    return rng.integers(limits.min, limits.max + 1, shape).astype(dtype)


def run(content, arrays, reference=True):
    """Returns LiteRT's results: by its reference kernels, or by the kernels that it chooses by
    default. By default it chooses XNNPACK's kernel where there is one."""
    interpreter = Interpreter(
        model_content=content, num_threads=1,
        experimental_op_resolver_type=OpResolverType.BUILTIN_REF if reference
        else OpResolverType.AUTO)
    for detail, array in zip(interpreter.get_input_details(), arrays):
        if tuple(detail["shape"]) != array.shape:
            interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    for detail, array in zip(interpreter.get_input_details(), arrays):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"])
            for detail in interpreter.get_output_details()]
