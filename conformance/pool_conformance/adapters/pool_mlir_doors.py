"""pool-mlir by its Python package: functions on arrays, PyTorch, JAX, and imported models.

The package `pool_mlir` must be importable. Each door computes a vector in the words of its own
library: the door of ONNX imports the model that ONNX Runtime runs, and so on.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .. import rules
from ..adapter import Adapter, Results, Unsupported
from ..tensor import Tensor
from ..vector import Vector, default_attributes
from . import jax as jax_adapter
from . import litert, onnxruntime, openvino
from . import torch as torch_adapter
from ._view import View
from .pool_mlir import PoolMlir

WINDOW = ("kernel", "strides", "pads_begin", "pads_end", "dilations", "rounding_type",
          "auto_pad", "same_output", "layout")
INTEGERS = ("integer_rounding", "input_zp", "output_zp")
# Attributes that the functions on arrays have
KEYWORDS = {"max_pool": (*WINDOW, "axis", "pad_value", "nan_mode"),
            "min_pool": (*WINDOW, "axis", "pad_value", "nan_mode"),
            "avg_pool": (*WINDOW, "divisor", "divisor_override", *INTEGERS),
            "lp_pool": (*WINDOW, "p"),
            "adaptive_max_pool": ("output_size", "layout", "axis", "nan_mode"),
            "adaptive_avg_pool": ("output_size", "layout", *INTEGERS),
            "max_unpool": ("output_shape", "axis"),
            "max_pool_grad": (*WINDOW, "axis", "nan_mode"),
            "avg_pool_grad": (*WINDOW, "divisor", "divisor_override")}
# Attributes that the functions of JAX lack
JAX_LACKS = {"adaptive_avg_pool": INTEGERS, "avg_pool": INTEGERS, "max_pool_grad": ("axis",)}


def keywords(vector: Vector, lacking: tuple[str, ...] = ()) -> dict[str, Any]:
    """Returns the arguments of the function of the vector's operation, which lacks some of the
    attributes. Raises Unsupported if there is no function, or if the vector has another value
    than the default of an attribute that the function lacks."""
    op = vector.operation
    if op not in KEYWORDS:
        raise Unsupported(f"the package has no {op}")
    if vector.type.startswith("f8"):
        raise Unsupported(f"the package has no {vector.type}")
    if vector["p"] is not None and vector["p"] != int(vector["p"]):
        raise Unsupported("the package's p is an integer")
    if "nan_mode" not in KEYWORDS[op]:
        Adapter.check_nan(vector, "propagate")
    names = [name for name in KEYWORDS[op] if name not in lacking]
    defaults = default_attributes(op, vector.rank)
    for name, value in vector.attributes.items():
        if name not in names and name not in ("nan_mode", "index_type", "axis") \
                and value is not None and value != defaults.get(name):
            raise Unsupported(f"no {name} {value}")
    result = {name: vector[name] for name in names if vector[name] is not None}
    if result.get("nan_mode") == "either":
        result["nan_mode"] = "ignore"
    if "p" in result:
        result["p"] = int(result["p"])
    return result


class Door(Adapter):
    """What all doors have in common."""

    documents = PoolMlir.documents
    timeout = 60.0

    def __init__(self) -> None:
        import pool_mlir
        self.package = pool_mlir

    def version(self) -> str:
        return str(self.package.__version__)

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("the package needs data")

    def compiled(self, vector: Vector, text: str, arrays: list[Any]) -> dict[str, Any]:
        """Compiles the text of a module and calls it."""
        with self.system():
            found = self.package.compile(text)(*arrays)
        found = found if isinstance(found, tuple) else (found,)
        results = dict(zip(vector.outputs, map(np.asarray, found)))
        if "indices" in results:
            results["indices"] = results["indices"].astype("int" + vector["index_type"][1:])
        return results


class Functions(Door):
    """Functions on NumPy's arrays."""

    title = "pool-mlir, Python functions"
    requirements = ("pool-mlir", "numpy")
    # Attributes that the functions of this door lack, by operation
    lacks: dict[str, tuple[str, ...]] = {}

    def module(self) -> Any:
        """Returns the module that has the functions."""
        return self.package

    def array(self, vector: Vector, tensor: Tensor) -> Any:
        """Returns an array that the functions take."""
        return tensor.ml_dtypes()

    def more(self, vector: Vector) -> dict[str, Any]:
        """Returns the arguments that ask for indices."""
        if not vector["index_type"]:
            return {}
        return {"return_indices": True, "index_element_type": vector["index_type"]}

    def run(self, vector: Vector) -> Results:
        given = keywords(vector, self.lacks.get(vector.operation, ()))
        function = getattr(self.module(), vector.operation)
        arrays = [self.array(vector, tensor) for tensor in vector.inputs.values()]
        if vector.operation == "avg_pool_grad":
            # This gradient needs no input, only its shape.
            arrays = arrays[1:]
            given["input_shape"] = list(vector.shape)
        with self.system():
            found = function(*arrays, **given, **self.more(vector))
        found = found if isinstance(found, tuple) else (found,)
        return dict(zip(vector.outputs, map(np.asarray, found)))


