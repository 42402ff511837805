// The pass --convert-pool-to-vector. It chooses a plan for each pooling
// operation, and replaces the operation by the code of the plan. Elementwise
// operations that use a result become part of its loops where possible.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerToVector.h"
#include "Plans/Plan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOVECTOR
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct ConvertPoolToVectorPass
    : pool::impl::ConvertPoolToVectorBase<ConvertPoolToVectorPass> {
  using ConvertPoolToVectorBase::ConvertPoolToVectorBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<Target> named =
        resolveTarget({triple, cpu, features}, vectorBits, context);
    if (failed(named))
      return failure();
    target = *named;
    RewritePatternSet set(context);
    populateRegularAdaptivePatterns(set);
    toWindowOps = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // Check all operations before the first change, so that a failure leaves
    // the IR as it was.
    if (failed(verifyLowerable(getOperation())))
      return signalPassFailure();
    int64_t numGiven = countPoolOps();
    IRRewriter rewriter(&getContext());
    if (runtimeChecks && failed(insertRuntimeChecks(getOperation())))
      return signalPassFailure();
    for (Operation *op : collect<LargestIndexOp>())
      (void)lowerLargestIndex(rewriter, cast<LargestIndexOp>(op), target);
    walkAndApplyPatterns(getOperation(), toWindowOps);
    // Lower window operations last, because lowering the others creates some.
    if (failed(lowerAll<MaxUnpoolOp, ExtremumGradOpInterface>()) ||
        failed(lowerAll<AvgPoolGradOp>()) ||
        failed(lowerAll<AdaptiveOpInterface>()) ||
        failed(lowerAll<WindowOpInterface, WindowReduceOp>()))
      return signalPassFailure();
    removeFacts(getOperation());
    // There may be more operations than before, because lowering one may create
    // several.
    numLowered += std::max<int64_t>(numGiven - countPoolOps(), 0);
  }

private:
  /// Lowers all operations of the types `Ops` that exist now. Operations that
  /// this creates are not visited. Operations without a plan stay. Fails if a
  /// pinned plan does not fit.
  template <typename... Ops>
  LogicalResult lowerAll() {
    IRRewriter rewriter(&getContext());
    for (Operation *op : collect<Ops...>()) {
      FailureOr<bool> isLowered =
          lowerByPlan(getArgument(), rewriter, op, target);
      if (failed(isLowered))
        return failure();
      // Without a plan, the gradient is left to the lowering to linalg, which
      // requires the optional operand of indices. Add this operand if it is
      // missing.
      auto grad = *isLowered ? ExtremumGradOpInterface()
                             : dyn_cast<ExtremumGradOpInterface>(op);
      if (grad && !grad.getIndices()) {
        rewriter.setInsertionPoint(grad);
        recomputeIndices(rewriter, grad);
      }
    }
    return success();
  }

  template <typename... Ops>
  SmallVector<Operation *> collect() {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<Ops...>(op))
        ops.push_back(op);
    });
    return ops;
  }

  int64_t countPoolOps() {
    int64_t count = 0;
    getOperation()->walk([&](Operation *op) {
      count += isPlannable(op) && !isa<OnBuffersOp>(op);
    });
    return count;
  }

  /// The machine that the code is for.
  Target target;
  FrozenRewritePatternSet toWindowOps;
};
} // namespace
