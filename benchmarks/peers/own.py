"""This project: compiles a workload's module to a shared library and calls it.

The contestant `pool` is the path under test; `linalg` is upstream's lowering of
`linalg.pooling_*` with the same interface.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes

import numpy as np
from measure import native
from measure.workloads import aligned
from pooltest.case import NUMPY_TYPES

from .base import Contestant, Peer, Unsupported

# Byte that fills the outputs before the call whose result is checked
POISON = 0x7b


class OwnContestant(Contestant):
    """A compiled entry point bound to its buffers."""

    is_own = True

    def __init__(self, harness, library, workload, x):
        self.harness = harness
        try:
            self.library = ctypes.CDLL(str(library))
        except OSError as error:
            raise native.Failure(error) from error
        self.x = x
        types = [workload.case.dtype]
        if workload.case.index_type:
            types.append(NUMPY_TYPES[workload.case.index_type])
        shape = workload.output
        self.types, self.shape = types, shape
        inputs = [native.descriptor(x)]
        dynamic = any(d in workload.case.dynamic for d in range(len(shape)))
        if dynamic:
            self.outputs = None
            returned = native.descriptor_type(len(shape)) * len(types)
            self.returned = returned()
            arguments = [self.returned, *inputs]
        else:
            self.outputs = [aligned(shape, t) for t in types]
            arguments = inputs + [native.descriptor(y) for y in self.outputs]
        self.keep = arguments
        size = ctypes.sizeof(native.descriptor_type(len(shape)))
        self.call_data = native.make_call(
            native.address_of(self.library, "_mlir_ciface_main"), arguments,
            len(types) if dynamic else 0, size)

    def call(self):
        buffer = ctypes.c_double()
        self.harness.time(ctypes.addressof(self.call_data), 1, 1, ctypes.addressof(buffer))

    def times(self, samples, inner):
        buffer = (ctypes.c_double * samples)()
        self.harness.time(ctypes.addressof(self.call_data), samples, inner,
                          ctypes.addressof(buffer))
        return list(buffer)

    def result(self):
        """Makes one more call, on buffers with other contents before it."""
        if self.outputs is not None:
            for y in self.outputs:
                y.view(np.uint8)[...] = POISON
        self.harness.library.bench_call(ctypes.byref(self.call_data))
        arrays = self.outputs
        if arrays is None:
            arrays = [self.returned_array(i) for i in range(len(self.types))]
            self.harness.library.bench_release(ctypes.byref(self.call_data))
        arrays = [a.copy() for a in arrays]
        return arrays[0], arrays[1] if len(arrays) > 1 else None

    def returned_array(self, i):
        what = self.returned[i]
        if tuple(what.sizes) != tuple(self.shape):
            raise native.Failure(f"result {i} has the extents {list(what.sizes)}")
        size = int(np.prod(self.shape)) * self.types[i].itemsize
        start = what.aligned + what.offset * self.types[i].itemsize
        data = (ctypes.c_uint8 * size).from_address(start)
        return np.frombuffer(data, self.types[i]).reshape(self.shape).copy()


class Own(Peer):
    """One build of this project with several pipeline options, by name."""

    obeys_isa = True

    def __init__(self, context):
        super().__init__(context)
        self.variants = context.variants
        self.names = tuple(self.variants)
        self.number = 0

    def version(self):
        return "this build"

    def prepare(self, name, workload, x):
        toolchain, options = self.variants[name]
        path = next((word.split("=")[1] for word in options.split()
                     if word.startswith("path=")), None)
        if path and not toolchain.has_path(path):
            raise Unsupported(f"{toolchain.build} has no path={path}")
        threads = self.context.threads
        if toolchain.has_option("threads") and "threads=" not in options:
            options += " threads=omp" if threads > 1 else " threads=none"
        elif threads > 1 and "threads=" not in options:
            raise Unsupported("runs on one thread")
        text = workload.case.function(
            "main", workload.case.dynamic_output_shape(workload.output), pretty=True)
        self.number += 1
        cpu = "native"
        if self.context.isa:
            cpu = self.context.isa.cpu
            options += f" mcpu={cpu}"
        library = self.context.directory / f"{workload.name}.{name}.{self.number}.so"
        llvm_ir = toolchain.lower(text, options.strip())
        toolchain.compile(llvm_ir, library, cpu, openmp="__kmpc_" in llvm_ir)
        return OwnContestant(self.context.harness, library, workload, x)
