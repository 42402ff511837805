// The symbolic window rules build arithmetic for unknown extents. Evaluated for
// many extents, this arithmetic must agree with the integer rules
// (WindowRules).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"
#include "IndexEvaluator.h"
#include "NaiveWindow.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::test;

namespace {
/// A function of (input extent, output, tap) for one WindowDim. It computes the
/// symbolic extents, the counts, the first valid tap and the position of a tap.
class SymbolicFunction {
public:
  SymbolicFunction(MLIRContext &context, const WindowDim &window,
                   const WindowModes &modes);

  bool isValid() { return succeeded(verify(*module)); }
  const SymbolicDim &getDim() const { return dim; }

  /// Compares the symbolic extents with `known`, and the details of up to
  /// `numWindows` windows. Returns the first difference, or an empty string.
  std::string compare(const ResolvedDim &known, int64_t numWindows);

private:
  std::string compareExtents(const ResolvedDim &known);
  std::string compareWindow(const ResolvedDim &known, int64_t o);
  std::string compareClaims(const ResolvedDim &known, int64_t o);
  /// Returns the ops built since the last call.
  SmallVector<Operation *> takeNewOps();

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  SymbolicDim dim;
  OpFoldResult counts[3], firstValidTap, position;
  Value input, o, tap;
  /// Ops that can be evaluated once `input` is set, once `o` is also set, and
  /// once `tap` is also set.
  SmallVector<Operation *> dimOps, windowOps, positionOps;
  int64_t numTaken = 0;
  IndexEvaluator evaluator;
};
} // namespace

SymbolicFunction::SymbolicFunction(MLIRContext &context,
                                   const WindowDim &window,
                                   const WindowModes &modes) {
  Location loc = UnknownLoc::get(&context);
  module = ModuleOp::create(loc);
  OpBuilder b(&context);
  b.setInsertionPointToStart(module->getBody());
  Type index = b.getIndexType();
  function = func::FuncOp::create(b, loc, "rules",
                                  b.getFunctionType({index, index, index}, {}));
  Block *block = function.addEntryBlock();
  input = block->getArgument(0);
  o = block->getArgument(1);
  tap = block->getArgument(2);
  b.setInsertionPointToStart(block);

  dim = pool::resolveDim(b, loc, input, window, modes);
  dimOps = takeNewOps();
  for (auto [count, divisor] : llvm::zip(counts, kDivisors))
    count = pool::getCount({b, loc}, dim, divisor, o);
  firstValidTap = pool::getFirstValidTap({b, loc}, dim, o);
  windowOps = takeNewOps();
  position = pool::getPosition({b, loc}, dim, o, tap);
  positionOps = takeNewOps();
  func::ReturnOp::create(b, loc);
}

SmallVector<Operation *> SymbolicFunction::takeNewOps() {
  SmallVector<Operation *> ops;
  for (Operation &op : llvm::drop_begin(function.front(), numTaken))
    ops.push_back(&op);
  numTaken += ops.size();
  return ops;
}

std::string SymbolicFunction::compareExtents(const ResolvedDim &known) {
  evaluator.set(input, known.input);
  if (!evaluator.run(dimOps))
    return "the extents cannot be evaluated";
  const std::tuple<StringRef, OpFoldResult, int64_t> quantities[] = {
      {"input", dim.input, known.input},
      {"output", dim.output, known.output},
      {"padBegin", dim.padBegin, known.padBegin},
      {"padEnd", dim.padEnd, known.padEnd},
      {"coveredEnd", dim.coveredEnd, known.getCoveredEnd()}};
  for (auto [name, symbolic, number] : quantities)
    if (evaluator.get(symbolic) != number)
      return llvm::formatv("{0} is {1}, not {2}", name, evaluator.get(symbolic),
                           number);
  if (known.overhang > 0 && !dim.mayOverhang)
    return "there is an overhang";
  return "";
}

