// Lowers adaptive_max_pool to linalg: window maxima and, on demand, argmax
// positions that an elementwise op converts to indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdaptiveForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

ElementReduction AdaptiveMaxPoolOp::getElementReduction() {
  Type type = getInput().getType().getElementType();
  ElementReduction reduction(Reduction::Max, type, type);
  reduction.nanMode = getNanMode();
  reduction.hasPositions = static_cast<bool>(getIndices());
  return reduction;
}

static Preference getPreference(AdaptiveMaxPoolOp op) {
  return op.getElementReduction().getPreference();
}

static Value createValues(OpBuilder &b, AdaptiveMaxPoolOp op,
                          AdaptiveForm &form) {
  Type type = form.getElementType();
  TypedAttr lowest = getIdentity(b, type, Reduction::Max);
  return form.reduce(lowest, type,
                     [&](OpBuilder &b, Location loc, Tap tap,
                         ValueRange acc) -> SmallVector<Value> {
                       Value element = tap.element;
                       if (tap.isInside)
                         element = arith::SelectOp::create(
                             b, loc, tap.isInside, element,
                             arith::ConstantOp::create(b, loc, lowest));
                       Value max =
                           getExtremum(b, loc, getPreference(op), element,
                                       castToSignless(b, loc, acc[0]));
                       return {castFromSignless(b, loc, max, type)};
                     })[0];
}

/// Builds values and indices. The reduction carries the position of each
/// maximum, row-major over the dimensions from getCarriedAxis() on.
static SmallVector<Value>
createValuesAndIndices(OpBuilder &b, AdaptiveMaxPoolOp op, AdaptiveForm &form) {
  Type type = form.getElementType();
  Type i64 = b.getI64Type();
  int64_t axis = op.getNormalizedAxis();
  int64_t first = form.getFirstSpatialDim();
  int64_t carriedAxis = getCarriedAxis(axis, op.getLayout());
  SmallVector<Value> results = form.reduce(
      {getIdentity(b, type, Reduction::Max), b.getI64IntegerAttr(kNoPosition)},
      {type, i64},
      [&](OpBuilder &b, Location loc, Tap tap,
          ValueRange args) -> SmallVector<Value> {
        Value acc = castToSignless(b, loc, args[0]);
        Value position = arith::IndexCastOp::create(
            b, loc, i64, form.getPosition(b, loc, tap, carriedAxis));
        Value chosen = isChosen(b, loc, getPreference(op), tap.element,
                                position, acc, args[1]);
        if (tap.isInside)
          chosen = arith::AndIOp::create(b, loc, chosen, tap.isInside);
        Value value = arith::SelectOp::create(b, loc, chosen, tap.element, acc);
        return {castFromSignless(b, loc, value, type),
                arith::SelectOp::create(b, loc, chosen, position, args[1])};
      });

  Type indexType = op.getIndices().getType().getElementType();
  bool allMayBeNaN = isa<FloatType>(type) && ignoresNaN(op.getNanMode());
  if (!allMayBeNaN && axis <= first && indexType == i64)
    return results;
  results[1] = form.map(
      results[1], indexType,
      [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
        Value position = elements[0];
        Value index =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), position);
        if (allMayBeNaN) {
          Value none = arith::ConstantOp::create(
              b, loc, b.getI64IntegerAttr(kNoPosition));
          Value nothingChosen = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::eq, position, none);
          Value start =
              form.flatten(b, loc, form.getFirst(b, loc), carriedAxis);
          index = arith::SelectOp::create(b, loc, nothingChosen, start, index);
        }
        // The position counts all spatial dimensions, but the index only those
        // from the axis on. So take the remainder.
        if (axis > first)
          index = arith::RemUIOp::create(b, loc, index,
                                         form.getNumPositions(b, loc, axis));
        return arith::IndexCastOp::create(b, loc, indexType, index).getResult();
      });
  return results;
}

TilingResult AdaptiveMaxPoolOp::createLinalgForm(OpBuilder &b,
                                                 ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) {
  AdaptiveForm form(b, getLoc(), getInput(), getOutputSize(), getLayout(),
                    offsets, sizes);
  if (!getIndices())
    return form.finish(createValues(b, *this, form));
  return form.finish(createValuesAndIndices(b, *this, form));
}
