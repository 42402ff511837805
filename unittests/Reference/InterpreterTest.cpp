// Functions in the reference interpreter: arguments, results and calls.
// Unsupported constructs, and extents that violate a constraint at run time,
// must be errors that name the reason.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

class InterpreterTest : public ReferenceTest {
protected:
  /// Expects `@main` of `text` to fail on `args` with `message` among the
  /// diagnostics.
  void expectError(const std::string &text, ArrayRef<Tensor> args,
                   StringRef message) {
    EXPECT_TRUE(run(text, args).empty());
    EXPECT_NE(diagnostics.find(message.str()), std::string::npos)
        << "expected: " << message.str() << "\ngot: " << diagnostics;
    diagnostics.clear();
  }

  Tensor makeZeros(ArrayRef<int64_t> shape) {
    return makeTensor("f32", shape, std::vector<float>(*getProduct(shape)));
  }
};

TEST_F(InterpreterTest, ReturnsArgumentsAndConstants) {
  SmallVector<Tensor> results = run(R"mlir(
    func.func @main(%x: tensor<2xf32>) ->
        (tensor<2xf32>, tensor<2x2xi8>, tensor<3xbf16>, f64, index, i1,
         tensor<2xui16>) {
      %0 = arith.constant dense<[[1, -2], [3, -128]]> : tensor<2x2xi8>
      %1 = arith.constant dense<1.5> : tensor<3xbf16>
      %2 = arith.constant 2.5 : f64
      %3 = arith.constant 7 : index
      %4 = arith.constant true
      %5 = func.call @constant() : () -> tensor<2xui16>
      return %x, %0, %1, %2, %3, %4, %5
        : tensor<2xf32>, tensor<2x2xi8>, tensor<3xbf16>, f64, index, i1,
          tensor<2xui16>
    }
    func.func private @constant() -> tensor<2xui16> {
      %t = arith.constant dense<[1, 65535]> : tensor<2xui16>
      return %t : tensor<2xui16>
    }
  )mlir",
                                    {makeTensor<float>("f32", {2}, {1, 2})});
  ASSERT_EQ(results.size(), 7u);
  EXPECT_EQ(getElements<float>(results[0]), std::vector<float>({1, 2}));
  EXPECT_EQ(results[1].shape, SmallVector<int64_t>({2, 2}));
  EXPECT_EQ(getElements<int8_t>(results[1]),
            std::vector<int8_t>({1, -2, 3, -128}));
  EXPECT_EQ(getElements<uint16_t>(results[2]),
            std::vector<uint16_t>({0x3FC0, 0x3FC0, 0x3FC0}));
  EXPECT_TRUE(results[3].shape.empty());
  EXPECT_EQ(getElements<double>(results[3]), std::vector<double>({2.5}));
  EXPECT_EQ(getElements<int64_t>(results[4]), std::vector<int64_t>({7}));
  EXPECT_EQ(getElements<uint8_t>(results[5]), std::vector<uint8_t>({1}));
  EXPECT_EQ(getElements<uint16_t>(results[6]),
            std::vector<uint16_t>({1, 65535}));
}

TEST_F(InterpreterTest, ChainsOperations) {
  SmallVector<Tensor> results =
      run(R"mlir(
    func.func @main(%x: tensor<*xi32>) -> (tensor<?x1x2xi32>, index) {
      %0 = pool.max_pool %x kernel [2] : tensor<*xi32> -> tensor<*xi32>
      %1 = pool.avg_pool %0 kernel [2] : tensor<*xi32> -> tensor<?x?x?xi32>
      %2 = tensor.cast %1 : tensor<?x?x?xi32> to tensor<?x1x2xi32>
      %c2 = arith.constant 2 : index
      %3 = tensor.dim %1, %c2 : tensor<?x?x?xi32>
      return %2, %3 : tensor<?x1x2xi32>, index
    }
  )mlir",
          {makeTensor<int32_t>("i32", {1, 1, 4}, {1, 5, 7, 3})});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getElements<int32_t>(results[0]), std::vector<int32_t>({6, 7}));
  EXPECT_EQ(getElements<int64_t>(results[1]), std::vector<int64_t>({2}));
}

