// Scatters elements to the positions that their indices name, slice by slice. A
// slice has the dimensions from `axis` on, and an index names a position of its
// slice.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXEDSCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXEDSCATTER_H

#include "Emit/KernelBuilder.h"

namespace mlir::pool {

class IndexedScatter {
public:
  /// Returns a property of the element at `position` of the source.
  using ElementFn =
      std::function<Value(KernelBuilder &at, ValueRange position)>;

  /// `source` and `indices` are buffers of the same extents; instead of
  /// `indices` there may be a function that gives them, of type index. `target`
  /// is one of all elements in row-major order, with their extents before
  /// `axis`. Without `accType` elements are written, the last in row-major
  /// order stays; else they are added to zero in that type and rounded once.
  /// `condition` says which elements count; null if all do.
  IndexedScatter(KernelBuilder &at, int64_t axis, int64_t vectorBits,
                 Value source, Value indices, Value target, Type accType,
                 ElementFn condition);
  IndexedScatter(KernelBuilder &at, int64_t axis, int64_t vectorBits,
                 Value source, ElementFn getIndex, Value target, Type accType);

  /// Loops over the slices: each is cleared, and then written.
  void create();

  /// A parallel loop over the coordinates of slices, in the dimensions before
  /// `axis`; none where there is but one slice.
  void forEachSlice(function_ref<void(ValueRange outer)> emit);
  /// The slice at coordinates `outer`.
  void emitSlice(ValueRange outer);

  /// Writes parts of slices by `emit`, which returns whether every index of the
  /// part names a position of the part. If one does not, the slice is written
  /// again as by create(). Parts have `extents`: the extents of slices, and of
  /// independent dimensions after them. `numTogether` positions of the last
  /// dimension follow each other after `begin`; see
  /// KernelBuilder::forEachTogether().
  void createParts(ArrayRef<OpFoldResult> extents, int64_t numTogether,
                   function_ref<void()> begin,
                   function_ref<Value(ValueRange outer)> emit);

private:
  /// Calls `emit` for the vectors of a slice of `length` lanes, with the first
  /// element's position and the lanes that exist, null if all do.
  void forEachVector(int64_t length,
                     function_ref<void(Value position, Value mask)> emit);
  void clear(Value buffer, ValueRange outer);
  /// Writes the elements of the source whose first coordinates are `position`.
  void scatter(Value buffer, ValueRange place, ValueRange position);
  void scatterElement(Value buffer, ValueRange place, ValueRange position);
  void round(Value sums, ValueRange outer);

  KernelBuilder &at;
  int64_t axis, vectorBits;
  Value source, indices, target;
  Type type, accType;
  ElementFn condition, getIndex;
  /// The number of positions of a slice.
  Value bound;
  std::optional<int64_t> knownBound;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXEDSCATTER_H
