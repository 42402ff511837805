"""ONNX's reference evaluator, the Python code of the package onnx."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from ..adapter import Adapter, Results, Unsupported
from ..vector import Vector
from .onnxruntime import check_index_type, make_model, script


class OnnxReference(Adapter):
    """`onnx.reference.ReferenceEvaluator` for values, `onnx.shape_inference` for shapes."""

    title = "ONNX reference"
    requirements = ("onnx", "numpy")
    documents = ("onnx",)
    tracker = "https://github.com/onnx/onnx/issues"

    def __init__(self) -> None:
        import onnx.reference
        import onnx.shape_inference
        self.onnx = onnx

    def version(self) -> str:
        return self.onnx.__version__

    def run(self, vector: Vector) -> Results:
        model = self.onnx.load_from_string(make_model(vector))
        feeds = {name: tensor.ml_dtypes() for name, tensor in vector.inputs.items()}
        with self.system():
            session = self.onnx.reference.ReferenceEvaluator(model)
            found = dict(zip(vector.outputs, session.run(list(vector.outputs), feeds)))
        if "indices" in found:
            found["indices"] = found["indices"].astype("int" + vector["index_type"][1:])
        return found

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        check_index_type(vector)
        model = self.onnx.load_from_string(make_model(vector))
        with self.system():
            inferred = self.onnx.shape_inference.infer_shapes(model, strict_mode=True)
        shapes = {}
        for output in inferred.graph.output:
            if not output.type.tensor_type.HasField("shape"):
                raise Unsupported(f"ONNX infers no shape of {vector.operation}")
            shapes[output.name] = tuple(
                dim.dim_value for dim in output.type.tensor_type.shape.dim)
        return {name: shapes[name] for name in vector.outputs}

    def reproduce(self, vector: Vector) -> str:
        return script(vector, "session = onnx.reference.ReferenceEvaluator(model)\n"
                      "print(session.run(None, feeds))", "import onnx.reference")


ADAPTERS = {"onnx-reference": OnnxReference}
