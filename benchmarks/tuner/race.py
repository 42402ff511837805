"""Times plans against each other, so that a change of the machine's speed affects all."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from peers.own import POISON

REFUSAL = "cannot be lowered by pool.plan: "
# After the heats, plans within this factor of the least time reach the semifinal.
HEAT_MARGIN = 1.25
MOST_FINALISTS = 16
# Number of plans that are compiled before they are timed
BATCH = 32
# Numbers of rounds. The final has so many that two plans with the same code differ only by
# noise.
ROUNDS = {"semifinal": 7, "final": 25}
SLICE = 1e-3
# A plan that takes this many times as long as the chosen one, or longer, does not reach the
# semifinal.
HOPELESS = 4


@dataclass
class Contestant:
    plan: str
    call: callable
    least: float = float("inf")


@dataclass
class Result:
    """The result of a problem. Times are microseconds of a call without overhead, the least of
    all rounds."""

    name: str
    vector_bits: int
    space: int
    tried: int = 0
    refused: int = 0
    wrong: list = field(default_factory=list)
    # Reason if there are no times
    given_up: str = ""
    chosen: str = ""
    chosen_us: float = 0
    # Time of the chosen plan when it is compiled a second time
    again_us: float = 0
    best: str = ""
    best_us: float = 0
    # Plan -> its time in the heat, which has fewer rounds than a final. For the chosen and the
    # best plan, the time is that of the final.
    times: dict = field(default_factory=dict)

    @property
    def ratio(self):
        # If the best plan is the chosen one, any difference is noise.
        return 1.0 if self.best == self.chosen else self.chosen_us / self.best_us

    @property
    def noise(self):
        return max(self.chosen_us, self.again_us) / min(self.chosen_us, self.again_us)


class Arrays:
    """The inputs and outputs that all plans of a problem share, because their addresses
    affect a plan's speed."""

    def __init__(self, problem):
        self.inputs = problem.make_inputs()
        self.makes_outputs = problem.has_unknown_outputs
        self.outputs = None

    def bind(self, function):
        """Returns a call, and copies of the values that it computed."""
        call = functools.partial(function, *self.inputs)
        if self.outputs is None or self.makes_outputs:
            result = call()
            self.outputs = result if isinstance(result, tuple) else (result,)
        if not self.makes_outputs:
            # Overwrite the results of the previous plan, so that they cannot pass for this one's.
            for output in self.outputs:
                output.view(np.uint8)[...] = POISON
            call = functools.partial(
                call, out=self.outputs if len(self.outputs) > 1 else self.outputs[0])
            call()
        return call, [output.copy() for output in self.outputs]


def run_round(contestant, seconds):
    """Calls the contestant for `seconds`, at least once."""
    begin = now = time.perf_counter()
    while True:
        before = now
        contestant.call()
        now = time.perf_counter()
        contestant.least = min(contestant.least, now - before)
        if now - begin >= seconds:
            return


def run_rounds(contestants, count):
    for contestant in contestants:
        contestant.least = float("inf")
    for _ in range(count):
        for contestant in contestants:
            run_round(contestant, SLICE)
    contestants.sort(key=lambda contestant: contestant.least)


def is_same(actual, expected, is_sum):
    for a, e in zip(actual, expected):
        if is_sum and a.dtype.kind == "f":
            tolerance = {2: 1e-2, 4: 1e-4, 8: 1e-10}[a.dtype.itemsize]
            if not np.allclose(a, e, rtol=tolerance, atol=tolerance):
                return False
        elif not np.array_equal(a, e, equal_nan=a.dtype.kind == "f"):
            return False
    return True


def compile_all(problem, plans, cpu):
    """Yields (plan, module) for each plan. The module is None if the compiler refuses the
    plan. All processors compile BATCH plans before the first of these is yielded, so nothing
    compiles while the caller times a plan."""
    import pool_mlir  # pylint: disable=import-outside-toplevel

    def compiled(plan):
        try:
            return plan, pool_mlir.compile(problem.pinned(plan), entry="main", cpu=cpu)
        except ValueError as error:
            if REFUSAL not in str(error):
                raise
            return plan, None
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for first in range(0, len(plans), BATCH):
            yield from list(threads.map(compiled, plans[first:first + BATCH]))


