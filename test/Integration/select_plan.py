# RUN: env POOL_BUILD_DIR=%build_dir PYTHONPATH=%src_root/benchmarks %python %s
"""A plan that pool-select-plan writes must give the same code as one that is chosen while
lowering.

`pool-opt --pool-select-plan | pool-opt --convert-pool-to-vector` must print exactly the output of
`pool-opt --convert-pool-to-vector` alone. The test covers every strategy, the benchmarks'
workloads with known and unknown extents, random operations, and several vector lengths.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import multiprocessing
from pathlib import Path

import numpy as np

from measure.workloads import read_workloads
from pooltest import adaptive, generators, plans, scatter, tier
from pooltest.case import FLOAT_TYPES, NUMPY_TYPES
from pooltest.report import Report, main

ROOT = Path(__file__).resolve().parents[2]
# The functions of these .mlir files cover every strategy.
KNOWN = [ROOT / "test" / "Conversion" / "PoolToVector" / name
         for name in ("select-plan.mlir", "select-plan-others.mlir")]
VECTOR_BITS = (512, 256, 128)
TEXTS_PER_MODULE = 100


def workload_texts():
    """Yields each workload three times: with known extents, with unknown spatial extents, and
    with only unknown extents."""
    for file in ("workloads.json", "others.json"):
        for workload in read_workloads(ROOT / "benchmarks" / file).values():
            case = workload.case
            for dynamic in ((), case.spatial_dims, range(case.rank)):
                hidden = case.with_(dynamic=tuple(dynamic))
                yield hidden.function("f", hidden.dynamic_output_shape(workload.output))


def random_text(rng, number):
    """Returns the text of a random operation. Every other operation is an ordinary pooling."""
    kind = number % 8
    any_type = generators.pick(rng, tuple(NUMPY_TYPES))
    any_float = generators.pick(rng, FLOAT_TYPES)
    if kind == 1:
        return adaptive.random_problem(rng).text("f")
    if kind == 3:
        return (scatter.random_block_unpool if number % 16 == 3 else
                scatter.random_unpool)(rng, any_type).text
    if kind == 5:
        return scatter.random_max_pool_grad(rng, any_float, blocks=number % 16 == 5).text
    if kind == 7:
        return scatter.random_avg_pool_grad(rng, any_float, wide=number % 16 == 7).text
    return generators.random_text(rng, number)


def compare(texts, bits):
    """Lowers the texts with one and with two processes of pool-opt, and compares the code."""
    report = Report("select_plan")
    option = f"=vector-bits={bits}"
    alone = plans.lower(report, texts, f"--convert-pool-to-vector{option}")
    selected = plans.lower(report, texts, f"--pool-select-plan{option}")
    planned = [text or original for (text, _), original in zip(selected, texts)]
    pinned = plans.lower(report, planned, f"--convert-pool-to-vector{option}")
    for text, (once, _), (plan, error), (again, refusal) in zip(texts, alone, selected, pinned):
        if not report.expect(None not in (once, plan, again), "one of the passes fails", text,
                             plan=plan, stderr=error + refusal):
            continue
        report.expect(once.strip() == again.strip(), f"{bits} bits: other code", text, plan=plan,
                      alone=once, pinned=again)
        report.count(f"{bits} bits: compared")
        for found in plan.split("pool.plan = ")[1:]:
            for part in plans.parse(found).chain():
                report.count(f"selected: {part.strategy}")
        if "pool.plan" not in plan:
            report.count("without a plan")
    return report


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(4000, 300, 30))
    parser.add_argument("--workloads", type=int, default=tier.size(None, 30, 4),
                        help="number of texts of workloads (default: all)")
    parser.add_argument("--seed", type=int, default=tier.seed(19))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    texts = [text for path in KNOWN for text in path.read_text().split(plans.SEPARATOR)]
    texts += tier.sample(workload_texts(), options.workloads, 19)
    texts += [random_text(rng, number) for number in range(options.cases)]
    modules = [(texts[start:start + TEXTS_PER_MODULE], bits)
               for start in range(0, len(texts), TEXTS_PER_MODULE) for bits in VECTOR_BITS]
    report = Report("select_plan")
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for part in pool.map(compare, *zip(*modules)):
            report.merge(part)
    for strategy in plans.WINDOW + plans.ADAPTIVE + plans.SCATTER + plans.GATHER:
        report.expect(report.counts[f"selected: {strategy}"] > 0, f"never selected: {strategy}")
    return report.finish()


if __name__ == "__main__":
    main(run)
