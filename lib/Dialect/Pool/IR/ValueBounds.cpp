// Bounds of result extents in terms of operand extents, for upstream's
// constraint sets. pool.window_reduce needs none, because upstream derives its
// result extents from its destinations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/SymbolicWindowRules.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns which spatial dimension `dim` is, counted from 0, or none if it is
/// the batch or the channels.
static std::optional<unsigned> getSpatialIndex(const WindowAttrs &window,
                                               int64_t dim) {
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
    if (window.getSpatialDim(i) == dim)
      return i;
  return std::nullopt;
}

void pool::detail::populateWindowBounds(WindowOpInterface op, Value value,
                                        int64_t dim,
                                        ValueBoundsConstraintSet &cstr) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return;
  WindowAttrs window = op.getWindow();
  AffineExpr input = cstr.getExpr(op.getInput(), dim);
  std::optional<unsigned> i = getSpatialIndex(window, dim);
  if (!i) {
    cstr.bound(value)[dim] == input;
    return;
  }
  OutputBounds bounds = getOutputBounds(input, window.getDim(*i), window.modes);
  if (bounds.lower == bounds.upper) {
    cstr.bound(value)[dim] == bounds.upper;
    return;
  }
  cstr.bound(value)[dim] >= bounds.lower;
  cstr.bound(value)[dim] <= bounds.upper;
}

void pool::detail::populateAdaptiveBounds(AdaptiveOpInterface op, Value value,
                                          int64_t dim,
                                          ValueBoundsConstraintSet &cstr) {
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  if (std::optional<unsigned> i = getSpatialIndex(dims, dim))
    cstr.bound(value)[dim] == op.getOutputSize()[*i];
  else if (isa<RankedTensorType>(op.getInput().getType()))
    cstr.bound(value)[dim] == cstr.getExpr(op.getInput(), dim);
}

void MaxUnpoolOp::populateBoundsForShapedValueDim(
    Value value, int64_t dim, ValueBoundsConstraintSet &cstr) {
  cstr.bound(value)[dim] == getMixedSizes()[dim];
}

void AvgPoolGradOp::populateBoundsForShapedValueDim(
    Value value, int64_t dim, ValueBoundsConstraintSet &cstr) {
  cstr.bound(value)[dim] == getMixedSizes()[dim];
}
