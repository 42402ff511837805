// Infers ranges of integer results.
//
// Indices are less than the number of positions. Values lie between the least
// and the greatest of the input's elements and the padding value. Averages with
// a divisor override or with different zero points may leave this range. Values
// of max_unpool may also be 0.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMethods.h"
#include "WindowFolds.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementReduction.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the range of indices, [0, n), where n is the number of positions of
/// `input` over the dimensions from `axis` on. If n is unknown, the range has
/// all nonnegative values of the type.
static IntegerValueRange getIndexRange(TensorType input, int64_t axis,
                                       Type indexElementType) {
  unsigned width = indexElementType.getIntOrFloatBitWidth();
  APInt max = APInt::getSignedMaxValue(width);
  if (input.hasRank()) {
    ArrayRef<int64_t> named = input.getShape().drop_front(axis);
    std::optional<int64_t> bound =
        ShapedType::isDynamicShape(named) ? std::nullopt : getProduct(named);
    // Only an empty batch makes `bound` 0. Then there are no indices, so any
    // range is right.
    if (bound)
      max = APInt(width, std::max<int64_t>(*bound, 1) - 1);
  }
  return ConstantIntRanges::fromSigned(APInt::getZero(width), max);
}

/// Tells whether some window may cover padding, and whether some window may
/// cover nothing but padding.
struct WindowReach {
  bool mayCoverPadding = false;
  bool mayBeEmpty = false;
};
static WindowReach getReach(TensorType input, const WindowAttrs &window) {
  WindowReach reach;
  if (touchesNoPadding(window))
    return reach;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    if (!input.hasRank() || input.isDynamicDim(d))
      return {true, true};
    ResolvedDim dim =
        *resolveDim(input.getDimSize(d), window.getDim(i), window.modes);
    reach.mayCoverPadding |= dim.padBegin > 0 || dim.getCoveredEnd() > 0;
    reach.mayBeEmpty |= getFirstEmptyWindow(dim, Divisor::Valid).has_value();
  }
  return reach;
}

/// Returns the smallest range that contains `range` and `value`.
static IntegerValueRange addValue(const ConstantIntRanges &range,
                                  const APInt &value) {
  return range.rangeUnion(ConstantIntRanges::constant(value));
}

static APInt getInteger(Type elementType, int64_t value) {
  return APInt(elementType.getIntOrFloatBitWidth(), value, /*isSigned=*/true,
               /*implicitTrunc=*/true);
}

void pool::detail::inferExtremumRanges(ExtremumOpInterface op,
                                       ArrayRef<IntegerValueRange> ranges,
                                       SetIntLatticeFn setResultRange) {
  auto input = cast<TensorType>(op.getInput().getType());
  if (Value indices = op.getIndices())
    setResultRange(indices, getIndexRange(input, op.getNormalizedAxis(),
                                          getElementTypeOrSelf(indices)));
  auto type = dyn_cast<IntegerType>(input.getElementType());
  if (!type || ranges[0].isUninitialized())
    return;
  WindowReach reach = getReach(input, op.getWindow());
  IntegerValueRange range = ranges[0];
  if (isZero(op.getModes().padValue) && reach.mayCoverPadding) {
    range = addValue(range.getValue(), APInt::getZero(type.getWidth()));
  } else if (reach.mayBeEmpty) {
    OpBuilder b(op.getContext());
    auto identity = cast<IntegerAttr>(getIdentity(b, type, op.getReduction()));
    range = addValue(range.getValue(), identity.getValue());
  }
  setResultRange(op.getValues(), range);
}

/// Without a divisor override and with equal zero points, an average lies
/// between the least and the greatest of the elements and of the padding that
/// it counts. Otherwise, the range is that of the type.
void AvgPoolOp::inferResultRangesFromOptional(
    ArrayRef<IntegerValueRange> ranges, SetIntLatticeFn setResultRange) {
  TensorType input = getInput().getType();
  if (!isa<IntegerType>(input.getElementType()) || ranges[0].isUninitialized())
    return;
  if (getDivisorOverride() || getInputZp() != getOutputZp())
    return setResultRange(getOutput(),
                          IntegerValueRange::getMaxRange(getOutput()));
  WindowReach reach = getReach(input, getWindow());
  bool averagesPadding = countsPadding(getDivisor()) && reach.mayCoverPadding;
  IntegerValueRange range = ranges[0];
  if (averagesPadding || reach.mayBeEmpty)
    range = addValue(range.getValue(),
                     getInteger(input.getElementType(), getInputZp()));
  setResultRange(getOutput(), range);
}

void AdaptiveMaxPoolOp::inferResultRangesFromOptional(
    ArrayRef<IntegerValueRange> ranges, SetIntLatticeFn setResultRange) {
  TensorType input = getInput().getType();
  if (getIndices())
    setResultRange(getIndices(),
                   getIndexRange(input, getNormalizedAxis(),
                                 getIndices().getType().getElementType()));
  if (isa<IntegerType>(input.getElementType()))
    setResultRange(getValues(), ranges[0]);
}

void AdaptiveAvgPoolOp::inferResultRangesFromOptional(
    ArrayRef<IntegerValueRange> ranges, SetIntLatticeFn setResultRange) {
  if (isa<IntegerType>(getInput().getType().getElementType()))
    setResultRange(getOutput(),
                   getInputZp() == getOutputZp()
                       ? ranges[0]
                       : IntegerValueRange::getMaxRange(getOutput()));
}

/// The result has the range of the values, extended to 0: positions that no
/// index names are 0.
void MaxUnpoolOp::inferResultRangesFromOptional(
    ArrayRef<IntegerValueRange> ranges, SetIntLatticeFn setResultRange) {
  auto type = dyn_cast<IntegerType>(getOutput().getType().getElementType());
  if (type && !ranges[0].isUninitialized())
    setResultRange(getOutput(), addValue(ranges[0].getValue(),
                                         APInt::getZero(type.getWidth())));
}
