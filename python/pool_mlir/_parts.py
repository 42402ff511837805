"""Runs a part of a partition. Applies the operation to the part's slices of the operands, with the
part's own pads. Then converts indices, which count in a slice, to indices that count in the whole
tensor."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import itertools

import numpy as np

from . import _pool_mlir, _window_reduce

# Attributes that choose pads or a rounding. The explicit pads of a part replace them.
AUTOMATIC = ("rounding_type", "auto_pad", "same_output")


def get_shape(box):
    return tuple(bounds.stop - bounds.start for bounds in box)


@functools.lru_cache(maxsize=256)
def _prepare(name, attributes, *rest):
    return _pool_mlir._Operation(
        name, {key: list(value) if isinstance(value, tuple) else value
               for key, value in attributes}, *rest)


def call(name, attributes, operands, index_bits=0, uniform_sums=False, shape=None, dtype=None):
    key = tuple((key, tuple(value) if isinstance(value, list) else value)
                for key, value in attributes.items())
    return _prepare(name, key, index_bits, uniform_sums, dtype)(*operands, shape=shape)


def refuse_masked(what, array, advice="its filled()"):
    """Raises TypeError if `array` is a masked array, because kernels and copies would ignore its
    mask. The message calls the array `what`, and `advice` is an expression for a plain array."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{what} is a masked array, whose mask would be ignored: pass what "
                        f"{advice} gives")


def check_arrays(part, arrays):
    plan = part.plan
    if len(arrays) != len(plan.operands):
        raise ValueError(f"a part of {plan.op} takes {', '.join(plan.operands)}: there are "
                         f"{len(arrays)} arrays")
    for name, array in zip(plan.operands, arrays):
        expected, dtype = get_shape(part.inputs[name]), plan.dtypes[name]
        if not isinstance(array, np.ndarray):
            raise TypeError(f"part {part.index} of {plan.op} takes {name} as an array of NumPy, "
                            f"not a {type(array).__name__}")
        refuse_masked(f"part {part.index} of {plan.op}: {name}", array)
        if array.shape != expected:
            raise ValueError(f"part {part.index} of {plan.op} takes {name} of shape {expected}, "
                             f"not {array.shape}")
        if array.dtype != dtype:
            raise TypeError(f"part {part.index} of {plan.op} takes {name} of {dtype}, not "
                            f"{array.dtype}")


def run(part, *arrays):
    plan = part.plan
    check_arrays(part, arrays)
    if part.is_empty:
        results = tuple(np.empty(part.shape, plan.dtypes[name]) for name in plan.results)
        return results if len(results) > 1 else results[0]
    if plan.op == "window_reduce":
        return reduce_windows(part, *arrays)
    if plan.op == "max_unpool":
        return run_unpool(part, *arrays)
    if plan.op.endswith("_grad"):
        return run_gradient(part, *arrays)
    return run_window(part, *arrays)


# Windows.


def get_own_attributes(part, without=AUTOMATIC):
    """Returns the attributes for a call on the part's slices: the operation's attributes except for
    `without`, and the part's own pads."""
    attributes = {name: value for name, value in part.plan.attributes.items()
                  if name not in (*without, "pads_begin", "pads_end", "return_indices",
                                  "index_element_type", "uniform_sums", "output_shape")}
    return {**attributes, "pads_begin": list(part.pads_begin), "pads_end": list(part.pads_end)}


def run_window(part, x):
    plan = part.plan
    attributes = get_own_attributes(part)
    if plan.op == "avg_pool":
        return average(part, x, attributes)
    if len(plan.results) == 1:
        return call(plan.op, attributes, [x],
                    uniform_sums=plan.attributes.get("uniform_sums", False))[part.crop]
    bits = plan.dtypes["indices"].itemsize * 8
    values, indices = call(plan.op, attributes, [x], bits)
    return values[part.crop], globalize(part, indices[part.crop], x.shape)


