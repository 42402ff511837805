# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Random quantised models that import_onnx imports must compute ONNX Runtime's results: pooling
between DequantizeLinear and QuantizeLinear, and pooling of ONNX Runtime's own domain.

Maxima are equal. Averages and norms differ by at most one step of the output's scale. Their sums
are of f32, in another order, and a quotient close to a half may round either way.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import, onnx_models, tier  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

DOMAIN = "com.microsoft"
CONTRIB = ("QLinearAveragePool", "QLinearGlobalAveragePool", "NhwcMaxPool")
OPERATORS = (*CONTRIB, "MaxPool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool", "LpPool",
             "GlobalLpPool")
TYPES = {"int8": TensorProto.INT8, "uint8": TensorProto.UINT8, "int16": TensorProto.INT16,
         "uint16": TensorProto.UINT16}


class Problem:
    """A random model with its input. Some problems have unknown extents in `proto`."""

    def __init__(self, rng, op, schemas):
        self.op = op
        self.opset = int(rng.integers(10, onnx_models.NEWEST + 1))
        self.type = ("int8", "uint8", "int16", "uint16")[
            rng.integers(4 if self.opset >= 21 and op not in CONTRIB else 2)]
        n = int(rng.integers(1, 4))
        formal = schemas.get(op) or onnx_models.schema(op, self.opset)
        self.attributes = {} if "Global" in op else onnx_models.window_attributes(rng, formal, n)
        if "channels_last" in formal.attributes:
            self.attributes["channels_last"] = int(rng.integers(2))
        if "p" in formal.attributes:
            self.attributes["p"] = int(rng.integers(1, 4))
        shape = [int(rng.integers(1, 3)), int(rng.integers(1, 4)),
                 *(int(e) for e in rng.integers(1, (16, 11, 7)[n - 1], n))]
        if op == "NhwcMaxPool" or self.attributes.get("channels_last"):
            shape.append(shape.pop(1))
        info = np.iinfo(self.type)
        low, high = info.min, info.max
        if rng.random() < 0.3:
            # Use few different values, so that there are ties and quotients close to a half.
            low = int(rng.integers(info.min, info.max - 4))
            high = low + 4
        self.x = rng.integers(low, high + 1, shape).astype(self.type)
        self.scales = [np.float32(2.0 ** rng.integers(-8, 2) if rng.random() < 0.3
                                  else rng.uniform(0.001, 2))] * 2
        self.zero_points = [int(rng.integers(info.min, info.max + 1))] * 2
        if rng.random() < 0.5:
            self.scales[1] = np.float32(self.scales[0] * rng.uniform(0.3, 3))
            self.zero_points[1] = int(rng.integers(info.min, info.max + 1))
        unknown = rng.random() < 0.3
        self.dims = [f"d{d}" if unknown and rng.random() < 0.5 else e for d, e in enumerate(shape)]

    def proto(self, known=False):
        node = helper.make_node
        if self.op == "NhwcMaxPool":
            nodes = [node(self.op, ["x"], ["y"], "pool", domain=DOMAIN, **self.attributes)]
        elif self.op in CONTRIB:
            nodes = [node(self.op, ["x", "s0", "z0", "s1", "z1"], ["y"], "pool", domain=DOMAIN,
                          **self.attributes)]
        else:
            nodes = [node("DequantizeLinear", ["x", "s0", "z0"], ["a"], "from"),
                     node(self.op, ["a"], ["b"], "pool", **self.attributes),
                     node("QuantizeLinear", ["b", "s1", "z1"], ["y"], "to")]
        initializers = [numpy_helper.from_array(np.array(value, dtype), f"{letter}{i}")
                        for letter, values, dtype in (("s", self.scales, np.float32),
                                                      ("z", self.zero_points, self.type))
                        for i, value in enumerate(values)]
        element = TYPES[self.type]
        graph = helper.make_graph(
            nodes, "random", [helper.make_tensor_value_info(
                "x", element, self.x.shape if known else self.dims)],
            [helper.make_tensor_value_info("y", element, None)], initializers)
        return helper.make_model(graph, ir_version=10, opset_imports=[
            helper.make_opsetid("", self.opset), helper.make_opsetid(DOMAIN, 1)])

    @property
    def is_maximum(self):
        return "Max" in self.op

    def is_judged(self):
        """False if ONNX Runtime is known to have other pads (docs/Guides/ImportONNX.md)."""
        a = self.attributes
        return not a.get("auto_pad", "").startswith("SAME") or not (
            any(d > 1 for d in a.get("dilations", []))
            or any(s > k for s, k in zip(a.get("strides", []), a["kernel_shape"])))

    def __str__(self):
        return (f"{self.op}-{self.opset} {self.type} {self.x.shape} {self.attributes} scales "
                f"{self.scales} zero points {self.zero_points} dims {self.dims}")


