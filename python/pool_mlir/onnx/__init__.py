# Imports ONNX models to the pool dialect. This is pure Python on the onnx package; it needs
# no compiled code.
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

    model_or_path: an onnx.ModelProto, its serialised bytes, or the path of a file.
    pool_layers: False makes one function `@main` of the graph, which may hold only pooling
        and elementwise nodes. True makes a function of each pooling node, named after the
        node, and skips all other nodes; input types come from onnx.shape_inference.
    unpool_indices: the shape to which the indices of a MaxUnpool with output_shape refer:
        the "inferred" one (the standard), or the "given" one (ONNX Runtime, PyTorch).

    Pooling nodes of opsets 1 to 22 become operations of the pool dialect with every
    attribute: MaxPool, AveragePool, LpPool, GlobalMaxPool, GlobalAveragePool, GlobalLpPool,
    MaxUnpool, and each ReduceMean or ReduceMax that is global pooling. Nodes that quantise with
    one scale and ONNX Runtime's quantised pooling are supported too. See
    docs/Guides/ImportONNX.md.
    Elementwise nodes become linalg.generic. A name that is no MLIR symbol is changed to one,
    and the location of the function holds the true name. An unknown extent is `?`.

    Raises ValueError for a malformed or unsupported model, with the name of the
    node at fault, if any. With pool_layers also for a model without pooling. Warns if pooling of
    a domain that is not supported is left out.
    """
    if unpool_indices not in ("inferred", "given"):
        raise ValueError(f"unpool_indices is {unpool_indices!r}, neither 'inferred' nor 'given'")
    model = load(model_or_path, weights=not pool_layers)
    text = (_layers.pool_layers(model, unpool_indices) if pool_layers
            else _graph.whole_graph(model, unpool_indices, _layers.get_advice))
    return f"module {{\n{text}\n}} loc({quoted(model.graph.name)})\n"


def load(model_or_path, weights):
    """Returns the model of a path, of bytes, or the model given; `weights` says whether to read
    the weights that the model keeps in other files."""
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
    """Refuses strings that are not UTF-8, which Protobuf returns as bytes."""
    for field, value in message.ListFields():
        if field.type not in (field.TYPE_STRING, field.TYPE_MESSAGE):
            continue
        for one in [value] if isinstance(value, (str, bytes, Message)) else value:
            if isinstance(one, Message):
                _check_strings(one)
            elif not isinstance(one, str):
                raise ValueError(f"not an ONNX model: {field.full_name} is not UTF-8: {one!r}")
