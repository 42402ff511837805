# RUN: %doors_python %s
# UNEXPLORED: its data only has to differ from element to element.
"""pool_mlir.dask on DataArrays of xarray, by the names of dimensions, with dask's and NumPy's
arrays. Values must equal those without names, and coordinates must follow the windows as in
xarray's own coarsen."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import tempfile
from pathlib import Path

import dask.array as da
import numpy as np
import xarray as xr

import pool_mlir
from pool_mlir import dask as ours
from pooltest.compare import same_arrays
from pooltest.errors import raises
from pooltest.report import Report, main


def make(rng):
    hours = np.datetime64("2020-01-01", "ns") + np.arange(6) * np.timedelta64(6, "h")
    return xr.DataArray(
        rng.standard_normal((6, 20, 24)), dims=("time", "lat", "lon"), name="t2m",
        coords={"time": hours, "lat": np.linspace(-90, 90, 20), "lon": np.arange(24) * 15.0,
                "area": (("lat", "lon"), rng.random((20, 24))),
                "band": ("lat", [f"band {i}" for i in range(20)]),
                "station": ("time", [f"station {i}" for i in range(6)]), "height": 2.0},
        attrs={"units": "K"})


def run():
    report = Report("DataArrays")
    x = make(np.random.default_rng(3))
    window = {"lat": 2, "lon": 3}
    for chunks in (None, {}, {"lat": 7, "lon": 10, "time": 4}):
        given = x if chunks is None else x.chunk(chunks)
        for op, coarse in (("max_pool", "max"), ("min_pool", "min"), ("avg_pool", "mean")):
            y = getattr(ours, op)(given, window, strides=window)
            expected = getattr(x.drop_vars("band").coarsen(window), coarse)()
            report.expect((y.chunks is not None) == (chunks is not None), "lazy as its argument")
            y = y.compute()
            try:
                xr.testing.assert_allclose(y, expected)
            except AssertionError as error:
                report.mismatch(f"{op} beside coarsen", str(error))
            # Coordinates without an average (text) are dropped, but only in pooled
            # dimensions. Coordinates of other dimensions stay.
            report.expect(set(y.coords) == set(x.coords) - {"band"}
                          and y.attrs == x.attrs and y.name == x.name
                          and list(y.station.values) == list(x.station.values),
                          "coordinates, attributes and name", str(y))
            report.count(f"{op} beside coarsen")
    check_indices(x, report)
    # The coordinate of a window over padding is the average of the times inside the array.
    y = ours.max_pool(x, {"time": 3}, strides={"time": 3}, pads_begin={"time": 1})
    report.expect(y.time.values[0] == x.time.values[0] + np.timedelta64(3, "h"),
                  "a window over padding", str(y.time))
    plain = xr.DataArray(x.values[None], dims=("n", "c", "y", "x"))
    report.expect((ours.max_pool(plain.chunk(y=5), 2).values
                   == pool_mlir.max_pool(plain.values, 2)).all(), "lists as of arrays")
    check_chunks(x, plain, report)
    check_uniform(x, report)
    raises(report, ValueError, "kernel names dimension 'depth'",
           lambda: ours.max_pool(x, {"depth": 2}))
    raises(report, ValueError, "kernel names dimensions, strides does not",
           lambda: ours.max_pool(x, {"lat": 2}, strides=2))
    for given in (x, x.chunk(lat=5)):
        raises(report, TypeError, "kernel must be integers, not str",
               lambda given=given: ours.max_pool(given, {"lat": "x"}))
    check_zarr(report)
    return report.finish()


def check_chunks(x, plain, report):
    """Chunks as a dict of names, a list or one number give the same result."""
    window = {"lat": 2, "lon": 3}
    lazy = x.chunk(lat=7, lon=10, time=4)
    for chunks in ({"lat": 5}, {"time": 2, "lon": -1}, [2, 5, 8], (2, 5, 8), 4):
        y = ours.max_pool(lazy, window, strides=window, chunks=chunks)
        sizes = [chunks.get(dim, extent) if isinstance(chunks, dict) else
                 chunks if isinstance(chunks, int) else chunks[x.dims.index(dim)]
                 for dim, extent in zip(y.dims, y.shape)]
        report.expect([sizes[0] for sizes in y.chunks]
                      == [extent if size == -1 else min(size, extent)
                          for size, extent in zip(sizes, y.shape)], "chunks", str(y.chunks))
        report.expect((y.values == ours.max_pool(x, window, strides=window).values).all(),
                      f"chunks {chunks}")
        report.count("chunks")
    y = ours.max_pool(plain.chunk(y=5), np.array([2, 3]), strides=np.array([1, 2]),
                      chunks={"y": 4})
    report.expect(y.chunks[2][0] == 4 and (y.values == pool_mlir.max_pool(
        plain.values, [2, 3], [1, 2])).all(), "windows in arrays of NumPy", str(y.chunks))
    axes = plain.assign_coords(x=np.arange(24.0))
    report.expect((ours.max_pool(axes, np.array([2, 3])).x.values
                   == ours.max_pool(axes, [2, 3]).x.values).all(), "their coordinates")
    for given in (plain, plain.chunk(y=5), plain.chunk(y=5).data):
        report.expect((np.asarray(ours.lp_pool(given, 2, p=np.int64(2)))
                       == pool_mlir.lp_pool(plain.values, 2, p=2)).all()
                      and (np.asarray(ours.max_pool(given, 2, axis=np.int64(2),
                                                    return_indices=np.True_)[1])
                           == pool_mlir.max_pool(plain.values, 2, axis=2,
                                                 return_indices=True)[1]).all(),
                      f"NumPy's integers beside a {type(given).__name__}")
    for given in (x, lazy):
        y = ours.max_pool(given.astype(">f4"), window, strides=window)
        report.expect(y.dtype == np.float32 == y.values.dtype and (y.values == ours.max_pool(
            x.astype("f4"), window, strides=window).values).all(), "the other byte order")
    raises(report, ValueError, "chunks names dimension 'depth', the array has time, lat, lon",
           lambda: ours.max_pool(lazy, window, chunks={"depth": 2}))
    raises(report, ValueError, "chunks are given, the array has none",
           lambda: ours.max_pool(x, window, chunks={"lat": 2}))


def check_uniform(x, report):
    """With uniform_sums, sums of NumPy's data and of any chunks are bit-equal."""
    x = x.astype(np.float32)
    for op, more in (("avg_pool", {}), ("lp_pool", {"p": 3})):
        window = {"kernel": {"lat": 5, "lon": 7}, "strides": {"lat": 2}, "uniform_sums": True}
        whole = getattr(ours, op)(x, **window, **more)
        for chunks in ({"lat": 7, "lon": 10}, {"lat": 3, "lon": 1}, {"time": 1}):
            parts = getattr(ours, op)(x.chunk(chunks), **window, **more)
            report.expect(same_arrays(parts.values, whole.values), f"{op} of {chunks}")
            report.count("uniform sums")


