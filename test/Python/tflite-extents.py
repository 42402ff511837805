# REQUIRES: python-module, tflite
# RUN: %python %s
# UNEXPLORED: it checks extents, not numbers.
"""`bench` and `inspect` of TFLite models that do not know all their extents. The shapes of all
layers follow from those of the inputs, by default from what LiteRT allocates."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pool_mlir.__main__ import main as command  # noqa: E402
from pooltest import tflite_models  # noqa: E402
from pooltest.report import Report, main  # noqa: E402


def make_model(unknown, allocated, kind="ABS", own=None):
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
    writer.operator(kind, [p], [q])
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


def run():
    report = Report("tflite-extents")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "model.tflite"
        check(report, path)
        check_unresolved(report, path)
    return report.finish()


main(run)
