// Says which operations are speculatable. A speculatable operation may be
// executed although the program would not execute it, for example after it was
// hoisted out of a loop that has no iterations. An operation is speculatable
// only if no run-time check can reject it. Otherwise a check that is inserted
// after the hoisting could stop a correct program.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMethods.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;
using Speculation::NotSpeculatable;
using Speculation::Speculatability;
using Speculation::Speculatable;

/// True if all extents except the batch are known. Then the verifier has
/// checked the rules about extents, and no run-time check repeats them.
static bool hasKnownImages(RankedTensorType type) {
  return !ShapedType::isDynamicShape(type.getShape().drop_front());
}

/// True if Extremum.C2 (i32 can represent every index) needs no run-time check:
/// there are no i32 indices, or the number of positions from `axis` on is
/// known.
static bool hasKnownIndexBound(RankedTensorType type, Value indices,
                               int64_t axis) {
  return !indices || !getElementTypeOrSelf(indices.getType()).isInteger(32) ||
         !ShapedType::isDynamicShape(type.getShape().drop_front(axis));
}

static bool isSafeWindow(Type input, const WindowAttrs &window) {
  auto type = dyn_cast<RankedTensorType>(input);
  return type && hasKnownImages(type) && !mayLackByteCount(type, window);
}

static bool isSafeAdaptive(AdaptiveOpInterface op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || !hasKnownImages(type))
    return false;
  SmallVector<int64_t> output(type.getShape());
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  for (auto [i, outputSize] : llvm::enumerate(op.getOutputSize()))
    output[dims.getSpatialDim(i)] = outputSize;
  return !mayLackByteCount(output, type);
}

static Speculatability speculateIf(bool isSafe) {
  return isSafe ? Speculatable : NotSpeculatable;
}

Speculatability pool::detail::getWindowSpeculatability(WindowOpInterface op) {
  Type input = op.getInput().getType();
  if (!isSafeWindow(input, op.getWindow()))
    return NotSpeculatable;
  auto extremum = dyn_cast<ExtremumOpInterface>(op.getOperation());
  return speculateIf(!extremum ||
                     hasKnownIndexBound(cast<RankedTensorType>(input),
                                        extremum.getIndices(),
                                        extremum.getNormalizedAxis()));
}

Speculatability
pool::detail::getAdaptiveSpeculatability(AdaptiveOpInterface op) {
  if (!isSafeAdaptive(op))
    return NotSpeculatable;
  auto maximum = dyn_cast<AdaptiveMaxPoolOp>(op.getOperation());
  return speculateIf(
      !maximum ||
      hasKnownIndexBound(cast<RankedTensorType>(op.getInput().getType()),
                         maximum.getIndices(), maximum.getNormalizedAxis()));
}

/// Never speculatable: a run-time check reads every index.
Speculatability MaxUnpoolOp::getSpeculatability() { return NotSpeculatable; }

static bool hasStaticShape(Value tensor) {
  return cast<TensorType>(tensor.getType()).hasStaticShape();
}

Speculatability
pool::detail::getExtremumGradSpeculatability(ExtremumGradOpInterface op) {
  return speculateIf(hasStaticShape(op.getInput()) &&
                     hasStaticShape(op.getOutputGrad()) && !op.getIndices() &&
                     isSafeWindow(op.getInput().getType(), op.getWindow()));
}

Speculatability AvgPoolGradOp::getSpeculatability() {
  return speculateIf(hasStaticShape(getOutputGrad()) &&
                     hasStaticShape(getInputGrad()));
}

/// Speculatable on tensors if the pads and all extents except the batch are
/// known, because the verifier has then checked WindowReduce.C4. Never
/// speculatable on buffers.
Speculatability WindowReduceOp::getSpeculatability() {
  bool isKnown = hasPureTensorSemantics() && getPadsBegin().empty() &&
                 getPadsEnd().empty() &&
                 llvm::all_of((*this)->getOperands(), [](Value operand) {
                   auto shaped = dyn_cast<ShapedType>(operand.getType());
                   return !shaped || !ShapedType::isDynamicShape(
                                         shaped.getShape().drop_front());
                 });
  return speculateIf(isKnown);
}
