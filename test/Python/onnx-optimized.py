# RUN: %python %s
# UNEXPLORED: the types of its models are what is tested.
"""import_onnx on models that ONNX Runtime's own tools wrote (optimised, quantised). The importer
must give each value the type of the array that ONNX Runtime itself computes. Pooling of operators
that are not supported must be named.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import  # noqa: E402
from pooltest.errors import raises  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

FLOAT, INT8, UINT8 = TensorProto.FLOAT, TensorProto.INT8, TensorProto.UINT8
WORDS = {"f32": "float32", "i8": "int8", "ui8": "uint8"}
SHAPE = (1, 8, 12, 10)
# (node of ONNX Runtime, its inputs, element type of x, attributes). The inputs are x, y with
# fewer extents, s and z, scale and zero point, w, weights, and b, a bias.
NODES = (
    ("FusedConv", "x w", FLOAT, {"activation": "Relu", "kernel_shape": [3, 3], "strides": [2, 1],
                                 "pads": [1, 1, 0, 0]}),
    ("QLinearAdd", "x s z y s z s z", UINT8, {}), ("QLinearMul", "y s z x s z s z", INT8, {}),
    ("QLinearConcat", "s z x s z x s z", UINT8, {"axis": 1}),
    ("QLinearSigmoid", "x s z s z", INT8, {}),
    ("QLinearLeakyRelu", "x s z s z", UINT8, {"alpha": 0.1}),
    ("QLinearSoftmax", "x s z s z", UINT8, {"axis": 1, "opset": 13}),
    ("QLinearAveragePool", "x s z s z", UINT8, {"kernel_shape": [3, 3], "strides": [2, 2],
                                                "pads": [1, 1, 1, 1], "ceil_mode": 1}),
    ("QLinearGlobalAveragePool", "x s z s z", INT8, {}),
    ("DequantizeLinear", "x s z", INT8, {}), ("QuantizeLinear", "x s u", FLOAT, {}),
    ("Gelu", "x", FLOAT, {}), ("FastGelu", "x", FLOAT, {}), ("QuickGelu", "x", FLOAT, {}),
    ("BiasGelu", "x b", FLOAT, {}),
)


def make_model(nodes, element, result, initializers):
    return helper.make_model(
        helper.make_graph(nodes, "graph", [helper.make_tensor_value_info("x", element, SHAPE)],
                          [helper.make_tensor_value_info("r", result, None)], initializers),
        ir_version=9, opset_imports=[helper.make_opsetid("", 17),
                                     helper.make_opsetid("com.microsoft", 1),
                                     helper.make_opsetid("other", 1)])


def make_session(model, level="DISABLE_ALL", path=""):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{level}")
    options.optimized_model_filepath = str(path)
    return onnxruntime.InferenceSession(model.SerializeToString(), options,
                                        providers=["CPUExecutionProvider"])


def list_operands(text):
    """Returns {function: type of its first operand}."""
    return dict(re.findall(r"func\.func @([\w.]+)\(%[\w.]+: tensor<([^>]*)>", text))


def check_node(report, import_onnx, op, inputs, element, attributes):
    """Compares the type of a node's result, which the pooling behind it reads, with the array
    that ONNX Runtime computes."""
    initializers = [
        helper.make_tensor("s", FLOAT, [], [0.5]), helper.make_tensor("u", UINT8, [], [1]),
        helper.make_tensor("z", INT8 if element == INT8 else UINT8, [], [3]),
        helper.make_tensor("y", element, [12, 1], [1] * 12),
        helper.make_tensor("w", FLOAT, [4, 8, 3, 3], [0.1] * 288),
        helper.make_tensor("b", FLOAT, [10], [1] * 10)]
    node = helper.make_node(op, inputs.split(), ["v"], "node", domain="com.microsoft",
                            **attributes)
    pool = helper.make_node("MaxPool", ["v"], ["m"], "pool", kernel_shape=[1, 1])
    # The cast keeps the type of the result from telling that of the pooling.
    cast = helper.make_node("Cast", ["m"], ["r"], to=FLOAT)
    model = make_model([node, pool, cast], element, FLOAT, initializers)
    shown = make_model([node], element, FLOAT, initializers)
    shown.graph.output[0].name = "v"
    shown.graph.output[0].ClearField("type")
    x = np.ones(SHAPE, helper.tensor_dtype_to_np_dtype(element))
    expected, = make_session(shown).run(None, {"x": x})
    *extents, kind = list_operands(import_onnx(model, pool_layers=True))["pool"].split("x")
    report.expect(WORDS[kind] == expected.dtype.name
                  and [int(extent) for extent in extents] == list(expected.shape),
                  f"the type of {op}'s result", f"{extents} {kind}",
                  expected=f"{expected.shape} {expected.dtype}")
    # An operand whose rank is not known leaves the zero point, and the window's rank.
    if op.startswith("QLinear") and "Pool" not in op:
        foreign = helper.make_node("Foo", ["x"], ["f"], domain="other")
        node.input[:] = ["f" if name == "x" else name for name in node.input]
        text = import_onnx(make_model([foreign, node, pool, cast], element, FLOAT, initializers),
                           pool_layers=True)
        report.expect(list_operands(text)["pool"] == f"?x?x?x?x{kind}",
                      f"the elements of {op}'s result", text)
    report.count("types of ONNX Runtime's operators")


def check_tools(report, import_onnx, directory):
    """Imports what ONNX Runtime's optimisations write, at two levels."""
    nodes = [helper.make_node("Conv", ["x", "w"], ["a"]), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("MaxPool", ["b"], ["c"], "first", kernel_shape=[2, 2]),
             helper.make_node("HardSwish", ["c"], ["d"]),
             helper.make_node("LpPool", ["d"], ["r"], "second", kernel_shape=[2, 2])]
    weights = helper.make_tensor("w", FLOAT, [8, 8, 3, 3], [0.1] * 576)
    model = make_model(nodes, FLOAT, FLOAT, [weights])
    own = list_operands(import_onnx(model, pool_layers=True))
    path = directory / "extended.onnx"
    make_session(model, "ENABLE_EXTENDED", path)
    report.expect("FusedConv" in [node.op_type for node in onnx.load(path).graph.node],
                  "ONNX Runtime fuses")
    text = import_onnx(path, pool_layers=True)
    report.expect(list_operands(text) == own == {"first": "1x8x10x8xf32", "second": "1x8x9x7xf32"},
                  "an optimised model", text)

    path = directory / "all.onnx"
    make_session(model, "ENABLE_ALL", path)
    left = ("a pooling node is not supported: node 'c_nchwc' (MaxPool) of domain "
            "'com.microsoft.nchwc'; ONNX Runtime writes such nodes at ORT_ENABLE_ALL")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        text = import_onnx(path, pool_layers=True)
    report.expect(list_operands(text) == {"second": "?x8x?x?xf32"}, "pooling behind blocks", text)
    report.expect(len(caught) == 1 and left in str(caught[0].message), "a warning",
                  str([str(warning.message) for warning in caught]))
    proto = onnx.load(path)
    del proto.graph.node[-1]
    raises(report, ValueError, left, lambda: import_onnx(proto, pool_layers=True))
    raises(report, ValueError, left, lambda: import_onnx(proto))
    report.count("optimised models", 2)


