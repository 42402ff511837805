"""Parts of a pooling operation that are computed separately.

The result is cut into parts. Each part knows which box of each operand it reads, its own pads, and
which box of the whole result it computes. A box is a tuple of slices, one for each dimension. The
compiled module does the arithmetic.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _parts, _pool_mlir, _window_reduce
from ._attributes import ARGUMENTS, DEFAULTS, INDEX_TYPES, KNOWN, as_lists, check_attributes

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    Box = tuple[slice, ...]
    # For each dimension: None if it is not cut, the number of parts, or the sizes of the parts.
    Cuts = Sequence[Union[None, int, Sequence[int]]]


@dataclass(frozen=True)
class Source:
    """A piece of an operand that a part reads, and that lies in one block of the operand. `block`
    has the block's coordinates in the grid of blocks. `within` is the box of the piece in this
    block, and `into` its box in the part's slice of the operand."""

    block: tuple[int, ...]
    within: Box
    into: Box


def product(numbers):
    return math.prod(int(n) for n in numbers)


@dataclass(frozen=True)
class Partition:
    """A pooling operation and the cuts of its result; `partition` makes it. Names and comments call
    it `plan`.

    `plan[i, j, ...]` is the part at these coordinates of `grid`, and `plan[k]` is the k-th part in
    row-major order. Any other index, even a negative one, raises IndexError. Parts are made on
    access, so a partition may have very many of them. Partitions and parts can be pickled.
    """

    op: str
    attributes: dict[str, Any]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    shapes: dict[str, tuple[int, ...]]
    dtypes: dict[str, np.dtype[Any]]
    output_shape: tuple[int, ...]
    output_cuts: tuple[tuple[int, ...], ...]
    input_cuts: dict[str, tuple[tuple[int, ...], ...]]
    needs_all: bool
    _raw: dict[str, Any] = field(repr=False)
    _memo: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def grid(self) -> tuple[int, ...]:
        """Number of parts in each dimension."""
        return tuple(len(sizes) for sizes in self.output_cuts)

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.dtypes[self.operands[0]]

    @property
    def rank(self) -> int:
        return len(self.output_shape)

    @property
    def arguments(self) -> dict[str, Any]:
        """All arguments by name, with defaults for the absent ones. Two partitions compute the same
        result from the same operands if their `op`, `shapes`, `output_shape` and `arguments` are
        equal."""
        given = {name: value for name, value in {**DEFAULTS, **self.attributes}.items()
                 if name in KNOWN[self.op]}
        own = self._raw["attributes"]
        return {**given, **{name.removeprefix("static_"): own[name] for name in own}}

    @property
    def spatial(self) -> range:
        """The spatial dimensions, which depend on the layout. For max_unpool without a window they
        have no meaning."""
        last = self.attributes.get("layout") == "channels_last"
        return range(1, self.rank - 1) if last else range(2, self.rank)

    @property
    def axis(self) -> int:
        axis = self.attributes.get("axis", 0)
        return axis + self.rank if axis < 0 else axis

    def __len__(self) -> int:
        return product(self.grid)

    def __getitem__(self, index: int | tuple[int, ...]) -> Part:
        grid = self.grid
        if not isinstance(index, tuple):
            if not 0 <= index < len(self):
                raise IndexError(f"part {index} of {len(self)}")
            coordinates = []
            for count in reversed(grid):
                index, i = divmod(index, count)
                coordinates.append(i)
            index = tuple(reversed(coordinates))
        if len(index) != len(grid) or any(not 0 <= i < n for i, n in zip(index, grid)):
            raise IndexError(f"part {index} of a grid of {grid}")
        return Part(self, tuple(map(int, index)))

    def __iter__(self) -> Iterator[Part]:
        return (Part(self, index) for index in itertools.product(*map(range, self.grid)))

    def __getstate__(self):
        return {**self.__dict__, "_memo": {}}

    def alone(self, index: tuple[int, ...]) -> Part:
        """Returns a copy of the part at these coordinates. The partition of the copy has only this
        part, so the copy is cheap to send to another process. The copy can run, but its methods
        `sources` and `get_moved_bytes` fail, because its partition has no input_cuts."""
        dims = tuple(map(self.alone_in, range(self.rank), index))
        plan = replace(self, output_cuts=tuple((sizes[i],) for sizes, i
                                               in zip(self.output_cuts, index)),
                       input_cuts={}, _raw={**self._raw, "dims": dims}, _memo={})
        return Part(plan, (0,) * self.rank)

    def alone_in(self, d, i):
        """Returns the dict of dimension `d` in `_raw`, but with part `i` as its only part. Caches
        the dict, since many parts share it."""
        key = "alone", d, i
        if key not in self._memo:
            dim = self._raw["dims"][d]
            self._memo[key] = {name: dim[name] for name in ("input", "windows", "window",
                                                            "weight")}
            self._memo[key]["parts"] = (dim["parts"][i],)
        return self._memo[key]

    def space(self, name: str) -> int:
        """Returns where the range of operand `name` is in the tuple that describes a part in one
        dimension. Field 0 of this tuple is the range of the result. Field 1 is the range of x, over
        which windows slide. Field 2 is the range of windows, and therefore the range of every
        operand except x: such an operand has one element for each window."""
        return 1 if name == "x" else 2

    def sources_of(self, name: str, d: int, i: int) -> Any:
        """Returns the blocks of operand `name` that part `i` reads in dimension `d`, in order, as
        (block, begin, end). The range [begin, end) counts in the whole dimension."""
        key = name, d, i
        if key not in self._memo:
            part = self._raw["dims"][d]["parts"][i]
            self._memo[key] = _pool_mlir._sources(part[self.space(name)],
                                                  self.input_cuts[name][d])
        return self._memo[key]

    def block_begin(self, name: str, d: int, block: int) -> int:
        """Returns where block number `block` of operand `name` begins in dimension `d`. For the
        number after the last block, returns the extent."""
        key = "begins", name, d
        if key not in self._memo:
            self._memo[key] = (0, *itertools.accumulate(self.input_cuts[name][d]))
        return self._memo[key][block]


