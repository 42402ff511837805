// pool.window_reduce in the reference interpreter, which other tests trust.
// Expected values are written by hand: maxima with positions, sums, and too
// many windows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

namespace {

using Floats = std::vector<float>;
using Indices = std::vector<int64_t>;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class WindowReduceTest : public ReferenceTest {
protected:
  /// Runs `reduction` on a row with extents that are known at run time only.
  /// The result has `numOutputs` values of `type`, and positions if
  /// `hasPositions`. `clauses` may use the index `%two`.
  SmallVector<Tensor> reduce(StringRef reduction, StringRef clauses,
                             const Tensor &row, int64_t numOutputs,
                             StringRef type, bool hasPositions = false) {
    std::string from = "tensor<1x1x?x" + debugString(row.elementType) + ">";
    std::string to = "tensor<1x1x?x" + type.str() + ">";
    std::string types = hasPositions ? to + ", tensor<1x1x?xi64>" : to;
    std::string text = "func.func @main(%x: " + from + ") -> (" + types +
                       ") {\n  %two = arith.constant 2 : index\n"
                       "  %n = arith.constant " +
                       std::to_string(numOutputs) +
                       " : index\n  %v = tensor.empty(%n) : " + to +
                       "\n  %p = tensor.empty(%n) : tensor<1x1x?xi64>\n  ";
    std::string outs = hasPositions ? "%v, %p" : "%v";
    std::string results = hasPositions ? "%0, %1" : "%0";
    text += results + " = pool.window_reduce <" + reduction.str() +
            "> ins(%x : " + from + ") outs(" + outs + " : " + types + ") " +
            clauses.str() + " -> " + types + "\n  return " + results + " : " +
            types + "\n}";
    return run(text, {row});
  }
};

constexpr StringLiteral kThree = "kernel [3] strides [2] dilations [1] "
                                 "pads_begin [1] pads_end [%two] ";

TEST_F(WindowReduceTest, ExtremaAndPositions) {
  // Windows: (pad) 3 NaN, NaN 5 5, 5 1 (pad).
  Tensor row = makeTensor("f32", {1, 1, 5}, Floats({3, kNaN, 5, 5, 1}));
  SmallVector<Tensor> results =
      reduce("max", kThree.str() + "positions [%two, 10]", row, 3, "f32",
             /*hasPositions=*/true);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getElements<float>(results[0]), Floats({3, 5, 5}));
  EXPECT_EQ(getElements<int64_t>(results[1]), Indices({2, 22, 32}));
  results = reduce("min", kThree.str() + "pad_value zero", row, 3, "f32");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(getElements<float>(results[0]), Floats({0, 5, 0}));
}

/// If a window has only ignored NaNs, no element is chosen: the position is -1.
TEST_F(WindowReduceTest, NoPosition) {
  Tensor row = makeTensor("f32", {1, 1, 2}, Floats({kNaN, 7}));
  SmallVector<Tensor> results =
      reduce("max",
             "kernel [1] strides [1] dilations [1] pads_begin [0] "
             "pads_end [0] positions [0, 1]",
             row, 2, "f32", /*hasPositions=*/true);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getElements<float>(results[0]), Floats({-kInf, 7}));
  EXPECT_EQ(getElements<int64_t>(results[1]), Indices({-1, 1}));
}

TEST_F(WindowReduceTest, Sums) {
  Tensor row = makeTensor("f32", {1, 1, 5}, Floats({3, -4, 5, 5, 1}));
  EXPECT_EQ(getElements<float>(reduce("sum", kThree, row, 3, "f32").front()),
            Floats({-1, 6, 6}));
  EXPECT_EQ(
      getElements<float>(
          reduce("power_sum", kThree.str() + "p 2", row, 2, "f32").front()),
      Floats({25, 66}));
  // Sums of integers wrap around: 255 + 1 and 1 + 2 + 127 in i8.
  Tensor bytes = makeTensor<uint8_t>("ui8", {1, 1, 5}, {255, 1, 2, 127, 0});
  EXPECT_EQ(getElements<int8_t>(reduce("sum", kThree, bytes, 2, "i8").front()),
            std::vector<int8_t>({0, -126}));
  EXPECT_EQ(
      getElements<int16_t>(reduce("sum", kThree, bytes, 2, "i16").front()),
      std::vector<int16_t>({256, 130}));
}

TEST_F(WindowReduceTest, TooManyWindows) {
  Tensor row = makeTensor("f32", {1, 1, 5}, Floats({3, -4, 5, 5, 1}));
  EXPECT_TRUE(reduce("sum", kThree, row, 4, "f32").empty());
  EXPECT_NE(diagnostics.find("'pool.window_reduce' op (WindowReduce.C4) "
                             "dimension 2: 4 windows leave the padded input, "
                             "which has room for 3"),
            std::string::npos)
      << diagnostics;
}

} // namespace
