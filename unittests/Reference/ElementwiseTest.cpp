// Operations around pooling in the reference interpreter, which other tests
// trust: scalar arithmetic, linalg.generic, shapes and assertions. Expected
// values are written by hand. Unsupported operations must be refused.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

namespace {

class ElementwiseTest : public ReferenceTest {
protected:
  /// Returns the elements of the only result of `@main`; empty on an error.
  template <typename T>
  std::vector<T> evaluate(const std::string &text, ArrayRef<Tensor> args) {
    SmallVector<Tensor> results = run(text, args);
    return results.empty() ? std::vector<T>() : getElements<T>(results[0]);
  }

  void expectError(const std::string &text, ArrayRef<Tensor> args,
                   StringRef message) {
    EXPECT_TRUE(run(text, args).empty());
    EXPECT_NE(diagnostics.find(message.str()), std::string::npos)
        << "expected: " << message.str() << "\ngot: " << diagnostics;
    diagnostics.clear();
  }

  /// Returns the result of `op` on two elements of `type`, widened to i64.
  int64_t integers(const std::string &op, const std::string &type, int64_t a,
                   int64_t b) {
    std::string text = "func.func @main() -> i64 {\n"
                       "  %a = arith.constant " +
                       std::to_string(a) + " : " + type +
                       "\n  %b = arith.constant " + std::to_string(b) + " : " +
                       type + "\n  %c = " + op + " %a, %b : " + type +
                       "\n  %d = arith.extsi %c : " + type +
                       " to i64\n  return %d : i64\n}";
    std::vector<int64_t> result = evaluate<int64_t>(text, {});
    EXPECT_EQ(result.size(), 1u) << diagnostics;
    return result.empty() ? 0 : result[0];
  }
};

TEST_F(ElementwiseTest, IntegersWrapAndKeepTheirSign) {
  EXPECT_EQ(integers("arith.addi", "i8", 127, 1), -128);
  EXPECT_EQ(integers("arith.subi", "i16", -32768, 1), 32767);
  EXPECT_EQ(integers("arith.muli", "i32", 65536, 65537), 65536);
  EXPECT_EQ(integers("arith.divsi", "i8", -7, 2), -3);
  EXPECT_EQ(integers("arith.divui", "i8", -1, 2), 127);
  EXPECT_EQ(integers("arith.remsi", "i8", -7, 2), -1);
  EXPECT_EQ(integers("arith.remui", "i8", -1, 16), 15);
  EXPECT_EQ(integers("arith.maxsi", "i8", -1, 1), 1);
  EXPECT_EQ(integers("arith.maxui", "i8", -1, 1), -1);
  EXPECT_EQ(integers("arith.minsi", "i8", -1, 1), -1);
  EXPECT_EQ(integers("arith.minui", "i8", -1, 1), 1);
}

TEST_F(ElementwiseTest, FloatsRoundToTheirType) {
  // 2049 lies half-way between two f16 values and rounds to the even one.
  EXPECT_EQ(evaluate<float>(R"mlir(
    func.func @main() -> f32 {
      %a = arith.constant 2048.0 : f16
      %b = arith.constant 1.0 : f16
      %c = arith.addf %a, %b : f16
      %d = arith.extf %c : f16 to f32
      return %d : f32
    }
  )mlir",
                            {}),
            std::vector<float>({2048}));
  Tensor x = makeTensor<float>("f32", {4}, {-4, 0.25, INFINITY, NAN});
  std::vector<float> results = evaluate<float>(R"mlir(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c = arith.constant dense<1.0> : tensor<4xf32>
      %0 = math.absf %x : tensor<4xf32>
      %1 = math.sqrt %0 : tensor<4xf32>
      %2 = arith.minimumf %1, %c : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
  )mlir",
                                               {x});
  ASSERT_EQ(results.size(), 4u) << diagnostics;
  EXPECT_EQ(results[0], 1);
  EXPECT_EQ(results[1], 0.5);
  EXPECT_EQ(results[2], 1);
  EXPECT_TRUE(std::isnan(results[3]));
}

TEST_F(ElementwiseTest, SelectsConvertsAndCasts) {
  EXPECT_EQ(evaluate<uint8_t>(R"mlir(
    func.func @main(%x: tensor<3xf32>) -> tensor<3xui8> {
      %zero = arith.constant dense<0.0> : tensor<3xf32>
      %0 = arith.cmpf olt, %x, %zero : tensor<3xf32>
      %1 = arith.select %0, %zero, %x : tensor<3xi1>, tensor<3xf32>
      %2 = arith.fptoui %1 : tensor<3xf32> to tensor<3xi8>
      %3 = builtin.unrealized_conversion_cast %2
        : tensor<3xi8> to tensor<3xui8>
      return %3 : tensor<3xui8>
    }
  )mlir",
                              {makeTensor<float>("f32", {3}, {-3, 2.75, 200})}),
            std::vector<uint8_t>({0, 2, 200}))
      << diagnostics;
}

