# RUN: %python %s
# UNEXPLORED: the types of its models are what is tested.
"""Imports models that ONNX Runtime's own tools wrote. The types of values that its operators
compute must be those of the arrays that ONNX Runtime itself computes. Pooling of operators that
are not supported must be named.
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


def run():
    report = Report("ONNX Runtime's models")
    import_onnx = onnx_import.importer().import_onnx
    for node in NODES:
        check_node(report, import_onnx, *node)
    with tempfile.TemporaryDirectory() as directory:
        check_tools(report, import_onnx, Path(directory))
    check_result(report, import_onnx)
    return report.finish()


if __name__ == "__main__":
    main(run)
