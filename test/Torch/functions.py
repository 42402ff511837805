# RUN: %peers_python %s
"""Functions of pool_mlir.torch must compute what torch's own functions compute, forward and
backward, on random problems: 1-D to 3-D, several memory orders, every element type.

Maxima, their indices and unpooled values must be equal. Sums must lie within the bound of
docs/Internals/Conformance.md around the result in f64. None of torch's functions may be called
instead.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random

import numpy as np
import torch
from torch.nn import functional

import pool_mlir
from pool_mlir import torch as ours
from pooltest import tier
from pooltest.report import Report, main

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.uint32,
            torch.int64, torch.uint64)
# Unit roundoff of the sum, and of the rounding after it (0 if there is none)
ROUNDOFF = {torch.float16: (2**-24, 2**-11), torch.bfloat16: (2**-24, 2**-8),
            torch.float32: (2**-24, 0), torch.float64: (2**-53, 0)}
# Half the smallest subnormal
TINY = {torch.float16: 2**-25, torch.bfloat16: 2**-134, torch.float32: 2**-150,
        torch.float64: 0.0}
# Tolerances of norms: both sides may round like torch's formula.
NORMS = {torch.float16: 2e-2, torch.bfloat16: 1e-1, torch.float32: 1e-4, torch.float64: 1e-11}
EXTENTS = {1: 40, 2: 14, 3: 8}


def in_memory(rng, x, report):
    """Returns the tensor in another memory order, or as a part of a larger tensor."""
    form = rng.choice(("row-major", "channels last", "sliced", "stepped rows", "reversed axes"))
    report.count(form)
    if form == "channels last":
        return x.movedim(1, -1).contiguous().movedim(-1, 1)
    if form == "sliced":
        large = x.new_zeros([extent + 2 for extent in x.shape])
        inside = large[tuple(slice(1, extent + 1) for extent in x.shape)]
        return inside.copy_(x)
    if form == "stepped rows":
        large = x.new_zeros([*x.shape[:-1], 2 * x.shape[-1]])
        return large[..., ::2].copy_(x)
    if form == "reversed axes":
        order = tuple(reversed(range(x.dim())))
        return x.permute(order).contiguous().permute(order)
    return x


def random_window(rng, n):
    kernel = [rng.randint(1, 4) for _ in range(n)]
    return {"kernel_size": rng.choice((kernel, tuple(kernel))),
            "stride": rng.choice((None, [rng.randint(1, 3) for _ in range(n)])),
            "padding": [rng.randint(0, k // 2) for k in kernel],
            "ceil_mode": rng.random() < 0.4}


def random_call(rng, n):
    """Returns a function's name, and its arguments after the tensor."""
    name = rng.choice(("max_pool", "avg_pool", "lp_pool", "adaptive_max_pool",
                       "adaptive_avg_pool"))
    if name.startswith("adaptive"):
        arguments = {"output_size": [rng.randint(1, 6) for _ in range(n)]}
        if n > 1 and rng.random() < 0.2:
            arguments["output_size"][0] = None
    else:
        arguments = random_window(rng, n)
    if name == "max_pool":
        arguments["dilation"] = rng.choice((1, [rng.randint(1, 2) for _ in range(n)]))
    if name == "avg_pool":
        arguments["count_include_pad"] = rng.random() < 0.5
        if n > 1 and rng.random() < 0.3:
            arguments["divisor_override"] = rng.choice((1, 2, 5, -1, -3))
    if name == "lp_pool":
        del arguments["padding"]
        if n == 1:
            arguments["kernel_size"] = arguments["kernel_size"][0]
        arguments["norm_type"] = rng.choice((1, 2, 2, 3, 4, 1.5))
    if "max" in name and rng.random() < 0.5:
        arguments["return_indices"] = True
    return f"{name}{n}d", arguments


def results(function, x, arguments, weights=None):
    """Returns the function's results, and the gradient if `weights` are given."""
    x = x.detach()
    if weights is not None:
        x.requires_grad_()
    values = function(x, **arguments)
    values = list(values) if isinstance(values, tuple) else [values]
    if weights is not None:
        values.append(torch.autograd.grad(values[0], x, weights.to(values[0].dtype))[0])
    return [value.detach() for value in values]


def bound(exact, magnitude, terms, dtype):
    u, w = ROUNDOFF[dtype]
    error = terms * u / (1 - terms * u) * magnitude + u * exact.abs()
    if dtype == torch.float64:
        error = 2 * error  # the exact value is torch's, with the same error as ours
    return error + w * (exact.abs() + error) + TINY[dtype]


