"""Calls, loops and branches of programs."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from ..rules import Refused
from . import facts
from .model import Op, join_type, same_type


class Call(Op):
    def __init__(self, number, function, operands):
        super().__init__(number, operands)
        self.function = function

    def infer(self):
        # Infer the callee's types for these operands. Then restore the facts of the callee's
        # own arguments, since a public callee is also called from outside.
        callee, own = self.function, [arg.facts for arg in self.function.args]
        try:
            for value, arg in zip(self.operands, callee.args):
                if arg.type is None:
                    arg.type = value.type
                same_type(value.type, arg.type)
                arg.facts, arg.range = value.facts, value.range
            callee.infer()
            known = [v.facts for v in callee.returns]
        finally:
            if not callee.is_private:
                for arg, fact in zip(callee.args, own):
                    arg.facts = fact
                callee.infer()
        for result, value, fact in zip(self.results, callee.returns, known):
            result.type, result.facts = value.type, fact

    def emit(self, text):
        operands = ", ".join(v.name for v in self.operands)
        types = ", ".join(str(v.type) for v in self.operands)
        results = ", ".join(v.name for v in self.results)
        kinds = ", ".join(str(v.type) for v in self.results)
        text.line(f"{results} = func.call @{self.function.name}({operands}) : ({types}) -> "
                  f"({kinds})")

    def categories(self):
        return ["private call" if self.function.is_private else "public call"]


class Loop(Op):
    """`scf.for` or `scf.while` with loop-carried values and `trips` iterations. `bound` is the
    index value of the upper bound, or None if the bound is a constant."""

    def __init__(self, number, kind, inits, trips, bound, args, index):
        super().__init__(number, inits)
        self.kind, self.trips, self.bound = kind, trips, bound
        self.args, self.index = args, index
        self.ops, self.yields = [], []

    def nested(self):
        return [self.ops]

    def used(self):
        return super().used() + self.yields + ([self.bound] if self.bound else [])

    def replace(self, old, new):
        super().replace(old, new)
        self.yields = [new if v is old else v for v in self.yields]
        self.bound = new if self.bound is old else self.bound

    def infer(self):
        self.index.range = (0, max(0, self.trips - 1))
        known = [v.facts for v in self.operands]
        for _ in range(max(1, self.trips)):
            for arg, init, fact in zip(self.args, self.operands, known):
                arg.type, arg.facts = init.type, fact
            for op in self.ops:
                op.infer()
            for init, value in zip(self.operands, self.yields):
                same_type(init.type, value.type)
            if self.trips:
                known = [v.facts for v in self.yields]
        for result, init, fact in zip(self.results, self.operands, known):
            result.type, result.facts = init.type, fact

    def emit(self, text):
        bound = text.index(self.bound or self.trips)
        zero, one = text.index(0), text.index(1)
        kinds = ", ".join(str(v.type) for v in self.results)
        getattr(self, f"emit_{self.kind}")(text, zero, one, bound, kinds)

    def emit_for(self, text, zero, one, bound, kinds):
        names = ", ".join(v.name for v in self.results)
        inits = ", ".join(f"{a.name} = {i.name}" for a, i in zip(self.args, self.operands))
        text.line(f"{names} = scf.for {self.index.name} = {zero} to {bound} step {one} "
                  f"iter_args({inits}) -> ({kinds}) {{")
        text.depth += 1
        for op in self.ops:
            op.emit(text)
        text.line(f"scf.yield {', '.join(v.name for v in self.yields)} : {kinds}")
        text.depth -= 1
        text.line("}")

    def emit_while(self, text, zero, one, bound, kinds):
        counter, more = text.name(), text.name()
        names = ", ".join([text.name()] + [v.name for v in self.results])
        passed = [text.name() for _ in self.args]
        inits = ", ".join([f"{counter} = {zero}"] + [
            f"{p} = {i.name}" for p, i in zip(passed, self.operands)])
        text.line(f"{names} = scf.while ({inits}) : (index, {kinds}) -> (index, {kinds}) {{")
        text.line(f"  {more} = arith.cmpi slt, {counter}, {bound} : index")
        text.line(f"  scf.condition({more}) {', '.join([counter, *passed])} : index, {kinds}")
        text.line("} do {")
        args = ", ".join([f"{self.index.name}: index"] + [f"{a.name}: {a.type}"
                                                         for a in self.args])
        text.line(f"^bb0({args}):")
        text.depth += 1
        for op in self.ops:
            op.emit(text)
        following = text.define(f"arith.addi {self.index.name}, {one} : index")
        text.line(f"scf.yield {', '.join([following] + [v.name for v in self.yields])} : index, "
                  f"{kinds}")
        text.depth -= 1
        text.line("}")

    def categories(self):
        keys = [f"scf.{self.kind} that carries tensors"]
        if self.bound:
            keys.append("loop of unknown length")
        return keys


class Branch(Op):
    """`scf.if` whose condition compares an index or an element of a tensor with a number."""

    def __init__(self, number, condition, limit):
        super().__init__(number, [condition])
        self.limit = limit
        self.branches, self.yields = [[], []], [[], []]

    def nested(self):
        return self.branches

    def used(self):
        return super().used() + self.yields[0] + self.yields[1]

    def replace(self, old, new):
        super().replace(old, new)
        self.yields = [[new if v is old else v for v in values] for values in self.yields]

    def infer(self):
        condition = self.operands[0]
        if condition.type.shape is not None:
            if condition.facts.err or 0 in condition.type.shape:
                raise Refused("inexact", "a branch")
        for ops in self.branches:
            for op in ops:
                op.infer()
        for result, a, b in zip(self.results, *self.yields):
            same_type(a.type, b.type)
            result.type = join_type(a.type, b.type)
            result.facts = facts.join(a.facts, b.facts)

    def emit(self, text):
        condition = self.operands[0]
        name, element = condition.name, condition.type.element
        if condition.type.shape is not None:
            zero = text.index(0)
            name = text.define(f"tensor.extract {name}"
                               f"[{', '.join([zero] * condition.type.rank)}] : {condition.type}")
        limit = text.define(f"arith.constant {self.limit} : {element}"
                            if not facts.is_float(element)
                            else f"arith.constant {float(self.limit)!r} : {element}")
        compare = "cmpf olt" if facts.is_float(element) else "cmpi slt"
        flag = text.define(f"arith.{compare}, {name}, {limit} : {element}")
        kinds = ", ".join(str(v.type) for v in self.results)
        names = ", ".join(v.name for v in self.results)
        text.line(f"{names} = scf.if {flag} -> ({kinds}) {{")
        for i, (ops, values) in enumerate(zip(self.branches, self.yields)):
            if i:
                text.line("} else {")
            text.depth += 1
            for op in ops:
                op.emit(text)
            text.line(f"scf.yield {', '.join(v.name for v in values)} : {kinds}")
            text.depth -= 1
        text.line("}")

    def categories(self):
        return ["scf.if that carries tensors",
                "branch on an argument" if self.operands[0].type.shape is None
                else "branch on an element"]
