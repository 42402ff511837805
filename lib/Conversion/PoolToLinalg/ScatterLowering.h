// Loops that read one tensor and write into another. Bufferisation makes the
// writes in place. The lowerings of max_unpool and the gradients share these
// loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
#define POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H

#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool {

/// Takes a position, which is the induction variables of a loop nest or lies
/// inside the target, and the current target. Returns the new target.
using ScatterFn =
    function_ref<Value(ElementBuilder &b, ValueRange position, Value target)>;

/// Creates a tensor of zeros. `elementType` may be a signed or unsigned
/// integer.
Value createZeros(ElementBuilder &b, ArrayRef<OpFoldResult> shape,
                  Type elementType);

/// Creates scf.for loops from `lower` (0 if empty) to `upper` that carry
/// `target`. The loop over the last dimension is innermost. So if several
/// iterations write to an element, the last one in row-major order wins.
Value createLoops(ElementBuilder &b, ArrayRef<OpFoldResult> lower,
                  ArrayRef<OpFoldResult> upper, Value target, ScatterFn body);

/// Adds the float `addend` to the element of `target` at `position`. Returns
/// the new target.
Value addToElement(ElementBuilder &b, ValueRange position, Value target,
                   Value addend);

/// Converts indices to positions of a tensor. An index is a flat position in
/// the dimensions from `axis` on. In the dimensions before `axis`, the position
/// is that of the index itself in the tensor of indices.
class IndexedPositions {
public:
  IndexedPositions(ElementBuilder &b, int64_t axis,
                   ArrayRef<OpFoldResult> shape)
      : axis(axis), extents(b.value(shape.drop_front(axis))),
        bound(b.product(extents)) {}

  /// Calls `write` for the position that `index` means in `target`, and returns
  /// the new target. `index` is of type i32 or i64, and `position` is its place
  /// in the tensor of indices. `target` has the shape given to the constructor.
  /// Writes nothing if `index` is out of bounds, or if there is a `condition`
  /// and it is false.
  Value writeAtIndex(ElementBuilder &b, ValueRange position, Value target,
                     Value index, Value condition, ScatterFn write);

private:
  int64_t axis;
  /// Extents of the dimensions from `axis` on.
  SmallVector<Value> extents;
  /// Number of positions that an index can name.
  Value bound;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
