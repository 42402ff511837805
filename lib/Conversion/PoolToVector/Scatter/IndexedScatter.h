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
  /// Takes the indices of `emitter`. If there is `getIndex`, takes what it
  /// gives instead, of type index. An index counts the target's elements in
  /// row-major order.
  explicit IndexedScatter(const ScatterEmitter &emitter,
                          SourceElementFn getIndex = {});

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
  void emitSlice(ValueRange outer);
  void clear(Value buffer, ValueRange outer);
  /// Writes the elements of the source's slice at `outer` to that at `place`.
  void scatter(Value buffer, ValueRange place, ValueRange outer);
  void round(Value sums, ValueRange outer);

  const ScatterEmitter &emitter;
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
  SourceElementFn getIndex;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXEDSCATTER_H
