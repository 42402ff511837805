"""Runs examples/out-of-core on volumes in one part, in several parts, and in more parts than
there are planes, and compares with the definition. Then runs it on a file that is larger than
the memory that the program may use."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys

import numpy as np


def run(program, directory, shape, parts):
    extents = "x".join(map(str, shape))
    return subprocess.run([program, f"{directory}/volume", f"{directory}/pooled", extents,
                           str(parts)], check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    program, directory = sys.argv[1:]
    rng = np.random.default_rng(0)
    for shape, parts in (((9, 8, 7), 1), ((37, 20, 31), 5), ((40, 33, 30), 20), ((5, 4, 3), 9)):
        x = rng.standard_normal(shape).astype(np.float32)
        x.tofile(f"{directory}/volume")
        run(program, directory, shape, parts)
        padded = np.pad(x, 1, constant_values=-np.inf)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3, 3))
        expected = windows[::2, ::2, ::2].max((3, 4, 5))
        actual = np.fromfile(f"{directory}/pooled", np.float32)
        assert np.array_equal(actual, expected.reshape(-1)), (shape, parts)
    # Make a sparse file of 1 GiB. The program must need less than half as much memory.
    with open(f"{directory}/volume", "wb") as file:
        file.truncate(1 << 30)
    printed = run(program, directory, (1024, 512, 512), 64)
    memory = int(re.search(r"(\d+) MiB", printed)[1])
    assert memory < 512, printed
    # Shrink the files, since the next run needs other contents, and to free the disk.
    for name in ("volume", "pooled"):
        with open(f"{directory}/{name}", "wb") as file:
            file.truncate(12)


if __name__ == "__main__":
    main()
