# Imports ONNX models to the pool dialect. This is pure Python on the onnx package. It needs no
# compiled code.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports ONNX models: `import_onnx`."""

import os

import onnx
from google.protobuf.message import Message

from .._writer import quoted
from . import graph as _graph
from . import layers as _layers

__all__ = ["import_onnx"]


def import_onnx(model_or_path, pool_layers=False, *, unpool_indices="inferred"):
    """Imports an ONNX model, and returns the text of an MLIR module.

    model_or_path: an onnx.ModelProto, its serialized bytes, or the path of a file.
    pool_layers: False imports the graph as one function `@main`. The graph may have only the nodes
        in docs/Guides/ImportONNX.md. True imports each pooling node as a function named after the
        node, and skips all other nodes; types of inputs come from onnx.shape_inference.
    unpool_indices: the shape to which the indices of a MaxUnpool with output_shape refer: the
        "inferred" one (the standard), or the "given" one (ONNX Runtime, PyTorch).

    Pooling nodes of opsets 1 to 22 become operations of the pool dialect with every attribute:
    MaxPool, AveragePool, LpPool, GlobalMaxPool, GlobalAveragePool, GlobalLpPool, MaxUnpool, and
    each ReduceMean or ReduceMax that is global pooling. ONNX Runtime's quantized pooling is
    imported too, and nodes that quantize or dequantize with one scale for the whole tensor. See
    docs/Guides/ImportONNX.md.
    A name that is not an MLIR symbol is changed to one,
    and the location of the function has the original name. An unknown extent becomes `?`.

    Raises ValueError for a malformed or unsupported model, with the name of the node at fault, if
    there is one; with pool_layers also for a model without pooling. Raises OSError for a file that
    cannot be read. With pool_layers, warns if it skips a node that looks like sliding-window
    pooling but is not supported.
    """
    if unpool_indices not in ("inferred", "given"):
        raise ValueError(f"unpool_indices is {unpool_indices!r}, neither 'inferred' nor 'given'")
    model = load(model_or_path, weights=not pool_layers)
    text = (_layers.pool_layers(model, unpool_indices) if pool_layers
            else _graph.whole_graph(model, unpool_indices, _layers.get_advice))
    return f"module {{\n{text}\n}} loc({quoted(model.graph.name)})\n"


def load(model_or_path, weights):
    """Returns the model in a file or in bytes, or the model itself if it is given. `weights` says
    whether to read the weights that a file keeps in other files. Raises ValueError if this is not
    an ONNX model, and OSError if a file cannot be read."""
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
    """Raises ValueError for a string that is not UTF-8, anywhere in `message`. Protobuf returns
    such strings as bytes."""
    for field, value in message.ListFields():
        if field.type not in (field.TYPE_STRING, field.TYPE_MESSAGE):
            continue
        for one in [value] if isinstance(value, (str, bytes, Message)) else value:
            if isinstance(one, Message):
                _check_strings(one)
            elif not isinstance(one, str):
                raise ValueError(f"not an ONNX model: {field.full_name} is not UTF-8: {one!r}")
