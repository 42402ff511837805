// Loop nests of adaptive pooling and of its tiles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdaptiveForm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Support/SymbolicWindowRules.h"

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

AdaptiveForm::AdaptiveForm(OpBuilder &b, Location loc, Value input,
                           ArrayRef<int64_t> outputSize, Layout layout,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> sizes)
    : b(b), loc(loc), input(input),
      layout(getAdaptiveLayout(outputSize, layout)),
      inputShape(tensor::getMixedSizes(b, loc, input)), offsets(offsets),
      sizes(sizes) {
  for (auto [i, output] : llvm::enumerate(outputSize))
    dims.push_back(resolveAdaptiveDim(
        b, loc, inputShape[this->layout.getSpatialDim(i)], output));
  if (isTile())
    sliceInput();
  else
    this->sizes = getAdaptiveShape(b, loc, input, outputSize, layout);
}

void AdaptiveForm::sliceInput() {
  inputOffsets = offsets;
  SmallVector<OpFoldResult> inputSizes = sizes;
  inputEnds.resize(layout.getRank());
  AffineExpr lhs = b.getAffineSymbolExpr(0), rhs = b.getAffineSymbolExpr(1);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  };
  for (auto [i, dim] : llvm::enumerate(dims)) {
    unsigned d = layout.getSpatialDim(i);
    if (dim.output == 1) {
      inputOffsets[d] = b.getIndexAttr(0);
      inputSizes[d] = dim.input;
      continue;
    }
    OpFoldResult first = offsets[d], size = sizes[d];
    makeNonEmpty(b, loc, b.getIndexAttr(dim.output), first, size);
    OpFoldResult last = apply(lhs + rhs - 1, {first, size});
    inputOffsets[d] = getStart(b, loc, dim, first);
    inputEnds[d] = apply(
        lhs + rhs, {getStart(b, loc, dim, last), getSize(b, loc, dim, last)});
    inputSizes[d] = apply(lhs - rhs, {inputEnds[d], inputOffsets[d]});
  }
  SmallVector<OpFoldResult> ones(layout.getRank(), b.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(b, loc, input, inputOffsets,
                                              inputSizes, ones);
  result.generatedSlices.push_back(slice);
  input = slice;
}

TilingResult AdaptiveForm::finish(ValueRange values) {
  result.tiledValues = llvm::to_vector(values);
  return std::move(result);
}

Value AdaptiveForm::getOutputIndex(OpBuilder &b, Location loc, unsigned d) {
  Value index = linalg::IndexOp::create(b, loc, d);
  if (!isTile() || isConstantIntValue(offsets[d], 0))
    return index;
  AffineExpr sum = b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1);
  return affine::makeComposedAffineApply(b, loc, sum, {index, offsets[d]});
}

SmallVector<Value> AdaptiveForm::getCoordinates(OpBuilder &b, Location loc) {
  SmallVector<Value> coordinates = getFirst(b, loc);
  for (unsigned i = 0; i < dims.size(); ++i) {
    Value &coordinate = coordinates[layout.getSpatialDim(i)];
    coordinate =
        b.createOrFold<arith::AddIOp>(loc, coordinate, getTapIndex(b, loc, i));
  }
  return coordinates;
}

Tap AdaptiveForm::getTap(OpBuilder &b, Location loc) {
  Tap tap;
  tap.coordinates = getCoordinates(b, loc);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim.isRegular)
      continue;
    Value size = getValueOrCreateConstantIndexOp(
        b, loc,
        getSize(b, loc, dim, getOutputIndex(b, loc, layout.getSpatialDim(i))));
    Value holds = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        getTapIndex(b, loc, i), size);
    tap.isInside = tap.isInside
                       ? arith::AndIOp::create(b, loc, tap.isInside, holds)
                       : holds;
    // The loop over taps is as long as the largest window. Clamp the
    // coordinate, so that a tap past the end of a shorter window does not read
    // past the input.
    unsigned d = layout.getSpatialDim(i);
    AffineExpr end = b.getAffineSymbolExpr(0);
    Value last = getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(
            b, loc, end - 1, isTile() ? inputEnds[d] : dim.input));
    tap.coordinates[d] =
        arith::MinUIOp::create(b, loc, tap.coordinates[d], last);
  }
  // In a tile, `input` is a slice, so count coordinates from the slice's begin.
  SmallVector<Value> local = tap.coordinates;
  AffineExpr difference = b.getAffineSymbolExpr(0) - b.getAffineSymbolExpr(1);
  for (auto [d, offset] : llvm::enumerate(inputOffsets))
    if (!isConstantIntValue(offset, 0))
      local[d] = affine::makeComposedAffineApply(b, loc, difference,
                                                 {local[d], offset});
  Value element = tensor::ExtractOp::create(b, loc, input, local);
  tap.element = castToSignless(b, loc, element);
  return tap;
}

AffineMap AdaptiveForm::getInputMap() {
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

SmallVector<Value> AdaptiveForm::reduce(ArrayRef<TypedAttr> inits,
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
  // Add an operand that only gives the tap loops their bounds. The body does
  // not read its elements. If each window is the whole input, this operand is
  // not needed, because the input's own map bounds the loops.
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
    Value empty = tensor::EmptyOp::create(b, loc, sizes, type);
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
  result.tiledOps.push_back(generic);
  return generic.getResults();
}

Value AdaptiveForm::map(Value input, Type elementType, MapFn body) {
  linalg::GenericOp generic =
      createElementwise(b, loc, input, sizes, elementType, body);
  result.tiledOps.push_back(generic);
  return generic.getResult(0);
}

OpFoldResult AdaptiveForm::getCount(OpBuilder &b, Location loc) {
  OpFoldResult count = b.getIndexAttr(1);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult size =
        dim.isRegular
            ? dim.maxSize
            : getSize(b, loc, dim,
                      getOutputIndex(b, loc, layout.getSpatialDim(i)));
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

SmallVector<Value> AdaptiveForm::getFirst(OpBuilder &b, Location loc) {
  SmallVector<Value> coordinates;
  for (unsigned d = 0; d < layout.getRank(); ++d)
    coordinates.push_back(getOutputIndex(b, loc, d));
  for (auto [i, dim] : llvm::enumerate(dims))
    coordinates[layout.getSpatialDim(i)] = getValueOrCreateConstantIndexOp(
        b, loc,
        getStart(b, loc, dim, getOutputIndex(b, loc, layout.getSpatialDim(i))));
  return coordinates;
}

Value AdaptiveForm::flatten(OpBuilder &b, Location loc, ValueRange coordinates,
                            int64_t axis) {
  Value position = coordinates[axis];
  for (size_t d = axis + 1; d < coordinates.size(); ++d) {
    Value extent = getValueOrCreateConstantIndexOp(b, loc, inputShape[d]);
    position = b.createOrFold<arith::MulIOp>(loc, position, extent);
    position = b.createOrFold<arith::AddIOp>(loc, position, coordinates[d]);
  }
  return position;
}

Value AdaptiveForm::getNumPositions(OpBuilder &b, Location loc, int64_t axis) {
  Value product = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult extent : llvm::drop_begin(inputShape, axis))
    product = b.createOrFold<arith::MulIOp>(
        loc, product, getValueOrCreateConstantIndexOp(b, loc, extent));
  return product;
}

int64_t AdaptiveForm::getMaxCount() {
  SmallVector<int64_t> sizes;
  for (const SymbolicAdaptiveDim &dim : dims)
    sizes.push_back(getConstantIntValue(dim.maxSize).value_or(kAddressable));
  return std::min(getProduct(sizes).value_or(kAddressable), kAddressable);
}
