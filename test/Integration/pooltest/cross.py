"""Runs compiled functions on another processor.

pool-compile makes an object for the target. This module writes a C program that calls each
function once with arrays from files. clang compiles the program, lld links it with the object
and the target's C library, and qemu's user mode runs it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import shutil
import sys
from pathlib import Path

import numpy as np

from .tools import run, tool

TRIPLE = "aarch64-linux-gnu"
# Directory of the target's C library in Debian's cross packages
SYSROOT = Path("/usr") / TRIPLE
EMULATOR = "qemu-aarch64"
COMPILER = "clang-22"

# NumPy's element type -> C's, as pool-compile passes it
_C_NAMES = {"float16": "uint16_t", "bfloat16": "uint16_t", "float32": "float",
            "float64": "double", "bool": "bool"}

_PROLOGUE = """\
#include "pool.h"
#include <stdio.h>
#include <stdlib.h>

static void *load(const char *name, size_t size) {
  FILE *file = fopen(name, "rb");
  void *data = malloc(size + 1);
  if (!file || !data || fread(data, 1, size + 1, file) != size)
    exit(2);
  fclose(file);
  return data;
}

static void save(const char *name, const void *data, size_t size,
                 const int64_t *shape, size_t rank) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(shape, sizeof(int64_t), rank, file) != rank ||
      fwrite(data, 1, size, file) != size || fclose(file))
    exit(2);
}
"""


def require():
    """Ends the test with a message if this machine lacks a tool or the C library."""
    for name in (COMPILER, EMULATOR):
        if not shutil.which(name):
            sys.exit(f"{name} is not installed: run scripts/install-toolchain.sh")
    if not (SYSROOT / "lib" / "libc.so.6").exists():
        sys.exit(f"no C library for {TRIPLE}: run scripts/install-toolchain.sh")


def c_type(dtype):
    return _C_NAMES.get(dtype.name, f"{dtype.name}_t")


def is_dynamic(types):
    """Returns a list for the MLIR types: True for a tensor with a `?`, False for any
    other tensor, None for a scalar."""
    found = re.findall(r"tensor<([^>]*)>|\b(index|[us]?i\d+|b?f\d+)\b", types)
    return [None if scalar else "?" in tensor for tensor, scalar in found]


def numbers(values):
    return "{" + ", ".join(str(int(v)) for v in values) + "}"


class Program:
    """Functions with inputs, and the types and shapes of their results."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.texts = []
        self.calls = []
        self.results = []

    def add(self, name, text, inputs, results):
        """Adds a function; `results` are arrays of the expected shapes and types."""
        signature = re.search(rf"@{name}\((.*?)\) -> \(?(.*?)\)? {{\n", text, re.DOTALL)
        number = len(self.calls)
        before, arguments, after = [], [], []
        dynamic = is_dynamic(signature.group(1))
        assert len(dynamic) == len(inputs), text
        for i, (array, varies) in enumerate(zip(inputs, dynamic)):
            if varies is None:
                arguments.append(str(int(array)))
                continue
            file = f"{number}.in{i}"
            (self.directory / file).write_bytes(np.ascontiguousarray(array).tobytes())
            before.append(f'  {c_type(array.dtype)} *in{i} = load("{file}", {array.nbytes});')
            arguments.append(f"in{i}")
            if varies:
                before.append(f"  int64_t in{i}_shape[] = {numbers(array.shape)};")
                arguments.append(f"in{i}_shape")
            after.append(f"  free(in{i});")
        dynamic = is_dynamic(signature.group(2))
        assert len(dynamic) == len(results), text
        for i, (array, varies) in enumerate(zip(results, dynamic)):
            kind = c_type(array.dtype)
            file, size = f'"{number}.out{i}"', f"sizeof({kind})"
            if varies:
                before.append(f"  {kind} *out{i};\n  int64_t out{i}_shape[{array.ndim}];")
                arguments += [f"&out{i}", f"out{i}_shape"]
                size += "".join(f" * out{i}_shape[{d}]" for d in range(array.ndim))
            else:
                before.append(f"  {kind} *out{i} = malloc({array.nbytes} + 1);\n"
                              f"  int64_t out{i}_shape[] = {numbers(array.shape)};")
                arguments.append(f"out{i}")
                size = str(array.nbytes)
            after.append(f"  save({file}, out{i}, {size}, out{i}_shape, {array.ndim});\n"
                         f"  free(out{i});")
        call = f"  pool_{name}({', '.join(arguments)});"
        self.texts.append(text)
        self.calls.append("\n".join(["static void call%d(void) {" % number, *before, call, *after,
                                     "}"]))
        self.results.append(results)

    def run(self, *options):
        """Compiles with `options` of pool-compile, links and runs. Returns a pair: a list with
        the results of each call, or None for a call without results; and the tools' messages."""
        for old in self.directory.glob("*.out*"):
            old.unlink()
        module, caller = self.directory / "module.mlir", self.directory / "caller.c"
        module.write_text("\n".join(self.texts))
        body = "".join(f"  call{i}();\n" for i in range(len(self.calls)))
        caller.write_text("\n\n".join([_PROLOGUE, *self.calls,
                                       f"int main(void) {{\n{body}  return 0;\n}}\n"]))
        library = [str(self.directory / "pool.o"), "-lm"]
        said = ""
        # A library that is preloaded on this machine does not load in the emulated program.
        emulate = [EMULATOR, "-U", "LD_PRELOAD", "-L", str(SYSROOT)]
        for command in (
                [tool("pool-compile"), str(module), "-o", library[0], f"--target={TRIPLE}",
                 f"--emit-header={self.directory / 'pool.h'}", *options],
                [COMPILER, f"--target={TRIPLE}", "-fuse-ld=lld", "-O1", "-Wall", "-Werror",
                 str(caller), *library, "-o", str(self.directory / "caller")],
                ["env", "-C", str(self.directory), *emulate, "./caller"]):
            process = run(command)
            said += process.stderr
            if process.returncode:
                said += f"{command[0]}: exit code {process.returncode}"
                break
        return [self._read(number, results) for number, results in enumerate(self.results)], said

    def _read(self, number, results):
        arrays = []
        for i, expected in enumerate(results):
            path = self.directory / f"{number}.out{i}"
            if not path.exists():
                return None
            data = path.read_bytes()
            shape = np.frombuffer(data[:8 * expected.ndim], "<i8")
            elements = np.frombuffer(data[8 * expected.ndim:], np.uint8)
            if elements.size != expected.dtype.itemsize * shape.prod():
                return None
            arrays.append(elements.view(expected.dtype).reshape(shape))
        return arrays
