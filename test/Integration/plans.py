# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Pinned plans must give correct values or be rejected with a reason.

Random poolings, adaptive poolings, unpoolings and gradients get pinned plans: the selected plan,
random plans of every strategy, and mutations of both. Many plans do not fit their problem. If
convert-pool-to-vector rejects a plan, its error must name the attribute. Functions with the other
plans run with guard pages, unless their code is too long, and their results are compared with the
definitions. They must not crash, compute a wrong value, or touch a byte outside a buffer. In the
tier `all`, every strategy must be among the plans that ran.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import bisect
import concurrent.futures
import multiprocessing
import re
import tempfile
from dataclasses import dataclass

import numpy as np

from pooltest import adaptive, check, compare, fast_oracle, generators, oracle, plans, rules
from pooltest import scatter, tier
from pooltest.case import FLOAT_TYPES, NUMPY_TYPES, Case, tensor_type
from pooltest.check import Job
from pooltest.report import Report, main
from pooltest.tools import Batch, processors

PROBLEMS_PER_MODULE = 30
# Names of windows that some strategies treat apart, and how their text looks
KINDS = {"dilated": re.compile(r"dilations = array<i64: [^>]*[2-9]"),
         "strided columns": re.compile(r"strides = array<i64: (\d+, )*[2-9]>"),
         "one dimension": re.compile(r"kernel = array<i64: \d+>")}


@dataclass
class Subject:
    """A function @f with one operation in generic form. `check(report, text, arrays)`
    compares the function's results with the definition."""

    text: str
    inputs: list
    types: list
    # Strategy name -> weight in the random choice of plans.
    strategies: dict
    facts: plans.Facts
    check: callable
    selected: plans.Plan = None


VECTOR_BITS = {"mcpu=native": (512, 256, 128), "mcpu=x86-64-v3": (256,), "mcpu=x86-64": (128,)}

# Problems

# Weights of the strategies in the random choice. A strategy with many parameters has a larger
# weight.
WEIGHTS = {
    "channels_first": {"global": 1, "planes": 8, "van-herk": 2, "buffered-planes": 4,
                       "merged": 2, "few-channels": 0.1, "channels": 0.1, "staged": 3, "direct": 1},
    "channels_last": {"planes": 0.1, "few-channels": 3, "channels": 6, "staged": 4,
                      "direct": 1}}


class PinnedJob(Job):
    """A job whose text in reports contains the pinned plan."""

    def text(self, name="f"):
        return self.pinned if hasattr(self, "pinned") else super().text(name)


def window_case(rng, op, element_type):
    """Returns a random case. Most have rows of several vectors and planes of several groups.
    Windows may reach beyond the planes' ends, and about one of eight is a whole plane."""
    while True:
        n = generators.pick(rng, (1, 2, 3), (2, 6, 1))
        layout = generators.pick(rng, ("channels_first", "channels_last"), (2, 1))
        most = generators.pick(rng, (3, 5, 15), (5, 3, 2))
        attributes = generators.random_window(rng, n, max_kernel=most, max_stride=3,
                                              max_pad=min(most, 5), pads_below_kernel=0.7)
        for key in ("strides", "dilations"):
            if rng.random() < 0.4:
                attributes.pop(key, None)
        if n == 1 and rng.random() < 0.3:
            # Strides so long that shuffles merge them
            stride = generators.integer(rng, 7, 12)
            attributes.update(strides=(stride,),
                              kernel=(generators.integer(rng, 2 * stride, 3 * stride),))
            attributes.pop("dilations", None)
        attributes.update(generators.random_op(rng, op, element_type, n))
        if rng.random() < 0.15:
            # Windows side by side, which random strides are too short for.
            attributes.update(strides=attributes["kernel"])
            for key in ("dilations", "pads_begin", "pads_end"):
                attributes.pop(key, None)
        extents = list(generators.integers(rng, n, 1, {1: 1, 2: 20, 3: 7}[n]))
        extents[-1] = generators.integer(rng, 1, generators.pick(rng, (20, 75, 150), (3, 3, 1)))
        if n == 1 and rng.random() < 0.1:
            # Rows that "staged" reduces in several parts
            extents[-1] = generators.integer(rng, 1000, 8000)
        if rng.random() < 0.12:
            attributes = {k: v for k, v in attributes.items()
                          if k not in ("pads_begin", "pads_end", "strides", "dilations")}
            attributes.update(kernel=tuple(extents), auto_pad="explicit", index_type=None)
        batch, channels = generators.integer(rng, 1, 2), generators.integer(rng, 1, 3)
        if layout == "channels_last":
            extents[-1] = min(extents[-1], 24)
            channels = generators.integer(rng, 1, generators.pick(rng, (4, 40)))
        shape = ((batch, channels, *extents) if layout == "channels_first"
                 else (batch, *extents, channels))
        case = Case(op, shape, element_type=element_type, layout=layout, **attributes)
        try:
            outputs = rules.output_shape(case)
        except rules.Refused:
            continue
        if rules.product(outputs) * rules.product(case.kernel) <= 200_000:
            return case


