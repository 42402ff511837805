# REQUIRES: python-module, tflite
# RUN: %python %s
"""Random TFLite models of one pooling operator, imported by import_tflite as a whole graph and
as a layer, beside LiteRT's reference kernels.

Maxima and all integers must be equal. Averages of floats, ours and LiteRT's, lie within the
bound of docs/Internals/Conformance.md. The kernels that LiteRT chooses by itself, such as
XNNPACK's, must give the results of its reference kernels.
Infinities and NaN are vectors of the conformance kit (test/Conformance/paths.py, claims.py).
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import pool_mlir  # noqa: E402
from pooltest import compare, fast_oracle, tflite_models, tier  # noqa: E402
from pooltest.case import Case  # noqa: E402
from pooltest.errors import raises  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

DTYPES = (np.float32, np.int8, np.uint8, np.int16)
BOUNDS = {"NONE": (None, None), "RELU": (0, None), "RELU_N1_TO_1": (-1, 1), "RELU6": (0, 6)}
IGNORED = ("TANH", "SIGN_BIT")
# Unit roundoff of f32.
U = 2.0**-24


@dataclass
class Problem:
    """One pooling operator and its input."""

    kind: str
    dtype: type
    shape: tuple
    padding: str
    kernel: tuple
    strides: tuple
    activation: str
    quantization: tuple
    unknown: tuple

    def content(self):
        writer = tflite_models.Writer()
        extents = tflite_models.pooled(self.shape[1:3], self.padding, self.kernel, self.strides)
        x = writer.tensor("x", self.shape, self.dtype, self.quantization, self.unknown)
        y = writer.tensor("a/y", (self.shape[0], *extents, self.shape[3]), self.dtype,
                          self.quantization, self.unknown)
        writer.pool(self.kind, x, y, self.padding, self.kernel, self.strides, self.activation)
        return writer.finish([x], [y])

    def case(self):
        return Case("avg_pool", self.shape, self.kernel, strides=self.strides,
                    auto_pad="same_upper" if self.padding == "SAME" else "valid",
                    same_output="strided" if self.padding == "SAME" else "input",
                    layout="channels_last")


def draw(rng):
    dtype = DTYPES[rng.integers(len(DTYPES))]
    kinds = tflite_models.POOLING if dtype == np.float32 else tflite_models.POOLING[:2]
    kernel = tuple(int(n) for n in rng.integers(1, 6, 2))
    padding = ("SAME", "VALID")[rng.integers(2)]
    least = (1, 1) if padding == "SAME" else kernel
    extents = [int(rng.integers(n, n + 12)) for n in least]
    if rng.integers(8) == 0 and padding == "VALID":
        kernel = tuple(extents)
    shape = (int(rng.integers(1, 4)), *extents, int(rng.choice([1, 3, 8, 17, 64])))
    # Unknown are no extents, the batch, or batch, height and width.
    unknown = [(), (), (0,), (0, 1, 2)][rng.integers(4)]
    words = tflite_models.ACTIVATIONS if rng.integers(12) else IGNORED
    return Problem(kinds[rng.integers(len(kinds))], dtype, shape, padding, kernel,
                   tuple(int(n) for n in rng.integers(1, 5, 2)), str(rng.choice(words)),
                   tflite_models.random_quantization(rng, dtype), unknown)


def close(problem, x, got):
    """True where floats are as near to the exact result as their bound demands."""
    low, high = BOUNDS[problem.activation]
    case = problem.case()
    if problem.kind == "L2_POOL_2D":
        squares = fast_oracle.avg_pool(case, x.astype(np.float64) ** 2)
        exact = np.sqrt(squares.exact)
        # The root halves the relative error of the mean, to which each rounded square adds. The
        # root itself is rounded too.
        bound = exact * (squares.counted + 4) * U
    else:
        averages = fast_oracle.avg_pool(case, x)
        exact, bound = averages.exact, compare.average_bound(case, averages)
    return compare.within(got, np.clip(exact, low, high) if low is not None else exact, bound)


def check(report, problem, x, path):
    content = problem.content()
    path.write_bytes(content)
    what = f"{problem.kind} {np.dtype(problem.dtype).name}"
    if problem.activation in IGNORED:
        for layers in (False, True):
            try:
                pool_mlir.import_tflite(path, layers)
                message = ""
            except ValueError as error:
                message = str(error)
            report.expect(f"{problem.kind} 'a/y': fused_activation_function {problem.activation} "
                          "is not supported" in message, f"refused: {problem}", message)
        report.count(f"refused: {problem.activation}")
        return
    expected = tflite_models.run(content, [x])[0]
    exact = problem.kind == "MAX_POOL_2D" or problem.dtype != np.float32
    if not exact:
        report.expect(close(problem, x, expected).all(), f"LiteRT, {problem}")
    for how, layers, name in (("graph", False, "main"), ("layer", True, "a_y")):
        text = pool_mlir.import_tflite(path, layers)
        compiled = pool_mlir.compile(text)
        report.expect(compiled.entries == (name,), "name", text)
        if problem.quantization:
            report.expect(text.count("quant.type = !quant.uniform<") == 2, "quantisation", text)
        got = compiled(x)
        same = got.shape == expected.shape and got.dtype == expected.dtype and (
            np.array_equal(got, expected) if exact else close(problem, x, got).all())
        report.expect(same, f"{how}: {problem}", text, data=x, expected=expected, got=got)
    report.count(f"{what}, equal" if exact else f"{what}, within the bound")
    report.count(f"activation {problem.activation}")
    report.count(f"unknown extents: {len(problem.unknown)}")
    chosen = tflite_models.run(content, [x], reference=False)[0]
    if exact:
        report.expect(np.array_equal(chosen, expected), f"chosen kernels: {problem}")
    else:
        report.expect(close(problem, x, chosen).all(), f"chosen kernels: {problem}")
        if not np.array_equal(chosen, expected):
            report.difference("a mean of floats by the chosen kernel has other last bits than by "
                              "the reference kernel")


def check_global(report, path, rng):
    """Reductions over height and width are pooling layers, too. Other reductions are not."""
    cases = [(kind, dtype, keep, axes) for kind, dtypes in
             (("MEAN", DTYPES[:1]), ("REDUCE_MAX", DTYPES)) for dtype in dtypes
             for keep in (False, True) for axes in ([1, 2], [2, 1], [-3, -2], [3, 1])]
    for kind, dtype, keep, axes in tier.sample(cases, tier.size(None, 20, 5)):
        shape = (2, 5, 7, 9)
        kept = [n for d, n in enumerate(shape) if d not in np.array(axes) % 4]
        writer = tflite_models.Writer()
        quantization = tflite_models.random_quantization(rng, dtype)
        x = writer.tensor("x", shape, dtype, quantization, (0,))
        number = writer.tensor("axes", (2,), np.int32, data=np.array(axes, np.int32))
        y = writer.tensor("y", [1 if d in np.array(axes) % 4 else n for d, n in enumerate(shape)]
                          if keep else kept, dtype, quantization, (0,))
        writer.operator(kind, [x, number], [y], "ReducerOptions", keepDims=keep)
        content = writer.finish([x], [y])
        path.write_bytes(content)
        if axes == [3, 1]:
            raises(report, ValueError, "the model has no pooling operator",
                   lambda: pool_mlir.import_tflite(path, pool_layers=True))
            continue
        text = pool_mlir.import_tflite(path, pool_layers=True)
        array = tflite_models.random_array(rng, shape, dtype)
        got, expected = pool_mlir.compile(text)(array), tflite_models.run(content, [array])[0]
        same = got.shape == expected.shape and np.allclose(
            got, expected, rtol=0, atol=1e-5 if kind == "MEAN" else 0)
        report.expect(same, f"{kind} {np.dtype(dtype).name} {keep} {axes}", text, got=got,
                      expected=expected)
        report.count(f"{kind} {np.dtype(dtype).name} over height and width")


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=tier.size(400, 30, 16))
    options = parser.parse_args()
    report = Report("tflite-random")
    rng = np.random.default_rng(tier.seed(38))
    with tempfile.TemporaryDirectory() as directory:
        for number in range(options.models):
            problem = draw(rng)
            x = tflite_models.random_array(rng, problem.shape, problem.dtype)
            check(report, problem, x, Path(directory) / "model.tflite")
            report.progress(number, options.models)
        check_global(report, Path(directory) / "model.tflite", rng)
    report.count("models", options.models)
    return report.finish()


main(run)
