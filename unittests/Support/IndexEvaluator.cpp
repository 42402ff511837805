// Evaluates index arithmetic that the symbolic window rules have built, so that
// tests can compare it with numbers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IndexEvaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool::test;

int64_t IndexEvaluator::get(OpFoldResult value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  return numbers.lookup(cast<Value>(value));
}

std::optional<int64_t> IndexEvaluator::evaluate(AffineExpr expr,
                                                unsigned numDims,
                                                ArrayRef<int64_t> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];

  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> lhs = evaluate(binary.getLHS(), numDims, operands);
  std::optional<int64_t> rhs = evaluate(binary.getRHS(), numDims, operands);
  if (!lhs || !rhs)
    return std::nullopt;
  int64_t result;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::AddOverflow(*lhs, *rhs, result) ? std::nullopt
                                                 : std::optional(result);
  case AffineExprKind::Mul:
    return llvm::MulOverflow(*lhs, *rhs, result) ? std::nullopt
                                                 : std::optional(result);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*lhs, *rhs);
  default:
    return std::nullopt;
  }
}

bool IndexEvaluator::evaluate(Operation *op, int64_t &result) {
  if (auto constant = dyn_cast<arith::ConstantIndexOp>(op)) {
    result = constant.value();
    return true;
  }
  if (auto mul = dyn_cast<arith::MulIOp>(op))
    return !llvm::MulOverflow(get(mul.getLhs()), get(mul.getRhs()), result);
  AffineMap map;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getAffineMap();
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getMap();
  else if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    map = max.getMap();
  else
    return false;

  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults()) {
    std::optional<int64_t> value = evaluate(expr, map.getNumDims(), operands);
    if (!value)
      return false;
    results.push_back(*value);
  }
  result = isa<affine::AffineMinOp>(op) ? *llvm::min_element(results)
                                        : *llvm::max_element(results);
  return true;
}

bool IndexEvaluator::run(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    int64_t result;
    if (!evaluate(op, result))
      return false;
    set(op->getResult(0), result);
  }
  return true;
}