def within(report, title, value, exact, magnitude, terms, **details):
    """Compares finite values by the bound, others exactly."""
    dtype, value = value.dtype, value.double()
    limit = bound(exact, magnitude, terms, dtype)
    good = (value == exact) | ((value - exact).abs() <= limit) | (value.isnan() & exact.isnan())
    # Values beyond the range of 16 bits become infinite.
    largest = torch.finfo(dtype).max
    good |= value.isinf() & (exact.abs() > largest * (1 - 2**-12)) & (exact.sign() == value.sign())
    report.expect(bool(good.all()), title, exact=exact, actual=value, **details)


def check_float(rng, report, n, dtype):
    name, arguments = random_call(rng, n)
    shape = [rng.randint(1, 3), rng.randint(1, 4)] + [rng.randint(1, EXTENTS[n])
                                                      for _ in range(n)]
    x = (torch.randn(shape, dtype=torch.float64) * 8).to(dtype)
    if "max" in name and rng.random() < 0.5:
        x = x.round()  # gives ties
    x = in_memory(rng, x, report)
    if rng.random() < 0.2:
        x = x[0]
        report.count("without a batch")
    own, our = getattr(functional, name), getattr(ours, name)
    try:
        plain = results(own, x, arguments)
    except NotImplementedError:
        report.count("torch lacks the element type")
        if "avg" not in name:
            return False
        plain = [y.to(dtype) for y in results(own, x.double(), arguments)]
    except (RuntimeError, ValueError) as error:
        try:
            our(x, **arguments)
            report.mismatch(f"{name}: accepted", str(arguments), torch=error, shape=x.shape)
        except type(error):
            report.count("refused by both")
        return False
    if "max" in name and not torch.isfinite(plain[0]).all():
        return False  # a window of only padding, for which torch's index names no element
    details = {"arguments": arguments, "shape": x.shape, "strides": x.stride()}
    text = f"{name} {dtype}"
    weights = torch.randn(plain[0].shape, dtype=torch.float64).to(dtype)
    forward = results(our, x, arguments)
    *_, grad = both = results(our, x, arguments, weights)
    wide = x.double()
    *exact, exact_grad = results(own, wide, arguments, weights.double())
    report.expect(forward[0].dtype == dtype and forward[0].shape == plain[0].shape, text,
                  **details)
    if "max" in name:
        equal = all(torch.equal(a, b) for a, b in zip(forward, plain)) and all(
            torch.equal(a, b) for a, b in zip(both[:-1], plain))
        report.expect(equal, text, x=x, expected=plain, actual=forward, **details)
    elif "lp" in name:
        *own_forward, own_grad = results(own, x, arguments, weights)
        # Powers in torch's formula may overflow f16. Our kernel computes powers in f32, so
        # compare its finite values with the exact ones. Where we use torch's formula, both
        # results are infinite.
        infinite = ~own_forward[0].isfinite()
        if infinite.any():
            report.count("norms whose powers leave f16")
            own_forward = [torch.where(infinite & forward[0].isfinite(), exact[0].to(dtype),
                                       own_forward[0])]
        for a, b in ((forward[0], own_forward[0]), (grad, own_grad)):
            report.expect(torch.allclose(a, b, rtol=NORMS[dtype], atol=NORMS[dtype],
                                         equal_nan=True), text, **details,
                          expected=b, actual=a)
        report.count(text.split()[0])
        return True
    else:
        magnitude, = results(own, wide.abs(), {**arguments, **(
            {"divisor_override": abs(arguments["divisor_override"])}
            if "divisor_override" in arguments else {})})
        terms = max(1, wide[0].numel()) if "adaptive" in name else 4**n
        for value in (forward[0], both[0]):
            within(report, text, value, exact[0], magnitude, terms, **details)
    # Every gradient is a sum over the windows that contain the element.
    *_, size = results(own, wide, arguments, weights.double().abs())
    within(report, f"{text}: gradient", grad, exact_grad, size.abs(), 6**n + 2, **details)
    report.count(text.split()[0])
    return True


