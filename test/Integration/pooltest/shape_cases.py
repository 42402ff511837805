"""Cases for shape inference: a complete small grid, random cases, and large numbers."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

from .case import Case
from .generators import AUTO_PADS, ROUNDINGS, integer, integers, pick, random_window


def strided(window):
    """Sets `same_output` to OpenVINO's rule, but only for same_*, where it has an effect."""
    if window["auto_pad"].startswith("same"):
        window["same_output"] = "strided"
    else:
        window.pop("same_output", None)
    return window


def grid():
    """Yields 1-D cases of max_pool: all windows of small numbers on all small extents."""
    for rounding, auto_pad in itertools.product(ROUNDINGS, AUTO_PADS):
        pads = range(4) if auto_pad == "explicit" else range(1)
        for extent, k, s, d, pb, pe in itertools.product(
                range(1, 8), range(1, 5), range(1, 5), range(1, 4), pads, pads):
            yield Case("max_pool", (1, 1, extent), **strided(dict(
                kernel=(k,), strides=(s,), dilations=(d,), pads_begin=(pb,),
                pads_end=(pe,), rounding_type=rounding, auto_pad=auto_pad)))


def random_small(rng):
    """Returns a case of random small numbers, which may be invalid: some have extents of 0,
    windows that are too large, or an axis out of range."""
    op = pick(rng, ("max_pool", "avg_pool"))
    n = pick(rng, (1, 2, 3))
    zero = 0 if rng.random() < 0.04 else 1
    window = random_window(rng, n, max_kernel=6, max_stride=5, max_pad=5)
    if rng.random() < 0.01:
        name = pick(rng, ("kernel", "strides", "dilations", "pads_begin", "pads_end"))
        wrong = -1 if name.startswith("pads") else 0
        window[name] = (wrong,) + tuple(window.get(name, (1,) * n))[1:]
    shape = (integer(rng, zero, 2), integer(rng, zero, 3)) + integers(rng, n, zero, 12)
    if op == "max_pool":
        more = {"axis": integer(rng, -(n + 3), n + 2) if rng.random() < 0.2 else 0,
                "index_type": pick(rng, (None, "i32", "i64"))}
    else:
        more = {"divisor": pick(rng, ("valid", "kernel"))}
    return Case(op, shape, **strided(window), **more)


def random_large(rng):
    """Returns a case of random large numbers. Averages have the divisor `kernel`, which is
    never 0."""
    op = pick(rng, ("max_pool", "avg_pool"))
    n = pick(rng, (1, 2, 3))
    limit = 10 ** integer(rng, 2, {1: 8, 2: 5, 3: 3}[n])
    window = random_window(rng, n, max_kernel=integer(rng, 2, 2000),
                           max_stride=integer(rng, 2, 3000),
                           max_dilation=50, max_pad=integer(rng, 1, 3000))
    shape = (integer(rng, 1, 64), integer(rng, 1, 4096)) + integers(rng, n, 1, limit)
    if op == "max_pool":
        more = {"axis": integer(rng, 0, n + 1), "index_type": pick(rng, (None, "i32", "i64"))}
    else:
        more = {"divisor": "kernel"}
    return Case(op, shape, **strided(window), **more)
