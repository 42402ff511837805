# REQUIRES: tier-land
# RUN: %peers_python %s
"""pool_mlir.torch on torch's own samples of its pooling operators (OpInfo). Values, types,
exceptions and gradients must be the same as with torch's functions."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import sys

import torch
from torch.nn import functional
from torch.testing._internal.common_methods_invocations import op_db

from pool_mlir import torch as ours
from pooltest import tier
from pooltest.report import Report, main

KINDS = ("max_pool", "avg_pool", "adaptive_max_pool", "adaptive_avg_pool", "max_unpool")
NAMES = {f"nn.functional.{kind}{n}d" for kind in KINDS for n in (1, 2, 3)}
# torch.testing's own tolerances, for sums in another order
TOLERANCES = {torch.float16: (1e-3, 1e-3), torch.bfloat16: (1.6e-2, 1e-2),
              torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7)}


def run_sample(function, sample, has_grad):
    """Returns the function's results and gradient, or the exception that it raises."""
    x = sample.input.detach().clone().requires_grad_(has_grad)
    try:
        values = function(x, *sample.args, **sample.kwargs)
        values = list(values) if isinstance(values, tuple) else [values]
        if has_grad:
            weights = torch.arange(values[0].numel()).remainder(7).reshape(values[0].shape)
            values += torch.autograd.grad(values[0], x, weights.to(values[0].dtype))
    except Exception as error:  # whichever type torch raises
        return error
    return values


def agree(actual, expected, dtype):
    if isinstance(actual, Exception) or isinstance(expected, Exception):
        return type(actual) is type(expected)
    if len(actual) != len(expected):
        return False
    for a, b in zip(actual, expected):
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.dtype in TOLERANCES:
            rtol, atol = TOLERANCES[dtype]
            if not torch.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
                return False
        elif not torch.equal(a, b):
            return False
    return True


def widen(sample):
    return type(sample)(sample.input.double(), args=sample.args, kwargs=sample.kwargs)


def check(report, info, sample, dtype, has_grad):
    name = info.name.split(".")[-1]
    expected = run_sample(getattr(functional, name), sample, has_grad)
    actual = run_sample(getattr(ours, name), sample, has_grad)
    good = agree(actual, expected, dtype)
    if not good and dtype in (torch.float16, torch.bfloat16):
        # torch adds some averages in 16 bits; then ours are compared with the exact result.
        exact = run_sample(getattr(functional, name), widen(sample), has_grad)
        good = agree(actual, [value.to(dtype) for value in exact], dtype)
        report.count("f16, bf16: as torch in f64", good)
    report.expect(good, f"{name} {dtype}",
                  arguments=sample.kwargs, shape=sample.input.shape,
                  expected=repr(expected)[:500], actual=repr(actual)[:500])
    report.count(f"samples of {name}")
    report.count("samples")


def run():
    report = Report("torch samples")
    torch.manual_seed(0)
    ours.fallbacks.clear()
    infos = collections.Counter()
    for info in op_db:
        if info.name not in NAMES:
            continue
        infos[info.name] += 1
        for dtype in sorted(info.supported_dtypes("cpu"), key=str):
            # Show progress: all samples take more than an hour.
            print(info.name, dtype, file=sys.stderr, flush=True)
            for has_grad in (False, True):
                if has_grad and dtype not in info.supported_backward_dtypes("cpu"):
                    continue
                samples = info.sample_inputs("cpu", dtype, requires_grad=has_grad)
                for sample in tier.sample(samples, tier.size(None, 10, 1)):
                    check(report, info, sample, dtype, has_grad)
    report.expect(set(infos) == NAMES, "operators", actual=NAMES ^ set(infos))
    for key, number in ours.fallbacks.items():
        # Only averages of integers may go to torch's own functions.
        report.expect("avg_pool" in key and "torch.int" in key, key, actual=number)
        report.count(f"torch's own: {key}", number)
    return report.finish()


if __name__ == "__main__":
    main(run)
