// The finishes of adaptive_max_pool: values are the maxima, and indices come
// from their positions. AdaptiveForm.h builds the maxima and positions.
//
// A position counts from the carried axis on, an index from dimension `axis`
// on. So an index is a position modulo the number of elements from `axis` on.
// In a plane of 8 columns, with channels first:
//
//   the chosen element      row 1, column 2
//   position                1 * 8 + 2 = 10
//   index with axis 2       10
//   index with axis 3       10 mod 8 = 2
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Finishes.h"

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/Transforms/AdaptiveForm.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<Finish> pool::createFinishes(AdaptiveMaxPoolOp op,
                                         const AdaptiveExtents &extents) {
  Type type = op.getInput().getType().getElementType();
  SmallVector<Finish> finishes = {{type}};
  if (!op.getIndices())
    return finishes;

  WindowAttrs layout = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  Type indexType = op.getIndices().getType().getElementType();
  int64_t axis = op.getNormalizedAxis(), carriedAxis = getCarriedAxis(op);
  bool allMayBeNaN = isa<FloatType>(type) && ignoresNaN(op.getNanMode());
  Finish &indices = finishes.emplace_back(Finish{indexType});
  // If the axis lies after the first spatial dimension, the position counts
  // more dimensions than the index. So take the remainder.
  bool isRemainder = axis > int64_t(layout.getSpatialDim(0));
  if (!allMayBeNaN && !isRemainder && indexType.isInteger(64))
    return finishes;
  indices.build = [=](ResultBuilder &b, Value position) {
    Value index = b.convert<arith::IndexCastOp>(b.getIndexType(), position);
    if (allMayBeNaN && b.mayLackPosition()) {
      Value isNothing = b.isEqual(position, kNoPosition);
      Value first = flatten(b, extents.inputShape,
                            getFirstPositions(b, layout, extents), carriedAxis);
      index = b.select(isNothing, first, index);
    }
    if (isRemainder) {
      Value numPositions = b.index(1);
      for (OpFoldResult extent : llvm::drop_begin(extents.inputShape, axis))
        numPositions = b.mul(numPositions, extent);
      index = b.rem(index, numPositions);
    }
    return b.convert<arith::IndexCastOp>(indexType, index);
  };
  return finishes;
}