TEST_F(ElementwiseTest, GenericBroadcastsReducesAndCaptures) {
  // Computes the sum of each row. Each element is scaled by its column and by a
  // captured scalar.
  EXPECT_EQ(
      evaluate<int64_t>(R"mlir(
    func.func @main(%x: tensor<?x3xi64>, %scale: tensor<1xi64>)
        -> tensor<?xi64> {
      %c0 = arith.constant 0 : index
      %rows = tensor.dim %x, %c0 : tensor<?x3xi64>
      %s = tensor.extract %scale[%c0] : tensor<1xi64>
      %zero = arith.constant 0 : i64
      %empty = tensor.empty(%rows) : tensor<?xi64>
      %init = linalg.fill ins(%zero : i64) outs(%empty : tensor<?xi64>)
        -> tensor<?xi64>
      %y = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>,
                           affine_map<(i, j) -> (0)>,
                           affine_map<(i, j) -> (i)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x, %scale : tensor<?x3xi64>, tensor<1xi64>)
          outs(%init : tensor<?xi64>) {
      ^bb0(%a: i64, %b: i64, %sum: i64):
        %j = linalg.index 1 : index
        %column = arith.index_cast %j : index to i64
        %0 = arith.muli %a, %column : i64
        %1 = arith.muli %0, %b : i64
        %2 = arith.muli %1, %s : i64
        %3 = arith.addi %sum, %2 : i64
        linalg.yield %3 : i64
      } -> tensor<?xi64>
      return %y : tensor<?xi64>
    }
  )mlir",
                        {makeTensor<int64_t>("i64", {2, 3}, {1, 2, 3, 4, 5, 6}),
                         makeTensor<int64_t>("i64", {1}, {10})}),
      std::vector<int64_t>({800, 1700}))
      << diagnostics;
}

TEST_F(ElementwiseTest, ShapesOfTheSameElements) {
  SmallVector<Tensor> results =
      run(R"mlir(
    func.func @main(%x: tensor<2x?xi8>, %n: index) -> tensor<1x?x2xi8> {
      %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x?xi8> into tensor<?xi8>
      %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [1, %n, 2]
        : tensor<?xi8> into tensor<1x?x2xi8>
      return %1 : tensor<1x?x2xi8>
    }
  )mlir",
          {makeTensor<int8_t>("i8", {2, 3}, {1, 2, 3, 4, 5, 6}),
           makeTensor<int64_t>("index", {}, {3})});
  ASSERT_EQ(results.size(), 1u) << diagnostics;
  EXPECT_EQ(results[0].shape, SmallVector<int64_t>({1, 3, 2}));
  EXPECT_EQ(getElements<int8_t>(results[0]),
            std::vector<int8_t>({1, 2, 3, 4, 5, 6}));
}

TEST_F(ElementwiseTest, Refusals) {
  Tensor two = makeTensor<float>("f32", {2}, {1, 2});
  Tensor three = makeTensor<float>("f32", {3}, {1, 2, 3});
  expectError(R"mlir(
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = arith.addf %x, %y : tensor<?xf32>
      return %0 : tensor<?xf32>
    }
  )mlir",
              {two, three},
              "'arith.addf' op has operands of different extents");
  expectError(R"mlir(
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
      } -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
  )mlir",
              {two, three},
              "'linalg.generic' op loop 0 has extents 2 and 3 of its operands");
  expectError(R"mlir(
    func.func @main() -> i64 {
      %0 = arith.constant 0 : i64
      %1 = arith.divsi %0, %0 : i64
      return %1 : i64
    }
  )mlir",
              {}, "'arith.divsi' op divides by zero");
  expectError(R"mlir(
    func.func @main(%x: tensor<2xf32>) -> f32 {
      %c5 = arith.constant 5 : index
      %0 = tensor.extract %x[%c5] : tensor<2xf32>
      return %0 : f32
    }
  )mlir",
              {two}, "position 5 of dimension 0, which has extent 2");
  expectError(R"mlir(
    func.func @main(%x: tensor<?xf32>) {
      %false = arith.constant false
      cf.assert %false, "the reason why"
      return
    }
  )mlir",
              {two}, "the reason why");
  expectError(R"mlir(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]} outs(%x : tensor<2xf32>) {
      ^bb0(%a: f32):
        %1 = math.atan %a : f32
        linalg.yield %1 : f32
      } -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
  )mlir",
              {two},
              "'math.atan' op is not supported by the reference interpreter");
}

} // namespace
