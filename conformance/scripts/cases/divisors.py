"""Divisors of averages under ceil, integer averages, half precision, 8-bit floats, norms."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from casebook import add, mixed, ramp

OVERHANG = ("iree-org/iree#24580", "microsoft/onnxruntime PR 29629", "sonos/tract PR 2851",
            "onnx/onnx#4958", "apache/tvm#10614")
MORE_OVERHANG = ("microsoft/onnxruntime#15446", "microsoft/onnxruntime#16350",
                 "microsoft/onnxruntime#16351", "microsoft/onnxruntime#16203",
                 "sonos/tract PR 2654", "pytorch/xla#746", "onnx/onnx#5236",
                 "apple/coremltools PR 2844")
DIVISORS = ("valid", "padded", "kernel")
NAN, INF = float("nan"), float("inf")

for divisor in DIVISORS:
    for rounding in ("ceil", "ceil_torch"):
        mode = rounding.replace("_", "-")
        for extent, kernel, stride, pad in ((6, 3, 2, 1), (4, 3, 2, 0), (5, 4, 3, 1),
                                            (3, 2, 2, 0), (7, 3, 3, 1)):
            add("ceil-divisor", f"{divisor}-{mode}-i{extent}-k{kernel}-s{stride}-p{pad}",
                "avg_pool", ramp(extent), rule=divisor, kernel=[kernel], strides=[stride],
                pads_begin=[pad], pads_end=[pad], rounding_type=rounding, divisor=divisor,
                threads=OVERHANG)
        add("ceil-divisor", f"{divisor}-{mode}-2d", "avg_pool", ramp(4, 4), rule=divisor,
            kernel=[3, 3], strides=[2, 2], pads_begin=[1, 1], pads_end=[1, 1],
            rounding_type=rounding, divisor=divisor,
            threads=OVERHANG + MORE_OVERHANG)
        add("ceil-divisor", f"{divisor}-{mode}-3d", "avg_pool", mixed(1, 1, 2, 2, 4),
            rule=divisor, kernel=[2, 2, 3], strides=[1, 1, 2], pads_begin=[0, 0, 1],
            pads_end=[0, 0, 1], rounding_type=rounding, divisor=divisor, threads=OVERHANG)
        add("ceil-divisor", f"{divisor}-{mode}-end-pad", "avg_pool", ramp(4), rule=divisor,
            kernel=[3], strides=[2], pads_begin=[0], pads_end=[1], rounding_type=rounding,
            divisor=divisor, threads=("microsoft/onnxruntime#24681",))
    add("ceil-divisor", f"{divisor}-floor-pads", "avg_pool", ramp(3), rule=divisor, kernel=[2],
        pads_begin=[1], pads_end=[1], divisor=divisor,
        threads=("llvm/torch-mlir PR 4033", "llvm/torch-mlir PR 3822"))
    add("ceil-divisor", f"{divisor}-floor-pads-3d", "avg_pool", mixed(1, 1, 1, 2, 2),
        rule=divisor, kernel=[1, 2, 2], pads_begin=[0, 1, 1], pads_end=[0, 0, 0],
        divisor=divisor, threads=("llvm/torch-mlir PR 4033", "llvm/torch-mlir#3862",
                                   "llvm/torch-mlir PR 4167"))
for override in (1, 2, 3, -2):
    add("ceil-divisor", f"override-{override}", "avg_pool", ramp(5), rule="override",
        kernel=[2], strides=[2], rounding_type="ceil_torch", divisor_override=override)
    add("ceil-divisor", f"override-{override}-2d-pads", "avg_pool", ramp(2, 2),
        rule="override", kernel=[2, 2], pads_begin=[1, 1], pads_end=[1, 1],
        divisor_override=override)
add("refusals", "divisor-override-0", "avg_pool", ramp(3), rule="refused", kernel=[2],
    divisor_override=0)
add("refusals", "divisor-override-0-2d", "avg_pool", ramp(2, 2), rule="refused",
    kernel=[2, 2], divisor_override=0)

HALVES = [2, 3, -2, -3, 3, 4, -3, -4, 0, 1, 0, -1]
THIRDS = [1, 0, 0, 1, 1, 0, -1, 0, 0, -1, -1, 0]
for rounding in ("half_even", "half_up", "half_away"):
    mode = rounding.replace("_", "-")
    for type_name in ("i8", "i16", "i32", "i64"):
        add("integer-rounding", f"halves-{mode}-{type_name}", "avg_pool", HALVES,
            rule="integers", kernel=[2], strides=[2], type=type_name,
            integer_rounding=rounding, threads=("google/XNNPACK#3040",))
    add("integer-rounding", f"halves-{mode}-ui8", "avg_pool", [2, 3, 3, 4, 0, 1, 254, 255],
        rule="integers", kernel=[2], strides=[2], type="ui8", integer_rounding=rounding)
    add("integer-rounding", f"thirds-{mode}", "avg_pool", THIRDS, rule="integers", kernel=[3],
        strides=[3], type="i8", integer_rounding=rounding,
        threads=("tensorflow/tflite-micro#1482",))
    add("integer-rounding", f"quarters-{mode}", "avg_pool",
        [[1, 0, 1, 1, -1, 0, -1, -1], [0, 0, 1, 0, 0, 0, -1, 0]], rule="integers",
        kernel=[2, 2], strides=[2, 2], type="i8", integer_rounding=rounding)
    add("integer-rounding", f"edges-{mode}", "avg_pool", [3, 4, 8], rule="integers",
        kernel=[2], pads_begin=[1], pads_end=[1], type="i32", integer_rounding=rounding,
        divisor="kernel")
    add("integer-rounding", f"channels-last-{mode}", "avg_pool",
        ramp(1, 2, 2, 2, step=3), rule="integers", kernel=[2, 2], type="i8",
        integer_rounding=rounding, layout="channels_last")
    add("integer-rounding", f"adaptive-{mode}", "adaptive_avg_pool", [1, 2, 4], type="i32",
        rule="integers", output_size=[2], integer_rounding=rounding)
for input_zp, output_zp in ((3, 0), (0, 5), (-7, 2), (0, 120), (-128, -128)):
    add("integer-rounding", f"zero-points-{input_zp}-{output_zp}", "avg_pool",
        [1, 2, 10, 20, -5, 6], rule="zero_points", kernel=[2], strides=[2], type="i8",
        input_zp=input_zp, output_zp=output_zp, integer_rounding="half_away")
    add("integer-rounding", f"zero-points-{input_zp}-{output_zp}-channels-last", "avg_pool",
        mixed(1, 1, 4, 1), rule="zero_points", kernel=[1, 2], strides=[1, 2], type="i8",
        input_zp=input_zp, output_zp=output_zp, integer_rounding="half_away",
        layout="channels_last")
add("integer-rounding", "padding-counts-as-zero-point", "avg_pool", [10, 20],
    rule="zero_points", kernel=[2], pads_begin=[1], pads_end=[0], divisor="kernel", type="i8",
    input_zp=4, integer_rounding="half_away")

LIMITS = {"i8": (-128, 127), "ui8": (0, 255), "i16": (-2**15, 2**15 - 1),
          "i32": (-2**31, 2**31 - 1), "i64": (-2**63, 2**63 - 1), "ui16": (0, 2**16 - 1),
          "ui32": (0, 2**32 - 1)}
for type_name, (low, high) in LIMITS.items():
    for op, rule in (("max_pool", "max"), ("min_pool", "min")):
        add("integer-extremes", f"{op}-{type_name}", op, [low, low, high, low, high, high],
            rule=rule, kernel=[2], type=type_name, threads=("iree-org/iree#18183",)
            if type_name == "ui8" else ())
        add("integer-extremes", f"{op}-{type_name}-pads", op, [low, high], rule="extremes",
            kernel=[2], pads_begin=[1], pads_end=[1], type=type_name)
    for value, word in ((low, "low"), (high, "high")):
        add("integer-extremes", f"avg_pool-{type_name}-{word}", "avg_pool", [value] * 3,
            rule="integers", kernel=[3], type=type_name, ruled="Integer averages of this type "
            "are in no other implementation, or only rounded through floats; the sum is exact.")
    add("integer-extremes", f"max_pool-{type_name}-index", "max_pool", [low, low, low],
        rule="ties", kernel=[2], pads_begin=[1], pads_end=[0], type=type_name,
        index_type="i64")
add("integer-extremes", "avg_pool-i32-beyond-f32", "avg_pool", [2**30 + 1, 2**30 + 2],
    rule="integers", kernel=[1], type="i32")
add("integer-extremes", "max_pool-i32-beyond-f32", "max_pool", [2**24, 2**24 + 1], rule="max",
    kernel=[2], type="i32")
add("integer-extremes", "max_pool-i64-beyond-f64", "max_pool", [2**53, 2**53 + 1], rule="max",
    kernel=[2], type="i64", threads=("pytorch/pytorch#68418",))
add("integer-extremes", "max_pool-ui8-signed-compare", "max_pool", [1, 200], rule="max",
    kernel=[2], type="ui8", threads=("iree-org/iree#18183",))
add("integer-extremes", "min_pool-ui8-signed-compare", "min_pool", [1, 200], rule="min",
    kernel=[2], type="ui8")
add("integer-extremes", "max_pool-ui8-2d-signed-compare", "max_pool", [[1, 200], [127, 128]],
    rule="max", kernel=[2, 2], type="ui8", threads=("iree-org/iree#18183",))

for type_name, big, word in (("f16", 65504.0, "largest"), ("bf16", 3.0e38, "large"),
                             ("f16", 60000.0, "large")):
    if type_name == "f16":
        add("half-accumulation", f"avg_pool-{type_name}-{word}", "avg_pool", [big] * 4,
            rule="half", kernel=[2], type=type_name, threads=("Tencent/ncnn PR 2697",))
        add("half-accumulation", f"avg_pool-{type_name}-{word}-2d", "avg_pool",
            [[big, big], [big, big]], rule="half", kernel=[2, 2], type=type_name,
            threads=("Tencent/ncnn PR 2697", "ggml-org/llama.cpp PR 9763"))
        add("half-accumulation", f"global-{type_name}-{word}", "adaptive_avg_pool",
            [[big, big], [big, big]], rule="half", output_size=[1, 1], type=type_name)
    add("half-accumulation", f"max_pool-{type_name}-{word}", "max_pool", [big, -big, big],
        rule="max", kernel=[2], type=type_name)
for type_name, one_more in (("f16", 2048.0), ("bf16", 256.0)):
    # In the type itself, one_more + 1 rounds back to one_more.
    add("half-accumulation", f"avg_pool-{type_name}-lost-ones", "avg_pool",
        [one_more, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] * 2, rule="half", kernel=[16],
        strides=[16], type=type_name)
    add("half-accumulation", f"avg_pool-{type_name}-2d-lost-ones", "avg_pool",
        [[one_more, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]], rule="half",
        kernel=[4, 4], type=type_name)
    add("half-accumulation", f"sum_pool-{type_name}-lost-ones", "sum_pool",
        [one_more, 1, 1, 1, 1], rule="sum", kernel=[5], type=type_name)
    add("half-accumulation", f"global-{type_name}-lost-ones", "adaptive_avg_pool",
        [one_more] + [1] * 31, rule="half", output_size=[1], type=type_name)
    add("half-accumulation", f"lp_pool-{type_name}-overflow", "lp_pool", [300, 400],
        rule="half", kernel=[2], type=type_name)
    add("half-accumulation", f"avg_pool-{type_name}-thirds", "avg_pool", [1, 1, 2, 5, 7, 1],
        rule="half", kernel=[3], strides=[3], type=type_name)
    add("half-accumulation", f"avg_pool-{type_name}-long", "avg_pool",
        {"shape": [1, 1, 4096], "generate": {"start": 1}}, rule="half", kernel=[4096],
        type=type_name)
    add("half-accumulation", f"avg_pool-{type_name}-long-2d", "avg_pool",
        {"shape": [1, 1, 64, 64], "generate": {"start": 1}}, rule="half", kernel=[64, 64],
        type=type_name)
    add("half-accumulation", f"avg_pool-{type_name}-cancel", "avg_pool",
        [one_more, 1, -one_more, 1], rule="half", kernel=[4], type=type_name)
add("half-accumulation", "avg_pool-f32-long", "avg_pool",
    {"shape": [1, 1, 70000], "generate": {"start": 1}}, rule="valid", kernel=[70000])
add("half-accumulation", "avg_pool-bf16-grad-overlap", "avg_pool_grad", [0] * 17,
    grad=[[[256, 1, 1, 1, 1, 1, 1, 1, 1, 1]]], rule="grad_overlap", kernel=[8], type="bf16",
    threads=("uxlfoundation/oneDNN PR 2386", "uxlfoundation/oneDNN#1727"))
add("half-accumulation", "max_pool-bf16-grad-overlap", "max_pool_grad",
    [0, 0, 0, 0, 9, 0, 0, 0, 0], grad=[[[256, 1, 1, 1, 1]]], rule="grad_overlap", kernel=[5],
    type="bf16", threads=("uxlfoundation/oneDNN PR 2386",))

for type_name, top in (("f8E4M3FN", 448.0), ("f8E5M2", 57344.0)):
    add("f8", f"max_pool-{type_name}", "max_pool", [1, 3, -2, 0.5, 8, -8], rule="max",
        kernel=[2], type=type_name)
    add("f8", f"min_pool-{type_name}", "min_pool", [1, 3, -2, 0.5, 8, -8], rule="min",
        kernel=[2], type=type_name)
    add("f8", f"max_pool-{type_name}-extremes", "max_pool", [-top, -top, top], rule="f8",
        kernel=[2], type=type_name)
    add("f8", f"max_pool-{type_name}-padding-only", "max_pool", [1, 2], rule="f8", kernel=[1],
        pads_begin=[1], pads_end=[0], type=type_name)
    add("f8", f"max_pool-{type_name}-nan", "max_pool", [1, NAN, NAN, 2, NAN, NAN], rule="nan",
        kernel=[2], strides=[2], type=type_name, nan_mode="either")
    add("f8", f"max_pool-{type_name}-indices", "max_pool", [2, 2, 1], rule="ties", kernel=[2],
        type=type_name, index_type="i64")
    add("f8", f"avg_pool-{type_name}", "avg_pool", [1, 3, 5, 7], rule="f8", kernel=[2],
        strides=[2], type=type_name)
    add("f8", f"avg_pool-{type_name}-rounding", "avg_pool", [1, 1.25, 1.25, 1.5], rule="f8",
        kernel=[2], type=type_name)
    add("f8", f"avg_pool-{type_name}-large", "avg_pool", [top, top], rule="f8", kernel=[2],
        type=type_name)
    add("f8", f"sum_pool-{type_name}-overflow", "sum_pool", [top, top], rule="f8", kernel=[2],
        type=type_name)
    add("f8", f"sum_pool-{type_name}-to-f32", "sum_pool", [top, top, 1], rule="sum",
        kernel=[3], type=type_name, element_type="f32")
    add("f8", f"lp_pool-{type_name}", "lp_pool", [3, 4], rule="f8", kernel=[2],
        type=type_name)

for p in (1, 2, 3):
    add("lp-pool", f"p{p}", "lp_pool", [3, -4, 0, 5], rule="lp", kernel=[2], strides=[2], p=p)
    add("lp-pool", f"p{p}-ceil", "lp_pool", [3, 4, 5], rule="lp", kernel=[2], strides=[2],
        rounding_type="ceil", p=p, threads=("onnx/onnx#5236",))
    add("lp-pool", f"p{p}-2d-pads", "lp_pool", [[1, 2], [2, 4]], rule="lp", kernel=[2, 2],
        pads_begin=[1, 1], pads_end=[0, 0], p=p)
    add("lp-pool", f"p{p}-negative", "lp_pool", [-1, -2, -2], rule="lp", kernel=[3], p=p)
    add("lp-pool", f"p{p}-zero", "lp_pool", [0, 0], rule="lp", kernel=[2], p=p)
    add("lp-pool", f"p{p}-infinite", "lp_pool", [1, -INF], rule="lp", kernel=[2], p=p)
for p in (1.5, 2.5):
    add("lp-pool", f"p{p}", "lp_pool", [1, 4, 9], rule="lp", kernel=[2], p=p)
for normalize in DIVISORS:
    add("lp-pool", f"normalize-{normalize}", "lp_pool", [2, 2, 2], rule="normalize",
        kernel=[2], strides=[2], pads_begin=[1], pads_end=[1], rounding_type="ceil",
        normalize=normalize)
add("lp-pool", "f64", "lp_pool", [3, 4], rule="lp", kernel=[2], type="f64")
add("lp-pool", "p-below-1", "lp_pool", [3, 4], rule="refused", kernel=[2], p=0)
