// Reduces the windows along a row vector after vector: what neighbouring
// windows share stays in registers from one vector to the next, however long
// the row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_SLIDINGWINDOW_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_SLIDINGWINDOW_H

#include "Planes/RowRuns.h"

namespace mlir::pool {

/// Windows at stride 1, without positions. A window is made of runs, each of
/// two shorter ones; see splitRun().
class SlidingWindow {
public:
  SlidingWindow(const LaneReduction &reduction, const KernelDim &columns);

  /// How many vectors before the one that is pushed the windows begin that
  /// push() gives.
  int64_t getDelay() const { return runs.back().delay; }
  /// Vectors that are kept from one push() to the next.
  int64_t getStateSize() const;
  /// Combinations and shuffles of push().
  int64_t getNumOps() const { return 2 * (runs.size() - 1); }
  /// Returns the state before the first vector: nothing is known.
  SmallVector<Value> begin(KernelBuilder &at) const;
  /// Takes the next vector of the row, accumulators. Gives the windows that
  /// begin at each lane of the vector getDelay() before.
  Value push(KernelBuilder &at, Value source,
             SmallVectorImpl<Value> &state) const;

private:
  /// The parts of a run of `length` lanes.
  struct Run {
    int64_t length = 1;
    /// Indices of two shorter runs, the second `offset` columns further.
    unsigned first = 0, second = 0;
    int64_t offset = 0;
    /// How many vectors ago the newest known vector of the run was pushed.
    int64_t delay = 0;
    /// How many older ones are needed.
    int64_t numKept = 0;
  };
  unsigned addRun(int64_t length);
  /// Notes that run `index` is needed of the vector `delay` ago.
  void keep(unsigned index, int64_t delay);

  const LaneReduction reduction;
  int64_t length, dilation;
  /// Each run comes after its parts; the last one is the window.
  SmallVector<Run> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_SLIDINGWINDOW_H
