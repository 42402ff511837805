"""LiteRT, the runtime of TFLite models, with XNNPACK; channels last."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from importlib import metadata

from ai_edge_litert.interpreter import Interpreter
from pooltest import rules
from pooltest.tflite_models import TYPES, Writer

from .base import Function, Peer, Unsupported, same_divisors

OPERATORS = {"max_pool": "MAX_POOL_2D", "avg_pool": "AVERAGE_POOL_2D"}


def padding(case):
    """Returns the model's word for the case's pads; raises Unsupported."""
    plain = case.with_(pads_begin=None, pads_end=None, rounding_type="floor")
    for word, auto_pad in (("SAME", "same_upper"), ("VALID", "valid")):
        try:
            if rules.resolve(plain.with_(auto_pad=auto_pad)) == rules.resolve(case):
                return word
        except rules.Refused:
            pass
    raise Unsupported("has no pads but those of SAME and VALID")


class LiteRT(Peer):
    names = ("litert",)

    def version(self):
        return metadata.version("ai-edge-litert")

    def prepare(self, name, workload, x):
        case = workload.case
        if case.layout != "channels_last" or case.num_spatial != 2 or case.index_type \
                or case.op not in OPERATORS:
            raise Unsupported("has maxima and averages in two dimensions, channels last, without "
                              "indices")
        dims = rules.resolve(case)
        if case.pad_value != "neg_inf" or case.input_zp or case.output_zp \
                or any(d.dilation != 1 for d in dims):
            raise Unsupported("has no such pooling")
        if case.op == "avg_pool" and "valid" not in same_divisors(case):
            raise Unsupported(f"has no divisor '{case.divisor}'")
        if case.op == "avg_pool" and not case.is_float and case.integer_rounding != "half_away":
            raise Unsupported("rounds averages of integers by half_away")
        if case.dtype not in TYPES:
            raise Unsupported(f"has no pooling of {case.element_type}")
        writer = Writer()
        scale = None if case.is_float else (1.0, 0)
        source, target = (writer.tensor(word, shape, case.dtype, scale)
                          for word, shape in (("x", case.shape), ("y", workload.output)))
        writer.pool(OPERATORS[case.op], source, target, padding(case), [d.kernel for d in dims],
                    [d.stride for d in dims])
        try:
            interpreter = Interpreter(model_content=writer.finish([source], [target]),
                                      num_threads=self.context.threads)
            interpreter.allocate_tensors()
        except (RuntimeError, ValueError) as error:
            raise Unsupported(str(error).strip().splitlines()[0]) from error
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
        output = interpreter.get_output_details()[0]["index"]
        return Function(interpreter.invoke, lambda _: (interpreter.get_tensor(output), None))
