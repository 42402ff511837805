// The pipeline pool-to-gpu. Down to loops on buffers it uses lowerings of this
// project. Kernels are then made by upstream's conversions, and by passes of
// this project where upstream has gaps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/GPU/PoolToGPU.h"

#include "GPUTarget.h"

#include "mlir/Conversion/GPUToSPIRV/GPUToSPIRVPass.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/GPU/Passes.h"
#include "pool/Pipelines/Passes.h"

using namespace mlir;
using namespace mlir::pool;

static void addCleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Adds the passes from operations on tensors to parallel loops on buffers.
static void addLoops(OpPassManager &pm, const PoolSelectPlanOptions &machine) {
  pm.addPass(createStripQuantTypes());
  OpPassManager &tensors = pm.nest<func::FuncOp>();
  tensors.addPass(createPoolAdaptiveToWindow());
  tensors.addPass(createPoolSelectPlan(machine));
  tensors.addPass(createArithmeticToLinalg());
  ConvertPoolToLinalgOptions linalg;
  linalg.keepWindows = true;
  linalg.parallelChannels = true;
  tensors.addPass(createConvertPoolToLinalg(linalg));
  addCleanUp(tensors);
  tensors.addPass(createLinalgElementwiseOpFusionPass());
  addCleanUp(tensors);
  tensors.addPass(createSeparateDestinations());
  pm.addPass(createStripQuantTypes());
  pm.addPass(createRequireBufferizable());
  pm.addNestedPass<func::FuncOp>(createEliminateEmptyTensors());
  pm.addPass(createPoolBufferize());
  OpPassManager &buffers = pm.nest<func::FuncOp>();
  buffers.addPass(createPoolLowerGPUWindows());
  buffers.addPass(createConvertPoolToLoops());
  buffers.addPass(createForallToParallelLoopPass());
  buffers.addPass(createConvertLinalgToParallelLoopsPass());
  buffers.addPass(memref::createExpandStridedMetadataPass());
  buffers.addPass(createLowerAffinePass());
  addCleanUp(buffers);
  buffers.addPass(createLoopInvariantCodeMotionPass());
  addCleanUp(buffers);
}

/// Adds passes that expand mathematical functions which `target` does not have.
static void addMath(OpPassManager &pm, StringRef target) {
  // Keep the roundings to f16 and bf16.
  OpPassManager &funcs = pm.nest<func::FuncOp>();
  funcs.addPass(math::createMathExtendToSupportedTypes());
  funcs.addPass(createKeepRoundings());
  pm.addPass(createPoolExpandMath({target.str()}));
}

/// Adds the passes that convert kernels to the llvm dialect.
static void addLLVMKernels(OpPassManager &pm, const PoolToGPUOptions &options,
                           StringRef chip) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  addCleanUp(kernels);
  if (options.target == "opencl") {
    // LLVM turns llvm.maximum and llvm.minimum into OpenCL's fmax and fmin,
    // which do not preserve NaN. So expand them before.
    kernels.addPass(arith::createArithExpandOpsPass());
    ConvertGpuOpsToLLVMSPVOpsOptions spv;
    spv.use64bitIndex = true;
    kernels.addPass(createConvertGpuOpsToLLVMSPVOps(spv));
    kernels.addPass(createSCFToControlFlowPass());
    kernels.addPass(createConvertToLLVMPass());
  } else {
    kernels.addPass(createSCFToControlFlowPass());
    if (options.target == "nvvm") {
      kernels.addPass(createConvertGpuOpsToNVVMOps());
    } else {
      ConvertGpuOpsToROCDLOpsOptions rocdl;
      rocdl.chipset = chip.str();
      kernels.addPass(createConvertGpuOpsToROCDLOps(rocdl));
    }
    // Lower functions to LLVM's intrinsics first, because these need no
    // library.
    kernels.addPass(createConvertMathToLLVMPass());
  }
  kernels.addPass(createReconcileUnrealizedCastsPass());
  // LLVM emits invalid SPIR-V for descriptors of buffers. The folds of this
  // clean-up remove the descriptors.
  addCleanUp(kernels);
}

