// max_pool in the reference interpreter, which other tests trust: padding,
// indices, NaN, element types. Expected values are written by hand; some are
// examples of docs/Reference/Semantics.md and of the documents that it follows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::pool;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
using Floats = std::vector<float>;
using Indices = std::vector<int64_t>;

class MaxPoolTest : public ReferenceTest {
protected:
  /// Returns values and indices of one 1-D or 2-D plane of f32.
  std::pair<Floats, Indices> pool(StringRef attributes,
                                  ArrayRef<int64_t> spatial,
                                  const Floats &elements) {
    SmallVector<int64_t> shape = {1, 1};
    shape.append(spatial.begin(), spatial.end());
    SmallVector<Tensor> results = apply(
        "pool.max_pool", attributes, makeTensor("f32", shape, elements), "i64");
    if (results.size() != 2)
      return {};
    return {getElements<float>(results[0]), getElements<int64_t>(results[1])};
  }

  /// Returns values only, from an operation without indices.
  template <typename StorageT>
  std::vector<StorageT> poolValues(StringRef attributes, const Tensor &input) {
    SmallVector<Tensor> results = apply("pool.max_pool", attributes, input);
    if (results.size() != 1)
      return {};
    return getElements<StorageT>(results[0]);
  }
};

const Floats kDocument = {-1, 2, 3, 4, 5, -6, -7, 8, 9};

TEST_F(MaxPoolTest, ExplicitPads) {
  auto [values, indices] = pool(
      "kernel [2, 2] pads_begin [1, 1] pads_end [1, 1]", {3, 3}, kDocument);
  EXPECT_EQ(values, Floats({-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9}));
  EXPECT_EQ(indices, Indices({0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8}));
}

TEST_F(MaxPoolTest, Valid) {
  auto [values, indices] =
      pool("kernel [3] auto_pad valid", {7}, {-1, 2, 3, 5, -7, 9, 1});
  EXPECT_EQ(values, Floats({3, 5, 5, 9, 9}));
  EXPECT_EQ(indices, Indices({2, 3, 3, 5, 5}));
}

TEST_F(MaxPoolTest, SameLowerAndUpper) {
  auto lower = pool("kernel [2, 2] auto_pad same_lower", {3, 3}, kDocument);
  EXPECT_EQ(lower.first, Floats({-1, 2, 3, 4, 5, 5, 4, 8, 9}));
  EXPECT_EQ(lower.second, Indices({0, 1, 2, 3, 4, 4, 3, 7, 8}));
  auto upper = pool("kernel [2, 2] auto_pad same_upper", {3, 3}, kDocument);
  EXPECT_EQ(upper.first, Floats({5, 5, 3, 8, 9, 9, 8, 9, 9}));
  EXPECT_EQ(upper.second, Indices({4, 4, 2, 7, 8, 8, 7, 8, 8}));
}

TEST_F(MaxPoolTest, ValidRoundsByRoundingType) {
  auto [values, indices] =
      pool("kernel [2, 2] strides [2, 2] rounding_type ceil auto_pad valid",
           {3, 3}, kDocument);
  EXPECT_EQ(values, Floats({5, 3, 8, 9}));
  EXPECT_EQ(indices, Indices({4, 2, 7, 8}));
}

TEST_F(MaxPoolTest, Dilation) {
  auto [values, indices] = pool("kernel [2, 2] dilations [2, 2] "
                                "pads_begin [1, 1] pads_end [1, 1]",
                                {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(values, Floats({5, 6, 5, 8, 9, 8, 5, 6, 5}));
  EXPECT_EQ(indices, Indices({4, 5, 4, 7, 8, 7, 4, 5, 4}));
}

/// Shape 2x2x3x3; the largest element of each plane is its last.
TEST_F(MaxPoolTest, Axis) {
  std::vector<float> elements(36);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = i;
  Tensor input = makeTensor("f32", {2, 2, 3, 3}, elements);
  const Indices expected[] = {
      {8, 17, 26, 35}, {8, 17, 8, 17}, {8, 8, 8, 8}, {2, 2, 2, 2}};
  for (int axis = -4; axis < 4; ++axis) {
    SmallVector<Tensor> results =
        apply("pool.max_pool", "kernel [3, 3] axis " + std::to_string(axis),
              input, "i64");
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(getElements<int64_t>(results[1]), expected[(axis + 4) % 4])
        << axis;
  }
}

TEST_F(MaxPoolTest, ChannelsLastIndicesAreOfTheTensorAsStored) {
  // Two positions, two channels: channel 0 is 1, 3; channel 1 is 4, 2.
  Tensor input = makeTensor<float>("f32", {1, 2, 2}, {1, 4, 3, 2});
  const std::pair<StringRef, std::vector<int32_t>> expected[] = {
      {"0", {2, 1}}, {"1", {2, 1}}, {"2", {0, 1}}};
  for (const auto &[axis, positions] : expected) {
    SmallVector<Tensor> results = apply(
        "pool.max_pool", "kernel [2] layout channels_last axis " + axis.str(),
        input, "i32");
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].shape, SmallVector<int64_t>({1, 1, 2}));
    EXPECT_EQ(getElements<float>(results[0]), Floats({3, 4}));
    EXPECT_EQ(getElements<int32_t>(results[1]), positions) << axis.str();
  }
}

