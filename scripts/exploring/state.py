"""Records explorations under build/explore: a line of JSON for each run, and a file for
each failure. Computes sums over all calls of explore.py.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import re
import subprocess
import threading
import time

from .runs import FAILED, HUNG, PASSED, STARVED, STOPPED
from .suite import ROOT

# Number of lines kept of an output's end (TAIL) and of its first mismatch (HEAD), and of
# characters kept of each line (WIDTH), because mismatches print long arrays.
TAIL, HEAD, WIDTH = 60, 30, 500
# Outcomes that say nothing about the product. Their seeds may be drawn again.
UNFINISHED = (STOPPED, STARVED)


def commit():
    """Returns the commit of the source tree, with a + if files differ from it."""
    git = subprocess.run(["git", "describe", "--always", "--dirty=+", "--exclude=*"], cwd=ROOT,
                         capture_output=True, text=True, check=False)
    return git.stdout.strip()


class State:
    def __init__(self, directory):
        self.directory = directory
        self.failures = directory / "failures"
        self.failures.mkdir(parents=True, exist_ok=True)
        self.file = directory / "runs.jsonl"
        lines = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        self.runs = [run for run in map(parse, lines) if run]
        self.lock = threading.Lock()
        self.call = {"call": int(time.time()), "commit": commit()}
        self.tried = set()
        self.known = set()
        # Seconds of finished and of stopped runs, for each test and tier.
        self.times = collections.defaultdict(lambda: ([], []))
        for run in self.runs:
            self.remember(run)

    def remember(self, run):
        is_stopped = run["outcome"] in UNFINISHED
        self.times[run["test"], run["tier"]][is_stopped].append(run["seconds"])
        self.known.update(run.get("commands", ()))
        if not is_stopped:
            self.tried.add((run["test"], run["seed"]))

    def add(self, **run):
        run.update(self.call, seconds=round(run["seconds"], 1))
        with self.lock, open(self.file, "a", encoding="utf-8") as file:
            file.write(json.dumps(run) + "\n")
            self.runs.append(run)
            self.remember(run)

    def expected(self, test, tier):
        """Returns the mean and the largest time of a test's finished runs in seconds,
        and the number of runs. If none finished, stopped runs give a lower bound."""
        finished, stopped = self.times[test, tier]
        if finished:
            return sum(finished) / len(finished), max(finished), len(finished)
        return max(stopped, default=0), max(stopped, default=0), 0

    def keep(self, test, seed, commands, output, note):
        """Writes a failure to a file, unless its commands are known. Returns a pair: True
        and the file, or False and the folder of all failures."""
        with self.lock:
            if self.known.issuperset(commands):
                return False, self.failures
            self.known.update(commands)
            file = self.failures / f"{re.sub('[^A-Za-z0-9]+', '-', test)}-{seed}.txt"
            file.write_text("\n".join([*commands, "", f"# {note}, at {self.call['commit']}",
                                       *extract(output), ""]), encoding="utf-8")
        return True, file

    def table(self):
        """Returns the sums over all calls as lines of a Markdown table."""
        lines = ["| test | seeds, quick | land | hours | failed |", "|---|--:|--:|--:|--:|"]
        tests = collections.defaultdict(list)
        for run in self.runs:
            tests[run["test"]].append(run)
        for test, runs in [*sorted(tests.items()), ("**all**", self.runs)]:
            done = [run for run in runs if run["outcome"] not in UNFINISHED]
            seeds = [len({(run["test"], run["seed"]) for run in done if run["tier"] == tier})
                     for tier in ("quick", "land")]
            failed = sum(run["outcome"] in (FAILED, HUNG) for run in done)
            lines.append(f"| {test} | {seeds[0]:,} | {seeds[1]:,} | {hours(runs):.2f} | {failed} |")
        return lines

    def summary(self):
        """Returns list items: one for all commits together, then one for each commit."""
        commits = dict.fromkeys(run["commit"] for run in self.runs)
        return [item("All commits", self.runs),
                *(item(commit, [run for run in self.runs if run["commit"] == commit])
                  for commit in commits)]


def extract(output):
    """Returns the lines of the first mismatch and the last lines."""
    lines = [line[:WIDTH] for line in output.rstrip().splitlines()]
    first = next((n for n, line in enumerate(lines) if line.startswith("MISMATCH")), len(lines))
    if first + HEAD < len(lines) - TAIL:
        return [*lines[first:first + HEAD], "...", *lines[-TAIL:]]
    return lines[min(first, max(len(lines) - TAIL, 0)):]


def item(title, runs):
    done = [run for run in runs if run["outcome"] == PASSED or run.get("commands")]
    programs = sum(run.get("programs", 0) for run in done)
    failed = [run for run in done if run.get("commands")]
    different = {command for run in failed for command in run["commands"]}
    ends = {}
    for run in runs:
        ends[run["call"]] = max(run["end"], ends.get(run["call"], 0))
    return (f"- {title}: {sum(ends.values()) / 3600:.2f} hours, {hours(runs):.2f} of runs; "
            f"{len({(run['test'], run['seed']) for run in done}):,} seeds, {programs:,} programs, "
            f"{len(failed)} runs that failed, {len(different)} different commands")


def hours(runs):
    return sum(run["seconds"] for run in runs) / 3600


def parse(line):
    """Returns a run, or None for a line that was cut when a process ended."""
    try:
        return json.loads(line)
    except ValueError:
        return None
