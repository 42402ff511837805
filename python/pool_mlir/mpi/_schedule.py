"""Plans the messages between ranks, and the pieces to compute while the messages travel.

A schedule is the work of one rank for one operation. It depends only on the partition and the
rank's coordinates in the grid, and needs no MPI.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import itertools
import math
from dataclasses import dataclass

from .._partition import Part, Partition, partition
from .._parts import get_shape


# Number of bytes of the result in one piece of the interior. A piece of this size is still in a
# cache of the processor when it is copied into the result. The next piece reuses its memory.
PIECE = 1 << 22


@dataclass(frozen=True)
class Message:
    """A box of an operand that this rank receives from `rank` or sends to it. `operand` is the
    operand's number in `Partition.operands`. The box counts in the whole operand."""

    rank: int
    operand: int
    box: tuple


@dataclass(frozen=True)
class Schedule:
    """The work of a rank, which computes `part`. `blocks` has the box of each operand that the rank
    holds. `receives` and `sends` are messages. `interior` has the pieces of the part that read only
    `blocks`, and `borders` the other pieces. All boxes count in the whole arrays."""

    plan: Partition
    part: Part
    blocks: tuple
    receives: tuple
    sends: tuple
    interior: tuple
    borders: tuple


def intersect(a, b):
    """Returns the intersection of two boxes, or None if it is empty."""
    box = tuple(slice(max(i.start, j.start), min(i.stop, j.stop)) for i, j in zip(a, b))
    return box if all(bounds.start < bounds.stop for bounds in box) else None


def shift(box, origin):
    """Returns `box` with coordinates relative to the beginning of the box `origin`."""
    return tuple(slice(bounds.start - begin.start, bounds.stop - begin.start)
                 for bounds, begin in zip(box, origin))


def is_inside(box, outer):
    return math.prod(get_shape(box)) == 0 or all(
        o.start <= b.start and b.stop <= o.stop for b, o in zip(box, outer))


def get_coordinates(rank, grid):
    """Returns the coordinates of a rank in the row-major grid."""
    coordinates = []
    for count in reversed(grid):
        rank, i = divmod(rank, count)
        coordinates.append(i)
    return tuple(reversed(coordinates))


def get_rank(coordinates, grid):
    rank = 0
    for i, count in zip(coordinates, grid):
        rank = rank * count + i
    return rank


def get_block(plan, name, coordinates):
    """Returns the box of operand `name` that the rank at `coordinates` holds."""
    box = []
    for d, i in enumerate(coordinates):
        begin = plan.block_begin(name, d, i)
        box.append(slice(begin, begin + plan.input_cuts[name][d][i]))
    return tuple(box)


def list_receives(plan, coordinates):
    """Yields the messages that the rank at `coordinates` receives: one for each piece of an operand
    that its part reads and that another rank holds. Pieces do not overlap."""
    part = plan[coordinates]
    for number, name in enumerate(plan.operands):
        needed = part.inputs[name]
        for source in part.sources(name):
            if source.block != coordinates:
                box = tuple(slice(n.start + i.start, n.start + i.stop)
                            for n, i in zip(needed, source.into))
                yield Message(get_rank(source.block, plan.grid), number, box)


def list_sends(plan, coordinates):
    """Yields the messages that the rank at `coordinates` sends: one for each piece of its blocks
    that another rank's part reads. Finds the receivers in each dimension separately, so the time
    does not grow with the number of ranks that receive nothing."""
    if any(extent == 0 for extent in plan.output_shape):
        return
    for number, name in enumerate(plan.operands):
        takers = [
            [(i, begin, end) for i, size in enumerate(plan.output_cuts[d]) if size
             for block, begin, end in plan.sources_of(name, d, i) if block == own]
            for d, own in enumerate(coordinates)]
        for pieces in itertools.product(*takers):
            taker = tuple(piece[0] for piece in pieces)
            if taker != coordinates:
                yield Message(get_rank(taker, plan.grid), number,
                              tuple(slice(begin, end) for _, begin, end in pieces))


