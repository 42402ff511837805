"""Cells of the matrix: operation x type x layout x dynamic x rank.

All operations but the adaptive ones have the window WINDOW, cut to the rank. It has strides,
uneven padding and an overhang, and from rank 2 on a dilation. Rows of wide cells span several
vectors. `Cell.inputs` makes a cell's data. Summands are not negative, so a sum also bounds its
own error.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
from dataclasses import dataclass
from typing import Optional

import numpy as np

from . import adaptive, compare, fast_oracle, rules, scatter
from .oracle import Averages
from .case import FLOAT_TYPES, NUMPY_TYPES, Case, tensor_type

EXTENTS = (7, 5, 4)
OUTPUT_SIZES = (3, 7, 2)
WINDOW = {"kernel": (3, 2, 2), "strides": (2, 1, 2), "dilations": (1, 2, 1),
          "pads_begin": (1, 0, 1), "pads_end": (0, 1, 1)}
INDEX_TYPES = (None, "i32", "i64")
# Element types that no operation accepts
NO_TYPES = ("i1", "i4", "i24", "i128", "index", "f8E5M2", "tf32", "f80", "f128")


@dataclass(frozen=True)
class Operation:
    name: str
    index_type: Optional[str] = None
    floats_only: bool = False
    # Float sums are compared within a bound, everything else exactly.
    sums: bool = False

    def __str__(self):
        return self.name + (f" with {self.index_type} indices" if self.index_type else "")


OPERATIONS = (
    *(Operation(op, t) for op in ("max_pool", "min_pool") for t in INDEX_TYPES),
    Operation("avg_pool", sums=True),
    Operation("lp_pool", floats_only=True, sums=True),
    *(Operation("max_unpool", t) for t in INDEX_TYPES if t),
    *(Operation(op, t, floats_only=True, sums=True)
      for op in ("max_pool_grad", "min_pool_grad") for t in INDEX_TYPES),
    Operation("avg_pool_grad", floats_only=True, sums=True),
    *(Operation("adaptive_max_pool", t) for t in INDEX_TYPES),
    Operation("adaptive_avg_pool", sums=True),
)


@dataclass(frozen=True)
class Cell:
    operation: Operation
    element_type: str
    layout: str
    dynamic: bool
    rank: int
    # Factor of the spatial extents
    scale: int = 1
    # True if rows (or channels, if they are last) span several vectors.
    is_wide: bool = False

    def __str__(self):
        return (f"{'wide ' if self.is_wide else ''}{self.operation}, {self.element_type}, "
                f"{self.layout}, {'dynamic' if self.dynamic else 'static'}, {self.rank}-D")

    @property
    def refusal(self):
        """Returns why the verifier rejects the cell, or None if it accepts it."""
        if self.element_type in NO_TYPES:
            return f"no operation has elements of type {self.element_type}"
        if self.operation.floats_only and self.element_type not in FLOAT_TYPES:
            return f"{self.operation.name}: floats only"
        return None

    @property
    def is_adaptive(self):
        return self.operation.name.startswith("adaptive")

    def case(self):
        """Returns the cell's input type, window and modes as a Case. For a gradient, this is
        the Case of its pooling."""
        extents = tuple(extent * self.scale for extent in EXTENTS[:self.rank])
        batch, channels = (1, 2) if self.is_wide else (2, 3)
        if self.layout == "channels_first":
            extents = extents[:-1] + (self.width() or extents[-1],)
            shape = (batch, channels) + extents
        else:
            shape = (batch,) + extents + (self.width() or channels,)
        name = self.operation.name.removeprefix("adaptive_").removesuffix("_grad")
        first = 2 if self.layout == "channels_first" else 1
        more = {"axis": first, "index_type": self.operation.index_type} if (
            self.operation.index_type) else {}
        window = {} if self.is_adaptive else {"rounding_type": "ceil", **{
            key: values[:self.rank] for key, values in WINDOW.items()}}
        return Case(name, shape, element_type=self.element_type, layout=self.layout,
                    dynamic=tuple(range(len(shape))) if self.dynamic else (),
                    **{"kernel": (1,) * self.rank, **window, **more})

    def width(self):
        """Returns the extent of the dimension that vectors run along, or 0 if the cell is
        not wide. The extent is no multiple of a 256-bit or 512-bit vector. With a stride of
        two, the result still has three vectors of 512 bits."""
        return 6 * 64 // NUMPY_TYPES[self.element_type].itemsize + 10 if self.is_wide else 0

    def sizes(self):
        """Returns the output_size of adaptive pooling."""
        sizes = OUTPUT_SIZES[:self.rank]
        if self.is_wide and self.layout == "channels_first":
            sizes = sizes[:-1] + (self.width() // 2 + 3,)
        return sizes

    def output_shape(self, case):
        if not self.is_adaptive:
            return rules.output_shape(case)
        shape = list(case.shape)
        for d, extent in zip(case.spatial_dims, self.sizes()):
            shape[d] = extent
        return shape

    def counted(self):
        """Returns an upper bound of the number of elements in one sum."""
        if self.is_adaptive:
            return rules.product(-(-i // o) + 1 for i, o in zip(EXTENTS, OUTPUT_SIZES))
        return rules.product(WINDOW["kernel"][:self.rank])

    def function(self, name):
        case, op = self.case(), self.operation
        shape = self.output_shape(case)
        if self.is_adaptive:
            hidden = [None if d in case.dynamic and d not in case.spatial_dims else extent
                      for d, extent in enumerate(shape)]
            return adaptive.function(name, case, self.sizes(), hidden)
        if op.name in ("max_pool", "min_pool", "avg_pool", "lp_pool"):
            return case.function(name, case.dynamic_output_shape(shape))
        output = tensor_type(shape, self.element_type, case.dynamic)
        indices = [("%i", tensor_type(shape, op.index_type, case.dynamic), None)
                   ] if op.index_type else []
        chosen = [("%x", case.input_type(), None), ("%g", output, None), *indices]
        operands = {"max_unpool": [("%v", output, None), *indices],
                    "max_pool_grad": chosen, "min_pool_grad": chosen,
                    "avg_pool_grad": [("%g", output, None)]}[op.name]
        if operands is not chosen:
            operands += scatter.extents(case.shape, case.dynamic)
        properties = (f"axis = {case.axis} : i64" if op.name == "max_unpool"
                      else case.properties())
        text = scatter.function(op.name, operands, properties, case.input_type())
        return text.replace("@f(", f"@{name}(")

    def inputs(self, rng):
        """Returns random arrays for the arguments of `function`."""
        case, op = self.case(), self.operation
        shape = self.output_shape(case)
        if op.name == "max_unpool":
            arrays = [elements(rng, case, shape), positions(rng, case, shape)]
        elif op.name == "avg_pool_grad":
            arrays = [positive(rng, case, shape)]
        elif op.name in ("max_pool_grad", "min_pool_grad"):
            arrays = [elements(rng, case, case.shape), positive(rng, case, shape)]
            if op.index_type:
                arrays.append(positions(rng, case, shape))
        elif op.sums:
            return [positive(rng, case, case.shape)]
        else:
            return [elements(rng, case, case.shape)]
        if op.name not in ("max_pool_grad", "min_pool_grad"):
            arrays += [np.array(case.shape[d], np.int64) for d in case.dynamic]
        return arrays

    def truth(self, arrays):
        """Returns the definition's results for `arrays`. For float sums, the first result is an
        `oracle.Averages`, from which `is_right` computes the bound; otherwise it is an array."""
        case, op = self.case(), self.operation
        if self.is_adaptive:
            problem = adaptive.Problem(case, self.sizes(), arrays[0])
            return [problem.values] + ([] if problem.indices is None else [problem.indices])
        if op.name == "max_unpool":
            return [scatter.unpool(*arrays[:2], case.axis, case.shape)]
        if op.name in ("max_pool_grad", "min_pool_grad"):
            return [scatter.max_pool_grad(case, *arrays)]
        if op.name == "avg_pool_grad":
            return [scatter.avg_pool_grad(case, arrays[0])]
        truth = fast_oracle.run(case, arrays[0])
        if case.is_extremum:
            return [truth.values] + ([] if truth.indices is None else [truth.indices])
        return [truth if case.is_float else truth.exact]

    def is_right(self, truth, actual, dtype):
        """True if a result agrees with `truth`, the definition's result."""
        if not isinstance(truth, Averages):
            return (compare.same_shape_and_type(actual, truth.shape, dtype)
                    and compare.same_values(actual, truth).all())
        if not compare.same_shape_and_type(actual, truth.exact.shape, dtype):
            return False
        case = self.case()
        bound = (compare.float_bound if self.operation.name == "lp_pool"
                 else compare.average_bound)(case, truth)
        return compare.within(actual, truth.exact, bound, case).all()

    def types(self):
        """Returns the NumPy types of the results."""
        types = [NUMPY_TYPES[self.element_type]]
        if self.operation.index_type and self.operation.name.endswith(
                ("max_pool", "min_pool")):
            types.append(np.dtype(f"int{self.operation.index_type[1:]}"))
        return types


