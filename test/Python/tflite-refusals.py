# REQUIRES: python-module, tflite
# RUN: %python %s
"""import_tflite must refuse models that it cannot import, with a message that says why. Mutated
models must raise ValueError or give the text of a module; none may crash."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import pool_mlir  # noqa: E402
from pool_mlir.__main__ import main as command  # noqa: E402
from pooltest import tflite_models, tier  # noqa: E402
from pooltest.errors import raises  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

Q = (0.5, 3)


def model(change=lambda writer: None, kind="MAX_POOL_2D", dtype=np.float32, source=(1, 8, 8, 4),
          target=(1, 4, 4, 4), quantization=None, after=None, kernel=(2, 2), fused="NONE"):
    """Returns a model of one pooling operator, in which the arguments may set wrong values."""
    writer = tflite_models.Writer()
    x = writer.tensor("x", source, dtype, quantization)
    y = writer.tensor("y", target, dtype, after or quantization)
    writer.pool(kind, x, y, "SAME", kernel, (2, 2), fused)
    change(writer)
    return writer.finish([x], [y])


def graph(kind, dtype=np.float32, options="", quantization=None, **fields):
    """A model of an operator on a pooling's result."""
    writer = tflite_models.Writer()
    x, p, y = (writer.tensor(name, (1, 4, 4, 2), dtype, quantization) for name in "xpy")
    writer.pool("MAX_POOL_2D", x, p, "SAME", (2, 2), (1, 1))
    writer.operator(kind, [p], [y], options, **fields)
    return writer.finish([x], [y])


def padded(dtype=np.float32, quantization=None):
    """A model of a PAD of a pooling's result, with pads of 0."""
    writer = tflite_models.Writer()
    x, p, y = (writer.tensor(name, (1, 4, 4, 2), dtype, quantization) for name in "xpy")
    pads = writer.tensor("pads", (4, 2), np.int32, data=np.zeros((4, 2), np.int32))
    writer.pool("MAX_POOL_2D", x, p, "SAME", (2, 2), (1, 1))
    writer.operator("PAD", [p, pads], [y])
    return writer.finish([x], [y])


def without_pooling(kind, dtype=np.float32):
    writer = tflite_models.Writer()
    x, y = (writer.tensor(name, (1, 4, 4, 2), dtype) for name in "xy")
    writer.operator(kind, [x], [y], "")
    return writer.finish([x], [y])


def reduction(kind, outputs=(2,), dtype=np.float32, quantization=None, result=None, axes=(1, 2)):
    """A model of a reduction, over height and width by default."""
    writer = tflite_models.Writer()
    x = writer.tensor("x", (1, 4, 4, 2), dtype, quantization)
    axes = writer.tensor("axes", (2,), np.int32, data=np.array(axes, np.int32))
    writer.tensor("y", (1, 2), result or dtype, quantization)
    writer.operator(kind, [x, axes], outputs, "ReducerOptions")
    return writer.finish([x], [2])


def ends(inputs=(0,), outputs=(1,), subgraphs=None):
    """Returns a model of a maximum of a constant. `inputs` and `outputs` are the numbers of the
    graph's inputs and outputs. None leaves a list out."""
    writer = tflite_models.Writer()
    x = writer.tensor("x", (1, 2, 2, 1), np.float32, data=np.ones((1, 2, 2, 1), np.float32))
    y = writer.tensor("y", (1, 2, 2, 1), np.float32)
    writer.pool("MAX_POOL_2D", x, y, "SAME", (2, 2), (1, 1))
    writer.graph.inputs, writer.graph.outputs = inputs, outputs
    writer.model.subgraphs = writer.model.subgraphs if subgraphs is None else subgraphs
    return writer.pack()


def setter(path, value):
    """Sets the field `path` of a writer, like 'graph.operators.0.inputs'."""
    def change(writer):
        *places, last = path.split(".")
        for place in places:
            writer = writer[int(place)] if place.isdigit() else getattr(writer, place)
        setattr(writer, last, value)
    return change


