// max_unpool and the gradients in the reference interpreter, which other tests
// trust. Expected values are written by hand: indices that repeat or are out of
// bounds, ties, NaN, divisors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

namespace {

using Floats = std::vector<float>;

class ScatterTest : public ReferenceTest {
protected:
  /// Applies one operation in the generic form to `args`. `properties` and the
  /// type `result` are text.
  Floats apply(StringRef op, StringRef properties, ArrayRef<Tensor> args,
               StringRef result) {
    std::string names, types, parameters;
    for (auto [i, arg] : llvm::enumerate(args)) {
      std::string separator = i == 0 ? "" : ", ";
      std::string name = separator + "%" + "arg" + std::to_string(i);
      std::string type =
          isa<IndexType>(arg.elementType)
              ? "index"
              : debugString(RankedTensorType::get(arg.shape, arg.elementType));
      names += name;
      types += separator + type;
      parameters += name + ": " + type;
    }
    SmallVector<Tensor> results =
        run("func.func @main(" + parameters + ") -> " + result.str() +
                " {\n  %r = \"pool." + op.str() + "\"(" + names + ") <{" +
                properties.str() + "}> : (" + types + ") -> " + result.str() +
                "\n  return %r : " + result.str() + "\n}",
            args);
    if (results.size() != 1)
      return {};
    return getElements<float>(results[0]);
  }

  Tensor makeRow(const Floats &row) {
    return makeTensor("f32", {1, 1, static_cast<int64_t>(row.size())}, row);
  }
  Tensor makeIndices(const std::vector<int64_t> &row) {
    return makeTensor("i64", {1, 1, static_cast<int64_t>(row.size())}, row);
  }

