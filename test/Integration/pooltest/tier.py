"""Sizes and seeds of the three tiers of tests.

`$POOL_TEST_TIER` is `quick`, `land` or `all`; lit sets it (test/lit.cfg.py). A script run by
hand has the full sizes of `all`. A tier draws the same cases on every day and machine.
`$POOL_TEST_SEED` makes the quick and land tiers draw other cases. The tier `all` ignores the
seed, since docs/Internals/Conformance.md prints the figures of `all`.
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
    """Returns the argument for the current tier. Arguments may be of any type."""
    return {"all": full, "land": land, "quick": quick}[NAME]


def seed(fixed):
    """Returns `fixed` in the tier `all`, else a seed made of SEED and `fixed`."""
    return fixed if IS_FULL else 1000 * SEED + fixed


def sample(items, count, fixed=0):
    """Draws `count` of the items by the tier's seed, and keeps their order. Returns all items
    if `count` is None."""
    items = list(items)
    if count == 0:
        return []
    if count is None or count >= len(items):
        return items
    # Neighbours are alike, so draw one item from each of `count` equal parts.
    rng = random.Random(seed(fixed))
    part = len(items) / count
    return [items[min(int((n + rng.random()) * part), len(items) - 1)] for n in range(count)]


def describe():
    if IS_FULL:
        return "full sizes, fixed seeds"
    return f"tier '{NAME}', repeat it with POOL_TEST_TIER={NAME} POOL_TEST_SEED={SEED}"
