// Creates casts of tensors, and finds extents that casts and slices hide.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Casts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

Value pool::castTo(OpBuilder &b, Location loc, Value value, Type declared) {
  if (value.getType() == declared)
    return value;
  return tensor::CastOp::create(b, loc, declared, value);
}

SmallVector<Value> pool::replaceOpWithCasts(RewriterBase &rewriter,
                                            Operation *op, ValueRange values) {
  SmallVector<Value> results;
  for (auto [value, declared] : llvm::zip_equal(values, op->getResultTypes()))
    results.push_back(castTo(rewriter, op->getLoc(), value, declared));
  rewriter.replaceOp(op, results);
  return results;
}

SmallVector<int64_t> pool::getFoldedShape(Value tensor) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(tensor.getType()).getShape());
  auto isRanked = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  Operation *op = tensor.getDefiningOp();
  SmallVector<OpFoldResult> sizes;
  if (auto cast = dyn_cast_if_present<tensor::CastOp>(op)) {
    if (isRanked(cast.getSource()) && tensor::canFoldIntoConsumerOp(cast))
      return getFoldedShape(cast.getSource());
  } else if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(op)) {
    if (slice.getSourceType().getRank() == slice.getType().getRank())
      sizes = slice.getMixedSizes();
  } else if (auto generate = dyn_cast_if_present<tensor::GenerateOp>(op)) {
    sizes = getMixedValues(shape, generate.getDynamicExtents(),
                           tensor.getContext());
  }
  for (auto [d, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(shape[d]))
      shape[d] = getConstantIntValue(size).value_or(ShapedType::kDynamic);
  return shape;
}
