// Creates the affine operations of AffineBuilder.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/AffineBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pool;

OpFoldResult AffineBuilder::apply(AffineExpr expr,
                                  ArrayRef<OpFoldResult> operands) const {
  return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
}

OpFoldResult AffineBuilder::applyMin(ArrayRef<AffineExpr> exprs,
                                     ArrayRef<OpFoldResult> operands) const {
  return affine::makeComposedFoldedAffineMin(b, loc, getMap(exprs, operands),
                                             operands);
}

OpFoldResult AffineBuilder::applyMax(ArrayRef<AffineExpr> exprs,
                                     ArrayRef<OpFoldResult> operands) const {
  return affine::makeComposedFoldedAffineMax(b, loc, getMap(exprs, operands),
                                             operands);
}

OpFoldResult AffineBuilder::multiply(OpFoldResult lhs, OpFoldResult rhs) const {
  return b.createOrFold<arith::MulIOp>(
      loc, getValueOrCreateConstantIndexOp(b, loc, lhs),
      getValueOrCreateConstantIndexOp(b, loc, rhs));
}
