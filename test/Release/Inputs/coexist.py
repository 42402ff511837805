"""The installed package must work in one process with libraries that have an LLVM, an OpenMP or a
Python binding of their own. Each library is imported before and after the package, and all
together in several orders. Child processes, by fork and spawn, compute with the package. Also
tests pool_mlir.torch and pool_mlir.jax.

Each order runs in a process of its own, which imports the libraries, computes with each of them,
and ends. The test skips a library that is not installed, and prints its name. It also prints how
much longer `import pool_mlir` takes than importing NumPy.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import importlib.util
import multiprocessing
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

SECONDS = 300
MOST_IMPORT_MS = 60
X = np.random.default_rng(0).random((2, 64, 112, 112), dtype=np.float32)
ADD = "define i32 @f(i32 %a) {\n %b = add i32 %a, 1\n ret i32 %b\n}"
AVERAGE = """func.func @f(%x: tensor<2x64x112x112xf32>) -> tensor<2x64x56x56xf32> {
  %y = pool.avg_pool %x kernel [2, 2] strides [2, 2]
    : tensor<2x64x112x112xf32> -> tensor<2x64x56x56xf32>
  return %y : tensor<2x64x56x56xf32>
}"""
# pylint: disable=import-outside-toplevel,import-error


def pool():
    """Runs a kernel on two threads, and a module."""
    import pool_mlir
    pool_mlir.set_num_threads(2)
    values = pool_mlir.max_pool(X, 2, 2)
    windows = X.reshape(2, 64, 56, 2, 56, 2)
    assert np.array_equal(values, windows.max(axis=(3, 5)))
    average = pool_mlir.compile(AVERAGE)(X)
    assert np.allclose(average, windows.mean(axis=(3, 5)), rtol=1e-5)


def torch():
    import torch as library
    library.set_num_threads(2)
    x = library.from_numpy(X)
    assert library.nn.functional.max_pool2d(x, 2).shape == (2, 64, 56, 56)
    library.mm(library.rand(500, 500), library.rand(500, 500))


def jax():
    import jax as library
    library.jit(lambda x: library.numpy.tanh(x).sum())(X).block_until_ready()


def torch_door():
    """Runs pool_mlir.torch's function forward and backward, and compares with torch's own."""
    import torch as library
    import pool_mlir.torch as door
    x = library.from_numpy(X).requires_grad_()
    values = door.max_pool2d(x, 3, 2, 1)
    own = library.nn.functional.max_pool2d(x, 3, 2, 1)
    assert library.equal(values, own)
    gradients = [library.autograd.grad(y.sum(), x)[0] for y in (values, own)]
    assert library.allclose(*gradients)
    assert not door.fallbacks


def jax_door():
    """Runs a gradient of pool_mlir.jax under jax.jit, so that XLA calls our kernels."""
    import jax as library
    import pool_mlir.jax as door
    step = library.jit(library.value_and_grad(
        lambda x: door.avg_pool(x, 2, 2).sum()))
    total, gradient = step(X)
    assert np.isclose(total, X.sum() / 4, rtol=1e-4)
    assert np.all(gradient == 0.25)


def openvino():
    import openvino as library
    from openvino import opset13 as ops
    x = ops.parameter(X.shape, np.float32)
    model = library.Model([ops.relu(x)], [x])
    library.Core().compile_model(model, "CPU")(X)


def onnxruntime():
    import onnxruntime as library
    from onnx import helper
    x, y = (helper.make_tensor_value_info(name, 1, X.shape) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    library.InferenceSession(model.SerializeToString()).run(None, {"x": X})


def torch_mlir():
    from torch_mlir import ir
    with ir.Context():
        ir.Module.parse("func.func @f() { return }")


def iree():
    from iree.compiler import ir
    with ir.Context():
        ir.Module.parse("func.func @f() { return }")


def jaxlib():
    from jax.interpreters.mlir import make_ir_context
    from jaxlib.mlir import ir
    with make_ir_context():
        ir.Module.parse("func.func @f() { return }")


def bindings():
    """Builds a module with the package pool-mlir-python-bindings, and runs it."""
    import pool_mlir
    from pool_mlir.mlir.dialects import func, pool as dialect
    from pool_mlir.mlir.ir import Context, InsertionPoint, Location, Module, Type
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            @func.FuncOp.from_py_func(Type.parse("tensor<2x64x112x112xf32>"))
            def main(x):  # pylint: disable=unused-variable
                return dialect.max_pool(x, kernel=[2, 2], strides=[2, 2])
    values = pool_mlir.compile(module)(X)
    assert np.array_equal(values, pool_mlir.max_pool(X, 2, 2))


def llvmlite():
    from llvmlite import binding
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(ADD), machine)
    engine.finalize_object()
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(engine.get_function_address("f"))
    assert function(1) == 2


def run_intel(mode):
    """Runs a parallel region in Intel's OpenMP library, which derives from LLVM's."""
    library = ctypes.CDLL(str(Path(sys.prefix, "lib/libiomp5.so")), mode=mode)
    library.omp_set_num_threads(2)
    seen = []
    region = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(
        lambda *_: seen.append(1))
    location = (ctypes.c_int64 * 3)(2 << 32, 0, 0)
    library.__kmpc_fork_call(location, 0, region)
    assert len(seen) == 2


def intel():
    run_intel(ctypes.RTLD_LOCAL)


def intel_for_all():
    run_intel(ctypes.RTLD_GLOBAL)


def run_child(kind):
    child = multiprocessing.get_context(kind).Process(target=pool)
    child.start()
    child.join()
    assert child.exitcode == 0


def fork():
    run_child("fork")


def spawn():
    run_child("spawn")


class Images:
    """A data set for torch's DataLoader, whose workers call pooling."""

    def __len__(self):
        return 8

    def __getitem__(self, index):
        import pool_mlir
        return pool_mlir.max_pool(X[:1], 2, 2)[0, 0]


