"""Runs the host functions of a module for GPUs, with kernels that the caller launches.

The module is in MLIR's generic form, as `--mlir-print-op-generic` prints it. Host functions
compute extents and grids, allocate buffers and launch kernels. This file interprets the few
dozen operations that they use; any other operation is an error. Buffers are NumPy arrays, and
views of buffers share their memory.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import math
import operator
import re
import tempfile
from pathlib import Path

import numpy as np

from .case import NUMPY_TYPES
from .tools import run

LLVM = Path("/usr/lib/llvm-22/bin")
HEAD = re.compile(r'\s*(?:(%[\w-]+)(?::\d+)? = )?"([\w.]+)"\(([^)]*)\)(?:\s*<(?=\{))?')
ARGUMENT = re.compile(r"(%[\w-]+): ")
SEGMENTS = re.compile(r"operandSegmentSizes = array<i32: ([\d, ]+)>")
# Element types of buffers that no caller passes
ELEMENTS = {"index": np.dtype(np.int64), "i128": np.dtype("V16"), "i1": np.dtype(np.int8)}
# The number that stands for an operand among static ones
DYNAMIC = -2**63
CLOSERS = {"(": ")", "{": "}", "[": "]", "<": ">"}
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
               operator.lt, operator.le, operator.gt, operator.ge)


def divide_towards_zero(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BINARY = {"addi": operator.add, "subi": operator.sub, "muli": operator.mul,
          "divsi": divide_towards_zero, "divui": operator.floordiv, "remui": operator.mod,
          "remsi": lambda a, b: a - divide_towards_zero(a, b) * b,
          "ceildivsi": lambda a, b: -(-a // b), "ceildivui": lambda a, b: -(-a // b),
          "floordivsi": operator.floordiv, "maxsi": max, "maxui": max, "minsi": min,
          "minui": min, "andi": operator.and_, "ori": operator.or_, "xori": operator.xor}
# Operations whose result is the operand, or has its elements in other dimensions
SAME_ELEMENTS = ("memref.cast", "memref.collapse_shape", "memref.expand_shape",
                 "memref.memory_space_cast", "bufferization.to_tensor",
                 "builtin.unrealized_conversion_cast")
IGNORED = ("memref.dealloc", "gpu.dealloc", "gpu.wait", "memref.assume_alignment")


class Unknown(Exception):
    """The host function has an operation that this file does not know."""


def matching(text, start):
    """Returns the position after the bracket that closes the one at `start`. Strings are
    skipped, and so are the arrows of types."""
    stack, position = [], start
    while True:
        char = text[position]
        if char == '"':
            # MLIR writes a quote within a string as \\22.
            position = text.index('"', position + 1)
        elif char in CLOSERS:
            stack.append(CLOSERS[char])
        elif stack and char == stack[-1] and not (char == ">" and text[position - 1] == "-"):
            stack.pop()
            if not stack:
                return position + 1
        position += 1


class Op:
    """One operation, parsed from `text` at `position`."""

    def __init__(self, text, position):
        head = HEAD.match(text, position)
        if not head:
            raise Unknown(text[position:position + 200])
        self.start, self.result, self.name = position, head[1], head[2]
        self.operands = re.findall(r"%[\w-]+(?:#\d+)?", head[3])
        self.properties, self.regions, position = "", [], head.end()
        if text.startswith("{", position):
            end = matching(text, position)
            self.properties, position = text[position:end], end + 1
        if text.startswith(" ({", position):
            end, position = matching(text, position + 1), position + 2
            while text[position] == "{":
                close = matching(text, position)
                self.regions.append((position + 1, close - 1))
                position = close + (2 if text.startswith(", {", close) else 0)
            position = end
        self.attributes = ""
        if text.startswith(" {", position):
            end = matching(text, position + 1)
            self.attributes, position = text[position + 1:end], end
        self.end = text.find("\n", position)
        self.type = text[position:self.end]

    def property(self, pattern):
        found = re.search(pattern, self.properties)
        if not found:
            raise Unknown(f"{self.name} without {pattern}: {self.properties}")
        return found[1]

    def mixed(self, name, operands):
        """Returns the numbers of property `name`, the dynamic ones from the iterator."""
        numbers = self.property(name + r" = array<i64(?:: )?([^>]*)>")
        return [next(operands) if int(n) == DYNAMIC else int(n)
                for n in numbers.split(",") if n]


def operations(text, start, end):
    """Yields the operations between two positions, without those of their regions."""
    while True:
        position = start
        while position < end and text[position].isspace():
            position += 1
        if position >= end:
            return
        if text[position] == "^":
            start = text.index("\n", position)
            continue
        op = Op(text, position)
        yield op
        start = op.end


class Module:
    def __init__(self, text):
        self.text = text
        start = text.index('"builtin.module"')
        module = Op(text, start)
        self.operations = list(operations(text, *module.regions[0]))
        self.functions = {op.property(r'sym_name = "(\w+)"'): op for op in self.operations
                          if op.name == "func.func"}

    def objects(self):
        """Returns the code of each `gpu.binary`, as bytes, by name."""
        found = {}
        for op in self.operations:
            if op.name == "gpu.binary":
                text = op.property(r', (?:bin|assembly|offload) = "([^"]*)"')
                found[op.property(r'sym_name = "(\w+)"')] = re.sub(
                    rb"\\(?:([0-9A-F]{2})|\\)",
                    lambda part: bytes([int(part[1], 16)]) if part[1] else b"\\", text.encode())
        return found

    def spirv_modules(self):
        """Returns the SPIR-V of each spirv.module, as bytes, by name."""
        aliases = "".join(re.findall(r"^[#!].*\n", self.text, re.MULTILINE))
        return {op.property(r'sym_name = "(\w+)"'): serialize(
            aliases + self.text[op.start:op.end]) for op in self.operations
            if op.name == "spirv.module"}

    def run(self, name, arrays, launch):
        """Calls function `name`. `launch(module, kernel, grid, block, operands)` gets arrays
        and numbers, and changes the arrays. Returns the results and the number of launches."""
        function = self.functions[name]
        start, end = function.regions[0]
        begin = self.text.index("^bb0(", start)
        header = self.text[begin:matching(self.text, begin + 4)]
        names = ARGUMENT.findall(header)
        if len(names) != len(arrays):
            raise Unknown(f"@{name} has {len(names)} arguments, not {len(arrays)}")
        call = Call(self.text, launch)
        call.values.update(zip(names, (a.copy() if isinstance(a, np.ndarray) and a.ndim else
                                       int(a) if not isinstance(a, np.ndarray) or
                                       a.dtype.kind == "i" else a.copy() for a in arrays)))
        return call.block(start, end), call.launches


def whole(array):
    """Returns the buffer that `array` is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def offset(array):
    """Returns the position of the view's first element in its buffer."""
    address, start = (a.__array_interface__["data"][0] for a in (array, whole(array)))
    return (address - start) // array.itemsize


