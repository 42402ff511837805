// The strategies for pool.window_reduce, in order.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

ArrayRef<WindowStrategy> pool::getWindowStrategies() {
  static const WindowStrategy strategies[] = {
      kGlobal,      kPlanes,   kVanHerk, kBufferedPlanes, kMerged,
      kFewChannels, kChannels, kStaged,  kDirect};
  return strategies;
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
  Value isFor = strategy->createCondition(kernel, plan);
  kernel.at.ifElse(isFor, [&](bool isForIt) {
    if (isForIt)
      strategy->emit(kernel, plan);
    else
      emitPlan(kernel, plan.getParameters().getAs<PlanAttr>("otherwise"));
  });
}
