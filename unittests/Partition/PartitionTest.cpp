// Partitions of operations that are given as text: the slices, pads and
// positions of parts, and rejections. test/Integration/partition.py shows that
// the parts together are the whole.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Partition/Partition.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class PartitionTest : public ::testing::Test {
protected:
  PartitionTest() { context.loadDialect<PoolDialect, func::FuncDialect>(); }

  /// Partitions the operation `text`, whose operands are the function arguments
  /// `arguments`. On failure `message` says why.
  FailureOr<Partition> cut(const std::string &arguments,
                           const std::string &text,
                           ArrayRef<SmallVector<int64_t>> sizes) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    module = parseSourceString<ModuleOp>(
        "func.func @f(" + arguments + ") {\n" + text + "\nreturn\n}", &context);
    if (!module)
      return failure();
    auto function = *module->getOps<func::FuncOp>().begin();
    return partition(&function.front().front(), sizes);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string message;
};
} // namespace

static constexpr char kMaxPool[] =
    "%y, %i = pool.max_pool %x kernel [3, 2] strides [2, 2] pads_begin [1, 0] "
    "axis 1 : tensor<2x3x9x8xf32> -> tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64>";
static constexpr char kMaxPoolArguments[] = "%x: tensor<2x3x9x8xf32>";

TEST_F(PartitionTest, MaxPoolHasHaloPadsAndIndices) {
  FailureOr<Partition> partition =
      cut(kMaxPoolArguments, kMaxPool, {{2}, {1, 2}, {1, 0, 3}, {4}});
  ASSERT_TRUE(succeeded(partition)) << message;
  EXPECT_FALSE(partition->resultHasInputShape);
  EXPECT_FALSE(partition->readsWholeOperands);
  // Positions count from dimension 1 on: 3 planes of 9 rows of 8.
  EXPECT_EQ(partition->base, 0);
  const int64_t weights[] = {0, 72, 8, 1};
  for (auto [dim, weight] : llvm::zip(partition->dims, weights))
    EXPECT_EQ(dim.indexStride, weight);
  ArrayRef<PartDim> rows = partition->dims[2].parts;
  ASSERT_EQ(rows.size(), 3u);
  // The first part is window 0, which begins in the padding. The third part is
  // windows 1 to 3, which begin at row 1.
  EXPECT_EQ(rows[0].input.offset, 0);
  EXPECT_EQ(rows[0].input.size, 2);
  EXPECT_EQ(rows[0].padBegin, 1);
  EXPECT_EQ(rows[1].result.offset, 1);
  EXPECT_EQ(rows[1].input.size, 0);
  EXPECT_EQ(rows[2].input.offset, 1);
  EXPECT_EQ(rows[2].input.size, 7);
  EXPECT_EQ(rows[2].padBegin, 0);
  EXPECT_EQ(rows[2].padEnd, 0);
  // Rows 0 and 1 belong to the first part, all others to the third.
  EXPECT_EQ(partition->getInputBlocks(2), SmallVector<int64_t>({2, 0, 7}));
  EXPECT_EQ(partition->getWindowBlocks(2), SmallVector<int64_t>({1, 0, 3}));
}

TEST_F(PartitionTest, WindowReduceHasPositionsOfItsOwn) {
  FailureOr<Partition> partition =
      cut("%x: tensor<1x1x9xf32>, %y: tensor<1x1x5xf32>, "
          "%p: tensor<1x1x5xi64>",
          "%0:2 = pool.window_reduce <max> ins(%x : tensor<1x1x9xf32>) "
          "outs(%y, %p : tensor<1x1x5xf32>, tensor<1x1x5xi64>) kernel [3] "
          "strides [2] dilations [1] pads_begin [1] pads_end [1] "
          "positions [100, 7] -> tensor<1x1x5xf32>, tensor<1x1x5xi64>",
          {{1}, {1}, {2, 3}});
  ASSERT_TRUE(succeeded(partition)) << message;
  EXPECT_EQ(partition->base, 100);
  EXPECT_EQ(partition->dims[2].indexStride, 7);
  const PartDim &second = partition->dims[2].parts[1];
  EXPECT_EQ(second.input.offset, 3);
  EXPECT_EQ(second.input.size, 6);
  EXPECT_EQ(second.padBegin, 0);
  EXPECT_EQ(second.padEnd, 1);
}

TEST_F(PartitionTest, GradientWithAutomaticPadsHasExplicitOnes) {
  FailureOr<Partition> partition =
      cut("%g: tensor<1x1x8xf32>",
          "%0 = pool.avg_pool_grad %g kernel [4] auto_pad same_upper "
          ": tensor<1x1x8xf32> -> tensor<1x1x8xf32>",
          {{1}, {1}, {8, 0}});
  ASSERT_TRUE(succeeded(partition)) << message;
  EXPECT_TRUE(partition->resultHasInputShape);
  EXPECT_TRUE(partition->hasExplicitPads);
  EXPECT_EQ(partition->dims[2].parts[0].padBegin, 1);
  EXPECT_EQ(partition->dims[2].parts[0].padEnd, 2);
}

