// Proves bounds of index values from the operations that define the values.
//
// A proof looks at a limited number of operations, so that its time does not
// grow with the program. If a function returns false, the bound may still hold.
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

/// Returns an i1 that is true if the product of `extents`, taken as unsigned
/// integers, is at most `limit`. The condition is right even if the product
/// would wrap around. With an extent of 0, it may be false although the product
/// is 0: other extents may exceed the limit. Returns null if all extents are
/// attributes, which the verifier has checked.
Value createProductFits(OpBuilder &b, Location loc,
                        ArrayRef<OpFoldResult> extents, int64_t limit);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_INDEXBOUNDS_H
