# Writes functions as MLIR text: names, types, locations, and the few forms that the
# importers of ONNX and TFLite use. Depends on MLIR's syntax only.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR text."""

import re
from dataclasses import dataclass, replace

# Range of each integer type of quantised numbers.
RANGES = {"i8": (-128, 127), "ui8": (0, 255), "i16": (-2**15, 2**15 - 1), "ui16": (0, 2**16 - 1)}


def quoted(text):
    """Quotes a string literal of MLIR."""
    escaped = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}"
                      for b in text.encode())
    return f'"{escaped}"'


class Names:
    """Makes valid, unique MLIR identifiers, as similar to the true names as
    possible."""

    def __init__(self):
        # Name -> number of the last suffix that was tried for it.
        self._taken = {}

    def new(self, text, fallback="v"):
        base = re.sub(r"[^A-Za-z0-9_.$]+", "_", text).strip("_.$") or fallback
        if not re.match(r"[A-Za-z_]", base):
            base = f"{fallback}_{base}"
        name = base
        while name in self._taken:
            self._taken[base] += 1
            name = f"{base}_{self._taken[base]}"
        self._taken[name] = 0
        return name


@dataclass(frozen=True)
class Value:
    """An SSA value. `dims` is None for a scalar, otherwise an int for each
    known extent and a name for each unknown one; equal names are equal
    extents."""

    name: str
    element: str
    dims: tuple = None

    @property
    def type(self):
        return self.element if self.dims is None else tensor_type(self.dims, self.element)

    def with_dims(self, dims):
        """Returns the value with other names of its unknown extents."""
        return replace(self, dims=tuple(dims))


def identity_map(rank):
    names = ", ".join(f"d{i}" for i in range(rank))
    return f"({names}) -> ({names})"


def tensor_type(dims, element):
    extents = "".join("?x" if isinstance(d, str) else f"{d}x" for d in dims)
    return f"tensor<{extents}{element}>"


