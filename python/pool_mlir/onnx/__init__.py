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
    """The text of an MLIR module for an ONNX model.

    `model_or_path` is an onnx.ModelProto, its serialised bytes, or the path of a
    file. MaxPool, AveragePool, LpPool, GlobalMaxPool, GlobalAveragePool,
    GlobalLpPool and MaxUnpool of opsets 1 to 22 become operations of the pool
    dialect with every attribute, and so do ReduceMean and ReduceMax where they are
    global pooling; docs/ONNX.md says how.

    By default the graph becomes one function `@main` with the graph's inputs and
    outputs; between the pooling nodes may stand elementwise ones, which become
    linalg.generic. With `pool_layers` each pooling node of the model, whatever
    else is in it, becomes a function named after the node, its input types taken
    from onnx.shape_inference. A name that is no symbol of MLIR is changed until it
    is one; the location of the function is the true name. An extent that the
    model does not know is `?`.

    `unpool_indices` says what the indices of a MaxUnpool with output_shape
    count: positions of the "inferred" shape, which is the standard's reading, or
    of the "given" one, which is ONNX Runtime's and PyTorch's.

    Raises ValueError, with the node's name where a node is to blame, for what is
    malformed or not supported.
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
    """Protobuf gives a string that is not UTF-8 as bytes, which no name can be."""
    for field, value in message.ListFields():
        if field.type not in (field.TYPE_STRING, field.TYPE_MESSAGE):
            continue
        for one in [value] if isinstance(value, (str, bytes, Message)) else value:
            if isinstance(one, Message):
                _check_strings(one)
            elif not isinstance(one, str):
                raise ValueError(f"not an ONNX model: {field.full_name} is not UTF-8: {one!r}")
