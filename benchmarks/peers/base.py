"""What every contestant is: something prepared for one workload that is called.

A peer makes contestants; it raises Unsupported with a reason where it cannot.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import time

from pooltest import rules
from pooltest.rules import Refused


class Unsupported(Exception):
    """The peer cannot do this workload; the message says what it lacks."""


class Contestant:
    """One way to compute a workload, ready to be called.

    `call` runs once. `result` gives (values, indices or None) of the last call,
    laid out as the workload's. `same_layout` is false where the data had to be
    stored otherwise than the workload says: then the contestant is shown, but
    is no opponent. Limits compute nothing.
    """

    same_layout = True
    is_limit = False
    is_own = False
    # Whether the first call says nothing about the others.
    first_call_compiles = False

    def call(self):
        raise NotImplementedError

    def result(self):
        raise NotImplementedError

    def times(self, samples, inner):
        """Nanoseconds of each of `samples` runs of `inner` calls.

        Includes the loop's own 50 ns; the clock is read once per sample.
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
        """Frees what the workload needed."""


class Function(Contestant):
    """A Python callable that returns what `read` turns into arrays."""

    def __init__(self, function, read, first_call_compiles=False):
        self.function = function
        self.read = read
        self.first_call_compiles = first_call_compiles
        self.last = None

    def call(self):
        # Before the next is made, so that it may have the same memory.
        self.last = None
        self.last = self.function()

    def result(self):
        return self.read(self.last)

    def close(self):
        self.function = self.read = self.last = None


class Peer:
    """A library that can be asked. `names` are its contestants' names."""

    names = ()
    # Whether its contestants are there whatever is chosen.
    always = False
    # Whether it can be kept to the instructions of an Isa.
    obeys_isa = False

    def __init__(self, context):
        """Imports the library: ImportError or Unsupported if it is not there."""
        self.context = context

    def version(self):
        raise NotImplementedError

    def prepare(self, name, workload, x):
        """The contestant `name` for a workload on input `x`."""
        raise NotImplementedError


def has_overhang(case):
    """Whether ceil makes a window reach beyond the end padding."""
    return any((d.output - 1) * d.stride + (d.kernel - 1) * d.dilation + 1
               > d.input + d.pad_begin + d.pad_end for d in rules.resolve(case))


def same_divisors(case):
    """The values of `divisor` that mean the same for this case."""
    if case.op != "avg_pool" or case.divisor_override is not None:
        return ()
    dims = rules.resolve(case)
    wanted = [[dim.count(case.divisor, o) for o in range(dim.output)] for dim in dims]
    return tuple(divisor for divisor in ("valid", "padded", "kernel")
                 if wanted == [[dim.count(divisor, o) for o in range(dim.output)]
                               for dim in dims])


def same_rounding(case, wanted):
    """Whether `wanted` (a rounding_type) gives this case's extents."""
    try:
        return rules.resolve(case.with_(rounding_type=wanted)) == rules.resolve(case)
    except Refused:
        return False