std::string SymbolicFunction::compareWindow(const ResolvedDim &known,
                                            int64_t window) {
  evaluator.set(o, window);
  if (!evaluator.run(windowOps))
    return "the counts cannot be evaluated";
  for (auto [count, divisor] : llvm::zip(counts, kDivisors))
    if (evaluator.get(count) != getCount(known, divisor, window))
      return llvm::formatv(
          "{0} count of window {1} is {2}, not {3}", stringifyDivisor(divisor),
          window, evaluator.get(count), getCount(known, divisor, window));
  TapRange taps = getValidTaps(known, window);
  if (taps.size() > 0 && evaluator.get(firstValidTap) != taps.begin)
    return llvm::formatv("first valid tap of window {0} is {1}, not {2}",
                         window, evaluator.get(firstValidTap), taps.begin);
  for (int64_t t : {int64_t(0), known.kernel / 2, known.kernel - 1}) {
    evaluator.set(tap, t);
    if (!evaluator.run(positionOps))
      return "the position cannot be evaluated";
    if (evaluator.get(position) != known.getStart(window) + t * known.dilation)
      return llvm::formatv("position {0} of window {1} is {2}", t, window,
                           evaluator.get(position));
  }
  return "";
}

/// Checks for one window of `known` what the symbolic rules claim about all
/// extents. Returns the error, or an empty string.
std::string SymbolicFunction::compareClaims(const ResolvedDim &known,
                                            int64_t window) {
  TapRange taps = getValidTaps(known, window);
  if (taps.size() < known.kernel && !mayCoverPadding(dim))
    return llvm::formatv("window {0} covers padding", window);
  if (taps.size() == 0 && !mayBeEmpty(dim))
    return llvm::formatv("window {0} is empty", window);
  for (Divisor divisor : kDivisors) {
    std::optional<int64_t> constant = getConstantCount(dim, divisor);
    if (constant && *constant != getCount(known, divisor, window))
      return llvm::formatv("constant {0} count {1} is wrong for window {2}",
                           stringifyDivisor(divisor), *constant, window);
  }
  return "";
}

std::string SymbolicFunction::compare(const ResolvedDim &known,
                                      int64_t numWindows) {
  std::string difference = compareExtents(known);
  int64_t step = std::max<int64_t>(1, known.output / numWindows);
  for (int64_t i = 0; difference.empty() && i < numWindows; ++i) {
    int64_t window = i == numWindows - 1 ? known.output - 1 : i * step;
    if (window >= known.output)
      continue;
    difference = compareWindow(known, window);
    if (difference.empty())
      difference = compareClaims(known, window);
  }
  return difference;
}

namespace {
class SymbolicWindowRulesTest : public ::testing::Test {
protected:
  SymbolicWindowRulesTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect>();
  }
  MLIRContext context;
};
} // namespace

TEST_F(SymbolicWindowRulesTest, AgreesOnTheGrid) {
  int64_t numCompared = 0;
  for (const WindowModes &modes : getAllModes())
    for (int64_t kernel = 1; kernel <= 4; ++kernel)
      for (int64_t stride = 1; stride <= 4; ++stride)
        for (int64_t dilation = 1; dilation <= 3; ++dilation)
          for (auto [padBegin, padEnd] : {std::pair(0, 0),
                                          {0, 1},
                                          {1, 0},
                                          {1, 1},
                                          {2, 1},
                                          {0, 3},
                                          {3, 0},
                                          {3, 3}}) {
            WindowDim window{kernel, stride, dilation, padBegin, padEnd};
            SymbolicFunction symbolic(context, window, modes);
            ASSERT_TRUE(symbolic.isValid()) << describe(window, modes);
            for (int64_t input = 1; input <= 24; ++input) {
              RuleOr<ResolvedDim> known = resolveDim(input, window, modes);
              if (!known)
                continue;
              ++numCompared;
              ASSERT_EQ(symbolic.compare(*known, /*numWindows=*/32), "")
                  << "input " << input << " " << describe(window, modes);
            }
          }
  // The number of accepted combinations that the project promises.
  EXPECT_GE(numCompared, 100000);
  RecordProperty("combinations", std::to_string(numCompared));
}

