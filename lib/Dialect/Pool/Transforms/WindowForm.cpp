// Computes slice, pads and positions of a tile, and builds its window form.
// WindowForm.h has a drawing of slice and pads.
//
// Positions name elements of the whole plane, but window_reduce sees only the
// slice. So the position of the slice's first element is added to each
// position. In a plane of 8 columns, for a slice that begins at row 2 and
// column 3:
//
//   position = 19 + row * 8 + column      19 = 2 * 8 + 3
//                                         row and column within the slice
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/WindowForm.h"

#include "TileElement.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"

using namespace mlir;
using namespace mlir::pool;

WindowForm::WindowForm(OpBuilder &b, WindowOpInterface op,
                       ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes)
    : b(b), op(op), loc(op.getLoc()), window(op.getWindow()), offsets(offsets),
      sizes(sizes), input(getStoredTensor(b, loc, op.getInput())) {
  extents.inputShape = tensor::getMixedSizes(b, loc, input);
  extents.dims = resolveDims(b, loc, extents.inputShape, window);
  if (!isTile())
    this->sizes = getOutputShape(extents.inputShape, extents.dims, window);
  sliceInput();
}

void WindowForm::sliceInput() {
  unsigned rank = window.getRank();
  inputOffsets.assign(rank, b.getIndexAttr(0));
  for (const SymbolicDim &dim : extents.dims) {
    padsBegin.push_back(dim.padBegin);
    padsEnd.push_back(dim.coveredEnd);
  }
  if (!isTile())
    return;

  SmallVector<OpFoldResult> inputSizes = sizes;
  inputOffsets = offsets;
  for (auto [i, dim] : llvm::enumerate(extents.dims)) {
    unsigned d = window.getSpatialDim(i);
    WindowTile tile =
        getWindowTile(b, loc, window.getDim(i), dim.input, dim.output,
                      dim.padBegin, dim.coveredEnd, offsets[d], sizes[d]);
    inputOffsets[d] = tile.inputOffset;
    inputSizes[d] = tile.inputSize;
    padsBegin[i] = tile.padBegin;
    padsEnd[i] = tile.padEnd;
  }
  SmallVector<OpFoldResult> ones(rank, b.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(b, loc, input, inputOffsets,
                                              inputSizes, ones);
  result.generatedSlices.push_back(slice);
  input = slice;
}

void WindowForm::castInputToUnsigned() {
  Type stored = getStoredType(getElementTypeOrSelf(op.getInput()));
  if (getElementTypeOrSelf(input) == stored)
    return;
  // Cast element by element, because a cast of the whole tensor to an unsigned
  // type would not bufferize.
  auto unsignedInput = createElementwise(
      b, loc, input, tensor::getMixedSizes(b, loc, input), stored,
      [&](OpBuilder &b, Location loc, ValueRange elements) {
        return castFromSignless(b, loc, elements[0], stored);
      });
  result.tiledOps.push_back(unsignedInput);
  input = unsignedInput.getResult(0);
}

Value WindowForm::createEmpty(Type elementType) {
  return tensor::EmptyOp::create(b, loc, sizes, elementType);
}

SmallVector<OpFoldResult> WindowForm::getPositionWeights() {
  // The weights of coordinates are the row-major strides of the plane. Compute
  // them from the last dimension to the first.
  unsigned n = window.getNumSpatialDims();
  SmallVector<OpFoldResult> positions(n + 1);
  AffineExpr lhs = b.getAffineSymbolExpr(0), rhs = b.getAffineSymbolExpr(1);
  AffineExpr third = b.getAffineSymbolExpr(2);
  positions[n] = b.getIndexAttr(1);
  for (unsigned i = n; i-- > 1;)
    positions[i] = affine::makeComposedFoldedAffineApply(
        b, loc, lhs * rhs,
        {positions[i + 1], extents.inputShape[window.getSpatialDim(i)]});
  // positions[0] is the position of the slice's first element, because
  // window_reduce counts coordinates from the beginning of the slice.
  positions[0] = b.getIndexAttr(0);
  for (unsigned i = 0; i < n; ++i)
    positions[0] = affine::makeComposedFoldedAffineApply(
        b, loc, lhs + rhs * third,
        {positions[0], positions[i + 1],
         inputOffsets[window.getSpatialDim(i)]});
  return positions;
}

WindowReduceOp WindowForm::reduce() {
  ElementReduction elements = op.getElementReduction();
  auto inputType = cast<RankedTensorType>(input.getType());
  Value input = castFromSignless(b, loc, this->input,
                                 inputType.clone(elements.inputType));
  SmallVector<OpFoldResult> positions;
  if (elements.hasPositions)
    positions = getPositionWeights();
  SmallVector<Value> outs = {createEmpty(elements.accType)};
  if (elements.hasPositions)
    outs.push_back(createEmpty(b.getI64Type()));
  auto reduce = WindowReduceOp::create(b, loc, input, outs, elements.kind,
                                       window, padsBegin, padsEnd, positions);
  reduce.setNanMode(elements.nanMode);
  reduce.setP(elements.p);
  if (elements.padValue)
    reduce.setPadValue(*elements.padValue);
  if (Attribute uniform =
          op->getAttr(PoolDialect::UniformSumsAttrHelper::getNameStr()))
    reduce->setAttr(PoolDialect::UniformSumsAttrHelper::getNameStr(), uniform);
  // Drop the plan on a tile: it was made for the extents of the untiled
  // operation.
  if (PlanAttr plan = PlanAttr::getOf(op); plan && !isTile())
    reduce->setAttr(PlanAttr::getName(), plan);
  result.tiledOps.push_back(reduce);
  return reduce;
}

TilingResult WindowForm::create() {
  castInputToUnsigned();
  WindowReduceOp reduction = reduce();
  for (auto [i, finish] : llvm::enumerate(getFinishes()))
    result.tiledValues.push_back(applyFinish(b, loc, finish,
                                             reduction.getResult(i), offsets,
                                             sizes, result.tiledOps));
  for (auto [value, declared] :
       llvm::zip_equal(result.tiledValues, op->getResults()))
    value = castFromStored(b, loc, value, getElementTypeOrSelf(declared));
  return std::move(result);
}
