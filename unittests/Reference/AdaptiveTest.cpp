// Adaptive pooling in the reference interpreter, which other tests trust.
// Expected values are written by hand: overlapping windows, more outputs than
// inputs, integers, indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

namespace {

using Floats = std::vector<float>;
using Indices = std::vector<int64_t>;

class AdaptiveTest : public ReferenceTest {
protected:
  Tensor makeRow(const Floats &row) {
    return makeTensor("f32", {1, 1, static_cast<int64_t>(row.size())}, row);
  }

  Floats average(StringRef attributes, const Floats &row,
                 bool isDynamic = false) {
    SmallVector<Tensor> results = apply("pool.adaptive_avg_pool", attributes,
                                        makeRow(row), "", isDynamic);
    return results.size() == 1 ? getElements<float>(results[0]) : Floats();
  }
};

/// 3 windows over 5 elements: [0, 2), [1, 4), [3, 5).
TEST_F(AdaptiveTest, WindowsOverlap) {
  EXPECT_EQ(average("output_size [3]", {1, 3, 5, 7, 9}), Floats({2, 5, 8}));
  EXPECT_EQ(average("output_size [3]", {1, 3, 5, 7, 9}, /*isDynamic=*/true),
            Floats({2, 5, 8}));
}

/// 5 windows over 2 elements: [0, 1), [0, 1), [0, 2), [1, 2), [1, 2).
TEST_F(AdaptiveTest, MoreOutputsThanInputs) {
  EXPECT_EQ(average("output_size [5]", {2, 4}), Floats({2, 2, 3, 4, 4}));
}

TEST_F(AdaptiveTest, Global) {
  EXPECT_EQ(average("output_size [1]", {1, 2, 3, 6}), Floats({3}));
}

TEST_F(AdaptiveTest, IntegersAndZeroPoints) {
  Tensor row = makeTensor<int8_t>("i8", {1, 1, 5}, {1, 2, -2, -3, 127});
  // The averages are 3 / 2, -3 / 3 and 124 / 2.
  SmallVector<Tensor> results =
      apply("pool.adaptive_avg_pool", "output_size [3]", row);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(getElements<int8_t>(results[0]), std::vector<int8_t>({2, -1, 62}));
  results = apply("pool.adaptive_avg_pool",
                  "output_size [3] integer_rounding half_up input_zp -100 "
                  "output_zp 0",
                  row);
  ASSERT_EQ(results.size(), 1u);
  // The averages are 101.5, which rounds up, 99, and 162, which saturates.
  EXPECT_EQ(getElements<int8_t>(results[0]),
            std::vector<int8_t>({102, 99, 127}));
}

TEST_F(AdaptiveTest, MaximaAndIndices) {
  SmallVector<Tensor> results =
      apply("pool.adaptive_max_pool", "output_size [3] axis 2",
            makeTensor<float>("f32", {1, 2, 5},
                              {1, 5, 5, NAN, 2, NAN, NAN, NAN, NAN, 0}),
            "i64");
  ASSERT_EQ(results.size(), 2u);
  float lowest = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(getElements<float>(results[0]),
            Floats({5, 5, 2, lowest, lowest, 0}));
  // The first of equal elements wins. A window of only NaN gives -infinity and
  // the index of its first element.
  EXPECT_EQ(getElements<int64_t>(results[1]), Indices({1, 1, 4, 0, 1, 4}));
}

TEST_F(AdaptiveTest, IndicesOfTheWhole) {
  SmallVector<Tensor> results = apply(
      "pool.adaptive_max_pool", "output_size [2] layout channels_last",
      makeTensor<float>("f32", {2, 3, 2}, {1, 6, 2, 5, 3, 4, 9, 7, 8, 8, 7, 9}),
      "i32");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getElements<float>(results[0]), Floats({2, 6, 3, 5, 9, 8, 8, 9}));
  EXPECT_EQ(getElements<int32_t>(results[1]),
            std::vector<int32_t>({2, 1, 4, 3, 6, 9, 8, 11}));
}

TEST_F(AdaptiveTest, EmptyExtentAtRunTime) {
  EXPECT_TRUE(average("output_size [2]", {}, /*isDynamic=*/true).empty());
  EXPECT_NE(
      diagnostics.find(
          "(Adaptive.C3) dimension 2: input extent is 0, must be at least 1"),
      std::string::npos)
      << diagnostics;
  diagnostics.clear();
}

} // namespace
