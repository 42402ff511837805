# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""import_onnx must refuse models that it cannot import, with a message that says why. Then many
mutated models are imported: each must raise ValueError or give a module that pool-opt verifies.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import math
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import, onnx_models, tier, tools  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

FLOAT, INT64, INT8 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT8


def model(nodes, inputs, outputs=("y",), opset=22, initializers=(), declared=None):
    """Returns a model of `nodes`. `inputs` is {name: (element, dims)}. Outputs are f32 of
    unknown shape unless `declared` gives (element, dims)."""
    infos = [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()]
    results = [helper.make_tensor_value_info(name, *(declared or (FLOAT, None)))
               for name in outputs]
    domains = {"": opset, **{node.domain: 1 for node in nodes if node.domain}}
    return helper.make_model(
        helper.make_graph(nodes, "graph", infos, results, initializers), ir_version=10,
        opset_imports=[helper.make_opsetid(*entry) for entry in domains.items()])


def one(op, opset=22, shape=(1, 1, 8, 8), element=FLOAT, inputs=("x",), outputs=("y",),
        name="pool", **attributes):
    """A model of one node whose inputs all have `shape`. The first has `element`, others i64."""
    node = helper.make_node(op, list(inputs), list(outputs), name=name, **attributes)
    kinds = {n: (INT64 if i else element, shape) for i, n in enumerate(inputs)}
    return model([node], kinds, outputs[:1], opset)


def quantized(op, operands, opset, element, **words):
    """A model of one quantised node with `operands`, names of inputs and initializers."""
    domain = "com.microsoft" if op.startswith(("QLinear", "Nhwc")) else ""
    node = helper.make_node(op, operands.split(), ["y"], "q", **{"domain": domain, **words})
    initializers = [
        helper.make_tensor("s", FLOAT, [], [0.5]), helper.make_tensor("zero", FLOAT, [], [0]),
        helper.make_tensor("three", FLOAT, [3], [1, 2, 3]), helper.make_tensor("i8", INT8, [], [3]),
        helper.make_tensor("u8", TensorProto.UINT8, [], [3]),
        helper.make_tensor("i32", TensorProto.INT32, [], [3])]
    return model([node], {"x": (element, (1, 8, 8, 3)), "x_s": (FLOAT, ())}, opset=opset,
                 initializers=initializers)


