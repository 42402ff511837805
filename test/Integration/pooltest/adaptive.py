"""Adaptive pooling: random problems, their text and their definition.

Unlike the product, the definition finds windows without division. Input and output are
divided into equal intervals. A window has the input positions whose intervals intersect its
output interval.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy as np

from . import generators, oracle
from .case import NUMPY_TYPES, Case, tensor_type


def covered(extent, outputs, o):
    """Returns the positions i of window `o`: those where [i, i+1)/extent intersects
    [o, o+1)/outputs."""
    return [i for i in range(extent)
            if i * outputs < (o + 1) * extent and o * extent < (i + 1) * outputs]


class Problem:
    """One operation with data. `case` gives shape, types, layout, axis and modes; the window of
    `case` is ignored."""

    def __init__(self, case, size, x):
        self.case = case
        self.size = size
        self.x = x
        self.kind = "given"
        self.shape = list(case.shape)
        for d, outputs in zip(case.spatial_dims, size):
            self.shape[d] = outputs
        # Maxima or integer averages as an array; float averages as oracle.Averages.
        self.values = self.indices = None
        if case.op == "max_pool":
            self.define_maxima()
        elif case.is_float:
            self.define_float_averages()
        else:
            self.define_integer_averages()

    def windows(self):
        """Yields (position in the output, positions in the input) for each window."""
        case = self.case
        for out in itertools.product(*map(range, self.size)):
            taps = list(itertools.product(*(
                covered(case.shape[d], outputs, o)
                for d, outputs, o in zip(case.spatial_dims, self.size, out))))
            for n, c in itertools.product(range(case.shape[0]),
                                          range(case.shape[case.channel_dim])):
                yield (oracle.place(case, n, c, out),
                       [oracle.place(case, n, c, tap) for tap in taps])

    def define_maxima(self):
        case, axis = self.case, self.case.axis % self.case.rank
        plain = self.x.astype(np.float64 if case.is_float else object)
        self.values = np.zeros(self.shape, case.dtype)
        indices = np.zeros(self.shape, np.int64)
        weights = [int(np.prod(case.shape[d + 1:])) for d in range(case.rank)]
        for target, sources in self.windows():
            self.values[target], where = oracle.choose(case, [plain[s] for s in sources], False)
            indices[target] = sum(sources[where][d] * weights[d] for d in range(axis, case.rank))
        if case.index_type is not None:
            self.indices = indices.astype(f"int{case.index_type[1:]}")

    def define_float_averages(self):
        plain = self.x.astype(np.float64)
        exact = np.zeros(self.shape, np.longdouble)
        magnitude = np.zeros(self.shape, np.longdouble)
        counted = 1
        for target, sources in self.windows():
            exact[target], magnitude[target] = oracle.float_average(
                [float(plain[s]) for s in sources], len(sources))
            counted = max(counted, len(sources))
        self.values = oracle.Averages(exact, magnitude, counted)

    def define_integer_averages(self):
        case, limits = self.case, np.iinfo(self.case.dtype)
        self.values = np.zeros(self.shape, case.dtype)
        for target, sources in self.windows():
            total = sum(int(self.x[s]) - case.input_zp for s in sources)
            value = case.output_zp + oracle.round_quotient(total, len(sources),
                                                           case.integer_rounding)
            self.values[target] = min(max(value, int(limits.min)), int(limits.max))

    def types(self):
        types = [self.case.dtype]
        return types if self.indices is None else types + [self.indices.dtype]

    def text(self, name):
        case = self.case
        shape = [None if d in case.dynamic and d not in case.spatial_dims else extent
                 for d, extent in enumerate(self.shape)]
        return function(name, case, self.size, shape)


def function(name, case, size, result_shape):
    """Returns the text of a function `name` that applies the operation to its argument."""
    results = case.result_types(result_shape)
    properties = ", ".join(filter(None, (
        f"output_size = array<i64: {', '.join(map(str, size))}>",
        case.properties(without=("kernel",)))))
    names = "%v" if len(results) == 1 else "%v, %i"
    types = ", ".join(results)
    return (f"func.func @{name}(%x: {case.input_type()}) -> ({types}) {{\n"
            f'  {names} = "pool.adaptive_{case.op}"(%x) <{{{properties}}}>'
            f" : ({case.input_type()}) -> ({types})\n"
            f"  return {names} : {types}\n}}\n")


def adaptive_case(op, shape, layout, **attributes):
    return Case(op, shape, (1,) * (len(shape) - 2), layout=layout, **attributes)


def random_problem(rng):
    n = generators.pick(rng, (1, 2, 3), (3, 5, 2))
    op = generators.pick(rng, ("avg_pool", "max_pool"))
    element_type = generators.pick(rng, tuple(NUMPY_TYPES))
    attributes = generators.random_op(rng, op, element_type, n)
    for name in ("pad_value", "divisor", "divisor_override"):
        attributes.pop(name, None)
    layout = generators.pick(rng, ("channels_first", "channels_last"))
    extents = generators.integers(rng, n, 1, {1: 30, 2: 11, 3: 6}[n])
    if n < 3 and rng.random() < 0.15:
        # Give some cases rows of several vectors.
        extents = extents[:-1] + (generators.integer(rng, 31, 300),)
    channels = generators.integer(rng, 1, 3)
    batch = 0 if rng.random() < 0.02 else generators.integer(rng, 1, 2)
    shape = ((batch, channels) + extents if layout == "channels_first"
             else (batch,) + extents + (channels,))
    case = adaptive_case(op, shape, layout, element_type=element_type, **attributes)
    size = tuple(1 if rng.random() < 0.2 else
                 generators.integer(rng, 1, max(2, extent + 2)) for extent in extents)
    if rng.random() < 0.5:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    problem = Problem(case, size, generators.data(rng, case, kind))
    problem.kind = kind
    return problem
