#!/usr/bin/env python3
"""Times unpooling and gradients: loops over vectors, loops from linalg, PyTorch.

Each workload runs on one thread by pool-run with path=vector and path=linalg, and by
PyTorch's operator if this Python has PyTorch. The contestants take turns, so that a change of
the machine's speed affects all, and the least time counts. pool.max_pool computes the indices.
A gradient without indices computes them again. PyTorch's operator cannot do this, so it always
gets the indices. The largest difference from path=linalg is printed. The benchmark asserts
nothing.

    benchmarks/scatter.py --build build --rounds 5 --repeat 50
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

from measure.workloads import BadWorkload, only_named

try:
    import torch
    torch.set_num_threads(1)
except (ImportError, OSError):
    torch = None

# (name, operation, input, kernel, stride, pad and, if not 1, dilation), equal in both
# dimensions
WORKLOADS = (
    ("segnet_unpool", "max_unpool", (1, 64, 240, 320), 2, 2, 0),
    ("vgg_max_grad", "max_pool_grad", (1, 64, 224, 224), 2, 2, 0),
    ("stem_max_grad", "max_pool_grad", (1, 64, 112, 112), 3, 2, 1),
    ("inception_max_grad", "max_pool_grad", (1, 192, 28, 28), 3, 1, 1),
    ("k5_max_grad", "max_pool_grad", (1, 64, 56, 56), 5, 1, 2),
    ("stem_recomputed", "recomputed_grad", (1, 64, 112, 112), 3, 2, 1),
    ("inception_recomputed", "recomputed_grad", (1, 192, 28, 28), 3, 1, 1),
    ("k5_recomputed", "recomputed_grad", (1, 64, 56, 56), 5, 1, 2),
    ("inception_avg_grad", "avg_pool_grad", (1, 768, 17, 17), 3, 1, 1),
    ("densenet_avg_grad", "avg_pool_grad", (1, 128, 56, 56), 2, 2, 0),
    ("stem_avg_grad", "avg_pool_grad", (1, 64, 112, 112), 3, 2, 1),
    ("dilated_avg_grad", "avg_pool_grad", (1, 64, 112, 112), 3, 2, 2, 2),
    ("patch_avg_grad", "avg_pool_grad", (1, 64, 224, 224), 16, 16, 0),
)


class Workload:
    """A module of our operation, and a call of PyTorch's."""

    def __init__(self, name, op, shape, kernel, stride, pad, dilation=1):
        self.name, self.op, self.shape = name, op, shape
        self.window = (kernel, stride, pad)
        self.dilation = dilation
        reach = (kernel - 1) * dilation
        extents = tuple((extent + 2 * pad - reach - 1) // stride + 1 for extent in shape[2:])
        self.output = shape[:2] + extents

    def module(self):
        kernel, stride, pad = self.window
        window = (f"kernel [{kernel}, {kernel}] strides [{stride}, {stride}] "
                  f"dilations [{self.dilation}, {self.dilation}] "
                  f"pads_begin [{pad}, {pad}] pads_end [{pad}, {pad}]")
        whole, part = ("x".join(map(str, s)) for s in (self.shape, self.output))
        x, g, i = f"tensor<{whole}xf32>", f"tensor<{part}xf32>", f"tensor<{part}xi64>"
        arguments, body = {
            "max_unpool": (f"%g: {g}, %i: {i}",
                           f"pool.max_unpool %g, %i axis 2 : {g}, {i} -> {x}"),
            "max_pool_grad": (f"%x: {x}, %g: {g}, %i: {i}",
                              f"pool.max_pool_grad %x, %g, %i {window} axis 2 "
                              f": {x}, {g}, {i} -> {x}"),
            "recomputed_grad": (f"%x: {x}, %g: {g}",
                                f"pool.max_pool_grad %x, %g {window} : {x}, {g} -> {x}"),
            "avg_pool_grad": (f"%g: {g}", f"pool.avg_pool_grad %g {window} divisor kernel "
                                          f": {g} -> {x}")}[self.op]
        return (f"func.func @forward(%x: {x}) -> ({g}, {i}) {{\n"
                f"  %v, %i = pool.max_pool %x {window} axis 2 : {x} -> {g}, {i}\n"
                f"  return %v, %i : {g}, {i}\n}}\n"
                f"func.func @main({arguments}) -> {x} {{\n  %y = {body}\n  return %y : {x}\n}}\n")

    def peer(self, arrays):
        if torch is None or self.dilation != 1 and self.op == "avg_pool_grad":
            return None
        kernel, stride, pad = ([size] * 2 for size in self.window)
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        x, g, i = tensors["x"], tensors["g"], tensors["i"]

        def max_pool_grad():
            return torch.ops.aten.max_pool2d_with_indices_backward(
                g, x, kernel, stride, pad, [self.dilation] * 2, False, i)
        return {
            "max_unpool": lambda: torch.nn.functional.max_unpool2d(g, i, kernel, stride),
            "max_pool_grad": max_pool_grad,
            "recomputed_grad": max_pool_grad,
            "avg_pool_grad": lambda: torch.ops.aten.avg_pool2d_backward(
                g, x, kernel, stride, pad, False, True, None)}[self.op]


def pool_run(options, module, entry, inputs, outputs, *arguments):
    command = [f"{options.build}/bin/pool-run", module, "--entry", entry, "--input", *inputs,
               "--output", *outputs, *arguments]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{process.stderr[:2000]}")
    return process.stdout


def least_time(call, repeat):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times) * 1e6


