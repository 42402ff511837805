"""Elementwise operations of programs: one expression, written in one of several forms."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

from ..rules import Refused
from . import facts
from .facts import Facts, Format
from .model import Op, Type

# Function -> (operation of arith or math, named operation of linalg or None)
FLOAT = {"add": ("arith.addf", "add"), "sub": ("arith.subf", "sub"),
         "mul": ("arith.mulf", "mul"), "max": ("arith.maximumf", "max"),
         "min": ("arith.minimumf", "min"), "neg": ("arith.negf", "negf"),
         "abs": ("math.absf", "abs"), "exp": ("math.exp", "exp"),
         "tanh": ("math.tanh", "tanh"), "floor": ("math.floor", "floor"),
         "ceil": ("math.ceil", "ceil")}
INTEGER = {"add": ("arith.addi", "add"), "sub": ("arith.subi", "sub"),
           "mul": ("arith.muli", "mul"), "max": ("arith.maxsi", "max"),
           "min": ("arith.minsi", "min"), "and": ("arith.andi", None),
           "or": ("arith.ori", None), "xor": ("arith.xori", None),
           "maxu": ("arith.maxui", None), "minu": ("arith.minui", None)}
UNARY = ("neg", "abs", "exp", "tanh", "floor", "ceil")
FORMS = ("generic", "arith", "named")


def spell_constant(element, value):
    if facts.is_float(element):
        if math.isinf(value):
            width = {"f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000",
                     "f64": "0x7FF0000000000000"}
            negative = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000",
                        "f64": "0xFFF0000000000000"}
            return (width if value > 0 else negative)[element]
        return repr(float(value))
    return str(value)


def step_facts(element, name, args):
    """Returns the facts of the result of one float function."""
    form = Format(element)
    a, b = args[0], args[-1]
    if name in ("add", "sub"):
        grid = None if None in (a.grid, b.grid) else min(a.grid, b.grid)
        return form.result(grid, a.mag + b.mag, a.err + b.err)
    if name == "mul":
        grid = None if None in (a.grid, b.grid) else a.grid + b.grid
        err = a.err * b.mag + b.err * a.mag + a.err * b.err
        return form.result(grid, a.mag * b.mag, err)
    if name in ("max", "min", "select"):
        if name == "select":
            facts.require_exact(facts.join(a, b), "a comparison")
        return facts.join(a, b)
    if name in ("neg", "abs"):
        return a
    if name in ("floor", "ceil"):
        facts.require_exact(a, "rounding to whole numbers")
        return Facts(None if a.grid is None else max(a.grid, 0), a.mag + 1, 0.0)
    # All other functions are computed by libm or by other code, with an error of a few units
    # in the last place.
    if name == "tanh":
        return form.result(None, 1.0, a.err + 8 * form.u)
    if not a.mag + a.err <= 4:
        raise Refused("magnitude", "an exponential")
    largest = math.exp(a.mag + a.err)
    return form.result(None, largest, largest * (a.err + 8 * form.u))


class Elementwise(Op):
    """An expression. `steps` are (function, arguments). An argument is a number or
    ("c", constant). Numbers count the operands first and then the earlier steps. `form` says
    how the expression is written."""

    def __init__(self, number, operands, steps, form):
        super().__init__(number, operands)
        self.steps = steps
        self.form = form

    @property
    def element(self):
        return self.operands[0].type.element

    def infer(self):
        kind = self.operands[0].type
        for value in self.operands:
            if value.type != kind:
                raise Refused("types")
        known = [v.facts for v in self.operands]
        for name, args in self.steps:
            if not facts.is_float(self.element):
                break
            known.append(step_facts(self.element, name,
                                    [Facts(*constant_facts(a[1])) if isinstance(a, tuple)
                                     else known[a] for a in args]))
        self.results[0].type = kind
        self.results[0].facts = known[-1] if facts.is_float(self.element) else facts.EXACT

    def table(self):
        return FLOAT if facts.is_float(self.element) else INTEGER

    def emit(self, text):
        getattr(self, f"emit_{self.form}")(text)

    def emit_scalar(self, text, names, kind, constant, result=None):
        """Writes operations of arith and math on scalars or tensors. Returns the name of the
        last step's result, which is `result` if that is given."""
        names = list(names)
        for number, (name, args) in enumerate(self.steps):
            own = result if number == len(self.steps) - 1 and result else text.name()
            given = [constant(a[1]) if isinstance(a, tuple) else names[a] for a in args]
            if name == "select":
                compare = "cmpf olt" if facts.is_float(self.element) else "cmpi slt"
                if given[0] == given[1]:
                    # Write the constant here: upstream folds a comparison of a tensor of
                    # unknown extents with itself to a constant of that type, which is invalid.
                    condition, flags = text.define("arith.constant false"), ""
                else:
                    condition = text.define(f"arith.{compare}, {given[0]}, {given[1]} : {kind}")
                    flag = f"{kind[:-1].removesuffix(self.element)}i1>" if "<" in kind else "i1"
                    flags = f"{flag}, "
                text.line(f"{own} = arith.select {condition}, {given[0]}, {given[1]} : "
                          f"{flags}{kind}")
            else:
                text.line(f"{own} = {self.table()[name][0]} {', '.join(given)} : {kind}")
            names.append(own)
        return names[-1]

    def emit_generic(self, text):
        result = self.results[0]
        empty = text.empty(result.type, self.operands[0])
        rank = result.type.rank
        identity = f"affine_map<({dims(rank)}) -> ({dims(rank)})>"
        maps = ", ".join([identity] * (len(self.operands) + 1))
        kinds = ", ".join([str(v.type) for v in self.operands])
        iterators = ", ".join(['"parallel"'] * rank)
        text.line(f"{result.name} = linalg.generic {{indexing_maps = [{maps}], "
                  f"iterator_types = [{iterators}]}} ins({names(self.operands)} : {kinds}) "
                  f"outs({empty} : {result.type}) attrs = {{{self.mark}}} {{")
        arguments = [text.name() for _ in range(len(self.operands) + 1)]
        text.line(f"^bb0({', '.join(f'{a}: {self.element}' for a in arguments)}):")
        text.depth += 1
        last = self.emit_scalar(
            text, arguments[:-1], self.element,
            lambda value: text.define(
                f"arith.constant {spell_constant(self.element, value)} : {self.element}"))
        text.line(f"linalg.yield {last} : {self.element}")
        text.depth -= 1
        text.line(f"}} -> {result.type}")

    def emit_arith(self, text):
        kind = str(self.operands[0].type)
        self.emit_scalar(text, [v.name for v in self.operands], kind,
                         lambda value: self.splat(text, value), self.results[0].name)

    def splat(self, text, value):
        kind, element = self.operands[0].type, self.element
        spelled = spell_constant(element, value)
        if not kind.dynamic:
            return text.define(f"arith.constant dense<{spelled}> : {kind}")
        extents = [text.extent(self.operands[0], d) for d in sorted(kind.dynamic)]
        scalar = text.define(f"arith.constant {spelled} : {element}")
        return text.define(f"tensor.splat {scalar}[{', '.join(extents)}] : {kind}")

    def emit_named(self, text):
        kind, values = self.operands[0].type, [v.name for v in self.operands]
        for number, (name, args) in enumerate(self.steps):
            given = [self.filled(text, a[1]) if isinstance(a, tuple) else values[a] for a in args]
            is_last = number == len(self.steps) - 1
            empty = text.empty(kind, self.operands[0])
            result = self.results[0].name if is_last else text.name()
            text.line(f"{result} = linalg.{self.table()[name][1]} "
                      f"ins({', '.join(given)} : {', '.join([str(kind)] * len(given))}) "
                      f"outs({empty} : {kind}) -> {kind}")
            values.append(result)

    def filled(self, text, value):
        kind, element = self.operands[0].type, self.element
        scalar = text.define(f"arith.constant {spell_constant(element, value)} : {element}")
        empty = text.empty(kind, self.operands[0])
        return text.define(f"linalg.fill ins({scalar} : {element}) outs({empty} : {kind})"
                           f" -> {kind}")

    def categories(self):
        return [f"elementwise: {self.form}",
                "elementwise: floats" if facts.is_float(self.element) else "elementwise: integers"]


