"""Pooling in the terms of libraries for images, whose filters give as many results as the
image has pixels: windows at every position, in two dimensions."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
from measure.truth import divisors
from pooltest import rules
from pooltest.peer_view import first_case

from .base import Unsupported, same_divisors


def windows(case):
    """Returns the resolved spatial dimensions; raises Unsupported."""
    if case.op == "lp_pool" or case.index_type or case.num_spatial != 2:
        raise Unsupported("has maxima and averages in two dimensions, without indices")
    if case.pad_value != "neg_inf" or case.input_zp or case.output_zp:
        raise Unsupported("written here with padding of -infinity and without zero points")
    dims = rules.resolve(case)
    if any((d.stride, d.dilation, d.output) != (1, 1, d.input) for d in dims):
        raise Unsupported("written here for stride 1, no dilation and results of the input's size")
    return dims


def images(case, array):
    """Returns views of an array as images: its planes, or, with channels last, its batch."""
    planes = case.layout == "channels_first"
    return list(array.reshape(-1, *case.shape[2:]) if planes else array)


def correction(case):
    """Returns None if averages over all positions of the kernel are right, or else the numbers
    of an image's shape to multiply them by; raises Unsupported."""
    if case.op == "max_pool" or "kernel" in same_divisors(case):
        return None
    if not case.is_float:
        raise Unsupported("averages integers over all positions of the kernel only")
    plane = rules.product(case.kernel) / divisors(first_case(case))[0, 0]
    shape = [case.shape[d] for d in case.spatial_dims]
    if case.layout == "channels_last":
        plane, shape = plane[..., None], case.shape[1:]
    return np.ascontiguousarray(np.broadcast_to(plane, shape), case.dtype)
