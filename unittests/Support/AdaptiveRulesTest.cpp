// AdaptiveRules, which compute the windows of adaptive pooling, must agree with
// windows enumerated position by position, for every pair of small extents. The
// symbolic rules must agree with the integer rules. Also tests the limits of
// 64-bit integers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/AdaptiveRules.h"
#include "IndexEvaluator.h"
#include "NaiveWindow.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "pool/Dialect/Pool/Utils/SymbolicAdaptiveRules.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::test;

static constexpr int64_t kGrid = 48;

/// True if position `i` of `input` belongs to window `o` of `output`: the
/// intervals [i, i + 1) / input and [o, o + 1) / output intersect.
static bool isCovered(int64_t input, int64_t output, int64_t o, int64_t i) {
  return i * output < (o + 1) * input && o * input < (i + 1) * output;
}

TEST(AdaptiveRulesTest, WindowsAreTheCommonParts) {
  for (int64_t input = 1; input <= kGrid; ++input)
    for (int64_t output = 1; output <= kGrid; ++output) {
      RuleOr<AdaptiveDim> dim = resolveAdaptiveDim(input, output);
      ASSERT_TRUE(static_cast<bool>(dim));
      int64_t maxSize = 0;
      bool isRegular = true, hasStride = input >= output;
      for (int64_t o = 0; o < output; ++o) {
        int64_t begin = -1, end = -1;
        for (int64_t i = 0; i < input; ++i)
          if (isCovered(input, output, o, i)) {
            begin = begin < 0 ? i : begin;
            end = i + 1;
          }
        ASSERT_EQ(dim->getStart(o), begin) << input << " " << output;
        ASSERT_EQ(dim->getEnd(o), end) << input << " " << output;
        ASSERT_EQ(dim->getSize(o), end - begin);
        maxSize = std::max(maxSize, end - begin);
        isRegular &=
            begin * output == o * input && (end - begin) * output == input;
        hasStride &=
            begin == o * (input / output) && end - begin == dim->getSize(0);
      }
      ASSERT_EQ(dim->getMaxSize(), maxSize) << input << " " << output;
      ASSERT_EQ(dim->isRegular(), isRegular) << input << " " << output;
      ASSERT_EQ(dim->hasStride(), hasStride) << input << " " << output;
    }
}

TEST(AdaptiveRulesTest, Violations) {
  EXPECT_EQ(resolveAdaptiveDim(5, 0).violation(),
            RuleViolation::OutputBelowOne);
  EXPECT_EQ(resolveAdaptiveDim(5, -3).violation(),
            RuleViolation::OutputBelowOne);
  EXPECT_EQ(resolveAdaptiveDim(0, 5).violation(), RuleViolation::InputBelowOne);
  EXPECT_EQ(resolveAdaptiveDim(kMax, 2).violation(), RuleViolation::Overflow);
  EXPECT_EQ(resolveAdaptiveDim(2, kMax).violation(), RuleViolation::Overflow);
  EXPECT_GT(getAdaptiveInputRange(0).min, getAdaptiveInputRange(0).max);
}

TEST(AdaptiveRulesTest, InputRangeIsWhatIsAccepted) {
  for (int64_t output : {int64_t(1), int64_t(2), int64_t(7), int64_t(1) << 31,
                         kMax / 2, kMax - 1, kMax}) {
    InputRange range = getAdaptiveInputRange(output);
    EXPECT_EQ(range.min, 1);
    EXPECT_TRUE(static_cast<bool>(resolveAdaptiveDim(range.max, output)));
    if (range.max < kMax)
      EXPECT_FALSE(
          static_cast<bool>(resolveAdaptiveDim(range.max + 1, output)));
  }
}

