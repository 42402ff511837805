"""ExecuTorch: PyTorch's functions exported and run by the portable kernels."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from importlib import metadata
from typing import Any

from ..adapter import Adapter, Results, Unsupported
from ..vector import Vector
from ._view import python_call
from .torch import from_torch, make_call, to_torch, torch_literal, view_of

# Exports and runs a function: `run` executes this text, and `reproduce` writes it.
RUNNER = '''\
import torch
import torch.nn.functional as F
from executorch.exir import to_edge
from executorch.runtime import Runtime

class Pool(torch.nn.Module):
    def __init__(self, function, keywords):
        super().__init__()
        self.function, self.keywords = function, keywords

    def forward(self, *inputs):
        return getattr(F, self.function)(*inputs, **self.keywords)

def call(function, keywords, *inputs):
    exported = torch.export.export(Pool(function, keywords), inputs)
    program = to_edge(exported).to_executorch()
    method = Runtime.get().load_program(program.buffer).load_method("forward")
    return method.execute(list(inputs))
'''


class ExecuTorch(Adapter):
    """The runtime of the Python package, without delegates."""

    title = "ExecuTorch"
    requirements = ("executorch", "torch", "numpy")
    documents = ("pytorch",)
    tracker = "https://github.com/pytorch/executorch/issues"
    timeout = 120.0

    def __init__(self) -> None:
        names: dict[str, Any] = {}
        exec(RUNNER, names)
        self.torch, self.call = names["torch"], names["call"]
        self.torch.set_num_threads(1)

    def version(self) -> str:
        return metadata.version("executorch")

    @staticmethod
    def _call(vector: Vector) -> tuple[Any, str, list[str], dict[str, Any]]:
        if vector.operation.endswith("_grad"):
            raise Unsupported("ExecuTorch runs no gradients")
        if vector.operation == "adaptive_max_pool":
            raise Unsupported("the Core ATen operators have no adaptive_max_pool")
        view = view_of(vector)
        name, inputs, keywords = make_call(view.vector)
        return view, name, inputs, keywords

    def run(self, vector: Vector) -> Results:
        view, name, inputs, keywords = self._call(vector)
        tensors = [to_torch(self.torch, view.vector.inputs[i]) for i in inputs]
        with self.system():
            found = self.call(name, keywords, *tensors)
        results: dict[str, Any] = {which: from_torch(self.torch, tensor)
                                   for which, tensor in zip(vector.outputs, found)}
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return view.back(results)

    def reproduce(self, vector: Vector) -> str:
        view, name, inputs, keywords = self._call(vector)
        lines = [f"{i} = {torch_literal(view.vector.inputs[i])}" for i in inputs]
        call = python_call("call", [repr(name), repr(keywords), *inputs], {})
        return "\n".join(["import numpy as np", RUNNER, *lines, f"print({call})"]) + "\n"


ADAPTERS = {"executorch": ExecuTorch}
