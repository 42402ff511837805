# REQUIRES: python-module, tflite
# RUN: %python %s
# UNEXPLORED: it checks extents, not numbers.
"""`bench` and `inspect` on TFLite models that do not know all their extents. The shapes of all
layers must follow from the shapes of the inputs. By default, these are the shapes that LiteRT
allocates."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import sys
import tempfile
from pathlib import Path
from unittest import mock

import numpy as np
from ai_edge_litert.interpreter import Interpreter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pool_mlir import _tflite_bench  # noqa: E402
from pool_mlir.__main__ import main as command  # noqa: E402
from pool_mlir._extents import read_tflite  # noqa: E402
from pooltest import tflite_models  # noqa: E402
from pooltest.report import Report, main  # noqa: E402


def make_model(unknown, allocated, kind="PAD", own=None):
    """Returns a model of a maximum, another operator and an average, each over half of the
    extents. `unknown` are dimensions, `allocated` is the shape that LiteRT allocates. `own` is
    the shape of the average's input in the file."""
    writer = tflite_models.Writer()
    x, p, q, y = (writer.tensor(name, shape, np.float32, unknown=unknown) for name, shape in (
        ("x", (1, 12, 20, 4)), ("p", (1, 6, 10, 4)), ("q", (1, 6, 10, 4)), ("y", (1, 3, 5, 4))))
    writer.graph.tensors[x].shape = list(allocated)
    if own:
        writer.graph.tensors[q].shape = list(own)
    writer.pool("MAX_POOL_2D", x, p, "VALID", (2, 2), (2, 2))
    # Pads of 0 keep the extents.
    pads = writer.tensor("pads", (4, 2), np.int32, data=np.zeros((4, 2), np.int32))
    writer.operator(kind, [p, pads], [q])
    writer.pool("AVERAGE_POOL_2D", q, y, "VALID", (2, 2), (2, 2))
    return writer.finish([x], [y])


# Unknown dimensions, allocated shape, options, and lines of `inspect` and of `bench`.
ALL, SPATIAL = (0, 1, 2), (1, 2)
CASES = (
    ((0,), (1, 12, 20, 4), [], ("1x12x20x4", "1x6x10x4")),
    ((0,), (1, 12, 20, 4), ["--batch", "3"], ("3x12x20x4", "3x6x10x4")),
    (ALL, (1, 1, 1, 4), [], "the input 'x' is 1x?x?x4: --unknown N gives the extents that "
     "the model does not know"),
    (ALL, (1, 1, 1, 4), ["--unknown", "16"], ("1x16x16x4", "1x8x8x4")),
    (ALL, (1, 1, 1, 4), ["--unknown", "16", "--batch", "3"], ("3x16x16x4", "3x8x8x4")),
    (SPATIAL, (1, 12, 20, 4), [], ("1x12x20x4", "1x6x10x4")),
    (SPATIAL, (1, 12, 20, 4), ["--batch", "3"], ("1x12x20x4", "1x6x10x4")),
    (ALL, (2, 12, 20, 4), ["--unknown", "16"], ("2x16x16x4", "2x8x8x4")),
)


def call(arguments):
    with contextlib.redirect_stderr(io.StringIO()) as errors, \
            contextlib.redirect_stdout(io.StringIO()) as output:
        code = command(list(map(str, arguments)))
    return code, output.getvalue(), errors.getvalue()


def check(report, path):
    for unknown, allocated, options, expected in CASES:
        path.write_bytes(make_model(unknown, allocated))
        code, output, errors = call(["bench", path, "--seconds", "0.01", *options])
        title = f"{unknown} {allocated} {options}"
        if isinstance(expected, str):
            report.expect(code == 1 and expected in errors, f"bench {title}", output + errors)
            continue
        lines = output.splitlines()
        report.expect(code == 0 and len(lines) == 4 and all(
            shape in line for shape, line in zip((*expected, expected[0]), lines[1:])),
            f"bench {title}", output + errors)
        code, output, errors = call(["inspect", path, *options])
        lines = output.splitlines()
        report.expect(code == 0 and all(
            f" {shape} " in line for shape, line in zip(expected, lines[1:]))
            and "guessed" not in output, f"inspect {title}", output + errors)
        report.count("models")


