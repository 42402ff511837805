# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Outputs so large that they are written with non-temporal stores must be right. Such stores
require aligned addresses, and bypass the caches.

Rows begin at multiples of 16, 32 or 64 bytes, or at none of these. The code processes rows whole
or in pieces. Extents are known or unknown, and some cases have indices. Each case runs on one
thread and on two. Unpooling also runs with indices that write some elements twice.

Results are compared with path=linalg, which has no non-temporal stores. Maxima must be equal,
averages may differ by four units in the last place. Some windows are also compared with the
definition.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import tempfile

import numpy as np

from pooltest import scatter, spots, tier
from pooltest.case import NUMPY_TYPES, Case
from pooltest.report import Report, main
from pooltest.rules import output_shape
from pooltest.tools import Batch

PADDED = {"kernel": (3, 3), "strides": (2, 2), "pads_begin": (1, 1), "pads_end": (1, 1)}
HALVED = {"kernel": (2, 2), "strides": (2, 2)}

# Input and results of each case together have at least 16 MB.
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
    "channels last": Case("max_pool", (16, 112, 112, 64), layout="channels_last", **PADDED),
    "channels last, an average": Case("avg_pool", (8, 112, 112, 64), kernel=(3, 3),
                                      pads_begin=(1, 1), pads_end=(1, 1), divisor="valid",
                                      layout="channels_last"),
    "channels last, loops over taps": Case("max_pool", (32, 56, 56, 256), layout="channels_last",
                                           **HALVED),
    "channels last and indices": Case("max_pool", (16, 112, 112, 64), index_type="i32",
                                      layout="channels_last", **HALVED),
    "channels last, one dimension": Case("avg_pool", (16, 16000, 32), kernel=(3,), strides=(2,),
                                         layout="channels_last"),
    "one dimension": Case("max_pool", (1, 256, 16000), kernel=(3,), strides=(2,), pads_begin=(1,),
                          pads_end=(1,)),
}


def unpooled(values, indices, shape):
    """Unpools by the definition: of several writes to an element, the last one stays, as it
    does in NumPy."""
    result = np.zeros(shape, values.dtype)
    for plane, v, i in zip(result.reshape(-1, shape[2] * shape[3]),
                           values.reshape(-1, values[0, 0].size),
                           indices.reshape(-1, values[0, 0].size)):
        plane[i] = v
    return result


def run_unpool(name, strays, report):
    """Unpools blocks of 2x2. In the last plane, `strays` indices point into other
    blocks."""
    rng = np.random.default_rng(strays)
    v = rng.integers(1, 200, (1, 64, 120, 160)).astype(np.float32)
    places = [2 * place + rng.integers(0, 2, v.shape) for place in np.indices(v.shape)[2:]]
    i = np.ravel_multi_index(places, (240, 320))
    i[0, -1, -1, :strays] = 7
    text = scatter.function("max_unpool", [("%v", "tensor<1x64x120x160xf32>", v),
                                           ("%i", "tensor<1x64x120x160xi64>", i)],
                            "axis = 2 : i64", "tensor<1x64x240x320xf32>")
    expected, truth = None, unpooled(v, i, (1, 64, 240, 320))
    with tempfile.TemporaryDirectory() as directory:
        batch = Batch(directory)
        batch.add("f", text, [v, i], [v.dtype])
        for options in (["--path=linalg"], ["--path=vector"], ["--path=vector", "--threads=2"]):
            (outputs,), process = batch.run(*options, "-O2")
            expected = expected or outputs
            report.expect(outputs is not None and outputs[0].dtype == v.dtype
                          and np.array_equal(outputs[0], expected[0])
                          and np.array_equal(outputs[0], truth),
                          f"{name}: {' '.join(options)}", actual=process.stderr[:500])
    report.count(name)


def is_right(case, x, outputs, rng):
    """Compares some windows with the definition, which requires channels first. Channels-last
    results are transposed, and their indices, which count in another order, are not compared."""
    if case.layout == "channels_last":
        x, values = (np.moveaxis(array, -1, 1) for array in (x, outputs[0]))
        case, outputs = case.with_(layout="channels_first", shape=x.shape, index_type=None), [values]
    return spots.right(case, x, outputs, rng)


def run_case(name, case, report):
    rng = np.random.default_rng(len(name))
    x = rng.integers(0, 200, case.shape).astype(case.dtype)
    types = [case.dtype] + ([NUMPY_TYPES[case.index_type]] if case.index_type else [])
    expected = None
    with tempfile.TemporaryDirectory() as directory:
        batch = Batch(directory)
        shape = case.dynamic_output_shape(output_shape(case))
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
            report.expect(spots.shape_and_type(case, outputs), f"{what}: shape or type")
            report.expect(is_right(case, x, outputs, rng), f"{what}: the definition differs")
            report.count("compared with the definition")


def run():
    report = Report("streaming")
    for name, case in tier.sample(CASES.items(), tier.size(None, None, 3)):
        run_case(name, case, report)
    run_unpool("unpooled blocks", 0, report)
    run_unpool("unpooled blocks, a slice of them written again", 3, report)
    return report.finish()


main(run)
