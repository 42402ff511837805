# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""BNNS's bias and activation after pooling must give NumPy's results, as separate loops and
fused.

The cases are averages with every activation, layout and float type, with and without bias. Each
runs as built. Cases with a single elementwise operation also run tiled, with the pooling fused
into the activation's loops. Further cases scale and bias integer data. The oracle gives the
pooled values.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import tempfile
from pathlib import Path

import numpy as np

from pooltest import compare, oracle, tier
from pooltest.case import Case
from pooltest.report import Report, main
from pooltest.tools import Batch, run as run_tool, tool

# Name -> (alpha, beta, function of a float64 array and its channel axis).
ACTIVATIONS = {
    "identity": (0, 0, lambda x, c: x),
    "rectified_linear": (0, 0, lambda x, c: np.maximum(x, 0)),
    "leaky": (0.125, 0, lambda x, c: np.where(x < 0, 0.125 * x, x)),
    "sigmoid": (0, 0, lambda x, c: 1 / (1 + np.exp(-x))),
    "tanh": (0, 0, lambda x, c: np.tanh(x)),
    "scaled_tanh": (1.5, 0.5, lambda x, c: 1.5 * np.tanh(0.5 * x)),
    "abs": (0, 0, lambda x, c: np.abs(x)),
    "linear": (-2.5, 0, lambda x, c: -2.5 * x),
    "clamp": (-1.5, 2.5, lambda x, c: np.clip(x, -1.5, 2.5)),
    "softplus": (0, 0, lambda x, c: np.logaddexp(0, x)),
    "softmax": (0, 0, lambda x, c: softmax(x, c)),
    "gelu": (0, 0, lambda x, c: x / 2 * (1 + np.tanh(
        math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))),
    "silu": (0, 0, lambda x, c: x / (1 + np.exp(-x))),
    "hard_sigmoid": (0.25, 0.5, lambda x, c: np.clip(0.25 * x + 0.5, 0, 1)),
}
# Element type -> (unit in the last place of 1 in the type that is computed in, and in the type
# that is stored)
UNITS = {"f16": (2.0**-23, 2.0**-10), "bf16": (2.0**-23, 2.0**-7),
         "f32": (2.0**-23, 2.0**-23), "f64": (2.0**-52, 2.0**-52)}
