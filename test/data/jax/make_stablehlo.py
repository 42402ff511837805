#!/usr/bin/env python3
"""Writes stablehlo.json.gz for test/Python/stablehlo-vectors.py, so that this test needs no JAX.

The file has modules that JAX prints for pooling, the same modules raised by this package and
lowered by jaxlib, and JAX's results.

usage: POOL_BUILD_DIR=build PYTHONPATH=test/Integration make_stablehlo.py
           (of the environment that `make bench-peers` makes)

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import gzip
import json
from pathlib import Path

import numpy as np
from jax.interpreters import mlir
from pool_mlir import _pool_mlir, _stablehlo
from pooltest.jax_problems import KINDS, flax_pools, random_problem
from pooltest.stablehlo import jax

RANDOM = 4


def pack(array):
    array = np.asarray(array)
    # JSON has no NaN and no infinity.
    numbers = [n if np.isfinite(n) else str(n) for n in array.ravel().tolist()]
    return {"dtype": str(array.dtype), "shape": array.shape, "numbers": numbers}


def legalize(text):
    """Returns the module raised by pool_mlir and lowered by jaxlib, without locations, or
    nothing if pool_mlir rejects the module."""
    try:
        text = _stablehlo.legalize(_pool_mlir._raise_stablehlo(text, False))
    except ValueError:
        return {}
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        operation = mlir.ir.Module.parse(text).operation
        return {"linalg": operation.get_asm(print_generic_op_form=True)}


def make_case(function, arguments):
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    text = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
    results = jax.tree.leaves(jax.jit(function)(*arguments))
    return {"text": text, **legalize(text), "inputs": [pack(a) for a in arguments],
            "outputs": [pack(r) for r in results]}


def main():
    rng = np.random.default_rng(31)
    cases = []
    for kind in KINDS:
        while sum(case["kind"] == kind for case in cases) < RANDOM:
            function, arguments, _ = random_problem(rng, kind)
            if max(a.size for a in arguments) <= 120:
                cases.append({"kind": kind, **make_case(function, arguments)})
    with jax.enable_x64(False):
        x = rng.integers(-8, 9, (1, 6, 6, 2)).astype(np.float32)
        g = rng.integers(-8, 9, (1, 3, 3, 2)).astype(np.float32)
        for function, operations, count in flax_pools():
            cases.append({"kind": "flax", "operations": operations,
                          **make_case(function, (x, g)[:count])})
    path = Path(__file__).with_name("stablehlo.json.gz")
    text = json.dumps({"jax": jax.__version__, "cases": cases}, indent=0) + "\n"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{path.name}: {len(cases)} cases")


if __name__ == "__main__":
    main()
