"""Times the contestants of a workload in turns of many short rounds.

In a round, every contestant that has turns left takes one, so that a disturbance of a shared
machine affects all. A turn begins with a rest, in which the worker threads of the previous
contestant fall asleep. Then follow untimed calls, unless the contestant has a single turn.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import statistics
import time
from dataclasses import dataclass

# Least time between two readings of the clock, unless one call takes longer
SAMPLE_NS = 2_000
# Least time of the untimed calls that begin a turn. There is at least one such call. Short
# calls need several until the caches and the branch predictors are warm.
WARM_NS = 5_000_000


@dataclass
class Plan:
    """Amount of measuring: rounds, time of a contestant's turn, time of all its turns
    together, and rest before a turn."""

    rounds: int
    turn_us: float
    seconds: float
    rest_ms: float


class Turns:
    """The turns of one contestant, as many as the plan allows. `first_us` is the time of
    the contestant's first call."""

    def __init__(self, contestant, plan, first_us):
        self.contestant = contestant
        self.samples_ns = []
        self.inner = self.samples = self.warm = 1
        once = self.estimate(plan, first_us * 1000)
        if self.samples_ns:
            self.rounds = 0
            return
        self.inner = max(1, math.ceil(SAMPLE_NS / once))
        sample = once * self.inner
        self.warm = max(1, math.ceil(WARM_NS / once))
        self.samples = max(1, min(1000, round(plan.turn_us * 1000 / sample)))
        allowed = plan.seconds * 1e9 / (sample * self.samples + once * self.warm)
        self.rounds = max(1, min(plan.rounds, int(allowed)))

    def estimate(self, plan, first_ns):
        """Returns the approximate nanoseconds of a call. If one call takes longer than the
        plan allows for all turns together, its time becomes the only sample."""
        budget = plan.seconds * 1e9
        if first_ns > budget and not self.contestant.first_call_compiles:
            self.samples_ns = [first_ns]
            return first_ns
        once = self.contestant.times(1, 1)[0]
        if once > budget:
            self.samples_ns = [once]
        if once < 1e6:
            once = min(self.contestant.times(10, 1))
        return max(once, 1.0)

    def take(self):
        # A single round has no untimed calls of its own: estimate() has called already.
        if self.rounds > 1:
            self.contestant.times(1, self.warm)
        self.samples_ns += [t / self.inner
                            for t in self.contestant.times(self.samples, self.inner)]


def run_rounds(contestants, first_us, plan):
    """Returns {name: {min_us, median_us, calls, rounds}}. `first_us` has the time of
    each contestant's first call."""
    turns = {name: Turns(contestant, plan, first_us[name])
             for name, contestant in contestants.items()}
    names = list(turns)
    for number in range(plan.rounds):
        # Rotate, so that no contestant always follows the same one.
        shift = number % len(names)
        order = names[shift:] + names[:shift]
        for name in order if number % 2 == 0 else reversed(order):
            if number < turns[name].rounds:
                time.sleep(plan.rest_ms / 1000)
                turns[name].take()
    return {name: {"min_us": min(turn.samples_ns) / 1000,
                   "median_us": statistics.median(turn.samples_ns) / 1000,
                   "calls": len(turn.samples_ns) * turn.inner,
                   "rounds": max(turn.rounds, 1)}
            for name, turn in turns.items()}
