"""Runs threads of a kernel in PTX, in Python, and counts what they do.

benchmarks/run.py gpu counts instructions and bytes this way, and tests compare results. The subset
is what `--pool-to-gpu` emits: integers, floats, comparisons, branches, shuffles, and loads and
stores of global memory. An instruction that is not known is an error. Registers hold bits as
integers, as in PTX, where the type belongs to the instruction. The threads of a warp run one
after the other up to each shuffle.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import operator
import re
import struct
from dataclasses import dataclass

ENTRY = re.compile(r"\.entry (\w+)\((.*?)\)(.*?)^\}", re.DOTALL | re.MULTILINE)
LINE = re.compile(r"(?:(@!?%\w+)\s+)?([\w.:]+)\s*(.*?);")
FORMATS = {"f16": "e", "bf16": None, "f32": "f", "f64": "d"}
# Buffer i begins at address (i + 1) << BUFFER_BITS, so an address names its buffer.
BUFFER_BITS = 40
COMPARISONS = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
               "gt": operator.gt, "ge": operator.ge, "lo": operator.lt, "ls": operator.le,
               "hi": operator.gt, "hs": operator.ge}
INTEGERS = {"add": operator.add, "sub": operator.sub, "and": operator.and_, "or": operator.or_,
            "xor": operator.xor, "min": min, "max": max}
STEPS = 10_000_000
WARP = 32


class UnknownPTX(Exception):
    """The text has something that this interpreter does not know."""


@dataclass
class Kernel:
    name: str
    # Names of the parameters, in order
    parameters: list
    # (predicate or None, parts of the name, operands) of each instruction
    code: list
    labels: dict

    @property
    def has_warps(self):
        """True if threads need their warp."""
        return any(parts[0] == "shfl" for _, parts, _ in self.code)


@dataclass
class Counts:
    instructions: int = 0
    loaded: int = 0
    stored: int = 0


def parse(text):
    """Returns the kernels of a module by name."""
    kernels = {}
    for name, parameters, body in ENTRY.findall(text):
        code, labels = [], {}
        for line in re.sub(r"//.*|^\s*\.(?:reg|pragma|maxntid|local|loc|reqntid)\b.*", "", body,
                           flags=re.MULTILINE).splitlines():
            line = line.strip().lstrip("{}").strip()
            if label := re.match(r"(\$\w+):", line):
                labels[label[1]] = len(code)
            elif match := LINE.match(line):
                predicate, operation, operands = match.groups()
                found = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^\s,]+", operands)
                code.append((predicate, operation.split("."), found))
        kernels[name] = Kernel(name, re.findall(r"(\w+_param_\d+)", parameters), code, labels)
    return kernels


def bits_of(kind):
    return 1 if kind == "pred" else int(kind.lstrip("bfsu"))


def decode(value, kind):
    """The number that the bits mean for an instruction of this type."""
    if kind == "pred":
        return value
    bits = bits_of(kind)
    value &= (1 << bits) - 1
    if kind == "bf16":
        return decode(value << 16, "f32")
    if kind in FORMATS:
        return struct.unpack(FORMATS[kind], value.to_bytes(bits // 8, "little"))[0]
    if kind[0] == "s" and value >> (bits - 1):
        return value - (1 << bits)
    return value


def encode(value, kind):
    if kind == "bf16":
        bits = encode(value, "f32")
        # Rounds to even; NaN keeps its upper bits.
        return (bits >> 16 if value != value else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16) & 0xFFFF
    if kind in FORMATS:
        try:
            raw = struct.pack(FORMATS[kind], value)
        except OverflowError:
            raw = struct.pack(FORMATS[kind], math.copysign(math.inf, value))
        return int.from_bytes(raw, "little")
    return int(value) & ((1 << bits_of(kind)) - 1)


def names_in(operand):
    return re.findall(r"[^\s,{}]+", operand)


class Thread:
    """One thread. `grid` is the number of blocks, and `block` the index of one, in three
    dimensions. `thread` is the index of the thread, and `size` the number of threads of a block,
    in x. `buffers` are bytearrays."""

    def __init__(self, kernel, arguments, buffers, grid, block, size, thread):
        self.kernel, self.buffers, self.counts = kernel, buffers, Counts()
        self.arguments = dict(zip(kernel.parameters, arguments))
        self.registers = {"%tid.x": thread, "%ntid.x": size, "%tid.y": 0, "%tid.z": 0,
                          **{f"%ctaid.{axis}": index for axis, index in zip("xyz", block)},
                          **{f"%nctaid.{axis}": count for axis, count in zip("xyz", grid)}}

    def read(self, operand, kind):
        if operand.startswith("%"):
            return decode(self.registers[operand], kind)
        if operand.startswith(("0f", "0d")):
            return decode(int(operand[2:], 16), kind)
        return decode(encode(int(operand.rstrip("U"), 0), kind), kind)

    def address(self, operand):
        base, _, offset = operand.strip("[]").partition("+")
        return self.registers[base] + int(offset or 0)

    def access(self, operand, size, number):
        address = self.address(operand) + size * number
        number, offset = (address >> BUFFER_BITS) - 1, address & ((1 << BUFFER_BITS) - 1)
        if not 0 <= number < len(self.buffers) or offset + size > len(self.buffers[number]):
            raise UnknownPTX(f"{self.kernel.name} accesses {size} bytes beyond its buffers")
        return self.buffers[number], offset

    def run(self):
        """Runs the thread, in a kernel without shuffles."""
        run_warp([self])
        return self.counts

    def steps(self):
        """Runs the thread. Yields the position of each shuffle, before it takes place."""
        position = 0
        for _ in range(STEPS):
            predicate, parts, operands = self.kernel.code[position]
            position += 1
            self.counts.instructions += 1
            if predicate and bool(self.registers[predicate.lstrip("@!")]) == ("!" in predicate):
                continue
            if parts[0] == "ret":
                return
            if parts[0] == "bra":
                position = self.kernel.labels[operands[0]]
            elif parts[0] == "shfl":
                yield position - 1
            else:
                self.execute(parts, operands)
        raise UnknownPTX(f"{self.kernel.name} does not end")

    def execute(self, parts, operands):
        name, kind = parts[0], parts[-1]
        if name == "ld" and parts[1] == "param":
            self.registers[operands[0]] = self.arguments[operands[1].strip("[]")]
        elif name in ("ld", "st"):
            address, values = operands if name == "st" else operands[::-1]
            for i, value in enumerate(names_in(values)):
                self.move(name == "st", kind, value, address, i)
        elif name == "mov" and "{" in operands[0] + operands[1]:
            self.move_parts(bits_of(kind), *operands)
        elif name in ("mov", "cvta"):
            self.registers[operands[0]] = encode(self.read(operands[1], kind), kind)
        elif name == "cvt":
            self.convert(parts, operands)
        elif name == "setp":
            self.compare(parts, operands)
        elif name in ("add", "addc", "sub", "subc") and (name[-1] == "c" or "cc" in parts):
            self.carry(name, kind, operands)
        elif kind.endswith("x2"):
            self.compute_pair(parts, operands)
        else:
            result = self.compute(name, parts, kind, operands[1:])
            wide = kind[0] + str(2 * bits_of(kind)) if "wide" in parts else kind
            self.registers[operands[0]] = encode(result, wide)

    def carry(self, name, kind, operands):
        """Adds or subtracts with the carry or borrow of the instruction before."""
        bits = bits_of(kind)
        a, b = (self.read(operand, f"u{bits}") for operand in operands[1:])
        before = self.registers.get("carry", 0) if name[-1] == "c" else 0
        result = a + b + before if name.startswith("add") else a - b - before
        self.registers[operands[0]] = result & ((1 << bits) - 1)
        self.registers["carry"] = int(not 0 <= result < 1 << bits)

    def compute_pair(self, parts, operands):
        """Computes both halves of 32 bits."""
        kind, result = parts[-1].removesuffix("x2"), 0
        for shift in (0, 16):
            halves = [str(decode(self.read(operand, "u32") >> shift, "u16"))
                      for operand in operands[1:]]
            value = self.compute(parts[0], [*parts[:-1], kind], kind, halves)
            result |= encode(value, kind) << shift
        self.registers[operands[0]] = result

    def move(self, is_store, kind, register, address, number):
        """Loads or stores element `number` from an address on."""
        size = bits_of(kind) // 8
        buffer, offset = self.access(address, size, number)
        if is_store:
            value = encode(self.read(register, f"u{8 * size}"), f"u{8 * size}")
            buffer[offset:offset + size] = value.to_bytes(size, "little")
            self.counts.stored += size
            return
        bits = int.from_bytes(buffer[offset:offset + size], "little")
        # A load into a wider register extends the sign.
        self.registers[register] = encode(decode(bits, kind), "u64") if kind[0] == "s" else bits
        self.counts.loaded += size

    def move_parts(self, bits, target, source):
        """Joins registers to a wider one, or splits it. The first part has the lowest bits."""
        parts = names_in(target if target.startswith("{") else source)
        width = bits // len(parts)
        if target.startswith("{"):
            for i, part in enumerate(parts):
                self.registers[part] = self.registers[source] >> width * i & ((1 << width) - 1)
            return
        self.registers[target] = sum(self.read(part, f"u{width}") << width * i
                                     for i, part in enumerate(parts))

    def convert(self, parts, operands):
        target, source = parts[-2], parts[-1]
        value = self.read(operands[1], source)
        if source in FORMATS and target not in FORMATS:
            value = {"rzi": math.trunc, "rni": round, "rmi": math.floor,
                     "rpi": math.ceil}[parts[1]](value) if math.isfinite(value) else 0
        elif source in FORMATS and "rni" in parts:
            value = float(round(value)) if math.isfinite(value) else value
        bits = encode(value, target)
        # A wider register extends the sign.
        self.registers[operands[0]] = (encode(decode(bits, target), "u64") if target[0] == "s"
                                       else bits)

    def compare(self, parts, operands):
        comparison, kind = parts[1], parts[-1]
        a, b = (self.read(o, kind) for o in operands[1:3])
        if comparison in ("nan", "num"):
            result = (a != a or b != b) == (comparison == "nan")
        elif kind in FORMATS and comparison.endswith("u") and len(comparison) == 3:
            result = a != a or b != b or COMPARISONS[comparison[:2]](a, b)
        elif kind in FORMATS and comparison == "ne":
            result = a == a and b == b and a != b
        else:
            result = COMPARISONS[comparison](a, b)
        if len(operands) > 3:
            other = self.registers[operands[3].lstrip("!")] != ("!" in operands[3])
            result = INTEGERS[parts[2]](result, other)
        self.registers[operands[0]] = int(result)

    def compute(self, name, parts, kind, operands):
        if name == "selp":
            return self.read(operands[0 if self.registers[operands[2]] else 1], kind)
        if name in ("shl", "shr"):
            count = self.read(operands[1], "u32")
            value = self.read(operands[0], kind)
            return value << min(count, 64) if name == "shl" else value >> min(count, 64)
        if name == "bfe":
            start, length = (self.read(operand, "u32") for operand in operands[1:])
            field = self.read(operands[0], kind) >> start & ((1 << length) - 1)
            is_negative = kind[0] == "s" and length > 0 and field >> (length - 1)
            return field - (1 << length) if is_negative else field
        if name == "shf":
            low, high, count = (self.read(operand, "u32") for operand in operands)
            pair, count = high << 32 | low, count % 32
            return pair << count >> 32 & 0xFFFFFFFF if "l" in parts else pair >> count & 0xFFFFFFFF
        if name == "prmt":
            low, high, selector = (self.read(operand, "u32") for operand in operands)
            data = (high << 32 | low).to_bytes(8, "little")
            # A digit has the number of a byte. Its highest bit asks for the byte's sign.
            digits = [selector >> shift & 15 for shift in (0, 4, 8, 12)]
            return int.from_bytes(bytes(data[d & 7] if d < 8 else 255 * (data[d & 7] >> 7)
                                        for d in digits), "little")
        values = [self.read(operand, kind) for operand in operands]
        if kind in FORMATS:
            return compute_float(name, parts, values)
        if name == "clz":
            return bits_of(kind) - values[0].bit_length()
        if name == "not":
            return ~values[0] if kind != "pred" else not values[0]
        if name in ("neg", "abs"):
            return -values[0] if name == "neg" else abs(values[0])
        if name in ("mul", "mad"):
            product = values[0] * values[1]
            product = product >> bits_of(kind) if "hi" in parts else product
            if name == "mul":
                return product
            wide = kind[0] + str(2 * bits_of(kind)) if "wide" in parts else kind
            return product + self.read(operands[2], wide)
        if name in ("div", "rem"):
            quotient = abs(values[0]) // abs(values[1])
            quotient = quotient if (values[0] < 0) == (values[1] < 0) else -quotient
            return quotient if name == "div" else values[0] - quotient * values[1]
        if name in INTEGERS:
            return INTEGERS[name](*values)
        raise UnknownPTX(f"instruction {'.'.join(parts)}")


def compute_float(name, parts, values):
    """Floats in double precision, rounded once by the caller. Exact for add, sub, mul and div
    of f32 and f16."""
    a = values[0]
    if name in ("add", "sub", "mul"):
        return {"add": a + values[1], "sub": a - values[1], "mul": a * values[1]}[name]
    if name in ("fma", "mad"):
        return a * values[1] + values[2]
    if name in ("div", "rcp"):
        a, b = (a, values[1]) if name == "div" else (1.0, a)
        if b == 0:
            return a * math.copysign(math.inf, b)
        return a / b
    if name in ("neg", "abs"):
        return -a if name == "neg" else abs(a)
    if name in ("min", "max"):
        b = values[1]
        if a != a or b != b:
            return math.nan if "NaN" in parts else b if a != a else a
        return min(a, b) if name == "min" else max(a, b)
    if name == "sqrt":
        return math.sqrt(a) if a >= 0 else math.nan
    if name == "ex2":
        return 2.0 ** min(a, 1100.0)
    if name == "lg2":
        return math.log2(a) if a > 0 else -math.inf if a == 0 else math.nan
    raise UnknownPTX(f"instruction {'.'.join(parts)}")


def run_warp(threads):
    """Runs threads that exchange values by shuffles. All must come to the same shuffles. The last
    thread runs first, so that a thread which waits for another's store gets wrong results."""
    running = [thread.steps() for thread in reversed(threads)]
    while True:
        positions = {next(steps, None) for steps in running}
        if positions == {None}:
            return
        kernel, position = threads[0].kernel, positions.pop()
        if positions or len(threads) != WARP:
            raise UnknownPTX(f"{kernel.name}: some threads of a warp miss a shuffle")
        _, parts, (target, source, distance, clamp, mask) = kernel.code[position]
        if parts != ["shfl", "sync", "bfly", "b32"] or (clamp, mask) != ("31", "-1"):
            raise UnknownPTX(f"instruction {'.'.join(parts)} with {clamp} and {mask}")
        values = [thread.read(source, "u32") for thread in threads]
        for lane, thread in enumerate(threads):
            thread.registers[target.partition("|")[0]] = values[lane ^ int(distance)]


def run_block(kernel, arguments, buffers, grid, block, size):
    """Runs all threads of a block, warp by warp if they need that."""
    threads = [Thread(kernel, arguments, buffers, grid, block, size, thread)
               for thread in range(size)]
    length = WARP if kernel.has_warps else 1
    for start in range(0, size, length):
        run_warp(threads[start:start + length])
