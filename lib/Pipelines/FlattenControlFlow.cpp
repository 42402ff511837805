// Converts loops and branches to basic blocks. Upstream's pass needs quadratic
// time; this one needs linear time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace mlir::pool {
#define GEN_PASS_DEF_FLATTENCONTROLFLOW
#include "pool/Pipelines/Passes.h.inc"

namespace {

struct FlattenControlFlow : impl::FlattenControlFlowBase<FlattenControlFlow> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // First scf.forall becomes scf.parallel, which then becomes loops of one
    // dimension. The bodies of these operations must be single blocks. So
    // blocks are created only in the last step.
    if (failed(flatten<scf::ForallOp>()) ||
        failed(flatten<scf::ParallelOp>()) ||
        failed(flatten<scf::ExecuteRegionOp, scf::ForOp, scf::IfOp,
                       scf::IndexSwitchOp, scf::WhileOp>()))
      signalPassFailure();
  }

private:
  /// Rewrites all operations of types `Ops`, the last one first. Rewriting an
  /// operation moves all operations after it to a new block. In this order
  /// there are few of them, because the operations rewritten before have
  /// already split the block.
  template <typename... Ops>
  LogicalResult flatten() {
    SmallVector<Operation *> ops;
    getOperation()->template walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isa<Ops...>(op))
            ops.push_back(op);
        });
    return flatten(ops);
  }
  LogicalResult flatten(ArrayRef<Operation *> ops);

  FrozenRewritePatternSet patterns;
};
} // namespace
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

LogicalResult FlattenControlFlow::flatten(ArrayRef<Operation *> ops) {
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  // Use a rewriter without a listener: a listener would be notified of every
  // operation that moves, which takes quadratic time.
  PatternRewriter rewriter(&getContext());
  for (Operation *op : ops) {
    Location loc = op->getLoc();
    OperationName name = op->getName();
    rewriter.setInsertionPoint(op);
    if (failed(applicator.matchAndRewrite(op, rewriter)))
      return emitError(loc) << "'" << name << "' has no form without regions";
  }
  return success();
}
