"""Runs operations by the oracle's definitions, with the interface that pool_mlir's parts
use.

Tests of partitions run the parts by these definitions instead of compiled code. That is
fast. Besides, the oracle's answer for a window does not depend on the window's place, so parts
must be bit-equal to the whole.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from . import fast_oracle, scatter
from .case import LISTS, NUMPY_TYPES, Case

TYPE_NAMES = {NUMPY_TYPES[name]: name for name in NUMPY_TYPES if not name.startswith("si")}


def make_case(op, attributes, shape, dtype, index_bits=0):
    given = dict(attributes)
    for name in LISTS:
        if name in given:
            given[name] = tuple(given[name])
    if given.get("pad_value") == "pos_inf":
        given["pad_value"] = "neg_inf"
    return Case(op, tuple(shape), element_type=TYPE_NAMES[np.dtype(dtype)],
                index_type=f"i{index_bits}" if index_bits else None, **given)


def by_definition(name, attributes, operands, index_bits=0, uniform_sums=False, shape=None):
    """Returns the oracle's answer, rounded to the type. Takes the arguments of `_parts.call`."""
    operands = list(operands)
    if not name.endswith("_grad"):
        case = make_case(name, attributes, operands[0].shape, operands[0].dtype, index_bits)
        truth = fast_oracle.run(case, operands[0])
        if not case.is_extremum:
            with np.errstate(over="ignore"):
                return truth.exact.astype(case.dtype)
        return (truth.values, truth.indices) if index_bits else truth.values
    shape = operands[0].shape if shape is None else shape
    dtype = operands[0].dtype
    case = make_case(name[:-5], attributes, shape, dtype)
    if name == "avg_pool_grad":
        return scatter.avg_pool_grad(case, *operands).exact.astype(dtype)
    return scatter.max_pool_grad(case, *operands).exact.astype(dtype)
