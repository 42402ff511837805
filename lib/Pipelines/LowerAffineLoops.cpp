// Lowers affine loops before upstream's folds can remove their bounds.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace mlir::pool {
#define GEN_PASS_DEF_LOWERAFFINELOOPS
#include "pool/Pipelines/Passes.h.inc"

namespace {

class LowerAffineLoops : public impl::LowerAffineLoopsBase<LowerAffineLoops> {
public:
  using LowerAffineLoopsBase::LowerAffineLoopsBase;

protected:
  void runOnOperation() override;
};

} // namespace
} // namespace mlir::pool

void mlir::pool::LowerAffineLoops::runOnOperation() {
  WalkResult walk = getOperation()->walk([](Operation *op) {
    return isa<affine::AffineForOp, affine::AffineIfOp,
               affine::AffineParallelOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!walk.wasInterrupted())
    return;
  RewritePatternSet patterns(&getContext());
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  ConversionTarget target(getContext());
  target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect,
                         scf::SCFDialect, vector::VectorDialect>();
  target.addIllegalDialect<affine::AffineDialect>();
  // Keep these operations: from them, later passes derive bounds of the extents
  // of tiles.
  target.addLegalOp<affine::AffineApplyOp, affine::AffineDelinearizeIndexOp,
                    affine::AffineLinearizeIndexOp, affine::AffineMaxOp,
                    affine::AffineMinOp>();
  if (failed(
          applyPartialConversion(getOperation(), target, std::move(patterns))))
    signalPassFailure();
}
