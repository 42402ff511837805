// Writes the plan by which convert-pool-to-vector or pool-to-gpu would lower
// each operation to its attribute `pool.plan`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plans/Plan.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pool/Conversion/GPUPlans.h"
#include "pool/Conversion/Passes.h"
#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLSELECTPLAN
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct PoolSelectPlanPass : pool::impl::PoolSelectPlanBase<PoolSelectPlanPass> {
  using PoolSelectPlanBase::PoolSelectPlanBase;

  LogicalResult initialize(MLIRContext *context) override {
    TargetNames names{triple, cpu, features};
    FailureOr<std::optional<GPU>> found = resolveGPU(names, context);
    if (failed(found))
      return failure();
    gpu = *found;
    if (gpu ? vectorBits != 0 || !costs.empty() : block != 0)
      return emitError(UnknownLoc::get(context))
             << "target=" << triple
             << (gpu ? " is a GPU: vector-bits and costs are for CPUs"
                     : " is no GPU: block is for GPUs");
    if (gpu) {
      if (block != 0 && failed(checkBlock(block, context)))
        return failure();
      gpu->block = block;
      return success();
    }
    FailureOr<Target> named = resolveTarget(names, vectorBits, context);
    if (failed(named))
      return failure();
    target = *named;
    llvm::Expected<Costs> weights = Costs::parse(costs);
    if (!weights)
      return emitError(UnknownLoc::get(context),
                       llvm::toString(weights.takeError()));
    target.costs = *weights;
    return success();
  }

  void runOnOperation() override {
    if (failed(verifyLowerable(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isPlannable(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      PlanSelection selection =
          gpu ? selectGPUPlan(op, *gpu) : selectPlan(op, target);
      if (failed(reportPlan(getArgument(), op, selection,
                            static_cast<bool>(selection.plan),
                            [&] { return selection.plan; })))
        return signalPassFailure();
      if (!selection.plan)
        continue;
      op->setAttr(PlanAttr::getName(), selection.plan);
      ++numPlanned;
    }
  }

private:
  Target target;
  /// The GPU to plan for. If it is not set, plans are for the CPU `target`.
  std::optional<GPU> gpu;
};
} // namespace
