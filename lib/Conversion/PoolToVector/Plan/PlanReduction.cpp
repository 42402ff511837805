// Plans one operation, and says so.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plan/PlanReduction.h"

#include "../Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

FailureOr<PlannedReduction> pool::planReduction(StringRef pass,
                                                WindowReduceOp op,
                                                const Target &target) {
  PlannedReduction result;
  std::string reason;
  PlanAttr pinned = PlanAttr::getOf(op);
  result.problem = Problem::get(op, target, reason);
  if (!result.problem) {
    if (pinned)
      return op.emitOpError("cannot be lowered by ")
             << PlanAttr::getName() << ": " << reason;
    remarkLeftAlone(pass, op, reason);
    return result;
  }
  if (pinned) {
    if (failed(checkPlan(pinned, *result.problem, reason)))
      return op.emitOpError("cannot be lowered by ")
             << PlanAttr::getName() << ": " << reason;
    result.plan = pinned;
    remarkPlanned(pass, op, pinned, "pinned");
    return result;
  }
  std::string reasons;
  FailureOr<Candidate> best = choosePlan(
      op.getContext(), *result.problem,
      [&](StringRef strategy, const std::string &why) {
        remarkRejected(pass, op, strategy, why);
        if (!reasons.empty())
          reasons += "; ";
        (reasons += strategy) += ": " + why;
      });
  if (failed(best)) {
    remarkLeftAlone(pass, op, reasons);
    return result;
  }
  assert(succeeded(checkPlan(best->plan, *result.problem, reason)) &&
         "a chosen plan fits");
  result.plan = best->plan;
  remarkPlanned(pass, op, best->plan,
                llvm::formatv("{0:f2} cycles an output", best->cost).str());
  return result;
}