@dataclass(frozen=True)
class Part:
    """One part of a `Partition`. `index` has its coordinates in the grid of parts. A box or range
    below is a tuple with a slice for each dimension."""

    plan: Partition = field(repr=False)
    index: tuple[int, ...]

    def _get(self, place):
        return [dim["parts"][i][place] for dim, i in zip(self.plan._raw["dims"], self.index)]

    def _box(self, place):
        if self.is_empty and place:
            return (slice(0, 0),) * self.plan.rank
        return tuple(slice(*bounds) for bounds in self._get(place))

    @property
    def is_empty(self) -> bool:
        """True if the part's result has no elements, so that nothing has to be computed."""
        return any(begin == end for begin, end in self._get(0))

    @property
    def output(self) -> Box:
        """The box of the part's result in the whole result."""
        return self._box(0)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the part's result."""
        return _parts.get_shape(self.output)

    @property
    def inputs(self) -> dict[str, Box]:
        """The box of each operand that the part reads, halo included."""
        return {name: self._box(self.plan.space(name)) for name in self.plan.operands}

    @property
    def input_shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the slices that run() takes, by operand."""
        return {name: _parts.get_shape(box) for name, box in self.inputs.items()}

    @property
    def pads_begin(self) -> tuple[int, ...]:
        """Padding before the part's slice, for each spatial dimension. For a gradient these are the
        pads of the whole operation."""
        return self._pads(3)

    @property
    def pads_end(self) -> tuple[int, ...]:
        """Padding after the part's slice, for each spatial dimension. For a gradient these are the
        pads of the whole operation."""
        return self._pads(4)

    def _pads(self, place):
        pads = self._get(place)
        return tuple(pads[d] for d in self.plan.spatial)

    @property
    def crop(self) -> Box:
        """The operation on the part's slices may compute more elements than the part's result.
        `crop` is the box of the part's result among these elements."""
        if self.plan.op.endswith("_grad"):
            return tuple(slice(o.start - i.start, o.stop - i.start)
                         for o, i in zip(self.output, self._box(1)))
        return tuple(slice(0, extent) for extent in self.shape)

    @property
    def indexed(self) -> Box:
        """The box of positions that the part's indices refer to. For max_unpool it is a box of the
        result, and for every other operation a box of x."""
        return self._box(0 if self.plan.op == "max_unpool" else 1)

    @property
    def weights(self) -> tuple[int, ...] | None:
        """Weights by which an index counts coordinates. The element at coordinates `c` in the box
        `indexed` has the index `base + sum(weights[d] * c[d])` in the whole tensor. Positions of
        window_reduce follow the same formula. None for an operation without indices and
        positions."""
        if not {"indices", "positions"} & {*self.plan.operands, *self.plan.results}:
            return None
        return tuple(dim["weight"] for dim in self.plan._raw["dims"])

    @property
    def base(self) -> int | None:
        """Index, in the whole tensor, of the first element of `indexed`; see `weights`. None for an
        operation without indices and positions."""
        if self.weights is None:
            return None
        return self.plan._raw["base"] + sum(
            w * box.start for w, box in zip(self.weights, self.indexed))

    def counts(self, d: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Returns how many positions of each of the part's windows the argument `divisor` counts in
        dimension `d`, as an int64 array. The divisor of a window is the product of these numbers
        over the spatial dimensions. Ignores divisor_override."""
        windows = self._box(2)[d]
        divisor = self.plan.attributes.get("divisor", "valid")
        return np.array(_pool_mlir._counts(self.plan._raw["dims"][d], divisor, windows.start,
                                           windows.stop), np.int64)

    @property
    def nbytes(self) -> int:
        """Number of bytes of all slices that the part reads."""
        return sum(product(shape) * self.plan.dtypes[name].itemsize
                   for name, shape in self.input_shapes.items())

    def get_moved_bytes(self, block: Sequence[int] | None = None) -> int:
        """Returns the number of bytes of the part's slices that lie in other blocks than `block`,
        the coordinates of a block. By default these are the part's own coordinates."""
        block = self.index if block is None else tuple(block)
        return sum(product(_parts.get_shape(source.into)) * self.plan.dtypes[name].itemsize
                   for name in self.plan.operands for source in self.sources(name)
                   if source.block != block)

    def sources(self, name: str | None = None) -> list[Source]:
        """Returns the pieces that fill the part's slice of operand `name`, by default of the first
        operand. Each piece lies in one block of `plan.input_cuts`. The pieces are in row-major
        order, and each element of the slice is in exactly one piece. An empty part has no
        pieces."""
        name = name or self.plan.operands[0]
        if self.is_empty:
            return []
        box = self.inputs[name]
        dims = [self.plan.sources_of(name, d, i) for d, i in enumerate(self.index)]
        result = []
        for pieces in itertools.product(*dims):
            within, into = [], []
            for d, (block, begin, end) in enumerate(pieces):
                origin = self.plan.block_begin(name, d, block)
                within.append(slice(begin - origin, end - origin))
                into.append(slice(begin - box[d].start, end - box[d].start))
            result.append(Source(tuple(piece[0] for piece in pieces), tuple(within), tuple(into)))
        return result

    def run(self, *arrays: Any) -> Any:
        """Computes the part's result: an array, or a tuple of values and indices (or positions).

        arrays: the part's slices of the operands, as NumPy arrays in the order of `plan.operands`.
            A slice of a row-major array is read in place; other views may be copied.

        Raises ValueError for another number of arrays or another shape. Raises TypeError for
        another element type, a masked array, or an object that is not a NumPy array. Raises
        ValueError also for an index that is out of range or, if the operation has a window, lies
        outside its window.
        """
        return _parts.run(self, *arrays)


def as_cuts(op, cuts, rank):
    cuts = list(cuts)
    if len(cuts) != rank:
        raise ValueError(f"{op}: cuts are given for {len(cuts)} dimensions, there are {rank}")
    return [None if cut is None else operator.index(cut) if isinstance(cut, (int, np.integer))
            else [operator.index(size) for size in cut] for cut in cuts]


def check_blocks(op, name, sizes, shape):
    """Returns the sizes of the blocks of operand `name`: a tuple for each dimension. `sizes` has
    the form `Cuts`. Raises ValueError if the sizes are negative or do not sum to the extent."""
    result = []
    for d, (cut, extent) in enumerate(zip(as_cuts(op, sizes, len(shape)), shape)):
        if cut is None:
            cut = [extent]
        elif not isinstance(cut, list):
            cut = _pool_mlir._equal_parts(f"{op}: {name}, dimension {d}", extent, cut)
        if any(size < 0 for size in cut) or sum(cut) != extent:
            raise ValueError(f"{op}: {name}, dimension {d}: the blocks {tuple(cut)} have "
                             f"{sum(cut)} elements, there are {extent}")
        result.append(tuple(cut))
    return tuple(result)


def make_raw(op, attributes, operands, result_shape, cuts, bits=0, result_type=None):
    operation = _pool_mlir._Operation(op, attributes, bits, result_type=result_type)
    return _pool_mlir._partition(operation, operands, result_shape, cuts)


def infer(op, attributes, dtype, shape):
    """Returns the shape of the operation's result."""
    return make_raw(op, attributes, [(dtype, shape)], None, [None] * len(shape))["output_shape"]


def partition(op: str, input_shape: Sequence[int], kernel: int | Sequence[int] | None = None, *,
              output_cuts: Cuts, input_cuts: Cuts | Mapping[str, Cuts] | None = None,
              dtype: DTypeLike = "float32", **attributes: Any) -> Partition:
    """Cuts the result of a pooling operation into parts, and returns a `Partition`.

    op: "max_pool", "min_pool", "avg_pool", "lp_pool", "max_pool_grad", "min_pool_grad",
        "avg_pool_grad", "max_unpool", or the dialect's "window_reduce".
    input_shape: shape of x, also for gradients; for max_unpool the shape of values.
    kernel, attributes: arguments of the function `op`. For max_pool_grad and min_pool_grad,
        return_indices=True says that the indices are an operand. uniform_sums=True makes the order
        of float sums depend only on the kernel.
    dtype: element type of x, in any form that numpy.dtype accepts.
    output_cuts: for each dimension of the result None (not cut), the number of parts, or their
        sizes. A number makes parts whose sizes differ by at most one. Given sizes must sum to the
        extent. A part of size 0 is empty: there is nothing to compute.
    input_cuts: the blocks in which the first operand is stored, in the same form, or a dict from
        the operands' names to their blocks. `Part.sources` refers to these blocks. By default there
        is one block for each part. If a part's result begins at o, its blocks begin at:

                                                  x            other operands
            result has one element per window     o * stride
            gradients, max_unpool with a kernel   o            ceil(o / stride)

        For max_unpool without a kernel, the blocks of a dimension from axis on have equal sizes,
        up to one element.

    max_unpool needs output_shape. An index may name any position in the dimensions from axis on, so
    each part reads these dimensions whole (`needs_all`). To narrow the positions, pass kernel and
    the other arguments of the max_pool that made the indices. Running a part then checks that each
    index lies in its window. A window that lies entirely in padding has index 0. With a kernel, its
    value is ignored. Without a kernel, the value is written to position 0, as in
    pool_mlir.max_unpool.

    window_reduce needs output_shape and reduction: "max", "min", "sum" or "power_sum". output_dtype
    is the element type of the result, by default x's. positions asks for a second result; it is a
    list of a base and a weight for each spatial dimension, see `Part.weights`.

    The parts together equal the operation on the whole. Extrema, indices and integers are equal to
    the bit, and so are float sums with uniform_sums. Without uniform_sums, the parts may add floats
    in another order. If the arguments do not fit, raises ValueError with the operation, the
    dimension and the numbers. Raises TypeError for an unknown argument.
    """
    if kernel is not None:
        attributes["kernel"] = kernel
    check_attributes(op, attributes)
    shape = tuple(operator.index(extent) for extent in input_shape)
    rank, dtype = len(shape), np.dtype(dtype)
    attributes = as_lists({name: value for name, value in attributes.items()
                           if value is not None}, max(rank - 2, 0))
    index_dtype = attributes.get("index_element_type", "i64")
    if index_dtype not in INDEX_TYPES:
        raise ValueError(f"index_element_type is '{index_dtype}', but must be i32 or i64")
    index_dtype = INDEX_TYPES[index_dtype]
    has_indices = bool(attributes.get("return_indices")) or op == "max_unpool"
    known = {name: value for name, value in attributes.items() if name not in ARGUMENTS}
    cuts = as_cuts(op, output_cuts, rank)
    element = dtype.name
    shapes, output_shape = {"x": shape}, None

    if op.endswith("_grad"):
        forward = {name: value for name, value in known.items() if name not in ("axis", "nan_mode")}
        windows = infer(op[:-5], forward, element, shape)
        shapes["output_grad"] = windows
        if has_indices:
            shapes["indices"] = windows
        if op == "avg_pool_grad":
            del shapes["x"]
            output_shape = shape
        raw = make_raw(op, known, _types(shapes, element, index_dtype), output_shape, cuts)
        results = ("input_grad",)
    elif op == "max_unpool":
        raw = cut_unpool(known, shape, attributes.get("output_shape"), element, index_dtype, cuts)
        shapes, results = {"values": shape, "indices": shape}, ("output",)
    elif op == "window_reduce":
        attributes = _window_reduce.read(attributes, dtype)
        bits = _window_reduce.get_bits(attributes)
        raw = make_raw(op, _window_reduce.get_own(attributes), [(element, shape)],
                       attributes["output_shape"], cuts, bits, attributes["output_dtype"].name)
        results = ("values", "positions") if bits else ("values",)
    else:
        bits = index_dtype.itemsize * 8 if has_indices else 0
        raw = make_raw(op, known, [(element, shape)], None, cuts, bits)
        results = ("values", "indices") if has_indices else ("values",)

    dtypes = {name: index_dtype if name == "indices" else dtype for name in (*shapes, *results)}
    if op == "window_reduce":
        dtypes.update(values=attributes["output_dtype"], positions=np.dtype(np.int64))
    plan = Partition(
        op, attributes, tuple(shapes), results, shapes, dtypes, tuple(raw["output_shape"]),
        tuple(tuple(part[0][1] - part[0][0] for part in dim["parts"]) for dim in raw["dims"]),
        {}, raw["needs_all"], raw)
    given = input_cuts if isinstance(input_cuts, dict) else {plan.operands[0]: input_cuts}
    for name in given:
        if name not in shapes:
            raise ValueError(f"{op} has no operand '{name}'; there are {', '.join(shapes)}")
    for name, extents in shapes.items():
        blocks = given.get(name)
        if blocks is None:
            key = "input_blocks" if plan.space(name) == 1 else "window_blocks"
            blocks = [dim[key] for dim in raw["dims"]]
        plan.input_cuts[name] = check_blocks(op, name, blocks, extents)
    return plan


def _types(shapes, element, index_dtype):
    return [(index_dtype.name if name == "indices" else element, shape)
            for name, shape in shapes.items()]


def cut_unpool(known, shape, output_shape, element, index_dtype, cuts):
    """Returns the partition of max_unpool as a dict of make_raw(). If the caller gave a kernel, a
    part reads only the windows whose values can lie in its result."""
    if output_shape is None:
        raise ValueError("max_unpool needs output_shape")
    output_shape = tuple(operator.index(extent) for extent in output_shape)
    values = [(element, shape), (index_dtype.name, shape)]
    axis = {name: value for name, value in known.items() if name == "axis"}
    raw = make_raw("max_unpool", axis, values, output_shape, cuts)
    if "kernel" not in known:
        if len(known) > len(axis):
            raise ValueError("max_unpool: a window needs a kernel")
        return raw
    window = {name: value for name, value in known.items() if name != "axis"}
    windows = infer("max_pool", window, element, output_shape)
    for d, (given, extent) in enumerate(zip(windows, shape)):
        if given != extent:
            raise ValueError(f"max_unpool: dimension {d}: the window gives {given} values of "
                             f"{output_shape[d]} elements, there are {extent}")
    # Each value goes to a position of its window, as in the gradient of that max_pool. So cut the
    # gradient. The element type does not affect the cut, so use float32.
    gradient = ("float32", windows)
    return make_raw("max_pool_grad", known, [("float32", output_shape), gradient,
                                             (index_dtype.name, windows)], None, cuts)
