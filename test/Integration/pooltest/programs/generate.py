"""Draws programs. A program depends only on its seed and index, not on other programs."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from .. import generators
from ..generators import integer, pick
from ..rules import Refused
from . import arguments, draw_control, draw_ops, facts, plan
from .model import Function, Program, Type, Value

# Numbers of known faults that are not mended yet. Programs that would run into these faults
# are not drawn.
AVOIDED = frozenset({"07"})


class Generator:
    def __init__(self, seed, index, avoided=AVOIDED):
        self.rng = np.random.default_rng([seed, index])
        self.program = Program(seed, index)
        self.avoided = avoided
        self.number = 0
        # Operations and values of the function or block that is being drawn
        self.ops, self.scope, self.depth = [], [], 0

    def next_number(self):
        self.number += 1
        return self.number

    def new_value(self, kind=None, known=facts.EXACT):
        return Value(self.next_number(), kind, known)

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, choices, weights=None):
        return pick(self.rng, choices, weights)

    def add(self, op, results=1):
        """Adds an operation and returns its results, or None if `infer` rejects its types."""
        op.results = [self.new_value() for _ in range(results)]
        try:
            op.infer()
        except Refused:
            return None
        self.ops.append(op)
        self.scope += [v for v in op.results if v.type.shape is not None]
        return op.results

    def tensors(self, accept=lambda value: True):
        return [v for v in self.scope if accept(v)]

    def choose(self, accept=lambda value: True):
        """Returns a random tensor of the scope that `accept` accepts, or None. Tensors that
        were added later are more likely."""
        found = self.tensors(accept)
        if not found:
            return None
        return self.pick(found, [i + 2 for i in range(len(found))])

    # Functions

    def argument_type(self):
        element = generators.element_type(self.rng)
        if self.chance(0.15):
            element = arguments.random_quantized(self.rng)
        n = self.pick((1, 2, 3), (3, 6, 1))
        extents = generators.integers(self.rng, n, 2, {1: 16, 2: 8, 3: 5}[n])
        if self.chance(0.08):
            # Rows of several vectors
            extents = extents[:-1] + (integer(self.rng, 17, 70),)
        batch = 0 if self.chance(0.04) else integer(self.rng, 1, 2)
        channels = integer(self.rng, 1, 4)
        shape = ((batch, channels, *extents) if self.chance(0.75) else
                 (batch, *extents, channels))
        share = self.pick((0, 0.5, 1), (4, 3, 2))
        return Type(element, shape, frozenset(d for d in range(len(shape))
                                              if self.rng.random() < share))

    def add_argument(self, function, kind):
        value = self.new_value(kind)
        array, data_kind = arguments.draw(self.rng, kind)
        self.program.data[value.number] = array
        self.program.kinds[value.number] = data_kind
        value.facts = facts.of_data(kind.element, array)
        if kind.shape is None and kind.element == "index":
            value.range = (int(array), int(array))
        function.args.append(value)
        return value

    def draw_function(self, name):
        function = Function(name, [], [], [])
        earlier = self.program.entries()
        if earlier and self.chance(0.4):
            kinds = [v.type for v in self.pick(earlier).args]
        else:
            kinds = [self.argument_type()]
            if self.chance(0.5):
                kinds.append(kinds[0] if self.chance(0.6) else self.argument_type())
            if self.chance(0.15):
                kinds.append(Type("index"))
        for kind in kinds:
            self.add_argument(function, kind)
        if all(v.type.shape is None for v in function.args):
            self.add_argument(function, self.argument_type())
        if self.chance(0.2):
            shape = function.args[0].type.shape
            if facts.is_float(function.args[0].type.element):
                self.add_argument(function, Type(function.args[0].type.element, (shape[1],)))
        self.ops, self.depth = function.ops, 0
        self.scope = [v for v in function.args if v.type.shape is not None]
        self.scalars = [v for v in function.args if v.type.shape is None]
        wanted = integer(self.rng, 2, 8)
        for _ in range(8 * wanted):
            if len(function.ops) >= wanted:
                break
            self.draw_operation()
        self.draw_returns(function)
        self.program.functions.append(function)

    def draw_operation(self):
        if self.depth == 0 and self.chance(0.25):
            return draw_control.draw(self)
        return draw_ops.draw(self)

    def draw_returns(self, function):
        candidates = [v for v in self.scope if v not in function.args]
        values = candidates[-1:]
        for value in candidates[:-1]:
            if self.chance(0.25):
                values.append(value)
        if self.chance(0.1) or not values:
            values.append(self.pick([v for v in function.args if v.type.shape is not None]))
        if self.chance(0.1):
            values.append(self.pick(values))
        function.returns = values[:5]


def make(seed, index, avoided=AVOIDED):
    generator = Generator(seed, index, avoided)
    for number in range(generator.pick((1, 2, 3), (3, 4, 2))):
        generator.draw_function(f"f{number}")
    program = generator.program
    if generator.chance(0.7):
        program.prune()
    else:
        program.drop_uncalled()
    program.infer()
    plan.draw(generator, program)
    return program

