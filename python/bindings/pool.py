# The pool dialect in MLIR's Python bindings.
#
# mlir-tblgen generates the classes of the operations, but their constructors ignore properties, and
# nearly all attributes of the dialect are properties. So the subclasses here have constructors and
# accessors of their own.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of the pool dialect.

Each operation has a class, such as `MaxPoolOp`, and a function, such as `max_pool`. The function
builds the operation, and returns its result or a list of its results. Class and function have these
arguments:

operands: the operation's operands, by position or by name.
attributes: by name (docs/Reference/Operations.md). The value of a list is a sequence of integers.
    The value of an enumeration is a case of its class, such as `RoundingType.CEIL`, or the keyword
    "ceil". An attribute of MLIR is used as it is. None stands for an absent attribute. The
    operation's class also has a property for each attribute: reading it gives an attribute of MLIR
    or None, and it can be set to the values above.
indices: "i32" or "i64" adds the second result of maxima and minima.
results: the types of the results. `max_unpool` and `avg_pool_grad` need them; other operations
    infer them if none is given.
loc, ip: the location and the insertion point, by default the current ones.

Raises MLIRError with the verifier's diagnostics for an operation that is not valid, and TypeError
for an unknown or missing argument. Raises ValueError if there is no location, if `indices` is
another string, or if operands and location belong to different contexts. Setting a property does
not verify the operation.
"""

import operator
from enum import Enum

from .._mlir_libs import _mlirDialectsPool as _pool
from . import _pool_ops_gen as _gen
from ._ods_common import _cext, get_op_result_or_value
from ._pool_table_gen import *  # noqa: F401,F403
from ._pool_table_gen import OPERATIONS

_ir = _cext.ir


def _attribute(name, value, context):
    if isinstance(value, _ir.Attribute):
        return value
    if isinstance(value, str):
        keyword = value.value if isinstance(value, Enum) else value
        return _ir.Attribute.parse(f"#pool.{name}<{keyword}>", context)
    try:
        return _ir.IntegerAttr.get(_ir.IntegerType.get_signless(64, context), operator.index(value))
    except TypeError:
        return _ir.DenseI64ArrayAttr.get([operator.index(entry) for entry in value], context)


def _index_type(indices, context):
    bits = {"i32": 32, "i64": 64}.get(indices)
    if bits is None:
        raise ValueError(f"indices are 'i32' or 'i64', not {indices!r}")
    return _ir.IntegerType.get_signless(bits, context)


def _make_class(name, generated):
    """Returns a subclass of `generated`, mlir-tblgen's class of the operation `name`. Its
    constructor takes the operation's attributes, and it has a property for each of them. Registers
    it with MLIR in place of `generated`."""
    operands, attributes, has_indices = OPERATIONS[name]

    def __init__(self, *args, results=None, loc=None, ip=None, **kwargs):
        indices = kwargs.pop("indices", None) if has_indices else None
        if len(args) > len(operands):
            raise TypeError(f"pool.{name} has the operands {', '.join(operands)}; give attributes "
                            "by name")
        by_place = dict(zip(operands, args))
        for key in by_place:
            if key in kwargs:
                raise TypeError(f"pool.{name} has the operand '{key}' by place and by name")
        given = {key: value for key, value in {**kwargs, **by_place}.items() if value is not None}
        for key in given:
            if key not in operands and key not in attributes:
                raise TypeError(f"pool.{name} has no argument '{key}'; it has "
                                f"{', '.join([*operands, *attributes])}")
        values = []
        for key, number in operands.items():
            if key in given:
                several = given[key] if number == "many" else [given[key]]
                values += map(get_op_result_or_value, several)
            elif number == "one":
                raise TypeError(f"pool.{name} lacks the operand '{key}'")
        loc = loc or _ir.Location.current
        if loc is None:
            raise ValueError("no location: give loc, or build within `with Location.unknown():`")
        context = loc.context
        properties = _ir.DictAttr.get({key: _attribute(key, given[key], context)
                                       for key in attributes if key in given}, context)
        operation = _pool.create(generated.OPERATION_NAME, values, properties, results or [],
                                 _index_type(indices, context) if indices else None, loc, ip)
        _ir.OpView.__init__(self, operation)

    def accessor(key):
        def get(self):
            properties = _pool.get_properties(self.operation)
            return properties[key] if key in properties else None

        def set_value(self, value):
            if value is not None:
                value = _attribute(key, value, self.operation.context)
            _pool.set_property(self.operation, key, value)

        return property(get, set_value)

    body = {"__init__": __init__, "__doc__": generated.__doc__, "__module__": __name__,
            **{key: accessor(key) for key in attributes}}
    made = type(generated.__name__, (generated,), body)
    return _cext.register_operation(_gen._Dialect, replace=True)(made)


def _make_function(name, made):
    def build(*operands, **arguments):
        results = made(*operands, **arguments).operation.results
        return results[0] if len(results) == 1 else list(results)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"Creates the operation `pool.{name}`, see {made.__name__}."
    return build


for _class in list(vars(_gen).values()):
    _name = getattr(_class, "OPERATION_NAME", "").removeprefix("pool.")
    if _name in OPERATIONS:
        _made = globals()[_class.__name__] = _make_class(_name, _class)
        globals()[_name] = _make_function(_name, _made)
