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
// While the stride is even, they halve the row. Passes make runs of
// strides. If the stride does not divide the window, the beginnings of strides
// are reduced as well. Windows of 7 at stride 3:
//
//   row                abc def ghi jkl mno pqr
//   strides            abc    def    ghi    jkl    ..     lanes
//   beginnings         a      d      g      j      ..
//   runs of 2 strides  abcdef defghi ghijkl ..
//   windows            abcdef and g, defghi and j, ..
//
// Windows with a dilation as well, or shorter than two strides, are computed at
// every element instead. Shuffles then choose one window of each stride.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H

#include "Reduce/BlockReduction.h"
#include "Reduce/RowWindows.h"

namespace mlir::pool {

/// Windows of `columns`.
class RowPasses {
public:
  RowPasses(const LaneReduction &reduction, const KernelDim &columns)
      : reduction(reduction), columns(columns),
        stride(columns.dilation == 1 && columns.kernel >= 2 * columns.stride
                   ? columns.stride
                   : 1),
        numTaps(columns.kernel / stride) {
    // A pass stores. Where combinations are cheap, fewer passes are faster,
    // though each loads more.
    int64_t factor = reduction.hasIndices() ? 2 : 4;
    for (int64_t length = 1; length < numTaps || runs.empty(); length *= factor)
      runs.push_back(length);
  }

  /// Number of buffers: the row, strides and their beginnings, and the runs of
  /// each pass but the last.
  unsigned getNumBuffers() const {
    return getFirstRun() + runs.size() + hasBeginnings();
  }

  unsigned getNumPasses() const { return runs.size(); }
  /// Number of elements of the row for each run of a pass.
  int64_t getRunStride() const { return stride; }
  /// Number of vectors that all passes load for a vector of windows.
  int64_t getNumLoads() const {
    int64_t numLoads = split(numTaps, runs.size()).size();
    for (unsigned pass = 1; pass < runs.size(); ++pass)
      numLoads += split(runs[pass], pass).size();
    return numLoads * getNumChosenFrom();
  }

  /// About how many operations a stride adds for a vector of windows.
  int64_t getStridesSize() const {
    if (getNumChosenFrom() > 1)
      return getStrides(columns.stride, 1).getCodeSize();
    if (stride == 1)
      return 0;
    // A halving is two shuffles and a combination for two vectors.
    int64_t odd = getOddStride(), size = stride + 3 * (stride - odd);
    if (odd > 1)
      size += getStrides(odd, odd).getCodeSize();
    if (hasBeginnings())
      size += getBeginnings().getCodeSize();
    return size;
  }

  /// Makes all passes but the last, over `length` elements from `first` on. The
  /// length is a multiple of the stride. Buffers have one dimension. The
  /// buffers after the row's begin with element `first`.
  void emit(KernelBuilder &b, ArrayRef<AccumulatorBuffer> buffers, Value first,
            Value length) const {
    if (stride > 1) {
      reduceStrides(b, buffers, first, length);
      length = b.divUnsigned(length, stride);
    }
    for (unsigned pass = 1; pass < runs.size(); ++pass)
      b.forEach(0, length, reduction.getLength(), [&](Value element) {
        buffers[getFirstRun() + pass].store(
            b, join(b, buffers, first, split(runs[pass], pass), element),
            element);
      });
  }

