"""OpenVINO's CPU plugin; tensors are bound once."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import numpy as np
import openvino as ov
from openvino import opset8
from pooltest import openvino_nodes, openvino_values
from pooltest.peer_view import first_case, to_first, with_explicit_pads

from .base import Function, Peer, Unsupported, same_divisors, same_rounding


def sayable(case):
    """Returns the case, channels first, in OpenVINO's terms; raises Unsupported."""
    view = first_case(case).with_(axis=case.axis, nan_mode="ignore")
    if view.auto_pad.startswith("same"):
        view = with_explicit_pads(view)
    if case.op == "lp_pool":
        raise Unsupported("has no LpPool")
    if case.op == "avg_pool":
        if case.divisor_override is not None or case.input_zp or case.output_zp:
            raise Unsupported("has no divisor but its own, and no zero points")
        padded = any(view.pads_begin or ()) or any(view.pads_end or ())
        usable = [d for d in same_divisors(view) if d == "valid" or (d == "kernel" and padded)]
        if not usable:
            raise Unsupported(f"has no divisor '{case.divisor}'")
        view = view.with_(divisor=usable[0])
    if case.layout != "channels_first" and case.index_type:
        raise Unsupported("has indices for channels first only")
    if same_rounding(view, "floor"):
        view = view.with_(rounding_type="floor")
    return view


class OpenVINO(Peer):
    names = ("openvino",)

    def __init__(self, context):
        super().__init__(context)
        self.core = ov.Core()

    def version(self):
        return ov.__version__.split("-")[0]

    def prepare(self, name, workload, x):
        case = workload.case
        view = sayable(case)
        element = ov.Type.bf16 if case.element_type == "bf16" else case.dtype
        parameter = opset8.parameter(list(x.shape), element)
        operand = parameter
        order = to_first(case)
        if case.layout == "channels_last":
            operand = opset8.transpose(parameter, opset8.constant(np.array(order, np.int64)))
        try:
            built = openvino_nodes.node(view, openvino_values.version(view), operand)
        except (RuntimeError, StopIteration) as error:
            raise Unsupported(str(error).strip().splitlines()[-1]) from error
        outputs = [built.output(i) for i in range(2 if case.index_type else 1)]
        if case.layout == "channels_last":
            back = opset8.constant(np.argsort(order).astype(np.int64))
            outputs = [opset8.transpose(o, back).output(0) for o in outputs]
        precision = case.element_type if case.element_type in ("f16", "bf16") else "f32"
        compiled = self.core.compile_model(ov.Model(outputs, [parameter]), "CPU", {
            "INFERENCE_PRECISION_HINT": precision, "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": self.context.threads})
        request = compiled.create_infer_request()
        if case.element_type == "bf16":
            tensor = ov.Tensor(x.view(np.uint16), list(x.shape), ov.Type.bf16)
        else:
            tensor = ov.Tensor(x, shared_memory=True)
        request.set_input_tensor(tensor)

        def read(_):
            arrays = [np.array(request.get_output_tensor(i).data) for i in range(len(outputs))]
            return arrays[0].view(case.dtype), arrays[1] if len(arrays) > 1 else None

        # Results are views instead of copies.
        infer = functools.partial(request.infer, share_inputs=True, share_outputs=True)
        return Function(infer, read)
