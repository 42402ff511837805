# RUN: %mpirun -n 2 %doors_python -m mpi4py %s
# RUN: %mpirun -n 4 %doors_python -m mpi4py %s
# UNEXPLORED: its data only has to differ from element to element.
"""pool_mlir.mpi: if ranks disagree or one fails, all ranks must raise an error and be able to
continue.

Each rank in turn differs from the others in one argument, or fails before the exchange of
messages or while it computes. After every failure a correct operation runs on all ranks. It shows
that no rank still waits and that no message is left over.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys
import time

import numpy as np
from mpi4py import MPI

import pool_mlir
from pool_mlir import _parts, mpi
from pooltest.report import Report

try:
    import torch
except ImportError:
    torch = None

WORLD = MPI.COMM_WORLD
SHAPE = (1, 2, 12, 10)
GRID = {2: (1, 1, 2, 1), 4: (1, 1, 2, 2)}[WORLD.size]
OTHER_GRID = {2: (1, 1, 1, 2), 4: (1, 1, 4, 1)}[WORLD.size]
X = np.random.default_rng(1).standard_normal(SHAPE).astype(np.float32)
BLOCK = X[mpi.get_block(SHAPE, GRID)]
WINDOW = {"kernel": 3, "strides": 1, "pads_begin": 1, "pads_end": 1}
MAXIMA, INDICES = pool_mlir.max_pool(X, **WINDOW, return_indices=True)
INDICES_BLOCK = INDICES[mpi.get_block(SHAPE, GRID)]


def pool(block=BLOCK, grid=GRID, shape=SHAPE, op=mpi.max_pool, **more):
    return op(block, grid, shape, **{**WINDOW, **more})


def unpool(indices):
    return mpi.max_pool_grad(BLOCK, BLOCK, GRID, SHAPE, indices=indices, **WINDOW)


def raised(function):
    try:
        function()
    except Exception as error:  # pylint: disable=broad-exception-caught
        return error
    return None


def check_sound(report, title):
    """Checks that all ranks can continue."""
    result = pool()
    report.expect(np.array_equal(result, MAXIMA[mpi.get_block(SHAPE, GRID)]),
                  f"{title}: the operation after it")
    report.count("operations after a failure")


# Arguments with which one rank differs, and the expected message.
DISAGREEMENTS = (
    ({"kernel": 2}, "kernel: rank 0 has"),
    ({"strides": 2}, "strides: rank 0 has"),
    ({"pads_begin": 0}, "pads_begin: rank 0 has"),
    ({"dilations": 2}, "dilations: rank 0 has (1, 1), rank"),
    ({"rounding_type": "ceil"}, "rounding_type: rank 0 has floor"),
    ({"nan_mode": "propagate"}, "nan_mode: rank 0 has ignore"),
    ({"return_indices": True}, "return_indices: rank 0 has False"),
    ({"shape": (1, 2, 12, 10), "grid": OTHER_GRID,
      "block": X[mpi.get_block(SHAPE, OTHER_GRID)]}, "grid: rank 0 has"),
    ({"op": mpi.min_pool}, "operation: rank 0 has max_pool"),
    ({"block": BLOCK.astype(np.float64)}, "elements: rank 0 has float32"),
    ({"cuts": (1, 1, [12] + [0] * (GRID[2] - 1), [10] + [0] * (GRID[3] - 1))},
     "cuts: rank 0 has"),
)


def run_disagreements(report):
    for different in range(WORLD.size):
        for arguments, expected in DISAGREEMENTS:
            error = raised(lambda: pool(**(arguments if WORLD.rank == different else {})))
            if different == 0:
                # Rank 0 differs, so the message shows its argument first.
                expected = expected.split(":")[0] + ": rank 0 has"
            report.expect(type(error) is ValueError and "ranks disagree on " + expected
                          in str(error), f"disagreement on {list(arguments)}", repr(error),
                          expected=expected)
            report.count("disagreements")
            check_sound(report, f"{list(arguments)}")


# Explicit arguments on one rank that equal the defaults of the others.
SPELLINGS = ({"kernel": [3, 3]}, {"dilations": 1}, {"strides": (1, 1)}, {"rounding_type": "floor"},
             {"auto_pad": "explicit"}, {"nan_mode": "ignore"}, {"pad_value": "neg_inf"},
             {"axis": 0}, {"layout": "channels_first"}, {"return_indices": False},
             {"blocks": GRID}, {"cuts": GRID}, {"kernel": np.array([3, 3])}, {"strides": None},
             {"return_indices": 0}, {"return_indices": np.False_})
# Flags that one rank writes in another form than the others.
FLAGS = (("max_pool", {"return_indices": True}, {"return_indices": 1}),
         ("avg_pool", {"uniform_sums": True}, {"uniform_sums": 1}),
         ("avg_pool", {}, {"uniform_sums": 0}))


def run_spellings(report):
    for different in (0, WORLD.size - 1):
        for arguments in SPELLINGS:
            result = pool(**(arguments if WORLD.rank == different else {}))
            report.expect(np.array_equal(result, MAXIMA[mpi.get_block(SHAPE, GRID)]),
                          f"{arguments} beside its default")
            report.count("arguments beside their defaults")
        for op, usual, spelt in FLAGS:
            result = pool(op=getattr(mpi, op), **(spelt if WORLD.rank == different else usual))
            expected = pool(op=getattr(mpi, op), **usual)
            report.expect(np.array_equal(result, expected), f"{op}: {spelt} beside {usual}")
            report.count("spellings of flags")


def refuse_memory(*_, **__):
    raise MemoryError("no memory for this test")


def stop(*_, **__):
    raise KeyboardInterrupt("stopped by this test")


def out_of_window():
    indices = INDICES_BLOCK.copy()
    # Only this rank's part reads this index, so the other ranks cannot find the error.
    indices[0, 0, 3, 2] = X.size - 1
    return unpool(indices)


def with_engine(engine):
    def function():
        own, _parts.call = _parts.call, engine
        try:
            return pool()
        finally:
            _parts.call = own
    return function


# (failing call of one rank, call of the other ranks, type of the error, its message)
FAILURES = (
    (lambda: pool(block=BLOCK[:, 1:]), pool, ValueError, "must have (1, 2, "),
    (lambda: pool(block=None), pool, TypeError, "x is a NoneType, must be a NumPy array"),
    (lambda: pool(block=BLOCK.astype(">f4")), pool, TypeError, "in this machine's byte order"),
    (lambda: pool(block=np.ma.array(BLOCK)), pool, TypeError, "x is a masked array, whose mask"),
    (lambda: pool(grid=(1, 1, 1)), pool, ValueError, "has 3 dimensions"),
    (lambda: pool(grid=(3, 1, 1, 1)), pool, ValueError, "is one of 3 ranks"),
    (lambda: pool(kernel=0), pool, ValueError, "kernel"),
    (lambda: pool(colour="red"), pool, TypeError, "colour"),
    (lambda: pool(cuts=(1, 1, 3, 1)), pool, ValueError, "is cut into 3"),
    (lambda: pool(blocks={"y": GRID}), pool, ValueError, "no operand 'y'"),
    *([(lambda: pool(block=torch.zeros(BLOCK.shape, requires_grad=True)), pool, TypeError,
        "asks for a gradient")] if torch else []),
    (out_of_window, lambda: unpool(INDICES_BLOCK), ValueError, "index 239 at"),
    (with_engine(refuse_memory), pool, MemoryError, "no memory for this test"),
)


def run_failures(report):
    for failing in range(WORLD.size):
        for wrong, right, kind, text in FAILURES:
            if WORLD.rank == failing:
                # Fail late, so that the other ranks really wait for this one.
                time.sleep(0.02)
                error = raised(wrong)
                report.expect(type(error) is kind and text in str(error), "own error",
                              repr(error), expected=text)
            else:
                error = raised(right)
                report.expect(isinstance(error, mpi.OtherRankFailed)
                              and f"rank {failing} of {WORLD.size} failed with {kind.__name__}: "
                              in str(error) and text in str(error), "another rank's error",
                              repr(error), expected=text)
            report.count("failures")
            check_sound(report, text)


def run_interrupted(report):
    """KeyboardInterrupt does not derive from Exception. The interrupted rank still raises
    it, and the other ranks stop waiting and raise an error."""
    for failing in range(WORLD.size):
        if WORLD.rank == failing:
            try:
                with_engine(stop)()
                report.mismatch("an interrupt is lost")
            except KeyboardInterrupt:
                report.count("interrupts")
        else:
            error = raised(pool)
            report.expect("stopped by this test" in str(error), "interrupt", repr(error))
        check_sound(report, "interrupt")


def run_same_error(report):
    """If all ranks fail alike, each raises the error itself."""
    error = raised(lambda: pool(strides=0))
    report.expect(type(error) is ValueError and "stride" in str(error), "all fail", repr(error))
    check_sound(report, "all fail")


def run_communicators(report):
    """The caller's messages and ours do not mix: a waiting receive of the caller, for any
    message, must not get one of ours. The communicator is duplicated once."""
    comm = WORLD.Dup()
    waiting = comm.Irecv(bytearray(1 << 20), MPI.ANY_SOURCE, MPI.ANY_TAG)
    first = mpi._exchange.duplicate(comm)
    report.expect(np.array_equal(pool(comm=comm), MAXIMA[mpi.get_block(SHAPE, GRID)]),
                  "beside a waiting receive")
    report.expect(mpi._exchange.duplicate(comm) == first != comm, "the duplicate is kept")
    comm.Isend(b"!", comm.rank, 5).Wait()
    status = MPI.Status()
    waiting.Wait(status)
    report.expect(status.Get_tag() == 5, "the caller's receive")
    comm.Free()


def run():
    report = Report(f"mpi failures, {WORLD.size} ranks")
    pool_mlir.set_num_threads(1)
    run_disagreements(report)
    run_spellings(report)
    run_failures(report)
    run_interrupted(report)
    run_same_error(report)
    run_communicators(report)
    reports = WORLD.gather(report, 0)
    failed = False
    if WORLD.rank == 0:
        for other in reports[1:]:
            report.merge(other)
        failed = report.finish()
    return WORLD.bcast(failed, 0)


if __name__ == "__main__":
    sys.exit(run())
