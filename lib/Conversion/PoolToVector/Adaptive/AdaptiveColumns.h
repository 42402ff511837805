// Reduces the columns of windows of several sizes from a row in registers whose
// elements are accumulators already, by straight code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVECOLUMNS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVECOLUMNS_H

#include "Emit/LaneReduction.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// The windows of a row of known width.
class AdaptiveColumns {
public:
  AdaptiveColumns(const LaneReduction &reduction, const AdaptiveDim &dim)
      : reduction(reduction), dim(dim), length(reduction.getLength()) {}

  /// About how many operations on vectors reduce() creates for a row.
  int64_t getCodeSize() const;
  /// Reduces a row's columns, given as accumulators, to the vector of outputs
  /// from `first` on.
  Accumulator reduce(KernelBuilder &at, ArrayRef<Accumulator> row,
                     int64_t first) const;

private:
  int64_t getEnd(int64_t first) const {
    return std::min(first + length, dim.output);
  }
  /// The position of a tap: past the window's end, its last.
  int64_t getPosition(int64_t o, int64_t tap) const {
    return std::min(dim.getStart(o) + tap, dim.getEnd(o) - 1);
  }
  int64_t getTapsSize(int64_t first) const;
  int64_t getMergesSize(int64_t first) const;
  /// Vectors of the row that `tap` of the outputs from `first` on lies in.
  SmallVector<int64_t> getVectors(int64_t first, int64_t tap) const;

  /// One tap of all outputs after the other.
  Accumulator reduceTaps(KernelBuilder &at, ArrayRef<Accumulator> row,
                         int64_t first) const;
  Accumulator gather(KernelBuilder &at, ArrayRef<Accumulator> row,
                     int64_t first, int64_t tap) const;
  /// One window, in lanes that are to be merged.
  Accumulator reduceWindow(KernelBuilder &at, ArrayRef<Accumulator> row,
                           int64_t o) const;

  const LaneReduction &reduction;
  AdaptiveDim dim;
  int64_t length;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVECOLUMNS_H
