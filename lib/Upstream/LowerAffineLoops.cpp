// Lowers affine loops early, before upstream's folds can remove their bounds.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::pool {
#define GEN_PASS_DEF_LOWERAFFINELOOPS
#include "pool/Upstream/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

namespace {
struct LowerAffineLoops : pool::impl::LowerAffineLoopsBase<LowerAffineLoops> {
  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([](Operation *op) {
      return WalkResult(failure(isa<affine::AffineForOp, affine::AffineIfOp,
                                    affine::AffineParallelOp>(op)));
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
    // Keep these operations, from which later passes derive bounds of the
    // extents of tiles.
    target.addLegalOp<affine::AffineApplyOp, affine::AffineDelinearizeIndexOp,
                      affine::AffineLinearizeIndexOp, affine::AffineMaxOp,
                      affine::AffineMinOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
