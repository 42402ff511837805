"""Keras on the backend of JAX."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..adapter import Adapter, Results, Unsupported
from ..tensor import is_float
from ..vector import Vector
from ._view import View, assignments, imports, python_call

# Keras's two rules for pads. It has no ceil, and SAME gives ceil(I / s) windows.
PADDINGS = {"valid": {"auto_pad": "valid"},
            "same": {"auto_pad": "same_upper", "same_output": "strided"}}
FUNCTIONS = {"max_pool": "max_pool", "avg_pool": "average_pool",
             "adaptive_max_pool": "adaptive_max_pool",
             "adaptive_avg_pool": "adaptive_average_pool"}


def padding(vector: Vector) -> str:
    """Returns Keras's word for the vector's pads."""
    for word, rule in PADDINGS.items():
        if vector.means_same(rounding_type="floor", **rule):
            return word
    pads = [*vector["pads_begin"], *vector["pads_end"]]
    if vector["auto_pad"] in ("explicit", "valid") and vector["rounding_type"] == "floor" \
            and not any(pads):
        return "valid"
    raise Unsupported("Keras has no pads but those of same and valid, and no ceil")


def make_call(vector: Vector) -> tuple[str, dict[str, Any]]:
    """Returns the name of the function of keras.ops and its arguments after the data. For a
    gradient, the function is that of the operation."""
    op = vector.operation.removesuffix("_grad")
    if op not in FUNCTIONS:
        raise Unsupported(f"Keras has no {op}")
    if vector["index_type"]:
        raise Unsupported("Keras has no indices")
    Adapter.only(vector, pad_value="neg_inf", divisor_override=None, input_zp=0, output_zp=0,
                 integer_rounding="half_even")
    Adapter.check_nan(vector, None if "max" in op else "propagate")
    if "avg" in op and not is_float(vector.type):
        raise Unsupported("Keras averages floats")
    layout = {"data_format": vector["layout"]}
    if op.startswith("adaptive"):
        return FUNCTIONS[op], {"output_size": tuple(vector["output_size"]), **layout}
    if any(dilation != 1 for dilation in vector["dilations"]):
        raise Unsupported("Keras has no dilations of pooling")
    if op == "avg_pool":
        Adapter.choose(vector, "divisor", "valid")
    return FUNCTIONS[op], {"pool_size": tuple(vector["kernel"]),
                           "strides": tuple(vector["strides"]), "padding": padding(vector),
                           **layout}


class Keras(Adapter):
    """The functions of keras.ops. JAX computes gradients of them."""

    title = "Keras (JAX)"
    requirements = ("keras", "jax", "numpy")
    documents = ("keras",)
    tracker = "https://github.com/keras-team/keras/issues"
    timeout = 60.0

    def __init__(self) -> None:
        os.environ["KERAS_BACKEND"] = "jax"
        import jax
        import keras
        jax.config.update("jax_platforms", "cpu")
        self.jax, self.keras = jax, keras

    def version(self) -> str:
        return self.keras.__version__

    def _function(self, vector: Vector) -> Any:
        name, keywords = make_call(vector)
        function = getattr(self.keras.ops, name)
        self.jax.config.update("jax_enable_x64", vector.type.endswith("64"))
        if vector.operation.endswith("_grad"):
            return lambda x, output_grad: self.jax.vjp(
                lambda y: function(y, **keywords), x)[1](output_grad)[0]
        return lambda x: function(x, **keywords)

    def run(self, vector: Vector) -> Results:
        view = View(vector, vector["layout"] or "channels_first", (1, 2, 3))
        function = self._function(vector)
        with self.system():
            arrays = [self.jax.numpy.asarray(tensor.ml_dtypes())
                      for tensor in vector.inputs.values()]
            found = np.asarray(function(*arrays))
        return view.back({vector.outputs[0]: found})

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        function = self._function(vector)
        types = {"f16": "float16", "f32": "float32", "f64": "float64"}
        with self.system():
            inputs = [self.jax.ShapeDtypeStruct(tuple(data["shape"]),
                                                types.get(data["type"], "int32"))
                      for data in vector.json["inputs"].values()]
            return {vector.outputs[0]: tuple(self.jax.eval_shape(function, *inputs).shape)}

    def reproduce(self, vector: Vector) -> str:
        name, keywords = make_call(vector)
        View(vector, vector["layout"] or "channels_first", (1, 2, 3))
        lines = imports(vector, "import os", "", "os.environ['KERAS_BACKEND'] = 'jax'",
                        "import jax", "import keras")
        if vector.type.endswith("64"):
            lines.append("jax.config.update('jax_enable_x64', True)")
        lines += ["", *assignments(vector),
                  f"pool = lambda x: {python_call(f'keras.ops.{name}', ['x'], keywords)}"]
        if vector.operation.endswith("_grad"):
            lines.append("print(jax.vjp(pool, jax.numpy.asarray(x))[1]"
                         "(jax.numpy.asarray(output_grad)))")
        else:
            lines.append("print(pool(jax.numpy.asarray(x)))")
        return "\n".join(lines) + "\n"


ADAPTERS = {"keras": Keras}
