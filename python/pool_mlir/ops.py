# Builders of pooling operations for the Python bindings of any MLIR: jaxlib's, torch-mlir's, IREE's
# or upstream's. These bindings do not know the pool dialect, so the operations that they hold are
# unregistered. See docs/Guides/BuildInPython.md.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builders of the operations of the dialect, for the bindings of any MLIR.

Each builder has the operation's name and these arguments:

ir: the module of the bindings, such as `torch_mlir.ir`.
operands: the operation's operands, values of `ir`.
indices: "i32" or "i64" adds the optional second result of maxima and minima.
results: the types of the results. `max_unpool` and `avg_pool_grad` need them. The other builders
    infer them if none is given.
loc, ip: the location and the insertion point, by default the current ones.
attributes: the other attributes by name, see docs/Reference/Operations.md. The value of an
    enumeration is its keyword, and the value of a list is a sequence of integers.

A builder returns the result, or a list of the two results. It raises ValueError with the verifier's
message for an operation that is not valid, and if the context does not allow unregistered dialects.
"""

import operator
from collections.abc import Callable
from typing import Any

from . import _pool_mlir

__all__ = ["adaptive_avg_pool", "adaptive_max_pool", "avg_pool", "avg_pool_grad", "lp_pool",
           "max_pool", "max_pool_grad", "max_unpool", "min_pool", "min_pool_grad"]


def _write(name, value):
    """Returns the text of a value of attribute `name`."""
    if isinstance(value, str):
        return f"#pool.{name}<{value}>"
    try:
        return f"{operator.index(value):d} : i64"
    except TypeError:
        return f"array<i64: {', '.join(map('{:d}'.format, map(operator.index, value)))}>"


def _parse(ir, name, properties, operands, results, loc):
    """Parses the operation, and returns an auxiliary operation that encloses it. The operands of
    the parsed operation are arguments of its block. `ir.Operation.create` cannot be used: it would
    write the properties as discardable attributes, which the dialect ignores."""
    names = [f"%{i}" for i in range(len(operands))]
    arguments = ", ".join(map("{}: {}".format, names, operands))
    return ir.Operation.parse(f'''"pool.builder"() ({{
      ^bb0({arguments}):
        %r:{len(results)} = "pool.{name}"({", ".join(names)}) <{properties}>
          : ({", ".join(operands)}) -> ({", ".join(results)}) {loc}
      }}) : () -> ()''', context=loc.context)


def _builder(name: str) -> Callable[..., Any]:
    def build(ir, *operands, indices="", results=(), loc=None, ip=None, **attributes):
        loc = loc or ir.Location.current
        if not loc.context.allow_unregistered_dialects:
            raise ValueError("the context does not know the dialect pool: set its "
                             "allow_unregistered_dialects to True")
        properties = ", ".join(f"{key} = {_write(key, value)}"
                               for key, value in attributes.items() if value is not None)
        properties = f"{{{properties}}}"
        types = [str(operand.type) for operand in operands]
        results = _pool_mlir._infer_types(f"pool.{name}", types, properties,
                                          [str(type) for type in results], indices)
        outer = _parse(ir, name, properties, types, results, loc)
        op = outer.regions[0].blocks[0].operations[0].operation.clone(ip=ip)
        for i, operand in enumerate(operands):
            op.operands[i] = operand
        return op.results[0] if len(results) == 1 else list(op.results)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"Creates the operation `pool.{name}`; `help(pool_mlir.ops)` explains all."
    return build


adaptive_avg_pool = _builder("adaptive_avg_pool")
adaptive_max_pool = _builder("adaptive_max_pool")
avg_pool = _builder("avg_pool")
avg_pool_grad = _builder("avg_pool_grad")
lp_pool = _builder("lp_pool")
max_pool = _builder("max_pool")
max_pool_grad = _builder("max_pool_grad")
max_unpool = _builder("max_unpool")
min_pool = _builder("min_pool")
min_pool_grad = _builder("min_pool_grad")