class Bias(Op):
    """Adds element i of a vector to all elements at position i of dimension `d`, by
    linalg.generic."""

    def __init__(self, number, x, vector, d):
        super().__init__(number, [x, vector])
        self.d = d

    def infer(self):
        x, vector = self.operands
        if (vector.type.rank != 1 or x.type.rank <= self.d or vector.type.element !=
                x.type.element or vector.type.shape[0] != x.type.shape[self.d]):
            raise Refused("shapes")
        self.results[0].type = x.type
        self.results[0].facts = (step_facts(x.type.element, "add", [x.facts, vector.facts])
                                 if facts.is_float(x.type.element) else facts.EXACT)

    def emit(self, text):
        x, vector = self.operands
        rank, result = x.type.rank, self.results[0]
        empty = text.empty(result.type, x)
        identity = f"affine_map<({dims(rank)}) -> ({dims(rank)})>"
        channel = f"affine_map<({dims(rank)}) -> (d{self.d})>"
        iterators = ", ".join(['"parallel"'] * rank)
        a, b, c, total = (text.name() for _ in range(4))
        element = x.type.element
        add = "arith.addf" if facts.is_float(element) else "arith.addi"
        text.line(f"{result.name} = linalg.generic {{indexing_maps = [{identity}, {channel}, "
                  f"{identity}], iterator_types = [{iterators}]}} ins({x.name}, {vector.name} : "
                  f"{x.type}, {vector.type}) outs({empty} : {result.type}) "
                  f"attrs = {{{self.mark}}} {{")
        text.line(f"^bb0({a}: {element}, {b}: {element}, {c}: {element}):")
        text.line(f"  {total} = {add} {a}, {b} : {element}")
        text.line(f"  linalg.yield {total} : {element}")
        text.line(f"}} -> {result.type}")

    def categories(self):
        return ["elementwise: bias of a channel"]


