"""Reads a model (.mlir, .onnx, .tflite or .xml) as the text of a module."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re

from . import import_onnx, import_openvino, import_tflite

# OPERATION matches the beginning of an operation's text, TENSOR a tensor type.
OPERATION = re.compile(r"pool\.\w+ ")
TENSOR = re.compile(r"tensor<(?:[^<>]|<[^<>]*>)*>")
IMPORTERS = {".onnx": import_onnx, ".tflite": import_tflite, ".xml": import_openvino}
# Suffixes of the models that must be imported. A .mlir file is the text of a module already.
MODELS = tuple(IMPORTERS)


def is_text(source):
    """True if `source` is the text of a module or of one operation, False if it is a path.
    `compile` tells texts of modules from paths by the same rule, but does not accept a single
    operation."""
    return "\n" in source or "{" in source or bool(OPERATION.match(source))


def make_module(text):
    """Returns the text of a module: `text` itself, or a function `@main` with the single operation
    `text`. Raises ValueError if an operation lacks the types of operands or results."""
    if not OPERATION.match(text):
        return text
    head, _, types = text.rpartition(" : ")
    operands, arrow, results = (TENSOR.findall(part) for part in types.partition("->"))
    names = re.findall(r"%\w+", head)
    if arrow or len(operands) != len(names) or not results:
        raise ValueError(f"'{text}': expected operands and their types, then -> and the types of "
                         "the results")
    arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(names, operands))
    values, kinds = ", ".join(f"%r{i}" for i in range(len(results))), ", ".join(results)
    return (f"func.func @main({arguments}) -> ({kinds}) {{\n  {values} = {text}\n"
            f"  return {values} : {kinds}\n}}\n")


def read_module(path, pool_layers=False):
    """Returns the text of a .mlir file, or the imported module of a model. `pool_layers` has no
    effect on a .mlir file. Raises ValueError for any other suffix."""
    path = pathlib.Path(path)
    suffix = path.suffix.lower()
    if suffix in IMPORTERS:
        try:
            return IMPORTERS[suffix](path, pool_layers=pool_layers)
        except ValueError as error:
            # The message names an argument of Python. The command has an option instead.
            raise ValueError(str(error).replace("pool_layers=True", "--pool-layers")) from error
    if suffix != ".mlir":
        raise ValueError(f"{path}: expected a .mlir, .onnx, .tflite or .xml file")
    return path.read_text(encoding="utf-8")
