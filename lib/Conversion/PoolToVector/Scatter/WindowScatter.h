// Elements that go where an index says, where indices are those of windows that
// may overlap: every position of a plane adds the elements of those windows
// that cover it and name it, in their order, as vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWSCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWSCATTER_H

#include "Scatter/IndexedScatter.h"
#include "Scatter/PlaneScatter.h"

namespace mlir::pool {

/// A step for each row of windows. Their indices become distances from the
/// first positions of their windows, in a buffer of a few rows, with the
/// elements beside them. For one vector of strides of columns after the other,
/// elements are added to as many rows of sums as a window reaches over. The
/// rows of a stride that no later window covers are stored, the others are
/// carried to the next step by a buffer.
class WindowScatter : private PlaneScatter {
public:
  /// The buffers are those of an IndexedScatter, of `emitter.problem`.
  WindowScatter(const ScatterEmitter &emitter, const WindowShape &shape);

  /// Loops that write every position. Slices with an index that names none of
  /// its own window are then written by `anyIndices`.
  void create(IndexedScatter &anyIndices);

private:
  /// The largest that there are in each lane: columns, distances from the first
  /// column of the window, and positions in the plane. As unsigned, what is
  /// before the first is large.
  struct Largest {
    Value column, distance, position;

    SmallVector<Value, 3> get() const { return {column, distance, position}; }
    static Largest of(ValueRange values) {
      return {values[0], values[1], values[2]};
    }
  };

  /// The buffers of planes, with no windows beside those that are written.
  void allocateBuffers();
  /// Whether all indices of the plane at `outer` are of their own windows.
  Value emitPlane(ValueRange outer);
  /// The row of the buffers that row `r` of windows is in.
  Value getPlace(Value r);
  /// Codes row `r` of windows; one of none if that does not exist.
  Largest codeRowIfThere(ValueRange outer, Value planeBegin, Value r,
                         Largest largest);
  Largest codeRow(ValueRange outer, Value planeBegin, Value r, Largest largest);
  /// Windows from `position` on, `numLanes` of them.
  Largest codeVector(ArrayRef<Value> position, Value planeBegin, Value rowBegin,
                     Value place, int64_t numLanes, Largest largest);
  /// Codes of no windows in row `place`.
  void clearCodes(Value place);
  /// Adds row `r` of windows, and stores.
  void gatherRow(ValueRange outer, Value r);
  /// The same for the strides of columns from `first` on, which are
  /// `numColumns` columns.
  void gatherStrip(ValueRange outer, Value r, Value first, int64_t numColumns);
  void storeCarried(ArrayRef<Value> sums, Value first);
  /// Adds a row of windows to `sums`, a row of classes for each row that the
  /// windows reach over.
  void addRow(Value place, Value first, MutableArrayRef<Value> sums);

  /// Lanes of the unsigned maximum; those that `mask`, unless null, leaves out
  /// keep what they have.
  Value getLarger(Value largest, Value lanes, Value mask);

  Value indices;
  /// Of distances, of elements, and of sums for the next step.
  Value codes, elements, carried;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWSCATTER_H
