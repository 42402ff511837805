#!/usr/bin/env python3
"""Runs groups of benchmarks and prints a table of each. A benchmark asserts nothing about times.

Contestants run in turns, so that a change of the machine's speed affects all, and the least time
of all rounds counts.

    run.py --list                                       the groups
    run.py parse_verify convert --build build           two of them
    run.py scatter --only stem --json scatter.json      rows whose name contains `stem`
    run.py plans mine.json                              a file of your own workloads
    run.py latency --help                               what it does, and its own options
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import ast
import importlib
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import measure  # noqa: F401  makes the tests' modules findable
from measure.native import Failure
from measure.turns import Report

HERE = Path(__file__).resolve().parent
GROUPS = sorted(path.stem for path in (HERE / "groups").glob("[a-z]*.py"))


def make_parser(name="", group=None):
    """Makes a parser with the shared options, and those of a group."""
    parser = argparse.ArgumentParser(
        prog=f"run.py {name}".strip(), usage="run.py GROUP... [WORKLOADS.json...] [OPTIONS]",
        description=group.__doc__ if group else __doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="WORKLOADS.json",
                        help="default: workloads.json and others.json beside this script")
    parser.add_argument("--build", type=Path, default=Path("build"),
                        help="build directory (default: build)")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only rows whose name contains TEXT; may be given several times")
    parser.add_argument("--list", action="store_true", help="list the groups, or their rows")
    parser.add_argument("--rounds", type=int, default=getattr(group, "ROUNDS", None),
                        help="turns of each contestant (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables to FILE")
    parser.add_argument("--plot", type=Path, metavar="FILE",
                        help="draw the figures, if the group has a picture (needs matplotlib)")
    parser.add_argument("--worker", nargs="*", help=argparse.SUPPRESS)
    if hasattr(group, "add_options"):
        group.add_options(parser)
    return parser


def list_groups():
    for name in GROUPS:
        text = (HERE / "groups" / f"{name}.py").read_text(encoding="utf-8")
        print(f"{name:16}{ast.get_docstring(ast.parse(text)).splitlines()[0]}")


def choose(group, options):
    """Returns the rows of a group that --only names."""
    return {name: row for name, row in group.rows(options).items()
            if not options.only or any(part in name for part in options.only)}


def draw(group, report, path):
    """Calls the group's plot() with a pyplot that writes files, and saves the figure."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    figure = group.plot(report.figures, pyplot)
    figure.savefig(path, dpi=150, bbox_inches="tight")
    pyplot.close(figure)


def run_group(name, group, options, is_alone):
    """Runs a group and returns its report."""
    rows = choose(group, options)
    if options.list:
        print("\n".join(rows))
        return Report()
    if not rows:
        raise Failure(f"no {getattr(group, 'KIND', 'workload')}'s name contains "
                      + " or ".join(options.only))
    if options.plot and not hasattr(group, "plot"):
        raise Failure("this group has no picture")
    report = Report()
    if not is_alone:
        report.line(f"{name}:\n")
    with tempfile.TemporaryDirectory(prefix="pool-bench-") as directory:
        options.directory = Path(directory)
        group.run(rows, options, report)
    if options.plot:
        draw(group, report, options.plot)
    return report


def main():
    arguments = sys.argv[1:]
    names = list(itertools.takewhile(GROUPS.__contains__, arguments))
    del arguments[:len(names)]
    if len(names) != 1:
        # Only the options that all groups share are allowed.
        options = make_parser().parse_intermixed_args(arguments)
        if not names and options.list:
            return list_groups()
        if not names:
            make_parser().error(f"the first word is a group: {', '.join(GROUPS)}")
    reports, status = {}, 0
    for name in names:
        try:
            group = importlib.import_module(f"groups.{name}")
            options = make_parser(name, group).parse_intermixed_args(arguments)
            if options.worker is not None:
                return group.work(options)
            reports[name] = run_group(name, group, options, len(names) == 1)
        except (Failure, ImportError, OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"run.py {name}: {error}")
        status |= reports[name].status
    if options.markdown:
        lines = ["Made by", "", "    benchmarks/run.py " + " ".join(sys.argv[1:]), ""]
        for report in reports.values():
            lines += report.lines
        options.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.json:
        figures = {name: report.figures for name, report in reports.items()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
