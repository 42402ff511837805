"""Pooling with the exact rules of OpenVINO, nGraph, BNNS, ONNX, PyTorch and TOSA.

Functions on arrays (`max_pool`, `avg_pool`, ...) compile a kernel for what they
are called with, once, and keep it; `compile` takes any module of MLIR.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from . import _pool_mlir
from ._pool_mlir import *  # noqa: F403
from ._pool_mlir import __version__

__all__ = ["__version__", "import_onnx"]
__all__ += [name for name in dir(_pool_mlir) if not name.startswith("_")]


def import_onnx(model_or_path, pool_layers=False, *, unpool_indices="inferred"):
    """The text of a module for an ONNX model, for `compile`.

    `pool_mlir.onnx.import_onnx` does it, and says how; the package onnx has to be
    installed.
    """
    try:
        import onnx  # noqa: F401
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("ONNX models need the package onnx: pip install onnx",
                                  name="onnx") from error
    from .onnx import import_onnx as run

    return run(model_or_path, pool_layers, unpool_indices=unpool_indices)
