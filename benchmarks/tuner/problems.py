"""The problems for races of plans: workloads, random layers, gradients, adaptive
pooling."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import re
from dataclasses import dataclass, field

import numpy as np
from groups import adaptive, scatter
from measure.workloads import Workload, aligned, read_files
from pooltest import plans, rules
from pooltest.case import Case
from pooltest.rules import product

from . import space

NUM_RANDOM = 60
# Matches the text before an operation's types
OPERATION = re.compile(r"(pool\.([a-z_]+) [^:]*?)\s*:(?= )")


@dataclass
class Problem:
    """A module whose function `main` has one operation."""

    name: str
    text: str
    # Returns the list of the arguments.
    make_inputs: callable
    rank: int
    # Element type of the computation
    dtype: np.dtype
    # Extents and other numbers of the problem. The parameters of random plans are drawn near
    # them. `candidates` sets the lanes.
    facts: plans.Facts = field(default_factory=lambda: plans.Facts(1))
    # These fields are set for windows only.
    kernel: tuple = ()
    is_channels_last: bool = False
    is_sum: bool = False

    @property
    def has_unknown_outputs(self):
        """True if the function allocates its results, so that a caller cannot pass arrays for
        them."""
        return "?" in re.search(r"@main\(.*?\) -> (.*?) \{$", self.text, re.MULTILINE)[1]

    @property
    def operation(self):
        return self._operation().group(2)

    def _operation(self):
        return OPERATION.search(self.text, self.text.index("@main("))

    def pinned(self, plan):
        """Returns the module's text with `plan` as the operation's plan."""
        end = self._operation().end(1)
        return f"{self.text[:end]} {{pool.plan = {plan}}}{self.text[end:]}"

    def candidates(self, rng, vector_bits, count):
        """Returns a pair: the number of plans, and a list of at most `count` of them. For
        windows with unknown extents the number is None, because chains of plans are
        unlimited."""
        bits = 8 * self.dtype.itemsize
        # Accumulators have at least 32 bits for sums, and for floats on the processors of
        # tune.py.
        is_wide = self.is_sum or self.dtype.kind not in "iu"
        self.facts.lanes = max(2, vector_bits // (max(bits, 32) if is_wide else bits))
        if self.kernel and self.facts.is_dynamic:
            return None, space.chains(rng, self.facts, self.kernel, self.is_channels_last, count)
        spaces = space.window_spaces(self.facts, self.kernel, self.is_channels_last) \
            if self.kernel else space.other_spaces(self.operation)
        return sum(map(len, spaces.values())), space.sample(rng, spaces, count)


def of_workload(workload, name):
    case = workload.case
    spatial = tuple(workload.output[d] for d in case.spatial_dims)
    resolved = rules.resolve(case)
    rows = resolved[-2] if len(resolved) > 1 else None
    facts = plans.Facts(1, spatial, resolved[-1].pad_begin, case.shape[case.channel_dim],
                        case.spatial_dims[-1] in case.dynamic,
                        rows.dilation // math.gcd(rows.stride, rows.dilation) if rows else 1)
    text = case.function("main", case.dynamic_output_shape(workload.output), pretty=True)
    return Problem(name, text, lambda: [workload.make_input()], case.rank, case.dtype, facts,
                   case.kernel, case.layout == "channels_last", case.op != "max_pool")


def workloads():
    for name, workload in read_files().items():
        # The processors of tune.py have no bf16 instructions, so long plans of bf16 take
        # minutes to compile.
        if workload.case.element_type != "bf16":
            yield of_workload(workload, name)


def random_windows(count):
    """Layers as in networks: planes get smaller as channels get more, and small kernels
    are more frequent than large ones."""
    rng = np.random.default_rng(18)
    number = 0
    while number < count:
        extent = int(rng.choice((7, 10, 13, 14, 20, 28, 35, 56, 75, 112, 147, 224)))
        channels = int(min(512, max(3, 2 ** rng.integers(12, 19) // extent ** 2)))
        kernel = int(rng.choice((2, 3, 3, 3, 4, 5, 5, 7, 9, 13, 21)))
        stride = int(rng.choice((1, 1, 2, 2, 3, min(kernel, 4))))
        dilation = int(rng.choice((1, 1, 1, 1, 2)))
        pad = int(rng.integers(0, kernel // 2 + 1))
        layout = str(rng.choice(("channels_first",) * 3 + ("channels_last",)))
        shape = (1, channels, extent, extent + int(rng.integers(0, 3)))
        if layout == "channels_last":
            shape = (1, *shape[2:], channels)
        case = Case(str(rng.choice(("max_pool", "max_pool", "avg_pool", "lp_pool"))), shape,
                    kernel=(kernel,) * 2, strides=(stride,) * 2, dilations=(dilation,) * 2,
                    pads_begin=(pad,) * 2, pads_end=(pad,) * 2, layout=layout)
        if case.op != "lp_pool":
            case = case.with_(element_type=str(rng.choice(("f32",) * 5 + ("f16", "ui8", "f64"))))
        if case.op == "max_pool" and rng.random() < 0.2:
            case = case.with_(index_type="i64")
        try:
            output = tuple(rules.output_shape(case))
        except rules.Refused:
            continue
        if min(output) < 1 or product(output) * product(case.kernel) > 2 ** 28:
            continue
        yield of_workload(Workload(f"random_{number}", case, output), f"random_{number}")
        number += 1


def random_array(shape, seed):
    result = aligned(shape, np.float32)
    result[...] = np.random.default_rng(seed).standard_normal(shape)
    return result


def of_scatter(workload):
    def make_inputs():
        import pool_mlir  # pylint: disable=import-outside-toplevel
        x, g = random_array(workload.shape, 1), random_array(workload.output, 2)
        if workload.op == "avg_pool_grad":
            return [g]
        if workload.op == "recomputed_grad":
            return [x, g]
        indices = pool_mlir.compile(workload.module(), entry="forward")(x)[1]
        return [g, indices] if workload.op == "max_unpool" else [x, g, indices]
    return Problem(workload.name, workload.module(), make_inputs, len(workload.shape),
                   np.dtype(np.float32), is_sum=workload.op != "max_unpool")


def of_adaptive(workload):
    return Problem(workload.name, workload.module(), lambda: [random_array(workload.shape, 1)],
                   len(workload.shape), np.dtype(np.float32), is_sum=workload.kind == "avg")


def read_problems(kinds):
    """Returns {name: problem} of the given kinds: workloads, random, gradients,
    adaptive."""
    problems = []
    if "workloads" in kinds:
        problems += workloads()
    if "random" in kinds:
        problems += random_windows(NUM_RANDOM)
    if "gradients" in kinds:
        problems += (of_scatter(scatter.Workload(*w)) for w in scatter.WORKLOADS)
    if "adaptive" in kinds:
        problems += (of_adaptive(adaptive.Workload(*w)) for w in adaptive.WORKLOADS)
    return {problem.name: problem for problem in problems}
