// What elements gather from windows: each the sum of the windows that cover it,
// whatever their strides and dilations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STRIDEDGATHER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STRIDEDGATHER_H

#include "CoveringWindows.h"

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
  /// A parallel loop over the coordinates of rows of elements.
  void forEachRow(function_ref<void(ValueRange row)> emit);
  /// Strides of the last dimension that are as many vectors.
  void emitStrips(ValueRange row);
  /// The elements that `length` windows of a row from `first` on begin with.
  void emitStrip(ValueRange row, Value first, bool isInterior);
  /// Lanes of windows before those from `first` on, added to `sum`.
  Value addWindows(ArrayRef<Value> position, const WindowsBefore &windows,
                   Value first, bool isInterior, Value sum);

  /// Of each row of elements a row of windows, summed over the other
  /// dimensions.
  Value getRowSums();
  /// Strides that are many vectors, one after the other.
  void emitStrides(ValueRange row, Value sums);
  /// The elements of a stride, which begins at `begin`.
  void emitStride(ValueRange row, Value sums, Value stride, Value begin,
                  bool isInterior);
  /// Those of a vector that begins `offset` later.
  Value gatherInStride(ValueRange row, Value sums, Value stride, Value offset,
                       bool isInterior);
  /// Lanes of a stride that a window covers, the first being the window's
  /// element `offset`.
  Value getTaps(Value offset);

  Value load(Value buffer, ArrayRef<Value> position, Value mask);
  /// Lanes of a vector at `first` that lie in [0, extent).
  Value getMask(Value first, Value extent);
  void store(Value sums, ArrayRef<Value> place, Value mask);

  OpBuilder &b;
  Location loc;
  IndexArithmetic at;
  Value source, target;
  SmallVector<GatheredDim> dims;
  SmallVector<WindowsBefore> windowsBefore;
  VectorType type;
  int64_t length;
  Value zeros;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STRIDEDGATHER_H
