// Chooses between plans by their costs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schedule/Choice.h"

using namespace mlir;
using namespace mlir::pool;

static PlanAttr setOtherwise(PlanAttr plan, PlanAttr otherwise) {
  NamedAttrList parameters(plan.getParameters());
  parameters.set("otherwise", otherwise);
  return PlanAttr::get(plan.getContext(), plan.getStrategy(),
                       parameters.getDictionary(plan.getContext()));
}

FailureOr<Candidate> pool::chooseCandidate(ArrayRef<Candidate> candidates,
                                           StringRef unit, RejectFn reject) {
  const Candidate *best = nullptr;
  for (const Candidate &candidate : candidates)
    if (!candidate.isPartial && (!best || candidate.cost < best->cost))
      best = &candidate;
  if (!best)
    return failure();
  Candidate chosen = *best;
  for (const Candidate &candidate : llvm::reverse(candidates)) {
    if (candidate.isPartial)
      chosen.plan = setOtherwise(candidate.plan, chosen.plan);
    else if (&candidate != best)
      reject(candidate.plan.getStrategy(),
             llvm::formatv("it takes {0:f2} {1}, {2} {3:f2}", candidate.cost,
                           unit, best->plan.getStrategy().getValue(),
                           best->cost));
  }
  return chosen;
}
