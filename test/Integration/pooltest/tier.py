"""Sizes and seeds of the three tiers of tests.

`$POOL_TEST_TIER` is `quick`, `land` or `all`, and lit sets it (test/lit.cfg.py). A script
run by hand has the full sizes. Every tier draws the same cases on every date and machine.
`$POOL_TEST_SEED` makes the quick and land tiers draw others. Full sizes ignore it, since
docs/Internals/Conformance.md prints their figures.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import random
import sys

TIERS = ("quick", "land", "all")
NAME = os.environ.get("POOL_TEST_TIER") or "all"
if NAME not in TIERS:
    sys.exit(f"POOL_TEST_TIER is '{NAME}', not one of {', '.join(TIERS)}")
IS_FULL = NAME == "all"
DEFAULT_SEED = 1
SEED = int(os.environ.get("POOL_TEST_SEED") or DEFAULT_SEED)


def size(full, land, quick):
    """The argument for the current tier; arguments may be of any type."""
    return {"all": full, "land": land, "quick": quick}[NAME]


def seed(fixed):
    """Returns `fixed` with full sizes, else a seed made of SEED and `fixed`."""
    return fixed if IS_FULL else 1000 * SEED + fixed


def sample(items, count, fixed=0):
    """Draws `count` of the items by the tier's seed, in their order; all if `count` is
    None."""
    items = list(items)
    if count == 0:
        return []
    if count is None or count >= len(items):
        return items
    # Draw one from each of `count` equal parts, because neighbours are alike.
    rng = random.Random(seed(fixed))
    part = len(items) / count
    return [items[min(int((n + rng.random()) * part), len(items) - 1)] for n in range(count)]


def describe():
    if IS_FULL:
        return "full sizes, fixed seeds"
    return f"tier '{NAME}', repeat it with POOL_TEST_TIER={NAME} POOL_TEST_SEED={SEED}"
