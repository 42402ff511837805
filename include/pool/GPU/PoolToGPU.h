// The pipeline from tensors with pool operations to GPU kernels. Builds with
// POOL_STATIC_LLVM do not contain this library, because they have no code
// generators for GPUs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_GPU_POOLTOGPU_H
#define POOL_GPU_POOLTOGPU_H

#include "mlir/Pass/PassManager.h"
#include "pool/Pipelines/PipelineOptions.h"

namespace mlir::pool {

/// Options of the pipeline `pool-to-gpu`.
struct PoolToGPUOptions : public CheckedPipelineOptions<PoolToGPUOptions> {
  PassOptions::Option<std::string> target{
      *this, "target", llvm::cl::desc("nvvm, rocdl, vulkan or opencl")};
  PassOptions::Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Processor; sm_80 for nvvm and gfx90a for rocdl if "
                     "empty")};
  PassOptions::Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Features of the processor, such as +ptx80")};
  PassOptions::Option<std::string> format{
      *this, "format",
      llvm::cl::desc("isa (text) or bin (machine code) for nvvm and rocdl, "
                     "spirv or bin for vulkan, spirv for opencl; the first "
                     "if empty")};
  PassOptions::Option<int64_t> block{
      *this, "block",
      llvm::cl::desc("Threads of a block, 1 to 1024; 128 for vulkan and 256 "
                     "for others if 0"),
      llvm::cl::init(0)};
  PassOptions::Option<bool> host{
      *this, "host",
      llvm::cl::desc("Lower host code to the llvm dialect, with copies to and "
                     "from the device; for nvvm and rocdl"),
      llvm::cl::init(false)};
};

/// Adds the passes of `pool-to-gpu` to a pass manager on `builtin.module`.
///
/// Without the option `host`, functions take and return memrefs. Their bodies
/// contain `memref.alloc`, index arithmetic and `gpu.launch_func`. A kernel
/// becomes a `gpu.binary`. For Vulkan with `format=spirv` it becomes a
/// `spirv.module`, whose arguments are storage buffers in descriptor set 0; the
/// binding is the number of the argument.
void buildPoolToGPUPipeline(OpPassManager &pm, const PoolToGPUOptions &options);

/// Registers `pool-to-gpu` and the passes of this directory.
void registerPoolGPU();

} // namespace mlir::pool

#endif // POOL_GPU_POOLTOGPU_H
