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
  /// Strides of the last dimension that are as many vectors.
  void emitStrips(ValueRange row);
  /// The elements that `length` windows of a row from `first` on begin with.
  void emitStrip(ValueRange row, Value first, bool isInterior);
  /// Lanes of windows before those from `first` on, added to `sum`.
  Value addWindows(ArrayRef<Value> position, const WindowsBefore &windows,
                   Value first, bool isInterior, Value sum);

  /// Strides that are many vectors, one after the other.
  void emitStrides(ValueRange row);
  /// A buffer and the indices of the first of a row's windows, summed over the
  /// other dimensions.
  std::pair<Value, SmallVector<Value>> getRowSums(ValueRange row);
  /// The elements of a stride from `offset` on.
  Value gatherInStride(Value sums, ArrayRef<Value> place, Value stride,
                       Value offset);
  /// Lanes of a stride that a window covers, the first being the window's
  /// element `offset`.
  Value getTaps(Value offset);

  /// Calls `add` in loops over the windows of the other dimensions that cover
  /// `row`, with their coordinates and the sums so far.
  SmallVector<Value>
  sumOverRows(ValueRange row, ValueRange zeros,
              function_ref<SmallVector<Value>(ArrayRef<Value> position,
                                              ValueRange sums)>
                  add);
  Value load(Value buffer, ArrayRef<Value> position, Value mask);
  /// The first stride that has elements, and the one after the last.
  std::pair<Value, Value> getStrides();
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
