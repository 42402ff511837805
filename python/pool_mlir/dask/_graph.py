"""Builds the task graph of a pooled array. One task computes one block of the result. It runs the
parts of this block on the blocks of the input that they read."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import math
from dataclasses import dataclass

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from .._partition import partition
from .._parts import refuse_masked

# A block of the result is split into an interior and borders only if the largest input block has at
# least this number of bytes. The interior then reads the input in place, and each border is a call
# of its own. A smaller block is copied together with its halo, which takes no longer than these
# calls.
SPLIT_BYTES = 4 << 20


def as_native(dtype):
    """Returns the element type in the machine's byte order. All results have this order."""
    return np.dtype(dtype).newbyteorder("=")


def refuse_mask(what, array):
    refuse_masked(what, array, "dask.array.ma.filled(array, value)")


def as_plain(block):
    """Returns a block as a plain NumPy array. Raises TypeError for a masked array: map_blocks, for
    example, can make masked blocks although the dask array itself does not look masked."""
    refuse_mask("a block", block)
    return np.asarray(block)


@dataclass(frozen=True)
class Piece:
    """A part of a block of the result. `part` comes from Partition.alone, and `target` is the box
    of its result in the block. `sources` has a list for each operand. An entry is (number of an
    array, box in that array, box in the part's slice). The number is the position among the
    arguments of a call of `Block`."""

    part: object
    target: tuple
    sources: tuple

    def get_slices(self, arrays):
        """Yields the part's slice of each operand. A slice is a view if one array holds all of it
        in the machine's byte order. Otherwise it is a copy."""
        plan, shapes = self.part.plan, self.part.input_shapes
        for name, sources in zip(plan.operands, self.sources):
            if len(sources) == 1:
                number, within, _ = sources[0]
                array = arrays[number][within]
                # Parts accept only the machine's byte order.
                yield array.astype(as_native(array.dtype), copy=False)
                continue
            result = np.empty(shapes[name], plan.dtypes[name])
            for number, within, into in sources:
                result[into] = arrays[number][within]
            yield result


@dataclass(frozen=True)
class Block:
    """A task that computes one block of the result from the parts in `pieces`. The call returns an
    array, or a tuple of values and indices."""

    shape: tuple
    pieces: tuple

    def __call__(self, *arrays):
        arrays = [as_plain(array) for array in arrays]
        outs = None
        for piece in self.pieces:
            plan = piece.part.plan
            results = piece.part.run(*piece.get_slices(arrays))
            if len(self.pieces) == 1:
                return results
            if len(plan.results) == 1:
                results = (results,)
            if outs is None:
                outs = tuple(np.empty(self.shape, result.dtype) for result in results)
            for out, result in zip(outs, results):
                out[piece.target] = result
        return outs if len(outs) > 1 else outs[0]


@dataclass(frozen=True)
class Halo:
    """A task that copies the box `within` of a block, because a neighbor reads this box. The block
    itself can then be freed."""

    within: tuple

    def __call__(self, array):
        return np.array(as_plain(array)[self.within])


def get_number(pair, number):
    return pair[number]


def get_largest(sources):
    """Returns the number of the block with the largest of `sources`, which are (block, begin, end).
    Returns 0 if there is no source."""
    return max(sources, key=lambda source: source[2] - source[1], default=(0,))[0]


def get_begins(sizes):
    return (0, *itertools.accumulate(sizes))


