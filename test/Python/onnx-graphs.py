# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Imports whole graphs by import_onnx and compares with ONNX Runtime: each elementwise and
reshaping operator between two pooling layers, broadcasting, unknown extents. Also compares
the text of a few modules.
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
POOLED = (2, 3, 5, 7)
UNARY = {
    "Abs": {}, "Neg": {}, "Relu": {}, "Sqrt": {}, "Exp": {}, "Log": {}, "Sigmoid": {}, "Tanh": {},
    "Floor": {}, "Ceil": {}, "Round": {}, "Erf": {}, "Sin": {}, "Cos": {}, "Softplus": {},
    "Softsign": {}, "Reciprocal": {}, "LeakyRelu": {"alpha": 0.1}, "Elu": {"alpha": 1.5},
    "Selu": {}, "HardSigmoid": {"alpha": 0.3}, "HardSwish": {}, "ThresholdedRelu": {"alpha": 0.5},
    "Identity": {}, "Dropout": {}}
BINARY = ("Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "PRelu", "Sum", "Mean")
INTEGER = {"Add", "Sub", "Mul", "Div", "Max", "Min", "Abs", "Neg", "Relu", "Identity"}
POSITIVE = {"Sqrt", "Log", "Pow"}


def chain(nodes, operands, opset=22, element=FLOAT, dims=SHAPE, initializers=(), last="z"):
    """Returns a model of a maximum with result `a`, then `nodes`. If `last` is z and has
    elements of f32 or f16, an average of z follows."""
    first = helper.make_node("MaxPool", ["x"], ["a"], name="first", kernel_shape=[2, 2])
    nodes = [first, *nodes]
    if last == "z" and element in (FLOAT, TensorProto.FLOAT16):
        nodes.append(helper.make_node("AveragePool", ["z"], ["y"], name="last", strides=[2, 1],
                                      kernel_shape=[2, 3]))
        last = "y"
    inputs = [helper.make_tensor_value_info("x", element, dims)]
    inputs += [helper.make_tensor_value_info(n, *kind) for n, kind in operands.items()]
    outputs = [helper.make_tensor_value_info(last, element, None)]
    graph = helper.make_graph(nodes, "chain", inputs, outputs, initializers)
    return helper.make_model(graph, ir_version=10,
                             opset_imports=[helper.make_opsetid("", opset)])


class Suite:
    def __init__(self, report):
        self.report = report
        self.import_onnx = onnx_import.importer().import_onnx
        self.runs = onnx_import.Runs()
        self.expected = []

    def add(self, name, proto, *arrays, like=None):
        """Computes the expected outputs in ONNX Runtime, and adds the model for
        pool-run. With `like`, another model and its inputs give the expected outputs."""
        other, inputs = like or (proto, arrays)
        session = onnx_models.session(other)
        names = [i.name for i in session.get_inputs()]
        outputs = session.run(None, dict(zip(names, inputs)))
        self.runs.add(self.import_onnx(proto), arrays, [o.dtype for o in outputs])
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
    tolerance = {"float32": 2e-6, "float64": 1e-12, "float16": 4e-3}.get(expected.dtype.name, 0)
    a, b = got.astype(np.float64), expected.astype(np.float64)
    # If large numbers cancel in an average, their rounding errors stay. So the absolute
    # tolerance grows with the largest result.
    finite = np.abs(b[np.isfinite(b)])
    magnitude = max(1, finite.max(initial=0))
    return np.allclose(a, b, rtol=tolerance, atol=tolerance * magnitude, equal_nan=True)


def values(rng, shape, positive=False, dtype=np.float32):
    if np.dtype(dtype).kind in "iu":
        return rng.integers(1, 9, shape).astype(dtype)
    return rng.uniform(0.1 if positive else -3, 3, shape).astype(dtype)


def add_elementwise(suite, rng):
    for op, attributes in UNARY.items():
        node = helper.make_node(op, ["a"], ["z"], name=op, **attributes)
        x = values(rng, SHAPE, op in POSITIVE)
        suite.add(op, chain([node], {}), x)
        suite.add(f"{op} unknown", chain([node], {}, dims=("n", 3, "h", 8)), x)
    shapes = {"equal": POOLED, "channel": (3, 1, 1), "row": (7,), "scalar": (),
              "plane": (2, 1, 5, 7)}
    for op in BINARY:
        node = helper.make_node(op, ["a", "b"], ["z"], name=op)
        for name, shape in shapes.items():
            suite.add(f"{op} {name}", chain([node], {"b": (FLOAT, shape)}),
                      values(rng, SHAPE, op in POSITIVE), values(rng, shape, op in POSITIVE))
    for op in ("Max", "Min", "Sum", "Mean"):
        node = helper.make_node(op, ["a", "b", "a"], ["z"], name=op)
        suite.add(f"{op} of three", chain([node], {"b": (FLOAT, (3, 1, 1))}),
                  values(rng, SHAPE), values(rng, (3, 1, 1)))
    # Both operands are windows over the same unknown extents. The importer must see that their
    # extents are equal.
    again = helper.make_node("AveragePool", ["x"], ["b"], name="again", kernel_shape=[2, 2])
    add = helper.make_node("Add", ["a", "b"], ["z"], name="add")
    suite.add("residual unknown", chain([again, add], {}, dims=("n", 3, "h", "w")),
              values(rng, SHAPE))


def add_types(suite, rng):
    """Adds casts between element types, and operators on other element types than f32."""
    for element in (TensorProto.INT8, TensorProto.UINT8):
        dtype = onnx_models.DTYPES[element]
        for to in (FLOAT, TensorProto.INT32, TensorProto.UINT8, TensorProto.INT8, INT64):
            nodes = [helper.make_node("Cast", ["a"], ["z"], name="cast", to=to)]
            suite.add(f"Cast {dtype}", typed(chain(nodes, {}, element=element), to),
                      values(rng, SHAPE, dtype=dtype))
    for to in (TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT32, INT64):
        nodes = [helper.make_node("Cast", ["a"], ["z"], name="cast", to=to)]
        suite.add("Cast from f32", typed(chain(nodes, {}, last="-"), to), values(rng, SHAPE))
    for op in sorted(INTEGER):
        operands = ["c", "b"] if op in BINARY else ["c"]
        nodes = [helper.make_node("Cast", ["a"], ["c"], name="cast", to=TensorProto.INT32),
                 helper.make_node(op, operands, ["z"], name=op)]
        extra = {"b": (TensorProto.INT32, (3, 1, 1))} if op in BINARY else {}
        proto = typed(chain(nodes, extra, element=TensorProto.INT8), TensorProto.INT32)
        suite.add(f"{op} of i32", proto, values(rng, SHAPE, dtype=np.int8),
                  *([values(rng, (3, 1, 1), dtype=np.int32)] if extra else []))
    for op in ("Add", "Mul", "Relu", "Sigmoid"):
        operands = ["a", "b"] if op in BINARY else ["a"]
        extra = {"b": (TensorProto.FLOAT16, (3, 1, 1))} if op in BINARY else {}
        nodes = [helper.make_node(op, operands, ["z"], name=op)]
        suite.add(f"{op} of f16", chain(nodes, extra, element=TensorProto.FLOAT16),
                  values(rng, SHAPE, dtype=np.float16),
                  *([values(rng, (3, 1, 1), dtype=np.float16)] if extra else []))


def typed(proto, element):
    """The model with another type for its output `z`."""
    del proto.graph.output[:]
    proto.graph.output.append(helper.make_tensor_value_info("z", element, None))
    if proto.graph.node[-1].name == "last":
        del proto.graph.node[-1]
    return proto


OLD_BROADCAST = {  # Shape of the second operand -> (axis, its shape by NumPy's rule)
    (7,): (None, (7,)), (5, 7): (None, (5, 7)), (): (None, ()), (1, 1): (None, (1, 1)),
    (1,): (1, (1, 1, 1)), (3,): (1, (3, 1, 1)), (2,): (0, (2, 1, 1, 1)), (3, 5): (1, (3, 5, 1)),
    (2, 3): (0, (2, 3, 1, 1)), POOLED: (None, POOLED)}


def add_old_broadcast(suite, rng):
    """Opsets 1 to 6, which no runtime supports any more. Results must equal opset 22
    with the operand reshaped as `axis` means."""
    for op in ("Add", "Sub", "Mul", "Div", "Pow"):
        new = helper.make_node(op, ["a", "b"], ["z"])
        for opset in (1, 6):
            for shape, (axis, aligned) in OLD_BROADCAST.items():
                words = {"broadcast": 1, **({} if axis is None else {"axis": axis})}
                old = helper.make_node(op, ["a", "b"], ["z"], **words)
                a, b = (values(rng, s, op == "Pow") for s in (SHAPE, shape))
                suite.add(f"{op}-{opset} {shape} {axis}",
                          chain([old], {"b": (FLOAT, shape)}, opset), a, b,
                          like=(chain([new], {"b": (FLOAT, aligned)}), (a, b.reshape(aligned))))
    for shape, aligned in (((3,), (3, 1, 1)), ((1,), (1,))):
        # After pooling there are as many columns as channels, so a slope could belong to
        # either.
        dims = (2, 3, 6, 4)
        a, b = values(rng, dims), values(rng, shape)
        node = helper.make_node("PRelu", ["a", "b"], ["z"])
        suite.add(f"PRelu-6 {shape}", chain([node], {"b": (FLOAT, shape)}, 6, dims=dims), a, b,
                  like=(chain([node], {"b": (FLOAT, aligned)}, dims=dims),
                        (a, b.reshape(aligned))))


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
                      chain([node], {}, opset, dims=dims, initializers=extra, last="r"),
                      values(rng, shape))


