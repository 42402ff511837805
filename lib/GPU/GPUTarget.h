// The targets of pool-to-gpu: their names, formats, default processors and
// triples.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_GPUTARGET_H
#define POOL_LIB_GPU_GPUTARGET_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

// Functions of upstream. They are declared here because their headers include
// the whole dialects NVVM and ROCDL, which take half a minute to compile.
namespace mlir::NVVM {
StringRef getCUDAToolkitPath();
} // namespace mlir::NVVM
namespace mlir::ROCDL {
StringRef getROCMPath();
} // namespace mlir::ROCDL

namespace mlir::pool {

struct GPUTarget {
  llvm::StringRef name;
  /// Formats in which kernels can be emitted. The first is the default.
  llvm::ArrayRef<llvm::StringRef> formats;
  /// Triple for LLVM's code generator. For Vulkan, it only selects plans.
  llvm::StringRef triple;
  llvm::StringRef defaultChip, defaultFeatures;
  /// Default number of threads in a block. Vulkan guarantees only 128.
  int64_t defaultBlock;
};

inline constexpr llvm::StringRef textAndCode[] = {"isa", "bin"};
inline constexpr llvm::StringRef spirvAndCode[] = {"spirv", "bin"};
inline constexpr llvm::StringRef spirvOnly[] = {"spirv"};
inline constexpr GPUTarget gpuTargets[] = {
    {"nvvm", textAndCode, "nvptx64-nvidia-cuda", "sm_80", "", 256},
    {"rocdl", textAndCode, "amdgcn-amd-amdhsa", "gfx90a", "", 256},
    {"vulkan", spirvAndCode, "spirv-unknown-vulkan", "", "", 128},
    {"opencl", spirvOnly, "spirv64v1.2-unknown-unknown", "", "", 256},
};

/// Returns the target with the name `name`, or null if there is none.
inline const GPUTarget *findGPUTarget(llvm::StringRef name) {
  const GPUTarget *target = llvm::find_if(
      gpuTargets, [&](const GPUTarget &other) { return other.name == name; });
  return target == std::end(gpuTargets) ? nullptr : target;
}

/// Returns the target with the name `name`. Emits an error if there is none, or
/// if it does not have the format `format`. An empty `format` means the
/// default.
FailureOr<const GPUTarget *> getGPUTarget(MLIRContext *context,
                                          llvm::StringRef name,
                                          llvm::StringRef format);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_GPUTARGET_H
