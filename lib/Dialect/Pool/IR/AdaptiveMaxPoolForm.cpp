// Maxima of adaptive_max_pool, and indices from their positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/AdaptiveForm.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"

using namespace mlir;
using namespace mlir::pool;

ElementReduction AdaptiveMaxPoolOp::getElementReduction() {
  Type type = getInput().getType().getElementType();
  ElementReduction reduction(Reduction::Max, type, type);
  reduction.nanMode = getNanMode();
  reduction.hasPositions = static_cast<bool>(getIndices());
  return reduction;
}

SmallVector<Finish>
AdaptiveMaxPoolOp::getFinishes(const AdaptiveExtents &extents) {
  Type type = getInput().getType().getElementType();
  SmallVector<Finish> finishes = {{type}};
  if (!getIndices())
    return finishes;

  WindowAttrs layout = getAdaptiveLayout(getOutputSize(), getLayout());
  Type indexType = getIndices().getType().getElementType();
  int64_t axis = getNormalizedAxis(), carriedAxis = getCarriedAxis(*this);
  bool allMayBeNaN = isa<FloatType>(type) && ignoresNaN(getNanMode());
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
