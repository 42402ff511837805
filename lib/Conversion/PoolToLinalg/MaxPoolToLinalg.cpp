// max_pool as linalg: values alone are one reduction; with indices, a reduction
// of (value, position in the plane), and an elementwise op that turns positions
// into indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"

using namespace mlir;
using namespace mlir::pool;

/// A position that no element has: "nothing chosen yet". Positions compare as
/// unsigned, so that it comes after all others.
static constexpr int64_t kNoPosition = -1;

/// The identity of the maximum: -inf, or the smallest value of an integer.
static TypedAttr getLowest(OpBuilder &b, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return b.getFloatAttr(
        type, APFloat::getInf(floatType.getFloatSemantics(), /*Negative=*/true));
  unsigned width = type.getIntOrFloatBitWidth();
  return b.getIntegerAttr(getSignless(type), type.isUnsignedInteger()
                                                 ? APInt::getMinValue(width)
                                                 : APInt::getSignedMinValue(width));
}

static Value isGreater(OpBuilder &b, Location loc, Value lhs, Value rhs,
                       Type elementType) {
  if (isa<FloatType>(elementType))
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, lhs, rhs);
  return arith::CmpIOp::create(b, loc,
                               elementType.isUnsignedInteger()
                                   ? arith::CmpIPredicate::ugt
                                   : arith::CmpIPredicate::sgt,
                               lhs, rhs);
}

static Value isEqual(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, lhs, rhs);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lhs, rhs);
}

static Value isNaN(OpBuilder &b, Location loc, Value value) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
}

/// The larger of accumulator and element. A comparison is false for NaN, which
/// is what `ignore` asks for: the accumulator begins as -inf and stays a number.
static Value getMaximum(OpBuilder &b, Location loc, Value element, Value acc,
                        Type elementType, NanMode nanMode) {
  if (isa<FloatType>(elementType)) {
    if (nanMode == NanMode::Propagate)
      return arith::MaximumFOp::create(b, loc, acc, element);
    Value greater = isGreater(b, loc, element, acc, elementType);
    return arith::SelectOp::create(b, loc, greater, element, acc);
  }
  if (elementType.isUnsignedInteger())
    return arith::MaxUIOp::create(b, loc, acc, element);
  return arith::MaxSIOp::create(b, loc, acc, element);
}

static Value createValues(OpBuilder &b, MaxPoolOp op, WindowLowering &lowering) {
  Type type = lowering.getElementType();
  TypedAttr lowest = getLowest(b, type);
  TypedAttr padding = op.getPadValue() == PadValue::Zero
                          ? cast<TypedAttr>(b.getZeroAttr(getSignless(type)))
                          : lowest;
  Value padded = lowering.getPaddedInput(padding);
  Value init = lowering.createFilled(lowest, type);

  // The named ops propagate NaN.
  if (!isa<FloatType>(type) || op.getNanMode() == NanMode::Propagate)
    if (std::optional<Value> named = lowering.reduceNamed(
            WindowLowering::NamedReduction::Max, padded, init))
      return *named;
  return lowering
      .reduce(padded, init,
              [&](OpBuilder &b, Location loc,
                  ValueRange args) -> SmallVector<Value> {
                Value element = castToSignless(b, loc, args[0]);
                Value acc = castToSignless(b, loc, args[1]);
                Value max =
                    getMaximum(b, loc, element, acc, type, op.getNanMode());
                return {castFromSignless(b, loc, max, type)};
              })
      .front();
}

namespace {
/// Builds the two results of a max_pool with indices.
class IndexLowering {
public:
  IndexLowering(MaxPoolOp op, WindowLowering &lowering)
      : op(op), lowering(lowering), window(lowering.window),
        type(lowering.getElementType()) {}

  SmallVector<Value> create(OpBuilder &b);

private:
  /// Body of the reduction: (element, value, position) to (value, position).
  SmallVector<Value> choose(OpBuilder &b, Location loc, ValueRange args);
  /// Body of the elementwise op: a position to an index.
  Value getIndex(OpBuilder &b, Location loc, Value position);

  /// Row-major position in the plane of one coordinate for each dimension.
  Value flatten(OpBuilder &b, Location loc, ValueRange coordinates);
  /// Index over `dims[axis:]` of a position in the current plane.
  Value addAxis(OpBuilder &b, Location loc, Value position);

