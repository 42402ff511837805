"""Base classes: a contestant is prepared for one workload and then called.

A peer makes contestants; if it cannot, it raises Unsupported with a reason.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import time

from pooltest import rules
from pooltest.rules import Refused


class Unsupported(Exception):
    """The peer does not support this workload; the message says what it lacks."""


class Contestant:
    """One way to compute a workload, ready to be called.

    `call` runs once. `result` returns (values, indices or None) of the last call in the
    workload's layout. If the data had to be stored in another layout, `same_layout` is
    false: the contestant is shown but does not compete. Limits compute nothing.
    """

    same_layout = True
    is_limit = False
    is_own = False
    # True if the first call compiles: its time then says nothing about later calls.
    first_call_compiles = False

    def call(self):
        raise NotImplementedError

    def result(self):
        raise NotImplementedError

    def times(self, samples, inner):
        """Returns the nanoseconds of each of `samples` runs of `inner` calls.

        Includes 50 ns of the loop itself; reads the clock once per sample.
        """
        call, clock = self.call, time.perf_counter_ns
        result = []
        for _ in range(samples):
            begin = clock()
            for _ in range(inner):
                call()
            result.append(clock() - begin)
        return result

    def close(self):
        """Frees the memory of the workload."""


class Function(Contestant):
    """A Python callable; `read` turns its result into arrays."""

    def __init__(self, function, read, first_call_compiles=False):
        self.function = function
        self.read = read
        self.first_call_compiles = first_call_compiles
        self.last = None

    def call(self):
        # Free the last result first, so that the next may get the same memory.
        self.last = None
        self.last = self.function()

    def result(self):
        return self.read(self.last)

    def close(self):
        self.function = self.read = self.last = None


class Peer:
    """A library. `names` are the names of its contestants."""

    names = ()
    # True if the peer's contestants are present in any selection.
    always = False
    # True if an Isa can limit its instructions.
    obeys_isa = False

    def __init__(self, context):
        """Imports the library; raises ImportError or Unsupported if it is missing."""
        self.context = context

    def version(self):
        raise NotImplementedError

    def prepare(self, name, workload, x):
        """Returns the contestant `name` for a workload on input `x`."""
        raise NotImplementedError


def has_overhang(case):
    """True if ceil makes a window reach beyond the end padding."""
    return any((d.output - 1) * d.stride + (d.kernel - 1) * d.dilation + 1
               > d.input + d.pad_begin + d.pad_end for d in rules.resolve(case))


def same_divisors(case):
    """Returns the values of `divisor` that mean the same for this case."""
    if case.op != "avg_pool" or case.divisor_override is not None:
        return ()
    dims = rules.resolve(case)
    wanted = [[dim.count(case.divisor, o) for o in range(dim.output)] for dim in dims]
    return tuple(divisor for divisor in ("valid", "padded", "kernel")
                 if wanted == [[dim.count(divisor, o) for o in range(dim.output)]
                               for dim in dims])


def same_rounding(case, wanted):
    """True if the rounding_type `wanted` gives the same windows for this case."""
    try:
        return rules.resolve(case.with_(rounding_type=wanted)) == rules.resolve(case)
    except Refused:
        return False
