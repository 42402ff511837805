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
import functools
import importlib
import itertools
import json
import operator
import subprocess
import sys
import tempfile
from pathlib import Path

import measure  # noqa: F401  makes the tests' modules findable
from measure import plot
from measure.native import Failure
from measure.turns import Report
from measure.workloads import named

HERE = Path(__file__).resolve().parent
GROUPS = sorted(path.stem for path in (HERE / "groups").glob("[a-z]*.py"))


def positive(text):
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is not a positive whole number")
    return int(text)


def make_parser(name="", group=None):
    """Makes a parser with the shared options, and those of a group."""
    takes_files = getattr(group, "TAKES_FILES", group is None)
    parser = argparse.ArgumentParser(
        prog=f"run.py {name}".strip(),
        usage=f"run.py GROUP... {'[WORKLOADS.json...] ' * takes_files}[OPTIONS]",
        description=group.__doc__ if group else __doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="WORKLOADS.json",
                        help="default: workloads.json and others.json beside this script"
                        if takes_files else argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, default=Path("build"),
                        help="build directory (default: build)")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only rows whose name contains TEXT; may be given several times")
    parser.add_argument("--list", action="store_true", help="list the groups, or their rows")
    if group is None or hasattr(group, "ROUNDS"):
        parser.add_argument("--rounds", type=positive, default=getattr(group, "ROUNDS", None),
                            help="turns of each contestant (default: "
                            + ("%(default)s)" if group else "the group's)"))
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


def load_pyplot(path):
    """Returns matplotlib's pyplot. Raises Failure if it cannot write `path`."""
    pyplot = plot.load()
    from matplotlib.backend_bases import FigureCanvasBase  # pylint: disable=import-outside-toplevel
    known = FigureCanvasBase.get_supported_filetypes()
    if path.suffix[1:].lower() not in known:
        raise Failure(f"--plot {path}: the suffix must be one of {', '.join(known)}")
    return pyplot


def check_files(group, options):
    """Raises Failure if a file of the options cannot be written."""
    for path in filter(None, (options.json, options.markdown, options.plot)):
        if not path.parent.is_dir():
            raise Failure(f"{path}: there is no directory {path.parent}")
    if options.plot and not hasattr(group, "plot"):
        raise Failure("this group has no picture")
    if options.plot:
        load_pyplot(options.plot)


def prepare(name, arguments):
    """Returns the group, its options, and its rows, or None with --worker."""
    group = importlib.import_module(f"groups.{name}")
    parser = make_parser(name, group)
    options = parser.parse_intermixed_args(arguments)
    # A group may start itself with these.
    options.command = [sys.argv[0], name, *arguments]
    for path in options.files:
        if not path.exists():
            parser.error(f"{path} is neither a file nor a group. Groups: {', '.join(GROUPS)}")
        if not hasattr(group, "TAKES_FILES"):
            parser.error(f"this group takes no files: {path}")
    rows = named(group.rows(options), options.only)
    if not rows and not options.list:
        kind = getattr(group, "KIND", "workload")
        raise Failure(f"no {kind}'s name contains {' or '.join(options.only)}" if options.only
                      else f"there is no {kind}")
    if options.worker is None and not options.list:
        check_files(group, options)
    return group, options, rows


def write(reports, options):
    """Writes what is known to the files. Leaves them alone if that is nothing."""
    if not any(report.lines or report.figures for report in reports.values()):
        return
    if options.markdown:
        lines = ["Made by", "", "    benchmarks/run.py " + " ".join(sys.argv[1:]), ""]
        for report in reports.values():
            lines += report.lines
        options.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.json:
        figures = {name: report.figures for name, report in reports.items()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def draw(group, report, path):
    """Calls the group's plot() with a pyplot that writes files, and saves the figure."""
    pyplot = load_pyplot(path)
    figure = group.plot(report.figures, pyplot)
    figure.savefig(path, dpi=150, bbox_inches="tight")
    pyplot.close(figure)


def run_groups(names, arguments):
    """Checks the options of all groups, runs the groups, and returns the exit code."""
    name, prepared, reports = names[0], {}, {}
    try:
        for name in names:
            prepared[name] = group, options, rows = prepare(name, arguments)
            if options.worker is not None:
                return group.work(rows, options)
        if options.list:
            print("\n".join(row for _, _, rows in prepared.values() for row in rows))
            return 0
        try:
            for name, (group, options, rows) in prepared.items():
                report = reports[name] = Report()
                if len(names) > 1:
                    report.line(f"{name}:\n")
                with tempfile.TemporaryDirectory(prefix="pool-bench-") as directory:
                    options.directory = Path(directory)
                    group.run(rows, options, report)
        finally:
            write(reports, options)
        if options.plot:
            draw(group, report, options.plot)
    except (Failure, ImportError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"run.py {name}: {error}")
    return functools.reduce(operator.or_, (report.status for report in reports.values()))


def main():
    arguments = sys.argv[1:]
    names = list(itertools.takewhile(GROUPS.__contains__, arguments))
    del arguments[:len(names)]
    names = list(dict.fromkeys(names))
    if len(names) != 1:
        # Only the options that all groups share are allowed.
        parser = make_parser()
        options = parser.parse_intermixed_args(arguments)
        if not names and options.list and not options.files:
            return list_groups()
        if not names:
            parser.error(f"the first word is a group: {', '.join(GROUPS)}")
        if options.plot:
            parser.error("--plot is for one group")
    return run_groups(names, arguments)


if __name__ == "__main__":
    sys.exit(main())
