// The window form of max_pool and min_pool: a reduction that chooses an element
// of each window and, if the operation has indices, its position in the plane.
// A finish converts positions to indices, which count from dimension `axis` on.
// For an input of N x C x 4 x 8 with channels first:
//
//   the chosen element      image n, channel c, row 1, column 2
//   position                1 * 8 + 2 = 10
//   index with axis 2       10
//   index with axis 3       10 mod 8 = 2
//   index with axis 1       c * 4 * 8 + 10
//   index with axis 0       (n * C + c) * 4 * 8 + 10
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Finishes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Converts positions of chosen elements to indices.
class Indices {
public:
  Indices(ExtremumOpInterface op, const WindowExtents &extents)
      : op(op), window(op.getWindow()), extents(extents) {}

  /// Returns the index of `position` in the current plane. If no element was
  /// chosen, returns the index of the window's first element, or 0 if the
  /// window contains only padding.
  Value getIndex(ResultBuilder &b, Value position) const;

private:
  /// Converts a position in the current plane to an index over the input's
  /// dimensions from `axis` on.
  Value addAxis(ResultBuilder &b, Value position) const;
  /// Returns the position of the window's first element inside the input. Sets
  /// `isPadding` to a value that is true if the window contains only padding.
  /// Leaves `isPadding` null if that cannot happen.
  Value getFirstInside(ResultBuilder &b, Value &isPadding) const;
  /// Returns the product of `outer` and the extents of all spatial dimensions d
  /// of the tensor with `d >= first`.
  Value scale(ResultBuilder &b, Value outer, unsigned first = 0) const {
    for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
      if (window.getSpatialDim(i) >= first)
        outer = b.mul(outer, extents.inputShape[window.getSpatialDim(i)]);
    return outer;
  }

  // Mutable, because upstream does not declare accessors of operations const.
  mutable ExtremumOpInterface op;
  WindowAttrs window;
  WindowExtents extents;
};
} // namespace

Value Indices::addAxis(ResultBuilder &b, Value position) const {
  unsigned axis = op.getNormalizedAxis();
  unsigned channelDim = window.getChannelDim();
  Operand numChannels = extents.inputShape[channelDim];

  // Indices do not count the spatial dimensions before the axis. The remainder
  // drops them from the position.
  if (axis > window.getSpatialDim(0))
    position = b.rem(position, scale(b, b.index(1), axis));
  if (isChannelsFirst(window.layout)) {
    if (axis > channelDim)
      return position;
    Value plane = b.getCoordinate(channelDim);
    if (axis == 0)
      plane = b.add(b.mul(b.getCoordinate(0), numChannels), plane);
    return b.add(scale(b, plane), position);
  }
  if (axis == 0)
    position = b.add(scale(b, b.getCoordinate(0)), position);
  return b.add(b.mul(position, numChannels), b.getCoordinate(channelDim));
}

Value Indices::getFirstInside(ResultBuilder &b, Value &isPadding) const {
  Value first;
  for (auto [i, dim] : llvm::enumerate(extents.dims)) {
    unsigned d = window.getSpatialDim(i);
    Value o = b.getCoordinate(d);
    OpFoldResult tap = getFirstValidTap(b, dim, o);
    Value coordinate = b.value(getPosition(b, dim, o, tap));
    first = first ? b.add(b.mul(first, extents.inputShape[d]), coordinate)
                  : coordinate;
    if (!mayBeEmpty(dim))
      continue;
    Value count = b.value(getCount(b, dim, Divisor::Valid, o));
    isPadding = b.bitOr(isPadding, b.isEqual(count, 0));
  }
  return first;
}

Value Indices::getIndex(ResultBuilder &b, Value position) const {
  Value chosen = b.convert<arith::IndexCastOp>(b.getIndexType(), position);
  bool allMayBeNaN = isa<FloatType>(getElementTypeOrSelf(op.getInput())) &&
                     ignoresNaN(op.getModes().nanMode);
  Value isPadding;
  if (b.mayLackPosition() &&
      (allMayBeNaN || llvm::any_of(extents.dims, mayBeEmpty))) {
    Value isNothing = b.isEqual(position, kNoPosition);
    chosen = b.select(isNothing, getFirstInside(b, isPadding), chosen);
  }
  Value index = addAxis(b, chosen);
  if (isPadding)
    index = b.select(isPadding, 0, index);
  return b.convert<arith::IndexCastOp>(getElementTypeOrSelf(op.getIndices()),
                                       index);
}

/// Returns the finish of the values of `op`. If a quantized type declares a
/// smaller range than its storage type, the finish clamps to that range: a
/// window that contains only padding reduces to the end of the storage type's
/// range, which lies outside.
static Finish getValuesFinish(ExtremumOpInterface op) {
  Type element = getElementTypeOrSelf(op.getInput());
  auto quantized = dyn_cast<quant::QuantizedType>(element);
  if (!quantized)
    return {element};
  Type stored = getStoredType(element);
  if (!hasNarrowRange(quantized))
    return {getSignless(stored)};
  Preference preference = {op.getReduction(), stored, NanMode::Propagate};
  auto limit = [quantized, preference](ResultBuilder &b, Value value) {
    Value bound = b.constant(getIdentity(b, quantized, preference.reduction));
    return getExtremum(b, preference, b.splat(value.getType(), bound), value);
  };
  return {getSignless(stored), Finish::Counts::None, limit};
}

SmallVector<Finish> pool::createFinishes(ExtremumOpInterface op,
                                         const WindowExtents &extents) {
  SmallVector<Finish> finishes = {getValuesFinish(op)};
  if (op.getIndices())
    finishes.push_back(
        {getElementTypeOrSelf(op.getIndices()), Finish::Counts::None,
         [indices = std::make_shared<Indices>(op, extents)](ResultBuilder &b,
                                                            Value position) {
           return indices->getIndex(b, position);
         }});
  return finishes;
}