def race(problem, rng, vector_bits, cpu, count):
    """Returns the Result of a problem."""
    import pool_mlir  # pylint: disable=import-outside-toplevel

    def compiled():
        return pool_mlir.compile(problem.text, entry="main", cpu=cpu)

    arrays = Arrays(problem)
    function = compiled()
    chosen = next((p["plan"] for p in function.plan if p["function"] == "main"), None)
    size, plans = problem.candidates(rng, vector_bits, count)
    result = Result(problem.name, vector_bits, size, chosen=chosen or "")
    if not chosen:
        return result
    call, expected = arrays.bind(function)
    pair = (Contestant(chosen, call),
            Contestant(chosen, arrays.bind(compiled())[0]))
    run_rounds([pair[0]], 3)
    most = HOPELESS * pair[0].least

    field_ = []
    for plan, function in compile_all(problem, plans, cpu):
        result.tried += 1
        if function is None:
            result.refused += 1
            continue
        call, values = arrays.bind(function)
        if not is_same(values, expected, problem.is_sum):
            result.wrong.append(str(plan))
            continue
        contestant = Contestant(str(plan), call)
        run_round(contestant, 0)
        if contestant.least < 2 * most:
            run_round(contestant, SLICE)
        result.times[contestant.plan] = contestant.least
        if contestant.least < most:
            field_.append(contestant)
            least = min(c.least for c in field_)
            field_ = sorted((c for c in field_ if c.least < HEAT_MARGIN * least),
                            key=lambda c: c.least)[:MOST_FINALISTS]
    run_rounds(field_, ROUNDS["semifinal"])
    finalists = [*pair, *field_[:2]]
    run_rounds(finalists, ROUNDS["final"])

    overhead = measure_overhead(problem, cpu)
    best = finalists[0]
    result.chosen_us, result.again_us, result.best_us = (
        1e6 * max(c.least - overhead, 1e-8) for c in (*pair, best))
    result.best = best.plan
    result.times = {plan: 1e6 * max(least - overhead, 1e-8)
                    for plan, least in result.times.items()}
    result.times.update({chosen: result.chosen_us, best.plan: result.best_us})
    return result


def add_time(result, problem, plan, cpu):
    """Times `plan` beside the chosen plan, and adds the time to `result.times`. If the plan
    computes other values, adds it to `result.wrong` instead."""
    import pool_mlir  # pylint: disable=import-outside-toplevel
    arrays = Arrays(problem)
    calls = [arrays.bind(pool_mlir.compile(problem.pinned(name), entry="main", cpu=cpu))
             for name in (plan, result.chosen)]
    if not is_same(calls[0][1], calls[1][1], problem.is_sum):
        result.wrong.append(plan)
        return
    pair = [Contestant(name, call) for name, (call, _) in zip((plan, result.chosen), calls)]
    run_rounds(list(pair), ROUNDS["semifinal"])
    overhead = measure_overhead(problem, cpu)
    least = [max(c.least - overhead, 1e-8) for c in pair]
    result.times[plan] = result.chosen_us * least[0] / least[1]


def measure_overhead(problem, cpu):
    """Returns the time of a call that does next to nothing, with arrays of this rank."""
    import pool_mlir  # pylint: disable=import-outside-toplevel
    ones = "x".join(["1"] * problem.rank + ["f32"])
    window = f"kernel {[1] * (problem.rank - 2)}"
    function = pool_mlir.compile(
        f"func.func @main(%x: tensor<{ones}>) -> tensor<{ones}> {{\n"
        f"  %y = pool.max_pool %x {window} : tensor<{ones}> -> tensor<{ones}>\n"
        f"  return %y : tensor<{ones}>\n}}\n", cpu=cpu)
    call = functools.partial(function, x := np.ones([1] * problem.rank, np.float32),
                             out=function(x))
    contestant = Contestant("", call)
    run_rounds([contestant], 5)
    return contestant.least
