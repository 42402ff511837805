"""Compiles functions by `--pool-to-gpu`, runs them on Vulkan, and asks each target's own tools.

`CHECKS` has the targets whose code cannot run here: OpenCL's SPIR-V goes through spirv-val,
PTX through ptxas, and GCN is linked by ld.lld.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np

from . import ptx
from .host_program import LLVM, Module, Unknown, offset, whole
from .tools import pool_opt, run

OPTIONS = {"vulkan": "target=vulkan", "opencl": "target=opencl format=spirv",
           "nvvm": "target=nvvm chip=sm_90 format=isa",
           "rocdl": "target=rocdl chip=gfx90a format=isa"}
# Assembles and links GCN.
LINK_GCN = (f'{LLVM}/llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx90a -filetype=obj "$1" -o "$1.o"'
            f' && {LLVM}/ld.lld -shared "$1.o" -o "$1.hsaco"')
# How a run on Vulkan may fail without the process
FAULTS = (Unknown, ptx.UnknownPTX, ValueError, RuntimeError, KeyError, TypeError)
ERROR = re.compile(r"^<stdin>:(\d+):\d+: error: (.*)$", re.MULTILINE)
SEPARATOR = "// -----\n"


def refusals(target, cells):
    """Returns for each cell a pattern of the error if the target cannot do it, or None."""
    if target not in ("vulkan", "opencl"):
        return [None] * len(cells)
    return ["bf16" if cell.element_type == "bf16" else
            "f64" if target == "vulkan" and cell.operation.name == "lp_pool"
            and cell.element_type == "f64" else
            "more than 64 bits" if wide else None
            for cell, wide in zip(cells, have_wide_sums(cells))]


def have_wide_sums(cells):
    """True for cells whose lowering to linalg has integers of 128 bits."""
    texts = [cell.function(f"f{i}") for i, cell in enumerate(cells)]
    lowered = pool_opt("\n".join(texts), "--convert-pool-to-linalg").stdout
    return ["i128" in part for part in lowered.split("func.func @")[1:]]


def pipeline(target):
    return f"--pool-to-gpu={OPTIONS[target]}"


def lower(text, target):
    """Returns the printed module and the first error; one of the two is None."""
    process = pool_opt(text, pipeline(target), "--mlir-print-op-generic")
    if process.returncode != 0:
        return None, process.stderr[:2000]
    return Module(process.stdout), None


def errors(target, texts):
    """Compiles each text by itself; returns the errors of each."""
    starts, line = [], 1
    for text in texts:
        starts.append(line)
        line += text.count("\n") + 1
    process = pool_opt(SEPARATOR.join(texts), pipeline(target), "--split-input-file")
    found = [[] for _ in texts]
    for at, message in ERROR.findall(process.stderr):
        found[max(i for i, start in enumerate(starts) if start <= int(at))].append(message)
    return found


class VulkanCode:
    """Functions of a module, with the SPIR-V of their kernels."""

    def __init__(self, text, device):
        self.device = device
        self.module, self.error = lower(text, "vulkan")
        self.code = {} if self.error else {
            name.removeprefix("__spv__"): code
            for name, code in self.module.spirv_modules().items()}

    def run(self, function, arrays):
        def launch(module, kernel, grid, _, operands):
            # A kernel computes with the offset and the strides of a view.
            self.device.launch(self.code[module], kernel, grid,
                               [whole(operand) if isinstance(operand, np.ndarray)
                                else np.array([operand], np.int32) for operand in operands])
        return self.module.run(function, arrays, launch)[0]


class InterpretedCode:
    """Functions of a module, with the PTX of their kernels, whose threads run in Python."""

    def __init__(self, text):
        self.module, self.error = lower(text, "nvvm")
        self.kernels = {} if self.error else {
            name: ptx.parse(code.decode("ascii").rstrip("\0"))
            for name, code in self.module.objects().items()}

    def run(self, function, arrays):
        def launch(module, kernel, grid, block, operands):
            kernel, found = self.kernels[module][kernel], {}
            for operand in operands:
                if isinstance(operand, np.ndarray):
                    buffer = whole(operand)
                    found.setdefault(address_of(buffer), buffer)
            places = {address: (i + 1) << ptx.BUFFER_BITS for i, address in enumerate(found)}
            buffers = [bytearray(array.tobytes()) for array in found.values()]
            values = kernel_arguments(operands, places, len(kernel.parameters))
            for group in itertools.product(*map(range, grid)):
                ptx.run_block(kernel, values, buffers, grid, group, block[0])
            for array, buffer in zip(found.values(), buffers):
                array[...] = np.frombuffer(buffer, array.dtype).reshape(array.shape)
        return self.module.run(function, arrays, launch)[0]


def signed_as(arrays, types):
    """Kernels have signless integers: gives arrays the signs of the operation's types."""
    return [array.view(dtype) if array.dtype.kind in "iu" and dtype.kind in "iu"
            and array.dtype.itemsize == dtype.itemsize else array
            for array, dtype in zip(arrays, types, strict=True)]


def address_of(array):
    return array.__array_interface__["data"][0]


def kernel_arguments(operands, places, count):
    """Returns the `count` numbers that a kernel of PTX gets: for each array its address by
    `places`, or its descriptor (the address twice, offset, extents, strides)."""
    values = []
    for operand in operands:
        if not isinstance(operand, np.ndarray):
            values.append(int(operand))
        elif count == len(operands):
            values.append(places[address_of(whole(operand))])
        else:
            place = places[address_of(whole(operand))]
            values += [place, place, offset(operand), *operand.shape,
                       *(stride // operand.itemsize for stride in operand.strides)]
    if len(values) != count:
        raise ValueError(f"a kernel has {count} parameters, and its launch {len(values)}")
    return values


def check_objects(target, text, suffix, command):
    """Returns the first error of pool-opt, or of the command on the code of a kernel."""
    module, error = lower(text, target)
    if error:
        return error
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"kernel.{suffix}"
        objects = module.objects()
        for name, code in objects.items():
            path.write_bytes(code.rstrip(b"\0") if suffix == "ptx" else code)
            process = run([*command, path])
            if process.returncode != 0:
                return f"{name}: {process.stderr[:2000]}"
    return None if objects else "there is no kernel"


CHECKS = {
    "opencl": lambda text: check_objects("opencl", text, "spv",
                                         ["spirv-val", "--target-env", "spv1.2"]),
    "nvvm": lambda text: check_objects("nvvm", text, "ptx",
                                       ["ptxas", "-arch=sm_90", "-o", "/dev/null"]),
    "rocdl": lambda text: check_objects("rocdl", text, "s", ["sh", "-c", LINK_GCN, "sh"]),
}


def is_available(target):
    tool = {"opencl": "spirv-val", "nvvm": "ptxas"}.get(target)
    return tool is None or shutil.which(tool) is not None
