// The integer arithmetic over linalg.index by which front ends compute how many
// elements a window has, evaluated rather than matched: whatever its form, it
// is compared with the rule at every output.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// An integer expression that depends on one loop of a linalg operation.
class LoopFunction {
public:
  /// The value at position `position` of the loop; none where it overflows its
  /// type or divides by zero.
  std::optional<int64_t> evaluate(int64_t position) const;

  /// The loop, or none for a constant.
  std::optional<unsigned> loop;

private:
  friend class CountParser;
  enum class Kind {
    Constant,
    Index,
    Add,
    Sub,
    Mul,
    Min,
    Max,
    TruncDiv,
    FloorDiv,
    CeilDiv,
    Mod,
  };
  /// One step of a program over earlier steps.
  struct Step {
    Kind kind;
    /// Bits of the type of the result.
    unsigned width;
    int64_t constant = 0;
    unsigned lhs = 0, rhs = 0;
  };
  SmallVector<Step> steps;
};

/// A product of functions of one loop each and of a constant.
struct CountExpression {
  int64_t constant = 1;
  /// At most one for each loop.
  SmallVector<LoopFunction> factors;
  /// Bits of the narrowest type that a partial product passes through.
  unsigned width = 64;

  const LoopFunction *getFactor(unsigned loop) const;
};

/// Reads `count`, an integer or index in or above the body of `op`. On failure
/// `reason` says why.
FailureOr<CountExpression> parseCount(Value count, linalg::LinalgOp op,
                                      std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H
