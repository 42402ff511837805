// Runs the passes with which pool-to-llvm prepares the pool dialect, then
// pool-select-plan. Collects the remarks of pool-select-plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Plans.h"

#include "Lowering.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Turns remarks of pool-select-plan into plans. For each operation, the pass
/// emits a remark for every rejected strategy, then a remark that the operation
/// is planned or left alone.
class PlanRemarks : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit PlanRemarks(std::vector<OperationPlan> &plans) : plans(plans) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override;

private:
  std::vector<OperationPlan> &plans;
  OperationPlan current;
};
} // namespace

void PlanRemarks::streamOptimizationRemark(
    const remark::detail::Remark &remark) {
  StringRef text, reason;
  for (const remark::detail::Remark::Arg &argument : remark.getArgs()) {
    if (argument.key == "Remark")
      text = argument.val;
    else if (argument.key == "Reason")
      reason = argument.val;
  }
  if (remark.getRemarkName() == "Rejected") {
    current.rejected.push_back({text.rsplit(' ').second.str(), reason.str()});
    return;
  }
  double cycles = 0;
  if (remark.getRemarkName() == "LeftAlone")
    current.reason = reason.str();
  else if (reason.consume_back(" cycles an output") &&
           !reason.getAsDouble(cycles))
    current.cycles = cycles;
  else
    current.isPinned = true;
  plans.push_back(std::exchange(current, {}));
}

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
  OwningOpRef<ModuleOp> copy = module.clone();
  if (!options.entries.empty())
    keepPublic(*copy, options.entries);
  PoolToLLVMOptions pipeline;
  pipeline.triple = options.target.triple;
  pipeline.cpu = options.target.cpu;
  pipeline.features = options.target.features;
  pipeline.vectorBits = options.vectorBits;
  // CompileOptions enables run-time checks by default, so plan with them.
  pipeline.runtimeChecks = true;

  std::vector<OperationPlan> plans;
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      "pool-select-plan";
  if (failed(remark::enableOptimizationRemarks(
          *module.getContext(), std::make_unique<PlanRemarks>(plans),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return llvm::createStringError("remarks cannot be collected");
  PassManager pm(module.getContext());
  pm.addPass(createSymbolDCEPass());
  buildSelectPlanPipeline(pm, pipeline);
  LogicalResult result = pm.run(*copy);
  // Remove the streamer, because it refers to local variables.
  module.getContext()->setRemarkEngine(nullptr);
  if (failed(result))
    return llvm::createStringError("planning failed");

  // Plans have the order of functions and their operations.
  auto plan = plans.begin();
  for (auto func : copy->getOps<func::FuncOp>())
    func.walk([&](Operation *op) {
      if (!isa_and_present<PoolDialect>(op->getDialect()) ||
          plan == plans.end())
        return;
      plan->function = func.getName().str();
      plan->operation = op->getName().getStringRef().str();
      plan->location = getLocation(op);
      if (PlanAttr attr = PlanAttr::getOf(op))
        llvm::raw_string_ostream(plan->plan) << attr;
      ++plan;
    });
  return std::move(plans);
}