def as_slice(rng, case, text, x):
    """Returns the function, changed to take a slice of its argument, and the array that is
    the new argument. In most cases the array is larger, so that there are gaps between the rows of
    the slice."""
    steps = (1,) * (case.rank - 1) + (generators.pick(rng, (1, 2), (4, 1)),)
    offsets = generators.integers(rng, case.rank, 0, 2)
    shape = tuple(offset + (extent - 1) * step + 1 + generators.integer(rng, 0, 2)
                  for offset, extent, step in zip(offsets, x.shape, steps))
    whole = rng.integers(0, 256, shape + (x.itemsize,), np.uint8).view(x.dtype).reshape(shape)
    whole[tuple(slice(offset, offset + extent * step, step)
                for offset, extent, step in zip(offsets, x.shape, steps))] = x
    kind = tensor_type(shape, case.element_type)
    piece = "".join(str(list(numbers)) for numbers in (offsets, x.shape, steps))
    return text.replace(f"%x: {case.input_type()}", f"%whole: {kind}").replace(
        "{\n", f"{{\n  %x = tensor.extract_slice %whole{piece} : {kind} to {case.input_type()}\n",
        1), whole


def negated(text, kind):
    """Returns the function with a negation of the result. Lowering fuses the negation into the
    pooling."""
    return text.replace("  return %v", f"  %e = tensor.empty() : {kind}\n  %n = linalg.negf "
                        f"ins(%v : {kind}) outs(%e : {kind}) -> {kind}\n  return %n")


def window_subject(rng):
    op = generators.pick(rng, ("max_pool", "min_pool", "avg_pool", "lp_pool"), (4, 1, 4, 1))
    element_type = generators.pick(rng, FLOAT_TYPES) if op == "lp_pool" \
        else generators.element_type(rng)
    case = window_case(rng, op, element_type) if rng.random() < 0.8 \
        else generators.random_legal(rng, op, element_type)
    outputs = rules.output_shape(case)
    if rng.random() < 0.4:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    kind = generators.pick(rng, generators.kinds(case))
    job = PinnedJob(case, kind, generators.data(rng, case, kind))
    job.truth = fast_oracle.run(case, job.x)

    text, x, is_negated = job.text(), job.x, False
    if not case.dynamic and 0 not in case.shape:
        if rng.random() < 0.2:
            text, x = as_slice(rng, case, text, x)
        if case.is_float and rng.random() < 0.2:
            text, is_negated = negated(text, tensor_type(outputs, element_type)), True

    def compared(report, text, arrays):
        if is_negated and arrays:
            arrays[0] = -arrays[0]
        job.pinned, job.answers = text, {"vector": arrays}
        check.check_job(job, report)
    spatial = tuple(outputs[d] for d in case.spatial_dims)
    facts = plans.Facts(0, spatial, rules.resolve(case)[-1].pad_begin,
                        case.shape[case.channel_dim],
                        case.spatial_dims[-1] in case.dynamic)
    return Subject(text, [x], job.results(), WEIGHTS[case.layout], facts, compared)


def compare_arrays(report, title, text, arrays, case, expected, indices=None):
    if not report.expect(arrays is not None, f"{title}: no output", text):
        return
    good = compare.same_shape_and_type(
        arrays[0], (expected.exact if isinstance(expected, oracle.Averages) else expected).shape,
        case.dtype)
    if isinstance(expected, oracle.Averages):
        good = good and compare.are_averages(arrays[0], expected, case).all()
        expected = expected.exact
    else:
        good = good and compare.same_values(arrays[0], expected).all()
    report.expect(good, f"{title}: values", text, expected=expected, actual=arrays[0])
    if indices is not None:
        report.expect(np.array_equal(arrays[1], indices), f"{title}: indices", text,
                      expected=indices, actual=arrays[1])


