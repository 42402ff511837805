// Weights of the cost model, as options replace them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/Costs.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

/// Returns the error for one option; empty if there is none.
std::string getError(const std::string &option) {
  llvm::Expected<Costs> costs = Costs::parse(option);
  return costs ? "" : llvm::toString(costs.takeError());
}

TEST(CostsTest, OptionsReplaceWeights) {
  llvm::Expected<Costs> costs =
      Costs::parse({"loop-ops:12", "index-factor:0.5", "loop-ops:1e2"});
  ASSERT_TRUE(static_cast<bool>(costs)) << llvm::toString(costs.takeError());
  // The last value counts.
  EXPECT_EQ(costs->loopOps, 100);
  EXPECT_EQ(costs->indexFactor, 0.5);
  EXPECT_EQ(costs->groupOps, Costs().groupOps);
  llvm::Expected<Costs> none = Costs::parse({});
  ASSERT_TRUE(static_cast<bool>(none)) << llvm::toString(none.takeError());
  EXPECT_EQ(none->loopOps, Costs().loopOps);
}

TEST(CostsTest, EachWeightHasAName) {
#define POOL_COST(field, option, value)                                        \
  {                                                                            \
    llvm::Expected<Costs> costs = Costs::parse(std::string(option ":7.5"));    \
    ASSERT_TRUE(static_cast<bool>(costs))                                      \
        << llvm::toString(costs.takeError());                                  \
    EXPECT_EQ(costs->field, 7.5) << option;                                    \
    EXPECT_GT(Costs().field, 0) << option;                                     \
  }
#include "pool/Target/Costs.def"
}

TEST(CostsTest, ErrorsNameTheOption) {
  EXPECT_EQ(getError("tap-ops:3")
                .find("costs has 'tap-ops:3', which must be "
                      "NAME:NUMBER, with a name of loop-ops, "),
            0u);
  EXPECT_EQ(getError("").find("costs has '', which must be"), 0u);
  for (std::string value : {"", ":", ":x", ":-1", ":1x", ":inf", ":nan"})
    EXPECT_EQ(
        getError("loop-ops" + value),
        "costs has 'loop-ops" + value +
            "', whose value must be a finite number that is not negative");
  EXPECT_EQ(getError("loop-ops:0"), "");
}

} // namespace
