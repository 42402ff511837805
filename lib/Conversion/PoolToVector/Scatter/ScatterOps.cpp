// Unpooling and the gradients of extrema on buffers of their operands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterOps.h"

#include "Scatter/BlockScatter.h"
#include "Emit/WindowKernel.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Dialect/Pool/Utils/Casts.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

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
      /*restrict=*/true, /*writable=*/true);
}

LogicalResult pool::scatterMaxUnpool(RewriterBase &rewriter, MaxUnpoolOp op,
                                     int64_t vectorBits) {
  Type type = op.getOutput().getType().getElementType();
  if (!isVectorElement(type))
    return failure();
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value result =
      writeToBuffer(rewriter, loc, op.getMixedSizes(), type, [&](Value target) {
        Value values = getBuffer(rewriter, loc, op.getValues());
        Value indices = getBuffer(rewriter, loc, op.getIndices());
        int64_t axis = op.getNormalizedAxis();
        IndexedScatter scatter(rewriter, loc, axis, vectorBits, values, indices,
                               target, /*accType=*/{}, /*condition=*/{});
        if (auto blocks = BlockScatter::get(rewriter, loc, axis, vectorBits,
                                            values, indices, target))
          return blocks->create(scatter);
        scatter.create();
      });
  replaceOpWithCasts(rewriter, op, result);
  return success();
}

/// Whether each window of known extents lies in a block of its own, as long as
/// a stride.
static bool areBlocks(ArrayRef<SymbolicDim> dims) {
  return llvm::all_of(dims, [](const SymbolicDim &dim) {
    return dim.known && dim.known->padBegin == 0 &&
           dim.known->input == dim.known->output * dim.stride &&
           (dim.kernel - 1) * dim.dilation < dim.stride;
  });
}

void pool::scatterExtremumGrad(RewriterBase &rewriter,
                               ExtremumGradOpInterface op, int64_t vectorBits) {
  Type type = getElementTypeOrSelf(op.getInput());
  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(rewriter, loc, op.getInput());
  SmallVector<SymbolicDim> dims = resolveDims(rewriter, loc, shape, window);
  IndexedScatter::ConditionFn condition;
  if (llvm::any_of(dims, mayBeEmpty))
    condition = [&](OpBuilder &b, Location loc, ValueRange position) {
      return hasElementInside(b, loc, dims, window, position);
    };
  Value result = writeToBuffer(rewriter, loc, shape, type, [&](Value target) {
    Value grad = getBuffer(rewriter, loc, op.getOutputGrad());
    Value indices = getBuffer(rewriter, loc, op.getIndices());
    int64_t axis = op.getNormalizedAxis();
    IndexedScatter scatter(rewriter, loc, axis, vectorBits, grad, indices,
                           target, getFloatAccumulator(type), condition);
    if (areBlocks(dims))
      if (auto blocks = BlockScatter::get(rewriter, loc, axis, vectorBits, grad,
                                          indices, target))
        return blocks->create(scatter);
    scatter.create();
  });
  replaceOpWithCasts(rewriter, op, result);
}
