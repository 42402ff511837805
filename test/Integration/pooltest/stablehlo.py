"""Lowers modules to StableHLO and runs them by the environment's jaxlib. Requires JAX."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess

# Compiling takes most of the time, so turn XLA's optimisations off.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
from jax.interpreters import mlir
from jaxlib import xla_client

jax.config.update("jax_enable_x64", True)
POOL_OPT = os.path.join(os.environ["POOL_BUILD_DIR"], "bin", "pool-opt")


def lower(text):
    """Lowers a module with a public function @main to StableHLO. Returns (generic text of the
    module, error or an empty string)."""
    process = subprocess.run(
        [POOL_OPT, "-", "--allow-unregistered-dialect", "--convert-pool-to-stablehlo",
         "--mlir-print-op-generic"], input=text, text=True, capture_output=True)
    return process.stdout, process.stderr if process.returncode else ""


def run(text, arrays):
    """Runs @main and returns its results."""
    device = jax.devices("cpu")[0]
    with mlir.make_ir_context() as context:
        code = mlir.module_to_bytecode(mlir.ir.Module.parse(text, context))
    program = device.client.compile_and_load(code, xla_client.DeviceList((device,)),
                                             xla_client.CompileOptions())
    results = program.execute_sharded([jax.device_put(a, device) for a in arrays])
    return [np.asarray(parts[0]) for parts in results.disassemble_into_single_device_arrays()]
