// Rewrites copies for which upstream would call MLIR's run-time library, so
// that compiled code does not need that library.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool {
#define GEN_PASS_DEF_EXPANDSTRIDEDCOPIES
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// True if upstream copies a buffer of `type` as one block. A type with a
/// layout must also be known to have elements: otherwise upstream calls its
/// run-time library.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity() ||
         (memref::isStaticShapeAndContiguousRowMajor(type) &&
          type.getNumElements() > 0);
}

namespace {
struct ExpandStridedCopies
    : pool::impl::ExpandStridedCopiesBase<ExpandStridedCopies> {
  using ExpandStridedCopiesBase::ExpandStridedCopiesBase;

  void runOnOperation() override {
    getOperation()->walk([&](memref::CopyOp copy) {
      auto source = dyn_cast<MemRefType>(copy.getSource().getType());
      auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (source && target && !(isContiguous(source) && isContiguous(target)))
        pool::expandCopy(copy, parallel);
    });
  }
};
} // namespace

void pool::expandCopy(memref::CopyOp copy, bool parallel) {
  Location loc = copy.getLoc();
  ElementBuilder b(OpBuilder(copy), loc);
  auto view = copy.getSource().getDefiningOp<memref::ReinterpretCastOp>();
  SmallVector<Value> ends =
      b.value(view ? view.getMixedSizes()
                   : memref::getMixedSizes(b, loc, copy.getSource()));
  SmallVector<Value> begins(ends.size(), b.index(0));
  SmallVector<Value> steps(ends.size(), b.index(1));
  auto move = [&](OpBuilder &b, Location loc, ValueRange indices) {
    Value element = memref::LoadOp::create(b, loc, copy.getSource(), indices);
    memref::StoreOp::create(b, loc, element, copy.getTarget(), indices);
  };
  if (parallel && !ends.empty())
    scf::ParallelOp::create(b, begins, ends, steps, move);
  else
    scf::buildLoopNest(b, loc, begins, ends, steps, move);
  copy.erase();
}
