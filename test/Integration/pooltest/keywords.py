"""Turns a `Case` into keyword arguments of the Python package's functions."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from .case import COMMON_ENUMS, LISTS

OWN = {
    "max_pool": ("axis", "pad_value", "nan_mode"),
    "min_pool": ("axis", "pad_value", "nan_mode"),
    "avg_pool": ("divisor", "divisor_override", "integer_rounding", "input_zp", "output_zp"),
    "lp_pool": ("p",),
    "max_pool_grad": ("axis", "nan_mode"),
    "min_pool_grad": ("axis", "nan_mode"),
    "avg_pool_grad": ("divisor", "divisor_override"),
}
ADAPTIVE = {
    "max_pool": ("layout", "axis", "nan_mode"),
    "avg_pool": ("layout", "integer_rounding", "input_zp", "output_zp"),
}


def indices(case):
    if not case.is_extremum or not case.index_type:
        return {}
    return {"return_indices": True, "index_element_type": case.index_type}


def window(case, op=None):
    """Returns keywords for the pooling of the case. With `op`, returns the keywords of
    operation `op`, such as a gradient, except those for indices."""
    names = LISTS + COMMON_ENUMS + OWN[op or case.op]
    given = {name: getattr(case, name) for name in names if getattr(case, name) is not None}
    if case.op == "min_pool" and given.get("pad_value") == "neg_inf":
        given["pad_value"] = "pos_inf"
    return given if op else {**given, **indices(case)}


def adaptive(case, size):
    """Returns keywords for adaptive_max_pool or adaptive_avg_pool."""
    given = {name: getattr(case, name) for name in ADAPTIVE[case.op]}
    return {"output_size": size, **given, **indices(case)}