TEST_F(SymbolicWindowRulesTest, AgreesOnLargeExtents) {
  int64_t numCompared = 0;
  // Compare up to the largest accepted extent. compare() returns an error if an
  // intermediate value overflows 64 bits.
  const int64_t large[] = {
      1, 2, 7, (int64_t(1) << 31) + 1, int64_t(1) << 45, int64_t(1) << 61};
  for (const WindowModes &modes : getAllModes())
    for (int64_t kernel : large)
      for (int64_t stride : large)
        for (int64_t dilation : large)
          for (int64_t pad : {int64_t(0), int64_t(5), int64_t(1) << 60}) {
            WindowDim window{kernel, stride, dilation, pad, pad};
            InputRange range = getInputRange(window, modes);
            if (range.min > range.max)
              continue;
            SymbolicFunction symbolic(context, window, modes);
            for (int64_t input :
                 {range.min, range.min + (range.max - range.min) / 2,
                  range.max - 1, range.max}) {
              if (input < range.min)
                continue;
              RuleOr<ResolvedDim> known = resolveDim(input, window, modes);
              ASSERT_TRUE(known);
              ++numCompared;
              ASSERT_EQ(symbolic.compare(*known, /*numWindows=*/4), "")
                  << "input " << input << " " << describe(window, modes);
            }
          }
  EXPECT_GE(numCompared, 10000);
}

TEST_F(SymbolicWindowRulesTest, KnownExtentBuildsNothing) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder b(&context);
  b.setInsertionPointToStart(module->getBody());
  Location loc = b.getUnknownLoc();
  for (const WindowModes &modes : getAllModes())
    for (int64_t input = 1; input <= 9; ++input)
      for (int64_t kernel = 1; kernel <= 3; ++kernel)
        for (int64_t stride = 1; stride <= 3; ++stride)
          for (int64_t pad = 0; pad <= 3; ++pad) {
            WindowDim window{kernel, stride, /*dilation=*/2, pad, 1};
            RuleOr<ResolvedDim> known = resolveDim(input, window, modes);
            if (!known)
              continue;
            SymbolicDim dim =
                pool::resolveDim(b, loc, b.getIndexAttr(input), window, modes);
            SCOPED_TRACE(describe(window, modes));
            ASSERT_TRUE(dim.known);
            EXPECT_TRUE(isConstantIntValue(dim.output, known->output));
            EXPECT_TRUE(isConstantIntValue(dim.padBegin, known->padBegin));
            EXPECT_TRUE(isConstantIntValue(dim.padEnd, known->padEnd));
            EXPECT_TRUE(
                isConstantIntValue(dim.coveredEnd, known->getCoveredEnd()));
            EXPECT_EQ(dim.mayOverhang, known->overhang > 0);

            // For static extents, the claims mayCoverPadding and mayBeEmpty are
            // exact.
            NaiveWindow naive(input, window, modes);
            EXPECT_EQ(mayCoverPadding(dim), naive.coversPadding());
            EXPECT_EQ(mayBeEmpty(dim),
                      naive.getFirstEmptyWindow(Divisor::Valid).has_value());
            for (Divisor divisor : kDivisors)
              for (int64_t o = 0; o < known->output; ++o) {
                OpFoldResult count =
                    pool::getCount({b, loc}, dim, divisor, b.getIndexAttr(o));
                EXPECT_TRUE(
                    isConstantIntValue(count, naive.getCount(divisor, o)));
              }
          }
  EXPECT_TRUE(module->getBody()->empty());
}