def check_zarr(report):
    """to_zarr refuses a folder with other files. Even with `overwrite`, it refuses to replace the
    array that it reads."""
    with tempfile.TemporaryDirectory() as directory:
        x = da.from_array(np.arange(64, dtype="f4").reshape(1, 1, 64), chunks=(1, 1, 16))
        other = Path(directory) / "other"
        other.mkdir()
        (other / "data.bin").write_bytes(b"1")
        raises(report, ValueError, "something else than an array",
               lambda: ours.to_zarr(ours.max_pool(x, 2), other))
        report.expect((other / "data.bin").exists(), "a file of others")
        ours.to_zarr(ours.max_pool(x, 2), str(Path(directory) / "y"))
        y = ours.open_zarr(str(Path(directory) / "y"))
        raises(report, ValueError, "computed from what it would replace",
               lambda: ours.to_zarr(ours.max_pool(y, 1), str(Path(directory) / "y"),
                                    overwrite=True))
        report.expect((y.compute() == np.arange(1, 64, dtype="f4")).all(), "the source")
        pair = ours.max_pool(x, 2, return_indices=True)
        for given, words in (
                (x.compute(), "not a ndarray: dask.array.from_array makes one"),
                (pair, "not a tuple: write values and indices one after the other"),
                (xr.DataArray(x), "not a DataArray: pass the DataArray's data")):
            raises(report, TypeError, f"to_zarr takes a dask array, {words}",
                   lambda given=given: ours.to_zarr(given, str(Path(directory) / "z")))


def check_indices(x, report):
    window = {"lat": 4, "lon": 5}
    for axis, over in ((0, x.values.reshape(-1)), (1, None)):
        values, indices = ours.max_pool(x.chunk(lat=6, lon=7, time=4), window, strides=window,
                                        return_indices=True, axis=axis)
        found = (over[indices.values] if over is not None else np.take_along_axis(
            x.values.reshape(6, -1), indices.values.reshape(6, -1), 1).reshape(values.shape))
        report.expect((found == values.values).all(), f"indices from dimension {axis} on")
        report.count("indices")


if __name__ == "__main__":
    main(run)
