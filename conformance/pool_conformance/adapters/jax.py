"""JAX on the CPU: lax.reduce_window, the poolings of Flax, and their gradients."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import numpy as np

from .. import rules
from ..adapter import Adapter, Results, Unsupported
from ..tensor import Tensor, encode, is_float
from ..vector import Vector
from ._view import View, assignments, explicit_pads, imports

# The reductions of reduce_window in jax.lax
REDUCTIONS = {"add": "add", "mul": "mul", "max": "max", "min": "min", "and": "bitwise_and",
              "or": "bitwise_or", "xor": "bitwise_xor"}


def neutral(vector: Vector, smallest: bool) -> str:
    """Returns an expression of the number that no element of the type is below (for a minimum:
    above)."""
    if vector.type == "f8E4M3FN":
        return f"jnp.finfo(x.dtype).{'max' if smallest else 'min'}"
    if is_float(vector.type):
        return "jnp.inf" if smallest else "-jnp.inf"
    return f"jnp.iinfo(x.dtype).{'max' if smallest else 'min'}"


def padding(vector: Vector) -> Any:
    """Returns JAX's `padding` of the spatial dimensions: pairs, or the name of its own rule.
    JAX's rule for SAME gives ceil(I / s) windows."""
    auto_pad = vector["auto_pad"]
    if auto_pad.startswith("same"):
        Adapter.choose(vector, "same_output", "strided")
        return "SAME" if auto_pad == "same_upper" else "SAME_LOWER"
    if auto_pad == "valid":
        return "VALID"
    begin, end = explicit_pads(vector)
    return list(zip(begin, end))


def full(values: list[Any], other: Any) -> tuple[Any, ...]:
    """Returns a value for each dimension of the tensor; batch and channels have `other`."""
    return (other, other, *values)


def expression(vector: Vector) -> str:
    """Returns an expression of `x` that computes the operation, without its gradient."""
    op = vector.operation.removesuffix("_grad")
    if vector["index_type"]:
        raise Unsupported("JAX has no indices")
    if op == "reduce_window":
        number = np.array(encode(vector.type, _number(vector)))
        zeros = list(zip(vector["pads_begin"], vector["pads_end"]))
        tensor = Tensor(vector.type, (), number)
        value = tensor.values().item()
        text = {"inf": "jnp.inf", "-inf": "-jnp.inf", "nan": "jnp.nan"}.get(
            str(value), repr(value))
        return (f"lax.reduce_window(x, np.array({text}, x.dtype), "
                f"lax.{REDUCTIONS[vector['reduction']]}, {tuple(vector['kernel'])}, "
                f"{tuple(vector['strides'])}, {zeros}, "
                f"base_dilation={tuple(vector['base_dilations'])}, "
                f"window_dilation={tuple(vector['dilations'])})")
    if op not in ("max_pool", "min_pool", "sum_pool", "avg_pool"):
        raise Unsupported(f"JAX has no {op}")
    Adapter.only(vector, pad_value=("neg_inf", "pos_inf"), divisor_override=None, input_zp=0,
                 output_zp=0, integer_rounding="half_even")
    Adapter.check_nan(vector, "propagate")
    Adapter.choose(vector, "rounding_type", "floor")
    pads = padding(vector)
    windows = list(zip(vector["kernel"], vector["dilations"], vector["pads_begin"],
                       vector["pads_end"], rules.spatial(vector.shape, vector["layout"])))
    if any(min(begin, end) < 0 or (k - 1) * d + 1 > begin + extent + end
           for k, d, begin, end, extent in windows) and "SAME" not in pads:
        raise Unsupported("StableHLO crops by negative pads, and too long windows give no result")
    if op == "avg_pool":
        if not is_float(vector.type):
            raise Unsupported("Flax averages floats")
        if any(d != 1 for d in vector["dilations"]):
            raise Unsupported("Flax has no dilations of averages")
        divisor = Adapter.choose(vector, "divisor", "kernel", "valid")
        return (f"nn.avg_pool(x, {tuple(vector['kernel'])}, {tuple(vector['strides'])}, "
                f"{pads!r}, count_include_pad={divisor == 'kernel'})")
    if op == "sum_pool":
        if vector["element_type"] not in (None, vector.type):
            raise Unsupported("JAX has no other element_type of sums")
        init, reduction = "0", "add"
    else:
        init = neutral(vector, op == "min_pool")
        reduction = "min" if op == "min_pool" else "max"
    if not isinstance(pads, str):
        pads = list(full(pads, (0, 0)))
    return (f"lax.reduce_window(x, np.array({init}, x.dtype), lax.{reduction}, "
            f"{full(vector['kernel'], 1)}, {full(vector['strides'], 1)}, "
            f"{pads!r}, window_dilation={full(vector['dilations'], 1)})")


def _number(vector: Vector) -> Any:
    return float(vector["init"]) if is_float(vector.type) else int(vector["init"])


def has_64_bits(vector: Vector) -> bool:
    """True if JAX must be told to keep types of 64 bits. Flax then averages f32 in f64."""
    return vector.type.endswith("64")


