// Creates loops that scatter: they read one tensor and write to computed
// positions of another tensor, the target. The lowerings of max_unpool and of
// the gradients use these loops. Bufferisation makes the writes in place. Three
// elements with indices:
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

/// Function that creates the code of one loop iteration, or of one write. It
/// takes the current target, and returns the new target. `position` has the
/// induction variables if the function is the body of loops. It has a position
/// in the target if the function is a `write`. createLoops() also accepts a
/// target that is not a tensor, for example an index.
using ScatterFn =
    function_ref<Value(ElementBuilder &b, ValueRange position, Value target)>;

/// Creates a tensor of zeros. `elementType` may be a float or an integer of any
/// signedness.
Value createZeros(ElementBuilder &b, ArrayRef<OpFoldResult> shape,
                  Type elementType);

/// Creates scf.for loops over [lower, upper), or [0, upper) if `lower` is
/// empty. They carry `target` as iteration argument. Returns the target after
/// the last iteration. The loop over the last dimension is innermost. So if
/// several iterations write to an element, the last one in row-major order
/// wins.
Value createLoops(ElementBuilder &b, ArrayRef<OpFoldResult> lower,
                  ArrayRef<OpFoldResult> upper, Value target, ScatterFn body);

/// Creates loops over [0, upper), with a loop for each dimension of `target`.
/// `independent` lists dimensions, in ascending order, in which an iteration
/// writes only at its own coordinate. The loops over these dimensions become
/// one scf.forall, and the other loops are inside of it, in the order of
/// createLoops(). `body` gets the coordinates of all loops as position. Its
/// target is a slice that has extent 1 in the independent dimensions, so it
/// must write at coordinate 0 there. If `independent` is empty, the target is
/// the whole tensor.
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

/// Scatters elements to positions that indices name. An index is a row-major
/// position over the target's dimensions from `axis` on. In the dimensions
/// before `axis`, an element is written at the coordinates that its index has
/// in the tensor of indices.
class IndexedScatter {
public:
  IndexedScatter(ElementBuilder &b, int64_t axis, ArrayRef<OpFoldResult> shape)
      : axis(axis), extents(b.value(shape.drop_front(axis))),
        bound(b.product(extents)) {}

  /// Creates loops over the positions of the indices, whose tensor has the
  /// extents `upper`. They write into `target`, which must have the shape given
  /// to the constructor. `body` must call writeAtIndex() with the slice that it
  /// gets, and return the new slice.
  Value createLoops(ElementBuilder &b, ArrayRef<OpFoldResult> upper,
                    Value target, ScatterFn body);
  /// Reads the element of `indices` at `position`, and calls `write` with the
  /// position in `slice` that this index names. Returns the new slice. Writes
  /// nothing if the index is out of bounds, or if `condition` is not null and
  /// is false.
  Value writeAtIndex(ElementBuilder &b, Value indices, ValueRange position,
                     Value slice, Value condition, ScatterFn write);

private:
  int64_t axis;
  /// Extents of the dimensions from `axis` on.
  SmallVector<Value> extents;
  /// Exclusive upper bound of the indices: the product of `extents`.
  Value bound;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_SCATTERLOWERING_H
