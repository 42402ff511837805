"""ONNX Runtime's CPU provider; tensors are bound once."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from pooltest import onnxruntime_values, rules
from pooltest.peer_view import first_case, indices_from_first, to_first, with_explicit_pads

from .base import Function, Peer, Unsupported, same_divisors, same_rounding

QUANTIZED_DOMAIN = "com.microsoft"


def sayable(case):
    """Returns the case, channels first, in ONNX's terms; raises Unsupported."""
    view = first_case(case)
    if case.divisor_override is not None or case.input_zp or case.output_zp:
        raise Unsupported("has no divisor but its own, and no zero points")
    if case.op == "avg_pool":
        usable = [d for d in same_divisors(view) if d in ("valid", "padded")]
        if not usable:
            raise Unsupported(f"has no divisor '{case.divisor}'")
        view = view.with_(divisor=usable[0])
    if view.auto_pad.startswith("same"):
        view = with_explicit_pads(view)
    if same_rounding(view, "floor"):
        return view.with_(rounding_type="floor")
    if not same_rounding(view, "ceil_torch"):
        raise Unsupported("computes ceil as ceil_torch")
    return view.with_(rounding_type="ceil_torch")


def make_model(case, x):
    """Returns (an ONNX model of the case on input like `x`, names of its results);
    raises Unsupported."""
    element = onnxruntime_values.TYPES[case.op].get(onnxruntime_values.plain_type(case))
    if element is None:
        raise Unsupported(f"has no {case.op} of {case.element_type}")
    view = sayable(case)
    order = to_first(case)
    values = ["v"] + (["i"] if case.index_type else [])
    node = onnxruntime_values.make_node(view, "x", values)
    nodes, results = [node], list(values)
    imports = [helper.make_opsetid("", onnxruntime_values.OPSET)]
    if case.layout == "channels_last":
        if case.element_type in ("i8", "ui8") and case.op == "max_pool" and not case.index_type:
            # This operator takes channels last. All others here need transposed data.
            node.op_type, node.domain = "NhwcMaxPool", QUANTIZED_DOMAIN
            imports.append(helper.make_opsetid(QUANTIZED_DOMAIN, 1))
        else:
            node.input[0] = "first"
            results = [f"{value}_last" for value in values]
            nodes = [helper.make_node("Transpose", ["x"], ["first"], perm=order), node]
            nodes += [helper.make_node("Transpose", [value], [result],
                                       perm=[int(d) for d in np.argsort(order)])
                      for value, result in zip(values, results)]
    outputs = [helper.make_tensor_value_info(name, kind, rules.output_shape(case))
               for name, kind in zip(results, (element, TensorProto.INT64))]
    graph = helper.make_graph(
        nodes, "pool", [helper.make_tensor_value_info("x", element, x.shape)], outputs)
    return helper.make_model(graph, opset_imports=imports, ir_version=10), results


def read_back(case, arrays):
    """Returns (values, indices) in the case's form; ONNX's indices count channels first."""
    if not case.index_type:
        return arrays[0], None
    first = np.ascontiguousarray(arrays[1].transpose(to_first(case)))
    return arrays[0], indices_from_first(case, first)


class OnnxRuntime(Peer):
    names = ("onnxruntime",)

    def version(self):
        return onnxruntime.__version__

    def prepare(self, name, workload, x):
        case = workload.case
        model, results = make_model(case, x)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.context.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(
                model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its exceptions share no base of their own
            raise Unsupported(str(error).strip().splitlines()[0]) from error
        binding = session.io_binding()
        binding.bind_ortvalue_input("x", onnxruntime.OrtValue.ortvalue_from_numpy(x))
        types = [case.dtype, np.dtype(np.int64)]
        values = [onnxruntime.OrtValue.ortvalue_from_shape_and_type(list(workload.output), t)
                  for t, _ in zip(types, results)]
        for result, value in zip(results, values):
            binding.bind_ortvalue_output(result, value)
        return Function(lambda: session.run_with_iobinding(binding),
                        lambda _: read_back(case, [v.numpy() for v in values]))