def check_unpool(rng, report, n, dtype):
    kernel = [rng.randint(1, 3) for _ in range(n)]
    shape = [rng.randint(1, 3), rng.randint(1, 4)] + [rng.randint(3, EXTENTS[n])
                                                      for _ in range(n)]
    x = in_memory(rng, torch.randn(shape).to(dtype), report)
    values, indices = getattr(functional, f"max_pool{n}d")(x, kernel, return_indices=True)
    arguments = {"kernel_size": kernel, "indices": indices,
                 "output_size": shape[2:] if rng.random() < 0.7 else None}
    name = f"max_unpool{n}d"
    try:
        expected = results(getattr(functional, name), values, arguments)
    except RuntimeError:
        return False  # an index beyond the inferred shape
    weights = torch.randn(expected[0].shape).to(dtype)
    expected = results(getattr(functional, name), values, arguments, weights)
    actual = results(getattr(ours, name), values, arguments, weights)
    report.expect(all(torch.equal(a, b) for a, b in zip(actual, expected)), name,
                  expected=expected, actual=actual)
    # Skip planes of a single position: such a tensor has both memory orders at once.
    if values[0, 0].numel() > 1:
        strides = [[y.stride() for y in both] for both in (actual, expected)]
        report.expect(strides[0] == strides[1], f"memory order: {name}", strides=strides,
                      shape=values.shape)
    report.count(name)
    return True


def check_norms(report, n):
    """Norms that are no sums: p infinite, and p = 0, which torch refuses."""
    name, x = f"lp_pool{n}d", torch.randn((2, 3) + (7,) * n)
    for image in (x, x[0], x.to(torch.bfloat16), x.movedim(1, -1).contiguous().movedim(-1, 1)):
        for p in (float("inf"), -float("inf")):
            for more in ({}, {"stride": 3, "ceil_mode": True}):
                arguments = {"norm_type": p, "kernel_size": 2, **more}
                plain = getattr(functional, name)(image, **arguments)
                weights = torch.randn(plain.shape)
                expected, actual = (results(getattr(module, name), image, arguments, weights)
                                    for module in (functional, ours))
                report.expect(all(torch.equal(a, b) for a, b in zip(actual, expected)),
                              f"{name}, {p}", expected=expected, actual=actual)
                own, our = (getattr(module, f"LPPool{n}d")(p, 2, **more)(image)
                            for module in (torch.nn, ours))
                report.expect(torch.equal(our, own), f"LPPool{n}d, {p}", actual=our,
                              expected=own)
                report.count("infinite norms")
    for p in (0, 0.0):
        for module in (functional, ours):
            try:
                getattr(module, name)(x, p, 2)
                report.mismatch(f"{name}: accepted", str(p))
            except ValueError:
                report.count("refused by both", module is ours)


def check_integer(rng, report, n, dtype):
    """Compares maxima of integers with NumPy's, also for types that torch does not
    support."""
    kernel = [rng.randint(1, 3) for _ in range(n)]
    numpy_type = np.dtype(str(dtype).split(".")[1])
    limits = np.iinfo(numpy_type)
    shape = [rng.randint(1, 2), rng.randint(1, 3)] + [rng.randint(3, EXTENTS[n])
                                                      for _ in range(n)]
    x = np.random.default_rng(rng.randrange(2**32)).integers(
        limits.min, limits.max, shape, numpy_type, endpoint=True)
    axes = tuple(range(2, n + 2))
    windows = np.lib.stride_tricks.sliding_window_view(x, kernel, axes)
    expected = windows.max(axis=tuple(range(n + 2, 2 * n + 2)))
    actual = getattr(ours, f"max_pool{n}d")(torch.from_numpy(x), kernel, 1)
    report.expect(actual.dtype == dtype and np.array_equal(actual.numpy(), expected),
                  f"max_pool{n}d {dtype}", expected=expected, actual=actual)
    actual = getattr(ours, f"adaptive_max_pool{n}d")(torch.from_numpy(x), 1)
    report.expect(np.array_equal(actual.numpy(), x.max(axis=axes, keepdims=True)),
                  f"adaptive_max_pool{n}d {dtype}", actual=actual)
    report.count(f"integers {dtype}")
    return True


def run():
    report = Report("torch functions")
    torch.manual_seed(tier.seed(0) % 2**63)
    rng = random.Random(tier.seed(0))
    ours.fallbacks.clear()
    count = 0
    target = tier.size(3000, 200, 20)
    while count < target:
        n, kind = rng.randint(1, 3), rng.random()
        if kind < 0.8:
            count += check_float(rng, report, n, rng.choice(FLOATS))
        elif kind < 0.9:
            count += check_unpool(rng, report, n, rng.choice(FLOATS))
        else:
            count += check_integer(rng, report, n, rng.choice(INTEGERS))
    for n in (1, 2, 3):
        check_norms(report, n)
    report.count("problems", count)
    report.expect(not ours.fallbacks, "calls went to torch", actual=ours.fallbacks)
    report.require_counted("channels last", "sliced", "without a batch", "refused by both")
    report.expect(pool_mlir.cache_info()["currsize"] <= 256, "kernels are bounded")
    return report.finish()


if __name__ == "__main__":
    main(run)
