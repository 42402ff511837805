// The strategies for pool.window_reduce, in order, and the choice.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plan/Strategy.h"

#include "Channels/Channels.h"
#include "Direct/Direct.h"
#include "Global/Global.h"
#include "Plan/Parameters.h"
#include "Planes/Planes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pool;

static constexpr Strategy kStrategies[] = {
    {"global", planGlobal, checkGlobalPlan, createGlobalCondition, emitGlobal,
     /*canBeUniform=*/false},
    {"planes", planPlanes, checkPlanesPlan, createPlanesCondition, emitPlanes,
     /*canBeUniform=*/true},
    {"van-herk", planVanHerk, checkVanHerkPlan, nullptr, emitVanHerk,
     /*canBeUniform=*/false},
    {"buffered-planes", planBuffered, checkBufferedPlan, nullptr, emitBuffered,
     /*canBeUniform=*/true},
    {"few-channels", planFewChannels, checkFewChannelsPlan, nullptr,
     emitFewChannels, /*canBeUniform=*/false},
    {"channels", planChannels, checkChannelsPlan, nullptr, emitChannels,
     /*canBeUniform=*/true},
    {"direct", planDirect, checkDirectPlan, nullptr, emitDirect,
     /*canBeUniform=*/true},
};

ArrayRef<Strategy> pool::getStrategies() { return kStrategies; }

static const Strategy *findStrategy(StringRef name) {
  const Strategy *it = llvm::find_if(
      kStrategies, [&](const Strategy &strategy) { return strategy.name == name; });
  return it == std::end(kStrategies) ? nullptr : it;
}

FailureOr<Candidate> pool::choosePlan(MLIRContext *context,
                                      const Problem &problem,
                                      RejectFn reject) {
  SmallVector<Candidate> candidates, partial;
  const Candidate *best = nullptr;
  for (const Strategy &strategy : kStrategies) {
    std::string reason;
    FailureOr<Candidate> candidate = strategy.plan(context, problem, reason);
    if (failed(candidate))
      reject(strategy.name, reason);
    else if (candidate->isPartial)
      partial.push_back(*candidate);
    else
      candidates.push_back(*candidate);
  }
  for (const Candidate &candidate : candidates)
    if (!best || candidate.cost < best->cost)
      best = &candidate;
  if (!best)
    return failure();
  for (const Candidate &candidate : candidates)
    if (&candidate != best)
      reject(candidate.plan.getStrategy(),
             llvm::formatv("it takes {0:f2} cycles an output, {1} {2:f2}",
                           candidate.cost, best->plan.getStrategy().getValue(),
                           best->cost));
  Candidate chosen = *best;
  for (const Candidate &candidate : llvm::reverse(partial)) {
    NamedAttrList parameters(candidate.plan.getParameters());
    parameters.set("otherwise", chosen.plan);
    chosen.plan = PlanAttr::get(context, candidate.plan.getStrategy(),
                                parameters.getDictionary(context));
  }
  return chosen;
}

LogicalResult pool::checkPlan(PlanAttr plan, const Problem &problem,
                              std::string &reason) {
  PlanScope scope;
  while (plan) {
    const Strategy *strategy = findStrategy(plan.getStrategy());
    if (!strategy) {
      reason = llvm::formatv("there is no strategy {0}", plan.getStrategy());
      return failure();
    }
    if (failed(strategy->check(plan, problem, scope, reason))) {
      reason = llvm::formatv("{0}: {1}", strategy->name, reason);
      return failure();
    }
    plan = plan.getParameters().getAs<PlanAttr>("otherwise");
  }
  return success();
}

void pool::emitPlan(WindowKernel &kernel, PlanAttr plan) {
  const Strategy *strategy = findStrategy(plan.getStrategy());
  Value isFor = strategy->createCondition
                    ? strategy->createCondition(kernel, plan)
                    : Value();
  if (!isFor)
    return strategy->emit(kernel, plan);
  RewriterBase &b = kernel.b;
  auto branch = scf::IfOp::create(b, kernel.getLoc(), isFor, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  strategy->emit(kernel, plan);
  b.setInsertionPointToStart(branch.elseBlock());
  emitPlan(kernel, plan.getParameters().getAs<PlanAttr>("otherwise"));
}