  Value getExtent(OpBuilder &b, Location loc, unsigned d) {
    return getValueOrCreateConstantIndexOp(b, loc, lowering.inputShape[d]);
  }
  Value getConstant(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value multiply(OpBuilder &b, Location loc, Value lhs, Value rhs) {
    return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  }
  Value add(OpBuilder &b, Location loc, Value lhs, Value rhs) {
    return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  }
  /// Coordinate of a window position in spatial dimension `i`.
  Value getCoordinate(OpBuilder &b, Location loc, unsigned i,
                      OpFoldResult tap) {
    Value o = linalg::IndexOp::create(b, loc, window.getSpatialDim(i));
    return getValueOrCreateConstantIndexOp(
        b, loc, getPosition(b, loc, lowering.dims[i], o, tap));
  }

  MaxPoolOp op;
  WindowLowering &lowering;
  const WindowAttrs &window;
  Type type;
};
} // namespace

Value IndexLowering::flatten(OpBuilder &b, Location loc,
                             ValueRange coordinates) {
  Value position = coordinates.front();
  for (unsigned i = 1; i < coordinates.size(); ++i) {
    Value extent = getExtent(b, loc, window.getSpatialDim(i));
    position = add(b, loc, multiply(b, loc, position, extent), coordinates[i]);
  }
  return position;
}

SmallVector<Value> IndexLowering::choose(OpBuilder &b, Location loc,
                                         ValueRange args) {
  Value element = castToSignless(b, loc, args[0]);
  Value acc = castToSignless(b, loc, args[1]);
  Value accPosition = args[2];

  SmallVector<Value> coordinates;
  Value inside;
  for (auto [i, dim] : llvm::enumerate(lowering.dims)) {
    Value tap = linalg::IndexOp::create(b, loc, lowering.getTapDim(i));
    Value coordinate = getCoordinate(b, loc, i, tap);
    coordinates.push_back(coordinate);
    if (!mayCoverPadding(dim))
      continue;
    // As unsigned, what lies before the input is beyond it.
    Value extent = getExtent(b, loc, window.getSpatialDim(i));
    Value in = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                     coordinate, extent);
    inside = inside ? arith::AndIOp::create(b, loc, inside, in) : in;
  }
  Value position = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                              flatten(b, loc, coordinates));

  // Among equals the earlier position wins, in whatever order they come.
  Value earlier = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        position, accPosition);
  Value equal = isEqual(b, loc, element, acc);
  Value chosen = arith::OrIOp::create(
      b, loc, isGreater(b, loc, element, acc, type),
      arith::AndIOp::create(b, loc, equal, earlier));
  if (isa<FloatType>(type) && op.getNanMode() == NanMode::Propagate) {
    // NaN beats every number, and a later NaN.
    Value accIsNumber = arith::CmpFOp::create(
        b, loc, arith::CmpFPredicate::ORD, acc, acc);
    Value first = arith::OrIOp::create(b, loc, accIsNumber, earlier);
    Value nan =
        arith::AndIOp::create(b, loc, isNaN(b, loc, element), first);
    chosen = arith::OrIOp::create(b, loc, chosen, nan);
  }
  if (inside)
    chosen = arith::AndIOp::create(b, loc, chosen, inside);

  Value value = arith::SelectOp::create(b, loc, chosen, element, acc);
  return {castFromSignless(b, loc, value, type),
          arith::SelectOp::create(b, loc, chosen, position, accPosition)};
}

