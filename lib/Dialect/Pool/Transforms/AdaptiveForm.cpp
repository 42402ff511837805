// Builds the reduction of adaptive pooling, or of a tile of its output.
// AdaptiveForm.h has a drawing.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/AdaptiveForm.h"

#include "TileElement.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<OpFoldResult> pool::getAdaptiveShape(OpBuilder &b, Location loc,
                                                 Value input,
                                                 ArrayRef<int64_t> outputSize,
                                                 Layout layout) {
  WindowAttrs dims = getAdaptiveLayout(outputSize, layout);
  SmallVector<OpFoldResult> shape(dims.getRank());
  for (unsigned d : {0u, dims.getChannelDim()})
    shape[d] = tensor::getMixedSize(b, loc, input, d);
  for (auto [i, output] : llvm::enumerate(outputSize))
    shape[dims.getSpatialDim(i)] = b.getIndexAttr(output);
  return shape;
}

int64_t pool::getCarriedAxis(AdaptiveOpInterface op) {
  auto max = dyn_cast<AdaptiveMaxPoolOp>(op.getOperation());
  return max && max.getIndices()
             ? getCarriedAxis(max.getNormalizedAxis(), op.getLayout())
             : 0;
}

AdaptiveForm::AdaptiveForm(OpBuilder &b, AdaptiveOpInterface op,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> sizes)
    : b(b), op(op), loc(op.getLoc()), input(op.getInput()),
      layout(getAdaptiveLayout(op.getOutputSize(), op.getLayout())),
      elements(op.getElementReduction()), offsets(offsets), sizes(sizes) {
  extents.inputShape = tensor::getMixedSizes(b, loc, input);
  for (auto [i, output] : llvm::enumerate(op.getOutputSize()))
    extents.dims.push_back(resolveAdaptiveDim(
        b, loc, extents.inputShape[layout.getSpatialDim(i)], output));
  if (isTile())
    sliceInput();
  else
    this->sizes =
        getAdaptiveShape(b, loc, input, op.getOutputSize(), op.getLayout());
}

void AdaptiveForm::sliceInput() {
  inputOffsets = offsets;
  SmallVector<OpFoldResult> inputSizes = sizes;
  inputEnds.resize(layout.getRank());
  AffineExpr lhs = b.getAffineSymbolExpr(0), rhs = b.getAffineSymbolExpr(1);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  };
  for (auto [i, dim] : llvm::enumerate(extents.dims)) {
    unsigned d = layout.getSpatialDim(i);
    if (dim.output == 1) {
      inputOffsets[d] = b.getIndexAttr(0);
      inputSizes[d] = dim.input;
      continue;
    }
    OpFoldResult first = offsets[d], size = sizes[d];
    makeNonEmpty(b, loc, b.getIndexAttr(dim.output), first, size);
    OpFoldResult last = apply(lhs + rhs - 1, {first, size});
    inputOffsets[d] = getStart({b, loc}, dim, first);
    inputEnds[d] = apply(lhs + rhs, {getStart({b, loc}, dim, last),
                                     getSize({b, loc}, dim, last)});
    inputSizes[d] = apply(lhs - rhs, {inputEnds[d], inputOffsets[d]});
  }
  SmallVector<OpFoldResult> ones(layout.getRank(), b.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(b, loc, input, inputOffsets,
                                              inputSizes, ones);
  result.generatedSlices.push_back(slice);
  input = slice;
}

Value AdaptiveForm::createEmpty(Type elementType) {
  return tensor::EmptyOp::create(b, loc, sizes, elementType);
}

SmallVector<Value> pool::getFirstPositions(ResultBuilder &b,
                                           const WindowAttrs &layout,
                                           const AdaptiveExtents &extents) {
  SmallVector<Value> coordinates;
  for (unsigned d = 0; d < layout.getRank(); ++d)
    coordinates.push_back(b.getCoordinate(d));
  for (auto [i, dim] : llvm::enumerate(extents.dims)) {
    unsigned d = layout.getSpatialDim(i);
    coordinates[d] = b.value(getStart(b, dim, coordinates[d]));
  }
  return coordinates;
}

Value pool::flatten(ElementBuilder &b, ArrayRef<OpFoldResult> shape,
                    ValueRange coordinates, int64_t axis) {
  Value position = coordinates[axis];
  for (size_t d = axis + 1; d < coordinates.size(); ++d)
    position = b.add(b.mul(position, shape[d]), coordinates[d]);
  return position;
}

//===----------------------------------------------------------------------===//
// The reduction
//===----------------------------------------------------------------------===//

Value AdaptiveForm::getTapIndex(ResultBuilder &b, unsigned i) {
  return linalg::IndexOp::create(b, layout.getRank() + i);
}

SmallVector<Value> AdaptiveForm::getCoordinates(ResultBuilder &b) {
  SmallVector<Value> coordinates = getFirstPositions(b, layout, extents);
  for (unsigned i = 0; i < extents.dims.size(); ++i) {
    Value &coordinate = coordinates[layout.getSpatialDim(i)];
    coordinate = b.add(coordinate, getTapIndex(b, i));
  }
  return coordinates;
}

