// Reduces windows of a row by straight code. The row is in registers, as
// accumulators. Windows may have different sizes. Each tap of all windows is a
// shuffle of the row. Or each window is reduced to one lane of a vector for all
// of them. Then vectors merge in pairs, and the results in pairs again.
// Four windows of four lanes, where `aa` is a combination of two lanes of
// `aaaa`:
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

/// Lane l of the result combines the lanes `l & ~distance` and `l | distance`:
/// of `lhs` if l lacks the bit `distance`, else of `rhs`.
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

/// Combines all lanes of `reduce(i)` into lane `i`, for `numWindows` windows,
/// at most one for each lane. A vector may have several windows side by side,
/// each of `windowLanes`, a power of two, whose results lie side by side, too.
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
  // As soon as two can be merged they are: there are few registers.
  auto mergeFrom = [&](int64_t numDone, int64_t distance) {
    for (; numDone % (2 * distance) == 0; distance *= 2)
      mergeLast(distance);
  };
  int64_t numDone = 0;
  while (numDone < numWindows) {
    accs.push_back(reduce(numDone));
    mergeFrom(++numDone, 1);
  }
  // If the number is no power of two, repeat the last accumulator.
  int64_t end = windowLanes.value_or(reduction.getLength());
  for (int64_t distance = 1; distance < end; distance *= 2) {
    if (numDone % (2 * distance) == 0)
      continue;
    accs.push_back(accs.back());
    mergeLast(distance);
    mergeFrom(numDone += distance, 2 * distance);
  }
  // Lane l has window l / end of vector l % end.
  int64_t numEach = reduction.getLength() / end;
  return shuffleLanes(b, accs.front(), accs.front(),
                      mapLanes(reduction.getLength(), [&](int64_t lane) {
                        return lane % numEach * end + lane / numEach;
                      }));
}

/// Like mergeWindows(), by a loop over the windows.
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

/// The positions of a window from `begin` up to, but not including, `end`.
struct RowWindow {
  int64_t begin, end;

  int64_t getSize() const { return end - begin; }
  /// The position of a tap: past the window's end, its last.
  int64_t getPosition(int64_t tap) const {
    return std::min(begin + tap, end - 1);
  }
};

class RowWindows {
public:
  /// The starts of `windows` ascend, and so do their ends. None is empty.
  RowWindows(const LaneReduction &reduction, SmallVector<RowWindow> windows)
      : reduction(reduction), windows(std::move(windows)),
        length(reduction.getLength()) {}

  /// About how many operations on vectors reduce() creates for all windows.
  int64_t getCodeSize() const {
    int64_t size = 0, numWindows = windows.size();
    for (int64_t first = 0; first < numWindows; first += length)
      size += std::min(getTapsSize(getGroup(first)),
                       getMergesSize(getGroup(first)));
    return size;
  }

  /// Reduces windows `first` and those after it to the lanes of one vector.
  /// `row` has the row's vectors.
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
  /// The windows of a vector.
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
      // Positions ascend with the windows.
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

  /// One tap of all windows after the other.
  Accumulator reduceTaps(KernelBuilder &b, ArrayRef<Accumulator> row,
                         ArrayRef<RowWindow> group) const {
    Accumulator acc = gather(b, row, group, 0);
    for (int64_t tap = 1; tap < getMostTaps(group); ++tap) {
      Accumulator lanes = gather(b, row, group, tap);
      SmallVector<bool> hasTap(length, false);
      for (auto [has, window] : llvm::zip(hasTap, group))
        has = tap < window.getSize();
      // A maximum meets a window's last element again.
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

  /// One window, in lanes that are to be merged.
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
