// Adaptive pooling as linalg: a reduction over its windows, and an elementwise
// op that divides or turns positions into indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdaptiveWindows.h"
#include "Lowered.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// adaptive_avg_pool
//===----------------------------------------------------------------------===//

/// `count` as a value of the accumulator's type.
static Value castCount(OpBuilder &b, Location loc, OpFoldResult count,
                       Type accType) {
  if (std::optional<int64_t> constant = getConstantIntValue(count)) {
    if (!isa<FloatType>(accType))
      return createInteger(b, loc, accType, *constant);
    return arith::ConstantOp::create(b, loc,
                                     b.getFloatAttr(accType, *constant));
  }
  Value integer =
      arith::IndexCastOp::create(b, loc, b.getI64Type(), cast<Value>(count));
  if (isa<FloatType>(accType))
    return arith::SIToFPOp::create(b, loc, accType, integer);
  return convertScalarToDtype(b, loc, integer, accType,
                              /*isUnsignedCast=*/false);
}

/// The average of integers from their sum: rounded, with its zero points.
static Value divideInteger(OpBuilder &b, Location loc, AdaptiveAvgPoolOp op,
                           OpFoldResult count, Value sum) {
  Type accType = sum.getType();
  Type type = op.getInput().getType().getElementType();
  auto getConstant = [&](int64_t value) {
    return createInteger(b, loc, accType, value);
  };
  Value divisor = castCount(b, loc, count, accType);
  if (int64_t zeroPoint = op.getInputZp()) {
    Value total =
        arith::MulIOp::create(b, loc, divisor, getConstant(zeroPoint));
    sum = arith::SubIOp::create(b, loc, sum, total);
  }
  // No window is empty unless an extent is 0 that no check has refused.
  if (!getConstantIntValue(count))
    divisor = arith::MaxSIOp::create(b, loc, divisor, getConstant(1));
  Value average = roundQuotient(b, loc, sum, divisor, op.getIntegerRounding());
  if (int64_t zeroPoint = op.getOutputZp())
    average = arith::AddIOp::create(b, loc, average, getConstant(zeroPoint));
  return op.getInputZp() != 0 || op.getOutputZp() != 0
             ? saturateInteger(b, loc, average, type)
             : truncateInteger(b, loc, average, type);
}

static Value createAverages(RewriterBase &b, AdaptiveAvgPoolOp op,
                            AdaptiveWindows &windows) {
  Type type = windows.getElementType();
  bool isFloat = isa<FloatType>(type);
  Type accType = isFloat ? getFloatAccumulator(type)
                         : getIntegerAccumulator(type, windows.getMaxCount(),
                                                 /*divisor=*/1);
  auto zero = cast<TypedAttr>(b.getZeroAttr(accType));
  SmallVector<Value> sums = windows.reduce(
      zero, accType,
      [&](OpBuilder &b, Location loc, Tap tap,
          ValueRange acc) -> SmallVector<Value> {
        Value element = extendElement(
            b, loc, castFromSignless(b, loc, tap.element, type), accType);
        if (tap.isInside)
          element =
              arith::SelectOp::create(b, loc, tap.isInside, element,
                                      arith::ConstantOp::create(b, loc, zero));
        if (isFloat)
          return {arith::AddFOp::create(b, loc, acc[0], element)};
        return {arith::AddIOp::create(b, loc, acc[0], element)};
      });
  return windows.map(sums[0], type, [&](OpBuilder &b, Location loc, Value sum) {
    OpFoldResult count = windows.getCount(b, loc);
    if (!isFloat)
      return divideInteger(b, loc, op, count, sum);
    Value average =
        arith::DivFOp::create(b, loc, sum, castCount(b, loc, count, accType));
    return truncateFloat(b, loc, average, type);
  });
}

//===----------------------------------------------------------------------===//
// adaptive_max_pool
//===----------------------------------------------------------------------===//

static Value createValues(RewriterBase &b, AdaptiveMaxPoolOp op,
                          AdaptiveWindows &windows) {
  Type type = windows.getElementType();
  TypedAttr lowest = getLowest(b, type);
  return windows.reduce(lowest, type,
                        [&](OpBuilder &b, Location loc, Tap tap,
                            ValueRange acc) -> SmallVector<Value> {
                          Value element = tap.element;
                          if (tap.isInside)
                            element = arith::SelectOp::create(
                                b, loc, tap.isInside, element,
                                arith::ConstantOp::create(b, loc, lowest));
                          Value max = getMaximum(b, loc, element,
                                                 castToSignless(b, loc, acc[0]),
                                                 type, op.getNanMode());
                          return {castFromSignless(b, loc, max, type)};
                        })[0];
}

