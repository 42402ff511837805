"""Adaptive pooling by OpenVINO's AdaptiveAvgPool-8 and AdaptiveMaxPool-8.

OpenVINO's CPU plugin evaluates many nodes in one compiled model. Indices count within the
plane, as in PyTorch. Indices are i32, because the plugin has no i64 indices for these operations.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import openvino as ov
from openvino import opset8

from .openvino_values import peer_type
from .peer_view import indices_from_first, input_to_first, output_from_first, to_first
from .rules import product

NAME = "OpenVINO"
_core = None


def why_not(problem):
    case, x = problem.case, problem.x
    if case.shape[0] == 0:
        return "OpenVINO refuses an empty batch"
    if case.is_float and np.isnan(x.astype(np.float64)).any():
        return "peers treat NaN by order of appearance"
    if not peer_type(case, x)[1]:
        return "OpenVINO narrows these data"
    if case.is_float:
        return None
    largest = max(abs(int(x.min())), abs(int(x.max())))
    if case.op == "max_pool":
        return "OpenVINO takes this maximum in f32" if largest > 2**24 else None
    if case.integer_rounding != "half_even" or case.input_zp or case.output_zp:
        return "OpenVINO rounds halves to even and has no zero points"
    if set(problem.size) == {1}:
        return "OpenVINO sums a global average in the element type"
    return "OpenVINO averages large integers in f32" if largest > 1000 else None


def evaluate(problems):
    """Returns [values, indices or None] for each problem, in the problem's layout."""
    global _core
    if not problems:
        return []
    _core = _core or ov.Core()
    parameters, outputs, data, first = [], [], [], []
    for problem in problems:
        x = input_to_first(problem.case, problem.x).astype(peer_type(problem.case, problem.x)[0])
        parameter = opset8.parameter(list(x.shape), x.dtype)
        size = np.array(problem.size, np.int64)
        node = (opset8.adaptive_max_pool(parameter, size, "i32")
                if problem.case.op == "max_pool" else opset8.adaptive_avg_pool(parameter, size))
        first.append(len(outputs))
        outputs += [node.output(i) for i in range(node.get_output_size())]
        parameters.append(parameter)
        data.append(x)
    compiled = _core.compile_model(ov.Model(outputs, parameters), "CPU", {
        "INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    request = compiled.create_infer_request()
    for i, x in enumerate(data):
        request.set_input_tensor(i, ov.Tensor(x))
    request.infer()
    first.append(len(outputs))
    return [back(problem.case, [np.array(request.get_output_tensor(i).data)
                                for i in range(begin, end)])
            for problem, begin, end in zip(problems, first, first[1:])]


def back(case, arrays):
    values = output_from_first(case, arrays[0])
    if case.index_type is None:
        return [values, None]
    # OpenVINO's indices count within a plane. Add the number of elements of all planes before.
    shape = [case.shape[d] for d in to_first(case)]
    planes = np.arange(shape[0] * shape[1], dtype=np.int64).reshape(
        tuple(shape[:2]) + (1,) * case.num_spatial)
    flat = planes * product(shape[2:]) + arrays[1]
    return [values, indices_from_first(case, flat)]
