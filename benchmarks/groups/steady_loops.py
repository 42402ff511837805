"""Predicts the loops of kernels by llvm-mca, also for processors that are not here.

Each workload is compiled for each core. Its steady loop is the innermost loop that stores
the most bytes in an iteration; of several, the shortest. If no loop stores, the steady loop is
the one that loads the most. Loops that only clear or copy do not count. llvm-mca gives the
cycles of an iteration with all data in the first-level cache. The table has cycles per element
that the loop stores (with its index, if it has one). If the loop stores nothing, they are
cycles per loaded element, marked *. Elements stored to the kernel's own buffers count. A
masked store counts the lanes before the next store. Below the table come the cost of a vector
relative to the first core, as a geometric mean, and the workloads that exceed --outlier times
their core's mean. No kernel runs.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import math
import re
import statistics
from dataclasses import dataclass

from measure import native
from measure.worker import say
from measure.workloads import read_files

from .holes import read_cells

# Core: (kind of vectors, architecture, bits of a vector). LLVM has a model of each.
CORES = {
    "icelake-server": ("AVX-512", "x86_64", 512), "znver4": ("AVX-512", "x86_64", 512),
    "haswell": ("AVX2", "x86_64", 256), "znver3": ("AVX2", "x86_64", 256),
    "neoverse-n1": ("NEON", "aarch64", 128), "cortex-a55": ("NEON", "aarch64", 128),
    "neoverse-v2": ("SVE", "aarch64", 128), "neoverse-n2": ("SVE", "aarch64", 128),
    "sifive-x280": ("RVV", "riscv64", 512), "sifive-p670": ("RVV", "riscv64", 128),
}
JUMPS = re.compile(r"(?:j\w*|b|b\.\w+|cbn?z|tbn?z|beq\w*|bne\w*|bl[te]u?z?|bg[te]u?z?)$")
ITERATIONS = 200
TAKES_FILES = True


@dataclass
class Loop:
    lines: list
    stored: int
    loaded: int

    @property
    def rank(self):
        """Key for choosing the steady loop: the loop with the largest key."""
        return (self.loaded > 0, self.stored, self.loaded if self.stored == 0 else 0,
                -len(self.lines))


# Instructions that compute; a loop without them clears or copies buffers.
ARITHMETIC = {
    "x86_64": re.compile(r"\tv(?:p?(?:add|max|min|sub|cmp|avg|sad|madd)|mul|div|f[mn]|sqrt|dp)"),
    "aarch64": re.compile(r"\t[fsu]?(?:add|max|min|cm[gln]|sub|mul|ml[as]|div|sqrt)\w*\s+[vz]\d"),
    "riscv64": re.compile(r"\tv[fm]*(?:add|max|min|sl[te]|l[te]|sub|mul|macc|div|red|sqrt|w)"),
}

#===----------------------------------------------------------------------===#
# Bytes that an instruction moves
#===----------------------------------------------------------------------===#


@dataclass
class Access:
    is_store: bool
    size: int
    base: str = ""  # empty: an address of its own
    offset: int = 0
    is_masked: bool = False


SUFFIXES = {"b": 1, "w": 2, "d": 4, "q": 8, "ss": 4, "sd": 8}


def x86_width(name, operands, register):
    """Returns the bytes of the memory operand of an instruction on a register of `register`
    bytes."""
    if part := re.match(r"v(?:extract|insert|broadcast)[fi](?:\d+x(\d)|(128))$", name):
        # For names such as 32x4 and 64x2, the first number is the element's size.
        element = int(re.search(r"[fi](\d+)x", name)[1]) if part[1] else 128
        return element // 8 * int(part[1] or 1)
    if part := re.match(r"vp(?:extr|insr|broadcast)([bwdq])$", name):
        return SUFFIXES[part[1]]
    if part := re.match(r"vmov([dq])$|v\w*(ss|sd)$", name):
        return SUFFIXES[part[1] or part[2]]
    if re.match(r"vcvt(ps2ph|ph2psx?|ps2pd|pd2ps)$|vcvtneps2bf16$", name):
        return register // 2
    if part := re.match(r"vpmov[usz]*x?([bwdq])([bwdq])$", name):
        narrow, wide = sorted((SUFFIXES[part[1]], SUFFIXES[part[2]]))
        return register * narrow // wide
    if part := re.search(r"\{1to(\d+)\}", operands):
        return register // int(part[1])
    return register


def x86_access(name, operands):
    memory = re.search(r"(-?\d+)?(\([^)]*\))", operands)
    # Skip accesses to the stack and to constants: the compiler added them.
    if not memory or not name.startswith("v") or re.match(r"\(%(rsp|rip)", memory[2]):
        return None
    registers = re.findall(r"%([xyz])mm\d+", operands)
    if not registers:
        return None
    size = x86_width(name, operands, {"x": 16, "y": 32, "z": 64}[max(registers)])
    is_store = operands.rfind("(") > operands.rfind("mm")
    return Access(is_store, size, memory[2], int(memory[1] or 0),
                  "{%k" in operands or "mask" in name)


def aarch64_access(name, operands):
    registers, _, memory = operands.partition("[")
    if memory.startswith("sp") or not re.match(r"(ld|st)(r|p|np|ur|1|nt1)[bhswd]?$", name):
        return None
    # `st1 { v0.4s }, [x0]` stores whole registers, or one lane. `str q0, [x0]` stores the
    # bytes of the register's letter.
    letters = {"b": 1, "h": 2, "s": 4, "d": 8, "q": 16}
    if lane := re.search(r"v\d+\.([bhsd])\s*\}\[\d+\]", operands):
        size, memory = letters[lane[1]], operands.rpartition("[")[2]
    else:
        size = 16 * len(re.findall(r"\b[vz]\d+\.", registers)) or sum(
            letters[x] for x in re.findall(r"\b([bhsdq])\d+\b", registers))
    place = re.match(r"(\w+)(?:, #(-?\d+))?\](?!,)", memory)
    return Access(name.startswith("st"), size, place[1] if place else "",
                  int(place[2] or 0) if place else 0)


class Riscv:
    """Tracks the vector length and the constants that set it."""

    def __init__(self, bits):
        self.bits, self.length, self.constants = bits, 0, {}

    def __call__(self, name, operands):
        parts = [part.strip() for part in operands.split(",")]
        if name == "li":
            self.constants[parts[0]] = int(parts[1], 0)
        elif name == "vsetivli":
            self.length = int(parts[1])
        elif name == "vsetvli" and parts[1] != "zero":
            self.length = self.constants.get(parts[1], self.length)
        elif name == "vsetvli" and parts[0] != "zero":
            width, group = int(parts[2][1:]), parts[3]
            factor = 1 / int(group[2:]) if group.startswith("mf") else int(group[1:])
            self.length = int(self.bits / width * factor)
        moved = re.match(r"v([sl])s?e(\d+)\.v$", name)
        if not moved or "(sp)" in operands:
            return None
        return Access(moved[1] == "s", int(moved[2]) // 8 * self.length)


def count_stored(accesses):
    """Returns the number of bytes that the stores write. A masked store counts at most the
    bytes up to the next store with the same base."""
    stores = [access for access in accesses if access.is_store]

    def count(store):
        ahead = [other.offset - store.offset for other in stores
                 if store.base and other.base == store.base and other.offset > store.offset]
        return min([store.size, *ahead]) if store.is_masked else store.size

    return sum(map(count, stores))


def find_loops(assembly, architecture, bits):
    """Returns the innermost loops of all functions, without loops that compute nothing."""
    read = {"x86_64": x86_access, "aarch64": aarch64_access}.get(architecture) or Riscv(bits)
    comment = r"\s//" if architecture == "aarch64" else r"\s#"
    labels, lines, moved, spans = {}, [], [], []
    for line in assembly.splitlines():
        line = re.split(comment, line, maxsplit=1)[0].rstrip()
        if label := re.match(r"(\.L\w+):", line):
            labels[label[1]] = len(lines)
        elif instruction := re.match(r"\t([a-z][\w.]*)\s*(.*)", line):
            name, operands = instruction.groups()
            target = re.search(r"(\.L\w+)$", operands)
            if target and JUMPS.match(name) and target[1] in labels:
                spans.append((labels[target[1]], len(lines)))
            moved.append(read(name, operands))
            lines.append(line)
    result = []
    for begin, end in spans:
        # Skip outer loops: another loop begins between their first line and their jump back,
        # even if an outer loop is entered in the middle or left from an inner loop.
        if not any(begin < b <= end or (b == begin and e < end) for b, e in spans):
            # Leave out jumps, because llvm-mca repeats its input anyway. Leave out
            # prefetches, because models of RISC-V do not know their time.
            body = [line for line in lines[begin:end]
                    if not JUMPS.match(line.split()[0]) and ".L" not in line
                    and not line.startswith("\tprefetch")]
            # Begin with the last vset instruction before the loop: models of RISC-V assume
            # the longest register group until an instruction sets one.
            setting = [line for line in lines[:begin] if line.startswith("\tvset")][-1:]
            accesses = [access for access in moved[begin:end] if access]
            if any(ARITHMETIC[architecture].match(line) for line in body):
                result.append(Loop(setting + body, count_stored(accesses),
                                   sum(a.size for a in accesses if not a.is_store)))
    return result


#===----------------------------------------------------------------------===#
# Predictions
#===----------------------------------------------------------------------===#


@dataclass
class Prediction:
    cycles: float  # per element
    is_stored: bool
    loop: Loop

    def __str__(self):
        return f"{self.cycles:.2f}" + ("" if self.is_stored else "*")


def predict(toolchain, workload, core):
    """Returns the prediction, or None if the kernel has no loop that moves vectors."""
    _, architecture, bits = CORES[core]
    case = workload.case
    triple = f"{architecture}-linux-gnu"
    assembly = native.run([toolchain.build / "bin" / "pool-compile", "-", f"--target={triple}",
                           f"--mcpu={core}", "--emit=asm", "-o", "-"],
                          workload.function("f"))
    loop = max(find_loops(assembly, architecture, bits), key=lambda found: found.rank,
               default=None)
    if not loop or not (loop.stored or loop.loaded):
        return None
    report = native.run([toolchain.prefix / "bin" / "llvm-mca", f"-mtriple={triple}",
                         f"-mcpu={core}", f"-iterations={ITERATIONS}", "-instruction-info=0",
                         "-resource-pressure=0", "-"], "\n".join(loop.lines) + "\n")
    cycles = int(re.search(r"Total Cycles:\s*(\d+)", report)[1]) / ITERATIONS
    # Bytes of an output with its index
    size = case.dtype.itemsize + (int(case.index_type[1:]) // 8 if case.index_type else 0)
    return Prediction(cycles * size / (loop.stored or loop.loaded), loop.stored > 0, loop)


def per_vector(found, cores):
    """Returns {core: {workload: cycles per vector relative to the first core}}."""
    first, *others = cores
    result = {}
    for core in others:
        share = CORES[core][2] / CORES[first][2]
        result[core] = {name: row[core].cycles / row[first].cycles * share
                        for name, row in found.items()
                        if row[core] and row[first]
                        and row[core].is_stored == row[first].is_stored}
    return result


def at_least_one(text):
    number = float(text)
    if not 1 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"must be 1 or more, but is {text}")
    return number


def add_options(parser):
    parser.add_argument("--core", action="append", choices=CORES, metavar="NAME",
                        help="only this core; may be given several times. Cores: "
                        + ", ".join(CORES))
    parser.add_argument("--cells", action="store_true",
                        help="the cells of holes.json instead of workloads")
    parser.add_argument("--outlier", type=at_least_one, default=2, metavar="TIMES",
                        help="which workloads are named (default: 2)")
    parser.add_argument("--show", action="store_true", help="print the loops, too")


def rows(options):
    given = read_cells() if options.cells else read_files(options.files)
    return {name: workload for name, workload in given.items() if not workload.case.dynamic}


def run(chosen, options, report):
    cores = options.core or list(CORES)
    toolchain = native.Toolchain(options.build)
    found = {}
    report.header("workload", *cores)
    for number, (name, workload) in enumerate(chosen.items(), 1):
        say(f"[{number}/{len(chosen)}] {name}")
        row = found[name] = {core: predict(toolchain, workload, core) for core in cores}
        report.row(name, *(prediction or "-" for prediction in row.values()),
                   **{core: one and one.cycles for core, one in row.items()})
    if len(cores) > 1:
        report.line()
        report.header("core", "vectors", f"a vector's cycles beside {cores[0]}'s",
                      f"more than {options.outlier:g} times that", left=(0, 1, 3))
    for core, ratios in per_vector(found, cores).items():
        if ratios:
            mean = statistics.geometric_mean(ratios.values())
            named = [f"{name} {ratio:.1f}"
                     for name, ratio in sorted(ratios.items(), key=lambda item: -item[1])
                     if ratio > options.outlier * mean]
            kind, _, bits = CORES[core]
            report.row(core, f"{kind}, {bits} bits", f"{mean:.2f}", ", ".join(named) or "-")
    for name, row in found.items() if options.show else ():
        for core, one in row.items():
            if one:
                print(f"{name} on {core}: {one.loop.stored} bytes stored, "
                      f"{one.loop.loaded} loaded", *one.loop.lines, "", sep="\n")