def runtime(proto, x, level=onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL):
    """Returns ONNX Runtime's result, or None if it refuses."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = level
    try:
        session = onnxruntime.InferenceSession(proto.SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        return session.run(None, {"x": x})[0]
    except Exception:  # pylint: disable=broad-except
        return None


def steps(a, b):
    """Returns the largest difference of two arrays of integers. Floats have to be equal: otherwise
    the result is infinity, as for other shapes or types."""
    if a is None or a.shape != b.shape or a.dtype != b.dtype:
        return float("inf")
    if a.dtype.kind == "f":
        return 0 if np.array_equal(a, b) else float("inf")
    return int(np.abs(a.astype(np.int64) - b.astype(np.int64)).max(initial=0))


def without_names(text):
    """Returns a module without locations and the name of its function."""
    return re.sub(r" loc\(.*?\)", "", text.replace("@pool(", "@main("))


class Suite:
    def __init__(self, report):
        self.report = report
        self.import_onnx = onnx_import.importer().import_onnx
        self.runs = onnx_import.Runs()
        self.expected = []

    def add(self, what, proto, x, expected, allowed):
        text = self.import_onnx(proto)
        self.runs.add(text, [x], [expected.dtype])
        self.expected.append((what, text, x, expected, allowed))
        return text

    def add_random(self, rng, op, schemas):
        """Adds a problem that ONNX Runtime and the importer accept. Returns False if one of them
        refuses the problem, or if ONNX Runtime may have other pads."""
        problem = Problem(rng, op, schemas)
        proto = problem.proto()
        try:
            # For a window that does not fit, ONNX Runtime divides by 0 and ends the process.
            # The importer sees such a window only if the extents are known, so ask it first.
            self.import_onnx(problem.proto(known=True))
        except ValueError:
            return False
        plain = runtime(proto, problem.x, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
        if plain is None or not problem.is_judged():
            return False
        text = self.add(problem, proto, problem.x, plain, 0 if problem.is_maximum else 1)
        layer = without_names(self.import_onnx(proto, pool_layers=True))
        self.report.expect(layer == without_names(text), f"pool_layers: {problem}", text,
                           layer=layer)
        self.report.count(f"operator {op}")
        self.report.count(f"element type {problem.type}")
        fused = runtime(proto, problem.x)
        if fused is None and "dilations" in problem.attributes and op == "AveragePool":
            self.report.difference("ONNX Runtime refuses its fusion of an AveragePool that has "
                                   "dilations with its quantisation")
        elif steps(fused, plain) > (0 if problem.is_maximum else 1):
            a = problem.attributes
            self.report.expect(
                op == "AveragePool" and a.get("ceil_mode") and a.get("count_include_pad"),
                f"ONNX Runtime's fusion: {problem}", plain=plain, fused=fused)
            self.report.difference("ONNX Runtime's fusion of an AveragePool with its quantisation "
                                   "divides by the kernel, beyond the padding too")
        if problem.is_maximum and "linalg" not in text:
            self.report.count("a maximum of the stored integers")
        return True

    def run(self):
        for path in onnx_import.PATHS:
            results, process = self.runs.run(path, *(["-O0"] if path == "linalg" else []))
            self.report.expect(process.returncode == 0, f"pool-run fails on path {path}",
                               stderr=process.stderr[:2000])
            for (what, text, x, expected, allowed), got in zip(self.expected, results):
                good = got is not None and steps(got[0], expected) <= allowed
                if not self.report.expect(good, f"on path {path}: {what}", text, x=x,
                                          expected=expected, got=got):
                    continue
                if allowed:
                    self.report.count(f"path {path}: elements of averages", expected.size)
                    self.report.count(f"path {path}: elements that differ by one step",
                                      int((got[0] != expected).sum()))
                else:
                    self.report.count(f"equal on path {path}")


def graph(nodes, x, last, initializers, opset=21):
    constants = [numpy_helper.from_array(np.array(value), name)
                 for name, value in initializers.items()]
    element = {**{np.dtype(w): t for w, t in TYPES.items()}, **{
        d: t for t, d in onnx_models.DTYPES.items()}, np.dtype(np.int32): TensorProto.INT32}
    outputs = [helper.make_tensor_value_info(name, element[np.dtype(dtype)], None)
               for name, dtype in last.items()]
    inputs = [helper.make_tensor_value_info("x", element[x.dtype], x.shape)]
    return helper.make_model(helper.make_graph(nodes, "graph", inputs, outputs, constants),
                             ir_version=10, opset_imports=[helper.make_opsetid("", opset)])


def add_graphs(suite, rng):
    """Adds graphs with other nodes between the quantised ones, other types of numbers, and
    windows of padding alone. The onnx package's reference implementation judges most graphs, and
    NumPy the others."""
    node = helper.make_node
    x = rng.integers(-128, 128, (1, 2, 7, 6)).astype(np.int8)
    into = node("DequantizeLinear", ["x", "s", "z"], ["a"])
    out = node("QuantizeLinear", ["b", "s", "z"], ["y"])
    pool = {"kernel_shape": [2, 3]}
    exact = {"s": np.float32(0.3), "z": np.int8(-7)}

    def judged(what, nodes, constants, stays, last=None, data=x, allowed=0, opset=21):
        proto = graph(nodes, data, last or {"y": np.int8}, constants, opset)
        expected = ReferenceEvaluator(proto).run(None, {"x": data})[0]
        text = suite.add(what, proto, data, expected, allowed)
        suite.report.expect(("linalg" not in text) == stays, f"conversions of {what}", text)
        suite.report.count("graphs judged by onnx.reference")

    first = node("MaxPool", ["a"], ["c"], **pool)
    judged("two maxima", [into, first, node("GlobalMaxPool", ["c"], ["b"]), out], exact, True)
    judged("a maximum behind Identity",
           [into, node("Identity", ["a"], ["c"]), node("MaxPool", ["c"], ["b"], **pool), out],
           exact, True)
    judged("a maximum before an average",
           [into, first, node("AveragePool", ["c"], ["b"], kernel_shape=[2, 2]), out], exact,
           False, allowed=1)
    judged("numbers as the result", [into, first], exact, False, {"c": np.float32})
    judged("no zero point", [node("DequantizeLinear", ["x", "s"], ["a"]),
                             node("MaxPool", ["a"], ["b"], **pool),
                             node("QuantizeLinear", ["b", "s"], ["y"])],
           {"s": np.float32(0.25)}, True, {"y": np.uint8}, x.astype(np.uint8))
    judged("output_dtype", [into, node("MaxPool", ["a"], ["b"], **pool), node(
        "QuantizeLinear", ["b", "s"], ["y"], output_dtype=TensorProto.INT16)], exact, False,
           {"y": np.int16})
    judged("the newest opset", [into, node("MaxPool", ["a"], ["b"], **pool), out], exact, True,
           opset=25)
    judged("int32", [node("DequantizeLinear", ["x", "s"], ["a"]),
                     node("MaxPool", ["a"], ["b"], **pool), out],
           exact, False, data=x.astype(np.int32) * 50)
    # Windows of the first row contain only padding and give -infinity, which no stored integer
    # stands for. The onnx package gives 0 for them, so NumPy computes the expected result here.
    dilated = node("MaxPool", ["a"], ["c"], kernel_shape=[2, 2], dilations=[8, 1],
                   pads=[1, 0, 4, 0])
    numbers = (x.astype(np.int32) + 7).astype(np.float32) * exact["s"]
    rows = np.maximum(numbers[..., :3, 1:], numbers[..., :3, :-1])
    suite.add("padding alone", graph([into, dilated], x, {"c": np.float32}, exact), x,
              np.concatenate([np.full_like(rows[..., :1, :], -np.inf), rows], axis=2), 0)
    for dtype in (np.float16, ml_dtypes.bfloat16):
        # ONNX Runtime divides in f32 by a scale of 16 bits, and so does the importer. The onnx
        # package rounds the quotient to 16 bits, so it is no judge.
        scale, zero = dtype(0.3), np.int8(100)
        numbers = ((x.astype(np.float32) - zero) * np.float32(scale)).astype(dtype)
        maxima = np.lib.stride_tricks.sliding_window_view(
            numbers.astype(np.float32), (2, 3), (2, 3)).max((-2, -1))
        text = suite.add(
            f"scale {dtype.__name__}",
            graph([into, node("MaxPool", ["a"], ["b"], **pool), out], x, {"y": np.int8},
                  {"s": scale, "z": zero}, 22), x,
            np.clip(np.rint(maxima / np.float32(scale)) + zero, -128, 127).astype(np.int8), 0)
        # The importer takes the maximum of stored integers only if the numbers are f32. Numbers
        # of 16 bits may be equal for different integers.
        suite.report.expect("linalg" in text, f"scale {dtype.__name__}", text)


def check_layers(suite):
    """Imports a pooling layer of a model that quantises its input. The layer takes the
    integers, unless its result has another use or a scale is unknown."""
    node = helper.make_node
    nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]),
             node("DequantizeLinear", ["q", "s", "z"], ["a"]),
             node("MaxPool", ["a"], ["b"], "pool", kernel_shape=[2, 2]),
             node("QuantizeLinear", ["b", "s", "z"], ["y"])]
    x, constants = np.zeros((1, 2, 4, 4), np.float32), {"s": np.float32(0.5), "z": np.int8(3)}
    integers, floats = "max_pool %q kernel [2, 2] : tensor<1x2x4x4xi8>", "tensor<1x2x4x4xf32>"
    unknown = [node("Mul", ["s", "s"], ["t"]), *nodes[:3],
               node("QuantizeLinear", ["b", "t", "z"], ["y"])]
    for what, graph_nodes, last, expected in (
            ("alone", nodes, {"y": np.int8}, integers),
            ("another use", nodes, {"y": np.int8, "b": np.float32}, floats),
            ("a computed scale", unknown, {"y": np.int8}, floats)):
        text = suite.import_onnx(graph(graph_nodes, x, last, constants), pool_layers=True)
        suite.report.expect(expected in text, f"a layer, {what}", text)


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(400, 72, 36))
    parser.add_argument("--seed", type=int, default=tier.seed(38))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("quantised ONNX models")
    suite = Suite(report)
    schemas = onnx_import.importer().contrib.SCHEMAS
    for number in range(options.cases):
        while not suite.add_random(rng, OPERATORS[number % len(OPERATORS)], schemas):
            report.count("drawn again: refused by either, or other pads in ONNX Runtime")
    add_graphs(suite, rng)
    check_layers(suite)
    suite.run()
    report.require_counted(*(f"operator {op}" for op in OPERATORS),
                           *(f"element type {word}" for word in TYPES),
                           "a maximum of the stored integers")
    return report.finish()


if __name__ == "__main__":
    main(run)
