"""Converts a case to a peer's conventions: channels first, explicit pads where needed.

Peers have neither channels_last nor same_output = input. So the data are transposed before
and after the peer runs, and the peer gets the resolved pads. A peer's index counts over the
whole NCHW tensor. It is split into coordinates, from which the index for the case's layout
and axis is computed.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from .rules import product, resolve


def to_first(case):
    """Returns the permutation from the case's layout to channels first."""
    rank = case.rank
    if case.layout == "channels_first":
        return list(range(rank))
    return [0, rank - 1] + list(range(1, rank - 1))


def first_case(case):
    """Returns the case on the transposed tensor, with indices over the whole tensor."""
    order = to_first(case)
    return case.with_(shape=tuple(case.shape[d] for d in order),
                      layout="channels_first", axis=0)


def with_explicit_pads(case, dims=None):
    """Returns the case with its resolved pads and rounding floor. Its number of outputs is
    the same only if there is no overhang, as for same_* and floor."""
    dims = dims or resolve(case)
    return case.with_(auto_pad="explicit", rounding_type="floor",
                      pads_begin=tuple(d.pad_begin for d in dims),
                      pads_end=tuple(d.pad_end for d in dims))


def input_to_first(case, x):
    return np.ascontiguousarray(x.transpose(to_first(case)))


def output_from_first(case, y):
    return np.ascontiguousarray(y.transpose(np.argsort(to_first(case))))


def indices_from_first(case, indices):
    """Converts indices over the whole NCHW tensor to indices in the case's layout and from
    its axis on. An index outside the tensor becomes -1.
    """
    order = to_first(case)
    shape = tuple(case.shape[d] for d in order)
    inside = (indices >= 0) & (indices < product(shape))
    coordinates = np.unravel_index(np.where(inside, indices, 0).astype(np.int64), shape)
    stored = [None] * case.rank
    for position, coordinate in zip(order, coordinates):
        stored[position] = coordinate
    axis = case.axis % case.rank
    flat = sum(stored[d] * product(case.shape[d + 1:]) for d in range(axis, case.rank))
    return output_from_first(case, np.where(inside, flat, -1))
