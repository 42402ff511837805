// Pins plans that do not fit, and compares the reasons. refused-plans.txt has
// them in the order of the strategies. Each begins with the reason. The
// indented lines after it are the plan and the operation, with ` | ` between
// them; see ConversionTest::parseOp().
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConversionTest.h"

#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class RefusedPlansTest : public ConversionTest {
protected:
  void refuse(StringRef text, StringRef reason, const Target &target) {
    SCOPED_TRACE(reason.str() + "\n" + text.str());
    auto [plan, problem] = text.split(" | ");
    Operation *op = parseOp(problem);
    ASSERT_TRUE(op);
    PlanAttr pinned = parsePlan(plan);
    ASSERT_TRUE(pinned);
    op->setAttr(PlanAttr::getName(), pinned);
    PlanSelection selection = selectPlan(op, target);
    EXPECT_FALSE(selection.plan);
    EXPECT_TRUE(selection.isPinned);
    EXPECT_TRUE(selection.rejected.empty());
    EXPECT_EQ(selection.reason, reason.str());
    EXPECT_EQ(numDiagnostics, 0);
  }
};
} // namespace

TEST_F(RefusedPlansTest, AllOfTheTable) {
  auto buffer = llvm::MemoryBuffer::getFile(POOL_REFUSED_PLANS);
  ASSERT_TRUE(buffer);
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', /*MaxSplit=*/-1,
                               /*KeepEmpty=*/false);
  SmallVector<std::pair<StringRef, std::string>> rows;
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    if (!line.starts_with(" "))
      rows.emplace_back(line, "");
    else
      rows.back().second +=
          (rows.back().second.empty() ? "" : " ") + line.trim().str();
  }
  EXPECT_GT(rows.size(), 170u);
  for (const auto &[reason, text] : rows)
    refuse(text, reason, Target());
}

TEST_F(RefusedPlansTest, OfNarrowVectors) {
  Target target = Target::getGeneric(128);
  refuse("\"van-herk\", vectors = 2 | max_pool kernel [3, 601] : "
         "1x1x64x4000xf64 -> 1x1x62x3400xf64",
         "van-herk: 300 vectors are kept along a row, more than 64", target);
  // The plan's number of lanes is right for another machine only.
  refuse("\"direct\", lanes = 16 | max_pool kernel [3, 3] : "
         "1x4x32x32xf32 -> 1x4x30x30xf32",
         "direct: lanes is 16, must be a power of two up to 4", target);
}
