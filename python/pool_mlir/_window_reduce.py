"""Attributes of parts of pool.window_reduce. A part has explicit pads and as many windows as
its result has elements. Its base and weights make positions count in the whole."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import operator

import numpy as np

# Arguments that are lists, with the entry of each dimension if the list is absent.
LISTS = {"strides": 1, "dilations": 1, "pads_begin": 0, "pads_end": 0}
# Lists whose attributes are called `static_...` in the dialect, because there operands may
# give entries instead.
STATIC = ("pads_begin", "pads_end", "positions")
ARGUMENTS = ("kernel", *LISTS, "layout", "reduction", "positions", "pad_value", "nan_mode", "p",
             "output_shape", "output_dtype", "uniform_sums")
# Arguments that are not attributes of the operation.
OTHERS = ("output_shape", "output_dtype", "uniform_sums")


def read(attributes, dtype):
    """Returns the arguments with all lists written out, as a plan has them."""
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
    """Returns the number of bits of a position, or 0 if no positions are asked for."""
    return 64 if "positions" in attributes else 0


def get_own(attributes):
    """Returns the attributes of the operation by their names in the dialect."""
    return {f"static_{name}" if name in STATIC else name: value
            for name, value in attributes.items() if name not in OTHERS}


def get_part(part):
    """Returns the attributes of a part, whose positions count in the whole."""
    attributes = {**part.plan.attributes, "pads_begin": list(part.pads_begin),
                  "pads_end": list(part.pads_end)}
    if "positions" in attributes:
        attributes["positions"] = [part.base, *(part.weights[d] for d in part.plan.spatial)]
    return get_own(attributes)
