"""pool-mlir, the dialect of this project: its three lowerings and its interpreter.

The systems call the program `pool-run` of the package. The environment variable POOL_RUN names
another one.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from ..adapter import Adapter, Refused, Results, Unsupported
from ..tensor import BITS, Tensor
from ..vector import Vector, default_attributes
from ._view import assignments, imports

# Clauses of an operation's text, in the vector's names
CLAUSES = ("kernel", "output_size", "strides", "dilations", "base_dilations", "pads_begin",
           "pads_end", "rounding_type", "auto_pad", "same_output", "layout", "axis",
           "index_base", "pad_value", "nan_mode", "min_count", "divisor", "divisor_override",
           "integer_rounding", "input_zp", "output_zp", "p", "normalize")
# Bodies of reduce_window: the operations of arith on floats, signed and unsigned integers
REDUCTIONS = {"add": ("addf", "addi", "addi"), "mul": ("mulf", "muli", "muli"),
              "max": ("maximumf", "maxsi", "maxui"), "min": ("minimumf", "minsi", "minui"),
              "and": ("", "andi", "andi"), "or": ("", "ori", "ori"), "xor": ("", "xori", "xori")}
# Messages of the program if this version lacks an operation, a clause or an element type
LACKING = ("is unknown; the operations are", "unknown clause", "expected integer value",
           "operand #0 must be tensor of", "result #0 must be tensor of")


# Limits of one call
SECONDS, BYTES = 50, 4 << 30


def limit_memory() -> None:
    """Limits the memory of a new process, so that it cannot take that of the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def tensor_type(type_name: str, shape: tuple[int, ...] | None, rank: int) -> str:
    """Returns the text of a tensor's type; without a shape, every extent is unknown."""
    dims = "x".join(map(str, shape) if shape is not None else "?" * rank)
    return f"tensor<{dims}x{type_name}>"


def clauses(vector: Vector) -> str:
    """Returns the clauses of the vector's attributes that differ from the defaults."""
    defaults = default_attributes(vector.operation, len(vector.shape) - 2)
    # Where nothing depends on it, the default is right too.
    defaults["nan_mode"] = [defaults.get("nan_mode"), "either"]
    parts = []
    for name in CLAUSES:
        value = vector[name]
        if value is None or value == defaults.get(name) or name == "nan_mode" and (
                value in defaults[name] or not vector.has_nan):
            continue
        if vector.operation.endswith("_grad") and name in ("input_zp", "output_zp"):
            continue
        parts.append(f"{name} {value}")
    return " ".join(parts)


def make_module(vector: Vector) -> str:
    """Returns a module whose function @main computes the vector."""
    op = vector.operation
    rank = len(vector.shape)
    inputs = {name: tensor_type(data["type"], tuple(data["shape"]), len(data["shape"]))
              for name, data in vector.json["inputs"].items()}
    outputs = [tensor_type(vector.output_type(name), None, rank) for name in vector.outputs]
    arguments = ", ".join(f"%{name}: {text}" for name, text in inputs.items())
    names = list(inputs)
    if op in ("max_unpool",):
        outputs = [tensor_type(vector.type, tuple(vector["output_shape"]), rank)]
        text = f" axis {vector['axis']}" if vector["axis"] else ""
    elif op.endswith("_grad"):
        outputs = [inputs["x"]]
        text = " " + clauses(vector)
        if op in ("avg_pool_grad", "adaptive_avg_pool_grad"):
            # These gradients need no input, only its shape.
            names.remove("x")
    elif op == "reduce_window":
        raise Unsupported("the adapter writes no reduce_window yet")
    else:
        text = " " + clauses(vector)
    operands = ", ".join(f"%{name}" for name in names)
    types = ", ".join(inputs[name] for name in names)
    results = ", ".join(f"%y{i}" for i in range(len(outputs)))
    return (f"func.func @main({arguments}) -> ({', '.join(outputs)}) {{\n"
            f"  {results} = pool.{op} {operands}{text}\n    : {types} -> {', '.join(outputs)}\n"
            f"  return {results} : {', '.join(outputs)}\n}}\n")


