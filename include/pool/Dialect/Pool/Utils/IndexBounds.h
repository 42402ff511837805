// Proves bounds of index values from the operations that define the values.
//
// A proof looks at a limited number of operations, so that its time does not
// grow with the program. So `false` does not mean that a bound is wrong: it may
// hold but not be proved.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_INDEXBOUNDS_H
#define POOL_DIALECT_POOL_UTILS_INDEXBOUNDS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mlir::pool {

/// True if upstream's value bounds prove `lhs cmp rhs`. Extents of results of
/// elementwise operations on tensors count as unknown, because upstream's
/// analysis crashes on them (docs/Internals/upstream/passes.md).
bool isProven(const ValueBoundsConstraintSet::Variable &lhs,
              ValueBoundsConstraintSet::ComparisonOperator cmp,
              const ValueBoundsConstraintSet::Variable &rhs);

/// True if it is proved that `value` is at least `bound`. `value` is a constant
/// or a value of index type.
bool isAtLeast(OpFoldResult value, int64_t bound);

/// True if it is proved that `value` is at most `bound`. `value` is a constant
/// or a value of index type.
bool isAtMost(OpFoldResult value, int64_t bound);

/// Returns the condition that the product of `extents`, taken as unsigned, is
/// at most `limit`, even if the product itself would wrap around. An extent of
/// 0 does not make it true: the other extents may still exceed the limit.
/// Returns null if all extents are attributes, which the verifier has checked.
Value createProductFits(OpBuilder &b, Location loc,
                        ArrayRef<OpFoldResult> extents, int64_t limit);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_INDEXBOUNDS_H
