"""IREE on the CPU: from ONNX models and from StableHLO."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import numpy as np

from ..adapter import Adapter, Refused, Results, Unsupported
from ..tensor import BITS, Tensor, is_float, storage
from ..vector import Vector
from ._mlir import bits
from ._view import View, explicit_pads
from .onnxruntime import NODES, make_model, script

FLAGS = ["--iree-llvmcpu-target-cpu=host"]
REDUCTIONS = {"add": "add", "mul": "multiply", "max": "maximum", "min": "minimum", "and": "and",
              "or": "or", "xor": "xor"}


def flags(vector: Vector) -> list[str]:
    """Returns the compiler's options. Without the second one, IREE computes f64 as f32."""
    return FLAGS + ["--iree-input-demote-f64-to-f32=false"] * (vector.type == "f64")


class Iree(Adapter):
    """Compiles for the CPU of this machine and runs on the caller's thread."""

    documents: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ("iree-base-compiler", "iree-base-runtime", "numpy")
    tracker = "https://github.com/iree-org/iree/issues"
    timeout = 120.0
    input_type = ""

    def __init__(self) -> None:
        import iree.compiler
        import iree.compiler.version
        import iree.runtime
        self.compiler, self.runtime = iree.compiler, iree.runtime

    def version(self) -> str:
        return self.compiler.version.VERSION

    def _run(self, text: str, function: str, arrays: list[np.ndarray],
             options: list[str]) -> list[np.ndarray]:
        try:
            binary = self.compiler.compile_str(text, target_backends=["llvm-cpu"],
                                               input_type=self.input_type, extra_args=options)
        except self.compiler.CompilerToolError as error:
            lines = [line for line in str(error).splitlines() if "error:" in line]
            raise Refused((lines or ["no message"])[0].split("error:")[-1].strip()[:300]) \
                from error
        with self.system():
            module = self.runtime.load_vm_flatbuffer(binary, driver="local-sync")
            found = module[function](*arrays)
            found = found if isinstance(found, (tuple, list)) else [found]
            return [np.asarray(array.to_host()) for array in found]

    @staticmethod
    def _signed(vector: Vector, array: np.ndarray) -> np.ndarray:
        """Returns a result with the sign of the vector's type: IREE's integers have none."""
        unsigned = vector.type.startswith("u") and array.dtype.kind == "i"
        return array.view(f"u{array.dtype.itemsize}") if unsigned else array


class IreeOnnx(Iree):
    """Models of one ONNX node, by IREE's importer."""

    title = "IREE (ONNX)"
    requirements = (*Iree.requirements, "onnx")
    documents = ("onnx",)
    input_type = "onnx"

    def __init__(self) -> None:
        super().__init__()
        import onnx
        from iree.compiler import ir
        from iree.compiler.extras import onnx_importer
        self.onnx, self.ir, self.importer = onnx, ir, onnx_importer

    def _import(self, vector: Vector) -> str:
        model = self.onnx.load_from_string(make_model(vector))
        with self.system():
            inferred = self.onnx.shape_inference.infer_shapes(model, data_prop=True)
            info = self.importer.ModelInfo(inferred)
            with self.ir.Context() as context:
                module = info.create_module(context=context).operation
                self.importer.NodeImporter.define_function(
                    info.main_graph, module).import_all()
                return str(module)

    def run(self, vector: Vector) -> Results:
        if vector.type in BITS:
            raise Unsupported(f"IREE's Python arrays have no {vector.type}")
        if vector.operation in ("lp_pool", "max_unpool"):
            raise Unsupported(f"IREE lowers no {NODES[vector.operation]} of ONNX")
        text = self._import(vector)
        arrays = [np.ascontiguousarray(tensor.array) for tensor in vector.inputs.values()]
        found = dict(zip(vector.outputs, self._run(text, "pool", arrays, flags(vector))))
        found["values"] = self._signed(vector, found["values"])
        if "indices" in found:
            found["indices"] = found["indices"].astype("int" + vector["index_type"][1:])
        return found

    def reproduce(self, vector: Vector) -> str:
        run = f'''\
import subprocess, sys
open("pool.onnx", "wb").write(model.SerializeToString())
subprocess.run([sys.executable, "-m", "iree.compiler.tools.import_onnx", "pool.onnx", "-o",
                "pool.mlir"], check=True)
binary = iree.compiler.compile_file("pool.mlir", target_backends=["llvm-cpu"],
                                    input_type="onnx", extra_args={flags(vector)!r})
module = iree.runtime.load_vm_flatbuffer(binary, driver="local-sync")
results = module["pool"](*feeds.values())
print([y.to_host() for y in (results if isinstance(results, (tuple, list)) else [results])])'''
        return script(vector, run, "import iree.compiler\nimport iree.runtime")


def number(vector: Vector, value: Any) -> str:
    """Returns the text of a constant of the vector's type; floats are their bits."""
    tensor = Tensor.from_values(vector.type, np.array(value))
    assert tensor.array is not None
    if is_float(vector.type):
        stored = tensor.array.view(f"u{tensor.array.itemsize}")
        return f"0x{int(stored):0{2 * stored.itemsize}X}"
    return str(int(tensor.array))


