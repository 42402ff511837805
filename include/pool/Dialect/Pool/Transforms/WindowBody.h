// The arithmetic of pool.window_reduce on elements, which its lowerings share.
// Signed types are computed on as signless ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Where the accumulator of the first output begins, of its signless type. The
/// positions begin as kNoPosition.
TypedAttr getWindowIdentity(OpBuilder &b, WindowReduceOp op);

/// What padding counts as, of the input's signless element type.
TypedAttr getWindowPadding(OpBuilder &b, WindowReduceOp op);

/// What an element of the input adds to a window, `element` as stored; of the
/// first output's signless type. Here and below, values may be vectors of
/// elements.
Value prepareElement(OpBuilder &b, Location loc, WindowReduceOp op,
                     Value element);

/// The reduction of two prepared elements. Of `acc` alone a NaN is kept that is
/// to be ignored. Positions are not followed.
Value combineElements(OpBuilder &b, Location loc, WindowReduceOp op,
                      Value element, Value acc);

/// The accumulator after an element of the input, as stored.
Value accumulateElement(OpBuilder &b, Location loc, WindowReduceOp op,
                        Value element, Value acc);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
