# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Buffers that do not stay in caches, which are stored past them.

Rows that begin at multiples of 16, 32 and 64 bytes and rows that do not, cut and
whole, of known and of unknown extents, with indices, on one thread and two. Must
equal path=linalg, which stores nothing past the caches: maxima exactly, averages
within four units in the last place.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import tempfile

import numpy as np

from pooltest.case import NUMPY_TYPES, Case
from pooltest.report import Report, main
from pooltest.rules import resolve
from pooltest.tools import Batch

PADDED = {"kernel": (3, 3), "strides": (2, 2), "pads_begin": (1, 1), "pads_end": (1, 1)}
HALVED = {"kernel": (2, 2), "strides": (2, 2)}

# Each has 16 MB at least.
CASES = {
    "rows of 112 bytes": Case("max_pool", (32, 64, 56, 56), **PADDED),
    "rows of 80 bytes": Case("avg_pool", (32, 96, 40, 40), **HALVED),
    "rows of 56 bytes": Case("max_pool", (128, 64, 28, 28), **PADDED),
    "rows of 224 bytes, of 8-bit integers": Case("max_pool", (16, 8, 448, 448), element_type="ui8",
                                                **HALVED),
    "cut rows": Case("max_pool", (1, 32, 360, 480), **HALVED),
    "cut rows, whose last strip is moved": Case("max_pool", (1, 16, 500, 672), **HALVED),
    "cut rows and indices": Case("max_pool", (1, 32, 240, 320), index_type="i64", **HALVED),
    "whole rows and indices": Case("max_pool", (16, 64, 64, 64), index_type="i32", **HALVED),
    "cut rows of unknown width": Case("max_pool", (1, 32, 360, 480), dynamic=(0, 2, 3), **HALVED),
    "the same, whose rows begin anywhere": Case("max_pool", (1, 32, 360, 490), dynamic=(2, 3),
                                                **HALVED),
    "an unknown batch": Case("max_pool", (32, 64, 56, 64), dynamic=(0,), **PADDED),
    "a volume": Case("max_pool", (1, 32, 16, 112, 112), kernel=(2, 2, 2), strides=(2, 2, 2)),
    "one dimension": Case("max_pool", (1, 256, 16000), kernel=(3,), strides=(2,), pads_begin=(1,),
                          pads_end=(1,)),
}


def run_case(name, case, report):
    rng = np.random.default_rng(len(name))
    x = rng.integers(0, 200, case.shape).astype(case.dtype)
    types = [case.dtype] + ([NUMPY_TYPES[case.index_type]] if case.index_type else [])
    expected = None
    with tempfile.TemporaryDirectory() as directory:
        batch = Batch(directory)
        output = case.shape[:2] + tuple(dim.output for dim in resolve(case))
        shape = case.dynamic_output_shape(output)
        batch.add("main", case.function("main", shape, pretty=True), [x], types)
        for options in (["--path=linalg"], ["--path=vector"], ["--path=vector", "--threads=2"]):
            (outputs,), process = batch.run(*options, "-O2")
            what = f"{name}: {' '.join(options)}"
            if not report.expect(outputs is not None, what, actual=process.stderr[:500]):
                return
            expected = expected or outputs
            tolerance = 4 * np.finfo(np.float32).eps if case.op == "avg_pool" else 0
            for values, right in zip(outputs, expected):
                report.expect(np.allclose(values, right, rtol=tolerance, atol=0), what)


def run():
    report = Report("streaming")
    for name, case in CASES.items():
        run_case(name, case, report)
    return report.finish()


main(run)