def make_module(vector: Vector) -> str:
    """Returns a module of StableHLO whose function @main computes the vector.

    StableHLO states: padding holds the initial value; there is no ceil; maximum propagates NaN;
    negative pads crop.
    """
    op = vector.operation
    if vector["index_type"]:
        raise Unsupported("StableHLO has no indices")
    kind = vector.type
    if op == "reduce_window":
        shape, init, reduction = vector.shape, vector["init"], vector["reduction"]
        window = {name: vector[name] for name in
                  ("kernel", "strides", "base_dilations", "dilations")}
        pads = list(zip(vector["pads_begin"], vector["pads_end"]))
        result = []
        for n, k, s, b, d, (begin, end) in zip(shape, *window.values(), pads):
            room = ((n - 1) * b + 1 if n else 0) + begin + end - ((k - 1) * d + 1)
            result.append(room // s + 1 if room >= 0 else 0)
    elif op in ("max_pool", "min_pool", "sum_pool"):
        Adapter.only(vector, pad_value=("neg_inf", "pos_inf"))
        Adapter.check_nan(vector, "propagate")
        Adapter.choose(vector, "rounding_type", "floor")
        if op == "sum_pool" and vector["element_type"] not in (None, vector.type):
            raise Unsupported("the adapter writes no other element_type of sums")
        reduction = {"max_pool": "max", "min_pool": "min", "sum_pool": "add"}[op]
        begin, end = explicit_pads(vector)
        if min(begin + end) < 0 or any(expected.refused for expected in vector.expected):
            raise Unsupported("StableHLO crops by negative pads, and has windows of no result")
        limits = {"max": -np.inf, "min": np.inf, "add": 0}
        init = limits[reduction]
        if vector.type == "f8E4M3FN" and reduction != "add":
            init = -448 if reduction == "max" else 448
        elif not is_float(vector.type) and reduction != "add":
            info = np.iinfo(storage(vector.type))
            init = info.min if reduction == "max" else info.max
        window = {"kernel": [1, 1, *vector["kernel"]], "strides": [1, 1, *vector["strides"]],
                  "base_dilations": [1] * len(vector.shape),
                  "dilations": [1, 1, *vector["dilations"]]}
        pads = [(0, 0), (0, 0), *zip(begin, end)]
        result = [*vector.shape[:2], *(d.output for d in vector.dimensions())]
    else:
        raise Unsupported(f"StableHLO has no {op}")

    def tensor(extents: Any) -> str:
        return f"tensor<{''.join(f'{extent}x' for extent in extents)}{kind}>"

    names = {"kernel": "window_dimensions", "strides": "window_strides",
             "base_dilations": "base_dilations", "dilations": "window_dilations"}
    lists = ", ".join(f"{names[name]} = array<i64: {', '.join(map(str, numbers))}>"
                      for name, numbers in window.items())
    pairs = [list(pair) for pair in pads]
    return f"""func.func @main(%x: {tensor(vector.shape)}) -> {tensor(result)} {{
  %init = stablehlo.constant dense<{number(vector, init)}> : tensor<{kind}>
  %y = "stablehlo.reduce_window"(%x, %init) <{{{lists},
      padding = dense<{pairs}> : tensor<{len(pairs)}x2xi64>}}> ({{
  ^bb0(%a: tensor<{kind}>, %b: tensor<{kind}>):
    %c = stablehlo.{REDUCTIONS[reduction]} %a, %b : tensor<{kind}>
    stablehlo.return %c : tensor<{kind}>
  }}) : ({tensor(vector.shape)}, tensor<{kind}>) -> {tensor(result)}
  return %y : {tensor(result)}
}}
"""


class IreeStableHlo(Iree):
    """reduce_window of StableHLO."""

    title = "IREE (StableHLO)"
    documents = ("stablehlo",)
    input_type = "stablehlo"

    def _module(self, vector: Vector) -> tuple[Vector, View | None, str]:
        if vector.type in BITS:
            raise Unsupported(f"IREE's Python arrays have no {vector.type}")
        view = None
        if vector.operation != "reduce_window":
            view = View(vector, "channels_first", range(1, 9))
            vector = view.vector
        return vector, view, make_module(vector)

    def run(self, vector: Vector) -> Results:
        inner, view, text = self._module(vector)
        found = self._run(text, "main", [np.ascontiguousarray(inner.x.array)], flags(vector))
        results = {vector.outputs[0]: self._signed(vector, found[0])}
        return view.back(results) if view else results

    def reproduce(self, vector: Vector) -> str:
        inner, _, text = self._module(vector)
        lines, _ = bits(inner)
        return "\n".join([
            "import numpy as np", "import iree.compiler", "import iree.runtime", "", *lines,
            f"text = '''\n{text}'''",
            "binary = iree.compiler.compile_str(text, target_backends=['llvm-cpu'],",
            f"    input_type='stablehlo', extra_args={flags(vector)!r})",
            "module = iree.runtime.load_vm_flatbuffer(binary, driver='local-sync')",
            "print(module.main(x).to_host())"]) + "\n"


ADAPTERS = {"iree-onnx": IreeOnnx, "iree-stablehlo": IreeStableHlo}
