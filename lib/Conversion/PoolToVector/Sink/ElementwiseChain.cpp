// Which elementwise operations are fused into a pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sink/ElementwiseChain.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pool;

/// True if a lane that does not exist, of any value, may end the program.
/// Upstream calls these pure.
static bool mayTrap(Operation &op) {
  if (!isa<arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp, math::IPowIOp>(
          op))
    return false;
  APInt divisor;
  return !matchPattern(op.getOperand(1), m_ConstantInt(&divisor)) ||
         divisor.isZero() || divisor.isAllOnes();
}

/// True for operations of a body that have a form on vectors.
static bool hasVectorForm(Operation &op) {
  if (mayTrap(op))
    return false;
  if (isa<linalg::IndexOp, linalg::YieldOp, affine::AffineApplyOp,
          affine::AffineMinOp, affine::AffineMaxOp, UnrealizedConversionCastOp>(
          op))
    return true;
  return op.getNumRegions() == 0 && op.getNumResults() == 1 && isPure(&op) &&
         (op.hasTrait<OpTrait::ConstantLike>() ||
          OpTrait::hasElementwiseMappableTraits(&op)) &&
         VectorType::isValidElementType(op.getResult(0).getType());
}

/// True if lanes along any dimension can be read by way of `map`: it takes each
/// coordinate at most once, or constants.
static bool hasVectorRead(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    if (isa<AffineConstantExpr>(expr))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
  }
  return true;
}

/// True if elements lie in a vector as in memory, where i1 takes a byte, i24
/// four and f80 sixteen.
static bool isPackedAlike(Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  return width >= 8 && llvm::isPowerOf2_32(width);
}

/// True if `op` maps `value` element by element to its only result.
static bool isFusable(linalg::LinalgOp op, Value value) {
  if (op->getNumResults() != 1 || !op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      op->getBlock() != value.getDefiningOp()->getBlock())
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  if (!op.getMatchingIndexingMap(init).isIdentity() ||
      op.payloadUsesValueFromOperand(init) || init->get() == value ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (operand->get() == value ? !map.isIdentity() : !hasVectorRead(map))
      return false;
    Type type = operand->get().getType();
    if (!VectorType::isValidElementType(getElementTypeOrSelf(type)))
      return false;
    Type element = getElementTypeOrSelf(type);
    if (element.isIntOrFloat() && !isPackedAlike(element))
      return false;
  }
  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  if (!result.isIntOrFloat() || !isPackedAlike(result))
    return false;
  return llvm::all_of(*op.getBlock(), hasVectorForm);
}

ElementwiseChain::ElementwiseChain(Value result) : start(result) {
  while (true) {
    Value value = getResult();
    Operation *user = nullptr;
    for (Operation *other : value.getUsers()) {
      if (user && other != user)
        return;
      user = other;
    }
    auto op = dyn_cast_if_present<linalg::LinalgOp>(user);
    if (!op || !isFusable(op, value))
      return;
    ops.push_back(op);
  }
}

void ElementwiseChain::cutBefore(Operation *op) {
  auto *it = llvm::find_if(
      ops, [&](linalg::LinalgOp other) { return other.getOperation() == op; });
  ops.erase(it, ops.end());
}

SmallVector<Value> ElementwiseChain::getOperands() const {
  SmallVector<Value> operands;
  Value value = start;
  for (linalg::LinalgOp op : ops) {
    for (OpOperand *operand : op.getDpsInputOperands())
      if (operand->get() != value && isa<TensorType>(operand->get().getType()))
        operands.push_back(operand->get());
    value = op->getResult(0);
  }
  return operands;
}
