"""oneDNN itself, called from C, in the workload's layout and with channels last.

The library is found beside this Python (packages such as onednn-devel-cpu-gomp) or in the
system (Debian's libdnnl-dev). For a channels-first workload, the contestant `onednn-nhwc`
gets transposed data, so it is shown but does not compete.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import sys
from pathlib import Path

import numpy as np
from measure import native
from measure.workloads import aligned
from pooltest import rules
from pooltest.peer_view import first_case, input_to_first, output_from_first, to_first

from .base import Contestant, Peer, Unsupported, same_divisors

HEADER = "include/oneapi/dnnl/dnnl.hpp"


class OneDNNContestant(Contestant):
    """A primitive bound to its buffers."""

    def __init__(self, peer, case, x, last):
        self.peer = peer
        self.case = case
        view = first_case(case)
        dims = rules.resolve(view)
        output = rules.output_shape(view)
        n = view.num_spatial
        kind, end = self.algorithm(view, dims)
        type_ = peer.library.onednn_type(case.element_type.removeprefix("s").encode())
        format_ = peer.library.onednn_format(n, int(last))
        if type_ < 0 or format_ < 0:
            raise Unsupported(f"has no {n}-dimensional pooling of {case.element_type}")
        first = input_to_first(case, x)
        order = [0, *range(2, n + 2), 1] if last else range(n + 2)
        self.order = list(order)
        self.same_layout = self.order == list(np.argsort(to_first(case)))
        self.source = aligned([first.shape[d] for d in self.order], case.dtype)
        self.source[...] = first.transpose(self.order)
        self.target = aligned([output[d] for d in self.order], case.dtype)
        lists = [*first.shape, *output]
        lists += [d.stride for d in dims] + [d.kernel for d in dims]
        lists += [d.dilation - 1 for d in dims] + [d.pad_begin for d in dims] + end
        numbers = (ctypes.c_int64 * len(lists))(*lists)
        handle = peer.library.onednn_create(n, type_, format_, kind, numbers,
                                            self.source.ctypes.data, self.target.ctypes.data)
        if not handle:
            raise Unsupported(peer.library.onednn_message().decode())
        self.handle = handle
        self.implementation = peer.library.onednn_implementation(handle).decode()
        self.call_data = native.Call(function=native.address_of(peer.library, "onednn_run"),
                                     num_arguments=1)
        self.call_data.arguments[0] = handle

    def algorithm(self, view, dims):
        """Returns (algorithm, end pads). For oneDNN, the overhang of ceil is end
        padding."""
        if view.op == "lp_pool" or view.index_type:
            raise Unsupported("has no norms, and no indices but offsets within its windows")
        if view.pad_value != "neg_inf" or view.divisor_override or view.input_zp \
                or view.output_zp or (view.op == "avg_pool" and not view.is_float):
            raise Unsupported("has no such pooling")
        end = [(d.output - 1) * d.stride + (d.kernel - 1) * d.dilation + 1 - d.input
               - d.pad_begin for d in dims]
        library = self.peer.library
        if view.op == "max_pool":
            return library.onednn_algorithm(0), end
        usable = same_divisors(view)
        if "valid" in usable:
            return library.onednn_algorithm(1), end
        if "kernel" in usable:
            return library.onednn_algorithm(2), end
        raise Unsupported(f"has no divisor '{view.divisor}'")

    def call(self):
        self.times(1, 1)

    def times(self, samples, inner):
        buffer = (ctypes.c_double * samples)()
        self.peer.context.harness.time(ctypes.addressof(self.call_data), samples, inner,
                                       ctypes.addressof(buffer))
        return list(buffer)

    def result(self):
        first = self.target.transpose(np.argsort(self.order))
        return output_from_first(self.case, first), None

    def close(self):
        self.peer.library.onednn_destroy(self.handle)


class OneDNN(Peer):
    names = ("onednn", "onednn-nhwc")
    obeys_isa = True

    def __init__(self, context):
        super().__init__(context)
        prefix = next((p for p in (Path(sys.prefix), Path("/usr"), Path("/usr/local"))
                       if (p / HEADER).exists()), None)
        if prefix is None:
            raise Unsupported(f"{HEADER} was not found beside Python or in the system")
        library = context.directory / "onednn.so"
        command = [context.toolchain.cc, "-O2", "-std=c++17", "-fPIC", "-shared",
                   native.SOURCES / "onednn.cpp", "-o", library]
        if prefix != Path("/usr"):
            command += [f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib"]
        native.run(command + ["-ldnnl", "-lstdc++"])
        self.library = ctypes.CDLL(str(library))
        self.library.onednn_create.restype = ctypes.c_void_p
        self.library.onednn_create.argtypes = [ctypes.c_int] * 4 + [ctypes.c_void_p] * 3
        self.library.onednn_destroy.argtypes = [ctypes.c_void_p]
        self.library.onednn_implementation.argtypes = [ctypes.c_void_p]
        for name in ("onednn_message", "onednn_implementation", "onednn_version"):
            getattr(self.library, name).restype = ctypes.c_char_p

    def version(self):
        return self.library.onednn_version().decode()

    def prepare(self, name, workload, x):
        last = name == "onednn-nhwc" or workload.case.layout == "channels_last"
        if name == "onednn-nhwc" and workload.case.layout == "channels_last":
            raise Unsupported("is `onednn` on a workload with channels last")
        return OneDNNContestant(self, workload.case, x, last)
