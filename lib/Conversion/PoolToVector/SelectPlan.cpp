// Writes the plans by which convert-pool-to-vector lowers, or pool-to-gpu:
// finds the problem of an operation, and plans it by the strategies for it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"

#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLSELECTPLAN
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

ArrayRef<WindowStrategy> pool::getWindowStrategies() {
  static const WindowStrategy strategies[] = {
      kGlobal,      kPlanes,   kVanHerk, kBufferedPlanes, kMerged,
      kFewChannels, kChannels, kStaged,  kDirect};
  return strategies;
}

FailureOr<PlanAttr>
pool::withWindowForm(WindowOpInterface op,
                     function_ref<FailureOr<PlanAttr>(WindowReduceOp)> use) {
  OpBuilder b(op);
  Block *scratch = b.createBlock(op->getParentRegion());
  TilingResult form = op.createWindowForm(b, {}, {});
  auto *reduce = llvm::find_if(form.tiledOps, llvm::IsaPred<WindowReduceOp>);
  FailureOr<PlanAttr> result = use(cast<WindowReduceOp>(*reduce));
  scratch->erase();
  return result;
}

/// The plan of `op`, an operation of the dialect, for `gpu` or, without, for
/// `target`; see planOperation().
static FailureOr<PlanAttr> planPool(StringRef pass, Operation *op,
                                    const Target &target,
                                    const std::optional<GPU> &gpu) {
  if (gpu && !isa<WindowReduceOp, WindowOpInterface>(op))
    return planForGPU(pass, op, /*reduce=*/{}, *gpu);
  std::string reason;
  auto plan = [&](const auto &problem, auto strategies) {
    return planOperation(pass, op, problem, strategies, reason);
  };
  auto planWindow = [&](WindowReduceOp reduce) {
    if (gpu)
      return planForGPU(pass, op, reduce, *gpu);
    return plan(Problem::get(reduce, target, reason), getWindowStrategies());
  };
  return TypeSwitch<Operation *, FailureOr<PlanAttr>>(op)
      .Case(planWindow)
      .Case([&](WindowOpInterface window) {
        return withWindowForm(window, planWindow);
      })
      .Case([&](AdaptiveOpInterface adaptive) {
        return plan(getAdaptiveProblem(adaptive, target, reason),
                    getAdaptiveStrategies());
      })
      .Case([&](AvgPoolGradOp grad) {
        return plan(GatherProblem::get(grad, target, reason),
                    getGatherStrategies());
      })
      .Default([&](Operation *scatter) {
        return plan(ScatterProblem::get(scatter, target, reason),
                    getScatterStrategies());
      });
}

namespace {
struct PoolSelectPlanPass : pool::impl::PoolSelectPlanBase<PoolSelectPlanPass> {
  using PoolSelectPlanBase::PoolSelectPlanBase;

  LogicalResult initialize(MLIRContext *context) override {
    TargetNames names{triple, cpu, features};
    FailureOr<std::optional<GPU>> found = resolveGPU(names, context);
    if (failed(found))
      return failure();
    gpu = *found;
    if (gpu && (vectorBits != 0 || !costs.empty()))
      return emitError(UnknownLoc::get(context))
             << "target=" << triple
             << " is a GPU: vector-bits and costs are for CPUs";
    if (gpu) {
      if (block != 0 && failed(checkBlock(block, context)))
        return failure();
      gpu->block = block;
      return success();
    }
    if (block != 0)
      return emitError(UnknownLoc::get(context))
             << "target=" << triple << " is no GPU: block is for GPUs";
    FailureOr<Target> named = resolveTarget(names, vectorBits, context);
    if (failed(named))
      return failure();
    target = *named;
    llvm::Expected<Costs> weights = Costs::parse(costs);
    if (!weights)
      return emitError(UnknownLoc::get(context),
                       llvm::toString(weights.takeError()));
    target.costs = *weights;
    return success();
  }

  void runOnOperation() override {
    if (failed(verifyLowerable(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<PoolDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      // The conversion makes another operation of it.
      if (auto adaptive = dyn_cast<AdaptiveOpInterface>(op);
          adaptive && hasRegularWindows(adaptive)) {
        remarkLeftAlone(getArgument(), op,
                        "its windows are those of an ordinary operation, which "
                        "pool-adaptive-to-window makes of it");
        continue;
      }
      FailureOr<PlanAttr> plan = planPool(getArgument(), op, target, gpu);
      if (failed(plan))
        return signalPassFailure();
      if (!*plan)
        continue;
      op->setAttr(PlanAttr::getName(), *plan);
      ++numPlanned;
    }
  }

private:
  Target target;
  /// The GPU to plan for, instead of `target`.
  std::optional<GPU> gpu;
};
} // namespace
