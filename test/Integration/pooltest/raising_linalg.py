"""Random pooling in linalg as front ends write it.

Each case is a function of one input. It has a tensor.pad, a linalg.fill, and a named pooling
op or a linalg.generic with the same maps. An average also has a division. Its divisor is
constant or computed from linalg.index. A case says what the raised function must contain and
must not contain.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass, field

import numpy as np

from pooltest.case import FLOAT_TYPES, NUMPY_TYPES, tensor_type

# Value that an extremum starts from: the bits of -infinity for a maximum, of +infinity for a
# minimum
INFINITY = {"max": {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000",
                    "f64": "0xFFF0000000000000"},
            "min": {"f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000",
                    "f64": "0x7FF0000000000000"}}
# The bits of the finite number next to that infinity
LAST_FINITE = {"max": {"f16": "0xFBFF", "bf16": "0xFF7F", "f32": "0xFF7FFFFF",
                       "f64": "0xFFEFFFFFFFFFFFFF"},
               "min": {"f16": "0x7BFF", "bf16": "0x7F7F", "f32": "0x7F7FFFFF",
                       "f64": "0x7FEFFFFFFFFFFFFF"}}
NAMED = {("first", 1): "ncw", ("last", 1): "nwc", ("first", 2): "nchw",
         ("last", 2): "nhwc", ("last", 3): "ndhwc"}
# linalg has no named minimum for these layouts.
NO_MINIMUM = ("ncw", "nchw")


@dataclass
class RaisingCase:
    name: str
    kind: str
    text: str
    inputs: list
    output_type: np.dtype
    expected: list = field(default_factory=list)
    forbidden: list = field(default_factory=list)


@dataclass
class Window:
    """A window in all spatial dimensions. `low` and `high` are the widths of the tensor.pad;
    `high` may be larger than the windows need."""

    shape: list
    kernel: list
    strides: list
    dilations: list
    low: list
    high: list
    out: list
    layout: str
    # The part of `high` that an average counts as padding
    counted: list
    # True if the extents are dynamic in the text
    dynamic: bool = False

    @property
    def spatial(self):
        first = 2 if self.layout == "first" else 1
        return list(range(first, first + len(self.kernel)))

    def full(self, outer, values):
        """Returns a list with an entry for each dimension: `outer` for batch and channels,
        and `values` for the spatial dimensions."""
        result = [outer] * len(self.shape)
        for d, value in zip(self.spatial, values):
            result[d] = value
        return result

    @property
    def out_shape(self):
        result = list(self.shape)
        for d, value in zip(self.spatial, self.out):
            result[d] = value
        return result

    @property
    def hidden(self):
        return self.spatial if self.dynamic else []


def random_window(rng, ranks=(1, 2, 3), ceil=False, dilated=True):
    n = int(rng.choice(ranks))
    layout = str(rng.choice(["first", "last"]))
    window = Window([int(rng.integers(1, 3)) for _ in range(n + 2)],
                    *([] for _ in range(6)), layout, [])
    first = 2 if layout == "first" else 1
    for i in range(n):
        while True:
            k, s = (int(v) for v in rng.integers(1, 4, 2))
            dilation = int(rng.integers(1, 3)) if dilated else 1
            extent = (k - 1) * dilation + 1
            low, counted = (int(v) for v in rng.integers(0, extent // 2 + 1, 2))
            size = int(rng.integers(3, 9))
            room = size + low + counted - extent
            if room < 0:
                continue
            high = counted
            out = room // s + 1
            if ceil:
                out = -(-room // s) + 1
                if (out - 1) * s >= size + low:
                    out -= 1
                high = counted + s
            break
        window.shape[first + i] = size
        for values, value in zip((window.kernel, window.strides, window.dilations,
                                  window.low, window.high, window.out, window.counted),
                                 (k, s, dilation, low, high, out, counted)):
            values.append(value)
    return window


def dense(values):
    return f"dense<{list(values)}> : vector<{len(values)}xi64>"


class Writer:
    """Writes the text of one function."""

    def __init__(self, name, window, element_type, acc_type=None, result_type=None):
        self.name, self.window = name, window
        self.element_type = element_type
        self.acc_type = acc_type or element_type
        self.result_type = result_type or self.acc_type
        self.lines = []

    def input_type(self):
        return tensor_type(self.window.shape, self.element_type, self.window.hidden)

    def out_type(self, element_type):
        return tensor_type(self.window.out_shape, element_type, self.window.hidden)

    def add(self, text):
        self.lines.append("  " + text)

    def pad(self, value):
        w = self.window
        padded = list(w.shape)
        for d, low, high in zip(w.spatial, w.low, w.high):
            padded[d] += low + high
        self.padded_type = tensor_type(padded, self.element_type, w.hidden)
        args = ", ".join(f"%p{d}: index" for d in range(len(w.shape)))
        self.add(f"%pad = arith.constant {value} : {self.element_type}")
        self.add(f"%padded = tensor.pad %x low{w.full(0, w.low)} high{w.full(0, w.high)} {{")
        self.add(f"^bb0({args}):")
        self.add(f"  tensor.yield %pad : {self.element_type}")
        self.add(f"}} : {self.input_type()} to {self.padded_type}")

    def extents(self):
        """Adds the arithmetic with which torch-mlir computes dynamic output extents. Returns
        them as operands of tensor.empty."""
        w, names = self.window, []
        for i, d in enumerate(w.hidden):
            extent = (w.kernel[i] - 1) * w.dilations[i] + 1
            total = w.low[i] + w.high[i] - extent
            self.add(f"%d{d} = arith.constant {d} : index")
            self.add(f"%i{d} = tensor.dim %x, %d{d} : {self.input_type()}")
            self.add(f"%j{d} = arith.index_cast %i{d} : index to i64")
            self.add(f"%t{d} = arith.constant {total} : i64")
            self.add(f"%s{d} = arith.constant {w.strides[i]} : i64")
            self.add(f"%one{d} = arith.constant 1 : i64")
            self.add(f"%a{d} = arith.addi %j{d}, %t{d} : i64")
            self.add(f"%b{d} = arith.floordivsi %a{d}, %s{d} : i64")
            self.add(f"%c{d} = arith.addi %b{d}, %one{d} : i64")
            self.add(f"%o{d} = arith.index_cast %c{d} : i64 to index")
            names.append(f"%o{d}")
        return ", ".join(names)

    def fill(self, value):
        self.operands = self.extents()
        self.add(f"%init = arith.constant {value} : {self.acc_type}")
        self.add(f"%empty = tensor.empty({self.operands}) : {self.out_type(self.acc_type)}")
        self.add(f"%fill = linalg.fill ins(%init : {self.acc_type}) outs(%empty : "
                 f"{self.out_type(self.acc_type)}) -> {self.out_type(self.acc_type)}")

    def pool(self, op, body=None):
        """Adds a named op or, with `body`, a generic op."""
        w, n = self.window, len(self.window.kernel)
        taps = tensor_type(w.kernel, self.element_type)
        self.add(f"%taps = tensor.empty() : {taps}")
        ins = f"ins(%padded, %taps : {self.padded_type}, {taps})"
        outs = f"outs(%fill : {self.out_type(self.acc_type)})"
        name = NAMED.get((w.layout, n))
        if name and not body and not (op == "min" and name in NO_MINIMUM):
            self.add(f"%pooled = linalg.pooling_{name}_{op} {{dilations = "
                     f"{dense(w.dilations)}, strides = {dense(w.strides)}}} {ins} {outs} "
                     f"-> {self.out_type(self.acc_type)}")
            return
        rank = n + 2
        dims = ", ".join(f"d{i}" for i in range(rank + n))
        read = [f"d{i}" for i in range(rank)]
        for i, d in enumerate(w.spatial):
            read[d] = f"d{d} * {w.strides[i]} + d{rank + i} * {w.dilations[i]}"
        maps = [", ".join(read), ", ".join(f"d{rank + i}" for i in range(n)),
                ", ".join(f"d{i}" for i in range(rank))]
        maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in maps)
        kinds = ", ".join(['"parallel"'] * rank + ['"reduction"'] * n)
        self.add(f"%pooled = linalg.generic {{indexing_maps = [{maps}], "
                 f"iterator_types = [{kinds}]}} {ins} {outs} {{")
        self.add(f"^bb0(%e: {self.element_type}, %k: {self.element_type}, "
                 f"%acc: {self.acc_type}):")
        value = "%e"
        if self.acc_type != self.element_type:
            self.add(f"  %wide = arith.extf %e : {self.element_type} to {self.acc_type}")
            value = "%wide"
        combine = body or {"max": "maximumf", "min": "minimumf", "sum": "addf"}[op]
        self.add(f"  %y = arith.{combine} {value}, %acc : {self.acc_type}")
        self.add(f"  linalg.yield %y : {self.acc_type}")
        self.add(f"}} -> {self.out_type(self.acc_type)}")

    def divide(self, count=None, factor=None):
        """Adds a division by `count`, which is a number, or a function that writes the
        computation of the count and returns its name. With `factor`, multiplies instead."""
        w, rank = self.window, len(self.window.shape)
        identity = "affine_map<({0}) -> ({0})>".format(
            ", ".join(f"d{i}" for i in range(rank)))
        kinds = ", ".join(['"parallel"'] * rank)
        result = self.out_type(self.result_type)
        self.add(f"%into = tensor.empty({self.operands}) : {result}")
        self.add(f"%average = linalg.generic {{indexing_maps = [{identity}, {identity}], "
                 f"iterator_types = [{kinds}]}} ins(%pooled : "
                 f"{self.out_type(self.acc_type)}) outs(%into : {result}) {{")
        self.add(f"^bb0(%sum: {self.acc_type}, %unused: {self.result_type}):")
        if callable(count):
            self.add(f"  %count = {count(self)} : i64 to {self.acc_type}")
        else:
            self.add(f"  %count = arith.constant {count or factor:e} : {self.acc_type}")
        self.add(f"  %quotient = arith.{'mulf' if factor else 'divf'} %sum, %count : "
                 f"{self.acc_type}")
        value = "%quotient"
        if self.result_type != self.acc_type:
            self.add(f"  %rounded = arith.truncf %quotient : {self.acc_type} to "
                     f"{self.result_type}")
            value = "%rounded"
        self.add(f"  linalg.yield {value} : {self.result_type}")
        self.add(f"}} -> {result}")

    def text(self, result):
        out = self.out_type(self.result_type)
        return "\n".join([f"func.func @{self.name}(%x: {self.input_type()}) -> {out} {{",
                          *self.lines, f"  return {result} : {out}", "}"])


def torch_count(include_pad):
    """Returns a function that writes PyTorch's element count in i64 arithmetic, as torch-mlir
    does."""
    def write(writer):
        w, product = writer.window, None
        for i, d in enumerate(w.spatial):
            def add(name, text):
                writer.add(f"  %{name}{d} = arith.{text}")
            writer.add(f"  %ix{d} = linalg.index {d} : index")
            add("o", f"index_cast %ix{d} : index to i64")
            for name, value in (("st", w.strides[i]), ("pb", w.low[i]),
                                ("ex", (w.kernel[i] - 1) * w.dilations[i] + 1),
                                ("dl", w.dilations[i]), ("in", w.shape[d]),
                                ("pe", w.shape[d] + w.counted[i]), ("z", 0)):
                add(name, f"constant {value} : i64")
            add("os", f"muli %o{d}, %st{d} : i64")
            add("b", f"subi %os{d}, %pb{d} : i64")
            add("e0", f"addi %b{d}, %ex{d} : i64")
            add("e1", f"minsi %e0{d}, %pe{d} : i64")
            if include_pad:
                add("len", f"subi %e1{d}, %b{d} : i64")
                add("n", f"ceildivsi %len{d}, %dl{d} : i64")
            else:
                add("e2", f"minsi %e1{d}, %in{d} : i64")
                add("nb", f"subi %z{d}, %b{d} : i64")
                add("nz", f"maxsi %nb{d}, %z{d} : i64")
                add("k0", f"ceildivsi %nz{d}, %dl{d} : i64")
                add("len", f"subi %e2{d}, %b{d} : i64")
                add("k1", f"ceildivsi %len{d}, %dl{d} : i64")
                add("n", f"subi %k1{d}, %k0{d} : i64")
            add("m", f"maxsi %n{d}, %z{d} : i64")
            if product is None:
                product = f"%m{d}"
            else:
                writer.add(f"  %prod{d} = arith.muli {product}, %m{d} : i64")
                product = f"%prod{d}"
        return f"arith.sitofp {product}"
    return write


def affine_count(writer):
    """Writes a count of the elements inside the input, by affine.min and affine.max. Requires
    dilations of 1."""
    w, product = writer.window, None
    for i, d in enumerate(w.spatial):
        s, pb, k, size = w.strides[i], w.low[i], w.kernel[i], w.shape[d]
        writer.add(f"  %ix{d} = linalg.index {d} : index")
        writer.add(f"  %e{d} = affine.min affine_map<(d0) -> (d0 * {s} + {k - pb}, {size})>"
                   f"(%ix{d})")
        writer.add(f"  %b{d} = affine.max affine_map<(d0) -> (d0 * {s} - {pb}, 0)>(%ix{d})")
        writer.add(f"  %n{d} = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%e{d}, %b{d})")
        if product is None:
            product = f"%n{d}"
        else:
            writer.add(f"  %prod{d} = arith.muli {product}, %n{d} : index")
            product = f"%prod{d}"
    writer.add(f"  %as_i64 = arith.index_cast {product} : index to i64")
    return "arith.sitofp %as_i64"


def data(rng, shape, element_type, special=()):
    """Returns an array of small whole numbers. Each value of `special` replaces a tenth of the
    elements."""
    dtype = NUMPY_TYPES[element_type]
    x = rng.integers(-8, 9, shape).astype(np.float64)
    for value in special:
        x[rng.random(shape) < 0.1] = value
    if element_type not in FLOAT_TYPES:
        x = x * 13
    return x.astype(dtype)


def extremum(rng, name, kind):
    """Returns a random case of `kind`, which is one of MAXIMA or MINIMA."""
    op, variant = kind[:3], kind[3:].strip()
    window = random_window(rng, ceil=rng.random() < 0.4)
    window.dynamic = variant == "dynamic"
    element_type = str(rng.choice(FLOAT_TYPES))
    special = (-np.inf if op == "max" else np.inf, np.nan)
    pad = init = INFINITY[op][element_type]
    body, expected = None, [f"pool.{op}_pool"]
    forbidden = ["linalg.pooling", "tensor.pad", '"reduction"']
    if variant in ("integer", "unsigned"):
        element_type = str(rng.choice(["i8", "i16", "i32", "i64"]))
        bits, special = int(element_type[1:]), ()
        if variant == "integer":
            pad = init = str(-(1 << (bits - 1)) if op == "max" else (1 << (bits - 1)) - 1)
            body = f"{op}si"
        else:
            # -1 as a signed literal is the largest unsigned number.
            pad = init = "0" if op == "max" else "-1"
            body = f"{op}ui"
            expected.append(f"xu{element_type}>")
    elif variant == "ignores NaN":
        body = f"{op}numf"
        forbidden.append("propagate")
    elif variant == "from the last finite number":
        pad = init = LAST_FINITE[op][element_type]
        expected.append(f"arith.{op}imumf")
    elif variant == "of zero padding":
        pad = "0.0"
    elif variant == "of other padding":
        pad = "1.5"
        forbidden.remove("tensor.pad")
    elif variant == "of fewer outputs":
        window.out = [max(out - 1, 1) for out in window.out]
    elif variant == "from a number":
        pad, init = ("1.0", "2.5") if op == "max" else ("2.5", "1.0")
        expected.append(f"arith.{op}imumf")
    if variant not in ("ignores NaN", "integer", "unsigned") and rng.random() < 0.3:
        body = f"{op}imumf"
    writer = Writer(name, window, element_type)
    writer.pad(pad)
    writer.fill(init)
    writer.pool(op, body)
    x = data(rng, window.shape, element_type, special)
    return RaisingCase(name, kind, writer.text("%pooled"), [x],
                       NUMPY_TYPES[element_type], expected, forbidden)


def average(rng, name, kind):
    dilated = kind != "average, affine count"
    ceil = kind in ("average, padding counted under ceil", "average, padding not counted")
    window = random_window(rng, ceil=ceil, dilated=dilated)
    window.dynamic = kind == "average, dynamic"
    element_type = str(rng.choice(["f32", "f64"]))
    acc_type = element_type
    expected, forbidden = ["pool.avg_pool"], ["linalg.", "tensor.pad", "divisor_override"]
    size = int(np.prod(window.kernel))
    if kind == "average, half precision":
        element_type, acc_type = str(rng.choice(["f16", "bf16"])), "f32"
    writer = Writer(name, window, element_type, acc_type, element_type)
    writer.pad("0.0")
    writer.fill("0.0")
    writer.pool("sum", "addf" if rng.random() < 0.3 else None)
    result = "%average"
    if kind == "sum":
        result = "%pooled"
        forbidden.remove("divisor_override")
        expected.append("divisor_override 1")
    elif kind == "average, padding counted under ceil":
        writer.divide(torch_count(include_pad=True))
    elif kind == "average, affine count":
        writer.divide(affine_count)
    elif kind == "average, divisor_override":
        writer.divide(size + 4)
        forbidden.remove("divisor_override")
        expected.append(f"divisor_override {size + 4}")
    elif kind == "average, reciprocal of 2":
        writer.divide(factor=0.5)
        forbidden.remove("divisor_override")
    elif kind == "average, reciprocal of 3":
        writer.divide(factor=1 / 3)
        forbidden = ["linalg.pooling", "tensor.pad"]
        expected += ["divisor_override 1 ", "arith.mulf"]
    elif kind in ("average, kernel", "average, dynamic"):
        writer.divide(size)
    else:
        writer.divide(torch_count(include_pad=False))
    x = data(rng, window.shape, element_type, (np.inf,) if rng.random() < 0.2 else ())
    return RaisingCase(name, kind, writer.text(result), [x],
                       NUMPY_TYPES[element_type], expected, forbidden)


MAXIMA = ("max", "max dynamic", "max integer", "max unsigned", "max ignores NaN",
          "max from the last finite number", "max of zero padding", "max of other padding",
          "max from a number", "max of fewer outputs")
MINIMA = tuple(kind.replace("max", "min", 1) for kind in MAXIMA)
AVERAGES = ("sum", "average, kernel", "average, padding not counted",
            "average, padding counted under ceil", "average, affine count",
            "average, divisor_override", "average, reciprocal of 2",
            "average, reciprocal of 3", "average, half precision", "average, dynamic")

KINDS = MAXIMA + MINIMA + AVERAGES


def cases(rng, count):
    """Returns `count` cases of each kind."""
    result = []
    for make, kinds in ((extremum, MAXIMA + MINIMA), (average, AVERAGES)):
        for kind in kinds:
            for _ in range(count):
                result.append(make(rng, f"f{len(result)}", kind))
    return result
