// Finds the problem of an operation, plans it, and lowers it by the plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerToVector.h"

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"

#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;

static ArrayRef<WindowStrategy> getWindowStrategies() {
  // Of equal costs the first is taken.
  static constexpr WindowStrategy strategies[] = {
      createGlobalPlan,         createPlanesPlan, createVanHerkPlan,
      createBufferedPlanesPlan, createMergedPlan, createFewChannelsPlan,
      createChannelsPlan,       createStagedPlan, createDirectPlan};
  return strategies;
}

static constexpr StringLiteral kNoStrategy =
    "no strategy is for such operations";

/// Casts `op` to its class or interface, and calls `use(op, problem,
/// strategies, reason)`, where `problem` may have failed for `reason`. Returns
/// `otherwise` if there are no strategies for such operations.
template <typename ResultT, typename UseFn>
static ResultT visitProblem(Operation *op, const Target &target,
                            ResultT otherwise, UseFn use) {
  std::string reason;
  return TypeSwitch<Operation *, ResultT>(op)
      .template Case<WindowReduceOp, WindowOpInterface>([&](auto window) {
        auto problem = Problem::get(window, target, reason);
        return use(window, problem, getWindowStrategies(), reason);
      })
      .Case([&](AdaptiveOpInterface adaptive) {
        auto problem = getAdaptiveProblem(adaptive, target, reason);
        return use(adaptive, problem, getAdaptiveStrategies(), reason);
      })
      .Case([&](AvgPoolGradOp grad) {
        auto problem = GatherProblem::get(grad, target, reason);
        return use(grad, problem, getGatherStrategies(), reason);
      })
      .template Case<ExtremumGradOpInterface, MaxUnpoolOp>([&](auto scatter) {
        auto problem = ScatterProblem::get(scatter, target, reason);
        return use(scatter, problem, getScatterStrategies(), reason);
      })
      .Default([&](Operation *) { return std::move(otherwise); });
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

PlanSelection pool::selectPlan(Operation *op, const Target &target) {
  if (std::optional<PlanSelection> none = selectNone(op))
    return *none;
  PlanSelection none;
  none.isPinned = static_cast<bool>(PlanAttr::getOf(op));
  none.reason = kNoStrategy.str();
  return visitProblem(
      op, target, none,
      [&](auto, const auto &problem, auto strategies, StringRef reason) {
        return planOperation(op, problem, strategies, reason.str())
            .write(op->getContext());
      });
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static bool needsPackedResults(const WindowPlan &plan, const Problem &problem) {
  for (auto *part = &plan; part; part = part->fallback.get())
    if (part->needsPackedResults(problem))
      return true;
  return false;
}

static void emitPlan(WindowKernel &kernel, const WindowPlan &plan) {
  Value isForIt = plan.createCondition(kernel);
  kernel.at.ifElse(isForIt, [&](bool isHere) {
    if (isHere)
      plan.emit(kernel);
    else
      emitPlan(kernel, *plan.fallback);
  });
}

/// Returns `values`, with the replacement of each value that is one of
/// `results`.
static SmallVector<Value> exchange(ValueRange values, ValueRange results,
                                   ValueRange replacements) {
  SmallVector<Value> exchanged(values);
  for (Value &value : exchanged)
    if (auto it = llvm::find(results, value); it != results.end())
      value = replacements[it - results.begin()];
  return exchanged;
}

/// The functions lower() replace `op` by loops over vectors, or by other
/// operations of the dialect. They return `values`, with the replacement of
/// each value that they replace. `values` need not be results of `op`.
static SmallVector<Value> lower(RewriterBase &rewriter, WindowReduceOp op,
                                const Problem &problem, const WindowPlan &plan,
                                ValueRange values) {
  auto emit = [&](Value input, ArrayRef<ElementwiseChain> chains,
                  ArrayRef<Value> buffers) {
    WindowKernel kernel(rewriter, op, problem, input, chains, buffers);
    emitPlan(kernel, plan);
  };
  SmallVector<Value> outs(op.getOuts()), lowered(values);
  if (op.hasPureTensorSemantics()) {
    FusedResults fused(op.getResults());
    lowered = fused.replace(
        rewriter, op.getLoc(), op.getInput(), outs,
        needsPackedResults(plan, problem), values,
        [&](Value input) { emit(input, fused.chains, fused.buffers); });
  } else {
    rewriter.setInsertionPoint(op);
    SmallVector<ElementwiseChain> chains(outs.begin(), outs.end());
    emit(op.getInput(), chains, outs);
  }
  rewriter.eraseOp(op);
  return lowered;
}

static SmallVector<Value> lower(RewriterBase &rewriter, WindowOpInterface op,
                                const Problem &problem, const WindowPlan &plan,
                                ValueRange values) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> results(op->getResults());
  auto [reduce, replacements] = decomposeWindowOp(rewriter, op);
  return lower(rewriter, reduce, problem, plan,
               exchange(values, results, replacements));
}

template <typename OpT, typename ProblemT, typename PlanT>
static SmallVector<Value> lower(RewriterBase &rewriter, OpT op,
                                const ProblemT &problem, const PlanT &plan,
                                ValueRange values) {
  SmallVector<Value> results(op->getResults());
  return exchange(values, results, replaceByLoops(rewriter, op, problem, plan));
}

FailureOr<bool> pool::lowerByPlan(StringRef pass, RewriterBase &rewriter,
                                  Operation *op, const Target &target) {
  auto lowerProblem = [&](auto typedOp, const auto &problem, auto strategies,
                          StringRef reason) -> FailureOr<bool> {
    auto choice = planOperation(op, problem, strategies, reason.str());
    if (failed(reportPlan(pass, op, choice)))
      return failure();
    if (!choice.plan)
      return false;
    lower(rewriter, typedOp, *problem, *choice.plan, op->getResults());
    return true;
  };
  return visitProblem(op, target, FailureOr<bool>(false), lowerProblem);
}

namespace {
/// Collects window operations that are created.
struct CreatedWindows : RewriterBase::ForwardingListener {
  explicit CreatedWindows(OpBuilder::Listener *listener)
      : ForwardingListener(listener) {}
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    ForwardingListener::notifyOperationInserted(op, previous);
    bool isMoved = previous.isSet();
    if (!isMoved && isa<WindowReduceOp, WindowOpInterface>(op))
      ops.insert(op);
  }
  void notifyOperationErased(Operation *op) override {
    ForwardingListener::notifyOperationErased(op);
    ops.remove(op);
  }
  llvm::SetVector<Operation *> ops;
};
} // namespace

