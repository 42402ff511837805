"""Values by OpenVINO's CPU plugin, many nodes in one compiled model.

`why_not` returns the reason why a case is not compared, or None. The plugin narrows integers
of 64 bits and ui32 to i32, and f64 to f32. It gets such data only if they survive the
narrowing. Otherwise, OpenVINO's reference code (`Node.evaluate`) computes maxima of integers;
other cases are not compared.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import openvino as ov
from openvino import opset8

from .openvino_nodes import can_say, node
from .peer_view import (first_case, indices_from_first, input_to_first,
                        output_from_first, with_explicit_pads)
from .rules import is_ill_defined, product, resolve

NAME = "OpenVINO"
# Element types that the plugin does not narrow, with the type of their arrays. bf16 goes
# through f32: a maximum is exact; an average is not rounded to bf16, but is within the bound.
NATIVE = {"f16": np.float16, "bf16": np.float32, "f32": np.float32,
          "i8": np.int8, "ui8": np.uint8, "i16": np.int16, "ui16": np.uint16,
          "i32": np.int32}
# Element types that the plugin narrows -> type in which it computes
NARROWED = {"f64": np.float32, "ui32": np.int32, "i64": np.int32, "ui64": np.int32}
# Element types of maxima that OpenVINO's reference code computes where narrowing loses data
EVALUATED = ("ui32", "i64", "ui64")
# The plugin's message for an operation that it has no code for on a processor
NO_CODE = "Supported primitive descriptors list is empty"

_core = None


def plain_type(case):
    """Returns the peers' name of the element type: they call si8 i8."""
    return case.element_type.removeprefix("s")


def peer_type(case, x):
    """Returns a pair: the NumPy type of the computation, and True if the plugin computes or
    False if OpenVINO's reference code does. Returns (None, None) if neither can compute it."""
    name = plain_type(case)
    if name in NATIVE:
        return np.dtype(NATIVE[name]), True
    narrow = np.dtype(NARROWED[name])
    if name == "f64":
        with np.errstate(over="ignore"):
            survives = np.array_equal(x, x.astype(narrow).astype(x.dtype), equal_nan=True)
    else:
        limits = np.iinfo(narrow)
        survives = x.size == 0 or (int(x.min()) > limits.min and int(x.max()) < limits.max)
    if survives:
        return narrow, True
    if name in EVALUATED and case.op == "max_pool":
        return case.dtype, False
    return None, None


def peer_case(case):
    """Returns the case rewritten with attributes that OpenVINO has."""
    view = first_case(case)
    if view.auto_pad.startswith("same"):
        # OpenVINO's same_* is our `same_output strided`, except that with ceil it rounds
        # twice. So cases with `same_output input` or ceil get explicit pads.
        if view.same_output == "input" or view.rounding_type == "ceil":
            view = with_explicit_pads(view)
    return view.with_(rounding_type="floor") if floor_is_enough(view) else view