/// Windows at the limits neither overflow nor leave the input.
TEST(AdaptiveRulesTest, LargeExtents) {
  AdaptiveDim global = *resolveAdaptiveDim(kMax, 1);
  EXPECT_EQ(global.getStart(0), 0);
  EXPECT_EQ(global.getEnd(0), kMax);
  EXPECT_EQ(global.getMaxSize(), kMax);
  AdaptiveDim repeated = *resolveAdaptiveDim(1, kMax);
  EXPECT_EQ(repeated.getStart(kMax - 1), 0);
  EXPECT_EQ(repeated.getEnd(kMax - 1), 1);
  AdaptiveDim uneven = *resolveAdaptiveDim(kMax / 3, 3);
  EXPECT_EQ(uneven.getEnd(2), kMax / 3);
  EXPECT_EQ(uneven.getEnd(0), (kMax / 3 + 2) / 3);
}

namespace {
/// A function of (input extent, window) that computes the symbolic rules for
/// `output` windows. If `extent` is known, the rules are those of this extent,
/// and the function ignores its first argument.
class SymbolicAdaptiveFunction {
public:
  SymbolicAdaptiveFunction(MLIRContext &context, int64_t extent,
                           int64_t output) {
    Location loc = UnknownLoc::get(&context);
    module = ModuleOp::create(loc);
    OpBuilder b(&context);
    b.setInsertionPointToStart(module->getBody());
    Type index = b.getIndexType();
    auto function = func::FuncOp::create(b, loc, "rules",
                                         b.getFunctionType({index, index}, {}));
    Block *block = function.addEntryBlock();
    b.setInsertionPointToStart(block);
    input = block->getArgument(0);
    o = block->getArgument(1);
    dim = resolveAdaptiveDim(b, loc,
                             ShapedType::isDynamic(extent)
                                 ? OpFoldResult(input)
                                 : OpFoldResult(b.getIndexAttr(extent)),
                             output);
    start = getStart({b, loc}, dim, o);
    size = getSize({b, loc}, dim, o);
    for (Operation &op : *block)
      ops.push_back(&op);
    func::ReturnOp::create(b, loc);
  }

  bool isValid() { return succeeded(verify(*module)); }

  /// Compares with the integer rules. Returns the difference, or an empty
  /// string.
  std::string compare(const AdaptiveDim &known) {
    evaluator.set(input, known.input);
    for (int64_t window = 0; window < known.output; ++window) {
      evaluator.set(o, window);
      if (!evaluator.run(ops))
        return "cannot be evaluated";
      if (evaluator.get(start) != known.getStart(window))
        return llvm::formatv("window {0} starts at {1}", window,
                             evaluator.get(start));
      if (evaluator.get(size) != known.getSize(window))
        return llvm::formatv("window {0} has size {1}", window,
                             evaluator.get(size));
    }
    int64_t excess = evaluator.get(dim.maxSize) - known.getMaxSize();
    if (excess < 0 || excess > 1 || evaluator.get(dim.maxSize) > known.input)
      return llvm::formatv("the largest size is {0}",
                           evaluator.get(dim.maxSize));
    bool isExact = getConstantIntValue(dim.input) || known.output == 1;
    if (isExact && excess != 0)
      return "the largest size is not exact";
    if (dim.isRegular != (isExact && known.isRegular()))
      return "regularity";
    return "";
  }

private:
  OwningOpRef<ModuleOp> module;
  SymbolicAdaptiveDim dim;
  OpFoldResult start, size;
  Value input, o;
  SmallVector<Operation *> ops;
  IndexEvaluator evaluator;
};
} // namespace

TEST(AdaptiveRulesTest, SymbolicRulesAgree) {
  MLIRContext context;
  context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                      func::FuncDialect>();
  for (int64_t output = 1; output <= 24; ++output) {
    SymbolicAdaptiveFunction unknown(context, ShapedType::kDynamic, output);
    ASSERT_TRUE(unknown.isValid());
    for (int64_t input = 1; input <= kGrid; ++input) {
      AdaptiveDim dim = *resolveAdaptiveDim(input, output);
      ASSERT_EQ(unknown.compare(dim), "") << input << " " << output;
      ASSERT_EQ(SymbolicAdaptiveFunction(context, input, output).compare(dim),
                "")
          << input << " " << output;
    }
    AdaptiveDim largest =
        *resolveAdaptiveDim(getAdaptiveInputRange(output).max, output);
    EXPECT_EQ(unknown.compare(largest), "") << output;
  }
}
