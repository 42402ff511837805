// Passes of the pipeline pool-to-gpu. They turn parallel loops on buffers into
// kernels, and into host code that launches the kernels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_GPU_PASSES
#define POOL_GPU_PASSES

include "mlir/Pass/PassBase.td"

def PoolLowerGPUWindows : Pass<"pool-lower-gpu-windows", "func::FuncOp"> {
  let summary = "Lower windows that have a plan for GPUs to loops";
  let description = [{
    Lowers each `pool.window_reduce` on buffers that has a plan to a parallel
    loop over its outputs, for `pool-map-to-gpu`. A plan that does not fit is an
    error, and so is one for CPUs. Run the pass before `convert-pool-to-loops`,
    which reads no plans and lowers all windows that are left.

    With the plan `gpu-output`, a thread runs each iteration. It goes over those
    taps of a window that lie inside the input or, with `clamp = true`, over all
    taps at coordinates clamped to the input, so that all threads run the same
    code.

    With the plan `gpu-subgroup`, a subgroup of threads runs each iteration:
    each thread reduces every `width`-th element of a plane, and shuffles merge
    the results.

    ```mlir
    pool.window_reduce <max> ins(%x : memref<1x64x100xi32>)
      outs(%y : memref<1x64x1xi32>) kernel [100] strides [1] dilations [1]
      pads_begin [0] pads_end [0]
      {pool.plan = #pool.plan<"gpu-subgroup", width = 2 : i64>}
    ```
    becomes
    ```mlir
    scf.parallel (%n, %c, %o) = (%c0, %c0, %c0) to (%c1, %c64, %c1) step (%c1, %c1, %c1) {
      %lane = gpu.lane_id upper_bound 2
      %lowest = arith.constant -2147483648 : i32
      %max = scf.for %i = %lane to %c100 step %c2 iter_args(%acc = %lowest) -> (i32) {
        %element = memref.load %x[%n, %c, %i] : memref<1x64x100xi32>
        %next = arith.maxsi %element, %acc : i32
        scf.yield %next : i32
      }
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %other, %valid = gpu.shuffle xor %max, %one, %two : i32
      %result = arith.maxsi %other, %max : i32
      memref.store %result, %y[%n, %c, %o] : memref<1x64x1xi32>
      scf.reduce
    }
    ```
  }];
  let dependentDialects = [
    "affine::AffineDialect", "arith::ArithDialect", "gpu::GPUDialect",
    "math::MathDialect", "memref::MemRefDialect", "scf::SCFDialect"
  ];
}

