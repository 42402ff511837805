// Sliding-window reduction of a row by doubling, through memory. Lanes are
// neighboring elements of the row.
//
// A run is the reduction of some neighboring elements. For each element of the
// row, a pass computes the run that begins there, by combining shorter runs. It
// stores the runs in a buffer. The next pass loads them from any element on, so
// that it needs no shuffles. Each pass makes runs twice or four times as long
// (below, twice). Each column is a lane:
//
//   row               a    b    c    d    e    f    g    h
//   pass 1: runs of 2 ab   bc   cd   de   ef   fg   gh   ..    row, row + 1
//   pass 2: runs of 4 abcd bcde cdef defg efgh ..              runs of 2, + 2
//   windows of 7      abcdefg bcdefgh ..                       runs of 4, + 3
//
// The last pass counts `d` twice in `abcdefg`, which does not change an
// extremum. A sum of seven combines a run of 4, a run of 2 and an element of
// the row.
//
// At stride s, the row is cut into segments of s elements. Shuffles reduce each
// segment to one lane. If s is even, the first shuffles combine neighboring
// elements, which halves the segments, as long as their length is even. Then
// passes make runs of segments. If s does not divide the window, the window
// also has the first elements of one more segment. These are reduced to a lane
// of another buffer, the beginnings. Windows of 7 at stride 3:
//
//   row                  abc def ghi jkl mno pqr
//   segments             abc    def    ghi    jkl    ..     lanes
//   beginnings           a      d      g      j      ..
//   runs of 2 segments   abcdef defghi ghijkl ..
//   windows              abcdef and g, defghi and j, ..
//
// There are no segments if windows have a dilation or are shorter than two
// strides. Then passes compute a window at every element, and shuffles choose
// every s-th of these windows.
//
// SlidingWindow.h does this in registers, for stride 1 without an index.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H

#include "Reduce/BlockReduction.h"
#include "Reduce/RowWindows.h"

namespace mlir::pool {

/// Emits the passes over a row for windows of `columns`.
class RowPasses {
public:
  RowPasses(const LaneReduction &reduction, const KernelDim &columns)
      : reduction(reduction), columns(columns),
        stride(columns.dilation == 1 && columns.kernel >= 2 * columns.stride
                   ? columns.stride
                   : 1),
        numTaps(columns.kernel / stride) {
    // Each pass stores its runs. If combinations are cheap, fewer passes are
    // faster, although each of them loads more vectors.
    int64_t factor = reduction.hasIndices() ? 2 : 4;
    for (int64_t length = 1; length < numTaps || runs.empty(); length *= factor)
      runs.push_back(length);
  }

  /// Returns the number of buffers for emit(). Their order is: the row; its
  /// segments, if there are any; the runs of each pass except the last; the
  /// beginnings of segments, if windows need them.
  unsigned getNumBuffers() const {
    return getFirstRun() + runs.size() + hasBeginnings();
  }

  unsigned getNumPasses() const { return runs.size(); }
  /// Returns the distance of neighboring runs in elements of the row: the
  /// length of a segment, or 1 if there are no segments.
  int64_t getRunStride() const { return stride; }
  /// Returns the number of vectors that all passes together load for one vector
  /// of windows. The loads that reduce segments to lanes do not count.
  int64_t getNumLoads() const {
    int64_t numLoads = split(numTaps, runs.size()).size();
    for (unsigned pass = 1; pass < runs.size(); ++pass)
      numLoads += split(runs[pass], pass).size();
    return numLoads * getNumChosenFrom();
  }

  /// Returns the approximate number of operations that reduce segments, or that
  /// choose windows, per vector of windows. Returns 0 for stride 1.
  int64_t getStridesSize() const {
    if (getNumChosenFrom() > 1)
      return getStrides(columns.stride, 1).getCodeSize();
    if (stride == 1)
      return 0;
    // Halving makes one vector of two, by two shuffles and a combination.
    int64_t odd = getOddStride(), size = stride + 3 * (stride - odd);
    if (odd > 1)
      size += getStrides(odd, odd).getCodeSize();
    if (hasBeginnings())
      size += getBeginnings().getCodeSize();
    return size;
  }

  /// Emits all passes except the last, over `length` elements of the row from
  /// element `first` on. `length` must be a multiple of getRunStride().
  /// `buffers` has getNumBuffers() buffers of one dimension. Element `first` of
  /// the row belongs to element 0 of the other buffers. Passes load and store
  /// whole vectors, so all buffers must extend beyond the last run.
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

  /// Emits the last pass for one vector of windows, and returns the vector:
  /// lane i has window `window + i`. Window 0 begins at element `first` of the
  /// row. emit() must have filled `buffers`.
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
  /// A shorter run that is a part of a longer run or of a window. Pass `pass`
  /// computes the shorter run; pass 0 is the row or its segments. `offset` is
  /// the distance from the beginning of the longer run, in taps or segments.
  struct Part {
    unsigned pass = 0;
    int64_t offset = 0;
  };
  bool hasBeginnings() const { return columns.kernel % stride != 0; }
  /// Returns the index of the buffer with the shortest runs: the row, or its
  /// segments.
  unsigned getFirstRun() const { return stride > 1; }
  /// Returns the number of windows that the last pass computes for each output.
  /// Shuffles choose one of these.
  int64_t getNumChosenFrom() const { return columns.stride / stride; }
  /// Returns the RowWindows that reduce segments to lanes. Lane i of their
  /// result combines `size` elements of the row from element `i * stride` on.
  RowWindows getStrides(int64_t stride, int64_t size) const {
    SmallVector<RowWindow> windows;
    for (int64_t lane = 0; lane < reduction.getLength(); ++lane)
      windows.push_back({lane * stride, lane * stride + size});
    return RowWindows(reduction, windows);
  }

  /// Returns the length of segments after they were halved until it is odd.
  int64_t getOddStride() const {
    return stride >> llvm::countr_zero(static_cast<uint64_t>(stride));
  }
  /// True if the beginnings of segments can be halved like the segments. This
  /// requires that a beginning is one element, and that a segment is not longer
  /// than a vector.
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
      // Replaces each pair of vectors by one vector. Its lane i combines the
      // elements 2 * i and 2 * i + 1 if `size` is 2, and has element 2 * i if
      // `size` is 1.
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

  /// Returns the runs that together make a run of `length`. All are results of
  /// passes before pass `end`.
  SmallVector<Part> split(int64_t length, unsigned end) const {
    SmallVector<Part> parts;
    int64_t offset = 0;
    for (unsigned pass = end; pass-- > 0 && offset < length;) {
      for (; offset + runs[pass] <= length; offset += runs[pass])
        parts.push_back({pass, offset});
      if (offset < length && !parts.empty() && reduction.isIdempotent()) {
        // The run that ends at `length` has the rest. It overlaps the run
        // before, which does not change an extremum.
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
  /// Number of elements in a segment; 1 if there are no segments.
  int64_t stride;
  /// Number of whole segments in a window; of its taps if there are no
  /// segments.
  int64_t numTaps;
  /// Length of the runs that each pass makes, in segments, or in taps if there
  /// are no segments. The first length is 1: pass 0 is the row or its segments.
  SmallVector<int64_t> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWPASSES_H