def add_only(parser):
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only workloads whose name contains TEXT; may be given several "
                             "times")


def select(options, workloads, parser):
    """Returns the workloads that --only names, and all of them without it. Each is a tuple
    that begins with its name. It is an error if a TEXT names none."""
    try:
        named = only_named({workload[0]: workload for workload in workloads}, options.only,
                           "workload")
    except BadWorkload as error:
        parser.error(str(error))
    return list(named.values())


def measure(options, workload, directory):
    """Returns the least microseconds of each contestant, and the largest difference."""
    path = {name: f"{directory}/{name}.npy" for name in ("x", "g", "i", "vector", "linalg")}
    module = f"{directory}/{workload.name}.mlir"
    with open(module, "w", encoding="utf-8") as file:
        file.write(workload.module())
    rng = np.random.default_rng(1)
    np.save(path["x"], rng.standard_normal(workload.shape).astype(np.float32))
    pool_run(options, module, "forward", [path["x"]], [path["g"], path["i"]])
    np.save(path["g"], rng.standard_normal(workload.output).astype(np.float32))
    names = {"max_unpool": "gi", "max_pool_grad": "xgi", "recomputed_grad": "xg",
             "avg_pool_grad": "g"}[workload.op]
    inputs = [path[name] for name in names]
    peer = workload.peer({name: np.load(path[name]) for name in "xgi"})

    least = {}
    for _ in range(options.rounds):
        for way in ("vector", "linalg"):
            output = pool_run(options, module, "main", inputs, [path[way]], "--path", way,
                              "--repeat", str(options.repeat))
            us = float(re.search(r"min_us=([0-9.]+)", output).group(1))
            least[way] = min(us, least.get(way, us))
        if peer is not None:
            us = least_time(peer, options.repeat)
            least["torch"] = min(us, least.get("torch", us))
    right = np.load(path["linalg"])
    difference = np.abs(np.load(path["vector"]) - right).max()
    if peer is not None:
        difference = max(difference, np.abs(peer().numpy() - right).max())
    return least, difference


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="build directory (default: build)")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--repeat", type=int, default=50,
                        help="calls in a round (default: 50)")
    add_only(parser)
    options = parser.parse_args()
    selected = select(options, WORKLOADS, parser)
    print("| workload | vector us | linalg / vector | torch / vector | largest difference |")
    print("|---|---|---|---|---|")
    for arguments in selected:
        workload = Workload(*arguments)
        with tempfile.TemporaryDirectory() as directory:
            least, difference = measure(options, workload, directory)
        ours = least["vector"]
        peer = ("not installed" if torch is None else
                f"{least['torch'] / ours:.1f}" if "torch" in least else "has none")
        print(f"| {workload.name} | {ours:.0f} | {least['linalg'] / ours:.1f} | {peer} | "
              f"{difference:.1e} |", flush=True)


if __name__ == "__main__":
    main()
