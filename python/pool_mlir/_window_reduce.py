"""pool.window_reduce in parts: pads as they are given, as many windows as the result has,
and positions of the whole from a base and weights."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import operator

import numpy as np

# Lists, and the entry of those that are not given.
LISTS = {"strides": 1, "dilations": 1, "pads_begin": 0, "pads_end": 0}
# Lists that the dialect may have as operands too.
STATIC = ("pads_begin", "pads_end", "positions")
ARGUMENTS = ("kernel", *LISTS, "layout", "reduction", "positions", "pad_value", "nan_mode", "p",
             "output_shape", "output_dtype", "uniform_sums")
# Those that are no attributes of the operation.
OTHERS = ("output_shape", "output_dtype", "uniform_sums")


def read(attributes, dtype):
    """The arguments with all lists written out, as the plan of a partition has them."""
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
    """Bits of the positions, 0 without any."""
    return 64 if "positions" in attributes else 0


def get_own(attributes):
    """The attributes of the operation by their names in the dialect."""
    return {f"static_{name}" if name in STATIC else name: value
            for name, value in attributes.items() if name not in OTHERS}


def get_part(part):
    """Those of a part. Its positions are those of the whole."""
    attributes = {**part.plan.attributes, "pads_begin": list(part.pads_begin),
                  "pads_end": list(part.pads_end)}
    if "positions" in attributes:
        attributes["positions"] = [part.base, *(part.weights[d] for d in part.plan.spatial)]
    return get_own(attributes)
