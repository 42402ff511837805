// Folds window operations to their input. Also resets attributes of averages
// and norms that have no effect to their defaults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMethods.h"
#include "WindowFolds.h"

#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Attributes without effect
//===----------------------------------------------------------------------===//

void AvgPoolOp::normalize(Properties &properties) {
  TensorType input = getInput().getType();
  WindowAttrs window = getWindow();
  normalizeWindow(properties, window, input);
  if (getDivisorOverride() || touchesNoPadding(window))
    properties.divisor = Divisor::Valid;
  if (isa<FloatType>(input.getElementType()))
    properties.integer_rounding = IntegerRounding::HalfEven;
}

void LpPoolOp::normalize(Properties &properties) {
  normalizeWindow(properties, getWindow(), getInput().getType());
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// True if no extent of the pooled tensor needs a run-time check: all extents
/// are known, except perhaps the batch. The batch needs no check, because it
/// may have any extent, even 0.
static bool hasCheckedExtents(TensorType input) {
  return input.hasRank() &&
         !ShapedType::isDynamicShape(input.getShape().drop_front());
}

/// If windows are single elements, folds the pooling to its input. Does not
/// fold floats with nan_mode `ignore`, because that mode replaces NaN by the
/// identity of the reduction.
LogicalResult
pool::detail::foldExtremum(ExtremumOpInterface op,
                           SmallVectorImpl<OpFoldResult> &results) {
  auto input = cast<TensorType>(op.getInput().getType());
  bool keepsNaN = !isa<FloatType>(input.getElementType()) ||
                  !ignoresNaN(op.getModes().nanMode);
  if (op.getIndices() || !keepsNaN || input != op.getValues().getType() ||
      !isIdentityWindow(op.getWindow()) || !hasCheckedExtents(input))
    return failure();
  results.push_back(op.getInput());
  return success();
}

/// If windows are single elements, folds the average to its input.
OpFoldResult AvgPoolOp::fold(FoldAdaptor) {
  if (getDivisorOverride().value_or(1) != 1 || getInputZp() != getOutputZp() ||
      getInput().getType() != getOutput().getType() ||
      !isIdentityWindow(getWindow()) ||
      !hasCheckedExtents(getInput().getType()))
    return {};
  return getInput();
}
