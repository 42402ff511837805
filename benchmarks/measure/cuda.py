"""NVIDIA's driver API by ctypes: modules, buffers, launches and times.

`Driver()` raises NoGPU, with the reason, where there is no driver or no GPU. The library
belongs to the driver and not to a toolkit, so nothing need be installed.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

import numpy as np

MAJOR, MINOR, L2_BYTES = 75, 76, 38
# Bytes that the copy moves whose bandwidth is the limit
COPIED_BYTES = 1 << 29


class NoGPU(Exception):
    """There is no GPU to run on; the message says why."""


class CudaError(Exception):
    """A call of the driver failed."""


class Driver:
    def __init__(self, library="libcuda.so.1"):
        try:
            self.library = ctypes.CDLL(library)
        except OSError as error:
            raise NoGPU(f"NVIDIA's driver is not installed: {error}") from error
        count = c_int()
        try:
            self("cuInit", c_uint(0))
            self("cuDeviceGetCount", byref(count))
        except CudaError as error:
            raise NoGPU(str(error)) from error
        if not count.value:
            raise NoGPU("NVIDIA's driver finds no GPU")
        device, context = c_int(), c_void_p()
        self("cuDeviceGet", byref(device), c_int(0))
        self.device = device
        self("cuDevicePrimaryCtxRetain", byref(context), device)
        self("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(100)
        self("cuDeviceGetName", name, c_int(100), device)
        version = c_int()
        self("cuDriverGetVersion", byref(version))
        self.name, self.version = name.value.decode(), version.value
        self.chip = f"sm_{self.attribute(MAJOR)}{self.attribute(MINOR)}"

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            text = c_char_p()
            self.library.cuGetErrorString(c_int(status), byref(text))
            raise CudaError(f"{name} failed with {status}: {(text.value or b'?').decode()}")

    def attribute(self, number):
        value = c_int()
        self("cuDeviceGetAttribute", byref(value), c_int(number), self.device)
        return value.value

    def load(self, code):
        """Returns a module of PTX or of a cubin."""
        module = c_void_p()
        self("cuModuleLoadData", byref(module), c_char_p(code))
        return module

    def function(self, module, name):
        function = c_void_p()
        self("cuModuleGetFunction", byref(function), module, name.encode())
        return function

    def allocate(self, size):
        pointer = c_uint64()
        self("cuMemAlloc_v2", byref(pointer), c_size_t(max(size, 1)))
        return pointer

    def free(self, pointer):
        self("cuMemFree_v2", pointer)

    def upload(self, pointer, array):
        array = np.ascontiguousarray(array)
        self("cuMemcpyHtoD_v2", pointer, c_void_p(array.ctypes.data), c_size_t(array.nbytes))

    def download(self, pointer, array):
        self("cuMemcpyDtoH_v2", c_void_p(array.ctypes.data), pointer, c_size_t(array.nbytes))

    def launch(self, function, grid, block, values):
        """`values` are 64-bit numbers: addresses and extents."""
        storage = (c_uint64 * len(values))(*values)
        pointers = (c_void_p * len(values))(
            *(ctypes.addressof(storage) + 8 * i for i in range(len(values))))
        self("cuLaunchKernel", function, *map(c_uint, grid), *map(c_uint, block), c_uint(0),
             c_void_p(), pointers, c_void_p())

    def synchronize(self):
        self("cuCtxSynchronize")

    def time(self, work, times):
        """Returns the microseconds of one call of `work(i)`, for i up to `times`."""
        events = [c_void_p(), c_void_p()]
        for event in events:
            self("cuEventCreate", byref(event), c_uint(0))
        self("cuEventRecord", events[0], c_void_p())
        for i in range(times):
            work(i)
        self("cuEventRecord", events[1], c_void_p())
        self("cuEventSynchronize", events[1])
        milliseconds = c_float()
        self("cuEventElapsedTime", byref(milliseconds), *events)
        for event in events:
            self("cuEventDestroy_v2", event)
        return milliseconds.value * 1000 / times

    def copy_bandwidth(self):
        """Returns the bytes that a copy reads and writes in a microsecond."""
        source, target = (self.allocate(COPIED_BYTES) for _ in range(2))

        def copy(_):
            self("cuMemcpyDtoDAsync_v2", target, source, c_size_t(COPIED_BYTES), c_void_p())
        self.time(copy, 3)
        best = min(self.time(copy, 5) for _ in range(5))
        for pointer in (source, target):
            self.free(pointer)
        return 2 * COPIED_BYTES / best
