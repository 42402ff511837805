# ONNX models as MLIR: the door through which a .onnx file comes to the pool
# dialect. Pure Python on the onnx package; nothing compiled is needed.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports ONNX models: `import_onnx`."""

import os

import onnx
from google.protobuf.message import Message

from . import graph as _graph
from .writer import quoted

__all__ = ["import_onnx"]


def import_onnx(model_or_path, pool_layers=False, *, unpool_indices="inferred"):
    """Imports an ONNX model as the text of an MLIR module.

    `model_or_path` is an onnx.ModelProto, its serialised bytes, or the path of a
    file. MaxPool, AveragePool, LpPool, GlobalMaxPool, GlobalAveragePool,
    GlobalLpPool and MaxUnpool of opsets 1 to 22 become operations of the pool
    dialect with every attribute, and so do ReduceMean and ReduceMax where they are
    global pooling; docs/Guides/ImportONNX.md says how.

    By default the graph becomes one function `@main` with the graph's inputs and
    outputs; between the pooling nodes may stand elementwise ones, which become
    linalg.generic. With `pool_layers` each pooling node of the model, whatever
    else is in it, becomes a function named after the node, with input types from
    onnx.shape_inference. A name that is no MLIR symbol is changed to one; the
    location of the function holds the true name. An unknown extent is `?`.

    `unpool_indices` is the shape in which the indices of a MaxUnpool with
    output_shape are positions: the "inferred" one, as in the standard, or the
    "given" one, as in ONNX Runtime and PyTorch.

    Raises ValueError for a malformed or unsupported model, with the name of the
    node at fault, if any.
    """
    if unpool_indices not in ("inferred", "given"):
        raise ValueError(f"unpool_indices is {unpool_indices!r}, neither 'inferred' nor 'given'")
    model = _load(model_or_path, weights=not pool_layers)
    make = _graph.pool_layers if pool_layers else _graph.whole_graph
    return f"module {{\n{make(model, unpool_indices)}\n}} loc({quoted(model.graph.name)})\n"


def _load(model_or_path, weights):
    if isinstance(model_or_path, onnx.ModelProto):
        model = model_or_path
    else:
        try:
            if isinstance(model_or_path, (bytes, bytearray, memoryview)):
                model = onnx.load_model_from_string(bytes(model_or_path))
            else:
                model = onnx.load(os.fspath(model_or_path), load_external_data=weights)
        except OSError:
            raise
        except Exception as error:  # DecodeError, and what onnx raises for bad paths.
            raise ValueError(f"not an ONNX model: {error}") from error
    if not model.HasField("graph"):
        raise ValueError("not an ONNX model: it has no graph")
    _check_strings(model)
    return model


def _check_strings(message):
    """Refuses strings that are not UTF-8: Protobuf gives them as bytes, no names."""
    for field, value in message.ListFields():
        if field.type not in (field.TYPE_STRING, field.TYPE_MESSAGE):
            continue
        for one in [value] if isinstance(value, (str, bytes, Message)) else value:
            if isinstance(one, Message):
                _check_strings(one)
            elif not isinstance(one, str):
                raise ValueError(f"not an ONNX model: {field.full_name} is not UTF-8: {one!r}")