def check_unresolved(report, path):
    """LiteRT cannot run an operator of an unknown kind, so the second layer is guessed."""
    path.write_bytes(make_model(ALL, (1, 1, 1, 4), kind="CUSTOM"))
    _, output, errors = call(["inspect", path, "--unknown", "8"])
    lines = output.splitlines()
    report.expect(" 1x8x8x4 guessed " in lines[2] and lines[-1].startswith("guessed: "),
                  "a custom operator", output + errors)
    code, output, errors = call(["bench", path, "--unknown", "8", "--seconds", "0.01"])
    report.expect(code == 0 and output.count(" 1x8x8x4 ") == 2 and
                  "the whole graph is not timed" in output, "bench", output + errors)
    _, output, errors = call(["inspect", path])
    report.expect("not timed: 2, whose extents" in output, "no extents", output + errors)
    # What the file says of the layer itself is the default.
    path.write_bytes(make_model(SPATIAL, (1, 12, 20, 4), kind="CUSTOM", own=(1, 6, 10, 4)))
    code, output, errors = call(["bench", path, "--seconds", "0.01"])
    report.expect(code == 0 and " 1x6x10x4 " in output, "bench by the file", output + errors)


def make_computed():
    """Returns a model of a maximum behind a RESHAPE to a shape that LiteRT computes as it runs."""
    writer = tflite_models.Writer()
    x, y = (writer.tensor(name, shape, np.float32, unknown=(0,))
            for name, shape in (("x", (1, 12, 20, 4)), ("y", (1, 5, 4, 4))))
    z = writer.tensor("z", (1, 1, 1, 4), np.float32, unknown=(0, 1, 2))
    parts = [writer.tensor(f"s{i}", (4,), np.int32, data=np.array([1, 10, 8, 1 + 11 * i], np.int32))
             for i in range(2)]
    shape = writer.tensor("shape", (4,), np.int32)
    writer.operator("MAXIMUM", parts, [shape], "MaximumMinimumOptions")
    writer.operator("RESHAPE", [x, shape], [z], "ReshapeOptions")
    writer.pool("MAX_POOL_2D", z, y, "VALID", (2, 2), (2, 2))
    return writer.finish([x], [y])


def check_runs(report, path):
    """A model runs only if its shapes depend on numbers."""
    for content, runs, shape in ((make_model((0,), (1, 12, 20, 4)), 0, [1, 12, 20, 4]),
                                 (make_computed(), 1, [1, 10, 8, 12])):
        path.write_bytes(content)
        with mock.patch.object(Interpreter, "invoke", autospec=True,
                               side_effect=Interpreter.invoke) as invoke:
            model = read_tflite(path, None, None)
        report.expect(invoke.call_count == runs, f"the model runs {invoke.call_count} times", runs)
        tensor = model.pools()[0].inputs[0]
        report.expect(list(tensor.shape) == shape, f"{runs} runs", str(tensor.shape))
        report.count("models that run or not")


def check_only(report, path):
    """bench prepares only the layers that it times: the other one has unknown extents."""
    path.write_bytes(make_model(SPATIAL, (1, 12, 20, 4), kind="CUSTOM"))
    code, output, errors = call(["bench", path, "--seconds", "0.01"])
    report.expect(code == 1 and "the input 'q' is 1x?x?x4" in errors, "all layers", errors)
    code, output, errors = call(["bench", path, "--seconds", "0.01", "--only", "p"])
    report.expect(code == 0 and output.splitlines()[1].startswith("p ") and
                  " 1x12x20x4 " in output, "one layer", output + errors)


def check_constants(report, path):
    """bench reads the model once: timing a layer alone leaves the constants of the whole graph."""
    writer = tflite_models.Writer()
    x, p, y = (writer.tensor(name, shape, np.float32) for name, shape in (
        ("x", (1, 12, 20, 4)), ("p", (1, 6, 10, 4)), ("y", (1, 1, 1, 4))))
    axes = writer.tensor("axes", (2,), np.int32, data=np.array([1, 2], np.int32))
    writer.pool("MAX_POOL_2D", x, p, "VALID", (2, 2), (2, 2))
    writer.operator("MEAN", [p, axes], [y], "ReducerOptions", keepDims=True)
    path.write_bytes(writer.finish([x], [y]))
    with mock.patch.object(_tflite_bench, "read_tflite", side_effect=read_tflite) as read:
        code, output, errors = call(["bench", path, "--seconds", "0.01"])
    report.expect(code == 0 and [line.split()[0] for line in output.splitlines()[1:]] ==
                  ["p", "y", "whole"] and read.call_count == 1, "constants", output + errors)


def run():
    report = Report("tflite-extents")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "model.tflite"
        check(report, path)
        check_unresolved(report, path)
        check_runs(report, path)
        check_only(report, path)
        check_constants(report, path)
    return report.finish()


main(run)
