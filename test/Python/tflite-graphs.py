# REQUIRES: python-module, tflite
# RUN: %python %s
"""Graphs that import_tflite imports must compute the results of LiteRT's reference kernels. Each
graph has a maximum, then an operator that import_tflite accepts, then an average if the result
still has four dimensions. The tier `all` tests every operator with all element types, the
other tiers test a sample.

Integers must be equal, floats within rounding.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import pool_mlir  # noqa: E402
from pool_mlir import _tflite  # noqa: E402
from pooltest import tflite_models, tier  # noqa: E402
from pooltest.report import Report, main  # noqa: E402


class Graph:
    """A maximum, an operator on the maximum, and an average of the operator's result."""

    def __init__(self, kind, dtype, rng, unknown):
        self.kind, self.dtype, self.rng = kind, np.dtype(dtype), rng
        self.writer = tflite_models.Writer()
        self.unknown = unknown
        quantization = tflite_models.random_quantization(rng, dtype)
        self.quantization = self.result = quantization
        if quantization:
            if kind == "MEAN":
                self.result = tflite_models.random_quantization(rng, dtype)
        self.array = tflite_models.random_array(rng, (2, 8, 6, 5), self.dtype)
        self.x = x = self.tensor("x", (2, 8, 6, 5))
        p = self.tensor("p", (2, 4, 3, 5))
        self.writer.pool("MAX_POOL_2D", x, p, "SAME", (3, 3), (2, 2))
        y, shape, dtype = self.operator(p)
        self.outputs = [y]
        if len(shape) == 4 and dtype in _tflite_dtypes():
            extents = tflite_models.pooled(shape[1:3], "SAME", (2, 2), (1, 1))
            z = self.writer.tensor("z", (shape[0], *extents, shape[3]), dtype,
                                   self.result if np.dtype(dtype).kind != "f" else None, unknown)
            self.writer.pool("AVERAGE_POOL_2D", y, z, "SAME", (2, 2), (1, 1))
            self.outputs.append(z)

    def tensor(self, name, shape, quantization=None):
        return self.writer.tensor(name, shape, self.dtype, quantization or self.quantization,
                                  self.unknown)

    def operator(self, p):
        """Adds the operator; returns its result, the result's shape and type."""
        kind, shape, dtype, sources, fields = self.kind, (2, 4, 3, 5), self.dtype, [p], {}
        writer = self.writer
        if kind in _tflite.GLOBAL:
            sources.append(writer.tensor("axes", (2,), np.int32, data=np.array([1, 2], np.int32)))
            keep = bool(self.rng.integers(2))
            shape, fields = ((2, 1, 1, 5) if keep else (2, 5)), {"keepDims": keep}
        elif kind == "PAD":
            pads = np.array([[0, 0], [1, 0], [2, 1], [0, 0]], np.int32)
            sources.append(writer.tensor("pads", (4, 2), np.int32, data=pads))
            shape = (2, 5, 6, 5)
        elif kind in ("RESHAPE", "SQUEEZE"):
            if kind == "RESHAPE":
                shape = (2, 12, 5)
                sources.append(writer.tensor("shape", (3,), np.int32,
                                             data=np.array([-1, 12, 5], np.int32)))
        elif kind == "DEQUANTIZE":
            dtype = np.dtype(np.float32)
        elif kind == "QUANTIZE" and self.dtype == np.float32:
            # The scale is so small that some numbers saturate.
            dtype, self.result = ((np.dtype(np.int8), (0.01, -5)), (np.dtype(np.uint8), (0.01, 5)),
                                  (np.dtype(np.int16), (1e-4, 0)))[self.rng.integers(3)]
        y = writer.tensor("y", shape, dtype, self.result if dtype.kind != "f" else None,
                          self.unknown)
        writer.operator(kind, sources, [y], "ReducerOptions" if fields else "", **fields)
        return y, shape, dtype

    def finish(self):
        return self.writer.finish([self.x], self.outputs)


def _tflite_dtypes():
    return [np.dtype(word.lower()) for word in _tflite.ELEMENTS]


def check(report, graph, what, path):
    content = graph.finish()
    path.write_bytes(content)
    try:
        expected = tflite_models.run(content, [graph.array])
    except (RuntimeError, ValueError) as error:
        report.count(f"refused by LiteRT: {what}: {' '.join(str(error).split())[:90]}")
        return
    text = pool_mlir.import_tflite(path)
    results = pool_mlir.compile(text)(graph.array)
    results = results if isinstance(results, tuple) else (results,)
    for got, other in zip(results, expected):
        same = got.shape == other.shape and got.dtype == other.dtype and (
            np.allclose(got, other, rtol=2e-6, atol=2e-6) if other.dtype.kind == "f"
            else np.array_equal(got, other))
        if not report.expect(same, f"{what}: graph", text, expected=other, got=got):
            return
    report.count(f"equal: {what}")


def run():
    report = Report("tflite-graphs")
    rng = np.random.default_rng(tier.seed(39))
    cases = [(kind, word) for kind in _tflite.SUPPORTED for word in _tflite.ELEMENTS
             if (kind, word) != ("DEQUANTIZE", "FLOAT32")]
    with tempfile.TemporaryDirectory() as directory:
        drawn = tier.sample(cases * tier.size(4, 1, 1), tier.size(None, 40, 14))
        # The converter's QUANTIZE of floats wraps, so the importer writes its own: always test it.
        for kind, word in [*drawn, ("QUANTIZE", "FLOAT32")]:
            unknown = [(), (0,)][rng.integers(2)]
            graph = Graph(kind, word.lower(), rng, unknown)
            check(report, graph, f"{kind} {word}", Path(directory) / "graph.tflite")
    return report.finish()


main(run)
