"""Indices, unpooling, gradients, adaptive windows, empty batches and large extents."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from casebook import add, mixed, ramp

LAST = np.array(sorted(range(36), key=lambda i: i % 9), object).reshape(2, 2, 3, 3)
INDICES = ("llvm/torch-mlir#4212", "llvm/torch-mlir#3422")

for axis in (0, 1, 2, 3, -1):
    add("index-axis", f"last-of-plane-axis{axis}", "max_pool", ramp(2, 2, 3, 3), rule="axis",
        kernel=[3, 3], index_type="i64", axis=axis, threads=INDICES)
for axis in (0, 1, 2):
    for op in ("max_pool", "min_pool"):
        add("index-axis", f"{op}-1d-axis{axis}", op, mixed(2, 2, 3), rule="axis", kernel=[2],
            index_type="i64", axis=axis, threads=INDICES)
    add("index-axis", f"i32-axis{axis}", "max_pool", mixed(2, 1, 4), rule="axis", kernel=[2],
        strides=[2], index_type="i32", axis=axis)
    add("index-axis", f"pads-axis{axis}", "max_pool", mixed(1, 2, 2, 2), rule="no_padding",
        kernel=[2, 2], pads_begin=[1, 1], pads_end=[0, 0], index_type="i64", axis=axis,
        threads=("llvm/torch-mlir#4255",))
    add("index-axis", f"channels-last-axis{axis}", "max_pool", mixed(2, 3, 2), rule="axis",
        kernel=[2], index_type="i64", axis=axis, layout="channels_last")
    add("index-axis", f"adaptive-axis{axis}", "adaptive_max_pool", mixed(2, 2, 3), rule="axis",
        output_size=[2], index_type="i64", axis=axis)
    add("index-axis", f"batch-axis{axis}", "max_pool", mixed(3, 1, 2), rule="axis", kernel=[2],
        index_type="i64", axis=axis)
    add("index-axis", f"strided-axis{axis}", "max_pool", mixed(1, 2, 4, 4), rule="axis",
        kernel=[2, 2], strides=[2, 2], index_type="i64", axis=axis,
        threads=("IREE test_maxpool_with_argmax_2d_precomputed_strides",))
add("index-axis", "i8-data", "max_pool", mixed(1, 1, 3, 3), rule="axis", kernel=[2, 2],
    index_type="i64", type="i8")
add("index-axis", "3d", "max_pool", mixed(1, 1, 2, 2, 3), rule="axis", kernel=[1, 2, 2],
    index_type="i64")
add("index-axis", "dilated", "max_pool", mixed(1, 1, 3, 3), rule="axis", kernel=[2, 2],
    dilations=[2, 2], index_type="i64")
for bits in ("i8", "i32", "i64"):
    add("index-axis", f"window-{bits}", "max_pool", mixed(3, 3), rule="window_index",
        kernel=[2, 2], index_type=bits, index_base="window")
    add("index-axis", f"window-{bits}-pads", "max_pool", mixed(2, 2), rule="window_index",
        kernel=[2, 2], pads_begin=[1, 1], pads_end=[0, 0], index_type=bits,
        index_base="window")
add("index-overflow", "window-i8-holds-128", "max_pool", (1, 1, 200), rule="window_index",
    kernel=[128], index_type="i8", index_base="window")
add("index-overflow", "window-i8-cannot-hold-129", "max_pool", (1, 1, 200),
    rule="window_index", kernel=[129], index_type="i8", index_base="window")
for extent in (2**31 - 1, 2**31):
    add("index-overflow", f"i32-holds-{extent}", "max_pool", (1, 1, extent), rule="i32",
        kernel=[2], strides=[2], index_type="i32")
for shape in ((1, 1, 2**31 + 1), (2, 1, 2**30 + 1), (1, 2, 2**30 + 1), (1, 1, 65536, 32769),
              (1, 65536, 256, 256)):
    name = "x".join(map(str, shape))
    kernel = [2] * (len(shape) - 2)
    add("index-overflow", f"i32-cannot-hold-{name}", "max_pool", shape, rule="i32",
        kernel=kernel, index_type="i32")
    add("index-overflow", f"i64-holds-{name}", "max_pool", shape, rule="i32",
        kernel=kernel, index_type="i64", threads=("pytorch/pytorch#52822",))
add("index-overflow", "i32-per-plane-holds", "max_pool", (4, 1, 2**30), rule="i32",
    kernel=[2], index_type="i32", axis=2)
add("index-overflow", "i32-adaptive", "adaptive_max_pool", (1, 1, 2**31 + 1), rule="i32",
    output_size=[3], index_type="i32")
add("index-overflow", "axis-out-of-rank", "max_pool", ramp(3), rule="refused", kernel=[2],
    index_type="i64", axis=3)
add("index-overflow", "axis-below-rank", "max_pool", ramp(3), rule="refused", kernel=[2],
    index_type="i64", axis=-4)

# values, indices, shape of the result, kernel, stride
UNPOOL = {"1d": ([5, 6], [1, 2], [1, 1, 4], [2], [2]),
          "first-and-last": ([5, 6], [0, 3], [1, 1, 4], [2], [2]),
          "order": ([5, 6], [3, 0], [1, 1, 4], [2], [2]),
          "2d": ([[5, 6], [7, 8]], [[0, 3], [9, 14]], [1, 1, 4, 4], [2, 2], [2, 2])}
for name, (values, where, shape, kernel, stride) in UNPOOL.items():
    zeros = [0] * len(kernel)
    for axis in (0, 2):
        add("unpool-overlap", f"{name}-axis{axis}", "max_unpool", values, indices=where,
            rule="unpool", output_shape=shape, kernel=kernel, strides=stride,
            pads_begin=zeros, pads_end=zeros, axis=axis,
            threads=("IREE test_maxunpool_export", "tracel-ai/burn#2374"))
BATCH = ramp(2, 2, 2)
for axis, where in ((0, [[[0, 3], [5, 6]], [[9, 10], [12, 15]]]),
                    (1, [[[0, 3], [5, 6]], [[1, 2], [4, 7]]]),
                    (2, [[[0, 3], [1, 2]], [[1, 2], [0, 3]]])):
    add("unpool-overlap", f"batch-axis{axis}", "max_unpool", BATCH,
        indices=np.array(where, object), rule="unpool", output_shape=[2, 2, 4], kernel=[2],
        strides=[2], pads_begin=[0], pads_end=[0], axis=axis)
for kind, values in (("equal", [9, 9]), ("unequal", [3, 9]), ("smaller-last", [9, 3])):
    add("unpool-overlap", f"twice-{kind}", "max_unpool", values, indices=[1, 1],
        rule="unpool_twice", output_shape=[1, 1, 3], kernel=[2], strides=[1], pads_begin=[0],
        pads_end=[0], axis=2, threads=("pytorch/pytorch#80827",))
    add("unpool-overlap", f"twice-{kind}-axis0", "max_unpool", values, indices=[1, 1],
        rule="unpool_twice", output_shape=[1, 1, 3], kernel=[2], strides=[1], pads_begin=[0],
        pads_end=[0])
add("unpool-overlap", "bnns-example", "max_unpool", [[9, 9, 9], [9, 9, 9], [9, 9, 9]],
    indices=[[5, 5, 3], [5, 5, 6], [13, 13, 15]], rule="unpool_twice",
    output_shape=[1, 1, 4, 4], kernel=[2, 2], strides=[1, 1], pads_begin=[0, 0],
    pads_end=[0, 0])
for type_name in ("f16", "f64", "i8", "i32"):
    add("unpool-overlap", f"{type_name}", "max_unpool", [5, 6], indices=[1, 2], type=type_name,
        rule="unpool", output_shape=[1, 1, 4], kernel=[2], strides=[2], pads_begin=[0],
        pads_end=[0])
add("unpool-overlap", "i32-indices", "max_unpool", [5, 6], indices=[1, 2],
    indices_type="i32", rule="unpool", output_shape=[1, 1, 4])
add("unpool-overlap", "larger-shape", "max_unpool", [5, 6], indices=[1, 4], rule="unpool",
    output_shape=[1, 1, 5], kernel=[2], strides=[2], pads_begin=[0], pads_end=[0], axis=2)
add("unpool-overlap", "larger-shape-2d", "max_unpool", [[5, 6], [7, 8]],
    indices=[[6, 8], [16, 18]], rule="unpool", output_shape=[1, 1, 5, 5], kernel=[2, 2],
    strides=[2, 2], pads_begin=[0, 0], pads_end=[0, 0], axis=2)
for name, bad in (("one-above", 4), ("minus-one", -1), ("far", 1000), ("i32-wrap", 2**32 + 1),
                  ("most-negative", -2**63), ("minus-extent", -4), ("largest", 2**63 - 1)):
    for axis in (0, 2):
        add("unpool-out-of-range", f"{name}-axis{axis}", "max_unpool", [5, 6],
            indices=[1, bad], rule="unpool_range", output_shape=[1, 1, 4], kernel=[2],
            strides=[2], pads_begin=[0], pads_end=[0], axis=axis)
    add("unpool-out-of-range", f"{name}-2d", "max_unpool", [[5, 6]], indices=[[0, bad * 4]]
        if abs(bad) < 2**31 else [[0, bad]], rule="unpool_range", output_shape=[1, 1, 2, 4],
        kernel=[2, 2], strides=[2, 2], pads_begin=[0, 0], pads_end=[0, 0], axis=2)
add("unpool-out-of-range", "next-plane", "max_unpool", ramp(1, 2, 1),
    indices=np.array([[[1], [2]]], object), rule="unpool_range", output_shape=[1, 2, 2],
    kernel=[2], strides=[2], pads_begin=[0], pads_end=[0], axis=2)

GRADS = ("pytorch/pytorch#85425", "pytorch/pytorch#107011", "tillahoffmann/jax-mps#72")
for type_name in ("f32", "f64", "bf16", "f16"):
    add("gradient-ties", f"max-{type_name}", "max_pool_grad", [7, 7, 7], grad=[[[1, 10]]],
        rule="grad_max", kernel=[2], type=type_name, threads=GRADS)
    add("gradient-ties", f"max-2d-{type_name}", "max_pool_grad", [[1, 1], [1, 1]],
        grad=[[[[5]]]], rule="grad_max", kernel=[2, 2], type=type_name, threads=GRADS)
    add("gradient-overlap", f"max-{type_name}", "max_pool_grad", [1, 9, 2],
        grad=[[[10, 20]]], rule="grad_overlap", kernel=[2], type=type_name,
        threads=("pytorch/pytorch#131972",))
    add("gradient-overlap", f"avg-{type_name}", "avg_pool_grad", [0, 0, 0, 0],
        grad=[[[2, 4, 8]]], rule="grad_avg", kernel=[2], type=type_name)
add("gradient-ties", "max-pads", "max_pool_grad", [[3, 3], [3, 3]],
    grad=ramp(1, 1, 3, 3), rule="grad_max", kernel=[2, 2], pads_begin=[1, 1],
    pads_end=[1, 1])
add("gradient-ties", "max-all-minus-infinity", "max_pool_grad",
    [float("-inf")] * 2, grad=[[[3]]], rule="grad_max", kernel=[2])
add("gradient-ties", "max-nan-propagate", "max_pool_grad", [1, float("nan"), 2],
    grad=[[[3, 5]]], rule="nan_index", kernel=[2], nan_mode="propagate")
add("gradient-ties", "max-zeros", "max_pool_grad", [0.0, -0.0, 0.0], grad=[[[1, 2]]],
    rule="zero", kernel=[2])
add("gradient-ties", "adaptive-max", "adaptive_max_pool_grad", [4, 4, 4], grad=[[[1, 10]]],
    rule="grad_max", output_size=[2], threads=("pytorch/pytorch#110698",))
add("gradient-ties", "adaptive-max-2d", "adaptive_max_pool_grad", [[4, 4], [4, 4]],
    grad=[[[[3]]]], rule="grad_max", output_size=[1, 1])
add("gradient-overlap", "max-2d", "max_pool_grad", mixed(3, 3), grad=ramp(1, 1, 2, 2),
    rule="grad_overlap", kernel=[2, 2])
add("gradient-overlap", "max-dilated", "max_pool_grad", mixed(5), grad=[[[1, 2, 4]]],
    rule="grad_overlap", kernel=[2], dilations=[2])
add("gradient-overlap", "max-dilated-2d", "max_pool_grad", mixed(3, 4), grad=ramp(1, 1, 1, 2),
    rule="grad_overlap", kernel=[2, 2], dilations=[2, 2])
add("gradient-overlap", "max-ceil", "max_pool_grad", mixed(5), grad=[[[1, 2, 4]]],
    rule="grad_overlap", kernel=[2], strides=[2], rounding_type="ceil_torch")
add("gradient-overlap", "max-stride-gap", "max_pool_grad", mixed(5), grad=[[[1, 2]]],
    rule="grad_max", kernel=[2], strides=[3])
for divisor in ("valid", "padded", "kernel"):
    add("gradient-overlap", f"avg-{divisor}-pads", "avg_pool_grad", [0] * 3,
        grad=[[[4, 8, 16, 32]]], rule="grad_avg", kernel=[2], pads_begin=[1], pads_end=[1],
        divisor=divisor)
    add("gradient-overlap", f"avg-{divisor}-ceil", "avg_pool_grad", [0] * 4,
        grad=[[[6, 12]]], rule="grad_avg", kernel=[3], strides=[2],
        rounding_type="ceil_torch", divisor=divisor)
add("gradient-overlap", "avg-override", "avg_pool_grad", [0] * 3, grad=[[[4, 8]]],
    rule="grad_avg", kernel=[2], divisor_override=4)
add("gradient-overlap", "avg-2d", "avg_pool_grad", [[0, 0, 0], [0, 0, 0]],
    grad=[[[[4, 8]]]], rule="grad_avg", kernel=[2, 2])
add("gradient-overlap", "avg-dilated", "avg_pool_grad", [0] * 4, grad=[[[2, 4]]],
    rule="grad_avg", kernel=[2], dilations=[2])
add("gradient-overlap", "adaptive-avg", "adaptive_avg_pool_grad", [0, 0, 0],
    grad=[[[2, 4]]], rule="grad_overlap", output_size=[2])
add("gradient-overlap", "adaptive-avg-5-3", "adaptive_avg_pool_grad", [0] * 5,
    grad=[[[2, 6, 4]]], rule="grad_overlap", output_size=[3])
add("gradient-overlap", "adaptive-max-5-3", "adaptive_max_pool_grad", [1, 5, 3, 4, 2],
    grad=[[[1, 2, 4]]], rule="grad_overlap", output_size=[3])
for p in (1, 2, 3):
    add("gradient-overlap", f"lp-p{p}", "lp_pool_grad", [3, -4, 3], grad=[[[5, 10]]],
        rule="grad_lp", kernel=[2], p=p)
add("gradient-overlap", "lp-zero", "lp_pool_grad", [0, 0, 1], grad=[[[5, 10]]],
    rule="grad_lp", kernel=[2], p=2)

ROUNDED = ((57, 7), (29, 11), (62, 14))
ADAPTIVE = ("llvm/torch-mlir#2578", "llvm/torch-mlir PR 855", "llvm/torch-mlir#4393")
for extent, outputs in ((3, 2), (5, 3), (5, 2), (7, 3), (4, 3), (2, 3), (1, 3), (6, 3),
                        (13, 6)):
    for op in ("adaptive_avg_pool", "adaptive_max_pool"):
        add("adaptive-bounds", f"{op}-{extent}-to-{outputs}", op, ramp(extent),
            rule="adaptive", output_size=[outputs], threads=ADAPTIVE)
for op in ("adaptive_avg_pool", "adaptive_max_pool"):
    add("adaptive-bounds", f"{op}-2d", op, mixed(5, 3), rule="adaptive", output_size=[3, 2],
        threads=ADAPTIVE)
    add("adaptive-bounds", f"{op}-3d", op, mixed(1, 1, 2, 3, 3), rule="adaptive",
        output_size=[1, 2, 2])
    add("adaptive-bounds", f"{op}-batch", op, mixed(2, 2, 3), rule="adaptive",
        output_size=[2])
    for shape in ((4,), (2, 3), (1, 2, 2)):
        add("adaptive-bounds", f"{op}-global-{len(shape)}d", op, mixed(1, 2, *shape),
            rule="adaptive", output_size=[1] * len(shape))
    # Extents whose bounds are wrong in f32, by one of the usual ways to write the formula.
    for extent, outputs in ROUNDED:
        add("adaptive-bounds", f"{op}-{extent}-to-{outputs}", op,
            {"shape": [1, 1, extent], "generate": {"start": 0, "step": 1}}, rule="adaptive",
            output_size=[outputs], threads=("pytorch/pytorch#74034",))
    add("adaptive-bounds", f"{op}-shape-2e31", op, (1, 1, 2**31 + 5), rule="adaptive",
        output_size=[2**31 + 1], threads=("pytorch/pytorch#64806",))
# A product of an output's number and the extent that f32 rounds
add("adaptive-bounds", "adaptive_max_pool-43559-to-396", "adaptive_max_pool",
    {"shape": [1, 1, 43559], "generate": {"start": 0, "step": 1}}, rule="adaptive",
    output_size=[396], threads=("pytorch/pytorch#74034",))
add("adaptive-bounds", "indices", "adaptive_max_pool", [1, 5, 3, 4, 2], rule="adaptive",
    output_size=[3], index_type="i64")

for op in ("max_pool", "avg_pool", "lp_pool", "min_pool"):
    add("empty-batch", op, op, np.zeros((0, 2, 4)), rule="empty", kernel=[2])
    add("empty-batch", f"{op}-2d", op, np.zeros((0, 1, 3, 3)), rule="empty", kernel=[2, 2],
        strides=[2, 2])
add("empty-batch", "max_pool-indices", "max_pool", np.zeros((0, 1, 3)), rule="empty",
    kernel=[2], index_type="i64")
for op in ("adaptive_avg_pool", "adaptive_max_pool"):
    add("empty-batch", op, op, np.zeros((0, 1, 3, 3)), rule="empty", output_size=[2, 2])
    add("empty-batch", f"{op}-global", op, np.zeros((0, 2, 2, 2)), rule="empty",
        output_size=[1, 1])

WIDE = ("pytorch/pytorch#189664", "pytorch/pytorch#167253", "PaddlePaddle/Paddle PR 79608",
        "FluxML/NNlib.jl#508")
for op in ("max_pool", "avg_pool"):
    for extent in (2**31 - 1, 2**31, 2**31 + 1, 2**32 + 3):
        for stride in (1, 2):
            add("extents-beyond-31-bits", f"{op}-{extent}-s{stride}", op, (1, 1, extent),
                rule="wide", kernel=[2], strides=[stride], threads=WIDE)
    add("extents-beyond-31-bits", f"{op}-kernel", op, (1, 1, 2**32), rule="wide",
        kernel=[2**31 + 1], strides=[2**31], threads=WIDE)
    add("extents-beyond-31-bits", f"{op}-area", op, (1, 1, 2**20, 2**20), rule="wide",
        kernel=[3, 3], strides=[2, 2], threads=WIDE)
    add("extents-beyond-31-bits", f"{op}-batch", op, (2**31 + 1, 1, 4), rule="wide",
        kernel=[2], threads=WIDE)
    add("extents-beyond-31-bits", f"{op}-ceil", op, (1, 1, 2**32 + 1), rule="ceil",
        kernel=[2], strides=[2], rounding_type="ceil_torch", threads=WIDE)
    add("extents-beyond-31-bits", f"{op}-stride", op, ramp(3), rule="wide", kernel=[2],
        strides=[2**31 + 1], threads=WIDE)
    add("extents-beyond-31-bits", f"{op}-stride-31-bits", op, ramp(3), rule="wide",
        kernel=[2], strides=[2**31 - 1], threads=WIDE)
    add("extents-beyond-31-bits", f"{op}-same", op, (1, 1, 2**31 + 1), rule="same_strided",
        kernel=[3], strides=[2], auto_pad="same_upper", same_output="strided")
DILATION = ("pytorch/pytorch#191566",)
for op in ("max_pool", "avg_pool"):
    for dilation in (2**31 - 1, 2**31, 2**32 + 1):
        add("dilation-beyond-31-bits", f"{op}-k1-{dilation}", op, ramp(3), rule="wide",
            kernel=[1], dilations=[dilation], threads=DILATION)
        add("dilation-beyond-31-bits", f"{op}-refused-{dilation}", op, ramp(3),
            rule="does_not_fit", kernel=[2], dilations=[dilation], threads=DILATION)
        add("dilation-beyond-31-bits", f"{op}-pads-{dilation}", op, ramp(3), rule="wide",
            kernel=[2], dilations=[dilation], pads_begin=[dilation], pads_end=[0],
            threads=DILATION)
        add("dilation-beyond-31-bits", f"{op}-shape-{dilation}", op, (1, 1, 2**33),
            rule="wide", kernel=[2], dilations=[dilation], threads=DILATION)
    add("dilation-beyond-31-bits", f"{op}-leaves-64-bits", op, ramp(3), rule="wide",
        kernel=[5], dilations=[2**62], threads=DILATION)

BAD = {"kernel-0": dict(kernel=[0]), "stride-0": dict(kernel=[2], strides=[0]),
       "dilation-0": dict(kernel=[2], dilations=[0]),
       "negative-pad": dict(kernel=[2], pads_begin=[-1], pads_end=[0]),
       "kernel-too-long": dict(kernel=[5]), "kernel-negative": dict(kernel=[-1]),
       "dilated-too-long": dict(kernel=[3], dilations=[2]),
       "stride-negative": dict(kernel=[2], strides=[-1]),
       "list-too-long": dict(kernel=[2, 2], strides=[1, 1], dilations=[1, 1],
                             pads_begin=[0, 0], pads_end=[0, 0])}
for op in ("max_pool", "avg_pool", "lp_pool"):
    for name, attributes in BAD.items():
        add("refusals", f"{op}-{name}", op, ramp(4), rule="refused" if "long" not in name
            else "does_not_fit", threads=("llvm/llvm-project#180413",
                                          "openvinotoolkit/openvino#33794",
                                          "llvm/llvm-project PR 130052",
                                          "tenstorrent/tt-mlir#4099",
                                          "Xilinx/onnx-mlir PR 136"), **attributes)
add("refusals", "adaptive-0", "adaptive_avg_pool", ramp(3), rule="refused", output_size=[0])
