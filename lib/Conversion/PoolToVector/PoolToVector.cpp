// The conversion of pooling to vector code: the reduction and what follows it
// element by element become one loop nest.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Remarks.h"
#include "Adaptive/AdaptivePools.h"
#include "Epilogue/FusedResults.h"
#include "Scatter/ScatterOps.h"
#include "Plan/PlanReduction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOVECTOR
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

static void emitOnBuffers(RewriterBase &rewriter, WindowReduceOp op,
                          const Problem &problem, PlanAttr plan) {
  rewriter.setInsertionPoint(op);
  SmallVector<ElementwiseChain> chains;
  for (Value out : op.getOuts())
    chains.emplace_back(out);
  SmallVector<Value> buffers(op.getOuts());
  WindowKernel kernel(rewriter, op, problem, op.getInput(), chains, buffers);
  emitPlan(kernel, plan);
  rewriter.eraseOp(op);
}

static void emitOnTensors(RewriterBase &rewriter, WindowReduceOp op,
                          const Problem &problem, PlanAttr plan,
                          const DenseSet<Operation *> &counting) {
  Location loc = op.getLoc();
  FusedResults fused(op.getResults());
  rewriter.setInsertionPointAfter(fused.getLastOp());
  Value input = getBuffer(rewriter, loc, op.getInput());
  fused.allocate(rewriter, loc,
                 tensor::getMixedSizes(rewriter, loc, op.getOuts()[0]));
  WindowKernel kernel(rewriter, op, problem, input, fused.chains,
                      fused.buffers);
  emitPlan(kernel, plan);
  fused.replace(rewriter, loc);
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kNoVectors =
    "its elements or their sums have no vectors";

namespace {
struct ConvertPoolToVectorPass
    : pool::impl::ConvertPoolToVectorBase<ConvertPoolToVectorPass> {
  using ConvertPoolToVectorBase::ConvertPoolToVectorBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<Target> named =
        resolveTarget({triple, cpu, features}, vectorBits,
                      [&] { return emitError(UnknownLoc::get(context)); });
    if (failed(named))
      return failure();
    target = *named;
    RewritePatternSet indices(context), windows(context);
    populateRecomputeIndicesPatterns(indices);
    populateRegularAdaptivePatterns(windows);
    recomputeIndices = std::move(indices);
    toWindowOps = std::move(windows);
    return success();
  }

  void runOnOperation() override;

private:
  void lowerScatterOps(RewriterBase &rewriter);
  void lowerAdaptiveOps(RewriterBase &rewriter);
  /// Fails, with an error, where `op` has a plan that does not fit. Counts what
  /// there are loops for now.
  LogicalResult lower(RewriterBase &rewriter, WindowReduceOp op,
                      const DenseSet<Operation *> &counting, bool isHelper);

  /// The machine to make vectors for.
  Target target;
  FrozenRewritePatternSet recomputeIndices, toWindowOps;
};
} // namespace

LogicalResult
ConvertPoolToVectorPass::lower(RewriterBase &rewriter, WindowReduceOp op,
                               const DenseSet<Operation *> &counting,
                               bool isHelper) {
  bool onTensors = op.hasPureTensorSemantics();
  if (!onTensors && !op.hasPureBufferSemantics())
    return success();
  FailureOr<PlannedReduction> planned = planReduction(getArgument(), op, target);
  if (failed(planned))
    return failure();
  if (!planned->plan)
    return success();
  if (onTensors)
    emitOnTensors(rewriter, op, *planned->problem, planned->plan, counting);
  else
    emitOnBuffers(rewriter, op, *planned->problem, planned->plan);
  if (!isHelper)
    ++numLowered;
  return success();
}

void ConvertPoolToVectorPass::vectorizeChecks(RewriterBase &rewriter) {
  SetVector<Value> indices;
  getOperation()->walk([&](Operation *op) {
    if (auto unpool = dyn_cast<MaxUnpoolOp>(op))
      indices.insert(unpool.getIndices());
    else if (auto grad = dyn_cast<ExtremumGradOpInterface>(op);
             grad && grad.getIndices())
      indices.insert(grad.getIndices());
  });
  for (Value tensor : indices)
    vectorizeIndexChecks(rewriter, tensor, target.vectorBits);
}

void ConvertPoolToVectorPass::lowerScatterOps(RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    if (isa<MaxUnpoolOp, ExtremumGradOpInterface, AvgPoolGradOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto average = dyn_cast<AvgPoolGradOp>(op)) {
      FailureOr<SmallVector<Operation *>> sums =
          gatherAvgPoolGrad(rewriter, average, target.vectorBits);
      if (failed(sums)) {
        remarkLeftAlone(getArgument(), op,
                        "its dilations modulo its strides leave 64 bits");
    } else if (auto extremum = dyn_cast<ExtremumGradOpInterface>(op)) {
      scatterExtremumGrad(rewriter, extremum, target.vectorBits);
    } else if (failed(scatterMaxUnpool(rewriter, cast<MaxUnpoolOp>(op),
                                       target.vectorBits))) {
      remarkLeftAlone(getArgument(), op, kNoVectors);
    }
  }
}

void ConvertPoolToVectorPass::lowerAdaptiveOps(RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    if (isa<AdaptiveOpInterface>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto average = dyn_cast<AdaptiveAvgPoolOp>(op))
      lowerAdaptiveAvgPool(rewriter, average, target.vectorBits);
    else
      lowerAdaptiveMaxPool(rewriter, cast<AdaptiveMaxPoolOp>(op),
                           target.vectorBits);
    ++numLowered;
  }
}

static int64_t countPoolOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *op) {
    count += isa_and_present<PoolDialect>(op->getDialect());
  });
  return count;
}

void ConvertPoolToVectorPass::runOnOperation() {
  // All is checked before the first edit.
  if (failed(verifyLowerable(getOperation())))
    return signalPassFailure();
  int64_t numGiven = countPoolOps(getOperation());
  IRRewriter rewriter(&getContext());
  if (runtimeChecks)
    insertRuntimeChecks(getOperation());
  vectorizeIndexChecks(rewriter, getOperation(), vectorBits);
  walkAndApplyPatterns(getOperation(), toWindowOps);
  lowerScatterOps(rewriter);
  lowerAdaptiveOps(rewriter);
  SmallVector<WindowOpInterface> windowOps;
  getOperation()->walk([&](WindowOpInterface op) { windowOps.push_back(op); });
  for (WindowOpInterface op : windowOps) {
    rewriter.setInsertionPoint(op);
    decomposeWindowOp(rewriter, op);
  }
  SmallVector<WindowReduceOp> reductions;
  getOperation()->walk([&](WindowReduceOp op) { reductions.push_back(op); });
  for (WindowReduceOp op : reductions)
    if (failed(lower(rewriter, op, counting, helpers.contains(op))))
      return signalPassFailure();
}
