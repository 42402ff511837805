// Reduces the windows of a row along the lanes' direction. A pass combines each
// element with some that are further along the row. It loads them from memory,
// so that it needs no shuffles.
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
// With a stride, shuffles first reduce each stride of the row to one lane.
// While the stride is even, they may halve the row first. Passes make runs of
// strides. If the stride does not divide the window, the beginnings of strides
// are reduced as well. Windows of 7 at stride 3:
//
//   row                abc def ghi jkl mno pqr
//   strides            abc    def    ghi    jkl    ..     lanes
//   beginnings         a      d      g      j      ..
//   runs of 2 strides  abcdef defghi ghijkl ..
//   windows            abcdef and g, defghi and j, ..
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H

#include "Reduce/BlockReduction.h"
#include "Reduce/RowWindows.h"

namespace mlir::pool {

/// Windows of `columns`. They may have a stride or a dilation, but not both.
class RowPasses {
public:
  RowPasses(const LaneReduction &reduction, const KernelDim &columns);

  /// Number of buffers: the row, strides and their beginnings, and the runs of
  /// each pass but the last.
  unsigned getNumBuffers() const {
    return getFirstRun() + runs.size() + hasBeginnings();
  }
  /// Number of vectors that all passes load for a vector of windows.
  int64_t getNumLoads() const;
  /// About how many operations reduce the strides of a vector.
  int64_t getStridesSize() const;
  /// Makes all passes but the last, over `length` elements from `first` on. The
  /// length is a multiple of the stride. Buffers have one dimension. The
  /// buffers after the row's begin with element `first`.
  void emit(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers, Value first,
            Value length) const;
  /// Makes the last pass for one vector: returns window `window`, counted from
  /// `first`, and those after it in the next lanes.
  Accumulator getWindows(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers,
                         Value first, Value window) const;

private:
  /// A run of a pass, `offset` taps further.
  struct Part {
    unsigned pass = 0;
    int64_t offset = 0;
  };
  bool hasBeginnings() const { return columns.kernel % columns.stride != 0; }
  /// The buffer of the shortest runs: the row, or its strides.
  unsigned getFirstRun() const { return columns.stride > 1; }
  /// The first `size` positions of each of a vector's strides of `stride`.
  RowWindows getStrides(int64_t stride, int64_t size) const;
  RowWindows getBeginnings() const {
    return getStrides(columns.stride, columns.kernel % columns.stride);
  }
  /// How often halving the row takes the fewest operations, and how many these
  /// are, with those that reduce the strides that are left.
  std::pair<int64_t, int64_t> getHalvings() const;
  /// Combines each element of even number with the next one: half as many
  /// vectors.
  SmallVector<Accumulator> halve(KernelBuilder &at,
                                 ArrayRef<Accumulator> row) const;
  void reduceStrides(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers,
                     Value first, Value length) const;
  /// The runs that one of `length` is made of, of passes before `end`.
  SmallVector<Part> split(int64_t length, unsigned end) const;
  Accumulator join(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers,
                   Value first, ArrayRef<Part> parts, Value element) const;

  const LaneReduction reduction;
  KernelDim columns;
  /// Taps, or whole strides, of a window.
  int64_t numTaps;
  /// Lengths of runs, of the row's elements or strides first.
  SmallVector<int64_t> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
