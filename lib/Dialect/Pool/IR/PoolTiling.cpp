// TilingInterface of the window operations. A tile reads a slice of the input,
// including its halo, and has pads of its own. The tile is built in window
// form, so that it computes exactly its part of the whole result.
//
// Loops run over the output. Reductions are not tiled. A window operation is
// not fused into the loops of its producer: windows overlap, so tiles of the
// input are not tiles of the output.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/WindowForm.h"

#include "WholeDim.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "pool/Support/SymbolicWindowRules.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<Range> pool::detail::getDomainOf(OpBuilder &b,
                                             ArrayRef<OpFoldResult> extents) {
  return llvm::map_to_vector(extents, [&](OpFoldResult extent) {
    return Range{b.getIndexAttr(0), extent, b.getIndexAttr(1)};
  });
}

//===----------------------------------------------------------------------===//
// Operations with value semantics
//===----------------------------------------------------------------------===//

SmallVector<Range> pool::detail::getOutputDomain(OpBuilder &b,
                                                 WindowOpInterface op) {
  // Without a rank there are no loops, and createTile fails.
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(b, loc, op.getInput());
  return detail::getDomainOf(
      b, getOutputShape(shape, resolveDims(b, loc, shape, window), window));
}

FailureOr<TilingResult> pool::detail::createTile(
    OpBuilder &b, WindowOpInterface op, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, std::optional<unsigned> resultNumber) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return op.emitOpError("cannot be tiled: the input is unranked");
  // A slice of the tensor would keep the scales of the whole.
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(
      getElementTypeOrSelf(op.getInput()));
  if (perAxis) {
    unsigned d = perAxis.getQuantizedDimension();
    if (!pool::detail::isWholeDim(sizes[d], op.getInput(), d))
      return op.emitOpError("cannot be tiled in dimension ")
             << d << ": each of its elements has a scale of its own";
  }
  TilingResult tile = WindowForm(b, op, offsets, sizes).create();
  if (resultNumber)
    tile.tiledValues = {tile.tiledValues[*resultNumber]};
  return tile;
}

//===----------------------------------------------------------------------===//
// WindowReduceOp
//===----------------------------------------------------------------------===//

static SmallVector<OpFoldResult> getMixedSizes(OpBuilder &b, Location loc,
                                               Value value) {
  if (isa<MemRefType>(value.getType()))
    return memref::getMixedSizes(b, loc, value);
  return tensor::getMixedSizes(b, loc, value);
}

static Operation *createSlice(OpBuilder &b, Location loc, Value value,
                              ArrayRef<OpFoldResult> offsets,
                              ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> ones(offsets.size(), b.getIndexAttr(1));
  if (isa<MemRefType>(value.getType()))
    return memref::SubViewOp::create(b, loc, value, offsets, sizes, ones);
  return tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, ones);
}

SmallVector<Range> WindowReduceOp::getIterationDomain(OpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(*this);
  return detail::getDomainOf(b, ::getMixedSizes(b, getLoc(), getOuts()[0]));
}

SmallVector<utils::IteratorType> WindowReduceOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(getWindow().getRank(),
                                          utils::IteratorType::parallel);
}

FailureOr<TilingResult>
WindowReduceOp::getTiledImplementation(OpBuilder &b,
                                       ArrayRef<OpFoldResult> offsets,
                                       ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  WindowAttrs window = getWindow();
  SmallVector<OpFoldResult> inputShape = ::getMixedSizes(b, loc, getInput());
  SmallVector<OpFoldResult> outputShape = ::getMixedSizes(b, loc, getOuts()[0]);
  SmallVector<OpFoldResult> padsBegin = getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = getMixedPadsEnd();
  SmallVector<OpFoldResult> positions = getMixedPositions();

  SmallVector<OpFoldResult> inputOffsets(offsets), inputSizes(sizes);
  AffineBuilder a(b, loc);
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowTile tile =
        getWindowTile(b, loc, window.getDim(i), inputShape[d], outputShape[d],
                      padsBegin[i], padsEnd[i], offsets[d], sizes[d]);
    inputOffsets[d] = tile.inputOffset;
    inputSizes[d] = tile.inputSize;
    padsBegin[i] = tile.padBegin;
    padsEnd[i] = tile.padEnd;
    if (!positions.empty())
      positions[0] =
          a.apply(a.symbol(0) + a.symbol(1) * a.symbol(2),
                  {positions[0], positions[i + 1], tile.inputOffset});
  }

  TilingResult result;
  result.generatedSlices.push_back(
      createSlice(b, loc, getInput(), inputOffsets, inputSizes));
  for (Value out : getOuts())
    result.generatedSlices.push_back(createSlice(b, loc, out, offsets, sizes));
  SmallVector<Value> outs = llvm::map_to_vector(
      llvm::drop_begin(result.generatedSlices),
      [](Operation *slice) -> Value { return slice->getResult(0); });
  auto tiled = createOn(b, loc, result.generatedSlices[0]->getResult(0), outs,
                        padsBegin, padsEnd, positions);
  // Drop the plan: it was made for the extents of the untiled operation.
  tiled->removeAttr(PlanAttr::getName());
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled.getResults());
  return result;
}

FailureOr<TilingResult>
WindowReduceOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) {
  FailureOr<TilingResult> tile = getTiledImplementation(b, offsets, sizes);
  if (succeeded(tile))
    tile->tiledValues = {tile->tiledValues[resultNumber]};
  return tile;
}