def floor_is_enough(view):
    """True if floor gives the same outputs as the case's rounding. OpenVINO refuses
    ceil_torch where a window exceeds the padded extent."""
    if view.rounding_type == "floor":
        return False
    dims = resolve(view)
    floor = [(d.input + d.pad_begin + d.pad_end - (d.kernel - 1) * d.dilation - 1)
             // d.stride + 1 for d in dims]
    return floor == [d.output for d in dims]


def why_not(case, x):
    if case.op == "lp_pool":
        return "OpenVINO has no LpPool"
    if case.shape[0] == 0:
        return "OpenVINO refuses an empty batch"
    if case.num_spatial > 3:
        return "no peer has more than 3 spatial dimensions"
    if case.pad_value != "neg_inf":
        return "no peer pads a maximum with zero"
    if case.divisor_override is not None:
        return "no peer has divisor_override"
    if case.op == "avg_pool" and is_ill_defined(case):
        return "ill-defined averages are left to the oracle"
    if case.is_float and np.isnan(x.astype(np.float64)).any():
        return "peers treat NaN by order of appearance"
    dims = resolve(case)
    if any((d.kernel - 1) * d.dilation + 1 > d.input + d.pad_begin + d.pad_end
           for d in dims):
        return "OpenVINO refuses ceil_torch with E > padded extent"
    if peer_type(case, x)[0] is None:
        return "OpenVINO narrows these data"
    if case.op == "avg_pool":
        return why_not_average(case, x, dims)
    return None


def why_not_average(case, x, dims):
    if case.divisor == "padded":
        return "OpenVINO has no divisor 'padded'"
    if not case.is_float:
        if case.integer_rounding != "half_even" or case.input_zp or case.output_zp:
            return "OpenVINO rounds halves to even and has no zero points"
        if x.size and max(abs(int(x.min())), abs(int(x.max()))) > 1000:
            return "OpenVINO averages large integers in f32"
        dilated = any(d != 1 for d in case.dilations or ())
        if plain_type(case) not in ("i8", "ui8") and (case.divisor == "kernel" or dilated):
            return "OpenVINO's plugin has no such average of more than 8 bits"
    view = peer_case(case)
    padded = any(d.pad_begin or d.pad_end for d in resolve(view))
    if case.divisor == "kernel" and not padded:
        return "OpenVINO's exclude-pad=false without pads counts as 'valid'"
    if case.divisor == "valid" and view.auto_pad == "explicit" and any(
            max(d.pad_begin, d.pad_end) >= (d.kernel - 1) * d.dilation + 1
            for d in resolve(view)):
        return "OpenVINO refuses exclude-pad with a pad >= E"
    return None


def version(case):
    """Returns the oldest version that has the case's attributes, so that the tests use all
    versions."""
    versions = (8, 14) if case.op == "max_pool" else (1, 14, 16)
    return next(v for v in versions if can_say(case, v))


class Values:
    """Collects cases, then evaluates all of them at once."""

    def __init__(self):
        self.jobs = []

    def add(self, case, x):
        dtype, by_plugin = peer_type(case, x)
        data = input_to_first(case, x).astype(dtype)
        view = peer_case(case)
        self.jobs.append((case, view, data, by_plugin))

    def run(self):
        """Returns [values, indices or None] for each added case, in order. A case that the
        plugin has no code for on this processor has None instead."""
        results = [None] * len(self.jobs)
        by_plugin = [i for i, job in enumerate(self.jobs) if job[3]]
        for i, arrays in zip(by_plugin, run_what_is_there([self.jobs[i] for i in by_plugin])):
            results[i] = arrays
        for i, job in enumerate(self.jobs):
            if not job[3]:
                results[i] = run_reference(job)
        return [arrays and back(job[0], arrays) for job, arrays in zip(self.jobs, results)]


def back(case, arrays):
    values = output_from_first(case, arrays[0])
    if case.index_type is None:
        return [values, None]
    return [values, indices_from_first(case, arrays[1]).astype(f"int{case.index_type[1:]}")]


def run_what_is_there(jobs):
    """Runs all jobs together. If the plugin has no code for one of them, runs halves, until
    only jobs without code fail; these get None."""
    try:
        return run_plugin(jobs)
    except RuntimeError as error:
        if NO_CODE not in str(error):
            raise
    if len(jobs) == 1:
        return [None]
    half = len(jobs) // 2
    return run_what_is_there(jobs[:half]) + run_what_is_there(jobs[half:])


def run_plugin(jobs):
    global _core
    if not jobs:
        return []
    _core = _core or ov.Core()
    parameters, outputs, first = [], [], []
    for case, view, data, _ in jobs:
        parameter = opset8.parameter(list(data.shape), data.dtype)
        built = node(view, version(view), parameter)
        parameters.append(parameter)
        first.append(len(outputs))
        outputs += [built.output(i) for i in range(built.get_output_size())]
    compiled = _core.compile_model(ov.Model(outputs, parameters), "CPU", {
        "INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    request = compiled.create_infer_request()
    for i, (_, _, data, _) in enumerate(jobs):
        request.set_input_tensor(i, ov.Tensor(data))
    request.infer()
    first.append(len(outputs))
    return [[np.array(request.get_output_tensor(i).data) for i in range(a, b)]
            for a, b in zip(first, first[1:])]


def run_reference(job):
    _, view, data, _ = job
    parameter = opset8.parameter(list(data.shape), data.dtype)
    built = node(view, version(view), parameter)
    outputs = [ov.Tensor(built.get_output_element_type(i), built.get_output_shape(i))
               for i in range(built.get_output_size())]
    if not built.evaluate(outputs, [ov.Tensor(data)]):
        raise RuntimeError(f"OpenVINO does not evaluate {view}")
    return [np.array(tensor.data) for tensor in outputs]


def start_value(case, x):
    """Initial value of the plugin's maximum, in the type of the result.

    The initial value is the lowest finite number of the type of the computation. 16-bit
    integers are computed in i32, and truncating the lowest i32 to 16 bits gives 0.
    """
    dtype, by_plugin = peer_type(case, x)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.float32(np.finfo(np.float32).min).astype(dtype)
    if by_plugin and dtype.itemsize == 2:
        return dtype.type(0)
    return np.iinfo(dtype).min


KNOWN_DIFFERENCE = "OpenVINO starts a maximum from its lowest finite number"


def known_difference(case, x, maxima, values, indices):
    """Returns masks (values forgiven, indices forgiven) of answers that differ from the
    rules in exactly the known way of OpenVINO.

    An answer is forgiven only where no element of the window exceeds the maximum's initial
    value: the window has only padding, or all elements are -infinity or the type's lowest.
    There OpenVINO returns the initial value, and the index of the plane's first element.
    """
    dtype, by_plugin = peer_type(case, x)
    mask = maxima.padding_only.copy()
    computes_wider = by_plugin and (dtype.itemsize == 2 or dtype != case.dtype)
    if dtype.kind == "f":
        mask |= np.isneginf(maxima.values.astype(np.float64))
    elif not computes_wider:
        mask |= maxima.values == np.iinfo(case.dtype).min
    forgiven = mask & (values == start_value(case, x))
    if indices is None:
        return forgiven, None
    axis = case.axis % case.rank
    planes = np.zeros(mask.shape, np.int64)
    for position in np.ndindex(*mask.shape):
        planes[position] = sum(position[d] * product(case.shape[d + 1:])
                               for d in (0, case.channel_dim) if d >= axis)
    return forgiven, mask & (indices == planes)
