"""Runs a command line until it ends, reaches its limit, or the time is over, and says how
it ended. Finds the smallest run that fails in the same way.

A run's limit does not count the time in which one of its threads waits for a processor. On a busy
machine a run takes longer, and does not hang.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from .suite import ROOT

PASSED, FAILED, HUNG, STOPPED, STARVED = "passed", "failed", "hung", "stopped", "starved"
# Matches messages of a lack of memory or disk space.
LACK = re.compile(r"No space left on device|Cannot allocate memory|SIGKILL|^Killed$", re.M)
GRACE = 1.0
# Seconds between two looks at what a run waits for
LOOK = 0.5
MOST_TRIALS = 40


class Result:
    def __init__(self, outcome, seconds, output):
        self.outcome = outcome
        self.seconds = seconds
        self.output = output

    def cause(self):
        """Returns texts that tell this failure from others: the kinds of mismatches, or
        the last line without its numbers."""
        kinds = re.findall(r"^ +\d+  mismatches: (.*)", self.output, re.M)
        lines = kinds or self.output.rstrip().splitlines()[-1:]
        return {re.sub(r"0x[0-9a-f]+|\d+", "N", line) for line in lines}


class Clock:
    """The time of an exploration, which ends after `seconds`, or when stopped."""

    def __init__(self, seconds):
        self.start = time.monotonic()
        self.seconds = seconds
        self.stopped = False

    def elapsed(self):
        return time.monotonic() - self.start

    def left(self):
        return 0 if self.stopped else max(0, self.seconds - self.elapsed())


class Waits:
    """Measures the time in which a thread of a session is ready and waits for a processor."""

    def __init__(self, session):
        self.session = session
        self.start = self.last = time.monotonic()
        self.known = {}
        self.waited = 0.0

    def worked(self):
        """Returns the seconds since the start in which no thread waited. Looks at the threads
        every LOOK seconds."""
        now = time.monotonic()
        if now - self.last >= LOOK:
            delays = {}
            for pid in members(self.session):
                for thread in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
                    try:
                        delays[thread] = int(thread.read_text().split()[1]) * 1e-9
                    except (OSError, IndexError):
                        pass
            longest = max((delay - self.known.get(thread, 0.0)
                           for thread, delay in delays.items()), default=0.0)
            self.waited += min(longest, now - self.last)
            self.known = delays
            self.last = now
        return now - self.start - self.waited


def members(session):
    """Returns the ids of a session's processes. They may be in several process groups, so
    killing one group is not enough."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[3] == str(session) and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def kill(process):
    """Ends every process of a run: by SIGTERM, and after a second by SIGKILL."""
    for number, wait in ((signal.SIGTERM, GRACE), (signal.SIGKILL, 0)):
        for pid in members(process.pid):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        end = time.monotonic() + wait
        while time.monotonic() < end and members(process.pid):
            time.sleep(0.05)
    process.wait()


def run(command, environment, limit, clock):
    """Runs `command` by a shell at the root of the source tree, in a session and with
    a temporary directory of its own, for at most `limit` seconds without waits."""
    try:
        return run_anyway(command, environment, limit, clock)
    except OSError as error:
        # No file or process could be made. Wait, because others may free resources.
        time.sleep(GRACE)
        return Result(STARVED, GRACE, str(error))


def run_anyway(command, environment, limit, clock):
    start = time.monotonic()
    scratch = tempfile.mkdtemp(prefix="explore-")
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            ["sh", "-c", command], cwd=ROOT, env={**environment, "TMPDIR": scratch},
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        waits = Waits(process.pid)
        while process.poll() is None and clock.left() and waits.worked() < limit:
            time.sleep(0.05)
        ended = process.poll()
        seconds = time.monotonic() - start
        kill(process)
        output.seek(0)
        text = output.read().decode(errors="replace")
    shutil.rmtree(scratch, ignore_errors=True)
    if ended is None:
        outcome = HUNG if clock.left() else STOPPED
    elif ended == 0:
        outcome = PASSED
    else:
        # The last lines show why the run ended. A mismatch may print any text before them.
        end = "\n".join(text.rstrip().splitlines()[-3:])
        outcome = STARVED if ended in (-9, 137) or LACK.search(end) else FAILED
    return Result(outcome, seconds, text)


def minimise(script, tier, seed, first, limit, clock):
    """Looks for a smaller command whose run fails as `first` did: first in the smaller
    tier, then with no or fewer cases for each option. Returns the command, its result, and
    True if the failure repeats."""
    trials = 0

    def fails(*, tier, counts=None):
        nonlocal trials
        trials += 1
        command = " ".join([script.command(tier, seed),
                            *(f"{option} {count}" for option, count in (counts or {}).items())])
        result = run(command, script.environment, limit, clock)
        same = result.outcome == FAILED and result.cause() & first.cause()
        return (command, result) if same else None

    best = fails(tier="quick") if tier != "quick" else None
    tier = "quick" if best else tier
    best = best or fails(tier=tier)
    if not best:
        return script.command(tier, seed), first, False
    counts = script.counts(tier)
    least = {}
    for option, most in counts.items():
        low, high = -1, most
        # First try 0 cases of this option, then bisect.
        middle = 0
        while high - low > 1 and clock.left() and trials < MOST_TRIALS:
            smaller = fails(tier=tier, counts={**least, option: middle})
            if smaller:
                best, high = smaller, middle
            else:
                low = middle
            middle = (low + high) // 2
        if high < most:
            least[option] = high
    return *best, True
