# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Imports whole graphs by import_onnx and compares with ONNX Runtime: reductions that are global
pooling, and operators around pooling that leave the elements as they are, with known and
unknown extents. Also compares the text of a few modules.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import, onnx_models, tier  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
SHAPE = (2, 3, 6, 8)


def chain(nodes, opset=22, dims=SHAPE, initializers=(), last="z"):
    """Returns a model of a maximum with result `a`, then `nodes`. If `last` is z, an average of z
    follows."""
    first = helper.make_node("MaxPool", ["x"], ["a"], name="first", kernel_shape=[2, 2])
    nodes = [first, *nodes]
    if last == "z":
        nodes.append(helper.make_node("AveragePool", ["z"], ["y"], name="last", strides=[2, 1],
                                      kernel_shape=[2, 3]))
        last = "y"
    inputs = [helper.make_tensor_value_info("x", FLOAT, dims)]
    outputs = [helper.make_tensor_value_info(last, FLOAT, None)]
    graph = helper.make_graph(nodes, "chain", inputs, outputs, initializers)
    return helper.make_model(graph, ir_version=10,
                             opset_imports=[helper.make_opsetid("", opset)])


class Suite:
    def __init__(self, report):
        self.report = report
        self.import_onnx = onnx_import.importer().import_onnx
        self.runs = onnx_import.Runs()
        self.expected = []

    def add(self, name, proto, x):
        """Computes the expected output in ONNX Runtime, and adds the model for pool-run."""
        outputs = onnx_models.session(proto).run(None, {"x": x})
        self.runs.add(self.import_onnx(proto), [x], [o.dtype for o in outputs])
        self.expected.append((name, outputs))

    def run(self):
        plain = tier.size(("linalg",), ("linalg",), ("linalg", "vector"))
        for path in onnx_import.PATHS:
            results, process = self.runs.run(path, *(["-O0"] if path in plain else []))
            self.report.expect(process.returncode == 0, f"pool-run fails on path {path}",
                               stderr=process.stderr[:2000])
            for (name, outputs), got in zip(self.expected, results):
                good = got is not None and all(map(close, got, outputs))
                if self.report.expect(good, f"{name} on path {path}", expected=outputs, got=got):
                    self.report.count(f"equal on path {path}")


def close(got, expected):
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    # If large numbers cancel in an average, their rounding errors stay. So the absolute
    # tolerance grows with the largest result.
    return np.allclose(got, expected, rtol=2e-6, atol=2e-6 * max(1, np.abs(expected).max(initial=0)))


def values(rng, shape):
    return rng.uniform(-3, 3, shape).astype(np.float32)


def add_reductions(suite, rng):
    """Global pooling as exporters write it: axes are an attribute up to opset 17, then
    an operand. Dimensions of 1 may be reduced as well."""
    cases = [(opset, dims, SHAPE, axes) for opset in (1, 11, 13, 18, 22)
             for dims in (SHAPE, ("n", 3, "h", "w"))
             for axes in ([2, 3], [-1, -2]) if opset >= 11 or axes[0] > 0]
    single = (1, 1, 2, 8)
    cases += [(13, single, single, None), (18, single, single, None), (22, single, single, [3])]
    for opset, dims, shape, axes in cases:
        for op in ("ReduceMean", "ReduceMax"):
            words = {"axes": axes} if axes and opset < 18 else {}
            extra = [tensor("axes", np.array(axes))] if axes and opset >= 18 else []
            node = helper.make_node(op, ["a", *(["axes"] if extra else [])], ["r"], **words)
            suite.add(f"{op}-{opset} {axes} {dims}",
                      chain([node], opset, dims, extra, last="r"),
                      values(rng, shape))


