// Evaluates the integer arithmetic over linalg.index by which front ends count
// the elements of a window. Callers compare the results with the counts that
// they expect at every output, so the form of the arithmetic does not matter.
// For example, with a kernel of 3, pads of 1 and an extent of 4, a front end
// may write this for output o:
//
//   min(o + 2, 4) - max(o - 1, 0)        o = 0 1 2 3 gives 2 3 3 2
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// An integer expression that depends on at most one loop of a linalg
/// operation.
class LoopFunction {
public:
  /// Returns the value at `position` of the loop. Returns nothing if a step
  /// overflows its type, or divides by a number that is not positive.
  std::optional<int64_t> evaluate(int64_t position) const;

  /// The loop that the expression depends on. Not set for a constant.
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
  /// One step of a straight-line program. `lhs` and `rhs` are the numbers of
  /// earlier steps, whose results are the operands.
  struct Step {
    Kind kind;
    /// Bits of the result's type.
    unsigned width;
    int64_t constant = 0;
    unsigned lhs = 0, rhs = 0;
  };
  SmallVector<Step> steps;
};

/// A number of elements: `constant` times the product of `factors`. Each factor
/// depends on one loop.
struct CountExpression {
  int64_t constant = 1;
  /// At most one factor for each loop.
  SmallVector<LoopFunction> factors;
  /// Number of bits of the narrowest type that the IR uses for a partial
  /// product, at most 64.
  unsigned width = 64;

  const LoopFunction *getFactor(unsigned loop) const;
};

/// Parses `count`, an integer or index value that is defined in or above the
/// body of `op`. On failure, `reason` says why.
FailureOr<CountExpression> parseCount(Value count, linalg::LinalgOp op,
                                      std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_COUNTARITHMETIC_H
