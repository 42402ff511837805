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
/// inside the target, and the current target. Returns the new target. This is a
/// tensor that is written to, or another value that the loops carry.
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

/// Creates loops from 0 to `upper`, which has an extent for each dimension of
/// `target`. In the dimensions `independent`, which are sorted, each iteration
/// writes only at its own position. Loops over them are the outer ones and an
/// scf.forall, unless there are none. `body` gets a slice of `target`, whose
/// extent and position in these dimensions are 1 and 0. The order of the other
/// loops is that of createLoops().
Value createScatter(ElementBuilder &b, ArrayRef<unsigned> independent,
                    ArrayRef<OpFoldResult> upper, Value target, ScatterFn body);

/// Returns extents of two tensors of equal shape: for each dimension the first,
/// unless only the second is known.
SmallVector<OpFoldResult> getKnownExtents(ArrayRef<OpFoldResult> first,
                                          ArrayRef<OpFoldResult> second);

/// Adds the float `addend` to the element of `target` at `position`. Returns
/// the new target.
Value addToElement(ElementBuilder &b, ValueRange position, Value target,
                   Value addend);

/// Scatters by indices. An index is a flat position in the dimensions from
/// `axis` on. In the dimensions before `axis`, the position is that of the
/// index itself in the tensor of indices.
class IndexedScatter {
public:
  IndexedScatter(ElementBuilder &b, int64_t axis, ArrayRef<OpFoldResult> shape)
      : axis(axis), extents(b.value(shape.drop_front(axis))),
        bound(b.product(extents)) {}

  /// Creates loops over the indices, of extents `upper`, that write into
  /// `target`, which has the shape given to the constructor. `body` is called
  /// at each position, and calls writeAtIndex().
  Value createLoops(ElementBuilder &b, ArrayRef<OpFoldResult> upper,
                    Value target, ScatterFn body);
  /// Calls `write` for the position that the element of `indices` at `position`
  /// means in `slice`, and returns the new slice. Writes nothing if the index
  /// is out of bounds, or if there is a `condition` and it is false.
  Value writeAtIndex(ElementBuilder &b, Value indices, ValueRange position,
                     Value slice, Value condition, ScatterFn write);

private:
  int64_t axis;
  /// Extents of the dimensions from `axis` on.
  SmallVector<Value> extents;
  /// Number of positions that an index can name.
  Value bound;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