def PoolMapToGPU : Pass<"pool-map-to-gpu", "ModuleOp"> {
  let summary = "Turn loops on buffers into GPU kernels";
  let description = [{
    Takes functions after bufferisation, in which `scf.parallel` loops load and
    store buffers. Each outermost loop becomes a `gpu.launch`, with a thread for
    each iteration. Before that, the pass

    - turns each `memref.copy` into a loop nest. It is serial within a loop and
      parallel elsewhere.
    - moves allocations and arithmetic before the first loop.
    - fuses neighbouring loops of the same extents, unless a loop of the function
      allocates. A buffer that then only passes a value from one loop to the next
      disappears.
    - moves an allocation out of a loop without shuffles, and gives each iteration
      a slice. The buffer must have no memory space, only loads and stores, and a
      bound of each extent that is known before the loop.

    Buffers that are different arguments of a function must not overlap.

    If a loop has `gpu.shuffle`, a subgroup of threads runs each iteration, as
    many as the width of the shuffles. Only the first of them stores, and nothing
    waits for it: no other thread may need what an iteration stored. The width
    must equal the width of the device's subgroups, and divide `block`.

    The grid is one-dimensional. It continues in `y` after 65,535 blocks, which
    is all that Vulkan guarantees, and then in `z`. It is never empty. A kernel has
    the name of its function and `_kernel`, with `_` for characters that PTX does
    not take. Element types become signless, in the whole module.

    A loop that would stay on the host is an error, except for a serial nest
    without results. It runs in one thread, with a warning. `max_unpool` with
    indices into the whole tensor becomes such a nest.

    ```mlir
    func.func @f(%x: memref<200xf32>, %y: memref<200xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c200 = arith.constant 200 : index
      scf.parallel (%i) = (%c0) to (%c200) step (%c1) {
        %v = memref.load %x[%i] : memref<200xf32>
        memref.store %v, %y[%i] : memref<200xf32>
      }
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<200xf32>, %y: memref<200xf32>) {
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
        %block_size = arith.constant 256 : index
        %c200 = arith.constant 200 : index
        %first = arith.muli %bx, %block_size : index
        %i = arith.addi %first, %tx : index
        %inside = arith.cmpi ult, %i, %c200 : index
        scf.if %inside {
          %v = memref.load %x[%i] : memref<200xf32>
          memref.store %v, %y[%i] : memref<200xf32>
        }
        gpu.terminator
      }
      return
    }
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "gpu::GPUDialect", "memref::MemRefDialect",
    "scf::SCFDialect"
  ];
  let options = [
    Option<"block", "block", "int64_t", /*default=*/"256",
           "Threads of a block, 1 to 1024">,
    Option<"flatten", "flatten", "bool", /*default=*/"false",
           "Pass buffers of dynamic shape as one dimension, for SPIR-V">,
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels">,
    Statistic<"numBuffersRemoved", "num-buffers-removed",
              "Buffers between fused loops that disappeared">,
  ];
}

def PoolDeviceBuffers : Pass<"pool-device-buffers", "func::FuncOp"> {
  let summary = "Give kernels buffers of the device, and copy to and from them";
  let description = [{
    Runs between `pool-map-to-gpu` and `gpu-kernel-outlining`. Every buffer that
    a kernel uses gets a `gpu.alloc`. Arguments are copied to the device before
    the first kernel. Results, and arguments that a kernel stores to, are copied
    back after the last one. Buffers between kernels stay on the device.

    ```mlir
    func.func @f(%x: memref<256xf32>) -> memref<256xf32> {
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %y = memref.alloc() : memref<256xf32>
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
        %v = memref.load %x[%tx] : memref<256xf32>
        memref.store %v, %y[%tx] : memref<256xf32>
        gpu.terminator
      }
      return %y : memref<256xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<256xf32>) -> memref<256xf32> {
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %y = memref.alloc() : memref<256xf32>
      %dx = gpu.alloc () : memref<256xf32>
      gpu.memcpy %dx, %x : memref<256xf32>, memref<256xf32>
      %dy = gpu.alloc () : memref<256xf32>
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
        %v = memref.load %dx[%tx] : memref<256xf32>
        memref.store %v, %dy[%tx] : memref<256xf32>
        gpu.terminator
      }
      gpu.memcpy %y, %dy : memref<256xf32>, memref<256xf32>
      gpu.dealloc %dx : memref<256xf32>
      gpu.dealloc %dy : memref<256xf32>
      return %y : memref<256xf32>
    }
    ```
  }];
  let dependentDialects = ["gpu::GPUDialect", "memref::MemRefDialect"];
}

def PoolCheckGPUTarget : Pass<"pool-check-gpu-target", "ModuleOp"> {
  let summary = "Refuse what a GPU target cannot do";
  let description = [{
    Runs after `pool-map-to-gpu`. Rejects unknown targets, formats, chips and
    features, and features that do not fit the chip. In kernels, it rejects types
    and operations that the target cannot compute with. Vulkan and OpenCL have no
    bf16 and no integers of more than 64 bits. Vulkan has no powers, roots and
    logarithms of f64, and its kernels compute with indices of 32 bits.
    Upstream's conversion for Vulkan silently takes bf16 for f32, and LLVM's code
    generators end the process at some operations.

    With `target=vulkan` this is accepted, and the same with bf16 is the error
    "target=vulkan does not support bf16":

    ```mlir
    %0 = memref.load %x[%i] : memref<8xf32>
    ```
    stays
    ```mlir
    %0 = memref.load %x[%i] : memref<8xf32>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "nvvm, rocdl, vulkan or opencl">,
    Option<"format", "format", "std::string", /*default=*/"",
           "isa, bin or spirv; the target's first if empty">,
    Option<"chip", "chip", "std::string", /*default=*/"",
           "Processor, such as sm_80 or gfx90a">,
    Option<"features", "features", "std::string", /*default=*/"",
           "Features of the processor, such as +ptx80">,
    Option<"host", "host", "bool", /*default=*/"false",
           "Whether host code is wanted, too">,
  ];
}

