"""Random windows, shapes and data, drawn from the generator `rng` of the caller."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy as np

from .case import FLOAT_TYPES, INTEGER_TYPES, NUMPY_TYPES, Case
from .rules import Refused, output_shape, product, resolve

ROUNDINGS = ("floor", "ceil", "ceil_torch")
AUTO_PADS = ("explicit", "valid", "same_upper", "same_lower")


def pick(rng, choices, weights=None):
    """Picks one of `choices`. rng.choice(choices) would convert it to a NumPy scalar."""
    p = None if weights is None else np.array(weights) / sum(weights)
    return choices[int(rng.choice(len(choices), p=p))]


def integer(rng, low, high):
    """Returns a random integer in [low, high]."""
    return int(rng.integers(low, high, endpoint=True))


def integers(rng, count, low, high):
    return tuple(integer(rng, low, high) for _ in range(count))


def element_type(rng):
    """Picks any type. Half of the time it is a float, which more peers support."""
    if rng.random() < 0.5:
        return pick(rng, FLOAT_TYPES, (2, 1, 4, 1))
    return pick(rng, INTEGER_TYPES)


def random_window(rng, n, max_kernel=4, max_stride=4, max_dilation=3, max_pad=4,
                  pads_below_kernel=0.0):
    """Random window attributes of `n` dimensions, which may be invalid.

    In a share of `pads_below_kernel` of the windows, all pads are smaller than the kernel, as
    in practice.
    """
    window = {
        "kernel": integers(rng, n, 1, max_kernel),
        "strides": integers(rng, n, 1, max_stride),
        "dilations": integers(rng, n, 1, max_dilation if rng.random() < 0.4 else 1),
        "rounding_type": pick(rng, ROUNDINGS),
        "auto_pad": pick(rng, AUTO_PADS, (6, 1, 1, 1)),
    }
    if rng.random() < 0.7:
        window["pads_begin"] = integers(rng, n, 0, max_pad)
        window["pads_end"] = integers(rng, n, 0, max_pad)
        if rng.random() < pads_below_kernel:
            for name in ("pads_begin", "pads_end"):
                window[name] = tuple(min(p, k - 1) for p, k in zip(window[name],
                                                                  window["kernel"]))
    if window["auto_pad"].startswith("same") and rng.random() < 0.6:
        window["same_output"] = "strided"
    for name, default in (("strides", 1), ("dilations", 1)):
        if all(v == default for v in window[name]) and rng.random() < 0.5:
            del window[name]
    return window


def random_shape(rng, n, layout="channels_first", empty_batch=0.01):
    """Returns a random small input shape: many windows fit, and loops stay short."""
    extents = integers(rng, n, 1, {1: 24, 2: 9, 3: 6, 4: 4}[n])
    batch = 0 if rng.random() < empty_batch else integer(rng, 1, 2)
    channels = integer(rng, 1, 3)
    if layout == "channels_first":
        return (batch, channels) + extents
    return (batch,) + extents + (channels,)


def random_legal(rng, op, element_type, max_output=400, **fixed):
    """Returns a random case that has the attributes `fixed` and that the rules accept."""
    while True:
        n = pick(rng, (1, 2, 3, 4), (30, 50, 20, 2))
        layout = pick(rng, ("channels_first", "channels_last"), (3, 1))
        attributes = random_window(rng, n, max_kernel={1: 9, 2: 5, 3: 4, 4: 2}[n],
                                   pads_below_kernel=0.6)
        attributes.update(random_op(rng, op, element_type, n), **fixed)
        case = Case(op, random_shape(rng, n, layout), element_type=element_type, layout=layout,
                    **attributes)
        try:
            dims = resolve(case)
        except Refused:
            continue
        if product(dim.output for dim in dims) <= max_output:
            return case


def random_wide(rng, op, element_type):
    """Returns a case with a window of hundreds of elements, so that rounding errors add up."""
    while True:
        extent = integer(rng, 300, 2000)
        attributes = {"kernel": (integer(rng, 200, extent),), "strides": (integer(rng, 50, 500),),
                      "pads_begin": (integer(rng, 0, 50),), "pads_end": (integer(rng, 0, 50),),
                      "rounding_type": pick(rng, ROUNDINGS)}
        attributes.update(random_op(rng, op, element_type, 1))
        case = Case(op, (1, 2, extent), element_type=element_type, **attributes)
        try:
            resolve(case)
        except Refused:
            continue
        return case


def random_ill_defined(rng, element_type):
    """Returns an average with a window that counts nothing. The rules reject such an average
    if the extents are known."""
    while True:
        n = pick(rng, (1, 2))
        attributes = random_window(rng, n)
        attributes.update(random_op(rng, "avg_pool", element_type, n))
        case = Case("avg_pool", random_shape(rng, n), element_type=element_type, **attributes)
        try:
            resolve(case)
        except Refused as refusal:
            if refusal.reason == "ill-defined":
                return case


def dynamic_dims(rng, case, every_spatial=False):
    """Returns random dimensions to make dynamic: at least one, and with `every_spatial` all
    spatial ones."""
    dims = {d for d in range(case.rank) if rng.random() < 0.5}
    if every_spatial:
        dims |= set(case.spatial_dims)
    return tuple(sorted(dims or {pick(rng, list(case.spatial_dims))}))


def random_op(rng, op, element_type, n):
    """Returns random attributes of the operation other than those of the window."""
    is_float = not element_type.lstrip("su").startswith("i")
    if op in ("max_pool", "min_pool"):
        attributes = {"axis": integer(rng, -(n + 2), n + 1)}
        if rng.random() < 0.6:
            attributes["index_type"] = pick(rng, ("i32", "i64"))
        elif rng.random() < 0.3:
            attributes["pad_value"] = "zero"
        if is_float and rng.random() < 0.3:
            attributes["nan_mode"] = "propagate"
        return attributes
    if op == "lp_pool":
        return {"p": pick(rng, (1, 2, 3, 4, 5), (2, 4, 2, 1, 1))}
    attributes = {"divisor": pick(rng, ("valid", "padded", "kernel"))}
    if rng.random() < 0.15:
        largest = 12 if rng.random() < 0.8 else 10 ** integer(rng, 2, 18)
        sign = -1 if rng.random() < 0.25 else 1
        attributes["divisor_override"] = sign * integer(rng, 1, largest)
    if not is_float:
        attributes["integer_rounding"] = pick(rng, ("half_even", "half_up", "half_away"))
        if rng.random() < 0.4:
            low, high = zero_point_range(element_type)
            attributes["input_zp"] = integer(rng, low, high)
            attributes["output_zp"] = integer(rng, low, high)
    return attributes


def zero_point_range(element_type):
    limits = np.iinfo(NUMPY_TYPES[element_type])
    return max(int(limits.min), -100), min(int(limits.max), 100)


# Kinds of data. `ordinary` data are just random; the other kinds aim at known pitfalls of
# pooling.
FLOAT_KINDS = ("ordinary", "ties", "some_neg_inf", "all_neg_inf", "zeros",
               "extreme", "nan", "all_nan")
AVERAGE_KINDS = ("ordinary", "ties", "zeros", "extreme", "large_sum", "non_finite")
NORM_KINDS = ("ordinary", "ties", "zeros", "non_finite")
INTEGER_KINDS = ("ordinary", "ties", "lowest", "extreme")


def kinds(case):
    """Returns the kinds of data that apply to the case."""
    if not case.is_float:
        return INTEGER_KINDS
    if case.is_extremum:
        return FLOAT_KINDS
    return {"lp_pool": NORM_KINDS}.get(case.op, AVERAGE_KINDS)


def data(rng, case, kind):
    """Returns a random input of the case's shape and type."""
    x = (float_data if case.is_float else integer_data)(rng, case, kind)
    # Mirror the values, so that data that are hard for a maximum are hard for a minimum.
    if case.op == "min_pool":
        return -x if case.is_float else ~x
    return x


