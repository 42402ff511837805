# REQUIRES: python-module
# RUN: %python %s
# UNEXPLORED: its data only has to differ from element to element.
"""Functions of pool_mlir on arrays of other libraries (by DLPack and buffers) must read them in
any memory order and return arrays of that library if it has from_dlpack. `out` must be written in
place. Wrong arguments must be errors that name the argument."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import array
import ctypes
import functools
import inspect
import multiprocessing
import pickle
import sys
import types
from concurrent.futures import ProcessPoolExecutor

import ml_dtypes
import numpy as np

import pool_mlir
from pool_mlir import avg_pool, max_pool, max_pool_grad, max_unpool
from pooltest import views
from pooltest.errors import raises
from pooltest.report import Report, main

FUNCTIONS = ("max_pool", "min_pool", "avg_pool", "lp_pool", "adaptive_max_pool",
             "adaptive_avg_pool", "max_unpool", "max_pool_grad", "min_pool_grad",
             "avg_pool_grad")


class Elsewhere(views.Foreign):
    """An array that claims to be in the memory of a graphics card."""

    def __dlpack__(self, **options):
        raise BufferError("not for you")

    def __dlpack_device__(self):
        return (2, 0)


class Nowhere:
    """An object with DLPack's methods, which return neither a tensor nor a device."""

    def __dlpack__(self, **options):
        return None

    def __dlpack_device__(self):
        return "cpu"


class Null:
    """A DLPack tensor with elements but a null address."""

    class Tensor(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2),
                    ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                    ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                    ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64),
                    ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]

    def __dlpack__(self, **options):
        self.shape = (ctypes.c_int64 * 3)(1, 1, 8)
        self.tensor = self.Tensor(device=(1, 0), rank=3, code=2, bits=32, lanes=1,
                                  shape=ctypes.addressof(self.shape))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


class Interrupted:
    """A number whose conversion raises KeyboardInterrupt."""

    def __index__(self):
        raise KeyboardInterrupt


class Own(views.Foreign):
    """An array of this module, which plays a library that has from_dlpack."""


def from_dlpack(other):
    """Copies the tensor, as JAX does with 64-bit integers. A result that is written to the
    original after this call would be lost."""
    return Own(np.array(np.from_dlpack(other)))


def check_alignment(report):
    """Large results begin at cache lines, also if the argument has its channels last."""
    for dtype in (np.float32, np.uint8, ml_dtypes.bfloat16):
        x = np.zeros((1, 4, 512, 512), dtype)
        for given in (x, np.moveaxis(np.zeros((1, 512, 512, 4), dtype), -1, 1)):
            alone = max_pool(given, 2, 2)
            report.expect(np.argsort(alone.strides).tolist()
                          == np.argsort(given.strides).tolist(), f"{alone.strides}")
            for array in (alone, *max_pool(given, 2, 2, return_indices=True)):
                begin = array.ctypes.data % 64
                report.expect(begin == 0 and array.shape == (1, 4, 256, 256)
                              and array.flags.writeable,
                              f"{dtype.__name__}: {array.dtype} of {array.shape} at {begin}")


class Convertible:
    def __array__(self, dtype=None, copy=None):
        return np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)


def check_libraries(report, x):
    expected = x.reshape(2, 3, 4, 2, 4, 2).max((3, 5))
    foreign = max_pool(views.Foreign(x), 2, 2)
    report.expect(type(foreign) is np.ndarray and np.array_equal(foreign, expected), "DLPack")
    frozen = x.copy()
    frozen.flags.writeable = False
    report.expect(np.array_equal(max_pool(views.Foreign(frozen), 2, 2), expected), "read-only")
    strided = np.moveaxis(x.transpose(0, 2, 3, 1).copy(), -1, 1)
    report.expect(np.array_equal(max_pool(views.Foreign(strided), 2, 2), expected), "strided")

    own, indices = max_pool(Own(x), 2, 2, return_indices=True, axis=2)
    report.expect(type(own) is Own and type(indices) is Own, "the library of the argument")
    report.expect(np.array_equal(own.array, expected), "values in it", actual=own.array)
    report.expect(np.array_equal(
        np.take_along_axis(x.reshape(2, 3, 64), indices.array.reshape(2, 3, 16), 2),
        expected.reshape(2, 3, 16)), "indices in it")
    unpooled = max_unpool(own, indices, x.shape, axis=2)
    report.expect(type(unpooled) is Own and unpooled.array.sum(dtype=np.float64) ==
                  expected.sum(dtype=np.float64), "two arguments")
    dynamic = pool_mlir.compile("""
        func.func @f(%x: tensor<?x3x8x8xf32>) -> tensor<?x3x4x4xf32> {
          %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
             : tensor<?x3x8x8xf32> -> tensor<?x3x4x4xf32>
          return %y : tensor<?x3x4x4xf32>
        }""")(Own(x))
    report.expect(type(dynamic) is Own and np.array_equal(dynamic.array, expected), "compile")

    flat = array.array("d", range(24))
    view = memoryview(flat).cast("B").cast("d", (1, 2, 12))
    y = max_pool(view, 3, 3)
    report.expect(type(y) is np.ndarray and y.tolist() == [[[2, 5, 8, 11], [14, 17, 20, 23]]],
                  "a buffer of Python")
    report.expect(max_pool(Convertible(), 4).tolist() == [[[[15]]]], "__array__")
    report.expect(avg_pool(x.astype(ml_dtypes.bfloat16), 8).dtype == ml_dtypes.bfloat16, "bf16")
    report.expect(max_pool(x[:0], 2).shape == (0, 3, 7, 7), "an empty batch")


