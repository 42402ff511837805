"""Makes OpenVINO's nodes for a case, and infers shapes by building them.

`openvino_values.py` compiles and runs the nodes.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from openvino import opset1, opset8, opset14, opset16

# Versions of OpenVINO's operations. A newer version accepts everything that an older one
# accepts. MaxPool-8 adds dilations and indices, MaxPool-14 adds ceil_torch. AvgPool-14 adds
# ceil_torch, AvgPool-16 adds dilations.
VERSIONS = {"max_pool": (8, 14), "avg_pool": (1, 14, 16)}


def can_say(case, version):
    """True if this version of OpenVINO's operation can express the case's attributes."""
    if case.layout != "channels_first" or case.pad_value != "neg_inf":
        return False
    if case.rounding_type == "ceil_torch" and version < 14:
        return False
    dilated = any(d != 1 for d in case.dilations or ())
    if case.op == "avg_pool":
        return (case.divisor in ("valid", "kernel") and case.divisor_override is None
                and (version >= 16 or not dilated))
    return True


def node(case, version, parameter):
    """Makes the OpenVINO node; raises RuntimeError if OpenVINO refuses it."""
    n = case.num_spatial
    strides = list(case.strides or [1] * n)
    dilations = list(case.dilations or [1] * n)
    begin = list(case.pads_begin or [0] * n)
    end = list(case.pads_end or [0] * n)
    if case.op == "max_pool":
        opset = {8: opset8, 14: opset14}[version]
        return opset.max_pool(parameter, strides, dilations, begin, end,
                              list(case.kernel), case.rounding_type, case.auto_pad,
                              case.index_type or "i64", case.axis)
    opset = {1: opset1, 14: opset14, 16: opset16}[version]
    more = {"dilations": dilations} if version == 16 else {}
    return opset.avg_pool(parameter, strides, begin, end, list(case.kernel),
                          case.divisor == "valid", case.rounding_type, case.auto_pad,
                          **more)


def infer(case, version):
    """Returns (output shape, None) or (None, OpenVINO's message)."""
    parameter = opset8.parameter(list(case.shape), np.float32)
    try:
        built = node(case, version, parameter)
    except (RuntimeError, TypeError, OverflowError) as error:
        return None, str(error)
    shape = built.get_output_partial_shape(0)
    return [shape[d].get_length() for d in range(len(case.shape))], None
