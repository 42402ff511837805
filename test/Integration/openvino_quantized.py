# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Layers of quantisation between pooling layers, in models that OpenVINO saved.

Each model has one element type, with FakeQuantize of floats and conversions to the other types.
OpenVINO saves the model. The imported module runs compiled and in the interpreter, and both must
match OpenVINO's results. Exporting the module and importing it again must give the same text.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import openvino as ov
from openvino import opset14 as op

from pooltest import tier
from pooltest.case import NUMPY_TYPES
from pooltest.report import Report
from pooltest.tools import Batch, run, tool

SHAPE, SEED = (2, 3, 6, 7), 71
FLOATS, INTEGERS = ("f32", "f16", "f64"), ("i8", "ui8", "i16", "i32")
# Relative and absolute tolerance. OpenVINO computes f64 in f32, and in this test also f16.
TOLERANCE = {"f32": 1e-5, "f64": 1e-5, "f16": 2e-2}

# FakeQuantize; `c` makes a constant of the element type.
FAKE = {
    "fake quantize": lambda x, c: op.fake_quantize(x, c(-1.6), c(1.65), c(-2), c(2.5), 16),
    "fake quantize, downwards": lambda x, c: op.fake_quantize(
        x, c(-1.6), c(1.65), c(2), c(-2.5), 4),
    "fake quantize of channels": lambda x, c: op.fake_quantize(
        x, c([[[-1.6]], [[-0.3]], [[-4.1]]]), c([[[1.6]], [[0.4]], [[4.1]]]), c([[[[-3]], [[-4]], [[-5]]]]),
        c([[[[2]], [[3]], [[4]]]]), 256)}


def ov_type(name):
    return getattr(ov.Type, name.replace("ui", "u"))


LAYER_NAME = re.compile(r"layer '[^']*'")


class Model:
    """A model of a pooling, followed by each layer; a second pooling follows most layers."""

    def __init__(self, element_type, rng, dynamic):
        self.element_type, self.rng = element_type, rng
        self.shape = [-1 if dynamic and d != 1 else extent for d, extent in enumerate(SHAPE)]
        self.parameter = op.parameter(self.shape, ov_type(element_type))
        self.pooled = self.pool(self.parameter)
        self.names, self.types, self.outputs = [], [], []
        self.add_layers()

    @staticmethod
    def pool(value, stride=1):
        return op.max_pool(value, [stride] * 2, [1, 1], [0, 0], [0, 0], [2, 2]).output(0)

    def add(self, name, result, result_type=None):
        result = result.output(0)
        values = [result]
        if result_type is None and len(result.partial_shape) == 4:
            values.append(self.pool(result, 2))
        self.outputs += values
        self.names += [f"{name} of {self.element_type}"] * len(values)
        self.types += [result_type or self.element_type] * len(values)

    def add_layers(self):
        def constant(number):
            return op.constant(np.asarray(number, NUMPY_TYPES[self.element_type]))

        for name, layer in FAKE.items():
            if self.element_type in FLOATS:
                self.add(name, layer(self.pooled, constant))
        for result in FLOATS + INTEGERS:
            value = self.pooled
            if result == "ui8":
                # OpenVINO does not define the conversion of negative numbers to unsigned.
                if self.element_type not in FLOATS:
                    continue
                value = op.fake_quantize(value, *map(constant, (0, 4, 0, 4)), 5)
            # A saved model drops a conversion to the same type.
            if result != self.element_type:
                self.add(f"convert to {result}",
                         op.convert(value, result.replace("ui", "u")), result)

    def data(self, shape):
        low = 1 if "ui8" in self.element_type else -4
        numbers = self.rng.integers(low * 4, 16, size=shape) / 4
        if self.element_type not in FLOATS:
            numbers = np.round(numbers)
        return np.where(numbers == 0, 1, numbers).astype(NUMPY_TYPES[self.element_type])

    def save(self, path):
        ov.save_model(ov.Model(self.outputs, [self.parameter], "model"), path,
                      compress_to_fp16=False)


def translate(report, title, *arguments):
    process = run([tool("pool-translate"), *map(str, arguments)])
    report.expect(process.returncode == 0, title, error=process.stderr)
    return process.stdout


def check_round_trip(folder, text, report):
    """Exports the module and imports it again; the text must be the same, except for names of
    layers. Assertions contain these names, but the exported module has lost them: its text has
    no locations."""
    source, exported = folder / "imported.mlir", folder / "exported.xml"
    source.write_text(text)
    translate(report, "not exported", "--export-openvino", source, "-o", exported)
    again = translate(report, "not imported again", "--import-openvino", exported)
    if report.expect(LAYER_NAME.sub("", again) == LAYER_NAME.sub("", text),
                     "another after export and import", text, again=again):
        report.count("models the same after export and import")


def check_canonical_export(folder, report):
    """Checks that bodies can also be exported after canonicalisation."""
    source, exported = folder / "imported.mlir", folder / "exported.xml"
    process = run([tool("pool-opt"), "--canonicalize", "--cse", str(source), "-o",
                   str(folder / "canonical.mlir")])
    report.expect(process.returncode == 0, "not canonicalised", error=process.stderr)
    translate(report, "not exported once canonicalised", "--export-openvino",
              folder / "canonical.mlir", "-o", exported)
    if translate(report, "not imported once canonicalised", "--import-openvino", exported):
        report.count("models imported again once canonicalised")


def check(folder, element_type, dynamic, rng, report):
    model = Model(element_type, rng, dynamic)
    path = folder / "model.xml"
    model.save(path)
    text = translate(report, "not imported", "--import-openvino", path)
    check_round_trip(folder, text, report)
    # Integers and dynamic shapes cannot be exported after canonicalisation, which combines
    # conversions of integers and infers extents of ranges.
    if element_type in FLOATS and not dynamic:
        check_canonical_export(folder, report)

    x = model.data(SHAPE)
    batch = Batch(folder)
    batch.add("model", text, [x], [NUMPY_TYPES[t] for t in model.types])
    saved = ov.Core().read_model(path)
    saved.reshape(list(SHAPE))
    compiled = ov.Core().compile_model(saved, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    expected = compiled([x]).to_tuple()
    for path, options in (("vector", ["-O0"]), ("reference", [])):
        outputs, process = batch.run("--path", path, *options)
        if report.expect(outputs[0] is not None, "it does not run", error=process.stderr[:3000]):
            compare(report, model, x, outputs[0], expected, path)


def compare(report, model, x, outputs, expected, path):
    element_type = model.element_type
    for name, result_type, mine, other in zip(model.names, model.types, outputs, expected):
        tolerance = max(TOLERANCE.get(element_type, 0), TOLERANCE.get(result_type, 0))
        equal = np.allclose(mine.astype(np.float64), other.astype(np.float64),
                            rtol=tolerance, atol=tolerance)
        report.expect(equal and mine.shape == other.shape, f"OpenVINO differs in {name}, {path}",
                      x=x.ravel()[:40], ours=mine.ravel()[:40], openvino=other.ravel()[:40])
        report.count(f"results of path {path} compared with OpenVINO's")


def main():
    report = Report("openvino quantised")
    rng = np.random.default_rng(tier.seed(SEED))
    with tempfile.TemporaryDirectory() as folder:
        kinds = itertools.product(FLOATS + INTEGERS, (False, True))
        for element_type, dynamic in tier.sample(kinds, tier.size(None, 5, 1)):
            check(Path(folder), element_type, dynamic, rng, report)
    report.require_counted("results of path vector compared with OpenVINO's",
                           "results of path reference compared with OpenVINO's",
                           "models the same after export and import",
                           "models imported again once canonicalised")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
