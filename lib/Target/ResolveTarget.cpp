// Finds the machine that options describe.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/ResolveTarget.h"

#include "mlir/IR/Diagnostics.h"
#include "pool/Target/TargetMachine.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pool;

/// Largest width of a vector register in bits. This is the limit of RISC-V,
/// which is larger than those of all other targets.
static constexpr int64_t kMaxVectorBits = 65536;

/// Returns those options that are not empty, as text for errors.
static std::string describe(const TargetNames &names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto add = [&](StringRef option, StringRef value) {
    if (!value.empty())
      os << (text.empty() ? "" : " ") << option << "=" << value;
  };
  add("target", names.triple);
  add("mcpu", names.cpu);
  add("mattr", names.features);
  return text;
}

FailureOr<Target> mlir::pool::resolveTarget(const TargetNames &names,
                                            int64_t vectorBits,
                                            MLIRContext *context) {
  Location loc = UnknownLoc::get(context);
  if (vectorBits != 0 && (vectorBits < 64 || vectorBits > kMaxVectorBits ||
                          !llvm::isPowerOf2_64(vectorBits)))
    return emitError(loc) << "vector-bits must be a power of two from 64 to "
                          << kMaxVectorBits << ", but is " << vectorBits;
  if (names.isEmpty())
    return vectorBits ? Target::getGeneric(vectorBits) : Target();
  llvm::Expected<Target> target = Target::get(names, vectorBits);
  if (!target)
    return emitError(loc) << describe(names) << ": "
                          << llvm::toString(target.takeError());
  return *target;
}

FailureOr<std::optional<GPU>> mlir::pool::resolveGPU(const TargetNames &names,
                                                     MLIRContext *context) {
  llvm::Triple triple(llvm::Triple::normalize(names.triple));
  if (!triple.isGPU())
    return std::optional<GPU>();
  if (llvm::Error error =
          checkTargetNames({triple.str(), names.cpu, names.features}))
    return emitError(UnknownLoc::get(context))
           << describe(names) << ": " << llvm::toString(std::move(error));
  GPU gpu;
  if (triple.isNVPTX())
    gpu.subgroupWidth = 32;
  if (triple.isAMDGPU()) {
    std::string message;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, message);
    std::unique_ptr<llvm::MCSubtargetInfo> known(
        target->createMCSubtargetInfo(triple, names.cpu, names.features));
    gpu.subgroupWidth = known->checkFeatures("+wavefrontsize64") ? 64 : 32;
  }
  return std::optional(gpu);
}

LogicalResult mlir::pool::checkBlock(int64_t block, MLIRContext *context) {
  if (block >= 1 && block <= 1024)
    return success();
  return emitError(UnknownLoc::get(context), "block=")
         << block << " is not between 1 and 1024 threads";
}
