"""Measures the time to compile a kernel, stage by stage.

Compiles every workload by `pool_mlir.compile`, in one warm process on one core, without the
disk cache. All extents are known in the first pass and unknown in the second. The last line has the
time of calls that find their code in the disk cache.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time

from measure.turns import import_pool_mlir
from measure.workloads import read_files

ROUNDS = 3
TAKES_FILES = True
STAGES = {"mlir_passes": "MLIR's passes", "llvm_passes": "LLVM's passes",
          "code_generation": "code generation", "linking": "linking",
          "rest": "parsing and the rest"}
SLOWEST = 5


def rows(options):
    return read_files(options.files)


def with_extents(workload, are_known):
    case = workload.case
    return dataclasses.replace(workload, case=case.with_(
        dynamic=() if are_known else tuple(range(case.rank))))


def measure(compile_module, texts, rounds):
    """Returns {workload: {stage: milliseconds}} of the fastest round, with `total`."""
    compile_module(next(iter(texts.values())))
    result = {}
    for name, text in texts.items():
        for _ in range(rounds):
            begin = time.perf_counter()
            stages = dict(compile_module(text).compile_times)
            total = time.perf_counter() - begin
            stages.update(rest=total - sum(stages.values()), total=total)
            if name not in result or 1000 * total < result[name]["total"]:
                result[name] = {stage: 1000 * seconds for stage, seconds in stages.items()}
    return result


# Compiles the modules of standard input twice, and prints the times of the second pass.
FINDER = """
import json, sys, time
import pool_mlir
texts = json.load(sys.stdin)
for _ in range(2):
    times = []
    for text in texts:
        begin = time.perf_counter()
        pool_mlir.compile(text)
        times.append(1000 * (time.perf_counter() - begin))
json.dump(times, sys.stdout)
"""


def found_line(options, texts):
    """Returns a line with the times of calls that find their code in the disk cache. A
    separate process measures them."""
    environment = {**os.environ, "POOL_CACHE_DIR": str(options.directory),
                   "PYTHONPATH": str(options.build / "python")}
    process = subprocess.run([sys.executable, "-c", FINDER], input=json.dumps(texts),
                             env=environment, stdout=subprocess.PIPE, text=True, check=True)
    times = json.loads(process.stdout)
    return (f"found on disk: {statistics.median(times):.2f} ms in the median, "
            f"{max(times):.2f} ms at most")


def plot(results, pyplot):
    """Draws stacked bars: the stages of every workload, fastest first."""
    figure, every = pyplot.subplots(1, len(results), figsize=(6 * len(results), 4),
                                    squeeze=False)
    for axes, (kind, times) in zip(every[0], results.items()):
        names = sorted(times, key=lambda name: times[name]["total"])
        base = [0] * len(names)
        for stage, words in STAGES.items():
            values = [times[name][stage] for name in names]
            axes.bar(range(len(names)), values, 1, bottom=base, label=words)
            base = [a + b for a, b in zip(base, values)]
        middle = statistics.median(base)
        axes.axhline(middle, color="black", linewidth=0.8)
        axes.annotate(f"median {middle:.0f} ms", (0, middle), va="bottom", fontsize=8)
        axes.set_title(f"extents {kind}")
        axes.set_xlabel("workloads, fastest to compile first")
        axes.set_ylabel("ms")
        axes.margins(x=0)
    every[0][0].legend(fontsize=8)
    return figure


def run(chosen, options, report):
    pool_mlir = import_pool_mlir(options)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    kinds = {kind: {name: with_extents(workload, kind == "known").function("f")
                    for name, workload in chosen.items()} for kind in ("known", "unknown")}
    report.header("extents", "stage", "median ms", "mean ms", "most ms", left=(0, 1))
    for kind, texts in kinds.items():
        times = report.figures[kind] = measure(pool_mlir.compile, texts, options.rounds)
        for stage, words in (*STAGES.items(), ("total", "all")):
            values = [workload[stage] for workload in times.values()]
            report.row(kind, words, f"{statistics.median(values):.1f}",
                       f"{statistics.mean(values):.1f}", f"{max(values):.1f}")
    report.line()
    for kind, times in report.figures.items():
        names = sorted(times, key=lambda name: -times[name]["total"])[:SLOWEST]
        report.line(f"{kind}: the slowest of {len(times)}: "
                    + ", ".join(f"{name} {times[name]['total']:.0f} ms" for name in names))
    report.line(found_line(options, [text for texts in kinds.values() for text in texts.values()]))