def serialize(text):
    with tempfile.TemporaryDirectory() as directory:
        source, target = Path(directory) / "kernel.mlir", Path(directory) / "kernel.spv"
        source.write_text(text)
        process = run([LLVM / "mlir-translate", "--no-implicit-module", "--serialize-spirv",
                       source, "-o", target])
        if process.returncode != 0:
            raise RuntimeError(process.stderr[:2000])
        return target.read_bytes()


class Call:
    def __init__(self, text, launch):
        self.text, self.launch, self.values, self.launches = text, launch, {}, 0

    def block(self, start, end):
        """Runs the operations of a block, and returns the operands of its terminator."""
        for op in operations(self.text, start, end):
            operands = [self.values[name] for name in op.operands]
            if op.name in ("func.return", "scf.yield"):
                return operands
            results = self.execute(op, operands)
            if op.result:
                self.values[op.result] = results[0] if results else None
                self.values.update((f"{op.result}#{i}", value)
                                   for i, value in enumerate(results))
        return []

    def execute(self, op, operands):
        dialect, kind = op.name.split(".")
        if op.name in IGNORED:
            return []
        if op.name == "arith.constant":
            return [constant(op.property(r"value = (.*)\}$"))]
        if dialect == "arith" and kind in BINARY:
            return [BINARY[kind](*operands)]
        if kind in ("index_cast", "index_castui", "extui", "extsi", "trunci"):
            return operands
        if op.name == "arith.cmpi":
            return [COMPARISONS[int(op.property(r"predicate = (\d+)"))](*operands)]
        if op.name == "arith.select":
            return [operands[1] if operands[0] else operands[2]]
        if op.name == "memref.dim":
            return [operands[0].shape[operands[1]]]
        if op.name == "memref.extract_strided_metadata":
            array = operands[0]
            return [whole(array), offset(array), *array.shape,
                    *(stride // array.itemsize for stride in array.strides)]
        if op.name == "memref.reinterpret_cast":
            return [self.reinterpret(op, operands)]
        if kind in ("alloc", "alloca"):
            return [self.allocate(op, operands)]
        if op.name in ("memref.copy", "gpu.memcpy"):
            source, target = operands[-2:] if kind == "copy" else operands[:-3:-1]
            target[...] = source
            return []
        if op.name in SAME_ELEMENTS:
            return [self.reshape(op, operands)]
        if op.name == "scf.if":
            taken = 0 if operands[0] else 1
            return self.block(*op.regions[taken]) if taken < len(op.regions) else []
        if op.name == "gpu.launch_func":
            return self.launch_kernel(op, operands)
        raise Unknown(op.name)

    def allocate(self, op, operands):
        shape, element = memref(op.type.rpartition("->")[2])
        extents = iter(operands)
        # Fill the buffer, so that elements which no kernel stores look wrong.
        array = np.empty([next(extents) if d is None else d for d in shape], element)
        array.view(np.uint8)[...] = 0xA5
        return array

    def reinterpret(self, op, operands):
        buffer, numbers = whole(operands[0]), iter(operands[1:])
        start, sizes, strides = (op.mixed(name, numbers) for name in (
            "static_offsets", "static_sizes", "static_strides"))
        # NumPy checks the bounds, but does not take an offset without elements.
        at, size = (start[0] if math.prod(sizes) else 0), buffer.itemsize
        return np.ndarray(sizes, buffer.dtype, buffer.reshape(-1).view(np.uint8), at * size,
                          [stride * size for stride in strides])

    def reshape(self, op, operands):
        array = operands[0]
        if op.name == "memref.collapse_shape":
            groups = json.loads(op.property(r"reassociation = (\[[\[\]\d, ]*\])"))
            shape = [math.prod(array.shape[d] for d in group) for group in groups]
        elif op.name == "memref.expand_shape":
            shape = op.mixed("static_output_shape", iter(operands[1:]))
        else:
            return array
        result = array.reshape(shape)
        if not np.shares_memory(result, array) and array.size:
            raise Unknown(f"{op.name} of a view with gaps: {op.type}")
        return result

    def launch_kernel(self, op, operands):
        sizes = [int(n) for n in SEGMENTS.search(op.properties)[1].split(",")]
        start = sizes[0]
        grid, block = tuple(operands[start:start + 3]), tuple(operands[start + 3:start + 6])
        # Three cluster extents and the size of shared memory are not used.
        arguments = operands[start + 6 + sum(sizes[7:11]):]
        if sizes[-1]:
            arguments = arguments[:-sizes[-1]]
        module, kernel = re.search(r"kernel = @(\w+)::@(\w+)", op.properties).groups()
        self.launch(module, kernel, grid, block, arguments)
        self.launches += 1
        return []


def memref(text):
    """Parses a memref's type. Returns a pair: its extents, with None for an unknown one, and its
    NumPy type."""
    found = re.search(r"memref<((?:[\d?]+x)*)(\w+)", text)
    if not found:
        raise Unknown(text)
    return ([None if d == "?" else int(d) for d in found[1].split("x")[:-1]],
            ELEMENTS.get(found[2]) or NUMPY_TYPES[found[2]])


def constant(text):
    value, _, kind = text.partition(" : ")
    if value in ("true", "false"):
        return value == "true"
    if kind.startswith("f") or kind.startswith("bf"):
        dtype = NUMPY_TYPES[kind]
        if value.startswith("0x"):
            bits = np.dtype(f"u{dtype.itemsize}")
            return np.array(int(value, 16), bits).view(dtype)[()]
        return dtype.type(float(value))
    return int(value)
