"""Problems that `pool-conformance hunt` found and no other case had."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from casebook import add

NAN, INF = float("nan"), float("inf")

# openvino onnxruntime: a window of one element changes it.
for type_name in ("f32", "f64"):
    add("infinities", f"max_pool-kernel-1-{type_name}", "max_pool", [INF, -INF, 1],
        rule="infinity", kernel=[1], type=type_name)
    add("nan-order", f"max_pool-kernel-1-{type_name}-either", "max_pool", [NAN], rule="nan",
        kernel=[1], nan_mode="either", type=type_name)
add("nan-order", "max_pool-f16-row-either", "max_pool", [[NAN, -INF, NAN]], rule="nan",
    kernel=[1, 2], nan_mode="either", type="f16")
# openvino onnxruntime: SAME of a dilated window on one element gives no result.
for op in ("max_pool", "avg_pool"):
    add("same-strides", f"{op}-same-upper-dilated-one-element", op, [1], rule="same_odd",
        kernel=[2], dilations=[2], auto_pad="same_upper", same_output="strided")
# torch reference: the last NaN, and gradients of f16 that add in f16.
add("gradient-ties", "max-two-nan-either", "max_pool_grad", [NAN, NAN], grad=[[[1]]],
    rule="nan_index", kernel=[2], nan_mode="either")
add("gradient-ties", "max-two-nan-pads-either", "max_pool_grad", [NAN, NAN], grad=[[[1, 2, 4]]],
    rule="nan_index", kernel=[2], pads_begin=[1], pads_end=[1], nan_mode="either")
add("gradient-ties", "adaptive-max-nan-either", "adaptive_max_pool_grad",
    [[-INF, -INF], [NAN, NAN]], grad=[[[[1]]]], rule="nan_index", output_size=[1, 1],
    nan_mode="either")
add("nan-order", "adaptive-max-index-either", "adaptive_max_pool", [NAN, NAN],
    rule="nan_index", output_size=[3], index_type="i64", nan_mode="either")
add("half-accumulation", "adaptive_avg_pool-f16-grad", "adaptive_avg_pool_grad", [0] * 7,
    grad=[[[1, 2, 3]]], rule="half", output_size=[3], type="f16")
for op, rule in (("max_pool", "ceil_torch"), ("avg_pool", "ceil_torch"), ("lp_pool", "lp")):
    add("ceil-last-window", f"{op}-ceil-torch-one-element", op, [1], rule=rule, kernel=[2],
        strides=[2], rounding_type="ceil_torch")
# onnx-reference reference: a window longer than the input, and the row of an index.
add("ceil-last-window", "avg_pool-ceil-torch-longer-than-input", "avg_pool", [1, 2],
    rule="ceil_torch", kernel=[4], strides=[3], rounding_type="ceil_torch")
add("index-axis", "max_pool-one-row-ui8", "max_pool", [[1, 2, 3]], rule="axis", kernel=[1, 3],
    index_type="i64", type="ui8")
# tract onnxruntime: a reciprocal in f16, and an index of the lowest value.
add("half-accumulation", "avg_pool-f16-negative-thirds", "avg_pool", [0, -4, -3], rule="half",
    kernel=[3], type="f16")
add("index-axis", "max_pool-lowest-in-batch-ui8", "max_pool",
    [[[[1, 1]]], [[[1, 0]]]], rule="axis", kernel=[1, 1], index_type="i64", type="ui8")
# jax: the padding may be chosen in a window of -infinity alone.
add("gradient-ties", "max-minus-infinity-pads", "max_pool_grad", [-INF, -INF],
    grad=[[[1, 2, 4]]], rule="grad_max", kernel=[2], pads_begin=[1], pads_end=[1])
# jax reference: NaN beside padding, and averages of f16 that are f32.
add("gradient-ties", "max-nan-alone-same-either", "max_pool_grad", [NAN], grad=[[[1]]],
    rule="nan_index", kernel=[3], auto_pad="same_lower", nan_mode="either")
add("half-accumulation", "avg_pool-f16-kernel-1", "avg_pool", [5], rule="valid", kernel=[1],
    type="f16")
# XLA's select_and_scatter takes another of two equal elements if there is padding.
add("gradient-ties", "max-2d-end-pad", "max_pool_grad", [[1, 2, 2], [2, 1, 3]], grad=[[[[5, 7]]]],
    rule="grad_max", kernel=[2, 2], strides=[1, 2], pads_begin=[0, 0], pads_end=[0, 1],
    threads=("jax-ml/jax#6010",))
# Windows of one number alone: LiteRT's kernels saturate infinities.
for op, word, number in (("max_pool", "infinity", INF), ("avg_pool", "infinity", INF),
                         ("avg_pool", "minus-infinity", -INF)):
    add("infinities", f"{op}-only-{word}", op, [[number, number], [number, number]],
        rule="infinity" if op == "max_pool" else "nan_sum", kernel=[2, 2])
add("infinities", "l2-only-infinity", "lp_pool", [[INF, INF], [INF, INF]], rule="lp",
    kernel=[2, 2], normalize="valid")
add("nan-order", "l2-only-nan", "lp_pool", [[NAN, NAN], [NAN, NAN]], rule="nan_sum",
    kernel=[2, 2], normalize="valid")
