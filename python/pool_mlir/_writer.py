# Writes functions as MLIR text: names, types, locations, and the few operations that the importers
# of ONNX and TFLite need. Depends on MLIR's syntax only.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR text."""

import re
from dataclasses import dataclass

# Least and greatest value of each integer type that stores quantized numbers.
RANGES = {"i8": (-128, 127), "ui8": (0, 255), "i16": (-2**15, 2**15 - 1), "ui16": (0, 2**16 - 1)}


def quoted(text):
    """Returns `text` as a string literal of MLIR."""
    escaped = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}"
                      for b in text.encode())
    return f'"{escaped}"'


class Names:
    """Makes valid, unique MLIR identifiers that resemble the names in a model."""

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
    """An SSA value. `dims` is None for a scalar. For a tensor it has an int for each known extent,
    and a name or "?" for each unknown one."""

    name: str
    element: str
    dims: tuple = None

    @property
    def type(self):
        return self.element if self.dims is None else tensor_type(self.dims, self.element)


def identity_map(rank):
    names = ", ".join(f"d{i}" for i in range(rank))
    return f"({names}) -> ({names})"


def tensor_type(dims, element):
    extents = "".join("?x" if isinstance(d, str) else f"{d}x" for d in dims)
    return f"tensor<{extents}{element}>"


class Function:
    """Collects the text of a function. The methods below append operations to its body."""

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
        """Sets the location of the operations that follow to the name `title`."""
        self._where = title

    def argument(self, title, element, dims, attributes=""):
        """Adds an argument, and returns its value. `attributes` is the text of an attribute
        dictionary, or empty."""
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
        """Appends an operation with one result, and returns the result. `text` is the operation
        without `%result =`."""
        value = Value(self.fresh(hint), element, None if dims is None else tuple(dims))
        self.line(f"{value.name} = {text}")
        return value

    def constant(self, value, element="index"):
        """Returns a constant scalar. Appends only one constant for each value and type."""
        key = (value, element)
        if key not in self._known:
            self._known[key] = self.op(f"arith.constant {value} : {element}", element, hint="c")
        return self._known[key]

    def extent(self, tensor, d):
        """Returns extent `d` of a tensor: an int if it is known, otherwise a scalar of type
        index."""
        if isinstance(tensor.dims[d], int):
            return tensor.dims[d]
        key = (tensor.name, d)
        if key not in self._known:
            place = self.constant(d)
            self._known[key] = self.op(f"tensor.dim {tensor.name}, {place.name} : {tensor.type}",
                                       "index", hint="dim")
        return self._known[key]

    def scalar(self, value, element="index"):
        """Converts `value`, an int or a scalar, to a scalar of type `element`, which must be index
        or i64."""
        if isinstance(value, int):
            return self.constant(value, element)
        if value.element == element:
            return value
        return self.op(f"arith.index_cast {value.name} : {value.element} to {element}", element)

    def arith(self, op, a, b, element="index"):
        """Returns `a op b` of ints or scalars, where `op` is addi, subi or muli. The result is an
        int if both are ints."""
        if isinstance(a, int) and isinstance(b, int):
            return {"addi": a + b, "subi": a - b, "muli": a * b}[op]
        a, b = self.scalar(a, element), self.scalar(b, element)
        return self.op(f"arith.{op} {a.name}, {b.name} : {element}", element)

    def empty(self, dims, extents, element):
        """Appends a tensor.empty with the extents `dims`. `extents` has the same extents as ints or
        scalars of type index."""
        sizes = ", ".join(self.scalar(e).name for d, e in zip(dims, extents)
                          if isinstance(d, str))
        return self.op(f"tensor.empty({sizes}) : {tensor_type(dims, element)}", element, dims,
                       "empty")

    def cast(self, value, dims):
        """Returns a tensor with the extents `dims`, which must be compatible. Appends a tensor.cast
        only if the type changes."""
        target = tensor_type(dims, value.element)
        if target == value.type:
            return value
        return self.op(f"tensor.cast {value.name} : {value.type} to {target}",
                       value.element, dims, "cast")

    def generic(self, operands, maps, init, init_map, iterators, body, hint="v"):
        """Appends a linalg.generic with one result. `maps` and `init_map` are affine maps, as text
        without `affine_map<>`. `body(region, arguments)` must return the scalar to yield. Its
        arguments are one element of each operand, and last one of `init`."""
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
        """Appends a linalg.generic that applies `body(region, value)` to each element of `operand`.
        `body` must return a scalar of type `element`, the element type of the result."""
        rank = len(operand.dims)
        extents = [self.extent(operand, d) for d in range(rank)]
        init = self.empty(operand.dims, extents, element)
        return self.generic([operand], [identity_map(rank)], init, identity_map(rank),
                            ["parallel"] * rank,
                            lambda region, arguments: body(region, arguments[0]), hint)

    def require(self, predicate, a, b, message):
        """Appends an assertion that `a predicate b` holds at run time, where `predicate` is one of
        arith.cmpi. `a` and `b` are ints or scalars of type index. If it fails, the program reports
        `message`."""
        test = self.op(f"arith.cmpi {predicate}, {self.scalar(a).name}, {self.scalar(b).name} : "
                       "index", "i1", hint="holds")
        self.line(f"cf.assert {test.name}, {quoted(message)}")

    def returns(self, values, attributes=None):
        """Sets the results. `attributes` has an entry for each result: the text of an attribute
        dictionary, or an empty string."""
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
    """Collects the scalar operations in the body of a linalg.generic."""

    def __init__(self, function):
        self._function = function
        self._known = {}
        self.lines = []

    def op(self, text, element):
        value = Value(self._function.fresh("s"), element)
        self.lines.append(f"    {value.name} = {text}")
        return value

    def apply(self, op, *operands):
        """Appends an operation whose operands and result have the same type, and returns the
        result."""
        names = ", ".join(v.name for v in operands)
        return self.op(f"{op} {names} : {operands[0].element}", operands[0].element)

    def convert(self, op, operand, element):
        return self.op(f"{op} {operand.name} : {operand.element} to {element}", element)

    def signless(self, value):
        """Converts an unsigned integer to the signless type that arith requires. Returns a value of
        any other type as it is."""
        if not value.element.startswith("ui"):
            return value
        return self.convert("builtin.unrealized_conversion_cast", value, value.element[1:])

    def constant(self, value, element):
        if (value, element) not in self._known:
            self._known[value, element] = self.op(f"arith.constant {value} : {element}", element)
        return self._known[value, element]