def check_result(report, import_onnx):
    """The type of a pool's result tells element type, batch and channels of its operand."""
    nodes = [helper.make_node("Foo", ["x"], ["v"], domain="other"),
             helper.make_node("GlobalMaxPool", ["v"], ["r"], "pool")]
    model = make_model(nodes, FLOAT, FLOAT, [])
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("r", FLOAT, [2, 5, 1, 1]))
    text = import_onnx(model, pool_layers=True)
    report.expect(list_operands(text) == {"pool": "2x5x?x?xf32"}, "the type of a result", text)


def check_declared(report, import_onnx):
    """The declared type of a result of ONNX Runtime's operator is kept if a window elsewhere has
    other extents than inference finds, as before opset 22 with ceil_mode."""
    pool = {"kernel_shape": [2, 2], "strides": [2, 2]}
    nodes = [helper.make_node("Foo", ["x"], ["f"], domain="other"),
             helper.make_node("Gelu", ["f"], ["v"], domain="com.microsoft"),
             helper.make_node("Relu", ["v"], ["u"]),
             helper.make_node("MaxPool", ["u"], ["m"], "declared", **pool),
             helper.make_node("MaxPool", ["x"], ["w"], "window", pads=[0, 0, 1, 1], ceil_mode=1,
                              **pool),
             helper.make_node("Relu", ["w"], ["a"]),
             helper.make_node("MaxPool", ["a"], ["b"], "behind", **pool),
             helper.make_node("Relu", ["b"], ["r"])]
    model = make_model(nodes, FLOAT, FLOAT, [])
    model.graph.value_info.append(helper.make_tensor_value_info("v", FLOAT, [1, 7, 6, 5]))
    text = import_onnx(model, pool_layers=True)
    report.expect(list_operands(text) == {"declared": "1x7x6x5xf32", "window": "1x8x12x10xf32",
                                          "behind": "1x8x6x5xf32"}, "a declared type", text)


