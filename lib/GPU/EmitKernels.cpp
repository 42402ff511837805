// Emits SPIR-V of kernels for OpenCL and Vulkan, because upstream has no pass
// that does this for a gpu.module. For other targets, checks that kernels call
// no function of a missing library.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/SPIRV/Serialization.h"
#include "pool/GPU/Passes.h"
#include "pool/Target/TargetMachine.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetOptions.h"
#include <deque>
#include <mutex>

namespace mlir::pool {
#define GEN_PASS_DEF_POOLEMITKERNELS
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Replaces `module` by a gpu.binary of the same name that contains `code`.
static void replaceByBinary(gpu::GPUModuleOp module, Attribute target,
                            StringRef code) {
  OpBuilder b(module);
  Attribute object = gpu::ObjectAttr::get(
      b.getContext(), target, gpu::CompilationTarget::Binary,
      b.getStringAttr(code), DictionaryAttr(), gpu::KernelTableAttr());
  gpu::BinaryOp::create(b, module.getLoc(), module.getName(),
                        /*offloadingHandler=*/Attribute(),
                        b.getArrayAttr(object));
  module.erase();
}

namespace {
/// The LLVM objects that emit the SPIR-V of one gpu.module.
struct Emission {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::legacy::PassManager passes;
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream os{code};

  bool addPasses();
};
} // namespace

/// Adds the passes of `addPassesToEmitFile`, except for the last one, which
/// frees functions. Returns false if LLVM cannot emit code.
bool Emission::addPasses() {
  llvm::TargetPassConfig *config = machine->createPassConfig(passes);
  auto *info = new llvm::MachineModuleInfoWrapperPass(machine.get());
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  return !machine->addAsmPrinter(passes, os, nullptr,
                                 llvm::CodeGenFileType::ObjectFile,
                                 info->getMMI().getContext());
}

/// Returns SPIR-V for OpenCL of the kernels in `module`, which are in the llvm
/// dialect. The LLVM objects are never freed. The reason: LLVM's SPIR-V backend
/// has a static table of block numbers, whose keys are addresses of functions,
/// and never clears it. A new function at the address of a freed one would get
/// the wrong numbers.
static FailureOr<std::string> emitOpenCL(gpu::GPUModuleOp module) {
  static std::mutex mutex;
  static auto &emissions = *new std::deque<Emission>();
  std::lock_guard<std::mutex> lock(mutex);
  initializeTargets();
  llvm::Triple triple(findGPUTarget("opencl")->triple);
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return module.emitError(message);
  Emission &emission = emissions.emplace_back();
  emission.machine.reset(target->createTargetMachine(
      triple, "", "", llvm::TargetOptions(), std::nullopt));
  emission.module = translateModuleToLLVMIR(module, emission.context);
  if (!emission.module)
    return failure();
  emission.module->setTargetTriple(triple);
  emission.module->setDataLayout(emission.machine->createDataLayout());
  if (!emission.addPasses())
    return module.emitError("LLVM has no SPIR-V for this target");
  emission.passes.run(*emission.module);
  return emission.code.str().str();
}

/// Marks `op` if it adds, subtracts, multiplies or divides floats. The mark
/// forbids Vulkan's drivers to reassociate `op` or to fuse it with another
/// operation.
static void forbidContraction(Operation *op) {
  if (isa<spirv::FAddOp, spirv::FSubOp, spirv::FMulOp, spirv::FDivOp>(op))
    op->setAttr("no_contraction", UnitAttr::get(op->getContext()));
}

/// True if `path` is not empty and the folder `path` contains `file`.
static bool hasLibrary(StringRef path, const Twine &file) {
  SmallString<128> name(path);
  llvm::sys::path::append(name, file);
  return !path.empty() && llvm::sys::fs::exists(name);
}

namespace {
struct PoolEmitKernelsPass
    : pool::impl::PoolEmitKernelsBase<PoolEmitKernelsPass> {
  using PoolEmitKernelsBase::PoolEmitKernelsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return success(succeeded(getGPUTarget(context, target, format)));
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, spirv::SPIRVDialect>();
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    LogicalResult result = success();
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (target == "opencl") {
        FailureOr<std::string> code = emitOpenCL(module);
        if (failed(code))
          return signalPassFailure();
        replaceByBinary(module, spirv::getDefaultTargetEnv(&getContext()),
                        *code);
      } else if (target != "vulkan") {
        result =
            success(succeeded(verifyComplete(module)) && succeeded(result));
      }
    if (target == "vulkan")
      getOperation()->walk(forbidContraction);
    if (target == "vulkan" && format == "bin")
      result = emitVulkan();
    if (failed(result))
      signalPassFailure();
  }

private:
  LogicalResult verifyComplete(gpu::GPUModuleOp module);
  LogicalResult emitVulkan();
};
} // namespace

/// Replaces calls of libdevice's sqrt and fabs by operations of the llvm
/// dialect, for which the processor has instructions.
static void useInstructions(gpu::GPUModuleOp module) {
  module.walk([](LLVM::CallOp call) {
    StringRef callee = call.getCallee().value_or("");
    bool isRoot = callee == "__nv_sqrtf" || callee == "__nv_sqrt";
    if (!isRoot && callee != "__nv_fabsf" && callee != "__nv_fabs")
      return;
    OpBuilder b(call);
    Value operand = call->getOperand(0);
    Value result =
        isRoot ? LLVM::SqrtOp::create(b, call.getLoc(), operand).getResult()
               : LLVM::FAbsOp::create(b, call.getLoc(), operand).getResult();
    call.getResult().replaceAllUsesWith(result);
    call.erase();
  });
}

LogicalResult PoolEmitKernelsPass::verifyComplete(gpu::GPUModuleOp module) {
  bool isNvidia = target == "nvvm";
  useInstructions(module);
  if (isNvidia ? hasLibrary(NVVM::getCUDAToolkitPath(),
                            "nvvm/libdevice/libdevice.10.bc")
               : hasLibrary(ROCDL::getROCMPath(), "amdgcn/bitcode/ocml.bc"))
    return success();
  WalkResult result = module.walk([&](LLVM::CallOp call) -> WalkResult {
    StringRef callee = call.getCallee().value_or("");
    if (!callee.starts_with("__nv_") && !callee.starts_with("__ocml_"))
      return success();
    return call.emitError("target=")
           << target << " needs " << callee << " of "
           << (isNvidia
                   ? "libdevice: let CUDA_HOME name a CUDA toolkit that "
                     "contains nvvm/libdevice/libdevice.10.bc"
                   : "ROCm's device libraries: let ROCM_PATH name a folder "
                     "that contains amdgcn/bitcode/ocml.bc");
  });
  return failure(result.wasInterrupted());
}

LogicalResult PoolEmitKernelsPass::emitVulkan() {
  SymbolTable symbols(getOperation());
  for (auto module :
       llvm::make_early_inc_range(getOperation().getOps<spirv::ModuleOp>())) {
    SmallVector<uint32_t> words;
    if (failed(spirv::serialize(module, words)))
      return failure();
    // convert-gpu-to-spirv makes this name from that of the gpu.module.
    StringRef name = *module.getName();
    name.consume_front("__spv__");
    auto kernels = symbols.lookup<gpu::GPUModuleOp>(name);
    if (!kernels)
      return module.emitError("belongs to no gpu.module");
    replaceByBinary(kernels, spirv::lookupTargetEnvOrDefault(module),
                    StringRef(reinterpret_cast<const char *>(words.data()),
                              words.size() * sizeof(uint32_t)));
    module.erase();
  }
  return success();
}
