# REQUIRES: python-module
# UNSUPPORTED: sanitizer
# RUN: env POOL_BUILD_DIR=%build_dir PYTHONPATH=%build_dir/python %python %s
"""With `pool.uniform_sums`, sums of floats must have an order that depends only on the kernel.

A part of the output is computed from the part of the input that its windows cover. With the
attribute, the result must be bit-equal to that part of the whole output, although the extents
differ. The test covers averages and norms of floats, channels first and last, padding, dilation,
known and unknown extents, and several vector lengths. Without the attribute, some parts must
differ; otherwise the cases could not show an effect of it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse

import numpy as np

import pool_mlir
from pooltest import generators, tier
from pooltest.compare import same_arrays
from pooltest.report import Report, main

CPUS = ("", "x86-64-v3", "x86-64-v2")
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def random_problem(rng):
    """Returns a random average or norm with one to three spatial dimensions."""
    n = int(rng.integers(1, 4))
    largest = (12, 9, 4)[n - 1]
    kernel = rng.integers(1, largest, n)
    dilations = np.where(rng.random(n) < 0.2, rng.integers(1, 4, n), 1)
    extents = (kernel - 1) * dilations + 1
    if n == 2 and rng.random() < 0.1:
        # Windows large enough for van Herk's blocks, some as large as the plane.
        kernel, dilations = np.array((15, 15)), np.ones(2, int)
        extents = kernel
    return {
        "op": generators.pick(rng, ("avg_pool", "lp_pool"), (4, 1)),
        "type": generators.pick(rng, tuple(TYPES)),
        "last": bool(rng.random() < 0.4),
        "kernel": kernel, "dilations": dilations, "extents": extents,
        "strides": rng.integers(1, 4, n),
        "pads": np.array([rng.integers(0, e) for e in extents]),
        "outputs": rng.integers(1, (90, 40, 9)[n - 1], n),
        "channels": int(rng.integers(1, 20)),
    }


def text(problem, inputs, outputs, pads, attribute, dynamic):
    """Returns the text of a function @f over tensors of these extents."""
    def tensor(extents, channels):
        extents = ["?"] * len(extents) if dynamic else list(map(str, extents))
        shape = ["2", *extents, str(channels)] if problem["last"] else ["2", str(channels), *extents]
        return f"tensor<{'x'.join(shape)}x{problem['type']}>"
    def clause(name, values):
        return f"{name} [{', '.join(map(str, values))}]"
    source = tensor(inputs, problem["channels"])
    result = tensor(outputs, problem["channels"])
    op = (f"pool.{problem['op']} %x {clause('kernel', problem['kernel'])} "
          f"{clause('strides', problem['strides'])} {clause('dilations', problem['dilations'])} "
          f"{clause('pads_begin', pads[0])} {clause('pads_end', pads[1])}"
          + (" layout channels_last" if problem["last"] else "")
          + (" divisor padded" if problem["op"] == "avg_pool" else " p 2")
          + (" {pool.uniform_sums}" if attribute else ""))
    return (f"func.func @f(%x: {source}) -> {result} {{\n  %0 = {op} : {source} -> {result}\n"
            f"  return %0 : {result}\n}}\n")


def slices(problem, begins, ends):
    """Returns slices of all dimensions of a tensor, from their spatial begins and ends."""
    spatial = tuple(slice(int(b), int(e)) for b, e in zip(begins, ends))
    whole = slice(None)
    return (whole, *spatial, whole) if problem["last"] else (whole, whole, *spatial)


def run(problem, array, outputs, pads, attribute, dynamic, cpu):
    inputs = array.shape[1:-1] if problem["last"] else array.shape[2:]
    compiled = pool_mlir.compile(text(problem, inputs, outputs, pads, attribute, dynamic),
                                 cpu=cpu)
    return compiled(np.ascontiguousarray(array))


def compare(rng, problem, attribute):
    """Computes a random part by itself. Returns a pair: True if it equals that part of the
    whole, and the processor. If the part's input would be empty, returns (True, None)."""
    kernel_reach, strides, pads = problem["extents"], problem["strides"], problem["pads"]
    outputs = problem["outputs"]
    # Choose the input's extents so that every window begins before the input's end.
    inputs = np.maximum((outputs - 1) * strides + kernel_reach - 2 * pads, 1)
    outputs = (inputs + 2 * pads - kernel_reach) // strides + 1
    shape = ((2, *inputs, problem["channels"]) if problem["last"]
             else (2, problem["channels"], *inputs))
    array = rng.standard_normal(shape).astype(TYPES[problem["type"]])
    cpu = CPUS[int(rng.integers(len(CPUS)))]
    whole = run(problem, array, outputs, (pads, pads), attribute, bool(rng.random() < 0.3), cpu)
    begins = np.array([rng.integers(0, o) for o in outputs])
    ends = np.array([rng.integers(b + 1, o + 1) for b, o in zip(begins, outputs)])
    first = begins * strides - pads
    last = (ends - 1) * strides - pads + kernel_reach
    taken = np.clip(first, 0, inputs), np.clip(last, 0, inputs)
    if (taken[1] <= taken[0]).any():
        return True, None
    part_pads = np.maximum(-first, 0), np.maximum(last - inputs, 0)
    part = run(problem, array[slices(problem, *taken)], ends - begins, part_pads, attribute,
               bool(rng.random() < 0.3), cpu)
    expected = whole[slices(problem, begins, ends)]
    return same_arrays(part, expected), cpu


def run_all():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=tier.size(1000, 40, 12))
    parser.add_argument("--seed", type=int, default=tier.seed(17))
    options = parser.parse_args()
    report = Report("uniform sums")
    for number in range(options.cases):
        for attribute in (True, False):
            rng = np.random.default_rng([options.seed, number])
            problem = random_problem(rng)
            equal, cpu = compare(rng, problem, attribute)
            if attribute:
                report.expect(equal, f"case {number}: a part differs from the whole",
                              f"{problem} {cpu}")
            report.count(f"{'with' if attribute else 'without'} the attribute: "
                         f"{'equal' if equal else 'different'}")
    report.require_counted("with the attribute: equal", "without the attribute: different")
    return report.finish()


if __name__ == "__main__":
    main(run_all)
