// Adaptive pooling as linalg: one reduction over the outputs and the positions
// of the largest window, and an elementwise op that divides or turns positions
// into indices. Windows of one size are read by an indexing map; else the body
// reads the input where a window has a position.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowered.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "pool/Support/AdaptiveRules.h"

using namespace mlir;
using namespace mlir::pool;

/// No tensor has more elements.
static constexpr int64_t kAddressable = int64_t(1) << 57;

namespace {
/// One element of a window, within the body of a reduction.
struct Tap {
  /// Of the signless type.
  Value element;
  /// Where the body read it in the input; empty if an indexing map did.
  SmallVector<Value> coordinates;
  /// False past the window's end, where `element` is some other element; null
  /// if there is no such tap.
  Value isInside;
};

/// The windows of one operation over its input.
class AdaptiveWindows {
public:
  AdaptiveWindows(RewriterBase &b, Location loc, Value input,
                  ArrayRef<int64_t> outputSize, Layout layout);

  using ReduceFn = function_ref<SmallVector<Value>(OpBuilder &, Location, Tap,
                                                   ValueRange accumulators)>;
  /// Reduces the windows, from `inits`, one scalar for each accumulator of
  /// `types`.
  SmallVector<Value> reduce(ArrayRef<TypedAttr> inits, TypeRange types,
                            ReduceFn body);

  using MapFn = function_ref<Value(OpBuilder &, Location, Value)>;
  /// An elementwise op over the outputs.
  Value map(Value input, Type elementType, MapFn body);

  /// Within a body: the number of positions of the current window, and the
  /// coordinates of its first.
  OpFoldResult getCount(OpBuilder &b, Location loc);
  SmallVector<Value> getFirst(OpBuilder &b, Location loc);

  /// Position of an element, flattened over the dimensions from `axis` on.
  Value flatten(OpBuilder &b, Location loc, ValueRange coordinates,
                int64_t axis);
  Value getPosition(OpBuilder &b, Location loc, const Tap &tap, int64_t axis) {
    return flatten(b, loc,
                   tap.coordinates.empty() ? getCoordinates(b, loc)
                                           : tap.coordinates,
                   axis);
  }
  /// Number of such positions.
  Value getNumPositions(OpBuilder &b, Location loc, int64_t axis);

  /// An upper bound of the positions of a window.
  int64_t getMaxCount();

  Type getElementType() { return getElementTypeOrSelf(input.getType()); }
  unsigned getFirstSpatialDim() { return layout.getSpatialDim(0); }

private:
  /// Within a body: the current element, read where it is.
  Tap getTap(OpBuilder &b, Location loc);
  /// Where it would be if every window had the size of the largest.
  SmallVector<Value> getCoordinates(OpBuilder &b, Location loc);
  /// The same as a map over the loops, for regular windows.
  AffineMap getInputMap();

  Value getOutputIndex(OpBuilder &b, Location loc, unsigned i) {
    return linalg::IndexOp::create(b, loc, layout.getSpatialDim(i));
  }
  Value getTapIndex(OpBuilder &b, Location loc, unsigned i) {
    return linalg::IndexOp::create(b, loc, layout.getRank() + i);
  }
  bool isRegular() {
    return llvm::all_of(
        dims, [](const SymbolicAdaptiveDim &dim) { return dim.isRegular; });
  }

  RewriterBase &b;
  Location loc;
  Value input;
  WindowAttrs layout;
  SmallVector<OpFoldResult> inputShape, outputShape;
  SmallVector<SymbolicAdaptiveDim> dims;
};
} // namespace

AdaptiveWindows::AdaptiveWindows(RewriterBase &b, Location loc, Value input,
                                 ArrayRef<int64_t> outputSize, Layout layout)
    : b(b), loc(loc), input(input),
      layout(getAdaptiveLayout(outputSize, layout)),
      inputShape(tensor::getMixedSizes(b, loc, input)),
      outputShape(inputShape) {
  for (auto [i, output] : llvm::enumerate(outputSize)) {
    unsigned d = this->layout.getSpatialDim(i);
    dims.push_back(resolveAdaptiveDim(b, loc, inputShape[d], output));
    outputShape[d] = b.getIndexAttr(output);
  }
}

SmallVector<Value> AdaptiveWindows::getCoordinates(OpBuilder &b, Location loc) {
  SmallVector<Value> coordinates = getFirst(b, loc);
  for (unsigned i = 0; i < dims.size(); ++i) {
    Value &coordinate = coordinates[layout.getSpatialDim(i)];
    coordinate =
        b.createOrFold<arith::AddIOp>(loc, coordinate, getTapIndex(b, loc, i));
  }
  return coordinates;
}

Tap AdaptiveWindows::getTap(OpBuilder &b, Location loc) {
  Tap tap;
  tap.coordinates = getCoordinates(b, loc);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim.isRegular)
      continue;
    Value size = getValueOrCreateConstantIndexOp(
        b, loc, getSize(b, loc, dim, getOutputIndex(b, loc, i)));
    Value holds = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        getTapIndex(b, loc, i), size);
    tap.isInside = tap.isInside
                       ? arith::AndIOp::create(b, loc, tap.isInside, holds)
                       : holds;
    // A window ends with the input at the latest; a tap past its end must not
    // read past the input's.
    AffineExpr extent = b.getAffineSymbolExpr(0);
    Value last = getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, extent - 1, dim.input));
    Value &coordinate = tap.coordinates[layout.getSpatialDim(i)];
    coordinate = arith::MinUIOp::create(b, loc, coordinate, last);
  }
  Value element = tensor::ExtractOp::create(b, loc, input, tap.coordinates);
  tap.element = castToSignless(b, loc, element);
  return tap;
}

