"""tract, a runtime for ONNX models in Rust."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from ..adapter import Adapter, Results, Unsupported
from ..vector import Vector
from .onnxruntime import NODES, check_index_type, make_model, script


class Tract(Adapter):
    """Models of one ONNX node, optimised and run by tract."""

    title = "tract"
    requirements = ("tract", "onnx", "numpy")
    documents = ("onnx",)
    tracker = "https://github.com/sonos/tract/issues"

    def __init__(self) -> None:
        import onnx  # noqa: F401
        import tract
        self.tract = tract

    def version(self) -> str:
        return self.tract.version()

    def _load(self, model: bytes) -> Any:
        handle, name = tempfile.mkstemp(suffix=".onnx")
        os.close(handle)
        path = Path(name)
        try:
            path.write_bytes(model)
            with self.system():
                return self.tract.onnx().load(path)
        finally:
            path.unlink()

    def _model(self, vector: Vector) -> Any:
        if vector.type in ("bf16", "f8E4M3FN", "f8E5M2"):
            raise Unsupported(f"tract's Python tensors have no {vector.type}")
        if vector.operation in ("lp_pool", "max_unpool"):
            raise Unsupported(f"tract implements no {NODES[vector.operation]}")
        return self._load(make_model(vector))

    def run(self, vector: Vector) -> Results:
        model = self._model(vector)
        arrays = [tensor.array for tensor in vector.inputs.values()]
        with self.system():
            runnable = model.into_model().into_runnable()
            found = [tensor.to_numpy() for tensor in runnable.run(arrays)]
        results = dict(zip(vector.outputs, found))
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return results

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        check_index_type(vector)
        model = self._model(vector)
        with self.system():
            model.analyse()
            facts = [str(model.output_fact(i).dump()) for i in range(len(vector.outputs))]
        shapes = {}
        for name, fact in zip(vector.outputs, facts):
            parts = fact.split(",")[:-1]
            if not parts or not all(part.isdigit() for part in parts):
                raise Unsupported(f"tract infers the fact '{fact}' only")
            shapes[name] = tuple(map(int, parts))
        return shapes

    def reproduce(self, vector: Vector) -> str:
        return script(vector, "open('pool.onnx', 'wb').write(model.SerializeToString())\n"
                      "runnable = tract.onnx().load('pool.onnx').into_model().into_runnable()\n"
                      "print([y.to_numpy() for y in runnable.run(list(feeds.values()))])",
                      "import tract")


ADAPTERS = {"tract": Tract}
