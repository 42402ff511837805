// avg_pool in the reference interpreter, which other tests trust. Expected
// values are written by hand: divisors, rounding, zero points and float
// arithmetic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::pool;

namespace {

using Floats = std::vector<float>;

class AvgPoolTest : public ReferenceTest {
protected:
  /// Returns the averages of `input`, which are stored as `StorageT`, or none
  /// on failure.
  template <typename StorageT>
  std::vector<StorageT> pool(StringRef attributes, const Tensor &input,
                             bool isDynamic = false) {
    SmallVector<Tensor> results =
        apply("pool.avg_pool", attributes, input, "", isDynamic);
    if (results.size() != 1)
      return {};
    return getElements<StorageT>(results[0]);
  }

  /// Returns the average of all elements of `row`.
  template <typename StorageT>
  StorageT average(StringRef elementType, const std::vector<StorageT> &row,
                   StringRef attributes = "") {
    int64_t size = row.size();
    std::vector<StorageT> results = pool<StorageT>(
        "kernel [" + std::to_string(size) + "] " + attributes.str(),
        makeTensor(elementType, {1, 1, size}, row));
    EXPECT_EQ(results.size(), 1u);
    return results.empty() ? StorageT() : results[0];
  }
};

/// 1..6 with kernel 3, stride 2, pads 1, ceil: the last window has one element,
/// one padding position and one of overhang.
TEST_F(AvgPoolTest, Divisors) {
  Tensor input = makeTensor<float>("f32", {1, 1, 6}, {1, 2, 3, 4, 5, 6});
  StringRef window = "kernel [3] strides [2] pads_begin [1] pads_end [1] "
                     "rounding_type ceil divisor ";
  EXPECT_EQ(pool<float>((window + "valid").str(), input),
            Floats({1.5, 3, 5, 6}));
  EXPECT_EQ(pool<float>((window + "padded").str(), input),
            Floats({1, 3, 5, 3}));
  EXPECT_EQ(pool<float>((window + "kernel").str(), input),
            Floats({1, 3, 5, 2}));
  EXPECT_EQ(pool<float>((window + "kernel divisor_override 2").str(), input),
            Floats({1.5, 4.5, 7.5, 3}));
}

TEST_F(AvgPoolTest, PaddedCountsThePadsOfAutoPad) {
  Tensor input = makeTensor<float>("f32", {1, 1, 3}, {2, 4, 6});
  EXPECT_EQ(pool<float>("kernel [2] auto_pad same_upper divisor padded", input),
            Floats({3, 5, 3}));
  EXPECT_EQ(pool<float>("kernel [2] auto_pad same_lower divisor valid", input),
            Floats({2, 3, 5}));
}

/// nGraph's example, with averages that leave out the padding, and averages
/// that count it. Padding is at the top and at the left.
TEST_F(AvgPoolTest, NGraphExample) {
  Tensor input = makeTensor<float>("f32", {1, 1, 2, 2}, {1, 3, 5, 7});
  StringRef window = "kernel [2, 2] pads_begin [1, 1] divisor ";
  EXPECT_EQ(pool<float>((window + "valid").str(), input), Floats({1, 2, 3, 4}));
  EXPECT_EQ(pool<float>((window + "kernel").str(), input),
            Floats({0.25, 1, 1.5, 4}));
}

TEST_F(AvgPoolTest, DilationAndChannelsLast) {
  Tensor input =
      makeTensor<float>("f32", {1, 4, 2}, {1, 10, 2, 20, 3, 30, 4, 40});
  EXPECT_EQ(pool<float>("kernel [2] dilations [2] layout channels_last", input),
            Floats({2, 20, 3, 30}));
}

/// Input 2, kernel 1, stride 3, pads_end 1, ceil: the second window lies in the
/// overhang.
TEST_F(AvgPoolTest, NothingCountedAtRunTime) {
  StringRef padded = "kernel [1] strides [3] pads_end [1] rounding_type ceil "
                     "divisor padded";
  Floats floats = pool<float>(
      padded, makeTensor<float>("f32", {1, 1, 2}, {3, 4}), /*isDynamic=*/true);
  ASSERT_EQ(floats.size(), 2u) << diagnostics;
  EXPECT_EQ(floats[0], 3);
  EXPECT_TRUE(std::isnan(floats[1]));

  std::vector<int8_t> integers = pool<int8_t>(
      (padded + " output_zp 5").str(),
      makeTensor<int8_t>("i8", {1, 1, 2}, {3, 4}), /*isDynamic=*/true);
  EXPECT_EQ(integers, std::vector<int8_t>({8, 5})) << diagnostics;

  Floats valid = pool<float>("kernel [1] pads_begin [1]",
                             makeTensor<float>("f32", {1, 1, 1}, {3}),
                             /*isDynamic=*/true);
  ASSERT_EQ(valid.size(), 2u) << diagnostics;
  EXPECT_TRUE(std::isnan(valid[0]));
  EXPECT_EQ(valid[1], 3);
}

TEST_F(AvgPoolTest, HalfEven) {
  EXPECT_EQ(average<int32_t>("i32", {2, 3}), 2);
  EXPECT_EQ(average<int32_t>("i32", {-2, -3}), -2);
  EXPECT_EQ(average<int32_t>("i32", {3, 4}), 4);
  EXPECT_EQ(average<int32_t>("i32", {-3, -4}), -4);
  EXPECT_EQ(average<int32_t>("i32", {0, -1}), 0);
  EXPECT_EQ(average<int32_t>("i32", {1, 1, 3}), 2);
  EXPECT_EQ(average<int32_t>("i32", {-1, -1, -2}), -1);
  EXPECT_EQ(average<int32_t>("i32", {-1, -2, -2}), -2);
  EXPECT_EQ(average<uint8_t>("ui8", {255, 254}), 254);
}

TEST_F(AvgPoolTest, HalfUp) {
  StringRef halfUp = "integer_rounding half_up";
  EXPECT_EQ(average<int32_t>("i32", {2, 3}, halfUp), 3);
  EXPECT_EQ(average<int32_t>("i32", {-2, -3}, halfUp), -2);
  EXPECT_EQ(average<int32_t>("i32", {3, 4}, halfUp), 4);
  EXPECT_EQ(average<int32_t>("i32", {-3, -4}, halfUp), -3);
  EXPECT_EQ(average<int32_t>("i32", {-1, -2, -2}, halfUp), -2);
  EXPECT_EQ(average<uint8_t>("ui8", {255, 254}, halfUp), 255);
}

TEST_F(AvgPoolTest, HalfAway) {
  StringRef halfAway = "integer_rounding half_away";
  EXPECT_EQ(average<int32_t>("i32", {2, 3}, halfAway), 3);
  EXPECT_EQ(average<int32_t>("i32", {-2, -3}, halfAway), -3);
  EXPECT_EQ(average<int32_t>("i32", {0, 1}, halfAway), 1);
  EXPECT_EQ(average<int32_t>("i32", {0, -1}, halfAway), -1);
  EXPECT_EQ(average<int32_t>("i32", {-1, -2, -2}, halfAway), -2);
  EXPECT_EQ(average<int32_t>("i32", {-1, -1, -2}, halfAway), -1);
  EXPECT_EQ(average<uint8_t>("ui8", {255, 254}, halfAway), 255);
}

TEST_F(AvgPoolTest, IntegerSumsAreExact) {
  // A sum in f32 would give the average 2^30. The exact average is 2^30 + 1.5.
  constexpr int32_t kBig = 1 << 30;
  EXPECT_EQ(average<int32_t>("i32", {kBig + 1, kBig + 2}), kBig + 2);
  EXPECT_EQ(
      average<int32_t>("i32", {kBig + 1, kBig + 2}, "integer_rounding half_up"),
      kBig + 2);

  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(average<int64_t>("i64", {kMax, kMax, kMax}), kMax);
  EXPECT_EQ(average<int64_t>("i64", {kMin, kMin, kMin}), kMin);
  EXPECT_EQ(average<int64_t>("i64", {kMin, kMax, kMax}), kMax / 3);
  EXPECT_EQ(average<uint64_t>("ui64", {~0ull, ~0ull - 2}), ~0ull - 1);
}

TEST_F(AvgPoolTest, SumsSaturate) {
  StringRef sum = "divisor_override 1";
  EXPECT_EQ(average<int8_t>("i8", {100, 100}, sum), 127);
  EXPECT_EQ(average<int8_t>("i8", {-100, -100}, sum), -128);
  EXPECT_EQ(average<int8_t>("si8", {60, 60}, sum), 120);
  EXPECT_EQ(average<uint8_t>("ui8", {200, 56}, sum), 255);
  EXPECT_EQ(average<uint16_t>("ui16", {65535, 65535}), 65535);
  EXPECT_EQ(average<uint64_t>("ui64", {~0ull, ~0ull}, sum), ~0ull);
}

TEST_F(AvgPoolTest, ZeroPoints) {
  EXPECT_EQ(average<int8_t>("i8", {10, 13}, "input_zp 3 output_zp -5"), 3);
  EXPECT_EQ(average<int8_t>("i8", {127, 127}, "input_zp -128 output_zp 100"),
            127);
  EXPECT_EQ(average<uint8_t>("ui8", {1, 2}, "input_zp 200"), 0);
  // The padding counts as the zero point: (13 - 3 + 0) / 2.
  EXPECT_EQ(pool<int8_t>("kernel [2] strides [2] pads_begin [1] divisor kernel "
                         "input_zp 3 output_zp 1",
                         makeTensor<int8_t>("i8", {1, 1, 1}, {13})),
            std::vector<int8_t>({6}));
}

TEST_F(AvgPoolTest, NaNAndInfinitiesPropagate) {
  EXPECT_TRUE(std::isnan(average<float>("f32", {1, NAN})));
  EXPECT_TRUE(std::isnan(average<float>("f32", {kInf, -kInf})));
  EXPECT_EQ(average<float>("f32", {kInf, 1}), kInf);
  EXPECT_EQ(average<float>("f32", {-kInf, 1}, "divisor_override 7"), -kInf);
}

TEST_F(AvgPoolTest, NarrowFloatsAccumulateInAWiderType) {
  // 60000 + 60000 is beyond f16, but the average is not.
  EXPECT_EQ(average<uint16_t>("f16", {0x7B53, 0x7B53}), 0x7B53);
  // The sum itself is beyond f16, so it becomes infinity.
  EXPECT_EQ(average<uint16_t>("f16", {0x7B53, 0x7B53}, "divisor_override 1"),
            0x7C00);
  // 1 + 256 + 1: a sum in bf16 would lose each 1.
  EXPECT_EQ(
      average<uint16_t>("bf16", {0x3F80, 0x4380, 0x3F80}, "divisor_override 1"),
      0x4381);
}

TEST_F(AvgPoolTest, FloatsRoundHalfToEven) {
  // The averages (1 + (1 + 2^-10)) / 2 and ((1 + 2^-10) + (1 + 2^-9)) / 2 are
  // ties in f16.
  EXPECT_EQ(average<uint16_t>("f16", {0x3C00, 0x3C01}), 0x3C00);
  EXPECT_EQ(average<uint16_t>("f16", {0x3C01, 0x3C02}), 0x3C02);
  EXPECT_EQ(average<double>("f64", {1, 1 + 0x1p-52}), 1);
  EXPECT_EQ(average<float>("f32", {1, 1, 0}), 2.0f / 3.0f);
}

TEST_F(AvgPoolTest, EmptyBatch) {
  SmallVector<Tensor> results =
      apply("pool.avg_pool", "kernel [2]",
            makeTensor<int64_t>("i64", {0, 1, 2}, {}), "", /*isDynamic=*/true);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].shape, SmallVector<int64_t>({0, 1, 1}));
}

} // namespace
