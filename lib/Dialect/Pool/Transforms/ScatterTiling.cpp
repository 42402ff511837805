// Implements TilingInterface for max_unpool and the gradients.
//
// A tile of a gradient also gets contributions from windows that lie partly
// outside the tile. So an operation of the same kind computes a larger part of
// the gradient, and the tile is a slice of that part. Elements near the ends of
// the part may be wrong, but they lie outside the tile. GradTile in
// SymbolicWindowRules.h has a drawing.
//
// Indices are positions in the whole tensor. So if there are indices, the
// dimensions that they count, from `axis` on, cannot be tiled.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Models.h"
#include "WholeDim.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Dimensions that cannot be tiled
//===----------------------------------------------------------------------===//

static LogicalResult verifyRanked(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<UnrankedTensorType>))
    return op->emitOpError("cannot be tiled: an operand is unranked");
  if (isa<UnrankedTensorType>(op->getResult(0).getType()))
    return op->emitOpError("cannot be tiled: the result is unranked");
  return success();
}

/// Fails with a diagnostic unless a tile of `sizes` is known to cover the whole
/// of each dimension from `axis` on. Indices name positions over all of these
/// dimensions.
static LogicalResult verifyIndexedDims(Operation *op, int64_t axis,
                                       ArrayRef<OpFoldResult> sizes) {
  for (unsigned d = axis; d < sizes.size(); ++d)
    if (!isWholeDim(sizes[d], op->getResult(0), d))
      return op->emitOpError(
          formatv("cannot be tiled in dimension {0}: indices name positions "
                  "over all of the dimensions from axis {1} on",
                  d, axis));
  return success();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Returns the ranges of the slice at `offsets` with `sizes` and stride 1.
static SmallVector<Range> getRanges(OpBuilder &b,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<Range> ranges = getDomainOf(b, sizes);
  for (auto [range, offset] : llvm::zip_equal(ranges, offsets))
    range.offset = offset;
  return ranges;
}

/// Creates a slice of `operand`, and adds it to the slices of `result`.
static Value createOperandSlice(OpBuilder &b, Location loc, Value operand,
                                ArrayRef<Range> ranges, TilingResult &result) {
  auto slice = tensor::ExtractSliceOp::create(b, loc, operand, ranges);
  result.generatedSlices.push_back(slice);
  return slice;
}

/// Returns a tensor type of `shape` with elements of type `element`. Appends
/// the dynamic extents to `dynamicExtents`.
static RankedTensorType getTensorOf(ArrayRef<OpFoldResult> shape, Type element,
                                    SmallVectorImpl<Value> &dynamicExtents) {
  SmallVector<int64_t> staticShape;
  dispatchIndexOpFoldResults(shape, dynamicExtents, staticShape);
  return RankedTensorType::get(staticShape, element);
}

/// Clones `op` with other operands and another result type, but without its
/// plan. Adds the clone to the tiled operations of `result`.
static Operation *createPart(OpBuilder &b, Operation *op, Type type,
                             ValueRange operands, TilingResult &result) {
  Operation *part = op->clone();
  // Drop the plan: it was made for the extents of the untiled operation.
  part->removeAttr(PlanAttr::getName());
  part->setOperands(operands);
  part->getResult(0).setType(type);
  b.insert(part);
  result.tiledOps.push_back(part);
  return part;
}

/// Adds a tile to the tiled values of `result`: the slice `ranges` of `value`,
/// or `value` itself if `ranges` is empty. Casts the tile to a type that has
/// the static extents of `sizes`.
static void setTile(OpBuilder &b, Location loc, Value value,
                    ArrayRef<Range> ranges, ArrayRef<OpFoldResult> sizes,
                    TilingResult &result) {
  if (!ranges.empty())
    value = tensor::ExtractSliceOp::create(b, loc, value, ranges);
  auto type = RankedTensorType::get(decomposeMixedValues(sizes).first,
                                    getElementTypeOrSelf(value));
  result.tiledValues.push_back(castTo(b, loc, value, type));
}

//===----------------------------------------------------------------------===//
// MaxUnpoolOp
//===----------------------------------------------------------------------===//

static FailureOr<TilingResult> createTile(OpBuilder &b, MaxUnpoolOp op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  unsigned axis = op.getNormalizedAxis();
  if (failed(verifyRanked(op)) || failed(verifyIndexedDims(op, axis, sizes)))
    return failure();

  Location loc = op.getLoc();
  TilingResult result;
  SmallVector<Value> operands;
  SmallVector<OpFoldResult> shape = op.getMixedSizes();
  SmallVector<Range> part = getRanges(b, offsets, sizes), tile;
  // Skip dimension 0: a batch may be empty.
  for (unsigned d = 1; d < axis; ++d)
    if (makeNonEmpty(b, loc, shape[d], part[d].offset, part[d].size))
      tile = getDomainOf(b, sizes);
  for (Value source : {op.getValues(), op.getIndices()}) {
    for (unsigned d = axis; d < part.size(); ++d)
      part[d] = {b.getIndexAttr(0), tensor::getMixedSize(b, loc, source, d),
                 b.getIndexAttr(1)};
    operands.push_back(createOperandSlice(b, loc, source, part, result));
  }
  for (unsigned d = 0; d < axis; ++d)
    shape[d] = part[d].size;
  RankedTensorType type =
      getTensorOf(shape, op.getOutput().getType().getElementType(), operands);
  Operation *clone = createPart(b, op, type, operands, result);
  setTile(b, loc, clone->getResult(0), tile, sizes, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Returns the spatial dimensions, numbered from 0, in which a tile of `sizes`
/// may be smaller than the result. Omits dimensions whose windows are single
/// elements.
static SmallVector<unsigned> getCutDims(WindowAttrsOpInterface op,
                                        ArrayRef<OpFoldResult> sizes) {
  SmallVector<unsigned> cut;
  WindowAttrs window = op.getWindow();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    if (!isIdentityDim(window.getDim(i), window.modes) &&
        !isWholeDim(sizes[d], op->getResult(0), d))
      cut.push_back(i);
  }
  return cut;
}

/// Sets `padsBegin` and `padsEnd` to explicit pads that replace automatic ones,
/// because automatic pads of a part would differ from those of the whole.
/// Leaves the lists empty if the pads need not change. Fails with a diagnostic
/// if the pads are unknown.
static LogicalResult getPartPads(WindowAttrsOpInterface op,
                                 ArrayRef<unsigned> cut,
                                 SmallVectorImpl<int64_t> &padsBegin,
                                 SmallVectorImpl<int64_t> &padsEnd) {
  WindowAttrs window = op.getWindow();
  if (!window.modes.isSame() || cut.empty())
    return success();
  auto type = cast<RankedTensorType>(op.getWindowedType());
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    if (type.isDynamicDim(d))
      return op->emitOpError(
          formatv("cannot be tiled in dimension {0}: the pads of auto_pad {1} "
                  "depend on the extent of dimension {2}, which is unknown",
                  window.getSpatialDim(cut.front()),
                  stringifyAutoPad(window.modes.autoPad), d));
    // Automatic pads leave no overhang, so getExplicitPads succeeds.
    auto [begin, end] = *getExplicitPads(
        *resolveDim(type.getDimSize(d), window.getDim(i), window.modes),
        /*countsPadding=*/false);
    padsBegin.push_back(begin);
    padsEnd.push_back(end);
  }
  return success();
}

/// Creates a tile of the gradient `op`. `input` and `indices` are null if the
/// operation has no such operand. Fails with a diagnostic if automatic pads are
/// unknown.
static FailureOr<TilingResult>
createGradTile(OpBuilder &b, WindowAttrsOpInterface op,
               ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
               Value input, Value outputGrad, Value indices) {
  SmallVector<unsigned> cut = getCutDims(op, sizes);
  SmallVector<int64_t> padsBegin, padsEnd;
  if (failed(getPartPads(op, cut, padsBegin, padsEnd)))
    return failure();

  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  auto type = cast<RankedTensorType>(op.getWindowedType());
  SmallVector<OpFoldResult> shape =
      input ? tensor::getMixedSizes(b, loc, input)
            : cast<AvgPoolGradOp>(op.getOperation()).getMixedSizes();
  // `part` is the tile, clamped so that it is not empty. `tile` is the slice of
  // the new operation's result that is the tile. It stays empty if that whole
  // result is the tile.
  SmallVector<Range> part = getRanges(b, offsets, sizes), tile;
  if (!cut.empty())
    tile = getDomainOf(b, sizes);
  // Skip dimension 0: a batch may be empty.
  for (unsigned d = 1; d < sizes.size(); ++d)
    if (!isWholeDim(sizes[d], op->getResult(0), d) &&
        makeNonEmpty(b, loc, shape[d], part[d].offset, part[d].size))
      tile = getDomainOf(b, sizes);

  // `elements` is the slice of the gradient to compute, which is also the slice
  // of the pooled input. `windows` is the slice of the output's gradient.
  SmallVector<Range> elements = part, windows = part;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    if (isIdentityDim(dim, window.modes))
      continue;
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    OpFoldResult output = tensor::getMixedSize(b, loc, outputGrad, d);
    if (!llvm::is_contained(cut, i)) {
      elements[d] = {zero, shape[d], one};
      windows[d] = {zero, output, one};
      continue;
    }
    GradTile range = getGradTile(b, loc, dim, shape[d], output, part[d].offset,
                                 part[d].size);
    // Keep dynamic extents dynamic, because the verifier would check static
    // extents against the window rules.
    if (type.isDynamicDim(d))
      for (OpFoldResult *size : {&range.inputSize, &range.numWindows})
        *size = getValueOrCreateConstantIndexOp(b, loc, *size);
    elements[d] = {range.inputOffset, range.inputSize, one};
    windows[d] = {range.firstWindow, range.numWindows, one};
  }

  TilingResult result;
  SmallVector<Value> operands;
  if (input)
    operands.push_back(createOperandSlice(b, loc, input, elements, result));
  operands.push_back(createOperandSlice(b, loc, outputGrad, windows, result));
  if (indices)
    operands.push_back(createOperandSlice(b, loc, indices, windows, result));
  Type partType =
      input ? operands.front().getType()
            : getTensorOf(std::get<1>(getOffsetsSizesAndStrides(elements)),
                          type.getElementType(), operands);
  auto clone = cast<WindowAttrsOpInterface>(
      createPart(b, op, partType, operands, result));
  if (!padsBegin.empty()) {
    clone.setExplicitPads(padsBegin, padsEnd);
    clone.setFloorRounding();
  }
  AffineBuilder a(b, loc);
  for (unsigned i : cut) {
    unsigned d = window.getSpatialDim(i);
    tile[d].offset = a.apply(a.symbol(0) - a.symbol(1),
                             {part[d].offset, elements[d].offset});
  }
  setTile(b, loc, clone->getResult(0), tile, sizes, result);
  return result;
}

