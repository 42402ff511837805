"""The pooling functions on dask's and xarray's arrays."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

import dask.array as da

from .._partition import INDEX_TYPES
from ._graph import as_native, pool

WINDOW = """

    x: an array of dask of any chunks, of rank n + 2, or xarray's DataArray; arguments are
    those of pool_mlir.{name}. Nothing is computed before it is asked for, and nothing is
    rechunked. chunks: those of the result, in any form that dask takes; as a rule blocks
    begin where the windows of the input's blocks do. Indices count in the whole array.

    Of a DataArray chunks, kernel, strides, dilations and pads may be dicts by the names of
    dimensions; of windows the others, any number of them, have windows of one element. The
    result has its name, attributes and coordinates; those of dimensions that are pooled
    are averages over each window, or left out where there is none, as of text.

    Raises ValueError for chunks of unknown sizes and in the words of pool_mlir.{name}."""


def documented(text):
    """A decorator that adds what functions have in common to their documentation."""
    def add(function):
        function.__doc__ += text.format(name=function.__name__)
        return function

    return add


def dispatch(op, x, arguments):
    chunks = arguments.pop("chunks")
    arguments = {name: value for name, value in arguments.items() if value is not None}
    if isinstance(x, da.Array):
        return pool(op, {"x": x}, chunks, **arguments)
    xarray = sys.modules.get("xarray")
    if xarray and isinstance(x, xarray.DataArray):
        from ._xarray import pool_named
        return pool_named(op, x, chunks, **arguments)
    raise TypeError(f"x is a {type(x).__name__}, must be an array of dask or a DataArray")


@documented(WINDOW)
def max_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type="floor", auto_pad="explicit", same_output="input",
             layout="channels_first", axis=0, pad_value="neg_inf", nan_mode="ignore",
             return_indices=False, index_element_type="i64", *, chunks=None):
    """The largest element of each window, and where it is."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("max_pool", x, arguments)


@documented(WINDOW)
def min_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type="floor", auto_pad="explicit", same_output="input",
             layout="channels_first", axis=0, pad_value="pos_inf", nan_mode="ignore",
             return_indices=False, index_element_type="i64", *, chunks=None):
    """The smallest element of each window, and where it is."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("min_pool", x, arguments)


@documented(WINDOW)
def avg_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type="floor", auto_pad="explicit", same_output="input",
             layout="channels_first", divisor="valid", divisor_override=None,
             integer_rounding="half_even", input_zp=0, output_zp=0, *, uniform_sums=False,
             chunks=None):
    """The average of each window. With uniform_sums the order of a sum depends on the
    kernel alone, so that floats are the same to the bit on any chunks."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("avg_pool", x, arguments)


@documented(WINDOW)
def lp_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
            rounding_type="floor", auto_pad="explicit", same_output="input",
            layout="channels_first", p=2, *, uniform_sums=False, chunks=None):
    """(sum |x|^p)^(1/p) of each window; uniform_sums as of avg_pool."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("lp_pool", x, arguments)


SCATTER = """

    Arguments are those of pool_mlir.{name}, arrays are dask's, each of any chunks. Nothing
    is computed before it is asked for, and nothing is rechunked. chunks: those of the
    result, in any form that dask takes; as a rule those of x, or, where there is no x,
    blocks that begin where the windows of the first array's blocks do.

    Raises ValueError for chunks of unknown sizes and in the words of pool_mlir.{name}; as
    blocks are computed, for indices that name no position or none of their window."""


def scatter(op, operands, shape, arguments):
    """A gradient or max_unpool: operands that are None are not given."""
    operands = {name: array for name, array in operands.items() if array is not None}
    for name, array in operands.items():
        if not isinstance(array, da.Array):
            raise TypeError(f"{name} is a {type(array).__name__}, must be an array of dask")
    arguments = {name: value for name, value in arguments.items() if value is not None}
    if "indices" in operands:
        dtype = as_native(operands["indices"].dtype)
        names = [name for name, known in INDEX_TYPES.items() if known == dtype]
        if not names:
            raise TypeError(f"indices has elements of {dtype}, must have int32 or int64")
        given = arguments.get("index_element_type", names[0])
        if given != names[0]:
            raise ValueError(f"{op}: index_element_type is '{given}', indices has elements of "
                             f"{dtype}")
        arguments["index_element_type"] = names[0]
    return pool(op, operands, arguments.pop("chunks", None), shape, **arguments)


def extremum_grad(op, x, output_grad, indices, arguments):
    operands = {"x": x, "output_grad": output_grad, "indices": indices}
    if indices is not None:
        arguments["return_indices"] = True
    return scatter(op, operands, None, arguments)


@documented(SCATTER)
def max_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type="floor", auto_pad="explicit", same_output="input",
                  layout="channels_first", axis=0, nan_mode="ignore", indices=None, *,
                  chunks=None):
    """The gradient of max_pool with respect to x; by max_pool's indices, if given."""
    arguments = dict(locals())
    return extremum_grad("max_pool_grad", *map(arguments.pop, ("x", "output_grad", "indices")),
                         arguments)


@documented(SCATTER)
def min_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type="floor", auto_pad="explicit", same_output="input",
                  layout="channels_first", axis=0, nan_mode="ignore", indices=None, *,
                  chunks=None):
    """The gradient of min_pool with respect to x; by min_pool's indices, if given."""
    arguments = dict(locals())
    return extremum_grad("min_pool_grad", *map(arguments.pop, ("x", "output_grad", "indices")),
                         arguments)


@documented(SCATTER)
def avg_pool_grad(output_grad, input_shape, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type="floor", auto_pad="explicit", same_output="input",
                  layout="channels_first", divisor="valid", divisor_override=None, *,
                  uniform_sums=False, chunks=None):
    """The gradient of avg_pool with respect to its argument; uniform_sums as of avg_pool."""
    arguments = dict(locals())
    output_grad, shape = map(arguments.pop, ("output_grad", "input_shape"))
    return scatter("avg_pool_grad", {"output_grad": output_grad}, tuple(shape), arguments)


@documented(SCATTER)
def max_unpool(values, indices, output_shape, axis=0, *, chunks=None, **window):
    """A zero array with each value at its index.

    From axis on an index may name any position: as a rule those dimensions are one block
    of the result, and each of several would read all of them. kernel, with the other
    arguments of the max_pool that gave the indices, as `window`, says where they can be.
    The value of a window of padding alone, whose index is 0, is then left out; without a
    kernel, as in pool_mlir.max_unpool, it is put at position 0."""
    return scatter("max_unpool", {"values": values, "indices": indices}, None,
                   {"axis": axis, "output_shape": output_shape, "chunks": chunks, **window})
