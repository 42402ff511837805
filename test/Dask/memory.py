# RUN: %doors_python %s
"""pool_mlir.dask must pool a volume larger than the allowed memory, from zarr to zarr. While it
pools, the process may grow by at most an eighth of the volume. In the full tier the volume is
larger, and even the peak memory of the whole process may be at most an eighth of it."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import zarr

from pooltest import tier
from pooltest.report import Report, main

CHUNK = 64
FACTOR = 8


def write_volume(path, planes):
    """Writes a volume of `planes` planes of 512 x 512 floats that compresses well."""
    volume = zarr.create_array(path, shape=(1, 1, planes, 512, 512), dtype=np.float32,
                               chunks=(1, 1, CHUNK, CHUNK, CHUNK))
    line = np.arange(512, dtype=np.float32)
    for begin in range(0, planes, CHUNK):
        plane = np.arange(begin, begin + CHUNK, dtype=np.float32)
        volume[0, 0, begin:begin + CHUNK] = np.add.outer(plane, np.add.outer(line, line))


def read_peak():
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) << 10
    return 0


def pool(source, target):
    """Pools in this process, and prints its peak memory before and after."""
    import dask

    import pool_mlir.dask as ours
    with dask.config.set(scheduler="threads", num_workers=2):
        window = {"kernel": 3, "strides": 2, "pads_begin": 1, "pads_end": 1}
        x = ours.open_zarr(source)
        y = ours.max_pool(x, **window)
        # Pool a small volume first, so that imports and compiling are in `before`.
        small = x[:, :, :3 * CHUNK, :3 * CHUNK, :3 * CHUNK]
        ours.to_zarr(ours.max_pool(small, **window), target + ".small")
        before = read_peak()
        ours.to_zarr(y, target)
        print(before, read_peak())


def run():
    report = Report("memory")
    with tempfile.TemporaryDirectory() as directory:
        planes = tier.size(4096, 512, 256)
        source, target = Path(directory) / "in.zarr", Path(directory) / "out.zarr"
        write_volume(source, planes)
        size = planes * 512 * 512 * 4
        process = subprocess.run([sys.executable, __file__, str(source), str(target)],
                                 capture_output=True, text=True, check=False)
        if report.expect(process.returncode == 0, "pooling", process.stderr[-2000:]):
            before, after = map(int, process.stdout.split())
            report.expect(FACTOR * (after - before) <= size, "growth",
                          f"{size} bytes of volume, {before} before, {after} after")
            if tier.IS_FULL:
                report.expect(FACTOR * after <= size, "peak", f"{after} of {size} bytes")
            result = zarr.open_array(target, mode="r")
            at = np.arange(0, planes // 2)
            # Elements grow along each dimension, so a window's last one is its largest.
            last = 2 * at + 1
            report.expect((result[0, 0, :, 0, 0] == last + 2).all(), "values across chunks")
            report.measure("MiB of volume", size / 2**20)
            report.measure("MiB at the peak", after / 2**20)
            report.measure("MiB of them while the volume was pooled", (after - before) / 2**20)
    return report.finish()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        pool(*sys.argv[1:])
    else:
        main(run)