def adaptive_subject(rng):
    problem = adaptive.random_problem(rng)
    case = problem.case

    def compared(report, text, arrays):
        compare_arrays(report, "adaptive", text, arrays, case, problem.values, problem.indices)
    strategies = {"adaptive-planes": 9, "adaptive-channels": 1}
    if case.layout == "channels_last":
        strategies = {"adaptive-planes": 1, "adaptive-channels": 9}
    text, x = problem.text("f"), problem.x
    if not case.dynamic and rng.random() < 0.2 and 0 not in case.shape:
        text, x = as_slice(rng, case, text, x)
    return Subject(text, [x], problem.types(), strategies, plans.Facts(0, tuple(problem.size)),
                   compared)


def random_single_steps(rng):
    """Returns a random gradient of an average with strides of 1."""
    while True:
        problem = scatter.random_avg_pool_grad(rng, generators.pick(rng, FLOAT_TYPES))
        if "strides" not in problem.text:
            return problem


SCATTERS = (
    random_single_steps,
    lambda rng: scatter.random_unpool(rng, generators.pick(rng, tuple(NUMPY_TYPES))),
    lambda rng: scatter.random_block_unpool(rng, generators.pick(rng, tuple(NUMPY_TYPES))),
    lambda rng: scatter.random_max_pool_grad(rng, generators.pick(rng, FLOAT_TYPES), given=True),
    lambda rng: scatter.random_max_pool_grad(rng, generators.pick(rng, FLOAT_TYPES), blocks=True),
    lambda rng: scatter.random_max_pool_grad(rng, generators.pick(rng, FLOAT_TYPES), given=True,
                                             windows=True, pinned=False),
    lambda rng: scatter.random_max_pool_grad(rng, generators.pick(rng, FLOAT_TYPES), given=False,
                                             windows=True, pinned=False),
    lambda rng: scatter.random_avg_pool_grad(rng, generators.pick(rng, FLOAT_TYPES)),
    lambda rng: scatter.random_avg_pool_grad(rng, generators.pick(rng, FLOAT_TYPES), wide=True),
)


def scatter_subject(rng):
    problem = generators.pick(rng, SCATTERS)(rng)

    @dataclass
    class Typed:
        dtype: np.dtype

    def compared(report, text, arrays):
        compare_arrays(report, problem.op, text, arrays, problem.case or Typed(problem.dtype),
                       problem.truth)
    strategies = plans.GATHER if problem.op == "avg_pool_grad" else plans.SCATTER
    return Subject(problem.text, problem.inputs, [problem.dtype], dict.fromkeys(strategies, 1),
                   plans.Facts(0), compared)


def random_subject(rng, number, processor):
    subject = (window_subject, window_subject, window_subject, window_subject,
               adaptive_subject, scatter_subject)[number % 6](rng)
    # Sums of narrow types have wider accumulators, so sometimes count lanes of 32 bits.
    bits = 8 * subject.types[0].itemsize
    subject.facts.lanes = max(2, generators.pick(rng, VECTOR_BITS[processor]) // generators.pick(
        rng, (bits, max(bits, 32)), (2, 1)))
    return subject


# Plans

def select(report, subjects, target):
    """Stores each subject's selected plan, if pool-select-plan gives it one."""
    lowered = plans.lower(report, [s.text for s in subjects], f"--pool-select-plan={target}")
    for subject, (text, error) in zip(subjects, lowered):
        if not report.expect(text is not None, "pool-select-plan fails", subject.text,
                             stderr=error):
            continue
        found = text.find("pool.plan = ")
        if found >= 0:
            subject.selected = plans.parse(text, found + len("pool.plan = "))


def random_plans(rng, subject, count):
    result = [subject.selected] if subject.selected else []
    while len(result) < count:
        kind = rng.random()
        if subject.selected and kind < 0.25:
            result.append(plans.mutate(rng, subject.selected))
            continue
        strategy = generators.pick(rng, *map(tuple, zip(*subject.strategies.items())))
        plan = plans.random_plan(rng, strategy, subject.facts)
        result.append(plans.mutate(rng, plan) if kind > 0.85 else plan)
    return result


def reason_of(error):
    """Returns the kind of a rejection: its message with placeholders for numbers and plans."""
    message = error.split(plans.REFUSAL)[1].splitlines()[0]
    return re.sub(r"#pool.plan<.*>", "PLAN", re.sub(r"-?\d+(x\d+)*", "N", message))


def find_blamed(stderr, texts):
    """Returns the indices of the texts that have errors. In the module, a line feed separates
    the texts."""
    starts = [1]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    return {bisect.bisect(starts, int(line)) - 1
            for line in re.findall(r"(?m)^\S+\.mlir:(\d+):\d+: error: ", stderr)}


