"""Arrays with given elements in various memory layouts, as other code may pass them to a
function."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from .generators import integer, pick


def plain(rng, x):
    return x.copy()


def fortran(rng, x):
    return np.asfortranarray(x)


def permuted(rng, x):
    """Returns the array with its dimensions in a random memory order."""
    order = rng.permutation(x.ndim)
    return np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))


def images_last(rng, x):
    """Returns the array with dimension 1 moved to the end in memory, or the last dimension
    moved to place 1: channels-first data in channels-last memory, or vice versa."""
    if x.ndim < 3:
        return x.copy()
    axis = pick(rng, (1, -1))
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(x, axis, -axis)), -axis, axis)


def part(rng, x):
    """Returns the array as a slice of a larger array. The elements of a row are adjacent; in
    the other dimensions, the slice may take steps."""
    return _embed(rng, x, [integer(rng, 1, 3) for _ in x.shape[:-1]] + [1])


def stepped(rng, x):
    return _embed(rng, x, [integer(rng, 1, 3) for _ in x.shape])


def backwards(rng, x):
    axis = integer(rng, 0, x.ndim - 1)
    return np.flip(np.flip(x, axis).copy(), axis)


def unaligned(rng, x):
    room = np.zeros(x.nbytes + 1, np.uint8)
    view = room[1:].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


def swapped(rng, x):
    """Returns the array in the other byte order, or a copy of bf16, which NumPy cannot swap."""
    return x.copy() if x.dtype.kind == "V" else x.astype(x.dtype.newbyteorder())


def read_only(rng, x):
    view = x.copy()
    view.flags.writeable = False
    return view


def _embed(rng, x, steps):
    before = [integer(rng, 0, 2) for _ in x.shape]
    whole = [b + max(extent, 1) * step + integer(rng, 0, 2)
             for b, extent, step in zip(before, x.shape, steps)]
    room = np.zeros(whole, x.dtype)
    view = room[tuple(slice(b, b + extent * step, step)
                      for b, extent, step in zip(before, x.shape, steps))]
    view[...] = x
    return view


VIEWS = (plain, fortran, permuted, images_last, part, stepped, backwards, unaligned, swapped,
         read_only)


class Foreign:
    """An array of another library, which offers only DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()
