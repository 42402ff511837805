// Loops that read one tensor and write into another, in place once bufferised.
// The lowerings of max_unpool and the gradients share them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
#define POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

/// Body of a loop nest: takes induction variables and the current target,
/// returns the new target.
using ScatterBodyFn =
    function_ref<Value(OpBuilder &, Location, ValueRange position, Value)>;
/// Writes into the target at a position inside it; returns the new target.
using WriteFn =
    function_ref<Value(OpBuilder &, Location, Value, ValueRange position)>;

/// Creates a tensor of zeros; `elementType` may have a sign.
Value createZeros(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> shape,
                  Type elementType);

/// Creates scf.for loops from `lower` (0 if empty) to `upper` that carry
/// `target`. The order is row-major, the last loop innermost, so that the last
/// write wins.
Value createLoops(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> lower,
                  ArrayRef<OpFoldResult> upper, Value target,
                  ScatterBodyFn body);

/// Adds `addend` to the element of `target`, of a float type, at `position`.
Value addToElement(OpBuilder &b, Location loc, Value target,
                   ValueRange position, Value addend);

/// Converts indices to positions of a tensor. An index is flattened over the
/// dimensions from `axis` on. In the dimensions before `axis`, the indexing
/// element's own coordinates count.
class IndexedPositions {
public:
  IndexedPositions(OpBuilder &b, Location loc, int64_t axis,
                   ArrayRef<OpFoldResult> shape);

  /// Writes into `target`, of the given shape, at `index`, of type i32 or i64,
  /// for the element at `position` of the tensor of indices. Writes nothing if
  /// `index` is out of bounds or `condition`, unless null, is false.
  Value writeAtIndex(OpBuilder &b, Location loc, Value target,
                     ValueRange position, Value index, Value condition,
                     WriteFn write);

private:
  int64_t axis;
  /// Extents of the dimensions from `axis` on.
  SmallVector<Value> extents;
  /// Number of positions that an index can name.
  Value bound;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
