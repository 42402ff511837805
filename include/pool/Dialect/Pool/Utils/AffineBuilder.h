// Arithmetic of the symbolic rules.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_AFFINEBUILDER_H
#define POOL_DIALECT_POOL_UTILS_AFFINEBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::pool {

/// Affine arithmetic on index values. Folds constants, and creates affine ops
/// only if an operand is a value. A derived class may compute with other ops,
/// for example on the lanes of vectors.
class AffineBuilder {
public:
  AffineBuilder(OpBuilder &b, Location loc) : b(b), loc(loc) {}
  virtual ~AffineBuilder() = default;

  /// Return the value of the expression, the least value and the greatest
  /// value. Symbol `i` of the expressions is `operands[i]`.
  virtual OpFoldResult apply(AffineExpr expr,
                             ArrayRef<OpFoldResult> operands) const;
  virtual OpFoldResult applyMin(ArrayRef<AffineExpr> exprs,
                                ArrayRef<OpFoldResult> operands) const;
  virtual OpFoldResult applyMax(ArrayRef<AffineExpr> exprs,
                                ArrayRef<OpFoldResult> operands) const;
  /// Returns a product of two values, which is not affine.
  virtual OpFoldResult multiply(OpFoldResult lhs, OpFoldResult rhs) const;

  AffineExpr symbol(unsigned i) const { return b.getAffineSymbolExpr(i); }
  AffineExpr number(int64_t value) const {
    return b.getAffineConstantExpr(value);
  }
  OpFoldResult known(int64_t value) const { return b.getIndexAttr(value); }

protected:
  AffineMap getMap(ArrayRef<AffineExpr> exprs,
                   ArrayRef<OpFoldResult> operands) const {
    return AffineMap::get(0, operands.size(), exprs, b.getContext());
  }

private:
  OpBuilder &b;
  Location loc;
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_AFFINEBUILDER_H
