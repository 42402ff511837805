"""The faults that pages of the repository claim of other systems, each with the vector that shows
it. make_reports.py writes them with the results of the last runs to reports/claims.md.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

# System, vector, what the pages claim
CLAIMS = (
    ("openvino", "infinities/max_pool-f32",
     "the maximum of nothing but -infinity is the lowest finite number"),
    ("openvino", "padding-only-window/max_pool-index-around-1d",
     "and so is that of a window of padding alone"),
    ("openvino", "adaptive-bounds/adaptive_max_pool-43559-to-396",
     "adaptive pooling finds its windows in f32"),
    ("openvino", "ceil-divisor/kernel-ceil-i3-k2-s2-p0",
     "`exclude-pad` = false without pads counts no overhang"),
    ("openvino", "same-strides/max_pool-same-lower-input-i3-k2-s3",
     "`same_*` with strides keeps not as many windows as its document says"),
    ("openvino", "integer-extremes/max_pool-i32-beyond-f32",
     "maxima of integers go through f32"),
    ("openvino", "integer-extremes/max_pool-i64-beyond-f64", "64-bit integers are narrowed"),
    ("openvino", "empty-batch/max_pool", "an empty batch is refused"),
    ("openvino", "nan-order/max_pool-pads-either",
     "NaN is treated by its place in the window"),
    ("onnxruntime", "nan-order/max_pool-third-either",
     "the maximum depends on the place of a NaN in the window"),
    ("onnxruntime", "infinities/max_pool-f32",
     "in f32 without indices, a maximum starts from the lowest finite number"),
    ("onnxruntime", "dilation-with-pads/max_pool-window-longer-than-input",
     "and so it is for a window of padding alone"),
    ("onnxruntime", "same-strides/max_pool-same-upper-dilated",
     "the pads of SAME are computed without the dilation"),
    ("onnxruntime", "same-strides/max_pool-same-upper-strided-i5-k1-s3",
     "the pads of SAME are negative where the stride is beyond the kernel"),
    ("onnxruntime", "padding-only-window/max_pool-floor-pads-2-0",
     "pads of a kernel or more are refused"),
    ("onnxruntime", "refusals/max_pool-dilated-too-long",
     "a window longer than the padded input gives a result"),
    ("onnx-reference", "lp-pool/p2-ceil", "the overhang of LpPool is counted twice"),
    ("onnx-reference", "index-axis/batch-axis0",
     "indices of a batch do not count from its first element"),
    ("torch", "padding-only-window/max_pool-index-around-2d",
     "the index of a window of padding alone, which dilation makes, is outside the input"),
    ("torch", "padding-only-window/max_pool_grad-around-2d",
     "and its gradient is written there, outside the tensor"),
    ("torch", "nan-order/max_pool-index-either", "the index of NaN is the last one's"),
    ("torch", "lp-pool/p2-ceil", "`lp_pool` scales a window that reaches over the end"),
    ("torch", "padding-only-window/max_pool-ceil-i2-k1-s3-p1",
     "padding of more than half the kernel is refused"),
    ("jax", "gradient-overlap/max-dilated", "the gradient of a dilated maximum is refused"),
    ("jax", "gradient-ties/max-nan-propagate",
     "the gradient of a maximum goes by the place of a NaN"),
    ("jax", "gradient-ties/max-minus-infinity-pads",
     "in a window of -infinity alone the padding may be chosen, and the gradient is lost"),
    ("xla-select-and-scatter", "gradient-ties/max-2d-end-pad",
     "of equal elements another than the first is chosen if there is padding"),
    ("tosa", "infinities/max_pool-f32",
     "upstream's lowering of TOSA starts a maximum from the lowest finite number"),
    ("tosa-reference", "nan-order/max_pool-all-ignore",
     "a window of nothing but ignored NaN is NaN"),
    ("litert", "nan-order/max_pool-first-either",
     "XNNPACK gives -infinity for windows with NaN"),
    ("litert", "infinities/avg_pool-f32", "XNNPACK's average of infinities of both signs"),
    ("litert-reference", "infinities/max_pool-f32-2d",
     "the maximum of nothing but -infinity is the lowest finite number"),
    ("litert-reference", "infinities/max_pool-only-infinity",
     "and that of infinity the largest"),
    ("litert-reference", "infinities/avg_pool-only-infinity", "averages saturate too"),
    ("litert-reference", "nan-order/max_pool-all-either",
     "the maximum of nothing but NaN is the lowest finite number"),
    ("iree-onnx", "integer-extremes/max_pool-ui8", "unsigned maxima are compared signed"),
    ("iree-onnx", "index-axis/batch-axis0",
     "indices of ONNX's MaxPool count within a plane, not from axis 0"),
    ("torch-mlir", "adaptive-bounds/adaptive_max_pool-2d",
     "adaptive maxima whose sizes do not divide are not lowered"),
    ("torch-mlir", "integer-extremes/max_pool-ui8", "unsigned maxima are compared signed"),
    ("torch-mlir", "nan-order/max_pool-index-either", "the index of NaN is -1"),
)


def table(results: list[dict[str, Any]]) -> str:
    """Returns the page. A claim without a result says that it was not run."""
    known = {result["system"]: result for result in results}
    lines = ["# Faults that our pages claim of others", "",
             "Each claim with the vector that shows it, and what the system did in the last run.",
             "A claim that a run does not show is withdrawn from the pages. Made by",
             "`conformance/scripts/make_reports.py` from `conformance/scripts/claims.py`.", "",
             "| system | claim | vector | result |", "|---|---|---|---|"]
    for system, vector, claim in CLAIMS:
        result = known.get(system)
        entry = result["results"].get(vector) if result else None
        if result is None or entry is None:
            lines.append(f"| {system} | {claim} | `{vector}` | not run |")
            continue
        message = entry.get("message", "").replace("|", "\\|")
        shown = "**not shown**: " if entry["status"] in ("pass", "unsupported") else ""
        lines.append(f"| [{result['title']} {result['version']}]({system}.md) | {claim} | "
                     f"`{vector}` | {shown}{entry['status']}"
                     + (f": {message}" if message else "") + " |")
    return "\n".join(lines) + "\n"
