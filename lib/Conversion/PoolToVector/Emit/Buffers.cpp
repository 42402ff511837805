// Makes buffers of tensors, and tensors of buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/Buffers.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::getBuffer(RewriterBase &rewriter, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  // Canonicalization would make a new operation for a cast, without the
  // attribute below.
  Value source = tensor;
  while (auto cast = source.getDefiningOp<tensor::CastOp>()) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      break;
    source = cast.getSource();
  }
  MemRefLayoutAttrInterface layout;
  // A slice is a view, not a copy.
  if (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
      slice && type.getRank() > 0 &&
      isConstantIntValue(slice.getMixedStrides().back(), 1)) {
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    strides.back() = 1;
    layout = StridedLayoutAttr::get(rewriter.getContext(), ShapedType::kDynamic,
                                    strides);
  }
  auto getType = [&](Type tensor) {
    auto type = cast<RankedTensorType>(tensor);
    return MemRefType::get(type.getShape(), type.getElementType(), layout,
                           /*memorySpace=*/Attribute());
  };
  auto buffer = bufferization::ToBufferOp::create(
      rewriter, loc, getType(source.getType()), source, /*read_only=*/true);
  // The tensor may be overwritten in place between two kernels that read it.
  // Bufferization copies it then, if each kernel has its own operation: it
  // takes an operation for the place of all loads. Different attributes keep
  // CSE from merging them.
  buffer->setDiscardableAttr("read",
                             DistinctAttr::create(rewriter.getUnitAttr()));
  return rewriter.createOrFold<memref::CastOp>(loc, getType(type), buffer);
}

Value pool::writeToBuffer(RewriterBase &rewriter, Location loc,
                          ArrayRef<OpFoldResult> shape, Type elementType,
                          function_ref<void(Value target)> fill) {
  SmallVector<int64_t> staticShape;
  SmallVector<Value> extents;
  dispatchIndexOpFoldResults(shape, extents, staticShape);
  if (llvm::is_contained(staticShape, 0))
    return tensor::EmptyOp::create(rewriter, loc, shape, elementType);
  Value buffer = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(staticShape, elementType), extents);
  fill(buffer);
  return bufferization::ToTensorOp::create(
      rewriter, loc, RankedTensorType::get(staticShape, elementType), buffer,
      /*restrict=*/true, /*writable=*/false);
}
