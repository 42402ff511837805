"""linalg's named pooling operations, lowered by MLIR."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

from ..adapter import Adapter, Refused, Results, Unsupported
from ..tensor import is_float, storage
from ..vector import Vector
from . import _mlir
from ._view import View, check_numbers

# Named operations by layout and number of spatial dimensions, with {} for the reduction
NAMES = {("channels_first", 1): "pooling_ncw_{}", ("channels_first", 2): "pooling_nchw_{}",
         ("channels_last", 1): "pooling_nwc_{}", ("channels_last", 2): "pooling_nhwc_{}",
         ("channels_last", 3): "pooling_ndhwc_{}"}
# The reductions that exist with channels first
FIRST = ("max", "sum")


def view_of(vector: Vector) -> View:
    """Returns the vector in the layout of the named operations."""
    first = vector["layout"] == "channels_first" and vector.rank < 3 \
        and vector.operation != "min_pool" and not vector.type.startswith("u")
    return View(vector, "channels_first" if first else "channels_last", (1, 2, 3))


def extreme(type_name: str, smallest: bool) -> str:
    """Returns the text of an infinity, or of the least or largest integer."""
    if is_float(type_name):
        bits = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000",
                "f64": "0xFFF0000000000000"}[type_name]
        return bits if not smallest else {
            "f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000",
            "f64": "0x7FF0000000000000"}[type_name]
    width = int(type_name.lstrip("ui"))
    if type_name.startswith("u"):
        return "-1" if smallest else "0"
    return str(2 ** (width - 1) - 1 if smallest else -2 ** (width - 1))


def make_module(vector: Vector) -> str:
    """Returns a module whose function @main computes the vector."""
    op = vector.operation
    if op not in ("max_pool", "min_pool", "sum_pool"):
        raise Unsupported(f"linalg has no {op}")
    if vector["index_type"]:
        raise Unsupported("linalg's poolings have no indices")
    Adapter.only(vector, pad_value=("neg_inf", "pos_inf"))
    # linalg's max is arith.maximumf, whose document says that NaN propagates.
    Adapter.check_nan(vector, "propagate")
    check_numbers(vector, 64)
    if vector.type.startswith("f8"):
        raise Unsupported(f"MLIR lowers no arithmetic of {vector.type}")
    # linalg has no padding and no ceil.
    if not vector.means_same(auto_pad="valid", rounding_type="floor"):
        raise Unsupported("linalg's poolings have no pads")
    unsigned = vector.type.startswith("u")
    result = vector.output_type("values")
    reduction = {"max_pool": "max", "min_pool": "min", "sum_pool": "sum"}[op]
    if unsigned and op == "sum_pool" and result != vector.type:
        raise Unsupported("linalg's sums extend integers by their sign")
    if unsigned and op != "sum_pool":
        reduction += "_unsigned"
    key = (vector["layout"], vector.rank)
    if key not in NAMES or vector["layout"] == "channels_first" and reduction not in FIRST \
            or vector.rank == 3 and unsigned and op != "sum_pool":
        raise Unsupported(f"linalg has no pooling {reduction} with this layout and rank")
    name = NAMES[key].format(reduction)
    dims = vector.dimensions()
    first = 2 if vector["layout"] == "channels_first" else 1
    shape = list(vector.shape)
    shape[first:first + vector.rank] = [d.output for d in dims]
    source, target = (_mlir.tensor_type(t, s) for t, s in ((vector.type, vector.shape),
                                                           (result, shape)))
    kernel = _mlir.tensor_type(result, vector["kernel"])
    number = "0.0" if is_float(result) else "0"
    if op != "sum_pool":
        number = extreme(vector.type, op == "min_pool")
    kind = _mlir.element(result)

    def dense(numbers: list[int]) -> str:
        return f"dense<{numbers}> : tensor<{len(numbers)}xi64>"

    return f"""func.func @main(%x: {source}) -> {target} {{
  %init = arith.constant {number} : {kind}
  %empty = tensor.empty() : {target}
  %fill = linalg.fill ins(%init : {kind}) outs(%empty : {target}) -> {target}
  %window = tensor.empty() : {kernel}
  %y = linalg.{name} {{strides = {dense(vector["strides"])},
                      dilations = {dense(vector["dilations"])}}}
    ins(%x, %window : {source}, {kernel}) outs(%fill : {target}) -> {target}
  return %y : {target}
}}
"""


class Linalg(Adapter):
    """Named operations on tensors, bufferised and lowered to loops."""

    title = "MLIR linalg"
    requirements = (_mlir.REQUIREMENT, "numpy")
    documents = ()
    tracker = "https://github.com/llvm/llvm-project/issues"
    timeout = 60.0

    def __init__(self) -> None:
        self.call = _mlir.load()

    def version(self) -> str:
        return _mlir.version()

    def _arguments(self, vector: Vector) -> tuple[str, list[int], list[str]]:
        return make_module(vector), [len(vector.shape)], [vector.output_type("values")]

    def run(self, vector: Vector) -> Results:
        view = view_of(vector)
        text, ranks, types = self._arguments(view.vector)
        _, arrays = _mlir.bits(view.vector)
        try:
            found: list[Any] = self.call(text, _mlir.TO_LLVM, arrays, ranks,
                                         [storage(t) for t in types])
        except Exception as error:
            raise Refused(_mlir.message(error)) from error
        return view.back(_mlir.results(vector, found, types))

    def reproduce(self, vector: Vector) -> str:
        view = view_of(vector)
        text, ranks, types = self._arguments(view.vector)
        lines, _ = _mlir.bits(view.vector)
        return _mlir.script(lines, text, _mlir.TO_LLVM, list(view.vector.inputs), ranks, types)


ADAPTERS = {"linalg": Linalg}
