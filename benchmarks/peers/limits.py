"""The bandwidth of this machine: moves as many bytes as a workload reads and writes.

`copy` is memcpy, and `copy-nt` a copy with non-temporal stores. Both copy half as many bytes
to another buffer, since a copy reads and writes each byte. `read` adds up all bytes.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes

import numpy as np
from measure import native
from measure.workloads import aligned

from .base import Contestant, Peer

FUNCTIONS = {"copy": "bench_copy", "copy-nt": "bench_copy_streaming", "read": "bench_read"}


class Limit(Contestant):
    """A move of the workload's bytes."""

    is_limit = True

    def __init__(self, harness, function, size, threads):
        self.harness = harness
        size = size if function == "bench_read" else size // 2
        # Round down to whole vectors of 64 bytes, but move at least one.
        size = max(size // 64 * 64, 64)
        self.buffers = [aligned((size,), np.uint8) for _ in range(2)]
        for buffer in self.buffers:
            buffer[...] = 1
        self.move = native.Move(self.buffers[0].ctypes.data, self.buffers[1].ctypes.data,
                                size, threads)
        self.call_data = native.make_call(harness.address(function), [self.move])

    def call(self):
        self.times(1, 1)

    def times(self, samples, inner):
        buffer = (ctypes.c_double * samples)()
        self.harness.time(ctypes.addressof(self.call_data), samples, inner,
                          ctypes.addressof(buffer))
        return list(buffer)


class Limits(Peer):
    """Bandwidth limits of kernels, which must read their input and write their output."""

    names = tuple(FUNCTIONS)
    obeys_isa = True
    always = True

    def version(self):
        return "this machine"

    def prepare(self, name, workload, x):
        return Limit(self.context.harness, FUNCTIONS[name],
                     workload.bytes_in + workload.bytes_out, self.context.threads)
