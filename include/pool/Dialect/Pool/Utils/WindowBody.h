// Builds the code that combines the elements of a window, for the lowerings of
// pool.window_reduce and of adaptive pooling. Signed and unsigned types are
// computed as signless ones. Elements may be scalars or vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_WINDOWBODY_H
#define POOL_DIALECT_POOL_UTILS_WINDOWBODY_H

#include "pool/Dialect/Pool/Utils/Reductions.h"

namespace mlir::pool {

/// Returns the initial value of the accumulator of values or sums, in the
/// signless form of `accType`. The accumulator of positions, if there is one,
/// begins with kNoPosition.
TypedAttr getWindowIdentity(OpBuilder &b, const ElementReduction &reduction);

/// Returns the value that padding counts as, in the signless form of
/// `inputType`.
TypedAttr getWindowPadding(OpBuilder &b, const ElementReduction &reduction);

/// Returns the term that an element contributes to the accumulator, in the
/// signless form of `accType`. `element` is as the input stores it.
Value prepareElement(ElementBuilder &b, const ElementReduction &reduction,
                     Value element);

/// Returns `acc` combined with `element`, a result of prepareElement. In an
/// extremum that ignores NaN, a NaN in `element` has no effect, but a NaN in
/// `acc` stays. Does not track positions.
Value combineElements(ElementBuilder &b, const ElementReduction &reduction,
                      Value element, Value acc);

/// Returns `acc` combined with `element`, which is as the input stores it.
/// Calls prepareElement, then combineElements.
Value accumulateElement(ElementBuilder &b, const ElementReduction &reduction,
                        Value element, Value acc);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_WINDOWBODY_H
