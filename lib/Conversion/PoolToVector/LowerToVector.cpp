// Lowers one operation to loops over vectors. First, collects the facts that a
// plan may depend on: the operation's problem. Then chooses a plan for the
// problem, or reads it from the attribute `pool.plan`. Finally, emits the
// plan's code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerToVector.h"

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"

#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/Transforms/WindowForm.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;

static ArrayRef<WindowStrategy> getWindowStrategies() {
  // If plans have equal costs, the plan of the first strategy is chosen.
  static constexpr WindowStrategy strategies[] = {
      createGlobalPlan,         createPlanesPlan, createVanHerkPlan,
      createBufferedPlanesPlan, createMergedPlan, createFewChannelsPlan,
      createChannelsPlan,       createStagedPlan, createDirectPlan};
  return strategies;
}

static constexpr StringLiteral kNoStrategy =
    "no strategy is for such operations";

/// Calls `use(typedOp, problem, strategies, reason)`. `typedOp` is `op`, cast
/// to its class or interface. `strategies` are the strategies for such
/// operations. If the problem could not be computed, `problem` is a failure and
/// `reason` says why. Returns the result of `use`, or `otherwise` if there are
/// no strategies for `op`.
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
  kernel.b.ifElse(isForIt, [&](bool inThen) {
    if (inThen)
      plan.emit(kernel);
    else
      emitPlan(kernel, *plan.fallback);
  });
}

/// Returns `values`. Each value that equals `results[i]` is exchanged for
/// `replacements[i]`.
static SmallVector<Value> exchange(ValueRange values, ValueRange results,
                                   ValueRange replacements) {
  SmallVector<Value> exchanged(values);
  for (Value &value : exchanged)
    if (auto it = llvm::find(results, value); it != results.end())
      value = replacements[it - results.begin()];
  return exchanged;
}

namespace {
/// Plans operations, and replaces each of them by the code of its plan.
class Lowering {
public:
  /// `pass` is the name under which remarks about plans are emitted. If `pass`
  /// is empty, there are no remarks, and no errors for pinned plans that do not
  /// fit.
  Lowering(RewriterBase &rewriter, const Target &target, StringRef pass = "")
      : rewriter(rewriter), target(target), pass(pass) {}

  /// Replaces `op` by loops over vectors, or by other operations of the
  /// dialect. Returns `values`, in which each value that this erases is
  /// exchanged for its replacement. `values` need not be results of `op`. If
  /// there is no plan, leaves `op` as it is, sets `reason` and returns
  /// std::nullopt.
  std::optional<SmallVector<Value>> lower(Operation *op, ValueRange values) {
    auto lowerProblem =
        [&](auto typedOp, const auto &problem, auto strategies,
            StringRef why) -> std::optional<SmallVector<Value>> {
      auto choice = plan(op, problem, strategies, why);
      if (!choice.plan)
        return std::nullopt;
      return emit(typedOp, *problem, *choice.plan, values);
    };
    std::optional<SmallVector<Value>> none;
    return visitProblem(op, target, none, lowerProblem);
  }

  std::string reason = kNoStrategy.str();
  /// True if an error was emitted because a pinned plan does not fit.
  bool isRejected = false;

private:
  template <typename PlanT>
  PlanChoice<PlanT> plan(Operation *op,
                         const FailureOr<typename PlanT::Problem> &problem,
                         ArrayRef<Strategy<PlanT>> strategies, StringRef why) {
    auto choice = planOperation(op, problem, strategies, why.str());
    if (!pass.empty())
      isRejected |= failed(reportPlan(pass, op, choice));
    reason = choice.reason;
    return choice;
  }

  SmallVector<Value> emit(WindowReduceOp op, const Problem &problem,
                          const WindowPlan &plan, ValueRange values);
  /// Replaces `op`, which is on tensors, by loops that read `input` and write
  /// the buffers of `fused`. They hold the results of `op`, and of elementwise
  /// operations that use these results. Returns `values` as lower() does.
  SmallVector<Value> emit(WindowReduceOp op, const Problem &problem,
                          const WindowPlan &plan, Value input,
                          FusedResults fused, ValueRange values);
  SmallVector<Value> emit(WindowOpInterface op, const Problem &problem,
                          const WindowPlan &plan, ValueRange values);
  SmallVector<Value> emit(AvgPoolGradOp op, const GatherProblem &problem,
                          const GatherPlan &plan, ValueRange values);
  SmallVector<Value> emit(AdaptiveOpInterface op, const Problem &problem,
                          const AdaptivePlan &plan, ValueRange values) {
    return replaceByLoops(rewriter, op, problem, plan, values);
  }
  template <typename OpT>
  SmallVector<Value> emit(OpT op, const ScatterProblem &problem,
                          const ScatterPlan &plan, ValueRange values) {
    SmallVector<Value> results(op->getResults()), exchanged(values);
    return exchange(exchanged, results,
                    replaceByLoops(rewriter, op, problem, plan));
  }

  RewriterBase &rewriter;
  const Target &target;
  StringRef pass;
};
} // namespace

