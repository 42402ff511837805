# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""A chain of poolings that runs in tiles (pool-tile-chains) must give the same results as pooling
after pooling.

Random chains have one to three poolings, some with elementwise operations between. They are cut
by random grids and by sizes in bytes. On path=linalg, where the order of a sum depends only on
the window, results must be bit-equal. On path=vector, chains of only extrema must be equal, too.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import tempfile

import numpy as np

from pooltest import compare, generators, rules, tier
from pooltest.case import Case
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

CHAINS_PER_MODULE = 12
TYPES = ("f32", "f32", "f16", "f64")


class Chain:
    """A function @f with poolings one after the other."""

    def __init__(self, rng):
        while not self.make(rng):
            pass
        self.x = rng.standard_normal(self.cases[0].shape).astype(self.cases[0].dtype)

    def make(self, rng):
        n = generators.integer(rng, 1, 3)
        element_type = generators.pick(rng, TYPES)
        layout = generators.pick(rng, ("channels_first", "channels_last"), (3, 1))
        shape = generators.random_shape(rng, n, layout, empty_batch=0)
        dynamic = None
        self.cases = []
        for _ in range(generators.integer(rng, 1, 3)):
            op = generators.pick(rng, ("max_pool", "min_pool", "avg_pool", "lp_pool"), (4, 1, 2, 1))
            window = generators.random_window(rng, n, max_kernel=3, max_stride=2, max_dilation=2,
                                              max_pad=2)
            more = generators.random_op(rng, op, element_type, n)
            more.pop("index_type", None)
            case = Case(op, shape, element_type=element_type, layout=layout, **window, **more)
            if dynamic is None:
                dynamic = generators.dynamic_dims(rng, case) if rng.random() < 0.3 else ()
            case = case.with_(dynamic=tuple(dynamic))
            try:
                shape = tuple(rules.output_shape(case))
            except rules.Refused:
                return False
            self.cases.append(case)
        self.output = shape
        self.has_negation, self.has_destination = rng.random() < 0.5, rng.random() < 0.5
        return rules.product(shape) > 0

    @property
    def is_exact(self):
        return all(case.op in ("max_pool", "min_pool") for case in self.cases)

    def text(self, name):
        lines, value = [], "%x"
        for number, case in enumerate(self.cases):
            shape = self.cases[number + 1].shape if number + 1 < len(self.cases) else self.output
            kind, = case.result_types(case.dynamic_output_shape(shape))
            lines.append(f"%v{number} = " + case.pretty_op([kind]).replace("%x ", f"{value} ", 1))
            value = f"%v{number}"
            if self.has_negation:
                # Without %e, the negation uses `value` as input and as destination. A value
                # with two uses ends the chain that pool-tile-chains tiles.
                out = value
                if not case.dynamic and self.has_destination:
                    out = f"%e{number}"
                    lines.append(f"{out} = tensor.empty() : {kind}")
                lines.append(f"%n{number} = linalg.negf ins({value} : {kind}) "
                             f"outs({out} : {kind}) -> {kind}")
                value = f"%n{number}"
        return (f"func.func @{name}(%x: {self.cases[0].input_type()}) -> {kind} {{\n  "
                + "\n  ".join(lines) + f"\n  return {value} : {kind}\n}}\n")

    def option(self, rng):
        """Returns a random option of pool-tile-chains. `bytes` requires known extents."""
        if not self.cases[0].dynamic and rng.random() < 0.4:
            return f"bytes={generators.integer(rng, 4000, 40000)}"
        parts = [generators.pick(rng, (1, 2, 3, 5, extent, 2 * extent), (4, 3, 2, 1, 1, 1))
                 for extent in self.output]
        return "grid=" + ",".join(map(str, parts[:generators.integer(rng, 1, len(parts))]))


def cut(chain, name, rng, report):
    """Returns the cut function, or None if even a tile of one element needs more than the
    option's bytes."""
    option = chain.option(rng)
    text = chain.text(name)
    process = pool_opt(text, f"--pool-tile-chains={option}")
    if option.startswith("bytes") and "cannot be cut: its smallest tile" in process.stderr:
        report.count("no tile is so small")
        return None
    if not report.expect(process.returncode == 0, f"pool-tile-chains={option}", text,
                         stderr=process.stderr[:2000]):
        return None
    report.count("cut" if "scf.forall" in process.stdout else "one tile")
    report.count(f"by {option.split('=', maxsplit=1)[0]}, "
                 f"{'unknown' if chain.cases[0].dynamic else 'known'} extents")
    return process.stdout


def run_chunk(rng, count, report):
    chains = [Chain(rng) for _ in range(count)]
    with tempfile.TemporaryDirectory() as directory:
        whole = Batch(directory, "whole")
        for number, chain in enumerate(chains):
            whole.add(f"f{number}", chain.text(f"f{number}"), [chain.x], [chain.x.dtype])
        expected = {path: run_batch(whole, path, report) for path in ("linalg", "vector")}
        for number, chain in enumerate(chains):
            text = cut(chain, f"f{number}", rng, report)
            if text is None:
                continue
            part = Batch(directory, f"part{number}")
            part.add(f"f{number}", text, [chain.x], [chain.x.dtype])
            for path in ("linalg", "vector"):
                check_tiles(chain, text, path, run_batch(part, path, report)[0],
                        expected[path][number], report)


def run_batch(batch, path, report):
    outputs, process = batch.run(f"--path={path}", "-O0")
    report.expect(process.returncode == 0, f"pool-run --path={path}", "\n".join(batch.texts),
                  stderr=process.stderr[:2000])
    return outputs


def check_tiles(chain, text, path, actual, expected, report):
    if not actual or not expected:
        return
    if path == "linalg" or chain.is_exact:
        good = compare.same_arrays(actual[0], expected[0])
        report.count(f"equal to the bit, {path}")
    else:
        tolerance = {2: 1e-2, 4: 1e-5, 8: 1e-12}[chain.x.itemsize]
        good = np.allclose(actual[0], expected[0], rtol=tolerance, atol=tolerance, equal_nan=True)
    report.expect(good, f"{path}: tiles", text, data=chain.x.tolist())


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chains", type=int, default=tier.size(1200, 60, 12))
    parser.add_argument("--seed", type=int, default=tier.seed(19))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("tile_chains")
    for start in range(0, options.chains, CHAINS_PER_MODULE):
        run_chunk(rng, min(CHAINS_PER_MODULE, options.chains - start), report)
    report.require_counted("cut", "by grid, known extents", "by grid, unknown extents",
                           "by bytes, known extents", "equal to the bit, vector")
    return report.finish()


if __name__ == "__main__":
    main(run)
