// Verification and extents of max_unpool and the gradients. The rules are in
// ScatterInference; this file connects them to ODS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Canonicalize.h"
#include "Clauses.h"
#include "SharedMethods.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// MaxUnpoolOp
//===----------------------------------------------------------------------===//

LogicalResult MaxUnpoolOp::verify() {
  if (failed(detail::verifyNoStrayAttributes(*this)))
    return failure();
  OpErrors emitError{*this};
  return verifyMaxUnpool(emitError, getValues().getType(),
                         getIndices().getType(), getDynamicExtents().size(),
                         getAxis(), getOutput().getType());
}

int64_t MaxUnpoolOp::getNormalizedAxis() {
  return normalizeAxis(getAxis(), getOutput().getType().getRank());
}

SmallVector<OpFoldResult> MaxUnpoolOp::getMixedSizes() {
  return getMixedValues(getOutput().getType().getShape(), getDynamicExtents(),
                        getContext());
}

//===----------------------------------------------------------------------===//
// Gradients of extrema
//===----------------------------------------------------------------------===//

LogicalResult pool::detail::verifyExtremumGradOp(ExtremumGradOpInterface op) {
  if (failed(verifyNoStrayAttributes(op)))
    return failure();
  OpErrors emitError{op};
  return verifyExtremumGrad(emitError, getTensorType(op.getInput()),
                            getTensorType(op.getOutputGrad()),
                            getTensorType(op.getIndices()), op.getWindow(),
                            op.getReduction(), op.getAxis(),
                            getTensorType(op->getResult(0)));
}

//===----------------------------------------------------------------------===//
// AvgPoolGradOp
//===----------------------------------------------------------------------===//

LogicalResult AvgPoolGradOp::verify() {
  OpErrors emitError{*this};
  RankedTensorType inputGrad = getInputGrad().getType();
  if (failed(detail::verifyNoStrayAttributes(*this)) ||
      failed(verifyAvgPoolGrad(emitError, getOutputGrad().getType(),
                               getDynamicExtents().size(), getWindow(),
                               getModes(), inputGrad)))
    return failure();
  return verifyCounts(emitError, inputGrad, getWindow(), getModes());
}

TensorType AvgPoolGradOp::getWindowedType() { return getInputGrad().getType(); }

bool AvgPoolGradOp::distinguishesOverhang() {
  return countsPadding(getDivisor()) && !countsOverhang(getDivisor()) &&
         !getDivisorOverride();
}

SmallVector<OpFoldResult> AvgPoolGradOp::getMixedSizes() {
  return getMixedValues(getInputGrad().getType().getShape(),
                        getDynamicExtents(), getContext());
}