TEST_F(MaxPoolTest, TiesGoToTheFirst) {
  EXPECT_EQ(pool("kernel [2, 2]", {2, 3}, {1, 7, 7, 7, 1, 7}).second,
            Indices({1, 1}));
  EXPECT_EQ(pool("kernel [2]", {3}, {-0.0f, 0.0f, -0.0f}).second,
            Indices({0, 1}));
}

TEST_F(MaxPoolTest, AllMinusInfinity) {
  auto [values, indices] =
      pool("kernel [2] pads_begin [1]", {2}, {-kInf, -kInf});
  EXPECT_EQ(values, Floats({-kInf, -kInf}));
  EXPECT_EQ(indices, Indices({0, 0}));
}

TEST_F(MaxPoolTest, IgnoreNaN) {
  auto [values, indices] =
      pool("kernel [2] strides [2] pads_begin [1] pads_end [1]", {6},
           {kNaN, kNaN, -kInf, kNaN, kNaN, 1});
  // The windows are [pad, NaN] [NaN, -inf] [NaN, NaN] [1, pad].
  EXPECT_EQ(values, Floats({-kInf, -kInf, -kInf, 1}));
  EXPECT_EQ(indices, Indices({0, 2, 3, 5}));
}

TEST_F(MaxPoolTest, IgnoreNaNBeforeAndAfter) {
  auto [values, indices] = pool("kernel [3]", {5}, {kNaN, -2, kNaN, -3, kNaN});
  EXPECT_EQ(values, Floats({-2, -2, -3}));
  EXPECT_EQ(indices, Indices({1, 1, 3}));
}

TEST_F(MaxPoolTest, PropagateNaN) {
  auto [values, indices] =
      pool("kernel [3] nan_mode propagate", {6}, {5, kNaN, kNaN, kInf, 1, 2});
  ASSERT_EQ(values.size(), 4u);
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]) &&
              std::isnan(values[2]));
  EXPECT_EQ(values[3], kInf);
  EXPECT_EQ(indices, Indices({1, 1, 2, 3}));
}

