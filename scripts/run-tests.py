#!/usr/bin/env python3
# Runs a tier of the test suite by lit. Prints the time, the ten slowest tests, each test that
# did not run with the reason, and at the end `N passed, N failed`. With CI=true in the
# environment, a test that did not run because something is missing fails the run, unless it
# belongs to a more thorough tier or to a job of scripts/run-job.sh.
#
# usage: run-tests.py --tier quick|land|all --lit LIT [--seed N] -- ARGUMENT...
#        (arguments of lit, and the tests)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from pathlib import Path

# Write no bytecode of the helpers into the source tree.
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "Integration"))
from pooltest import tier as samples  # noqa: E402

SLOWEST = 10
# Limits of a tier in seconds on two quiet cores, after the build
LIMITS = {"quick": 240, "land": 840}
# A test of a more thorough tier requires one of these features.
TIER_FEATURES = {"tier-land", "tier-all"}
# A job installs what these features stand for, because it is too large for `make test`. Jobs run
# the tier `all`.
JOB_FEATURES = {"torch", "mypy"}
CI = os.environ.get("CI", "").lower() not in ("", "0", "false")


class Test:
    def __init__(self, case):
        self.name = f"{case.get('classname')}/{case.get('name')}".replace(".", "/", 1)
        self.seconds = float(case.get("time", 0))
        self.failed = case.find("failure") is not None
        skipped = case.find("skipped")
        self.reason = None if skipped is None else skipped.get("message")

    def missing(self):
        """Returns the missing features that the test requires."""
        match = re.match(r"Missing required feature\(s\): (.*)", self.reason or "")
        return set(match[1].split(", ")) if match else set()


def run_lit(options, report):
    command = [sys.executable, options.lit, "-D", f"tier={options.tier}", "--xunit-xml-output",
               report, *options.arguments]
    environment = {**os.environ, "POOL_TEST_TIER": options.tier,
                   "POOL_TEST_SEED": str(options.seed)}
    return subprocess.run(command, env=environment, check=False).returncode


def summarise(tests, tier):
    """Prints a summary; returns the tests that should have run."""
    features = TIER_FEATURES if tier == "all" else TIER_FEATURES | JOB_FEATURES
    ran = [test for test in tests if test.reason is None]
    print(f"\nSlowest of {len(ran)} tests:")
    for test in sorted(ran, key=lambda test: -test.seconds)[:SLOWEST]:
        print(f"  {test.seconds:7.1f} s  {test.name}")
    later = [test for test in tests if test.missing() & features]
    others = [test for test in tests if test.reason is not None and test not in later]
    for title, group in (("Of a job or of a thorough tier", later), ("Not run", others)):
        print(f"{title}: {len(group)}")
        for test in sorted(group, key=lambda test: test.name):
            print(f"  {test.name}: {test.reason}")
    return [test for test in others if test.missing()]


def run():
    parser = argparse.ArgumentParser(description="Runs a tier of the test suite.")
    parser.add_argument("--tier", choices=("quick", "land", "all"), required=True)
    parser.add_argument("--lit", required=True)
    parser.add_argument("--seed", type=int, default=samples.SEED)
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        report = os.path.join(directory, "report.xml")
        status = run_lit(options, report)
        # lit writes no report if there is nothing to run or to read.
        tests = ([Test(case) for case in xml.parse(report).iter("testcase")]
                 if os.path.exists(report) else [])
    # Options such as --filter leave these out.
    tests = [test for test in tests if not (test.reason or "").startswith("Test not selected")]
    seconds = time.monotonic() - start
    wanted = summarise(tests, options.tier)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = f", of {LIMITS[options.tier]} s on two quiet cores" if options.tier in LIMITS else ""
    print(f"Tier '{options.tier}': {seconds:.0f} s{limit}; "
          f"{usage.ru_utime + usage.ru_stime:.0f} s of processors' time")
    if options.tier != "all":
        print(f"Its samples are those of POOL_TEST_SEED={options.seed}")
    if wanted and CI:
        names = ", ".join(sorted(set().union(*(test.missing() for test in wanted))))
        print(f"error: tests did not run for want of {names}: {len(wanted)}")
        status = status or 1
    failed = sum(test.failed for test in tests)
    passed = sum(test.reason is None for test in tests) - failed
    # A run that fails otherwise, for example because a test is missing, counts as one failure.
    print(f"{passed} passed, {failed or int(status != 0)} failed")
    return status


if __name__ == "__main__":
    sys.exit(run())