def tensor(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def add_others(suite, rng):
    """Attributes that became operands and vice versa, constants, shapes."""
    x = values(rng, SHAPE)
    low, high = tensor("low", np.float32(-0.5)), tensor("high", np.float32(1.5))
    suite.add("Clip-6", chain([helper.make_node("Clip", ["a"], ["z"], min=-0.5, max=1.5)], {},
                              opset=10), x)
    for names in (["a", "low", "high"], ["a", "", "high"], ["a", "low"], ["a"]):
        suite.add(f"Clip {names}", chain([helper.make_node("Clip", names, ["z"])], {},
                                         initializers=[low, high]), x)
    channels = np.arange(3, dtype=np.float32).reshape(3, 1, 1)
    constant = helper.make_node("Constant", [], ["k"], value=tensor("k", channels))
    add = helper.make_node("Add", ["a", "k"], ["z"])
    suite.add("Constant", chain([constant, add], {}), x)
    for word, value in (("value_float", 2.5), ("value_floats", [1.0, 2, 3, 4, 5, 6, 7])):
        node = helper.make_node("Constant", [], ["k"], **{word: value})
        suite.add(word, chain([node, add], {}), x)
    for opset, axes in ((12, {"axes": [1, -1]}), (13, None)):
        extra = [] if axes else [tensor("axes", np.array([1, -1]))]
        operand = ["a"] if axes else ["a", "axes"]
        squeezed = ["u"] if axes else ["u", "axes"]
        nodes = [helper.make_node("Unsqueeze", operand, ["u"], **(axes or {})),
                 helper.make_node("Squeeze", squeezed, ["z"], **(axes or {}))]
        for dims in (SHAPE, ("n", 3, "h", 8)):
            suite.add(f"Unsqueeze, Squeeze {opset} {dims}",
                      chain(nodes, {}, opset=opset, initializers=extra, dims=dims), x)
    for axis in (0, 1, 2, -1, 4):
        for dims in (SHAPE, ("n", 3, 6, "w")):
            node = helper.make_node("Flatten", ["a"], ["f"], axis=axis)
            suite.add(f"Flatten {axis} {dims}", chain([node], {}, last="f", dims=dims), x)
    pooled = helper.make_node("GlobalAveragePool", ["a"], ["g"])
    squeeze = helper.make_node("Squeeze", ["g"], ["s"])
    suite.add("Squeeze without axes", chain([pooled, squeeze], {}, last="s"), x)


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
    add_elementwise(suite, rng)
    add_types(suite, rng)
    add_others(suite, rng)
    add_old_broadcast(suite, rng)
    add_reductions(suite, rng)
    suite.run()
    return report.finish()


if __name__ == "__main__":
    main(run)