Value IndexLowering::addAxis(OpBuilder &b, Location loc, Value position) {
  unsigned n = window.getNumSpatialDims();
  unsigned axis = op.getNormalizedAxis();
  unsigned channelDim = window.getChannelDim();
  auto getLoop = [&](unsigned d) -> Value {
    return linalg::IndexOp::create(b, loc, d);
  };

  // Spatial dimensions before the axis do not count.
  if (axis > window.getSpatialDim(0)) {
    Value block = getConstant(b, loc, 1);
    for (unsigned i = 0; i < n; ++i)
      if (window.getSpatialDim(i) >= axis)
        block =
            multiply(b, loc, block, getExtent(b, loc, window.getSpatialDim(i)));
    position = arith::RemUIOp::create(b, loc, position, block);
  }
  if (window.layout == Layout::ChannelsFirst) {
    if (axis > channelDim)
      return position;
    Value plane = getLoop(channelDim);
    if (axis == 0)
      plane = add(b, loc,
                  multiply(b, loc, getLoop(0), getExtent(b, loc, channelDim)),
                  plane);
    for (unsigned i = 0; i < n; ++i)
      plane =
          multiply(b, loc, plane, getExtent(b, loc, window.getSpatialDim(i)));
    return add(b, loc, plane, position);
  }
  if (axis == 0) {
    Value image = getLoop(0);
    for (unsigned i = 0; i < n; ++i)
      image =
          multiply(b, loc, image, getExtent(b, loc, window.getSpatialDim(i)));
    position = add(b, loc, image, position);
  }
  return add(b, loc,
             multiply(b, loc, position, getExtent(b, loc, channelDim)),
             getLoop(channelDim));
}

Value IndexLowering::getIndex(OpBuilder &b, Location loc, Value position) {
  Type indexType = op.getIndices().getType().getElementType();
  auto castToResult = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, indexType, index);
  };
  Value chosen =
      arith::IndexCastOp::create(b, loc, b.getIndexType(), position);

  bool allMayBeNaN =
      isa<FloatType>(type) && op.getNanMode() == NanMode::Ignore;
  bool mayBePadding = llvm::any_of(lowering.dims, mayBeEmpty);
  if (!allMayBeNaN && !mayBePadding)
    return castToResult(addAxis(b, loc, chosen));

  // Where nothing was chosen: the window's first element inside the input.
  SmallVector<Value> coordinates;
  Value isPadding;
  for (auto [i, dim] : llvm::enumerate(lowering.dims)) {
    Value o = linalg::IndexOp::create(b, loc, window.getSpatialDim(i));
    OpFoldResult tap = getFirstValidTap(b, loc, dim, o);
    coordinates.push_back(getCoordinate(b, loc, i, tap));
    if (!mayBeEmpty(dim))
      continue;
    Value count = getValueOrCreateConstantIndexOp(
        b, loc, getCount(b, loc, dim, Divisor::Valid, o));
    Value empty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count,
                                        getConstant(b, loc, 0));
    isPadding =
        isPadding ? arith::OrIOp::create(b, loc, isPadding, empty) : empty;
  }
  Value none =
      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(kNoPosition));
  Value nothingChosen = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq, position, none);
  chosen = arith::SelectOp::create(b, loc, nothingChosen,
                                   flatten(b, loc, coordinates), chosen);
  Value index = addAxis(b, loc, chosen);
  if (isPadding)
    index = arith::SelectOp::create(b, loc, isPadding, getConstant(b, loc, 0),
                                    index);
  return castToResult(index);
}

SmallVector<Value> IndexLowering::create(OpBuilder &b) {
  TypedAttr lowest = getLowest(b, type);
  Value padded = lowering.getPaddedInput(lowest);
  Value values = lowering.createFilled(lowest, type);
  Value positions =
      lowering.createFilled(b.getI64IntegerAttr(kNoPosition), b.getI64Type());
  SmallVector<Value> results = lowering.reduce(
      padded, {values, positions},
      [&](OpBuilder &b, Location loc, ValueRange args) {
        return choose(b, loc, args);
      });
  Value indices = lowering.map(
      results[1], op.getIndices().getType().getElementType(),
      [&](OpBuilder &b, Location loc, ValueRange args) -> SmallVector<Value> {
        return {getIndex(b, loc, args[0])};
      });
  return {results[0], indices};
}

namespace {
struct MaxPoolToLinalg : OpRewritePattern<MaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getInput().getType().hasRank())
      return rewriter.notifyMatchFailure(op, "the input is unranked");
    WindowLowering lowering(rewriter, op);
    if (op.getIndices())
      lowering.replaceWith(IndexLowering(op, lowering).create(rewriter));
    else
      lowering.replaceWith(createValues(rewriter, op, lowering));
    return success();
  }
};
} // namespace

void pool::populateMaxPoolToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<MaxPoolToLinalg>(patterns.getContext());
}
