// Merges vectors in a tree of shuffles and combinations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/LaneMerge.h"

using namespace mlir;
using namespace mlir::pool;

/// Lane l of the result combines the lanes `l & ~distance` and `l | distance`:
/// of `lhs` if l lacks the bit `distance`, else of `rhs`.
static Accumulator merge(KernelBuilder &at, const LaneReduction &reduction,
                         Accumulator lhs, Accumulator rhs, int64_t distance) {
  int64_t length = reduction.getLength();
  auto shuffle = [&](bool isWith) {
    return shuffleLanes(at, lhs, rhs, mapLanes(length, [&](int64_t lane) {
                          return (lane & distance ? length : 0) +
                                 (isWith ? lane | distance : lane & ~distance);
                        }));
  };
  Accumulator without = shuffle(false);
  return reduction.choose(at, without, shuffle(true));
}

Accumulator pool::mergeWindows(KernelBuilder &at,
                               const LaneReduction &reduction,
                               int64_t numWindows,
                               function_ref<Accumulator(int64_t)> reduce,
                               std::optional<int64_t> windowLanes) {
  SmallVector<Accumulator> accs;
  auto mergeLast = [&](int64_t distance) {
    Accumulator rhs = accs.pop_back_val();
    accs.back() = merge(at, reduction, accs.back(), rhs, distance);
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
  return shuffleLanes(at, accs.front(), accs.front(),
                      mapLanes(reduction.getLength(), [&](int64_t lane) {
                        return lane % numEach * end + lane / numEach;
                      }));
}

Accumulator pool::mergeWindowsInLoop(KernelBuilder &at,
                                     const LaneReduction &reduction,
                                     Value numWindows,
                                     function_ref<Accumulator(Value)> reduce) {
  Accumulator results = reduction.getEmpty(at);
  at.forEach(at.index(0), numWindows, 1, results, [&](Value window) {
    Accumulator acc = reduce(window);
    for (int64_t distance = 1; distance < reduction.getLength(); distance *= 2)
      acc = merge(at, reduction, acc, acc, distance);
    auto type = VectorType::get(reduction.getLength(), at.getIndexType());
    Value isHere = at.isEqual(vector::StepOp::create(at, type), window);
    results = selectLanes(at, isHere, acc, results);
  });
  return results;
}
