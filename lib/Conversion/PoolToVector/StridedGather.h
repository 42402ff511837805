// What elements gather from windows with strides: each the sum of the windows
// that cover it, which are as many as fit into a window's length.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STRIDEDGATHER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STRIDEDGATHER_H

#include "IndexArithmetic.h"

namespace mlir::pool {

/// A dimension of the target. Window `o` covers the elements from
/// `o * stride - padBegin` on.
struct GatheredDim {
  int64_t kernel = 1, stride = 1;
  Value padBegin, numWindows, extent;

  /// The most windows that cover an element.
  int64_t getNumCovering() const { return (kernel + stride - 1) / stride; }
};

class StridedGather {
public:
  /// Whether there are loops for windows of `dim` along the last dimension.
  static bool hasLanes(const GatheredDim &dim);

  /// `source` has an element for each window and `target` is of the same float
  /// type; elements of both are consecutive in the last dimension.
  StridedGather(OpBuilder &b, Location loc, int64_t vectorBits, Value source,
                Value target, ArrayRef<GatheredDim> dims);

  void create();

private:
  /// The elements that `length` windows of a row from `first` on begin with.
  void emitStrip(ValueRange row, Value first, bool isInterior);
  /// Of each number of windows before, the lanes' sums over the other
  /// dimensions.
  SmallVector<Value> sumRows(ValueRange row, Value first, bool isInterior);
  Value load(ValueRange position, bool isInterior);
  /// Lanes of a vector at `first` that lie in [0, extent).
  Value getMask(Value first, Value extent);
  /// Windows that cover element `i`: the first, and the one after the last.
  std::pair<Value, Value> getCovering(const GatheredDim &dim, Value i);

  OpBuilder &b;
  Location loc;
  IndexArithmetic at;
  Value source, target;
  SmallVector<GatheredDim> dims;
  VectorType type;
  int64_t length;
  Value zeros;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STRIDEDGATHER_H
