// Chooses plans of windows for GPUs and checks pinned ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Conversion/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/GPU/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLSELECTGPUPLAN
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Name of the strategy with a thread for each output.
static constexpr StringLiteral strategyName = "gpu-output";

/// Checks the plan that somebody gave `op`.
static LogicalResult verifyPinned(WindowReduceOp op, PlanAttr plan) {
  if (plan.getStrategy().getValue() != strategyName)
    return op.emitError("strategy ")
           << plan.getStrategy() << " is not for GPUs; use \"" << strategyName
           << "\"";
  for (NamedAttribute parameter : plan.getParameters())
    if (parameter.getName() != "clamp" || !isa<BoolAttr>(parameter.getValue()))
      return op.emitError("strategy \"")
             << strategyName
             << "\" has one parameter, the flag 'clamp', and not "
             << parameter.getName() << " = " << parameter.getValue();
  auto clamp = plan.getParameters().getAs<BoolAttr>("clamp");
  StringRef obstacle = getClampObstacle(op);
  if (clamp && clamp.getValue() && !obstacle.empty())
    return op.emitError("coordinates cannot be clamped: ") << obstacle;
  return success();
}

namespace {
struct PoolSelectGPUPlanPass
    : pool::impl::PoolSelectGPUPlanBase<PoolSelectGPUPlanPass> {
  void runOnOperation() override {
    Builder b(&getContext());
    WalkResult result = getOperation().walk([&](WindowReduceOp op) {
      if (PlanAttr pinned = PlanAttr::getOf(op))
        return WalkResult(verifyPinned(op, pinned));
      StringRef obstacle = getClampObstacle(op);
      NamedAttrList parameters;
      if (obstacle.empty())
        parameters.append("clamp", b.getBoolAttr(true));
      auto plan = PlanAttr::get(&getContext(), b.getStringAttr(strategyName),
                                parameters.getDictionary(&getContext()));
      op->setAttr(PlanAttr::getName(), plan);
      remarkPlanned(getArgument(), op, plan,
                    obstacle.empty()
                        ? "clamped coordinates give all threads the same code"
                        : "taps outside of the input are left out, because " +
                              obstacle);
      ++numPlanned;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
