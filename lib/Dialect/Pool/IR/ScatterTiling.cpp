// TilingInterface of max_unpool and of the gradients.
//
// Windows may reach over the ends of a gradient's tile. The tile is therefore
// extracted from a larger part, which the same operation computes. Elements
// near the part's ends may be wrong, but they lie outside the tile. Indices
// count positions of the whole, so dimensions from `axis` on are not tiled if
// there are indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "WholeDim.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"
#include "pool/Support/SymbolicWindowRules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

SmallVector<Range> pool::detail::getResultDomain(OpBuilder &b, Operation *op) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  // Without a rank there are no loops, and createScatterTile fails.
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(b, op, shapes)))
    return {};
  return getDomainOf(b, shapes.front());
}

SmallVector<utils::IteratorType> pool::detail::getParallelLoops(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return SmallVector<utils::IteratorType>(type ? type.getRank() : 0,
                                          utils::IteratorType::parallel);
}

//===----------------------------------------------------------------------===//
// Dimensions that cannot be tiled
//===----------------------------------------------------------------------===//

static LogicalResult verifyRanked(Operation *op) {
  auto isUnranked = [](Type type) { return isa<UnrankedTensorType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isUnranked))
    return op->emitOpError("cannot be tiled: an operand is unranked");
  if (llvm::any_of(op->getResultTypes(), isUnranked))
    return op->emitOpError("cannot be tiled: the result is unranked");
  return success();
}

