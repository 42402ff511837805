// Runs those passes of pool-to-llvm that come before planning, and then plans
// each operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Plans.h"

#include "Lowering.h"
#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pool;

static std::string getLocation(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    os << loc.getFilename().getValue() << ":" << loc.getLine() << ":"
       << loc.getColumn();
  else
    op->getLoc().print(os);
  return text;
}

llvm::Expected<std::vector<OperationPlan>>
mlir::pool::getPlans(ModuleOp module, const PlanOptions &options) {
  MLIRContext *context = module.getContext();
  OwningOpRef<ModuleOp> copy = module.clone();
  if (!options.entries.empty())
    keepPublic(*copy, options.entries);
  PoolToLLVMOptions pipeline;
  // CompileOptions enables run-time checks by default, so plan for them.
  pipeline.runtimeChecks = true;
  PassManager pm(context);
  pm.addPass(createSymbolDCEPass());
  buildPoolPreparationPipeline(pm, pipeline);
  auto target =
      resolveTarget(withHostByDefault(options.target, options.vectorBits),
                    options.vectorBits, context);
  if (failed(target) || failed(pm.run(*copy)) || failed(verifyLowerable(*copy)))
    return llvm::createStringError("planning failed");

  std::vector<OperationPlan> plans;
  for (auto func : copy->getOps<func::FuncOp>()) {
    WalkResult result = func.walk([&](Operation *op) {
      if (!isPlannable(op))
        return WalkResult::advance();
      PlanSelection selection = selectPlan(op, *target);
      if (selection.isPinned && !selection.plan)
        return WalkResult(rejectPlan(op, selection.reason));
      OperationPlan &plan = plans.emplace_back();
      plan.function = func.getName().str();
      plan.operation = op->getName().getStringRef().str();
      plan.location = getLocation(op);
      plan.isPinned = selection.isPinned;
      plan.cycles = selection.cost;
      if (selection.plan)
        llvm::raw_string_ostream(plan.plan) << selection.plan;
      else
        plan.reason = selection.reason;
      for (RejectedStrategy &rejected : selection.rejected)
        plan.rejected.emplace_back(rejected.strategy.str(), rejected.reason);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return llvm::createStringError("planning failed");
  }
  return plans;
}
