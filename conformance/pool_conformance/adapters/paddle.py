"""Paddle on the CPU."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import numpy as np

from ..adapter import Adapter, Results, Unsupported
from ..tensor import Tensor, is_float
from ..vector import Vector
from ._view import (View, assignments, check_numbers, counts_padding,
                    explicit_pads, imports, plain_ceil, python_call)



# Element types that the documents of the poolings give
TYPES = ("f32", "f64")


def padding(vector: Vector) -> Any:
    """Returns Paddle's `padding`: two numbers for each dimension, or its word for SAME, which
    gives ceil(I / s) windows."""
    if vector["auto_pad"] == "same_upper":
        Adapter.choose(vector, "same_output", "strided")
        return "SAME"
    begin, end = explicit_pads(vector)
    if begin == end:
        return list(begin)
    return [pad for pair in zip(begin, end) for pad in pair]


def make_call(vector: Vector) -> tuple[str, list[str], dict[str, Any]]:
    """Returns the name of the function of paddle.nn.functional, its inputs and its other
    arguments. For a gradient, the function is that of the operation.

    Paddle's documents state: ceil_mode takes ceil instead of floor; `exclusive` excludes the
    padding from averages; a norm adds x^p, not |x|^p. They say nothing about an overhang.
    """
    op, n = vector.operation.removesuffix("_grad"), vector.rank
    name = f"{op}{n}d"
    if vector.type not in TYPES:
        raise Unsupported(f"Paddle's poolings have no {vector.type}")
    if vector.operation.endswith("_grad") and not is_float(vector.type):
        raise Unsupported("no gradients of integers")
    check_numbers(vector)
    if op == "max_unpool":
        Adapter.check_axis(vector, 2)
        if not vector["kernel"]:
            raise Unsupported("Paddle unpools with a kernel only")
        if vector["pads_begin"] != vector["pads_end"]:
            raise Unsupported("no pads_end that differ from pads_begin")
        return name, ["x", "indices"], {
            "kernel_size": vector["kernel"], "stride": vector["strides"],
            "padding": vector["pads_begin"] or 0, "output_size": vector["output_shape"]}
    Adapter.only(vector, pad_value="neg_inf", integer_rounding="half_even", input_zp=0,
                 output_zp=0, normalize="none")
    Adapter.check_axis(vector, 2)
    Adapter.check_nan(vector, None if "max" in op else "propagate")
    if op in ("adaptive_max_pool", "adaptive_avg_pool"):
        size = vector["output_size"][0] if n == 1 else vector["output_size"]
        mask = {"return_mask": True} if vector["index_type"] else {}
        return name, ["x"], {"output_size": size, **mask}
    if op not in ("max_pool", "avg_pool", "sum_pool", "lp_pool"):
        raise Unsupported(f"Paddle has no {op}")
    if any(dilation != 1 for dilation in vector["dilations"]):
        raise Unsupported("Paddle has no dilations of pooling")
    result = {"kernel_size": vector["kernel"], "stride": vector["strides"],
              "padding": padding(vector), "ceil_mode": plain_ceil(vector)}
    if op == "max_pool":
        return name, ["x"], {**result, "return_mask": bool(vector["index_type"])}
    if op == "lp_pool":
        even = float(vector["p"]) % 2 == 0
        if n == 3 or not even and (vector.x.values() < 0).any():
            raise Unsupported("Paddle has no norm in three dimensions, and none of |x|")
        return name, ["x"], {"norm_type": vector["p"], **result}
    override = 1 if op == "sum_pool" else vector["divisor_override"]
    if override is not None:
        if vector["element_type"] not in (None, vector.type):
            raise Unsupported("Paddle has no element_type of sums")
        if n == 1:
            raise Unsupported("Paddle has no divisor_override in one dimension")
        return f"avg_pool{n}d", ["x"], {**result, "divisor_override": override}
    return name, ["x"], {**result, "exclusive": not counts_padding(vector)}


def view_of(vector: Vector) -> View:
    """Returns the vector with channels first. Sums, and divisors that the user gives, need two
    spatial dimensions."""
    given = vector.operation == "sum_pool" or vector["divisor_override"] is not None
    return View(vector, "channels_first", (2, 3) if given else (1, 2, 3))


class Paddle(Adapter):
    """The functions of paddle.nn.functional, executed eagerly."""

    title = "Paddle"
    requirements = ("paddlepaddle", "numpy")
    documents = ()
    tracker = "https://github.com/PaddlePaddle/Paddle/issues"

    def __init__(self) -> None:
        import paddle
        import paddle.nn.functional
        paddle.set_device("cpu")
        self.paddle = paddle

    def version(self) -> str:
        return self.paddle.__version__

    def run(self, vector: Vector) -> Results:
        view = view_of(vector)
        name, inputs, keywords = make_call(view.vector)
        function = getattr(self.paddle.nn.functional, name)
        with self.system():
            tensors = {}
            for which, tensor in view.vector.inputs.items():
                array = np.ascontiguousarray(tensor.array)
                tensors[which] = self.paddle.to_tensor(array)
                if tensor.type == "bf16":
                    tensors[which] = self.paddle.to_tensor(array.view(np.int16)).view("bfloat16")
            if vector.operation.endswith("_grad"):
                x = tensors["x"]
                x.stop_gradient = False
                y = function(x, **keywords)
                found = [self.paddle.grad([y], [x], [tensors["output_grad"]])[0]]
            else:
                found = function(*(tensors[i] for i in inputs), **keywords)
                found = list(found) if isinstance(found, (tuple, list)) else [found]
            results: dict[str, Any] = {}
            for which, tensor in zip(vector.outputs, found):
                if tensor.dtype == self.paddle.bfloat16:
                    bits = tensor.view("int16").numpy().view(np.uint16)
                    results[which] = Tensor.of(bits, "bf16")
                else:
                    results[which] = tensor.numpy()
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return view.back(results)

    def reproduce(self, vector: Vector) -> str:
        view = view_of(vector)
        name, inputs, keywords = make_call(view.vector)
        lines = imports(view.vector, "import paddle", "import paddle.nn.functional as F")
        lines += ["", "paddle.set_device('cpu')", *assignments(view.vector)]
        for which, tensor in view.vector.inputs.items():
            lines.append(
                f"{which} = paddle.to_tensor({which}.view(np.int16)).view('bfloat16')"
                if tensor.type == "bf16" else f"{which} = paddle.to_tensor({which})")
        call = python_call(f"F.{name}", inputs, keywords)
        if vector.operation.endswith("_grad"):
            lines += ["x.stop_gradient = False",
                      f"print(paddle.grad([{call}], [x], [output_grad])[0])"]
        else:
            lines.append(f"print({call})")
        return "\n".join(lines) + "\n"


ADAPTERS = {"paddle": Paddle}
