"""Random cells of the matrix for GPUs: single windows, and small programs around them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from . import cells, generators, rules
from .case import FLOAT_TYPES, NUMPY_TYPES, Case, tensor_type


class Window:
    """A random window with its data, in the form of a cell."""

    has_other_order = False

    def __init__(self, rng, number):
        op = ("max_pool", "avg_pool", "min_pool", "avg_pool", "lp_pool")[number % 5]
        kind = (generators.pick(rng, FLOAT_TYPES) if op == "lp_pool"
                else generators.element_type(rng))
        case = generators.random_legal(rng, op, kind)
        if number % 3 == 0:
            case = case.with_(dynamic=generators.dynamic_dims(rng, case))
        self.window, self.kind = case, generators.pick(rng, generators.kinds(case))
        self.element_type, self.operation = case.element_type, cells.Operation(case.op)
        self.x = generators.data(rng, case, self.kind)

    def __str__(self):
        case = self.window
        return f"random {case.op}, {case.element_type}, {self.kind}, input {case.shape}"

    def case(self):
        return self.window

    def function(self, name):
        case = self.window
        return case.function(name, case.dynamic_output_shape(rules.output_shape(case)))

    def inputs(self, _):
        return [self.x]

    def types(self):
        indices = self.window.index_type
        return [self.window.dtype] + ([np.dtype(f"int{indices[1:]}")] if indices else [])


class Plane(Window):
    """Global pooling with random data: each window is a whole plane."""

    EXTENTS = ((17,), (33,), (97,), (4, 5), (7, 7), (5, 13), (12, 12), (3, 4, 5))

    def __init__(self, rng, number):
        op = ("max_pool", "min_pool", "avg_pool", "max_pool", "lp_pool")[number % 5]
        element_type = generators.pick(rng, FLOAT_TYPES if op == "lp_pool" else (*NUMPY_TYPES,))
        extents = generators.pick(rng, self.EXTENTS)
        indices = {"axis": 2, "index_type": "i64"} if op == "max_pool" and number % 2 else {}
        case = Case(op, (*generators.integers(rng, 2, 1, 3), *extents), extents,
                    element_type=element_type, **indices)
        if number % 3 == 0:
            case = case.with_(dynamic=(0, 1))
        self.has_other_order = not case.is_extremum and case.is_float
        self.window, self.kind = case, generators.pick(rng, generators.kinds(case))
        self.element_type, self.operation = case.element_type, cells.Operation(case.op)
        self.x = generators.data(rng, case, self.kind)


class Slice(Window):
    """A random window on a slice, whose offsets are known at run time."""

    def __init__(self, rng, number):
        super().__init__(rng, number)
        self.offsets = generators.integers(rng, self.window.rank, 0, 2)
        rest = generators.integers(rng, self.window.rank, 0, 2)
        self.whole = self.window.with_(shape=tuple(map(sum, zip(
            self.window.shape, self.offsets, rest))))
        self.x = generators.data(rng, self.whole, self.kind)

    def __str__(self):
        return f"{super().__str__()}, at {self.offsets} of {self.whole.shape}"

    def function(self, name):
        case = self.window
        offsets = [f"%o{d}" for d in range(case.rank)]
        sizes = [f"%n{d}" if d in case.dynamic else str(n) for d, n in enumerate(case.shape)]
        numbers = offsets + [f"%n{d}" for d in case.dynamic]
        kind, whole = case.input_type(), self.whole.input_type()
        return super().function(name).replace(
            f"%x: {kind}", ", ".join([f"%w: {whole}", *(f"{n}: index" for n in numbers)])).replace(
            "{\n", f"{{\n  %x = tensor.extract_slice %w[{', '.join(offsets)}] "
            f"[{', '.join(sizes)}] [{', '.join('1' * case.rank)}] : {whole} to {kind}\n", 1)

    def inputs(self, _):
        numbers = [*self.offsets, *(self.window.shape[d] for d in self.window.dynamic)]
        return [self.x, *(np.array(n, np.int64) for n in numbers)]


class Chain(Window):
    """A random window, and minima of its result. Tiles of the minima need tiles of the window's
    result, which overlap."""

    def __init__(self, rng, number):
        self.window = None
        while self.window is None or not self.window.shape[0]:
            super().__init__(rng, number)
            self.window = self.window.with_(index_type=None)

    def function(self, name):
        case = self.window
        kind = tensor_type(rules.output_shape(case), case.element_type, case.dynamic)
        n = case.num_spatial
        minima = (f"  %m = pool.min_pool %v kernel {[2] * n} pads_end {[1] * n} "
                  f"layout {case.layout} : {kind} -> {kind}\n")
        return super().function(name).replace("  return %v", f"{minima}  return %m")


EXCITE = """
func.func @{name}(%x: {whole}) -> {whole} {{
  %zero = arith.constant 0.0 : {t}
  %half = arith.constant 0.5 : {t}
  %one = arith.constant 1.0 : {t}
  %p = pool.{op} %x kernel {kernel} layout {layout} : {whole} -> {pooled}
  %v = tensor.collapse_shape %p {groups} : {pooled} into {flat}
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : {whole}
  %e = tensor.empty({n}) : {flat}
  %s = linalg.generic {{indexing_maps = [#flat, #flat], iterator_types = ["parallel", "parallel"]}}
      ins(%v : {flat}) outs(%e : {flat}) {{
  ^bb0(%a: {t}, %o: {t}):
    %h = arith.mulf %a, %half : {t}
    %b = arith.addf %h, %half : {t}
    %l = arith.maximumf %b, %zero : {t}
    %m = arith.minimumf %l, %one : {t}
    linalg.yield %m : {t}
  }} -> {flat}
  %d = tensor.empty({n}) : {whole}
  %r = linalg.generic {{indexing_maps = [{all}, {some}, {all}], iterator_types = [{loops}]}}
      ins(%x, %s : {whole}, {flat}) outs(%d : {whole}) {{
  ^bb0(%a: {t}, %b: {t}, %o: {t}):
    %m = arith.mulf %a, %b : {t}
    linalg.yield %m : {t}
  }} -> {whole}
  return %r : {whole}
}}
"""


class Excite(Window):
    """Squeeze and excite: each channel times a function of its average or maximum."""

    def __init__(self, rng, number):
        extents = generators.pick(rng, Plane.EXTENTS)
        n, layout = len(extents), ("channels_first", "channels_last")[number // 2 % 2]
        outer = generators.integers(rng, 2, 1, 3)
        shape = (*outer, *extents) if number // 2 % 2 == 0 else (outer[0], *extents, outer[1])
        case = Case(("avg_pool", "max_pool")[number % 2], shape, extents, layout=layout,
                    element_type=generators.pick(rng, ("f16", "f32", "f64")))
        if number % 3 == 0:
            case = case.with_(dynamic=(0,))
        self.has_other_order = False
        self.window, self.kind = case, "excite"
        self.element_type, self.operation = case.element_type, cells.Operation(case.op)
        self.x = generators.data(rng, case, generators.pick(rng, generators.kinds(case)))

    def function(self, name):
        case = self.window
        dims = [f"d{d}" for d in range(case.rank)]
        everything, t = ", ".join(dims), case.element_type
        spatial = list(case.spatial_dims)
        first = case.layout == "channels_first"
        pooled = [1 if d in spatial else n for d, n in enumerate(case.shape)]
        return EXCITE.format(
            name=name, op=case.op, t=t, kernel=list(case.kernel), layout=case.layout,
            whole=case.input_type(), pooled=tensor_type(pooled, t, case.dynamic),
            flat=tensor_type([case.shape[0], case.shape[case.channel_dim]], t, case.dynamic),
            groups=[[0], [1, *spatial]] if first else [[0, *spatial], [case.channel_dim]],
            n="%n" if case.dynamic else "", all=f"affine_map<({everything}) -> ({everything})>",
            some=f"affine_map<({everything}) -> (d0, d{case.channel_dim})>",
            loops=", ".join(['"parallel"'] * case.rank)).replace(
            "#flat", "affine_map<(a, b) -> (a, b)>")
