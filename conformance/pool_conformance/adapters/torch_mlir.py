"""torch-mlir: PyTorch's functions exported, turned into linalg, and lowered by MLIR."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import importlib.util
from importlib import metadata
from typing import Any

from ..adapter import Adapter, Refused, Results, Unsupported
from ..tensor import storage
from ..vector import Vector
from . import _mlir
from ._view import python_call
from .torch import make_call, to_torch, torch_literal, view_of

# torch-mlir makes tensors of i1, which fusion removes.
PIPELINE = "func.func(linalg-fuse-elementwise-ops)," + _mlir.TO_LLVM
IMPORT = '''\
import torch
import torch.nn.functional as F
from torch_mlir import fx

class Pool(torch.nn.Module):
    def __init__(self, function, keywords):
        super().__init__()
        self.function, self.keywords = function, keywords

    def forward(self, *inputs):
        return getattr(F, self.function)(*inputs, **self.keywords)

def import_linalg(function, keywords, *inputs):
    return str(fx.export_and_import(Pool(function, keywords), *inputs,
                                    output_type="linalg-on-tensors", func_name="main"))
'''


class TorchMlir(Adapter):
    """linalg on tensors by torch-mlir; upstream MLIR lowers it to loops."""

    title = "torch-mlir"
    requirements = ("torch-mlir", "torch", _mlir.REQUIREMENT, "numpy")
    documents = ("pytorch",)
    tracker = "https://github.com/llvm/torch-mlir/issues"
    timeout = 120.0

    def __init__(self) -> None:
        names: dict[str, Any] = {}
        exec(IMPORT, names)
        self.torch, self.import_linalg = names["torch"], names["import_linalg"]
        self.torch.set_num_threads(1)
        if importlib.util.find_spec("mlir") is None:
            raise ImportError("no module named 'mlir'")

    def version(self) -> str:
        return metadata.version("torch-mlir")

    @staticmethod
    def _call(vector: Vector) -> tuple[Any, str, list[str], dict[str, Any]]:
        if vector.operation.endswith("_grad"):
            raise Unsupported("torch-mlir exports no gradients of these functions")
        view = view_of(vector)
        name, inputs, keywords = make_call(view.vector)
        return view, name, inputs, keywords

    @staticmethod
    def _types(vector: Vector) -> list[str]:
        """Returns the element types of the results: indices of PyTorch are i64."""
        return ["i64" if name == "indices" else vector.type for name in vector.outputs]

    def run(self, vector: Vector) -> Results:
        view, name, inputs, keywords = self._call(vector)
        inner = view.vector
        tensors = [to_torch(self.torch, inner.inputs[i]) for i in inputs]
        try:
            text = self.import_linalg(name, keywords, *tensors)
        except Exception as error:
            raise Refused(_mlir.message(error)) from error
        types = self._types(inner)
        _, arrays = _mlir.bits(inner)
        found = _mlir.call_apart(text, PIPELINE, arrays, [len(inner.shape)] * len(types),
                                 [str(storage(kind)) for kind in types])
        results: dict[str, Any] = dict(_mlir.results(inner, found, types))
        if "indices" in results:
            results["indices"] = results["indices"].array.astype(
                "int" + vector["index_type"][1:])
        return view.back(results)

    def reproduce(self, vector: Vector) -> str:
        view, name, inputs, keywords = self._call(vector)
        inner = view.vector
        types = self._types(inner)
        lines, _ = _mlir.bits(inner)
        lines += [f"t_{i} = {torch_literal(inner.inputs[i])}" for i in inputs]
        call = python_call("import_linalg", [repr(name), repr(keywords),
                                             *(f"t_{i}" for i in inputs)], {})
        names = [str(storage(kind)) for kind in types]
        # torch-mlir and the bindings of MLIR do not work in one process.
        first = "\n".join(["import numpy as np", IMPORT, *lines[-len(inputs):],
                           f"print({call})"])
        return "\n".join([
            "import subprocess, sys", "import numpy as np", _mlir.RUNNER,
            *lines[:-len(inputs)], f"make = {first!r}",
            "text = subprocess.run([sys.executable, '-c', make], check=True, text=True,",
            "                      stdout=subprocess.PIPE).stdout", "print(text)",
            f"pipeline = {PIPELINE!r}",
            f"print(call(text, pipeline, [{', '.join(inputs)}], "
            f"{[len(inner.shape)] * len(types)}, {names}))"]) + "\n"


ADAPTERS = {"torch-mlir": TorchMlir}
