// Window form of an extremum: a reduction that chooses an element of each
// window. If the operation has indices, an elementwise op converts the chosen
// positions in the plane to indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Converts positions of chosen elements to indices, within an elementwise op.
class IndexBuilder {
public:
  IndexBuilder(ExtremumOpInterface op, WindowForm &form)
      : op(op), form(form), window(form.window) {}

  /// Returns the index of `position` in the current plane. If no element was
  /// chosen, returns the index of the window's first element, or 0 if the
  /// window contains only padding.
  Value getIndex(OpBuilder &b, Location loc, Value position);

private:
  /// Converts a position in the current plane to an index over the input's
  /// dimensions from `axis` on.
  Value addAxis(OpBuilder &b, Location loc, Value position);
  /// Returns the position of the window's first element inside the input. Sets
  /// `isPadding` to a value that is true if the window contains only padding.
  /// Leaves `isPadding` null if that cannot happen.
  Value getFirstInside(OpBuilder &b, Location loc, Value &isPadding);

  Value getExtent(OpBuilder &b, Location loc, unsigned d) {
    return getValueOrCreateConstantIndexOp(b, loc, form.inputShape[d]);
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

  ExtremumOpInterface op;
  WindowForm &form;
  const WindowAttrs &window;
};
} // namespace

Value IndexBuilder::addAxis(OpBuilder &b, Location loc, Value position) {
  unsigned n = window.getNumSpatialDims();
  unsigned axis = op.getNormalizedAxis();
  unsigned channelDim = window.getChannelDim();

  // Indices do not count the spatial dimensions before the axis, so take the
  // remainder.
  if (axis > window.getSpatialDim(0)) {
    Value block = getConstant(b, loc, 1);
    for (unsigned i = 0; i < n; ++i)
      if (window.getSpatialDim(i) >= axis)
        block =
            multiply(b, loc, block, getExtent(b, loc, window.getSpatialDim(i)));
    position = arith::RemUIOp::create(b, loc, position, block);
  }
  if (isChannelsFirst(window.layout)) {
    if (axis > channelDim)
      return position;
    Value plane = form.getOutputIndex(b, loc, channelDim);
    if (axis == 0) {
      Value batch = form.getOutputIndex(b, loc, 0);
      plane =
          add(b, loc, multiply(b, loc, batch, getExtent(b, loc, channelDim)),
              plane);
    }
    for (unsigned i = 0; i < n; ++i)
      plane =
          multiply(b, loc, plane, getExtent(b, loc, window.getSpatialDim(i)));
    return add(b, loc, plane, position);
  }
  if (axis == 0) {
    Value image = form.getOutputIndex(b, loc, 0);
    for (unsigned i = 0; i < n; ++i)
      image =
          multiply(b, loc, image, getExtent(b, loc, window.getSpatialDim(i)));
    position = add(b, loc, image, position);
  }
  return add(b, loc, multiply(b, loc, position, getExtent(b, loc, channelDim)),
             form.getOutputIndex(b, loc, channelDim));
}

Value IndexBuilder::getFirstInside(OpBuilder &b, Location loc,
                                   Value &isPadding) {
  Value first;
  for (auto [i, dim] : llvm::enumerate(form.dims)) {
    unsigned d = window.getSpatialDim(i);
    Value o = form.getOutputIndex(b, loc, d);
    OpFoldResult tap = getFirstValidTap(b, loc, dim, o);
    Value coordinate = getValueOrCreateConstantIndexOp(
        b, loc, getPosition(b, loc, dim, o, tap));
    first = first ? add(b, loc, multiply(b, loc, first, getExtent(b, loc, d)),
                        coordinate)
                  : coordinate;
    if (!mayBeEmpty(dim))
      continue;
    Value count = getValueOrCreateConstantIndexOp(
        b, loc, getCount(b, loc, dim, Divisor::Valid, o));
    Value empty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count,
                                        getConstant(b, loc, 0));
    isPadding =
        isPadding ? arith::OrIOp::create(b, loc, isPadding, empty) : empty;
  }
  return first;
}

Value IndexBuilder::getIndex(OpBuilder &b, Location loc, Value position) {
  Type indexType = getElementTypeOrSelf(op.getIndices());
  Value chosen = arith::IndexCastOp::create(b, loc, b.getIndexType(), position);

  bool allMayBeNaN = isa<FloatType>(form.getElementType()) &&
                     ignoresNaN(op.getModes().nanMode);
  Value isPadding;
  if (allMayBeNaN || llvm::any_of(form.dims, mayBeEmpty)) {
    Value none =
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(kNoPosition));
    Value nothingChosen =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, position, none);
    Value first = getFirstInside(b, loc, isPadding);
    chosen = arith::SelectOp::create(b, loc, nothingChosen, first, chosen);
  }
  Value index = addAxis(b, loc, chosen);
  if (isPadding)
    index = arith::SelectOp::create(b, loc, isPadding, getConstant(b, loc, 0),
                                    index);
  return arith::IndexCastOp::create(b, loc, indexType, index);
}

/// Converts the values of a quantised operation to their signless storage type.
/// If the quantised type has a narrow range, also clamps to that range the
/// value of a window that contains only padding. Returns `values` unchanged if
/// neither is needed.
static Value storeValues(WindowForm &form, Reduction reduction, Value values) {
  Type stored = form.getElementType(), signless = getSignless(stored);
  auto quantized =
      dyn_cast<quant::QuantizedType>(form.inputType.getElementType());
  if (!quantized || (stored == signless && !hasNarrowRange(quantized)))
    return values;
  return form.map(values, signless,
                  [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                    Value value = castToSignless(b, loc, args[0]);
                    if (!hasNarrowRange(quantized))
                      return value;
                    Value bound = arith::ConstantOp::create(
                        b, loc, getIdentity(b, quantized, reduction));
                    return getExtremum(b, loc,
                                       {reduction, stored, NanMode::Propagate},
                                       bound, value);
                  });
}

ElementReduction pool::detail::getExtremumReduction(ExtremumOpInterface op) {
  Type type = getStoredType(getElementTypeOrSelf(op.getInput()));
  ElementReduction reduction(op.getReduction(), type, type);
  ExtremumModes modes = op.getModes();
  reduction.nanMode = modes.nanMode;
  if (modes.padValue != getNeverChosen(op.getReduction()))
    reduction.padValue = modes.padValue;
  reduction.hasPositions = static_cast<bool>(op.getIndices());
  reduction.maxCount = getProduct(op.getWindow().kernel);
  return reduction;
}

TilingResult pool::detail::createExtremumForm(OpBuilder &b,
                                              ExtremumOpInterface op,
                                              ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes) {
  WindowForm form(b, op, offsets, sizes);
  WindowReduceOp reduce = form.reduce();
  Value values = storeValues(form, op.getReduction(), reduce.getResults()[0]);
  if (!op.getIndices())
    return form.finish(values);
  Value indices =
      form.map(reduce.getResults()[1], getElementTypeOrSelf(op.getIndices()),
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 return IndexBuilder(op, form).getIndex(b, loc, args[0]);
               });
  return form.finish({values, indices});
}