/// Fails with a diagnostic if a tile of `sizes` may not cover the whole of each
/// dimension from `axis` on. Indices count positions over all of these
/// dimensions.
static LogicalResult verifyIndexedDims(Operation *op, int64_t axis,
                                       ArrayRef<OpFoldResult> sizes) {
  for (unsigned d = axis; d < sizes.size(); ++d)
    if (!pool::detail::isWholeDim(sizes[d], op->getResult(0), d))
      return op->emitOpError(
          formatv("cannot be tiled in dimension {0}: indices name positions "
                  "over all of the dimensions from axis {1} on",
                  d, axis)
              .str());
  return success();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {
/// Offsets and sizes of a slice.
struct Box {
  explicit Box(unsigned rank) : offsets(rank), sizes(rank) {}
  void set(unsigned d, OpFoldResult offset, OpFoldResult size) {
    offsets[d] = offset;
    sizes[d] = size;
  }
  tensor::ExtractSliceOp slice(OpBuilder &b, Location loc, Value value) const {
    SmallVector<OpFoldResult> ones(offsets.size(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, ones);
  }

  SmallVector<OpFoldResult> offsets, sizes;
};
} // namespace

/// Creates the slice `box` of `operand`, and adds it to the slices of `result`.
static Value createOperandSlice(OpBuilder &b, Location loc, Value operand,
                                const Box &box, TilingResult &result) {
  tensor::ExtractSliceOp slice = box.slice(b, loc, operand);
  result.generatedSlices.push_back(slice);
  return slice;
}

/// Returns a tensor type of `shape`, and appends its dynamic extents to
/// `dynamicExtents`.
static RankedTensorType getTensorOf(ArrayRef<OpFoldResult> shape, Type element,
                                    SmallVectorImpl<Value> &dynamicExtents) {
  SmallVector<int64_t> staticShape;
  dispatchIndexOpFoldResults(shape, dynamicExtents, staticShape);
  return RankedTensorType::get(staticShape, element);
}

/// Clones `op` with other operands and another result type, without its plan.
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

/// Adds `value` to the tiled values of `result`, cast to a type that is static
/// where `sizes` are.
static void setTile(OpBuilder &b, Location loc, Value value,
                    ArrayRef<OpFoldResult> sizes, TilingResult &result) {
  SmallVector<Value> dynamicSizes;
  RankedTensorType type = getTensorOf(
      sizes, cast<TensorType>(value.getType()).getElementType(), dynamicSizes);
  if (value.getType() != type)
    value = tensor::CastOp::create(b, loc, type, value);
  result.tiledValues.push_back(value);
}

//===----------------------------------------------------------------------===//
// MaxUnpoolOp
//===----------------------------------------------------------------------===//

FailureOr<TilingResult>
pool::detail::createScatterTile(OpBuilder &b, MaxUnpoolOp op,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes) {
  unsigned axis = op.getNormalizedAxis();
  if (failed(verifyRanked(op)) || failed(verifyIndexedDims(op, axis, sizes)))
    return failure();

  Location loc = op.getLoc();
  TilingResult result;
  SmallVector<Value> operands;
  SmallVector<OpFoldResult> shape = op.getMixedSizes();
  SmallVector<OpFoldResult> partOffsets(offsets), partSizes(sizes);
  bool isLarger = false;
  // Skip dimension 0: a batch may be empty.
  for (unsigned d = 1; d < axis; ++d)
    isLarger |= makeNonEmpty(b, loc, shape[d], partOffsets[d], partSizes[d]);
  for (Value source : {op.getValues(), op.getIndices()}) {
    Box box(sizes.size());
    for (unsigned d = 0; d < sizes.size(); ++d) {
      if (d < axis)
        box.set(d, partOffsets[d], partSizes[d]);
      else
        box.set(d, b.getIndexAttr(0), tensor::getMixedSize(b, loc, source, d));
    }
    operands.push_back(createOperandSlice(b, loc, source, box, result));
  }
  llvm::copy(ArrayRef(partSizes).take_front(axis), shape.begin());
  RankedTensorType type =
      getTensorOf(shape, op.getOutput().getType().getElementType(), operands);
  Value value = createPart(b, op, type, operands, result)->getResult(0);
  if (isLarger) {
    Box tile(sizes.size());
    for (unsigned d = 0; d < sizes.size(); ++d)
      tile.set(d, b.getIndexAttr(0), sizes[d]);
    value = tile.slice(b, loc, value);
  }
  setTile(b, loc, value, sizes, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {
/// The part of a gradient that a tile is extracted from.
class GradPart {
public:
  /// Selects the tile `offsets` and `sizes` of the gradient `op`.
  GradPart(WindowAttrsOpInterface op, ArrayRef<OpFoldResult> offsets,
           ArrayRef<OpFoldResult> sizes);

  /// Makes automatic pads explicit, because automatic pads of a part would
  /// differ from the pads of the whole. Fails with a diagnostic if that is
  /// impossible. Creates no ops.
  LogicalResult resolvePads();
  /// Computes the slices `input` and `windows`. `shape` is the shape of the
  /// whole gradient.
  void create(OpBuilder &b, ArrayRef<OpFoldResult> shape, Value outputGrad);
  /// Sets explicit pads on `part`, the operation from createPart, and extracts
  /// the tile from its result.
  void setTile(OpBuilder &b, WindowAttrsOpInterface part, TilingResult &result);

  const Box &getInput() const { return input; }
  const Box &getWindows() const { return windows; }

private:
  WindowAttrsOpInterface op;
  WindowAttrs window;
  Location loc;
  ArrayRef<OpFoldResult> offsets, sizes;
  /// Numbers of the spatial dimensions that the tile may not cover wholly,
  /// except for dimensions whose windows are single elements.
  SmallVector<unsigned> cut;
  /// Offsets and sizes of the tile. If the tile may be empty, `isLarger` is
  /// true, and these are offsets and sizes of a non-empty range instead.
  SmallVector<OpFoldResult> partOffsets, partSizes;
  bool isLarger = false;
  /// Explicit pads that replace automatic ones; empty if the pads stay.
  SmallVector<int64_t> padsBegin, padsEnd;
  /// Both are slices for the part: `input` of the whole gradient, which has the
  /// shape of the pooled input, and `windows` of the output's gradient.
  Box input, windows;
};
} // namespace

GradPart::GradPart(WindowAttrsOpInterface op, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes)
    : op(op), window(op.getWindow()), loc(op.getLoc()), offsets(offsets),
      sizes(sizes), partOffsets(offsets), partSizes(sizes), input(sizes.size()),
      windows(sizes.size()) {
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    if (!isIdentityDim(window.getDim(i), window.modes) &&
        !pool::detail::isWholeDim(sizes[d], op->getResult(0), d))
      cut.push_back(i);
  }
}

LogicalResult GradPart::resolvePads() {
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
                  stringifyAutoPad(window.modes.autoPad), d)
              .str());
    // Automatic pads leave no overhang, so getExplicitPads succeeds.
    auto [begin, end] = *getExplicitPads(
        *resolveDim(type.getDimSize(d), window.getDim(i), window.modes),
        /*countsPadding=*/false);
    padsBegin.push_back(begin);
    padsEnd.push_back(end);
  }
  return success();
}

