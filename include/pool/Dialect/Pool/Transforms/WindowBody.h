// The arithmetic of pool.window_reduce on one element, which its lowerings
// share. Signed types are computed on as signless ones.
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

/// The accumulator after an element of the input; `element` as stored, `acc`
/// and the result of the first output's signless type. Positions are not
/// followed.
Value accumulateElement(OpBuilder &b, Location loc, WindowReduceOp op,
                        Value element, Value acc);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
