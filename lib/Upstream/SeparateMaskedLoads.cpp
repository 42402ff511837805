// Replaces masked loads that keep lanes of another vector, because they can
// crash LLVM 22's code generator for X86.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mlir::pool {
#define GEN_PASS_DEF_SEPARATEMASKEDLOADS
#include "pool/Upstream/Passes.h.inc"

/// True if `lanes` is zero, poison or undefined. A masked load returns these
/// lanes where its mask is not set.
static bool isZeroOrAnything(Value lanes) {
  return isa_and_nonnull<LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp>(
             lanes.getDefiningOp()) ||
         matchPattern(lanes, m_Zero()) || matchPattern(lanes, m_PosZeroFloat());
}

/// Makes `load` return zeros where the mask is not set, and combines its result
/// with the kept lanes by a bitwise or. A select instead of the or would not
/// help, because LLVM would merge it with the load again.
static void separate(LLVM::MaskedLoadOp load) {
  Location loc = load.getLoc();
  Value kept = load.getPassThru();
  auto type = cast<VectorType>(kept.getType());
  OpBuilder b(load);
  auto bits = type.clone(b.getIntegerType(type.getElementTypeBitWidth()));
  auto getZeros = [&](Type type) -> Value {
    return LLVM::ConstantOp::create(b, loc, b.getZeroAttr(type));
  };
  auto reinterpret = [&](Type type, Value lanes) -> Value {
    return lanes.getType() == type
               ? lanes
               : LLVM::BitcastOp::create(b, loc, type, lanes);
  };
  Value others = LLVM::SelectOp::create(b, loc, load.getMask(), getZeros(bits),
                                        reinterpret(bits, kept));
  load.getPassThruMutable().assign(getZeros(type));
  b.setInsertionPointAfter(load);
  Value lanes = reinterpret(bits, load.getRes());
  Value sum = LLVM::OrOp::create(b, loc, lanes, others);
  Value result = reinterpret(type, sum);
  // Replace all uses, except the one that leads to the or.
  Operation *first =
      lanes == load.getRes() ? sum.getDefiningOp() : lanes.getDefiningOp();
  load.getRes().replaceAllUsesExcept(result, first);
}

namespace {
struct SeparateMaskedLoads
    : impl::SeparateMaskedLoadsBase<SeparateMaskedLoads> {
  void runOnOperation() override {
    getOperation()->walk([&](LLVM::MaskedLoadOp load) {
      auto type = dyn_cast<VectorType>(load.getRes().getType());
      if (!type || !type.getElementType().isIntOrFloat() ||
          isZeroOrAnything(load.getPassThru()))
        return;
      separate(load);
      ++numSeparated;
    });
  }
};

} // namespace
} // namespace mlir::pool