class Pieces:
    """Cuts a rank's part into pieces. A piece is a part of another partition of the same operation:
    `cut(cuts)` must return the partition with these cuts. `blocks` are the boxes that the rank
    holds."""

    def __init__(self, plan, cut, part, blocks):
        self.plan, self.cut, self.part, self.blocks = plan, cut, part, blocks

    def make(self, box):
        """Returns the piece whose result is the box `box` of the whole result."""
        cuts = [(bounds.start, bounds.stop - bounds.start, extent - bounds.stop)
                for bounds, extent in zip(box, self.plan.output_shape)]
        return self.cut(cuts)[(1,) * len(box)]

    def tile(self, box):
        """Cuts the box `box` of the result into pieces of about PIECE bytes, outer dimensions
        first, and returns the pieces. Most of them have the same size, so that few kernels are
        compiled."""
        cuts, parts = [], 1
        size = math.prod(get_shape(box)) * self.plan.dtype.itemsize
        for bounds, extent in zip(box, self.plan.output_shape):
            count = bounds.stop - bounds.start
            step = -(-count // min(count, -(-size // (parts * PIECE))))
            sizes = [min(step, count - begin) for begin in range(0, count, step)]
            parts *= len(sizes)
            cuts.append([bounds.start, *sizes, extent - bounds.stop])
        plan = self.cut(cuts)
        return tuple(plan[index] for index in itertools.product(
            *(range(1, len(sizes) - 1) for sizes in cuts)))

    def needs_own(self, piece):
        """True if `piece` reads only the blocks that the rank holds."""
        return all(is_inside(box, block)
                   for box, block in zip(piece.inputs.values(), self.blocks))

    def find_interior(self):
        """Returns the box of the part's result that reads only the blocks that the rank holds, or
        None if there is none.

        If the coordinates of an output grow, so do the coordinates of the elements that it reads.
        So in each dimension the outputs of the box are consecutive. Tests the first and the last
        `margin` outputs of the part one by one, and all outputs between them together. If these
        middle outputs read other blocks, repeats the test with a larger margin.
        """
        margin = 16
        while True:
            plan, middles = self.cut_ends(margin)
            fitting = [self.list_fitting(plan, d) for d in range(len(middles))]
            if all(middle is None or middle in places
                   for middle, places in zip(middles, fitting)):
                break
            margin *= 8
        if not all(fitting):
            return None
        box = []
        for d, places in enumerate(fitting):
            first, last = (self.place(plan, d, i).output[d] for i in (places[0], places[-1]))
            box.append(slice(first.start, last.stop))
        return tuple(box)

    def cut_ends(self, margin):
        """Cuts each dimension of the rank's part into `margin` single outputs, a middle, and
        `margin` single outputs. Returns this partition, and for each dimension the index of its
        middle. The index is None if the dimension is too short: then it is cut into single outputs.
        The first and the last part of each dimension lie outside of the rank's part."""
        cuts, middles = [], []
        for bounds, extent in zip(self.part.output, self.plan.output_shape):
            count = bounds.stop - bounds.start
            ends, middle = [1] * margin, count - 2 * margin
            inside = [*ends, middle, *ends] if middle > 1 else [1] * count
            middles.append(1 + margin if middle > 1 else None)
            cuts.append([bounds.start, *inside, extent - bounds.stop])
        return self.cut(cuts), middles

    def list_fitting(self, plan, d):
        """Returns the indices of the parts in dimension `d` whose inputs, in this dimension, lie in
        the blocks that the rank holds. Leaves out the first and the last part, whose results
        belong to other ranks."""
        fitting = []
        for i in range(1, plan.grid[d] - 1):
            needs = self.place(plan, d, i).inputs.values()
            if all(is_inside(box[d:d + 1], block[d:d + 1])
                   for box, block in zip(needs, self.blocks)):
                fitting.append(i)
        return fitting

    @staticmethod
    def place(plan, d, i):
        return plan[tuple(i if e == d else 1 for e in range(plan.rank))]


def list_borders(outer, inner):
    """Yields boxes without overlap that together cover the box `outer` except for the box `inner`,
    which must lie inside it."""
    rest = list(outer)
    for d, (whole, inside) in enumerate(zip(outer, inner)):
        for bounds in (slice(whole.start, inside.start), slice(inside.stop, whole.stop)):
            if bounds.start < bounds.stop:
                yield (*rest[:d], bounds, *rest[d + 1:])
        rest[d] = inside


def cut(op, shape, cuts, dtype, attributes, blocks=None):
    return partition(op, shape, output_cuts=cuts, input_cuts=blocks, dtype=dtype,
                     **{name: list(value) if isinstance(value, tuple) else value
                        for name, value in attributes})


@functools.lru_cache(maxsize=64)
def make_plan(op, shape, grid, dtype, attributes, blocks, cuts):
    """Returns the partition over a grid of ranks. Blocks of operands and parts of the result differ
    by at most one element by default. `attributes` has pairs (name, value), and `blocks` pairs
    (operand, cuts). Raises ValueError unless each dimension has one block for each rank of the
    grid."""
    plan = cut(op, shape, cuts or grid, dtype, attributes)
    stored = {name: grid for name in plan.operands}
    stored.update(blocks)
    plan = cut(op, shape, cuts or grid, dtype, attributes, stored)
    for what, sizes in (("the result", plan.output_cuts), *plan.input_cuts.items()):
        for d, (count, dim) in enumerate(zip(grid, sizes)):
            if len(dim) != count:
                raise ValueError(f"{op}: dimension {d} of {what} is cut into {len(dim)}, the grid "
                                 f"{grid} has {count} ranks there")
    return plan


@functools.lru_cache(maxsize=64)
def make_schedule(op, shape, grid, dtype, attributes, blocks, cuts, rank):
    """Returns the schedule of `rank`; see make_plan() for the arguments."""
    plan = make_plan(op, shape, grid, dtype, attributes, blocks, cuts)
    coordinates = get_coordinates(rank, grid)
    part = plan[coordinates]
    held = tuple(get_block(plan, name, coordinates) for name in plan.operands)
    interior, borders = (), ()
    if not part.is_empty:
        pieces = Pieces(plan, lambda sizes: cut(op, shape, sizes, dtype, attributes), part, held)
        if pieces.needs_own(part):
            interior = (part,)
        else:
            box = pieces.find_interior()
            if box and pieces.needs_own(pieces.make(box)):
                interior = pieces.tile(box)
            boxes = list_borders(part.output, box) if interior else [part.output]
            borders = tuple(pieces.make(box) for box in boxes)
    return Schedule(plan, part, held, tuple(list_receives(plan, coordinates)),
                    tuple(list_sends(plan, coordinates)), interior, borders)
