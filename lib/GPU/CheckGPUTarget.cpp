// Rejects options and operations that a GPU target does not support, before any
// kernel is made. Upstream's conversions report some of them late, and others
// not at all.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUTarget.h"

#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "pool/GPU/Passes.h"
#include "pool/Target/TargetMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetOptions.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLCHECKGPUTARGET
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

FailureOr<const GPUTarget *>
pool::getGPUTarget(MLIRContext *context, StringRef name, StringRef format) {
  Location loc = UnknownLoc::get(context);
  const GPUTarget *target = findGPUTarget(name);
  if (!target)
    return emitError(loc) << "unknown target '" << name << "': target= is one "
                          << "of nvvm, rocdl, vulkan and opencl";
  if (!format.empty() && !llvm::is_contained(target->formats, format))
    return emitError(loc) << "target=" << name << " has no format '" << format
                          << "': format= is one of "
                          << llvm::join(target->formats, ", ");
  return target;
}

/// Returns what `target` lacks for values of `type`, as text for an error.
/// Returns an empty string if it lacks nothing.
static std::string getGap(Type type, StringRef target) {
  bool isVulkan = target == "vulkan", isSPIRV = isVulkan || target == "opencl";
  if (isa<UnrankedMemRefType>(type))
    return "buffers of unknown rank";
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    if (!buffer.isStrided())
      return "buffers whose layout is not one of strides";
    // An index of an element has 32 bits on Vulkan.
    if (isVulkan && buffer.hasStaticShape() &&
        buffer.getNumElements() > std::numeric_limits<int32_t>::max())
      return "buffers of more than 2147483647 elements";
    Type element = buffer.getElementType();
    if (isVulkan && element.isIndex())
      return "buffers of index, whose elements would have 32 bits";
  }
  if (isVulkan && isa<VectorType>(type))
    return "vectors";
  type = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  if (type.isInteger()) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (isSPIRV && width > 64)
      return "integers of more than 64 bits, which sums of 64-bit elements "
             "need";
    if (width > 128)
      return "integers of more than 128 bits";
    if (isSPIRV && width != 1 && (width < 8 || !llvm::isPowerOf2_32(width)))
      return "integers that do not have 1, 8, 16, 32 or 64 bits";
  }
  if (type.isBF16() && isSPIRV)
    return "bf16";
  if (isa<FloatType>(type) &&
      !isa<BFloat16Type, Float16Type, Float32Type, Float64Type>(type))
    return isSPIRV ? "floats other than f16, f32 and f64"
                   : "floats other than f16, bf16, f32 and f64";
  return "";
}

/// True if upstream or LLVM cannot lower `op` for `target`, or would end the
/// process. Requires that `target` supports all types of `op`.
static bool isUnsupported(Operation *op, StringRef target) {
  bool isVulkan = target == "vulkan", isSPIRV = isVulkan || target == "opencl";
  bool isMath = isa<math::MathDialect>(op->getDialect());
  auto has = [&](auto predicate) {
    return llvm::any_of(op->getOperandTypes(), predicate) ||
           llvm::any_of(op->getResultTypes(), predicate);
  };
  auto isBit = [](Type type) { return type.isInteger(1); };
  bool hasBit = has(isBit);
  bool hasIndex = has([](Type type) { return type.isIndex(); });
  bool isWide = has([](Type type) { return type.isInteger(128); });
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return isWide || hasBit;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return isWide || (isVulkan && hasBit && isa<arith::SIToFPOp>(op));
  if (isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp,
          arith::AddUIExtendedOp>(op))
    return hasIndex || (isVulkan && isBit(op->getOperand(0).getType())) ||
           (target == "opencl" && op->getOperand(0).getType().isInteger(64) &&
            !isa<arith::AddUIExtendedOp>(op));
  if (isVulkan && hasBit && isa<arith::ArithDialect>(op->getDialect()))
    return isBit(op->getResult(0).getType()) &&
           !isa<arith::ConstantOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
                arith::CmpIOp, arith::CmpFOp, arith::SelectOp, arith::TruncIOp>(
               op);
  if (isa<math::IPowIOp, math::IsNormalOp>(op) || (isMath && hasIndex))
    return true;
  if (isSPIRV && isa<math::ErfOp, math::ErfcOp, math::CbrtOp>(op))
    return true;
  if (isSPIRV && isMath && hasBit && isBit(op->getOperand(0).getType()))
    return true;
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  if (isVulkan)
    return isa<math::CtPopOp, math::CountTrailingZerosOp, math::FPowIOp,
               math::Atan2Op, math::IsFiniteOp, math::TruncOp>(op) ||
           (isa<math::AbsIOp>(op) && type.isInteger(64)) ||
           (isa<math::CountLeadingZerosOp>(op) && !type.isInteger(32));
  return isa<math::IsInfOp>(op) && target != "nvvm";
}

