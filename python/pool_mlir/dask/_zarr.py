"""Results in zarr: an array says whether it is complete."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib

import dask
import dask.array as da
import zarr
from dask.diagnostics import ProgressBar

# The attribute of an array: False until everything has been written.
COMPLETE = "pool_mlir_complete"


def get_zarr_chunks(array):
    """The extents of zarr's chunks, which are all the same but for the last of a
    dimension."""
    for d, sizes in enumerate(array.chunks):
        if any(size != sizes[0] for size in sizes[:-1]) or sizes[-1] > sizes[0]:
            raise ValueError(
                f"dimension {d} has chunks of {sizes}; zarr's are of one size but for the last: "
                "the argument chunks of the pooling function chooses them")
    return tuple(max(sizes[0], 1) for sizes in array.chunks)


@contextlib.contextmanager
def show_progress(is_wanted):
    if not is_wanted:
        yield
        return
    with ProgressBar():
        yield


def compute(delayed, progress):
    """Waits for what is delayed: on a cluster if this process is a client of one."""
    try:
        from distributed import get_client, progress as show
        client = get_client()
    except (ImportError, ValueError):
        with show_progress(progress):
            dask.compute(delayed)
        return
    future = client.compute(delayed)
    if progress:
        show(future, notebook=False)
    future.result()


def to_zarr(array, store, *, path=None, overwrite=False, progress=False):
    """Computes a dask array block by block into a zarr array, of the same chunks.

    store: a path or a store of zarr's; path: the array's in a group. The array's
    attribute `pool_mlir_complete` is false until everything has been written, so that
    an interrupted output is known; open_zarr refuses it, and it may be written again.
    progress shows a bar. Raises ValueError for chunks that zarr has not, and for an
    array that is there and complete, unless it is to be overwritten.
    """
    chunks = get_zarr_chunks(array)
    if not overwrite:
        try:
            there = zarr.open_array(store, path=path, mode="r")
        except (FileNotFoundError, KeyError):
            there = None
        if there is not None and there.attrs.get(COMPLETE) is not False:
            raise ValueError(f"{there.store_path}: there is an array, overwrite=True replaces it")
    target = zarr.create_array(store, name=path, shape=array.shape, chunks=chunks,
                               dtype=array.dtype, overwrite=True, attributes={COMPLETE: False})
    # Blocks are chunks: no two tasks write to one.
    compute(da.store(array, target, lock=False, compute=False), progress)
    target.attrs[COMPLETE] = True
    return target


def open_zarr(store, *, path=None):
    """The dask array of a zarr array. Raises ValueError for one that to_zarr has begun
    and not finished."""
    array = zarr.open_array(store, path=path, mode="r")
    if array.attrs.get(COMPLETE) is False:
        raise ValueError(f"{array.store_path} is incomplete: what wrote it was interrupted")
    return da.from_zarr(array)