def float_data(rng, case, kind):
    shape = tuple(case.shape)
    x = rng.standard_normal(shape) * 8
    if kind == "ties":
        x = np.round(x / 6)
    elif kind == "zeros":
        x = np.where(rng.random(shape) < 0.5, 0.0, -0.0)
        x = np.where(rng.random(shape) < 0.2, -1.0, x)
    elif kind == "extreme":
        # Magnitudes far apart test an average's bound against cancellation. Sums must not
        # overflow, so magnitudes stay small; f16 has a smaller range.
        span = 3 if case.element_type == "f16" else 12
        x = x * 10.0 ** rng.uniform(-span, span / 3, shape)
    elif kind == "large_sum":
        # A sum of a few dozen elements overflows f16; their average does not.
        x = np.abs(x) * 500
    elif kind == "some_neg_inf":
        x = np.where(rng.random(shape) < 0.5, -math.inf, x)
    elif kind == "all_neg_inf":
        x = np.full(shape, -math.inf)
    elif kind == "nan":
        x = np.round(x / 6)
        x = np.where(rng.random(shape) < 0.3, math.nan, x)
        x = np.where(rng.random(shape) < 0.2, -math.inf, x)
    elif kind == "non_finite":
        strange = rng.choice([math.nan, math.inf, -math.inf], shape)
        x = np.where(rng.random(shape) < 0.05, strange, x)
    elif kind == "all_nan":
        x = np.where(rng.random(shape) < 0.9, math.nan, x)
    return x.astype(case.dtype)


def integer_data(rng, case, kind):
    limits = np.iinfo(case.dtype)
    shape = tuple(case.shape)
    low, high = int(limits.min), int(limits.max)
    if kind == "ordinary":
        low, high = max(low, -100), min(high, 100)
    elif kind == "ties":
        low, high = max(low, -2), min(high, 2)
    elif kind == "lowest":
        return np.full(shape, low, case.dtype)
    return rng.integers(low, high, shape, dtype=case.dtype, endpoint=True)


def random_text(rng, number):
    """Returns the text of a function @f with a pooling. Every fifth function is a norm; every
    third has unknown extents."""
    op = ("max_pool", "avg_pool", "min_pool", "avg_pool", "lp_pool")[number % 5]
    case = random_legal(rng, op, pick(rng, FLOAT_TYPES) if op == "lp_pool"
                        else element_type(rng))
    if number % 3 == 0:
        case = case.with_(dynamic=dynamic_dims(rng, case))
    return case.function("f", case.dynamic_output_shape(output_shape(case)))
