"""Pooling of arrays that are distributed over the ranks of an MPI communicator.

A row-major grid of ranks holds an array in blocks: the rank at [i, j, ...] holds block [i, j, ...].
`grid` has one number for each dimension, and their product is the number of ranks. A pooling
function takes this rank's own block of every operand, and returns this rank's block of the result.
The function fetches halos from other ranks, and meanwhile computes the windows that need no halo.
Every rank of the communicator must call the function, with the same arguments except for the
blocks.

    block = whole[mpi.get_block(whole.shape, grid)]
    maxima = mpi.max_pool(block, grid, whole.shape, kernel=3, strides=2)

By default the blocks of operands and results differ by at most one element in each dimension, and
the larger ones come first. So a result can be the operand of the next function. `blocks` and `cuts`
choose other blocks: for each dimension, a list of sizes, one for each rank of the grid in this
dimension. A size may be 0. `blocks` has the blocks of the first operand, or is a dict from operands
to their blocks. `cuts` has the blocks of the result.

Blocks are NumPy arrays or torch tensors in the memory of the CPU, and so are results. For other
keywords see the function of the same name in `pool_mlir`. `uniform_sums=True` makes float sums
equal to the bit for any grid. `comm` is MPI.COMM_WORLD by default. The first call duplicates
`comm`, and the duplicate is kept until `comm` is freed.

If ranks disagree on an argument, all raise ValueError. If one rank raises an error, all others
raise OtherRankFailed with its message. See docs/Guides/ScaleOverMPI.md.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import operator

import numpy as np

from .._advice import need_extra

need_extra("mpi", "mpi4py")

from mpi4py import MPI

from .._partition import check_blocks
from . import _schedule
from ._arrays import as_library, as_numpy
from ._exchange import Exchange, OtherRankFailed, duplicate, run

__all__ = ["OtherRankFailed", "avg_pool", "avg_pool_grad", "get_block", "lp_pool", "max_pool",
           "max_pool_grad", "max_unpool", "min_pool", "min_pool_grad"]

INDEX_TYPES = {"int32": "i32", "int64": "i64"}


def get_block(shape, grid, comm=None):
    """Returns the box of an array of `shape` that this rank holds by default, as a tuple of slices.
    Raises ValueError if `grid` does not fit the array's rank or the communicator's size."""
    comm = MPI.COMM_WORLD if comm is None else comm
    shape, grid = check_grid("get_block", shape, grid, comm.size)
    sizes = check_blocks("get_block", "the array", grid, shape)
    coordinates = _schedule.get_coordinates(comm.rank, grid)
    return tuple(slice(sum(dim[:i]), sum(dim[:i + 1])) for dim, i in zip(sizes, coordinates))


def check_grid(op, shape, grid, size):
    shape, grid = (tuple(operator.index(n) for n in numbers) for numbers in (shape, grid))
    if len(grid) != len(shape):
        raise ValueError(f"{op}: the grid {grid} has {len(grid)} dimensions, the array of shape "
                         f"{shape} has {len(shape)}")
    if any(count < 1 for count in grid) or math.prod(grid) != size:
        raise ValueError(f"{op}: the grid {grid} is one of {math.prod(grid)} ranks, the "
                         f"communicator has {size}")
    return shape, grid


def freeze(value):
    """Converts lists and NumPy arrays to tuples, and NumPy's numbers to Python's, for keys of
    caches."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return tuple(freeze(each) for each in value)
    return value.item() if isinstance(value, np.generic) else value


def call(op, operands, grid, shape, comm, blocks, cuts, attributes):
    """Runs `op` on this rank, and returns the rank's result or a tuple of results. `operands` has
    pairs of (name, block)."""
    own = duplicate(MPI.COMM_WORLD if comm is None else comm)

    def prepare():
        whole, ranks = check_grid(op, shape, grid, own.size)
        arrays = [as_numpy(array, op, name) for name, array in operands]
        named = dict(attributes)
        if operands[-1][0] == "indices":
            kind = INDEX_TYPES.get(arrays[-1].dtype.name, arrays[-1].dtype.name)
            if named.setdefault("index_element_type", kind) != kind:
                raise ValueError(f"{op}: index_element_type is "
                                 f"'{named['index_element_type']}', indices has elements of {kind}")
        first = operands[0][0]
        stored = {} if blocks is None else blocks if isinstance(blocks, dict) else {first: blocks}
        keys = (op, whole, ranks, arrays[0].dtype,
                tuple((name, freeze(value)) for name, value in sorted(named.items())),
                freeze(sorted(stored.items())), freeze(cuts))
        schedule = _schedule.make_schedule(*keys, own.rank)
        plan = schedule.plan
        given = {"operation": op, "grid": ranks, "shape": whole, "elements": plan.dtype.name,
                 **plan.arguments}
        sizes = {"cuts": plan.output_cuts,
                 **{f"blocks of {name}": cuts for name, cuts in plan.input_cuts.items()}}
        return Exchange(schedule, arrays), (given, sizes)

    results = [as_library(result, operands[0][1]) for result in run(own, op, prepare)]
    return tuple(results) if len(results) > 1 else results[0]


