"""What the groups of run.py share: turns, tools of the build, and reports."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import time

from . import native


def in_turns(contestants, rounds=1, seconds=0):
    """Takes rounds of turns: at least `rounds`, and for at least `seconds`. A contestant is a
    function that returns its time. The order alternates. Returns {name: list of times}."""
    times = {name: [] for name in contestants}
    end = time.perf_counter() + seconds
    number = 0
    while number < rounds or time.perf_counter() < end:
        for name in list(contestants) if number % 2 == 0 else reversed(list(contestants)):
            times[name].append(contestants[name]())
        number += 1
    return times


def least_in_turns(contestants, rounds=1, seconds=0):
    return {name: min(times) for name, times in in_turns(contestants, rounds, seconds).items()}


def least_time(call, repeat):
    """Returns the least microseconds of a call."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times) * 1e6


def pool_run(options, module, inputs, outputs, *arguments, entry="main"):
    """Runs a function of a module. Returns the least microseconds, or None without --repeat."""
    printed = native.run([options.build / "bin/pool-run", module, "--entry", entry, "--input",
                          *inputs, "--output", *outputs, *arguments])
    found = re.search(r"min_us=([0-9.]+)", printed)
    return float(found[1]) if found else None


def import_pool_mlir(options):
    """Imports the Python package of the build."""
    sys.path.insert(0, str(options.build / "python"))
    import pool_mlir  # pylint: disable=import-outside-toplevel
    return pool_mlir


class Report:
    """Prints tables row by row, and keeps their lines and figures. `status` is the exit code."""

    def __init__(self):
        self.lines, self.figures, self.status = [], {}, 0

    def line(self, text=""):
        print(text, flush=True)
        self.lines += text.split("\n")

    def header(self, *columns, left=(0,)):
        """Begins a table. Columns of numbers are aligned to the right."""
        self.line("| " + " | ".join(columns) + " |")
        self.line("|" + "|".join("---" if i in left else "--:" for i in range(len(columns))) + "|")

    def row(self, name, *cells, **figures):
        """Adds a row to the table, and figures to the JSON file."""
        self.line(f"| {name} | " + " | ".join(map(str, cells)) + " |")
        if figures:
            self.figures[name] = figures