def reduce_windows(part, x):
    given = part.plan.attributes
    return call("window_reduce", _window_reduce.get_part(part), [x],
                _window_reduce.get_bits(given), given.get("uniform_sums", False), part.shape,
                given["output_dtype"].name)


def average(part, x, attributes):
    plan = part.plan

    def run(**divisor):
        return call("avg_pool", {**attributes, **divisor}, [x],
                    uniform_sums=plan.attributes.get("uniform_sums", False))[part.crop]

    if attributes.get("divisor", "valid") != "padded" or "divisor_override" in attributes:
        return run()
    # This divisor counts padding, but not overhang: the positions after the padding that a last
    # window covers with rounding `ceil`. The part's pads include both. So cut the windows into
    # ranges whose counts are equal, and call the operation for each range with its count as the
    # divisor.
    runs = [get_runs(part.counts(d)) for d in plan.spatial]
    kernel = attributes["kernel"]
    if all(pieces == [(0, stop, size)] for pieces, stop, size
           in zip(runs, (part.shape[d] for d in plan.spatial), kernel)):
        return run(divisor="kernel")
    result = np.empty(part.shape, x.dtype)
    for pieces in itertools.product(*runs):
        box, divisor = [slice(None)] * plan.rank, 1
        for d, (begin, end, count) in zip(plan.spatial, pieces):
            box[d] = slice(begin, end)
            divisor *= count
        result[tuple(box)] = run(divisor_override=divisor)[tuple(box)]
    return result


def get_runs(counts):
    """Splits `counts` into ranges of equal neighbors, as long as possible. Returns a list of
    (begin, end, count)."""
    ends = [*np.flatnonzero(np.diff(counts)) + 1, len(counts)]
    return [(int(begin), int(end), int(counts[begin]))
            for begin, end in zip([0, *ends], ends)]


def get_strides(shape, axis):
    """Returns the weight of each coordinate in a row-major index over `shape[axis:]`. The weights
    of the dimensions before `axis` are 0."""
    strides, stride = [0] * len(shape), 1
    for d in reversed(range(axis, len(shape))):
        strides[d], stride = stride, stride * shape[d]
    return strides


def split(indices, strides, axis):
    """Converts indices over the dimensions from `axis` on to coordinates. Returns a dict from each
    of these dimensions to an int64 array. `strides` are the weights of get_strides()."""
    coordinates, rest = {}, indices.astype(np.int64)
    for d in range(axis, len(strides)):
        coordinates[d], rest = np.divmod(rest, strides[d])
    return coordinates


def globalize(part, indices, shape):
    """Converts `indices`, which count in the part's slice of shape `shape`, to indices that count
    in the whole tensor."""
    plan = part.plan
    strides = get_strides(shape, plan.axis)
    if list(part.weights[plan.axis:]) == strides[plan.axis:]:
        result = indices + np.array(part.base, indices.dtype)
    else:
        result = np.full(indices.shape, part.base, np.int64)
        for d, coordinate in split(indices, strides, plan.axis).items():
            result += coordinate * part.weights[d]
        result = result.astype(indices.dtype)
    # A window that lies entirely in padding must keep index 0, so undo its conversion.
    for d, begin, end in zip(plan.spatial, part.pads_begin, part.pads_end):
        if begin or end:
            windows = part.output[d]
            counts = _pool_mlir._counts(plan._raw["dims"][d], "valid", windows.start,
                                        windows.stop)
            result[(slice(None),) * d + (np.equal(counts, 0),)] = 0
    return result


# Scattering.


def get_position(indices, d):
    """Returns the coordinate in dimension `d` of each element of `indices`, as an array that
    broadcasts to the shape of `indices`."""
    shape = [1] * indices.ndim
    shape[d] = indices.shape[d]
    return np.arange(indices.shape[d]).reshape(shape)