/// Returns what `target` lacks for `op`, as text for an error. Returns an empty
/// string if it lacks nothing.
static std::string getGap(Operation *op, StringRef target) {
  if (!op->isRegistered())
    return llvm::formatv("'{0}', which is not registered", op->getName());
  auto types = llvm::concat<Type>(op->getResultTypes(), op->getOperandTypes());
  for (Type type : types)
    if (std::string gap = getGap(type, target); !gap.empty())
      return gap;
  // Kernels for Vulkan compute indices in 32 bits.
  llvm::APInt index;
  if (target == "vulkan")
    for (Value operand : op->getOperands())
      if (operand.getType().isIndex() &&
          matchPattern(operand, m_ConstantInt(&index)) &&
          !index.isSignedIntN(32))
        return llvm::formatv("extents, strides and indices of more than 32 "
                             "bits, such as {0}",
                             index.getSExtValue());
  if (isUnsupported(op, target))
    return llvm::formatv("'{0}' of {1}", op->getName(), *types.begin());
  // GLSL's instructions for these functions support only 16 and 32 bits.
  if (target == "vulkan" && isa<math::MathDialect>(op->getDialect()) &&
      op->getOperand(0).getType().isF64() &&
      !isa<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
           math::FmaOp, math::AbsFOp, math::IsNaNOp, math::IsInfOp,
           math::CopySignOp>(op))
    return "powers, roots, exponentials and other such functions of f64";
  return "";
}

/// Returns the oldest version of PTX that supports the processor `chip`, times
/// 10: 78 is PTX 7.8. LLVM writes this version at the beginning of the PTX of
/// an empty module. For a version that is too old, LLVM would end the process.
static unsigned getOldestPTX(const llvm::Triple &triple, StringRef chip) {
  std::string message;
  llvm::LLVMContext context;
  llvm::Module empty("empty", context);
  std::unique_ptr<llvm::TargetMachine> machine(
      llvm::TargetRegistry::lookupTarget(triple, message)
          ->createTargetMachine(triple, chip, "", llvm::TargetOptions(),
                                std::nullopt));
  empty.setTargetTriple(triple);
  empty.setDataLayout(machine->createDataLayout());
  SmallString<256> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, os, nullptr,
                               llvm::CodeGenFileType::AssemblyFile);
  passes.run(empty);
  unsigned major = 0, minor = 0;
  StringRef version = text.str().split(".version ").second;
  version.consumeInteger(10, major);
  version.consume_front(".");
  version.consumeInteger(10, minor);
  return 10 * major + minor;
}

/// Returns an error message if LLVM would end the process later, otherwise an
/// empty string. LLVM does so if it knows a feature but the processor does not
/// support it, and for AMD processors older than gfx801, which lack the
/// addressing that kernels use.
static std::string checkChip(const GPUTarget &target, StringRef chip,
                             StringRef features) {
  SmallVector<StringRef> list;
  features.split(list, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (target.name == "rocdl") {
    FailureOr<amdgpu::Chipset> version = amdgpu::Chipset::parse(chip);
    if (failed(version) || version->majorVersion < 8)
      return llvm::formatv("target=rocdl has no chip '{0}': chip= is one from "
                           "gfx801 on",
                           chip);
    for (StringRef feature : list)
      if (!llvm::is_contained({"xnack", "sramecc", "cumode", "tgsplit"},
                              feature.drop_front()))
        return llvm::formatv("target=rocdl does not support '{0}': features= "
                             "may switch xnack, sramecc, cumode and tgsplit",
                             feature);
    return "";
  }
  unsigned newest = 0;
  for (StringRef feature : list) {
    unsigned version = 0;
    if (!feature.starts_with("+ptx") ||
        feature.drop_front(4).getAsInteger(10, version))
      return llvm::formatv("target=nvvm does not support '{0}': features= is a "
                           "version of PTX, such as +ptx80",
                           feature);
    newest = std::max(newest, version);
  }
  if (list.empty())
    return "";
  unsigned oldest = getOldestPTX(llvm::Triple(target.triple), chip);
  if (newest >= oldest)
    return "";
  return llvm::formatv("chip={0} needs features=+ptx{1} or newer, and not "
                       "+ptx{2}",
                       chip, oldest, newest);
}

namespace {
struct PoolCheckGPUTargetPass
    : pool::impl::PoolCheckGPUTargetBase<PoolCheckGPUTargetPass> {
  using PoolCheckGPUTargetBase::PoolCheckGPUTargetBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto fail = [&](const Twine &message) {
      return emitError(UnknownLoc::get(context)) << message;
    };
    FailureOr<const GPUTarget *> named = getGPUTarget(context, target, format);
    if (failed(named))
      return failure();
    const GPUTarget *found = *named;
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
    if (std::string why = checkChip(*found, chip, features); !why.empty())
      return fail(why);
    SmallString<128> linker(ROCDL::getROCMPath());
    llvm::sys::path::append(linker, "llvm", "bin", "ld.lld");
    if (target == "rocdl" && format == "bin" && !llvm::sys::fs::exists(linker))
      return fail("target=rocdl format=bin links with ROCM_PATH/llvm/bin/"
                  "ld.lld, and there is no " +
                  linker + ": let ROCM_PATH name a folder that has one");
    return success();
  }

  void runOnOperation() override {
    auto check = [&](Operation *op) {
      // Do not report constants: folds create them without a location. Their
      // users have a location.
      std::string gap =
          op->hasTrait<OpTrait::ConstantLike>() ? "" : getGap(op, target);
      if (gap.empty())
        return WalkResult::advance();
      op->emitError("target=") << target << " does not support " << gap;
      signalPassFailure();
      return WalkResult::interrupt();
    };
    getOperation()->walk(
        [&](gpu::LaunchOp launch) { return launch.getBody().walk(check); });
  }
};
} // namespace
