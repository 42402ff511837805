"""Runs models through import_onnx and pool-run, on every path.

Many models become one module with a function each, so they need only one process and one
compilation.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib
import re
import sys
import tempfile
import types
from pathlib import Path

from . import tools

PATHS = ("vector", "linalg", "reference")
SOURCE = Path(__file__).resolve().parents[3] / "python" / "pool_mlir"


def importer():
    """Loads pool_mlir.onnx from the source tree. It does not need the compiled module of
    pool_mlir, which may be missing."""
    name = "pool_mlir_source"
    if name not in sys.modules:
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(SOURCE)]
    return importlib.import_module(f"{name}.onnx")


class Runs:
    """Imported functions with their inputs, to be run together."""

    def __init__(self):
        self.cases = []

    def add(self, text, inputs, output_types, entry="main"):
        """Adds function `entry` of the module `text`, to be run on `inputs`."""
        body = text[text.index("\n") + 1:text.rindex("}")]
        name = f"case_{len(self.cases)}"
        body = body.replace(f"func.func @{entry}(", f"func.func @{name}(")
        self.cases.append((name, body, list(inputs), list(output_types)))

    def run(self, path, *options):
        """Runs the cases. Returns the outputs of each case, and pool-run's process."""
        with tempfile.TemporaryDirectory() as directory:
            batch = tools.Batch(directory)
            for name, body, inputs, types in self.cases:
                batch.add(name, body, inputs, types)
            return batch.run("--path", path, *options)


def functions(text):
    """Returns the names of the functions of a module, in order."""
    return re.findall(r"^func\.func @([\w.$]+)\(", text, re.MULTILINE)


def titles(text):
    """Yields (function's name, ONNX node's name) for each function of a module, in order."""
    return zip(functions(text), re.findall(r'^\} loc\("([^"]*)"\)', text, re.MULTILINE))
