# REQUIRES: python-module
# RUN: env POOL_BUILD_DIR=%build_dir PYTHONPATH=%build_dir/python %python %s
"""pool_mlir.partition cuts an operation into parts. The results of all parts together must equal
the result of the whole operation.

Random operations of KINDS are cut at random and unevenly: some parts have one element or none,
and there may be more parts than elements. Each part runs by itself on the slices that its plan
asks for. In the oracle and in the interpreter, the parts must be bit-equal to the whole, even for
float sums. Compiled float sums must be bit-equal with `uniform_sums`; without it, they must lie
within the bound of docs/Internals/Conformance.md. For a sample of windows over one dimension of
up to 12 elements, every possible part is tested. unittests/Support/WindowTilesTest.cpp checks all
windows and parts at the level of the rules.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools
import tempfile

import numpy as np

import pool_mlir
from pool_mlir import _parts
from pooltest import compare, generators, keywords, oracle, rules, scatter, tier
from pooltest.definition import TYPE_NAMES, by_definition, make_case
from pooltest.report import Report, main
from pooltest.tools import Batch

COMPILED = _parts.call


# A way to run an operation on slices, beside `by_definition` and the compiled code. All three
# take the arguments of _parts.call.


class Interpreter:
    """Runs calls in one batch of pool-run. A first pass records the calls and answers them
    with the oracle. `run` runs the batch. Then the caller makes the same calls again, and gets
    the answers of the batch."""

    def __init__(self):
        self.calls, self.answers, self.next = [], None, 0

    def __call__(self, name, attributes, operands, index_bits=0, uniform_sums=False, shape=None):
        operands = [np.ascontiguousarray(operand) for operand in operands]
        if self.answers is None:
            self.calls.append((name, dict(attributes), operands, index_bits, shape))
            return by_definition(name, attributes, operands, index_bits, shape=shape)
        answer = self.answers[self.next]
        self.next += 1
        return tuple(answer) if index_bits else answer[0]

    def run(self, report):
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for number, (name, attributes, operands, bits, shape) in enumerate(self.calls):
                dtypes = [operands[0].dtype] + ([np.dtype(f"int{bits}")] if bits else [])
                batch.add(f"f{number}", self.text(name, attributes, operands, bits, shape)
                          .replace("@f(", f"@f{number}("), operands, dtypes)
            self.answers, process = batch.run("--path=reference")
        report.expect(process.returncode == 0, "pool-run", stderr=process.stderr[:2000])

    @staticmethod
    def text(name, attributes, operands, bits, shape):
        shape = operands[0].shape if shape is None else shape
        case = make_case(name.removesuffix("_grad"), attributes, shape, operands[0].dtype, bits)
        if not name.endswith("_grad"):
            return case.function("f", rules.output_shape(case))
        types = [scatter.tensor_type(a.shape, TYPE_NAMES[a.dtype]) for a in operands]
        return scatter.function(
            name, [(f"%a{i}", kind, a) for i, (kind, a) in enumerate(zip(types, operands))],
            case.properties(), case.input_type())


# Problems: an operation, its arguments for `partition`, and its arrays


class Problem:
    def __init__(self, op, arrays, attributes, shape=None, case=None, truth=None):
        self.op, self.arrays, self.attributes = op, arrays, attributes
        self.shape = arrays[0].shape if shape is None else shape
        self.case, self.truth = case, truth

    @property
    def rank(self):
        return len(self.shape)

    def cut(self, cuts, **more):
        return pool_mlir.partition(self.op, self.shape, output_cuts=cuts,
                                   dtype=self.arrays[0].dtype, **self.attributes, **more)

    def __str__(self):
        return f"{self.op} of {self.shape} {self.arrays[0].dtype}, {self.attributes}"


def random_forward(rng, op, element_type=None, **fixed):
    element_type = element_type or (generators.pick(rng, generators.FLOAT_TYPES)
                                    if op == "lp_pool" else generators.element_type(rng))
    while True:
        case = generators.random_legal(rng, op, element_type, **fixed)
        if case.shape[0]:
            break
    kind = generators.pick(rng, generators.kinds(case))
    x = generators.data(rng, case, kind)
    return Problem(op, [x], keywords.window(case), case=case)


def random_gradient(rng, op, given=False):
    while True:
        element_type = generators.pick(rng, generators.FLOAT_TYPES)
        if op == "avg_pool_grad":
            made = scatter.random_avg_pool_grad(rng, element_type)
            if rules.is_ill_defined(made.case):
                continue
            arrays = made.inputs[:1]
        else:
            made = scatter.random_max_pool_grad(rng, element_type, given=given, op=op[:-5])
            arrays = made.inputs
        if made.case.shape[0]:
            break
    attributes = keywords.window(made.case, op)
    if given:
        attributes.update(keywords.indices(made.case))
    return Problem(op, arrays, attributes, made.case.shape, made.case, made.truth)


def random_unpool(rng, promised):
    while True:
        case = generators.random_legal(rng, "max_pool", generators.pick(rng, ("f32", "i8")),
                                       index_type=generators.pick(rng, ("i32", "i64")),
                                       pad_value="neg_inf")
        axis = generators.pick(rng, scatter.legal_axes(case))
        case = case.with_(axis=axis)
        maxima = oracle.max_pool(case, generators.data(rng, case, "ordinary")) \
            if case.shape[0] else None
        # A window of only padding has no element to unpool its value to, so draw again.
        if maxima and not maxima.padding_only.any():
            break
    window = keywords.window(case, "max_pool") if promised else {}
    for name in ("pad_value", "nan_mode", "axis"):
        window.pop(name, None)
    return Problem("max_unpool", [maxima.values, maxima.indices],
                   {"axis": axis, "output_shape": case.shape,
                    "index_element_type": case.index_type, **window})


KINDS = (
    lambda rng: random_forward(rng, "max_pool"),
    lambda rng: random_forward(rng, "max_pool", index_type="i64", pad_value="neg_inf"),
    lambda rng: random_forward(rng, "min_pool"),
    lambda rng: random_forward(rng, "avg_pool"),
    lambda rng: random_forward(rng, "avg_pool", divisor="padded", divisor_override=None,
                               auto_pad="explicit"),
    lambda rng: random_forward(rng, "lp_pool"),
    lambda rng: random_gradient(rng, "max_pool_grad"),
    lambda rng: random_gradient(rng, "max_pool_grad", given=True),
    lambda rng: random_gradient(rng, "min_pool_grad"),
    lambda rng: random_gradient(rng, "avg_pool_grad"),
    lambda rng: random_unpool(rng, promised=False),
    lambda rng: random_unpool(rng, promised=True),
)
SUMS = (3, 4, 5, 9)


def random_sizes(rng, extent):
    """Returns random sizes of parts along a dimension: None for no cut, the number of even
    parts, or a list of sizes."""
    kind = rng.integers(6)
    if kind == 0:
        return None
    if kind == 1:
        return int(rng.integers(1, extent + 1))
    if kind == 2:
        return extent + int(rng.integers(1, 3))
    if kind == 3:
        return [1] * extent
    places = np.sort(rng.integers(0, extent + 1, rng.integers(1, 4)))
    return np.diff([0, *places, extent]).tolist()


def random_cuts(rng, shape, most=40):
    """Returns random cuts of `shape` into at most `most` parts."""
    while True:
        cuts = [random_sizes(rng, extent) for extent in shape]
        counts = [1 if cut is None else cut if isinstance(cut, int) else len(cut) for cut in cuts]
        if np.prod(counts) <= most:
            return cuts


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def glue(plan, arrays):
    """Puts the results of all parts together; checks that each element is written once."""
    results = [np.zeros(plan.output_shape, plan.dtypes[name]) for name in plan.results]
    written = np.zeros(plan.output_shape, int)
    for part in plan:
        slices = [array[part.inputs[name]] for name, array in zip(plan.operands, arrays)]
        for result, values in zip(results, as_tuple(part.run(*slices))):
            result[part.output] = values
        written[part.output] += 1
    assert (written == 1).all()
    return results


def check(problem, plan, wholes, glued, title, report):
    for whole, result, name in zip(wholes, glued, plan.results):
        report.expect(compare.same_arrays(whole, result), f"{title}: {name} of {problem.op}",
                      f"{problem}\ncuts {plan.output_cuts}", whole=whole, parts=result,
                      arrays=[array.tolist() for array in problem.arrays])


def check_sources(problem, plan, report):
    """Checks that the sources of a part's slices together have exactly the elements of the
    slices."""
    for part in plan:
        for name, array in zip(plan.operands, problem.arrays):
            needed = array[part.inputs[name]]
            taken, times = np.zeros_like(needed), np.zeros(needed.shape, int)
            begins = [np.cumsum([0, *sizes]) for sizes in plan.input_cuts[name]]
            for source in part.sources(name):
                origin = [begin[i] for begin, i in zip(begins, source.block)]
                box = tuple(slice(o + w.start, o + w.stop)
                            for o, w in zip(origin, source.within))
                taken[source.into] = array[box]
                times[source.into] += 1
            report.expect((times == 1).all() and taken.tobytes() == needed.tobytes(),
                          f"sources of {name} of {problem.op}", f"{problem}\n{part}")
    report.count("plans whose sources were followed")


def run_random(rng, count, report):
    _parts.call = by_definition
    for number in range(count):
        problem = KINDS[number % len(KINDS)](rng)
        whole = problem.cut([None] * problem.rank)
        plan = problem.cut(random_cuts(rng, whole.output_shape))
        check(problem, plan, glue(whole, problem.arrays), glue(plan, problem.arrays),
              "by definition", report)
        if not problem.op.endswith("_grad") and problem.op != "max_unpool":
            answer = as_tuple(by_definition_of(problem))
            check(problem, whole, answer, glue(whole, problem.arrays), "the whole as one part",
                  report)
        if number % 10 == 0:
            check_sources(problem, plan, report)
        count_features(problem, plan, report)


def by_definition_of(problem):
    """Runs the whole operation by the definition, without a plan."""
    attributes = dict(problem.attributes)
    indices = attributes.pop("return_indices", False)
    bits = int(attributes.pop("index_element_type", "i64")[1:]) if indices else 0
    return by_definition(problem.op, attributes, problem.arrays, bits)


def count_features(problem, plan, report):
    report.count(f"{problem.op}, {'several parts' if len(plan) > 1 else 'one part'}")
    if any(0 in sizes for sizes in plan.output_cuts):
        report.count("with empty parts")
    if plan.needs_all:
        report.count("max_unpool that needs all")
    case = problem.case
    if case is None or len(plan) == 1:
        return
    report.count(f"cut, {case.auto_pad} {case.rounding_type} {case.layout}")
    if case.op == "avg_pool":
        report.count(f"cut, divisor {case.divisor}")
    if any(case.dilations or ()) and max(case.dilations) > 1:
        report.count("cut, dilated")
    for i, d in enumerate(case.spatial_dims):
        blocks = plan.input_cuts[plan.operands[0]][d]
        if case.window(i)[0] > min(blocks, default=0) > 0:
            report.count("cut, halos wider than a part")


def run_interpreter(rng, count, report):
    problems = []
    while len(problems) < count:
        problem = KINDS[len(problems) % len(KINDS)](rng)
        whole = problem.cut([None] * problem.rank)
        problems.append((problem, whole,
                         problem.cut(random_cuts(rng, whole.output_shape, most=12))))
    _parts.call = engine = Interpreter()
    for problem, *plans in problems:
        for plan in plans:
            glue(plan, problem.arrays)
    engine.run(report)
    for problem, whole, plan in problems:
        check(problem, plan, glue(whole, problem.arrays), glue(plan, problem.arrays),
              "interpreter", report)
        report.count("run by the interpreter")


def run_compiled(rng, count, report):
    _parts.call = COMPILED
    for number in range(count):
        kind = number % len(KINDS)
        problem = KINDS[kind](rng)
        uniform = {"uniform_sums": True} if kind in SUMS else {}
        whole = problem.cut([None] * problem.rank, **uniform)
        cuts = random_cuts(rng, whole.output_shape, most=8)
        plan = problem.cut(cuts, **uniform)
        check(problem, plan, glue(whole, problem.arrays), glue(plan, problem.arrays), "compiled",
              report)
        report.count(f"compiled: {problem.op}")
        if uniform and problem.case.is_float:
            check_bound(problem, glue(problem.cut(cuts), problem.arrays)[0], report)


def check_bound(problem, actual, report):
    """Checks that sums, which may add in any order, lie within the operation's error bound."""
    truth = problem.truth or oracle.run(problem.case, problem.arrays[0])
    bound = (compare.average_bound if problem.op.endswith("_grad") else compare.float_bound)(
        problem.case, truth)
    report.expect(compare.within(actual, truth.exact, bound, problem.case).all(),
                  f"bound: {problem.op}", str(problem), expected=truth.exact, actual=actual)
    report.count("sums in any order, within the bound")


