// Evaluates the integer arithmetic over linalg.index by which front ends count
// the elements of a window. Values are compared with the rule at every output,
// so no form of the arithmetic has to be matched.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// An integer or index in or above the body of a linalg operation that depends
/// on at most one of its loops.
class LoopFunction {
public:
  /// On failure `reason` says why.
  static FailureOr<LoopFunction> get(Value value, linalg::LinalgOp op,
                                     std::string &reason);

  /// Folds the value at position `position` of the loop; none if it does not
  /// fold, as a division by zero.
  std::optional<int64_t> evaluate(int64_t position) const;

  /// Number of the loop; none for a constant.
  std::optional<unsigned> loop;

private:
  Value value;
  /// The operations that compute the value, producers first.
  SmallVector<Operation *> ops;
};

/// Product of a constant and of functions of one loop each.
struct CountExpression {
  int64_t constant = 1;
  /// At most one factor for each loop.
  SmallVector<LoopFunction> factors;
  /// Bits of the narrowest type that a partial product passes through.
  unsigned width = 64;

  const LoopFunction *getFactor(unsigned loop) const;
};

/// Splits `count` at its multiplications and casts. On failure `reason` says
/// why.
FailureOr<CountExpression> parseCount(Value count, linalg::LinalgOp op,
                                      std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H
