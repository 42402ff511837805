// Loops that scatter: they read one tensor and write to computed positions of
// another, the target. The lowerings of max_unpool and of the gradients use
// them. Bufferization makes the writes in place. Three elements with indices:
//
//   source    a  b  c      indices   1  4  4
//   target    0  a  0  0  c    0     max_unpool: the last write wins
//   target    0  a  0  0  b+c  0     gradients add
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
#define POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H

#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool {

/// Function that builds one iteration or one write. It takes the current
/// target, and returns the new one. As the body of loops, it gets their
/// induction variables as `position`. As a `write` function, it gets a position
/// in the target. Loops may also carry a value other than a tensor as the
/// target.
using ScatterFn =
    function_ref<Value(ElementBuilder &b, ValueRange position, Value target)>;

/// Creates a tensor of zeros. `elementType` may be a float or an integer of any
/// signedness.
Value createZeros(ElementBuilder &b, ArrayRef<OpFoldResult> shape,
                  Type elementType);

/// Creates scf.for loops from `lower` to `upper`, or from 0 if `lower` is
/// empty. They carry `target`, and the result is the last target. The loop over
/// the last dimension is innermost. So if several iterations write to an
/// element, the last one in row-major order wins.
Value createLoops(ElementBuilder &b, ArrayRef<OpFoldResult> lower,
                  ArrayRef<OpFoldResult> upper, Value target, ScatterFn body);

/// Creates loops from 0 to `upper`, which has an extent for each dimension of
/// `target`. `independent` has sorted dimensions in which each iteration writes
/// only at its own position. Loops over these dimensions become one scf.forall
/// around the other loops. In it, `body` gets the full position, and a slice of
/// `target` that has extent 1 in these dimensions: write at 0 there. Without
/// `independent`, `body` gets the whole target. The other loops have the order
/// of createLoops().
Value createScatter(ElementBuilder &b, ArrayRef<unsigned> independent,
                    ArrayRef<OpFoldResult> upper, Value target, ScatterFn body);

/// Returns the extents of two tensors of equal shape: for each dimension the
/// first extent if it is a constant, else the second.
SmallVector<OpFoldResult> getKnownExtents(ArrayRef<OpFoldResult> first,
                                          ArrayRef<OpFoldResult> second);

/// Adds the float `addend` to the element of `target` at `position`. Returns
/// the new target.
Value addToElement(ElementBuilder &b, ValueRange position, Value target,
                   Value addend);

/// Scatters by indices. An index is a row-major position over the dimensions
/// from `axis` on. In the dimensions before `axis`, the target's position is
/// that of the index in the tensor of indices.
class IndexedScatter {
public:
  IndexedScatter(ElementBuilder &b, int64_t axis, ArrayRef<OpFoldResult> shape)
      : axis(axis), extents(b.value(shape.drop_front(axis))),
        bound(b.product(extents)) {}

  /// Creates loops over the positions of the indices, whose tensor has the
  /// extents `upper`. They write into `target`, which must have the shape given
  /// to the constructor. `body` must call writeAtIndex() with its slice.
  Value createLoops(ElementBuilder &b, ArrayRef<OpFoldResult> upper,
                    Value target, ScatterFn body);
  /// Reads the element of `indices` at `position`, and calls `write` with the
  /// position in `slice` that this index means. Returns the new slice. Writes
  /// nothing if the index is out of bounds, or if `condition` is not null and
  /// is false.
  Value writeAtIndex(ElementBuilder &b, Value indices, ValueRange position,
                     Value slice, Value condition, ScatterFn write);

private:
  int64_t axis;
  /// Extents of the dimensions from `axis` on.
  SmallVector<Value> extents;
  /// Upper bound of the indices: the product of `extents`.
  Value bound;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