def view_of(vector: Vector) -> View | None:
    """Returns the vector in the layout of its function: Flax has channels last only."""
    if vector.operation == "reduce_window":
        return None
    last = vector.operation.startswith("avg_pool")
    return View(vector, "channels_last" if last else "channels_first", range(1, 9))


class Jax(Adapter):
    """XLA for the CPU. Averages are those of Flax, which JAX itself lacks."""

    title = "JAX"
    requirements = ("jax", "flax", "numpy")
    documents = ("stablehlo",)
    tracker = "https://github.com/jax-ml/jax/issues"
    timeout = 60.0

    def __init__(self) -> None:
        import flax.linen
        import jax
        import jax.numpy
        jax.config.update("jax_platforms", "cpu")
        self.jax = jax
        self.names = {"lax": jax.lax, "jnp": jax.numpy, "nn": flax.linen, "np": np}

    def version(self) -> str:
        return self.jax.__version__

    def _function(self, vector: Vector) -> Any:
        """Returns the function that the expression of `reproduce` defines."""
        pool = eval(f"lambda x: {expression(vector)}", dict(self.names))
        if not vector.operation.endswith("_grad"):
            return pool
        return lambda x, output_grad: self.jax.vjp(pool, x)[1](output_grad)[0]

    def run(self, vector: Vector) -> Results:
        view = view_of(vector)
        inner = view.vector if view else vector
        self.jax.config.update("jax_enable_x64", has_64_bits(vector))
        function = self._function(inner)
        with self.system():
            arrays = [self.names["jnp"].asarray(tensor.ml_dtypes())
                      for tensor in inner.inputs.values()]
            results = {vector.outputs[0]: np.asarray(self.jax.jit(function)(*arrays))}
        return view.back(results) if view else results

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        view = view_of(vector)
        inner = view.vector if view else vector
        self.jax.config.update("jax_enable_x64", has_64_bits(vector))
        function = self._function(inner)
        names = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
                 "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
        with self.system():
            types = [names.get(data["type"], data["type"].replace("ui", "uint")
                               if data["type"][0] == "u" else data["type"].replace("i", "int"))
                     for data in inner.json["inputs"].values()]
            inputs = [self.jax.ShapeDtypeStruct(tuple(data["shape"]), getattr(
                self.names["jnp"], name)) for name, data in zip(
                    types, inner.json["inputs"].values())]
            shape = self.jax.eval_shape(function, *inputs).shape
        return {vector.outputs[0]: view.shape_back(shape) if view else tuple(shape)}

    def reproduce(self, vector: Vector) -> str:
        view = view_of(vector)
        inner = view.vector if view else vector
        call = expression(inner)
        lines = ["import jax", "import jax.numpy as jnp", "from jax import lax"]
        if "nn." in call:
            lines.append("import flax.linen as nn")
        lines = imports(inner, *lines)
        lines.append("")
        if has_64_bits(vector):
            lines.append("jax.config.update('jax_enable_x64', True)")
        lines += [*assignments(inner), f"pool = lambda x: {call}"]
        if vector.operation.endswith("_grad"):
            lines.append("print(jax.vjp(pool, jnp.asarray(x))[1](jnp.asarray(output_grad)))")
        else:
            lines.append("print(jax.jit(pool)(jnp.asarray(x)))")
        return "\n".join(lines) + "\n"


class SelectAndScatter(Jax):
    """XLA's select_and_scatter, which jax.lax has no public function for. JAX's own gradient
    pads before it."""

    title = "XLA select_and_scatter"
    requirements = ("jax", "numpy")
    tracker = "https://github.com/openxla/xla/issues"

    @staticmethod
    def _call(vector: Vector) -> str:
        if vector.operation != "max_pool_grad":
            raise Unsupported(f"select_and_scatter is no {vector.operation}")
        Adapter.only(vector, pad_value="neg_inf", rounding_type="floor", auto_pad="explicit",
                     dilations=[1] * vector.rank)
        Adapter.check_nan(vector, None)
        begin, end = explicit_pads(vector)
        return ("_select_and_scatter(x, lax.ge, "
                f"{full(vector['kernel'], 1)}, {full(vector['strides'], 1)}, "
                f"{full(list(zip(begin, end)), (0, 0))}, output_grad, "
                "np.array(0, x.dtype), lax.add)")

    def _function(self, vector: Vector) -> Any:
        from jax._src.lax.windowed_reductions import _select_and_scatter
        return eval(f"lambda x, output_grad: {self._call(vector)}",
                    {**self.names, "_select_and_scatter": _select_and_scatter})

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("JAX infers the shapes")

    def reproduce(self, vector: Vector) -> str:
        view = view_of(vector)
        inner = view.vector if view else vector
        lines = imports(inner, "import jax", "from jax import lax",
                        "from jax._src.lax.windowed_reductions import _select_and_scatter")
        lines += ["", *(["jax.config.update('jax_enable_x64', True)"]
                        if has_64_bits(vector) else []),
                  *assignments(inner), f"pool = lambda x, output_grad: {self._call(inner)}",
                  "print(jax.jit(pool)(x, output_grad))"]
        return "\n".join(lines) + "\n"


ADAPTERS = {"jax": Jax, "xla-select-and-scatter": SelectAndScatter}
