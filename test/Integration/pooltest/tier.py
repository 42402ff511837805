"""Sizes and seeds of the three tiers of tests.

`$POOL_TEST_TIER` is `quick`, `land` or `all`, and lit sets it (test/lit.cfg.py);
a script run by hand has the full sizes. Those have fixed seeds, so that
docs/Conformance.md can print their figures. The samples that the other tiers take
have the day's seed: every day looks elsewhere. `$POOL_TEST_SEED` repeats a day.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import datetime
import os
import random
import sys

TIERS = ("quick", "land", "all")
NAME = os.environ.get("POOL_TEST_TIER") or "all"
if NAME not in TIERS:
    sys.exit(f"POOL_TEST_TIER is '{NAME}', not one of {', '.join(TIERS)}")
IS_FULL = NAME == "all"
DAY = int(os.environ.get("POOL_TEST_SEED") or datetime.date.today().strftime("%Y%m%d"))


def size(full, land, quick):
    """The argument for the current tier; arguments may be of any type."""
    return {"all": full, "land": land, "quick": quick}[NAME]


def seed(fixed):
    """`fixed` with full sizes, else one of the day and of `fixed`."""
    return fixed if IS_FULL else 1000 * DAY + fixed


def sample(items, count, fixed=0):
    """`count` of the items, by the tier's seed, in their order; all of them where
    `count` is None."""
    items = list(items)
    if count == 0:
        return []
    if count is None or count >= len(items):
        return items
    # One from each of `count` equal parts, since neighbours are alike.
    rng = random.Random(seed(fixed))
    part = len(items) / count
    return [items[min(int((n + rng.random()) * part), len(items) - 1)] for n in range(count)]


def describe():
    if IS_FULL:
        return "full sizes, fixed seeds"
    return f"tier '{NAME}', repeat it with POOL_TEST_TIER={NAME} POOL_TEST_SEED={DAY}"