TEST_F(PartitionTest, MaxUnpoolNeedsAllFromItsAxisOn) {
  std::string arguments = "%v: tensor<2x3x4xf32>, %i: tensor<2x3x4xi64>";
  std::string text = "%0 = pool.max_unpool %v, %i axis 2 : tensor<2x3x4xf32>, "
                     "tensor<2x3x4xi64> -> tensor<2x3x8xf32>";
  FailureOr<Partition> partition = cut(arguments, text, {{1, 1}, {3}, {8}});
  ASSERT_TRUE(succeeded(partition)) << message;
  EXPECT_FALSE(partition->readsWholeOperands);
  EXPECT_EQ(partition->dims[0].parts[1].windows.offset, 1);
  partition = cut(arguments, text, {{2}, {3}, {5, 3}});
  ASSERT_TRUE(succeeded(partition)) << message;
  EXPECT_TRUE(partition->readsWholeOperands);
  EXPECT_EQ(partition->dims[2].parts[1].windows.size, 4);
  EXPECT_EQ(partition->getWindowBlocks(2), SmallVector<int64_t>({2, 2}));
}

TEST_F(PartitionTest, ExtentsBeyond32Bits) {
  FailureOr<Partition> partition =
      cut("%x: tensor<1x1x1099511627776xi8>",
          "%y = pool.max_pool %x kernel [5] strides [2] dilations [3] "
          ": tensor<1x1x1099511627776xi8> -> tensor<1x1x549755813882xi8>",
          {{1}, {1}, {549755813881, 1}});
  ASSERT_TRUE(succeeded(partition)) << message;
  const PartDim &last = partition->dims[2].parts[1];
  EXPECT_EQ(last.input.offset, 1099511627762);
  EXPECT_EQ(last.input.size, 13);
}

TEST_F(PartitionTest, RefusesWhatDoesNotFit) {
  auto refuse = [&](ArrayRef<SmallVector<int64_t>> sizes) {
    message.clear();
    EXPECT_TRUE(failed(cut(kMaxPoolArguments, kMaxPool, sizes)));
    return message;
  };
  EXPECT_EQ(refuse({{2}, {3}, {4}}),
            "'pool.max_pool' op cannot be cut into parts: sizes are given for "
            "3 dimensions, the result has 4");
  EXPECT_EQ(refuse({{2}, {3}, {4}, {}}), "'pool.max_pool' op cannot be cut in "
                                         "dimension 3: there are no parts");
  EXPECT_EQ(refuse({{2}, {3}, {4, -1}, {4}}),
            "'pool.max_pool' op cannot be cut in dimension 2: part 1 has -1 "
            "elements, must have at least 0");
  EXPECT_EQ(refuse({{2}, {3}, {4}, {3, 2}}),
            "'pool.max_pool' op cannot be cut in dimension 3: part 1 has 2 "
            "elements from 3 on, the result has 4");
  EXPECT_EQ(refuse({{2}, {2}, {4}, {4}}),
            "'pool.max_pool' op cannot be cut in dimension 1: the parts have 2 "
            "elements, the result has 3");
  EXPECT_TRUE(
      failed(cut("%x: tensor<1x1x?xf32>",
                 "%y = pool.max_pool %x kernel [2] : tensor<1x1x?xf32> -> "
                 "tensor<1x1x?xf32>",
                 {{1}, {1}, {1}})));
  EXPECT_EQ(message, "'pool.max_pool' op cannot be cut into parts: all extents "
                     "must be known, but there is a 'tensor<1x1x?xf32>'");
  EXPECT_TRUE(failed(cut("%x: tensor<1x1x5xf32>",
                         "%y = pool.adaptive_avg_pool %x output_size [3] : "
                         "tensor<1x1x5xf32> -> tensor<1x1x3xf32>",
                         {{1}, {1}, {3}})));
  EXPECT_EQ(message, "'pool.adaptive_avg_pool' op cannot be cut into parts: it "
                     "has no window of fixed size");
}

TEST(PartsTest, EqualPartsAndSources) {
  EXPECT_EQ(getEqualParts(7, 3), SmallVector<int64_t>({3, 2, 2}));
  EXPECT_EQ(getEqualParts(2, 4), SmallVector<int64_t>({1, 1, 0, 0}));
  // Blocks [0, 3), none, [3, 5), [5, 10).
  SmallVector<PartSource> sources = getSources({2, 5}, {3, 0, 2, 5});
  ASSERT_EQ(sources.size(), 3u);
  EXPECT_EQ(sources[0].block, 0);
  EXPECT_EQ(sources[0].range.offset, 2);
  EXPECT_EQ(sources[1].block, 2);
  EXPECT_EQ(sources[1].range.size, 2);
  EXPECT_EQ(sources[2].block, 3);
  EXPECT_EQ(sources[2].range.getEnd(), 7);
  EXPECT_TRUE(getSources({4, 0}, {3, 2}).empty());
}
