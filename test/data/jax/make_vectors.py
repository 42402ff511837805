#!/usr/bin/env python3
"""Writes vectors.json.gz, gradients that JAX computes, for jax_vectors.py. This script
requires jax, which is larger than all other peers together and compiles each
case separately. The test needs only the file.

Maxima and averages are lax.reduce_window, differentiated by jax.vjp in f64. JAX
does not differentiate dilated windows (NotImplementedError). Gradients are
multiples of every divisor, so that quotients and sums are exact.

usage: make_vectors.py [CASES]   (default: 2000)

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import gzip
import json
import math
import os
import random
import sys
from pathlib import Path

# Compiling takes most of the time, so turn XLA's optimisations off.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
from jax import lax

CASES_PER_PROGRAM = 20
LARGEST = {1: 12, 2: 5, 3: 4}


def random_case(rng, op):
    n = rng.choice((1, 2, 2, 3))
    extents = [rng.randint(1, LARGEST[n]) for _ in range(n)]
    case = {"op": op, "layout": rng.choice(("channels_first", "channels_last"))}
    case["shape"] = stored(case, 1, rng.randint(1, 2), extents)
    case["kernel"] = [rng.randint(1, 4) for _ in range(n)]
    case["strides"] = [rng.randint(1, 3) for _ in range(n)]
    case["pads_begin"] = [rng.randint(0, 2) for _ in range(n)]
    case["pads_end"] = [rng.randint(0, 2) for _ in range(n)]
    case["rounding_type"] = rng.choice(("floor", "ceil"))
    if op == "avg_pool":
        case["divisor"] = rng.choice(("valid", "padded", "kernel"))
        if rng.random() < 0.1:
            case["divisor_override"] = rng.choice((1, 2, 3, 4))
    return case


def stored(case, batch, channels, spatial):
    """Returns a list with one entry for each dimension of the tensor."""
    if case["layout"] == "channels_first":
        return [batch, channels, *spatial]
    return [batch, *spatial, channels]


def dimensions(case):
    """Yields (extent, kernel, stride, pad begin, pad end, overhang) for each spatial
    dimension, or None for a dimension that no window fits."""
    first = 2 if case["layout"] == "channels_first" else 1
    for extent, k, s, b, e in zip(case["shape"][first:], case["kernel"], case["strides"],
                                  case["pads_begin"], case["pads_end"]):
        spare = extent + b + e - k
        steps = spare // s if case["rounding_type"] == "floor" else -(-spare // s)
        yield None if spare < 0 else (extent, k, s, b, e, max(0, steps * s - spare))


def reduce(case, x, init, operation, pads):
    def entries(values, other):
        return tuple(stored(case, other, other, values))
    return lax.reduce_window(x, init, operation, entries(case["kernel"], 1),
                             entries(case["strides"], 1), entries(pads, (0, 0)))


def divisors(case, dims):
    """Returns the divisor of each window. JAX counts it, too, by summing ones."""
    if "divisor_override" in case:
        return np.array(case["divisor_override"])
    if case["divisor"] == "kernel":
        return np.array(math.prod(case["kernel"]))
    ones = np.ones(case["shape"])
    pads = [(b, e + over) for _, _, _, b, e, over in dims]
    if case["divisor"] == "padded":
        around = [(b, e) for _, _, _, b, e, _ in dims]
        ones = np.pad(ones, stored(case, (0, 0), (0, 0), around), constant_values=1)
        pads = [(0, over) for *_, over in dims]
    return np.asarray(reduce(case, ones, 0.0, lax.add, pads))


def forward(case, dims, counts):
    """Returns the operation as a function of its input."""
    pads = [(b, e + over) for _, _, _, b, e, over in dims]
    if case["op"] == "max_pool":
        return lambda x: reduce(case, x, -np.inf, lax.max, pads)
    return lambda x: reduce(case, x, 0.0, lax.add, pads) / counts


def random_job(rng, op):
    """Returns (case with data, function that computes the operation)."""
    while True:
        case = random_case(rng, op)
        dims = list(dimensions(case))
        if None in dims:
            continue
        counts = divisors(case, dims) if op == "avg_pool" else np.array(1)
        if counts.min() > 0:
            break  # no window has a divisor of 0
    pool = forward(case, dims, counts)
    case["output"] = list(jax.eval_shape(pool, np.zeros(case["shape"])).shape)
    size = math.prod(case["shape"])
    if op == "max_pool":
        # Draw distinct elements, or few different ones. Of equal elements, the first wins.
        case["x"] = (rng.sample(range(size), size) if rng.random() < 0.7
                     else [rng.randint(0, 3) for _ in range(size)])
    scale = math.lcm(*(int(c) for c in np.unique(counts)))
    case["g"] = [rng.randint(-9, 9) * scale for _ in range(math.prod(case["output"]))]
    return case, pool


def gradients(jobs):
    """Computes the gradients of all jobs in one program, which compiles only once."""
    def program(inputs):
        return [jax.vjp(pool, x)[1](g)[0] for (_, pool), (x, g) in zip(jobs, inputs)]
    return jax.jit(program)([
        (np.array(case.get("x", [0] * math.prod(case["shape"])), float).reshape(case["shape"]),
         np.array(case["g"], float).reshape(case["output"])) for case, _ in jobs])


def main(count):
    jax.config.update("jax_enable_x64", True)
    rng = random.Random(2026)
    cases = []
    while len(cases) < count:
        jobs = [random_job(rng, ("max_pool", "avg_pool")[i % 2])
                for i in range(min(CASES_PER_PROGRAM, count - len(cases)))]
        for (case, _), dx in zip(jobs, gradients(jobs)):
            values = np.asarray(dx).flatten().tolist()
            assert all(v == int(v) for v in values), "not exact"
            cases.append({**case, "dx": [int(v) for v in values]})
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    text = f'{{"jax": "{jax.__version__}", "cases": [\n{lines}\n]}}\n'
    Path(__file__).with_name("vectors.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