void GradPart::create(OpBuilder &b, ArrayRef<OpFoldResult> shape,
                      Value outputGrad) {
  auto type = cast<RankedTensorType>(op.getWindowedType());
  for (unsigned d = 0; d < sizes.size(); ++d) {
    // Skip dimension 0: a batch may be empty.
    if (d != 0 && !pool::detail::isWholeDim(sizes[d], op->getResult(0), d))
      isLarger |= makeNonEmpty(b, loc, shape[d], partOffsets[d], partSizes[d]);
    input.set(d, partOffsets[d], partSizes[d]);
    windows.set(d, partOffsets[d], partSizes[d]);
  }
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    if (isIdentityDim(dim, window.modes))
      continue;
    OpFoldResult output = tensor::getMixedSize(b, loc, outputGrad, d);
    if (!llvm::is_contained(cut, i)) {
      input.set(d, b.getIndexAttr(0), shape[d]);
      windows.set(d, b.getIndexAttr(0), output);
      continue;
    }
    GradTile tile = getGradTile(b, loc, dim, shape[d], output, partOffsets[d],
                                partSizes[d]);
    // Keep dynamic extents dynamic, because the verifier would check static
    // extents against the window rules.
    if (type.isDynamicDim(d))
      for (OpFoldResult *size : {&tile.inputSize, &tile.numWindows})
        *size = getValueOrCreateConstantIndexOp(b, loc, *size);
    input.set(d, tile.inputOffset, tile.inputSize);
    windows.set(d, tile.firstWindow, tile.numWindows);
  }
}

void GradPart::setTile(OpBuilder &b, WindowAttrsOpInterface part,
                       TilingResult &result) {
  if (!padsBegin.empty()) {
    part.setExplicitPads(padsBegin, padsEnd);
    part.setFloorRounding();
  }
  Value value = part->getResult(0);
  if (!cut.empty() || isLarger) {
    Box tile(sizes.size());
    for (unsigned d = 0; d < sizes.size(); ++d)
      tile.set(d, b.getIndexAttr(0), sizes[d]);
    AffineExpr difference = b.getAffineSymbolExpr(0) - b.getAffineSymbolExpr(1);
    for (unsigned i : cut) {
      unsigned d = window.getSpatialDim(i);
      tile.offsets[d] = affine::makeComposedFoldedAffineApply(
          b, loc, difference, {partOffsets[d], input.offsets[d]});
    }
    value = tile.slice(b, loc, value);
  }
  ::setTile(b, loc, value, sizes, result);
}

FailureOr<TilingResult>
pool::detail::createScatterTile(OpBuilder &b, AvgPoolGradOp op,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes) {
  if (failed(verifyRanked(op)))
    return failure();
  GradPart part(op, offsets, sizes);
  if (failed(part.resolvePads()))
    return failure();

  Location loc = op.getLoc();
  part.create(b, op.getMixedSizes(), op.getOutputGrad());
  TilingResult result;
  SmallVector<Value> operands = {createOperandSlice(b, loc, op.getOutputGrad(),
                                                    part.getWindows(), result)};
  RankedTensorType type =
      getTensorOf(part.getInput().sizes,
                  op.getInputGrad().getType().getElementType(), operands);
  part.setTile(
      b,
      cast<WindowAttrsOpInterface>(createPart(b, op, type, operands, result)),
      result);
  return result;
}

FailureOr<TilingResult>
pool::detail::createScatterTile(OpBuilder &b, ExtremumGradOpInterface op,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes) {
  if (failed(verifyRanked(op)) ||
      (op.getIndices() &&
       failed(verifyIndexedDims(op, op.getNormalizedAxis(), sizes))))
    return failure();
  GradPart part(op, offsets, sizes);
  if (failed(part.resolvePads()))
    return failure();

  Location loc = op.getLoc();
  part.create(b, tensor::getMixedSizes(b, loc, op.getInput()),
              op.getOutputGrad());
  TilingResult result;
  SmallVector<Value> operands = {
      createOperandSlice(b, loc, op.getInput(), part.getInput(), result),
      createOperandSlice(b, loc, op.getOutputGrad(), part.getWindows(),
                         result)};
  if (Value indices = op.getIndices())
    operands.push_back(
        createOperandSlice(b, loc, indices, part.getWindows(), result));
  part.setTile(b,
               cast<WindowAttrsOpInterface>(createPart(
                   b, op, operands.front().getType(), operands, result)),
               result);
  return result;
}