/// Lowers `op` and the window operations that this creates, unless there is no
/// plan for them. Returns `values`, or those that replace them. Fails, with the
/// reason, if there is no plan for `op`.
static FailureOr<SmallVector<Value>>
lowerAll(RewriterBase &rewriter, Operation *op, const Target &target,
         ValueRange values, std::string &reason) {
  FailureOr<SmallVector<Value>> none = failure();
  auto lowerProblem = [&](auto typedOp, const auto &problem, auto strategies,
                          StringRef why) -> FailureOr<SmallVector<Value>> {
    auto choice = planOperation(op, problem, strategies, why.str());
    if (!choice.plan) {
      reason = choice.reason;
      return failure();
    }
    return lower(rewriter, typedOp, *problem, *choice.plan, values);
  };
  OpBuilder::Listener *listener = rewriter.getListener();
  CreatedWindows created(listener);
  rewriter.setListener(&created);
  auto lowered = visitProblem(op, target, none, lowerProblem);
  rewriter.setListener(listener);
  for (Operation *window : created.ops) {
    auto windowLowered = lowerAll(rewriter, window, target, *lowered, reason);
    if (succeeded(windowLowered))
      lowered = windowLowered;
  }
  return lowered;
}

FailureOr<SmallVector<Value>> pool::lowerToVector(RewriterBase &rewriter,
                                                  Operation *op,
                                                  const Target &target) {
  std::string reason = kNoStrategy.str();
  FailureOr<SmallVector<Value>> lowered = failure();
  if (std::optional<PlanSelection> none = selectNone(op))
    reason = none->reason;
  else
    lowered = lowerAll(rewriter, op, target, op->getResults(), reason);
  if (failed(lowered))
    return rewriter.notifyMatchFailure(op, reason);
  return lowered;
}
