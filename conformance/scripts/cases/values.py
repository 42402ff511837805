"""Infinities, NaN, ties, zeros, padding with zero, sums and other reductions."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from casebook import add, has_case, mixed, ramp

NAN, INF = float("nan"), float("inf")
FLOATS = ("f32", "f64", "f16", "bf16")
SHAPES = ((1, 1, 4), (1, 1, 2, 2), (1, 1, 1, 2, 2))

for type_name in FLOATS:
    for op, bad in (("max_pool", -INF), ("min_pool", INF)):
        add("infinities", f"{op}-{type_name}", op, [bad, bad, bad], rule="infinity",
            kernel=[2], type=type_name)
        add("infinities", f"{op}-{type_name}-2d", op, [[bad, bad], [bad, bad]],
            rule="infinity", kernel=[2, 2], type=type_name)
        add("infinities", f"{op}-{type_name}-pads", op, [bad, 1], rule="infinity", kernel=[2],
            pads_begin=[1], pads_end=[1], type=type_name)
    add("infinities", f"avg_pool-{type_name}", "avg_pool", [INF, 1, -INF, -1, INF, -INF],
        rule="nan_sum", kernel=[2], strides=[2], type=type_name)
for op, bad in (("max_pool", -INF), ("min_pool", INF)):
    add("infinities", f"{op}-indices", op, [bad, bad, bad], rule="ties", kernel=[2],
        index_type="i64")
    add("infinities", f"{op}-indices-2d-pads", op, [[bad, bad], [bad, bad]], rule="ties",
        kernel=[2, 2], pads_begin=[1, 1], pads_end=[0, 0], index_type="i64")
    add("infinities", f"{op}-3d", op, [[[[[bad, bad], [bad, bad]]]]], rule="infinity",
        kernel=[1, 2, 2])
    add("infinities", f"{op}-wide-row", op, [bad] * 40, rule="infinity", kernel=[3],
        strides=[2])
    add("infinities", f"{op}-channels-last", op, [[[[bad], [bad]], [[bad], [bad]]]],
        rule="infinity", kernel=[2, 2], layout="channels_last")
add("infinities", "global-max", "adaptive_max_pool", [-INF, -INF], rule="infinity",
    output_size=[1])
add("infinities", "adaptive-max", "adaptive_max_pool", [-INF, -INF, -INF], rule="infinity",
    output_size=[2], index_type="i64")
add("infinities", "global-max-2d", "adaptive_max_pool", [[-INF, -INF]], rule="infinity",
    output_size=[1, 1])

# The place of the NaN in windows of four: first, second, third, last, everywhere.
WINDOWS = {"first": [NAN, 1, 2, 3], "second": [1, NAN, 2, 3], "third": [3, 2, NAN, 1],
           "last": [1, 2, 3, NAN], "largest-first": [3, NAN, 1, 2], "two": [NAN, 1, NAN, 2],
           "all": [NAN] * 4, "with-infinity": [-INF, NAN, -INF, -INF]}
for mode in ("either", "ignore", "propagate"):
    # In TOSA, a window of nothing but ignored NaN is NaN.
    alone = {"tosa": "disagree"} if mode == "ignore" else None
    for where, window in WINDOWS.items():
        add("nan-order", f"max_pool-{where}-{mode}", "max_pool", window, rule="nan",
            kernel=[4], nan_mode=mode, documents=alone if where == "all" else None)
    add("nan-order", f"max_pool-two-orders-{mode}", "max_pool", [NAN, 1, 1, NAN], rule="nan",
        kernel=[2], strides=[2], nan_mode=mode)
    add("nan-order", f"max_pool-2d-orders-{mode}", "max_pool", [[NAN, 1, 2, 3, 1, 2, 4, 1],
                                                                [3, 2, 1, NAN, 3, NAN, NAN, 5]],
        rule="nan", kernel=[2, 2], strides=[2, 2], nan_mode=mode)
    add("nan-order", f"max_pool-3d-orders-{mode}", "max_pool",
        [[[[[NAN, 1, 1, 2], [2, 3, 3, NAN]]]]], rule="nan", kernel=[1, 2, 2],
        strides=[1, 2, 2], nan_mode=mode)
    add("nan-order", f"max_pool-overlap-{mode}", "max_pool", [1, 2, NAN, 3, 4], rule="nan",
        kernel=[3], nan_mode=mode)
    add("nan-order", f"max_pool-pads-{mode}", "max_pool", [NAN, 1, NAN], rule="nan",
        kernel=[2], pads_begin=[1], pads_end=[1], nan_mode=mode, documents=alone)
    add("nan-order", f"min_pool-orders-{mode}", "min_pool", [NAN, 1, 1, NAN, NAN, NAN],
        rule="nan", kernel=[2], strides=[2], nan_mode=mode)
    add("nan-order", f"min_pool-2d-orders-{mode}", "min_pool", [[NAN, 1, 2, 3], [3, 2, 1, NAN]],
        rule="nan", kernel=[2, 2], strides=[2, 2], nan_mode=mode)
    for op in ("max_pool", "min_pool"):
        add("nan-order", f"{op}-index-{mode}", op, [1, NAN, NAN, NAN, 4, 4], rule="nan_index",
            kernel=[2], strides=[2], nan_mode=mode, index_type="i64")
    add("nan-order", f"adaptive-max-{mode}", "adaptive_max_pool", [NAN, 1, 1, NAN], rule="nan",
        output_size=[2], nan_mode=mode)
    add("nan-order", f"global-max-{mode}", "adaptive_max_pool", [[1, NAN], [3, 2]], rule="nan",
        output_size=[1, 1], nan_mode=mode)
    add("nan-order", f"max_pool-f16-{mode}", "max_pool", [NAN, 1, 1, NAN], rule="nan",
        kernel=[2], strides=[2], nan_mode=mode, type="f16")
    add("nan-order", f"max_pool-channels-last-{mode}", "max_pool",
        [[[[NAN], [1], [1], [NAN]]]], rule="nan", kernel=[1, 2], strides=[1, 2],
        nan_mode=mode, layout="channels_last")
add("nan-order", "avg_pool-first-and-last", "avg_pool", [NAN, 1, 1, NAN, 1, 1], rule="nan_sum",
    kernel=[2], strides=[2])
add("nan-order", "avg_pool-leaves-the-window", "avg_pool", [NAN, 1, 1, 1], rule="nan_sum",
    kernel=[2])
add("nan-order", "avg_pool-infinity-leaves-the-window", "avg_pool", [INF, 1, 1, 1],
    rule="nan_sum", kernel=[2])
add("nan-order", "max_pool-nan-leaves-the-window", "max_pool", [NAN, 1, 2, 1], rule="nan",
    kernel=[2], nan_mode="propagate")
add("nan-order", "lp_pool-nan", "lp_pool", [NAN, 1, 1, 1], rule="nan_sum", kernel=[2],
    strides=[2])

for least in (0, 1, 2):
    for op in ("avg_pool", "sum_pool", "lp_pool"):
        add("nan-skipping", f"{op}-min-count-{least}", op, [NAN, 2, 4, 6, NAN, NAN],
            rule="nan_skip", kernel=[2], strides=[2], nan_mode="ignore", min_count=least)
for divisor in ("valid", "padded", "kernel"):
    add("nan-skipping", f"avg_pool-{divisor}", "avg_pool", [NAN, 2, 4], rule="nan_skip",
        kernel=[2], pads_begin=[1], pads_end=[1], nan_mode="ignore", divisor=divisor)
add("nan-skipping", "avg_pool-override", "avg_pool", [NAN, 2], rule="nan_skip", kernel=[2],
    nan_mode="ignore", divisor_override=4)

for type_name in ("f32", "f16", "i8", "ui8", "i32", "i64", "f64"):
    for op in ("max_pool", "min_pool"):
        add("ties", f"{op}-{type_name}", op, [7, 7, 7, 7], rule="ties", kernel=[3],
            type=type_name, index_type="i64")
for op in ("max_pool", "min_pool"):
    add("ties", f"{op}-2d-row-major", op, [[1, 1, 1], [1, 1, 1], [1, 1, 1]], rule="ties",
        kernel=[2, 2], index_type="i64", threads=("pola-rs/polars#27778",))
    add("ties", f"{op}-column-before-row", op, [[0, 5], [5, 0]] if op == "max_pool"
        else [[9, 5], [5, 9]], rule="ties", kernel=[2, 2], index_type="i64")
    add("ties", f"{op}-3d", op, [[[[[4, 4], [4, 4]], [[4, 4], [4, 4]]]]], rule="ties",
        kernel=[2, 2, 2], index_type="i64")
    add("ties", f"{op}-pads", op, [[6, 6], [6, 6]], rule="ties", kernel=[2, 2],
        pads_begin=[1, 1], pads_end=[1, 1], index_type="i64")
    add("ties", f"{op}-dilated", op, [3, 3, 3, 3, 3], rule="ties", kernel=[2], dilations=[2],
        index_type="i64")
    add("ties", f"{op}-i32-indices", op, [3, 3, 3], rule="ties", kernel=[2],
        index_type="i32")
    add("ties", f"{op}-wide-row", op, [8] * 40, rule="ties", kernel=[3], index_type="i64")
add("ties", "adaptive", "adaptive_max_pool", [2, 2, 2, 2, 2], rule="ties", output_size=[3],
    index_type="i64")
add("ties", "adaptive-2d", "adaptive_max_pool", [[2, 2], [2, 2]], rule="ties",
    output_size=[1, 1], index_type="i64")

for type_name in ("f32", "f16", "bf16", "f64"):
    for op in ("max_pool", "min_pool"):
        add("negative-zero", f"{op}-{type_name}", op, [-0.0, 0.0, -0.0], rule="zero",
            kernel=[2], type=type_name)
        add("negative-zero", f"{op}-{type_name}-index", op, [-0.0, 0.0, -0.0], rule="zero",
            kernel=[2], type=type_name, index_type="i64")
add("negative-zero", "max_pool-2d-index", "max_pool", [[-0.0, 0.0], [0.0, -0.0]], rule="zero",
    kernel=[2, 2], index_type="i64")
add("negative-zero", "avg_pool", "avg_pool", [-0.0, -0.0], rule="valid", kernel=[2])
add("negative-zero", "max_pool-grad", "max_pool_grad", [-0.0, 0.0], grad=[[[1]]], rule="zero",
    kernel=[2])

for op, values in (("max_pool", [-3, -2, -1]), ("min_pool", [3, 2, 1])):
    for type_name in ("f32", "i32"):
        add("zero-padding", f"{op}-{type_name}", op, values, rule="pad_zero", kernel=[2],
            pads_begin=[1], pads_end=[1], pad_value="zero", type=type_name)
    add("zero-padding", f"{op}-overhang", op, values, rule="pad_zero", kernel=[2], strides=[2],
        rounding_type="ceil", pad_value="zero")
    add("zero-padding", f"{op}-not-zero", op, values, rule="padding", kernel=[2],
        pads_begin=[1], pads_end=[1], threads=("llvm/torch-mlir PR 826",))
    add("zero-padding", f"{op}-not-zero-2d", op, [values, values], rule="padding",
        kernel=[2, 2], pads_begin=[1, 1], pads_end=[0, 0])
add("zero-padding", "max_pool-bnns-example", "max_pool", [[1, 2], [3, 4]], rule="pad_zero",
    kernel=[2, 2], pads_begin=[1, 1], pads_end=[1, 1], pad_value="zero")
add("zero-padding", "max_pool-all-padding", "max_pool", [-1], rule="pad_zero", kernel=[1],
    pads_begin=[1], pads_end=[1], pad_value="zero")

for narrow, wide, top in (("i8", "i8", 127), ("i8", "i16", 127), ("i8", "i32", 127),
                          ("i32", "i32", 2**31 - 1), ("i32", "i64", 2**31 - 1),
                          ("ui8", "ui8", 255), ("ui8", "ui32", 255)):
    add("sums", f"{narrow}-to-{wide}", "sum_pool", [top, top, 1], rule="sum", kernel=[2],
        type=narrow, element_type=wide if wide != narrow else None)
for type_name in ("f16", "bf16"):
    add("sums", f"{type_name}-to-f32", "sum_pool", [256, 1, 0.5], rule="sum", kernel=[3],
        type=type_name, element_type="f32")
add("sums", "f16-overflow", "sum_pool", [60000, 60000], rule="sum", kernel=[2], type="f16")
add("sums", "padded", "sum_pool", ramp(3), rule="sum", kernel=[2], pads_begin=[1],
    pads_end=[1])
add("sums", "ceil", "sum_pool", ramp(3), rule="sum", kernel=[2], strides=[2],
    rounding_type="ceil")
add("sums", "2d", "sum_pool", mixed(3, 3), rule="sum", kernel=[2, 2])

XLA = ("openxla/stablehlo#1662", "iree-org/iree#7619", "iree-org/iree#1116")
for reduction, init, type_name in (("add", 0, "f32"), ("max", "-inf", "f32"),
                                   ("min", "inf", "f32"), ("mul", 1, "f32"), ("add", 0, "i32"),
                                   ("max", -2**31, "i32"), ("min", 2**31 - 1, "i32"),
                                   ("and", -1, "i32"), ("or", 0, "i32"), ("xor", 0, "i32"),
                                   ("add", 0, "i8"), ("max", 0, "ui8")):
    data = ramp(1, 1, 5) if type_name[0] == "u" else mixed(1, 1, 5)
    name = f"{reduction}-{type_name}"
    add("other-reductions", name, "reduce_window", data, rule="reduce_window", type=type_name,
        reduction=reduction, init=init, kernel=[1, 1, 3], strides=[1, 1, 2], threads=XLA)
    add("other-reductions", f"{name}-pads", "reduce_window", data, rule="reduce_window",
        type=type_name, reduction=reduction, init=init, kernel=[1, 1, 2],
        pads_begin=[0, 0, 1], pads_end=[0, 0, 1], threads=XLA)
for reduction, init in (("add", 0), ("max", "-inf")):
    add("other-reductions", f"{reduction}-base-dilation", "reduce_window", ramp(1, 1, 3),
        rule="reduce_window", reduction=reduction, init=init, kernel=[1, 1, 2],
        base_dilations=[1, 1, 2], threads=XLA)
    add("other-reductions", f"{reduction}-scan", "reduce_window", ramp(1, 1, 4),
        rule="reduce_window", reduction=reduction, init=init, kernel=[1, 1, 4],
        pads_begin=[0, 0, 3], pads_end=[0, 0, 0],
        threads=("iree-org/iree#7885", "tenstorrent/tt-mlir PR 4064",
                 "tillahoffmann/jax-mps PR 184"))
    add("other-reductions", f"{reduction}-window-dilation", "reduce_window", mixed(1, 1, 5),
        rule="reduce_window", reduction=reduction, init=init, kernel=[1, 1, 2],
        dilations=[1, 1, 3], threads=XLA)
    add("other-reductions", f"{reduction}-over-channels", "reduce_window", mixed(1, 4, 2),
        rule="reduce_window", reduction=reduction, init=init, kernel=[1, 2, 1], threads=XLA)
    add("other-reductions", f"{reduction}-rank-1", "reduce_window",
        ramp(3), rule="reduce_window", reduction=reduction, init=init, kernel=[2],
        threads=XLA)
    add("other-reductions", f"{reduction}-no-windows", "reduce_window", ramp(1, 1, 2),
        rule="reduce_window", reduction=reduction, init=init, kernel=[1, 1, 3], threads=XLA)
add("other-reductions", "max-nan", "reduce_window", [[[1, NAN, 2, 3, NAN, NAN]]],
    rule="reduce_window", reduction="max", init="-inf", kernel=[1, 1, 2], strides=[1, 1, 2])
add("other-reductions", "max-init-above", "reduce_window", ramp(1, 1, 3),
    rule="reduce_window", reduction="max", init=2, kernel=[1, 1, 2])

# Each operation of each type in each layout, where no other case has them.
INTEGERS = ("i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64")
TYPE_RULES = {"max_pool": "max", "min_pool": "min", "avg_pool": "valid", "lp_pool": "lp",
              "adaptive_max_pool": "adaptive", "adaptive_avg_pool": "adaptive",
              "max_pool_grad": "grad_max", "avg_pool_grad": "grad_avg"}
for op, rule in TYPE_RULES.items():
    for type_name in FLOATS + (() if op == "lp_pool" or op.endswith("grad") else INTEGERS):
        for layout in ("channels_first", "channels_last"):
            if has_case(op, type_name, layout):
                continue
            last = layout == "channels_last"
            size = {"output_size": [1, 2]} if op.startswith("adaptive") else {"kernel": [2, 2]}
            grad = ramp(*((1, 1, 2, 2) if last else (1, 2, 1, 2))) if "grad" in op else None
            add("basics", f"{op}-{type_name}-{layout.replace('_', '-')}", op,
                ramp(*((1, 2, 3, 2) if last else (1, 2, 2, 3)), step=3), rule=rule, grad=grad,
                type=type_name, layout=layout if last else None, **size)
for type_name in FLOATS + INTEGERS:
    if not has_case("max_unpool", type_name, "channels_first"):
        add("basics", f"max_unpool-{type_name}", "max_unpool", [5, 6], indices=[1, 2],
            type=type_name, rule="unpool", output_shape=[1, 1, 4], kernel=[2], strides=[2],
            pads_begin=[0], pads_end=[0])
