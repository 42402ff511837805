"""MNN, by ONNX models that its own converter translates."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from ..adapter import Adapter, Refused, Results, Unsupported
from ..vector import Vector
from .onnxruntime import make_model, script

# Calls the converter's library. Never import MNN.tools.mnnconvert: its logger runs
# `pip install` of another package, and reports each conversion to MNN's makers.
CONVERT = "import sys, MNN, _tools; _tools.mnnconvert(['mnnconvert', *sys.argv[1:]])"


class Mnn(Adapter):
    """The CPU backend, on one thread in high precision."""

    title = "MNN (ONNX)"
    requirements = ("MNN", "onnx", "numpy")
    documents = ("onnx",)
    tracker = "https://github.com/alibaba/MNN/issues"
    timeout = 60.0

    def __init__(self) -> None:
        import MNN
        import MNN.nn
        import onnx  # noqa: F401
        self.mnn = MNN

    def version(self) -> str:
        return self.mnn.version()

    def run(self, vector: Vector) -> Results:
        if vector.type != "f32":
            raise Unsupported(f"MNN's poolings have no {vector.type}")
        if vector.operation == "max_unpool":
            raise Unsupported("MNN has no MaxUnpool")
        model = make_model(vector)
        with tempfile.TemporaryDirectory() as directory:
            source, target = Path(directory) / "pool.onnx", Path(directory) / "pool.mnn"
            source.write_bytes(model)
            process = subprocess.run(
                [sys.executable, "-c", CONVERT, "-f", "ONNX", "--modelFile", str(source),
                 "--MNNModel", str(target), "--bizCode", "MNN"],
                capture_output=True, text=True, check=False, cwd=directory)
            if not target.exists():
                if process.returncode < 0:
                    os.kill(os.getpid(), -process.returncode)
                lines = (process.stdout + process.stderr).strip().splitlines() or ["no message"]
                raise Refused(f"mnnconvert: {lines[-1]}"[:300])
            with self.system():
                config = {"precision": "high", "backend": "CPU", "numThread": 1}
                runtime = self.mnn.nn.create_runtime_manager((config,))
                net = self.mnn.nn.load_module_from_file(
                    str(target), ["x"], list(vector.outputs), runtime_manager=runtime)
                expr = self.mnn.expr
                x = np.ascontiguousarray(vector.x.array)
                data = expr.const(x, list(x.shape), expr.NCHW, expr.float)
                found = net.onForward([data])
                results = {name: np.array(expr.convert(y, expr.NCHW).read())
                           for name, y in zip(vector.outputs, found)}
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return results

    def reproduce(self, vector: Vector) -> str:
        run = f'''\
import subprocess, sys
open("pool.onnx", "wb").write(model.SerializeToString())
subprocess.run([sys.executable, "-c", {CONVERT!r}, "-f", "ONNX",
                "--modelFile", "pool.onnx", "--MNNModel", "pool.mnn", "--bizCode", "MNN"])
runtime = MNN.nn.create_runtime_manager(({{"precision": "high", "backend": "CPU"}},))
net = MNN.nn.load_module_from_file("pool.mnn", ["x"], {list(vector.outputs)!r},
                                   runtime_manager=runtime)
x = feeds["x"]
found = net.onForward([MNN.expr.const(x, list(x.shape), MNN.expr.NCHW, MNN.expr.float)])
print([np.array(MNN.expr.convert(y, MNN.expr.NCHW).read()) for y in found])'''
        return script(vector, run, "import MNN\nimport MNN.nn")


ADAPTERS = {"mnn": Mnn}
