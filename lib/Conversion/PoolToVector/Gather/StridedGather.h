// Gathers, for each element, the sum of the windows that cover it, for any
// strides and dilations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_STRIDEDGATHER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_STRIDEDGATHER_H

#include "Gather/CoveringWindows.h"

namespace mlir::pool {

class StridedGather {
public:
  /// `source`, of floats, has an element for each window; `target` is of the
  /// same type, or of one that sums are rounded to. Elements of both are
  /// consecutive in the last dimension.
  StridedGather(OpBuilder &b, Location loc, int64_t vectorBits, Value source,
                Value target, ArrayRef<GatheredDim> dims);

  void create();

private:
  /// A loop over the coordinates of rows of elements, parallel but for
  /// `numTogether` rows behind what `begin` builds.
  void forEachRow(int64_t numTogether, function_ref<void()> begin,
                  function_ref<void(ValueRange row)> emit);
  /// Strides of the last dimension that are as many vectors.
  void emitStrips(ValueRange row);
  /// The elements that `length` windows of a row from `first` on begin with.
  void emitStrip(ValueRange row, Value first, bool isInterior);
  /// Lanes of windows before those from `first` on, added to `sum`.
  Value addWindows(ArrayRef<Value> position, const WindowsBefore &windows,
                   Value first, bool isInterior, Value sum);

  /// A row of windows: part of a buffer of several if `row` is not empty.
  struct WindowRow {
    Value buffer;
    SmallVector<Value> row;
  };
  /// True if several rows of windows cover a row of elements.
  bool needsSums() const;
  void allocateSums();
  /// The windows over a row of elements, summed over the other dimensions.
  WindowRow sumWindows(ValueRange row);
  /// Strides that are many vectors, one after the other.
  void emitStrides(ValueRange row, const WindowRow &sums);
  /// The elements of a stride, which begins at `begin`.
  void emitStride(ValueRange row, const WindowRow &sums, Value stride,
                  Value begin, bool isInterior);
  /// Gathers a vector that begins `offset` after the stride: window by window,
  /// where each covers several lanes; or tap by tap, where each belongs to one
  /// window and one lane.
  Value gatherInStride(const WindowRow &sums, Value stride, Value offset,
                       bool isInterior);
  Value gatherTaps(const WindowRow &sums, Value stride, Value offset);
  /// Adds the value of `window` to `sum` in `lanes`.
  Value addToLanes(const WindowRow &sums, Value window, Value lanes, Value sum);
  /// Lanes of a stride that a window covers, the first being the window's
  /// element `offset`.
  Value getTaps(Value offset);

  Value load(Value buffer, ArrayRef<Value> position, Value mask);
  /// Lanes of a vector at `first` that lie in [0, extent).
  Value getMask(Value first, Value extent);
  void store(Value sums, ArrayRef<Value> place, Value mask);

  OpBuilder &b;
  Location loc;
  KernelBuilder at;
  Value source, target;
  SmallVector<GatheredDim> dims;
  SmallVector<WindowsBefore> windowsBefore;
  VectorType type;
  int64_t length;
  Value zeros;
  /// A row of windows, summed over the other dimensions.
  Value sums;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_STRIDEDGATHER_H
