// Rewrites the copies that upstream would lower to a call of its runtime
// library, so that compiled code does not need that library.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// True if upstream copies a buffer of this type as one block. Upstream leaves
/// an empty buffer to its runtime library, unless its layout is the identity.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity() ||
         (memref::isStaticShapeAndContiguousRowMajor(type) &&
          type.getNumElements() > 0);
}

namespace mlir::pool {
#define GEN_PASS_DEF_EXPANDSTRIDEDCOPIES
#include "pool/Pipelines/Passes.h.inc"

namespace {

class ExpandStridedCopies
    : public impl::ExpandStridedCopiesBase<ExpandStridedCopies> {
public:
  using ExpandStridedCopiesBase::ExpandStridedCopiesBase;

protected:
  void runOnOperation() override {
    getOperation()->walk([&](memref::CopyOp copy) {
      auto source = dyn_cast<MemRefType>(copy.getSource().getType());
      auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!source || !target || (isContiguous(source) && isContiguous(target)))
        return;
      expandCopy(copy, parallel);
    });
  }
};

} // namespace
} // namespace mlir::pool

void mlir::pool::expandCopy(memref::CopyOp copy, bool parallel) {
  OpBuilder b(copy);
  Location loc = copy.getLoc();
  auto view = copy.getSource().getDefiningOp<memref::ReinterpretCastOp>();
  SmallVector<OpFoldResult> sizes =
      view ? view.getMixedSizes()
           : memref::getMixedSizes(b, loc, copy.getSource());
  SmallVector<Value> ends = getValueOrCreateConstantIndexOp(b, loc, sizes);
  SmallVector<Value> begins(ends.size(),
                            arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<Value> steps(ends.size(),
                           arith::ConstantIndexOp::create(b, loc, 1));
  auto move = [&](OpBuilder &b, Location loc, ValueRange indices) {
    Value element = memref::LoadOp::create(b, loc, copy.getSource(), indices);
    memref::StoreOp::create(b, loc, element, copy.getTarget(), indices);
  };
  if (parallel && !ends.empty())
    scf::ParallelOp::create(b, loc, begins, ends, steps, move);
  else
    scf::buildLoopNest(b, loc, begins, ends, steps, move);
  copy.erase();
}
