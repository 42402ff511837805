// Turns loops and branches into blocks, in time linear in the number of
// operations and not quadratic.
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
    // scf.forall becomes scf.parallel, which becomes loops of one dimension.
    // All these operations require a body of one block, so only the last step
    // makes blocks.
    if (failed(flatten<scf::ForallOp>()) ||
        failed(flatten<scf::ParallelOp>()) ||
        failed(flatten<scf::ExecuteRegionOp, scf::ForOp, scf::IfOp,
                       scf::IndexSwitchOp, scf::WhileOp>()))
      signalPassFailure();
  }

private:
  /// Rewrites the last operation first. Rewriting an operation moves the rest
  /// of its block to a new block. The rest is short, because structured
  /// operations in it have already split it.
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
  // Attach no listener: it would be notified of each operation that moves,
  // which takes quadratic time.
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