# Every part of one dimension


def each_window():
    for kernel, stride, dilation in itertools.product((1, 2, 3, 5), (1, 2, 3, 4), (1, 2)):
        for begin, end in itertools.product((0, 1, 3), (0, 2, 3)):
            for rounding in generators.ROUNDINGS:
                yield dict(kernel=kernel, strides=stride, dilations=dilation, pads_begin=begin,
                           pads_end=end, rounding_type=rounding)
        for pad in ("same_upper", "same_lower"):
            for output in ("input", "strided"):
                yield dict(kernel=kernel, strides=stride, dilations=dilation, auto_pad=pad,
                           same_output=output)


def run_exhaustive(rng, count, report):
    _parts.call = by_definition
    everything = list(itertools.product(each_window(), range(1, 13)))
    for window, extent in tier.sample(everything, count):
        x = rng.integers(-50, 50, (1, 1, extent)).astype(np.int16)
        for op, own in (("max_pool", {"return_indices": True}), ("avg_pool", {"divisor": "padded"})):
            problem = Problem(op, [x], {**window, **own})
            try:
                whole = problem.cut([None] * 3)
            except ValueError:
                report.count("one dimension: refused, as the whole is")
                continue
            expected = glue(whole, [x])
            outputs = whole.output_shape[2]
            for size in range(1, outputs + 1):
                # Parts of one size, beginning at each possible offset.
                for first in range(size):
                    sizes = np.diff([0, *range(first, outputs, size), outputs]).tolist()
                    plan = problem.cut([None, None, sizes])
                    check(problem, plan, expected, glue(plan, [x]), "one dimension", report)
                    report.count("one dimension: tilings")


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=tier.size(20000, 600, 120))
    parser.add_argument("--interpreted", type=int, default=tier.size(120, 60, 12))
    parser.add_argument("--compiled", type=int, default=tier.size(120, 36, 12))
    parser.add_argument("--windows", type=int, default=tier.size(2000, 80, 20))
    parser.add_argument("--seed", type=int, default=tier.seed(19))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("partition")
    run_random(rng, options.cases, report)
    run_interpreter(rng, options.interpreted, report)
    run_compiled(rng, options.compiled, report)
    run_exhaustive(rng, options.windows, report)
    report.require_counted(
        "with empty parts", "max_unpool that needs all", "cut, dilated",
        "cut, halos wider than a part", "sums in any order, within the bound",
        *(f"{op}, several parts" for op in ("max_pool", "min_pool", "avg_pool", "lp_pool",
                                            "max_pool_grad", "min_pool_grad", "avg_pool_grad",
                                            "max_unpool")),
        *(f"cut, {pad} {rounding} {layout}" for pad in generators.AUTO_PADS
          for rounding in generators.ROUNDINGS for layout in ("channels_first", "channels_last")),
        *(f"cut, divisor {divisor}" for divisor in ("valid", "padded", "kernel")))
    return report.finish()


if __name__ == "__main__":
    main(run)
