#!/usr/bin/env python3
"""Writes PyTorch's results for torch_vectors.py, which does not need torch itself.

vectors.json has cases that no other peer supports: divisor_override, NaN that
propagates, and ceil with a window beyond the padded input. adaptive.json and
unpool.json have these operations. gradients.json has gradients by autograd.
doors.json has further arguments of pool_mlir.torch's functions: negative
divisors, 16 bits, integers, and indices of ordinary windows.

Most inputs are whole numbers, and multiples of every divisor if they are divided.
So sums and averages are exact in any order.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import math
import random
from pathlib import Path

import torch
from torch.nn import functional

MAX = {1: functional.max_pool1d, 2: functional.max_pool2d, 3: functional.max_pool3d}
AVG = {1: functional.avg_pool1d, 2: functional.avg_pool2d, 3: functional.avg_pool3d}
ADAPTIVE_MAX = {1: functional.adaptive_max_pool1d, 2: functional.adaptive_max_pool2d,
                3: functional.adaptive_max_pool3d}
ADAPTIVE_AVG = {1: functional.adaptive_avg_pool1d, 2: functional.adaptive_avg_pool2d,
                3: functional.adaptive_avg_pool3d}
UNPOOL = {1: functional.max_unpool1d, 2: functional.max_unpool2d, 3: functional.max_unpool3d}
TYPES = {"f32": torch.float32, "f64": torch.float64}
DOOR_TYPES = {**TYPES, "f16": torch.float16, "i8": torch.int8, "ui8": torch.uint8,
              "i32": torch.int32, "i64": torch.int64}
LARGEST = {1: 12, 2: 6, 3: 4}


def random_case(rng):
    op = rng.choice(("max_pool", "avg_pool"))
    n = rng.choice((1, 2, 3) if op == "max_pool" else (2, 3))
    kernel = [rng.randint(1, 4) for _ in range(n)]
    case = {"op": op, "shape": [rng.randint(1, 2), rng.randint(1, 2)]
            + [rng.randint(1, 7) for _ in range(n)], "kernel": kernel,
            "strides": [rng.randint(1, 3) for _ in range(n)],
            "pads": [rng.randint(0, k // 2) for k in kernel],
            "ceil": rng.random() < 0.6}
    if op == "max_pool":
        case["dilations"] = [rng.randint(1, 2) for _ in range(n)]
    else:
        case["divisor_override"] = rng.choice((1, 2, 3, 7))
    return case


def answer(case, x):
    arguments = {"kernel_size": case["kernel"], "stride": case["strides"],
                 "padding": case["pads"], "ceil_mode": case["ceil"]}
    n = len(case["kernel"])
    if case["op"] == "max_pool":
        return MAX[n](x, dilation=case["dilations"], **arguments)
    return AVG[n](x, divisor_override=case["divisor_override"], **arguments)


def forward_cases():
    rng = random.Random(2026)
    torch.manual_seed(2026)
    cases = []
    while len(cases) < 300:
        case = random_case(rng)
        x = torch.randint(-50, 50, case["shape"]).float()
        if case["op"] == "max_pool":
            x[torch.rand(x.shape) < 0.1] = float("nan")
        try:
            y = answer(case, x)
        except RuntimeError:
            continue  # an output extent below 1
        case["x"] = x.flatten().tolist()
        case["output"] = list(y.shape)
        case["y"] = y.flatten().tolist()
        cases.append(case)
    return cases


def numbers(tensor):
    """Returns the elements as a list. Whole numbers become ints, to make the file shorter."""
    return [int(v) if math.isfinite(v) and v == int(v) else v for v in tensor.flatten().tolist()]


def random_shape(rng, n):
    return [rng.randint(1, 2), rng.randint(1, 2)] + [rng.randint(1, LARGEST[n])
                                                     for _ in range(n)]


def window_sizes(extent, outputs):
    return {-(-(o + 1) * extent // outputs) - o * extent // outputs for o in range(outputs)}


def adaptive_cases(rng):
    for op in ("adaptive_avg_pool", "adaptive_max_pool"):
        for number in range(60):
            n = 1 + number % 3
            shape = random_shape(rng, n)
            size = [1 if rng.random() < 0.2 else rng.randint(1, extent + 2)
                    for extent in shape[2:]]
            kind = rng.choice(tuple(TYPES))
            x = torch.randint(-20, 20, shape).to(TYPES[kind])
            case = {"op": op, "type": kind, "shape": shape, "output_size": size}
            if op == "adaptive_avg_pool":
                x *= math.prod(math.lcm(*window_sizes(*dim)) for dim in zip(shape[2:], size))
                if float(x.abs().sum()) >= 2**24:
                    x, case["type"] = x.double(), "f64"  # f32 would round
                y = ADAPTIVE_AVG[n](x, size)
            else:
                if number % 5 == 0:
                    x[torch.rand(x.shape) < 0.1] = float("nan")
                y, indices = ADAPTIVE_MAX[n](x, size, return_indices=True)
                case["indices"] = numbers(indices)
            yield {**case, "x": numbers(x), "output": list(y.shape), "y": numbers(y)}


def random_window(rng, n):
    kernel = [rng.randint(1, 3) for _ in range(n)]
    return {"kernel": kernel, "strides": [rng.randint(1, 3) for _ in range(n)],
            "pads": [rng.randint(0, k // 2) for k in kernel], "ceil": rng.random() < 0.4}


def arguments_of(window):
    return {"kernel_size": window["kernel"], "stride": window["strides"],
            "padding": window["pads"], "ceil_mode": window["ceil"]}


def unpool_cases(rng):
    """Yields MaxUnpool of a MaxPool's values and indices, to the inferred shape and to other
    shapes."""
    count = 0
    while count < 60:
        n = 1 + count % 3
        window, shape = random_window(rng, n), random_shape(rng, n)
        kind = rng.choice(tuple(TYPES))
        x = torch.randint(-50, 50, shape).to(TYPES[kind])
        try:
            values, indices = MAX[n](x, return_indices=True, **arguments_of(window))
            size = None if count % 2 else shape[2:]
            y = UNPOOL[n](values, indices, window["kernel"], window["strides"],
                          window["pads"], output_size=size)
        except (RuntimeError, ValueError):
            continue  # no output, or a shape that the indices do not fit
        if y.numel() == 0:
            continue  # a padded extent of 1 makes the inferred shape empty
        count += 1
        yield {"op": "max_unpool", "type": kind, "given_output_size": size is not None,
               "shape": list(values.shape), "x": numbers(values), "indices": numbers(indices),
               "output": list(y.shape), "y": numbers(y)}


def gradient_cases(rng):
    for op in ("max_pool_grad", "avg_pool_grad"):
        count = 0
        while count < 80:
            n = 1 + count % 3
            window, shape = random_window(rng, n), random_shape(rng, n)
            kind = rng.choice(tuple(TYPES))
            x = torch.randint(-50, 50, shape).to(TYPES[kind]).requires_grad_()
            case = {"op": op, "type": kind, "shape": shape, **window}
            more, scale = {}, 1
            if op == "max_pool_grad":
                case["dilations"] = more["dilation"] = [rng.randint(1, 2) for _ in range(n)]
                more["return_indices"] = True
            else:
                case["count_include_pad"] = more["count_include_pad"] = rng.random() < 0.5
                if n > 1 and rng.random() < 0.3:
                    case["divisor_override"] = more["divisor_override"] = rng.choice((1, 2, 3, 4))
                scale = 12 * 6**n
            try:
                y = (MAX if op == "max_pool_grad" else AVG)[n](x, **arguments_of(window), **more)
            except RuntimeError:
                continue  # no output
            if op == "max_pool_grad":
                y, indices = y
                if not torch.isfinite(y).all():
                    continue  # a window of only padding: its index names no element of it
                case["x"], case["indices"] = numbers(x), numbers(indices)
            g = torch.randint(-9, 10, y.shape).to(TYPES[kind]) * scale
            y.backward(g)
            count += 1
            yield {**case, "output": list(y.shape), "g": numbers(g), "dx": numbers(x.grad)}


def divided_cases(rng, count):
    """Yields averages with a negative divisor_override, and their gradients."""
    while count:
        n, kind = rng.choice((2, 3)), rng.choice(("f16", "f32", "f64"))
        window, shape = random_window(rng, n), random_shape(rng, n)
        divisor = rng.choice((-1, -2, -4)) if kind == "f16" else rng.randint(-6, -1)
        more = {"count_include_pad": rng.random() < 0.5, "divisor_override": divisor}
        x = (torch.randint(-9, 10, shape) * abs(divisor)).to(DOOR_TYPES[kind]).requires_grad_()
        try:
            y = AVG[n](x, **arguments_of(window), **more)
        except RuntimeError:
            continue  # no output
        g = (torch.randint(-9, 10, y.shape) * abs(divisor)).to(y.dtype)
        y.backward(g)
        case = {"type": kind, "shape": shape, **window, **more, "output": list(y.shape)}
        yield {"op": "avg_pool", **case, "x": numbers(x), "y": numbers(y)}
        yield {"op": "avg_pool_grad", **case, "g": numbers(g), "dx": numbers(x.grad)}
        count -= 1


def door_cases(rng):
    yield from divided_cases(rng, 30)
    count = 0
    while count < 60:
        n, kind = 1 + count % 3, rng.choice(tuple(DOOR_TYPES))
        window, shape = random_window(rng, n), random_shape(rng, n)
        dilations = [rng.randint(1, 2) for _ in range(n)]
        # Draw from few numbers, so that there are ties.
        x = torch.randint(0 if kind == "ui8" else -9, 10, shape).to(DOOR_TYPES[kind])
        try:
            y, indices = MAX[n](x, **arguments_of(window), dilation=dilations,
                                return_indices=True)
        except (RuntimeError, NotImplementedError):
            continue  # no output, or integers that torch does not pool
        values = y.double()
        if not torch.isfinite(values).all() or (not y.is_floating_point() and
                                                (y == torch.iinfo(y.dtype).min).any()):
            continue  # a window of only padding: torch's index names no element of it
        count += 1
        yield {"op": "max_pool", "type": kind, "shape": shape, **window,
               "dilations": dilations, "x": numbers(x), "output": list(y.shape),
               "y": numbers(y), "indices": numbers(indices)}


def write(name, cases):
    lines = ",\n".join(json.dumps(case) for case in cases)
    Path(__file__).with_name(name).write_text(
        f'{{"torch": "{torch.__version__}", "cases": [\n{lines}\n]}}\n')


def main():
    write("vectors.json", forward_cases())
    for name, make in (("adaptive.json", adaptive_cases), ("unpool.json", unpool_cases),
                       ("gradients.json", gradient_cases), ("doors.json", door_cases)):
        torch.manual_seed(2026)
        write(name, make(random.Random(2026)))


if __name__ == "__main__":
    main()
