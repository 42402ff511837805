// What may run although the program would not have run it: operations that no
// run-time check can refuse. A check that is inserted after one was moved out
// of a loop or a branch would else stop a program that was right.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;
using Speculation::NotSpeculatable;
using Speculation::Speculatability;
using Speculation::Speculatable;

/// C7: the extents of `dims`' dimensions but the batch are known.
static bool hasKnownImages(RankedTensorType type) {
  return !ShapedType::isDynamicShape(type.getShape().drop_front());
}

/// C12: what indices name from `axis` on is known, or needs no check.
static bool hasKnownIndexBound(RankedTensorType type, Value indices,
                               int64_t axis) {
  return !indices || !getElementTypeOrSelf(indices.getType()).isInteger(32) ||
         !ShapedType::isDynamicShape(type.getShape().drop_front(axis));
}

static bool isSafeWindow(Type input, const WindowAttrs &window) {
  auto type = dyn_cast<RankedTensorType>(input);
  return type && hasKnownImages(type) && !mayLackByteCount(type, window);
}

template <typename Op>
static bool isSafeAdaptive(Op op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || !hasKnownImages(type))
    return false;
  SmallVector<int64_t> output(type.getShape());
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  for (auto [i, outputSize] : llvm::enumerate(op.getOutputSize()))
    output[dims.getSpatialDim(i)] = outputSize;
  return !mayLackByteCount(output, type);
}

Speculatability MaxPoolOp::getSpeculatability() {
  TensorType type = getInput().getType();
  return isSafeWindow(type, getWindow()) &&
                 hasKnownIndexBound(cast<RankedTensorType>(type), getIndices(),
                                    getNormalizedAxis())
             ? Speculatable
             : NotSpeculatable;
}

Speculatability AvgPoolOp::getSpeculatability() {
  return isSafeWindow(getInput().getType(), getWindow()) ? Speculatable
                                                         : NotSpeculatable;
}

Speculatability LpPoolOp::getSpeculatability() {
  return isSafeWindow(getInput().getType(), getWindow()) ? Speculatable
                                                         : NotSpeculatable;
}

Speculatability AdaptiveAvgPoolOp::getSpeculatability() {
  return isSafeAdaptive(*this) ? Speculatable : NotSpeculatable;
}

Speculatability AdaptiveMaxPoolOp::getSpeculatability() {
  return isSafeAdaptive(*this) &&
                 hasKnownIndexBound(
                     cast<RankedTensorType>(getInput().getType()), getIndices(),
                     getNormalizedAxis())
             ? Speculatable
             : NotSpeculatable;
}

/// Every index is checked.
Speculatability MaxUnpoolOp::getSpeculatability() { return NotSpeculatable; }

Speculatability MaxPoolGradOp::getSpeculatability() {
  auto outputGrad = dyn_cast<RankedTensorType>(getOutputGrad().getType());
  auto input = dyn_cast<RankedTensorType>(getInput().getType());
  bool isKnown = input && input.hasStaticShape() && outputGrad &&
                 outputGrad.hasStaticShape();
  return isKnown && !getIndices() && isSafeWindow(input, getWindow())
             ? Speculatable
             : NotSpeculatable;
}

Speculatability AvgPoolGradOp::getSpeculatability() {
  auto outputGrad = dyn_cast<RankedTensorType>(getOutputGrad().getType());
  return outputGrad && outputGrad.hasStaticShape() &&
                 getInputGrad().getType().hasStaticShape()
             ? Speculatable
             : NotSpeculatable;
}

/// On tensors of known extents and pads: C4 has been verified.
Speculatability WindowReduceOp::getSpeculatability() {
  bool isKnown = hasPureTensorSemantics() && getPadsBegin().empty() &&
                 getPadsEnd().empty() &&
                 llvm::all_of((*this)->getOperands(), [](Value operand) {
                   auto shaped = dyn_cast<ShapedType>(operand.getType());
                   return !shaped || !ShapedType::isDynamicShape(
                                         shaped.getShape().drop_front());
                 });
  return isKnown ? Speculatable : NotSpeculatable;
}
