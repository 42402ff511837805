"""Draws operations other than control flow."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from .. import generators
from ..case import Case
from ..generators import integer, integers
from . import arguments, elementwise, facts
from .elementwise import Bias, Converted, Elementwise
from .pools import AdaptivePool, Gradient, Pool, Unpool
from .shapes import Cast, Collapse, Concat, Expand, ExtractSlice, InsertSlice, Pad, Slice, \
    Transpose

SIGNLESS = ("i8", "i16", "i32", "i64")
# Largest rank of a tensor
MAX_RANK = 6


def draw(g):
    """Draws one operation, or a few that belong together. Draws nothing if the operation would
    be rejected."""
    if g.depth == 0 and g.chance(0.2) and any(v.type.rank == 1 for v in g.scope):
        return draw_bias(g)
    kind = g.pick((draw_pool, draw_chain, draw_adaptive, draw_scatter, draw_elementwise, draw_slice,
                   draw_insert, draw_concat, draw_pad, draw_reshape, draw_cast, draw_transpose,
                   draw_conversion), (20, 8, 5, 15, 16, 8, 4, 6, 4, 6, 3, 2, 5))
    return kind(g)


def can_compute(value):
    """True if arith has operations on this element type."""
    return facts.is_float(value.type.element) or value.type.element in SIGNLESS


def can_pool(value):
    return 3 <= value.type.rank <= MAX_RANK and value.type.element not in ("index", "i1")


# Pooling

def random_case(g, kind, op, same=False):
    """Returns a random pooling of the type `kind`. With `same`, the result has the input's
    extents."""
    rng, n = g.rng, kind.rank - 2
    layout = g.pick(("channels_first", "channels_last"), (3, 1))
    window = generators.random_window(rng, n, max_kernel={1: 6, 2: 4, 3: 3}.get(n, 2),
                                      pads_below_kernel=0.7)
    attributes = generators.random_op(rng, op, kind.storage, n)
    if kind.is_quantized:
        for name in ("input_zp", "output_zp"):
            attributes.pop(name, None)
        if op != "avg_pool":
            attributes.pop("pad_value", None)
    if facts.is_float(kind.element) and op == "avg_pool" and g.chance(0.7):
        # Divide by powers of two, so that averages are exact.
        window["kernel"] = tuple(g.pick((1, 2, 4), (2, 4, 1)) for _ in range(n))
        attributes["divisor"] = "kernel"
        attributes.pop("divisor_override", None)
        if g.chance(0.3):
            attributes["divisor_override"] = g.pick((1, 2, -4, 8))
    if same:
        window = same_window(g, n, window["kernel"])
    elif g.chance(0.06):
        first = 2 if layout == "channels_first" else 1
        window = {"kernel": kind.shape[first:first + n]}
    return Case(op, kind.shape, element_type=kind.storage, layout=layout, **window, **attributes)


def same_window(g, n, kernel):
    if g.chance(0.3):
        return {"kernel": kernel, "auto_pad": g.pick(("same_upper", "same_lower"))}
    kernel = tuple(k if k % 2 else k + 1 for k in kernel)
    dilations = integers(g.rng, n, 1, g.pick((1, 2)))
    pads = tuple((k - 1) // 2 * d for k, d in zip(kernel, dilations))
    return {"kernel": kernel, "dilations": dilations, "pads_begin": pads, "pads_end": pads}


def random_pool_op(g, kind):
    if kind.is_quantized:
        return g.pick(("max_pool", "min_pool", "avg_pool"))
    if facts.is_float(kind.element):
        return g.pick(("max_pool", "min_pool", "avg_pool", "lp_pool"), (6, 3, 6, 2))
    return g.pick(("max_pool", "min_pool", "avg_pool"), (4, 2, 4))


def draw_pool(g, x=None, same=False):
    x = x or g.choose(can_pool)
    if x is None:
        return None
    op = random_pool_op(g, x.type)
    case = random_case(g, x.type, op, same)
    if same and case.layout == "channels_last" and min(x.type.shape[1:]) < 1:
        return None
    rescaled = None
    if x.type.is_quantized and op == "avg_pool" and not same and g.chance(0.4):
        rescaled = arguments.rescaled(g.rng, x.type)
    if x.facts.err or rescaled:
        case = case.with_(index_type=None)
    return g.add(Pool(g.next_number(), x, case, g.chance(0.5), rescaled),
                 2 if case.index_type else 1)


def draw_chain(g):
    """Draws a pooling of another pooling's result. If nothing else reads that result, the first
    pooling can be fused into tiles of the second."""
    first = draw_pool(g)
    return draw_pool(g, first[0]) if first and can_pool(first[0]) else first


def draw_adaptive(g):
    x = g.choose(lambda v: can_pool(v) and not v.type.is_quantized)
    if x is None:
        return None
    op = g.pick(("max_pool", "avg_pool"))
    attributes = generators.random_op(g.rng, op, x.type.storage, x.type.rank - 2)
    for name in ("pad_value", "divisor", "divisor_override"):
        attributes.pop(name, None)
    layout = g.pick(("channels_first", "channels_last"), (3, 1))
    case = Case(op, x.type.shape, (1,) * (x.type.rank - 2), element_type=x.type.storage,
                layout=layout, **attributes)
    size = tuple(1 if g.chance(0.3) else integer(g.rng, 1, 5) for _ in case.kernel)
    if g.chance(0.2):
        size = (1,) * len(size)
    if x.facts.err:
        case = case.with_(index_type=None)
    return g.add(AdaptivePool(g.next_number(), x, case, size), 2 if case.index_type else 1)


def draw_scatter(g, x=None):
    """Draws a pooling with indices and its unpooling, or a pooling and its gradient."""
    accept = lambda v: can_pool(v) and not v.type.is_quantized and not v.facts.err
    x = x or g.choose(accept)
    if x is None or not accept(x):
        return None
    if not facts.is_float(x.type.element) or g.chance(0.3):
        return draw_unpool(g, x)
    op = g.pick(("max_pool", "min_pool", "avg_pool"))
    case = random_case(g, x.type, op).with_(index_type=None, pad_value="neg_inf")
    if op != "avg_pool" and g.chance(0.6):
        case = case.with_(axis=integer(g.rng, 0, min(case.spatial_dims[0], x.type.rank - 1)),
                          index_type=g.pick(("i32", "i64")))
    forward = g.add(Pool(g.next_number(), x, case, True), 2 if case.index_type else 1)
    if not forward:
        return None
    grad = forward[0]
    if g.chance(0.5):
        grad = (draw_elementwise(g, grad) or [grad])[0]
    return g.add(Gradient(g.next_number(), case, x, grad, *forward[1:]))


def draw_unpool(g, x):
    case = random_case(g, x.type, g.pick(("max_pool", "min_pool")))
    case = case.with_(axis=integer(g.rng, 0, case.spatial_dims[0]), pad_value="neg_inf",
                      index_type=g.pick(("i32", "i64")))
    forward = g.add(Pool(g.next_number(), x, case, g.chance(0.5)), 2)
    if not forward:
        return None
    values = forward[0]
    if can_compute(values) and g.chance(0.4):
        values = (draw_elementwise(g, values) or [values])[0]
    return g.add(Unpool(g.next_number(), values, forward[1], x, case.axis))


# Elementwise

def draw_elementwise(g, x=None):
    x = x or g.choose(can_compute)
    if x is None or not can_compute(x):
        return None
    is_float = facts.is_float(x.type.element)
    operands = [x]
    other = g.choose(lambda v: v.type == x.type)
    if other is not None and g.chance(0.7):
        operands.append(other)
    form = g.pick(elementwise.FORMS)
    table = elementwise.FLOAT if is_float else elementwise.INTEGER
    functions = [f for f, (_, named) in table.items() if form != "named" or named]
    if form != "named":
        functions.append("select")
    if form == "arith" and x.type.dynamic:
        # Upstream folds x xor x to a constant, whose type must be static. So draw no xor.
        functions = [f for f in functions if f != "xor"]
    steps = []
    for _ in range(g.pick((1, 2, 3), (5, 3, 1))):
        function = g.pick(functions, [2 if f in ("add", "sub", "mul", "max", "min") else 1
                                      for f in functions])
        last = len(operands) + len(steps) - 1
        first = last if steps else 0
        second = 1 if len(operands) > 1 and not steps else integer(g.rng, 0, last)
        if g.chance(0.3) or first == second and function != "mul":
            second = ("c", g.pick((0.5, 2.0, -1.0, 0.0, 3.0)) if is_float
                      else g.pick((0, 1, 2, -1, 3)))
        steps.append((function, (first,) if function in elementwise.UNARY else (first, second)))
    return g.add(Elementwise(g.next_number(), operands, steps, form))


def draw_bias(g):
    vector = g.choose(lambda v: v.type.rank == 1 and can_compute(v))
    if vector is None:
        return None
    x = g.choose(lambda v: v.type.rank > 1 and v.type.element == vector.type.element
                 and vector.type.shape[0] in v.type.shape)
    if x is None:
        return None
    return g.add(Bias(g.next_number(), x, vector, x.type.shape.index(vector.type.shape[0])))


def draw_conversion(g):
    x = g.choose(lambda v: not v.type.is_quantized or v.type.storage in SIGNLESS)
    if x is None:
        return None
    if x.type.is_quantized:
        return g.add(Converted(g.next_number(), x, x.type.storage))
    targets = [t for s, t in Converted.CASTS if s == x.type.element]
    return g.add(Converted(g.next_number(), x, g.pick(targets))) if targets else None


# Shapes

def random_slice(g, kind, fixed_size=None):
    """Returns a random slice of a type, which is empty only if the type is empty."""
    offsets, sizes, strides, hidden = [], [], [], set()
    mode = g.pick(("static", "some", "dynamic"))
    for d, extent in enumerate(kind.shape):
        stride = integer(g.rng, 2, 3) if extent > 3 and g.chance(0.2) else 1
        size = extent if g.chance(0.5) else integer(g.rng, min(1, extent), extent)
        if fixed_size:
            size = fixed_size[d]
        size = min(size, -(-extent // stride)) if not fixed_size else size
        if fixed_size and (size - 1) * stride >= extent:
            stride = 1
        offset = integer(g.rng, 0, max(0, extent - 1 - max(0, size - 1) * stride))
        offset = offset if size and g.chance(0.7) else 0
        offsets.append(offset)
        sizes.append(size)
        strides.append(stride)
        for name in ("offsets", "sizes", "strides"):
            if mode == "dynamic" and g.chance(0.7) or mode == "some" and g.chance(0.2):
                hidden.add((name, d))
    return Slice(offsets, sizes, strides, hidden)


def draw_slice(g, x=None):
    x = x or g.choose(lambda v: v.type.rank > 0)
    if x is None:
        return None
    return g.add(ExtractSlice(g.next_number(), x, random_slice(g, x.type)))


def draw_insert(g):
    source = g.choose()
    dest = g.choose(lambda v: v.type.element == source.type.element and
                    v.type.rank == source.type.rank and
                    all(a <= b for a, b in zip(source.type.shape, v.type.shape)))
    if dest is None:
        return None
    place = random_slice(g, dest.type, source.type.shape)
    place.hidden = frozenset({h for h in place.hidden if h[0] != "sizes"} |
                             {("sizes", d) for d in source.type.dynamic})
    return g.add(InsertSlice(g.next_number(), source, dest, place))


def draw_concat(g):
    first = g.choose(lambda v: v.type.rank > 0)
    if first is None:
        return None
    dim = integer(g.rng, 0, first.type.rank - 1)
    operands = [first]
    for _ in range(integer(g.rng, 1, 2)):
        operands.append(g.choose(
            lambda v: v.type.rank == first.type.rank and v.type.element == first.type.element
            and all(a == b for d, (a, b) in enumerate(zip(v.type.shape, first.type.shape))
                    if d != dim)))
    return g.add(Concat(g.next_number(), operands, dim))


def draw_pad(g):
    x = g.choose(lambda v: not v.type.is_quantized)
    if x is None:
        return None
    low, high = (tuple(integer(g.rng, 0, 2) if g.chance(0.4) else 0 for _ in x.type.shape)
                 for _ in range(2))
    hidden = {d for d in range(x.type.rank) if g.chance(0.3)} if g.chance(0.4) else ()
    if facts.is_float(x.type.element):
        value = g.pick((0.0, -1.0, float("-inf"), float("inf"), 2.5))
    else:
        value = integer(g.rng, -3, 100) if x.type.element in SIGNLESS else None
    if x.type.element not in SIGNLESS or g.chance(0.2):
        value = None if not facts.is_float(x.type.element) or g.chance(0.2) else value
    return g.add(Pad(g.next_number(), x, low, high, value, hidden))


def draw_reshape(g):
    x = g.choose(lambda v: v.type.rank > 1)
    if x is None:
        return None
    d = integer(g.rng, 0, x.type.rank - 2)
    if x.type.rank > 3 and g.chance(0.5):
        return g.add(Collapse(g.next_number(), x, d))
    if x.type.rank >= MAX_RANK - 1:
        return None
    extent = x.type.shape[d]
    inner = g.pick([f for f in range(1, extent + 1) if extent % f == 0] or [1])
    return g.add(Expand(g.next_number(), x, d, inner))


def draw_cast(g, x=None, dynamic=None):
    x = x or g.choose()
    if dynamic is None:
        dynamic = {d for d in range(x.type.rank) if g.chance(0.5)}
    return g.add(Cast(g.next_number(), x, dynamic))


def draw_transpose(g):
    x = g.choose(lambda v: v.type.rank > 1 and not v.type.is_quantized)
    if x is None:
        return None
    order = tuple(int(d) for d in g.rng.permutation(x.type.rank))
    return g.add(Transpose(g.next_number(), x, order))
