// Builds index arithmetic for SymbolicWindowRules.h and
// SymbolicAdaptiveRules.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_AFFINEBUILDER_H
#define POOL_DIALECT_POOL_UTILS_AFFINEBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::pool {

/// Computes affine expressions of index values. Folds constants, and creates
/// affine operations only if an operand is a value. A derived class may create
/// other operations, for example on vectors of indices. Symbol `i` of an
/// expression stands for `operands[i]`.
class AffineBuilder {
public:
  AffineBuilder(OpBuilder &b, Location loc) : b(b), loc(loc) {}
  virtual ~AffineBuilder() = default;

  /// Returns the value of `expr` for `operands`.
  virtual OpFoldResult apply(AffineExpr expr,
                             ArrayRef<OpFoldResult> operands) const;
  /// Returns the least of the values of `exprs`.
  virtual OpFoldResult applyMin(ArrayRef<AffineExpr> exprs,
                                ArrayRef<OpFoldResult> operands) const;
  /// Returns the greatest of the values of `exprs`.
  virtual OpFoldResult applyMax(ArrayRef<AffineExpr> exprs,
                                ArrayRef<OpFoldResult> operands) const;
  /// Returns `lhs * rhs` as a Value of index type. Use it if neither factor is
  /// known, because apply() cannot multiply two unknown operands.
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
