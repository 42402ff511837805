// Implements TilingInterface for the window operations, adaptive pooling and
// window_reduce. A tile reads a slice of the input, including its halo, and has
// pads of its own. So it computes exactly its part of the whole result.
//
// Tiles are ranges of the output; reductions are not tiled. A window operation
// is not fused into the loops of its producer, because windows overlap: tiles
// of the input do not correspond to tiles of the output.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Models.h"
#include "WholeDim.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Transforms/AdaptiveForm.h"
#include "pool/Dialect/Pool/Transforms/WindowForm.h"
#include "pool/Dialect/Pool/Transforms/WindowLoops.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<Range> pool::getDomainOf(OpBuilder &b,
                                     ArrayRef<OpFoldResult> extents) {
  return llvm::map_to_vector(extents, [&](OpFoldResult extent) {
    return Range{b.getIndexAttr(0), extent, b.getIndexAttr(1)};
  });
}

//===----------------------------------------------------------------------===//
// Operations with value semantics
//===----------------------------------------------------------------------===//

static SmallVector<Range> getDomain(OpBuilder &b, WindowOpInterface op) {
  // Without a rank there are no loops, and createTile fails.
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(b, loc, op.getInput());
  return getDomainOf(
      b, getOutputShape(shape, resolveDims(b, loc, shape, window), window));
}

/// Creates a tile of `op` as a pool.window_reduce and elementwise linalg ops.
/// Fails with a diagnostic for an unranked input.
static FailureOr<TilingResult> createTile(OpBuilder &b, WindowOpInterface op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return op.emitOpError("cannot be tiled: the input is unranked");
  // A slice along the quantized dimension would still have the type of the
  // whole, with the scales of all elements.
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(
      getElementTypeOrSelf(op.getInput()));
  if (perAxis) {
    unsigned d = perAxis.getQuantizedDimension();
    if (!isWholeDim(sizes[d], op.getInput(), d))
      return op.emitOpError("cannot be tiled in dimension ")
             << d << ": each of its elements has a scale of its own";
  }
  return WindowForm(b, op, offsets, sizes).create();
}

/// Creates a tile of `op` as linalg ops. Fails with a diagnostic for an
/// unranked input.
static FailureOr<TilingResult> createTile(OpBuilder &b, AdaptiveOpInterface op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return op.emitOpError("cannot be tiled: the input is unranked");
  return AdaptiveForm(b, op, offsets, sizes).create();
}

static SmallVector<Range> getDomain(OpBuilder &b, AdaptiveOpInterface op) {
  // Without a rank there are no loops, and createTile fails.
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  return getDomainOf(b, getAdaptiveShape(b, op.getLoc(), op.getInput(),
                                         op.getOutputSize(), op.getLayout()));
}

namespace {
template <typename OpT>
struct PoolingTiling : TilingModel<PoolingTiling<OpT>, OpT> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    if (auto window = dyn_cast<WindowOpInterface>(op))
      return getParallelLoops(window.getWindow().getRank());
    auto outputSize = cast<AdaptiveOpInterface>(op).getOutputSize();
    return getParallelLoops(outputSize.size() + 2);
  }
  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    return getDomain(b, cast<OpT>(op));
  }
  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    return createTile(b, cast<OpT>(op), offsets, sizes);
  }
};
} // namespace

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

static FailureOr<TilingResult> createTile(OpBuilder &b, WindowReduceOp op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> inputShape = ::getMixedSizes(b, loc, op.getInput());
  SmallVector<OpFoldResult> outputShape =
      ::getMixedSizes(b, loc, op.getOuts()[0]);
  SmallVector<OpFoldResult> padsBegin = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = op.getMixedPadsEnd();
  SmallVector<OpFoldResult> positions = op.getMixedPositions();

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
      createSlice(b, loc, op.getInput(), inputOffsets, inputSizes));
  for (Value out : op.getOuts())
    result.generatedSlices.push_back(createSlice(b, loc, out, offsets, sizes));
  SmallVector<Value> outs = llvm::map_to_vector(
      llvm::drop_begin(result.generatedSlices),
      [](Operation *slice) -> Value { return slice->getResult(0); });
  auto tiled = op.createOn(b, loc, result.generatedSlices[0]->getResult(0),
                           outs, padsBegin, padsEnd, positions);
  // Drop the plan: it was made for the extents of the untiled operation.
  tiled->removeAttr(PlanAttr::getName());
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled.getResults());
  return result;
}

namespace {
struct WindowReduceTiling : TilingModel<WindowReduceTiling, WindowReduceOp> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return getParallelLoops(cast<WindowReduceOp>(op).getWindow().getRank());
  }
  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    auto reduce = cast<WindowReduceOp>(op);
    return getDomainOf(b,
                       ::getMixedSizes(b, op->getLoc(), reduce.getOuts()[0]));
  }
  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    return createTile(b, cast<WindowReduceOp>(op), offsets, sizes);
  }
  LogicalResult generateScalarImplementation(Operation *op, OpBuilder &b,
                                             Location loc,
                                             ValueRange output) const {
    return createWindow(b, loc, cast<WindowReduceOp>(op), output);
  }
};
} // namespace

void pool::attachWindowTiling(MLIRContext *context) {
  attachToPoolings<PoolingTiling>(context);
  WindowReduceOp::attachInterface<WindowReduceTiling>(*context);
}
