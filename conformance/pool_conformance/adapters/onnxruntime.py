"""ONNX Runtime's CPU provider, by models of one node.

This file is also the example for other adapters.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

from ..adapter import Adapter, Results, Unsupported, literal
from ..tensor import Tensor
from ..vector import Vector

OPSET = 22
NODES = {"max_pool": "MaxPool", "avg_pool": "AveragePool", "lp_pool": "LpPool",
         "max_unpool": "MaxUnpool"}
GLOBAL_NODES = {"adaptive_max_pool": "GlobalMaxPool", "adaptive_avg_pool": "GlobalAveragePool"}
# Element types that the ONNX document gives for a node; the others take these floats only
FLOATS = ("f16", "bf16", "f32", "f64")
NODE_TYPES = {"MaxPool": (*FLOATS, "i8", "ui8")}
# Names of TensorProto's element types
ELEMENT_TYPES = {"f16": "FLOAT16", "bf16": "BFLOAT16", "f32": "FLOAT", "f64": "DOUBLE",
                 "i8": "INT8", "ui8": "UINT8", "i16": "INT16", "ui16": "UINT16",
                 "i32": "INT32", "i64": "INT64", "ui32": "UINT32", "ui64": "UINT64",
                 "f8E4M3FN": "FLOAT8E4M3FN", "f8E5M2": "FLOAT8E5M2"}


def make_node(vector: Vector) -> tuple[str, dict[str, Any]]:
    """Returns the name and the attributes of the ONNX node that computes a vector.

    ONNX states: SAME gives ceil(I / s) windows, ceil_mode drops a window that starts in the end
    padding, count_include_pad counts the padding but no overhang, indices count from axis 0.
    """
    op = vector.operation
    Adapter.check_axis(vector, 0)
    if op in NODES and vector.type not in NODE_TYPES.get(NODES[op], FLOATS):
        raise Unsupported(f"ONNX has no {NODES[op]} of {vector.type}")
    if op in GLOBAL_NODES and all(size == 1 for size in vector["output_size"]):
        if vector["index_type"]:
            raise Unsupported("global pooling of ONNX has no indices")
        Adapter.only(vector, layout="channels_first", input_zp=0, output_zp=0)
        if vector.type not in FLOATS:
            raise Unsupported(f"ONNX has no {GLOBAL_NODES[op]} of {vector.type}")
        Adapter.check_nan(vector, None)
        return GLOBAL_NODES[op], {}
    if op not in NODES:
        raise Unsupported(f"ONNX has no {op}")
    if op == "max_unpool":
        if not vector["kernel"]:
            raise Unsupported("ONNX unpools with a kernel only")
        Adapter.check_axis(vector, 0)
        return NODES[op], {"kernel_shape": vector["kernel"], "strides": vector["strides"],
                           "pads": vector["pads_begin"] + vector["pads_end"]}
    Adapter.only(vector, layout="channels_first", pad_value="neg_inf", divisor_override=None,
                 input_zp=0, output_zp=0, normalize="none", integer_rounding="half_even")
    Adapter.check_nan(vector, None if op == "max_pool" else "propagate")
    rounding = Adapter.choose(vector, "rounding_type", "ceil_torch", "floor")
    attributes = {"kernel_shape": vector["kernel"], "strides": vector["strides"],
                  "dilations": vector["dilations"], "ceil_mode": int(rounding != "floor")}
    if vector["auto_pad"] == "explicit":
        attributes["pads"] = vector["pads_begin"] + vector["pads_end"]
    else:
        attributes["auto_pad"] = vector["auto_pad"].upper()
    if vector["auto_pad"].startswith("same"):
        Adapter.choose(vector, "same_output", "strided")
    if op == "avg_pool":
        divisor = Adapter.choose(vector, "divisor", "padded", "valid")
        attributes["count_include_pad"] = int(divisor == "padded")
    if op == "lp_pool":
        if vector["p"] != int(vector["p"]):
            raise Unsupported("ONNX's p is an integer")
        attributes["p"] = int(vector["p"])
    return NODES[op], attributes


def check_index_type(vector: Vector) -> None:
    """Raises Unsupported unless indices are i64. Without data, the type decides if indices
    fit, and there is nothing to convert."""
    if vector["index_type"] not in (None, "i64"):
        raise Unsupported(f"ONNX has no indices of {vector['index_type']}")


def make_model(vector: Vector) -> bytes:
    """Returns a model of the vector as bytes; its inputs and outputs have the vector's names."""
    from onnx import TensorProto, helper

    op_type, attributes = make_node(vector)
    inputs = [helper.make_tensor_value_info(
        name, getattr(TensorProto, ELEMENT_TYPES[data["type"]]), data["shape"])
        for name, data in vector.json["inputs"].items()]
    outputs = [helper.make_tensor_value_info(
        name, getattr(TensorProto, ELEMENT_TYPES["i64" if name == "indices" else
                                                 vector.output_type(name)]), None)
        for name in vector.outputs]
    names = list(vector.json["inputs"])
    initializers = []
    if vector.operation == "max_unpool":
        names.append("output_shape")
        shape = vector["output_shape"]
        initializers = [helper.make_tensor("output_shape", TensorProto.INT64, [len(shape)],
                                           shape)]
    node = helper.make_node(op_type, names, list(vector.outputs), **attributes)
    graph = helper.make_graph([node], "pool", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)],
                              ir_version=10)
    return model.SerializeToString()


