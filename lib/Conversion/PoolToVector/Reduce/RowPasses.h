// Reduces the windows of a row along the lanes' direction, without shuffles: a
// pass combines each element with some that are further along the row, which it
// loads from memory.
//
// A pass makes runs that are a few times as long, here twice. Each letter
// is a lane:
//
//   row               a    b    c    d    e    f    g    h
//   pass 1: runs of 2 ab   bc   cd   de   ef   fg   gh   ..    row, row + 1
//   pass 2: runs of 4 abcd bcde cdef defg efgh ..              runs of 2, + 2
//   windows of 7      abcdefg bcdefgh ..                       runs of 4, + 3
//
// The last pass counts `d` twice in `abcdefg`, which an extremum may. A sum of
// seven adds a run of 4, a run of 2 and a lane of the row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H

#include "Reduce/BlockReduction.h"

namespace mlir::pool {

/// Windows at stride 1.
class RowPasses {
public:
  RowPasses(const LaneReduction &reduction, const KernelDim &columns);

  /// Number of buffers: the row, and the runs of each pass but the last.
  unsigned getNumBuffers() const { return runs.size(); }
  /// Number of vectors that all passes load for a vector of windows.
  int64_t getNumLoads() const;
  /// Makes all passes but the last, over `length` elements from `first` on.
  /// Buffers have one dimension; those of runs begin with element `first`.
  void emit(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers, Value first,
            Value length) const;
  /// Makes the last pass for one vector: returns the windows that begin at
  /// `element`, counted from `first`, and at the next lanes.
  Accumulator getWindows(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers,
                         Value first, Value element) const;

private:
  /// A run of a pass, `offset` taps further.
  struct Part {
    unsigned pass = 0;
    int64_t offset = 0;
  };
  /// The runs that one of `length` is made of, of passes before `end`.
  SmallVector<Part> split(int64_t length, unsigned end) const;
  Accumulator join(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers,
                   Value first, ArrayRef<Part> parts, Value element) const;

  const LaneReduction reduction;
  int64_t numTaps, dilation;
  /// Lengths of runs, of the row's elements first.
  SmallVector<int64_t> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