AdaptiveForm::Tap AdaptiveForm::getTap(ResultBuilder &b) {
  Tap tap;
  tap.coordinates = getCoordinates(b);
  for (auto [i, dim] : llvm::enumerate(extents.dims)) {
    if (dim.isRegular)
      continue;
    unsigned d = layout.getSpatialDim(i);
    OpFoldResult size = getSize(b, dim, b.getCoordinate(d));
    tap.isInside = b.both(tap.isInside, b.isBelow(getTapIndex(b, i), size));
    // The loop over taps is as long as the largest window. Clamp the
    // coordinate, so that a tap past the end of a shorter window does not read
    // past the input.
    OpFoldResult last =
        b.apply(b.symbol(0) - 1, isTile() ? inputEnds[d] : dim.input);
    tap.coordinates[d] = b.fold<arith::MinUIOp>(tap.coordinates[d], last);
  }
  // In a tile, `input` is a slice, so make coordinates relative to its begin.
  SmallVector<Value> local = tap.coordinates;
  for (auto [d, offset] : llvm::enumerate(inputOffsets))
    if (!isConstantIntValue(offset, 0))
      local[d] = affine::makeComposedAffineApply(
          b, loc, b.symbol(0) - b.symbol(1), {local[d], offset});
  tap.element = tensor::ExtractOp::create(b, input, local);
  return tap;
}

AffineMap AdaptiveForm::getInputMap() {
  unsigned rank = layout.getRank();
  SmallVector<AffineExpr> read;
  for (unsigned d = 0; d < rank; ++d)
    read.push_back(b.getAffineDimExpr(d));
  for (auto [i, dim] : llvm::enumerate(extents.dims)) {
    AffineExpr &position = read[layout.getSpatialDim(i)];
    AffineExpr tap = b.getAffineDimExpr(rank + i);
    position = dim.output == 1
                   ? tap
                   : position * *getConstantIntValue(dim.maxSize) + tap;
  }
  return AffineMap::get(rank + extents.dims.size(), 0, read, b.getContext());
}

SmallVector<Value> AdaptiveForm::accumulate(ResultBuilder &b, const Tap &tap,
                                            ValueRange accs) {
  Type accType = elements.accType;
  Value acc = castToSignless(b, loc, accs[0]);
  Value term = prepareElement(b, elements, tap.element);
  if (!elements.hasPositions) {
    if (tap.isInside)
      term = b.select(tap.isInside, term,
                      b.constant(getWindowIdentity(b, elements)));
    term = combineElements(b, elements, term, acc);
    return {castFromSignless(b, loc, term, accType)};
  }
  SmallVector<Value> coordinates = tap.coordinates;
  if (coordinates.empty())
    coordinates = getCoordinates(b);
  Value position =
      b.castIndex(b.getI64Type(), flatten(b, extents.inputShape, coordinates,
                                          getCarriedAxis(op)));
  Value isNext =
      isChosen(b, elements.getPreference(), term, position, acc, accs[1]);
  isNext = b.both(isNext, tap.isInside);
  return {castFromSignless(b, loc, b.select(isNext, term, acc), accType),
          b.select(isNext, position, accs[1])};
}

SmallVector<Value> AdaptiveForm::reduce() {
  ArrayRef<SymbolicAdaptiveDim> dims = extents.dims;
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
  // Add an operand whose shape gives the loops over taps their bounds. The body
  // does not read its elements. If each window is the whole input, the operand
  // is not needed, because the input's own map bounds the loops.
  bool isGlobal = llvm::all_of(
      dims, [](const SymbolicAdaptiveDim &dim) { return dim.output == 1; });
  if (!isGlobal) {
    SmallVector<OpFoldResult> maxSizes;
    for (const SymbolicAdaptiveDim &dim : dims)
      maxSizes.push_back(dim.maxSize);
    inputs.push_back(tensor::EmptyOp::create(b, loc, maxSizes,
                                             getSignless(elements.inputType)));
    maps.push_back(AffineMap::get(numLoops, 0, taps, b.getContext()));
  }
  SmallVector<Value> outs;
  auto addAccumulator = [&](TypedAttr init, Type type) {
    Value scalar = arith::ConstantOp::create(b, loc, init);
    scalar = castFromSignless(b, loc, scalar, type);
    outs.push_back(
        linalg::FillOp::create(b, loc, scalar, createEmpty(type)).getResult(0));
    maps.push_back(AffineMap::get(numLoops, 0, write, b.getContext()));
  };
  addAccumulator(getWindowIdentity(b, elements), elements.accType);
  if (elements.hasPositions)
    addAccumulator(b.getI64IntegerAttr(kNoPosition), b.getI64Type());
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange(outs), inputs, outs, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        TileElement element(b, loc, offsets);
        Tap tap;
        if (isRead)
          tap.element = args[0];
        else
          tap = getTap(element);
        linalg::YieldOp::create(
            b, loc, accumulate(element, tap, args.take_back(outs.size())));
      });
  result.tiledOps.push_back(generic);
  return generic.getResults();
}

TilingResult AdaptiveForm::create() {
  SmallVector<Value> reduced = reduce();
  for (auto [finish, value] : llvm::zip_equal(getFinishes(), reduced))
    result.tiledValues.push_back(
        applyFinish(b, loc, finish, value, offsets, sizes, result.tiledOps));
  return std::move(result);
}
