"""Writes results to zarr. An attribute of the zarr array says whether it is complete."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import itertools
import os
from dataclasses import dataclass

import dask
import dask.array as da
import numpy as np
import zarr
from dask.diagnostics import ProgressBar
from dask.highlevelgraph import HighLevelGraph

# Attribute of a zarr array: False until everything has been written, then True.
COMPLETE = "pool_mlir_complete"


def get_zarr_chunks(array):
    """Returns the extents of the chunks for zarr, which are the chunks of the dask array. Raises
    ValueError unless all chunks of a dimension are equal, except for a last one that may be
    smaller."""
    for d, sizes in enumerate(array.chunks):
        if any(size != sizes[0] for size in sizes[:-1]) or sizes[-1] > sizes[0]:
            raise ValueError(
                f"dimension {d} has chunks of {sizes}; zarr's are of one size but for the last: "
                "the argument chunks of the pooling function chooses them")
    return tuple(max(sizes[0], 1) for sizes in array.chunks)


@dataclass(frozen=True)
class Write:
    """A task that writes a block to the box `region` of the zarr array `target`."""

    target: zarr.Array
    region: tuple

    def __call__(self, block):
        self.target[self.region] = np.asarray(block)


def get_client():
    """Returns this process's client of a distributed cluster, or None if there is none."""
    try:
        from distributed import get_client as get
        return get()
    except (ImportError, ValueError):
        return None


def write(array, target, progress):
    """Computes all blocks of `array` and writes them to `target`. Frees each block as soon as it is
    written.

    No task depends on all blocks. If one did, dask would begin with the blocks that have most
    dependencies, and read much more input at a time than it needs.
    """
    (array,) = dask.optimize(array)
    name = f"write-{array.name}"
    begins = [(0, *itertools.accumulate(sizes)) for sizes in array.chunks]
    tasks = {}
    for index in itertools.product(*map(range, array.numblocks)):
        region = tuple(slice(begin[i], begin[i + 1]) for begin, i in zip(begins, index))
        tasks[(name, *index)] = (Write(target, region), (array.name, *index))
    graph = HighLevelGraph.from_collections(name, tasks, dependencies=[array])
    client = get_client()
    if client is None:
        with ProgressBar() if progress else contextlib.nullcontext():
            dask.base.compute_as_if_collection(da.Array, graph, list(tasks))
        return
    futures = client.get(graph, list(tasks), sync=False)
    if progress:
        from distributed import progress as show
        show(futures, notebook=False)
    client.gather(futures)


def open_there(store, path):
    """Returns the zarr array at `path` in `store`, or None if there is none."""
    try:
        return zarr.open_array(store, path=path, mode="r")
    except (FileNotFoundError, KeyError):
        return None


def get_sources(array):
    """Yields the zarr arrays from which a dask array is computed."""
    for value in dict(array.dask).values():
        value = getattr(value, "value", value)
        if isinstance(value, zarr.Array):
            yield value


def to_zarr(array, store, *, path=None, overwrite=False, progress=False):
    """Computes a dask array block by block, writes it to a zarr array with the same chunks, and
    returns the zarr array.

    store: a path, or a store of zarr.
    path: the path of the array in a group.
    overwrite: True to replace an array or other files that are there.
    progress: True to show a bar.

    The attribute `pool_mlir_complete` of the zarr array is false until everything has been written.
    open_zarr refuses an incomplete array, and to_zarr replaces it even without `overwrite`. Raises
    ValueError for chunks that zarr cannot have, for a place that is not free, and for an array that
    would overwrite its own input. Raises TypeError for anything that is not a dask array.
    """
    if not isinstance(array, da.Array):
        advice = ("write values and indices one after the other" if isinstance(array, tuple) else
                  "pass the DataArray's data" if isinstance(getattr(array, "data", None), da.Array)
                  else "dask.array.from_array makes one")
        raise TypeError(f"to_zarr takes a dask array, not a {type(array).__name__}: {advice}")
    chunks = get_zarr_chunks(array)
    there = open_there(store, path)
    if there is not None:
        if not overwrite and there.attrs.get(COMPLETE) is not False:
            raise ValueError(f"{there.store_path}: there is an array, overwrite=True replaces it")
        if any(source.store_path == there.store_path for source in get_sources(array)):
            raise ValueError(f"{there.store_path}: the array is computed from what it would "
                             f"replace")
    elif not overwrite and isinstance(store, (str, os.PathLike)):
        folder = os.path.join(store, path or "")
        if os.path.isdir(folder) and os.listdir(folder):
            raise ValueError(f"{folder}: there is something else than an array, overwrite=True "
                             f"replaces it")
    target = zarr.create_array(store, name=path, shape=array.shape, chunks=chunks,
                               dtype=array.dtype, overwrite=overwrite or there is not None,
                               attributes={COMPLETE: False})
    # Each block is one chunk of zarr, so no two tasks write to the same chunk.
    write(array, target, progress)
    target.attrs[COMPLETE] = True
    return target


def open_zarr(store, *, path=None):
    """Returns a dask array that reads a zarr array. Raises ValueError if to_zarr began to write the
    zarr array and did not finish."""
    array = zarr.open_array(store, path=path, mode="r")
    if array.attrs.get(COMPLETE) is False:
        raise ValueError(f"{array.store_path} is incomplete: what wrote it was interrupted")
    return da.from_zarr(array)
