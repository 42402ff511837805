"""The command line: pool-conformance COMMAND; `pool-conformance COMMAND --help` explains one."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from . import __version__, confirm, files, validate
from .compare import FAULTS, STATUSES
from .hunt import hunt, open_system
from .registry import UnknownName, adapters, count, find_vector, sample, vectors
from .report import write_all, write_pages
from .runner import MEMORY, CannotRun, System, run, system_command

EXIT = """exit codes: 0 all vectors that the system computes conform; 1 there are differences,
crashes or hangs; 2 the command was used wrongly, or a system or its adapter failed"""


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


class Progress:
    """Shows how many vectors are done, on one line if standard error is a terminal. With
    `verbose`, a line for each vector that does not pass."""

    def __init__(self, total: int, verbose: bool) -> None:
        self.total, self.done, self.verbose = total, 0, verbose
        self.terminal = sys.stderr.isatty()

    def __call__(self, name: str, status: str, message: str) -> None:
        self.done += 1
        if self.terminal:
            print(f"\r{self.done}/{self.total}", end="", file=sys.stderr, flush=True)
        if self.verbose and status not in ("pass", "unsupported"):
            say(f"\r{name}: {status}: {message}")
        elif not self.terminal and self.done % 200 == 0:
            say(f"{self.done}/{self.total}")
        if self.terminal and self.done == self.total:
            say("")


def summary(result: dict[str, Any]) -> str:
    """Returns the counts of a run, and its faults with their messages."""
    entries = result["results"]
    counts = count(entry["status"] for entry in entries.values())
    lines = [f"{result['title']} {result['version']}: "
             + ", ".join(f"{counts[status]} {status}" for status in STATUSES
                         if status in counts)]
    lines += [f"  {name}: {entry['status']}: {entry.get('message', '')}"
              for name, entry in entries.items() if entry["status"] in FAULTS + ("broken",)]
    return "\n".join(lines)


def known_results(path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    """Returns the results of an earlier run by the vector's name, if the system still has the
    version of that run. The version must name the build, or results of another one are kept."""
    if not path.exists():
        return {}
    old = read_results([str(path)])[0]
    return dict(old["results"]) if old["version"] == str(facts.get("version", "")) else {}


def command_run(arguments: argparse.Namespace) -> int:
    if bool(arguments.systems) == bool(arguments.program):
        raise UnknownName("name systems, or a program by --program, not both")
    selected = vectors(arguments.vector, arguments.trap, arguments.operation)
    if arguments.sample:
        selected = sample(selected, arguments.sample)
    if arguments.program:
        jobs = [(arguments.name, shlex.split(arguments.program))]
    else:
        known = adapters()
        for name in arguments.systems:
            if name not in known:
                raise UnknownName(f"no system '{name}'; there are: {', '.join(sorted(known))}")
        jobs = [(name, system_command(name, arguments.python)) for name in arguments.systems]
    code = 0
    directory = Path(arguments.output)
    for name, command in jobs:
        try:
            system = System(name, command, arguments.timeout, arguments.memory)
        except (CannotRun, OSError) as error:
            say(f"pool-conformance: {error}")
            code = 2
            continue
        path = directory / f"{name}.json"
        known = known_results(path, system.facts) if arguments.resume else {}
        missing = [vector for vector in selected if vector.name not in known
                   or known[vector.name].get("digest") != confirm.digest(vector.json)]
        try:
            result = run(system, missing, Progress(len(missing), arguments.verbose))
        finally:
            system.close()
        merged = {**known, **result["results"]}
        result["results"] = {vector.name: merged[vector.name] for vector in vectors()
                             if vector.name in merged}
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        print(summary(result))
        print(f"  results: {path}", flush=True)
        statuses = {entry["status"] for entry in result["results"].values()}
        if "broken" in statuses:
            code = 2
        elif code == 0 and statuses & set(FAULTS):
            code = 1
    return code


def command_list(arguments: argparse.Namespace) -> int:
    if arguments.what == "systems":
        for name, adapter in sorted(adapters().items()):
            needs = " ".join(getattr(adapter, "requirements", ())) or "nothing else"
            print(f"{name:<22} {getattr(adapter, 'title', name)}; needs {needs}")
        return 0
    selected = vectors(arguments.vector, arguments.trap, arguments.operation)
    if arguments.what == "vectors":
        for vector in selected:
            print(vector.name)
        return 0
    member = "trap" if arguments.what == "traps" else "operation"
    for name, number in count(getattr(vector, member) for vector in selected).items():
        print(f"{number:5} {name}")
    return 0


def command_show(arguments: argparse.Namespace) -> int:
    vector = find_vector(arguments.name)
    print(files.vector_text(vector.json))
    if arguments.system:
        from .registry import find
        print(find(arguments.system)().reproduce(vector), end="")
    return 0


def read_results(paths: list[str]) -> list[dict[str, Any]]:
    """Reads results of `run`. Raises UnknownName for a file of another kind."""
    results = []
    for path in paths:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(content, dict) or "results" not in content:
            raise UnknownName(f"{path} has no results of 'pool-conformance run'")
        results.append(content)
    return results


# Directories of an absolute path, which say nothing to a reader of a report. The path begins a
# word, so a relative path, an address and a fraction stay.
DIRECTORIES = re.compile(r"(?<![\w.:/-])/(?:[\w.+-]+/)+(?=[\w.+-])")


def without_paths(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns a result whose message has no directories of absolute paths."""
    return {**entry, "message": DIRECTORIES.sub("", entry["message"])} \
        if "message" in entry else entry