# Error that an activation may have, in units of its result or of 1, whichever is larger.
ALLOWED_UNITS = 4
SCRIPT = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %ops : !transform.any_op {
    ^bb0(%func: !transform.any_op):
      %maps = transform.structured.match ops{["linalg.generic"]} in %func : (!transform.any_op) -> !transform.any_op
      %tiled, %loops:2 = transform.structured.fuse %maps tile_sizes [1, 2] {apply_cleanup}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
"""


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


class Job:
    def __init__(self, name, rng, element_type, layout, with_bias):
        self.name = name
        channels_last = layout == "channels_last"
        shape = (2, 9, 7, 3) if channels_last else (2, 3, 9, 7)
        self.case = Case("avg_pool", shape, (3, 2), element_type, strides=(2, 1),
                         pads_begin=(1, 0), pads_end=(0, 1), layout=layout)
        self.x = (8 * rng.standard_normal(shape)).astype(self.case.dtype)
        self.bias = rng.integers(-8, 9, 3) / 4 if with_bias else None
        averages = oracle.run(self.case, self.x)
        # Storing rounds the pooled value before the activation reads it.
        pooled = averages.exact.astype(np.float64).astype(self.case.dtype).astype(np.float64)
        off = np.zeros(pooled.shape)
        if element_type in ("f32", "f64"):
            off = compare.average_bound(self.case, averages).astype(np.float64)
        channel = self.case.channel_dim
        if with_bias:
            broadcast = [1] * 4
            broadcast[channel] = 3
            pooled = pooled + self.bias.reshape(broadcast)
        function = ACTIVATIONS[name][2]
        self.expected = function(pooled, channel)
        self.tolerance = self.allowed(pooled, off, channel)

    def allowed(self, pooled, off, channel):
        """Allows a few units for the activation itself, half a unit for storing, and the
        effect of a pooled value that is wrong by `off`."""
        computed, stored = UNITS[self.case.element_type]
        function, size = ACTIVATIONS[self.name][2], np.abs(self.expected)
        passed_on = np.maximum(np.abs(function(pooled + off, channel) - self.expected),
                               np.abs(function(pooled - off, channel) - self.expected))
        if self.name == "softmax":
            # The result of a softmax also depends on the errors of the other channels. The
            # slopes of a softmax are at most 1.
            passed_on = np.broadcast_to(off.sum(axis=channel, keepdims=True), off.shape)
        allowed = ALLOWED_UNITS * computed * np.maximum(size, 1) + passed_on
        return allowed + (stored / 2 * size if stored != computed else 0)

    def text(self, function):
        alpha, beta, _ = ACTIVATIONS[self.name]
        attributes = (f'test.activation = "{self.name}", test.alpha = {float(alpha)}, '
                      f"test.beta = {float(beta)}")
        if self.bias is not None:
            values = ", ".join(map(str, self.bias))
            attributes += f", test.bias = dense<[{values}]> : tensor<3x{self.case.element_type}>"
        text = self.case.function(function, self.expected.shape, pretty=True)
        return text.replace(" : tensor", f" {{{attributes}}} : tensor", 1)


def build(text, *options):
    process = run_tool([tool("pool-test-opt"), "--test-pool-activation", *options], stdin=text)
    return process.stdout, process


def check(jobs, text, directory, name, report):
    batch = Batch(directory, name)
    batch.texts.append(text)
    for number, job in enumerate(jobs):
        batch.add(f"f{number}", "", [job.x], [job.case.dtype])
    outputs, process = batch.run()
    report.expect(process.returncode == 0, f"pool-run of the {name} module",
                  stderr=process.stderr[:2000])
    for job, arrays in zip(jobs, outputs):
        good = arrays is not None and bool(
            (np.abs(arrays[0].astype(np.float64) - job.expected) <= job.tolerance).all())
        report.expect(good, f"{name}: {job.name} {job.case.element_type} {job.case.layout}",
                      job.text("f"), data=job.x.tolist(), expected=job.expected, actual=arrays)
        report.count(f"{name}: {job.name}")


def check_data_scale(directory, report):
    rng = np.random.default_rng(5)
    for element_type, dtype in (("i8", np.int8), ("ui8", np.uint8), ("i16", np.int16)):
        x = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, (1, 2, 8)).astype(dtype)
        text, process = build(f"""
func.func @f(%x: tensor<1x2x8x{element_type}>) -> tensor<1x2x7xf32> {{
  %f = builtin.unrealized_conversion_cast %x : tensor<1x2x8x{element_type}> to tensor<1x2x8xf32>
  %v = pool.max_pool %f kernel [2]
    {{test.activation = "identity", test.scale = array<f64: 0.25, -3.0>}}
    : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  return %v : tensor<1x2x7xf32>
}}""")
        report.expect(process.returncode == 0, "pool-test-opt", stderr=process.stderr)
        batch = Batch(directory, f"scale_{element_type}")
        batch.add("f", text, [x], [np.dtype(np.float32)])
        outputs, process = batch.run()
        scaled = x.astype(np.float32) * np.float32(0.25) - np.float32(3)
        expected = np.maximum(scaled[..., :-1], scaled[..., 1:])
        report.expect(outputs[0] is not None and np.array_equal(outputs[0][0], expected),
                      f"scale of {element_type}", text, stderr=process.stderr,
                      expected=expected, actual=outputs[0])
        report.count(f"scale of {element_type}")


def run():
    rng = np.random.default_rng(tier.seed(29))
    report = Report("bias and activation")
    jobs = [Job(name, rng, element_type, layout, with_bias)
            for name in ACTIVATIONS for element_type in UNITS
            for layout in ("channels_first", "channels_last") for with_bias in (False, True)]
    jobs = tier.sample(jobs, tier.size(None, 112, 12))
    with tempfile.TemporaryDirectory() as directory:
        text, process = build("\n".join(job.text(f"f{n}") for n, job in enumerate(jobs)))
        report.expect(process.returncode == 0, "pool-test-opt", stderr=process.stderr[:2000])
        check(jobs, text, directory, "built", report)

        # Pooling is fused into a single elementwise op. A softmax is several ops, and an
        # identity without bias is none.
        fused = [job for job in jobs if job.name != "softmax"
                 and (job.name != "identity" or job.bias is not None)]
        script = Path(directory) / "script.mlir"
        script.write_text(SCRIPT)
        text, process = build(
            "\n".join(job.text(f"f{n}") for n, job in enumerate(fused)),
            f"--transform-preload-library=transform-library-paths={script}",
            "--transform-interpreter", "--canonicalize")
        report.expect(process.returncode == 0 and "pool.avg_pool" not in text,
                      "fusion", stderr=process.stderr[:2000])
        check(fused, text, directory, "fused", report)
        check_data_scale(directory, report)
    return report.finish()


if __name__ == "__main__":
    main(run)
