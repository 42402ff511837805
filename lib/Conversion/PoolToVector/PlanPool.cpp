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

/// Calls `use` with the problem of the window form of `op`, which tells extents
/// and pads as its lowering will, or null and the reason why there is none. The
/// form is built for that, and erased.
template <typename Fn>
static auto withWindowForm(WindowOpInterface op, const Target &target, Fn use) {
  OpBuilder b(op);
  ScratchOps scratch(b);
  TilingResult form = op.createWindowForm(b, {}, {});
  auto *reduce = llvm::find_if(form.tiledOps, llvm::IsaPred<WindowReduceOp>);
  std::string reason;
  std::optional<Problem> problem =
      Problem::get(cast<WindowReduceOp>(*reduce), target, reason);
  auto result = use(problem, reason);
  scratch.erase();
  return result;
}

LogicalResult pool::checkPinnedPlan(WindowOpInterface op,
                                    const Target &target) {
  PlanAttr pinned = PlanAttr::getOf(op);
  if (!pinned)
    return success();
  return withWindowForm(
      op, target, [&](const auto &problem, const std::string &reason) {
        return checkPinned(op, pinned, problem, getWindowStrategies(), reason);
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
        return withWindowForm(
            window, target,
            [&](const auto &problem, const std::string &reason) {
              return planOperation(pass, op, problem, getWindowStrategies(),
                                   reason);
            });
      })
      .Case([&](AdaptiveOpInterface adaptive) {
        return planAdaptivePool(pass, adaptive, target);
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
