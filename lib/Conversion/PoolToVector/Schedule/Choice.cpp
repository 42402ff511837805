// Chooses between plans by their costs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schedule/Choice.h"

using namespace mlir;
using namespace mlir::pool;

PlanAttr pool::chooseCandidate(StringRef pass, Operation *op,
                               ArrayRef<Candidate> candidates, StringRef unit) {
  const Candidate *best = nullptr;
  std::string reasons;
  for (const Candidate &candidate : candidates) {
    if (!candidate.plan) {
      remarkRejected(pass, op, candidate.strategy, candidate.note);
      reasons += llvm::formatv("{0}{1}: {2}", reasons.empty() ? "" : "; ",
                               candidate.strategy, candidate.note);
    } else if (!candidate.isPartial && (!best || candidate.cost < best->cost)) {
      best = &candidate;
    }
  }
  if (!best) {
    remarkLeftAlone(pass, op, reasons);
    return {};
  }
  PlanAttr chosen = best->plan;
  for (const Candidate &candidate : llvm::reverse(candidates)) {
    if (candidate.isPartial) {
      NamedAttrList parameters(candidate.plan.getParameters());
      parameters.set("otherwise", chosen);
      chosen = PlanAttr::get(op->getContext(), candidate.plan.getStrategy(),
                             parameters.getDictionary(op->getContext()));
    } else if (candidate.plan && &candidate != best) {
      remarkRejected(pass, op, candidate.strategy,
                     llvm::formatv("it takes {0:f2} {1}, {2} {3:f2}",
                                   candidate.cost, unit, best->strategy,
                                   best->cost)
                         .str());
    }
  }
  remarkPlanned(pass, op, chosen,
                llvm::formatv("{0:f2} {1}{2}{3}", best->cost, unit,
                              best->note.empty() ? "" : "; ", best->note)
                    .str());
  return chosen;
}
