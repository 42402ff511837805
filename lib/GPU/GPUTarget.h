// The targets of pool-to-gpu by name, with their formats and device libraries.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_GPUTARGET_H
#define POOL_LIB_GPU_GPUTARGET_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

// Upstream's functions, declared here because their headers include all of the
// dialects NVVM and ROCDL, which take half a minute to compile.
namespace mlir::NVVM {
StringRef getCUDAToolkitPath();
} // namespace mlir::NVVM
namespace mlir::ROCDL {
StringRef getROCMPath();
} // namespace mlir::ROCDL

namespace mlir::pool {

struct GPUTarget {
  llvm::StringRef name;
  /// Formats of kernels; the first is the default.
  llvm::ArrayRef<llvm::StringRef> formats;
  /// Triple of LLVM's code generator. For Vulkan, it only chooses plans.
  llvm::StringRef triple;
  llvm::StringRef defaultChip, defaultFeatures;
  /// Threads of a block. Vulkan guarantees no more than 128.
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

/// Returns the target of that name, or null.
inline const GPUTarget *findGPUTarget(llvm::StringRef name) {
  const GPUTarget *target = llvm::find_if(
      gpuTargets, [&](const GPUTarget &other) { return other.name == name; });
  return target == std::end(gpuTargets) ? nullptr : target;
}

/// Returns the target of that name. Emits an error if there is none, or if it
/// does not have `format`, which may be empty.
FailureOr<const GPUTarget *> getGPUTarget(MLIRContext *context,
                                          llvm::StringRef name,
                                          llvm::StringRef format);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_GPUTARGET_H
