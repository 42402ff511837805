// getPlans() must return the plans of a module without changing it, and must
// leave the remarks of its context to the caller.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Plans.h"

#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "pool/InitAll.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Counts the remarks that it is given.
struct CountingStreamer : remark::detail::MLIRRemarkStreamerBase {
  explicit CountingStreamer(int &count) : count(count) {}
  void streamOptimizationRemark(const remark::detail::Remark &) override {
    ++count;
  }
  int &count;
};
} // namespace

TEST(Plans, LeaveTheRemarksToTheCaller) {
  DialectRegistry registry;
  pool::registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(R"mlir(
    func.func @f(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x28x28xf32> {
      %0 = pool.max_pool %x kernel [3, 3]
         {pool.plan = #pool.plan<"direct", lanes = 4>}
         : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
      %1 = pool.max_pool %0 kernel [3, 3]
         : tensor<1x4x30x30xf32> -> tensor<1x4x28x28xf32>
      return %1 : tensor<1x4x28x28xf32>
    }
  )mlir",
                                            ParserConfig(&context));
  ASSERT_TRUE(module);
  int numRemarks = 0;
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis = "test|pool-.*";
  ASSERT_TRUE(succeeded(remark::enableOptimizationRemarks(
      context, std::make_unique<CountingStreamer>(numRemarks),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)));
  remark::detail::RemarkEngine *engine = context.getRemarkEngine();

  auto plans = getPlans(*module, {{}, /*vectorBits=*/256, {}});
  ASSERT_TRUE(static_cast<bool>(plans)) << llvm::toString(plans.takeError());
  EXPECT_EQ(context.getRemarkEngine(), engine);
  EXPECT_EQ(numRemarks, 0);
  ASSERT_EQ(plans->size(), 2u);

  const OperationPlan &pinned = (*plans)[0], &chosen = (*plans)[1];
  EXPECT_EQ(pinned.plan, "#pool.plan<\"direct\", lanes = 4>");
  EXPECT_TRUE(pinned.isPinned);
  EXPECT_FALSE(pinned.cycles);
  EXPECT_TRUE(pinned.rejected.empty());
  EXPECT_EQ(chosen.plan.find("#pool.plan<\"planes\""), 0u);
  EXPECT_FALSE(chosen.isPinned);
  EXPECT_GT(chosen.cycles.value_or(0), 0);
  EXPECT_TRUE(chosen.reason.empty());
  EXPECT_FALSE(chosen.rejected.empty());

  // Without names, plans are for this machine.
  plans = getPlans(*module, {});
  ASSERT_TRUE(static_cast<bool>(plans)) << llvm::toString(plans.takeError());
  Operation *last = nullptr;
  module->walk([&](WindowOpInterface op) { last = op; });
  PlanSelection ofHost = selectPlan(last, Target::getHost());
  EXPECT_EQ((*plans)[1].cycles, ofHost.cost);

  // The engine still gets remarks.
  remark::passed(UnknownLoc::get(&context),
                 remark::RemarkOpts::name("Test").category("test"))
      << remark::add("still here");
  EXPECT_EQ(numRemarks, 1);
  context.setRemarkEngine(nullptr);
}