class PoolMlir(Adapter):
    """The default path: loops over vectors."""

    title = "pool-mlir, vector"
    requirements = ("pool-mlir", "numpy")
    documents = ("openvino", "ngraph", "bnns", "onnx", "pytorch", "tosa", "stablehlo", "tflite")
    path = "vector"
    timeout = 60.0

    def __init__(self) -> None:
        program = os.environ.get("POOL_RUN") or shutil.which("pool-run")
        if not program:
            raise ImportError("pool-run is not on the PATH; POOL_RUN may name it")
        self.program = program

    def version(self) -> str:
        text = subprocess.run([self.program, "--version"], capture_output=True, text=True,
                              check=False).stdout
        words = [line.split()[-1] for line in text.splitlines() if line.startswith("pool-mlir")]
        return words[0] if words else "unknown"

    def _call(self, module: str, directory: Path, arrays: list[np.ndarray],
              count: int) -> list[np.ndarray]:
        source = directory / "pool.mlir"
        source.write_text(module)
        ins = [directory / f"x{i}.npy" for i in range(len(arrays))]
        outs = [directory / f"y{i}.npy" for i in range(count)]
        for path, array in zip(ins, arrays):
            np.save(path, array)
        command = [self.program, f"--path={self.path}", str(source), "--input",
                   *map(str, ins), "--output", *map(str, outs)]
        try:
            process = subprocess.run(command, capture_output=True, text=True, check=False,
                                     timeout=SECONDS, preexec_fn=limit_memory)
        except subprocess.TimeoutExpired:
            # pool-run has been ended. The runner notes a hang of this process.
            while True:
                time.sleep(1)
        if process.returncode < 0:
            # The runner counts the end of this process as a crash of the system.
            os.kill(os.getpid(), -process.returncode)
        if process.returncode:
            lines = [line for line in process.stderr.splitlines() if "error:" in line] \
                or process.stderr.splitlines() or ["no message"]
            if any(text in lines[0] for text in LACKING):
                raise Unsupported(lines[0].split("error:")[-1].strip()[:150])
            raise Refused(lines[0].split("error:")[-1].strip()[:300])
        return [np.load(path) for path in outs]

    def run(self, vector: Vector) -> Results:
        module = make_module(vector)
        arrays = []
        for tensor in vector.inputs.values():
            assert tensor.array is not None
            array = np.ascontiguousarray(tensor.array)
            # Types that NumPy lacks are untyped bytes in its files.
            arrays.append(array.view(f"V{array.itemsize}") if tensor.type in BITS else array)
        with tempfile.TemporaryDirectory() as directory:
            found = self._call(module, Path(directory), arrays, len(vector.outputs))
        results: dict[str, Tensor | np.ndarray] = {}
        for name, array in zip(vector.outputs, found):
            ours = vector.output_type(name)
            if array.dtype.kind == "V" and ours in BITS:
                results[name] = Tensor.of(array.view(BITS[ours]), ours)
            else:
                results[name] = array
        return results

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        raise Unsupported("pool-run needs data")

    def reproduce(self, vector: Vector) -> str:
        module = make_module(vector)
        lines = imports(vector, "import subprocess")
        lines += ["", *assignments(vector), f"module = '''\n{module}'''",
                  "open('pool.mlir', 'w').write(module)"]
        for name, tensor in vector.inputs.items():
            size = 1 if tensor.type.startswith("f8") else 2
            view = f".view('V{size}')" if tensor.type in BITS else ""
            lines.append(f"np.save('{name}.npy', {name}{view})")
        ins = [f"{name}.npy" for name in vector.inputs]
        outs = [f"{name}.npy" for name in vector.outputs]
        command = ["pool-run", f"--path={self.path}", "pool.mlir", "--input", *ins, "--output",
                   *outs]
        lines += [f"subprocess.run({command!r}, check=True)",
                  f"print([np.load(name) for name in {outs!r}])"]
        return "\n".join(lines) + "\n"


class PoolLinalg(PoolMlir):
    """The path through linalg."""

    title = "pool-mlir, linalg"
    path = "linalg"


class PoolAffine(PoolMlir):
    """The path through affine loops."""

    title = "pool-mlir, affine"
    path = "affine"


class PoolReference(PoolMlir):
    """The reference interpreter."""

    title = "pool-mlir, interpreter"
    path = "reference"


ADAPTERS = {"pool-vector": PoolMlir, "pool-linalg": PoolLinalg, "pool-affine": PoolAffine,
            "pool-reference": PoolReference}