  /// Makes the last pass for one vector: returns window `window`, counted from
  /// `first`, and those after it in the next lanes.
  Accumulator getWindows(KernelBuilder &b, ArrayRef<AccumulatorBuffer> buffers,
                         Value first, Value window) const {
    SmallVector<Accumulator> row;
    Value element = b.mul(window, getNumChosenFrom());
    for (int64_t i = 0; i < getNumChosenFrom(); ++i)
      row.push_back(join(b, buffers, first, split(numTaps, runs.size()),
                         b.add(element, i * reduction.getLength())));
    if (row.size() > 1)
      return getStrides(columns.stride, 1).reduce(b, row, 0);
    if (!hasBeginnings())
      return row.front();
    Value place = b.add(window, numTaps);
    return reduction.choose(b, row.front(),
                            buffers.back().load(b, reduction, place));
  }

private:
  /// A run of a pass, `offset` taps further.
  struct Part {
    unsigned pass = 0;
    int64_t offset = 0;
  };
  bool hasBeginnings() const { return columns.kernel % stride != 0; }
  /// The buffer of the shortest runs: the row, or its strides.
  unsigned getFirstRun() const { return stride > 1; }
  /// Number of windows of the last pass, of which one is chosen.
  int64_t getNumChosenFrom() const { return columns.stride / stride; }
  /// The first `size` positions of each of a vector's strides of `stride`.
  RowWindows getStrides(int64_t stride, int64_t size) const {
    SmallVector<RowWindow> windows;
    for (int64_t lane = 0; lane < reduction.getLength(); ++lane)
      windows.push_back({lane * stride, lane * stride + size});
    return RowWindows(reduction, windows);
  }

  /// The stride after all halvings.
  int64_t getOddStride() const {
    return stride >> llvm::countr_zero(static_cast<uint64_t>(stride));
  }
  /// True if halvings keep the beginnings: single elements of a few vectors.
  bool halvesBeginnings() const {
    return columns.kernel % stride == 1 && stride <= reduction.getLength();
  }
  RowWindows getBeginnings() const {
    return getStrides(halvesBeginnings() ? getOddStride() : stride,
                      columns.kernel % stride);
  }

  void reduceStrides(KernelBuilder &b, ArrayRef<AccumulatorBuffer> buffers,
                     Value first, Value length) const {
    Value numStrides = b.divUnsigned(length, stride);
    b.forEach(0, numStrides, reduction.getLength(), [&](Value number) {
      Value place = b.add(first, b.mul(number, stride));
      SmallVector<Accumulator> row;
      for (int64_t i = 0; i < stride; ++i)
        row.push_back(buffers[0].load(b, reduction,
                                      b.add(place, i * reduction.getLength())));
      // Combines the first `size` elements of each two neighbours.
      auto halve = [&](SmallVector<Accumulator> &lanes, int64_t size) {
        size_t half = lanes.size() / 2;
        for (size_t i = 0; i < half; ++i)
          lanes[i] =
              getStrides(2, size).reduce(b, ArrayRef(lanes).slice(2 * i, 2), 0);
        lanes.truncate(half);
      };
      SmallVector<Accumulator> begun(row);
      while (row.size() % 2 == 0) {
        if (halvesBeginnings())
          halve(begun, 1);
        halve(row, 2);
      }
      RowWindows strides = getStrides(row.size(), row.size());
      buffers[1].store(b, strides.reduce(b, row, 0), number);
      if (hasBeginnings())
        buffers.back().store(b, getBeginnings().reduce(b, begun, 0), number);
    });
  }

  /// The runs that one of `length` is made of, of passes before `end`.
  SmallVector<Part> split(int64_t length, unsigned end) const {
    SmallVector<Part> parts;
    int64_t offset = 0;
    for (unsigned pass = end; pass-- > 0 && offset < length;) {
      for (; offset + runs[pass] <= length; offset += runs[pass])
        parts.push_back({pass, offset});
      if (offset < length && !parts.empty() && reduction.isIdempotent()) {
        // One more run overlaps the last one.
        parts.push_back({pass, length - runs[pass]});
        break;
      }
    }
    return parts;
  }

  Accumulator join(KernelBuilder &b, ArrayRef<AccumulatorBuffer> buffers,
                   Value first, ArrayRef<Part> parts, Value element) const {
    Accumulator lanes;
    for (const Part &part : parts) {
      Value place = b.add(element, part.offset * columns.dilation);
      unsigned buffer = getFirstRun() + part.pass;
      if (buffer == 0)
        place = b.add(first, place);
      lanes =
          reduction.choose(b, lanes, buffers[buffer].load(b, reduction, place));
    }
    return lanes;
  }

  const LaneReduction reduction;
  KernelDim columns;
  /// Elements that are reduced to one before runs.
  int64_t stride;
  /// Taps, or whole strides, of a window.
  int64_t numTaps;
  /// Lengths of runs, of the row's elements or strides first.
  SmallVector<int64_t> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
