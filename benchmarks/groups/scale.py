"""Pools a volume from zarr to zarr: time, peak memory, and errors at seams.

Compares `pool_mlir.dask` with common ways: `map_overlap` with `scipy.ndimage.maximum_filter`,
`xarray.coarsen`, each block by itself, and scipy on the whole volume in memory. Every way runs in a
process of its own, which prints its time, compiling included, and its peak memory. The result is
compared with that of scipy on the whole volume.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from measure.native import Failure
from measure.turns import import_pool_mlir

KIND = "window"
# (kernel, stride, pads at both ends)
WINDOWS = {"3, stride 2, pads 1": (3, 2, 1), "2, stride 2": (2, 2, 0), "5, pads 2": (5, 1, 2)}


def read_peak():
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


# Ways: each pools the zarr array `source` to `target`, or returns False if it cannot.


def with_pool_mlir(source, target, window):
    import pool_mlir.dask as ours
    kernel, stride, pad = window
    y = ours.max_pool(ours.open_zarr(source), kernel, strides=stride, pads_begin=pad,
                      pads_end=pad)
    ours.to_zarr(y, target)


def filter_block(block, kernel, stride, pad, depth):
    """Returns maxima of a block that has `depth` more elements at each end."""
    from scipy.ndimage import maximum_filter
    size = (1, 1) + (kernel,) * (block.ndim - 2)
    # The filter centres its window on an element. Our first window begins `pad` elements
    # before the block's first element.
    filtered = maximum_filter(block, size, mode="constant", cval=-np.inf,
                              origin=(0, 0) + ((kernel - 1) // 2 - kernel // 2,) * 3)
    first = depth - pad + (kernel - 1) // 2
    last = -depth if depth else None
    inner = slice(first, last if first else last, stride)
    return filtered[(slice(None),) * 2 + (inner,) * (block.ndim - 2)]


def store(y, target):
    y = y.rechunk(tuple(max(sizes) for sizes in y.chunks))
    y.to_zarr(target)


def with_map_overlap(source, target, window):
    import dask.array as da
    kernel, stride, pad = window
    x = da.from_zarr(source)
    depth = kernel - 1
    chunks = tuple(tuple(-(-size // (stride if d > 1 else 1)) for size in sizes)
                   for d, sizes in enumerate(x.chunks))
    overlapped = da.overlap.overlap(x, {d: depth for d in range(2, x.ndim)},
                                    {d: -np.inf for d in range(2, x.ndim)})
    y = overlapped.map_blocks(filter_block, kernel, stride, pad, depth, chunks=chunks,
                              dtype=x.dtype)
    outputs = (x.shape[2] + 2 * pad - kernel) // stride + 1
    store(y[(slice(None),) * 2 + (slice(0, outputs),) * 3], target)


def with_blocks_alone(source, target, window):
    import dask.array as da
    kernel, stride, pad = window
    if not pad:
        # A window without pads needs no halo here: each block's maxima are right, so there
        # is no error to show.
        return False
    x = da.from_zarr(source)
    chunks = tuple(tuple(-(-size // (stride if d > 1 else 1)) for size in sizes)
                   for d, sizes in enumerate(x.chunks))
    store(x.map_blocks(filter_block, kernel, stride, pad, 0, chunks=chunks, dtype=x.dtype),
          target)
    return True


def with_coarsen(source, target, window):
    import dask.array as da
    import xarray as xr
    kernel, stride, pad = window
    if kernel != stride or pad:
        return False
    x = xr.DataArray(da.from_zarr(source), dims=("n", "c", "z", "y", "x"))
    store(x.coarsen({"z": kernel, "y": kernel, "x": kernel}).max().data, target)
    return True


def with_scipy(source, target, window):
    import zarr
    kernel, stride, pad = window
    x = zarr.open_array(source, mode="r")[:]
    edges = ((0, 0),) * 2 + ((kernel - 1, kernel - 1),) * 3
    padded = np.pad(x, edges, constant_values=-np.inf)
    y = filter_block(padded, kernel, stride, pad, kernel - 1)
    outputs = (x.shape[2] + 2 * pad - kernel) // stride + 1
    y = y[:, :, :outputs, :outputs, :outputs]
    zarr.create_array(target, data=np.ascontiguousarray(y))


WAYS = {"pool_mlir.dask": with_pool_mlir, "map_overlap, scipy": with_map_overlap,
        "xarray.coarsen": with_coarsen, "each block alone, scipy": with_blocks_alone,
        "scipy, in memory": with_scipy}


def add_options(parser):
    parser.add_argument("--extent", type=int, default=512,
                        help="extent of the volume in each dimension")
    parser.add_argument("--chunk", type=int, default=64, help="extent of a chunk")
    parser.add_argument("--threads", type=int, default=2, help="threads of dask")


def rows(_):
    return WINDOWS


def work(_, options):
    """Runs one way in a process of its own; prints seconds, and MiB before and at the peak."""
    import dask
    import dask.array  # noqa: F401
    import zarr  # noqa: F401
    import_pool_mlir(options)
    name, source, target, text = options.worker
    with dask.config.set(scheduler="threads", num_workers=options.threads):
        before, begin = read_peak(), time.perf_counter()
        ran = WAYS[name](source, target, WINDOWS[text])
        print(json.dumps({"ran": ran is not False, "seconds": time.perf_counter() - begin,
                          "before": before, "peak": read_peak()}))


def write_volume(path, extent, chunk):
    import zarr
    volume = zarr.create_array(path, shape=(1, 1, extent, extent, extent), dtype=np.float32,
                               chunks=(1, 1, chunk, chunk, chunk))
    rng = np.random.default_rng(0)
    for begin in range(0, extent, chunk):
        end = min(begin + chunk, extent)
        volume[0, 0, begin:end] = rng.random((end - begin, extent, extent), dtype=np.float32)


def run(chosen, options, report):
    import zarr
    source = str(options.directory / "in.zarr")
    write_volume(source, options.extent, options.chunk)
    report.line(f"a volume of {options.extent ** 3 * 4 / 2**20:.0f} MiB, chunks of "
                f"{options.chunk}, {options.threads} threads\n")
    report.header("window", "way", "seconds", "MiB before", "at the peak", "wrong", left=(0, 1))
    for text in chosen:
        expected = None
        for name in reversed(WAYS):
            target = str(options.directory / f"{len(report.lines)}.zarr")
            process = subprocess.run(
                [sys.executable, *options.command, "--worker", name, source, target, text],
                capture_output=True, text=True, check=False)
            if process.returncode:
                raise Failure(f"{name} ({text}) failed: {process.stderr.strip()[-1500:]}")
            result = json.loads(process.stdout.splitlines()[-1])
            if not result.pop("ran"):
                continue
            actual = zarr.open_array(target, mode="r")[:]
            expected = actual if expected is None else expected
            result["wrong"] = (int((actual != expected).sum())
                               if actual.shape == expected.shape else actual.shape)
            report.row(text, name, f"{result['seconds']:.2f}", f"{result['before']:.0f}",
                       f"{result['peak']:.0f}", result["wrong"])
            report.figures[f"{name} ({text})"] = result


def plot(figures, pyplot):
    figure, both = pyplot.subplots(1, 2, figsize=(11, 1 + 0.4 * len(figures)),
                                   layout="constrained", sharey=True)
    for axes, key, label in zip(both, ("seconds", "peak"), ("seconds", "MiB at the peak")):
        colors = ["tab:red" if result["wrong"] else "tab:blue" for result in figures.values()]
        axes.barh(list(figures), [result[key] for result in figures.values()], color=colors)
        axes.set_xlabel(f"{label} (red: wrong at seams)")
        axes.invert_yaxis()
    return figure
