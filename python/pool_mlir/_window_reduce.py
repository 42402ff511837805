"""Converts the arguments of a partition of `window_reduce` to attributes of the operation
pool.window_reduce: get_own() for the whole operation, and get_part() for one part. A part has its
own explicit pads, and its positions count in the whole tensor."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import operator

import numpy as np

# Arguments that are lists. If a list is absent, each of its entries has the value given here.
LISTS = {"strides": 1, "dilations": 1, "pads_begin": 0, "pads_end": 0}
# Lists whose attributes have the prefix `static_` in the dialect. There, operands may give some of
# the entries instead.
STATIC = ("pads_begin", "pads_end", "positions")
ARGUMENTS = ("kernel", *LISTS, "layout", "reduction", "positions", "pad_value", "nan_mode", "p",
             "output_shape", "output_dtype", "uniform_sums")
# Arguments that are not attributes of the operation.
OTHERS = ("output_shape", "output_dtype", "uniform_sums")


def read(attributes, dtype):
    """Returns the arguments of a partition of window_reduce, with all lists written out. `dtype` is
    x's element type. Raises ValueError if a required argument is missing."""
    for name in ("kernel", "reduction", "output_shape"):
        if name not in attributes:
            raise ValueError(f"window_reduce needs {name}")
    result = {name: [entry] * len(attributes["kernel"]) for name, entry in LISTS.items()}
    result.update(attributes)
    result["output_shape"] = tuple(map(operator.index, attributes["output_shape"]))
    result["output_dtype"] = np.dtype(attributes.get("output_dtype", dtype))
    if "positions" in attributes:
        result["positions"] = list(map(operator.index, attributes["positions"]))
    return result


def get_bits(attributes):
    """Returns the number of bits of a position, or 0 if the caller asks for no positions."""
    return 64 if "positions" in attributes else 0


def get_own(attributes):
    """Returns `attributes` by their names in the dialect, without the arguments in OTHERS."""
    return {f"static_{name}" if name in STATIC else name: value
            for name, value in attributes.items() if name not in OTHERS}


def get_part(part):
    """Returns the attributes for a call on the part's slice of x. The attribute `static_positions`
    has the base and the weights of the part, so that positions count in the whole tensor."""
    attributes = {**part.plan.attributes, "pads_begin": list(part.pads_begin),
                  "pads_end": list(part.pads_end)}
    if "positions" in attributes:
        attributes["positions"] = [part.base, *(part.weights[d] for d in part.plan.spatial)]
    return get_own(attributes)