class Function:
    """A function being written."""

    def __init__(self, name, title):
        self.name = name
        self.title = title
        self.arguments = []
        self.titles = []
        self._attributes = []
        self._lines = []
        self._results = []
        self._result_attributes = []
        self._names = Names()
        self._where = title
        self._known = {}

    def at(self, title):
        """Sets the location of the following ops to this name."""
        self._where = title

    def argument(self, title, element, dims, attributes=""):
        """Adds an argument; `attributes` is empty or a dictionary of MLIR."""
        value = Value("%" + self._names.new(title), element, tuple(dims))
        self.arguments.append(value)
        self.titles.append(title)
        self._attributes.append(attributes)
        return value

    def fresh(self, hint):
        return "%" + self._names.new(hint)

    def line(self, text):
        self._lines.append(f"  {text} loc({quoted(self._where)})")

    def op(self, text, element, dims=None, hint="v"):
        """Adds an operation; `text` is the operation without its result."""
        value = Value(self.fresh(hint), element, None if dims is None else tuple(dims))
        self.line(f"{value.name} = {text}")
        return value

    def constant(self, value, element="index"):
        """Returns a constant scalar. Writes one constant for each value and type."""
        key = (value, element)
        if key not in self._known:
            self._known[key] = self.op(f"arith.constant {value} : {element}", element, hint="c")
        return self._known[key]

    def extent(self, tensor, d):
        """Returns extent `d` of a tensor: an int or a scalar of type index."""
        if isinstance(tensor.dims[d], int):
            return tensor.dims[d]
        key = (tensor.name, d)
        if key not in self._known:
            place = self.constant(d)
            self._known[key] = self.op(f"tensor.dim {tensor.name}, {place.name} : {tensor.type}",
                                       "index", hint="dim")
        return self._known[key]

    def scalar(self, value, element="index"):
        """Converts an int or a scalar to a scalar of type `element`, which is
        index or i64."""
        if isinstance(value, int):
            return self.constant(value, element)
        if value.element == element:
            return value
        return self.op(f"arith.index_cast {value.name} : {value.element} to {element}", element)

    def arith(self, op, a, b, element="index"):
        """Applies `op` to ints or scalars; folds if both are ints."""
        if isinstance(a, int) and isinstance(b, int):
            return {"addi": a + b, "subi": a - b, "muli": a * b}[op]
        a, b = self.scalar(a, element), self.scalar(b, element)
        return self.op(f"arith.{op} {a.name}, {b.name} : {element}", element)

    def empty(self, dims, extents, element):
        """Creates an uninitialised tensor; `extents` are ints or index
        scalars."""
        sizes = ", ".join(self.scalar(e).name for d, e in zip(dims, extents)
                          if isinstance(d, str))
        return self.op(f"tensor.empty({sizes}) : {tensor_type(dims, element)}", element, dims,
                       "empty")

    def cast(self, value, dims):
        """Casts a tensor to `dims`, which must be compatible."""
        target = tensor_type(dims, value.element)
        if target == value.type:
            return value.with_dims(dims)
        return self.op(f"tensor.cast {value.name} : {value.type} to {target}",
                       value.element, dims, "cast")

    def generic(self, operands, maps, init, init_map, iterators, body, hint="v"):
        """Adds a linalg.generic with one result. `maps` are affine maps without
        `affine_map<>`. `body(region, arguments)` returns the scalar to yield;
        the arguments are one element of each operand and of the init."""
        all_maps = ", ".join(f"affine_map<{m}>" for m in [*maps, init_map])
        kinds = ", ".join(f'"{kind}"' for kind in iterators)
        region = Region(self)
        arguments = [Value(self.fresh("e"), v.element) for v in [*operands, init]]
        result = body(region, arguments)
        names = ", ".join(f"{a.name}: {a.element}" for a in arguments)
        ins = ""
        if operands:
            ins = (f" ins({', '.join(v.name for v in operands)} : "
                   f"{', '.join(v.type for v in operands)})")
        value = Value(self.fresh(hint), init.element, init.dims)
        self._lines += [
            f"  {value.name} = linalg.generic {{indexing_maps = [{all_maps}], "
            f"iterator_types = [{kinds}]}}{ins} outs({init.name} : {init.type}) {{",
            f"  ^bb0({names}):", *region.lines,
            f"    linalg.yield {result.name} : {result.element}",
            f"  }} -> {value.type} loc({quoted(self._where)})"]
        return value

    def each(self, operand, element, body, hint="v"):
        """Maps `body(region, value)` over the elements of `operand`. `body` returns a scalar
        of type `element`."""
        rank = len(operand.dims)
        extents = [self.extent(operand, d) for d in range(rank)]
        init = self.empty(operand.dims, extents, element)
        return self.generic([operand], [identity_map(rank)], init, identity_map(rank),
                            ["parallel"] * rank,
                            lambda region, arguments: body(region, arguments[0]), hint)

    def require(self, predicate, a, b, message):
        """Asserts `a predicate b`, on extents or index scalars, with
        `message`."""
        test = self.op(f"arith.cmpi {predicate}, {self.scalar(a).name}, {self.scalar(b).name} : "
                       "index", "i1", hint="holds")
        self.line(f"cf.assert {test.name}, {quoted(message)}")

    def returns(self, values, attributes=None):
        """Sets the results; `attributes` has an entry for each, empty or a dictionary of
        MLIR."""
        self._results = list(values)
        self._result_attributes = attributes or [""] * len(self._results)

    def text(self):
        """Returns the text of the function."""
        arguments = ", ".join(
            f"{a.name}: {a.type} {attributes}{' ' if attributes else ''}loc({quoted(t)})"
            for a, t, attributes in zip(self.arguments, self.titles, self._attributes))
        names = ", ".join(v.name for v in self._results)
        types = ", ".join(v.type for v in self._results)
        kinds = ", ".join(f"{v.type} {attributes}".rstrip()
                          for v, attributes in zip(self._results, self._result_attributes))
        return "\n".join([f"func.func @{self.name}({arguments}) -> ({kinds}) {{",
                          *self._lines, f"  return {names} : {types} loc({quoted(self.title)})",
                          f"}} loc({quoted(self.title)})"])


class Region:
    """Writes the scalar operations of a linalg.generic's body."""

    def __init__(self, function):
        self._function = function
        self._known = {}
        self.lines = []

    def op(self, text, element):
        value = Value(self._function.fresh("s"), element)
        self.lines.append(f"    {value.name} = {text}")
        return value

    def apply(self, op, *operands):
        """Adds an operation whose operands and result have one type."""
        names = ", ".join(v.name for v in operands)
        return self.op(f"{op} {names} : {operands[0].element}", operands[0].element)

    def convert(self, op, operand, element):
        return self.op(f"{op} {operand.name} : {operand.element} to {element}", element)

    def signless(self, value):
        """Converts an unsigned integer to the signless type, which arith requires. Returns any
        other value as it is."""
        if not value.element.startswith("ui"):
            return value
        return self.convert("builtin.unrealized_conversion_cast", value, value.element[1:])

    def constant(self, value, element):
        if (value, element) not in self._known:
            self._known[value, element] = self.op(f"arith.constant {value} : {element}", element)
        return self._known[value, element]