class Converted(Op):
    """Converts a tensor's elements to another type, or a quantised tensor to its stored
    values."""

    CASTS = {("f16", "f32"): "arith.extf", ("bf16", "f32"): "arith.extf",
             ("f32", "f64"): "arith.extf", ("f32", "f16"): "arith.truncf",
             ("f32", "bf16"): "arith.truncf", ("f64", "f32"): "arith.truncf",
             ("i8", "f32"): "arith.sitofp", ("i16", "f32"): "arith.sitofp",
             ("i32", "f32"): "arith.sitofp", ("i32", "f64"): "arith.sitofp",
             ("i8", "i32"): "arith.extsi", ("i32", "i8"): "arith.trunci",
             ("i64", "i32"): "arith.trunci", ("i32", "i64"): "arith.extui"}

    def __init__(self, number, x, element):
        super().__init__(number, [x])
        self.target = element

    def infer(self):
        x = self.operands[0]
        if (not x.type.is_quantized and not self.target.startswith("!")
                and (x.type.element, self.target) not in self.CASTS):
            raise Refused("types")
        self.results[0].type = Type(self.target, x.type.shape, x.type.dynamic)
        known = facts.EXACT
        if facts.is_float(self.target):
            form = Format(self.target)
            if facts.is_float(x.type.element):
                known = form.result(x.facts.grid, x.facts.mag, x.facts.err)
            else:
                known = form.result(0, 2.0 ** int(x.type.element[1:]), 0.0)
        self.results[0].facts = known

    def emit(self, text):
        x, result = self.operands[0], self.results[0]
        if x.type.is_quantized or self.target.startswith("!"):
            text.line(f"{result.name} = quant.scast {x.name} : {x.type} to {result.type}")
            return
        cast = self.CASTS[x.type.element, self.target]
        rank = x.type.rank
        empty = text.empty(result.type, x)
        identity = f"affine_map<({dims(rank)}) -> ({dims(rank)})>"
        iterators = ", ".join(['"parallel"'] * rank)
        a, b, c = (text.name() for _ in range(3))
        text.line(f"{result.name} = linalg.generic {{indexing_maps = [{identity}, {identity}], "
                  f"iterator_types = [{iterators}]}} ins({x.name} : {x.type}) "
                  f"outs({empty} : {result.type}) {{")
        text.line(f"^bb0({a}: {x.type.element}, {b}: {self.target}):")
        text.line(f"  {c} = {cast} {a} : {x.type.element} to {self.target}")
        text.line(f"  linalg.yield {c} : {self.target}")
        text.line(f"}} -> {result.type}")

    def categories(self):
        return ["quant.scast" if self.target.startswith("!")
                or self.operands[0].type.is_quantized else "conversion of types"]


def dims(rank):
    return ", ".join(f"d{d}" for d in range(rank))


def names(values):
    return ", ".join(v.name for v in values)


def constant_facts(value):
    """Returns (grid, mag) of a constant."""
    if not math.isfinite(value) or value == 0:
        return 0, 0.0
    mantissa, exponent = math.frexp(float(value))
    whole = int(abs(mantissa) * 2 ** 53)
    return exponent - 53 + (whole & -whole).bit_length() - 1, abs(float(value))
