"""Pooling operations in the random programs that generate.py draws."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

from .. import rules
from ..case import LISTS
from ..rules import Refused
from . import facts
from .model import Op, Type, checked


def spell(case, name, op, operands, result_types, pretty, mark, extra=()):
    """Returns an operation in generic or pretty form. The generic form has the properties
    `extra` before those of the case."""
    names = ", ".join(v.name if hasattr(v, "name") else v[0] for v in operands)
    types = ", ".join(str(v.type) if hasattr(v, "type") else v[1] for v in operands)
    results = ", ".join(map(str, result_types))
    mark = f" {{{mark}}}"
    if pretty:
        parts = [f"{key} {list(value) if key in LISTS else value}"
                 for key, value in case.attributes()]
        return f"{name} = pool.{op} {names} {' '.join(parts)}{mark} : {types} -> {results}"
    properties = ", ".join(filter(None, (*extra, case.properties(
        without=("kernel",) if extra else ()))))
    right = results if len(result_types) == 1 else f"({results})"
    return f'{name} = "pool.{op}"({names}) <{{{properties}}}>{mark} : ({types}) -> {right}'


def on(case, kind):
    """Returns the case on a tensor of the type `kind`."""
    return case.with_(shape=kind.shape, element_type=kind.storage,
                      dynamic=tuple(sorted(kind.dynamic)))


def window_counts(case, dims):
    """Yields (number of elements inside the input, divisor) for each window."""
    for out in itertools.product(*(range(dim.output) for dim in dims)):
        count = rules.product(dim.count("valid", o) for dim, o in zip(dims, out))
        divisor = case.divisor_override
        if divisor is None:
            divisor = rules.product(dim.count(case.divisor, o) for dim, o in zip(dims, out))
        yield count, divisor


def layout_of(case):
    return [case.layout, f"{case.num_spatial}-D", f"{case.auto_pad} {case.rounding_type}"]


class Pool(Op):
    """max_pool, min_pool, avg_pool or lp_pool."""

    def __init__(self, number, x, case, pretty, rescaled=None):
        super().__init__(number, [x])
        self.case = case
        self.pretty = pretty
        self.rescaled = rescaled

    def infer(self):
        x = self.operands[0]
        case = on(self.case, x.type)
        dims = rules.resolve(case)
        shape = tuple(rules.output_shape(case, dims))
        element = self.rescaled or x.type.element
        kinds = [checked(Type(element, shape, x.type.dynamic))]
        known = [self.result_facts(case, dims, x)]
        if case.index_type:
            kinds.append(kinds[0].with_(element=case.index_type))
            known.append(facts.EXACT)
        for value, kind, fact in zip(self.results, kinds, known):
            value.type, value.facts = kind, fact

    def result_facts(self, case, dims, x):
        if x.type.is_quantized or not case.is_float:
            return facts.EXACT
        if case.is_extremum:
            if case.index_type:
                facts.require_exact(x.facts, "positions")
            zero = facts.Facts(0, 0.0, 0.0)
            return facts.join(x.facts, zero) if case.pad_value == "zero" else x.facts
        positions = rules.product(case.kernel)
        if case.op == "lp_pool":
            return facts.norms(case.element_type, x.facts, positions, case.p)
        counts, divisors = zip(*window_counts(case, dims)) if 0 not in case.shape else ([1], [1])
        return facts.sums(case.element_type, x.facts, positions, divisors, counts)

    def emit(self, text):
        names = ", ".join(v.name for v in self.results)
        case = on(self.case, self.operands[0].type)
        text.line(spell(case, names, case.op, self.operands, [v.type for v in self.results],
                        self.pretty, self.mark))

    def categories(self):
        case = self.case
        keys = [f"{case.op}{' with indices' if case.index_type else ''}",
                *layout_of(case)]
        shape = self.operands[0].type.shape
        if all(case.kernel[i] == shape[d] for i, d in enumerate(case.spatial_dims)):
            keys.append("global pooling")
        if self.rescaled:
            keys.append("rescaled average")
        return keys


class AdaptivePool(Op):
    def __init__(self, number, x, case, size):
        super().__init__(number, [x])
        self.case = case
        self.size = size

    def infer(self):
        x = self.operands[0]
        case = on(self.case, x.type)
        if case.rank != len(self.size) + 2 or min(case.shape[1:]) < 1:
            raise Refused("rank")
        shape = list(case.shape)
        for d, outputs in zip(case.spatial_dims, self.size):
            shape[d] = outputs
        kind = checked(Type(x.type.element, tuple(shape),
                            x.type.dynamic - set(case.spatial_dims)))
        known = facts.EXACT
        if case.is_float and case.op == "max_pool":
            known = x.facts
            if case.index_type:
                facts.require_exact(known, "positions")
        elif case.is_float:
            extents = [{-(-(o + 1) * case.shape[d] // outputs) - o * case.shape[d] // outputs
                        for o in range(outputs)}
                       for d, outputs in zip(case.spatial_dims, self.size)]
            counts = sorted({rules.product(p) for p in itertools.product(*extents)})
            known = facts.sums(case.element_type, x.facts, counts[-1], counts, counts)
        kinds, fact = [kind], [known]
        if case.index_type:
            kinds.append(kind.with_(element=case.index_type))
            fact.append(facts.EXACT)
        for value, kind, known in zip(self.results, kinds, fact):
            value.type, value.facts = kind, known

    def emit(self, text):
        case = on(self.case, self.operands[0].type)
        size = f"output_size = array<i64: {', '.join(map(str, self.size))}>"
        text.line(spell(case, ", ".join(v.name for v in self.results), f"adaptive_{case.op}",
                        self.operands, [v.type for v in self.results], False, self.mark, (size,)))

    def categories(self):
        keys = [f"adaptive_{self.case.op}{' with indices' if self.case.index_type else ''}"]
        if all(extent == 1 for extent in self.size):
            keys.append("global pooling")
        return keys


class Unpool(Op):
    """max_unpool of values and positions to the shape of `like`."""

    def __init__(self, number, values, indices, like, axis):
        super().__init__(number, [values, indices, like])
        self.axis = axis

    def infer(self):
        values, indices, like = (v.type for v in self.operands)
        axis = self.axis % like.rank
        if (values.shape != indices.shape or values.rank != like.rank
                or values.shape[:axis] != like.shape[:axis]):
            raise Refused("shapes")
        self.results[0].type = Type(values.element, like.shape, like.dynamic)
        self.results[0].facts = (facts.join(self.operands[0].facts, facts.Facts(0, 0.0, 0.0))
                                 if facts.is_float(values.element) else facts.EXACT)

    def emit(self, text):
        values, indices, like = self.operands
        extents = [(text.extent(like, d), "index") for d in sorted(like.type.dynamic)]
        names = ", ".join([values.name, indices.name] + [e[0] for e in extents])
        types = ", ".join([str(values.type), str(indices.type)] + ["index"] * len(extents))
        properties = f"axis = {self.axis} : i64" if self.axis else ""
        text.line(f'{self.results[0].name} = "pool.max_unpool"({names}) <{{{properties}}}> '
                  f"{{{self.mark}}} : ({types}) -> {self.results[0].type}")

    def categories(self):
        return ["max_unpool"]


class Gradient(Op):
    """Gradient of a pooling of `x`. `g` is the gradient of the pooling's result. Gradients of
    extrema may have indices."""

    def __init__(self, number, case, x, g, indices=None):
        super().__init__(number, [x, g] + ([indices] if indices else []))
        self.case = case

    def infer(self):
        x, g = self.operands[:2]
        case = on(self.case, x.type)
        dims = rules.resolve(case)
        shape = tuple(rules.output_shape(case, dims))
        if any(v.type.shape != shape for v in self.operands[1:]):
            raise Refused("shapes")
        if any(v.type.dynamic != x.type.dynamic for v in self.operands[1:]):
            raise Refused("types")
        overlap = rules.product(case.kernel)
        if case.op == "avg_pool":
            divisors = {d for _, d in window_counts(case, dims)} if 0 not in case.shape else {1}
            known = facts.windows_over(case.element_type, g.facts, sorted(divisors), overlap)
        else:
            if len(self.operands) == 2:
                facts.require_exact(x.facts, "a choice")
            else:
                # Indices may all be equal, so all windows of an image may add to one element.
                overlap = max(1, rules.product(shape[1:]))
            known = facts.sums(case.element_type, g.facts, overlap, [1], [overlap])
        self.results[0].type, self.results[0].facts = checked(x.type), known

    def emit(self, text):
        x = self.operands[0]
        case = on(self.case, x.type)
        operands = self.operands
        if case.op == "avg_pool":
            operands = [self.operands[1], *((text.extent(x, d), "index")
                                            for d in sorted(x.type.dynamic))]
        text.line(spell(case, self.results[0].name, f"{case.op}_grad", operands,
                        [self.results[0].type], False, self.mark))

    def categories(self):
        given = " with indices" if len(self.operands) == 3 else ""
        return [f"{self.case.op}_grad{given}"]
