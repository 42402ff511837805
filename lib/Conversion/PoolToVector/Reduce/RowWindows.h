// Reduces each window of a row to one lane, by straight-line code. The row is
// in registers. Windows may have different sizes, as in adaptive pooling. There
// are two ways; the one with the shorter code is emitted:
//
// 1. Taps. For each tap, shuffles gather that tap of all windows into one
// vector. These vectors are combined. Three windows of three columns at stride
// 2:
//
//   row      a  b  c  d  e  f  g  h
//   tap 0    a  c  e  .
//   tap 1    b  d  f  .
//   tap 2    c  e  g  .      lane 0 combines a, b and c
//
// 2. Merges, a tree across lanes. First each window has its own vector. Then
// two vectors merge to one, which has half of its lanes for each of the two
// windows. The next merges do the same with these vectors. Four windows of four
// lanes, where `aa` is a combination of two lanes of `aaaa`:
//
//   window 0  a  a  a  a
//   window 1  b  b  b  b      aa bb aa bb
//   window 2  c  c  c  c                     aaaa bbbb cccc dddd
//   window 3  d  d  d  d      cc dd cc dd
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWWINDOWS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWWINDOWS_H

#include "Emit/LaneReduction.h"

namespace mlir::pool {

/// Merges two vectors to one: combines pairs of lanes of each vector, so that
/// each has half of the lanes of the result. With `distance` 1, (a, b, c, d)
/// and (e, f, g, h) become (ab, ef, cd, gh). In general, lane l combines lanes
/// `l & ~distance` and `l | distance` of one vector: of `lhs` if `l & distance`
/// is 0, else of `rhs`. `distance` must be a power of two.
inline Accumulator mergeLanes(KernelBuilder &b, const LaneReduction &reduction,
                              Accumulator lhs, Accumulator rhs,
                              int64_t distance) {
  int64_t length = reduction.getLength();
  auto shuffle = [&](bool isWith) {
    return shuffleLanes(b, lhs, rhs, mapLanes(length, [&](int64_t lane) {
                          return (lane & distance ? length : 0) +
                                 (isWith ? lane | distance : lane & ~distance);
                        }));
  };
  Accumulator without = shuffle(false);
  return reduction.choose(b, without, shuffle(true));
}

/// Returns a vector whose lane i combines all lanes of `reduce(i)`, for i below
/// `numWindows`, which must be at most the number of lanes. The other lanes may
/// have any value.
///
/// With `windowLanes`, each vector `reduce(i)` has several windows side by
/// side. Each window has `windowLanes` lanes, a power of two, and `numWindows`
/// is the number of vectors. The result has one lane for each window. The
/// windows of `reduce(0)` come first, followed by those of `reduce(1)`, and so
/// on.
inline Accumulator mergeWindows(KernelBuilder &b,
                                const LaneReduction &reduction,
                                int64_t numWindows,
                                function_ref<Accumulator(int64_t)> reduce,
                                std::optional<int64_t> windowLanes = {}) {
  SmallVector<Accumulator> accs;
  auto mergeLast = [&](int64_t distance) {
    Accumulator rhs = accs.pop_back_val();
    accs.back() = mergeLanes(b, reduction, accs.back(), rhs, distance);
  };
  // Merge two vectors as soon as both exist, so that few registers are needed.
  auto mergeFrom = [&](int64_t numDone, int64_t distance) {
    for (; numDone % (2 * distance) == 0; distance *= 2)
      mergeLast(distance);
  };
  int64_t numDone = 0;
  while (numDone < numWindows) {
    accs.push_back(reduce(numDone));
    mergeFrom(++numDone, 1);
  }
  // If `numWindows` is not a power of two, merge the last vector with itself.
  int64_t end = windowLanes.value_or(reduction.getLength());
  for (int64_t distance = 1; distance < end; distance *= 2) {
    if (numDone % (2 * distance) == 0)
      continue;
    accs.push_back(accs.back());
    mergeLast(distance);
    mergeFrom(numDone += distance, 2 * distance);
  }
  // Now lane l has window l / end of vector l % end. Bring windows into order.
  int64_t numEach = reduction.getLength() / end;
  return shuffleLanes(b, accs.front(), accs.front(),
                      mapLanes(reduction.getLength(), [&](int64_t lane) {
                        return lane % numEach * end + lane / numEach;
                      }));
}

/// Returns a vector whose lane i combines all lanes of `reduce(i)`, as
/// mergeWindows() does. Emits a loop over the windows, so `numWindows` may be
/// unknown. Lanes from `numWindows` on are accumulators of no elements.
inline Accumulator mergeWindowsInLoop(KernelBuilder &b,
                                      const LaneReduction &reduction,
                                      Value numWindows,
                                      function_ref<Accumulator(Value)> reduce) {
  Accumulator results = reduction.getEmpty(b);
  b.forEach(0, numWindows, 1, results, [&](Value window) {
    Accumulator acc = reduce(window);
    for (int64_t distance = 1; distance < reduction.getLength(); distance *= 2)
      acc = mergeLanes(b, reduction, acc, acc, distance);
    auto type = VectorType::get(reduction.getLength(), b.getIndexType());
    Value inThen = b.isEqual(vector::StepOp::create(b, type), window);
    results = selectLanes(b, inThen, acc, results);
  });
  return results;
}

/// A window: the positions [begin, end) of a row.
struct RowWindow {
  int64_t begin, end;