TEST_F(InterpreterTest, ChecksArguments) {
  std::string text = "func.func @main(%x: tensor<?x2xf32>, %s: f32) { return }";
  Tensor scalar = makeZeros({});
  EXPECT_TRUE(run(text, {makeZeros({5, 2}), scalar}).empty());
  EXPECT_TRUE(diagnostics.empty()) << diagnostics;

  expectError(text, {scalar},
              "@main: 1 arguments are given, the function takes 2");
  expectError(text, {makeZeros({5, 3}), scalar},
              "@main: argument 0: dimension 1 has extent 3, the type "
              "tensor<?x2xf32> requires 2");
  expectError(text, {makeZeros({2}), scalar},
              "argument 0: the rank is 1, the type tensor<?x2xf32> requires 2");
  expectError(text, {makeZeros({1, 2}), makeZeros({1})},
              "argument 1: the rank is 1, the type f32 requires 0");
  expectError(text, {makeTensor<int32_t>("i32", {1, 2}, {1, 2}), scalar},
              "argument 0: the element type is i32, the type tensor<?x2xf32> "
              "requires f32");
  expectError(text, {makeTensor<float>("f32", {3, 2}, {1, 2}), scalar},
              "argument 0: the data has 8 bytes, the shape requires 24");
  expectError(text, {makeTensor<float>("f32", {-1, 2}, {}), scalar},
              "argument 0: dimension 0 has extent -1, must be at least 0");
  expectError(text, {makeTensor<float>("f32", {INT64_MAX, 2}, {}), scalar},
              "argument 0: the data has 0 bytes, the shape requires 2^63 or "
              "more");
  expectError("func.func @main(%x: memref<2xf32>) { return }", {makeZeros({2})},
              "argument 0: the reference interpreter does not support the type "
              "memref<2xf32>");
}

TEST_F(InterpreterTest, NamesWhatItDoesNotKnow) {
  expectError(R"mlir(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = math.atan %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
  )mlir",
              {makeZeros({2})},
              "'math.atan' op is not supported by the reference interpreter");
  expectError("func.func private @main()", {}, "@main: has no body");
  expectError(R"mlir(
    func.func private @elsewhere(tensor<2xf32>) -> tensor<2xf32>
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = func.call @elsewhere(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
  )mlir",
              {makeZeros({2})},
              "'func.call' op calls @elsewhere, which has no body");
  expectError(R"mlir(
    func.func @main() {
      cf.br ^next
    ^next:
      return
    }
  )mlir",
              {}, "'cf.br' op is not supported by the reference interpreter");
  expectError(R"mlir(
    func.func @main() {
      %zero = arith.constant 0 : i8
      %one = arith.constant 1 : i8
      %most = arith.constant 200 : i8
      scf.for unsigned %i = %zero to %most step %one : i8 { }
      return
    }
  )mlir",
              {},
              "'scf.for' op compares as unsigned, which the reference "
              "interpreter does not support");
  expectError(R"mlir(
    func.func @main() { %0 = arith.constant dense<0> : tensor<2xi128> return }
  )mlir",
              {},
              "'arith.constant' op the reference interpreter does not support "
              "the type i128");
  expectError(R"mlir(
    func.func @main() {
      %0 = arith.constant dense_resource<blob> : tensor<1xi8>
      return
    }
    {-# dialect_resources: { builtin: { blob: "0x0100000001" } } #-}
  )mlir",
              {}, "'arith.constant' op is not dense");
}

TEST_F(InterpreterTest, RecursionIsAnError) {
  expectError(R"mlir(
    func.func @main() {
      func.call @main() : () -> ()
      func.call @main() : () -> ()
      return
    }
  )mlir",
              {}, "'func.call' op calls nest more than 256 deep");
}

