#!/usr/bin/env python3
# Looks for failures: runs the suite's randomised tests, including random programs, with new
# seeds until the time is over. Writes each failure to build/explore/failures as one command
# line. The exit code is 1 if there was a failure.
#
# usage: explore.py [--time SECONDS] [--seed N] [--jobs N] [--build DIRECTORY]
#        explore.py --summary | --list
#
# Without --seed, tests take turns: half of the time goes to programs, and the other tests
# share the rest equally. With --seed, they take turns by number, so that a seed repeats the
# same cases in the same order.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import pathlib
import random
import re
import secrets
import signal
import sys
import threading
import time

from exploring.runs import FAILED, HUNG, STARVED, STOPPED, Clock, minimise, run
from exploring.state import State
from exploring.suite import ROOT, UNNAMED, find_scripts

# One seed in LAND_EVERY runs with the sizes of `make test`.
LAND_EVERY = 20
# Seconds that a test's first run is expected to take, and how many times as long it takes
# in the land tier
GUESS, LAND_FACTOR = 10, 10
# A run counts as hung after lit's limit. Once PATIENCE_RUNS runs of a test have finished, its
# runs have another limit, if less: PATIENCE seconds plus PATIENCE_FACTOR times the longest run.
# No limit counts waits for a processor (exploring/runs.py).
PATIENCE, PATIENCE_FACTOR, PATIENCE_RUNS = 60, 20, 3
# A script prints this before each command line of a failure that it has reduced.
REDUCED = re.compile(r"^failure: (.+)", re.M)
PROGRAMS = "--programs"


class Lane:
    """The seeds of one script, in a fixed order."""

    def __init__(self, script, seed):
        self.script = script
        self.seeds = random.Random(f"{seed} {script.name}")
        self.makes_programs = PROGRAMS in script.counts("quick")
        self.spent = 0
        self.runs = 0
        self.share = 1


