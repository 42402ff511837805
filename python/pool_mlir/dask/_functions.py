"""The pooling functions on arrays of dask and xarray."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

import dask.array as da

from .._partition import INDEX_TYPES
from ._graph import as_native, pool

WINDOW = """

    x: a dask array of rank n + 2 with any chunks, or an xarray.DataArray.
    chunks: chunks of the result, in any form that dask accepts. By default a block begins
        with the first window that begins in a block of x.

    For the other arguments see pool_mlir.{name}. The result is lazy, and nothing is
    rechunked. Indices count in the whole array.

    For a DataArray chunks, kernel, strides, dilations and pads may be dicts of dimension
    names. The window has extent 1 in any other dimension. The result keeps the name, the
    attributes and the coordinates. In a pooled dimension a coordinate is averaged over each
    window; a coordinate that has no average, such as text, is left out.

    Raises ValueError for chunks of unknown sizes, and whenever pool_mlir.{name} does."""


def documented(text):
    """Returns a decorator that adds the shared `text` to a function's docstring."""
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
    """Returns the largest element of each window, and with return_indices also its index."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("max_pool", x, arguments)


@documented(WINDOW)
def min_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type="floor", auto_pad="explicit", same_output="input",
             layout="channels_first", axis=0, pad_value="pos_inf", nan_mode="ignore",
             return_indices=False, index_element_type="i64", *, chunks=None):
    """Returns the smallest element of each window, and with return_indices also its index."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("min_pool", x, arguments)


@documented(WINDOW)
def avg_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type="floor", auto_pad="explicit", same_output="input",
             layout="channels_first", divisor="valid", divisor_override=None,
             integer_rounding="half_even", input_zp=0, output_zp=0, *, uniform_sums=False,
             chunks=None):
    """Returns the average of each window. With uniform_sums, the order in which floats are added
    depends only on the kernel, so the result has the same bits for any chunks."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("avg_pool", x, arguments)


@documented(WINDOW)
def lp_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
            rounding_type="floor", auto_pad="explicit", same_output="input",
            layout="channels_first", p=2, *, uniform_sums=False, chunks=None):
    """Returns (sum |x|^p)^(1/p) of each window. For uniform_sums see avg_pool."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("lp_pool", x, arguments)


SCATTER = """

    Arrays are dask arrays with any chunks.
    chunks: chunks of the result, in any form that dask accepts. By default they are the
        chunks of x. Without x a block begins where the windows of a block of the first
        array begin.

    For the other arguments see pool_mlir.{name}. The result is lazy, and nothing is
    rechunked.

    Raises ValueError for chunks of unknown sizes, and whenever pool_mlir.{name} does. An
    index that names no position, or none of its window, raises it when its block is
    computed."""


def scatter(op, operands, shape, arguments):
    """Returns the lazy result of a gradient or of max_unpool. `operands` maps names to dask arrays,
    or to None for an absent operand. `shape` is the input_shape of `partition`, or None."""
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
    """Returns the gradient of max_pool with respect to x. `indices` may be the indices that
    max_pool returned; without them, the maxima are searched for again."""
    arguments = dict(locals())
    return extremum_grad("max_pool_grad", *map(arguments.pop, ("x", "output_grad", "indices")),
                         arguments)


@documented(SCATTER)
def min_pool_grad(x, output_grad, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type="floor", auto_pad="explicit", same_output="input",
                  layout="channels_first", axis=0, nan_mode="ignore", indices=None, *,
                  chunks=None):
    """Returns the gradient of min_pool with respect to x. `indices` may be the indices that
    min_pool returned; without them, the minima are searched for again."""
    arguments = dict(locals())
    return extremum_grad("min_pool_grad", *map(arguments.pop, ("x", "output_grad", "indices")),
                         arguments)


@documented(SCATTER)
def avg_pool_grad(output_grad, input_shape, kernel, strides=None, pads_begin=None, pads_end=None,
                  dilations=None, rounding_type="floor", auto_pad="explicit", same_output="input",
                  layout="channels_first", divisor="valid", divisor_override=None, *,
                  uniform_sums=False, chunks=None):
    """Returns the gradient of avg_pool with respect to x. For uniform_sums see avg_pool."""
    arguments = dict(locals())
    output_grad, shape = map(arguments.pop, ("output_grad", "input_shape"))
    return scatter("avg_pool_grad", {"output_grad": output_grad}, tuple(shape), arguments)


@documented(SCATTER)
def max_unpool(values, indices, output_shape, axis=0, *, chunks=None, **window):
    """Returns an array of zeros in which each value stands at its index.

    An index may name any position in the dimensions from axis on. So each block of the result reads
    values and indices completely in these dimensions. By default the result is not divided in these
    dimensions. To narrow the positions, pass kernel and the other arguments of the max_pool that
    made the indices as keywords.

    A window that lies entirely in padding has index 0. With a kernel, its value is ignored. Without
    a kernel, the value is written to position 0, as in pool_mlir.max_unpool."""
    return scatter("max_unpool", {"values": values, "indices": indices}, None,
                   {"axis": axis, "output_shape": output_shape, "chunks": chunks, **window})
