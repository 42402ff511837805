// Slices, padding, concatenation, loops and branches in the reference
// interpreter, which other tests trust. Expected values are written by hand.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

class ControlFlowTest : public ReferenceTest {
protected:
  /// Returns the elements of the only result of `@main` in `text`; empty on an
  /// error.
  std::vector<int32_t> runOne(const std::string &text, ArrayRef<Tensor> args) {
    SmallVector<Tensor> results = run(text, args);
    return results.size() == 1 ? getElements<int32_t>(results.front())
                               : std::vector<int32_t>();
  }

  Tensor makeIndex(int64_t value) {
    return makeTensor<int64_t>("index", {}, {value});
  }
};

TEST_F(ControlFlowTest, Slices) {
  Tensor x = makeTensor<int32_t>("i32", {3, 4},
                                 {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  std::string extract = R"mlir(
    func.func @main(%x: tensor<3x4xi32>, %o: index) -> tensor<?xi32> {
      %n = arith.constant 2 : index
      %0 = tensor.extract_slice %x[%o, 1] [1, %n] [1, 2]
        : tensor<3x4xi32> to tensor<?xi32>
      return %0 : tensor<?xi32>
    }
  )mlir";
  EXPECT_EQ(runOne(extract, {x, makeIndex(2)}), std::vector<int32_t>({21, 23}));
  EXPECT_TRUE(runOne(extract, {x, makeIndex(3)}).empty());
  EXPECT_NE(diagnostics.find("slice of offset 3, size 1 and stride 1 in "
                             "dimension 0, which has extent 3"),
            std::string::npos)
      << diagnostics;
  diagnostics.clear();

  EXPECT_EQ(runOne(R"mlir(
    func.func @main(%x: tensor<3x4xi32>, %s: tensor<1x2xi32>)
        -> tensor<3x4xi32> {
      %0 = tensor.insert_slice %s into %x[1, 0] [1, 2] [1, 3]
        : tensor<1x2xi32> into tensor<3x4xi32>
      return %0 : tensor<3x4xi32>
    }
  )mlir",
                   {x, makeTensor<int32_t>("i32", {1, 2}, {-1, -2})}),
            std::vector<int32_t>({0, 1, 2, 3, -1, 11, 12, -2, 20, 21, 22, 23}));
}

TEST_F(ControlFlowTest, PadAndConcat) {
  EXPECT_EQ(runOne(R"mlir(
    func.func @main(%x: tensor<1x2xi32>, %n: index) -> tensor<?x4xi32> {
      %c = arith.constant 7 : i32
      %0 = tensor.pad %x low[%n, 0] high[0, 2] {
      ^bb0(%i: index, %j: index):
        tensor.yield %c : i32
      } : tensor<1x2xi32> to tensor<?x4xi32>
      return %0 : tensor<?x4xi32>
    }
  )mlir",
                   {makeTensor<int32_t>("i32", {1, 2}, {1, 2}), makeIndex(1)}),
            std::vector<int32_t>({7, 7, 7, 7, 1, 2, 7, 7}));
  EXPECT_EQ(runOne(R"mlir(
    func.func @main(%x: tensor<2x1xi32>, %y: tensor<2x2xi32>)
        -> tensor<2x3xi32> {
      %0 = tensor.concat dim(1) %x, %y
        : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
      return %0 : tensor<2x3xi32>
    }
  )mlir",
                   {makeTensor<int32_t>("i32", {2, 1}, {1, 2}),
                    makeTensor<int32_t>("i32", {2, 2}, {3, 4, 5, 6})}),
            std::vector<int32_t>({1, 3, 4, 2, 5, 6}));
}

TEST_F(ControlFlowTest, LoopsRunAgain) {
  std::string loop = R"mlir(
    func.func @main(%x: tensor<1x1x4xi32>, %n: index) -> tensor<1x1x4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x)
          -> tensor<1x1x4xi32> {
        %s = pool.max_pool %a kernel [2] pads_begin [1]
          : tensor<1x1x4xi32> -> tensor<1x1x4xi32>
        scf.yield %s : tensor<1x1x4xi32>
      }
      return %0 : tensor<1x1x4xi32>
    }
  )mlir";
  Tensor x = makeTensor<int32_t>("i32", {1, 1, 4}, {9, 1, 2, 3});
  EXPECT_EQ(runOne(loop, {x, makeIndex(0)}),
            std::vector<int32_t>({9, 1, 2, 3}));
  EXPECT_EQ(runOne(loop, {x, makeIndex(2)}),
            std::vector<int32_t>({9, 9, 9, 3}));

  EXPECT_EQ(runOne(R"mlir(
    func.func @main(%n: i32) -> i32 {
      %c2 = arith.constant 2 : i32
      %limit = arith.constant 100 : i32
      %0 = scf.while (%a = %n) : (i32) -> i32 {
        %less = arith.cmpi slt, %a, %limit : i32
        scf.condition(%less) %a : i32
      } do {
      ^bb0(%a: i32):
        %b = arith.muli %a, %c2 : i32
        scf.yield %b : i32
      }
      return %0 : i32
    }
  )mlir",
                   {makeTensor<int32_t>("i32", {}, {7})}),
            std::vector<int32_t>({112}));
}

TEST_F(ControlFlowTest, Branches) {
  std::string branch = R"mlir(
    func.func @main(%x: tensor<2xi32>, %n: index) -> tensor<2xi32> {
      %c1 = arith.constant 1 : index
      %less = arith.cmpi slt, %n, %c1 : index
      %0 = scf.if %less -> tensor<2xi32> {
        scf.yield %x : tensor<2xi32>
      } else {
        %1 = arith.addi %x, %x : tensor<2xi32>
        scf.yield %1 : tensor<2xi32>
      }
      return %0 : tensor<2xi32>
    }
  )mlir";
  Tensor x = makeTensor<int32_t>("i32", {2}, {3, 4});
  EXPECT_EQ(runOne(branch, {x, makeIndex(0)}), std::vector<int32_t>({3, 4}));
  EXPECT_EQ(runOne(branch, {x, makeIndex(1)}), std::vector<int32_t>({6, 8}));
}

TEST_F(ControlFlowTest, ParallelIterationsSeeWhatWasBefore) {
  EXPECT_EQ(runOne(R"mlir(
    func.func @main(%x: tensor<5xi32>) -> tensor<5xi32> {
      %0 = scf.forall (%i) = (0) to (5) step (2) shared_outs(%o = %x)
          -> (tensor<5xi32>) {
        %n = affine.min affine_map<(d0) -> (2, 5 - d0)>(%i)
        %first = tensor.extract_slice %o[0] [1] [1]
          : tensor<5xi32> to tensor<1xi32>
        %sum = arith.addi %first, %first : tensor<1xi32>
        %place = affine.apply affine_map<(d0)[s0] -> (d0 + s0 - 1)>(%i)[%n]
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %sum into %o[%place] [1] [1]
            : tensor<1xi32> into tensor<5xi32>
          tensor.parallel_insert_slice %sum into %o[0] [1] [1]
            : tensor<1xi32> into tensor<5xi32>
        }
      }
      return %0 : tensor<5xi32>
    }
  )mlir",
                   {makeTensor<int32_t>("i32", {5}, {1, 0, 0, 0, 0})}),
            std::vector<int32_t>({2, 2, 0, 2, 2}));
}

} // namespace
