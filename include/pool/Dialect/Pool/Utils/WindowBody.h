// Arithmetic on the elements of a window, shared by the lowerings of
// pool.window_reduce and of adaptive pooling. Signed types are computed as
// signless ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_WINDOWBODY_H
#define POOL_DIALECT_POOL_UTILS_WINDOWBODY_H

#include "pool/Dialect/Pool/Utils/Reductions.h"

namespace mlir::pool {

/// Returns the initial value of the accumulator of the first output, in the
/// signless form of `accType`. (The accumulator of positions starts as
/// kNoPosition.)
TypedAttr getWindowIdentity(OpBuilder &b, const ElementReduction &reduction);

/// Returns the value that padding counts as, in the signless form of
/// `inputType`.
TypedAttr getWindowPadding(OpBuilder &b, const ElementReduction &reduction);

/// Converts an element as the input stores it to the term that it adds to the
/// accumulator, in the signless form of `accType`. Here and below, values may
/// be vectors of elements.
Value prepareElement(ElementBuilder &b, const ElementReduction &reduction,
                     Value element);

/// Returns `acc` combined with `element`, which prepareElement has converted.
/// If NaNs are ignored, a NaN in `element` has no effect, but a NaN in `acc`
/// stays. Does not track positions.
Value combineElements(ElementBuilder &b, const ElementReduction &reduction,
                      Value element, Value acc);

/// Returns `acc` combined with `element`, which is as the input stores it.
Value accumulateElement(ElementBuilder &b, const ElementReduction &reduction,
                        Value element, Value acc);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_WINDOWBODY_H
