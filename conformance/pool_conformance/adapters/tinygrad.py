"""tinygrad on the CPU."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import os
from importlib import metadata
from typing import Any

import numpy as np

from ..adapter import Adapter, Results, Unsupported
from ..tensor import is_float
from ..vector import Vector
from ._view import (View, assignments, ceil_mode, counts_padding,
                    explicit_pads, imports, python_call)

TYPES = ("f16", "f32", "f64", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64")


def make_call(vector: Vector) -> tuple[str, list[str], dict[str, Any]]:
    """Returns the name of the method of Tensor, its inputs and its other arguments. For a
    gradient, the method is that of the operation.

    tinygrad's documents state: padding lists the last dimension first; ceil_mode is that of
    PyTorch, which the methods follow; count_include_pad counts the padding.
    """
    op = vector.operation.removesuffix("_grad")
    if vector.type not in TYPES:
        raise Unsupported(f"tinygrad's arrays of NumPy have no {vector.type}")
    if vector.operation.endswith("_grad") and not is_float(vector.type):
        raise Unsupported("no gradients of integers")
    if op == "max_unpool":
        Adapter.check_axis(vector, 2)
        if not vector["kernel"] or vector["pads_begin"] != vector["pads_end"]:
            raise Unsupported("tinygrad unpools with a kernel and equal pads only")
        return "max_unpool2d", ["x", "indices"], {
            "kernel_size": tuple(vector["kernel"]), "stride": tuple(vector["strides"] or ()),
            "padding": tuple(vector["pads_begin"] or (0,) * vector.rank),
            "output_size": tuple(vector["output_shape"])}
    if op not in ("max_pool", "avg_pool"):
        raise Unsupported(f"tinygrad has no {op}")
    Adapter.only(vector, pad_value="neg_inf", integer_rounding="half_even", input_zp=0,
                 output_zp=0, divisor_override=None)
    Adapter.check_axis(vector, 2)
    Adapter.check_nan(vector, None if op == "max_pool" else "propagate")
    begin, end = explicit_pads(vector)
    pads = [pad for pair in zip(reversed(begin), reversed(end)) for pad in pair]
    if begin == end:
        pads = list(begin)
    result = {"kernel_size": tuple(vector["kernel"]), "stride": tuple(vector["strides"]),
              "dilation": tuple(vector["dilations"]), "padding": tuple(pads),
              "ceil_mode": ceil_mode(vector)}
    if op == "max_pool":
        return "max_pool2d", ["x"], {**result, "return_indices": bool(vector["index_type"])}
    if not is_float(vector.type):
        raise Unsupported("tinygrad averages floats")
    return "avg_pool2d", ["x"], {**result, "count_include_pad": counts_padding(vector)}


class Tinygrad(Adapter):
    """The methods of tinygrad.Tensor. They take any number of spatial dimensions."""

    title = "tinygrad"
    requirements = ("tinygrad", "numpy")
    documents = ()
    tracker = "https://github.com/tinygrad/tinygrad/issues"
    timeout = 60.0

    def __init__(self) -> None:
        os.environ.setdefault("DEV", "CPU")
        os.environ.setdefault("CACHELEVEL", "0")
        import tinygrad
        self.tinygrad = tinygrad

    def version(self) -> str:
        return metadata.version("tinygrad")

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_first", range(1, 9))
        name, inputs, keywords = make_call(view.vector)
        with self.system():
            tensors = {which: self.tinygrad.Tensor(np.ascontiguousarray(tensor.array))
                       for which, tensor in view.vector.inputs.items()}
            arguments = [tensors[i] for i in inputs]
            found = getattr(arguments[0], name)(*arguments[1:], **keywords)
            if vector.operation.endswith("_grad"):
                found = found.gradient(tensors["x"], gradient=tensors["output_grad"])[0]
            found = found if isinstance(found, tuple) else (found,)
            results = {which: tensor.numpy() for which, tensor in zip(vector.outputs, found)}
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return view.back(results)

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        if vector["index_type"] not in (None, "i32"):
            raise Unsupported(f"tinygrad has no indices of {vector['index_type']}")
        view = View(vector, "channels_first", range(1, 9))
        name, inputs, keywords = make_call(view.vector)
        with self.system():
            tensors = [self.tinygrad.Tensor.empty(
                *view.vector.json["inputs"][i]["shape"], dtype=getattr(
                    self.tinygrad.dtypes, {"f16": "half", "f32": "float", "f64": "double"}.get(
                        vector.type, "int"))) for i in inputs]
            found = getattr(tensors[0], name)(*tensors[1:], **keywords)
        found = found if isinstance(found, tuple) else (found,)
        return {which: view.shape_back(tensor.shape)
                for which, tensor in zip(vector.outputs, found)}

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, "channels_first", range(1, 9))
        name, inputs, keywords = make_call(view.vector)
        lines = imports(view.vector, "from tinygrad import Tensor")
        lines += ["", *assignments(view.vector)]
        lines += [f"{which} = Tensor({which})" for which in view.vector.inputs]
        call = python_call(f"x.{name}", inputs[1:], keywords).replace("(, ", "(")
        if vector.operation.endswith("_grad"):
            lines.append(f"print({call}.gradient(x, gradient=output_grad)[0].numpy())")
        elif len(vector.outputs) > 1:
            lines.append(f"print([y.numpy() for y in {call}])")
        else:
            lines.append(f"print({call}.numpy())")
        return "\n".join(lines) + "\n"


ADAPTERS = {"tinygrad": Tinygrad}