OPTIONS = "graph.operators.0.builtinOptions."
TYPE = tflite_models.TYPES
LAYERS = [
    (model(setter(OPTIONS + "padding", 7)), "MAX_POOL_2D 'y': padding is 7, neither SAME nor VALID"),
    (model(setter(OPTIONS + "fusedActivationFunction", 4)),
     "fused_activation_function TANH is not supported, and LiteRT's pooling ignores it; supported "
     "are NONE, RELU, RELU_N1_TO_1, RELU6"),
    (model(setter(OPTIONS + "fusedActivationFunction", 77)), "fused_activation_function 77 is not"),
    (model(setter("graph.operators.0.builtinOptions", None)), "it has no Pool2DOptions"),
    (model(setter("graph.operators.0.inputs", [])), "0 inputs and 1 outputs, not one of each"),
    (model(setter("graph.operators.0.inputs", [9])), "not a TFLite model: IndexError"),
    (model(dtype=np.float64), "elements of type FLOAT64 to FLOAT64 are not supported; both must be "
     "the same of FLOAT32, INT8, UINT8, INT16"),
    (model(setter("graph.tensors.0.type", TYPE[np.dtype(np.int8)])), "elements of type INT8 to "
     "FLOAT32 are not supported"),
    (model(kind="L2_POOL_2D", dtype=np.int8, quantization=Q),
     "L2_POOL_2D 'y': elements of type INT8 to INT8 are not supported; both must be the same of "
     "FLOAT32"),
    (model(source=(1, 8, 8)), "tensor 'x' has 3 dimensions, not the four of NHWC"),
    (model(target=(1, 4)), "tensor 'y' has 2 dimensions, not the four of NHWC"),
    (model(source=(1, -8, 8, 4)), "tensor 'x' has the shape [1, -8, 8, 4]"),
    (model(dtype=np.int8, quantization=Q, after=(0.25, 3)),
     "its input has the scale and zero point 0.5 and 3, its output 0.25 and 3; they must be equal"),
    (model(dtype=np.uint8, fused="RELU"), "fused_activation_function RELU needs a scale, which its "
     "tensors do not have"),
    (model(dtype=np.int8, quantization=(0.0, 0)), "tensor 'x' has the scale 0.0, which is not a "
     "positive number"),
    (model(dtype=np.int8, quantization=(0.5, 128)), "tensor 'x' has the zero point 128, which is "
     "none of its stored values, [-128, 127]"),
    (model(setter("graph.tensors.0.quantization.scale", [1, 2]), dtype=np.int8, quantization=Q),
     "tensor 'x' has 2 scales and 1 zero points; one of each is supported"),
    (model(target=(1, 4, 5, 4)), '"y": error: \'pool.max_pool\' op'),
    (model(kernel=(0, 2)), '"y": error: \'pool.max_pool\' op (Window.C3)'),
    (reduction("MEAN", []), "model.tflite: the model has no pooling operator"),
    (reduction("REDUCE_MAX", [-1]), "model.tflite: the model has no pooling operator"),
    (reduction("REDUCE_MAX", dtype=np.int8, quantization=Q, result=np.uint8),
     "REDUCE_MAX 'y': elements of type INT8 to UINT8 are not supported; both must be the same of"),
    (reduction("MEAN", result=np.int8), "MEAN 'y': elements of type FLOAT32 to INT8 are not "
     "supported; both must be the same of FLOAT32"),
    (ends(subgraphs=[]), "not a TFLite model: ValueError('it has no graph')"),
    (ends(outputs=[7]), "not a TFLite model: IndexError"),
    (b"no model at all", "not a TFLite model: bytes 4 to 7 are not TFL3"),
    (model()[:70], "not a TFLite model: "),
]
GRAPHS = [
    (graph("SOFTMAX"), "SOFTMAX 'y': the operator is not supported in a whole graph; "
     "pool_layers=True takes the pooling out of any model"),
    (without_pooling("SOFTMAX"), "SOFTMAX 'y': the operator is not supported in a whole graph, and "
     "the model has no pooling operator"),
    (graph("RELU"), "RELU 'y': the operator is not supported in a whole graph; "
     "pool_layers=True takes the pooling out of any model"),
    (graph("SQUEEZE", np.int32), "MAX_POOL_2D 'p': elements of type INT32 to INT32 are not "
     "supported"),
    (without_pooling("DEQUANTIZE", np.int32), "DEQUANTIZE 'y': elements of type INT32 are not "
     "supported; supported are FLOAT32, INT8, UINT8, INT16, and the model has no pooling operator"),
    (reduction("MEAN", axes=(1, 3)), "MEAN 'y': its axes are not height and width, and the model "
     "has no pooling operator"),
    (ends(subgraphs=[]), "not a TFLite model: ValueError('it has no graph')"),
    (ends(outputs=None), "model.tflite: the first graph has no outputs"),
    (ends(outputs=[]), "model.tflite: the first graph has no outputs"),
    (graph("QUANTIZE"), "QUANTIZE 'y': its output needs a scale and one of the types INT8, UINT8, "
                        "INT16"),
    (graph("DEQUANTIZE", np.int8, quantization=Q),
     "tosa-converter-for-tflite does not convert this model"),
]