def tensor(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def add_others(suite, rng):
    """Attributes that became operands and vice versa, constants, shapes."""
    x = values(rng, SHAPE)
    for op in ("Identity", "Dropout"):
        for dims in (SHAPE, ("n", 3, "h", 8)):
            suite.add(f"{op} {dims}", chain([helper.make_node(op, ["a"], ["z"])], dims=dims), x)
    constant = helper.make_node("Constant", [], ["k"], value=tensor("k", values(rng, SHAPE)))
    pool = helper.make_node("MaxPool", ["k"], ["z"], kernel_shape=[2, 2])
    suite.add("Constant", chain([constant, pool]), x)
    for word, value in (("value_float", 2.5), ("value_floats", [1.0, 2, 3])):
        nodes = [helper.make_node("Constant", [], ["k"], **{word: value}),
                 helper.make_node("Unsqueeze", ["k", "axes"], ["u"])]
        axes = tensor("axes", np.arange(4 - np.ndim(value)))
        suite.add(word, chain(nodes, initializers=[axes], last="u"), x)
    for opset, axes in ((12, {"axes": [1, -1]}), (13, None)):
        extra = [] if axes else [tensor("axes", np.array([1, -1]))]
        operand = ["a"] if axes else ["a", "axes"]
        squeezed = ["u"] if axes else ["u", "axes"]
        nodes = [helper.make_node("Unsqueeze", operand, ["u"], **(axes or {})),
                 helper.make_node("Squeeze", squeezed, ["z"], **(axes or {}))]
        for dims in (SHAPE, ("n", 3, "h", 8)):
            suite.add(f"Unsqueeze, Squeeze {opset} {dims}",
                      chain(nodes, opset, dims, extra), x)
    for axis in (0, 1, 2, -1, 4):
        for dims in (SHAPE, ("n", 3, 6, "w")):
            node = helper.make_node("Flatten", ["a"], ["f"], axis=axis)
            suite.add(f"Flatten {axis} {dims}", chain([node], dims=dims, last="f"), x)
    pooled = helper.make_node("GlobalAveragePool", ["a"], ["g"])
    squeeze = helper.make_node("Squeeze", ["g"], ["s"])
    suite.add("Squeeze without axes", chain([pooled, squeeze], last="s"), x)


EXPECTED = """module {
func.func @main(%x: tensor<?x3x32x32xf32> loc("x")) -> (tensor<?x3x16x16xf32>, tensor<?x3x16x16xi64>) {
  %y, %i = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] \
rounding_type ceil_torch : tensor<?x3x32x32xf32> -> tensor<?x3x16x16xf32>, tensor<?x3x16x16xi64> \
loc("a \\22quoted\\22 name")
  return %y, %i : tensor<?x3x16x16xf32>, tensor<?x3x16x16xi64> loc("graph")
} loc("graph")
} loc("graph")
"""
LAYERS = ["up_pool1_max", "pool_9", "up_pool1_max_1", "GlobalMaxPool_g2"]


def check_text(report, import_onnx):
    node = helper.make_node("MaxPool", ["x"], ["y", "i"], name='a "quoted" name', strides=[2, 2],
                            kernel_shape=[3, 3], pads=[1, 1, 0, 0], ceil_mode=1)
    graph = helper.make_graph(
        [node], "graph", [helper.make_tensor_value_info("x", FLOAT, ["N", 3, 32, 32])],
        [helper.make_tensor_value_info("y", FLOAT, None),
         helper.make_tensor_value_info("i", INT64, None)])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)])
    text = import_onnx(proto)
    report.expect(text == EXPECTED, "the text of a module", got=text, expected=EXPECTED)

    k = {"kernel_shape": [1, 1]}
    nodes = [helper.make_node("MaxPool", ["x"], ["m"], name="/up/pool1/max", **k),
             helper.make_node("AveragePool", ["m"], ["n"], name="9", **k),
             helper.make_node("Softmax", ["n"], ["o"]),
             helper.make_node("MaxPool", ["o"], ["p"], name="up pool1:max", **k),
             helper.make_node("GlobalMaxPool", ["p"], ["g2"])]
    graph = helper.make_graph(
        nodes, "graph", [helper.make_tensor_value_info("x", FLOAT, ["N", 3, 32, 32])],
        [helper.make_tensor_value_info("g2", FLOAT, None)])
    text = import_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)]),
                       pool_layers=True)
    report.expect(onnx_import.functions(text) == LAYERS, "names of layers",
                  got=onnx_import.functions(text))
    report.expect('} loc("/up/pool1/max")' in text, "the true name is a location", text)
    report.count("texts compared", 2)


def check_reduction_layers(report, import_onnx):
    """Only reductions that are global pooling become layers."""
    axes = [helper.make_node("Constant", [], ["spatial"], value_ints=[2, 3])]
    nodes = [helper.make_node("ReduceMean", ["x", "spatial"], ["a"], name="mean"),
             helper.make_node("ReduceMean", ["x", "channel"], ["b"], name="channels"),
             helper.make_node("ReduceMax", ["x", "spatial"], ["c"], name="squeezed", keepdims=0),
             helper.make_node("ReduceMax", ["x", "n"], ["d"], name="unknown"),
             helper.make_node("ReduceMax", ["x", "spatial"], ["e"], name="max")]
    graph = helper.make_graph(
        [*axes, *nodes], "graph", [helper.make_tensor_value_info("x", FLOAT, ["N", 3, 8, "w"]),
                                   helper.make_tensor_value_info("n", INT64, [1])],
        [helper.make_tensor_value_info(n, FLOAT, None) for n in "abcde"],
        [tensor("channel", np.array([1]))])
    text = import_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]),
                       pool_layers=True)
    report.expect(onnx_import.functions(text) == ["mean", "max"], "reductions that are layers",
                  got=text)
    clause = "output_size [1, 1] : tensor<?x3x8x?xf32> -> tensor<?x3x1x1xf32>"
    report.expect(text.count(clause) == 2, "the operations of reductions", got=text)


def check_old_ceil(report, import_onnx):
    """The last window of the average would start in the padding. The shape inference of
    old opsets counts this window, and ours does not. Later layers must get our shape."""
    nodes = [helper.make_node("AveragePool", ["x"], ["a"], name="first", kernel_shape=[1],
                              strides=[2], ceil_mode=1),
             helper.make_node("Softmax", ["a"], ["s"]),
             helper.make_node("MaxPool", ["s"], ["y"], name="second", kernel_shape=[2])]
    graph = helper.make_graph(nodes, "graph",
                              [helper.make_tensor_value_info("x", FLOAT, [1, 1, 6])],
                              [helper.make_tensor_value_info("y", FLOAT, None)])
    text = import_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)]),
                       pool_layers=True)
    report.expect("@second(%s: tensor<1x1x3xf32>" in text, "shape behind an old ceil_mode", text)


def run():
    rng = np.random.default_rng(tier.seed(11))
    report = Report("whole ONNX graphs")
    suite = Suite(report)
    check_text(report, suite.import_onnx)
    check_reduction_layers(report, suite.import_onnx)
    check_old_ceil(report, suite.import_onnx)
    add_others(suite, rng)
    add_reductions(suite, rng)
    suite.run()
    return report.finish()


if __name__ == "__main__":
    main(run)
