// Finds the problem of an operation, and plans it.
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

LogicalResult pool::checkPinnedPlan(WindowOpInterface op,
                                    const Target &target) {
  PlanAttr pinned = PlanAttr::getOf(op);
  if (!pinned)
    return success();
  return withWindowForm(op, [&](WindowReduceOp form) -> FailureOr<PlanAttr> {
    std::string reason;
    auto problem = Problem::get(form, target, reason);
    if (failed(checkPinned(op, pinned, problem, getWindowStrategies(), reason)))
      return failure();
    return pinned;
  });
}

FailureOr<PlanAttr> pool::planPool(StringRef pass, Operation *op,
                                   const Target &target) {
  std::string reason;
  return TypeSwitch<Operation *, FailureOr<PlanAttr>>(op)
      .Case([&](WindowReduceOp reduce) {
        auto problem = Problem::get(reduce, target, reason);
        return planOperation(pass, op, problem, getWindowStrategies(), reason);
      })
      .Case([&](WindowOpInterface window) {
        return withWindowForm(window, [&](WindowReduceOp form) {
          auto problem = Problem::get(form, target, reason);
          return planOperation(pass, op, problem, getWindowStrategies(),
                               reason);
        });
      })
      .Case([&](AdaptiveOpInterface adaptive) {
        auto problem = AdaptiveProblem::get(adaptive, target, reason);
        return planOperation(pass, op, problem, getAdaptiveStrategies(),
                             reason);
      })
      .Case([&](AvgPoolGradOp grad) {
        auto problem = GatherProblem::get(grad, target, reason);
        return planOperation(pass, op, problem, getGatherStrategies(), reason);
      })
      .Default([&](Operation *scatter) {
        auto problem = ScatterProblem::get(scatter, target, reason);
        return planOperation(pass, op, problem, getScatterStrategies(), reason);
      });
}