/// Values and indices. What is carried is the index from the first spatial
/// dimension on, or from the axis if that comes before: within one window it
/// has the order of its elements.
static SmallVector<Value> createValuesAndIndices(RewriterBase &b,
                                                 AdaptiveMaxPoolOp op,
                                                 AdaptiveWindows &windows) {
  Type type = windows.getElementType();
  Type i64 = b.getI64Type();
  int64_t axis = op.getNormalizedAxis();
  int64_t first = windows.getFirstSpatialDim();
  int64_t carriedAxis = std::min(axis, first);
  SmallVector<Value> results = windows.reduce(
      {getLowest(b, type), b.getI64IntegerAttr(kNoPosition)}, {type, i64},
      [&](OpBuilder &b, Location loc, Tap tap,
          ValueRange args) -> SmallVector<Value> {
        Value acc = castToSignless(b, loc, args[0]);
        Value position = arith::IndexCastOp::create(
            b, loc, i64, windows.getPosition(b, loc, tap, carriedAxis));
        Value chosen = isChosen(b, loc, tap.element, position, acc, args[1],
                                type, op.getNanMode());
        if (tap.isInside)
          chosen = arith::AndIOp::create(b, loc, chosen, tap.isInside);
        Value value = arith::SelectOp::create(b, loc, chosen, tap.element, acc);
        return {castFromSignless(b, loc, value, type),
                arith::SelectOp::create(b, loc, chosen, position, args[1])};
      });

  Type indexType = op.getIndices().getType().getElementType();
  bool allMayBeNaN = isa<FloatType>(type) && op.getNanMode() == NanMode::Ignore;
  if (!allMayBeNaN && axis <= first && indexType == i64)
    return results;
  results[1] = windows.map(
      results[1], indexType, [&](OpBuilder &b, Location loc, Value position) {
        Value index =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), position);
        if (allMayBeNaN) {
          Value none = arith::ConstantOp::create(
              b, loc, b.getI64IntegerAttr(kNoPosition));
          Value nothingChosen = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::eq, position, none);
          Value start =
              windows.flatten(b, loc, windows.getFirst(b, loc), carriedAxis);
          index = arith::SelectOp::create(b, loc, nothingChosen, start, index);
        }
        // Spatial dimensions before the axis do not count.
        if (axis > first)
          index = arith::RemUIOp::create(b, loc, index,
                                         windows.getNumPositions(b, loc, axis));
        return arith::IndexCastOp::create(b, loc, indexType, index).getResult();
      });
  return results;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static SmallVector<Value> createResults(RewriterBase &b, AdaptiveAvgPoolOp op,
                                        AdaptiveWindows &windows) {
  return {createAverages(b, op, windows)};
}

static SmallVector<Value> createResults(RewriterBase &b, AdaptiveMaxPoolOp op,
                                        AdaptiveWindows &windows) {
  if (op.getIndices())
    return createValuesAndIndices(b, op, windows);
  return {createValues(b, op, windows)};
}

namespace {
template <typename Op>
struct AdaptiveToLinalg : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getInput().getType().hasRank())
      return rewriter.notifyMatchFailure(op, "the input is unranked");
    Location loc = op.getLoc();
    AdaptiveWindows windows(rewriter, loc, op.getInput(), op.getOutputSize(),
                            op.getLayout());
    remarkLowered(op, "linalg.generic",
                  windows.isRegular()
                      ? "the extent of its window is not known"
                      : "its windows are not those of an ordinary operation");
    SmallVector<Value> results = createResults(rewriter, op, windows);
    for (auto [result, declared] :
         llvm::zip_equal(results, op->getResultTypes()))
      if (result.getType() != declared)
        result = tensor::CastOp::create(rewriter, loc, declared, result);
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void pool::populateAdaptiveToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<AdaptiveToLinalg<AdaptiveAvgPoolOp>,
               AdaptiveToLinalg<AdaptiveMaxPoolOp>>(patterns.getContext());
}