def script(vector: Vector, run: str, imports: str) -> str:
    """Returns a script that makes the vector's model and then does `run`, which may use the
    model `model` and the dictionary of inputs `feeds`. Other adapters of ONNX use it too."""
    op_type, attributes = make_node(vector)
    lines = [imports, "import numpy as np", "from onnx import TensorProto as T, helper as h",
             ""]
    inputs = dict(vector.inputs)
    if any(t.type in ("bf16", "f8E4M3FN", "f8E5M2") for t in inputs.values()):
        lines.insert(1, "import ml_dtypes")
    if vector.operation == "max_unpool":
        import numpy as np
        inputs["output_shape"] = Tensor.of(np.array(vector["output_shape"], np.int64))
    text = "".join(f", {name}={value!r}" for name, value in attributes.items())
    lines += [f"feeds = {{{', '.join(f'{n!r}: {literal(t)}' for n, t in inputs.items())}}}",
              f"node = h.make_node({op_type!r}, {list(inputs)!r}, {list(vector.outputs)!r}"
              f"{text})"]
    infos = ", ".join(f"h.make_tensor_value_info({n!r}, T.{ELEMENT_TYPES[t.type]}, "
                      f"{list(t.shape)})" for n, t in inputs.items())
    results = ", ".join(
        f"h.make_tensor_value_info({n!r}, "
        f"T.{ELEMENT_TYPES['i64' if n == 'indices' else vector.output_type(n)]}, None)"
        for n in vector.outputs)
    lines += [f"graph = h.make_graph([node], 'pool', [{infos}], [{results}])",
              f"model = h.make_model(graph, opset_imports=[h.make_opsetid('', {OPSET})], "
              "ir_version=10)", run]
    return "\n".join(lines) + "\n"


class OnnxRuntime(Adapter):
    """The runtime's CPU execution provider."""

    title = "ONNX Runtime"
    requirements = ("onnxruntime", "onnx")
    documents = ("onnx",)
    tracker = "https://github.com/microsoft/onnxruntime/issues"

    def __init__(self) -> None:
        import onnx  # noqa: F401
        import onnxruntime
        self.runtime = onnxruntime
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = self.options.inter_op_num_threads = 1
        self.options.log_severity_level = 4

    def version(self) -> str:
        return self.runtime.__version__

    def _session(self, vector: Vector) -> Any:
        model = make_model(vector)
        with self.system():
            return self.runtime.InferenceSession(model, self.options,
                                                 providers=["CPUExecutionProvider"])

    def run(self, vector: Vector) -> Results:
        if vector.type in ("bf16", "f8E4M3FN", "f8E5M2"):
            raise Unsupported(f"the CPU provider's pooling has no {vector.type}")
        session = self._session(vector)
        feeds = {name: tensor.array for name, tensor in vector.inputs.items()}
        with self.system():
            results = dict(zip(vector.outputs, session.run(list(vector.outputs), feeds)))
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return results

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        check_index_type(vector)
        if vector["index_type"] == "i32":
            raise Unsupported("ONNX's indices are i64")
        outputs = {output.name: output.shape for output in self._session(vector).get_outputs()}
        return {name: tuple(outputs[name]) for name in vector.outputs}

    def reproduce(self, vector: Vector) -> str:
        return script(vector, "session = onnxruntime.InferenceSession("
                      "model.SerializeToString(), providers=['CPUExecutionProvider'])\n"
                      "print(session.run(None, feeds))", "import onnxruntime")


ADAPTERS = {"onnxruntime": OnnxRuntime}
