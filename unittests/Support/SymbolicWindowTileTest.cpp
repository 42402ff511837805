// Tiles of windows, by symbolic window rules. A tile reads a slice of the input
// and has pads of its own. It must see the same elements as its windows in the
// whole. Even an empty tile must read inside the input.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IndexEvaluator.h"
#include "NaiveWindow.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::test;

namespace {
/// A function of (input extent, tile offset, tile size, begin pad, end pad,
/// output extent) that computes a tile. With `known`, the extents and pads are
/// constants, and their arguments are unused.
class TileFunction {
public:
  TileFunction(MLIRContext &context, const WindowDim &window,
               std::optional<ResolvedDim> known);

  bool isValid() { return succeeded(verify(*module)); }

  /// Checks the tile of the windows [offset, offset + size) of `dim`. Returns
  /// the error, or an empty string.
  std::string compare(const ResolvedDim &dim, int64_t offset, int64_t size);

private:
  OwningOpRef<ModuleOp> module;
  Block *block;
  WindowTile tile;
  SmallVector<Operation *> ops;
  IndexEvaluator evaluator;
};
} // namespace

TileFunction::TileFunction(MLIRContext &context, const WindowDim &window,
                           std::optional<ResolvedDim> known) {
  Location loc = UnknownLoc::get(&context);
  module = ModuleOp::create(loc);
  OpBuilder b(&context);
  b.setInsertionPointToStart(module->getBody());
  SmallVector<Type> arguments(6, b.getIndexType());
  auto function =
      func::FuncOp::create(b, loc, "tile", b.getFunctionType(arguments, {}));
  block = function.addEntryBlock();
  b.setInsertionPointToStart(block);
  OpFoldResult input = Value(block->getArgument(0));
  OpFoldResult padBegin = Value(block->getArgument(3));
  OpFoldResult padEnd = Value(block->getArgument(4));
  OpFoldResult output = Value(block->getArgument(5));
  if (known) {
    input = b.getIndexAttr(known->input);
    output = b.getIndexAttr(known->output);
    padBegin = b.getIndexAttr(known->padBegin);
    padEnd = b.getIndexAttr(known->getCoveredEnd());
  }
  tile =
      getWindowTile(b, loc, window, input, output, padBegin, padEnd,
                    Value(block->getArgument(1)), Value(block->getArgument(2)));
  for (Operation &op : *block)
    ops.push_back(&op);
  func::ReturnOp::create(b, loc);
}

std::string TileFunction::compare(const ResolvedDim &dim, int64_t offset,
                                  int64_t size) {
  const int64_t arguments[] = {
      dim.input, offset, size, dim.padBegin, dim.getCoveredEnd(), dim.output};
  for (auto [argument, number] : llvm::zip(block->getArguments(), arguments))
    evaluator.set(argument, number);
  if (!evaluator.run(ops))
    return "the tile cannot be evaluated";
  int64_t begin = evaluator.get(tile.inputOffset);
  int64_t extent = evaluator.get(tile.inputSize);
  int64_t padBegin = evaluator.get(tile.padBegin);
  int64_t padEnd = evaluator.get(tile.padEnd);

  if (begin < 0 || extent < 1 || begin + extent > dim.input)
    return llvm::formatv("the slice is [{0}, {0} + {1}) of {2}", begin, extent,
                         dim.input);
  if (padBegin < 0 || padEnd < 0)
    return llvm::formatv("the pads are {0} and {1}", padBegin, padEnd);
  int64_t covered =
      (size - 1) * dim.stride + (dim.kernel - 1) * dim.dilation + 1;
  if (covered > padBegin + extent + padEnd)
    return llvm::formatv("windows cover {0} of {1} + {2} + {3}", covered,
                         padBegin, extent, padEnd);

  for (int64_t o = 0; o < size; ++o)
    for (int64_t tap = 0; tap < dim.kernel; ++tap) {
      int64_t whole = dim.getStart(offset + o) + tap * dim.dilation;
      bool inInput = whole >= 0 && whole < dim.input;
      int64_t part = o * dim.stride - padBegin + tap * dim.dilation;
      bool inSlice = part >= 0 && part < extent;
      if (inInput != inSlice)
        return llvm::formatv("element {0} of window {1} is{2} in the slice",
                             tap, o, inSlice ? "" : " not");
      if (inSlice && begin + part != whole)
        return llvm::formatv("element {0} of window {1} is {2}, not {3}", tap,
                             o, begin + part, whole);
    }
  return "";
}

namespace {
class SymbolicWindowTileTest : public ::testing::Test {
protected:
  SymbolicWindowTileTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect>();
  }

  /// Checks all tiles of up to three windows and the tile of all windows. Also
  /// checks empty tiles, even beyond the end.
  void compareTiles(TileFunction &function, const ResolvedDim &dim,
                    const std::string &description) {
    for (int64_t offset = 0; offset < dim.output; ++offset)
      for (int64_t size : {int64_t(1), int64_t(2), int64_t(3), dim.output}) {
        if (offset + size > dim.output)
          continue;
        ++numCompared;
        ASSERT_EQ(function.compare(dim, offset, size), "")
            << "windows [" << offset << ", " << offset << " + " << size
            << ") of input " << dim.input << " " << description;
      }
    for (int64_t offset : {int64_t(0), dim.output - 1, dim.output,
                           dim.output + 1, 3 * dim.output + 2})
      ASSERT_EQ(function.compare(dim, offset, /*size=*/0), "")
          << "no windows from " << offset << " on of input " << dim.input << " "
          << description;
  }

  MLIRContext context;
  int64_t numCompared = 0;
};
} // namespace

static std::vector<WindowDim> getWindows() {
  std::vector<WindowDim> windows;
  for (int64_t kernel = 1; kernel <= 3; ++kernel)
    for (int64_t stride = 1; stride <= 4; ++stride)
      for (int64_t dilation = 1; dilation <= 4; ++dilation)
        for (int64_t padBegin : {0, 1, 2, 5})
          for (int64_t padEnd : {0, 1, 2, 6})
            windows.push_back({kernel, stride, dilation, padBegin, padEnd});
  return windows;
}

TEST_F(SymbolicWindowTileTest, OfUnknownExtents) {
  for (const WindowDim &window : getWindows()) {
    TileFunction function(context, window, std::nullopt);
    ASSERT_TRUE(function.isValid());
    for (RoundingType rounding : {RoundingType::Floor, RoundingType::Ceil})
      for (int64_t input = 1; input <= 9; ++input)
        if (RuleOr<ResolvedDim> dim = resolveDim(input, window, {rounding}))
          compareTiles(function, *dim, describe(window, {rounding}));
  }
  EXPECT_GE(numCompared, 100000);
}

TEST_F(SymbolicWindowTileTest, OfKnownExtents) {
  for (const WindowDim &window : getWindows())
    for (int64_t input : {1, 2, 3, 5, 8})
      if (RuleOr<ResolvedDim> dim =
              resolveDim(input, window, {RoundingType::Ceil})) {
        TileFunction function(context, window, *dim);
        ASSERT_TRUE(function.isValid());
        compareTiles(function, *dim, describe(window, {RoundingType::Ceil}));
      }
  EXPECT_GE(numCompared, 30000);
}
