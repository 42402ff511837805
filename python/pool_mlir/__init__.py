"""Pooling with the exact rules of OpenVINO, nGraph, BNNS, ONNX, PyTorch and TOSA.

Functions on arrays (`max_pool`, `avg_pool`, ...) compile a kernel once for each combination of
element types, shapes, memory layouts and attributes, and cache it. `compile` compiles any MLIR
module.
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
    """Imports an ONNX model, and returns the text of an MLIR module for `compile`.

    For arguments and errors see `pool_mlir.onnx.import_onnx`. Raises ModuleNotFoundError without
    the package onnx.
    """
    need_onnx()
    from .onnx import import_onnx as run

    return run(model_or_path, pool_layers, unpool_indices=unpool_indices)


def import_tflite(path: str | os.PathLike[str], pool_layers: bool = False) -> str:
    """Imports a TFLite model, and returns the text of an MLIR module for `compile`.

    path: a .tflite file.
    pool_layers: False imports the first graph as one function `@main`. The graph may have only the
        operators in docs/Guides/ImportTFLite.md. True imports each pooling operator as a function
        named after its result, and skips all other operators.

    MAX_POOL_2D, AVERAGE_POOL_2D and L2_POOL_2D become operations of the pool dialect, followed by
    their fused activations. MEAN and REDUCE_MAX count as pooling if they reduce height and width.
    An unknown extent becomes `?`. A quantized tensor becomes a tensor of its stored integers.
    Arguments and results keep its scale and zero point in the attribute `quant.type`.

    Raises ValueError for an invalid or unsupported model; the message names the operator and its
    result. Raises OSError for a file that cannot be read. Raises ModuleNotFoundError without
    ai-edge-litert, and for whole graphs without tosa-converter-for-tflite: pip install
    pool-mlir[tflite].
    """
    need_tflite()
    from ._tflite import import_tflite as run

    return run(path, pool_layers)


def import_jax(function: Any, *avals: Any, pool_layers: bool = False) -> str:
    """Imports a JAX function, and returns the text of an MLIR module for `compile`.

    function: a function, jitted or not, which the user's jaxlib traces; or the result of
        `jax.jit(f).lower(...)` or `jax.export.export(...)`; or the bytes of an exported function.
    avals: the shapes and element types of the arguments, as arrays, jax.ShapeDtypeStruct, or trees
        of them. Dimensions may be symbolic. A lowered or exported function knows its arguments, so
        it takes no avals.
    pool_layers: False imports the whole function as `@main`; it may have only the operations in
        docs/Guides/UseInJAX.md. True imports each pooling operation as a function with a number in
        its name, and skips all other operations.

    Raises ValueError for an operation that is not supported, with its name, and for bytes that are
    no exported function. Raises TypeError if `function` is none of the above, or for avals that are
    not allowed. Raises ModuleNotFoundError without the package jax, and ImportError for a whole
    function if jaxlib is older than 0.7.
    """
    need("jax", "JAX functions need the package jax: pip install jax")
    from ._stablehlo import import_jax as run

    return run(function, *avals, pool_layers=pool_layers)


if not TYPE_CHECKING:
    # A type checker would accept any name of a module that has this function, so hide it.
    def __getattr__(name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{explain_name(name)}",
                             name=name, obj=sys.modules[__name__])
