"""The sentences that decide, and what each document says of a vector."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from dataclasses import dataclass

from pool_conformance.rules import Refusal
from pool_conformance.vector import Vector

SEMANTICS = "pool-mlir Semantics"
SHAPES = "OpenVINO pooling shape rules"
# Name -> (document, its sentence)
RULES = {
    "floor": (SHAPES, "auto_pad = explicit and rounding_type = floor: H_out = floor((H + "
              "pads_begin[0] + pads_end[0] - ((kernel[0] - 1) * dilations[0] + 1)) / strides[0] "
              "+ 1)"),
    "ceil": (SHAPES, "auto_pad = explicit and rounding_type = ceil: H_out = ceil((H + "
             "pads_begin[0] + pads_end[0] - ((kernel[0] - 1) * dilations[0] + 1)) / strides[0] "
             "+ 1)"),
    "ceil_torch": ("PyTorch MaxPool2d", "When ceil_mode=True, sliding windows are allowed to go "
                   "off-bounds if they start within the left padding or the input. Sliding "
                   "windows that would start in the right padded region are ignored."),
    "same_input": (SHAPES, "auto_pad = same_upper / same_lower: H_out = H"),
    "same_strided": ("ONNX MaxPool", "SAME_UPPER or SAME_LOWER mean pad the input so that "
                     "output_shape[i] = ceil(input_shape[i] / strides[i]) for each axis i."),
    "same_odd": ("OpenVINO MaxPool-8", "In case of odd padding value, an extra padding is added "
                 "at the end (at the beginning)."),
    "valid_pads": ("OpenVINO MaxPool-8", "pads_begin and pads_end attributes are ignored when "
                   "auto_pad is not equal to explicit."),
    "padding": ("OpenVINO MaxPool-8", "If paddings are used, during the pooling calculation "
                "their values are -inf."),
    "padding_only": (SEMANTICS, "A window of padding alone is legal. It gives the padding "
                     "value, and index 0."),
    "no_count": ("nGraph AvgPool", "This operator is ill-defined when both of the following "
                 "conditions hold: i = false, and the operator's other attribute values "
                 "indicate that at least one window will contain only padding elements."),
    "dilation": ("OpenVINO MaxPool-8", "A value of 2 indicates that one pixel is skipped and "
                 "every other pixel is considered."),
    "valid": ("nGraph AvgPool", "If i is false, then averages are computed using only the "
              "non-padding tensor elements that are present in each window."),
    "padded": ("ONNX AveragePool", "The output of each pooling window is divided by the number "
               "of elements (exclude pad when attribute count_include_pad is zero)."),
    "kernel": ("nGraph AvgPool", "If i is true, then averages are computed as though the "
               "padding region contained regular elements of value zero."),
    "override": ("PyTorch AvgPool2d", "divisor_override: if specified, it will be used as "
                 "divisor, otherwise size of the pooling region will be used."),
    "pads": ("ONNX MaxPool", "pads format should be as follow [x1_begin, x2_begin...x1_end, "
             "x2_end,...], where xi_begin the number of pixels added at the beginning of axis i "
             "and xi_end, the number of pixels added at the end of axis i."),
    "infinity": (SEMANTICS, "The maximum of nothing but -infinity is -infinity, not the lowest "
                 "finite number."),
    "nan": (SEMANTICS, "ignore, the default, gives the largest element that is not NaN, and "
            "-infinity if there is none. propagate gives NaN if the window holds one. Neither "
            "depends on the order in which elements are met."),
    "nan_index": (SEMANTICS, "Under ignore, if all elements are NaN, nothing is chosen. The "
                  "index then names the window's first element inside the input. Under "
                  "propagate, the index names the first NaN."),
    "nan_sum": (SEMANTICS, "NaN and infinities propagate."),
    "nan_skip": (SEMANTICS, "Under ignore a NaN adds nothing. valid and padded do not count it."),
    "ties": (SEMANTICS, "Ties: the first in row-major order of the window is chosen."),
    "zero": (SEMANTICS, "-0 equals +0: which zero is returned is free, but the index names the "
             "first of either sign."),
    "extremes": (SEMANTICS, "Padding and overhang count as minus infinity, for integers as the "
                 "smallest value of the type."),
    "max": ("OpenVINO MaxPool-8", "The max pooling operation involves sliding a filter over "
            "each channel of a feature map and downsampling by choosing the largest value "
            "within the region covered by the filter."),
    "min": (SEMANTICS, "min_pool is max_pool with the order reversed: the smallest element of "
            "the window."),
    "integers": (SEMANTICS, "The sum is exact, in an accumulator that cannot overflow. It is "
                 "divided exactly and rounded to the nearest integer."),
    "zero_points": (SEMANTICS, "The elements of the sum are x - input_zp, and padding counts as "
                    "input_zp. output_zp is added after the rounding, and the result "
                    "saturates."),
    "axis": ("OpenVINO MaxPool-8", "The upper bound is the product of dimensions starting from "
             "the one pointed by the 'axis' attribute until the end of the input shape."),
    "no_padding": ("OpenVINO MaxPool-8", "Values are computed as indices in a tensor flattened "
                   "to 1D, not considering padding."),
    "i32": (SEMANTICS, "i32 can name 2^31 positions: the product of dims[axis:] may be that "
            "large."),
    "window_index": (SEMANTICS, "window: the row-major number of the tap in the kernel, padding "
                     "included; the last number must fit."),
    "unpool": ("ONNX MaxUnpool", "All the non-maximal values from the original input to MaxPool "
               "are set to zero in the output of the MaxUnpool op."),
    "unpool_twice": (SEMANTICS, "A position that is named twice holds the last of its values in "
                     "row-major order."),
    "unpool_range": (SEMANTICS, "An index that names no position (negative or too large) never "
                     "writes outside the tensor. In every interface that calls compiled code, "
                     "it is an error before anything is written."),
    "grad_max": (SEMANTICS, "Each output gradient is added at the position that its window "
                 "chose."),
    "grad_avg": (SEMANTICS, "Each output gradient, divided by the divisor of its window, is "
                 "added to every position inside the input that the window covers."),
    "grad_overlap": (SEMANTICS, "Where windows overlap, gradients accumulate; f16 and bf16 "
                     "accumulate in f32 and are rounded once."),
    "grad_lp": (SEMANTICS, "lp_pool_grad: dy * sign(x) * (|x| / y)^(p-1), 0 where y is 0."),
    "adaptive": (SEMANTICS, "Output o covers the positions [floor(o * I / O), ceil((o + 1) * I "
                 "/ O)), as in PyTorch and OpenVINO's Adaptive*-8."),
    "half": (SEMANTICS, "f16 and bf16 accumulate in f32."),
    "f8": (SEMANTICS, "Sums and powers in f32, rounded once to nearest even: overflow is NaN in "
           "f8E4M3FN, infinity in f8E5M2."),
    "empty": (SEMANTICS, "The batch may be empty. Then the result is empty too."),
    "wide": (SEMANTICS, "Any quantity of the rule that leaves a 64-bit signed integer is an "
             "error; all others are exact."),
    "lp": (SEMANTICS, "(sum |x|^p)^(1/p) over the window. Padding counts as zero and overhang "
           "adds nothing."),
    "normalize": (SEMANTICS, "normalize divides the sum by that count before the root."),
    "sum": (SEMANTICS, "The sum of the window; padding and overhang add zero. Integers wrap; "
            "floats add in f32 (f64 in f64) and round once."),
    "pad_zero": ("BNNS pooling", "Define x_padding and y_padding as 1 to add zero padding."),
    "reduce_window": ("StableHLO reduce_window", "Applies a reduction function body to windows "
                      "of inputs and init_values and produces results."),
    "refused": (SEMANTICS, "Each of these is an error that names the operation, the dimension "
                "and the numbers."),
    "does_not_fit": (SEMANTICS, "A window longer than the padded input, E > I + pb + pe, is an "
                     "error."),
}


@dataclass(frozen=True)
class Document:
    """What a document can say. None means that it is silent."""

    operations: tuple[str, ...]
    rounding: tuple[str, ...] = ("floor",)
    same_output: str | None = None
    divisors: tuple[str, ...] = ("valid",)
    nan: str | None = None
    nan_sum: str | None = None
    axis: int | None = None
    integer_rounding: str | None = None
    pad_value: str = "neg_inf"
    dilations: bool = True
    layout: str = "channels_first"


POOLS = ("max_pool", "avg_pool")
ADAPTIVE = ("adaptive_max_pool", "adaptive_avg_pool")
DOCUMENTS = {
    "openvino": Document(POOLS + ADAPTIVE, ("floor", "ceil", "ceil_torch"), "input",
                         ("valid", "kernel"), axis=-1),
    "ngraph": Document(("avg_pool",), divisors=("valid", "kernel"), dilations=False,
                       nan_sum="propagate"),
    "bnns": Document(("max_pool", "max_unpool", "lp_pool", "avg_pool"), pad_value="zero"),
    "onnx": Document(POOLS + ADAPTIVE + ("lp_pool", "max_unpool"), ("floor", "ceil_torch"),
                     "strided", ("valid", "padded"), axis=0),
    "pytorch": Document(POOLS + ADAPTIVE + ("lp_pool", "max_unpool"), ("floor", "ceil_torch"),
                        None, ("valid", "padded"), axis=2),
    "tosa": Document(POOLS, nan="both", nan_sum="propagate", integer_rounding="half_away",
                     dilations=False, layout="channels_last"),
    "stablehlo": Document(("reduce_window",)),
    "tflite": Document(POOLS, same_output="strided", dilations=False, layout="channels_last"),
    "webnn": Document(POOLS + ("lp_pool",), ("floor", "ceil")),
}


def positions(vector: Vector) -> dict[str, str]:
    """Returns `agree`, `disagree` or `silent` for each document that has the operation. Silent:
    the document has no such attribute, or does not say what happens."""
    return {name: position(vector, document) for name, document in DOCUMENTS.items()
            if vector.operation in document.operations}


def position(vector: Vector, document: Document) -> str:
    get = vector.attributes.get
    if document is DOCUMENTS["openvino"] and get("divisor") == "kernel" \
            and get("auto_pad") == "explicit" and not any(get("pads_begin") + get("pads_end")) \
            and not vector.means_same(divisor="valid"):
        # exclude-pad speaks of padding, and here is only an overhang.
        return "silent"
    if vector.operation == "reduce_window":
        return "agree"
    if vector.operation in ADAPTIVE and document is DOCUMENTS["onnx"] \
            and set(get("output_size")) != {1}:
        return "silent"
    if get("pad_value") not in (None, document.pad_value) and any(
            (get("pads_begin") or []) + (get("pads_end") or [])):
        return "disagree" if document.pad_value == "zero" else "silent"
    if vector.has_nan:
        rule = document.nan_sum if "avg" in vector.operation else document.nan
        if rule not in ("both", get("nan_mode")):
            return "silent" if rule is None else "disagree"
    if get("index_type"):
        if document.axis is None or get("index_base") == "window":
            return "silent"
        if document.axis >= 0 and document.axis not in vector.index_axes():
            return "disagree"
    if get("integer_rounding") and vector.type[0] in "iu" and "avg" in vector.operation \
            and document.integer_rounding != get("integer_rounding"):
        return "silent" if document.integer_rounding is None else "disagree"
    if get("divisor_override") is not None:
        return "agree" if document is DOCUMENTS["pytorch"] else "silent"
    if vector.operation == "lp_pool" and (get("normalize") != "none" or get("p") != 2
                                          and document is DOCUMENTS["bnns"]):
        return "silent"
    return window_position(vector, document)


def window_position(vector: Vector, document: Document) -> str:
    get = vector.attributes.get
    if "kernel" not in vector.attributes or vector.operation == "max_unpool":
        return "agree"
    if any(d != 1 for d in get("dilations")) and not document.dilations:
        return "silent"
    if get("auto_pad").startswith("same"):
        if document.same_output is None:
            return "silent"
        if get("same_output") != document.same_output and not vector.means_same(
                same_output=document.same_output):
            return "disagree"
    try:
        vector.dimensions()
    except Refusal:
        return "silent"
    if not any(r == get("rounding_type") or vector.means_same(rounding_type=r)
               for r in document.rounding):
        return "silent" if len(document.rounding) == 1 else "disagree"
    if get("divisor") and not any(d == get("divisor") or vector.means_same(divisor=d)
                                  for d in document.divisors):
        return "silent" if len(document.divisors) == 1 else "disagree"
    return "agree"
