"""Maps how far kernels are from the machine's limit.

Measures the cells of holes.json (layout, rank, channels, operation, element type, kernel)
on one thread. `x copy` is the least time of a cell divided by the least time of a memcpy. This
memcpy reads and writes as many bytes in all as the cell, and runs in turns with the cell in one
process. Kernels are squares or cubes, with stride 1, dilation 1 and known extents unless the cell
says otherwise. Padding is "same", and averages do not count it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import math
import os
import re
import time
from pathlib import Path

from measure import native
from measure.report import number
from measure.rounds import Plan, run_rounds
from measure.worker import Context, say
from measure.workloads import FILES, Workload
from peers.limits import Limits
from peers.own import Own
from pooltest import rules
from pooltest.case import Case

ROUNDS = 5
KIND = "cell"
CELLS = FILES[0].with_name("holes.json")
LAYOUTS = ("first", "last")


def workload_of(name, entry, extents, kernel, layout):
    """Returns the problem of one cell, for a batch of one."""
    channels, *spatial = extents
    match = re.fullmatch(r"k(\d+)(?: s(\d+))?(?: d(\d+))?", kernel)
    shape = [1, channels, *spatial] if layout == "first" else [1, *spatial, channels]
    case = Case(
        entry["op"], shape, [int(match[1])] * len(spatial), entry.get("type", "f32"),
        strides=[int(match[2] or 1)] * len(spatial),
        dilations=[int(match[3] or 1)] * len(spatial), auto_pad="same_upper",
        same_output="strided", layout=f"channels_{layout}", index_type=entry.get("indices"),
        dynamic=tuple(range(len(shape))) if entry.get("dynamic") else ())
    return Workload(name, case, tuple(rules.output_shape(case)))


def read_cells(path=CELLS):
    """Returns {name: workload} in the file's order."""
    data = json.loads(path.read_text(encoding="utf-8"))
    cells = {}
    for entry in data["cells"]:
        words = [entry["op"].removesuffix("_pool"), entry.get("type", "f32")]
        words += ["indices"] * ("indices" in entry) + ["dynamic"] * ("dynamic" in entry)
        for kernel in entry["kernels"]:
            for layout in LAYOUTS:
                name = " ".join([layout, entry["input"], *words, kernel])
                cells[name] = workload_of(name, entry, data["inputs"][entry["input"]], kernel,
                                          layout)
    return cells


def measure(workload, own, limits, plan):
    """Returns {contestant: least microseconds}, without contestants that fail."""
    x = workload.make_input()
    contestants, first_us = {}, {}
    for peer, name in [(limits, "copy"), *((own, name) for name in own.names)]:
        try:
            contestants[name] = peer.prepare(name, workload, x)
        except native.Failure as error:
            say(f"  {name} failed: {str(error).splitlines()[0]}")
            continue
        begin = time.perf_counter()
        contestants[name].call()
        first_us[name] = (time.perf_counter() - begin) * 1e6
    times = run_rounds(contestants, first_us, plan)
    return {name: row["min_us"] for name, row in times.items()}


def plot(results, pyplot):
    """Draws `x copy` of every cell on a log scale. The cells that differ only in the layout
    share a row, with a mark for each layout. Marks of the build of --against are hollow."""
    rows = list(dict.fromkeys(name.split(" ", 1)[1] for name in results))
    figure, axes = pyplot.subplots(figsize=(8, 1.5 + 0.17 * len(rows)))
    for layout, colour in zip(LAYOUTS, ("tab:blue", "tab:orange")):
        for build, filled in (("pool", True), ("against", False)):
            points = [(times[build] / times["copy"], rows.index(name.split(" ", 1)[1]))
                      for name, times in results.items()
                      if name.startswith(layout) and build in times]
            if points:
                axes.scatter(*zip(*points), s=24, edgecolors=colour,
                             color=colour if filled else "none",
                             label=f"channels {layout}" + (", --against" * (not filled)))
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.axvline(8, color="grey", linewidth=0.8, linestyle="--")
    axes.grid(axis="y", linewidth=0.3)
    axes.set_yticks(range(len(rows)), rows, fontsize=7)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set_xlabel("times as long as memcpy of the input and output")
    axes.legend(fontsize=7, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4)
    return figure


def add_options(parser):
    parser.add_argument("--against", type=Path, metavar="BUILD",
                        help="another build directory, to measure in the same turns")
    parser.add_argument("--options", default="", metavar="OPTIONS",
                        help="more options of --pool-to-llvm, for both builds")
    parser.add_argument("--turn-us", type=float, default=3000, metavar="US",
                        help="a contestant's time in a round; at least one call (default: 3000)")


def rows(_):
    return read_cells()


def run(chosen, options, report):
    # Context reads these options: one thread, no limit on the instructions.
    options.worker, options.isa = 1, None
    pipeline = f"path=vector {options.options}".strip()
    options.variants = [("pool", None, pipeline)]
    if options.against:
        options.variants.append(("against", options.against, pipeline))
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    context = Context(options, options.directory)
    own, limits = Own(context), Limits(context)
    builds = [name for name, _, _ in options.variants]
    report.header("channels", "copy us", *(column for build in builds for column in (
        f"{build} us", "ns an output", "x copy")))
    for done, (name, workload) in enumerate(chosen.items(), 1):
        say(f"[{done}/{len(chosen)}] {name}")
        plan = Plan(options.rounds, options.turn_us, seconds=1, rest_ms=0)
        times = measure(workload, own, limits, plan)
        cells = [number(times["copy"])]
        for build in builds:
            us = times.get(build, math.nan)
            cells += [number(us), number(us * 1000 / rules.product(workload.output)),
                      number(us / times["copy"], 1)]
        report.row(name, *cells, **times)
