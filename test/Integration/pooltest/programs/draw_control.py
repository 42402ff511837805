"""Draws calls, loops and branches."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from ..generators import integer
from . import draw_ops
from .control import Branch, Call, Loop
from .model import Function, Type
from .shapes import InsertSlice, Slice, ExtractSlice


def draw(g):
    kind = g.pick((draw_private_call, draw_public_call, draw_loop, draw_branch), (5, 2, 5, 3))
    return kind(g)


class Inside:
    """Makes the generator add operations to the list `ops` within a `with` block."""

    def __init__(self, g, ops, scope):
        self.g, self.ops, self.scope = g, ops, scope

    def __enter__(self):
        g = self.g
        self.saved = g.ops, g.scope, g.depth
        g.ops, g.scope, g.depth = self.ops, list(self.scope), g.depth + 1

    def __exit__(self, *_):
        self.g.ops, self.g.scope, self.g.depth = self.saved


def draw_preserving(g, x, index=None):
    """Draws operations on `x` whose last result has the type of `x`."""
    value = None
    if index is not None and g.chance(0.3):
        value = draw_at_index(g, x, index)
    for _ in range(3):
        if value is not None:
            break
        kind = g.pick(("pool", "elementwise", "scatter", "call"), (5, 3, 2, 1))
        results = None
        if kind == "pool" and draw_ops.can_pool(x):
            results = draw_ops.draw_pool(g, x, same=True)
        elif kind == "elementwise":
            results = draw_ops.draw_elementwise(g, x)
        elif kind == "scatter" and draw_ops.can_pool(x):
            results = draw_ops.draw_scatter(g, x)
        elif kind == "call":
            results = draw_private_call(g, [x])
        if results and results[0].type.shape == x.type.shape and \
                results[0].type.element == x.type.element:
            value = results[0]
    if value is None:
        return x
    if value.type != x.type:
        value = draw_ops.draw_cast(g, value, x.type.dynamic)[0]
    return value


def draw_at_index(g, x, index):
    """Pools a slice at a loop's index and inserts the result there."""
    d = g.pick([d for d, extent in enumerate(x.type.shape) if extent > index.range[1]] or [None])
    if d is None or not draw_ops.can_pool(x):
        return None
    def place():
        return Slice([index if i == d else 0 for i in range(x.type.rank)],
                     [1 if i == d else extent for i, extent in enumerate(x.type.shape)],
                     [1] * x.type.rank, [("sizes", i) for i in x.type.dynamic if i != d])
    part = g.add(ExtractSlice(g.next_number(), x, place()))
    if not part:
        return None
    pooled = draw_ops.draw_pool(g, part[0], same=True)
    if not pooled or pooled[0].type != part[0].type:
        return None
    inserted = g.add(InsertSlice(g.next_number(), pooled[0], x, place()))
    return inserted[0] if inserted else None


def draw_private_call(g, values=None):
    functions = [f for f in g.program.functions if f.is_private]
    if functions and g.chance(0.4):
        called = call_of(g, g.pick(functions), values)
        if called:
            return called
    if values is None:
        values = [v for v in (g.choose(), g.choose()) if v is not None]
        values = values[:1] if g.chance(0.6) else values
    if not values or g.depth > 1:
        return None
    args = [g.new_value(v.type, v.facts) for v in values]
    function = Function(f"p{g.next_number()}", args, [], [], True)
    scalars, g.scalars = g.scalars, []
    with Inside(g, function.ops, args):
        if len(values) == 1 and g.chance(0.5):
            function.returns = [draw_preserving(g, args[0])]
        for _ in range(0 if function.returns else 4 * integer(g.rng, 1, 3)):
            if len(function.ops) < 3:
                draw_ops.draw(g)
        if not function.returns:
            g.draw_returns(function)
    g.scalars = scalars
    results = g.add(Call(g.next_number(), function, values), len(function.returns))
    if results:
        g.program.functions.append(function)
    return results


def call_of(g, function, values=None):
    """Draws a call of a function. Returns None if the scope lacks a value of the type of one
    of its arguments."""
    given = []
    for arg in function.args:
        if arg.type.shape is None:
            # The callee slices at this index, so the operand must not be larger than the
            # argument's range.
            found = [v for v in g.scalars if v.type == arg.type and v.range[1] <= arg.range[1]]
        elif values:
            found = [v for v in values if v.type == arg.type]
        else:
            found = [v for v in g.scope if v.type == arg.type]
        if not found:
            return None
        given.append(g.pick(found))
    return g.add(Call(g.next_number(), function, given), len(function.returns))


def draw_public_call(g):
    functions = g.program.entries()
    return call_of(g, g.pick(functions)) if functions else None


def draw_loop(g):
    inits = [v for v in (g.choose(), g.choose()) if v is not None]
    inits = inits[:1] if g.chance(0.7) else inits
    if not inits:
        return None
    bounds = [v for v in g.scalars if v.type.element == "index"]
    bound = g.pick(bounds) if bounds and g.chance(0.6) else None
    trips = bound.range[1] if bound else integer(g.rng, 0, 3)
    index = g.new_value(Type("index"))
    args = [g.new_value(v.type, v.facts) for v in inits]
    loop = Loop(g.next_number(), g.pick(("for", "while"), (3, 2)), inits, trips, bound, args,
                index)
    index.range = (0, max(0, trips - 1))
    with Inside(g, loop.ops, g.scope + args):
        loop.yields = [draw_preserving(g, arg, index) for arg in args]
        if len(args) > 1 and args[0].type == args[1].type and g.chance(0.3):
            loop.yields.reverse()
    return g.add(loop, len(inits))


def draw_branch(g):
    x = g.choose()
    if x is None:
        return None
    scalars = [v for v in g.scalars if v.type.element == "index"]
    condition = g.pick(scalars) if scalars and g.chance(0.5) else g.choose(
        lambda v: draw_ops.can_compute(v) and not v.facts.err)
    if condition is None:
        return None
    branch = Branch(g.next_number(), condition, integer(g.rng, -1, 3))
    for side in range(2):
        with Inside(g, branch.branches[side], g.scope):
            value = x if side and g.chance(0.4) else draw_preserving(g, x)
            branch.yields[side] = [value]
    return g.add(branch, 1)
