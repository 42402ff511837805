# Writes an ONNX model with a convolution and a maximum: conv_model.py PATH.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

FLOAT = onnx.TensorProto.FLOAT
nodes = [helper.make_node("Conv", ["x", "w"], ["c"], name="c"),
         helper.make_node("MaxPool", ["c"], ["y"], name="pool", kernel_shape=[2, 2],
                          strides=[2, 2])]
graph = helper.make_graph(
    nodes, "model", [helper.make_tensor_value_info("x", FLOAT, (1, 1, 4, 4))],
    [helper.make_tensor_value_info("y", FLOAT, (1, 1, 2, 2))],
    [numpy_helper.from_array(np.ones((1, 1, 1, 1), np.float32), "w")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9),
          sys.argv[1])
