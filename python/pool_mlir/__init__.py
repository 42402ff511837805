"""Pooling with the exact rules of OpenVINO, nGraph, BNNS, ONNX, PyTorch and TOSA.

Functions on arrays (`max_pool`, `avg_pool`, ...) compile a kernel for each set of
types, shapes and attributes once and cache it; `compile` takes any MLIR module.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from . import _pool_mlir
from ._pool_mlir import *  # noqa: F403
from ._partition import Part, Partition, Source, partition
from ._pool_mlir import __version__

__all__ = ["Part", "Partition", "Source", "__version__", "import_jax", "import_onnx",
           "partition"]
__all__ += [name for name in dir(_pool_mlir) if not name.startswith("_")]


def import_onnx(model_or_path, pool_layers=False, *, unpool_indices="inferred"):
    """Imports an ONNX model as the text of a module, for `compile`.

    See `pool_mlir.onnx.import_onnx`. Needs the package onnx.
    """
    try:
        import onnx  # noqa: F401
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("ONNX models need the package onnx: pip install onnx",
                                  name="onnx") from error
    from .onnx import import_onnx as run

    return run(model_or_path, pool_layers, unpool_indices=unpool_indices)


def import_jax(function, *avals, pool_layers=False):
    """Imports a JAX function as the text of a module, for `compile`.

    `function` is a function, jitted or not, with the shapes and element types of its
    arguments: arrays or jax.ShapeDtypeStruct, trees of them, with symbolic dimensions
    too; or what `jax.jit(f).lower(...)` or `jax.export.export(...)` gave, or the bytes
    of the latter. The user's jaxlib traces it.

    By default it becomes a function `@main`, of pooling and elementwise operations
    alone; with `pool_layers` each pool of it becomes a function of its own, numbered,
    whatever else there is. docs/Guides/UseInJAX.md says what is known.

    Raises ValueError, with the operation, for what is not. Needs jax.
    """
    try:
        import jax  # noqa: F401
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("JAX functions need the package jax: pip install jax",
                                  name="jax") from error
    from ._stablehlo import import_jax as run

    return run(function, *avals, pool_layers=pool_layers)