def PoolExpandMath : Pass<"pool-expand-math", "ModuleOp"> {
  let summary = "Expand functions that a GPU target does not have";
  let description = [{
    Expands functions of numbers by upstream's patterns. For Vulkan and OpenCL,
    `math.erf` and `math.erfc` become polynomials in f32. `math.exp2` and
    `math.fpowi` for Vulkan, and inverse hyperbolic functions for OpenCL, become
    other functions. Divisions that round up or down become divisions with
    corrections. Other targets have libraries, and nothing changes.

    With `target=vulkan`

    ```mlir
    func.func @f(%x: f32) -> f32 {
      %y = math.exp2 %x : f32
      return %y : f32
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: f32) -> f32 {
      %ln2 = arith.constant 0.693147182 : f32
      %0 = arith.mulf %x, %ln2 : f32
      %y = math.exp %0 : f32
      return %y : f32
    }
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "math::MathDialect", "vector::VectorDialect"
  ];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "nvvm, rocdl, vulkan or opencl">,
  ];
}

def PoolPrepareSPIRV : Pass<"pool-prepare-spirv", "ModuleOp"> {
  let summary = "Prepare kernels for upstream's conversion to SPIR-V";
  let description = [{
    Run it between `gpu-kernel-outlining` and `convert-gpu-to-spirv`. It adds the
    attribute `spirv.entry_point_abi` with the size of a block, unless the size is
    unknown. It selects between the result and the initial value of each loop,
    because upstream loses the initial value of a loop without iterations. Powers
    follow C's rules for zeros, negative bases, infinities and NaN, which Vulkan
    does not promise.

    ```mlir
    gpu.module @kernels {
      gpu.func @f(%y: memref<1xf32>, %init: f32, %n: index) kernel
          attributes {known_block_size = array<i32: 256, 1, 1>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> f32 {
          %b = arith.mulf %a, %a : f32
          scf.yield %b : f32
        }
        memref.store %r, %y[%c0] : memref<1xf32>
        gpu.return
      }
    }
    ```
    becomes
    ```mlir
    gpu.module @kernels {
      gpu.func @f(%y: memref<1xf32>, %init: f32, %n: index) kernel
          attributes {known_block_size = array<i32: 256, 1, 1>,
                      spirv.entry_point_abi =
                        #spirv.entry_point_abi<workgroup_size = [256, 1, 1]>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> f32 {
          %b = arith.mulf %a, %a : f32
          scf.yield %b : f32
        }
        %runs = arith.cmpi slt, %c0, %n : index
        %s = arith.select %runs, %r, %init : f32
        memref.store %s, %y[%c0] : memref<1xf32>
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "spirv::SPIRVDialect"];
}

def PoolEmitKernels : Pass<"pool-emit-kernels", "ModuleOp"> {
  let summary = "Turn kernels into SPIR-V, and check that others are complete";
  let description = [{
    Runs last before `gpu-module-to-binary`, when kernels are in the llvm or the
    spirv dialect. For OpenCL, and for Vulkan with `format=bin`, each kernel
    becomes a `gpu.binary` with SPIR-V. For Vulkan, float arithmetic gets
    `no_contraction`: otherwise drivers may reassociate it, and the rounding of
    integer averages depends on its order.

    For NVVM and ROCDL, a call of a device library that is not installed is an
    error: without the library, code generation would leave the symbol
    unresolved. Square roots and absolute values need no library. They become
    instructions.

    With `target=nvvm`

    ```mlir
    gpu.module @kernels {
      llvm.func @__nv_sqrtf(f32) -> f32
      llvm.func @f(%x: f32) -> f32 {
        %root = llvm.call @__nv_sqrtf(%x) : (f32) -> f32
        llvm.return %root : f32
      }
    }
    ```
    becomes
    ```mlir
    gpu.module @kernels {
      llvm.func @__nv_sqrtf(f32) -> f32
      llvm.func @f(%x: f32) -> f32 {
        %root = llvm.intr.sqrt(%x) : (f32) -> f32
        llvm.return %root : f32
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "nvvm, rocdl, vulkan or opencl">,
    Option<"format", "format", "std::string", /*default=*/"",
           "isa, bin or spirv">,
  ];
}

#endif // POOL_GPU_PASSES