SmallVector<Value> Lowering::emit(WindowReduceOp op, const Problem &problem,
                                  const WindowPlan &plan, Value input,
                                  FusedResults fused, ValueRange values) {
  SmallVector<Value> lowered = fused.replace(
      rewriter, op.getLoc(), input, needsPackedResults(plan, problem), values,
      [&](Value input) {
        WindowKernel kernel(rewriter, op, problem, input, fused.chains,
                            fused.buffers);
        emitPlan(kernel, plan);
      });
  rewriter.eraseOp(op);
  return lowered;
}

SmallVector<Value> Lowering::emit(WindowReduceOp op, const Problem &problem,
                                  const WindowPlan &plan, ValueRange values) {
  SmallVector<Value> outs(op.getOuts());
  if (op.hasPureTensorSemantics())
    return emit(op, problem, plan, op.getInput(),
                FusedResults(op.getResults(), outs), values);
  rewriter.setInsertionPoint(op);
  SmallVector<ElementwiseChain> chains(outs.begin(), outs.end());
  WindowKernel kernel(rewriter, op, problem, op.getInput(), chains, outs);
  emitPlan(kernel, plan);
  rewriter.eraseOp(op);
  return SmallVector<Value>(values);
}

SmallVector<Value> Lowering::emit(WindowOpInterface op, const Problem &problem,
                                  const WindowPlan &plan, ValueRange values) {
  rewriter.setInsertionPoint(op);
  WindowForm form(rewriter, op);
  WindowReduceOp reduce = form.reduce();
  SmallVector<Finish> finishes = form.getFinishes();
  SmallVector<Value> outs, standIns(reduce.getOuts());
  if (reduce.getInput() != form.getInput())
    standIns.push_back(reduce.getInput());
  for (const Finish &finish : finishes)
    outs.push_back(form.createEmpty(finish.elementType));
  SmallVector<Value> lowered =
      emit(reduce, problem, plan, form.getInput(),
           FusedResults(op->getResults(), outs, finishes), values);
  for (Value standIn : standIns)
    rewriter.eraseOp(standIn.getDefiningOp());
  rewriter.eraseOp(op);
  return lowered;
}

SmallVector<Value> Lowering::emit(AvgPoolGradOp op,
                                  const GatherProblem &problem,
                                  const GatherPlan &gatherPlan,
                                  ValueRange values) {
  rewriter.setInsertionPoint(op);
  AvgPoolGradGather gather(rewriter, op, problem);
  gatherPlan.emit(gather);
  SmallVector<Value> results(op->getResults()), exchanged(values);
  if (WindowReduceOp sums = gather.getSums()) {
    std::string why;
    auto sumsProblem = Problem::get(sums, target, why);
    auto choice = planOperation(sums, sumsProblem, getWindowStrategies(), why);
    // Without a plan, the sums stay in the IR as an operation. The pass visits
    // this operation later, and then reports why.
    if (choice.plan) {
      if (!pass.empty())
        isRejected |= failed(reportPlan(pass, sums, choice));
      Operation *sumsOut = sums.getOuts().front().getDefiningOp();
      Finish rounding = gather.getRounding();
      Value out = gather.createEmpty(rounding.elementType);
      SmallVector<Value> lowered =
          emit(sums, *sumsProblem, *choice.plan, sums.getInput(),
               FusedResults(results, out, rounding), values);
      rewriter.eraseOp(sumsOut);
      rewriter.eraseOp(op);
      return lowered;
    }
  }
  return exchange(exchanged, results,
                  replaceOpWithCasts(rewriter, op, gather.getResult()));
}

FailureOr<bool> pool::lowerByPlan(StringRef pass, RewriterBase &rewriter,
                                  Operation *op, const Target &target) {
  Lowering lowering(rewriter, target, pass);
  bool isLowered = lowering.lower(op, op->getResults()).has_value();
  if (lowering.isRejected)
    return failure();
  return isLowered;
}

namespace {
/// Collects the window operations that are inserted and not erased again.
/// Operations that are only moved do not count. Forwards all events to
/// `listener`.
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

/// Lowers `op`, and then each window operation that was created by lowering
/// `op`. A created operation without a plan stays. Returns `values` as
/// Lowering::lower() does, or std::nullopt if there is no plan for `op`.
static std::optional<SmallVector<Value>> lowerAll(Lowering &lowering,
                                                  RewriterBase &rewriter,
                                                  Operation *op,
                                                  ValueRange values) {
  OpBuilder::Listener *listener = rewriter.getListener();
  CreatedWindows created(listener);
  rewriter.setListener(&created);
  auto lowered = lowering.lower(op, values);
  rewriter.setListener(listener);
  for (Operation *window : created.ops)
    if (auto windowLowered = lowerAll(lowering, rewriter, window, *lowered))
      lowered = windowLowered;
  return lowered;
}

FailureOr<SmallVector<Value>> pool::lowerToVector(RewriterBase &rewriter,
                                                  Operation *op,
                                                  const Target &target) {
  if (std::optional<PlanSelection> none = selectNone(op))
    return rewriter.notifyMatchFailure(op, none->reason);
  Lowering lowering(rewriter, target);
  auto lowered = lowerAll(lowering, rewriter, op, op->getResults());
  if (!lowered)
    return rewriter.notifyMatchFailure(op, lowering.reason);
  return *lowered;
}
