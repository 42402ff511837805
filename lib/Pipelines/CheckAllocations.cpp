// Checks at run time that the size of a buffer of unknown extents fits a 64-bit
// integer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Dialect/Pool/Utils/IndexBounds.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <string>

namespace mlir::pool {
#define GEN_PASS_DEF_CHECKALLOCATIONS
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// Largest size of a buffer in bytes. A larger size fails the check.
static constexpr uint64_t kTooMany = uint64_t(1) << 63;

static void check(memref::AllocOp op) {
  Type element = op.getType().getElementType();
  DataLayout layout = DataLayout::closest(op);
  uint64_t bytes = llvm::alignTo(layout.getTypeSize(element).getFixedValue(),
                                 layout.getTypeABIAlignment(element));
  auto limit = static_cast<int64_t>(
      std::min<uint64_t>(kTooMany / std::max<uint64_t>(bytes, 1),
                         std::numeric_limits<int64_t>::max()));
  OpBuilder b(op);
  Value fits =
      pool::createProductFits(b, op.getLoc(), op.getMixedSizes(), limit);
  std::string message;
  llvm::raw_string_ostream(message)
      << op->getName() << " at " << op.getLoc() << ": a buffer of type "
      << op.getType() << " would have a negative extent, or more bytes than a "
      << "64-bit integer counts, where an extent of 0 counts as 1";
  cf::AssertOp::create(b, op.getLoc(), fits, message);
}

/// True if the size of an element of `type` is known here. The sizes of buffers
/// and of scalable vectors are not known.
static bool hasKnownSize(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? !vector.isScalable()
                : isa<IntegerType, IndexType, FloatType, ComplexType>(type);
}

namespace {
struct CheckAllocations : pool::impl::CheckAllocationsBase<CheckAllocations> {
  void runOnOperation() override {
    getOperation()->walk([](memref::AllocOp op) {
      if (!op.getDynamicSizes().empty() &&
          hasKnownSize(op.getType().getElementType()))
        check(op);
    });
  }
};
} // namespace