class JaxFunctions(Functions):
    """Functions of pool_mlir.jax, in jit."""

    title = "pool-mlir, JAX functions"
    requirements = ("pool-mlir", "jax", "numpy")
    lacks = JAX_LACKS

    def __init__(self) -> None:
        super().__init__()
        import jax
        jax.config.update("jax_platforms", "cpu")
        jax.config.update("jax_enable_x64", True)
        import pool_mlir.jax
        self.jax = jax

    def module(self) -> Any:
        return self.package.jax

    def array(self, vector: Vector, tensor: Tensor) -> Any:
        return self.jax.numpy.asarray(tensor.ml_dtypes())

    def more(self, vector: Vector) -> dict[str, Any]:
        if not vector["index_type"]:
            return {}
        return {"return_indices": True, "index_type": f"int{vector['index_type'][1:]}"}


class TorchFunctions(torch_adapter.Torch):
    """Functions of pool_mlir.torch, with torch's arguments."""

    title = "pool-mlir, PyTorch functions"
    requirements = ("pool-mlir", "torch", "numpy")
    documents = ("pytorch",)
    tracker = ""

    def __init__(self) -> None:
        super().__init__()
        import pool_mlir.torch
        self.package = pool_mlir
        self.functions = pool_mlir.torch

    def version(self) -> str:
        return str(self.package.__version__)

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("the package needs data")

    def reproduce(self, vector: Vector) -> str:
        text = super().reproduce(vector)
        return text.replace("import torch.nn.functional as F", "import pool_mlir.torch as F")


class Onnx(Door):
    """Models of ONNX, by import_onnx."""

    title = "pool-mlir, ONNX models"
    requirements = ("pool-mlir", "onnx", "numpy")
    documents = ("onnx",)

    def __init__(self) -> None:
        super().__init__()
        import onnx
        self.onnx = onnx

    def run(self, vector: Vector) -> Results:
        model = onnxruntime.make_model(vector)
        with self.system():
            text = self.package.import_onnx(self.onnx.load_model_from_string(model))
        return self.compiled(vector, text, [t.ml_dtypes() for t in vector.inputs.values()])


class TFLite(litert.LiteRT):
    """TFLite models, by import_tflite."""

    title = "pool-mlir, TFLite models"
    requirements = ("pool-mlir[tflite]", "flatbuffers", "numpy")
    documents = ("tflite",)
    tracker = ""

    def __init__(self) -> None:
        super().__init__()
        import pool_mlir
        self.package = pool_mlir

    def version(self) -> str:
        return str(self.package.__version__)

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_last", (2,))
        arguments = litert.model_arguments(view.vector)
        # The importer reads the result's shape, which LiteRT computes anew.
        try:
            windows = [d.output for d in view.vector.dimensions()]
            arguments[-1] = [view.vector.shape[0], *windows, view.vector.shape[-1]]
        except rules.Refusal:
            pass
        with tempfile.TemporaryDirectory() as directory, self.system():
            path = Path(directory) / "pool.tflite"
            path.write_bytes(self.make_model(*arguments))
            text = self.package.import_tflite(str(path))
            found = self.package.compile(text)(view.vector.x.array)
        return view.back({"values": np.asarray(found)})


class JaxImport(Door):
    """Functions of JAX and Flax, by import_jax."""

    title = "pool-mlir, imported JAX"
    requirements = ("pool-mlir", "jax", "flax", "numpy")
    documents = ("stablehlo",)

    def __init__(self) -> None:
        super().__init__()
        self.inner = jax_adapter.Jax()

    def run(self, vector: Vector) -> Results:
        view = jax_adapter.view_of(vector)
        inner = view.vector if view else vector
        self.inner.jax.config.update("jax_enable_x64", jax_adapter.has_64_bits(vector))
        function = self.inner._function(inner)
        with self.system():
            arrays = [self.inner.names["jnp"].asarray(t.ml_dtypes())
                      for t in inner.inputs.values()]
            text = self.package.import_jax(function, *arrays)
        results = self.compiled(vector, text, [np.asarray(array) for array in arrays])
        return view.back(results) if view else results


class OpenVINOModels(openvino.OpenVINO):
    """OpenVINO's IR, by import_openvino."""

    title = "pool-mlir, OpenVINO models"
    requirements = ("pool-mlir", "openvino", "numpy")
    tracker = ""

    def __init__(self) -> None:
        super().__init__()
        import pool_mlir
        self.package = pool_mlir

    def version(self) -> str:
        return str(self.package.__version__)

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_first", (1, 2, 3))
        parameter, node = self._node(view.vector)
        with tempfile.TemporaryDirectory() as directory, self.system():
            path = Path(directory) / "pool.xml"
            outputs = [node.output(i) for i in range(len(vector.outputs))]
            self.openvino.save_model(self.openvino.Model(outputs, [parameter]), str(path),
                                     compress_to_fp16=False)
            text = self.package.import_openvino(str(path))
            found = self.package.compile(text)(view.vector.x.ml_dtypes())
        found = found if isinstance(found, tuple) else (found,)
        return view.back(dict(zip(vector.outputs, map(np.asarray, found))))

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("the package needs data")


ADAPTERS = {"pool-python": Functions, "pool-torch": TorchFunctions,
            "pool-jax": JaxFunctions, "pool-onnx": Onnx, "pool-tflite": TFLite,
            "pool-import-jax": JaxImport, "pool-openvino": OpenVINOModels}
