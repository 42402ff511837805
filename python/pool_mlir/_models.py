"""Models of every kind as text of a module."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib

from . import import_onnx, import_openvino


def read_module(path, pool_layers=False):
    """The module of a .mlir file, or that which a model is imported as. Of a
    .mlir file all of it, whatever `pool_layers` says: its operations are found."""
    path = pathlib.Path(path)
    suffix = path.suffix.lower()
    if suffix == ".xml":
        return import_openvino(path, pool_layers=pool_layers)
    if suffix == ".onnx":
        return import_onnx(path, pool_layers=pool_layers)
    if suffix != ".mlir":
        raise ValueError(f"{path}: expected a .mlir, .onnx or .xml file")
    return path.read_text(encoding="utf-8")
