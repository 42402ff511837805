"""Values, operations, functions and programs, and how they are written.

Types follow from the operands: `infer` of each operation sets the types of the results or
raises `Refused`. So after a change (a smaller argument, a removed operation), a program can
infer its types again.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
from dataclasses import dataclass, field
from typing import Optional

import numpy as np

from .. import rules
from ..case import NUMPY_TYPES, tensor_type
from ..rules import Refused
from .facts import EXACT, Facts

MAX_ELEMENTS = 3000
QUANTIZED = re.compile(r"!quant.uniform<([iu])(\d+)(?:<(-?\d+):(-?\d+)>)?:f32, ")


@dataclass(frozen=True)
class Type:
    """A ranked tensor or, without a shape, a scalar. The extents of the dimensions `dynamic`
    are `?` in the text."""

    element: str
    shape: Optional[tuple] = None
    dynamic: frozenset = frozenset()

    def __str__(self):
        if self.shape is None:
            return self.element
        return tensor_type(self.shape, self.element, self.dynamic)

    @property
    def rank(self):
        return len(self.shape)

    @property
    def is_quantized(self):
        return self.element.startswith("!")

    @property
    def storage(self):
        """Element type in arrays: the integer type of a quantized type, else the element type
        itself."""
        match = QUANTIZED.match(self.element)
        if match:
            return ("ui" if match[1] == "u" else "i") + match[2]
        return self.element

    @property
    def dtype(self):
        return {"index": np.dtype(np.int64), "i1": np.dtype(bool)}.get(
            self.element) or NUMPY_TYPES[self.storage]

    def with_(self, **changes):
        return Type(**{**self.__dict__, **changes})


def checked(kind):
    """Returns `kind`, or raises Refused if it has so many elements that the interpreter would
    be slow."""
    if kind.shape and rules.product(kind.shape) > MAX_ELEMENTS:
        raise Refused("size")
    return kind


class Value:
    def __init__(self, number, kind=None, facts=EXACT):
        self.name = f"%v{number}"
        self.number = number
        self.type = kind
        self.facts = facts
        # (smallest, largest) value of an index, else None
        self.range = None


class Text:
    """Lines of a function. Constants and extents are defined where they are used."""

    def __init__(self):
        self.lines = []
        self.fresh = 0
        self.depth = 1

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self):
        self.fresh += 1
        return f"%t{self.fresh}"

    def define(self, text):
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def index(self, value):
        """Returns the name of an index, which is given as a number or as a value."""
        if isinstance(value, Value):
            return value.name
        return self.define(f"arith.constant {value} : index")

    def extent(self, value, d):
        return self.define(f"tensor.dim {value.name}, {self.index(d)} : {value.type}")

    def empty(self, kind, like):
        """Writes a tensor.empty of a type. `like` gives the unknown extents: it is a value
        with the same extents, or a list of names."""
        if isinstance(like, Value):
            like = [self.extent(like, d) for d in sorted(kind.dynamic)]
        return self.define(f"tensor.empty({', '.join(like)}) : {kind}")


class Op:
    """One operation. Its `number` is unique in the program, and does not change when other
    operations are removed."""

    def __init__(self, number, operands):
        self.number = number
        self.operands = list(operands)
        self.results = []

    def infer(self):
        raise NotImplementedError

    def emit(self, text):
        raise NotImplementedError

    def nested(self):
        """Returns the lists of operations in the regions. Callers may change these lists."""
        return []

    def used(self):
        """Returns the values that the operation or its regions read."""
        values = list(self.operands)
        for ops in self.nested():
            for op in ops:
                values += op.used()
        return values

    def replace(self, old, new):
        self.operands = [new if v is old else v for v in self.operands]
        for ops in self.nested():
            for op in ops:
                op.replace(old, new)

    def categories(self):
        return []

    @property
    def mark(self):
        """Attribute by which a transform script finds the operation."""
        return f'generated_op = "{self.number}"'


@dataclass
class Function:
    name: str
    args: list
    ops: list
    returns: list
    is_private: bool = False

    def infer(self):
        for op in self.ops:
            op.infer()

    def emit(self):
        text = Text()
        for op in self.ops:
            op.emit(text)
        types = ", ".join(str(v.type) for v in self.returns)
        names = ", ".join(v.name for v in self.returns)
        text.line(f"return {names} : {types}")
        args = ", ".join(f"{v.name}: {v.type}" for v in self.args)
        private = "private " if self.is_private else ""
        return "\n".join([f"func.func {private}@{self.name}({args}) -> ({types}) {{",
                          *text.lines, "}"])

    def walk(self):
        def visit(ops):
            for op in ops:
                yield op
                for inner in op.nested():
                    yield from visit(inner)
        yield from visit(self.ops)


@dataclass
class Program:
    """Functions, the arrays for public functions' arguments, and the steps applied to
    the module. `data` maps the number of an argument to its array."""

    seed: int
    index: int
    functions: list = field(default_factory=list)
    data: dict = field(default_factory=dict)
    kinds: dict = field(default_factory=dict)
    steps: list = field(default_factory=list)
    runs: list = field(default_factory=list)

    def emit(self):
        return "\n".join(function.emit() for function in self.functions) + "\n"

    def infer(self):
        """Infers all types anew, from the public functions' arguments."""
        for function in self.functions:
            if function.is_private:
                for arg in function.args:
                    arg.type = None
        for function in self.entries():
            function.infer()

    def prune(self):
        """Removes private functions that nothing calls, and operations whose results nothing
        reads."""
        changed = True
        while changed:
            changed = False
            for function in self.functions:
                lists = [function.ops] + [ops for op in function.walk() for ops in op.nested()]
                used = set(function.returns)
                for op in function.walk():
                    used.update(op.used())
                for ops in lists:
                    kept = [op for op in ops if used.intersection(op.results)]
                    changed |= len(kept) < len(ops)
                    ops[:] = kept
            changed |= self.drop_uncalled()

    def drop_uncalled(self):
        """Removes private functions that nothing calls. Returns True if it removed any."""
        before = len(self.functions)
        while True:
            called = {op.function.name for op in self.walk() if hasattr(op, "function")}
            kept = [f for f in self.functions if not f.is_private or f.name in called]
            if len(kept) == len(self.functions):
                return len(kept) < before
            self.functions = kept

    def drop_arguments(self):
        """Removes arguments that nothing reads, from functions that nothing calls."""
        called = {op.function.name for op in self.walk() if hasattr(op, "function")}
        for function in self.functions:
            used = set(function.returns).union(*(op.used() for op in function.walk()))
            if function.name not in called:
                function.args = [arg for arg in function.args if arg in used]

    def entries(self):
        return [f for f in self.functions if not f.is_private]

    def walk(self):
        for function in self.functions:
            yield from function.walk()


def join_type(a, b):
    """Returns a type for values of both types: an extent is unknown if it is unknown in either
    type. Both types must have the same extents."""
    if a.shape != b.shape or a.element != b.element:
        raise Refused("types differ")
    return a.with_(dynamic=a.dynamic | b.dynamic)


def same_type(a, b):
    if a != b:
        raise Refused("types differ", f"{a} and {b}")


def as_facts(value):
    return value.facts if value.type.shape is not None else Facts()
