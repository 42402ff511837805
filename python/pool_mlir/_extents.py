"""Imports the pooling layers of models with unknown extents. The caller gives numbers for the
unknown extents of the model's inputs. The library of the format (onnx, LiteRT or OpenVINO) then
computes the extents of all layers."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import tempfile

import numpy as np

from . import import_onnx, import_openvino
from ._advice import need_onnx, need_tflite


def choose(known, batch, unknown):
    """Returns `known`, the extents of an input, with each None replaced: by `batch` in dimension 0,
    and by `unknown` in all other dimensions. If `unknown` is None, those stay None."""
    return [extent if extent is not None else unknown if d else batch
            for d, extent in enumerate(known)]


def import_layers(path, batch=None, unknown=None):
    """Returns the text of a module with a function for each pooling layer of a model. First
    replaces the unknown extents of the model's inputs, so that the extents of the layers are known.

    path: a .onnx or .tflite file. A file with any other suffix is read as OpenVINO's .xml.
    batch: the number for an unknown extent in dimension 0 of an input. None means 1, or for a
        .tflite file the extent that LiteRT allocates.
    unknown: the number for an unknown extent in any other dimension. None leaves the extent
        unknown. For a .tflite file, None means the extent that LiteRT allocates, unless this is 1.

    An extent of a layer that is still unknown becomes `?`."""
    path = pathlib.Path(path)
    kind = path.suffix.lower()
    if kind == ".onnx":
        need_onnx()
        return import_onnx(_read_onnx(path, batch or 1, unknown), pool_layers=True)
    if kind == ".tflite":
        need_tflite()
        from ._tflite import import_tflite

        return import_tflite(read_tflite(path, batch, unknown), pool_layers=True)
    return _import_openvino(path, batch or 1, unknown)


def _read_onnx(path, batch, unknown):
    from .onnx import load
    from .onnx.graph import get_extent

    model = load(path, weights=False)
    stored = {tensor.name for tensor in model.graph.initializer}
    for info in model.graph.input:
        dims = info.type.tensor_type.shape.dim
        if info.name not in stored:
            known = [get_extent(dim) for dim in dims]
            for dim, extent in zip(dims, choose(known, batch, unknown)):
                if extent is not None:
                    dim.dim_value = extent
    return model


def allocate(interpreter, batch, unknown):
    """Replaces the unknown extents of the interpreter's inputs, and allocates its tensors. An
    unknown extent becomes `batch` in dimension 0, and `unknown` in all other dimensions. If this
    number is None, the extent becomes what LiteRT allocates. But outside of dimension 0 an
    allocated 1 is not used, because files also have a 1 for an extent that they do not know. Raises
    ValueError if an extent gets no number."""
    for detail in interpreter.get_input_details():
        shape, signature = (list(map(int, detail[key])) for key in ("shape", "shape_signature"))
        if len(signature) != len(shape):
            signature = shape
        extents = choose([None if extent == -1 else extent for extent in signature],
                         batch or (shape[0] if shape else 1), unknown)
        extents = [allocated if extent is None and allocated > 1 else extent
                   for extent, allocated in zip(extents, shape)]
        if None in extents:
            shown = "x".join("?" if extent is None else str(extent) for extent in extents)
            raise ValueError(f"the input '{detail['name']}' is {shown}: --unknown N gives the "
                             "extents that the model does not know")
        if extents != shape:
            interpreter.resize_tensor_input(detail["index"], extents)
    interpreter.allocate_tensors()


def set_shapes(interpreter, tensors):
    """Sets the shape of `tensors[i]` to the shape that tensor i has in LiteRT's interpreter, for
    all i. Removes `shapeSignature`, which would mark extents as unknown."""
    for detail in interpreter.get_tensor_details():
        if detail["index"] < len(tensors):
            tensor = tensors[detail["index"]]
            tensor.shape, tensor.shapeSignature = detail["shape"], None


def _has_all_shapes(interpreter, graph):
    """True if LiteRT has allocated all tensors of `graph`, the model's first graph. Before it runs,
    LiteRT cannot allocate a tensor whose shape depends on computed values, nor the tensors that are
    computed from it."""
    try:
        for operator in graph.operators:
            for index in (*operator.inputs, *operator.outputs):
                if index >= 0:
                    interpreter.tensor(int(index))()
    except ValueError:
        return False
    return True


def read_tflite(path, batch, unknown):
    """Returns a `_tflite.Model` whose tensors have the shapes that LiteRT computes. They keep the
    shapes of the file in three cases: the file already has the input shapes of all poolings, LiteRT
    cannot run the model, or allocate() finds no number for an unknown extent."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    from ._tflite import Model, _dims

    model = Model(str(path))
    if all(isinstance(extent, int) for pool in model.pools() for extent in _dims(pool.inputs[0])):
        return model
    try:
        # A delegate would replace operators, so their tensors could not be read.
        interpreter = Interpreter(
            str(path), experimental_preserve_all_tensors=True,
            experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        allocate(interpreter, batch, unknown)
        if not _has_all_shapes(interpreter, model.tree.subgraphs[0]):
            # Some shapes depend on computed values, so run the model on zeros.
            for detail in interpreter.get_input_details():
                interpreter.set_tensor(detail["index"], np.zeros(detail["shape"], detail["dtype"]))
            interpreter.invoke()
    except (ValueError, RuntimeError):
        return model
    set_shapes(interpreter, model.tree.subgraphs[0].tensors)
    return model


def _import_openvino(path, batch, unknown):
    text = import_openvino(path, pool_layers=True)
    if "?" not in text:
        return text
    try:
        import openvino

        model = openvino.Core().read_model(path)
        shapes = {}
        for value in model.inputs:
            known = [None if dim.is_dynamic else dim.get_length() for dim in value.partial_shape]
            shapes[value] = [-1 if extent is None else extent
                             for extent in choose(known, batch, unknown)]
        model.reshape(shapes)
        with tempfile.TemporaryDirectory() as directory:
            known = pathlib.Path(directory) / path.name
            openvino.save_model(model, known, compress_to_fp16=False)
            return import_openvino(known, pool_layers=True)
    except (ImportError, RuntimeError, ValueError):
        # Without the package, or for a model that it refuses, the extents stay unknown.
        return text