def check_stand_ins(report, import_onnx):
    """A model without ONNX Runtime's operators is not copied."""
    inference = sys.modules[f"{import_onnx.__module__}.inference"]
    inner = helper.make_graph([helper.make_node("Gelu", ["x"], ["i"], domain="com.microsoft")],
                              "inner", [], [helper.make_tensor_value_info("i", FLOAT, None)])
    for node, is_same in (
            (helper.make_node("Foo", ["x"], ["r"], domain="other"), True),
            (helper.make_node("Gelu", ["x"], ["r"], domain="com.microsoft"), False),
            (helper.make_node("If", ["x"], ["r"], then_branch=inner, else_branch=inner), False)):
        model = make_model([node], FLOAT, FLOAT, [])
        report.expect((inference.with_stand_ins(model, 17) is model) == is_same,
                      f"the model of {node.op_type}")


def check_warnings(report, import_onnx, directory):
    """A warning points at the user's line, by whatever function the model is imported, and RoI
    pooling beside other pooling has none."""
    def make(*others):
        pool = helper.make_node("MaxPool", ["x"], ["r"], "pool", kernel_shape=[2, 2])
        return make_model([*others, pool], FLOAT, FLOAT, [])

    model = make(helper.make_node("FooPool", ["x"], ["f"], domain="other"))
    path = directory / "left.onnx"
    onnx.save(model, path)
    functions = [lambda: import_onnx(model, pool_layers=True)]
    try:
        import pool_mlir
        from pool_mlir import _extents, _models, onnx as package
    except ImportError:
        pass  # The compiled part is missing.
    else:
        functions += [lambda: pool_mlir.import_onnx(model, pool_layers=True),
                      lambda: package.import_onnx(model, True),
                      lambda: _models.read_module(path, pool_layers=True),
                      lambda: _extents.import_layers(path)]
    for function in functions:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
        line = function.__code__.co_firstlineno
        report.expect([(w.filename, w.lineno) for w in caught] == [(__file__, line)],
                      f"the place of a warning, line {line}", str([str(w) for w in caught]))
        report.count("warnings")

    roi = helper.make_node("MaxRoiPool", ["x", "x"], ["f"], "roi", pooled_shape=[2, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = import_onnx(make(roi), pool_layers=True)
    report.expect(list(list_operands(text)) == ["pool"], "RoI pooling", text)
    alone = make_model([roi], FLOAT, FLOAT, [])
    try:
        import_onnx(alone, pool_layers=True)
    except ValueError as error:
        report.expect(str(error) == "a pooling node is not supported: node 'roi' (MaxRoiPool)",
                      "RoI pooling alone", str(error))


def run():
    report = Report("ONNX Runtime's models")
    import_onnx = onnx_import.importer().import_onnx
    for node in NODES:
        check_node(report, import_onnx, *node)
    with tempfile.TemporaryDirectory() as directory:
        check_tools(report, import_onnx, Path(directory))
        check_warnings(report, import_onnx, Path(directory))
    check_result(report, import_onnx)
    check_declared(report, import_onnx)
    check_stand_ins(report, import_onnx)
    return report.finish()


if __name__ == "__main__":
    main(run)
