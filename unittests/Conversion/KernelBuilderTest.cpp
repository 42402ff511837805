// Loops and branches of kernels: there are none if bounds or conditions are
// known, and values are carried through those that there are.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConversionTest.h"

#include "Emit/KernelBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class KernelBuilderTest : public ConversionTest {
protected:
  /// Starts a function whose arguments are an extent, a condition and a
  /// buffer.
  KernelBuilderTest() {
    parse("func.func @f(%n: index, %c: i1, %x: memref<?xf32>) { return }");
    auto func = *module->getOps<func::FuncOp>().begin();
    extent = func.getArgument(0);
    condition = func.getArgument(1);
    buffer = func.getArgument(2);
    OpBuilder start(func.getBody());
    b.emplace(start, func.getLoc(), target);
  }
  void TearDown() override {
    EXPECT_TRUE(succeeded(verify(*module)));
    EXPECT_EQ(numDiagnostics, 0);
  }

  template <typename OpT>
  int64_t count() {
    int64_t number = 0;
    module->walk([&](OpT) { ++number; });
    return number;
  }

  /// Returns the known positions for which forEach() emits its body.
  SmallVector<int64_t> getPositions(Operand begin, Operand end, int64_t step) {
    SmallVector<int64_t> positions;
    b->forEach(begin, end, step, [&](Value position) {
      positions.push_back(getConstantIntValue(position).value_or(-1));
    });
    return positions;
  }

  Target target = Target::getGeneric(256);
  Value extent, condition, buffer;
  std::optional<KernelBuilder> b;
};
} // namespace

TEST_F(KernelBuilderTest, NoLoopForAtMostOneIteration) {
  EXPECT_EQ(getPositions(3, 4, 1), SmallVector<int64_t>({3}));
  EXPECT_EQ(getPositions(3, 11, 8), SmallVector<int64_t>({3}));
  EXPECT_EQ(getPositions(3, 3, 1), SmallVector<int64_t>());
  EXPECT_EQ(getPositions(4, 3, 1), SmallVector<int64_t>());
  // From `begin` to `begin + step`, whatever `begin` is.
  EXPECT_EQ(getPositions(extent, b->add(extent, 8), 8),
            SmallVector<int64_t>({-1}));
  EXPECT_EQ(count<scf::ForOp>(), 0);
}

TEST_F(KernelBuilderTest, OneBodyInALoop) {
  EXPECT_EQ(getPositions(0, 9, 8), SmallVector<int64_t>({-1}));
  EXPECT_EQ(getPositions(0, extent, 8), SmallVector<int64_t>({-1}));
  EXPECT_EQ(getPositions(extent, b->add(extent, 9), 8),
            SmallVector<int64_t>({-1}));
  EXPECT_EQ(count<scf::ForOp>(), 3);
}

TEST_F(KernelBuilderTest, CarriesValues) {
  Value sum = b->index(0), first = sum, inside;
  b->forEach(0, extent, 1, sum, [&](Value i) {
    inside = sum;
    sum = b->add(sum, i);
  });
  auto loop = sum.getDefiningOp<scf::ForOp>();
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop.getInits().front(), first);
  EXPECT_EQ(loop.getRegionIterArg(0), inside);
  EXPECT_EQ(loop.getResult(0), sum);
  // Without a loop, the value is that of the body.
  Value once = sum;
  b->forEach(0, 1, 1, once, [&](Value) { once = extent; });
  EXPECT_EQ(once, extent);
  b->forEach(1, 1, 1, once, [&](Value) { once = sum; });
  EXPECT_EQ(once, extent);
}