def run_batch(report, pinned, options):
    """Runs functions with accepted plans as one module. If the run fails, functions with errors
    are removed. If no error names a function, the module is halved until the cause is clear."""
    if not pinned:
        return
    with tempfile.TemporaryDirectory() as directory:
        batch = Batch(directory)
        for number, (subject, _, text) in enumerate(pinned):
            batch.add(f"f{number}", text.replace("@f(", f"@f{number}("), subject.inputs,
                      subject.types)
        outputs, process = batch.run("--path=vector", *options)
    if process.returncode != 0:
        command = f"pool-run {' '.join(options)}: exit code {process.returncode}"
        blamed = find_blamed(process.stderr, [text for _, _, text in pinned])
        for number in blamed or (range(len(pinned)) if len(pinned) == 1 else ()):
            report.mismatch(command, pinned[number][2], stderr=process.stderr[:2000])
        if blamed:
            run_batch(report, [p for n, p in enumerate(pinned) if n not in blamed], options)
        elif len(pinned) > 1:
            middle = len(pinned) // 2
            run_batch(report, pinned[:middle], options)
            run_batch(report, pinned[middle:], options)
        return
    for (subject, plan, text), arrays in zip(pinned, outputs):
        subject.check(report, text, arrays)
        for part in plan.chain():
            report.count(f"ran: {part.strategy}")
            for name, value in part.parameters.items():
                if isinstance(value, (str, bool)):
                    report.count(f"ran: {part.strategy}, {name} = {plans.spell(value)}")
            layout = "last" if "channels_last" in text else "first"
            for kind, pattern in KINDS.items():
                if pattern.search(text):
                    report.count(f"ran: {part.strategy}, channels {layout}, {kind}")


def run_chunk(seed, chunk, count, per_problem, most_lines, options):
    """Runs a share of the problems in a process of its own."""
    rng = np.random.default_rng([seed, chunk])
    report = Report("plans")
    processor = options[(seed + chunk) % len(options)]
    subjects = [random_subject(rng, number, processor) for number in range(count)]
    select(report, subjects, processor)
    pinned = []
    for subject in subjects:
        for plan in random_plans(rng, subject, per_problem):
            pinned.append((subject, plan, plans.pin(subject.text, plan)))
    accepted = []
    lowered = plans.lower(report, [text for _, _, text in pinned],
                          f"--convert-pool-to-vector={processor}")
    for item, (text, error) in zip(pinned, lowered):
        subject, plan, original = item
        if text is None:
            report.expect(plans.REFUSAL in error, "an error of another kind", original,
                          stderr=error)
            report.expect(plan is not subject.selected, "the selected plan is refused", original,
                          stderr=error)
            report.count("refused")
            if plans.REFUSAL in error:
                report.count(f"refused: {reason_of(error)}")
            continue
        report.count(f"accepted: {plan.strategy}")
        if "extract_slice" in original:
            report.count("accepted: on a part of a tensor")
        if "negf" in original:
            report.count("accepted: with what follows fused")
        if text.count("\n") > most_lines:
            report.count("accepted, but too long to be compiled here")
        else:
            accepted.append(item)
    level = "-O1" if chunk % 8 == 1 else "-O0"
    guard = f"--guard-pages={('begin', 'end')[chunk % 2]}"
    run_batch(report, accepted, [level, guard, *(f"--{o}" for o in processor.split())])
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--problems", type=int, default=tier.size(3600, 360, 60))
    parser.add_argument("--plans", type=int, default=tier.size(8, 8, 4),
                        help="plans for each problem")
    parser.add_argument("--lines", type=int, default=tier.size(2500, 1500, 800),
                        help="longer code is only lowered, not compiled, to save time")
    parser.add_argument("--seed", type=int, default=tier.seed(17))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    report = Report("plans")
    counts = [min(PROBLEMS_PER_MODULE, options.problems - start)
              for start in range(0, options.problems, PROBLEMS_PER_MODULE)]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for part in pool.map(run_chunk, [options.seed] * len(counts), range(len(counts)), counts,
                             [options.plans] * len(counts), [options.lines] * len(counts),
                             [[f"mcpu={name}" for name in processors()]] * len(counts)):
            report.merge(part)
    report.require_counted(*(f"ran: {strategy}" for strategy in
                             plans.WINDOW + plans.ADAPTIVE + plans.SCATTER + plans.GATHER),
                           *(f"ran: staged, channels {layout}, {kind}"
                             for layout in ("first", "last") for kind in KINDS))
    return report.finish()


if __name__ == "__main__":
    main(run)
