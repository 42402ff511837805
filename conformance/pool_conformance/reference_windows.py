"""The definition of reduce_window, by the rules of StableHLO."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import itertools
import math
import operator
from functools import reduce
from typing import Any

import numpy as np

from .rules import Refusal
from .tensor import Tensor, encode, is_float
from .vector import Expected, Vector


def maximum(a: Any, b: Any) -> Any:
    """StableHLO's maximum: NaN if either is."""
    return math.nan if a != a or b != b else max(a, b)


def minimum(a: Any, b: Any) -> Any:
    """StableHLO's minimum: NaN if either is."""
    return math.nan if a != a or b != b else min(a, b)


FOLDS = {"add": operator.add, "mul": operator.mul, "max": maximum, "min": minimum,
         "and": operator.and_, "or": operator.or_, "xor": operator.xor}


def reduce_window(vector: Vector) -> list[Expected]:
    """Folds the init value, then the window's positions in row-major order. Padding and the
    holes of base_dilations hold the init value. Float vectors have sums and products that are
    exact in every order."""
    get = vector.attributes.__getitem__
    init = float(get("init")) if is_float(vector.type) else int(get("init"))
    if min(get("pads_begin") + get("pads_end")) < 0:
        raise Refusal("a negative pad")
    if min(get("strides") + get("dilations") + get("base_dilations") + get("kernel")) < 1:
        raise Refusal("a kernel, stride or dilation below 1")
    dilated = [(extent - 1) * hole + 1 if extent else 0
               for extent, hole in zip(vector.shape, get("base_dilations"))]
    shape = []
    for extent, begin, end, kernel, dilation, stride in zip(
            dilated, get("pads_begin"), get("pads_end"), get("kernel"), get("dilations"),
            get("strides")):
        room = extent + begin + end - ((kernel - 1) * dilation + 1)
        shape.append(0 if room < 0 or extent + begin + end == 0 else room // stride + 1)
    x = vector.x.values()
    result = np.zeros(shape, np.float64 if is_float(vector.type) else object)
    fold = FOLDS[get("reduction")]
    for out in np.ndindex(*shape):
        elements = []
        for tap in itertools.product(*map(range, get("kernel"))):
            position = [o * s + t * d - b for o, s, t, d, b in zip(
                out, get("strides"), tap, get("dilations"), get("pads_begin"))]
            inside = all(0 <= p < extent and p % hole == 0 for p, extent, hole in zip(
                position, dilated, get("base_dilations")))
            source = tuple(p // hole for p, hole in zip(position, get("base_dilations")))
            elements.append(x[source].item() if inside else init)
        result[out] = reduce(fold, elements, init)
    if not is_float(vector.type):
        bits = int(vector.type.lstrip("ui"))
        low = 0 if vector.type.startswith("u") else -2 ** (bits - 1)
        result = (result - low) % 2 ** bits + low if result.size else result
    return [Expected({"result": Tensor.of(encode(vector.type, result), vector.type)})]
