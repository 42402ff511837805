// Raises averages over all spatial positions, also called global average
// pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalAverage.h"

#include "InferWithReason.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "pool/Dialect/Pool/IR/Casts.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// A chain of `tosa.reduce_sum` ops, possibly empty, each with one use. `input`
/// is the input of the first one.
struct Sums {
  Value input;
  /// True for each dimension that is summed over.
  SmallVector<bool> isSummed;
};
} // namespace

static std::optional<Sums> matchSums(Value value, Block *block) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return std::nullopt;
  Sums sums{value, SmallVector<bool>(type.getRank(), false)};
  while (auto reduce = sums.input.getDefiningOp<tosa::ReduceSumOp>()) {
    // Also stop at another block: raising would move a sum from outside a loop
    // into the loop.
    if (!isa<RankedTensorType>(reduce.getInput().getType()) ||
        !sums.input.hasOneUse() || reduce->getBlock() != block ||
        reduce.getAxis() >= sums.isSummed.size())
      break;
    sums.isSummed[reduce.getAxis()] = true;
    sums.input = reduce.getInput();
  }
  return sums;
}

/// Returns the window that spans the summed dimensions. Returns nothing unless
/// these are all spatial dimensions of a layout, two or more, and of static
/// extents.
static std::optional<OwnedWindow> getGlobalWindow(const Sums &sums) {
  auto type = cast<RankedTensorType>(sums.input.getType());
  unsigned rank = type.getRank();
  if (rank < 4)
    return std::nullopt;
  for (Layout layout : {Layout::ChannelsFirst, Layout::ChannelsLast}) {
    OwnedWindow window =
        OwnedWindow::get(SmallVector<int64_t>(rank - 2, 1), layout);
    SmallVector<bool> isSpatial(rank, false);
    for (unsigned i = 0; i < rank - 2; ++i) {
      unsigned d = window.getAttrs().getSpatialDim(i);
      isSpatial[d] = true;
      window.kernel[i] = type.getDimSize(d);
    }
    if (isSpatial == sums.isSummed &&
        !ShapedType::isDynamicShape(window.kernel))
      return window;
  }
  return std::nullopt;
}

std::optional<APFloat> pool::getSplatFloat(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat() ||
      !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<APFloat>();
}

namespace {
/// A mean over all spatial positions of `input`: a chain of sums, and a
/// `tosa.mul` by the reciprocal of the number of positions.
struct GlobalAverage {
  /// The last sum of the chain.
  Operation *sum;
  Value input;
  OwnedWindow window;
  /// True if the reciprocal has no rounding error, so that multiplying by it
  /// equals dividing.
  bool isExact;

  AverageModes getModes() const {
    return isExact ? AverageModes()
                   : AverageModes{Divisor::Valid, /*divisorOverride=*/1};
  }
};
} // namespace

/// Returns the reciprocal of `count`, rounded to the nearest number of `type`.
static APFloat getReciprocal(int64_t count, const llvm::fltSemantics &type) {
  APFloat one(type, 1), number(type);
  number.convertFromAPInt(APInt(64, count), /*IsSigned=*/true,
                          APFloat::rmNearestTiesToEven);
  one.divide(number, APFloat::rmNearestTiesToEven);
  return one;
}

static std::optional<GlobalAverage> matchGlobalAverage(tosa::MulOp op) {
  Value sum = op.getInput1();
  std::optional<APFloat> factor = getSplatFloat(op.getInput2());
  if (!factor) {
    sum = op.getInput2();
    factor = getSplatFloat(op.getInput1());
  }
  if (!factor || op.getType() != sum.getType())
    return std::nullopt;
  std::optional<Sums> sums = matchSums(sum, op->getBlock());
  // Reject other element types: their sums may accumulate in another precision
  // than pool.avg_pool.
  if (!sums || !isa<Float32Type, Float64Type>(
                   getElementTypeOrSelf(sums->input.getType())))
    return std::nullopt;
  std::optional<OwnedWindow> window = getGlobalWindow(*sums);
  std::optional<int64_t> count =
      window ? getProduct(window->kernel) : std::nullopt;
  if (!count || *count < 1 ||
      !getReciprocal(*count, factor->getSemantics()).bitwiseIsEqual(*factor))
    return std::nullopt;
  GlobalAverage average{sum.getDefiningOp(), sums->input, *window,
                        llvm::isPowerOf2_64(*count)};
  auto inputType = cast<RankedTensorType>(sums->input.getType());
  std::string reason;
  if (inputType.getEncoding() ||
      failed(inferAvgPool(inputType, *window, average.getModes(), reason)))
    return std::nullopt;
  return average;
}

/// Replaces `op` by a pool.avg_pool. `op` is the product of `average` if that
/// is exact, else the last sum.
static void raise(const GlobalAverage &average, Operation *op,
                  PatternRewriter &rewriter) {
  AvgPoolOp pooled =
      createAvgPool(rewriter, op->getLoc(), average.input,
                    average.window.getAttrs(), average.getModes());
  replaceOpWithCasts(rewriter, op, pooled.getOutput());
}

namespace {
struct RaiseGlobalAverage : OpRewritePattern<tosa::MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::MulOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<GlobalAverage> average = matchGlobalAverage(op);
    if (!average || !average->isExact)
      return rewriter.notifyMatchFailure(op, "it is no exact average");
    remarkRaised(kTosaToPoolName, average->sum, "pool.avg_pool");
    raise(*average, op, rewriter);
    return success();
  }
};

struct RaiseGlobalSum : OpRewritePattern<tosa::ReduceSumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::ReduceSumOp op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasOneUse())
      return rewriter.notifyMatchFailure(op, "it is no part of an average");
    auto product = dyn_cast<tosa::MulOp>(*op->getUsers().begin());
    std::optional<GlobalAverage> average;
    if (product)
      average = matchGlobalAverage(product);
    if (!average || average->isExact)
      return rewriter.notifyMatchFailure(op, "it is no sum to be raised alone");
    remarkRaised(kTosaToPoolName, op, "pool.avg_pool with divisor_override 1",
                 "it is multiplied by a rounded reciprocal, which rounds "
                 "differently from a division");
    raise(*average, op, rewriter);
    return success();
  }
};
} // namespace

void pool::populateGlobalAveragePatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseGlobalAverage, RaiseGlobalSum>(patterns.getContext());
}
