// What the lowerings of max_unpool and the gradients share: loops over one
// tensor that write into another, in place once bufferised.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
#define POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

/// The body of a loop nest: induction variables and the target so far in, the
/// target out.
using ScatterBodyFn =
    function_ref<Value(OpBuilder &, Location, ValueRange position, Value)>;
/// Writes into the target at a position that lies inside it; the target out.
using WriteFn =
    function_ref<Value(OpBuilder &, Location, Value, ValueRange position)>;

/// A tensor of zeros; `elementType` may have a sign.
Value createZeros(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> shape,
                  Type elementType);

/// scf.for loops from `lower` (0 if empty) to `upper`, the last one innermost,
/// that carry `target`. In row-major order, so that the last write stays.
Value createLoops(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> lower,
                  ArrayRef<OpFoldResult> upper, Value target,
                  ScatterBodyFn body);

/// `target`, of a float type, with `addend` added to the element at `position`.
Value addToElement(OpBuilder &b, Location loc, Value target,
                   ValueRange position, Value addend);

/// The positions of a tensor as indices name them: flattened over the
/// dimensions from `axis` on, the dimensions before being the element's own.
class IndexedPositions {
public:
  IndexedPositions(OpBuilder &b, Location loc, int64_t axis,
                   ArrayRef<OpFoldResult> shape);

  /// Writes into `target`, of the given shape, at `index`, of type i32 or i64,
  /// for the element at `position` of the tensor of indices. Nothing is written
  /// where `index` names no position or `condition`, unless null, is false.
  Value writeAtIndex(OpBuilder &b, Location loc, Value target,
                     ValueRange position, Value index, Value condition,
                     WriteFn write);

private:
  int64_t axis;
  /// Of the dimensions from `axis` on.
  SmallVector<Value> extents;
  /// Number of positions that an index can name.
  Value bound;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
