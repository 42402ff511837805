"""Compiles modules of upstream dialects by MLIR's Python bindings and calls them.

Not an adapter: adapters of tosa, linalg and torch-mlir use it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from importlib import metadata
from typing import Any

import numpy as np

from ..adapter import Refused
from ..tensor import Tensor, storage
from ..vector import Vector

REQUIREMENT = "xtc-mlir-python-bindings"
# From linalg on tensors to the LLVM dialect
TO_LLVM = ("func.func(llvm-request-c-wrappers),"
           "one-shot-bufferize{bufferize-function-boundaries "
           "function-boundary-type-conversion=identity-layout-map},"
           "func.func(convert-linalg-to-loops,arith-emulate-unsupported-floats"
           "{source-types=bf16 target-type=f32}),convert-scf-to-cf,expand-strided-metadata,"
           "lower-affine,arith-expand{include-bf16=true},convert-math-to-llvm,"
           "convert-math-to-libm,"
           "convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
           "convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts")

# Compiles and calls a module: `run` executes this text, and `reproduce` writes it.
RUNNER = '''\
import ctypes
import itertools
from mlir import execution_engine, ir, passmanager

def copy_elements(size, source, target):
    """memrefCopy of MLIR's runner library, which the package of the bindings lacks."""
    rank = ctypes.c_int64.from_address(source).value
    places = []
    for pointer in (source, target):
        base = ctypes.c_int64.from_address(pointer + 8).value
        numbers = (ctypes.c_int64 * (3 + 2 * rank)).from_address(base)
        places.append((numbers[1] + numbers[2] * size, numbers[3 + rank:]))
    for position in itertools.product(*map(range, numbers[3:3 + rank])):
        a, b = (start + size * sum(p * s for p, s in zip(position, strides))
                for start, strides in places)
        ctypes.memmove(b, a, size)

memref_copy = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(
    copy_elements)

def descriptor(array, rank):
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
              ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * max(rank, 1)),
              ("strides", ctypes.c_int64 * max(rank, 1))]
    result = type("Descriptor", (ctypes.Structure,), {"_fields_": fields})()
    if array is not None:
        result.allocated = result.aligned = array.ctypes.data
        for d in range(rank):
            result.sizes[d] = array.shape[d]
            result.strides[d] = array.strides[d] // array.itemsize
    return result

def call(text, pipeline, arrays, ranks, dtypes):
    """Calls @main on arrays. Returns the results, which have these ranks and types."""
    with ir.Context() as context, ir.Location.unknown():
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        engine = execution_engine.ExecutionEngine(module, opt_level=0)
        engine.raw_register_runtime("memrefCopy", ctypes.cast(memref_copy, ctypes.c_void_p))
        inputs = [descriptor(array, array.ndim) for array in arrays]
        fields = [(f"y{i}", type(descriptor(None, rank))) for i, rank in enumerate(ranks)]
        outputs = type("Results", (ctypes.Structure,), {"_fields_": fields})()
        pointers = [ctypes.pointer(outputs), *map(ctypes.pointer, inputs)]
        engine.invoke("main", *(ctypes.pointer(pointer) for pointer in pointers))
        results = []
        for i, (rank, dtype) in enumerate(zip(ranks, dtypes)):
            y, dtype = getattr(outputs, f"y{i}"), np.dtype(dtype)
            sizes, strides = list(y.sizes)[:rank], list(y.strides)[:rank]
            span = 1 + sum((n - 1) * s for n, s in zip(sizes, strides))
            if min(sizes, default=1) == 0:
                results.append(np.zeros(sizes, dtype))
                continue
            raw = ctypes.string_at(y.aligned + y.offset * dtype.itemsize,
                                   span * dtype.itemsize)
            results.append(np.lib.stride_tricks.as_strided(
                np.frombuffer(raw, dtype), sizes, [s * dtype.itemsize for s in strides]).copy())
        return results
'''


def load() -> Any:
    """Returns the function `call` of RUNNER. Raises ImportError without the bindings."""
    import mlir.execution_engine  # noqa: F401
    import mlir.passmanager  # noqa: F401
    names: dict[str, Any] = {"np": np}
    exec(RUNNER, names)
    return names["call"]


# The program of `call_apart`
APART = ("import pickle, sys\nimport numpy as np\n" + RUNNER
         + "pickle.dump(call(*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)\n")


def call_apart(*arguments: Any) -> list[np.ndarray]:
    """Calls `call` of RUNNER in a process of its own, for systems that bring an MLIR too.
    Raises Refused with MLIR's words. If that process dies, this one dies alike."""
    process = subprocess.run([sys.executable, "-c", APART], input=pickle.dumps(arguments),
                             capture_output=True, check=False)
    if process.returncode < 0:
        os.kill(os.getpid(), -process.returncode)
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise Refused(next((line for line in lines if "error:" in line), lines[-1])[:300])
    result: list[np.ndarray] = pickle.loads(process.stdout)
    return result


def version() -> str:
    """Returns the version of LLVM that the bindings contain."""
    return metadata.version(REQUIREMENT)


def message(error: Exception) -> str:
    """Returns the text of an error of the bindings: what failed, and MLIR's own words."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    own = [line.split("error:", 1)[1].strip() for line in lines if "error:" in line]
    return " ".join([*lines[:1], *own[:1]])[:300]


def element(type_name: str, signless: bool = True) -> str:
    """Returns MLIR's name of an element type."""
    return type_name[1:] if signless and type_name.startswith("u") else type_name


def tensor_type(type_name: str, shape: tuple[int, ...] | list[int]) -> str:
    """Returns the text of a tensor's type."""
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element(type_name)}>"


def results(vector: Vector, arrays: list[Any], types: list[str]) -> dict[str, Tensor]:
    """Returns results by their names, with these element types."""
    return {name: Tensor.of(array.view(storage(type_name)), type_name)
            for name, array, type_name in zip(vector.outputs, arrays, types)}


def script(assignments: list[str], text: str, pipeline: str, inputs: list[str],
           ranks: list[int], types: list[str]) -> str:
    """Returns lines of a script that runs a module."""
    names = [str(storage(type_name)) for type_name in types]
    return "\n".join(["import numpy as np", RUNNER, *assignments, f"text = '''\n{text}'''",
                      f"pipeline = {pipeline!r}",
                      f"print(call(text, pipeline, [{', '.join(inputs)}], {ranks}, {names}))"
                      ]) + "\n"


def bits(vector: Vector) -> tuple[list[str], list[np.ndarray]]:
    """Returns lines that define the inputs as NumPy stores them, and the inputs."""
    lines, arrays = [], []
    for name, tensor in vector.inputs.items():
        assert tensor.array is not None
        array = np.ascontiguousarray(tensor.array)
        arrays.append(array)
        stored = array.view(np.uint16) if array.dtype == np.float16 else array
        text = repr(stored.reshape(-1).tolist()).replace("nan", "np.nan")
        text = text.replace("inf", "np.inf")
        lines.append(f"{name} = np.array({text}, np.{stored.dtype}).view(np.{array.dtype})"
                     f".reshape({array.shape})")
    return lines, arrays
