# RUN: env POOL_BUILD_DIR=%build_dir PYTHONPATH=%src_root/test/Integration %python %s
# Unsupported with sanitizers, whose library would have to be preloaded into Python.
# UNSUPPORTED: sanitizer
"""Layers of the C interface pool-c/Layer.h must compute what the definition says.

A case draws the function, the element types of input and output, the layout, strides, padding
(equal or different on the four sides) and rounding of extents. It also draws scales, biases,
activations, gaps between the images of a batch, indices and threads. The bytes between the
elements of an output must keep their values. Each array begins or ends at a guard page, so an
access outside it ends the test.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import mmap
import sys
import threading

import numpy as np

from activation import ACTIVATIONS
from pooltest import layer as api
from pooltest import oracle, tier
from pooltest.case import NUMPY_TYPES, Case
from pooltest.compare import float_bound, same_values, within
from pooltest.generators import integer, integers, pick
from pooltest.oracle import Averages
from pooltest.report import Report, main
from pooltest.rules import Refused, resolve
from pooltest.scatter import unpool

CASES = int(sys.argv[1]) if len(sys.argv) > 1 else tier.size(300, 150, 30)
SEED = tier.seed(41)
FLOATS = ("f16", "bf16", "f32", "f64")
WIDE = ("f64", "i32", "i64", "ui32", "ui64")
OPS = {"max": "max_pool", "min": "min_pool", "average_include": "avg_pool",
       "average_exclude": "avg_pool", "l2": "lp_pool"}
# Unit roundoff of the type in which a result is stored.
ROUNDOFF = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24, "f64": 2.0**-53}


def view(rng, extents, overlapping=False):
    """Returns random strides for `extents`, whose slowest dimension is first. Rows and planes
    have a pitch, or all dimensions have gaps and sometimes another order in memory. With
    `overlapping`, elements may share memory."""
    if rng.random() < 0.3:
        row = extents[2] + integer(rng, 0, 5)
        return (row * (extents[1] + integer(rng, 0, 3)), row, 1)
    strides, reach = [0] * 3, 0
    for d in rng.permutation(3) if rng.random() < 0.3 else (2, 1, 0):
        strides[d] = integer(rng, 1, 2 if reach == 0 else reach) if overlapping \
            else reach + integer(rng, 1, 3)
        reach += (extents[d] - 1) * strides[d]
    return tuple(strides)


def span(extents, strides):
    return 1 + sum((e - 1) * s for e, s in zip(extents, strides))


def packed(extents):
    return (extents[1] * extents[2], extents[2], 1)


def images(memory, offsets, extents, strides):
    """Returns views of the images inside a flat array."""
    size = memory.itemsize
    return [np.lib.stride_tricks.as_strided(memory[o:], (1, *extents),
                                            (0, *(s * size for s in strides)))
            for o in offsets]


class Guarded:
    """Arrays that begin or end at an unreadable page, so that an access outside ends the
    process."""

    PAGE = mmap.PAGESIZE

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        self.mappings = []

    def copy(self, array, at_end):
        pages = -(-array.nbytes // self.PAGE)
        mapping = mmap.mmap(-1, (pages + 2) * self.PAGE)
        self.mappings.append(mapping)
        begin = ctypes.addressof(ctypes.c_char.from_buffer(mapping))
        for page in (begin, begin + (pages + 1) * self.PAGE):
            assert self.libc.mprotect(page, self.PAGE, 0) == 0
        offset = self.PAGE + (pages * self.PAGE - array.nbytes if at_end else 0)
        result = np.frombuffer(mapping, array.dtype, array.size, offset)
        result[...] = array
        return result


class Problem:
    """One layer, its arrays, and the results that it must compute."""

    def __init__(self, rng):
        self.rng = rng
        self.function = pick(rng, api.FUNCTIONS, (4, 3, 3, 2, 2, 2))
        self.layout = pick(rng, ("channels_first", "channels_last"))
        self.in_type = pick(rng, tuple(api.DATA_TYPES), (2, 2, 6, 2) + (1,) * 8)
        same = rng.random() < 0.6
        self.out_type = self.in_type if same else pick(rng, tuple(api.DATA_TYPES))
        self.has_bias = rng.random() < 0.4
        self.activation = pick(rng, api.ACTIVATION_NAMES) if rng.random() < 0.5 else "identity"
        self.scales = {}
        for side, kind in (("in", self.in_type), ("out", self.out_type)):
            scaled = kind not in FLOATS and (rng.random() < 0.5 or not same)
            self.scales[side] = self.random_scale(kind) if scaled else (0.0, 0.0)
        self.lowest = self.function in ("max", "unmax", "min") and rng.random() < 0.5
        self.random_window()
        self.threads = pick(rng, (None, 0, 1, 2, 3), (4, 1, 2, 2, 1))

    def random_scale(self, kind):
        bits = 8 * NUMPY_TYPES[kind].itemsize
        scale = float(np.float32(2.0 ** (5 - bits) * self.rng.uniform(0.5, 1.5)))
        if self.rng.random() < 0.2:
            scale = -scale
        return scale, float(np.float32(self.rng.integers(-8, 9) / 4))

    def random_window(self):
        rng = self.rng
        while True:
            self.kernel = integers(rng, 2, 1, 5)
            self.strides = integers(rng, 2, 1, 4)
            self.dilations = integers(rng, 2, 0, 3 if rng.random() < 0.3 else 1)
            self.padding = integers(rng, 2, 0, 3) if rng.random() < 0.5 else (0, 0)
            self.pad = integers(rng, 4, 0, 3) if rng.random() < 0.3 else (0, 0, 0, 0)
            begin, end = self.padding, self.padding
            if any(self.pad):
                begin, end = (self.pad[2], self.pad[0]), (self.pad[3], self.pad[1])
            channels, spatial = integer(rng, 1, 4), integers(rng, 2, 1, 12)
            out, fitted = [], []
            for i in range(2):
                window = (self.kernel[i] - 1) * max(self.dilations[i], 1) + 1
                room = spatial[i] + begin[i] + end[i] - window
                count = room // self.strides[i] + 1
                if rng.random() < 0.4:
                    count = -(-room // self.strides[i]) + 1
                out.append(count if room >= 0 else 0)
                past = (count - 1) * self.strides[i] - room
                fitted.append(end[i] + max(0, past))
            if min(out) < 1:
                continue
            first = self.layout == "channels_first"
            self.image = (channels, *spatial) if first else (*spatial, channels)
            self.pooled = (channels, *out) if first else (*out, channels)
            self.num_channels = channels
            is_max = self.function in ("max", "unmax", "min")
            self.has_padding = any(begin) or any(fitted)
            zeros = self.has_padding and not self.lowest
            attributes = {"pad_value": "zero" if zeros else "neg_inf", "axis": 1} \
                if is_max else {}
            if self.function.startswith("average"):
                include = self.function == "average_include"
                attributes["divisor"] = "kernel" if include else "valid"
            self.case = Case(OPS.get(self.function, "max_pool"), (1, *self.image), self.kernel,
                             strides=self.strides, pads_begin=begin, pads_end=tuple(fitted),
                             dilations=tuple(max(d, 1) for d in self.dilations),
                             layout=self.layout, **attributes)
            try:
                resolve(self.case)
            except Refused:
                continue
            return

    @property
    def in_extents(self):
        return self.pooled if self.function == "unmax" else self.image

    @property
    def out_extents(self):
        return self.image if self.function == "unmax" else self.pooled

    def descriptor(self, extents, strides, kind, scale):
        layout = api.CHW if self.layout == "channels_first" else api.HWC
        given = (0, 0, 0) if strides is None else strides[::-1]
        return api.Descriptor(layout, extents[::-1], given, None, api.DATA_TYPES[kind], *scale)

    def parameters(self, in_strides, out_strides, bias):
        alpha, beta, _ = ACTIVATIONS[self.activation]
        number = api.ACTIVATION_NAMES.index(self.activation)
        p = api.Parameters(
            i_desc=self.descriptor(self.in_extents, in_strides, self.in_type, self.scales["in"]),
            o_desc=self.descriptor(self.out_extents, out_strides, self.out_type,
                                   self.scales["out"]),
            activation=api.Activation(number, alpha, beta),
            pooling_function=api.FUNCTIONS.index(self.function),
            k_height=self.kernel[0], k_width=self.kernel[1],
            y_stride=self.strides[0], x_stride=self.strides[1],
            y_dilation_stride=self.dilations[0], x_dilation_stride=self.dilations[1],
            y_padding=self.padding[0], x_padding=self.padding[1], pad=self.pad,
            max_padding=int(self.lowest and self.function in ("max", "unmax", "min")))
        if bias is not None:
            stride = bias.strides[0] // bias.itemsize
            kind = {v: k for k, v in NUMPY_TYPES.items() if k in api.DATA_TYPES}[bias.dtype]
            p.bias = api.Descriptor(api.VECTOR, (len(bias),), (stride,), bias.ctypes.data,
                                    api.DATA_TYPES[kind], *self.bias_scale)
        return p

    def random_data(self, shape):
        dtype = NUMPY_TYPES[self.in_type]
        if self.in_type in FLOATS:
            return np.round(8 * self.rng.standard_normal(shape), 1).astype(dtype)
        if self.scales["in"][0] == 0:
            low = 0 if self.in_type.startswith("u") else -20
            return self.rng.integers(low, 21, shape).astype(dtype)
        limits = np.iinfo(dtype)
        return self.rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)

    def random_bias(self):
        self.bias_scale = (0.0, 0.0)
        self.channel_bias = np.zeros(self.num_channels)
        if not self.has_bias:
            return None
        kind = pick(self.rng, tuple(api.DATA_TYPES))
        stride = integer(self.rng, 1, 2)
        low = 0 if kind.startswith("u") else -8
        memory = self.rng.integers(low, 9, self.num_channels * stride)
        bias = memory.astype(NUMPY_TYPES[kind])[::stride]
        if kind not in FLOATS:
            self.bias_scale = (0.25, 1.0)
        scale, offset = self.bias_scale
        self.channel_bias = bias.astype(np.float64) * (scale or 1) + offset
        return bias

    # The definition

    @property
    def compute_type(self):
        if self.is_integral or (self.in_type == self.out_type and self.in_type in FLOATS):
            return self.in_type
        return "f64" if self.in_type in WIDE or self.out_type in WIDE else "f32"

    @property
    def is_integral(self):
        return (self.in_type == self.out_type and self.in_type not in FLOATS
                and not self.has_bias and self.activation == "identity"
                and self.function != "l2" and self.scales["in"] == self.scales["out"] == (0, 0))

    def meant(self, x):
        """Returns the real values of stored elements, in the type in which the layer
        computes."""
        dtype = NUMPY_TYPES[self.compute_type]
        scale, offset = self.scales["in"]
        if self.in_type in FLOATS or scale == 0:
            return x.astype(dtype)
        return x.astype(dtype) * dtype.type(scale) + dtype.type(offset)

    def expected(self, x, indices):
        """Returns (exact values, error bound of the computed values, indices), all
        before the layer rounds to the output's type."""
        case = self.case.with_(element_type=self.compute_type)
        values = self.meant(x)
        if self.function == "unmax":
            truth = unpool(values, indices, 1, (1, *self.image))
        else:
            truth = oracle.run(case.with_(index_type="i64") if indices is not None else case,
                               values)
        found = getattr(truth, "indices", None)
        if isinstance(truth, Averages):
            exact = truth.exact
            bound = float_bound(case, truth) if exact.dtype == np.longdouble else 0
        else:
            exact, bound = getattr(truth, "values", truth), 0
        return exact, bound, found

    def activate(self, exact):
        channel = self.case.channel_dim
        broadcast = [1] * 4
        broadcast[channel] = self.num_channels
        y = exact.astype(np.float64) + self.channel_bias.reshape(broadcast)
        # A window of only padding may give an infinity, for which some activations return NaN.
        # NumPy must not warn of that.
        with np.errstate(invalid="ignore", over="ignore"):
            return ACTIVATIONS[self.activation][2](y, channel)

    def check_values(self, actual, exact, bound):
        """Compares element by element; returns an array of booleans."""
        if self.is_integral:
            return actual == exact
        plain = self.activation == "identity" and not self.has_bias
        if plain and self.in_type == self.out_type and self.out_type in FLOATS:
            if isinstance(bound, int):
                return same_values(actual, exact.astype(actual.dtype))
            return within(actual, exact, bound, self.case.with_(element_type=self.out_type))
        y = self.activate(exact)
        # A pooled value is off by at most `bound`, and an activation enlarges this error at
        # most 2.5 times. Storing the pooled value may round it once more.
        u = ROUNDOFF[self.compute_type if self.out_type not in FLOATS
                     else max(self.compute_type, self.out_type, key=ROUNDOFF.get)]
        magnitude = np.abs(exact.astype(np.float64)) + np.abs(y) + 1
        # A window of only padding may give an infinity. Its activation has no error, so its
        # tolerance is 0.
        magnitude = np.where(np.isfinite(magnitude), magnitude, 0)
        tolerance = 3 * np.asarray(bound, np.float64) + 2**-19 * (
            1 if "f64" != self.compute_type else 2**-28) * magnitude + 4 * u * magnitude
        if self.out_type in FLOATS:
            tolerance = tolerance + ROUNDOFF[self.out_type] * 2 * magnitude
            actual = actual.astype(np.float64)
            with np.errstate(invalid="ignore"):
                return ((np.abs(actual - y) <= tolerance) | (actual == y)
                        | (np.isnan(actual) & np.isnan(y)))
        scale, offset = self.scales["out"]
        scale = scale or 1.0
        limits = np.iinfo(actual.dtype)
        stored = np.clip((y - offset) / scale, float(limits.min), float(limits.max))
        # Integer outputs store NaN as 0.
        near = np.abs(actual.astype(np.float64) - np.where(np.isnan(stored), 0, stored))
        stored, tolerance = np.nan_to_num(stored), np.nan_to_num(tolerance)
        return near <= 0.5 + tolerance / abs(scale) + 2**-50 * np.abs(stored)


