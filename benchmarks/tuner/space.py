"""Lists the plans that the strategies may admit for a problem, by the values of parameters.

docs/Internals/Plans.md describes the spaces. Limits such as MAX_ROWS bound the values. Values
that emit the same code as another value are left out (columns of strips are whole vectors, parts
are whole groups). Plans whose code is too long to compile in reasonable time are left out too. A
space may contain plans that do not fit the problem: their compilation rejects them.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

from pooltest import plans
from pooltest.plans import Plan
from pooltest.rules import product

MAX_ROWS = 64
# Limit of the estimated vector operations of a plan. The planner itself chooses plans with
# up to half as many.
MAX_CODE_SIZE = 1400
MAX_STRIP_VECTORS = 8


def ceil_div(a, b):
    return -(-a // b)


def doubled(first, last):
    """Returns first, 2 * first, 4 * first, ... below `last`, and `last`."""
    result = []
    while 0 < first < last:
        result.append(first)
        first *= 2
    return result + [last]


def flags(*names):
    """Yields every set of flags, as parameters."""
    for chosen in itertools.product((False, True), repeat=len(names)):
        yield {name: True for name, is_set in zip(names, chosen) if is_set}


def is_short(facts, kernel, rows, columns):
    """True if straight code for `rows` x `columns` outputs is short enough."""
    vectors = ceil_div(columns, facts.lanes)
    return rows * vectors * (kernel[-1] + product(kernel[:-1])) <= MAX_CODE_SIZE


def cuts(facts):
    yield from ({"cut": "row", "columns": facts.width, "first_column": -first}
                for first in range(facts.pad + 1))
    yield {"cut": "narrow", "columns": facts.width}
    for vectors in range(1, min(ceil_div(facts.width, facts.lanes), MAX_STRIP_VECTORS) + 1):
        yield {"cut": "strips", "columns": vectors * facts.lanes}


def planes(facts, kernel):
    interleaved = list(flags("interleave")) if facts.row_distance > 1 else [{}]
    for cut, rows in itertools.product(cuts(facts), range(1, min(facts.height, MAX_ROWS) + 1)):
        if not is_short(facts, kernel, rows, cut["columns"]):
            continue
        parts = [{}] + [{"carry": True, "part_rows": part, **more}
                        for part in doubled(rows, facts.height)
                        for more in interleaved]
        for part, more in itertools.product(parts, flags("prefetch", "stream")):
            yield Plan("planes", {"cut": cut["cut"], "rows": rows, "columns": cut["columns"],
                                  **cut, **part, **more})


def channels(facts, kernel):
    for plan in channel_tiles(facts, kernel):
        yield plan
        yield Plan("channels", {**plan.parameters, "prefetch": True, "stream": True})


def channel_tiles(facts, kernel):
    for rows, columns in itertools.product(range(1, min(facts.height, 16) + 1),
                                           range(1, min(facts.width, 16) + 1)):
        if rows * columns * product(kernel) > MAX_CODE_SIZE:
            continue
        yield Plan("channels", {"loops": "none", "rows": rows, "columns": columns, "vectors": 1})
    for columns in range(1, min(facts.width, 16) + 1):
        yield Plan("channels", {"loops": "rows", "rows": 1, "columns": columns, "vectors": 1})
    for vectors in range(1, min(ceil_div(facts.channels, facts.lanes), 16) + 1):
        yield Plan("channels", {"loops": "all", "rows": 1, "columns": 1, "vectors": vectors})


def staged(strategy, facts, kernel):
    """Plans of "staged", or of "buffered-planes", which has the same parameters."""
    for block, vectors, parts in itertools.product(
            range(1, min(facts.outputs[0], kernel[0]) + 1), (1, 2, 4, 8, 16), flags("parts")):
        yield Plan(strategy, {"block": block, "vectors": vectors, **parts})


def direct(facts):
    lanes = 2
    while lanes <= facts.lanes:
        yield Plan("direct", {"lanes": lanes})
        lanes *= 2


def window_spaces(facts, kernel, is_channels_last):
    """Returns {strategy: its plans} of a window with known extents."""
    spaces = {"direct": direct(facts)}
    if is_channels_last:
        spaces["channels"] = channels(facts, kernel)
        spaces["few-channels"] = (Plan("few-channels", {"columns": n})
                                  for n in range(2, min(facts.width, 1024) + 1))
    else:
        spaces["global"] = (Plan("global", {"code": code}) for code in ("straight", "loop"))
        spaces["planes"] = planes(facts, kernel)
        spaces["van-herk"] = (Plan("van-herk", {"vectors": n})
                              for n in range(1, ceil_div(facts.width, facts.lanes) + 1))
        spaces["buffered-planes"] = staged("buffered-planes", facts, kernel)
        spaces["merged"] = [Plan("merged")]
    # Planes with channels first have the same plans as buffered-planes.
    if is_channels_last or len(kernel) == 1:
        spaces["staged"] = staged("staged", facts, kernel)
    return {strategy: list(space) for strategy, space in spaces.items()}


def other_spaces(operation):
    """Returns {strategy: its plans} of adaptive pooling, unpooling and gradients."""
    if operation.startswith("adaptive"):
        return {"adaptive-planes": [Plan("adaptive-planes", {"row": row})
                                    for row in ("plane", "register", "buffer")],
                "adaptive-channels": [Plan("adaptive-channels", {"vectors": n})
                                      for n in range(1, 17)]}
    if operation == "avg_pool_grad":
        return {strategy: [Plan(strategy)] for strategy in plans.GATHER}
    return {"blocks": [Plan("blocks", more) for more in flags("stream")],
            "gather": [Plan("gather")],
            "separable": [Plan("separable")],
            "slices": [Plan("slices")]}


def chains(rng, facts, kernel, is_channels_last, count):
    """Returns at most `count` random plans of a window with unknown extents, all different."""
    strategies = ("channels", "few-channels", "staged", "direct") if is_channels_last else plans.WINDOW
    found = {}
    for _ in range(4 * count):
        strategy = strategies[rng.integers(len(strategies))]
        plan = plans.random_plan(rng, strategy, facts)
        if all(is_short(facts, kernel, part.parameters.get("rows", 1),
                        part.parameters.get("columns", 1))
               for part in plan.chain()):
            found.setdefault(str(plan), plan)
        if len(found) == count:
            break
    return list(found.values())


def sample(rng, spaces, count):
    """Returns `count` random plans, or all plans if there are fewer. Takes the same number
    from each strategy, as long as the strategy has plans left."""
    left = {strategy: rng.permutation(len(space)) for strategy, space in spaces.items()}
    result = []
    while len(result) < count and any(len(order) for order in left.values()):
        for strategy, order in left.items():
            if len(order) and len(result) < count:
                result.append(spaces[strategy][order[0]])
                left[strategy] = order[1:]
    return result
