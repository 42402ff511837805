"""Slices, padding, concatenation and other changes of shape in programs."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from .. import rules
from ..rules import Refused
from . import facts
from .elementwise import constant_facts, spell_constant
from .facts import Facts
from .model import Op, Type, Value, checked


class Slice:
    """Offsets, sizes and strides of a slice. An offset may be an index value. `hidden` has
    pairs (name of a list, dimension) for entries that are written as SSA values."""

    def __init__(self, offsets, sizes, strides, hidden=()):
        self.offsets, self.sizes, self.strides = offsets, sizes, strides
        self.hidden = frozenset(hidden)

    def check(self, shape):
        if len(shape) != len(self.sizes):
            raise Refused("rank")
        for extent, offset, size, stride in zip(shape, self.offsets, self.sizes, self.strides):
            low, high = offset.range if isinstance(offset, Value) else (offset, offset)
            # Upstream's verifier rejects an offset at or beyond the end.
            if low < 0 or size < 1 or high + (size - 1) * stride >= extent:
                raise Refused("slice")

    def values(self):
        return [o for o in self.offsets if isinstance(o, Value)]

    def replace(self, old, new):
        self.offsets = [new if o is old else o for o in self.offsets]

    def dynamic(self):
        return frozenset(d for name, d in self.hidden if name == "sizes")

    def spell(self, text):
        parts = []
        for name in ("offsets", "sizes", "strides"):
            entries = [text.index(v) if isinstance(v, Value) or (name, d) in self.hidden
                       else str(v) for d, v in enumerate(getattr(self, name))]
            parts.append(f"[{', '.join(entries)}]")
        return " ".join(parts)

    def categories(self):
        keys = ["dynamic slice" if self.hidden else "static slice"]
        if any(s > 1 for s in self.strides):
            keys.append("strided slice")
        if self.values():
            keys.append("slice at a loop's index")
        return keys


class ExtractSlice(Op):
    def __init__(self, number, x, place):
        super().__init__(number, [x])
        self.place = place

    def used(self):
        return self.operands + self.place.values()

    def replace(self, old, new):
        super().replace(old, new)
        self.place.replace(old, new)

    def infer(self):
        x = self.operands[0]
        self.place.check(x.type.shape)
        self.results[0].type = Type(x.type.element, tuple(self.place.sizes), self.place.dynamic())
        self.results[0].facts = x.facts

    def emit(self, text):
        x = self.operands[0]
        place = self.place.spell(text)
        text.line(f"{self.results[0].name} = tensor.extract_slice {x.name}{place} : {x.type} to "
                  f"{self.results[0].type}")

    def categories(self):
        return ["extract_slice", *self.place.categories()]


class InsertSlice(ExtractSlice):
    def __init__(self, number, source, x, place):
        Op.__init__(self, number, [source, x])
        self.place = place

    def infer(self):
        source, x = self.operands
        self.place.check(x.type.shape)
        if (source.type.shape != tuple(self.place.sizes) or source.type.element !=
                x.type.element):
            raise Refused("slice")
        # The same extents must be unknown in the inserted tensor and in the slice.
        if source.type.dynamic != self.place.dynamic():
            raise Refused("slice")
        self.results[0].type = x.type
        self.results[0].facts = facts.join(source.facts, x.facts)

    def emit(self, text):
        source, x = self.operands
        place = self.place.spell(text)
        text.line(f"{self.results[0].name} = tensor.insert_slice {source.name} into {x.name}"
                  f"{place} : {source.type} into {x.type}")

    def categories(self):
        return ["insert_slice", *self.place.categories()]


class Concat(Op):
    def __init__(self, number, operands, dim):
        super().__init__(number, operands)
        self.dim = dim

    def infer(self):
        kinds = [v.type for v in self.operands]
        first = kinds[0]
        for kind in kinds:
            if kind.rank != first.rank or kind.element != first.element or any(
                    a != b for d, (a, b) in enumerate(zip(kind.shape, first.shape))
                    if d != self.dim):
                raise Refused("shapes")
        shape = list(first.shape)
        shape[self.dim] = sum(k.shape[self.dim] for k in kinds)
        dynamic = {d for d in range(first.rank) if d != self.dim and
                   all(d in k.dynamic for k in kinds)}
        if any(self.dim in k.dynamic for k in kinds):
            dynamic.add(self.dim)
        self.results[0].type = checked(Type(first.element, tuple(shape), frozenset(dynamic)))
        self.results[0].facts = facts.join(*(v.facts for v in self.operands))

    def emit(self, text):
        names = ", ".join(v.name for v in self.operands)
        types = ", ".join(str(v.type) for v in self.operands)
        text.line(f"{self.results[0].name} = tensor.concat dim({self.dim}) {names} : ({types}) -> "
                  f"{self.results[0].type}")

    def categories(self):
        return ["concatenation"]


class Pad(Op):
    """A tensor.pad. Widths in the dimensions `hidden` are written as SSA values. Without a
    `value`, the padding is the first element of `x`."""

    def __init__(self, number, x, low, high, value, hidden=()):
        super().__init__(number, [x])
        self.low, self.high, self.value, self.hidden = low, high, value, frozenset(hidden)

    def infer(self):
        x = self.operands[0]
        if x.type.rank != len(self.low) or (self.value is None and 0 in x.type.shape):
            raise Refused("rank")
        shape = tuple(e + a + b for e, a, b in zip(x.type.shape, self.low, self.high))
        self.results[0].type = checked(Type(x.type.element, shape, x.type.dynamic | self.hidden))
        self.results[0].facts = x.facts
        if facts.is_float(x.type.element) and self.value is not None:
            self.results[0].facts = facts.join(x.facts, Facts(*constant_facts(self.value)))

    def emit(self, text):
        x = self.operands[0]
        low, high = ([text.index(p) if d in self.hidden else str(p) for d, p in enumerate(pads)]
                     for pads in (self.low, self.high))
        element = x.type.element
        if self.value is None:
            zero = text.index(0)
            value = text.define(f"tensor.extract {x.name}[{', '.join([zero] * x.type.rank)}] : "
                                f"{x.type}")
        else:
            value = text.define(f"arith.constant {spell_constant(element, self.value)} : {element}")
        text.line(f"{self.results[0].name} = tensor.pad {x.name} low[{', '.join(low)}] "
                  f"high[{', '.join(high)}] {{")
        text.line(f"^bb0({', '.join(f'{text.name()}: index' for _ in self.low)}):")
        text.line(f"  tensor.yield {value} : {element}")
        text.line(f"}} : {x.type} to {self.results[0].type}")

    def categories(self):
        return ["pad", "pad: by SSA values" if self.hidden else "pad: static"]


class Collapse(Op):
    """Merges the dimensions `d` and `d + 1` into one."""

    def __init__(self, number, x, d):
        super().__init__(number, [x])
        self.d = d

    def groups(self, rank):
        return [[d] for d in range(self.d)] + [[self.d, self.d + 1]] + [
            [d] for d in range(self.d + 2, rank)]

    def infer(self):
        x = self.operands[0].type
        if x.rank < self.d + 2:
            raise Refused("rank")
        groups = self.groups(x.rank)
        self.results[0].type = Type(
            x.element, tuple(rules.product(x.shape[d] for d in g) for g in groups),
            frozenset(i for i, g in enumerate(groups) if x.dynamic & set(g)))
        self.results[0].facts = self.operands[0].facts

    def emit(self, text):
        x = self.operands[0]
        groups = ", ".join(f"[{', '.join(map(str, g))}]" for g in self.groups(x.type.rank))
        text.line(f"{self.results[0].name} = tensor.collapse_shape {x.name} [{groups}] : "
                  f"{x.type} into {self.results[0].type}")

    def categories(self):
        return ["collapse_shape"]


class Expand(Collapse):
    """Splits dimension `d` in two. The second dimension has extent `inner`."""

    def __init__(self, number, x, d, inner):
        super().__init__(number, x, d)
        self.inner = inner

    def infer(self):
        x = self.operands[0].type
        if x.rank <= self.d or x.shape[self.d] % self.inner:
            raise Refused("shape")
        shape = x.shape[:self.d] + (x.shape[self.d] // self.inner, self.inner) \
            + x.shape[self.d + 1:]
        dynamic = frozenset(d if d <= self.d else d + 1 for d in x.dynamic)
        self.results[0].type = Type(x.element, shape, dynamic)
        self.results[0].facts = self.operands[0].facts

    def emit(self, text):
        x, kind = self.operands[0], self.results[0].type
        extents = []
        for d, extent in enumerate(kind.shape):
            if d not in kind.dynamic:
                extents.append(str(extent))
            elif d == self.d:
                extents.append(text.define(f"arith.divui {text.extent(x, d)}, "
                                           f"{text.index(self.inner)} : index"))
            else:
                extents.append(text.extent(x, d if d < self.d else d - 1))
        groups = ", ".join(f"[{', '.join(map(str, g))}]" for g in self.groups(kind.rank))
        text.line(f"{self.results[0].name} = tensor.expand_shape {x.name} [{groups}] output_shape "
                  f"[{', '.join(extents)}] : {x.type} into {kind}")

    def categories(self):
        return ["expand_shape"]


class Cast(Op):
    """Casts a tensor to a type with other unknown extents."""

    def __init__(self, number, x, dynamic):
        super().__init__(number, [x])
        self.dynamic = frozenset(dynamic)

    def infer(self):
        x = self.operands[0]
        if self.dynamic and max(self.dynamic) >= x.type.rank:
            raise Refused("rank")
        self.results[0].type = x.type.with_(dynamic=self.dynamic)
        self.results[0].facts = x.facts

    def emit(self, text):
        x = self.operands[0]
        text.line(f"{self.results[0].name} = tensor.cast {x.name} : {x.type} to "
                  f"{self.results[0].type}")

    def categories(self):
        return ["cast of extents"]


class Transpose(Op):
    def __init__(self, number, x, order):
        super().__init__(number, [x])
        self.order = order

    def infer(self):
        x = self.operands[0]
        if x.type.rank != len(self.order):
            raise Refused("rank")
        self.results[0].type = Type(
            x.type.element, tuple(x.type.shape[d] for d in self.order),
            frozenset(i for i, d in enumerate(self.order) if d in x.type.dynamic))
        self.results[0].facts = x.facts

    def emit(self, text):
        x, kind = self.operands[0], self.results[0].type
        empty = text.empty(kind, [text.extent(x, self.order[d]) for d in sorted(kind.dynamic)])
        name = text.name()
        text.line(f"{name} = linalg.transpose ins({x.name} : {x.type}) outs({empty} : {kind}) "
                  f"permutation = [{', '.join(map(str, self.order))}]")
        text.line(f"{self.results[0].name} = tensor.cast {name} : {kind} to {kind}")

    def categories(self):
        return ["transpose"]