def locate(part, indices):
    """Returns two arrays with an element for each of `indices`. The first is True if the index lies
    in the box `part.indexed`. The second then has the index's row-major position in this box, over
    the dimensions from the axis on; otherwise it is 0. With a kernel, the first is False for a
    window that lies entirely in padding. Raises ValueError for an index that names no position or,
    with a kernel, a position outside its window."""
    plan, box = part.plan, part.indexed
    windows = part.inputs["indices"]
    dims = plan._raw["dims"]
    extents = tuple(dim["input"] for dim in dims)
    bound = int(np.prod(extents[plan.axis:], dtype=object))
    has_window = "kernel" in plan.attributes
    counted = np.ones(indices.shape, bool)
    if has_window:
        # A window that lies entirely in padding chose no element, so ignore its index.
        for d in plan.spatial:
            counts = _pool_mlir._counts(dims[d], "valid", windows[d].start, windows[d].stop)
            counted &= np.not_equal(counts, 0).reshape(
                [-1 if e == d else 1 for e in range(plan.rank)])
    refuse(part, counted & ((indices < 0) | (indices >= bound)), indices,
           f"names no position: there are {bound} from axis {plan.axis} on")

    local = get_strides(get_shape(box), plan.axis)
    inside, result = counted.copy(), np.zeros(indices.shape, np.int64)
    for d, coordinate in split(indices, get_strides(extents, plan.axis), plan.axis).items():
        if has_window:
            refuse(part, counted & ~is_in_window(part, d, coordinate, windows[d].start), indices,
                   f"lies outside its window in dimension {d}")
        inside &= (coordinate >= box[d].start) & (coordinate < box[d].stop)
        result += (coordinate - box[d].start) * local[d]
    return inside, np.where(inside, result, 0)


def is_in_window(part, d, coordinate, first):
    """Returns an array of bools: True if the position that an index names is a tap of the index's
    window, in dimension `d`. `coordinate` has the coordinates of these positions in dimension `d`.
    The windows are consecutive, and `first` is the number of the first window."""
    kernel, stride, dilation, pad, _, _ = part.plan._raw["dims"][d]["window"]
    start = (get_position(coordinate, d) + first) * stride - pad
    tap, between = np.divmod(coordinate - start, dilation)
    return (between == 0) & (tap >= 0) & (tap < kernel)


def refuse(part, wrong, indices, why):
    if wrong.any():
        at = np.unravel_index(np.argmax(wrong), wrong.shape)
        place = tuple(int(i) + bounds.start for i, bounds in zip(at, part.inputs["indices"]))
        raise ValueError(f"{part.plan.op}: index {int(indices[at])} at {place} {why}")


def run_gradient(part, *arrays):
    plan = part.plan
    operands = dict(zip(plan.operands, arrays))
    attributes = get_own_attributes(
        part, AUTOMATIC if plan._raw["has_explicit_pads"] else ("auto_pad", "same_output"))
    uniform = plan.attributes.get("uniform_sums", False)
    if "indices" in operands:
        inside, indices = locate(part, operands["indices"])
        operands["output_grad"] = np.where(inside, operands["output_grad"],
                                           np.zeros((), plan.dtype))
        operands["indices"] = indices.astype(plan.dtypes["indices"])
    shape = None
    if plan.op == "avg_pool_grad":
        shape = get_shape(part._box(1))
    return call(plan.op, attributes, operands.values(), 0, uniform, shape)[part.crop]


def run_unpool(part, values, indices):
    inside, indices = locate(part, indices)
    plan, output = part.plan, np.zeros(part.shape, part.plan.dtype)
    # An index counts over the dimensions from the axis on. In the dimensions before the axis, a
    # value keeps its own coordinates, so add their share of the position.
    strides = get_strides(part.shape, 0)
    for d in range(plan.axis):
        indices = indices + get_position(indices, d) * strides[d]
    # If several values have the same position, the last one wins.
    output.reshape(-1)[indices[inside]] = values[inside]
    return output
