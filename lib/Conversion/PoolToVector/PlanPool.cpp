// Finds the problem of an operation, and plans it by the strategies for it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanPool.h"

#include "Adaptive/AdaptivePlan.h"
#include "Emit/Buffers.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"
#include "llvm/ADT/TypeSwitch.h"

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
  ScratchOps scratch(b);
  TilingResult form = op.createWindowForm(b, {}, {});
  auto *reduce = llvm::find_if(form.tiledOps, llvm::IsaPred<WindowReduceOp>);
  FailureOr<PlanAttr> result = use(cast<WindowReduceOp>(*reduce));
  scratch.erase();
  return result;
}

FailureOr<PlanAttr> pool::planPool(StringRef pass, Operation *op,
                                   const Target &target) {
  std::string reason;
  auto plan = [&](const auto &problem, auto strategies) {
    return planOperation(pass, op, problem, strategies, reason);
  };
  auto planWindow = [&](WindowReduceOp reduce) {
    return plan(Problem::get(reduce, target, reason), getWindowStrategies());
  };
  return TypeSwitch<Operation *, FailureOr<PlanAttr>>(op)
      .Case(planWindow)
      .Case([&](WindowOpInterface window) {
        return withWindowForm(window, planWindow);
      })
      .Case([&](AdaptiveOpInterface adaptive) {
        return plan(AdaptiveProblem::get(adaptive, target, reason),
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
