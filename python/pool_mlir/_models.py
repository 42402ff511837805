"""Models of every format as text of a module."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib

from . import import_onnx, import_openvino


def read_module(path, pool_layers=False):
    """The text of a .mlir file, or the module that a model is imported as.
    `pool_layers` has no effect on a .mlir file, whose operations are found
    anyway."""
    path = pathlib.Path(path)
    suffix = path.suffix.lower()
    if suffix == ".xml":
        return import_openvino(path, pool_layers=pool_layers)
    if suffix == ".onnx":
        return import_onnx(path, pool_layers=pool_layers)
    if suffix != ".mlir":
        raise ValueError(f"{path}: expected a .mlir, .onnx or .xml file")
    return path.read_text(encoding="utf-8")
