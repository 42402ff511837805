#!/usr/bin/env python3
"""Measures the time to compile a kernel, stage by stage.

Compiles every workload by `pool_mlir.compile`, in one warm process on one core, without the
disk cache. All extents are known in the first pass and unknown in the second, whatever
extents the workload itself leaves unknown. Prints the stages in milliseconds and the names of
the slowest workloads. The last line has the time of calls that find their code in the disk
cache. The benchmark only prints and asserts nothing.

    latency.py --build build
    latency.py --build build --only stem --plot latency.png
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
from measure.workloads import (  # noqa: E402
    BadWorkload, add_selection, only_named, read_files)

STAGES = {"mlir_passes": "MLIR's passes", "llvm_passes": "LLVM's passes",
          "code_generation": "code generation", "linking": "linking",
          "rest": "parsing and the rest"}
SLOWEST = 5


def texts_of(options, dynamic):
    """Returns {workload: text of a module}."""
    result = {}
    for name, workload in read_files(options.files).items():
        case = workload.case
        case = case.with_(dynamic=tuple(range(len(case.shape))) if dynamic else ())
        result[name] = case.function(
            "f", case.dynamic_output_shape(workload.output), pretty=True)
    return only_named(result, options.only, "workload")


def measure(compile_module, texts, repetitions):
    """Returns {workload: {stage: milliseconds}} of the fastest repetition, with `total`."""
    compile_module(next(iter(texts.values())))
    result = {}
    for name, text in texts.items():
        for _ in range(repetitions):
            begin = time.perf_counter()
            stages = dict(compile_module(text).compile_times)
            total = time.perf_counter() - begin
            stages.update(rest=total - sum(stages.values()), total=total)
            if name not in result or 1000 * total < result[name]["total"]:
                result[name] = {stage: 1000 * seconds for stage, seconds in stages.items()}
    return result


def table(results):
    yield "| extents | stage | median ms | mean ms | most ms |"
    yield "|---|---|--:|--:|--:|"
    for kind, times in results.items():
        for stage, words in (*STAGES.items(), ("total", "all")):
            values = [workload[stage] for workload in times.values()]
            yield (f"| {kind} | {words} | {statistics.median(values):.1f} "
                   f"| {statistics.mean(values):.1f} | {max(values):.1f} |")


def slowest_lines(results):
    for kind, times in results.items():
        names = sorted(times, key=lambda name: -times[name]["total"])[:SLOWEST]
        yield (f"{kind}: the slowest of {len(times)}: "
               + ", ".join(f"{name} {times[name]['total']:.0f} ms" for name in names))


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
    with tempfile.TemporaryDirectory(prefix="pool-bench-") as directory:
        environment = {**os.environ, "POOL_CACHE_DIR": directory,
                       "PYTHONPATH": str(options.build / "python")}
        process = subprocess.run([sys.executable, "-c", FINDER], input=json.dumps(texts),
                                 env=environment, stdout=subprocess.PIPE, text=True, check=True)
    times = json.loads(process.stdout)
    return (f"found on disk: {statistics.median(times):.2f} ms in the median, "
            f"{max(times):.2f} ms at most")


def plot(results, path):
    """Draws stacked bars: the stages of every workload, fastest first."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

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
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_selection(parser)
    parser.add_argument("--repetitions", type=int, default=3,
                        help="number of runs, of which the fastest counts (default: 3)")
    parser.add_argument("--markdown", type=Path, metavar="FILE",
                        help="also write the table to FILE")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the stages into FILE")
    options = parser.parse_args()
    sys.path.insert(0, str(options.build / "python"))
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        kinds = {kind: texts_of(options, kind == "unknown") for kind in ("known", "unknown")}
        import pool_mlir  # pylint: disable=import-outside-toplevel
        results = {kind: measure(pool_mlir.compile, texts, options.repetitions)
                   for kind, texts in kinds.items()}
    except (BadWorkload, ImportError, OSError) as error:
        sys.exit(f"latency.py: {error}")
    lines = [*table(results), "", *slowest_lines(results)]
    lines.append(found_line(options, [text for texts in kinds.values() for text in texts.values()]))
    print("\n".join(lines))
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.plot:
        plot(results, options.plot)


if __name__ == "__main__":
    main()
