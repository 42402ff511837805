// Refuses options and operations that a GPU target does not support, before any
// kernel is made. Upstream's conversions report some of them late, and others
// not at all.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUTarget.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "pool/GPU/Passes.h"
#include "pool/Target/TargetMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLCHECKGPUTARGET
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Returns what SPIR-V lacks for `type`; empty if nothing.
static StringRef getSPIRVGap(Type type, bool isVulkan) {
  if (auto buffer = dyn_cast<MemRefType>(type); isVulkan && buffer) {
    // Kernels for Vulkan compute with indices of 32 bits.
    if (buffer.hasStaticShape() &&
        buffer.getNumElements() > std::numeric_limits<int32_t>::max())
      return "buffers of more than 2147483647 elements";
    Type element = buffer.getElementType();
    if (element.isIndex())
      return "buffers of index, whose elements would have 32 bits";
    if (element.isInteger() && !element.isInteger(1) &&
        element.getIntOrFloatBitWidth() % 8 != 0)
      return "buffers of integers that are not of whole bytes";
  }
  type = getElementTypeOrSelf(type);
  if (type.isBF16())
    return "bf16";
  if (type.isInteger() && type.getIntOrFloatBitWidth() > 64)
    return "integers of more than 64 bits, which sums of 64-bit elements need";
  if (auto floating = dyn_cast<FloatType>(type);
      floating && !isa<Float16Type, Float32Type, Float64Type>(type))
    return "floats other than f16, f32 and f64";
  return "";
}

static StringRef getSPIRVGap(Operation *op, bool isVulkan) {
  for (Type type : op->getResultTypes())
    if (StringRef gap = getSPIRVGap(type, isVulkan); !gap.empty())
      return gap;
  for (Type type : op->getOperandTypes())
    if (StringRef gap = getSPIRVGap(type, isVulkan); !gap.empty())
      return gap;
  // GLSL's instructions for these take 16 and 32 bits.
  if (isVulkan && isa<math::MathDialect>(op->getDialect()) &&
      op->getResult(0).getType().isF64() &&
      !isa<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
           math::TruncOp, math::FmaOp>(op))
    return "powers, roots, exponentials and other such functions of f64";
  return "";
}

namespace {
struct PoolCheckGPUTargetPass
    : pool::impl::PoolCheckGPUTargetBase<PoolCheckGPUTargetPass> {
  using PoolCheckGPUTargetBase::PoolCheckGPUTargetBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto fail = [&](const Twine &message) {
      return emitError(UnknownLoc::get(context)) << message;
    };
    const GPUTarget *found = findGPUTarget(target);
    if (!found)
      return fail("unknown target '" + target +
                  "': target= is one of nvvm, rocdl, vulkan and opencl");
    if (!format.empty() && !llvm::is_contained(found->formats, format))
      return fail("target=" + target + " has no format '" + format +
                  "': format= is one of " + llvm::join(found->formats, ", "));
    if (found->defaultChip.empty()) {
      if (!chip.empty() || !features.empty())
        return fail("target=" + target +
                    " has no chips or features: omit chip= and features=");
      if (host)
        return fail("target=" + target +
                    " has no host code: host=true is for nvvm and rocdl");
      return success();
    }
    if (llvm::Error error =
            checkTargetNames({found->triple.str(), chip, features}))
      return fail(llvm::toString(std::move(error)));
    SmallString<128> linker(ROCDL::getROCMPath());
    llvm::sys::path::append(linker, "llvm", "bin", "ld.lld");
    if (target == "rocdl" && format == "bin" && !llvm::sys::fs::exists(linker))
      return fail("target=rocdl format=bin links with ROCM_PATH/llvm/bin/"
                  "ld.lld, and there is no " +
                  linker + ": let ROCM_PATH name a folder that has one");
    return success();
  }

  void runOnOperation() override {
    if (target != "vulkan" && target != "opencl")
      return;
    getOperation()->walk([&](Operation *op) {
      // Folds create constants without a location; users have one.
      StringRef gap = op->hasTrait<OpTrait::ConstantLike>()
                          ? ""
                          : getSPIRVGap(op, target == "vulkan");
      if (gap.empty())
        return WalkResult::advance();
      op->emitError("target=") << target << " does not support " << gap;
      signalPassFailure();
      return WalkResult::interrupt();
    });
  }
};
} // namespace
