"""max_unpool and the gradients: random problems, their text, their definition.

A `Problem` is one function with its arguments and its expected result. The expected result is
computed element by element, as docs/Reference/Semantics.md defines it, without code of the
tools.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass, field

import numpy as np

from . import generators, oracle, plans, rules
from .case import NUMPY_TYPES, tensor_type
from .oracle import Averages

FLOATS = ("f16", "bf16", "f32", "f64")
INDEX_TYPES = {"i32": np.dtype(np.int32), "i64": np.dtype(np.int64)}


@dataclass
class Problem:
    """`truth` is an array of exact results, or an `Averages` if results must only lie within a
    bound. `text` contains the function @f. `case` gives element type and window. Indices count
    positions from dimension `axis` on; without indices, `axis` is the rank."""

    op: str
    text: str
    inputs: list
    dtype: np.dtype
    truth: object
    case: object = None
    notes: tuple = ()
    axis: int = 0
    answers: dict = field(default_factory=dict)

    @property
    def shape(self):
        return (self.truth.exact if isinstance(self.truth, Averages) else self.truth).shape


def function(op, operands, properties, result):
    """Returns the text of @f. `operands` are (name, type, array). For an operand of type
    index, the array is a scalar."""
    arguments = ", ".join(f"{name}: {kind}" for name, kind, _ in operands)
    names = ", ".join(name for name, _, _ in operands)
    kinds = ", ".join(kind for _, kind, _ in operands)
    return (f"func.func @f({arguments}) -> {result} {{\n"
            f'  %r = "pool.{op}"({names}) <{{{properties}}}> : ({kinds}) -> {result}\n'
            f"  return %r : {result}\n}}\n")


def extents(shape, dynamic):
    """Returns one index operand, the extent, for each dynamic dimension of a result."""
    return [(f"%d{d}", "index", np.array(shape[d], np.int64)) for d in dynamic]


# max_unpool

def flat_bound(shape, axis):
    return rules.product(shape[axis:])


def unpool(values, indices, axis, shape):
    """Returns max_unpool's result by the definition: the last write in row-major order stays,
    and indices out of bounds are skipped."""
    result = np.zeros(shape, values.dtype)
    rows = result.reshape(tuple(shape[:axis]) + (int(np.prod(shape[axis:])),))
    bound = flat_bound(shape, axis)
    for position in np.ndindex(*values.shape):
        index = int(indices[position])
        if 0 <= index < bound:
            rows[position[:axis] + (index,)] = values[position]
    return result


def random_unpool(rng, element_type, hostile=False):
    rank = generators.integer(rng, 3, 5)
    axis = generators.integer(rng, 0, rank - 1)
    shape = (generators.integer(rng, 0 if rng.random() < 0.05 and axis > 0 else 1, 3),
             *generators.integers(rng, rank - 1, 1, 5))
    values_shape = shape[:axis] + generators.integers(rng, rank - axis, 1, 4)
    indices = rng.integers(0, flat_bound(shape, axis), values_shape)
    return unpool_problem(rng, element_type, shape, axis, indices, hostile, 0.5)


def random_block_unpool(rng, element_type, hostile=False):
    """Returns a random max_unpool whose output consists of blocks, one for each value. The
    index of a value lies within its block; sometimes a few indices lie elsewhere."""
    rank = generators.integer(rng, 3, 5)
    axis = generators.integer(rng, 0, rank - 2)
    values_shape = (*generators.integers(rng, rank - 1, 1, 4), generators.integer(rng, 1, 40))
    factors = (1,) * axis + tuple(generators.pick(rng, (1, 2, 3), (3, 5, 2))
                                  for _ in range(rank - axis))
    shape = tuple(extent * factor for extent, factor in zip(values_shape, factors))
    places = [place * factor + rng.integers(0, factor, values_shape)
              for place, factor in zip(np.indices(values_shape), factors)]
    indices = np.ravel_multi_index(places[axis:], shape[axis:])
    notes = ["blocks"]
    if rng.random() < 0.4:
        strays = rng.random(values_shape) < generators.pick(rng, (0.01, 0.3))
        indices = np.where(strays, rng.integers(0, flat_bound(shape, axis), values_shape), indices)
        notes = ["blocks, some indices of others"] if strays.any() else notes
    return unpool_problem(rng, element_type, shape, axis, indices, hostile, 0.2, notes)


def unpool_problem(rng, element_type, shape, axis, indices, hostile, dynamic_share, notes=()):
    rank, values_shape, notes = len(shape), indices.shape, list(notes)
    index_type = generators.pick(rng, tuple(INDEX_TYPES))
    dtype = NUMPY_TYPES[element_type]
    values = random_elements(rng, dtype, values_shape)
    indices = indices.astype(INDEX_TYPES[index_type])
    if indices.size > len(np.unique(indices)):
        notes.append("a position named twice")
    if hostile:
        indices = make_hostile(rng, indices, flat_bound(shape, axis))
        notes.append("hostile")
    dynamic = random_dynamic(rng, rank, dynamic_share)
    hidden = random_dynamic(rng, rank, dynamic_share)
    notes.append("dynamic extents" if dynamic or hidden else "static extents")
    operands = [("%v", tensor_type(values_shape, element_type, hidden), values),
                ("%i", tensor_type(values_shape, index_type, hidden), indices),
                *extents(shape, dynamic)]
    written = axis - rank if rng.random() < 0.3 else axis
    text = function("max_unpool", operands, f"axis = {written} : i64" if written else "",
                    tensor_type(shape, element_type, dynamic))
    return Problem("max_unpool", text, [o[2] for o in operands], dtype,
                   unpool(values, indices, axis, shape),
                   notes=(f"element type {element_type}", f"indices {index_type}",
                          f"axis {axis} of {rank}", *notes), axis=axis)


def random_elements(rng, dtype, shape):
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    values = rng.standard_normal(shape) * 8
    values = np.where(rng.random(shape) < 0.03, np.nan, values)
    return np.where(rng.random(shape) < 0.03, -np.inf, values).astype(dtype)


def make_hostile(rng, indices, bound):
    """Returns the indices with some of them out of bounds: just outside, far outside, or
    negative."""
    limits = np.iinfo(indices.dtype)
    bad = [v for v in (-1, -bound, bound, bound + 1, 2 * bound + 3, limits.min, limits.max,
                       2**31, 2**32, -2**32) if limits.min <= v <= limits.max
           and not 0 <= v < bound]
    hostile = indices.copy()
    flat = hostile.reshape(-1)
    for position in range(flat.size):
        if position == 0 or rng.random() < 0.3:
            flat[position] = generators.pick(rng, bad)
    return hostile


def random_dynamic(rng, rank, share):
    if rng.random() >= share:
        return ()
    return tuple(d for d in range(rank) if rng.random() < 0.5)


# Gradients

class Sums:
    """Sums in longdouble, which the tests take as exact. For the error bound, also the sum of
    |x| and the number of terms of each sum."""

    def __init__(self, shape):
        self.exact = np.zeros(shape, np.longdouble)
        self.magnitude = np.zeros(shape, np.longdouble)
        self.terms = np.zeros(shape, np.int64)

    def add(self, position, value):
        self.exact[position] += value
        self.magnitude[position] += abs(value)
        self.terms[position] += 1

    def truth(self):
        return Averages(self.exact, self.magnitude, int(self.terms.max(initial=1)))


def each_window(case):
    """Yields (position in the output, (dims, spatial position of the window), positions in the
    input) for each window."""
    dims = rules.resolve_at_run_time(case)
    for out, taps in oracle.windows(case, dims):
        inside = [tap for tap in taps if tap is not None]
        for n in range(case.shape[0]):
            for c in range(case.shape[case.channel_dim]):
                yield (oracle.place(case, n, c, out), (dims, out),
                       [oracle.place(case, n, c, tap) for tap in inside])


def max_pool_grad(case, x, grad, indices=None):
    """Returns the gradient by the definition. `indices` out of bounds are skipped."""
    sums = Sums(case.shape)
    axis = case.axis % case.rank
    bound = flat_bound(case.shape, axis)
    plain = x.astype(np.float64)
    for target, _, sources in each_window(case):
        if not sources:
            continue
        if indices is None:
            _, where = oracle.choose(case, [plain[s] for s in sources], False)
            sums.add(sources[where], np.longdouble(grad[target]))
        elif 0 <= int(indices[target]) < bound:
            inner = np.unravel_index(int(indices[target]), case.shape[axis:])
            sums.add(target[:axis] + tuple(map(int, inner)), np.longdouble(grad[target]))
    return sums.truth()


def avg_pool_grad(case, grad):
    sums = Sums(case.shape)
    for target, (dims, out), sources in each_window(case):
        for source in sources:
            sums.add(source, np.longdouble(grad[target]) / oracle.divisor_of(case, dims, out))
    return sums.truth()


def is_identity(case, i):
    kernel, stride, _, begin, end = case.window(i)
    return kernel == 1 and stride == 1 and (case.auto_pad != "explicit" or begin == end == 0)


def legal_axes(case):
    """Returns the axes that max_pool_grad accepts (Grad.C4). In the spatial dimensions before
    such an axis, windows must be single elements."""
    axes = list(range(case.spatial_dims[0] + 1))
    for i, d in enumerate(case.spatial_dims):
        if not is_identity(case, i):
            break
        axes.append(d + 1)
    return [axis for axis in axes if axis < case.rank]


def window_notes(case):
    return (f"{case.num_spatial}-D", f"element type {case.element_type}", case.layout,
            f"{case.auto_pad} {case.rounding_type}",
            "dilated" if any(d != 1 for d in case.dilations or ()) else "not dilated",
            "dynamic extents" if case.dynamic else "static extents")


def random_grad(rng, case, shape):
    return (rng.standard_normal(shape) * 4).astype(case.dtype)


def random_block_case(rng, element_type):
    """Returns a case whose input consists of blocks as large as the strides. Each window lies
    inside a block of its own."""
    n = generators.pick(rng, (1, 2, 3))
    strides = generators.integers(rng, n, 1, 3)
    outputs = (*generators.integers(rng, n - 1, 1, 4), generators.integer(rng, 1, 40))
    layout = generators.pick(rng, ("channels_first", "channels_last"), (3, 1))
    extents = tuple(extent * stride for extent, stride in zip(outputs, strides))
    batch, channels = generators.integers(rng, 2, 1, 3)
    shape = ((batch, channels, *extents) if layout == "channels_first"
             else (batch, *extents, 20 * channels))
    kernel = tuple(generators.integer(rng, 1, stride) for stride in strides)
    return generators.Case("max_pool", shape, element_type=element_type, layout=layout,
                           kernel=kernel, strides=strides,
                           nan_mode=generators.pick(rng, ("ignore", "propagate")))


def random_window_case(rng, element_type):
    """Returns a case with known spatial extents and windows that may overlap. Each window has
    an element. A row may span several vectors, and strides go up to 8."""
    while True:
        n = generators.pick(rng, (1, 2), (1, 3))
        layout = "channels_last" if n == 1 and rng.random() < 0.3 else "channels_first"
        extents = (*generators.integers(rng, n - 1, 1, 12), generators.integer(rng, 1, 75))
        channels = generators.integer(rng, 1, 40 if layout == "channels_last" else 3)
        batch = generators.integer(rng, 1, 2)
        kernel = generators.integers(rng, n, 1, 5)
        case = generators.Case(
            "max_pool", (batch, channels, *extents) if layout == "channels_first"
            else (batch, *extents, channels), element_type=element_type, layout=layout,
            kernel=kernel, strides=generators.integers(rng, n, 1, generators.pick(rng, (2, 8))),
            dilations=generators.integers(rng, n, 1, generators.pick(rng, (1, 3), (2, 1))),
            pads_begin=tuple(generators.integer(rng, 0, k - 1) for k in kernel),
            pads_end=tuple(generators.integer(rng, 0, k) for k in kernel),
            rounding_type=generators.pick(rng, generators.ROUNDINGS),
            nan_mode=generators.pick(rng, ("ignore", "propagate")))
        try:
            dims = rules.resolve(case)
        except rules.Refused:
            continue
        if all(any(0 <= o * dim.stride - dim.pad_begin + t * dim.dilation < dim.input
                   for t in range(dim.kernel))
               for dim in dims for o in range(dim.output)):
            return case


def reaches_few_lanes(case):
    """True if the windows that cover a column lie at most one vector of 128 bits before or
    after the column's own output. On a machine with vectors of 128 bits, the plan "gather"
    requires this."""
    dim = rules.resolve(case)[-1]
    before = (dim.kernel - 1) * dim.dilation - dim.pad_begin
    after = dim.stride - 1 + dim.pad_begin
    return max(before, after) // dim.stride <= 16 // max(case.dtype.itemsize, 4)


def make_strays(rng, indices, bound):
    """Returns the indices with some of them moved: to a position nearby, or anywhere in
    bounds."""
    strays = indices.copy()
    flat = strays.reshape(-1)
    for position in generators.integers(rng, generators.integer(rng, 1, 4), 0, flat.size - 1):
        step = generators.pick(rng, (-1, 1, -7, 7, generators.integer(rng, 0, bound - 1)))
        flat[position] = (int(flat[position]) + step) % bound
    return strays


def random_max_pool_grad(rng, element_type, hostile=False, given=None, blocks=False,
                         op="max_pool", windows=False, pinned=True):
    """Returns a random gradient of max_pool or min_pool. With `windows` and `pinned`, most of
    these have a pinned plan."""
    case = (random_block_case(rng, element_type).with_(op=op) if blocks else
            random_window_case(rng, element_type).with_(op=op) if windows else
            generators.random_legal(rng, op, element_type, index_type=None, pad_value="neg_inf"))
    kind = generators.pick(rng, ("ordinary", "ties", "some_neg_inf", "zeros", "nan", "all_nan"))
    x = generators.data(rng, case, kind)
    given = hostile or (rng.random() < 0.5 if given is None else given)
    notes = [f"data: {kind}", f"nan_mode {case.nan_mode}", *(["blocks"] if blocks else []),
             *(["gather"] if windows else [])]
    indices = index_type = None
    if given:
        index_type = generators.pick(rng, tuple(INDEX_TYPES))
        axis = generators.pick(rng, legal_axes(case))
        case = case.with_(axis=axis - (case.rank if rng.random() < 0.3 else 0),
                          index_type=index_type)
        maxima = oracle.max_pool(case, x)
        indices = maxima.indices
        notes += [f"indices {index_type}", f"axis {axis} of {case.rank}"]
        if hostile and indices.size:
            indices = make_hostile(rng, indices, flat_bound(case.shape, axis))
            notes.append("hostile")
        elif windows and indices.size and rng.random() < 0.4:
            indices = make_strays(rng, indices, flat_bound(case.shape, axis))
            notes.append("windows, some indices of others")
        if maxima.padding_only.any():
            notes.append("windows of padding alone, with indices")
    else:
        notes.append("indices recomputed")
    shape = tuple(rules.output_shape(case))
    if windows:
        case = case.with_(dynamic=tuple(
            d for d in range(case.rank - 2) if d not in case.spatial_dims and rng.random() < 0.3))
    elif rng.random() < (0.2 if blocks else 0.4):
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    grad = random_grad(rng, case, shape)
    hidden = case.dynamic
    operands = [("%x", case.input_type(), x),
                ("%g", tensor_type(shape, element_type, hidden), grad)]
    if given:
        operands.append(("%i", tensor_type(shape, index_type, hidden), indices))
    text = function(f"{op}_grad", operands, case.properties(), case.input_type())
    if windows and pinned and rng.random() < 0.7 and (not given or reaches_few_lanes(case)):
        # Pin the plan, so that it does not depend on the machine.
        text = plans.pin(text, plans.Plan("gather" if given else "separable"))
    return Problem(f"{op}_grad", text, [o[2] for o in operands], case.dtype,
                   max_pool_grad(case, x, grad, indices), case,
                   (*window_notes(case), *notes), axis if given else case.rank)


def random_wide_case(rng, element_type):
    """Returns an average whose rows (or channels, if they are last) mostly span several vectors,
    mostly with strides. Windows have a few elements, or more than a vector has lanes. In some
    cases, an element lies in more windows than a vector has lanes."""
    while True:
        largest = generators.pick(rng, (7, 20, 120), (8, 2, 2))
        n = 1 if largest == 120 else generators.pick(rng, (1, 2))
        layout = generators.pick(rng, ("channels_first", "channels_last"))
        extents = (*generators.integers(rng, n - 1, 1, 5), generators.integer(rng, 10, 180))
        if layout == "channels_last":
            extents = generators.integers(rng, n, 1, 6)
        channels = generators.integer(rng, 1, 2 if layout == "channels_first" else 40)
        shape = ((1, channels, *extents) if layout == "channels_first" else
                 (1, *extents, channels))
        case = generators.Case("avg_pool", shape, element_type=element_type, layout=layout,
                               kernel=generators.integers(rng, n, 1, largest),
                               strides=generators.integers(rng, n, 1,
                                                           generators.pick(rng, (4, 40), (4, 1))),
                               dilations=generators.integers(rng, n, 1,
                                                             generators.pick(rng, (1, 3, 9, 70))),
                               pads_begin=generators.integers(rng, n, 0, 3),
                               pads_end=generators.integers(rng, n, 0, 3),
                               divisor=generators.pick(rng, ("valid", "padded", "kernel")))
        try:
            rules.resolve(case)
        except rules.Refused:
            continue
        return case


def random_avg_pool_grad(rng, element_type, wide=False):
    late = not wide and rng.random() < 0.15
    if wide:
        case = random_wide_case(rng, element_type)
        if rng.random() < 0.4:
            case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    elif late:
        case = generators.random_ill_defined(rng, element_type)
        case = case.with_(dynamic=generators.dynamic_dims(rng, case, every_spatial=True))
    else:
        case = generators.random_legal(rng, "avg_pool", element_type)
        if rng.random() < 0.4:
            case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    shape = tuple(rules.output_shape(case, rules.resolve_at_run_time(case)))
    grad = random_grad(rng, case, shape)
    operands = [("%g", tensor_type(shape, element_type, case.dynamic), grad),
                *extents(case.shape, sorted(case.dynamic))]
    text = function("avg_pool_grad", operands, case.properties(), case.input_type())
    notes = ["windows that count nothing"] if late else ["wide"] if wide else []
    for i in range(case.num_spatial):
        kernel, stride, dilation, _, _ = case.window(i)
        if stride > 8 and case.layout == "channels_first" and i == case.num_spatial - 1:
            notes.append("strides of many elements")
            if kernel > 1 and dilation > stride:
                notes.append("taps further apart than strides of many elements")
        if kernel > 1 and stride > 1 and dilation > 1:
            notes.append("strides and dilations")
        if kernel > 4 * stride > 4:
            notes.append("more than four windows over an element")
        if kernel > 16 * stride > 16 and case.layout == "channels_first":
            notes.append("more windows over an element than lanes")
    notes.append("divisor_override" if case.divisor_override else f"divisor {case.divisor}")
    return Problem("avg_pool_grad", text, [o[2] for o in operands], case.dtype,
                   avg_pool_grad(case, grad), case, (*window_notes(case), *notes), case.rank)
