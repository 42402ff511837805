# REQUIRES: python-module
# RUN: env POOL_BUILD_DIR=%build_dir PYTHONPATH=%build_dir/python %python %s
"""The parts of pool.window_reduce, cut by pool_mlir.partition, must together equal the whole
operation.

Random operations have all four reductions, positions with any base and weights, and sometimes
fewer windows than fit the input. They are cut as in partition.py. By the definition in this file,
which goes tap by tap, parts and whole must be bit-equal. Compiled extrema, positions and integers
must equal the definition. Sums of f16 and bf16 round after each addition. Code with and without
padding must round alike, so more of these cases are compiled.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools

import numpy as np

from partition import COMPILED, Problem, check, glue, random_cuts
from pool_mlir import _parts
from pooltest import generators, rules, tier
from pooltest.case import LISTS, NUMPY_TYPES
from pooltest.report import Report, main

REDUCTIONS = ("max", "min", "sum", "power_sum")
NARROW = ("f16", "bf16")


def by_definition(name, attributes, operands, index_bits=0, uniform_sums=False, shape=None,
                  dtype=None):
    """Computes the operation tap by tap, with one accumulator per window. Takes the arguments
    of `_parts.call`."""
    assert name == "window_reduce"
    (x,) = operands
    is_last = attributes.get("layout") == "channels_last"
    x = np.moveaxis(x, -1, 1) if is_last else x
    outputs = shape[1:-1] if is_last else shape[2:]
    accumulate = Extrema if attributes["reduction"] in ("max", "min") else Sums
    state = accumulate(attributes, (*x.shape[:2], *outputs), x.dtype)
    # Comparing NaN and adding infinities of both signs would warn.
    with np.errstate(invalid="ignore"):
        add_taps(state, attributes, x, outputs, index_bits)
    results = [np.moveaxis(result, 1, -1) if is_last else result
               for result in state.finish(np.dtype(dtype))]
    if not index_bits:
        return results[0]
    results[1] = np.where(results[1] == Extrema.NONE, -1,
                          results[1] + attributes["static_positions"][0])
    return tuple(results)


def add_taps(state, attributes, x, outputs, index_bits):
    for taps in np.ndindex(*attributes["kernel"]):
        element, inside, position = x, np.ones([1] * x.ndim, bool), 0
        for i, tap in enumerate(taps):
            at = (np.arange(outputs[i]) * attributes["strides"][i] + tap
                  * attributes["dilations"][i] - attributes["static_pads_begin"][i])
            along = [-1 if d == i + 2 else 1 for d in range(x.ndim)]
            extent = x.shape[i + 2]
            inside = inside & ((at >= 0) & (at < extent)).reshape(along)
            element = np.take(element, np.clip(at, 0, extent - 1), i + 2)
            if index_bits:
                position = position + at.reshape(along) * attributes["static_positions"][i + 1]
        state.add(element, inside, position)


class Extrema:
    NONE = np.iinfo(np.int64).min

    def __init__(self, attributes, shape, dtype):
        self.pads_with_zero = attributes.get("pad_value") == "zero"
        self.propagates = attributes.get("nan_mode") == "propagate"
        self.is_max = attributes["reduction"] == "max"
        limits = (-np.inf, np.inf) if dtype.kind not in "iu" else (
            np.iinfo(dtype).min, np.iinfo(dtype).max)
        self.best = np.full(shape, limits[not self.is_max], dtype)
        self.position = np.full(shape, self.NONE)

    def add(self, element, inside, position):
        if self.pads_with_zero:
            element, inside = np.where(inside, element, np.zeros((), element.dtype)), True
        is_none = self.position == self.NONE
        better = element > self.best if self.is_max else element < self.best
        # Choose the element if nothing was chosen yet or if the element is better. If NaN is
        # ignored, it is never chosen. If NaN propagates, the first NaN stays chosen.
        nan = element != element
        chosen = ((is_none | better) & ~nan if not self.propagates else
                  (is_none | better | nan) & ~(self.best != self.best))
        chosen = chosen & inside
        self.best = np.where(chosen, element, self.best)
        self.position = np.where(chosen, position, self.position)

    def finish(self, dtype):
        return [self.best.astype(dtype), self.position]


class Sums:
    def __init__(self, attributes, shape, dtype):
        self.p = attributes.get("p", 1) if attributes["reduction"] == "power_sum" else None
        self.total = np.zeros(shape, object if dtype.kind in "iu" else np.longdouble)

    def add(self, element, inside, _):
        element = np.where(inside, element.astype(self.total.dtype), 0)
        self.total = self.total + (element if self.p is None else np.abs(element) ** self.p)

    def finish(self, dtype):
        if dtype.kind not in "iu":
            with np.errstate(over="ignore"):
                return [self.total.astype(dtype)]
        # Sums of integers wrap around.
        return [(self.total & (2 ** (8 * dtype.itemsize) - 1)).astype(np.uint64).astype(dtype)]


def random_positions(rng, dims):
    """Returns a random base, and random weights with which positions ascend in row-major
    order."""
    weights, growth = [], 0
    for dim in reversed(dims):
        weights.insert(0, growth + int(rng.integers(10)))
        growth += weights[0] * (dim.input - 1)
    return [int(rng.integers(2**40)), *weights]


def make_problem(rng, reduction, element_type=None):
    op = {"max": "max_pool", "min": "min_pool", "sum": "avg_pool", "power_sum": "lp_pool"}
    if element_type is None:
        element_type = (generators.pick(rng, generators.FLOAT_TYPES)
                        if reduction == "power_sum" else generators.element_type(rng))
    fixed = {"index_type": None} if reduction in ("max", "min") else {}
    while True:
        case = generators.random_legal(rng, op[reduction], element_type, **fixed)
        if case.shape[0]:
            break
    dims = rules.resolve(case)
    attributes = {name: list(getattr(case, name)) for name in LISTS
                  if name not in ("pads_begin", "pads_end") and getattr(case, name, None)}
    outputs = [int(rng.integers(1, dim.output + 1)) if rng.random() < 0.3 else dim.output
               for dim in dims]
    reach = [(o - 1) * d.stride + (d.kernel - 1) * d.dilation + 1 - d.input - d.pad_begin
             for o, d in zip(outputs, dims)]
    attributes.update(reduction=reduction, layout=case.layout,
                      pads_begin=[dim.pad_begin for dim in dims],
                      pads_end=[max(n, 0) for n in reach])
    if reduction in ("max", "min"):
        attributes["nan_mode"] = case.nan_mode
        if rng.random() < 0.3:
            attributes["pad_value"] = "zero"
        elif rng.random() < 0.6:
            attributes["positions"] = random_positions(rng, dims)
    elif reduction == "power_sum":
        attributes["p"] = case.p
    if reduction == "sum" and case.dtype.kind in "iu":
        # Sums of integers are signed and wrap around.
        widths = [n for n in (8, 16, 32, 64) if n >= 8 * case.dtype.itemsize]
        attributes["output_dtype"] = f"int{generators.pick(rng, widths)}"
    shape = list(case.shape)
    for d, extent in zip(case.spatial_dims, outputs):
        shape[d] = extent
    attributes["output_shape"] = shape
    x = generators.data(rng, case, generators.pick(rng, generators.kinds(case)))
    return Problem("window_reduce", [x], attributes, case=case)


def run_random(rng, count, report):
    _parts.call = by_definition
    for number in range(count):
        problem = make_problem(rng, REDUCTIONS[number % len(REDUCTIONS)])
        whole = problem.cut([None] * problem.rank)
        plan = problem.cut(random_cuts(rng, whole.output_shape))
        check(problem, plan, glue(whole, problem.arrays), glue(plan, problem.arrays),
              "by definition", report)
        report.count(f"{problem.attributes['reduction']}, "
                     f"{'several parts' if len(plan) > 1 else 'one part'}")
        if "positions" in problem.attributes:
            report.count("with positions")


def check_compiled(problem, make_cuts, report):
    is_sum = problem.attributes["reduction"] in ("sum", "power_sum")
    uniform = {"uniform_sums": True} if is_sum else {}
    whole = problem.cut([None] * problem.rank, **uniform)
    plan = problem.cut(make_cuts(whole.output_shape), **uniform)
    _parts.call = COMPILED
    results = glue(whole, problem.arrays)
    check(problem, plan, results, glue(plan, problem.arrays), "compiled", report)
    report.count(f"compiled: {problem.attributes['reduction']}")
    if not is_sum or problem.arrays[0].dtype.kind in "iu":
        _parts.call = by_definition
        check(problem, whole, glue(whole, problem.arrays), results, "the whole", report)
        report.count("compiled: as defined")


def run_compiled(rng, count, report):
    def random(shape):
        return random_cuts(rng, shape, most=8)

    for number in range(count):
        check_compiled(make_problem(rng, REDUCTIONS[number % len(REDUCTIONS)]), random, report)
    for reduction, element_type in itertools.product(("sum", "power_sum"), NARROW):
        x = (8 * rng.standard_normal((1, 16, 3))).astype(NUMPY_TYPES[element_type])
        power = {"p": 2} if reduction == "power_sum" else {}
        window = {"kernel": [5], "strides": [1], "pads_begin": [1], "pads_end": [1],
                  "layout": "channels_last", "output_shape": [1, 14, 3], "reduction": reduction}
        check_compiled(Problem("window_reduce", [x], {**window, **power}),
                       lambda _: [None, [5, 5, 4], None], report)
        for _ in range(count // len(REDUCTIONS)):
            check_compiled(make_problem(rng, reduction, element_type), random, report)


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=tier.size(4000, 200, 60))
    parser.add_argument("--compiled", type=int, default=tier.size(120, 24, 8))
    parser.add_argument("--seed", type=int, default=tier.seed(23))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("partitions of window_reduce")
    run_random(rng, options.cases, report)
    run_compiled(rng, options.compiled, report)
    report.require_counted("with positions", "compiled: as defined",
                           *(f"{reduction}, several parts" for reduction in REDUCTIONS))
    return report.finish()


if __name__ == "__main__":
    main(run)
