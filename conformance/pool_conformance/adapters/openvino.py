"""OpenVINO's CPU plugin, by models of one node."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..adapter import Adapter, Refused, Results, Unsupported
from ..tensor import Tensor
from ..vector import Vector
from ._view import View, assignments, imports

TYPES = {"f16": "f16", "bf16": "bf16", "f32": "f32", "f64": "f64", "i8": "i8", "ui8": "u8",
         "i16": "i16", "ui16": "u16", "i32": "i32", "ui32": "u32", "i64": "i64", "ui64": "u64",
         "f8E4M3FN": "f8e4m3", "f8E5M2": "f8e5m2"}
CONFIG = {"INFERENCE_NUM_THREADS": 1, "EXECUTION_MODE_HINT": "ACCURACY"}
# Types that OpenVINO's tensors share their bits with
BITS = {"bf16": np.uint16, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8}


def make_node(vector: Vector) -> tuple[str, str, list[Any]]:
    """Returns the opset, the function and its arguments after the data.

    OpenVINO's documents state: SAME keeps the input's extent; ceil and ceil_torch are what the
    vectors call them; exclude-pad counts elements inside, otherwise every position counts.
    """
    op = vector.operation
    if vector.type.startswith("f8"):
        raise Unsupported(f"the CPU plugin's pooling has no {vector.type}")
    Adapter.only(vector, pad_value="neg_inf", divisor_override=None, input_zp=0, output_zp=0,
                 integer_rounding="half_even", index_base="input")
    if op == "adaptive_avg_pool":
        Adapter.check_nan(vector, "propagate")
        return "opset8", "adaptive_avg_pool", [vector["output_size"]]
    if op == "adaptive_max_pool":
        Adapter.check_axis(vector, 2)
        Adapter.check_nan(vector, None)
        # Without indices, their type is free, and the plugin has code for i32 only.
        return "opset8", "adaptive_max_pool", [vector["output_size"],
                                               vector["index_type"] or "i32"]
    if op not in ("max_pool", "avg_pool"):
        raise Unsupported(f"OpenVINO has no {op}")
    if vector["auto_pad"].startswith("same"):
        Adapter.choose(vector, "same_output", "input")
    window = [vector["strides"], vector["dilations"], vector["pads_begin"], vector["pads_end"],
              vector["kernel"]]
    if op == "max_pool":
        Adapter.check_nan(vector, None)
        return "opset14", "max_pool", [*window, vector["rounding_type"], vector["auto_pad"],
                                       vector["index_type"] or "i64", vector["axis"]]
    Adapter.check_nan(vector, "propagate")
    exclude = Adapter.choose(vector, "divisor", "valid", "kernel") == "valid"
    window.pop(1)
    return "opset16", "avg_pool", [*window, exclude, vector["rounding_type"],
                                   vector["auto_pad"], vector["dilations"]]


class OpenVINO(Adapter):
    """The CPU plugin, in its accurate mode."""

    title = "OpenVINO"
    requirements = ("openvino", "numpy")
    documents = ("openvino",)
    tracker = "https://github.com/openvinotoolkit/openvino/issues"

    def __init__(self) -> None:
        import openvino
        self.openvino = openvino
        self.core = openvino.Core()

    def version(self) -> str:
        return self.openvino.__version__.split("-")[0]

    @contextmanager
    def system(self) -> Iterator[None]:
        """Turns exceptions into Refused with the last line: the others are places in
        OpenVINO's code."""
        try:
            yield
        except (Unsupported, Refused):
            raise
        except Exception as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            raise Refused(f"{type(error).__name__}: {lines[-1] if lines else ''}"[:300]) \
                from error

    def _node(self, vector: Vector) -> tuple[Any, Any]:
        opset, function, arguments = make_node(vector)
        with self.system():
            parameter = self.openvino.opset8.parameter(
                list(vector.shape), getattr(self.openvino.Type, TYPES[vector.type]))
            module = getattr(self.openvino, opset)
            if function == "adaptive_avg_pool":
                node = module.adaptive_avg_pool(parameter, np.array(arguments[0], np.int64))
            elif function == "adaptive_max_pool":
                node = module.adaptive_max_pool(parameter, np.array(arguments[0], np.int64),
                                                *arguments[1:])
            elif function == "avg_pool":
                node = module.avg_pool(parameter, *arguments[:-1], dilations=arguments[-1])
            else:
                node = module.max_pool(parameter, *arguments)
        return parameter, node

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_first", (1, 2, 3))
        parameter, node = self._node(view.vector)
        x = view.vector.x
        with self.system():
            outputs = [node.output(i) for i in range(len(vector.outputs))]
            model = self.openvino.Model(outputs, [parameter])
            compiled = self.core.compile_model(model, "CPU", CONFIG)
            request = compiled.create_infer_request()
            assert x.array is not None
            array = np.ascontiguousarray(x.array)
            if x.type in BITS:
                tensor = self.openvino.Tensor(array, list(x.shape),
                                              getattr(self.openvino.Type, TYPES[x.type]))
            else:
                tensor = self.openvino.Tensor(array)
            request.set_input_tensor(tensor)
            request.infer()
            found = [request.get_output_tensor(i) for i in range(len(outputs))]
            results: dict[str, Any] = {}
            for name, result in zip(vector.outputs, found):
                element = result.get_element_type().get_type_name()
                array = np.array(result.data)
                for ours, theirs in TYPES.items():
                    if theirs == element and ours in BITS:
                        results[name] = Tensor.of(array.view(BITS[ours]), ours)
                        break
                else:
                    results[name] = array
        return view.back(results)

    def infer(self, vector: Vector) -> dict[str, tuple[int, ...]]:
        view = View(vector, "channels_first", (1, 2, 3))
        _, node = self._node(view.vector)
        with self.system():
            shapes = [tuple(node.get_output_shape(i)) for i in range(len(vector.outputs))]
        return {name: view.shape_back(shape) for name, shape in zip(vector.outputs, shapes)}

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, "channels_first", (1, 2, 3))
        opset, function, arguments = make_node(view.vector)
        x = view.vector.x
        texts = [repr(argument) for argument in arguments]
        if function.startswith("adaptive"):
            texts[0] = f"np.array({texts[0]}, np.int64)"
        if function == "avg_pool":
            texts[-1] = f"dilations={texts[-1]}"
        data = "x"
        if x.type in BITS:
            bits = np.dtype(BITS[x.type]).name
            data = f"x.view(np.{bits}), list(x.shape), ov.Type.{TYPES[x.type]}"
        lines = imports(view.vector, "import openvino as ov", f"from openvino import {opset}")
        lines += ["", *assignments(view.vector),
                  f"p = {opset}.parameter(list(x.shape), ov.Type.{TYPES[x.type]})",
                  f"node = {opset}.{function}(p, {', '.join(texts)})",
                  "model = ov.Model([node.output(i) for i in "
                  f"range({len(vector.outputs)})], [p])",
                  f"request = ov.Core().compile_model(model, 'CPU', {CONFIG!r})"
                  ".create_infer_request()",
                  f"request.set_input_tensor(ov.Tensor({data}))", "request.infer()",
                  f"for i in range({len(vector.outputs)}):",
                  "    print(request.get_output_tensor(i).data)"]
        return "\n".join(lines) + "\n"


ADAPTERS = {"openvino": OpenVINO}
