// Reduces the windows along a row vector after vector: taps that neighbouring
// windows share stay in registers from one vector to the next, however long
// the row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SLIDINGWINDOW_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SLIDINGWINDOW_H

#include "Emit/LaneReduction.h"
#include "Problem/Problem.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::pool {

/// Returns the lengths of two runs that make a run of `length`, at least 2.
/// They overlap if an element may count twice. Otherwise they are halves, or
/// all taps but the last one of an odd length.
inline std::pair<int64_t, int64_t> splitRun(const LaneReduction &reduction,
                                            int64_t length) {
  if (reduction.isIdempotent()) {
    int64_t half = llvm::bit_floor(static_cast<uint64_t>(length - 1));
    return {half, half};
  }
  if (length % 2 == 0)
    return {length / 2, length / 2};
  return {length - 1, 1};
}

/// Windows at stride 1, without positions. A window is made of runs, each of
/// two shorter ones; see splitRun().
class SlidingWindow {
public:
  SlidingWindow(const LaneReduction &reduction, const KernelDim &columns)
      : reduction(reduction), length(reduction.getLength()),
        dilation(columns.dilation) {
    assert(columns.stride == 1 && !reduction.hasPositions());
    addRun(columns.kernel);
  }

  /// How many vectors before the one that is pushed the windows begin that
  /// push() gives.
  int64_t getDelay() const { return runs.back().delay; }
  /// Vectors that are kept from one push() to the next.
  int64_t getStateSize() const {
    int64_t size = 0;
    for (const Run &run : runs)
      size += run.numKept;
    return size;
  }

  /// Combinations and shuffles of push().
  int64_t getNumOps() const { return 2 * (runs.size() - 1); }
  /// Returns the state before the first vector: nothing is known.
  SmallVector<Value> begin(KernelBuilder &at) const {
    return SmallVector<Value>(getStateSize(), reduction.getIdentity(at));
  }

  /// Takes the next vector of the row, accumulators. Gives the windows that
  /// begin at each lane of the vector getDelay() before.
  Value push(KernelBuilder &at, Value source,
             SmallVectorImpl<Value> &state) const {
    // For each run, the newest vector and the kept ones, from new to old.
    SmallVector<SmallVector<Value>> vectors;
    ArrayRef<Value> kept = state;
    for (const Run &run : runs) {
      auto get = [&](unsigned index, int64_t delay) {
        return vectors[index][delay - runs[index].delay];
      };
      Value newest = source;
      if (run.length > 1) {
        int64_t rest = run.offset % length;
        int64_t delay = run.delay - run.offset / length;
        Value later = get(run.second, delay);
        if (rest != 0) {
          SmallVector<int64_t> lanes =
              llvm::to_vector(llvm::seq(rest, rest + length));
          later = at.shuffle(later, get(run.second, delay - 1), lanes);
        }
        Value earlier = get(run.first, run.delay);
        newest = reduction.combine(at, {earlier, {}}, {later, {}}).value;
      }
      vectors.push_back({newest});
      llvm::append_range(vectors.back(), kept.take_front(run.numKept));
      kept = kept.drop_front(run.numKept);
    }
    SmallVector<Value> next;
    for (auto [run, all] : llvm::zip_equal(runs, vectors))
      llvm::append_range(next, ArrayRef(all).take_front(run.numKept));
    state.assign(next);
    return vectors.back().front();
  }

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
  /// Adds a run of `numTaps` and its parts. Returns its index.
  unsigned addRun(int64_t numTaps) {
    for (auto [i, run] : llvm::enumerate(runs))
      if (run.length == numTaps)
        return i;
    Run run;
    run.length = numTaps;
    if (numTaps > 1) {
      auto [first, second] = splitRun(reduction, numTaps);
      run.offset = (numTaps - second) * dilation;
      run.first = addRun(first);
      run.second = addRun(second);
      // The last vector of the second that the slide reads.
      int64_t end = llvm::divideCeil(run.offset, length);
      run.delay = std::max(runs[run.first].delay, runs[run.second].delay + end);
      keep(run.first, run.delay);
      keep(run.second, run.delay - run.offset / length);
    }
    runs.push_back(run);
    return runs.size() - 1;
  }

  /// Notes that run `index` is needed of the vector `delay` ago.
  void keep(unsigned index, int64_t delay) {
    Run &run = runs[index];
    run.numKept = std::max(run.numKept, delay - run.delay);
  }

  const LaneReduction reduction;
  int64_t length, dilation;
  /// Each run comes after its parts; the last one is the window.
  SmallVector<Run> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SLIDINGWINDOW_H
