# REQUIRES: vulkan, tier-land
# RUN: %doors_python %s
"""Checks the runner of kernels that other tests trust: pooltest/host_program.py and vulkan.py.

A kernel of upstream's passes doubles the elements of a buffer. The host function computes the
kernel's grid from an extent that is known only at run time, and launches nothing for an empty
buffer. The runner must find a kernel that stores beyond its buffer, too many groups, and an
unknown host operation.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from pooltest.host_program import LLVM, Module, Unknown
from pooltest.report import Report, main
from pooltest.tools import run as run_tool
from pooltest.vulkan import MAX_GROUPS, Device

PASSES = ("lower-affine,gpu-kernel-outlining,"
          "spirv-attach-target{ver=v1.3 caps=Shader,Int64,Int8,StorageBuffer8BitAccess,Float64 "
          "exts=SPV_KHR_storage_buffer_storage_class,SPV_KHR_8bit_storage client_api=Vulkan}")
TO_SPIRV = ("convert-gpu-to-spirv,"
            "spirv.module(spirv-lower-abi-attrs,canonicalize,spirv-update-vce)")
DOUBLE = """
func.func @double(%x: memref<?xTYPE>) -> memref<?xTYPE> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?xTYPE>
  %y = memref.alloc(%n) : memref<?xTYPE>
  %groups = arith.ceildivui %n, %c64 : index
  %some = arith.cmpi ne, %n, %c0 : index
  scf.if %some {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %groups, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %b = arith.muli %bx, %c64 : index
      %i = arith.addi %b, %tx : index
      %inside = arith.cmpi ult, %i, %LIMIT : index
      scf.if %inside {
        %a = memref.load %x[%i] : memref<?xTYPE>
        %d = arith.ADD %a, %a : TYPE
        memref.store %d, %y[%i] : memref<?xTYPE>
      }
      gpu.terminator
    }
  }
  return %y : memref<?xTYPE>
}
"""


def mlir_opt(text, passes, *options):
    process = run_tool([LLVM / "mlir-opt", f"--pass-pipeline=builtin.module({passes})", *options],
                       stdin=text)
    if process.returncode != 0:
        raise RuntimeError(process.stderr[:3000])
    return process.stdout


def compile_double(element_type, limit="n"):
    """Returns the host functions, and the SPIR-V of the kernel."""
    text = DOUBLE.replace("TYPE", element_type).replace("LIMIT", limit)
    text = text.replace("ADD", "addf" if element_type.startswith("f") else "addi")
    outlined = mlir_opt(text, PASSES).replace(
        "kernel attributes {", "kernel attributes {spirv.entry_point_abi = "
        "#spirv.entry_point_abi<workgroup_size = [64, 1, 1]>, ")
    module = Module(mlir_opt(outlined, TO_SPIRV, "--mlir-print-op-generic"))
    return module, module.spirv_modules()["__spv__double_kernel"]


def call(device, module, code, array):
    def launch(_, kernel, grid, block, operands):
        assert block == (64, 1, 1)
        device.launch(code, kernel, grid, [o if isinstance(o, np.ndarray) else
                                           np.array([o], np.int32) for o in operands])
    return module.run("double", [array], launch)


def failure(call_it):
    try:
        call_it()
    except (RuntimeError, ValueError, Unknown) as error:
        return str(error)
    return "nothing was raised"


def run():
    report, device = Report("vulkan_kernels"), Device()
    report.count(f"on {device.name}")
    for element_type, dtype in (("f32", np.float32), ("f64", np.float64), ("i8", np.int8),
                                ("i32", np.int32), ("i64", np.int64)):
        module, code = compile_double(element_type)
        for size in (0, 1, 64, 65, 1000):
            array = np.arange(size).astype(dtype)
            results, launches = call(device, module, code, array)
            report.expect((results[0] == array + array).all() and results[0].shape == array.shape,
                          f"{element_type}, {size} elements", actual=results[0])
            report.expect(launches == (size > 0), f"{size} elements: {launches} launches")
            report.count("buffers doubled")
    module, code = compile_double("f32", limit="c64")
    found = failure(lambda: call(device, module, code, np.zeros(60, np.float32)))
    report.expect("stores beyond the end" in found, "a store beyond the buffer", found)
    found = failure(lambda: device.launch(code, "double_kernel", (MAX_GROUPS + 1, 1, 1), []))
    report.expect("groups" in found, "too many groups", found)
    odd = Module('"builtin.module"() ({\n  "func.func"() <{function_type = () -> (), '
                 'sym_name = "f"}> ({\n  ^bb0():\n    "odd.op"() : () -> ()\n'
                 '    "func.return"() : () -> ()\n  }) : () -> ()\n}) : () -> ()\n')
    found = failure(lambda: odd.run("f", [], None))
    report.expect(found == "odd.op", "an unknown operation", found)
    report.count("faults found", 3)
    return report.finish()


if __name__ == "__main__":
    main(run)