def drop_old(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the results without those of vectors that have changed since or are gone."""
    digests = {vector.name: confirm.digest(vector.json) for vector in vectors()}
    return [{**result, "results": {
        name: without_paths(entry) for name, entry in result["results"].items()
        if name in digests and entry.get("digest", digests[name]) == digests[name]}}
        for result in results]


def command_report(arguments: argparse.Namespace) -> int:
    results = drop_old(read_results(arguments.results))
    directory = Path(arguments.output)
    for path in write_all(results, vectors(), directory):
        print(path)
    if arguments.pages:
        for path in write_pages(results, vectors(), Path(arguments.pages)):
            print(path)
    return 0


def command_confirm(arguments: argparse.Namespace) -> int:
    confirmed, total = confirm.record(drop_old(read_results(arguments.results)), vectors())
    print(f"{confirmed} of {total} vectors are confirmed by a system that is not ours; "
          f"{total - confirmed} are ruled. Run make_vectors.py to write it into the vectors.")
    return 0


def command_check(arguments: argparse.Namespace) -> int:
    messages = list(validate.check(Path(arguments.directory) if arguments.directory
                                   else validate.VECTORS))
    for message in messages:
        say(message)
    if not messages:
        print(f"{len(vectors())} vectors are valid and are what the reference computes")
    return 1 if messages else 0


def command_hunt(arguments: argparse.Namespace) -> int:
    found = hunt(open_system(arguments.first, arguments.python, arguments.timeout),
                 open_system(arguments.second, arguments.python, arguments.timeout),
                 arguments.seconds, arguments.seed, arguments.count,
                 arguments.operation, say)
    for vector in found:
        print(files.vector_text(vector))
    return 1 if found else 0


def selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--vector", action="append", default=[], metavar="TEXT",
                        help="only vectors whose name contains TEXT; may be repeated")
    parser.add_argument("--trap", action="append", default=[],
                        help="only vectors of this trap; may be repeated")
    parser.add_argument("--operation", action="append", default=[],
                        help="only vectors of this operation; may be repeated")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pool-conformance", epilog=EXIT,
        description="Runs small pooling problems, whose results the documents decide, on any "
                    "system, and reports where it differs.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, function: Any, text: str, **more: Any) -> argparse.ArgumentParser:
        child = commands.add_parser(name, help=text, description=text, epilog=EXIT, **more)
        child.set_defaults(function=function)
        return child

    child = command("run", command_run, "Runs vectors on systems, each in its own process, and "
                    "writes DIRECTORY/SYSTEM.json.")
    child.add_argument("systems", nargs="*", metavar="SYSTEM",
                       help="a name of 'pool-conformance list systems'")
    child.add_argument("--program", metavar="COMMAND",
                       help="a program that reads a JSON line and writes one; see README.md")
    child.add_argument("--name", default="program", help="the name of --program in reports")
    child.add_argument("--python", default="", metavar="PATH",
                       help="the interpreter that has the systems installed (default: this one)")
    child.add_argument("--timeout", type=float, default=60,
                       help="seconds until a vector counts as a hang (default 60)")
    child.add_argument("--memory", type=int, default=MEMORY, metavar="MIB",
                       help="a system whose processes together hold more counts as crashed "
                       f"(default {MEMORY})")
    child.add_argument("--output", default="conformance-results", metavar="DIRECTORY")
    child.add_argument("--sample", type=int, default=0, metavar="N",
                       help="only about N vectors, at least one of each trap")
    child.add_argument("--resume", action="store_true",
                       help="keep results in DIRECTORY/SYSTEM.json of the same version of the "
                       "system, and run only the vectors that it lacks")
    child.add_argument("--verbose", action="store_true", help="show each vector that fails")
    selection(child)

    child = command("list", command_list, "Lists systems, vectors, traps or operations.")
    child.add_argument("what", choices=["systems", "vectors", "traps", "operations"])
    selection(child)

    child = command("show", command_show, "Prints one vector, and the script that shows it in "
                    "one system.")
    child.add_argument("name", metavar="VECTOR", help="its name or a part that only it has")
    child.add_argument("--system", help="also print a script for this system")

    child = command("report", command_report, "Writes report.md, report.html, report.svg, "
                    "report.json and a badge for each system.")
    child.add_argument("results", nargs="+", metavar="RESULTS.json")
    child.add_argument("--output", default="conformance-report", metavar="DIRECTORY")
    child.add_argument("--pages", metavar="DIRECTORY", default="",
                       help="also write a Markdown page for each system there")

    child = command("confirm", command_confirm, "Records which systems pass each vector. "
                    "Used by those who maintain the vectors.")
    child.add_argument("results", nargs="+", metavar="RESULTS.json")

    child = command("check", command_check, "Checks vectors against the schema and the "
                    "reference.")
    child.add_argument("directory", nargs="?", help="default: the package's own vectors")

    child = command("hunt", command_hunt, "Searches at random for a problem on which two "
                    "systems differ, shrinks it, and prints it as a vector.")
    child.add_argument("first", metavar="A", help="a system, or 'reference'")
    child.add_argument("second", metavar="B", nargs="?", default="reference",
                       help="a system, or 'reference' (default)")
    child.add_argument("--seconds", type=float, default=60, help="how long (default 60)")
    child.add_argument("--seed", type=int, default=0, help="default 0")
    child.add_argument("--count", type=int, default=5,
                       help="stop after so many different findings (default 5)")
    child.add_argument("--operation", action="append", default=[])
    child.add_argument("--python", default="", metavar="PATH",
                       help="the interpreter that has the systems installed")
    child.add_argument("--timeout", type=float, default=30)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit code."""
    parsed = make_parser().parse_args(arguments)
    try:
        return int(parsed.function(parsed))
    except (UnknownName, CannotRun, OSError, ValueError, ImportError) as error:
        say(f"pool-conformance: {error}")
        return 2
    except KeyboardInterrupt:
        say("pool-conformance: stopped")
        return 130