  void expectError(StringRef message) {
    EXPECT_NE(diagnostics.find(message.str()), std::string::npos)
        << "expected: " << message.str() << "\ngot: " << diagnostics;
    diagnostics.clear();
  }
};

//===----------------------------------------------------------------------===//
// max_unpool
//===----------------------------------------------------------------------===//

/// If two values have the same position, the last one stays; the rest is zero.
TEST_F(ScatterTest, UnpoolLastValueStays) {
  EXPECT_EQ(apply("max_unpool", "",
                  {makeRow({1, 2, 3}), makeIndices({3, 0, 3})},
                  "tensor<1x1x5xf32>"),
            Floats({2, 0, 0, 3, 0}));
}

/// In dimensions before the axis, an element keeps its position.
TEST_F(ScatterTest, UnpoolAxis) {
  Tensor values = makeTensor<float>("f32", {2, 1, 1}, {1, 2});
  Tensor indices = makeTensor<int32_t>("i32", {2, 1, 1}, {2, 0});
  EXPECT_EQ(
      apply("max_unpool", "axis = 1", {values, indices}, "tensor<2x1x3xf32>"),
      Floats({0, 0, 1, 2, 0, 0}));
  EXPECT_EQ(
      apply("max_unpool", "axis = -3", {values, indices}, "tensor<2x1x3xf32>"),
      Floats({2, 0, 1, 0, 0, 0}));
}

TEST_F(ScatterTest, UnpoolDynamicExtents) {
  Tensor four = makeTensor<int64_t>("index", {}, {4});
  EXPECT_EQ(apply("max_unpool", "", {makeRow({7}), makeIndices({3}), four},
                  "tensor<1x1x?xf32>"),
            Floats({0, 0, 0, 7}));
  apply(
      "max_unpool", "",
      {makeRow({7}), makeIndices({3}), makeTensor<int64_t>("index", {}, {-4})},
      "tensor<1x1x?xf32>");
  expectError(
      "dimension 2: the extent of the result is -4, must be at least 0");
  apply("max_unpool", "",
        {makeRow({7}), makeIndices({0}), makeTensor<int64_t>("index", {}, {0})},
        "tensor<1x1x?xf32>");
  expectError(
      "(Unpool.C7) output, dimension 2: the extent is 0, must be at least 1");
}

TEST_F(ScatterTest, UnpoolIndexOutOfRange) {
  apply("max_unpool", "", {makeRow({1, 2}), makeIndices({0, 5})},
        "tensor<1x1x5xf32>");
  expectError(
      "the index at [0, 0, 1] is 5, must be at least 0 and below 5, the "
      "number of positions from axis 0 on");
  apply("max_unpool", "axis = 2", {makeRow({1, 2}), makeIndices({-1, 0})},
        "tensor<1x1x5xf32>");
  expectError("the index at [0, 0, 0] is -1");
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Overlapping windows accumulate; ties go to the first.
TEST_F(ScatterTest, MaxPoolGradOverlapAndTies) {
  EXPECT_EQ(apply("max_pool_grad", "kernel = array<i64: 2>",
                  {makeRow({1, 5, 2, 2}), makeRow({10, 20, 30})},
                  "tensor<1x1x4xf32>"),
            Floats({0, 30, 30, 0}));
}

TEST_F(ScatterTest, MaxPoolGradNaN) {
  Tensor input = makeRow({NAN, 1, NAN, NAN});
  Tensor grad = makeRow({10, 20, 30});
  // Under nan_mode ignore, a window with one number chooses the number. The
  // window of only NaN chooses its first element.
  EXPECT_EQ(apply("max_pool_grad", "kernel = array<i64: 2>", {input, grad},
                  "tensor<1x1x4xf32>"),
            Floats({0, 30, 30, 0}));
  EXPECT_EQ(
      apply("max_pool_grad",
            "kernel = array<i64: 2>, nan_mode = #pool.nan_mode<propagate>",
            {input, grad}, "tensor<1x1x4xf32>"),
      Floats({10, 0, 50, 0}));
}

/// A window of only padding adds nothing, whatever its index.
TEST_F(ScatterTest, MaxPoolGradPaddingAlone) {
  StringRef window = "kernel = array<i64: 1>, pads_begin = array<i64: 1>";
  EXPECT_EQ(apply("max_pool_grad", window,
                  {makeRow({1, 2}), makeRow({10, 20, 30})},
                  "tensor<1x1x2xf32>"),
            Floats({20, 30}));
  EXPECT_EQ(
      apply("max_pool_grad", window,
            {makeRow({1, 2}), makeRow({10, 20, 30}), makeIndices({0, 0, 1})},
            "tensor<1x1x2xf32>"),
      Floats({20, 30}));
}

TEST_F(ScatterTest, MaxPoolGradIndexOutOfRange) {
  apply("max_pool_grad", "kernel = array<i64: 2>",
        {makeRow({1, 2, 3}), makeRow({10, 20}), makeIndices({0, 3})},
        "tensor<1x1x3xf32>");
  expectError("the index at [0, 0, 1] is 3, must be at least 0 and below 3");
}

/// Gradients of f16 accumulate in a wider type: 2048 + 1 + 1 is 2050, not 2048.
TEST_F(ScatterTest, GradRoundsOnce) {
  Tensor grad =
      makeTensor<uint16_t>("f16", {1, 1, 3}, {0x6800, 0x3C00, 0x3C00});
  Tensor input =
      makeTensor<uint16_t>("f16", {1, 1, 3}, {0x3C00, 0x4000, 0x3C00});
  SmallVector<Tensor> results = run(R"mlir(
    func.func @main(%x: tensor<1x1x3xf16>, %g: tensor<1x1x3xf16>)
        -> tensor<1x1x3xf16> {
      %0 = pool.max_pool_grad %x, %g kernel [3] pads_begin [1] pads_end [1]
         : tensor<1x1x3xf16>, tensor<1x1x3xf16> -> tensor<1x1x3xf16>
      return %0 : tensor<1x1x3xf16>
    })mlir",
                                    {input, grad});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(getElements<uint16_t>(results[0]),
            std::vector<uint16_t>({0, 0x6801, 0}));
}

/// Tests the divisors `valid`, `kernel` and divisor_override. The share of a
/// position in the padding is dropped.
TEST_F(ScatterTest, AvgPoolGradDivisors) {
  StringRef window = "kernel = array<i64: 2>, pads_begin = array<i64: 1>";
  Tensor grad = makeRow({8, 4});
  EXPECT_EQ(apply("avg_pool_grad", window, {grad}, "tensor<1x1x2xf32>"),
            Floats({10, 2}));
  EXPECT_EQ(apply("avg_pool_grad",
                  (window + ", divisor = #pool.divisor<kernel>").str(), {grad},
                  "tensor<1x1x2xf32>"),
            Floats({6, 2}));
  EXPECT_EQ(apply("avg_pool_grad", (window + ", divisor_override = 1").str(),
                  {grad}, "tensor<1x1x2xf32>"),
            Floats({12, 4}));
}

/// A window that counts nothing adds nothing. The extent is dynamic, since the
/// verifier rejects such windows of static extents.
TEST_F(ScatterTest, AvgPoolGradCountsNothing) {
  Tensor extent = makeTensor<int64_t>("index", {}, {2});
  EXPECT_EQ(apply("avg_pool_grad",
                  "kernel = array<i64: 1>, pads_begin = array<i64: 1>",
                  {makeRow({8, 4, 2}), extent}, "tensor<1x1x?xf32>"),
            Floats({4, 2}));
}

TEST_F(ScatterTest, AvgPoolGradWrongExtent) {
  Tensor extent = makeTensor<int64_t>("index", {}, {5});
  apply("avg_pool_grad", "kernel = array<i64: 2>", {makeRow({8, 4}), extent},
        "tensor<1x1x?xf32>");
  expectError(
      "(Grad.C1) output_grad, dimension 2: the extent is 2, the rule gives "
      "4");
}

/// A negative index is the largest as an unsigned number.
TEST_F(ScatterTest, LargestIndex) {
  auto getLargest = [&](StringRef type, const Tensor &indices) {
    SmallVector<Tensor> results =
        run(("func.func @main(%i: " + type +
             ") -> index {\n  %0 = pool.largest_index %i : " + type +
             "\n  return %0 : index\n}")
                .str(),
            {indices});
    return getElements<int64_t>(results.front());
  };
  using Indices = std::vector<int64_t>;
  EXPECT_EQ(getLargest("tensor<2x2xi32>",
                       makeTensor<int32_t>("i32", {2, 2}, {3, 7, 0, 5})),
            Indices({7}));
  EXPECT_EQ(
      getLargest("tensor<3xi32>", makeTensor<int32_t>("i32", {3}, {3, -1, 5})),
      Indices({-1}));
  EXPECT_EQ(getLargest("tensor<0xi64>", makeTensor<int64_t>("i64", {0}, {})),
            Indices({0}));
}

} // namespace
