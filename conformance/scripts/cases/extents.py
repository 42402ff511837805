"""Numbers of windows: rounding, same_*, windows of padding alone, dilation, asymmetric pads."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from casebook import add, mixed, ramp

CEIL = ("iree-org/iree#24579", "apache/tvm#18594", "openvinotoolkit/openvino#33369",
        "pytorch/pytorch#71549", "robertknight/rten PR 1416")
CEIL_TORCH = ("pytorch/pytorch#116420", "openvinotoolkit/openvino#20721",
              "openvinotoolkit/openvino#21067", "apache/tvm#14998")
SAME = ("iree-org/iree#18270", "llvm/torch-mlir PR 3923", "llvm/torch-mlir PR 3455")
POOLS = ("max_pool", "avg_pool", "lp_pool")

for op in ("max_pool", "min_pool", "avg_pool", "lp_pool", "sum_pool"):
    rule = {"max_pool": "max", "min_pool": "min", "avg_pool": "valid", "lp_pool": "lp",
            "sum_pool": "sum"}[op]
    add("basics", f"{op}-1d", op, ramp(6), rule=rule, kernel=[2], strides=[2])
    add("basics", f"{op}-2d", op, mixed(4, 4), rule=rule, kernel=[2, 2], strides=[2, 2])
    add("basics", f"{op}-2d-overlap", op, mixed(3, 4), rule=rule, kernel=[2, 3])
    add("basics", f"{op}-3d", op, mixed(1, 1, 2, 2, 4), rule=rule, kernel=[2, 2, 2],
        strides=[1, 1, 2])
    add("basics", f"{op}-default-stride", op, ramp(4), rule=rule, kernel=[2],
        threads=("llvm/torch-mlir#2932",))
    add("basics", f"{op}-channels", op, mixed(2, 2, 3), rule=rule, kernel=[2])
    add("basics", f"{op}-whole", op, mixed(3, 3), rule=rule, kernel=[3, 3])
    add("basics", f"{op}-channels-last", op, mixed(1, 2, 2, 2), rule=rule, kernel=[2, 2],
        layout="channels_last")
    add("basics", f"{op}-f64", op, ramp(4), rule=rule, kernel=[2], type="f64")
    add("basics", f"{op}-pads", op, mixed(2, 2), rule=rule, kernel=[2, 2], pads_begin=[1, 1],
        pads_end=[1, 1])

# extent, kernel, stride, pad at both sides
for extent, kernel, stride, pad in ((5, 2, 2, 0), (6, 3, 2, 0), (5, 2, 3, 0), (6, 3, 2, 1),
                                    (5, 2, 2, 1), (4, 3, 3, 1), (7, 3, 3, 1), (8, 2, 3, 1),
                                    (7, 3, 4, 0)):
    for op in POOLS:
        for rounding in ("floor", "ceil", "ceil_torch"):
            name = f"{op}-{rounding.replace('_', '-')}-i{extent}-k{kernel}-s{stride}-p{pad}"
            # A window without a counted element is a trap of its own.
            windows = -(-(extent + 2 * pad - kernel) // stride) + 1
            alone = (windows - 1) * stride >= extent + pad
            if rounding == "ceil" and alone:
                continue
            add("ceil-last-window", name, op, ramp(extent), rule=rounding,
                kernel=[kernel], strides=[stride], pads_begin=[pad], pads_end=[pad],
                rounding_type=rounding,
                threads={"floor": (), "ceil": CEIL, "ceil_torch": CEIL_TORCH}[rounding]
                if op != "lp_pool" else ())
for op in POOLS:
    for rounding in ("ceil", "ceil_torch"):
        add("ceil-last-window", f"{op}-{rounding.replace('_', '-')}-2d", op, mixed(3, 5),
            rule=rounding, kernel=[2, 2], strides=[2, 2], rounding_type=rounding,
            threads=CEIL if op != "lp_pool" else ())
        add("ceil-last-window", f"{op}-{rounding.replace('_', '-')}-3d", op,
            mixed(1, 1, 2, 3, 3), rule=rounding, kernel=[2, 2, 2], strides=[2, 2, 2],
            rounding_type=rounding, threads=CEIL if op != "lp_pool" else ())
        add("ceil-last-window", f"{op}-{rounding.replace('_', '-')}-valid", op, ramp(5),
            rule=rounding, kernel=[2], strides=[2], auto_pad="valid", rounding_type=rounding)
for rounding in ("ceil", "ceil_torch"):
    add("ceil-last-window", f"max_pool-{rounding.replace('_', '-')}-dilated", "max_pool",
        ramp(8), rule=rounding, kernel=[2], strides=[3], dilations=[3], rounding_type=rounding,
        threads=("Xilinx/onnx-mlir PR 560", "tenstorrent/tt-mlir#6148"))
    add("ceil-last-window", f"max_pool-{rounding.replace('_', '-')}-indices", "max_pool",
        ramp(5), rule=rounding, kernel=[2], strides=[2], rounding_type=rounding,
        index_type="i64", threads=("llvm/torch-mlir PR 3890",))

for op, rule in (("max_pool", "padding_only"), ("min_pool", "padding_only"), ("lp_pool", "lp"),
                 ("sum_pool", "sum")):
    for extent, kernel, stride, pad in ((5, 2, 2, 1), (2, 1, 3, 1), (3, 1, 2, 2), (1, 1, 1, 1)):
        add("padding-only-window", f"{op}-ceil-i{extent}-k{kernel}-s{stride}-p{pad}", op,
            ramp(extent), rule=rule, kernel=[kernel], strides=[stride], pads_begin=[pad],
            pads_end=[pad], rounding_type="ceil", threads=("webmachinelearning/webnn#935",))
for pads in (([2], [0]), ([0], [2]), ([3], [3])):
    for op in ("max_pool", "min_pool", "lp_pool"):
        add("padding-only-window", f"{op}-floor-pads-{pads[0][0]}-{pads[1][0]}", op, ramp(2),
            rule="lp" if op == "lp_pool" else "padding_only", kernel=[2], pads_begin=pads[0],
            pads_end=pads[1], threads=("webmachinelearning/webnn#935",
                                       "llvm/torch-mlir PR 826"))
    for divisor, rule in (("valid", "no_count"), ("padded", "padded"), ("kernel", "kernel")):
        add("padding-only-window", f"avg_pool-{divisor}-pads-{pads[0][0]}-{pads[1][0]}",
            "avg_pool", ramp(2), rule=rule, kernel=[2], pads_begin=pads[0], pads_end=pads[1],
            divisor=divisor, threads=("webmachinelearning/webnn#935",))
add("padding-only-window", "avg_pool-valid-ceil", "avg_pool", ramp(5), rule="no_count",
    kernel=[2], strides=[2], pads_begin=[1], pads_end=[1], rounding_type="ceil")
add("padding-only-window", "avg_pool-padded-overhang-alone", "avg_pool", ramp(2),
    rule="no_count", kernel=[1], strides=[3], rounding_type="ceil", divisor="padded")
add("padding-only-window", "avg_pool-kernel-overhang-alone", "avg_pool", ramp(2),
    rule="kernel", kernel=[1], strides=[3], rounding_type="ceil", divisor="kernel")
# Dilation lets a window lie around the input. PyTorch, which refuses large pads, computes these.
add("padding-only-window", "max_pool-index-around-1d", "max_pool", ramp(2), rule="padding_only",
    kernel=[2], dilations=[3], pads_begin=[1], pads_end=[1], index_type="i64", axis=2,
    threads=("pytorch/pytorch#114216",))
add("padding-only-window", "max_pool-index-around-2d", "max_pool", [[1, 2], [3, 4]],
    rule="padding_only", kernel=[2, 2], dilations=[3, 3], pads_begin=[1, 1], pads_end=[1, 1],
    index_type="i64", axis=2, threads=("pytorch/pytorch#114216",))
add("padding-only-window", "max_pool_grad-around-2d", "max_pool_grad", [[1, 2], [3, 4]],
    grad=[[[[5]]]], rule="grad_max", kernel=[2, 2], dilations=[3, 3], pads_begin=[1, 1],
    pads_end=[1, 1])
for type_name in ("i8", "i32", "ui8", "f16"):
    add("padding-only-window", f"max_pool-{type_name}", "max_pool", ramp(2), rule="extremes",
        kernel=[1], pads_begin=[1], pads_end=[1], type=type_name)
    add("padding-only-window", f"max_pool-index-{type_name}", "max_pool", ramp(3),
        rule="padding_only", kernel=[2], pads_begin=[2], pads_end=[0], type=type_name,
        index_type="i64")

for auto in ("same_upper", "same_lower"):
    side = auto.replace("_", "-")
    for extent, kernel, stride in ((5, 2, 1), (4, 3, 2), (5, 3, 2), (5, 2, 3), (6, 4, 3),
                                   (5, 1, 3)):
        for op in POOLS:
            add("same-strides", f"{op}-{side}-strided-i{extent}-k{kernel}-s{stride}", op,
                ramp(extent), rule="same_strided", kernel=[kernel], strides=[stride],
                auto_pad=auto, same_output="strided", threads=SAME)
    for extent, kernel, stride in ((4, 2, 2), (5, 3, 2), (3, 2, 3)):
        add("same-strides", f"max_pool-{side}-input-i{extent}-k{kernel}-s{stride}", "max_pool",
            ramp(extent), rule="same_input", kernel=[kernel], strides=[stride], auto_pad=auto)
    for divisor, rule in (("valid", "valid"), ("padded", "padded"), ("kernel", "kernel")):
        add("same-strides", f"avg_pool-{side}-{divisor}", "avg_pool", ramp(4), rule=rule,
            kernel=[3], strides=[2], auto_pad=auto, same_output="strided", divisor=divisor)
    add("same-strides", f"max_pool-{side}-2d", "max_pool", mixed(4, 5), rule="same_odd",
        kernel=[2, 3], strides=[1, 2], auto_pad=auto, same_output="strided", threads=SAME)
    add("same-strides", f"max_pool-{side}-dilated", "max_pool", mixed(6), rule="same_odd",
        kernel=[2], strides=[2], dilations=[3], auto_pad=auto, same_output="strided",
        threads=SAME)
    # Found by `pool-conformance hunt openvino onnxruntime`.
    for op in ("max_pool", "avg_pool", "lp_pool"):
        add("same-strides", f"{op}-{side}-dilated-longer-than-input", op, ramp(2),
            rule="same_odd", kernel=[2], dilations=[2], auto_pad=auto,
            same_output="strided")
    add("same-strides", f"max_pool-{side}-indices", "max_pool", mixed(4), rule="same_odd",
        kernel=[2], auto_pad=auto, index_type="i64")
    add("same-strides", f"max_pool-{side}-ceil", "max_pool", ramp(6), rule="same_strided",
        kernel=[1], strides=[2], auto_pad=auto, same_output="strided", rounding_type="ceil")
    add("same-strides", f"max_pool-{side}-pads-ignored", "max_pool", ramp(4),
        rule="valid_pads", kernel=[2], auto_pad=auto, pads_begin=[3], pads_end=[3])
    add("same-strides", f"max_pool-{side}-channels-last", "max_pool", mixed(1, 3, 3, 2),
        rule="same_odd", kernel=[2, 2], strides=[2, 2], auto_pad=auto, same_output="strided",
        layout="channels_last")
add("same-strides", "max_pool-valid-pads-ignored", "max_pool", ramp(4), rule="valid_pads",
    kernel=[2], auto_pad="valid", pads_begin=[3], pads_end=[3])

for op in ("max_pool", "avg_pool", "min_pool", "lp_pool"):
    for dilation, pad in ((2, 1), (3, 1), (2, 2), (3, 3)):
        if op != "max_pool" and dilation == 3:
            continue
        add("dilation-with-pads", f"{op}-d{dilation}-p{pad}", op, mixed(6), rule="dilation",
            kernel=[3 if dilation == 2 else 2], dilations=[dilation], pads_begin=[pad],
            pads_end=[pad], threads=("IREE test_lppool_2d_dilations",) if op == "lp_pool"
            else ())
    add("dilation-with-pads", f"{op}-2d", op, mixed(4, 4), rule="dilation", kernel=[2, 2],
        dilations=[2, 2], pads_begin=[1, 1], pads_end=[1, 1])
    add("dilation-with-pads", f"{op}-unequal", op, mixed(3, 5), rule="dilation", kernel=[2, 2],
        dilations=[1, 3], pads_begin=[0, 1], pads_end=[0, 1])
    add("dilation-with-pads", f"{op}-strided", op, mixed(7), rule="dilation", kernel=[2],
        strides=[2], dilations=[3], pads_begin=[1], pads_end=[1])
for divisor, rule in (("padded", "padded"), ("kernel", "kernel")):
    add("dilation-with-pads", f"avg_pool-{divisor}", "avg_pool", ramp(4), rule=rule, kernel=[2],
        dilations=[2], pads_begin=[1], pads_end=[1], divisor=divisor)
add("dilation-with-pads", "max_pool-indices", "max_pool", ramp(3, 3), rule="no_padding",
    kernel=[2, 2], dilations=[2, 2], pads_begin=[1, 1], pads_end=[1, 1], index_type="i64")
add("dilation-with-pads", "max_pool-window-longer-than-input", "max_pool", ramp(2),
    rule="dilation", kernel=[2], dilations=[3], pads_begin=[1], pads_end=[1])

for op in POOLS:
    for begin, end in ((1, 0), (0, 1), (2, 1), (0, 2)):
        add("asymmetric-pads", f"{op}-{begin}-{end}", op, mixed(4), rule="pads", kernel=[3],
            pads_begin=[begin], pads_end=[end], threads=("iree-org/iree#18270",))
    add("asymmetric-pads", f"{op}-2d", op, mixed(3, 3), rule="pads", kernel=[2, 2],
        pads_begin=[1, 0], pads_end=[0, 1])
    add("asymmetric-pads", f"{op}-rows-and-columns", op, mixed(3, 3), rule="pads",
        kernel=[2, 3], pads_begin=[0, 2], pads_end=[1, 0], strides=[1, 2])
    add("asymmetric-pads", f"{op}-ceil", op, mixed(4), rule="pads", kernel=[3], strides=[2],
        pads_begin=[0], pads_end=[1], rounding_type="ceil")
    add("asymmetric-pads", f"{op}-3d", op, mixed(1, 1, 2, 2, 2), rule="pads",
        kernel=[2, 2, 2], pads_begin=[1, 0, 1], pads_end=[0, 1, 0])
for divisor, rule in (("padded", "padded"), ("kernel", "kernel")):
    for begin, end in ((1, 0), (0, 1), (0, 2)):
        add("asymmetric-pads", f"avg_pool-{divisor}-{begin}-{end}", "avg_pool", ramp(4),
            rule=rule, kernel=[3], pads_begin=[begin], pads_end=[end], divisor=divisor,
            threads=("microsoft/onnxruntime#24681", "microsoft/onnxruntime PR 27375"))
add("asymmetric-pads", "max_pool-indices", "max_pool", mixed(2, 3), rule="no_padding",
    kernel=[2, 2], pads_begin=[1, 0], pads_end=[0, 1], index_type="i64")