TEST_F(InterpreterTest, ChecksDeclaredTypesAtRunTime) {
  expectError(R"mlir(
    func.func @main(%x: tensor<?xf32>) -> tensor<3xf32> {
      %0 = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
      return %0 : tensor<3xf32>
    }
  )mlir",
              {makeZeros({4})},
              "'tensor.cast' op result 0: dimension 0 has extent 4, the type "
              "tensor<3xf32> requires 3");
  expectError(R"mlir(
    func.func @main(%x: tensor<?xf32>, %d: index) -> index {
      %0 = tensor.dim %x, %d : tensor<?xf32>
      return %0 : index
    }
  )mlir",
              {makeZeros({4}), makeTensor<int64_t>("index", {}, {1})},
              "'tensor.dim' op dimension 1 of a tensor of rank 1");
}

//===----------------------------------------------------------------------===//
// Violations by extents that only run time knows
//===----------------------------------------------------------------------===//

class RunTimeTest : public InterpreterTest {
protected:
  void expectRefusal(StringRef op, StringRef attributes, const Tensor &input,
                     StringRef message, StringRef indexType = "") {
    EXPECT_TRUE(
        apply(op, attributes, input, indexType, /*isDynamic=*/true).empty());
    EXPECT_NE(diagnostics.find(message.str()), std::string::npos)
        << "expected: " << message.str() << "\ngot: " << diagnostics;
    diagnostics.clear();
  }
};

TEST_F(RunTimeTest, C1Rank) {
  expectError(
      R"mlir(
    func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {
      %0 = pool.max_pool %x kernel [2] : tensor<*xf32> -> tensor<*xf32>
      return %0 : tensor<*xf32>
    }
  )mlir",
      {makeZeros({2, 2})},
      "'pool.max_pool' op (Window.C1) the input has rank 2, must have rank 3");
}

TEST_F(RunTimeTest, C7EmptyChannelsAndExtents) {
  expectRefusal(
      "pool.max_pool", "kernel [1]", makeZeros({1, 0, 2}),
      "(Window.C7) dimension 1: channel extent is 0, must be at least 1");
  expectRefusal(
      "pool.avg_pool", "kernel [1] pads_begin [2]", makeZeros({1, 2, 0}),
      "(Window.C7) dimension 2: input extent is 0, must be at least 1");
}

TEST_F(RunTimeTest, C8WindowExceedsInput) {
  expectRefusal(
      "pool.avg_pool", "kernel [1, 3] dilations [1, 2]",
      makeZeros({1, 1, 2, 4}),
      "'pool.avg_pool' op (Window.C8) dimension 3: the window covers 5 = "
      "(3 - 1) * 2 + 1 elements, the padded input has 4 = 4 + 0 + 0");
  expectRefusal("pool.lp_pool", "kernel [3]", makeZeros({1, 1, 2}),
                "'pool.lp_pool' op (Window.C8) dimension 2");
  // Even with an empty batch, the window must fit.
  expectRefusal("pool.max_pool", "kernel [3]", makeZeros({0, 1, 2}),
                "'pool.max_pool' op (Window.C8) dimension 2");
}

TEST_F(RunTimeTest, C10Overflow) {
  expectRefusal("pool.max_pool",
                "kernel [2] strides [9223372036854775807] auto_pad same_upper",
                makeZeros({1, 1, 3}), "(Window.C10) dimension 2");
}

TEST_F(RunTimeTest, C12IndexBound) {
  // An empty batch needs no data, so extents of any size are possible.
  Tensor input = makeZeros({0, 1, int64_t(1) << 16, (int64_t(1) << 15) + 1});
  expectRefusal("pool.max_pool", "kernel [1, 1] axis 2", input,
                "(Extremum.C2) indices of type i32 cannot name the 2147549184 "
                "positions of the dimensions from axis 2 on",
                "i32");
  input = makeZeros({0, 1, int64_t(1) << 16, int64_t(1) << 15});
  EXPECT_EQ(apply("pool.max_pool", "kernel [1, 1] axis 2", input, "i32",
                  /*isDynamic=*/true)
                .size(),
            2u)
      << diagnostics;
}

TEST_F(RunTimeTest, ResultsThatMemoryCannotHold) {
  expectRefusal("pool.max_pool", "kernel [1] pads_end [4611686018427387904]",
                makeZeros({1, 1, 1}), "memory cannot hold a result of type");
}

} // namespace
