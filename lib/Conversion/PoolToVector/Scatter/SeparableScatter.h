// The gradient of an extremum without indices, for windows that separate into
// rows and columns. Every row is reduced by its windows along the row, and
// windows choose among the rows. The gradient takes the same way back. So a
// window of k x k elements takes 2k comparisons there and 2k back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SEPARABLESCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SEPARABLESCATTER_H

#include "Scatter/PlaneScatter.h"

namespace mlir::pool {

/// Loops over rows of windows, one a step. Rows are counted from the first row
/// of the padding.
/// For each newly covered row, a step stores the value that its windows along
/// the row choose, its tap, and the gradient of the choice in a ring of row
/// buffers. Rows of windows add to these gradients.
/// Rows that no later window covers gather from the buffers one step later,
/// because a vector that was just stored cannot be loaded soon from another
/// first column.
/// Ignored NaN becomes a value that is never chosen. Slices in which a window
/// met nothing else are written again, window by window.
class SeparableScatter : private PlaneScatter {
public:
  /// Takes the buffers of the gradient of `emitter.problem`.
  SeparableScatter(const ScatterEmitter &emitter, const WindowShape &shape);

  /// Loops that write every position.
  void create();

private:
  void allocateBuffers();
  /// True if what was chosen is right; null if it always is.
  Value emitPlane(ValueRange outer);
  /// Reduces what row `r` of windows is the first to cover, and adds their
  /// gradient; nothing if there is no such row.
  void chooseRowIfThere(ValueRange outer, Value r,
                        MutableArrayRef<Value> suspects);
  /// Adds the gradient of row `r` of windows to the rows that they choose. Sets
  /// lanes of `suspects`, of i1, for windows that met only ignored NaN or
  /// never-chosen values.
  void scatterRow(ValueRange outer, Value r, MutableArrayRef<Value> suspects);
  void scatterVector(ValueRange places, Value firstTap, ValueRange position,
                     const LaneRange &range, MutableArrayRef<Value> suspects);
  /// Stores a row of the plane.
  void gatherRow(ValueRange outer, Value row);
  /// Stores a row, of the sums that `getSums` gives for each strip.
  void storeTarget(ValueRange outer, Value row,
                   function_ref<SmallVector<Value>(Value firstStride)> getSums);
  /// The vector of sums of each class.
  SmallVector<Value> gatherStrip(Value place, Value firstStride);

  /// The row of the buffers that a row is in.
  Value getPlace(Value row);
  int64_t getNumPlaces() const;
  /// Emits a test that a row is one of the plane's, and returns its number
  /// there too.
  std::pair<Value, Value> getInside(Value row);
  /// Reduces the rows that row `r` of windows is the first to reach or to pass.
  /// A row outside the input has only never-chosen values.
  void reduceNewRows(ValueRange outer, Value r);
  void reduceRow(ValueRange outer, Value row);
  /// A vector of windows from `first` on, `known` where it reaches over an end
  /// of the row.
  void reduceVector(ValueRange outer, Value row, Value place, Value first,
                    std::optional<int64_t> known);
  /// Returns prepared elements of tap `tap` of a vector of windows. `loaded`
  /// caches vectors by their column, counted from the first window.
  Value loadTap(ValueRange rowIndices, Value first,
                std::optional<int64_t> known, int64_t tap,
                DenseMap<int64_t, Value> &loaded);
  Value loadPrepared(ValueRange rowIndices, Value first,
                     std::optional<int64_t> known, int64_t offset);
  /// The position in its slice that the window of an element of the source
  /// chooses, whatever there is in it.
  Value chooseElement(ValueRange position);

  /// Rows that windows reach over.
  int64_t getNumReached() const;
  /// True if every row that is new in a step is one that each window along it
  /// chooses from.
  bool addsToEachNewRow() const;

  const ScatterEmitter &emitter;
  Value input;
  LaneReduction choice;
  Preference preference;
  /// Values, taps, and gradients of windows along rows.
  Value values, taps, gradients;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SEPARABLESCATTER_H