K = {"kernel_shape": [2, 2]}
REFUSED = [
    # Attributes
    (one("MaxPool"), "node 'pool' (MaxPool): the required attribute 'kernel_shape' is missing"),
    (one("MaxPool", name=""), "node of 'y' (MaxPool): the required attribute"),
    (one("LpPool", 1), "node 'pool' (LpPool): kernel_shape is missing or empty"),
    (one("MaxPool", kernel_shape=[0, 2]), "kernel_shape[0] is 0, less than 1"),
    (one("MaxPool", kernel_shape=[2]),
     "kernel_shape has 1 entries, its input of rank 4 asks for 2"),
    (one("MaxPool", strides=[1], **K), "strides has 1 entries, kernel_shape asks for 2"),
    (one("MaxPool", strides=[1, 0], **K), "strides[1] is 0, less than 1"),
    (one("MaxPool", dilations=[-1, 1], **K), "dilations[0] is -1, less than 1"),
    (one("MaxPool", pads=[1, 1], **K), "pads has 2 entries, kernel_shape asks for 4"),
    (one("MaxPool", pads=[0, 0, -1, 0], **K), "pads[2] is -1, less than 0"),
    (one("MaxPool", auto_pad="SAME", **K), "auto_pad is 'SAME', none of NOTSET, VALID, SAME_UPPER"),
    (one("MaxPool", auto_pad="VALID", pads=[0, 1, 0, 0], **K),
     "auto_pad VALID and pads [0, 1, 0, 0] cannot be used together"),
    (one("MaxPool", ceil_mode=2, **K), "ceil_mode is 2, neither 0 nor 1"),
    (one("MaxPool", storage_order=-1, **K), "storage_order is -1, neither 0 nor 1"),
    (one("AveragePool", count_include_pad=3, **K), "count_include_pad is 3, neither 0 nor 1"),
    (one("MaxPool", kernel=[2, 2], **K), "opset 22 has no attribute 'kernel' here"),
    (one("MaxPool", kernel_shape=[2.0, 2.0]), "'kernel_shape' is of type FLOATS, not INTS"),
    (one("LpPool", p=0, **K), "p is 0; integers from 1 are supported"),
    (one("LpPool", 1, p=2.5, **K), "p is 2.5; integers from 1 are supported"),
    (one("LpPool", 1, p=math.nan, **K), "p is nan; integers from 1 are supported"),
    *((one(op, 1, p=p, **window), f"node 'pool' ({op}): p is {p}, which leaves 64 bits")
      for op, window in (("LpPool", K), ("GlobalLpPool", {})) for p in (2.0**63, math.inf)),
    # Features that an opset did not have yet
    (one("MaxPool", 8, dilations=[1, 1], **K), "opset 8 has no attribute 'dilations' here"),
    (one("MaxPool", 7, storage_order=0, **K), "opset 7 has no attribute 'storage_order' here"),
    (one("MaxPool", 7, outputs=("y", "i"), **K), "has 2 outputs, opset 7 asks for 1"),
    (one("AveragePool", 6, count_include_pad=1, **K),
     "opset 6 has no attribute 'count_include_pad'"),
    (one("AveragePool", 9, ceil_mode=1, **K), "opset 9 has no attribute 'ceil_mode' here"),
    (one("AveragePool", 18, dilations=[1, 1], **K), "opset 18 has no attribute 'dilations' here"),
    (one("LpPool", 17, ceil_mode=1, **K), "opset 17 has no attribute 'ceil_mode' here"),
    (one("LpPool", 2, p=2.0, **K), "attribute 'p' is of type FLOAT, not INT"),
    (one("MaxPool", 11, element=INT8, **K),
     "input 'X' is a tensor(int8), which opset 11 does not allow"),
    (one("MaxPool", 21, element=TensorProto.BFLOAT16, **K), "tensor(bfloat16), which opset 21"),
    (one("AveragePool", element=INT8, **K), "tensor(int8), which opset 22 does not allow"),
    (one("MaxUnpool", 8, inputs=("x", "i"), **K), "opset 8 of ONNX has no such operator"),
    # Operands and shapes
    (one("MaxPool", inputs=("x", "z"), **K), "has 2 inputs, opset 22 asks for 1"),
    *((model([helper.make_node(op, ["", "x"], ["y"], name="up", **words)],
             {"x": (FLOAT, (1, 1, 2, 2))}), f"node 'up' ({op}): input '{name}' is missing")
      for op, words, name in (("MaxUnpool", K, "X"), ("Squeeze", {}, "data"))),
    *((one("MaxPool", shape=shape, outputs=("y", "i"), kernel_shape=[1, 1]),
       f"the elements of its tensor<0x{'x'.join(map(str, shape[1:]))}xf32> leave 64 bits")
      for shape in ((0, 2**62, 1, 4), (0, 1, 2**62, 4), (0, 2**32, 2**31, 1))),
    (one("MaxPool", shape=(1, 1, 1, 8), **K),
     "spatial dimension 0: a window of 2 elements does not fit the padded extent 1"),
    (one("MaxPool", shape=(1, 1, 0, 8), **K), "spatial dimension 0 has the extent 0, less than 1"),
    (one("MaxPool", kernel_shape=[2**62, 2], dilations=[4, 1]), "leaves 64 bits"),
    (one("AveragePool", pads=[2, 0, 0, 0], **K),
     "window 0 of spatial dimension 0 counts no element, its average is not defined"),
    (one("AveragePool", pads=[0, 0, 0, 3], **K),
     "window 8 of spatial dimension 1 counts no element"),
    (one("GlobalMaxPool", shape=(1, 1)), "its input has rank 2, less than 3"),
    (one("GlobalLpPool", shape=(1, 1, 0)), "spatial dimension 0 has the extent 0, less than 1"),
    (one("MaxPool", shape=None, **K), "input 'x' has no shape, its rank must be known"),
    (one("MaxUnpool", inputs=("x", "i"), pads=[0, 0, 9, 0], **K),
     "dimension 2 of its inferred shape would be 0"),
    (model([helper.make_node("MaxUnpool", ["x", "i"], ["y"], name="up", **K)],
           {"x": (FLOAT, (1, 1, 2, 2)), "i": (INT64, (1, 1, 2, 3))}),
     "node 'up' (MaxUnpool): its values are a tensor<1x1x2x2xf32>, its indices a "
     "tensor<1x1x2x3xi64>"),
    *((model([helper.make_node("MaxUnpool", ["x", "i", "s"], ["y"], name="up", **K)],
             {"x": (FLOAT, (1, 1, 2, 2)), "i": (INT64, (1, 1, 2, 2))},
             initializers=[helper.make_tensor("s", INT64, [len(given)], given)]), message)
      for given, message in (
          ([1, 1, 3], "output_shape has 3 entries, not 4"),
          ([1, 2, 3, 3], "output_shape[1] is 2, its input has 1"),
          ([1, 1, 3, 2], "output_shape[3] is 2, less than the inferred 3"),
          ([1, 1, -3, 3], "dimension 2 of its output_shape would be -3"))),
    # Graphs
    (model([helper.make_node("Conv", ["x", "x"], ["y"], name="c")], {"x": (FLOAT, (1, 1, 8, 8))}),
     "node 'c' (Conv): the operator is not supported in a whole graph, and the model has no "
     "pooling node"),
    (model([helper.make_node("Conv", ["x", "w"], ["a"], name="c"),
            helper.make_node("MaxPool", ["a"], ["y"], **K)],
           {"x": (FLOAT, (1, 1, 8, 8)), "w": (FLOAT, (1, 1, 1, 1))}),
     "node 'c' (Conv): the operator is not supported in a whole graph; pool_layers=True takes"),
    (model([helper.make_node("MaxPool", ["x"], ["y"], name="c", domain="other", **K)],
           {"x": (FLOAT, (1, 1, 8, 8))}), "the operator of domain 'other' is not supported"),
    (model([helper.make_node("MaxPool", ["z"], ["y"], name="c", **K)],
           {"x": (FLOAT, (1, 1, 8, 8))}), "node 'c' (MaxPool): 'z' is computed by no node before"),
    (model([helper.make_node("MaxPool", ["x"], ["x"], name="c", **K)],
           {"x": (FLOAT, (1, 1, 8, 8))}, ["x"]), "computes 'x', which is there already"),
    (model([], {"x": (FLOAT, (1, 1, 8, 8))}), "output 'y': 'y' is computed by no node"),
    (model([helper.make_node("MaxPool", ["x"], ["y"], name="c", **K)],
           {"x": (FLOAT, (1, 1, 8, 8))}, declared=(FLOAT, (1, 1, 8, 7))),
     "'y' is declared a tensor<1x1x8x7xf32>, it is a tensor<1x1x7x7xf32>"),
    (model([helper.make_node("MaxPool", ["x"], ["y"], name="c", **K)],
           {"x": (FLOAT, (1, 1, 8, 8))}, declared=(INT8, (1, 1, 7, 7))),
     "'y' is declared with elements i8, they are f32"),
    # docs/Guides/ImportONNX.md quotes this message. The message names no node, because the
    # model itself declares the value.
    (model([helper.make_node("MaxPool", ["x"], ["y"], name="c", **K)],
           {"x": (FLOAT, (1, 1, 8, 8))}, declared=(FLOAT, (1, 1, -8, 8))),
     "value 'y': dimension 2 is -8"),
    # Opset 25 changed Flatten, but not MaxPool; see check_refusals.
    (one("Flatten", 25), "opset 25 changed this operator, up to 22 is supported"),
    # Nodes of elements
    (model([helper.make_node("MaxPool", ["x"], ["a"], **K),
            helper.make_node("Relu", ["a"], ["y"], name="r")], {"x": (FLOAT, (1, 1, 8, 8))}),
     "node 'r' (Relu): the operator is not supported in a whole graph; pool_layers=True takes"),
    # Dropouts that drop
    *((model([helper.make_node("Dropout", ["x"], ["y", *outputs], name="d")],
             {"x": (FLOAT, (1, 1, 8, 8))}, opset=opset), f"node 'd' (Dropout): {message}")
      for opset, outputs, message in ((6, [], "is_test = 0 is not supported"),
                                      (12, ["m"], "its mask is not supported"))),
    # Reductions that are not global pooling
    *((model([helper.make_node(op, ["x", *operands], ["y"], name="r", **words)],
             {"x": (element, (2, 3, 4, 5)), "n": (INT64, (2,))}, opset=opset,
             initializers=[helper.make_tensor("s", INT64, [2], [2, 3]),
                           helper.make_tensor("c", INT64, [1], [1]),
                           helper.make_tensor("e", INT64, [0], [])]), message)
      for op, opset, element, operands, words, message in (
          ("ReduceMean", 13, FLOAT, [], {"axes": [2, 3], "keepdims": 0},
           "node 'r' (ReduceMean): keepdims 0 is supported as keepdims 1 followed by Squeeze"),
          ("ReduceMean", 13, FLOAT, [], {"axes": [2, 4]}, "axis 4 of a tensor of rank 4"),
          ("ReduceMean", 13, FLOAT, [], {"axes": [3]},
           "axes [3] do not make it global pooling: dimension 2 is not reduced"),
          ("ReduceMax", 13, FLOAT, [], {},
           "axes [0, 1, 2, 3] do not make it global pooling: dimension 0 is reduced"),
          ("ReduceMax", 18, FLOAT, ["c"], {}, "dimension 1 is reduced"),
          ("ReduceMax", 18, FLOAT, ["e"], {"noop_with_empty_axes": 1}, "and reduces nothing"),
          ("ReduceMax", 18, FLOAT, ["n"], {}, "axes are supported as a constant"),
          ("ReduceMean", 18, INT64, ["s"], {}, "elements of type i64 are not supported"))),
    (one("ReduceMax", 13, shape=(2, 3)), "its input has rank 2, less than 3"),
    # Quantised nodes
    *((quantized(op, operands, opset, element, **words), f"node 'q' ({op}): {message}")
      for op, operands, opset, element, words, message in (
          ("DequantizeLinear", "x three", 13, INT8, {},
           "x_scale is a tensor<3xf32>; one for the whole tensor is supported"),
          ("DequantizeLinear", "x x_s", 13, INT8, {}, "x_scale is supported as a constant"),
          ("DequantizeLinear", "x zero", 13, INT8, {},
           "x_scale is 0.0; positive finite numbers are supported"),
          ("DequantizeLinear", "x s u8", 13, INT8, {},
           "x_zero_point has elements of type ui8, not i8"),
          ("DequantizeLinear", "x s i32", 13, TensorProto.INT32, {},
           "x_zero_point is 3; elements of type i32 have none but 0"),
          ("DequantizeLinear", "x s", 13, TensorProto.INT16, {},
           "input 'x' is a tensor(int16), which opset 13 does not allow"),
          ("DequantizeLinear", "x s", 21, INT8, {"block_size": 2},
           "block_size 2 is not supported"),
          ("DequantizeLinear", "x s", 23, INT8, {"output_dtype": TensorProto.FLOAT16},
           "output_dtype f16 is supported with an x_scale of that type"),
          ("QuantizeLinear", "x s", 23, FLOAT, {"precision": TensorProto.FLOAT16},
           "precision 10 is not supported"),
          ("QuantizeLinear", "x s", 21, FLOAT, {"output_dtype": TensorProto.INT4},
           "output_dtype int4 is not supported"),
          ("QuantizeLinear", "x s i8", 21, FLOAT, {"output_dtype": TensorProto.UINT8},
           "y_zero_point has elements of type i8, not ui8"),
          ("QuantizeLinear", "x s", 19, TensorProto.FLOAT16, {},
           "its input has elements of type f16, its scale of type f32"),
          ("QLinearAveragePool", "x s i8 s", 13, INT8, {}, "the required attribute 'kernel_shape'"),
          ("QLinearAveragePool", "x s i8 s", 13, INT8, {**K, "dilations": [1, 1]},
           "opset 1 has no attribute 'dilations' here"),
          ("QLinearAveragePool", "x s i8 s", 13, INT8, {**K, "channels_last": 2},
           "channels_last is 2, neither 0 nor 1"),
          ("QLinearAveragePool", "x s i8 s u8", 13, INT8, K,
           "y_zero_point has elements of type ui8, not i8"),
          ("QLinearAveragePool", "x s i8", 13, INT8, K, "has 3 inputs, opset 1 asks for 4 to 5"),
          ("QLinearGlobalAveragePool", "x s i8 x_s i8", 13, INT8, {},
           "y_scale is supported as a constant"),
          ("NhwcMaxPool", "x", 13, FLOAT, K,
           "input 'x' is a tensor(float), which opset 1 does not allow"),
          ("NhwcMaxPool", "x", 13, INT8, {"kernel_shape": [2, 9]},
           "spatial dimension 1: a window of 9 elements does not fit the padded extent 8"))),
    (quantized("DequantizeLinear", "x s i8", 13, INT8, domain="com.microsoft"),
     "the operator of domain 'com.microsoft' is not supported in a whole graph"),
    (b"no model at all", "not an ONNX model"),
    (onnx.ModelProto(), "not an ONNX model: it has no graph"),
]
LAYERS_REFUSED = [
    (model([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, (1, 1, 8, 8))}),
     "the model has no pooling node"),
    (model([helper.make_node("Foo", ["x"], ["z"], domain="other", name="f"),
            helper.make_node("Relu", ["z"], ["r"]),
            helper.make_node("MaxPool", ["r"], ["m"], name="p", **K),
            helper.make_node("Relu", ["m"], ["y"])], {"x": (FLOAT, (1, 1))}),
     "node 'p' (MaxPool): the type of its input 'r' is not known: onnx.shape_inference has no rule "
     "for node 'f' (Foo) of domain 'other'; add the type of 'r' to value_info"),
    (model([helper.make_node("Inverse", ["x"], ["z"], domain="com.microsoft", name="f"),
            helper.make_node("MaxPool", ["z"], ["m"], **K),
            helper.make_node("Relu", ["m"], ["y"])], {"x": (FLOAT, (1, 1))}),
     "or import the model that ONNX Runtime was given"),
    (model([helper.make_node("Foo", ["x"], ["z"], domain="other", name="f"),
            helper.make_node("GlobalMaxPool", ["z"], ["y"])], {"x": (FLOAT, (1, 1))}),
     "the rank of its input 'z' is not known: onnx.shape_inference has no rule for node 'f'"),
    (one("MaxPool", domain="com.microsoft.nchwc", **K), "a pooling node is not supported: "
     "node 'pool' (MaxPool) of domain 'com.microsoft.nchwc'; ONNX Runtime writes such nodes at"),
    (model([helper.make_node("QLinearMaxPool", ["x"], ["z"], "first", domain="com.microsoft"),
            helper.make_node("MaxRoiPool", ["z"], ["y"])], {"x": (FLOAT, (1, 1, 8, 8))}),
     "2 pooling nodes are not supported: node 'first' (QLinearMaxPool) of domain 'com.microsoft' "
     "is the first"),
    # With pool_layers, reductions that are not pooling are no errors.
    (model([helper.make_node("ReduceMean", ["x"], ["y"], axes=[3]),
            helper.make_node("ReduceMax", ["x"], ["z"], axes=[9])], {"x": (FLOAT, (1, 1, 8, 8))},
           opset=13), "the model has no pooling node"),
]


