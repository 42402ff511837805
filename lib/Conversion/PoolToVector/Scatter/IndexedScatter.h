// Scatters elements to the positions that their indices name, slice by slice. A
// slice has the dimensions from `axis` on, and an index names a position of its
// slice.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXEDSCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXEDSCATTER_H

#include "Scatter/ScatterPlan.h"

namespace mlir::pool {

class IndexedScatter {
public:
  /// Returns a property of the element at `position` of the source.
  using ElementFn =
      std::function<Value(KernelBuilder &at, ValueRange position)>;

  /// Takes the buffers of `emitter`, of which `source` and `indices` have the
  /// same extents; instead of `indices` there may be `getIndex`, which gives
  /// them as type index. The target is one of all elements in row-major order.
  /// Without `accType` elements are written, the last in row-major order stays;
  /// else they are added to zero in that type and rounded once. `condition`
  /// says which elements count; null if all do.
  IndexedScatter(const ScatterEmitter &emitter, Type accType,
                 ElementFn condition, ElementFn getIndex = {});

  /// Loops over the slices: each is cleared, and then written.
  void create();
  /// Writes parts of slices by `emit`, which returns whether every index of the
  /// part names a position of the part. If one does not, the slice is written
  /// again as by create(). The first `numParallel` dimensions of the target
  /// have a part at each of their positions. They are the dimensions of slices,
  /// and independent ones after them. `numTogether` positions of the last of
  /// them follow each other after `begin`; see
  /// KernelBuilder::forEachTogether().
  void createParts(int64_t numParallel, int64_t numTogether,
                   function_ref<void()> begin,
                   function_ref<Value(ValueRange outer)> emit);

private:
  /// A parallel loop over the slices at coordinates `outer`.
  void forEachSlice(function_ref<void(ValueRange outer)> emit);
  void emitSlice(ValueRange outer);
  void clear(Value buffer, ValueRange outer);
  /// Writes the elements of the source whose first coordinates are `position`.
  void scatter(Value buffer, ValueRange place, ValueRange position);
  void scatterElement(Value buffer, ValueRange place, ValueRange position);
  void round(Value sums, ValueRange outer);

  KernelBuilder &at;
  int64_t axis;
  Value source, indices;
  /// The target, with one dimension for those from `axis` on.
  Value target;
  /// Extents of the target as it is given, and the number of positions of a
  /// slice.
  SmallVector<Value> extents;
  Value bound;
  Type type, accType;
  ElementFn condition, getIndex;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXEDSCATTER_H