def max_pool(block, grid, shape, kernel, *, comm=None, blocks=None, cuts=None, **attributes):
    """Returns this rank's block of the result of `pool_mlir.max_pool`. `block` is the rank's block
    of x, and x has `shape`. With return_indices, returns a tuple of the block of values and the
    block of indices, which count in the whole array."""
    return call("max_pool", [("x", block)], grid, shape, comm, blocks, cuts,
                {"kernel": kernel, **attributes})


def min_pool(block, grid, shape, kernel, *, comm=None, blocks=None, cuts=None, **attributes):
    """Returns this rank's block of the result of `pool_mlir.min_pool`; see `max_pool`."""
    return call("min_pool", [("x", block)], grid, shape, comm, blocks, cuts,
                {"kernel": kernel, **attributes})


def avg_pool(block, grid, shape, kernel, *, comm=None, blocks=None, cuts=None, **attributes):
    """Returns this rank's block of the result of `pool_mlir.avg_pool`. `block` is the rank's block
    of x, and x has `shape`."""
    return call("avg_pool", [("x", block)], grid, shape, comm, blocks, cuts,
                {"kernel": kernel, **attributes})


def lp_pool(block, grid, shape, kernel, *, comm=None, blocks=None, cuts=None, **attributes):
    """Returns this rank's block of the result of `pool_mlir.lp_pool`. `block` is the rank's block
    of x, and x has `shape`."""
    return call("lp_pool", [("x", block)], grid, shape, comm, blocks, cuts,
                {"kernel": kernel, **attributes})


def extremum_grad(op, block, output_grad, indices, grid, shape, comm, blocks, cuts, attributes):
    operands = [("x", block), ("output_grad", output_grad)]
    if indices is not None:
        operands.append(("indices", indices))
        attributes = {**attributes, "return_indices": True}
    return call(op, operands, grid, shape, comm, blocks, cuts, attributes)


def max_pool_grad(block, output_grad, grid, shape, kernel, *, indices=None, comm=None, blocks=None,
                  cuts=None, **attributes):
    """Returns this rank's block of the result of `pool_mlir.max_pool_grad`. `block`, `output_grad`
    and `indices` are the rank's blocks of x, of the gradient of max_pool's result and, if given, of
    max_pool's indices. x has `shape`."""
    return extremum_grad("max_pool_grad", block, output_grad, indices, grid, shape, comm, blocks,
                         cuts, {"kernel": kernel, **attributes})


def min_pool_grad(block, output_grad, grid, shape, kernel, *, indices=None, comm=None, blocks=None,
                  cuts=None, **attributes):
    """Returns this rank's block of the result of `pool_mlir.min_pool_grad`; see `max_pool_grad`."""
    return extremum_grad("min_pool_grad", block, output_grad, indices, grid, shape, comm, blocks,
                         cuts, {"kernel": kernel, **attributes})


def avg_pool_grad(output_grad, grid, shape, kernel, *, comm=None, blocks=None, cuts=None,
                  **attributes):
    """Returns this rank's block of the result of `pool_mlir.avg_pool_grad`, the gradient of x.
    `output_grad` is the rank's block of the gradient of avg_pool's result. x has `shape`."""
    return call("avg_pool_grad", [("output_grad", output_grad)], grid, shape, comm, blocks, cuts,
                {"kernel": kernel, **attributes})


def max_unpool(values, indices, grid, shape, output_shape, *, comm=None, blocks=None, cuts=None,
               **attributes):
    """Returns this rank's block of the result of `pool_mlir.max_unpool`. `values` and `indices` are
    the rank's blocks of two arrays of `shape`.

    An index may name any position in the dimensions from `axis` on, so each rank receives these
    dimensions whole. To narrow the positions, pass `kernel` and the other arguments of the max_pool
    that made the indices. A window that lies entirely in padding has index 0; with a kernel, its
    value is ignored."""
    return call("max_unpool", [("values", values), ("indices", indices)], grid, shape, comm,
                blocks, cuts, {"output_shape": output_shape, **attributes})
