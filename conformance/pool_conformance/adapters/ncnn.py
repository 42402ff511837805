"""ncnn, by networks of one layer."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import numpy as np

from ..adapter import Adapter, Refused, Results, Unsupported
from ..vector import Vector
from ._view import View, assignments, check_numbers, counts_padding, explicit_pads, imports

# The numbers of the layers' parameters for each spatial dimension, last dimension first:
# kernel, stride, pad at the beginning, pad at the end, output size of adaptive pooling
PARAMETERS: dict[int, dict[str, tuple[int, ...]]] = {
    1: {"kernel": (1,), "strides": (2,), "begin": (3,), "end": (14,), "size": (8,)},
    2: {"kernel": (11, 1), "strides": (12, 2), "begin": (13, 3), "end": (15, 14),
        "size": (18, 8)},
    3: {"kernel": (21, 11, 1), "strides": (22, 12, 2), "begin": (23, 13, 3),
        "end": (16, 15, 14), "size": (28, 18, 8)}}
LAYERS = {1: "Pooling1D", 2: "Pooling", 3: "Pooling3D"}


def make_layer(vector: Vector) -> str:
    """Returns the layer's line in ncnn's text of a network.

    ncnn's documents state: pad_mode 0 has a tail for ceil, 1 floors, 2 and 3 are SAME with
    ceil(I / s) windows; avgpool_count_include_pad counts the padding.
    """
    op = vector.operation.removeprefix("adaptive_")
    adaptive = op != vector.operation
    if op not in ("max_pool", "avg_pool"):
        raise Unsupported(f"ncnn has no {vector.operation}")
    if vector["index_type"]:
        raise Unsupported("ncnn's poolings have no indices")
    if vector.type != "f32" or vector.shape[0] != 1:
        raise Unsupported("ncnn has arrays of f32 without a batch")
    Adapter.only(vector, pad_value="neg_inf", divisor_override=None)
    Adapter.check_nan(vector, None if op == "max_pool" else "propagate")
    check_numbers(vector)
    numbers = PARAMETERS[vector.rank]
    fields = {0: 0 if op == "max_pool" else 1}
    if adaptive:
        fields[7] = 1
        fields.update(zip(numbers["size"], vector["output_size"]))
    else:
        if any(dilation != 1 for dilation in vector["dilations"]):
            raise Unsupported("ncnn has no dilations of pooling")
        fields.update(zip(numbers["kernel"], vector["kernel"]))
        fields.update(zip(numbers["strides"], vector["strides"]))
        if vector["auto_pad"].startswith("same"):
            Adapter.choose(vector, "same_output", "strided")
            fields[5] = 2 if vector["auto_pad"] == "same_upper" else 3
        else:
            begin, end = explicit_pads(vector)
            fields.update(zip(numbers["begin"], begin))
            fields.update(zip(numbers["end"], end))
            ceil = Adapter.choose(vector, "rounding_type", "floor", "ceil") == "ceil"
            fields[5] = 0 if ceil else 1
        if op == "avg_pool":
            fields[6] = int(counts_padding(vector))
    text = " ".join(f"{key}={value}" for key, value in sorted(fields.items()))
    return f"{LAYERS[vector.rank]} pool 1 1 x y {text}"


def make_network(vector: Vector) -> str:
    """Returns the text of a network with one layer."""
    return f"7767517\n2 2\nInput x 0 1 x\n{make_layer(vector)}\n"


class Ncnn(Adapter):
    """Layers on one thread, in f32."""

    title = "ncnn"
    requirements = ("ncnn", "numpy")
    documents = ()
    tracker = "https://github.com/Tencent/ncnn/issues"

    def __init__(self) -> None:
        import ncnn
        self.ncnn = ncnn

    def version(self) -> str:
        return self.ncnn.__version__

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_first", (1, 2, 3))
        network = make_network(view.vector)
        array = np.ascontiguousarray(view.vector.x.array)[0]
        with self.system():
            net = self.ncnn.Net()
            net.opt.num_threads = 1
            net.opt.use_vulkan_compute = False
            net.opt.use_fp16_packed = net.opt.use_fp16_storage = False
            net.opt.use_fp16_arithmetic = net.opt.use_bf16_storage = False
            if net.load_param_mem(network) != 0:
                raise Refused("ncnn does not load the network")
            extractor = net.create_extractor()
            extractor.input("x", self.ncnn.Mat(array).clone())
            code, result = extractor.extract("y")
            if code != 0:
                raise Refused(f"extract returns {code}")
            found = np.array(result)
        return view.back({"values": self._restore(found, view.vector)[None]})

    @staticmethod
    def _restore(found: Any, vector: Vector) -> Any:
        """Global pooling gives only the channels: the other extents are 1."""
        if found.ndim == 1 and found.shape[0] == vector.shape[1]:
            return found.reshape(-1, *[1] * vector.rank)
        return found

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, "channels_first", (1, 2, 3))
        network = make_network(view.vector)
        return "\n".join([*imports(view.vector, "import ncnn"), "", *assignments(view.vector),
                          "net = ncnn.Net()",
                          "net.opt.use_fp16_packed = net.opt.use_fp16_storage = False",
                          "net.opt.use_fp16_arithmetic = net.opt.use_bf16_storage = False",
                          f"net.load_param_mem({network!r})",
                          "extractor = net.create_extractor()",
                          "extractor.input('x', ncnn.Mat(x[0]).clone())",
                          "print(np.array(extractor.extract('y')[1]))"]) + "\n"


ADAPTERS = {"ncnn": Ncnn}
