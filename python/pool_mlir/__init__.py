"""Pooling with the exact rules of OpenVINO, nGraph, BNNS, ONNX, PyTorch and TOSA.

Functions on arrays (`max_pool`, `avg_pool`, ...) compile a kernel for each set of
types, shapes and attributes once and cache it; `compile` takes any MLIR module.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from . import _pool_mlir
from ._pool_mlir import *  # noqa: F403
from ._pool_mlir import __version__

__all__ = ["__version__", "import_onnx"]
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