/// 1..5 with kernel 2, stride 2, pads 1: under ceil, the last window covers
/// only padding and overhang. ceil_torch drops this window.
TEST_F(MaxPoolTest, WindowOfPaddingAlone) {
  StringRef window = "kernel [2] strides [2] pads_begin [1] pads_end [1] "
                     "rounding_type ";
  auto ceil = pool((window + "ceil").str(), {5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(ceil.first, Floats({1, 3, 5, -kInf}));
  EXPECT_EQ(ceil.second, Indices({0, 2, 4, 0}));
  auto torch = pool((window + "ceil_torch").str(), {5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(torch.first, Floats({1, 3, 5}));
  EXPECT_EQ(torch.second, Indices({0, 2, 4}));
}

TEST_F(MaxPoolTest, WindowOfPaddingAloneInTheSecondBatch) {
  SmallVector<Tensor> results =
      apply("pool.max_pool", "kernel [1] strides [2] pads_begin [1]",
            makeTensor<float>("f32", {2, 1, 2}, {1, 2, 3, 4}), "i64");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getElements<float>(results[0]), Floats({-kInf, 2, -kInf, 4}));
  EXPECT_EQ(getElements<int64_t>(results[1]), Indices({0, 1, 0, 3}));
}

/// pad_value zero exists for BNNS, where padding and overhang count as zero.
TEST_F(MaxPoolTest, PadValueZero) {
  Tensor input = makeTensor<float>("f32", {1, 1, 5}, {-1, -2, kNaN, -4, -5});
  EXPECT_EQ(poolValues<float>("kernel [2] strides [2] pads_begin [1] "
                              "rounding_type ceil pad_value zero",
                              input),
            Floats({0, -2, -4}));
  EXPECT_EQ(poolValues<float>("kernel [2] strides [2] rounding_type ceil "
                              "pad_value zero",
                              input),
            Floats({-1, -4, 0}));
  Floats propagated = poolValues<float>(
      "kernel [4] strides [2] pads_end [1] pad_value zero nan_mode propagate",
      input);
  ASSERT_EQ(propagated.size(), 2u);
  EXPECT_TRUE(std::isnan(propagated[0]) && std::isnan(propagated[1]));
}

TEST_F(MaxPoolTest, IntegerPaddingIsTheSmallestValue) {
  StringRef window = "kernel [2] strides [2] pads_begin [1] pads_end [3]";
  EXPECT_EQ(poolValues<int8_t>(window,
                               makeTensor<int8_t>("i8", {1, 1, 2}, {-128, -3})),
            std::vector<int8_t>({-128, -3, -128}));
  EXPECT_EQ(poolValues<uint8_t>(
                window, makeTensor<uint8_t>("ui8", {1, 1, 2}, {200, 100})),
            std::vector<uint8_t>({200, 100, 0}));
  EXPECT_EQ(poolValues<int16_t>(
                window, makeTensor<int16_t>("si16", {1, 1, 2}, {-5, -6})),
            std::vector<int16_t>({-5, -6, -32768}));
}

TEST_F(MaxPoolTest, ExtremesOf64Bits) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(poolValues<int64_t>(
                "kernel [2]", makeTensor<int64_t>("i64", {1, 1, 4},
                                                  {kMin, kMax, kMax - 1, -1})),
            std::vector<int64_t>({kMax, kMax, kMax - 1}));
  EXPECT_EQ(
      poolValues<uint64_t>(
          "kernel [2]", makeTensor<uint64_t>("ui64", {1, 1, 3}, {0, ~0ull, 1})),
      std::vector<uint64_t>({~0ull, ~0ull}));
}

TEST_F(MaxPoolTest, NarrowFloats) {
  // The f16 elements are -2, -inf, 0.5. The bf16 elements are -1.5, NaN, 1.5.
  EXPECT_EQ(poolValues<uint16_t>(
                "kernel [2]", makeTensor<uint16_t>("f16", {1, 1, 3},
                                                   {0xC000, 0xFC00, 0x3800})),
            std::vector<uint16_t>({0xC000, 0x3800}));
  EXPECT_EQ(poolValues<uint16_t>(
                "kernel [2]", makeTensor<uint16_t>("bf16", {1, 1, 3},
                                                   {0xBFC0, 0x7FC0, 0x3FC0})),
            std::vector<uint16_t>({0xBFC0, 0x3FC0}));
  EXPECT_EQ(
      poolValues<double>(
          "kernel [2]", makeTensor<double>("f64", {1, 1, 2}, {1, 1 + 0x1p-52})),
      std::vector<double>({1 + 0x1p-52}));
}

TEST_F(MaxPoolTest, ThreeDimensions) {
  Floats elements(27);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = (i * 7) % 27;
  auto [values, indices] = pool("kernel [2, 2, 2]", {3, 3, 3}, elements);
  EXPECT_EQ(values, Floats({21, 23, 24, 22, 25, 26, 24, 26}));
  EXPECT_EQ(indices, Indices({3, 11, 15, 7, 19, 23, 15, 23}));
}

TEST_F(MaxPoolTest, EmptyBatch) {
  SmallVector<Tensor> results =
      apply("pool.max_pool", "kernel [2]",
            makeTensor<float>("f32", {0, 3, 4}, {}), "i32", /*isDynamic=*/true);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].shape, SmallVector<int64_t>({0, 3, 3}));
  EXPECT_EQ(results[1].shape, SmallVector<int64_t>({0, 3, 3}));
  EXPECT_TRUE(results[1].data.empty());
}

} // namespace
