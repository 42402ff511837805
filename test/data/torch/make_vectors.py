#!/usr/bin/env python3
"""Writes vectors.json, what PyTorch answers where no other peer has the case:
divisor_override, NaN that propagates, ceil with a window beyond the padded
input. Needs torch; the tests do not.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import random
from pathlib import Path

import torch
from torch.nn import functional

MAX = {1: functional.max_pool1d, 2: functional.max_pool2d, 3: functional.max_pool3d}
AVG = {2: functional.avg_pool2d, 3: functional.avg_pool3d}


def random_case(rng):
    op = rng.choice(("max_pool", "avg_pool"))
    n = rng.choice(tuple(MAX if op == "max_pool" else AVG))
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


def main():
    rng = random.Random(2026)
    torch.manual_seed(2026)
    cases = []
    while len(cases) < 300:
        case = random_case(rng)
        # Whole numbers: sums are exact in any order.
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
    lines = ",\n".join(json.dumps(case) for case in cases)
    Path(__file__).with_name("vectors.json").write_text(
        f'{{"torch": "{torch.__version__}", "cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