def workers():
    from torch.utils.data import DataLoader
    for kind in ("fork", "spawn"):
        loader = DataLoader(Images(), batch_size=4, num_workers=2, multiprocessing_context=kind)
        assert sum(len(batch) for batch in loader) == 8


STEPS = {step.__name__: step for step in (
    pool, torch, jax, torch_door, jax_door, openvino, onnxruntime, torch_mlir, iree, jaxlib,
    bindings, llvmlite, intel, intel_for_all, fork, spawn, workers)}
# Step -> the module that it needs
PEERS = {"torch": "torch", "jax": "jax", "openvino": "openvino", "onnxruntime": "onnxruntime",
         "torch_mlir": "torch_mlir", "iree": "iree.compiler", "jaxlib": "jaxlib",
         "bindings": "pool_mlir.mlir", "llvmlite": "llvmlite"}
# Step that tests a part of pool_mlir -> the library that this part needs
DOORS = {"torch_door": "torch", "jax_door": "jax"}


def get_orders(peers, intel_is_there):
    for peer in peers:
        yield ("pool", peer, "pool")
        yield (peer, "pool", peer)
    if intel_is_there:
        for step in ("intel", "intel_for_all"):
            yield ("pool", step, "pool", "fork")
            yield (step, "pool", step, "fork")
    yield ("fork", "pool", "fork", "spawn")
    if "torch" in peers:
        yield ("workers",)
        yield ("pool", "torch", "workers", "pool")
    doors = [door for door, peer in DOORS.items() if peer in peers]
    for door in doors:
        yield (door, DOORS[door], "pool", "fork")
        yield ("pool", DOORS[door], door, "spawn")
    rng = random.Random(1)
    for _ in range(6 if peers else 0):
        order = ["pool", *peers, *doors]
        rng.shuffle(order)
        yield (*order, "pool", "fork")


def has_module(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def measure_import(module):
    """Returns the milliseconds of processor time that importing `module` takes after
    NumPy: the minimum of several processes."""
    code = ("import time, numpy; begin = time.process_time(); "
            f"import {module}; print(time.process_time() - begin)")
    return 1000 * min(float(subprocess.check_output([sys.executable, "-c", code]))
                      for _ in range(5))


def main():
    if len(sys.argv) > 1:
        for step in sys.argv[1:]:
            STEPS[step]()
        return 0
    peers = [peer for peer, module in PEERS.items() if has_module(module)]
    intel_is_there = Path(sys.prefix, "lib/libiomp5.so").exists()
    missing = [*sorted(set(PEERS) - set(peers)), *([] if intel_is_there else ["intel-openmp"])]
    failed = 0
    for order in get_orders(peers, intel_is_there):
        begin = time.monotonic()
        try:
            process = subprocess.run([sys.executable, __file__, *order], timeout=SECONDS,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, check=False,
                                     env={**os.environ, "POOL_CACHE_DIR": ""})
            problem = process.stdout[-2000:] if process.returncode else ""
            verdict = f"exit code {process.returncode}" if process.returncode else "ok"
        except subprocess.TimeoutExpired:
            problem, verdict = "", "hangs"
        print(f"{verdict:>14} {time.monotonic() - begin:6.1f} s  {', '.join(order)}", flush=True)
        if verdict != "ok":
            failed += 1
            print(problem)
    if missing:
        print(f"not installed: {', '.join(missing)}")
    cost = measure_import("pool_mlir")
    print(f"import: {cost:.1f} ms beyond NumPy's")
    print(f"{failed} orders failed")
    return 1 if failed or cost > MOST_IMPORT_MS else 0


if __name__ == "__main__":
    sys.exit(main())
