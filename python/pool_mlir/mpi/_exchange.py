"""Runs schedules over MPI: ranks agree, exchange halos while they compute, and agree
again, so that none waits for one that failed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import hashlib

import numpy as np
from mpi4py import MPI

from .._parts import get_shape
from ._schedule import intersect, shift

# Bytes of one message of MPI, whose counts have 31 bits.
LARGEST = 1 << 30

_duplicates = MPI.Comm.Create_keyval(
    delete_fn=lambda comm, key, duplicate: duplicate.Free())


def duplicate(comm):
    """The communicator's duplicate, made once and freed with it: messages of the caller
    and ours never meet. Collective the first time."""
    if comm.Is_inter():
        raise ValueError("the communicator is an intercommunicator, its ranks are two groups")
    own = comm.Get_attr(_duplicates)
    if own is None:
        own = comm.Dup()
        comm.Set_attr(_duplicates, own)
    return own


class OtherRankFailed(RuntimeError):
    """Another rank raised an error; the message is its own."""


def agree(comm, op, facts, error):
    """Raises on all ranks if any has an error, or other facts than the rest: dicts of
    what has to be the same, what follows from others last. One reduction of 24 bytes
    where all is well."""
    text = repr([sorted(group.items()) for group in facts])
    digest = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little",
                            signed=True)
    # The smallest digest and the smallest complement are of one number only if all are.
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
    """What the first rank that differs from rank 0 differs in."""
    for rank, other in enumerate(facts):
        for groups in zip(facts[0], other):
            for name in dict.fromkeys(name for group in groups for name in group):
                first, second = (group.get(name, "none given") for group in groups)
                if first != second:
                    return f"{name}: rank 0 has {first}, rank {rank} has {second}"
    raise AssertionError("digests differ, facts do not")


def as_bytes(array):
    """A contiguous array as bytes: MPI knows neither f16 nor bf16."""
    return array.reshape(-1).view(np.uint8)


def split(data):
    """Pieces that MPI can count."""
    return [data[begin:begin + LARGEST] for begin in range(0, data.size, LARGEST)]


class Exchange:
    """One call of an operation on one rank; buffers are allocated with it."""

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
        """Posts all messages. Two ranks have at most one for each operand, whose number
        is its tag."""
        requests = []
        for message, array in zip(self.schedule.receives, self.received):
            requests += [comm.Irecv(piece, message.rank, message.operand)
                         for piece in split(as_bytes(array))]
        for message, array in zip(self.schedule.sends, self.sent):
            requests += [comm.Isend(piece, message.rank, message.operand)
                         for piece in split(as_bytes(array))]
        return requests

    def gather(self, number, box):
        """What a piece needs of an operand: a view of the rank's own block, or a copy of
        what it and the messages hold."""
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
    """The rank's results. `prepare()` gives the Exchange and the facts that ranks have
    to agree on; it and what follows fail on all ranks or on none."""
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
                # MPI need not get on with messages unless it is called.
                MPI.Request.Testall(requests)
        finally:
            MPI.Request.Waitall(requests)
        for piece in exchange.schedule.borders:
            exchange.compute(piece)
    except BaseException as caught:  # pylint: disable=broad-exception-caught
        error = caught
    agree(comm, op, (), error)
    return exchange.results
