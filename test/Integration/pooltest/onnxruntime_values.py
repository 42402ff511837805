"""Values by ONNX Runtime's CPU provider, many nodes in one model.

ONNX's ceil_mode is our ceil_torch, and its count_include_pad is our divisor `padded`. ONNX's
indices count over the whole tensor.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from .peer_view import (first_case, indices_from_first, input_to_first,
                        output_from_first, with_explicit_pads)
from .rules import Refused, is_ill_defined, resolve

NAME = "ONNX Runtime"
MAX_TYPES = {"f16": TensorProto.FLOAT16, "f32": TensorProto.FLOAT,
             "f64": TensorProto.DOUBLE, "i8": TensorProto.INT8, "ui8": TensorProto.UINT8}
AVERAGE_TYPES = {"f16": TensorProto.FLOAT16, "f32": TensorProto.FLOAT}
TYPES = {"max_pool": MAX_TYPES, "avg_pool": AVERAGE_TYPES, "lp_pool": AVERAGE_TYPES}
OPSET = 22


def plain_type(case):
    return case.element_type.removeprefix("s")


def peer_case(case):
    view = first_case(case)
    if view.auto_pad.startswith("same"):
        return with_explicit_pads(view)
    return view


def why_not(case, x):
    if plain_type(case) not in TYPES[case.op]:
        return f"ONNX Runtime has no {case.op} of this type"
    if case.shape[0] == 0:
        return "ONNX Runtime: empty batch left to the oracle"
    if case.num_spatial > 3:
        return "no peer has more than 3 spatial dimensions"
    if case.pad_value != "neg_inf":
        return "no peer pads a maximum with zero"
    if case.divisor_override is not None:
        return "no peer has divisor_override"
    if case.op == "avg_pool" and is_ill_defined(case):
        return "ill-defined averages are left to the oracle"
    if case.op == "avg_pool" and case.divisor == "kernel":
        return "ONNX Runtime has no divisor 'kernel'"
    if case.is_float and np.isnan(x.astype(np.float64)).any():
        return "peers treat NaN by order of appearance"
    view = peer_case(case)
    dims = resolve(view)
    if any(max(d.pad_begin, d.pad_end) >= d.kernel for d in dims):
        return "ONNX Runtime refuses pads >= kernel"
    if any((d.kernel - 1) * d.dilation + 1 > d.input + d.pad_begin + d.pad_end
           for d in dims):
        return "ONNX Runtime: E > padded extent left to the oracle"
    if view.rounding_type == "ceil":
        try:
            torch = resolve(view.with_(rounding_type="ceil_torch"))
        except Refused:
            torch = None
        if torch != dims:
            return "ONNX Runtime computes ceil_mode as ceil_torch"
    return None


class Values:
    """Collects cases, then evaluates all of them at once."""

    def __init__(self):
        self.jobs = []

    def add(self, case, x):
        self.jobs.append((case, peer_case(case), input_to_first(case, x)))

    def run(self):
        """Returns [values, indices or None] for each added case, in order."""
        if not self.jobs:
            return []
        nodes, inputs, outputs, feeds, first = [], [], [], {}, []
        for number, (case, view, data) in enumerate(self.jobs):
            types = TYPES[case.op]
            element = types[plain_type(case)]
            feeds[f"x{number}"] = data
            inputs.append(helper.make_tensor_value_info(f"x{number}", element, data.shape))
            first.append(len(outputs))
            names = [f"v{number}"] + ([f"i{number}"] if case.index_type else [])
            nodes.append(make_node(view, f"x{number}", names))
            outputs += [helper.make_tensor_value_info(name, kind, None) for name, kind
                        in zip(names, (element, TensorProto.INT64))]
        model = helper.make_model(
            helper.make_graph(nodes, "pools", inputs, outputs),
            opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        arrays = session.run(None, feeds)
        first.append(len(outputs))
        return [back(job[0], arrays[a:b])
                for job, a, b in zip(self.jobs, first, first[1:])]


def make_node(view, operand, names):
    n = view.num_spatial
    attributes = {
        "kernel_shape": list(view.kernel),
        "strides": list(view.strides or [1] * n),
        "dilations": list(view.dilations or [1] * n),
        "ceil_mode": int(view.rounding_type != "floor"),
    }
    if view.auto_pad == "explicit":
        attributes["pads"] = (list(view.pads_begin or [0] * n)
                              + list(view.pads_end or [0] * n))
    else:
        attributes["auto_pad"] = view.auto_pad.upper()
    if view.op == "max_pool":
        return helper.make_node("MaxPool", [operand], names, **attributes)
    if view.op == "lp_pool":
        return helper.make_node("LpPool", [operand], names, p=view.p, **attributes)
    return helper.make_node("AveragePool", [operand], names,
                            count_include_pad=int(view.divisor == "padded"), **attributes)


def back(case, arrays):
    values = output_from_first(case, arrays[0])
    if case.index_type is None:
        return [values, None]
    return [values, indices_from_first(case, arrays[1]).astype(f"int{case.index_type[1:]}")]


KNOWN_DIFFERENCE = "ONNX Runtime: a window of -infinity or of padding alone"


def known_difference(case, x, maxima, values, indices):
    """Returns masks (values forgiven, indices forgiven) of answers that differ from the
    rules in a known way of ONNX Runtime.

    A maximum without indices, or of a window of only padding, starts from the lowest finite
    number instead of -inf. The index of a window of only padding is meaningless.
    """
    forgiven = np.zeros(values.shape, bool)
    if case.is_float:
        forgiven = np.isneginf(maxima.values.astype(np.float64))
        forgiven &= values == np.finfo(values.dtype).min
    return forgiven, None if indices is None else maxima.padding_only
