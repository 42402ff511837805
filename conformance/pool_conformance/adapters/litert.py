"""LiteRT, the runtime of TFLite models: its default kernels and its reference kernels."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from importlib import metadata
from typing import Any

from ..adapter import Adapter, Results, Unsupported
from ..vector import Vector
from ._view import View, assignments, check_numbers, imports

OPERATORS = {"max_pool": "MAX_POOL_2D", "avg_pool": "AVERAGE_POOL_2D", "lp_pool": "L2_POOL_2D"}
TYPES = {"f32": "FLOAT32", "i8": "INT8", "ui8": "UINT8", "i16": "INT16"}
# TFLite's two rules for pads. It has no ceil.
PADDINGS = {"VALID": {"auto_pad": "valid"},
            "SAME": {"auto_pad": "same_upper", "same_output": "strided"}}

# Builds a model of one pooling. `reproduce` writes this text, and `run` executes it.
BUILDER = '''\
import flatbuffers
from ai_edge_litert import schema_py_generated as s

def make_model(operator, type, padding, kernel, strides, shape, result):
    code = s.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = getattr(s.BuiltinOperator, operator)
    code.version = 2 if operator != "L2_POOL_2D" else 1
    options = s.Pool2DOptionsT()
    options.padding = getattr(s.Padding, padding)
    options.filterHeight, options.filterWidth = kernel
    options.strideH, options.strideW = strides
    pool = s.OperatorT()
    pool.opcodeIndex, pool.inputs, pool.outputs = 0, [0], [1]
    pool.builtinOptionsType = s.BuiltinOptions.Pool2DOptions
    pool.builtinOptions = options
    graph = s.SubGraphT()
    graph.name, graph.tensors, graph.operators = b"main", [], [pool]
    graph.inputs, graph.outputs = [0], [1]
    for name, extents in ((b"x", shape), (b"y", result)):
        tensor = s.TensorT()
        tensor.name, tensor.shape, tensor.type = name, extents, getattr(s.TensorType, type)
        if type != "FLOAT32":
            tensor.quantization = s.QuantizationParametersT()
            tensor.quantization.scale, tensor.quantization.zeroPoint = [1.0], [0]
        graph.tensors.append(tensor)
    model = s.ModelT()
    model.version, model.subgraphs, model.operatorCodes = 3, [graph], [code]
    model.buffers = [s.BufferT()]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())
'''


def model_arguments(vector: Vector) -> list[Any]:
    """Returns the arguments of make_model for a vector with channels last and two dimensions.

    TFLite's documents state: SAME gives ceil(I / s) windows, averages count elements inside,
    L2 is the root of the mean of the squares inside.
    """
    op = vector.operation
    if op not in OPERATORS:
        raise Unsupported(f"TFLite has no {op}")
    if vector["index_type"]:
        raise Unsupported("TFLite has no indices")
    check_numbers(vector)
    if vector.type not in (TYPES if op != "lp_pool" else ("f32",)):
        raise Unsupported(f"LiteRT has no {op} of {vector.type}")
    Adapter.only(vector, pad_value="neg_inf", divisor_override=None, input_zp=0, output_zp=0,
                 p=2)
    if vector.type != "f32":
        Adapter.only(vector, integer_rounding="half_away")
    Adapter.check_nan(vector, None if op == "max_pool" else "propagate")
    if any(dilation != 1 for dilation in vector["dilations"]):
        raise Unsupported("TFLite has no dilations of pooling")
    if op == "avg_pool":
        Adapter.choose(vector, "divisor", "valid")
    if op == "lp_pool" and vector["normalize"] != "valid":
        raise Unsupported(f"TFLite has no normalize {vector['normalize']}")
    word = padding(vector)
    result = [1] * 4
    # The interpreter computes the shape of the result anew from the attributes.
    return [OPERATORS[op], TYPES[vector.type], word, vector["kernel"], vector["strides"],
            list(vector.shape), result]


def padding(vector: Vector) -> str:
    """Returns TFLite's word for the vector's pads."""
    for word, rule in PADDINGS.items():
        if vector.means_same(rounding_type="floor", **rule):
            return word
    # Vectors that expect an error have no windows to compare.
    pads = [*vector["pads_begin"], *vector["pads_end"]]
    if vector["auto_pad"] in ("explicit", "valid") and vector["rounding_type"] == "floor" \
            and not any(pads):
        return "VALID"
    raise Unsupported("TFLite has no pads but those of SAME and VALID, and no ceil")


class LiteRT(Adapter):
    """The default kernels, which include those of XNNPACK."""

    title = "LiteRT"
    requirements = ("ai-edge-litert", "flatbuffers", "numpy")
    documents = ("tflite",)
    tracker = "https://github.com/google-ai-edge/LiteRT/issues"
    resolver = "AUTO"

    def __init__(self) -> None:
        import flatbuffers  # noqa: F401
        from ai_edge_litert import interpreter
        self.interpreter = interpreter
        names: dict[str, Any] = {}
        exec(BUILDER, names)
        self.make_model = names["make_model"]

    def version(self) -> str:
        return metadata.version("ai-edge-litert")

    def _allocated(self, vector: Vector) -> Any:
        model = self.make_model(*model_arguments(vector))
        with self.system():
            result = self.interpreter.Interpreter(
                model_content=model, num_threads=1, experimental_op_resolver_type=getattr(
                    self.interpreter.OpResolverType, self.resolver))
            result.allocate_tensors()
        return result

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_last", (2,))
        interpreter = self._allocated(view.vector)
        with self.system():
            interpreter.set_tensor(interpreter.get_input_details()[0]["index"],
                                   view.vector.x.array)
            interpreter.invoke()
            found = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
        return view.back({"values": found})

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("LiteRT's extents have 32 bits, and it allocates the tensors")

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, "channels_last", (2,))
        arguments = model_arguments(view.vector)
        lines = imports(view.vector, "from ai_edge_litert.interpreter import *")
        text = "\n".join(lines) + "\n" + BUILDER + "\n" + "\n".join([
            *assignments(view.vector),
            f"model = make_model({', '.join(map(repr, arguments))})",
            "i = Interpreter(model_content=model, "
            f"experimental_op_resolver_type=OpResolverType.{self.resolver})",
            "i.allocate_tensors()", "i.set_tensor(i.get_input_details()[0]['index'], x)",
            "i.invoke()", "print(i.get_tensor(i.get_output_details()[0]['index']))"])
        return text + "\n"


class LiteRTReference(LiteRT):
    """The reference kernels."""

    title = "LiteRT reference kernels"
    resolver = "BUILTIN_REF"


ADAPTERS = {"litert": LiteRT, "litert-reference": LiteRTReference}
