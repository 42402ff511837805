// Maxima of adaptive_max_pool, and indices from their positions.
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
  // The position counts all spatial dimensions, but the index only those from
  // the axis on. So take the remainder.
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