class Explorer:
    def __init__(self, lanes, state, clock, is_fixed, most):
        self.lanes = lanes
        self.undrawn = most
        self.state = state
        self.clock = clock
        self.is_fixed = is_fixed
        self.lock = threading.Lock()
        self.running = {}
        self.runs = self.programs = self.failures = self.new = 0
        self.stopped = []
        self.starved = []
        self.skipped = set()
        self.errors = []
        self.seeds_of = {lane: sum(run["test"] == lane.script.name for run in state.runs)
                         for lane in lanes}

    def known_cost(self, lane, tier):
        """Returns the mean seconds of a run so far, 0 if there was none."""
        return self.state.expected(lane.script.name, tier)[0]

    def cost(self, lane, tier):
        """Returns the seconds that a run is expected to take."""
        seconds = self.known_cost(lane, tier)
        if seconds or tier == "quick":
            return seconds or GUESS
        return LAND_FACTOR * self.cost(lane, "quick")

    def limit(self, lane, tier):
        """Returns the seconds after which a run counts as hung."""
        limit = lane.script.limits[tier]
        _, largest, number = self.state.expected(lane.script.name, tier)
        return min(limit, PATIENCE + PATIENCE_FACTOR * largest) \
            if number >= PATIENCE_RUNS else limit

    def draw(self):
        """Returns a lane, a seed, a tier and the time charged to the lane, or None at the
        end. Chooses the lane that has used least of its share, and of several such lanes the
        one with fewest seeds. Under --seed, a run charges 1 and ties go by order."""
        with self.lock:
            lanes = self.lanes
            if not self.is_fixed:
                self.skipped.update(lane for lane in lanes
                                    if self.known_cost(lane, "quick") > self.clock.left())
                lanes = [lane for lane in lanes if lane not in self.skipped]
            if not lanes or not self.clock.left() or not self.undrawn:
                return None
            self.undrawn -= 1
            lane = min(lanes, key=lambda lane: (
                lane.spent / lane.share, 0 if self.is_fixed else self.seeds_of[lane]))
            seed = lane.seeds.randrange(1, 2**31)
            while not self.is_fixed and (lane.script.name, seed) in self.state.tried:
                seed = lane.seeds.randrange(1, 2**31)
            tier = "land" if seed % LAND_EVERY == 0 else "quick"
            if not self.is_fixed and self.cost(lane, tier) > self.clock.left():
                tier = "quick"
            charge = 1 if self.is_fixed else self.cost(lane, tier)
            lane.spent += charge
            lane.runs += 1
            return lane, seed, tier, charge

    def work(self):
        """Runs seeds until the time is over. Each of the threads executes this function."""
        try:
            while drawn := self.draw():
                lane, seed, tier, charge = drawn
                key = threading.get_ident()
                start = self.clock.elapsed()
                self.running[key] = lane.script.name, start
                self.explore(lane, seed, tier)
                del self.running[key]
                if not self.is_fixed:
                    with self.lock:
                        lane.spent += self.clock.elapsed() - start - charge
        except BaseException as error:
            self.errors.append(error)
            self.stop()
            raise

    def explore(self, lane, seed, tier):
        script, limit = lane.script, self.limit(lane, tier)
        command = script.command(tier, seed)
        result = run(command, script.environment, limit, self.clock)
        programs = script.counts(tier).get(PROGRAMS, 0) if result.outcome != STOPPED else 0
        entry = {"test": script.name, "seed": seed, "tier": tier, "seconds": result.seconds,
                 "outcome": result.outcome, "programs": programs}
        reduced = REDUCED.findall(result.output)
        if result.outcome in (FAILED, HUNG) or reduced:
            entry["outcome"] = HUNG if result.outcome == HUNG else FAILED
            entry["commands"] = self.fail(script, tier, seed, result, reduced, limit)
        with self.lock:
            self.runs += result.outcome != STOPPED
            self.programs += programs
            if result.outcome == STOPPED and not reduced:
                self.stopped.append(f"{script.name}, after {result.seconds:.0f} s")
            if result.outcome == STARVED:
                self.starved.append(command)
        self.state.add(**entry, end=round(self.clock.elapsed(), 1))

    def fail(self, script, tier, seed, result, reduced, limit):
        """Reduces a failure, writes it down and prints it. Returns its commands."""
        commands, note = reduced, "reduced by the script"
        if not reduced:
            commands = [script.command(tier, seed)]
            note = f"hangs: {limit:.0f} s were not enough" if result.outcome == HUNG else ""
        if not note:
            smallest, result, repeats = minimise(script, tier, seed, result, limit, self.clock)
            commands = [smallest]
            note = "reduced" if repeats else "does not repeat"
            if not self.clock.left():
                note = "not reduced to the end for want of time"
        new, file = self.state.keep(script.name, seed, commands, result.output, note)
        with self.lock:
            self.failures += 1
            self.new += new
            say(f"{'FAILURE' if new else 'Known failure'} of {script.name}, {note}; "
                f"output in {file}")
            for command in commands:
                say(f"  {command}")
        return commands

    def stop(self, *_):
        """Handles a signal: makes all running tests end."""
        self.clock.stopped = True

    def status(self):
        elapsed = self.clock.elapsed()
        minutes = max(elapsed, 1) / 60
        programs = f", {self.programs} programs" if self.programs else ""
        now = ", ".join(f"{name} {elapsed - start:.0f} s"
                        for name, start in list(self.running.values()))
        return (f"{elapsed:.0f} s, {max(0, self.clock.seconds - elapsed):.0f} s left: "
                f"{self.runs} seeds, {self.runs / minutes:.1f} a minute{programs}, "
                f"{self.failures} failures; now {now}")

    def follow(self, jobs, every):
        """Starts the threads and shows progress until they end."""
        threads = [threading.Thread(target=self.work) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        shown = 0
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.05)
            if self.clock.elapsed() >= shown + every and self.clock.left():
                shown = self.clock.elapsed()
                show(self.status())
        clear()
        if self.clock.stopped:
            say("Interrupted.")


def show(text):
    """Rewrites the last line on a terminal, else prints a line."""
    if sys.stdout.isatty():
        width = os.get_terminal_size().columns - 1
        print(f"\r\033[K{text[:width]}", end="", flush=True)
    else:
        say(text)


def clear():
    if sys.stdout.isatty():
        print("\r\033[K", end="", flush=True)


def say(text):
    clear()
    print(text, flush=True)


