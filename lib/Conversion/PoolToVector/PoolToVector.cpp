// Converts pooling to vector code: plans each operation, and emits the plan.
// The reduction and its elementwise consumers become one loop nest. The loops
// over a tensor's elements in which run-time checks look for the largest index
// become one over vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOVECTOR
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Window reductions
//===----------------------------------------------------------------------===//

static bool needsPackedResults(PlanAttr plan, const Problem &problem) {
  for (; plan; plan = plan.getParameters().getAs<PlanAttr>("otherwise"))
    if (findStrategy(getWindowStrategies(), plan)->needsPackedResults(problem))
      return true;
  return false;
}

static void emitPlan(WindowKernel &kernel, PlanAttr plan) {
  const WindowStrategy *strategy = findStrategy(getWindowStrategies(), plan);
  Value isFor = strategy->createCondition(kernel, plan);
  kernel.at.ifElse(isFor, [&](bool isForIt) {
    if (isForIt)
      strategy->emit(kernel, plan);
    else
      emitPlan(kernel, plan.getParameters().getAs<PlanAttr>("otherwise"));
  });
}

/// Fails where `op` has a plan that does not fit.
static LogicalResult lowerWindowReduce(StringRef pass, RewriterBase &rewriter,
                                       WindowReduceOp op,
                                       const Target &target) {
  bool onTensors = op.hasPureTensorSemantics();
  if (!onTensors && !op.hasPureBufferSemantics())
    return success();
  std::string reason;
  FailureOr<Problem> problem = Problem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getWindowStrategies(), reason);
  if (failed(plan) || !*plan)
    return failure(failed(plan));
  auto emit = [&](Value input, ArrayRef<ElementwiseChain> chains,
                  ArrayRef<Value> buffers) {
    WindowKernel kernel(rewriter, op, *problem, input, chains, buffers);
    emitPlan(kernel, *plan);
  };
  SmallVector<Value> outs(op.getOuts());
  if (onTensors) {
    FusedResults fused(op.getResults());
    fused.replace(rewriter, op.getLoc(), op.getInput(), outs,
                  needsPackedResults(*plan, *problem), [&](Value input) {
                    emit(input, fused.chains, fused.buffers);
                  });
  } else {
    rewriter.setInsertionPoint(op);
    SmallVector<ElementwiseChain> chains(outs.begin(), outs.end());
    emit(op.getInput(), chains, outs);
  }
  rewriter.eraseOp(op);
  return success();
}

/// Fails where `op` has a plan that does not fit.
static LogicalResult lowerWindowOp(StringRef, RewriterBase &rewriter,
                                   WindowOpInterface op, const Target &target) {
  // An error of the window form's own would name an operation that nobody
  // wrote.
  auto check = [&](WindowReduceOp form) -> FailureOr<PlanAttr> {
    PlanAttr pinned = PlanAttr::getOf(op);
    std::string reason;
    FailureOr<Problem> problem = Problem::get(form, target, reason);
    if (failed(checkPinned(op, pinned, problem, getWindowStrategies(), reason)))
      return failure();
    return pinned;
  };
  if (PlanAttr::getOf(op) && failed(withWindowForm(op, check)))
    return failure();
  rewriter.setInsertionPoint(op);
  decomposeWindowOp(rewriter, op);
  return success();
}

//===----------------------------------------------------------------------===//
// Run-time checks of indices
//===----------------------------------------------------------------------===//

/// The packed tensor whose elements a loop with the fact reads: integers with
/// vectors, that are there before it. Null if it reads anything else.
static Value getReadTensor(scf::ForOp loop) {
  SetVector<Value> tensors;
  loop.walk([&](tensor::ExtractOp read) { tensors.insert(read.getTensor()); });
  if (tensors.size() != 1 || !loop.isDefinedOutsideOfLoop(tensors[0]) ||
      isSlice(tensors[0]))
    return {};
  auto type = cast<RankedTensorType>(tensors[0].getType());
  bool hasVectors = type.getElementType().isSignlessInteger(32) ||
                    type.getElementType().isSignlessInteger(64);
  bool isPacked = type.getRank() != 0 && !type.getEncoding() &&
                  !llvm::is_contained(type.getShape(), 0);
  return hasVectors && isPacked ? tensors[0] : Value();
}

