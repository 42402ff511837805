// Scatters elements into a target of blocks, one for each element, whose index
// names a position of its block. Maxima over windows that do not overlap have
// such indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_BLOCKSCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_BLOCKSCATTER_H

#include "Scatter/IndexedScatter.h"
#include "Scatter/ScatterPlan.h"

namespace mlir::pool {

class BlockScatter {
public:
  /// Takes the buffers of an IndexedScatter for `emitter.problem`.
  BlockScatter(const ScatterEmitter &emitter, const BlockShape &shape);

  /// Loops that write every block from the element of its own, zeros and all.
  /// Slices with an index that names no position of its block are then written
  /// by `anyIndices`. Stores go past the caches if it `streams` and the target
  /// is aligned.
  void create(IndexedScatter &anyIndices, bool streams);

private:
  /// Stores go past the caches if it `streams`, here and below.
  void createLoops(IndexedScatter &anyIndices, bool streams);
  /// Returns the bytes of a vector.
  int64_t getStoreBytes() const;
  /// True if all indices of the rows at `outer` name positions of their blocks.
  Value emitRows(ValueRange outer, bool streams);
  /// Adds, to each lane of `counts`, how many indices of it name positions of
  /// their blocks. `row` has the coordinates of rows. The first dimension after
  /// the parallel ones goes from `lower` to `upper`, those after it are whole.
  void countRows(ValueRange row, Value lower, Value upper, Value &counts,
                 bool streams);
  void countRow(ValueRange row, Value &counts, bool streams);
  /// Counts a strip of a row: `numLanes` elements from `column` on.
  void countStrip(ValueRange row, Value column, int64_t numLanes, Value &counts,
                  bool streams);
  /// Indices as distances from the first positions of their blocks; more than
  /// any of a block where they are before it or after it.
  Value getDistances(Value indexLanes, ValueRange row, Value column);
  void forEachBlockRow(function_ref<void(ArrayRef<int64_t> row)> emit);
  int64_t getFactor(int64_t d) const { return targetShape[d] / sourceShape[d]; }

  KernelBuilder &at;
  Value source, indices, target;
  ArrayRef<int64_t> sourceShape, targetShape;
  int64_t axis, rank;
  int64_t length, numParallel;
  /// Strides of the target's dimensions, in elements of a slice.
  SmallVector<int64_t> strides;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_BLOCKSCATTER_H
