# Writes a model with unknown extents: maxima before and after a convolution, and one after an
# operator that nobody knows. unknown_model.py PATH.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

FLOAT = onnx.TensorProto.FLOAT


def pool(source, target):
    return helper.make_node("MaxPool", [source], [target], name=target, kernel_shape=[2, 2],
                            strides=[2, 2])


def value(name):
    return helper.make_tensor_value_info(name, FLOAT, ("N", 1, "height", "width"))


nodes = [pool("x", "p1"), pool("p1", "p2"), helper.make_node("Conv", ["p2", "w"], ["c"]),
         pool("c", "p3"), helper.make_node("Foreign", ["p3"], ["f"], domain="elsewhere"),
         pool("f", "p4")]
graph = helper.make_graph(
    nodes, "model", [value("x")], [helper.make_tensor_value_info("p4", FLOAT, None)],
    [numpy_helper.from_array(np.ones((1, 1, 3, 3), np.float32), "w")],
    value_info=[helper.make_tensor_value_info("f", FLOAT, ("M", 1, "h", "w"))])
onnx.save(helper.make_model(graph, ir_version=9, opset_imports=[
    helper.make_opsetid("", 17), helper.make_opsetid("elsewhere", 1)]), sys.argv[1])
