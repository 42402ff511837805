"""PyTorch on the CPU: eager, compiled by the inductor, and its copy of oneDNN."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import numpy as np

from ..adapter import Adapter, Results, Unsupported, literal
from ..tensor import Tensor, is_float
from ..vector import Vector
from ._view import (View, ceil_mode, check_floats, explicit_pads, imports,
                    python_call, symmetric_pads)

TRACKER = "https://github.com/pytorch/pytorch/issues"
# Element types that torch's tensors have and NumPy lacks
TORCH_TYPES = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
BITS = {"bf16": "int16", "f8E4M3FN": "uint8", "f8E5M2": "uint8"}


def is_constant(vector: Vector) -> bool:
    """True if all elements are equal, so that no average inside the input is rounded."""
    return not vector.shape_only and len(set(vector.x.values().reshape(-1).tolist())) <= 1


def window(vector: Vector) -> dict[str, Any]:
    """Returns the arguments that all poolings of PyTorch have."""
    return {"kernel_size": vector["kernel"], "stride": vector["strides"]}


def make_call(vector: Vector) -> tuple[str, list[str], dict[str, Any]]:
    """Returns the name of the function of torch.nn.functional, its inputs and its other
    arguments. For a gradient, the function is that of the operation.

    PyTorch's documents state: padding is equal at both ends; ceil_mode drops a window that
    starts in the end padding; count_include_pad counts the padding without the overhang; the
    norm adds x^p, not |x|^p; indices count within a plane.
    """
    op, n = vector.operation.removesuffix("_grad"), vector.rank
    if "avg" in op and not is_float(vector.type) and not is_constant(vector):
        raise Unsupported("PyTorch does not say how it rounds averages of integers")
    if vector.type in ("ui16", "ui32", "ui64", "f8E4M3FN", "f8E5M2"):
        raise Unsupported(f"PyTorch says that its support of {vector.type} is limited")
    name = f"{op}{n}d"
    if op == "max_unpool":
        Adapter.check_axis(vector, 2)
        if not vector["kernel"]:
            raise Unsupported("PyTorch unpools with a kernel only")
        pads = vector["pads_begin"] or [0] * n
        if pads != (vector["pads_end"] or [0] * n):
            raise Unsupported("no pads_end that differ from pads_begin")
        return name, ["x", "indices"], {
            "kernel_size": vector["kernel"], "stride": vector["strides"], "padding": pads,
            "output_size": vector["output_shape"]}
    if op in ("adaptive_max_pool", "adaptive_avg_pool"):
        Adapter.only(vector, integer_rounding="half_even", input_zp=0, output_zp=0)
        Adapter.check_axis(vector, 2)
        Adapter.check_nan(vector, None if op == "adaptive_max_pool" else "propagate")
        more = {"return_indices": True} if vector["index_type"] else {}
        return name, ["x"], {"output_size": vector["output_size"], **more}
    if op == "max_pool":
        Adapter.only(vector, pad_value="neg_inf")
        Adapter.check_axis(vector, 2)
        Adapter.check_nan(vector, None)
        return name, ["x"], {
            **window(vector), "padding": symmetric_pads(vector),
            "dilation": vector["dilations"], "ceil_mode": ceil_mode(vector),
            "return_indices": bool(vector["index_type"])}
    Adapter.check_nan(vector, "propagate")
    if op in ("avg_pool", "sum_pool", "lp_pool") and any(d != 1 for d in vector["dilations"]):
        raise Unsupported(f"no dilations of {op}")
    if op in ("avg_pool", "sum_pool"):
        Adapter.only(vector, integer_rounding="half_even", input_zp=0, output_zp=0)
        if op == "sum_pool" and vector["element_type"] not in (None, vector.type):
            raise Unsupported("no element_type of sums")
        result = {**window(vector), "padding": symmetric_pads(vector),
                  "ceil_mode": ceil_mode(vector)}
        override = 1 if op == "sum_pool" else vector["divisor_override"]
        if override is not None:
            if n == 1:
                raise Unsupported("no divisor_override in one dimension")
            return f"avg_pool{n}d", ["x"], {**result, "divisor_override": override}
        divisor = Adapter.choose(vector, "divisor", "padded", "valid")
        return name, ["x"], {**result, "count_include_pad": divisor == "padded"}
    if op == "lp_pool":
        Adapter.only(vector, normalize="none")
        begin, end = explicit_pads(vector)
        if any(begin + end):
            raise Unsupported("no pads of norms")
        even = float(vector["p"]) % 2 == 0
        if not even and (vector.shape_only or (vector.x.values() < 0).any()):
            raise Unsupported("no absolute value in the sum of a norm")
        # lp_pool1d takes numbers only, not lists of one number.
        sizes = {key: value[0] if n == 1 else value for key, value in window(vector).items()}
        return name, ["x"], {"norm_type": vector["p"], **sizes, "ceil_mode": ceil_mode(vector)}
    raise Unsupported(f"PyTorch has no {op}")


def view_of(vector: Vector) -> View:
    """Returns the vector with channels first. Sums, and divisors that the user gives, need two
    spatial dimensions."""
    given = vector.operation == "sum_pool" or vector["divisor_override"] is not None
    return View(vector, "channels_first", (2, 3) if given else (1, 2, 3))


def to_torch(torch: Any, tensor: Tensor) -> Any:
    """Returns a torch tensor with the elements of a tensor."""
    assert tensor.array is not None
    array = np.ascontiguousarray(tensor.array)
    if tensor.type in TORCH_TYPES:
        return torch.from_numpy(array.view(BITS[tensor.type])).view(
            getattr(torch, TORCH_TYPES[tensor.type]))
    return torch.from_numpy(array)


def from_torch(torch: Any, tensor: Any) -> Tensor | np.ndarray:
    """Returns the elements of a torch tensor."""
    tensor = tensor.detach().contiguous()
    for name, torch_type in TORCH_TYPES.items():
        if tensor.dtype == getattr(torch, torch_type):
            bits = tensor.view(getattr(torch, BITS[name])).numpy()
            return Tensor.of(bits.view("uint16" if name == "bf16" else "uint8"), name)
    return tensor.numpy()


def torch_literal(tensor: Tensor) -> str:
    """Returns a Python expression of a torch tensor."""
    if tensor.type not in TORCH_TYPES:
        return f"torch.from_numpy({literal(tensor)})"
    bits = Tensor.of(tensor.array, {"int16": "ui16", "uint8": "ui8"}[BITS[tensor.type]])
    return f"torch.from_numpy({literal(bits)}).view(torch.{TORCH_TYPES[tensor.type]})"


class Torch(Adapter):
    """Eager execution: the native kernels."""

    title = "PyTorch"
    requirements = ("torch", "numpy")
    documents = ("pytorch",)
    tracker = TRACKER
    # What the script does with the function before it calls it
    wrap = ""

    def __init__(self) -> None:
        import torch
        import torch.nn.functional
        torch.set_num_threads(1)
        self.torch = torch
        # The module that has the functions
        self.functions: Any = torch.nn.functional

    def version(self) -> str:
        return self.torch.__version__.split("+")[0]

    def compiled(self, function: Any) -> Any:
        """Returns the function that is called in place of `function`."""
        return function

    def call(self, vector: Vector, tensors: dict[str, Any]) -> dict[str, Any]:
        """Calls the function of `make_call` on torch tensors."""
        name, inputs, keywords = make_call(vector)
        function = getattr(self.functions, name)

        def pool(*arguments: Any) -> Any:
            return function(*arguments, **keywords)

        if not vector.operation.endswith("_grad"):
            with self.system(), self.torch.no_grad():
                found = self.compiled(pool)(*(tensors[i] for i in inputs))
            found = found if isinstance(found, tuple) else (found,)
            return dict(zip(vector.outputs, found))
        with self.system():
            x = tensors["x"].requires_grad_(True)
            self.compiled(pool)(x).backward(tensors["output_grad"])
            return {"input_grad": x.grad}

    def run(self, vector: Vector) -> Results:
        if vector.operation.endswith("_grad"):
            check_floats(vector)
        view = view_of(vector)
        make_call(view.vector)
        tensors = {}
        with self.system():
            for name, tensor in view.vector.inputs.items():
                tensors[name] = to_torch(self.torch, tensor)
        if "indices" in tensors:
            tensors["indices"] = tensors["indices"].to(self.torch.int64)
        found = self.call(view.vector, tensors)
        results: dict[str, Any] = {name: from_torch(self.torch, tensor)
                                   for name, tensor in found.items()}
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return view.back(results)

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        if vector["index_type"] not in (None, "i64"):
            raise Unsupported(f"PyTorch has no indices of {vector['index_type']}")
        view = view_of(vector)
        make_call(view.vector)
        with self.system():
            tensors = {name: self.torch.empty(data["shape"], device="meta", dtype=getattr(
                self.torch, {**TORCH_TYPES, "f16": "float16", "f32": "float32", "f64": "float64"}
                .get(data["type"], data["type"].replace("i", "int").replace("uint", "uint"))))
                for name, data in view.vector.json["inputs"].items()}
            name, inputs, keywords = make_call(view.vector)
            found = getattr(self.torch.nn.functional, name)(*(tensors[i] for i in inputs),
                                                            **keywords)
        found = found if isinstance(found, tuple) else (found,)
        return {name: view.shape_back(tensor.shape)
                for name, tensor in zip(vector.outputs, found)}

    def reproduce(self, vector: Vector) -> str:
        view = view_of(vector)
        name, inputs, keywords = make_call(view.vector)
        lines = imports(view.vector, "import torch", "import torch.nn.functional as F")
        lines = [line for line in lines if "ml_dtypes" not in line] + [""]
        for which, tensor in view.vector.inputs.items():
            lines.append(f"{which} = {torch_literal(tensor)}")
        call = python_call(f"F.{name}", inputs, keywords)
        if self.wrap:
            lines += [f"pool = lambda {', '.join(inputs)}: {call}",
                      f"pool = {self.wrap}"]
            call = f"pool({', '.join(inputs)})"
        if vector.operation.endswith("_grad"):
            lines += ["x.requires_grad_(True)", f"{call}.backward(output_grad)",
                      "print(x.grad)"]
        else:
            lines.append(f"print({call})")
        return "\n".join(lines) + "\n"


class Inductor(Torch):
    """torch.compile with its default backend, which makes C++ for the CPU."""

    title = "PyTorch inductor"
    timeout = 180.0
    wrap = "torch.compile(pool, dynamic=False)"

    def __init__(self) -> None:
        super().__init__()
        # The inductor calls a C++ compiler for each vector: one at a time.
        import torch._inductor.config
        torch._inductor.config.compile_threads = 1

    def compiled(self, function: Any) -> Any:
        self.torch._dynamo.reset()
        return self.torch.compile(function, dynamic=False)

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("the inductor infers shapes as eager execution does")


class Mkldnn(Torch):
    """Poolings of torch's opaque MKLDNN tensors, which oneDNN computes."""

    title = "oneDNN in PyTorch"
    documents = ("pytorch",)
    tracker = "https://github.com/uxlfoundation/oneDNN/issues"

    def __init__(self) -> None:
        super().__init__()
        if not self.torch.backends.mkldnn.is_available():
            raise ImportError("this build of torch has no oneDNN")

    def version(self) -> str:
        """Returns oneDNN's version with torch's."""
        text = self.torch.__config__.show()
        found = [word for line in text.splitlines() if "MKL-DNN" in line
                 for word in line.split() if word.startswith("v")]
        return f"{found[0][1:] if found else 'unknown'} in torch {super().version()}"

    @staticmethod
    def check(vector: Vector) -> None:
        """Raises Unsupported where torch has no operator of MKLDNN tensors."""
        if vector.type not in ("f32", "bf16", "f16"):
            raise Unsupported(f"no MKLDNN tensors of {vector.type}")
        if vector.operation not in ("max_pool", "avg_pool", "adaptive_avg_pool") \
                or vector["index_type"]:
            raise Unsupported(f"no {vector.operation} of MKLDNN tensors, or no indices")
        if vector["divisor_override"] is not None:
            raise Unsupported("no divisor_override of MKLDNN tensors")
        if any(d != 1 for d in vector["dilations"] or ()):
            raise Unsupported("no dilations of MKLDNN tensors")
        if vector.operation.startswith("adaptive") and any(
                size < 1 or extent % size for extent, size in zip(
                    View(vector).vector.shape[2:], vector["output_size"])):
            raise Unsupported("no adaptive pooling with windows of different extents")

    def run(self, vector: Vector) -> Results:
        self.check(vector)
        view = View(vector, "channels_first", (2, 3))
        if vector.operation == "adaptive_avg_pool" and view.vector.rank != 2:
            raise Unsupported("no adaptive pooling of MKLDNN tensors in three dimensions")
        name, _, keywords = make_call(view.vector)
        keywords.pop("return_indices", None)
        with self.system(), self.torch.no_grad():
            x = to_torch(self.torch, view.vector.x).to_mkldnn()
            found = getattr(self.torch.nn.functional, name)(x, **keywords).to_dense()
        return view.back({"values": from_torch(self.torch, found)})

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("oneDNN's tensors have data")

    def reproduce(self, vector: Vector) -> str:
        self.check(vector)
        view = View(vector, "channels_first", (2, 3))
        name, _, keywords = make_call(view.vector)
        keywords.pop("return_indices", None)
        call = python_call(f"F.{name}", ["x.to_mkldnn()"], keywords)
        return (f"import numpy as np\nimport torch\nimport torch.nn.functional as F\n\n"
                f"x = {torch_literal(view.vector.x)}\nprint({call}.to_dense())\n")


ADAPTERS = {"torch": Torch, "torch-inductor": Inductor, "torch-mkldnn": Mkldnn}
