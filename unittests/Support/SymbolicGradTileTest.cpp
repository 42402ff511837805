// Tiles of gradients, by symbolic window rules. A tile is cut out of a larger
// part of the gradient. The part has windows of its own, which must have the
// same effect on the tile as the windows of the whole.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IndexEvaluator.h"
#include "NaiveWindow.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::test;

namespace {
/// A function of (input extent, number of windows, tile offset, tile size) that
/// computes the part from which the tile is cut.
class GradTileFunction {
public:
  GradTileFunction(MLIRContext &context, const WindowDim &window);

  bool isValid() { return succeeded(verify(*module)); }

  /// Computes the part for the tile [offset, offset + size) of `dim` as
  /// integers. Returns an error, or an empty string.
  std::string evaluate(const ResolvedDim &dim, int64_t offset, int64_t size);

  int64_t begin = 0, extent = 0, firstWindow = 0, numWindows = 0;

private:
  OwningOpRef<ModuleOp> module;
  Block *block;
  GradTile tile;
  SmallVector<Operation *> ops;
  IndexEvaluator evaluator;
};
} // namespace

GradTileFunction::GradTileFunction(MLIRContext &context,
                                   const WindowDim &window) {
  Location loc = UnknownLoc::get(&context);
  module = ModuleOp::create(loc);
  OpBuilder b(&context);
  b.setInsertionPointToStart(module->getBody());
  SmallVector<Type> arguments(4, b.getIndexType());
  auto function =
      func::FuncOp::create(b, loc, "tile", b.getFunctionType(arguments, {}));
  block = function.addEntryBlock();
  b.setInsertionPointToStart(block);
  tile = getGradTile(b, loc, window, Value(block->getArgument(0)),
                     Value(block->getArgument(1)), Value(block->getArgument(2)),
                     Value(block->getArgument(3)));
  for (Operation &op : *block)
    ops.push_back(&op);
  func::ReturnOp::create(b, loc);
}

std::string GradTileFunction::evaluate(const ResolvedDim &dim, int64_t offset,
                                       int64_t size) {
  const int64_t arguments[] = {dim.input, dim.output, offset, size};
  for (auto [argument, number] : llvm::zip(block->getArguments(), arguments))
    evaluator.set(argument, number);
  if (!evaluator.run(ops))
    return "the part cannot be evaluated";
  begin = evaluator.get(tile.inputOffset);
  extent = evaluator.get(tile.inputSize);
  firstWindow = evaluator.get(tile.firstWindow);
  numWindows = evaluator.get(tile.numWindows);
  if (begin < 0 || begin > offset || begin + extent < offset + size ||
      begin + extent > dim.input)
    return llvm::formatv("the part is [{0}, {0} + {1}) of {2}", begin, extent,
                         dim.input);
  if (firstWindow < 0 || numWindows < 1 ||
      firstWindow + numWindows > dim.output)
    return llvm::formatv("the windows are [{0}, {0} + {1}) of {2}", firstWindow,
                         numWindows, dim.output);
  return "";
}

/// Compares window `o` of the whole with window `partO` of the part. Both must
/// be the same window. Returns the difference, or an empty string.
static std::string compareWindow(const ResolvedDim &dim,
                                 const ResolvedDim &part, int64_t begin,
                                 int64_t o, int64_t partO) {
  for (int64_t tap = 0; tap < dim.kernel; ++tap) {
    int64_t whole = dim.getStart(o) + tap * dim.dilation;
    int64_t inPart = part.getStart(partO) + tap * dim.dilation;
    bool isInput = whole >= 0 && whole < dim.input;
    if (isInput != (inPart >= 0 && inPart < part.input))
      return llvm::formatv("element {0} of window {1} is{2} in the part", tap,
                           o, isInput ? " not" : "");
    if (begin + inPart != whole)
      return llvm::formatv("element {0} of window {1} is {2}, not {3}", tap, o,
                           begin + inPart, whole);
  }
  for (Divisor divisor : kDivisors)
    if (getCount(dim, divisor, o) != getCount(part, divisor, partO))
      return llvm::formatv(
          "{0} count of window {1} is {2}, not {3}", stringifyDivisor(divisor),
          o, getCount(part, divisor, partO), getCount(dim, divisor, o));
  return "";
}

/// Checks the part that `function` has computed for the tile [offset, offset +
/// size). Returns the error, or an empty string.
static std::string compare(const GradTileFunction &function,
                           const WindowDim &window, const WindowModes &modes,
                           const ResolvedDim &dim, int64_t offset,
                           int64_t size) {
  RuleOr<ResolvedDim> part = resolveDim(function.extent, window, modes);
  if (!part)
    return llvm::formatv("the rule refuses a part of {0}", function.extent);
  if (part->output != function.numWindows)
    return llvm::formatv("the part has {0} windows, not {1}", part->output,
                         function.numWindows);
  // The verifier must accept the part whenever it accepts the whole.
  for (Divisor divisor : kDivisors)
    if (!getFirstEmptyWindow(dim, divisor) &&
        getFirstEmptyWindow(*part, divisor))
      return "a window of the part counts nothing";

  auto touches = [&](int64_t start) {
    return start < offset + size &&
           start + (dim.kernel - 1) * dim.dilation >= offset;
  };
  for (int64_t o = 0; o < dim.output; ++o) {
    int64_t partO = o - function.firstWindow;
    if (!touches(dim.getStart(o)))
      continue;
    if (partO < 0 || partO >= part->output)
      return llvm::formatv("the part lacks window {0}", o);
    std::string difference =
        compareWindow(dim, *part, function.begin, o, partO);
    if (!difference.empty())
      return difference;
  }
  for (int64_t o = 0; o < part->output; ++o)
    if (touches(function.begin + part->getStart(o)) &&
        !touches(dim.getStart(function.firstWindow + o)))
      return llvm::formatv("window {0} of the part is none of the whole", o);
  return "";
}

