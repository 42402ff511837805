"""Pooling with the exact rules of OpenVINO, nGraph, BNNS, ONNX, PyTorch and TOSA.

Functions on arrays (`max_pool`, `avg_pool`, ...) compile a kernel once for each set of
types, shapes and attributes, and cache it. `compile` compiles any MLIR module.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ._advice import explain_import, explain_name, need, need_onnx, need_tflite

try:
    from . import _pool_mlir
except ImportError as error:
    explain_import(__path__[0], error)
    raise
from ._pool_mlir import *  # noqa: F403
from ._partition import Part, Partition, Source, partition
from ._pool_mlir import __version__

if TYPE_CHECKING:
    import os

__all__ = ["Part", "Partition", "Source", "__version__", "import_jax", "import_onnx",
           "import_tflite", "partition"]
__all__ += _pool_mlir.__all__


def import_onnx(model_or_path: Any, pool_layers: bool = False, *,
                unpool_indices: str = "inferred") -> str:
    """Imports an ONNX model and returns the text of a module, for `compile`.

    See `pool_mlir.onnx.import_onnx`. Needs the package onnx.
    """
    need_onnx()
    from .onnx import import_onnx as run

    return run(model_or_path, pool_layers, unpool_indices=unpool_indices)


def import_tflite(path: str | os.PathLike[str], pool_layers: bool = False) -> str:
    """Imports a TFLite model and returns the text of a module, for `compile`.

    path: a .tflite file.
    pool_layers: False makes one function `@main` of the first graph, which may hold only
        pooling and elementwise operators. True makes a function of each pooling operator,
        named after its result, and skips all other operators.

    MAX_POOL_2D, AVERAGE_POOL_2D and L2_POOL_2D become operations of the pool dialect, fused
    activations included. An unknown extent is `?`. Quantised tensors are tensors of the stored
    integers; the attribute `quant.type` of arguments and results has scale and zero point.
    docs/Guides/ImportTFLite.md lists the other supported operators.

    Raises ValueError for an unsupported model; the message names the operator and its result.
    Needs ai-edge-litert, and for whole graphs tosa-converter-for-tflite: pip install
    pool-mlir[tflite].
    """
    need_tflite()
    from ._tflite import import_tflite as run

    return run(path, pool_layers)


def import_jax(function: Any, *avals: Any, pool_layers: bool = False) -> str:
    """Imports a JAX function and returns the text of a module, for `compile`.

    function: a function, jitted or not, which the user's jaxlib traces; or the result of
        `jax.jit(f).lower(...)` or `jax.export.export(...)`; or the bytes of an exported
        function.
    avals: only for a function: the shapes and element types of its arguments, as arrays,
        jax.ShapeDtypeStruct, or trees of them. Dimensions may be symbolic.
    pool_layers: False imports the whole function as `@main`; it may hold only pooling and
        elementwise operations. True makes a numbered function of each pooling, and skips
        all other operations.

    docs/Guides/UseInJAX.md lists the supported operations. Any other operation raises
    ValueError with the operation's name. Needs jax.
    """
    need("jax", "JAX functions need the package jax: pip install jax")
    from ._stablehlo import import_jax as run

    return run(function, *avals, pool_layers=pool_layers)


if not TYPE_CHECKING:
    # For a type checker, a module with this function would have every name.
    def __getattr__(name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{explain_name(name)}",
                             name=name, obj=sys.modules[__name__])
