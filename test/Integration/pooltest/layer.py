"""pool-c/Layer.h for Python: the structures and the functions.

This file checks and converts nothing, so that tests can also pass invalid arguments.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import os
from ctypes import POINTER, Structure, byref, c_char_p, c_float, c_int32, c_size_t, c_void_p
from pathlib import Path

SUCCESS, INVALID_ARGUMENT, INVALID_PARAMETER, UNSUPPORTED, CHECK_FAILED = range(5)
OUT_OF_MEMORY, COMPILATION_FAILED = 5, 6

DATA_TYPES = {name: value for value, name in enumerate(
    ("f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"), 1)}
VECTOR, CHW, HWC = 1, 2, 3
FUNCTIONS = ("max", "average_include", "average_exclude", "unmax", "l2", "min")
MAX, AVERAGE_INCLUDE, AVERAGE_EXCLUDE, UNMAX, L2, MIN = range(6)
PADDING_ZERO, PADDING_LOWEST = 0, 1
ACTIVATION_NAMES = ("identity", "rectified_linear", "leaky", "sigmoid", "tanh", "scaled_tanh",
                    "abs", "linear", "clamp", "softplus", "softmax", "gelu", "silu",
                    "hard_sigmoid")


class Descriptor(Structure):
    _fields_ = [("layout", c_int32), ("size", c_size_t * 8), ("stride", c_size_t * 8),
                ("data", c_void_p), ("data_type", c_int32), ("data_scale", c_float),
                ("data_bias", c_float)]


class Activation(Structure):
    _fields_ = [("function", c_int32), ("alpha", c_float), ("beta", c_float)]


class Parameters(Structure):
    _fields_ = [("i_desc", Descriptor), ("o_desc", Descriptor), ("bias", Descriptor),
                ("activation", Activation), ("pooling_function", c_int32),
                ("k_width", c_size_t), ("k_height", c_size_t),
                ("x_stride", c_size_t), ("y_stride", c_size_t),
                ("x_dilation_stride", c_size_t), ("y_dilation_stride", c_size_t),
                ("x_padding", c_size_t), ("y_padding", c_size_t),
                ("pad", c_size_t * 4), ("max_padding", c_int32)]


class RuntimeParameters(Structure):
    _fields_ = [("n_threads", c_size_t)]


def load():
    """Loads the library of the build and sets the types of its functions."""
    path = Path(os.environ["POOL_BUILD_DIR"]) / "lib" / "libPoolC.so"
    library = ctypes.CDLL(str(path))
    library.poolLayerCreate.argtypes = [POINTER(Parameters), POINTER(RuntimeParameters),
                                        POINTER(c_void_p)]
    library.poolLayerApply.argtypes = [c_void_p] * 4
    library.poolLayerApplyBatch.argtypes = [
        c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_size_t]
    library.poolLayerDestroy.argtypes = [c_void_p]
    library.poolLayerDestroy.restype = None
    library.poolLayerGetLastError.argtypes = []
    library.poolLayerGetLastError.restype = c_char_p
    return library


def last_error(library):
    return library.poolLayerGetLastError().decode()


def create(library, parameters, n_threads=None):
    """Returns (status, layer or None). Without `n_threads`, the runtime parameters are
    null."""
    layer = c_void_p(1)
    runtime = None if n_threads is None else byref(RuntimeParameters(n_threads))
    status = library.poolLayerCreate(byref(parameters), runtime, byref(layer))
    return status, layer if layer.value else None


def pointer(array):
    """Returns the address of a NumPy array's memory, or None (a null pointer) for None."""
    return None if array is None else array.ctypes.data
