// Reduces windows of a row by straight code. The row is in registers, as
// accumulators. Windows may have different sizes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWWINDOWS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWWINDOWS_H

#include "Emit/LaneReduction.h"

namespace mlir::pool {

/// The positions of a window from `begin` up to, but not including, `end`.
struct RowWindow {
  int64_t begin, end;

  int64_t getSize() const { return end - begin; }
};

class RowWindows {
public:
  /// The starts of `windows` ascend, and so do their ends. None is empty.
  RowWindows(const LaneReduction &reduction, SmallVector<RowWindow> windows)
      : reduction(reduction), windows(std::move(windows)),
        length(reduction.getLength()) {}

  /// About how many operations on vectors reduce() creates for all windows.
  int64_t getCodeSize() const;
  /// Reduces windows `first` and those after it to the lanes of one vector.
  /// `row` has the row's vectors.
  Accumulator reduce(KernelBuilder &at, ArrayRef<Accumulator> row,
                     int64_t first) const;

private:
  /// The windows of a vector.
  ArrayRef<RowWindow> getGroup(int64_t first) const {
    return ArrayRef(windows).drop_front(first).take_front(length);
  }
  int64_t getTapsSize(ArrayRef<RowWindow> group) const;
  int64_t getMergesSize(ArrayRef<RowWindow> group) const;

  /// One tap of all windows after the other.
  Accumulator reduceTaps(KernelBuilder &at, ArrayRef<Accumulator> row,
                         ArrayRef<RowWindow> group) const;
  Accumulator gather(KernelBuilder &at, ArrayRef<Accumulator> row,
                     ArrayRef<RowWindow> group, int64_t tap) const;
  /// One window, in lanes that are to be merged.
  Accumulator reduceWindow(KernelBuilder &at, ArrayRef<Accumulator> row,
                           const RowWindow &window) const;

  const LaneReduction &reduction;
  SmallVector<RowWindow> windows;
  int64_t length;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWWINDOWS_H
