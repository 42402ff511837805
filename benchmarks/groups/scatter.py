"""Times unpooling and gradients: loops over vectors, loops from linalg, PyTorch.

Each workload runs on one thread by pool-run with path=vector and path=linalg, and by PyTorch's
operator if this Python has PyTorch. pool.max_pool computes the indices. A gradient without indices
computes them again. PyTorch's operator cannot do this, so it always gets the indices. The largest
difference from path=linalg is printed.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import numpy as np

from measure.turns import least_in_turns, least_time, pool_run

ROUNDS = 5
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

    def peers(self, arrays):
        """Returns {"torch": a call of PyTorch's operator}, or no peer."""
        torch = import_torch()
        if torch is None or self.dilation != 1 and self.op == "avg_pool_grad":
            return {}
        kernel, stride, pad = ([size] * 2 for size in self.window)
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        x, g, i = tensors["x"], tensors["g"], tensors["i"]

        def max_pool_grad():
            return torch.ops.aten.max_pool2d_with_indices_backward(
                g, x, kernel, stride, pad, [self.dilation] * 2, False, i)
        return {"torch": {
            "max_unpool": lambda: torch.nn.functional.max_unpool2d(g, i, kernel, stride),
            "max_pool_grad": max_pool_grad,
            "recomputed_grad": max_pool_grad,
            "avg_pool_grad": lambda: torch.ops.aten.avg_pool2d_backward(
                g, x, kernel, stride, pad, False, True, None)}[self.op]}


def import_torch():
    try:
        import torch  # pylint: disable=import-outside-toplevel
        torch.set_num_threads(1)
        return torch
    except (ImportError, OSError):
        return None


def add_options(parser):
    parser.add_argument("--repeat", type=int, default=50,
                        help="calls in a round (default: 50)")


def rows(_):
    return {arguments[0]: Workload(*arguments) for arguments in WORKLOADS}


def race(options, module, inputs, peers, is_pair=False):
    """Times path=vector, path=linalg and the peers' calls in turns. Returns the least microseconds
    of each, and the values of each path. If `is_pair`, the function returns indices, too."""
    outputs = {way: options.directory / f"{way}.npy" for way in ("vector", "linalg")}
    contestants = {
        way: functools.partial(
            pool_run, options, module, inputs, [y, options.directory / "j.npy"][:1 + is_pair],
            "--path", way, "--threads", "1", "--repeat", options.repeat)
        for way, y in outputs.items()}
    contestants.update({name: functools.partial(least_time, call, options.repeat)
                        for name, call in peers.items()})
    least = least_in_turns(contestants, options.rounds)
    return least, {way: np.load(y) for way, y in outputs.items()}


def run(chosen, options, report):
    report.header("workload", "vector us", "linalg / vector", "torch / vector",
                  "largest difference")
    for name, workload in chosen.items():
        path = {x: options.directory / f"{x}.npy" for x in "xgi"}
        module = options.directory / f"{name}.mlir"
        module.write_text(workload.module(), encoding="utf-8")
        rng = np.random.default_rng(1)
        np.save(path["x"], rng.standard_normal(workload.shape).astype(np.float32))
        pool_run(options, module, [path["x"]], [path["g"], path["i"]], entry="forward")
        np.save(path["g"], rng.standard_normal(workload.output).astype(np.float32))
        names = {"max_unpool": "gi", "max_pool_grad": "xgi", "recomputed_grad": "xg",
                 "avg_pool_grad": "g"}[workload.op]
        peers = workload.peers({x: np.load(path[x]) for x in "xgi"})
        least, values = race(options, module, [path[x] for x in names], peers)
        values.update((peer, call().numpy()) for peer, call in peers.items())
        difference = max(np.abs(y - values["linalg"]).max() for y in values.values())
        ours = least["vector"]
        peer = f"{least['torch'] / ours:.1f}" if peers else "-"
        report.row(name, f"{ours:.0f}", f"{least['linalg'] / ours:.1f}", peer,
                   f"{difference:.1e}", **least)