/// Adds the passes that convert kernels to spirv.module operations.
static void addVulkanKernels(OpPassManager &pm) {
  GpuSPIRVAttachTargetOptions spirv;
  spirv.spirvVersion = "v1.3";
  for (StringRef name :
       {"Shader", "Int64", "Int16", "Int8", "Float64", "Float16",
        "StorageBuffer16BitAccess", "StorageBuffer8BitAccess",
        "StorageUniform16", "UniformAndStorageBuffer8BitAccess"})
    spirv.spirvCapabilities.push_back(name.str());
  for (StringRef name : {"SPV_KHR_storage_buffer_storage_class",
                         "SPV_KHR_16bit_storage", "SPV_KHR_8bit_storage"})
    spirv.spirvExtensions.push_back(name.str());
  spirv.clientApi = "Vulkan";
  pm.addPass(createGpuSPIRVAttachTarget(spirv));
  pm.addPass(createPoolPrepareSPIRV());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  addCleanUp(kernels);
  kernels.addPass(createConvertMathToSPIRVPass());
  pm.addPass(createConvertGPUToSPIRVPass(/*mapMemorySpace=*/true));
  OpPassManager &modules = pm.nest<spirv::ModuleOp>();
  modules.addPass(spirv::createSPIRVLowerABIAttributesPass());
  addCleanUp(modules);
  modules.addPass(spirv::createSPIRVUpdateVCEPass());
}

/// Adds the passes that lower host code to the llvm dialect. The host code
/// calls functions of MLIR's GPU run-time wrappers.
static void addHost(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createConvertToLLVMPass());
  addCleanUp(pm);
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::pool::buildPoolToGPUPipeline(OpPassManager &pm,
                                        const PoolToGPUOptions &options) {
  const GPUTarget *target = findGPUTarget(options.target);
  // If the target is unknown, continue with another one: pool-check-gpu-target
  // rejects the unknown target before kernels are made.
  if (!target)
    target = gpuTargets;
  auto choose = [](StringRef value, StringRef otherwise) {
    return (value.empty() ? otherwise : value).str();
  };
  std::string chip = choose(options.chip, target->defaultChip);
  std::string features = choose(options.features, target->defaultFeatures);
  std::string format = choose(options.format, target->formats.front());

  int64_t block = options.block == 0 ? target->defaultBlock : options.block;
  PoolSelectPlanOptions machine;
  machine.triple = target->triple.str();
  machine.block = block;
  if (!target->defaultChip.empty()) {
    machine.cpu = chip;
    machine.features = features;
  }
  addLoops(pm, machine);
  addMath(pm, options.target);
  bool isVulkan = target->name == "vulkan";
  pm.addPass(createPoolMapToGPU({block, /*flatten=*/isVulkan}));
  pm.addPass(createPoolCheckGPUTarget(
      {options.target, format, chip, features, options.host}));
  if (options.host)
    pm.addNestedPass<func::FuncOp>(createPoolDeviceBuffers());
  pm.addPass(createGpuKernelOutliningPass());
  if (isVulkan) {
    addVulkanKernels(pm);
  } else {
    if (target->name == "nvvm") {
      GpuNVVMAttachTargetOptions nvvm;
      nvvm.chip = chip;
      nvvm.features = features;
      pm.addPass(createGpuNVVMAttachTarget(nvvm));
    } else if (target->name == "rocdl") {
      GpuROCDLAttachTargetOptions rocdl;
      rocdl.chip = chip;
      rocdl.features = features;
      pm.addPass(createGpuROCDLAttachTarget(rocdl));
    }
    addLLVMKernels(pm, options, chip);
  }
  pm.addPass(createPoolEmitKernels({options.target, format}));
  if (target->name == "nvvm" || target->name == "rocdl") {
    GpuModuleToBinaryPassOptions binary;
    binary.compilationTarget = format;
    pm.addPass(createGpuModuleToBinaryPass(binary));
  }
  if (options.host)
    addHost(pm);
}

void mlir::pool::registerPoolGPU() {
  registerPoolGPUPasses();
  PassPipelineRegistration<PoolToGPUOptions>(
      "pool-to-gpu",
      "Lower pool and upstream operations on tensors to GPU kernels, and host "
      "code that launches them",
      buildPoolToGPUPipeline);
}
