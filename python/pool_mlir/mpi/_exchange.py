"""Runs schedules over MPI. The ranks first agree that none has failed. Then they exchange halos
while they compute, and agree again. So no rank waits forever for a rank that failed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import hashlib

import numpy as np
from mpi4py import MPI

from .._parts import get_shape
from ._schedule import intersect, shift

# Most bytes in one MPI message: MPI's counts have 31 bits.
LARGEST = 1 << 30

_duplicates = MPI.Comm.Create_keyval(
    delete_fn=lambda comm, key, duplicate: duplicate.Free())


def duplicate(comm):
    """Returns the duplicate of a communicator, which keeps our messages apart from the caller's.
    The first call for `comm` makes the duplicate, which all ranks must do together. MPI frees the
    duplicate when it frees `comm`. Raises ValueError for an intercommunicator."""
    if comm.Is_inter():
        raise ValueError("the communicator is an intercommunicator, its ranks are two groups")
    own = comm.Get_attr(_duplicates)
    if own is None:
        own = comm.Dup()
        comm.Set_attr(_duplicates, own)
    return own


class OtherRankFailed(RuntimeError):
    """Another rank raised an error. The text of this exception contains that error's text."""


def agree(comm, op, facts, error):
    """Returns if no rank has an error and the facts of all ranks are equal; otherwise raises on all
    ranks. A rank with an error raises its own, and all others raise OtherRankFailed. If facts
    differ, all ranks raise ValueError.

    `facts` is a sequence of dicts. A value that follows from others must be in a later dict than
    these, so that the message names the cause. If the ranks agree, the cost is one reduction of 24
    bytes."""
    text = repr([sorted(group.items()) for group in facts])
    digest = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little",
                            signed=True)
    # ~min(~digest) is the greatest digest. It equals the least one only if all digests are equal.
    mine = np.array([error is None, digest, ~digest], np.int64)
    least = np.empty_like(mine)
    comm.Allreduce(mine, least, MPI.MIN)
    if least[0] and least[1] == ~least[2]:
        return
    message = None if error is None else f"{type(error).__name__}: {error}"
    everyone = comm.allgather((message, facts))
    if error is not None:
        raise error
    for rank, (message, _) in enumerate(everyone):
        if message is not None:
            raise OtherRankFailed(f"{op}: rank {rank} of {comm.size} failed with {message}")
    raise ValueError(f"{op}: ranks disagree on {describe([facts for _, facts in everyone])}")


def describe(facts):
    """Returns a description of the first difference between rank 0 and the first rank whose facts
    differ."""
    for rank, other in enumerate(facts):
        for groups in zip(facts[0], other):
            for name in dict.fromkeys(name for group in groups for name in group):
                first, second = (group.get(name, "none given") for group in groups)
                if first != second:
                    return f"{name}: rank 0 has {first}, rank {rank} has {second}"
    raise AssertionError("digests differ, facts do not")


def as_bytes(array):
    """Returns a view of a contiguous array as bytes. MPI has no types for f16 and bf16."""
    return array.reshape(-1).view(np.uint8)


def split(data):
    """Splits an array of bytes into pieces of at most LARGEST bytes."""
    return [data[begin:begin + LARGEST] for begin in range(0, data.size, LARGEST)]


class Exchange:
    """One call of an operation on one rank, with its buffers. Raises ValueError if one of `arrays`,
    the rank's blocks, has another shape or element type than the schedule says."""

    def __init__(self, schedule, arrays):
        self.schedule, self.arrays = schedule, arrays
        plan = schedule.plan
        self.dtypes = [plan.dtypes[name] for name in plan.operands]
        for name, dtype, block, array in zip(plan.operands, self.dtypes, schedule.blocks, arrays):
            if array.shape != get_shape(block):
                ranges = ", ".join(f"{b.start}:{b.stop}" for b in block)
                raise ValueError(f"{plan.op}: the block {schedule.part.index} of {name} has the "
                                 f"shape {array.shape}, must have {get_shape(block)}: [{ranges}]")
            if array.dtype != dtype:
                raise ValueError(f"{plan.op}: {name} has elements of {array.dtype}, must have "
                                 f"{dtype}")
        self.received = [np.empty(get_shape(message.box), self.dtypes[message.operand])
                         for message in schedule.receives]
        self.sent = [
            np.ascontiguousarray(arrays[message.operand][
                shift(message.box, schedule.blocks[message.operand])])
            for message in schedule.sends]
        self.results = [np.empty(schedule.part.shape, plan.dtypes[name]) for name in plan.results]

    def start(self, comm):
        """Starts to receive and send all messages, and returns their requests without waiting. A
        rank sends another rank at most one message for each operand, so the tag is the operand's
        number. The pieces of a message have the same tag, since MPI keeps their order."""
        requests = []
        for message, array in zip(self.schedule.receives, self.received):
            requests += [comm.Irecv(piece, message.rank, message.operand)
                         for piece in split(as_bytes(array))]
        for message, array in zip(self.schedule.sends, self.sent):
            requests += [comm.Isend(piece, message.rank, message.operand)
                         for piece in split(as_bytes(array))]
        return requests

    def gather(self, number, box):
        """Returns the box `box` of operand `number`. It is a view if the rank's own block holds it,
        otherwise a copy from this block and the received messages."""
        own = self.schedule.blocks[number]
        if intersect(box, own) == box:
            return self.arrays[number][shift(box, own)]
        result = np.empty(get_shape(box), self.dtypes[number])
        held = [(own, self.arrays[number])]
        held += [(message.box, array)
                 for message, array in zip(self.schedule.receives, self.received)
                 if message.operand == number]
        for place, array in held:
            common = intersect(box, place)
            if common:
                result[shift(common, box)] = array[shift(common, place)]
        return result

    def compute(self, piece):
        slices = [self.gather(number, box) for number, box in enumerate(piece.inputs.values())]
        results = piece.run(*slices)
        results = results if isinstance(results, tuple) else (results,)
        if piece.output == self.schedule.part.output:
            self.results = [np.ascontiguousarray(values) for values in results]
            return
        for whole, values in zip(self.results, results):
            whole[shift(piece.output, self.schedule.part.output)] = values


def run(comm, op, prepare):
    """Returns a list of the rank's results. `prepare()` must return the Exchange, and the facts on
    which ranks must agree; see `agree`. The call fails on all ranks or on none."""
    exchange, facts, error = None, (), None
    try:
        exchange, facts = prepare()
    except BaseException as caught:  # pylint: disable=broad-exception-caught
        error = caught
    agree(comm, op, facts, error)
    try:
        requests = exchange.start(comm)
        try:
            for piece in exchange.schedule.interior:
                exchange.compute(piece)
                # Some MPI libraries move messages only while one of their functions runs.
                MPI.Request.Testall(requests)
        finally:
            MPI.Request.Waitall(requests)
        for piece in exchange.schedule.borders:
            exchange.compute(piece)
    except BaseException as caught:  # pylint: disable=broad-exception-caught
        error = caught
    agree(comm, op, (), error)
    return exchange.results
