// The lowering to affine loops splits windows into ranges: windows that reach
// beyond the input, and windows inside. The bounds of these loops must agree
// with an enumeration of all positions, and each window must be in exactly one
// range.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct Iterations {
  int64_t begin, end;
  bool contains(int64_t i) const { return begin <= i && i < end; }
};
} // namespace

/// Returns the iterations of a loop whose operands are all constants.
static Iterations evaluate(const LoopBounds &bounds) {
  SmallVector<Attribute> operands;
  for (OpFoldResult operand : bounds.operands)
    operands.push_back(cast<Attribute>(operand));
  auto evaluateMap = [&](AffineMap map) {
    SmallVector<Attribute> results;
    EXPECT_TRUE(succeeded(map.constantFold(operands, results)));
    return llvm::map_to_vector(results, [](Attribute result) {
      return cast<IntegerAttr>(result).getInt();
    });
  };
  return {*llvm::max_element(evaluateMap(bounds.lower)),
          *llvm::min_element(evaluateMap(bounds.upper))};
}

static SymbolicDim makeDim(Builder &b, int64_t input, int64_t padBegin,
                           int64_t padEnd, int64_t kernel, int64_t stride,
                           int64_t dilation) {
  SymbolicDim dim;
  dim.input = b.getIndexAttr(input);
  dim.padBegin = b.getIndexAttr(padBegin);
  dim.padEnd = dim.coveredEnd = b.getIndexAttr(padEnd);
  dim.kernel = kernel;
  dim.stride = stride;
  dim.dilation = dilation;
  dim.mayOverhang = false;
  return dim;
}

/// Checks that each window is in exactly one range. The range's `reach` must
/// tell at which ends the window leaves the input, and the valid taps must be
/// those inside the input.
static void checkDim(Builder &b, const SymbolicDim &dim, int64_t input,
                     int64_t padBegin, int64_t numWindows) {
  MLIRContext *context = b.getContext();
  SmallVector<WindowRange> ranges =
      getWindowRanges(context, dim, b.getIndexAttr(numWindows));
  for (int64_t o = 0; o < numWindows; ++o) {
    SCOPED_TRACE(llvm::formatv("input {0}, pad {1}, kernel {2}, stride {3}, "
                               "dilation {4}, window {5} of {6}",
                               input, padBegin, dim.kernel, dim.stride,
                               dim.dilation, o, numWindows)
                     .str());
    int64_t first = o * dim.stride - padBegin;
    int64_t last = first + (dim.kernel - 1) * dim.dilation;
    int64_t numRanges = 0;
    for (const WindowRange &range : ranges) {
      if (!evaluate(range.windows).contains(o))
        continue;
      ++numRanges;
      EXPECT_EQ(range.reach.begin, first < 0);
      EXPECT_EQ(range.reach.end, last >= input);
      Iterations known =
          evaluate(getValidTaps(context, dim, b.getIndexAttr(o), range.reach));
      Iterations unknown =
          evaluate(getValidTaps(context, dim, b.getIndexAttr(o)));
      for (int64_t tap = 0; tap < dim.kernel; ++tap) {
        int64_t position = first + tap * dim.dilation;
        bool isInside = 0 <= position && position < input;
        EXPECT_EQ(known.contains(tap), isInside) << "tap " << tap;
        EXPECT_EQ(unknown.contains(tap), isInside) << "tap " << tap;
      }
      EXPECT_GE(known.begin, 0);
      EXPECT_LE(known.end, dim.kernel);
    }
    EXPECT_EQ(numRanges, 1);
  }
}

TEST(SymbolicWindowRangesTest, EveryWindowIsInOneRange) {
  MLIRContext context;
  Builder b(&context);
  for (int64_t input : {1, 2, 3, 5, 8})
    for (int64_t padBegin : {0, 1, 2, 4, 7})
      for (int64_t padEnd : {0, 1, 3, 6})
        for (int64_t kernel : {1, 2, 3, 5})
          for (int64_t stride : {1, 2, 3})
            for (int64_t dilation : {1, 2, 3}) {
              int64_t slack =
                  padBegin + input + padEnd - (kernel - 1) * dilation - 1;
              if (slack < 0)
                continue;
              checkDim(
                  b,
                  makeDim(b, input, padBegin, padEnd, kernel, stride, dilation),
                  input, padBegin, slack / stride + 1);
            }
}
