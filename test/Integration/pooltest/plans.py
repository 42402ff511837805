"""Plans on operations: their text, and random plans.

The random numbers in a plan are near those of the problem, so that many plans just fit and
others just do not. Only convert-pool-to-vector decides whether a plan fits.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import bisect
import re
from dataclasses import dataclass, field

from .generators import integer, pick
from .tools import pool_opt

REFUSAL = " op cannot be lowered by pool.plan: "
SEPARATOR = "// -----\n"

# The strategies of convert-pool-to-vector, in the order in which it tries them. SCATTER is for
# max_unpool and gradients of extrema, GATHER for gradients of averages.
WINDOW = ("global", "planes", "van-herk", "buffered-planes", "merged", "few-channels", "channels",
          "staged", "direct")
# Strategies that a plan for unknown extents may name as `fallback`
REST = ("planes", "van-herk", "buffered-planes", "merged", "staged", "direct")
ADAPTIVE = ("adaptive-planes", "adaptive-channels")
SCATTER = ("blocks", "gather", "separable", "slices")
GATHER = ("window-sums", "strided-gather")
TOKEN = re.compile(r'\s*(#pool\.plan<|"[^"]*"|-?\d+|[\w]+|[<>=,])')


@dataclass
class Plan:
    strategy: str
    parameters: dict = field(default_factory=dict)

    def __str__(self):
        parts = [f'"{self.strategy}"']
        # MLIR also prints the parameters sorted by name.
        parts += [f"{name} = {spell(value)}" for name, value in sorted(self.parameters.items())]
        return f"#pool.plan<{', '.join(parts)}>"

    def with_(self, **changes):
        return Plan(self.strategy, {**self.parameters, **changes})

    def chain(self):
        """Yields the plan, its `fallback` plan, the `fallback` plan of that, and so on."""
        plan = self
        while isinstance(plan, Plan):
            yield plan
            plan = plan.parameters.get("fallback")


def spell(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def parse(text, start=0):
    """Parses the plan that begins at `start` in `text`."""
    def take():
        nonlocal start
        match = TOKEN.match(text, start)
        start = match.end()
        return match.group(1)

    def value(token):
        if token == "#pool.plan<":
            return plan()
        if token in ("true", "false"):
            return token == "true"
        return token[1:-1] if token[0] == '"' else int(token)

    def plan():
        result = Plan(take()[1:-1])
        while take() == ",":
            name, _ = take(), take()
            result.parameters[name] = value(take())
        return result
    if take() != "#pool.plan<":
        raise ValueError(f"no plan: {text[start:start + 40]}")
    return plan()


def pin(text, plan):
    """Returns `text` with a plan on its pooling operation, which is in generic form."""
    pinned = text.replace("}> : (", f"}}> {{pool.plan = {plan}}} : (", 1)
    if pinned == text:
        raise ValueError(f"nothing to pin a plan on: {text}")
    return pinned


def lower(report, texts, option):
    """Runs pool-opt once for all texts. Returns (output or None, errors) for each text."""
    starts = [1]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    process = pool_opt(SEPARATOR.join(texts), option, "--split-input-file")
    if process.returncode not in (0, 1):
        if len(texts) == 1:
            report.mismatch(f"pool-opt {option}: exit code {process.returncode}", texts[0],
                            stderr=process.stderr[-2000:])
            return [(None, f"{REFUSAL}it ends pool-opt")]
        middle = len(texts) // 2
        return lower(report, texts[:middle], option) + lower(report, texts[middle:], option)
    outputs = process.stdout.split(SEPARATOR)
    errors = [""] * len(texts)
    for block in re.split(r"(?m)^(?=<stdin>:\d+:\d+: error: )", process.stderr):
        found = re.match(r"<stdin>:(\d+):", block)
        if found:
            errors[bisect.bisect(starts, int(found.group(1))) - 1] += block
    report.expect(len(outputs) == len(texts), f"pool-opt {option}: {len(outputs)} outputs",
                  stderr=process.stderr[-2000:])
    return [(None if error else output, error) for output, error in zip(outputs, errors)]


@dataclass
class Facts:
    """Numbers of a problem. The numbers of a random plan are near them. `outputs` are the
    spatial extents of the result."""

    lanes: int
    outputs: tuple = (1,)
    pad: int = 0
    channels: int = 1
    is_dynamic: bool = False
    # Distance of two output rows whose windows begin a whole number of dilations apart.
    row_distance: int = 1

    @property
    def width(self):
        return self.outputs[-1]

    @property
    def height(self):
        return self.outputs[-2] if len(self.outputs) > 1 else 1


def near(rng, *values):
    """Returns one of `values`, or a number near it: one more or less, its half or its double.
    The result is at least 1."""
    value = pick(rng, values)
    return max(1, pick(rng, (value, value - 1, value + 1, value // 2, 2 * value), (8, 1, 1, 1, 1)))


def flags(rng, *names):
    return {name: True for name in names if rng.random() < 0.35}


def random_rows(rng, facts):
    return min(near(rng, 1, 2, 4, facts.height, integer(rng, 1, 12), integer(rng, 1, 32)), 64)


def random_planes(rng, facts, depth):
    cut = pick(rng, ("narrow", "strips") if facts.is_dynamic and rng.random() < 0.9
               else ("row", "narrow", "strips"))
    wide = facts.lanes * integer(rng, 1, 4)
    parameters = {"cut": cut, "rows": random_rows(rng, facts)}
    if cut == "row":
        parameters["columns"] = facts.width if rng.random() < 0.9 else near(rng, facts.width)
        parameters["first_column"] = -pick(rng, (0, facts.pad, integer(rng, 0, facts.pad + 1)))
    else:
        parameters["columns"] = near(rng, facts.width, facts.lanes, wide,
                                     integer(rng, 1, facts.width))
    if rng.random() < 0.5:
        parameters["carry"] = True
        parameters["part_rows"] = near(rng, parameters["rows"], 1, facts.height,
                                       integer(rng, 1, facts.height + 3), 64)
        parameters.update(flags(rng, "interleave"))
    parameters.update(flags(rng, "prefetch", "stream"))
    plan = Plan("planes", parameters)
    if cut == "narrow" and facts.is_dynamic:
        rest = random_plan(rng, pick(rng, REST, (6, 1, 1, 1, 1, 1)), facts, depth + 1)
        if rest.parameters.get("cut") == "strips" and rng.random() < 0.8:
            rest.parameters["columns"] = integer(rng, 1, parameters["columns"] + 1)
        plan.parameters["fallback"] = rest
    return plan


def random_stages(rng, strategy):
    block = pick(rng, (1, near(rng, 2, 3, integer(rng, 1, 8))))
    return Plan(strategy, {"block": block, "vectors": integer(rng, 1, 8), **flags(rng, "parts")})


def random_channels(rng, facts):
    loops = pick(rng, ("none", "rows", "all"))
    return Plan("channels", {
        "loops": loops,
        "rows": min(near(rng, 1, 2, facts.height), 16) if loops == "none" else 1,
        "columns": min(near(rng, 1, 2, facts.width), 16) if loops != "all" else 1,
        "vectors": min(near(rng, 1, 2, facts.channels // facts.lanes + 1), 16)
                   if loops == "all" else 1,
        **flags(rng, "prefetch", "stream")})


def random_plan(rng, strategy, facts, depth=0):
    """Returns a random plan of a strategy, with parameters near the limits of what fits."""
    if strategy == "planes" and depth < 4:
        return random_planes(rng, facts, depth)
    if strategy in ("staged", "buffered-planes"):
        return random_stages(rng, strategy)
    if strategy == "channels":
        return random_channels(rng, facts)
    if strategy == "global":
        plan = Plan("global", {"code": pick(rng, ("straight", "loop"))})
        if facts.is_dynamic:
            rest = pick(rng, REST, (4, 1, 1, 1, 1, 2))
            plan.parameters["fallback"] = random_plan(rng, rest, facts, depth + 1)
        return plan
    if strategy == "van-herk":
        return Plan(strategy, {"vectors": near(rng, 1, 2, 3, facts.width // facts.lanes + 1, 512)})
    if strategy == "few-channels":
        return Plan(strategy, {"columns": max(2, near(rng, 2, 3, facts.width,
                                                      facts.lanes // facts.channels))})
    if strategy == "adaptive-planes":
        return Plan(strategy, {"row": pick(rng, ("plane", "register", "buffer"))})
    if strategy == "adaptive-channels":
        return Plan(strategy, {"vectors": integer(rng, 1, 16)})
    if strategy == "blocks":
        return Plan(strategy, flags(rng, "stream"))
    if strategy in ("merged", "gather", "separable", "slices", *GATHER):
        return Plan(strategy)
    return Plan("direct", {"lanes": 2 ** integer(rng, 0, 6)})


def mutate(rng, plan):
    """Returns `plan` with one change: of a number, of a flag, or of the `fallback` plan."""
    changes = dict(plan.parameters)
    name = pick(rng, sorted(changes)) if changes else "columns"
    value = changes.get(name)
    if isinstance(value, bool):
        changes[name] = not value
    elif isinstance(value, int):
        changes[name] = pick(rng, (value + 1, value - 1, 2 * value, value // 2, 3 * value + 1,
                                   0, -value, 1, 1 << 20, (1 << 63) - 1))
    elif isinstance(value, Plan):
        changes[name] = pick(rng, (mutate(rng, value), plan.with_(fallback=value),
                                   Plan("slices")))
    elif isinstance(value, str):
        changes[name] = pick(rng, ("row", "narrow", "strips", "none", "rows", "all", "loop",
                                   "register", "", 3))
    kind = rng.random()
    if kind < 0.1:
        changes.pop(name, None)
    elif kind < 0.15:
        changes["unknown"] = True
    elif kind < 0.2:
        changes["fallback"] = Plan("direct", {"lanes": 4})
    elif kind < 0.22:
        return Plan(pick(rng, WINDOW + ADAPTIVE + SCATTER + GATHER), changes)
    return Plan(plan.strategy, changes)
