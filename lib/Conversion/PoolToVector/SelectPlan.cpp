// Writes the plans by which convert-pool-to-vector lowers, or pool-to-gpu.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Remarks.h"
#include "PlanPool.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/Passes.h"
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
    if (gpu && (vectorBits != 0 || !costs.empty()))
      return emitError(UnknownLoc::get(context))
             << "target=" << triple
             << " is a GPU: vector-bits and costs are for CPUs";
    if (gpu) {
      if (block != 0 && failed(checkBlock(block, context)))
        return failure();
      gpu->block = block;
      return success();
    }
    if (block != 0)
      return emitError(UnknownLoc::get(context))
             << "target=" << triple << " is no GPU: block is for GPUs";
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
      if (isa_and_present<PoolDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      // The conversion makes another operation of it.
      if (auto adaptive = dyn_cast<AdaptiveOpInterface>(op);
          adaptive && hasRegularWindows(adaptive)) {
        remarkLeftAlone(getArgument(), op,
                        "its windows are those of an ordinary operation, which "
                        "pool-adaptive-to-window makes of it");
        continue;
      }
      FailureOr<PlanAttr> plan = gpu ? planPoolForGPU(getArgument(), op, *gpu)
                                     : planPool(getArgument(), op, target);
      if (failed(plan))
        return signalPassFailure();
      if (!*plan)
        continue;
      op->setAttr(PlanAttr::getName(), *plan);
      ++numPlanned;
    }
  }

private:
  Target target;
  /// The GPU to plan for, instead of `target`.
  std::optional<GPU> gpu;
};
} // namespace
