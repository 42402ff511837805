# RUN: %doors_python %s
# UNEXPLORED: its data only has to differ from element to element.
"""pool_mlir.dask on a cluster of four processes, from zarr to zarr. The result must equal the
result of one process. An output that was interrupted must say that it is incomplete."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import tempfile
from pathlib import Path

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import pool_mlir
from pool_mlir import dask as ours
from pooltest.compare import same_arrays
from pooltest.errors import raises
from pooltest.report import Report, main

WINDOW = {"kernel": 3, "strides": 2, "pads_begin": 1, "pads_end": 1}


def fail(block):
    raise RuntimeError("the disk is full")


def check(directory, report):
    rng = np.random.default_rng(7)
    x = rng.integers(0, 1000, (1, 2, 21, 40, 44)).astype(np.float32)
    da.from_array(x, chunks=(1, 1, 8, 16, 16)).to_zarr(directory / "in.zarr")
    source = ours.open_zarr(directory / "in.zarr")
    values, indices = ours.max_pool(source, **WINDOW, return_indices=True, axis=2)
    whole = pool_mlir.max_pool(x, **WINDOW, return_indices=True, axis=2)
    for name, array, expected in zip(("values", "indices"), (values, indices), whole):
        stored = ours.to_zarr(array, directory / "out.zarr", path=name)
        report.expect(same_arrays(stored[:], expected), f"{name} in zarr")
        report.expect((ours.open_zarr(directory / "out.zarr", path=name).compute()
                       == expected).all(), f"{name} from zarr")
        report.count("arrays from zarr to zarr")
    sums = {"kernel": [3, 5, 4], "strides": [2, 3, 1], "rounding_type": "ceil",
            "pads_begin": [1, 2, 0], "divisor": "padded", "uniform_sums": True}
    results = dask.compute(*(ours.avg_pool(source.rechunk(chunks), **sums)
                             for chunks in ((1, 2, 11, 20, 44), (1, 2, 21, 40, 15))))
    report.expect(same_arrays(*results), "sums on any chunks")

    path = directory / "interrupted.zarr"
    raises(report, RuntimeError, "the disk is full",
           lambda: ours.to_zarr(values.map_blocks(fail, dtype=values.dtype), path))
    raises(report, ValueError, "is incomplete", lambda: ours.open_zarr(path))
    ours.to_zarr(values, path, progress=True)
    raises(report, ValueError, "there is an array", lambda: ours.to_zarr(values, path))
    ours.to_zarr(values, path, overwrite=True)
    report.expect((ours.open_zarr(path).compute() == whole[0]).all(), "written again")
    raises(report, ValueError, "dimension 2 has chunks of (3, 5, 3)",
           lambda: ours.to_zarr(values.rechunk((1, 1, (3, 5, 3), 8, 8)), directory / "odd.zarr"))


def run():
    report = Report("a cluster of dask")
    with tempfile.TemporaryDirectory() as directory:
        directory = Path(directory)
        # The processes share a cache of compiled code.
        os.environ["POOL_CACHE_DIR"] = str(directory / "code")
        with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None,
                          local_directory=directory / "workers") as cluster, Client(cluster):
            check(directory / "cluster", report)
        check(directory / "threads", report)
    return report.finish()


if __name__ == "__main__":
    main(run)