def name_others(scripts):
    """Prints the scripts that are not explored, with reasons. Returns the other scripts."""
    for script in scripts:
        if script.reason is not None:
            say(f"Not explored: {script.name}: {script.reason}")
    return [script for script in scripts if script.reason is None]


def explore(options, scripts, state):
    """Runs `scripts` until the time is over. Returns the exit code."""
    seed = options.seed if options.seed is not None else secrets.randbelow(2**31)
    lanes = [Lane(script, seed) for script in name_others(scripts)]
    if not lanes:
        sys.exit("error: no test can be explored")
    random.Random(seed).shuffle(lanes)
    others = sum(not lane.makes_programs for lane in lanes)
    for lane in lanes:
        lane.share = max(others, 1) if lane.makes_programs else 1
    say(f"Exploring {len(lanes)} tests for {options.time:g} s, {options.jobs} at a time; "
        f"SEED={seed} has the same seeds")
    explorer = Explorer(lanes, state, Clock(options.time), options.seed is not None, options.runs)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, explorer.stop)
    explorer.follow(options.jobs, 1 if sys.stdout.isatty() else options.every)
    if explorer.errors:
        return 2
    waiting = [lane for lane in lanes if not lane.runs]
    for lane in waiting:
        cost = explorer.known_cost(lane, "quick")
        say(f"Not explored: {lane.script.name}: " + (
            f"it takes about {cost:.0f} s" if cost > options.time else "no time was left"))
    for text in explorer.stopped:
        say(f"Ended with the time, no failure: {text}")
    for command in explorer.starved:
        say(f"Lacked memory or disc, no failure: {command}")
    say(f"{explorer.runs} seeds, {explorer.programs} programs, {explorer.failures} failures "
        f"({explorer.new} new) in {explorer.clock.elapsed():.0f} s")
    return 1 if explorer.failures else 0


def configured_lit(build):
    cache = build / "CMakeCache.txt"
    found = re.search(r"^POOL_LIT:\w+=(.+)", cache.read_text(encoding="utf-8"), re.M) \
        if cache.exists() else None
    return pathlib.Path(found[1]) if found else sys.exit(f"error: no build in {build}")


def at_least(least, kind):
    """Returns a converter for argparse that accepts numbers from `least` on."""
    def convert(text):
        number = kind(text)
        if not least <= number < 2**63:
            raise argparse.ArgumentTypeError(f"must be at least {least}: {text}")
        return number
    convert.__name__ = "number"
    return convert


def main():
    parser = argparse.ArgumentParser(description="Runs randomised tests with new seeds.")
    parser.add_argument("--time", type=at_least(0, float), default=600, metavar="SECONDS",
                        help="time to run; 0 means --summary")
    parser.add_argument("--seed", type=at_least(0, int), metavar="N",
                        help="draw the seeds of the runs from this one, in a fixed order")
    parser.add_argument("--jobs", type=at_least(1, int), default=os.cpu_count(), metavar="N")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--suite", type=pathlib.Path, help="suite of tests (default: BUILD/test)")
    parser.add_argument("--state", type=pathlib.Path,
                        help="directory of the results (default: BUILD/explore)")
    parser.add_argument("--lit", type=pathlib.Path, help="lit (default: the build's)")
    parser.add_argument("--runs", type=at_least(1, int), default=sys.maxsize, metavar="N",
                        help="end after this number of runs")
    parser.add_argument("--every", type=at_least(1, float), default=30, metavar="SECONDS",
                        help="time between two lines of progress in a log")
    parser.add_argument("--summary", action="store_true",
                        help="print the sums over all calls as Markdown")
    parser.add_argument("--list", action="store_true",
                        help="list the explored tests, and why others are not explored")
    options = parser.parse_args()
    state = State(options.state or options.build.resolve() / "explore")
    if options.summary or options.time == 0:
        # End quietly if a reader such as head closes the pipe.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        print("\n".join([*state.summary(), "", *state.table()]))
        return 0
    scripts = find_scripts(options.lit or configured_lit(options.build),
                           options.suite or options.build.resolve() / "test")
    if options.list:
        for script in name_others(scripts):
            say(f"Explored: {script.name}")
        return any(script.reason == UNNAMED for script in scripts)
    return explore(options, scripts, state)


if __name__ == "__main__":
    sys.exit(main())
