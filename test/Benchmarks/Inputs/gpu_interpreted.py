"""Runs benchmarks/run.py gpu without a GPU: the threads of each kernel run in pooltest/ptx.py.

Tests the way from a workload to launches, arguments and the comparison with NumPy, which
otherwise needs hardware, and executes the PTX. The driver's own calls are not tested.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import itertools
import sys
from unittest import mock

sys.path.insert(0, sys.argv.pop(1))
# pylint: disable=wrong-import-position
import run  # noqa: E402
from groups import gpu  # noqa: E402
from pooltest import ptx  # noqa: E402


class Interpreted:
    name, version, chip = "no GPU but an interpreter", 0, "sm_90"

    def __init__(self):
        self.buffers = []

    def attribute(self, _):
        return 0

    def load(self, code):
        return ptx.parse(code.decode("ascii").rstrip("\0"))

    def function(self, module, name):
        return module[name]

    def allocate(self, size):
        self.buffers.append(bytearray(size))
        return ctypes.c_uint64(len(self.buffers) << ptx.BUFFER_BITS)

    def free(self, pointer):
        pass

    def buffer(self, pointer):
        return self.buffers[(pointer.value >> ptx.BUFFER_BITS) - 1]

    def upload(self, pointer, array):
        self.buffer(pointer)[:] = array.tobytes()

    def download(self, pointer, array):
        ctypes.memmove(array.ctypes.data, bytes(self.buffer(pointer)), array.nbytes)

    def launch(self, kernel, grid, block, values):
        for group in itertools.product(*map(range, grid)):
            ptx.run_block(kernel, values, self.buffers, grid, group, block[0])

    def synchronize(self):
        pass

    def time(self, work, times):
        assert times > 0
        return 100_000.0

    def copy_bandwidth(self):
        return 1.0


with mock.patch.object(gpu.cuda, "Driver", Interpreted), \
        mock.patch.object(gpu.shutil, "which", lambda name: None):
    sys.exit(run.main())
