// Reports which plan was chosen for an operation, or why it has none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plans/Plan.h"

#include "Remarks.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"

using namespace mlir;
using namespace mlir::pool;

InFlightDiagnostic pool::rejectPlan(Operation *op, const Twine &reason) {
  return op->emitOpError("cannot be lowered by ")
         << PlanAttr::getName() << ": " << reason;
}

bool pool::isPlannable(Operation *op) {
  return isa_and_present<PoolDialect>(op->getDialect()) &&
         !isa<LargestIndexOp>(op);
}

std::optional<PlanSelection> pool::selectNone(Operation *op) {
  PlanSelection none;
  auto adaptive = dyn_cast<AdaptiveOpInterface>(op);
  if (isa<OnBuffersOp>(op)) {
    none.isPinned = static_cast<bool>(PlanAttr::getOf(op));
    none.reason = "its code works on buffers already";
  } else if (adaptive && hasRegularWindows(adaptive)) {
    none.reason = "its windows are those of an ordinary operation, which "
                  "pool-adaptive-to-window makes of it";
  } else {
    return std::nullopt;
  }
  return none;
}

LogicalResult pool::reportPlan(StringRef pass, Operation *op,
                               const PlanReport &report, bool hasPlan,
                               function_ref<PlanAttr()> getPlan) {
  if (report.isPinned && !hasPlan)
    return rejectPlan(op, report.reason);
  for (const RejectedStrategy &rejected : report.rejected)
    remarkRejected(pass, op, rejected.strategy, rejected.reason);
  if (hasPlan)
    remarkPlanned(pass, op, getPlan, report.reason);
  else
    remarkLeftAlone(pass, op, report.reason);
  return success();
}