static FailureOr<TilingResult> createTile(OpBuilder &b, AvgPoolGradOp op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  if (failed(verifyRanked(op)))
    return failure();
  return createGradTile(b, op, offsets, sizes, /*input=*/{}, op.getOutputGrad(),
                        /*indices=*/{});
}

static FailureOr<TilingResult> createTile(OpBuilder &b,
                                          ExtremumGradOpInterface op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  if (failed(verifyRanked(op)) ||
      (op.getIndices() &&
       failed(verifyIndexedDims(op, op.getNormalizedAxis(), sizes))))
    return failure();
  return createGradTile(b, op, offsets, sizes, op.getInput(),
                        op.getOutputGrad(), op.getIndices());
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
/// Model of tiling: a tile is computed by an operation of the same kind on
/// slices of the operands.
template <typename OpT>
struct ScatterTiling : TilingModel<ScatterTiling<OpT>, OpT> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    return getParallelLoops(type ? type.getRank() : 0);
  }
  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    // Without a rank there are no loops, and createTile fails.
    ReifiedRankedShapedTypeDims shapes;
    if (failed(reifyResultShapes(b, op, shapes)))
      return {};
    return getDomainOf(b, shapes.front());
  }
  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    return createTile(b, cast<OpT>(op), offsets, sizes);
  }
};
} // namespace

void pool::attachScatterTiling(MLIRContext *context) {
  attachToScatters<ScatterTiling>(context);
}
