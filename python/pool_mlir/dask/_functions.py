"""The pooling functions on dask's and xarray's arrays."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

import dask.array as da

from ._graph import pool

WINDOW = """

    x: an array of dask of any chunks, of rank n + 2, or xarray's DataArray; arguments are
    those of pool_mlir.{name}. Nothing is computed before it is asked for, and nothing is
    rechunked. chunks: those of the result, in any form that dask takes; as a rule blocks
    begin where the windows of the input's blocks do. Indices count in the whole array.

    Of a DataArray kernel, strides, dilations and pads may be dicts by the names of
    dimensions; then the others, any number of them, have windows of one element. The
    result has its name, attributes and coordinates; those of dimensions that are pooled
    are averages over each window, or left out where there is none, as of text.

    Raises ValueError for chunks of unknown sizes and in the words of pool_mlir.{name}."""


def documented(function):
    function.__doc__ += WINDOW.format(name=function.__name__)
    return function


def dispatch(op, x, arguments):
    chunks = arguments.pop("chunks")
    arguments = {name: value for name, value in arguments.items() if value is not None}
    if isinstance(x, da.Array):
        return pool(op, x, chunks, **arguments)
    xarray = sys.modules.get("xarray")
    if xarray and isinstance(x, xarray.DataArray):
        from ._xarray import pool_named
        return pool_named(op, x, chunks, **arguments)
    raise TypeError(f"x is a {type(x).__name__}, must be an array of dask or a DataArray")


@documented
def max_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type="floor", auto_pad="explicit", same_output="input",
             layout="channels_first", axis=0, pad_value="neg_inf", nan_mode="ignore",
             return_indices=False, index_element_type="i64", *, chunks=None):
    """The largest element of each window, and where it is."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("max_pool", x, arguments)


@documented
def min_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
             rounding_type="floor", auto_pad="explicit", same_output="input",
             layout="channels_first", axis=0, pad_value="pos_inf", nan_mode="ignore",
             return_indices=False, index_element_type="i64", *, chunks=None):
    """The smallest element of each window, and where it is."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("min_pool", x, arguments)


@documented
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


@documented
def lp_pool(x, kernel, strides=None, pads_begin=None, pads_end=None, dilations=None,
            rounding_type="floor", auto_pad="explicit", same_output="input",
            layout="channels_first", p=2, *, uniform_sums=False, chunks=None):
    """(sum |x|^p)^(1/p) of each window; uniform_sums as of avg_pool."""
    arguments = dict(locals())
    del arguments["x"]
    return dispatch("lp_pool", x, arguments)