AffineMap AdaptiveWindows::getInputMap() {
  unsigned rank = layout.getRank();
  SmallVector<AffineExpr> read;
  for (unsigned d = 0; d < rank; ++d)
    read.push_back(b.getAffineDimExpr(d));
  for (auto [i, dim] : llvm::enumerate(dims)) {
    AffineExpr &position = read[layout.getSpatialDim(i)];
    AffineExpr tap = b.getAffineDimExpr(rank + i);
    position = dim.output == 1
                   ? tap
                   : position * *getConstantIntValue(dim.maxSize) + tap;
  }
  return AffineMap::get(rank + dims.size(), 0, read, b.getContext());
}

SmallVector<Value> AdaptiveWindows::reduce(ArrayRef<TypedAttr> inits,
                                           TypeRange types, ReduceFn body) {
  unsigned rank = layout.getRank(), numTaps = dims.size();
  unsigned numLoops = rank + numTaps;
  SmallVector<AffineExpr> taps, write;
  for (unsigned d = 0; d < numLoops; ++d)
    (d < rank ? write : taps).push_back(b.getAffineDimExpr(d));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.append(numTaps, utils::IteratorType::reduction);

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  bool isRead = isRegular();
  if (isRead) {
    inputs.push_back(input);
    maps.push_back(getInputMap());
  }
  // Its shape alone matters: it gives the loops over the window their bounds,
  // which the input does where one window spans it.
  bool isGlobal = llvm::all_of(
      dims, [](const SymbolicAdaptiveDim &dim) { return dim.output == 1; });
  if (!isGlobal) {
    SmallVector<OpFoldResult> maxSizes;
    for (const SymbolicAdaptiveDim &dim : dims)
      maxSizes.push_back(dim.maxSize);
    inputs.push_back(tensor::EmptyOp::create(b, loc, maxSizes,
                                             getSignless(getElementType())));
    maps.push_back(AffineMap::get(numLoops, 0, taps, b.getContext()));
  }
  SmallVector<Value> outs;
  for (auto [init, type] : llvm::zip_equal(inits, types)) {
    Value scalar = arith::ConstantOp::create(b, loc, init);
    scalar = castFromSignless(b, loc, scalar, type);
    Value empty = tensor::EmptyOp::create(b, loc, outputShape, type);
    outs.push_back(linalg::FillOp::create(b, loc, scalar, empty).getResult(0));
  }
  maps.append(outs.size(), AffineMap::get(numLoops, 0, write, b.getContext()));
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange(outs), inputs, outs, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Tap tap;
        if (isRead)
          tap.element = castToSignless(b, loc, args[0]);
        else
          tap = getTap(b, loc);
        linalg::YieldOp::create(b, loc,
                                body(b, loc, tap, args.take_back(outs.size())));
      });
  return generic.getResults();
}

Value AdaptiveWindows::map(Value input, Type elementType, MapFn body) {
  unsigned rank = layout.getRank();
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value init = tensor::EmptyOp::create(b, loc, outputShape, elementType);
  auto generic = linalg::GenericOp::create(
      b, loc, init.getType(), input, init, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, body(b, loc, args[0]));
      });
  return generic.getResult(0);
}

OpFoldResult AdaptiveWindows::getCount(OpBuilder &b, Location loc) {
  OpFoldResult count = b.getIndexAttr(1);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult size = dim.isRegular
                            ? dim.maxSize
                            : getSize(b, loc, dim, getOutputIndex(b, loc, i));
    std::optional<int64_t> lhs = getConstantIntValue(count);
    std::optional<int64_t> rhs = getConstantIntValue(size);
    if (lhs && rhs)
      count = b.getIndexAttr(*lhs * *rhs);
    else
      count = b.createOrFold<arith::MulIOp>(
          loc, getValueOrCreateConstantIndexOp(b, loc, count),
          getValueOrCreateConstantIndexOp(b, loc, size));
  }
  return count;
}

SmallVector<Value> AdaptiveWindows::getFirst(OpBuilder &b, Location loc) {
  SmallVector<Value> coordinates;
  for (unsigned d = 0; d < layout.getRank(); ++d)
    coordinates.push_back(linalg::IndexOp::create(b, loc, d));
  for (auto [i, dim] : llvm::enumerate(dims))
    coordinates[layout.getSpatialDim(i)] = getValueOrCreateConstantIndexOp(
        b, loc, getStart(b, loc, dim, getOutputIndex(b, loc, i)));
  return coordinates;
}

Value AdaptiveWindows::flatten(OpBuilder &b, Location loc,
                               ValueRange coordinates, int64_t axis) {
  Value position = coordinates[axis];
  for (size_t d = axis + 1; d < coordinates.size(); ++d) {
    Value extent = getValueOrCreateConstantIndexOp(b, loc, inputShape[d]);
    position = b.createOrFold<arith::MulIOp>(loc, position, extent);
    position = b.createOrFold<arith::AddIOp>(loc, position, coordinates[d]);
  }
  return position;
}

Value AdaptiveWindows::getNumPositions(OpBuilder &b, Location loc,
                                       int64_t axis) {
  Value product = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult extent : llvm::drop_begin(inputShape, axis))
    product = b.createOrFold<arith::MulIOp>(
        loc, product, getValueOrCreateConstantIndexOp(b, loc, extent));
  return product;
}

int64_t AdaptiveWindows::getMaxCount() {
  SmallVector<int64_t> sizes;
  for (const SymbolicAdaptiveDim &dim : dims)
    sizes.push_back(getConstantIntValue(dim.maxSize).value_or(kAddressable));
  return std::min(getProduct(sizes).value_or(kAddressable), kAddressable);
}

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
                  "its windows are not those of an ordinary operation");
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