def check_bounds(report, path):
    """The bounds of an activation may lie beyond the type, and beyond 32 bits."""
    x = np.arange(-128, 128, dtype=np.int8).reshape(1, 8, 8, 4)
    for scale in (2e-38, 0.01, 4.0, 3e38):
        path.write_bytes(model(dtype=np.int8, quantization=(scale, -5), fused="RELU6"))
        got = pool_mlir.compile(pool_mlir.import_tflite(path, pool_layers=True))(x)
        high = min(127, -5 + round(min(6 / scale, 1e6)))
        maxima = x.reshape(1, 4, 2, 4, 2, 4).max(axis=(2, 4))
        report.expect(np.array_equal(got, maxima.clip(-5, high)), f"scale {scale}", got=got)
        report.count("bounds")


def check_absent_inputs(report, path):
    """LiteRT takes an absent list of inputs as an empty one."""
    for inputs in (None, []):
        path.write_bytes(ends(inputs))
        got = pool_mlir.compile(pool_mlir.import_tflite(path))()
        report.expect(np.array_equal(got, np.ones((1, 2, 2, 1))), f"inputs {inputs}", got)
        report.count("absent inputs")


def check_command(report, path):
    """The command's message advises the command's option, not the argument of Python."""
    path.write_bytes(GRAPHS[0][0])
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        code = command(["run", str(path)])
    report.expect(code == 1 and "--pool-layers takes the pooling out" in errors.getvalue(),
                  "command", errors.getvalue())
    x = path.with_suffix(".npy")
    np.save(x, np.ones((1, 4, 4, 2), np.float32))
    path.write_bytes(padded())
    for arguments, words in ((["inspect"], "p      max_pool   kernel [2, 2] auto_pad same_upper"),
                             (["run", str(x)], "result 0: float32 (1, 4, 4, 2)"),
                             (["bench", "--seconds", "0.01"], "whole graph  float32  1x4x4x2")):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            code = command([arguments[0], str(path), *arguments[1:]])
        report.expect(code == 0 and words in output.getvalue(), str(arguments), output.getvalue())
    path.write_bytes(GRAPHS[0][0])
    with contextlib.redirect_stdout(io.StringIO()) as output:
        command(["bench", str(path), "--only", "none", "--seconds", "0.01"])
    report.expect("the whole graph is not timed: SOFTMAX 'y'" in output.getvalue(), "bench",
                  output.getvalue())


def mutated(rng, data):
    """The model with one to four bytes changed."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        data[int(rng.integers(len(data)))] = int(rng.choice([0, 1, 2, 127, 255, rng.integers(256)]))
    return bytes(data)


def check_mutated(report, path, rng):
    good = [model(), model(kind="AVERAGE_POOL_2D", dtype=np.uint8, quantization=Q, fused="RELU6"),
            padded(), padded(np.int8, Q)]
    for number in range(tier.size(2000, 200, 60)):
        data = mutated(rng, good[number % len(good)])
        path.write_bytes(data)
        # Import few whole graphs: the converter needs a process for each, which takes longest.
        layers = number % 20 > 0
        try:
            text = pool_mlir.import_tflite(path, layers)
        except ValueError:
            report.count("mutated models refused")
            continue
        except Exception as error:  # pylint: disable=broad-except
            report.mismatch(f"mutated: {type(error).__name__}: {error}", data=data)
            continue
        report.count("mutated models imported")
        report.expect(text.startswith(("module", "#")), "mutated", text)


def run():
    report = Report("tflite-refusals")
    rng = np.random.default_rng(tier.seed(40))
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "model.tflite"
        for cases, layers in ((LAYERS, True), (GRAPHS, False)):
            for content, words in cases:
                path.write_bytes(content)
                raises(report, ValueError, words,
                       lambda layers=layers: pool_mlir.import_tflite(path, layers))
        raises(report, FileNotFoundError, "absent.tflite",
               lambda: pool_mlir.import_tflite(Path(directory) / "absent.tflite"))
        check_bounds(report, path)
        check_absent_inputs(report, path)
        check_command(report, path)
        check_mutated(report, path, rng)
    return report.finish()


main(run)
