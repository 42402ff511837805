"""TVM's Relax, compiled for the CPU."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import numpy as np

from ..adapter import Adapter, Results, Unsupported
from ..tensor import is_float
from ..vector import Vector
from ._view import (View, assignments, check_numbers, counts_padding, explicit_pads, imports,
                    plain_ceil)

TYPES = {"f16": "float16", "f32": "float32", "f64": "float64", "i8": "int8", "ui8": "uint8",
         "i16": "int16", "ui16": "uint16", "i32": "int32", "ui32": "uint32", "i64": "int64",
         "ui64": "uint64"}
LAYOUTS = {("channels_first", 1): "NCW", ("channels_first", 2): "NCHW",
           ("channels_first", 3): "NCDHW", ("channels_last", 1): "NWC",
           ("channels_last", 2): "NHWC", ("channels_last", 3): "NDHWC"}

# Compiles and calls a function: `run` executes this text, and `reproduce` writes it.
RUNNER = '''\
import tvm
from tvm import relax

def call(operator, arguments, x):
    builder = relax.BlockBuilder()
    data = relax.Var("x", relax.TensorType(x.shape, str(x.dtype)))
    with builder.function("main", [data]):
        with builder.dataflow():
            result = builder.emit_output(builder.emit(
                getattr(relax.op.nn, operator)(data, *arguments)))
        builder.emit_func_output(result)
    machine = relax.VirtualMachine(tvm.compile(builder.get(), target="llvm"), tvm.cpu())
    return machine["main"](tvm.runtime.tensor(x)).numpy()
'''


def make_call(vector: Vector) -> tuple[str, list[Any]]:
    """Returns the operator of relax.op.nn and its arguments after the data.

    TVM's documents state: ceil_mode takes ceil, so that every element is covered;
    count_include_pad counts the padding. They say nothing about an overhang.
    """
    op, n = vector.operation, vector.rank
    if op not in ("max_pool", "avg_pool", "adaptive_avg_pool"):
        raise Unsupported(f"Relax has no {op}")
    if vector["index_type"]:
        raise Unsupported("Relax's poolings have no indices")
    if vector.type not in TYPES:
        raise Unsupported(f"TVM's arrays of NumPy have no {vector.type}")
    Adapter.only(vector, pad_value="neg_inf", divisor_override=None, input_zp=0, output_zp=0)
    if op != "max_pool" and not is_float(vector.type):
        raise Unsupported("no document says how TVM rounds averages of integers")
    Adapter.check_nan(vector, None if op == "max_pool" else "propagate")
    check_numbers(vector, 64)
    layout = LAYOUTS[vector["layout"], n]
    if op == "adaptive_avg_pool":
        return f"{op}{n}d", [vector["output_size"], layout]
    begin, end = explicit_pads(vector)
    counts = op == "avg_pool" and counts_padding(vector)
    return f"{op}{n}d", [vector["kernel"], vector["strides"], begin + end, vector["dilations"],
                         plain_ceil(vector), counts, layout]


class Tvm(Adapter):
    """Operators of Relax, compiled by LLVM."""

    title = "TVM"
    requirements = ("apache-tvm", "numpy")
    documents = ()
    tracker = "https://github.com/apache/tvm/issues"
    timeout = 120.0

    def __init__(self) -> None:
        import os
        os.environ.setdefault("TVM_NUM_THREADS", "1")
        names: dict[str, Any] = {}
        exec(RUNNER, names)
        self.call, self.tvm = names["call"], names["tvm"]

    def version(self) -> str:
        return self.tvm.__version__

    def run(self, vector: Vector) -> Results:
        view = View(vector, vector["layout"] or "channels_first", (1, 2, 3))
        operator, arguments = make_call(view.vector)
        with self.system():
            found = self.call(operator, arguments, np.ascontiguousarray(view.vector.x.array))
        return view.back({"values": found})

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        view = View(vector, vector["layout"] or "channels_first", (1, 2, 3))
        operator, arguments = make_call(view.vector)
        relax = self.tvm.relax
        with self.system():
            data = relax.Var("x", relax.TensorType(view.vector.shape, TYPES[vector.type]))
            result = relax.BlockBuilder().normalize(
                getattr(relax.op.nn, operator)(data, *arguments))
            shape = tuple(int(extent) for extent in result.ty.shape)
        return {"values": view.shape_back(shape)}

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, vector["layout"] or "channels_first", (1, 2, 3))
        operator, arguments = make_call(view.vector)
        return "\n".join([*imports(view.vector), RUNNER, *assignments(view.vector),
                          f"print(call({operator!r}, {arguments!r}, x))"]) + "\n"


ADAPTERS = {"tvm": Tvm}