def positive(rng, case, shape):
    if case.is_float:
        return rng.uniform(0.5, 8, shape).astype(case.dtype)
    return rng.integers(0, 100, shape).astype(case.dtype)


def elements(rng, case, shape):
    """Returns random data with ties: floats with NaN and infinities, or integers from the whole
    range of the type."""
    if case.is_float:
        x = np.round(rng.standard_normal(shape) * 3)
        x = np.where(rng.random(shape) < 0.1, np.nan, x)
        x = np.where(rng.random(shape) < 0.1, np.inf, x)
        return np.where(rng.random(shape) < 0.1, -np.inf, x).astype(case.dtype)
    limits = np.iinfo(case.dtype)
    x = rng.integers(limits.min, limits.max, shape, dtype=case.dtype, endpoint=True)
    return np.where(rng.random(shape) < 0.5, x % 3, x).astype(case.dtype)


def positions(rng, case, shape):
    bound = rules.product(case.shape[case.axis:])
    return rng.integers(0, bound, shape).astype(f"int{case.index_type[1:]}")


def all_cells():
    for operation, element_type, layout, dynamic, rank in itertools.product(
            OPERATIONS, (*NUMPY_TYPES, *NO_TYPES), ("channels_first", "channels_last"),
            (False, True), (1, 2, 3)):
        yield Cell(operation, element_type, layout, dynamic, rank)