/// Returns the largest element, as unsigned, of a `buffer` of integers with one
/// dimension, or 0 if there is none. Compares lanes of `laneBits`. These may be
/// halves of elements. Then a second loop over whole elements follows, for a
/// maximum that does not fit one half.
static Value getLargest(KernelBuilder &at, Value buffer, int64_t laneBits) {
  // Two registers, so that one maximum does not wait for the other.
  auto getVector = [&](int64_t width) {
    return VectorType::get(getNumLanes(2 * at.target.vectorBits, width),
                           at.getIntegerType(width));
  };
  int64_t width = getElementTypeOrSelf(buffer).getIntOrFloatBitWidth();
  VectorType compared = getVector(laneBits), elements = getVector(width);
  int64_t length = elements.getNumElements();
  Value lanes = at.constant(at.getZeroAttr(compared));
  forEachVector(at, at.getExtents(buffer).front(), length, lanes,
                [&](Value first, const LaneRange &range) {
                  Value loaded =
                      loadLanes(at, length, buffer, first, range, /*fill=*/0);
                  loaded = at.createOrFold<vector::BitCastOp>(compared, loaded);
                  lanes = arith::MaxUIOp::create(at, lanes, loaded);
                });
  Value largest = vector::ReductionOp::create(
      at, vector::CombiningKind::MAXUI,
      at.createOrFold<vector::BitCastOp>(elements, lanes));
  if (laneBits == width)
    return largest;
  // A maximum of halves is right or too large.
  Value isRight = at.isBelow(largest, int64_t(1) << laneBits);
  at.ifElse(isRight, largest, [&](bool suffices) {
    if (!suffices)
      largest = getLargest(at, buffer, width);
  });
  return largest;
}

/// Vectorizes the loops below `root` that are marked as a search for the
/// largest element of a packed tensor, as run-time checks are.
static void vectorizeIndexChecks(RewriterBase &rewriter, Operation *root,
                                 const Target &target) {
  SmallVector<std::pair<scf::ForOp, Value>> searches;
  root->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!loop->hasAttr(PoolDialect::LargestIndexAttrHelper::getNameStr()))
      return WalkResult::advance();
    if (Value indices = getReadTensor(loop))
      searches.emplace_back(loop, indices);
    // Inner loops are a part of the same search.
    return WalkResult::skip();
  });
  for (auto [loop, indices] : searches) {
    Location loc = loop.getLoc();
    auto type = cast<RankedTensorType>(indices.getType());
    rewriter.setInsertionPoint(loop);
    auto buffer = bufferization::ToBufferOp::create(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
        indices, /*read_only=*/true);
    // The tensor may be overwritten in place before another check reads it.
    // Bufferisation takes this operation for the place of all loads, so CSE
    // must not merge it with another. A different attribute prevents that.
    buffer->setDiscardableAttr("read",
                               DistinctAttr::create(rewriter.getUnitAttr()));
    KernelBuilder at(rewriter, loc, target);
    Value packed = collapseFrom(at, buffer, 0);
    // AVX2 and NEON have no maximum of 64-bit lanes. On a Zen 3, comparing and
    // selecting them takes 1.5 to 2 times as long as a maximum of halves.
    int64_t width = type.getElementTypeBitWidth();
    Value largest = at.index(
        getLargest(at, packed, target.hasMaskRegisters(width) ? width : 32));
    rewriter.replaceOp(loop, rewriter.createOrFold<arith::MaxUIOp>(
                                 loc, largest, loop.getInitArgs()[0]));
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

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
    // All is checked before the first edit.
    if (failed(verifyLowerable(getOperation())))
      return signalPassFailure();
    int64_t numGiven = countPoolOps();
    IRRewriter rewriter(&getContext());
    if (runtimeChecks)
      insertRuntimeChecks(getOperation());
    vectorizeIndexChecks(rewriter, getOperation(), target);
    walkAndApplyPatterns(getOperation(), toWindowOps);
    // Gradients of averages, adaptive and spec operations become, or have,
    // window reductions, which come last.
    if (failed(lowerAll<MaxUnpoolOp>(lowerScatter)) ||
        failed(lowerAll<ExtremumGradOpInterface>(lowerScatter)) ||
        failed(lowerAll<AvgPoolGradOp>(lowerAvgPoolGrad)) ||
        failed(lowerAll<AdaptiveOpInterface>(lowerAdaptivePool)) ||
        failed(lowerAll<WindowOpInterface>(lowerWindowOp)) ||
        failed(lowerAll<WindowReduceOp>(lowerWindowReduce)))
      return signalPassFailure();
    removeFacts(getOperation());
    // One operation may leave several.
    numLowered += std::max<int64_t>(numGiven - countPoolOps(), 0);
  }

private:
  /// Calls `lower` for the operations of kind `Op` that there are now; fails
  /// where it does.
  template <typename Op, typename LowerFn>
  LogicalResult lowerAll(LowerFn lower) {
    IRRewriter rewriter(&getContext());
    SmallVector<Op> ops;
    getOperation()->walk([&](Op op) { ops.push_back(op); });
    for (Op op : ops)
      if (failed(lower(getArgument(), rewriter, op, target)))
        return failure();
    return success();
  }

  int64_t countPoolOps() {
    int64_t count = 0;
    getOperation()->walk([&](Operation *op) {
      count += isa_and_present<PoolDialect>(op->getDialect()) &&
               !isa<OnBuffersOp>(op);
    });
    return count;
  }

  /// The machine to make vectors for.
  Target target;
  FrozenRewritePatternSet toWindowOps;
};
} // namespace