def run_problem(library, problem, report):
    rng = problem.rng
    name = problem.function
    batch = integer(rng, 0, 3)
    bias = problem.random_bias()
    in_strides = out_strides = None
    if rng.random() < 0.35:
        in_strides = view(rng, problem.in_extents, overlapping=rng.random() < 0.2)
    if rng.random() < 0.35:
        out_strides = view(rng, problem.out_extents)
    layouts = {}
    for side, extents, strides in (("in", problem.in_extents, in_strides),
                                   ("out", problem.out_extents, out_strides)):
        strides = strides or packed(extents)
        size = span(extents, strides)
        step = size + integer(rng, 0, 5)
        if side == "in" and rng.random() < 0.1:
            step = 0
        layouts[side] = (strides, step, size + max(0, batch - 1) * step)

    status, layer = api.create(library, problem.parameters(in_strides, out_strides, bias),
                               problem.threads)
    if not report.expect(status == api.SUCCESS, "create", api.last_error(library),
                         problem=vars(problem)):
        return
    x = problem.random_data(layouts["in"][2])
    y = rng.integers(0, 256, layouts["out"][2] * NUMPY_TYPES[problem.out_type].itemsize,
                     dtype=np.uint8).view(NUMPY_TYPES[problem.out_type])
    before = y.copy()
    count = int(np.prod(problem.pooled))
    index_step = count + integer(rng, 0, 3)
    indices = None
    if name == "unmax":
        indices = rng.integers(0, int(np.prod(problem.image)), batch * index_step)
    elif name in ("max", "min") and (problem.lowest or not problem.has_padding) and rng.random() < 0.6:
        indices = np.full(batch * index_step, -7, np.int64)
    guarded, at_end = Guarded(), rng.random() < 0.5
    x, y = guarded.copy(x, at_end), guarded.copy(y, at_end)
    if indices is not None:
        indices = guarded.copy(indices, at_end)
    status = library.poolLayerApplyBatch(
        layer, batch, api.pointer(x), layouts["in"][1], api.pointer(y), layouts["out"][1],
        api.pointer(indices), index_step)
    library.poolLayerDestroy(layer)
    if not report.expect(status == api.SUCCESS, f"apply {name}", api.last_error(library),
                         problem=vars(problem)):
        return

    def views(memory, side, extents):
        strides, step, _ = layouts[side]
        return images(memory, [i * step for i in range(batch)], extents, strides)

    inputs = views(x, "in", problem.in_extents)
    outputs = views(y, "out", problem.out_extents)
    for i in range(batch):
        slots = None if indices is None else \
            indices[i * index_step:i * index_step + count].reshape(1, *problem.pooled)
        exact, bound, found = problem.expected(inputs[i].copy(), slots)
        good = problem.check_values(outputs[i], exact, bound)
        report.expect(good.all(), f"values of {name}", problem=vars(problem),
                      input=inputs[i], expected=problem.activate(exact), actual=outputs[i])
        if found is not None and name in ("max", "min") and slots is not None:
            report.expect((found == slots).all(), "indices", problem=vars(problem),
                          input=inputs[i], expected=found, actual=slots)
            report.count("indices")
    for old, image in zip(views(before, "out", problem.out_extents), outputs):
        image[...] = old
    report.expect((before.view(np.uint8) == y.view(np.uint8)).all(),
                  "what lies between the elements", problem=vars(problem))
    for key in (name, f"input {problem.in_type}", f"output {problem.out_type}", problem.layout,
                f"activation {problem.activation}", f"threads {problem.threads}",
                f"batch of {batch}", "bias" if bias is not None else "no bias",
                "strided input" if in_strides else "packed input",
                "strided output" if out_strides else "packed output",
                "four-sided padding" if any(problem.pad) else "symmetric padding",
                "computed exactly" if problem.is_integral else "computed in floats"):
        report.count(key)