TEST_F(KernelBuilderTest, NestsTheLastRangeInside) {
  SmallVector<PositionRange> ranges = {{0, extent, 1}, {5, 6, 1}, {0, 4, 2}};
  b->forEachIn(ranges, {}, [&](ValueRange position) {
    ASSERT_EQ(position.size(), 3u);
    auto outer = cast<BlockArgument>(position[0]).getOwner();
    auto inner = cast<BlockArgument>(position[2]).getOwner();
    EXPECT_EQ(inner->getParentOp()->getBlock(), outer);
    EXPECT_TRUE(isConstantIntValue(position[1], 5));
  });
  EXPECT_EQ(count<scf::ForOp>(), 2);
  b->forEachIn(
      {}, {},
      [&](ValueRange position) { EXPECT_EQ(position, ValueRange(extent)); },
      extent);
}

TEST_F(KernelBuilderTest, ParallelLoopsHaveDimensions) {
  int numBodies = 0;
  b->forEachParallel({}, [&](ValueRange position) {
    EXPECT_TRUE(position.empty());
    ++numBodies;
  });
  EXPECT_EQ(count<scf::ParallelOp>(), 0);
  b->forEachParallel({extent, b->index(4)}, [&](ValueRange position) {
    EXPECT_EQ(position.size(), 2u);
    ++numBodies;
  });
  EXPECT_EQ(count<scf::ParallelOp>(), 1);
  EXPECT_EQ(numBodies, 2);
}

TEST_F(KernelBuilderTest, IterationsTogetherBeginOnce) {
  Operation *begin = nullptr;
  b->forEachTogether(
      {extent, extent}, 8,
      [&] { begin = b->allocate({extent}, b->getF32Type()).getDefiningOp(); },
      [&](ValueRange position) {
        auto inner = cast<BlockArgument>(position[1]).getOwner()->getParentOp();
        EXPECT_TRUE(isa<scf::ForOp>(inner));
        EXPECT_EQ(inner->getBlock(), begin->getBlock());
      });
  EXPECT_TRUE(isa<scf::ParallelOp>(begin->getParentOp()));
}

TEST_F(KernelBuilderTest, NoBranchIfTheConditionIsKnown) {
  SmallVector<bool> cases;
  auto note = [&](bool inThen) { cases.push_back(inThen); };
  b->ifElse({}, note);
  b->ifElse(b->isEqual(b->index(1), 1), note);
  b->ifElse(b->isEqual(b->index(1), 2), note);
  EXPECT_EQ(cases, SmallVector<bool>({true, true, false}));
  EXPECT_EQ(count<scf::IfOp>(), 0);
  b->ifElse(condition, note);
  EXPECT_EQ(cases.size(), 5u);
  EXPECT_EQ(count<scf::IfOp>(), 1);
}

TEST_F(KernelBuilderTest, BranchesCarryValues) {
  Value value = extent;
  b->ifTrue(condition, value, [&] { value = b->index(7); });
  auto branch = value.getDefiningOp<scf::IfOp>();
  ASSERT_TRUE(branch);
  EXPECT_TRUE(isConstantIntValue(branch.thenYield().getOperand(0), 7));
  EXPECT_EQ(branch.elseYield().getOperand(0), extent);
}

TEST_F(KernelBuilderTest, ArithmeticFolds) {
  EXPECT_EQ(b->add(extent, 0), extent);
  EXPECT_EQ(b->mul(extent, 1), extent);
  EXPECT_TRUE(isConstantIntValue(b->ceilDiv(b->index(9), 8), 2));
  EXPECT_TRUE(isConstantIntValue(b->min(b->index(9), 8), 8));
}

TEST_F(KernelBuilderTest, StepsMoveBackFromTheEnd) {
  EXPECT_TRUE(isConstantIntValue(b->moveBack(b->index(8), b->index(10), 4), 6));
  EXPECT_TRUE(isConstantIntValue(b->moveBack(b->index(4), b->index(10), 4), 4));
  // No step passes the end.
  EXPECT_EQ(b->moveBack(extent, b->index(8), 4), extent);
  EXPECT_NE(b->moveBack(extent, b->index(10), 4), extent);
}
