# Imports JAX functions in three steps. (1) The user's own jaxlib traces the function, or reads an
# exported one, and prints StableHLO. (2) This package replaces the pooling in this text by
# operations of the pool dialect. (3) For a whole function, jaxlib lowers all other operations to
# linalg, and this package reads the result.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports JAX functions: `import_jax`."""

import functools

import jax
from jax import export
from jax.interpreters import mlir

from . import _pool_mlir

PASSES = ("builtin.module(func.func(chlo-legalize-to-stablehlo),"
          "stablehlo-legalize-to-linalg,canonicalize)")


def import_jax(function, *avals, pool_layers=False):
    """See `pool_mlir.import_jax`."""
    text = _pool_mlir._raise_stablehlo(to_text(function, avals), pool_layers)
    return text if pool_layers else _pool_mlir._import_legalized(legalize(text))


def legalize(text):
    """Returns the text of the module after jaxlib has lowered its StableHLO and CHLO operations to
    linalg. Raises ValueError if jaxlib cannot lower it."""
    passes = _load_passes()
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        try:
            module = mlir.ir.Module.parse(text)
            passes.PassManager.parse(PASSES).run(module.operation)
        except mlir.ir.MLIRError as error:
            raise ValueError(f"jaxlib does not lower this function: {error}") from error
        return _print(module.operation)


@functools.cache
def _load_passes():
    from jaxlib.mlir import passmanager
    from jaxlib.mlir.dialects import stablehlo
    from jaxlib.version import __version__ as version

    if tuple(map(int, version.split(".")[:2])) < (0, 7):
        raise ImportError(f"import_jax needs the passes of jaxlib 0.7 or newer, and this is {version}")
    stablehlo.register_stablehlo_passes()
    return passmanager


def to_text(function, avals):
    """Returns the StableHLO of `function` in MLIR's generic form. Takes the arguments of
    import_jax."""
    if isinstance(function, (bytes, bytearray)):
        function = _deserialize(function)
    if isinstance(function, export.Exported):
        return _print_exported(_without_avals(function, avals))
    if hasattr(function, "compiler_ir"):
        return _print(_without_avals(function, avals).compiler_ir("stablehlo").operation)
    if not callable(function):
        raise TypeError(f"{type(function).__name__} is no function, nothing that was lowered "
                        "and nothing that was exported")
    avals = jax.tree.map(_to_aval, avals)
    if any(export.is_symbolic_dim(d) for a in jax.tree.leaves(avals) for d in a.shape):
        # jax.export refuses unknown custom calls unless their names are listed.
        own = export.DisabledSafetyCheck.custom_call(_pool_mlir._ffi_target)
        return _print_exported(export.export(_jit(function), platforms=["cpu"],
                                             disabled_checks=[own])(*avals))
    return _print(_jit(function).lower(*avals).compiler_ir("stablehlo").operation)


def _deserialize(data):
    """Returns the exported function in `data`. Raises ValueError for invalid bytes, for which JAX's
    reader raises errors of any class. Passes on an ImportError."""
    try:
        return export.deserialize(bytearray(data))
    except ImportError:
        raise
    except Exception as error:
        raise ValueError(f"these {len(data)} bytes are no exported JAX function: {error}") from error


def _without_avals(lowered, avals):
    if avals:
        raise TypeError("what was lowered or exported has its arguments already")
    return lowered


def _jit(function):
    """Returns `function`, jitted if it is not yet. A function that is jitted here keeps arguments
    that it does not use."""
    if hasattr(function, "lower"):
        return function
    return jax.jit(function, keep_unused=True)


def _to_aval(value):
    if isinstance(value, jax.ShapeDtypeStruct):
        return value
    return jax.ShapeDtypeStruct(jax.numpy.shape(value), jax.numpy.result_type(value))


def _print(operation):
    return operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


def _print_exported(exported):
    with mlir.make_ir_context() as context:
        return _print(mlir.ir.Module.parse(exported.mlir_module(), context).operation)
