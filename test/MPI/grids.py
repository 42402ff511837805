# RUN: %mpirun -n 1 %doors_python -m mpi4py %s
# RUN: %mpirun -n 2 %doors_python -m mpi4py %s
# RUN: %mpirun -n 3 %doors_python -m mpi4py %s
# RUN: %mpirun -n 4 %doors_python -m mpi4py %s
# RUN: %mpirun -n 6 %doors_python -m mpi4py %s
"""pool_mlir.mpi: every grid of ranks must give the results of one rank.

Random operations of all KINDS of test/Integration/partition.py, forward and backward, run on
grids of the ranks. Blocks are even or of random sizes, some with one element or none, and in
several memory orders. By NumPy definitions from pooltest, an operation runs on all grids, or on
some in lower tiers. Compiled, it runs on one grid. Inputs are NumPy arrays, or torch tensors
where torch is installed (test/Torch/mpi.test). Each rank receives exactly as many bytes as the
partition says.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import sys

import numpy as np
from mpi4py import MPI

import pool_mlir
from partition import COMPILED, KINDS, SUMS, Problem, glue
from pool_mlir import _parts, mpi
from pool_mlir.mpi import _exchange, _schedule
from pool_mlir.mpi._arrays import as_library
from pooltest import tier
from pooltest.compare import same_arrays
from pooltest.definition import by_definition
from pooltest.report import Report

try:
    import torch
except ImportError:
    torch = None

WORLD = MPI.COMM_WORLD


class Counting(MPI.Intracomm):
    """A communicator that counts the received bytes. Its duplicate, which pool_mlir.mpi uses,
    adds to the same count."""

    received = 0

    def Irecv(self, buf, source, tag):  # pylint: disable=invalid-name
        Counting.received += buf.nbytes
        return super().Irecv(buf, source, tag)


def each_grid(size, rank):
    """All ways to write `size` as a product of `rank` numbers."""
    if rank == 1:
        return [(size,)]
    return [(n, *rest) for n in range(1, size + 1) if size % n == 0
            for rest in each_grid(size // n, rank - 1)]


def random_sizes(rng, extent, count):
    places = np.sort(rng.integers(0, extent + 1, count - 1))
    return np.diff([0, *places, extent]).tolist()


def in_memory(rng, array):
    """Returns the block column-major, as a part of a larger array, or as a copy."""
    form = rng.integers(3)
    if form == 0:
        return np.asfortranarray(array)
    if form == 1:
        large = np.zeros([extent + 2 for extent in array.shape], array.dtype)
        inside = large[tuple(slice(1, extent + 1) for extent in array.shape)]
        inside[...] = array
        return inside
    return array.copy()


def call(problem, held, grid, **more):
    """Calls the function of the problem's operation on this rank's blocks."""
    attributes = dict(problem.attributes)
    function = getattr(mpi, problem.op)
    if problem.op == "max_unpool":
        attributes.pop("index_element_type")
        return function(*held, grid, problem.shape, **attributes, **more)
    if problem.op in ("max_pool_grad", "min_pool_grad"):
        if attributes.pop("return_indices", False):
            attributes.pop("index_element_type")
            more["indices"] = held[2]
        held = held[:2]
    return function(*held, grid, problem.shape, attributes.pop("kernel"), **attributes, **more)


def check(problem, grid, rng, comm, report, **more):
    """Compares one operation on one grid with the definition on the whole arrays."""
    whole = problem.cut([None] * problem.rank, **more)
    expected = glue(whole, problem.arrays)
    stored, cuts = {name: grid for name in whole.operands}, grid
    if rng.random() < 0.5:
        stored = {name: [random_sizes(rng, *dim) for dim in zip(shape, grid)]
                  for name, shape in whole.shapes.items()}
        cuts = [random_sizes(rng, *dim) for dim in zip(whole.output_shape, grid)]
        more.update(blocks=stored, cuts=cuts)
        report.count("random blocks")
    own = {name: value for name, value in more.items() if name == "uniform_sums"}
    plan = problem.cut(cuts, input_cuts=stored, **own)
    coordinates = _schedule.get_coordinates(comm.rank, grid)
    part = plan[coordinates]
    local = np.random.default_rng(comm.rank)
    blocks = [in_memory(local, array[_schedule.get_block(plan, name, coordinates)])
              for name, array in zip(plan.operands, problem.arrays)]
    if comm.rank == 0 and whole.dtype.name == "bfloat16":
        report.count("bf16")
    use_torch = rng.random() < 0.3 and torch is not None
    if use_torch:
        blocks = [as_library(block, torch.empty(0)) for block in blocks]
        report.count("torch's tensors")
    Counting.received = 0
    results = call(problem, blocks, grid, comm=comm, **more)
    results = results if isinstance(results, tuple) else (results,)
    for result, values, name in zip(results, expected, plan.results):
        report.expect(isinstance(result, np.ndarray) != use_torch, "library of the result")
        actual = mpi.as_numpy(result, problem.op, name)
        report.expect(same_arrays(actual, values[part.output]), f"{problem.op} on {comm.size} ranks",
                      f"{problem}\ngrid {grid}, rank {comm.rank}, {more}",
                      whole=values[part.output], part=actual)
    moved = part.get_moved_bytes()
    report.expect(Counting.received == moved, "bytes received",
                  f"{problem}\ngrid {grid}: {Counting.received} of {moved}")
    report.count("bytes received", Counting.received)
    report.count(f"{problem.op} on {comm.size} ranks")
    if moved:
        report.count("parts with a halo")
    if any(abs(i - j) > 1 for name in plan.operands for source in part.sources(name)
           for i, j in zip(source.block, part.index)):
        report.count("halos over several ranks")


def run_random(rng, count, title, comm, report):
    """Runs `count` operations of each kind, each on the grids of its tier, or on one grid if it
    is compiled."""
    for kind, make in enumerate(KINDS):
        for _ in range(count):
            problem = make(rng)
            grids = each_grid(comm.size, problem.rank)
            grids = ([grids[int(rng.integers(len(grids)))]] if title == "compiled" else
                     tier.sample(grids, tier.size(None, 6, 3), fixed=kind))
            for grid in grids:
                uniform = {"uniform_sums": True} if kind in SUMS else {}
                check(problem, grid, rng, comm, report, **uniform)
                report.count(title)


def run_overlap(comm, report):
    """The part without halo is computed from the block in place while halos arrive. It
    is split into pieces of about the intended number of bytes."""
    for size in (300, _schedule.PIECE):
        _schedule.PIECE = size
        _schedule.make_schedule.cache_clear()
        for grid in each_grid(comm.size, 4):
            check_overlap(grid, comm, report)
    _parts.call = by_definition


def check_overlap(grid, comm, report):
    shape, taken = (1, 2, 24, 30), []
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    problem = Problem("max_pool", [x], {"kernel": [3, 3], "strides": [1, 1],
                                        "pads_begin": [1, 1], "pads_end": [1, 1]})
    _parts.call = by_definition
    expected = glue(problem.cut([None] * 4), [x])[0]

    def record(name, attributes, operands, *rest, **more):
        operands = list(operands)
        taken.append(operands[0])
        return by_definition(name, attributes, operands, *rest, **more)

    box = mpi.get_block(shape, grid, comm)
    block = np.ascontiguousarray(x[box])
    _parts.call = record
    result = call(problem, [block], grid, comm=comm)
    title = f"overlap on {grid}"
    report.expect(same_arrays(result, expected[box]), f"{title}: result")
    inside = [array for array in taken if np.shares_memory(array, block)]
    borders = len(taken) - len(inside)
    report.expect(bool(inside) == bool(block.size), f"{title}: the interior is no copy")
    report.expect(borders <= 4, f"{title}: {borders} borders")
    if borders:
        cut = max(3 * result.nbytes // _schedule.PIECE, 1)
        report.expect(len(inside) <= cut, f"{title}: {len(inside)} pieces of {result.nbytes} bytes")
        report.count("interiors in several pieces", len(inside) > 1)
    report.count("interiors", block.size > 0)


def run_split(rng, comm, report):
    """Messages longer than MPI can count are split. A limit of 7 bytes splits all of them, even
    within an element."""
    largest, _exchange.LARGEST = _exchange.LARGEST, 7
    for kind in (0, 6, 9):
        problem = KINDS[kind](rng)
        for grid in each_grid(comm.size, problem.rank):
            check(problem, grid, rng, comm, report)
    _exchange.LARGEST = largest


def run():
    # All ranks draw the same numbers.
    rng = np.random.default_rng(WORLD.bcast(tier.seed(19), 0))
    comm = Counting(WORLD.Dup())
    report = Report(f"mpi, {comm.size} ranks")
    pool_mlir.set_num_threads(1)
    _parts.call = by_definition
    run_random(rng, tier.size(20, 1, 1), "by definition", comm, report)
    run_overlap(comm, report)
    run_split(rng, comm, report)
    _parts.call = COMPILED
    run_random(rng, tier.size(6, 1, 1), "compiled", comm, report)
    reports = comm.gather(report, 0)
    failed = False
    if comm.rank == 0:
        for other in reports[1:]:
            report.merge(other)
        operations = itertools.product(("max_pool", "min_pool", "avg_pool", "lp_pool",
                                        "max_pool_grad", "min_pool_grad", "avg_pool_grad",
                                        "max_unpool"), (comm.size,))
        report.require_counted("random blocks", "bf16", "interiors",
                               *(f"{op} on {size} ranks" for op, size in operations))
        if torch:
            report.require_counted("torch's tensors")
        if comm.size > 1:
            report.require_counted("parts with a halo", "interiors in several pieces")
        if comm.size > 2:
            report.require_counted("halos over several ranks")
        failed = report.finish()
    comm.Free()
    return WORLD.bcast(failed, 0)


if __name__ == "__main__":
    sys.exit(run())
