"""Names and defaults of the arguments of those operations that can be cut into parts."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from . import _pool_mlir, _window_reduce

LISTS = ("kernel", "strides", "pads_begin", "pads_end", "dilations")
WINDOW = (*LISTS, "rounding_type", "auto_pad", "same_output", "layout")
# Arguments of each operation in addition to WINDOW.
OWN = {
    "max_pool": ("axis", "pad_value", "nan_mode", "return_indices", "index_element_type"),
    "avg_pool": ("divisor", "divisor_override", "integer_rounding", "input_zp", "output_zp",
                 "uniform_sums"),
    "lp_pool": ("p", "uniform_sums"),
    "max_pool_grad": ("axis", "nan_mode", "return_indices", "index_element_type"),
    "avg_pool_grad": ("divisor", "divisor_override", "uniform_sums"),
    "max_unpool": ("axis", "output_shape", "index_element_type"),
}
OWN["min_pool"], OWN["min_pool_grad"] = OWN["max_pool"], OWN["max_pool_grad"]
KNOWN = {op: (*WINDOW, *own) for op, own in OWN.items()}
KNOWN["window_reduce"] = _window_reduce.ARGUMENTS
# Defaults of arguments that are not attributes of the operation.
DEFAULTS = {"return_indices": False, "index_element_type": "i64", "uniform_sums": False}
FLAGS = ("return_indices", "uniform_sums")
ARGUMENTS = (*DEFAULTS, "output_shape")
INDEX_TYPES = {"i32": np.dtype(np.int32), "i64": np.dtype(np.int64)}


def as_lists(attributes, count):
    """Returns a normalized copy of `attributes`. For an argument in LISTS, one integer becomes a
    list of `count` equal entries. Flags become bools, and NumPy's numbers become Python's. `count`
    is the number of spatial dimensions."""
    result = {}
    for name, value in attributes.items():
        if name in LISTS:
            value = _pool_mlir._integers(value, name, max(count, 1))
        elif name in FLAGS:
            # 1 and True mean the same, but MPI compares `Partition.arguments` as text.
            value = bool(value)
        elif isinstance(value, np.generic):
            # The compiled rules accept only Python's integers.
            value = value.item()
        result[name] = value
    return result


def check_attributes(op, attributes):
    if op not in KNOWN:
        raise ValueError(f"'{op}' cannot be cut into parts; known are {', '.join(sorted(KNOWN))}")
    for name in attributes:
        if name not in KNOWN[op]:
            raise TypeError(f"{op} has no argument '{name}'")
