"""Intel's IPP: FilterMaxBorder and FilterBoxBorder, called for each plane, or for an image with
3 or 4 channels last.

Loads the library for a processor's instructions. The library that would choose it looks for
file names that the package of PyPI lacks.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
from measure.workloads import aligned

from .base import Function, Peer, Unsupported
from .images import correction, images, windows

# Element type -> IPP's word and number for it
TYPES = {"ui8": ("8u", 1), "ui16": ("16u", 5), "i16": ("16s", 7), "f32": ("32f", 13)}
# Word of /proc/cpuinfo -> library
LIBRARIES = {"avx512bw": "ippik0", "avx2": "ippil9", "sse4_2": "ippiy8"}
# IppiBorderType
REPEATED, CONSTANT = 1, 6


class Size(ctypes.Structure):
    """`IppiSize`."""

    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class Ipp(Peer):
    names = ("ipp",)
    obeys_isa = True

    def __init__(self, context):
        super().__init__(context)
        if context.threads > 1:
            raise Unsupported("runs on one thread")
        words = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
        name = next((library for word, library in LIBRARIES.items()
                     if word in words and not (context.isa and word == "avx512bw")), "ippi")
        # The second library needs the first, whose folder it does not know.
        for part in ("ippcore", name):
            paths = list((Path(sys.prefix) / "lib").glob(f"lib{part}.so.*"))
            if not paths:
                raise Unsupported(f"lib{part}.so was not found beside Python")
            self.library = ctypes.CDLL(str(paths[0]), ctypes.RTLD_GLOBAL)

    def version(self):
        return metadata.version("ipp")

    def prepare(self, name, workload, x):
        case = workload.case
        dims = windows(case)
        if any(2 * d.pad_begin + 1 != d.kernel for d in dims):
            raise Unsupported("written here for windows around their position")
        channels = case.shape[-1] if case.layout == "channels_last" else 1
        if case.element_type not in TYPES or channels not in (1, 3, 4):
            raise Unsupported(f"has no {channels} channels of {case.element_type}")
        word, number = TYPES[case.element_type]
        kind = f"{word}_C{channels}"
        filters = "FilterMaxBorder" if case.op == "max_pool" else "FilterBoxBorder"
        size = Size(dims[1].input, dims[0].input)
        mask = Size(dims[1].kernel, dims[0].kernel)
        needed = ctypes.c_int()
        self.run(f"{filters}GetBufferSize", size, mask, number, channels, ctypes.byref(needed))
        buffer = aligned((needed.value,), np.uint8)
        border, value = CONSTANT, (ctypes.c_uint8 * 16)()
        if case.op == "max_pool":
            # A repeated edge is never above the window's elements. The value does not matter.
            border = REPEATED
            if channels == 1:
                value = np.ctypeslib.as_ctypes_type(case.dtype)()
        factors = correction(case)
        result = aligned(workload.output, case.dtype)
        step = ctypes.c_int(result.strides[case.spatial_dims[0]])
        calls = []
        for source, target in zip(images(case, x), images(case, result)):
            calls.append((f"{filters}_{kind}R", pointer(source), step, pointer(target), step,
                          size, mask, border, value, pointer(buffer)))
            if factors is not None:
                calls.append((f"Mul_{kind}IR", pointer(factors), step, pointer(target), step,
                              size))
        for call in calls:
            self.run(*call)
        calls = [(getattr(self.library, f"ippi{call[0]}"), call[1:]) for call in calls]

        def function():
            for call, arguments in calls:
                call(*arguments)

        # The calls hold only addresses.
        function.arrays = (x, buffer, factors)
        return Function(function, lambda _: (result, None))

    def run(self, name, *arguments):
        """Calls a function; raises Unsupported if it fails."""
        status = getattr(self.library, f"ippi{name}")(*arguments)
        if status:
            raise Unsupported(f"ippi{name} returns {status}")


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)
