"""Pooling of DataArrays: dimensions have names, and coordinates are pooled too."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dask.array as da
import numpy as np
import xarray as xr

import pool_mlir

from ._graph import as_native, pool

# Arguments that may be dicts from dimension names to integers. A dimension that is missing in a
# dict has the number given here.
LISTS = {"kernel": 1, "strides": 1, "dilations": 1, "pads_begin": 0, "pads_end": 0}
WINDOW = (*LISTS, "rounding_type", "auto_pad", "same_output")


def pool_named(op, x, chunks, **arguments):
    arguments = {name: value.tolist() if isinstance(value, np.ndarray) else value
                 for name, value in arguments.items()}
    is_named = [name for name in LISTS if isinstance(arguments.get(name), dict)]
    if is_named:
        lists = [name for name in LISTS if name in arguments and name not in is_named]
        if lists:
            raise ValueError(f"{op}: {is_named[0]} names dimensions, {lists[0]} does not")
        if arguments.get("layout", "channels_first") != "channels_first":
            raise ValueError(f"{op}: where dimensions are named there is no layout")
        for name in is_named:
            check_names(op, name, arguments[name], x)
            arguments[name] = [arguments[name].get(dim, LISTS[name]) for dim in x.dims]
        if arguments.get("axis", -1) >= 0:
            # The data get a batch and a channel dimension in front, so the axis moves by two.
            arguments["axis"] += 2
    data = x.data[None, None] if is_named else x.data
    if isinstance(chunks, dict):
        check_names(op, "chunks", chunks, x)
    if chunks is not None:
        chunks = normalize(chunks, x, 2 if is_named else 0)
    results = run(op, data, chunks, arguments)
    if is_named:
        results = [result[0, 0] for result in results]
    pooled = get_pooled(x, arguments, is_named)
    coordinates = carry(x, arguments, pooled)
    arrays = [xr.DataArray(result, coordinates, x.dims, x.name, x.attrs) for result in results]
    return tuple(arrays) if len(arrays) > 1 else arrays[0]


def check_names(op, name, named, x):
    for dim in named:
        if dim not in x.dims:
            raise ValueError(f"{op}: {name} names dimension '{dim}', the array has "
                             f"{', '.join(map(str, x.dims))}")


def normalize(chunks, x, added):
    """Returns `chunks` in a form that dask accepts. `added` is the number of dimensions, each of
    extent 1, that precede the dimensions of `x`."""
    if isinstance(chunks, dict):
        return {**dict.fromkeys(range(added), 1),
                **{x.dims.index(dim) + added: size for dim, size in chunks.items()}}
    if isinstance(chunks, (tuple, list)):
        return (*[1] * added, *chunks)
    return chunks


def run(op, data, chunks, arguments):
    """Returns a sequence of the results: values, and indices if they are asked for. Pools NumPy
    data at once and as one part, and dask data lazily. Raises ValueError if NumPy data are given
    with chunks."""
    if isinstance(data, da.Array):
        results = pool(op, {"x": data}, chunks, **arguments)
    elif chunks is not None:
        raise ValueError(f"{op}: chunks are given, the array has none: chunk() gives it some")
    else:
        data = data.astype(as_native(data.dtype), copy=False)
        plan = pool_mlir.partition(op, data.shape, output_cuts=[None] * data.ndim,
                                   dtype=data.dtype, **arguments)
        results = plan[0].run(data[plan[0].inputs["x"]])
    return results if isinstance(results, tuple) else (results,)


def get_pooled(x, arguments, is_named):
    """Returns a dict from the name of each pooled dimension to its window, in the form of arguments
    for this one dimension. A dimension is not pooled if its window has extent 1, stride 1 and no
    pads."""
    if is_named:
        spatial = range(x.ndim)
    elif arguments.get("layout") == "channels_last":
        spatial = range(1, x.ndim - 1)
    else:
        spatial = range(2, x.ndim)
    pooled = {}
    for i, d in enumerate(spatial):
        window = {}
        for name in WINDOW:
            value = arguments.get(name)
            if value is not None:
                window[name] = value if not isinstance(value, (list, tuple)) else [value[i]]
        lists = {name: window.get(name, default) for name, default in LISTS.items()}
        if any(value not in (default, [default]) for (_, default), value
               in zip(LISTS.items(), lists.values())):
            pooled[x.dims[d]] = window
    return pooled


def carry(x, arguments, pooled):
    """Returns the coordinates of the result. A coordinate along a pooled dimension becomes its
    average over each window, without padding. It is left out if it has no average."""
    coordinates = {}
    for name, coordinate in x.coords.items():
        values = coordinate
        for dim in coordinate.dims:
            if dim in pooled and values is not None:
                values = average(values, dim, pooled[dim])
        if values is not None:
            coordinates[name] = values.variable
    return coordinates


def average(coordinate, dim, window):
    """Returns the averages of a coordinate over windows along dimension `dim`. Returns None if
    there is no average: for elements that are neither numbers nor times, if a time is missing
    (NaT), and if a window has no elements."""
    values = np.asarray(coordinate.values)
    kind = values.dtype.kind
    if kind not in "iufmM" or kind in "mM" and np.isnat(values).any():
        return None
    d = coordinate.dims.index(dim)
    moved = np.moveaxis(values, d, -1)
    lines = np.ascontiguousarray(moved).reshape(1, -1, moved.shape[-1])
    # Times are averaged as integers. avg_pool raises ValueError if a window has no element.
    if kind in "mM":
        lines = lines.view(np.int64)
    else:
        lines = lines.astype(np.float64)
    try:
        result = pool_mlir.avg_pool(lines, **window)
    except ValueError:
        return None
    if kind in "mM":
        result = result.view(values.dtype)
    result = np.moveaxis(result.reshape(*moved.shape[:-1], -1), -1, d)
    return xr.DataArray(xr.Variable(coordinate.dims, result, coordinate.attrs))