def get_output_chunks(plan, chunks):
    """Returns the default chunks of the result. `chunks` are the chunks of the input. A window
    belongs to the input block in which it begins, padding not counted. Windows may begin in the
    padding at the end. If they make the last chunk larger than all others, it is split."""
    result = []
    for dim, sizes, extent in zip(plan._raw["dims"], chunks, plan.output_shape):
        stride = dim["window"][1]
        ends = [min(-(-end // stride), extent) for end in get_begins(sizes)[1:-1]] + [extent]
        out = [end - begin for begin, end in zip([0, *ends], ends) if end > begin]
        if len(out) > 1 and out[-1] > max(out[:-1]):
            largest = max(out[:-1])
            out[-1:] = [largest] * (out[-1] // largest) + [out[-1] % largest]
        result.append(tuple(size for size in out if size) or (0,))
    return tuple(result)


def get_input_chunks(plan, chunks):
    """Returns the default chunks of a result over which windows slide, such as the gradient of x.
    `chunks` are the chunks of an operand with one element for each window. A block of the result
    begins where the first window of a block of `chunks` begins, padding not counted. A dimension
    without a kernel is one block."""
    result = []
    for dim, sizes, extent in zip(plan._raw["dims"], chunks, plan.output_shape):
        kernel, stride = dim["window"][:2]
        inner = [min(end * stride, extent) for end in get_begins(sizes)[1:-1] if kernel]
        ends = [*inner, extent]
        out = tuple(end - begin for begin, end in zip([0, *ends], ends) if end > begin)
        result.append(out or (0,))
    return tuple(result)


def cut_interior(dim, windows, block):
    """Splits the `windows` (begin, end) of a block in one dimension, whose dict is `dim`. Returns
    three numbers of consecutive windows: those that begin before the input range `block`, those
    that lie inside it, and those that end after it. Padding at the ends of the input counts as
    inside. Returns None if no window lies inside."""
    kernel, stride, dilation, pad = dim["window"][:4]
    begin, end = windows
    first = -(-(block[0] + pad) // stride) if block[0] else begin
    last = end
    if block[1] < dim["input"]:
        last = (block[1] + pad - (kernel - 1) * dilation - 1) // stride + 1
    first, last = max(first, begin), min(last, end)
    if first >= last:
        return None
    return (first - begin, last - first, end - last)


@dataclass(frozen=True)
class Cells:
    """The division of one block of the result into cells, in one dimension. `sizes` has the number
    of windows of each cell. In a split block, cell number `inside` is the one that reads only the
    block's own input block. Without a split there is only cell 0."""

    sizes: tuple
    inside: int


class Blocks:
    """The blocks of a result of `chunks`, and the parts in which each block is computed.
    `make_plan(cuts)` must return a partition of the operation.

    A block is normally one part. Its elements from several input blocks are copied into one slice.
    If input blocks are large and the result is smaller than the input, copying the input costs more
    than copying the result. Then the block is split: its windows inside its own input block, the
    interior, become a part that reads in place. Only the slices of the parts around it are copied:

      +-----------------+
      |     before      |   parts before and after the interior in dimension 0
      +---+---------+---+
      |   |interior |   |   before and after it in dimension 1
      +---+---------+---+
      |      after      |
      +-----------------+
    """

    def __init__(self, make_plan, chunks):
        plan = make_plan(chunks)
        dims = plan._raw["dims"]
        self.begins = [get_begins(sizes) for sizes in chunks]
        # owns[name][d][i] is the block of operand `name` from which block i of the result reads the
        # most elements, in dimension d. It is called the block's own block.
        self.owns = {name: [[get_largest(plan.sources_of(name, d, i)) for i in range(len(sizes))]
                            for d, sizes in enumerate(chunks)] for name in plan.operands}
        first = plan.input_cuts[plan.operands[0]]
        largest = math.prod(map(max, first)) * plan.dtype.itemsize
        self.is_split = (plan.operands == ("x",) and largest >= SPLIT_BYTES
                         and math.prod(dim["window"][1] for dim in dims) > 1)
        self.cells = [[self.cut(plan, d, i) for i in range(len(sizes))]
                      for d, sizes in enumerate(chunks)]
        self.first_cells = [get_begins([len(cells.sizes) for cells in row])
                            for row in self.cells]
        # plans[n] cuts the first n dimensions into cells, and the others into blocks.
        self.plans, cuts = [plan], list(chunks)
        for d, row in enumerate(self.cells):
            if any(len(cells.sizes) > 1 for cells in row):
                cuts[d] = tuple(itertools.chain(*(cells.sizes for cells in row)))
                plan = make_plan(tuple(cuts))
            self.plans.append(plan)

    def cut(self, plan, d, i):
        begin, end = self.begins[d][i:i + 2]
        if self.is_split and begin < end:
            own = self.owns["x"][d][i]
            block = plan.block_begin("x", d, own), plan.block_begin("x", d, own + 1)
            sizes = cut_interior(plan._raw["dims"][d], (begin, end), block)
            if sizes:
                return Cells(tuple(size for size in sizes if size), int(sizes[0] > 0))
        return Cells((end - begin,), 0)

    def get_own(self, name, index):
        """Returns the coordinates of the own block of block `index` in operand `name`: the block
        from which it reads the most elements."""
        return tuple(row[i] for row, i in zip(self.owns[name], index))

    def get_parts(self, index):
        """Yields (partition, coordinates) for each part of the block `index`. For each dimension in
        turn, the parts are the slabs before and after the interior. The interior is the last
        part."""
        at = list(index)
        for d, i in enumerate(index):
            cells, first = self.cells[d][i], self.first_cells[d][i]
            for cell in range(len(cells.sizes)):
                if cell != cells.inside:
                    yield self.plans[d + 1], (*at[:d], first + cell, *at[d + 1:])
            at[d] = first + cells.inside
        yield self.plans[-1], tuple(at)


class Graph:
    """The tasks of one call: some compute the blocks of the result, and others copy halos from
    blocks of the operands. Each halo is copied once."""

    def __init__(self, name, blocks, operands):
        self.name, self.blocks, self.operands = name, blocks, operands
        self.halos, self.made, self.boxes, self.copies = {}, {}, {}, {}
        for index in itertools.product(*(range(len(row)) for row in blocks.cells)):
            self.made[index] = self.make_pieces(index)

    def share(self, box):
        """Returns the same object for all equal boxes. This saves memory, since most blocks have
        equal boxes."""
        return self.boxes.setdefault(tuple((b.start, b.stop) for b in box), box)

    def make_pieces(self, index):
        """Returns the pieces of the block `index`, and a dict that maps the key of each array that
        they read to its number."""
        origin = [begins[i] for begins, i in zip(self.blocks.begins, index)]
        pieces, keys = [], {}
        for plan, at in self.blocks.get_parts(index):
            part = plan[at]
            sources = tuple(self.find_sources(name, part, index, keys) for name in self.operands)
            target = tuple(slice(o.start - b, o.stop - b) for o, b in zip(part.output, origin))
            pieces.append(Piece(plan.alone(at), self.share(target), sources))
        return tuple(pieces), keys

    def find_sources(self, name, part, index, keys):
        """Returns the sources of operand `name` for a part of the block `index`; see `Piece`.
        `keys` maps the key of each array to its number. This function adds new arrays to it."""
        own, sources = self.blocks.get_own(name, index), []
        for source in part.sources(name):
            key, within = (self.operands[name].name, *source.block), source.within
            if source.block != own:
                key, within = self.copy_halo(name, key, within)
            sources.append((keys.setdefault(key, len(keys)), self.share(within),
                            self.share(source.into)))
        return tuple(sources)

    def copy_halo(self, name, key, within):
        """Returns (key, box) of an array from which a task can read the box `within` of block
        `key`. The block belongs to another task. If `within` is the whole block, the array is the
        block itself. Otherwise it is a halo, and this method adds the task that copies the halo."""
        shape = tuple(sizes[i] for sizes, i in zip(self.operands[name].chunks, key[1:]))
        if within == tuple(slice(0, extent) for extent in shape):
            return key, within
        bounds = tuple(itertools.chain(*((b.start, b.stop) for b in within)))
        halo = (f"{self.name}-{name}-halo", *key[1:], *bounds)
        copy = self.copies.setdefault(bounds, Halo(within))
        self.halos.setdefault(key, {})[halo] = (copy, key)
        return halo, tuple(slice(0, b.stop - b.start) for b in within)

    def get_tasks(self):
        """Returns all tasks. The task of a block also waits until other tasks have copied their
        halos from its own blocks. So after it has run, usually no other task needs these blocks,
        and dask can free them."""
        tasks = {}
        for halos in self.halos.values():
            tasks.update(halos)
        for index, (pieces, keys) in self.made.items():
            shape = tuple(begins[i + 1] - begins[i]
                          for begins, i in zip(self.blocks.begins, index))
            own = {key: None for name, array in self.operands.items() for key
                   in self.halos.get((array.name, *self.blocks.get_own(name, index)), ())}
            tasks[(self.name, *index)] = (Block(shape, pieces), *keys,
                                          *(key for key in own if key not in keys))
        return tasks


def check_operands(op, operands, plan):
    for name, array in operands.items():
        if array.shape != plan.shapes[name]:
            raise ValueError(f"{op}: {name} has the shape {array.shape}, must have "
                             f"{plan.shapes[name]}")
        if as_native(array.dtype) != plan.dtypes[name]:
            raise TypeError(f"{op}: {name} has elements of {array.dtype}, must have "
                            f"{plan.dtypes[name]}")


def choose_chunks(plan, operands):
    """Returns the default chunks of the result. The gradient of an extremum has the chunks of x.
    For any other operation they follow from the chunks of the first operand; see
    get_output_chunks() and get_input_chunks()."""
    if plan.operands == ("x",):
        return get_output_chunks(plan, operands["x"].chunks)
    if "x" in operands:
        return operands["x"].chunks
    return get_input_chunks(plan, operands[plan.operands[0]].chunks)


def pool(op, operands, chunks=None, shape=None, **attributes):
    """Returns the lazy result: a dask array, or a tuple of values and indices. `operands` maps
    names to dask arrays, in the order of `Partition.operands`. `shape` is the input_shape of
    `partition`, by default the shape of the first operand. Raises ValueError for chunks of unknown
    sizes, and for arguments that `partition` refuses."""
    for name, array in operands.items():
        if any(math.isnan(size) for sizes in array.chunks for size in sizes):
            raise ValueError(f"{op}: {name} has chunks of unknown sizes {array.chunks}: "
                             "compute_chunk_sizes() of the array finds them")
        refuse_mask(f"{op}: {name}", array._meta)
    first = next(iter(operands.values()))
    shape = first.shape if shape is None else shape
    dtype = as_native(first.dtype)

    def make_plan(cuts, stored):
        return partition(op, shape, output_cuts=cuts, input_cuts=stored, dtype=dtype,
                         **attributes)

    whole = make_plan([None] * len(shape), None)
    check_operands(op, operands, whole)
    if chunks is None:
        chunks = choose_chunks(whole, operands)
    else:
        chunks = da.core.normalize_chunks(chunks, whole.output_shape, dtype=dtype)
    stored = {name: array.chunks for name, array in operands.items()}
    blocks = Blocks(lambda cuts: make_plan(cuts, stored), chunks)

    token = tokenize(op, [array.name for array in operands.values()], chunks, shape, attributes)
    name = f"{op}-{token}"
    tasks = Graph(name, blocks, operands).get_tasks()
    graph = HighLevelGraph.from_collections(name, tasks, dependencies=list(operands.values()))
    if len(whole.results) == 1:
        return make_array(graph, name, chunks, whole.dtypes[whole.results[0]])
    results = []
    for number, result in enumerate(whole.results):
        own = f"{op}-{result}-{token}"
        picks = {(own, *key[1:]): (get_number, key, number) for key in tasks if key[0] == name}
        picked = HighLevelGraph({**graph.layers, own: picks}, {**graph.dependencies, own: {name}})
        results.append(make_array(picked, own, chunks, whole.dtypes[result]))
    return tuple(results)


def make_array(graph, name, chunks, dtype):
    return da.Array(graph, name, chunks, meta=np.empty((0,) * len(chunks), dtype))
