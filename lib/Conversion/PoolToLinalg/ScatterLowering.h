// Loops that read one tensor and write into another. Bufferisation makes the
// writes in place. The lowerings of max_unpool and the gradients share these
// loops.
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
/// Writes into the target at `position`, which is inside it. Returns the new
/// target.
using WriteFn =
    function_ref<Value(OpBuilder &, Location, Value, ValueRange position)>;

/// Creates a tensor of zeros. `elementType` may be a signed or unsigned
/// integer.
Value createZeros(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> shape,
                  Type elementType);

/// Creates scf.for loops from `lower` (0 if empty) to `upper` that carry
/// `target`. The loop over the last dimension is innermost. So if several
/// iterations write to an element, the last one in row-major order wins.
Value createLoops(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> lower,
                  ArrayRef<OpFoldResult> upper, Value target,
                  ScatterBodyFn body);

/// Adds the float `addend` to the element of `target` at `position`. Returns
/// the new target.
Value addToElement(OpBuilder &b, Location loc, Value target,
                   ValueRange position, Value addend);

/// Converts indices to positions of a tensor. An index is a flat position in
/// the dimensions from `axis` on. In the dimensions before `axis`, the position
/// is that of the index itself in the tensor of indices.
class IndexedPositions {
public:
  IndexedPositions(OpBuilder &b, Location loc, int64_t axis,
                   ArrayRef<OpFoldResult> shape);

  /// Calls `write` for the position that `index` means in `target`, and returns
  /// the new target. `index` is of type i32 or i64, and `position` is its place
  /// in the tensor of indices. `target` has the shape given to the constructor.
  /// Writes nothing if `index` is out of bounds, or if there is a `condition`
  /// and it is false.
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
