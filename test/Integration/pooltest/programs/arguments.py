"""Arrays as arguments of programs."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import ml_dtypes
import numpy as np

from ..case import NUMPY_TYPES
from ..generators import integer, pick
from . import facts
from .model import QUANTIZED

# Kind of data -> its weight in the random choice. Sums of the first four kinds are exact in
# most programs.
FLOAT_KINDS = {"whole numbers": 5, "ties": 4, "fractions": 5, "zeros": 2, "ordinary": 4,
               "NaN": 3, "infinities": 3, "all -inf": 1, "subnormals": 2, "extremes": 2}
INTEGER_KINDS = {"whole numbers": 4, "ties": 3, "all of the range": 4, "extremes": 3}


def random_quantized(rng):
    """Returns a random quantised type, sometimes with a narrower storage range than its
    integer type."""
    bits, sign = pick(rng, (8, 8, 16, 32)), pick(rng, ("i", "i", "u"))
    low, high = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if sign == "i" else (0, 2 ** bits - 1)
    if bits == 32:
        sign, low, high = "i", -2 ** 31, 2 ** 31 - 1
    bounds = ""
    if rng.random() < 0.2:
        low, high = low + 1, high - 2
        bounds = f"<{low}:{high}>"
    return with_scale(rng, f"!quant.uniform<{sign}{bits}{bounds}", low, high)


def with_scale(rng, head, low, high):
    """Returns the quantised type `head` with a random scale and zero point."""
    scale = math.ldexp(int(rng.integers(2**20, 2**21)), int(rng.integers(-26, -19)))
    return f"{head}:f32, {scale!r}:{integer(rng, low, high)}>"


def rescaled(rng, kind):
    """Returns the quantised element type of `kind` with another scale and zero point."""
    return with_scale(rng, kind.element.split(":f32")[0], *limits(kind))


def limits(kind):
    """Returns the smallest and the largest value that elements of this type store."""
    match = QUANTIZED.match(kind.element)
    if match and match[3]:
        return int(match[3]), int(match[4])
    info = np.iinfo(kind.dtype)
    return int(info.min), int(info.max)


def draw(rng, kind):
    """Returns (array of a type, name of the kind of its data)."""
    if kind.shape is None:
        return np.array(integer(rng, 0, 4), kind.dtype), "scalar"
    kinds = FLOAT_KINDS if facts.is_float(kind.element) else INTEGER_KINDS
    name = pick(rng, tuple(kinds), tuple(kinds.values()))
    return fill(rng, kind, name), name


def fill(rng, kind, name):
    if facts.is_float(kind.element):
        return fill_floats(rng, kind, name)
    low, high = limits(kind)
    if name == "whole numbers":
        low, high = max(low, -20), min(high, 100)
    elif name == "ties":
        low, high = max(low, -1), min(high, 2)
    if low > high:
        low, high = limits(kind)
    x = rng.integers(low, high, kind.shape, dtype=np.int64 if low < 0 else np.uint64,
                     endpoint=True)
    if name == "extremes":
        ends = np.array([low, high, low + 1, high - 1], x.dtype)
        x = np.where(rng.random(kind.shape) < 0.8, rng.choice(ends, kind.shape), x)
    return x.astype(kind.dtype)


def fill_floats(rng, kind, name):
    shape = kind.shape
    info = ml_dtypes.finfo(NUMPY_TYPES[kind.element])
    x = np.round(rng.standard_normal(shape) * 8)
    if name == "ties":
        x = np.round(x / 6)
    elif name == "fractions":
        x = np.round(x * 4) / 8
    elif name == "zeros":
        x = np.where(rng.random(shape) < 0.8, np.where(rng.random(shape) < 0.5, 0.0, -0.0), x)
    elif name == "ordinary":
        x = rng.standard_normal(shape) * 8
    elif name == "NaN":
        x = np.where(rng.random(shape) < 0.3, math.nan, x)
    elif name == "infinities":
        strange = rng.choice([math.inf, -math.inf, math.nan], shape, p=[0.45, 0.45, 0.1])
        x = np.where(rng.random(shape) < 0.2, strange, x)
    elif name == "all -inf":
        x = np.full(shape, -math.inf)
    elif name == "subnormals":
        x = x * float(info.smallest_subnormal)
    elif name == "extremes":
        ends = np.array([float(info.max), -float(info.max), float(info.smallest_subnormal),
                         float(info.smallest_normal), -0.0, 1.0])
        x = rng.choice(ends, shape)
    with np.errstate(over="ignore"):
        return x.astype(kind.dtype)