  int64_t getSize() const { return end - begin; }
  /// Returns the position of tap `tap`, or the window's last position if it has
  /// fewer taps.
  int64_t getPosition(int64_t tap) const {
    return std::min(begin + tap, end - 1);
  }
};

class RowWindows {
public:
  /// Requires that windows are not empty, and that both the begins and the ends
  /// of `windows` ascend.
  RowWindows(const LaneReduction &reduction, SmallVector<RowWindow> windows)
      : reduction(reduction), windows(std::move(windows)),
        length(reduction.getLength()) {}

  /// Returns the approximate number of vector operations that reduce() emits
  /// for all windows.
  int64_t getCodeSize() const {
    int64_t size = 0, numWindows = windows.size();
    for (int64_t first = 0; first < numWindows; first += length)
      size += std::min(getTapsSize(getGroup(first)),
                       getMergesSize(getGroup(first)));
    return size;
  }

  /// Emits the reduction of the windows from `first` on. Lane i of the result
  /// has window `first + i`; lanes after the last window may have any value.
  /// `row` has the accumulators of the row, vector after vector.
  Accumulator reduce(KernelBuilder &b, ArrayRef<Accumulator> row,
                     int64_t first) const {
    ArrayRef<RowWindow> group = getGroup(first);
    if (getTapsSize(group) <= getMergesSize(group))
      return reduceTaps(b, row, group);
    return mergeWindows(b, reduction, group.size(), [&](int64_t window) {
      return reduceWindow(b, row, group[window]);
    });
  }

private:
  /// Returns the windows of the result vector whose lane 0 is window `first`.
  ArrayRef<RowWindow> getGroup(int64_t first) const {
    return ArrayRef(windows).drop_front(first).take_front(length);
  }

  static int64_t getMostTaps(ArrayRef<RowWindow> group) {
    int64_t numTaps = 0;
    for (const RowWindow &window : group)
      numTaps = std::max(numTaps, window.getSize());
    return numTaps;
  }

  int64_t getTapsSize(ArrayRef<RowWindow> group) const {
    int64_t size = 0;
    for (int64_t tap = 0; tap < getMostTaps(group); ++tap) {
      // Count the vectors in which this tap of the windows lies. Positions
      // ascend from window to window, so equal vectors are neighbors.
      int64_t numVectors = 0, last = -1;
      for (const RowWindow &window : group) {
        int64_t vector = window.getPosition(tap) / length;
        numVectors += vector != last;
        last = vector;
      }
      size += std::max<int64_t>(numVectors - 1, 1) + 1;
    }
    return size;
  }

  int64_t getMergesSize(ArrayRef<RowWindow> group) const {
    int64_t size = 0, numLeft = group.size();
    for (const RowWindow &window : group)
      size += 2 * ((window.end - 1) / length - window.begin / length + 1);
    for (int64_t distance = 1; distance < length; distance *= 2) {
      numLeft = llvm::divideCeil(numLeft, 2);
      size += 3 * numLeft;
    }
    return size;
  }

  /// Reduces the windows of `group` by the first way: tap by tap.
  Accumulator reduceTaps(KernelBuilder &b, ArrayRef<Accumulator> row,
                         ArrayRef<RowWindow> group) const {
    Accumulator acc = gather(b, row, group, 0);
    for (int64_t tap = 1; tap < getMostTaps(group); ++tap) {
      Accumulator lanes = gather(b, row, group, tap);
      SmallVector<bool> hasTap(length, false);
      for (auto [has, window] : llvm::zip(hasTap, group))
        has = tap < window.getSize();
      // For a window without this tap, gather() returns its last element again.
      // This does not change an extremum. In a sum, it must not count.
      if (!reduction.isIdempotent() &&
          llvm::is_contained(ArrayRef(hasTap).take_front(group.size()),
                             false)) {
        Value mask = b.constant(VectorType::get(length, b.getI1Type()),
                                ArrayRef<bool>(hasTap));
        lanes = selectLanes(b, mask, lanes, reduction.getEmpty(b));
      }
      acc = reduction.choose(b, acc, lanes);
    }
    return acc;
  }

  Accumulator gather(KernelBuilder &b, ArrayRef<Accumulator> row,
                     ArrayRef<RowWindow> group, int64_t tap) const {
    SmallVector<int64_t> positions(length, vector::ShuffleOp::kPoisonIndex);
    for (auto [position, window] : llvm::zip(positions, group))
      position = window.getPosition(tap);
    return gatherLanes(b, row, positions);
  }

  /// Reduces one window to a vector. Its lanes together have all elements of
  /// the window, and are combined later.
  Accumulator reduceWindow(KernelBuilder &b, ArrayRef<Accumulator> row,
                           const RowWindow &window) const {
    Accumulator acc;
    for (int64_t v = window.begin / length; v * length < window.end; ++v) {
      int64_t first = v * length;
      Value mask =
          createLaneMask(b, length, {window.begin - first, window.end - first});
      acc = reduction.choose(
          b, acc, selectLanes(b, mask, row[v], reduction.getEmpty(b)));
    }
    return acc;
  }

  const LaneReduction &reduction;
  SmallVector<RowWindow> windows;
  int64_t length;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_ROWWINDOWS_H