def check_refusals(report, import_onnx):
    for layers, table in ((False, REFUSED), (True, LAYERS_REFUSED)):
        for proto, expected in table:
            try:
                got = f"accepted:\n{import_onnx(proto, pool_layers=layers)}"
            except ValueError as error:
                got = str(error)
            if report.expect(expected in got, f"refusal: {expected}", got=got):
                report.count("refused with the right message")
    report.expect("pool.max_pool" in import_onnx(one("MaxPool", 25, **K)), "a later opset")
    try:
        import_onnx(one("MaxPool", **K), unpool_indices="mine")
    except ValueError as error:
        report.expect("'mine', neither 'inferred' nor 'given'" in str(error), "unpool_indices")


def mutated(rng, proto):
    """The model with one to four changes: a byte changed, removed or doubled."""
    data = bytearray(proto.SerializeToString())
    for _ in range(int(rng.integers(1, 5))):
        place = int(rng.integers(len(data)))
        kind = rng.integers(4)
        if kind == 0:
            data[place] = int(rng.integers(256))
        elif kind == 1:
            data[place] ^= 1 << int(rng.integers(8))
        elif kind == 2 and len(data) > 1:
            del data[place]
        else:
            data.insert(place, data[place])
    return bytes(data)


EXTREMES = (-2**63, -2**31, -1, 0, 1, 2, 3, 5, 2**31, 2**32 + 1, 2**62, 2**63 - 1)


