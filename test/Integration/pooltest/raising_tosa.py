"""Random pooling in TOSA, and pooling operations that TOSA can express.

Windows of the TOSA operations cover the padded input exactly, and their pads are less than the
kernel, as TOSA requires. No data contain -inf, and no window of a maximum that ignores NaN
contains only NaN: in both cases, upstream's lowering, by which the TOSA operations run, is
known to give other results.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from pooltest import generators, rules
from pooltest.case import NUMPY_TYPES, Case, tensor_type
from pooltest.raising_linalg import RaisingCase, data


def random_dims(rng):
    """Returns (input, kernel, stride, begin, end, output) for height and for width."""
    dims = []
    while len(dims) < 2:
        k, s = (int(v) for v in rng.integers(1, 4, 2))
        begin, end = (int(v) for v in rng.integers(0, k, 2))
        out = int(rng.integers(1, 5))
        size = (out - 1) * s + k - begin - end
        if size >= 1:
            dims.append((size, k, s, begin, end, out))
    return dims


def tosa_case(rng, name, kind, linalg):
    averages = kind.startswith("avg")
    integer = kind.endswith("integer")
    element_type = str(rng.choice(["i8", "i16"] if integer else ["f16", "bf16", "f32"]))
    if kind.startswith("global"):
        return global_average(rng, name, kind)
    zero_points = (0, 0)
    if kind == "avg integer" and element_type == "i8":
        lowest = -128 if rng.random() < 0.25 else int(rng.integers(-128, 128))
        zero_points = (lowest, int(rng.integers(-128, 128)))
    dims = random_dims(rng)
    shape = [int(rng.integers(1, 3)), dims[0][0], dims[1][0], int(rng.integers(1, 4))]
    out = [shape[0], dims[0][5], dims[1][5], shape[3]]
    x, y = tensor_type(shape, element_type), tensor_type(out, element_type)
    attrs = (f"kernel = array<i64: {dims[0][1]}, {dims[1][1]}>, pad = array<i64: "
             f"{dims[0][3]}, {dims[0][4]}, {dims[1][3]}, {dims[1][4]}>, "
             f"stride = array<i64: {dims[0][2]}, {dims[1][2]}>")
    lines = [f"func.func @{name}(%x: {x}) -> {y} {{"]
    if averages:
        acc = "i32" if integer else "f32"
        for zp, value in zip("io", zero_points):
            value = value if integer else f"{value:e}"
            lines.append(f'  %{zp} = "tosa.const"() <{{values = dense<{value}> : '
                         f"tensor<1x{element_type}>}}> : () -> tensor<1x{element_type}>")
        lines.append(f"  %y = tosa.avg_pool2d %x, %i, %o {{acc_type = {acc}, {attrs}}} : "
                     f"({x}, tensor<1x{element_type}>, tensor<1x{element_type}>) -> {y}")
    else:
        mode = ", nan_mode = IGNORE" if kind == "max ignore" else ""
        lines.append(f"  %y = tosa.max_pool2d %x {{{attrs}{mode}}} : ({x}) -> {y}")
    lines += [f"  return %y : {y}", "}"]
    values = data(rng, shape, element_type, (np.nan,) if kind == "max" else ())
    expected = ["pool.avg_pool" if averages else "pool.max_pool", "channels_last"]
    forbidden = ["tosa."]
    if linalg and averages:
        forbidden = ["linalg."]
    elif linalg:
        expected.append("arith.max")
        forbidden = ["linalg.pooling", "tensor.pad"]
        if kind == "max integer":
            expected.pop()
    return RaisingCase(name, f"{'through linalg' if linalg else 'tosa'}: {kind}",
                       "\n".join(lines), [values], NUMPY_TYPES[element_type],
                       expected, forbidden)


def global_average(rng, name, kind):
    last = bool(rng.integers(0, 2))
    size = [4, 2] if kind == "global, exact reciprocal" else [3, 5]
    shape = [2, *size, 3] if last else [2, 3, *size]
    axes = [1, 2] if last else [3, 2]
    lines = [f"func.func @{name}(%x: {tensor_type(shape, 'f32')}) -> "]
    value, text = "%x", list(shape)
    for axis in axes:
        before = tensor_type(text, "f32")
        text[axis] = 1
        lines.append(f"  %s{axis} = tosa.reduce_sum {value} {{axis = {axis} : i32}} : "
                     f"({before}) -> {tensor_type(text, 'f32')}")
        value = f"%s{axis}"
    result = tensor_type(text, "f32")
    lines[0] += result + " {"
    factor = np.float32(1) / np.float32(np.prod(size))
    bits = f"0x{factor.view(np.uint32):08X}"
    lines += [f'  %f = "tosa.const"() <{{values = dense<{bits}> : tensor<1x1x1x1xf32>}}> '
              ": () -> tensor<1x1x1x1xf32>",
              '  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> '
              "tensor<1xi8>",
              f"  %y = tosa.mul {value}, %f, %shift : ({result}, tensor<1x1x1x1xf32>, "
              f"tensor<1xi8>) -> {result}",
              f"  return %y : {result}", "}"]
    exact = kind == "global, exact reciprocal"
    return RaisingCase(name, f"tosa: {kind}", "\n".join(lines), [data(rng, shape, "f32")],
                       NUMPY_TYPES["f32"],
                       ["pool.avg_pool"] + ([] if exact else ["divisor_override 1 ",
                                                              "tosa.mul"]),
                       ["reduce_sum"] + (["tosa.mul"] if exact else []))


TOSA = ("max", "max integer", "avg", "avg integer", "max ignore",
        "global, exact reciprocal", "global, rounded reciprocal")
# Kinds that upstream lowers to pooling ops of linalg, from which the test raises them.
# Upstream lowers integer averages, and maxima under IGNORE, to other ops.
THROUGH_LINALG = ("max", "max integer", "avg")


def tosa_cases(rng, count, linalg=False):
    kinds = THROUGH_LINALG if linalg else TOSA
    return [tosa_case(rng, f"f{i}_{j}", kind, linalg)
            for i, kind in enumerate(kinds) for j in range(count)]


def pool_case(rng, name, kind):
    """Returns a random pooling operation that TOSA can express."""
    op = "max_pool" if kind.startswith("max") else "avg_pool"
    integer = kind.endswith("integer")
    element_type = str(rng.choice(["i8", "i16"] if integer else ["f16", "bf16", "f32"]))
    rounding = str(rng.choice(generators.ROUNDINGS))
    if kind == "avg padded":
        rounding = "floor"
    # An average of an odd number of elements never lies halfway between two integers, so the
    # case may have any integer_rounding.
    odd = kind == "avg integer" and rng.random() < 0.5
    fields, shape = {}, [int(rng.integers(1, 3)), int(rng.integers(1, 4))]
    lists = {key: [] for key in ("kernel", "strides", "pads_begin", "pads_end")}
    for _ in range(2):
        k = int(rng.choice([1, 3]) if odd else rng.integers(1, 4))
        pad = 0 if odd or k == 1 else 1
        s = int(rng.integers(1, k + 1))
        for key, value in zip(lists, (k, s, int(rng.integers(0, pad + 1)),
                                      int(rng.integers(0, pad + 1)) if k > 2 else 0)):
            lists[key].append(value)
        shape.append(int(rng.integers(4, 9)))
    if kind == "max ignore":
        # Upstream's lowering does not give NaN for a window of only NaN. So the input gets one
        # NaN, and windows of six elements without padding contain a number, too.
        rounding = "floor"
        lists.update(kernel=[2, 3], pads_begin=[0, 0], pads_end=[0, 0])
    if kind == "avg integer":
        # With ceil, windows at the end may have fewer elements, and then an even number.
        rounding = "floor" if odd else rounding
        roundings = ["half_even", "half_up", "half_away"] if odd else ["half_away"]
        fields.update(integer_rounding=str(rng.choice(roundings)))
        if element_type == "i8":
            fields.update(input_zp=int(rng.integers(-128, 128)),
                          output_zp=int(rng.integers(-128, 128)))
    if kind == "avg padded":
        fields.update(divisor=str(rng.choice(["padded", "kernel"])))
    if kind == "max zero padding":
        fields.update(pad_value="zero")
    if op == "max_pool" and not integer and kind != "max ignore":
        fields.update(nan_mode="propagate")
    layout = str(rng.choice(["channels_first", "channels_last"]))
    if layout == "channels_last":
        shape = [shape[0], *shape[2:], shape[1]]
    case = Case(op, shape, element_type=element_type, rounding_type=rounding,
                layout=layout, **lists, **fields)
    try:
        out = rules.output_shape(case)
    except rules.Refused:
        return pool_case(rng, name, kind)
    for i, d in enumerate(case.spatial_dims):
        k, s, _, begin, _ = case.window(i)
        if (out[d] - 1) * s >= shape[d] + begin:
            # TOSA rejects a window of only padding, so draw again.
            return pool_case(rng, name, kind)
    x = data(rng, shape, element_type)
    if kind == "max ignore":
        x.flat[rng.integers(x.size)] = np.nan
    return RaisingCase(name, f"to tosa: {kind}", case.function(name, out),
                       [x], NUMPY_TYPES[element_type], [], ["pool."])


POOL = ("max", "max ignore", "max integer", "max zero padding", "avg", "avg padded", "avg integer")


def pool_cases(rng, count):
    return [pool_case(rng, f"f{i}_{j}", kind) for i, kind in enumerate(POOL)
            for j in range(count)]