def check_order(report, x):
    """An argument in channels-last memory gives a result in channels-last memory. `out` may
    have this order or be row-major."""
    image = np.moveaxis(x.transpose(0, 2, 3, 1).copy(), -1, 1)
    y = max_pool(image, 2, 2)
    report.expect(y.strides == np.moveaxis(np.empty((2, 4, 4, 3), np.float32), -1, 1).strides,
                  "strides of the result", actual=y.strides)
    out = np.moveaxis(np.empty((2, 4, 4, 3), np.float32), -1, 1)
    report.expect(max_pool(image, 2, 2, out=out) is out and np.array_equal(out, y), "out like x")
    out = np.empty((2, 3, 4, 4), np.float32)
    report.expect(max_pool(image, 2, 2, out=out) is out and np.array_equal(out, y), "out row-major")


def check_out(report, x):
    out = np.empty((2, 3, 4, 4), np.float32)
    report.expect(max_pool(x, 2, 2, out=out) is out, "out is given back")
    foreign = Own(np.empty_like(out))
    report.expect(max_pool(x, 2, 2, out=foreign) is foreign and
                  np.array_equal(foreign.array, out), "out of another library")
    room = np.zeros(2 * out.size, np.float32)
    raises(report, ValueError, "out must be float32 (2, 3, 4, 4), but is float32 (2, 3, 4, 5)",
           lambda: max_pool(x, 2, 2, out=np.empty((2, 3, 4, 5), np.float32)))
    raises(report, ValueError, "but is float64 (2, 3, 4, 4)",
           lambda: max_pool(x, 2, 2, out=np.empty((2, 3, 4, 4))))
    raises(report, ValueError, "out must be row-major without gaps",
           lambda: max_pool(x, 2, 2, out=room[::2].reshape(2, 3, 4, 4, copy=False)))
    raises(report, ValueError, "out must be row-major without gaps",
           lambda: max_pool(x, 2, 2, out=np.asfortranarray(out)))
    raises(report, ValueError, "out overlaps an argument",
           lambda: max_pool(x, 1, out=x))
    frozen = out.copy()
    frozen.flags.writeable = False
    raises(report, ValueError, "out is read-only", lambda: max_pool(x, 2, 2, out=frozen))
    raises(report, ValueError, "out is read-only",
           lambda: max_pool(x.astype(ml_dtypes.bfloat16), 2, 2, out=frozen.astype(
               ml_dtypes.bfloat16).view(views_of_nothing)))
    raises(report, TypeError, "out must be a tuple of 2 arrays",
           lambda: max_pool(x, 2, 2, return_indices=True, out=out))
    raises(report, ValueError, "out[1] must be int64",
           lambda: max_pool(x, 2, 2, return_indices=True, out=(out, out)))
    both = room.view(np.int64)[:out.size // 2]
    raises(report, ValueError, "out[1] overlaps another result",
           lambda: max_pool(x[:1], 2, 2, return_indices=True,
                            out=(room[:48].reshape(1, 3, 4, 4), both.reshape(1, 3, 4, 4))))


class views_of_nothing(np.ndarray):
    """A class of NumPy arrays that are always read-only."""

    def __array_finalize__(self, parent):
        self.flags.writeable = False


def check_errors(report, x):
    raises(report, ValueError, "'pool.max_pool' op (Window.C8) dimension 2: the window covers 9",
           lambda: max_pool(x, 9))
    raises(report, ValueError,
           "'pool.max_pool' op (Window.C1) the input has rank 4, must have rank 3",
           lambda: max_pool(x, [2]))
    raises(report, ValueError, "'pool.max_pool' op (Window.C5)", lambda: max_pool(x, 2, 0))
    raises(report, ValueError, "'pool.max_pool' op (Extremum.C3)",
           lambda: max_pool(x, 2, pad_value="zero", return_indices=True))
    raises(report, ValueError, "'pool.avg_pool' op (Average.C3)",
           lambda: avg_pool(x, 1, 3, 0, 2, rounding_type="ceil"))
    raises(report, ValueError, "(Window.C7)", lambda: max_pool(x[:, :0], 2))
    raises(report, ValueError, "'pool.max_pool_grad' op (Grad.C1)",
           lambda: max_pool_grad(x, x, 2))
    raises(report, ValueError, "an index is negative or not below the number of positions",
           lambda: max_unpool(x, np.full(x.shape, 384), x.shape))
    raises(report, ValueError, "rounding_type is 'up', but must be one of floor, ceil, ceil_torch",
           lambda: max_pool(x, 2, rounding_type="up"))
    raises(report, ValueError, "index_element_type is 'i16', but must be i32 or i64",
           lambda: max_pool(x, 2, index_element_type="i16"))
    raises(report, ValueError, "leaves a 64-bit signed integer", lambda: max_pool(x, 2**63))
    raises(report, ValueError, "negative extent",
           lambda: max_unpool(x, np.zeros(x.shape, int), (-1, 3, 8, 8)))
    raises(report, TypeError, "kernel must be a list of integers or an integer, not float",
           lambda: max_pool(x, 2.0))
    raises(report, TypeError, "kernel must be integers, not str", lambda: max_pool(x, ["2", "2"]))
    raises(report, TypeError, "x must be an array", lambda: max_pool([1.0, 2.0], 2))
    raises(report, TypeError, "x has elements of type complex64",
           lambda: max_pool(x.astype(np.complex64), 2))
    raises(report, TypeError, "x has elements of type float8_e5m2",
           lambda: max_pool(x.astype(ml_dtypes.float8_e5m2), 2))
    raises(report, TypeError, "x has elements of type <U1", lambda: max_pool(x.astype("U1"), 2))
    raises(report, ValueError, "x is on the device (2, 0) of DLPack",
           lambda: max_pool(Elsewhere(x), 2))
    raises(report, TypeError, "max_pool() has no argument 'stride'; did you mean 'strides'?",
           lambda: max_pool(x, 3, stride=2))
    raises(report, TypeError, "max_pool() has no argument 'strides\\x00s'; did you mean",
           lambda: max_pool(x, 3, **{"strides\0s": 2}))
    raises(report, TypeError, "max_pool(): kernel must be a list of integers or an integer, not",
           lambda: max_pool(x, None))
    raises(report, ValueError, "(Window.C1) the input has rank 2, must have rank 3",
           lambda: max_pool(x[0, 0], 2))
    raises(report, TypeError, "max_pool() has no argument 'foo'; it has x, kernel, strides,",
           lambda: max_pool(x, 3, foo=2))
    raises(report, TypeError, "max_pool() needs the argument 'kernel'", lambda: max_pool(x))
    raises(report, TypeError, "max_pool(): x is given twice", lambda: max_pool(x, 2, x=x))
    raises(report, TypeError, "max_pool() takes 16 positional arguments at most, but 30 are given",
           lambda: max_pool(*range(30)))
    raises(report, TypeError, "max_pool(): rounding_type must be a string, not int",
           lambda: max_pool(x, 2, rounding_type=1))
    raises(report, TypeError, "max_pool(): rounding_type is 'floor\\x00garbage', which has a null",
           lambda: max_pool(x, 2, rounding_type="floor\0garbage"))
    raises(report, TypeError, "lp_pool(): p must be an integer, not float",
           lambda: pool_mlir.lp_pool(x, 2, p=2.0))
    raises(report, TypeError, "avg_pool(): divisor_override is 1180591620717411303424, which",
           lambda: avg_pool(x, 2, divisor_override=2**70))
    raises(report, TypeError, "max_pool(): return_indices must be True or False, not int",
           lambda: max_pool(x, 2, return_indices=1))
    raises(report, TypeError, "max_pool(): x must be an array, not None",
           lambda: max_pool(None, 2))
    raises(report, TypeError, "compile(): cpu must be a string, not int",
           lambda: pool_mlir.compile("", cpu=3))
    raises(report, TypeError, "x has elements of type bool", lambda: max_pool(x > 0, 2))
    raises(report, TypeError, "kernel must be integers, not bool", lambda: max_pool(x, True))
    raises(report, KeyboardInterrupt, "", lambda: max_pool(x, Interrupted()))
    raises(report, KeyboardInterrupt, "", lambda: max_pool(x, 2, axis=Interrupted()))
    raises(report, TypeError, "x: __dlpack_device__() gives 'cpu', not a pair of integers",
           lambda: max_pool(Nowhere(), 2))
    raises(report, ValueError, "x has elements, but its address by DLPack is null",
           lambda: max_pool(Null(), 2))
    raises(report, ValueError, "2 x 3 x 2000000007 x 2000000007 elements",
           lambda: max_pool(x, 2, pads_begin=10**9, pads_end=10**9))
    raises(report, ValueError, "the output has more bytes than a 64-bit integer counts",
           lambda: pool_mlir.adaptive_avg_pool(x, 2**33))
    raises(report, ValueError, "the result has more bytes than a 64-bit integer counts",
           lambda: max_unpool(x, np.zeros(x.shape, np.int64), (2, 3, 2**30, 2**30)))
    for unordered in ({3, 2}, frozenset([2]), {2: 3}, {2: 3}.keys(), types.MappingProxyType({})):
        kind = type(unordered).__name__
        raises(report, TypeError, f"kernel must be a list of integers or an integer, not {kind}",
               lambda unordered=unordered: max_pool(x, unordered))
    raises(report, TypeError, "pads_end must be a list of integers or an integer, not set",
           lambda: max_pool(x, 2, pads_end={0, 1}))
    raises(report, TypeError, "output_shape must be a list of integers, not set",
           lambda: max_unpool(x, np.zeros(x.shape, np.int64), {2, 3, 8, 9}))
    raises(report, TypeError, "kernel must be a list of integers or an integer, not set",
           lambda: pool_mlir.partition("max_pool", x.shape, {2, 3}, output_cuts=[None] * 4))
    report.expect(np.array_equal(max_pool(x, (n for n in (3, 2))), max_pool(x, [3, 2])),
                  "a generator has an order")
    raises(report, TypeError, "x is a masked array", lambda: max_pool(np.ma.array(x), 2))
    changing = []

    class Changing:
        def __index__(self):
            changing.clear()
            return 2

    changing += [Changing(), Changing(), Changing()]
    raises(report, ValueError, "(Window.C1)", lambda: max_pool(x, changing))
    wrong = Own(x)
    wrong.requires_grad = True
    raises(report, ValueError, "x requires a gradient", lambda: max_pool(wrong, 2))


def check_help(report):
    for name in FUNCTIONS + ("compile", "set_num_threads", "import_onnx", "import_openvino",
                             "import_tflite"):
        text = inspect.getdoc(getattr(pool_mlir, name)) or ""
        report.expect(len(text) > 100, f"help of {name}", text)
        report.expect(name in pool_mlir.__all__, f"{name} in __all__")


def check_names(report):
    """Names of other libraries have advice, and no other name has."""
    for name, advice in (
            ("max_pool2d", "pool_mlir.max_pool pools any number of dimensions; "
             "pool_mlir.torch.max_pool2d has torch's arguments"),
            ("MaxPool2d", "pool_mlir.torch.MaxPool2d has torch's arguments"),
            ("AveragePooling2D", "pool_mlir.avg_pool pools any number of dimensions"),
            ("LPPool1d", "pool_mlir.lp_pool pools"),
            ("max_unpool3d", "pool_mlir.max_unpool unpools any number of dimensions; "),
            ("GlobalAveragePooling2D", "pool_mlir.adaptive_avg_pool pools any number of "
             "dimensions; output_size 1 is global pooling")):
        raises(report, AttributeError, f"module 'pool_mlir' has no attribute '{name}': ",
               lambda name=name: getattr(pool_mlir, name))
        raises(report, AttributeError, advice, lambda name=name: getattr(pool_mlir, name))
    for name in ("carpool", "max_pol"):
        try:
            getattr(pool_mlir, name)
        except AttributeError as error:
            report.expect(str(error) == f"module 'pool_mlir' has no attribute '{name}'", name,
                          actual=str(error))


def check_pickles(report, x):
    """Functions are pickled by their names."""
    for name in sorted({*pool_mlir.__all__} - {"__version__"}):
        value = getattr(pool_mlir, name)
        report.expect(pickle.loads(pickle.dumps(value)) is value, f"pickle of {name}")
        report.count("pickles")
    part = pickle.loads(pickle.dumps(functools.partial(max_pool, kernel=2)))
    report.expect(np.array_equal(part(x), max_pool(x, 2)), "a partial function")
    # The tests' environment is not ready for `spawn`: its children would read this script again.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        there = pool.submit(max_pool, x, 2).result()
    report.expect(np.array_equal(there, max_pool(x, 2)), "another process")


def run():
    report = Report("arrays")
    x = np.random.default_rng(5).standard_normal((2, 3, 8, 8)).astype(np.float32)
    counts = sys.getrefcount(x)
    check_libraries(report, x)
    check_order(report, x)
    check_alignment(report)
    check_out(report, x)
    check_errors(report, x)
    check_help(report)
    check_names(report)
    check_pickles(report, x)
    report.expect(sys.getrefcount(x) == counts, "references", actual=sys.getrefcount(x) - counts)
    return report.finish()


main(run)