TEST_F(SymbolicWindowRulesTest, KnownExtentThatIsRefused) {
  // After verification, a rewrite may make an extent static that the rules
  // reject. Then there must be no windows, and no negative values.
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder b(&context);
  b.setInsertionPointToStart(module->getBody());
  WindowDim window{/*kernel=*/9, /*stride=*/2, /*dilation=*/1, 1, 1};
  for (RoundingType rounding :
       {RoundingType::Floor, RoundingType::Ceil, RoundingType::CeilTorch})
    for (int64_t input : {0, 1, 5}) {
      ASSERT_FALSE(pool::resolveDim(input, window, {rounding}));
      SymbolicDim dim = pool::resolveDim(
          b, b.getUnknownLoc(), b.getIndexAttr(input), window, {rounding});
      EXPECT_FALSE(dim.known);
      EXPECT_FALSE(mayCoverPadding(dim));
      for (OpFoldResult quantity :
           {dim.output, dim.padBegin, dim.padEnd, dim.coveredEnd})
        EXPECT_TRUE(isConstantIntValue(quantity, 0));
    }
  EXPECT_TRUE(module->getBody()->empty());
}

TEST_F(SymbolicWindowRulesTest, ClaimsThatHoldForEveryExtent) {
  WindowModes floor, ceil{RoundingType::Ceil},
      same{RoundingType::Floor, AutoPad::SameUpper, SameOutput::Input};
  std::vector<std::unique_ptr<SymbolicFunction>> functions;
  auto resolve = [&](WindowDim window, WindowModes modes) {
    functions.push_back(
        std::make_unique<SymbolicFunction>(context, window, modes));
    return functions.back()->getDim();
  };
  // Without padding, floor covers only the input.
  SymbolicDim dim = resolve({3, 2, 2, 0, 0}, floor);
  EXPECT_FALSE(mayCoverPadding(dim));
  EXPECT_FALSE(mayBeEmpty(dim));
  EXPECT_EQ(getConstantCount(dim, Divisor::Valid), 3);
  EXPECT_EQ(getConstantCount(dim, Divisor::Padded), 3);
  EXPECT_FALSE(dim.mayOverhang);

  dim = resolve({3, 2, 1, 1, 1}, floor);
  EXPECT_TRUE(mayCoverPadding(dim));
  EXPECT_EQ(getConstantCount(dim, Divisor::Valid), std::nullopt);
  EXPECT_EQ(getConstantCount(dim, Divisor::Padded), 3);
  EXPECT_EQ(getConstantCount(dim, Divisor::Kernel), 3);

  dim = resolve({3, 2, 1, 0, 0}, ceil);
  EXPECT_TRUE(dim.mayOverhang);
  EXPECT_TRUE(mayCoverPadding(dim));
  EXPECT_EQ(getConstantCount(dim, Divisor::Padded), std::nullopt);
  EXPECT_EQ(getConstantCount(dim, Divisor::Kernel), 3);

  // A window of one element with stride 1 needs no padding.
  dim = resolve({1, 1, 1, 0, 0}, same);
  EXPECT_FALSE(mayCoverPadding(dim));
  EXPECT_FALSE(dim.mayOverhang);
}

TEST_F(SymbolicWindowRulesTest, WindowThatNoExtentFits) {
  // Ops can be built for any window that checkDim accepts, even if no extent is
  // accepted. The sanitizers show that nothing overflows.
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  int64_t numBuilt = 0;
  for (const WindowModes &modes : getAllModes())
    for (int64_t kernel : {int64_t(1), int64_t(2), kMax})
      for (int64_t stride : {int64_t(1), kMax})
        for (int64_t padBegin : {int64_t(0), kMax})
          for (int64_t padEnd : {int64_t(0), kMax}) {
            WindowDim window{kernel, stride, 1, padBegin, padEnd};
            if (checkDim(window))
              continue;
            ++numBuilt;
            EXPECT_TRUE(SymbolicFunction(context, window, modes).isValid());
          }
  EXPECT_GE(numBuilt, 24);
}