namespace {
class SymbolicGradTileTest : public ::testing::Test {
protected:
  SymbolicGradTileTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect>();
  }
  MLIRContext context;
};
} // namespace

TEST_F(SymbolicGradTileTest, AgreesOnTheGrid) {
  int64_t numCompared = 0, numSmaller = 0;
  const WindowModes allModes[] = {{RoundingType::Floor},
                                  {RoundingType::Ceil},
                                  {RoundingType::CeilTorch},
                                  {RoundingType::Ceil, AutoPad::Valid}};
  for (int64_t kernel = 1; kernel <= 3; ++kernel)
    for (int64_t stride = 1; stride <= 4; ++stride)
      for (int64_t dilation = 1; dilation <= 3; ++dilation)
        for (int64_t padBegin : {0, 1, 2, 5})
          for (int64_t padEnd : {0, 1, 2, 6}) {
            WindowDim window{kernel, stride, dilation, padBegin, padEnd};
            GradTileFunction function(context, window);
            ASSERT_TRUE(function.isValid());
            for (const WindowModes &modes : allModes)
              for (int64_t input : {1, 2, 3, 5, 8, 13, 14, 15, 16}) {
                RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
                if (!dim)
                  continue;
                for (int64_t offset = 0; offset < input; ++offset)
                  for (int64_t size : {int64_t(1), int64_t(3), input}) {
                    if (offset + size > input)
                      continue;
                    SCOPED_TRACE(llvm::formatv("[{0}, {0} + {1}) of {2} {3}",
                                               offset, size, input,
                                               describe(window, modes))
                                     .str());
                    ++numCompared;
                    ASSERT_EQ(function.evaluate(*dim, offset, size), "");
                    numSmaller += function.extent < input;
                    ASSERT_EQ(
                        compare(function, window, modes, *dim, offset, size),
                        "");
                  }
              }
          }
  EXPECT_GE(numCompared, 200000);
  EXPECT_GE(numSmaller, 50000);
}

TEST_F(SymbolicGradTileTest, IsNotMuchLargerThanTheTile) {
  WindowDim window{/*kernel=*/3, /*stride=*/2, /*dilation=*/2, 1, 1};
  GradTileFunction function(context, window);
  RuleOr<ResolvedDim> dim = resolveDim(1000, window, WindowModes());
  for (int64_t offset = 0; offset + 8 <= 1000; ++offset) {
    ASSERT_EQ(function.evaluate(*dim, offset, 8), "");
    // At either end, a part exceeds its tile by at most the window's extent
    // minus 1 (here 4) plus the stride minus 1 (here 1).
    EXPECT_LE(function.extent, 8 + 2 * (4 + 1));
  }
}

TEST_F(SymbolicGradTileTest, AgreesOnLargeExtents) {
  // evaluate() reports an error if an intermediate value overflows 64 bits.
  const int64_t large[] = {1, 7, (int64_t(1) << 31) + 1, int64_t(1) << 61};
  int64_t numCompared = 0;
  for (int64_t kernel : large)
    for (int64_t stride : large)
      for (int64_t dilation : large)
        for (int64_t pad : {int64_t(0), int64_t(1) << 60}) {
          WindowDim window{kernel, stride, dilation, pad, pad};
          WindowModes modes{RoundingType::Ceil};
          InputRange range = getInputRange(window, modes);
          if (range.min > range.max)
            continue;
          GradTileFunction function(context, window);
          for (int64_t input :
               {range.min, range.min + (range.max - range.min) / 2,
                range.max}) {
            RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
            ASSERT_TRUE(dim);
            for (int64_t offset : {int64_t(0), input / 2, input - 1}) {
              ++numCompared;
              ASSERT_EQ(function.evaluate(*dim, offset, 1), "")
                  << "offset " << offset << " of " << input << " "
                  << describe(window, modes);
              RuleOr<ResolvedDim> part =
                  resolveDim(function.extent, window, modes);
              ASSERT_TRUE(part);
              EXPECT_EQ(part->output, function.numWindows);
            }
          }
        }
  EXPECT_GE(numCompared, 500);
}

TEST_F(SymbolicGradTileTest, KnownTileBuildsNothing) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder b(&context);
  b.setInsertionPointToStart(module->getBody());
  // There are 16 windows of 3, 2 apart, over 33 elements. Windows 4 to 6 touch
  // [10, 14). The part leaves out a multiple of the stride at either end, so it
  // is [8, 17), with windows 4 to 7.
  GradTile tile =
      getGradTile(b, b.getUnknownLoc(), {3, 2, 1, 0, 0}, b.getIndexAttr(33),
                  b.getIndexAttr(16), b.getIndexAttr(10), b.getIndexAttr(4));
  EXPECT_TRUE(isConstantIntValue(tile.firstWindow, 4));
  EXPECT_TRUE(isConstantIntValue(tile.numWindows, 4));
  EXPECT_TRUE(isConstantIntValue(tile.inputOffset, 8));
  EXPECT_TRUE(isConstantIntValue(tile.inputSize, 9));
  EXPECT_TRUE(module->getBody()->empty());
}
