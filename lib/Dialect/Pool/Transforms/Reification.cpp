// Implements ReifyRankedShapedTypeOpInterface, which computes the extents of
// results as values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Models.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Transforms/AdaptiveForm.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the extents `shape` in the form that upstream expects for a result
/// of the ranked type `declared`: if the type has a `?`, a known extent becomes
/// a constant op instead of an attribute.
static SmallVector<OpFoldResult> reifyAs(OpBuilder &b, Location loc,
                                         ArrayRef<OpFoldResult> shape,
                                         Type declared) {
  auto type = cast<RankedTensorType>(declared);
  SmallVector<OpFoldResult> reified(shape);
  for (auto [d, extent] : llvm::enumerate(reified))
    if (type.isDynamicDim(d))
      extent = getValueOrCreateConstantIndexOp(b, loc, extent);
  return reified;
}

/// Computes the shape of every result of a window operation, as affine
/// functions of the input's extents. The formula is that of resolveDim. Fails
/// for an unranked input or result.
static LogicalResult reify(OpBuilder &b, WindowOpInterface op,
                           ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  Value input = op.getInput();
  if (!isa<RankedTensorType>(input.getType()) ||
      !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return failure();
  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, input);
  shape = getOutputShape(shape, resolveDims(b, loc, shape, window), window);
  for (Type type : op->getResultTypes())
    reifiedReturnShapes.push_back(reifyAs(b, loc, shape, type));
  return success();
}

/// Computes the shape of every result of adaptive pooling: batch and channels
/// of the input, and the output size. Fails for an unranked input or result.
static LogicalResult reify(OpBuilder &b, AdaptiveOpInterface op,
                           ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  if (!isa<RankedTensorType>(op.getInput().getType()) ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedTensorType>))
    return failure();
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> shape = getAdaptiveShape(
      b, loc, op.getInput(), op.getOutputSize(), op.getLayout());
  for (Type type : op->getResultTypes())
    reifiedReturnShapes.push_back(reifyAs(b, loc, shape, type));
  return success();
}

static LogicalResult reify(OpBuilder &, MaxUnpoolOp op,
                           ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  reifiedReturnShapes.push_back(op.getMixedSizes());
  return success();
}

static LogicalResult reify(OpBuilder &b, ExtremumGradOpInterface op,
                           ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  Type declared = op->getResult(0).getType();
  if (!isa<RankedTensorType>(declared) ||
      !isa<RankedTensorType>(op.getInput().getType()))
    return failure();
  Location loc = op.getLoc();
  reifiedReturnShapes.push_back(
      reifyAs(b, loc, tensor::getMixedSizes(b, loc, op.getInput()), declared));
  return success();
}

static LogicalResult reify(OpBuilder &, AvgPoolGradOp op,
                           ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  reifiedReturnShapes.push_back(op.getMixedSizes());
  return success();
}

static LogicalResult reify(OpBuilder &b, WindowReduceOp op,
                           ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  for (Value out : op.getOuts().take_front(op.getNumResults()))
    reifiedReturnShapes.push_back(tensor::getMixedSizes(b, op.getLoc(), out));
  return success();
}

namespace {
template <typename OpT>
struct ReifyModel
    : ReifyRankedShapedTypeOpInterface::ExternalModel<ReifyModel<OpT>, OpT> {
  LogicalResult
  reifyResultShapes(Operation *op, OpBuilder &b,
                    ReifiedRankedShapedTypeDims &reifiedReturnShapes) const {
    return reify(b, cast<OpT>(op), reifiedReturnShapes);
  }
};
} // namespace

void pool::attachReification(MLIRContext *context) {
  attachToPoolings<ReifyModel>(context);
  attachToScatters<ReifyModel>(context);
  attachModels<ReifyModel, WindowReduceOp>(context);
}