def check_threads(library, report):
    """Several threads apply one layer at the same time while others create layers."""
    rng = np.random.default_rng(3)
    images_of = rng.standard_normal((8, 16, 64, 64)).astype(np.float32)
    expected = images_of.reshape(8, 16, 32, 2, 32, 2).max(axis=(3, 5))
    parameters = api.Parameters(
        i_desc=api.Descriptor(api.CHW, (64, 64, 16), (0,), None, api.DATA_TYPES["f32"]),
        o_desc=api.Descriptor(api.CHW, (32, 32, 16), (0,), None, api.DATA_TYPES["f32"]),
        k_width=2, k_height=2, x_stride=2, y_stride=2)
    for n_threads in (1, 2):
        status, shared = api.create(library, parameters, n_threads)
        report.expect(status == api.SUCCESS, "create", api.last_error(library))
        failures = []

        def work():
            try:
                status, own = api.create(library, parameters, n_threads)
                for layer in [own] + [shared] * 50:
                    out = np.zeros_like(expected)
                    status = status or library.poolLayerApplyBatch(
                        layer, 8, api.pointer(images_of), 16 * 64 * 64, api.pointer(out),
                        16 * 32 * 32, None, 0)
                    # Make a call that fails. The message must be this thread's own.
                    bad = library.poolLayerApply(layer, None, None, None)
                    if (status or bad != api.INVALID_ARGUMENT or (out != expected).any()
                            or api.last_error(library) != "in is null"):
                        failures.append((status, bad, api.last_error(library)))
                library.poolLayerDestroy(own)
            except Exception as error:  # pylint: disable=broad-except
                failures.append(error)

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        library.poolLayerDestroy(shared)
        report.expect(not failures, "threads", failures=failures[:3])
        report.count(f"four callers of layers with {n_threads} thread(s)")


def run():
    library = api.load()
    report = Report("layers in C")
    for seed in range(CASES):
        run_problem(library, Problem(np.random.default_rng((SEED, seed))), report)
    check_threads(library, report)
    report.require_counted(
        "indices", "strided input", "strided output", "four-sided padding", "bias",
        "computed exactly", *api.FUNCTIONS, *(f"activation {a}" for a in api.ACTIVATION_NAMES),
        *(f"input {t}" for t in api.DATA_TYPES), *(f"output {t}" for t in api.DATA_TYPES))
    return report.finish()


if __name__ == "__main__":
    main(run)
