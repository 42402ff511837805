"""Native code: the timing harness, and this project's compiled kernels.

A kernel is compiled to a shared library by the build under test and called
through its `_mlir_ciface_` entry (include/pool/Pipelines/Pipelines.h).
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import functools
import re
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "native"
MAX_ARGUMENTS = 4


class Failure(Exception):
    """A tool failed. The message is the tool's own."""


def run(command, text=None):
    process = subprocess.run([str(c) for c in command], input=text, capture_output=True,
                             text=True, check=False)
    if process.returncode != 0:
        raise Failure(f"{Path(str(command[0])).name} failed: {process.stderr.strip()[:1500]}")
    return process.stdout


@functools.cache
def tuning(cc, cpu):
    """Returns clang's options that tune code as getTuning() in TargetMachine.cpp does.

    All builds are tuned so, also those from before getTuning().
    """
    macros = run([cc, f"-march={cpu}", "-dM", "-E", "-xc", "/dev/null"])
    if "__AVX512VL__" not in macros:
        return []
    return ["-Xclang=-target-feature", "-Xclang=+fast-variable-crosslane-shuffle"]


class Call(ctypes.Structure):
    """`struct Call` of native/timing.c."""

    _fields_ = [("function", ctypes.c_void_p), ("arguments", ctypes.c_void_p * MAX_ARGUMENTS),
                ("num_arguments", ctypes.c_int64), ("num_returned", ctypes.c_int64),
                ("returned_bytes", ctypes.c_int64)]


class Move(ctypes.Structure):
    """`struct Move` of native/timing.c."""

    _fields_ = [("to", ctypes.c_void_p), ("source", ctypes.c_void_p),
                ("bytes", ctypes.c_int64), ("threads", ctypes.c_int64)]


class Toolchain:
    """The tools of a build directory, and the tools of the LLVM that it uses."""

    def __init__(self, build):
        self.build = Path(build)
        cache = self.build / "CMakeCache.txt"
        self.pool_opt = self.build / "bin" / "pool-opt"
        for path in (cache, self.pool_opt):
            if not path.exists():
                raise Failure(f"{path} does not exist: configure and build first")
        variables = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.MULTILINE))
        self.cc = variables["CMAKE_C_COMPILER"]
        # The variable holds PREFIX/lib/cmake/mlir.
        self.prefix = Path(variables["MLIR_DIR"]).parents[2]
        self._help = None

    def pipeline_options(self):
        """Returns what `pool-opt --help` prints about --pool-to-llvm."""
        if self._help is None:
            text = run([self.pool_opt, "--help"])
            match = re.search(r"^ +--pool-to-llvm .*\n((?:(?!^ {6}--).*\n)*)", text, re.MULTILINE)
            self._help = match.group(1) if match else ""
        return self._help

    def has_path(self, path):
        return re.search(rf"^ +={re.escape(path)}\s", self.pipeline_options(),
                         re.MULTILINE) is not None

    def has_option(self, name):
        return f"--{name}" in self.pipeline_options()

    def lower(self, text, options):
        """Lowers a module to LLVM IR."""
        lowered = run([self.pool_opt, f"--pool-to-llvm={options}"], text)
        return run([self.prefix / "bin" / "mlir-translate", "--mlir-to-llvmir"], lowered)

    def compile(self, llvm_ir, library, cpu="native", openmp=False):
        """Compiles a shared library for a processor."""
        source = Path(library).with_suffix(".ll")
        source.write_text(llvm_ir, encoding="utf-8")
        command = [self.cc, "-O3", f"-march={cpu}", "-fPIC", "-shared",
                   "-Wno-override-module", source, "-o", library, "-lm", *tuning(self.cc, cpu)]
        if openmp:
            command += [f"-L{self.prefix}/lib", f"-Wl,-rpath,{self.prefix}/lib", "-lomp"]
        run(command)
        return Path(library)


class Harness:
    """Compiles native/timing.c, unless `directory` has the compiled library, and loads it."""

    def __init__(self, toolchain, directory):
        source = SOURCES / "timing.c"
        library = Path(directory) / "timing.so"
        if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
            Path(directory).mkdir(parents=True, exist_ok=True)
            run([toolchain.cc, "-O3", "-march=native", "-std=gnu11", "-fPIC", "-shared",
                 "-fopenmp=libomp", f"-L{toolchain.prefix}/lib",
                 f"-Wl,-rpath,{toolchain.prefix}/lib", source, "-o", library])
        self.library = ctypes.CDLL(str(library))
        self.time = self.library.bench_time
        self.time.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        self.library.bench_keep_memory()

    def address(self, name):
        return ctypes.cast(getattr(self.library, name), ctypes.c_void_p).value


def address_of(library, name):
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


def make_call(function, arguments, num_returned=0, returned_bytes=0):
    """Makes a Call of the function at an address, with pointers to ctypes objects."""
    call = Call(function=function, num_arguments=len(arguments), num_returned=num_returned,
                returned_bytes=returned_bytes)
    for i, argument in enumerate(arguments):
        call.arguments[i] = ctypes.addressof(argument)
    return call


def descriptor_type(rank):
    """Returns MLIR's memref descriptor type of a rank."""
    class Descriptor(ctypes.Structure):  # pylint: disable=too-few-public-methods
        _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                    ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * rank),
                    ("strides", ctypes.c_int64 * rank)]
    return Descriptor


def descriptor(array):
    """Returns the descriptor of an array. The array must outlive the descriptor."""
    result = descriptor_type(array.ndim)()
    result.allocated = result.aligned = array.ctypes.data
    for d in range(array.ndim):
        result.sizes[d] = array.shape[d]
        result.strides[d] = array.strides[d] // array.itemsize
    return result


def text_bytes(library, nm_prefix):
    """Returns the bytes of the functions in a shared library's .text by llvm-nm, without
    its start-up code."""
    lines = run([Path(nm_prefix) / "bin" / "llvm-nm", "--print-size", "--defined-only",
                 library]).splitlines()
    start_up = ("_init", "_fini", "__do_global", "frame_dummy", "register_tm", "deregister_tm",
                "_dl_relocate", "call_weak_fn")
    total = 0
    for line in lines:
        parts = line.split()
        if len(parts) == 4 and parts[2] in "tTwW" and not parts[3].startswith(start_up):
            total += int(parts[1], 16)
    return total
