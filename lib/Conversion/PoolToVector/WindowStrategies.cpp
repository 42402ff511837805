// The strategies for pool.window_reduce, in order.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowStrategies.h"

#include "Channels/Channels.h"
#include "Direct/Direct.h"
#include "Global/Global.h"
#include "Planes/Planes.h"
#include "Staged/Staged.h"

using namespace mlir;
using namespace mlir::pool;

static constexpr WindowStrategy kWindowStrategies[] = {
    {"global", planGlobal, checkGlobalPlan, emitGlobal, createGlobalCondition},
    {"planes", planPlanes, checkPlanesPlan, emitPlanes, createPlanesCondition},
    {"van-herk", planVanHerk, checkVanHerkPlan, emitVanHerk},
    {"buffered-planes", planBuffered, checkBufferedPlan, emitBuffered},
    {"few-channels", planFewChannels, checkFewChannelsPlan, emitFewChannels},
    {"channels", planChannels, checkChannelsPlan, emitChannels},
    {"staged", planStaged, checkStagedPlan, emitStaged},
    {"direct", planDirect, checkDirectPlan, emitDirect},
};

ArrayRef<WindowStrategy> pool::getWindowStrategies() {
  return kWindowStrategies;
}

bool pool::needsPackedResults(PlanAttr plan) {
  for (; plan; plan = plan.getParameters().getAs<PlanAttr>("otherwise"))
    if (llvm::is_contained({"global", "few-channels"},
                           plan.getStrategy().getValue()))
      return true;
  return false;
}

void pool::emitPlan(WindowKernel &kernel, PlanAttr plan) {
  const WindowStrategy *strategy =
      findStrategy(getWindowStrategies(), plan.getStrategy().getValue());
  Value isFor = strategy->createCondition
                    ? strategy->createCondition(kernel, plan)
                    : Value();
  KernelBuilder(kernel.b, kernel.getLoc()).ifElse(isFor, [&](bool isForIt) {
    if (isForIt)
      strategy->emit(kernel, plan);
    else
      emitPlan(kernel, plan.getParameters().getAs<PlanAttr>("otherwise"));
  });
}
