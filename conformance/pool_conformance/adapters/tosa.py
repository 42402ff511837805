"""TOSA: its reference model, and MLIR's lowering of it through linalg."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from ..adapter import Adapter, Refused, Results, Unsupported
from ..tensor import Tensor, is_float, storage
from ..vector import Vector
from . import _mlir
from ._view import View, check_numbers

ACCUMULATORS = {"i8": "i32", "i16": "i32", "f16": "f32", "bf16": "f32", "f32": "f32",
                "f8E4M3FN": "f16", "f8E5M2": "f16"}
TO_LINALG = ("func.func(tosa-to-linalg-named),func.func(tosa-to-linalg),"
             "func.func(tosa-to-arith{include-apply-rescale=true}),func.func(tosa-to-tensor),")


def make_module(vector: Vector) -> tuple[str, list[int]]:
    """Returns a module whose function @main computes the vector, and the result's shape.

    The TOSA document states: two dimensions, channels last; the windows must fit the padded
    input exactly; pads are shorter than the kernel; averages count elements inside and round
    halves away from zero; nan_mode is an attribute of maxima.
    """
    op = vector.operation
    if op not in ("max_pool", "avg_pool"):
        raise Unsupported(f"TOSA has no {op}")
    if vector["index_type"]:
        raise Unsupported("TOSA has no indices")
    if vector.type not in ACCUMULATORS:
        raise Unsupported(f"TOSA has no pooling of {vector.type}")
    check_numbers(vector)
    if 0 in vector.shape:
        raise Unsupported("TOSA's extents are at least 1")
    Adapter.only(vector, pad_value="neg_inf", divisor_override=None)
    if any(dilation != 1 for dilation in vector["dilations"]):
        raise Unsupported("TOSA has no dilations of pooling")
    if vector["auto_pad"].startswith("same"):
        raise Unsupported(f"TOSA has no auto_pad {vector['auto_pad']}")
    Adapter.choose(vector, "rounding_type", "floor")
    pads = [] if vector["auto_pad"] == "valid" else [
        pad for pair in zip(vector["pads_begin"], vector["pads_end"]) for pad in pair]
    pads = pads or [0, 0, 0, 0]
    extents = vector.shape[1:3]
    outputs = []
    for i, extent in enumerate(extents):
        room = extent + sum(pads[2 * i:2 * i + 2]) - vector["kernel"][i]
        stride = max(vector["strides"][i], 1)
        if room >= 0 and room % stride:
            raise Unsupported("TOSA's windows must reach the end of the padded input")
        outputs.append(max(room // stride + 1, 1))
    wrong = any(expected.refused for expected in vector.expected)
    if not wrong and any(max(pads[2 * i:2 * i + 2]) >= k for i, k in enumerate(vector["kernel"])):
        raise Unsupported("TOSA's pads are shorter than the kernel")
    kind = vector.type
    shape = [vector.shape[0], *outputs, vector.shape[3]]
    source, target = _mlir.tensor_type(kind, vector.shape), _mlir.tensor_type(kind, shape)
    lists = (f"kernel = array<i64: {', '.join(map(str, vector['kernel']))}>, "
             f"stride = array<i64: {', '.join(map(str, vector['strides']))}>, "
             f"pad = array<i64: {', '.join(map(str, pads))}>")
    if op == "max_pool":
        mode = "PROPAGATE" if vector["nan_mode"] in ("propagate", "either") else "IGNORE"
        body = (f"  %y = tosa.max_pool2d %x {{{lists}, nan_mode = {mode}}} "
                f": ({source}) -> {target}\n")
    else:
        Adapter.check_nan(vector, "propagate")
        Adapter.choose(vector, "divisor", "valid")
        if not is_float(kind):
            Adapter.only(vector, integer_rounding="half_away")
        zero = (f"tensor<1x{kind}>", "0.0" if is_float(kind) else "{}")
        values = [zero[1].format(vector[name]) for name in ("input_zp", "output_zp")]
        body = "".join(f'  %{name} = "tosa.const"() <{{values = dense<{value}> : {zero[0]}}}> '
                       f": () -> {zero[0]}\n" for name, value in zip(("a", "b"), values))
        body += (f"  %y = tosa.avg_pool2d %x, %a, %b {{{lists}, "
                 f"acc_type = {ACCUMULATORS[kind]}}} : ({source}, {zero[0]}, {zero[0]}) "
                 f"-> {target}\n")
    text = f"func.func @main(%x: {source}) -> {target} {{\n{body}  return %y : {target}\n}}\n"
    return text, shape


class TosaReference(Adapter):
    """The reference model of the package tosa-tools."""

    title = "TOSA reference model"
    requirements = ("tosa-tools", "numpy")
    documents = ("tosa",)
    tracker = "https://git.gitlab.arm.com/tosa/tosa-tools/-/issues"
    timeout = 60.0

    def __init__(self) -> None:
        import tosa_reference_model
        self.model = tosa_reference_model
        self.opt = Path(sys.executable).parent / "tosa-opt"

    def version(self) -> str:
        return metadata.version("tosa-tools")

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_last", (2,))
        text, shape = make_module(view.vector)
        array = np.ascontiguousarray(view.vector.x.array)
        with tempfile.TemporaryDirectory() as directory:
            source, binary = Path(directory) / "pool.mlir", Path(directory) / "pool.tosa"
            source.write_text(text)
            process = subprocess.run(
                [self.opt, f"--tosa-serialize=tosa-flatbuffer-filename={binary}", source],
                capture_output=True, text=True, check=False)
            if process.returncode or not binary.exists():
                lines = [line for line in process.stderr.splitlines() if "error:" in line]
                raise Refused((lines or ["tosa-opt: no message"])[0].split("error:")[-1][:300])
            model = binary.read_bytes()
        with self.system():
            outputs, status = self.model.run(model, [array])
        if status != self.model.GraphStatus.TOSA_VALID:
            raise Refused(f"the graph is {status}")
        found = np.frombuffer(outputs[0], storage(vector.type)).reshape(shape)
        return view.back({"values": Tensor.of(found, vector.type)})

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, "channels_last", (2,))
        text, _ = make_module(view.vector)
        lines, arrays = _mlir.bits(view.vector)
        return "\n".join([
            "import pathlib, subprocess, sys", "import numpy as np",
            "import tosa_reference_model", "",
            *lines, f"text = '''\n{text}'''", "open('pool.mlir', 'w').write(text)",
            "opt = pathlib.Path(sys.executable).with_name('tosa-opt')",
            "subprocess.run([opt, '--tosa-serialize=tosa-flatbuffer-filename=pool.tosa', "
            "'pool.mlir'], check=True, stdout=subprocess.DEVNULL)",
            "outputs, status = tosa_reference_model.run(open('pool.tosa', 'rb').read(), [x])",
            f"print(status, np.frombuffer(outputs[0], np.{arrays[0].dtype}))"]) + "\n"


class TosaMlir(Adapter):
    """tosa-to-linalg of upstream MLIR, then its lowering to loops."""

    title = "MLIR tosa"
    requirements = (_mlir.REQUIREMENT, "numpy")
    documents = ("tosa",)
    tracker = "https://github.com/llvm/llvm-project/issues"
    timeout = 60.0
    pipeline = TO_LINALG + _mlir.TO_LLVM

    def __init__(self) -> None:
        self.call = _mlir.load()

    def version(self) -> str:
        return _mlir.version()

    def run(self, vector: Vector) -> Results:
        if vector.type.startswith("f8"):
            raise Unsupported(f"MLIR lowers no arithmetic of {vector.type}")
        view = View(vector, "channels_last", (2,))
        text, _ = make_module(view.vector)
        _, arrays = _mlir.bits(view.vector)
        try:
            found: list[Any] = self.call(text, self.pipeline, arrays, [4],
                                         [storage(vector.type)])
        except Exception as error:
            raise Refused(_mlir.message(error)) from error
        return view.back(_mlir.results(vector, found, [vector.type]))

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, "channels_last", (2,))
        text, _ = make_module(view.vector)
        lines, _ = _mlir.bits(view.vector)
        return _mlir.script(lines, text, self.pipeline, ["x"], [4], [vector.type])


ADAPTERS = {"tosa-reference": TosaReference, "tosa": TosaMlir}
