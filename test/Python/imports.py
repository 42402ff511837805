# REQUIRES: python-module
# RUN: %python %s %src_root/test/Import/OpenVINO/Inputs
# UNEXPLORED: its data only has to differ from element to element.
"""pool_mlir.import_openvino and import_onnx must turn a model's file into a module that computes
the right numbers. Files that are missing, or that are no models, must be errors that say so."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import pathlib
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper

import pool_mlir
from pool_mlir.__main__ import main as command
from pooltest.errors import raises
from pooltest.report import Report, main

INPUTS = pathlib.Path(sys.argv[1])


def check_openvino(report, directory):
    model = INPUTS / "pooling.xml"
    whole = pool_mlir.compile(pool_mlir.import_openvino(model))
    layers = pool_mlir.compile(pool_mlir.import_openvino(str(model), pool_layers=True))
    report.expect(len(whole.entries) == 1 and len(layers.entries) > 5, "functions",
                  actual=(whole.entries, layers.entries))
    weights = directory / "weights.bin"
    weights.write_bytes((INPUTS / "pooling.bin").read_bytes())
    alone = directory / "alone.xml"
    alone.write_text(model.read_text())
    again = pool_mlir.compile(pool_mlir.import_openvino(alone, weights=weights))
    report.expect(again.mlir == whole.mlir, "weights elsewhere")

    raises(report, FileNotFoundError, "absent.xml",
           lambda: pool_mlir.import_openvino(directory / "absent.xml"))
    # Messages name the option as this caller spells it.
    without, branches = INPUTS / "without-pooling.xml", INPUTS / "branches.xml"
    raises(report, ValueError, "the model has no pooling layer",
           lambda: pool_mlir.import_openvino(without, pool_layers=True))
    raises(report, ValueError, "; pool_layers=True imports the pooling layers of any model",
           lambda: pool_mlir.import_openvino(branches))
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        code = command(["run", str(branches)])
    report.expect(code == 1 and "; --pool-layers imports the pooling" in errors.getvalue(),
                  "the command's message", errors.getvalue())
    wrong = directory / "wrong.xml"
    wrong.write_text("<net version='11'>\n<layers>\n")
    raises(report, ValueError, f"{wrong}:", lambda: pool_mlir.import_openvino(wrong))


def check_onnx(report):
    x = np.random.default_rng(2).standard_normal((2, 3, 8, 8)).astype(np.float32)
    node = helper.make_node("MaxPool", ["x"], ["y"], "pool", kernel_shape=[2, 2], strides=[2, 2])
    kind = onnx.TensorProto.FLOAT
    model = helper.make_model(helper.make_graph(
        [node], "graph", [helper.make_tensor_value_info("x", kind, x.shape)],
        [helper.make_tensor_value_info("y", kind, (2, 3, 4, 4))]))
    expected = pool_mlir.max_pool(x, 2, 2)
    for layers, name in ((False, "main"), (True, "pool")):
        compiled = pool_mlir.compile(pool_mlir.import_onnx(model, pool_layers=layers))
        report.expect(compiled.entries == (name,) and np.array_equal(compiled(x), expected),
                      f"ONNX, {name}", actual=compiled.entries)
    raises(report, ValueError, "not an ONNX model", lambda: pool_mlir.import_onnx(b"no model"))


def run():
    report = Report("imports")
    with tempfile.TemporaryDirectory() as directory:
        check_openvino(report, pathlib.Path(directory))
    check_onnx(report)
    return report.finish()


main(run)
