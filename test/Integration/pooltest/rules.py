"""The rules of windows, written a second time from docs/Reference/Semantics.md.

Python integers do not overflow, so the code checks that extents and indices fit int64. The
order of checks is irrelevant: it cannot change whether a case is rejected.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass

INT64_MAX = 2**63 - 1
I32_INDEX_BOUND = 2**31


class Refused(Exception):
    """Raised for a case that the rules reject. `reason` is a short name for the rule."""

    def __init__(self, reason, detail=""):
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


def ceil_divide(a, b):
    return -((-a) // b)


@dataclass(frozen=True)
class Dim:
    """One resolved dimension: extents and effective pads."""

    input: int
    output: int
    kernel: int
    stride: int
    dilation: int
    pad_begin: int
    pad_end: int

    def positions(self, o):
        """Returns the positions of the taps of window `o`, relative to the first input
        element."""
        start = o * self.stride - self.pad_begin
        return [start + t * self.dilation for t in range(self.kernel)]

    def inside(self, position):
        return 0 <= position < self.input

    def in_padding_or_inside(self, position):
        """True if the position lies inside the input or its resolved padding, and false in
        the overhang of ceil."""
        return -self.pad_begin <= position < self.input + self.pad_end

    def count(self, divisor, o):
        """Returns the number of positions of window `o` that the divisor counts."""
        if divisor == "kernel":
            return self.kernel
        counts = self.inside if divisor == "valid" else self.in_padding_or_inside
        return sum(1 for p in self.positions(o) if counts(p))


def fits(*quantities):
    for quantity in quantities:
        if not -INT64_MAX - 1 <= quantity <= INT64_MAX:
            raise Refused("overflow", str(quantity))


def resolve_dim(extent, window, rounding_type, auto_pad, same_output):
    """Resolves one input extent by the table "One dimension" of docs/Reference/Semantics.md."""
    k, s, d, pb, pe = window
    if k < 1:
        raise Refused("kernel", str(k))
    if s < 1:
        raise Refused("stride", str(s))
    if d < 1:
        raise Refused("dilation", str(d))
    if pb < 0 or pe < 0:
        raise Refused("pad", f"{pb}, {pe}")
    if extent < 1:
        raise Refused("extent", str(extent))
    window_extent = (k - 1) * d + 1
    fits(window_extent)

    if auto_pad in ("same_upper", "same_lower"):
        out = extent if same_output == "input" else ceil_divide(extent, s)
        total = max(0, (out - 1) * s + window_extent - extent)
        fits((out - 1) * s + window_extent)
        small, large = total // 2, total - total // 2
        pb, pe = (small, large) if auto_pad == "same_upper" else (large, small)
        return Dim(extent, out, k, s, d, pb, pe)

    if auto_pad == "valid":
        pb = pe = 0
    padded = extent + pb + pe
    fits(padded)
    if window_extent > padded and rounding_type != "ceil_torch":
        raise Refused("window", f"{window_extent} > {padded}")
    if rounding_type == "floor":
        out = (padded - window_extent) // s + 1
    else:
        assert rounding_type in ("ceil", "ceil_torch"), rounding_type
        out = ceil_divide(padded - window_extent, s) + 1
    if rounding_type == "ceil_torch" and (out - 1) * s >= extent + pb:
        out -= 1
    if out < 1:
        raise Refused("output", str(out))
    fits((out - 1) * s + window_extent)
    return Dim(extent, out, k, s, d, pb, pe)


def product(extents):
    result = 1
    for extent in extents:
        result *= extent
    return result


def resolve(case):
    """Returns the resolved spatial dimensions of the case. Raises Refused if the rules reject
    the case."""
    dims = resolve_at_run_time(case)
    if case.op == "avg_pool" and case.divisor_override is None:
        check_counts(case, dims)
    return dims


def resolve_at_run_time(case):
    """Like `resolve`, but accepts an average with a window that counts nothing, as if an
    extent were known only at run time."""
    n = case.num_spatial
    if n < 1:
        raise Refused("lists", "kernel is empty")
    for name in ("strides", "dilations", "pads_begin", "pads_end"):
        values = getattr(case, name)
        if values is not None and len(values) not in (0, n):
            raise Refused("lists", name)
    if case.rank != n + 2:
        raise Refused("rank", f"{case.rank} with {n} kernel dimensions")
    if case.shape[case.channel_dim] < 1:
        raise Refused("extent", "channels")
    dims = [
        resolve_dim(case.shape[position], case.window(i), case.rounding_type,
                    case.auto_pad, case.same_output)
        for i, position in enumerate(case.spatial_dims)
    ]
    if case.is_extremum:
        check_max_pool(case)
    elif case.divisor_override == 0:
        raise Refused("divisor_override", "0")
    return dims


def check_max_pool(case):
    if not -case.rank <= case.axis < case.rank:
        raise Refused("axis", str(case.axis))
    if case.index_type is None:
        return
    if case.pad_value != "neg_inf":
        raise Refused("indices with pad value")
    if case.index_type not in ("i32", "i64"):
        raise Refused("index type", case.index_type)
    bound = product(case.shape[case.axis % case.rank:])
    fits(bound)
    if case.index_type == "i32" and bound > I32_INDEX_BOUND:
        raise Refused("index bound", str(bound))


def check_counts(case, dims):
    for i, dim in enumerate(dims):
        for o in range(dim.output):
            if dim.count(case.divisor, o) == 0:
                raise Refused("ill-defined", f"dimension {i}, window {o}")


def is_ill_defined(case):
    """True if the case is an average with a window that counts nothing."""
    try:
        resolve(case)
    except Refused as refusal:
        return refusal.reason == "ill-defined"
    return False


def output_shape(case, dims=None):
    """Returns the output extents, in the order of the input's dimensions."""
    shape = list(case.shape)
    for position, dim in zip(case.spatial_dims, dims or resolve(case)):
        shape[position] = dim.output
    return shape