def with_other_numbers(rng, proto):
    """The model with some extents and attributes changed."""
    node = proto.graph.node[0]
    for _ in range(int(rng.integers(1, 4))):
        value = EXTREMES[rng.integers(len(EXTREMES))]
        attributes = list(node.attribute)
        if attributes and rng.random() < 0.7:
            attribute = attributes[rng.integers(len(attributes))]
            if attribute.ints and rng.random() < 0.8:
                attribute.ints[rng.integers(len(attribute.ints))] = value
            elif attribute.type == onnx.AttributeProto.INTS:
                attribute.ints.append(value)
            else:
                attribute.i = value
        else:
            infos = [*proto.graph.input, *proto.graph.output]
            dims = infos[rng.integers(len(infos))].type.tensor_type.shape.dim
            if dims:
                dims[rng.integers(len(dims))].dim_value = value
    return proto.SerializeToString()


def check_mutants(report, import_onnx, count, seed):
    rng = np.random.default_rng(seed)
    accepted = {}
    for number in range(count):
        op = onnx_models.OPERATORS[number % len(onnx_models.OPERATORS)]
        proto = onnx_models.random_model(rng, op).proto()
        data = (with_other_numbers if number % 3 else mutated)(rng, proto)
        layers = bool(number % 2)
        try:
            accepted[import_onnx(data, pool_layers=layers)] = data
            report.count("mutants accepted")
        except ValueError as error:
            report.expect(str(error), "a message", data=data)
            report.count("mutants refused")
        except Exception as error:  # pylint: disable=broad-except
            report.mismatch(f"mutant: {type(error).__name__}: {error}", data=data)
    process = tools.pool_opt("\n// -----\n".join(accepted), "--split-input-file",
                             "--mlir-print-op-on-diagnostic=false")
    report.expect(process.returncode == 0, "an accepted mutant does not verify",
                  stderr=process.stderr[:3000])


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=tier.size(4000, 2000, 200))
    parser.add_argument("--seed", type=int, default=tier.seed(6))
    options = parser.parse_args()
    report = Report("what import_onnx refuses")
    import_onnx = onnx_import.importer().import_onnx
    check_refusals(report, import_onnx)
    check_mutants(report, import_onnx, options.mutants, options.seed)
    return report.finish()


if __name__ == "__main__":
    main(run)
