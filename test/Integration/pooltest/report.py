"""Counts results, and shows the first mismatches in full.

A mismatch shows what its caller passes to reproduce it, such as the .mlir text, the data and
both answers. `merge` adds the report of another process. `finish` prints the report and
returns the exit code.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import sys

import numpy as np

from . import tier

MAX_SHOWN = 10


class Report:
    def __init__(self, name):
        self.name = name
        self.counts = collections.Counter()
        self.differences = collections.Counter()
        self.mismatches = 0
        self.kinds = collections.Counter()
        self.shown = []
        self.largest = {}
        self.missing = []

    def count(self, key, number=1):
        self.counts[key] += number

    def difference(self, key, number=1):
        """Counts a known difference to a peer, one that docs/Reference/Semantics.md names."""
        self.differences[key] += number

    def measure(self, key, value):
        """Keeps the largest value for each key."""
        self.largest[key] = max(value, self.largest.get(key, value))

    def mismatch(self, title, text="", **details):
        self.mismatches += 1
        self.kinds[title.split(": ")[0][:80]] += 1
        if len(self.shown) >= MAX_SHOWN:
            return
        with np.printoptions(threshold=4000, linewidth=120):
            lines = [f"MISMATCH: {title}"] + ([text.rstrip()] if text else [])
            lines += [f"-- {key}:\n{value}" for key, value in details.items()]
        self.shown.append("\n".join(lines))

    def expect(self, condition, title, text="", **details):
        if not condition:
            self.mismatch(title, text, **details)
        return condition

    def require_counted(self, *keys):
        """Requires that each category was tested, so that none is skipped silently. In a
        sample, categories without a case are only printed."""
        for key in keys:
            if tier.IS_FULL:
                self.expect(self.counts[key] > 0, f"no case of category '{key}' was run")
            elif not self.counts[key]:
                self.missing.append(key)

    def progress(self, number, total):
        """In a full run, which takes hours, reports every hundredth case."""
        if tier.IS_FULL and number and number % 100 == 0:
            print(f"{self.name}: {number} of {total}", file=sys.stderr, flush=True)

    def merge(self, other):
        self.counts += other.counts
        self.differences += other.differences
        self.mismatches += other.mismatches
        self.kinds += other.kinds
        for key, value in other.largest.items():
            self.measure(key, value)
        self.missing += other.missing
        self.shown = (self.shown + other.shown)[:MAX_SHOWN]

    def finish(self):
        for text in self.shown:
            print(text, end="\n\n")
        print(f"{self.name}: {tier.describe()}")
        for key, number in sorted(self.counts.items()):
            print(f"  {number:7d}  {key}")
        for key, value in sorted(self.largest.items()):
            print(f"  {value:7.3f}  {key}")
        if self.differences:
            print("known differences of peers, each checked to be exactly that:")
            for key, number in sorted(self.differences.items()):
                print(f"  {number:7d}  {key}")
        for key in self.missing:
            print(f"        0  {key}")
        for key, number in sorted(self.kinds.items()):
            print(f"  {number:7d}  mismatches: {key}")
        verdict = "PASSED" if not self.mismatches else "FAILED"
        print(f"{self.name}: {verdict}, {self.mismatches} mismatches", flush=True)
        return 0 if not self.mismatches else 1


def main(run):
    sys.exit(run())
