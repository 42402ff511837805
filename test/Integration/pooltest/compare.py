"""Compares maxima exactly, and float averages and norms within an error bound.

The bound. Let a type with unit roundoff u accumulate a window sum of m terms, in any order.
Then |error| <= g(m-1) * sum|x| with g(n) = n*u / (1 - n*u) (Higham, Accuracy and Stability,
3.1). Dividing by the count rounds once more; multiplying by a rounded reciprocal rounds
twice. The bound g(m) * sum|x| / count + u * |average| covers both ways. A type narrower than
its accumulator (f16 and bf16 in f32) rounds the result once more: w * |average|, where w is
the type's own unit roundoff. The smallest subnormals of the type and of its accumulator
cover a result that underflows.

A norm is (sum |x|^p)^(1/p). A power computed by at most p products has a relative error of
at most g(p), and a sum of m positive terms adds g(m - 1). So the error of the sum of powers S
is at most g(m + p), and the root divides it by p. The root also uses a rounded exponent 1/p,
which costs u * ln(S) / p = u * ln(norm). The pow function is accurate to a unit in the last
place, 2u.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ml_dtypes
import numpy as np

# Element type -> (bits of precision of its accumulator, and of the type)
_PRECISION = {"f16": (24, 11), "bf16": (24, 8), "f32": (24, 24), "f64": (53, 53)}


def float_bound(case, truth):
    """Bound of |computed - exact| for each element of an average or a norm."""
    return (norm_bound if case.op == "lp_pool" else average_bound)(case, truth)


def norm_bound(case, norms):
    u = _roundoff(case)[0]
    m = norms.counted + case.p
    size = np.abs(norms.exact)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = np.where(size > 0, np.abs(np.log(size)), 0)
        return _rounded(case, size, size * (m * u / (1 - m * u) / case.p + u * (2 + logarithm)))


def average_bound(case, averages):
    u = _roundoff(case)[0]
    m = averages.counted
    size = np.abs(averages.exact)
    # The bound may be NaN or infinity where values are not finite: `within` compares such
    # values exactly.
    with np.errstate(invalid="ignore"):
        return _rounded(case, size, m * u / (1 - m * u) * averages.magnitude + u * size)


def _roundoff(case):
    """Returns (u of the accumulator, w of the type; w is 0 if the types are equal)."""
    accumulator, own = _PRECISION[case.element_type]
    return (np.longdouble(2.0) ** -accumulator,
            np.longdouble(2.0) ** -own if own != accumulator else np.longdouble(0))


def _rounded(case, size, accumulated):
    """Adds the result's own rounding and underflow to the bound."""
    accumulator = _PRECISION[case.element_type][0]
    w = _roundoff(case)[1]
    tiny = np.longdouble(ml_dtypes.finfo(case.dtype).smallest_subnormal)
    tiny += np.longdouble(ml_dtypes.finfo(
        np.float64 if accumulator == 53 else np.float32).smallest_subnormal)
    with np.errstate(invalid="ignore"):
        return (accumulated + w * (size + accumulated) + tiny).astype(np.longdouble)


def same_values(a, b):
    """Elementwise equality: NaN equals NaN, -0 equals +0."""
    if a.dtype == np.dtype(ml_dtypes.bfloat16):
        a, b = a.astype(np.float32), b.astype(np.float32)
    if a.dtype.kind == "f":
        return (a == b) | (np.isnan(a) & np.isnan(b))
    return a == b


def same_arrays(a, b):
    """True if shape, type and elements are equal. The sign of a zero and the bits of a NaN may
    differ, because docs/Reference/Semantics.md leaves them open."""
    return a.shape == b.shape and a.dtype == b.dtype and bool(same_values(a, b).all())


def overflows(case, expected, bound):
    """True where rounding to the case's type may give infinity: where the magnitude may be
    half a unit in the last place above the largest finite number, or more."""
    largest = np.longdouble(float(ml_dtypes.finfo(case.dtype).max))
    threshold = largest * (1 + np.longdouble(2.0) ** -_PRECISION[case.element_type][1])
    with np.errstate(invalid="ignore"):
        return np.isfinite(expected) & (np.abs(expected) + bound >= threshold)


def within(actual, expected, bound, case=None):
    """Elementwise |actual - expected| <= bound; elements that are not finite must be equal.

    With `case`, infinity is also accepted where the result may exceed the case's type.
    """
    actual = actual.astype(np.float64).astype(np.longdouble)
    expected = expected.astype(np.longdouble)
    with np.errstate(invalid="ignore"):
        close = np.abs(actual - expected) <= bound
        infinite = actual == expected * np.inf
        infinite &= overflows(case, expected, bound) if case else False
    equal = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    return np.where(np.isfinite(expected), close | infinite, equal)


def are_averages(actual, averages, case):
    """Elementwise: True where `actual` is within the bound of `averages`, of the case's type."""
    return within(actual, averages.exact, average_bound(case, averages), case)


def share_of_bound(actual, expected, bound):
    """Largest ratio of error to bound, over elements that are finite in both."""
    finite = np.isfinite(expected) & np.isfinite(actual.astype(np.float64))
    if not finite.any():
        return 0.0
    error = np.abs(actual[finite].astype(np.float64).astype(np.longdouble) - expected[finite])
    return float((error / bound[finite]).max())


def same_shape_and_type(actual, shape, dtype):
    return tuple(actual.shape) == tuple(shape) and actual.dtype == dtype
