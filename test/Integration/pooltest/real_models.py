"""Trained models from packages, and the operands of their pooling layers in ONNX Runtime
for a photograph.

nudenet has a YOLOv8. rapidocr-onnxruntime has a text detector, a recogniser and a
classifier. The onnx package has nine classifiers whose weights were replaced by constants.
Models of other packages are used if they are installed. ONNX Runtime runs each model with the
operands and results of every pooling node as additional outputs.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import shape_inference

OPERATORS = {"MaxPool", "AveragePool", "LpPool", "GlobalMaxPool", "GlobalAveragePool",
             "GlobalLpPool", "MaxUnpool"}


@dataclass(frozen=True)
class Source:
    """A model in a package. `shape` is the input's shape for the test picture. The input is
    `x / scale - offset`, where `x` are the picture's pixels from 0 to 255."""

    package: str
    path: str
    shape: tuple
    scale: float = 255.0
    offset: float = 0.0

    @property
    def name(self):
        return f"{self.package} {Path(self.path).stem}"

    def locate(self):
        """Returns the path of the model's file, or None if the package is not installed."""
        spec = importlib.util.find_spec(self.package)
        for folder in (spec and spec.submodule_search_locations) or ():
            if (Path(folder) / self.path).exists():
                return Path(folder) / self.path
        return None


LIGHT = "backend/test/data/light/light_{}.onnx"
REQUIRED = (
    Source("nudenet", "320n.onnx", (1, 3, 320, 320)),
    Source("rapidocr_onnxruntime", "models/ch_PP-OCRv4_det_infer.onnx", (1, 3, 640, 480),
           127.5, 1.0),
    Source("rapidocr_onnxruntime", "models/ch_PP-OCRv4_rec_infer.onnx", (1, 3, 48, 320),
           127.5, 1.0),
    Source("rapidocr_onnxruntime", "models/ch_ppocr_mobile_v2.0_cls_infer.onnx", (1, 3, 48, 192),
           127.5, 1.0),
    *(Source("onnx", LIGHT.format(name), (1, 3, 224, 224)) for name in (
        "bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet",
        "squeezenet", "vgg19", "zfnet512")),
)
# Models of larger packages, used if these are installed
OPTIONAL = (
    Source("ddddocr", "common_det.onnx", (1, 3, 416, 416), 1.0),
    Source("rapidocr", "models/PP-OCRv6_det_small.onnx", (1, 3, 640, 480), 127.5, 1.0),
    Source("rapidocr", "models/PP-OCRv6_rec_small.onnx", (1, 3, 48, 320), 127.5, 1.0),
)


@dataclass
class Layer:
    """A pooling node with its operands and results in ONNX Runtime."""

    op: str
    name: str
    node: onnx.NodeProto
    opset: int
    inputs: list
    outputs: list

    def model(self):
        """Returns a model of this node alone, with known extents."""
        def info(name, array):
            element = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            return onnx.helper.make_tensor_value_info(name, element, array.shape)

        node = onnx.NodeProto()
        node.CopyFrom(self.node)
        graph = onnx.helper.make_graph(
            [node], "layer", list(map(info, node.input, self.inputs)),
            list(map(info, [n for n in node.output if n], self.outputs)))
        return onnx.helper.make_model(
            graph, ir_version=10, opset_imports=[onnx.helper.make_opsetid("", self.opset)])


def photograph(source):
    """Returns matplotlib's sample photograph as the model's input."""
    from matplotlib.cbook import get_sample_data
    from PIL import Image

    with get_sample_data("grace_hopper.jpg") as file:
        picture = Image.open(file).convert("RGB").resize(source.shape[:1:-1])
    pixels = np.asarray(picture, np.float32).transpose(2, 0, 1)[None]
    return np.ascontiguousarray(pixels / np.float32(source.scale) - np.float32(source.offset))


def with_shape(proto, shape):
    """Returns a copy of the model, and the name of its data input (the first that is no
    constant). In the copy, this input has the extents `shape`. The shapes of results and
    intermediate values are cleared, so that they are inferred again."""
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    constants = {tensor.name for tensor in result.graph.initializer}
    data = next(i for i in result.graph.input if i.name not in constants)
    dims = data.type.tensor_type.shape.dim
    for dim, extent in zip(dims, shape):
        dim.Clear()
        dim.dim_value = extent
    for info in result.graph.output:
        info.type.tensor_type.ClearField("shape")
    del result.graph.value_info[:]
    return result, data.name


def pooling_nodes(proto):
    return [n for n in proto.graph.node if n.op_type in OPERATORS]


def activations(source, proto):
    """Returns (the model with the picture's extents, its pooling layers in order)."""
    known, data = with_shape(proto, source.shape)
    exposed = onnx.ModelProto()
    exposed.CopyFrom(known)
    inferred = shape_inference.infer_shapes(known)
    types = {i.name: i.type.tensor_type.elem_type
             for i in (*inferred.graph.value_info, *inferred.graph.output, *inferred.graph.input)}
    nodes = pooling_nodes(known)
    wanted = list(dict.fromkeys(n for node in nodes for n in (*node.input, *node.output) if n))
    there = {info.name for info in exposed.graph.output}
    for name in wanted:
        if name not in there:
            exposed.graph.output.append(onnx.helper.make_tensor_value_info(
                name, types.get(name, onnx.TensorProto.FLOAT), None))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(exposed.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    arrays = dict(zip(wanted, session.run(wanted, {data: photograph(source)})))
    opset = next(o.version for o in proto.opset_import if o.domain in ("", "ai.onnx"))
    return known, [
        Layer(n.op_type, n.name or n.output[0], n, opset, [arrays[i] for i in n.input],
              [arrays[o] for o in n.output if o]) for n in nodes]


def sum_bound(layer):
    """Returns a bound of the difference between two f32 averages of the layer's input. Each
    average is within g(m) * max|x| (see compare.py) of the exact one, and then rounds at most
    twice."""
    m = int(np.prod(layer.inputs[0].shape[2:]))
    for attribute in layer.node.attribute:
        if attribute.name == "kernel_shape":
            m = int(np.prod(attribute.ints))
    largest = float(np.abs(layer.inputs[0]).max()) if layer.inputs[0].size else 0.0
    return 2 * (m + 2) * 2.0**-24 * largest


def equal(layer, results):
    """True if `results` agree with ONNX Runtime's: maxima and indices must be equal, averages
    must lie within `sum_bound`."""
    if results is None or len(results) != len(layer.outputs):
        return False
    for got, expected in zip(results, layer.outputs):
        if got.shape != expected.shape or got.dtype != expected.dtype:
            return False
        bound = 0.0 if "Max" in layer.op else sum_bound(layer)
        if not (np.abs(got.astype(np.float64) - expected) <= bound).all():
            return False
    return True
