// Reduces the windows along a row vector after vector, in registers.
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
/// two shorter ones; see splitRun(). Single elements are loaded where a run
/// needs them. Longer runs stay in registers, and shuffles move them.
class SlidingWindow {
public:
  SlidingWindow(const LaneReduction &reduction, const KernelDim &columns)
      : reduction(reduction), length(reduction.getLength()),
        dilation(columns.dilation) {
    assert(columns.stride == 1 && !reduction.hasPositions());
    addRun(columns.kernel);
  }

  /// Number of vectors by which the windows of push() begin before its vector.
  int64_t getDelay() const { return std::max<int64_t>(runs.back().delay, 0); }
  /// Vectors that are kept from one push() to the next.
  int64_t getStateSize() const {
    return llvm::sum_of(
        llvm::map_range(runs, [](const Run &run) { return run.numKept; }));
  }

  /// Combinations and shuffles of push(), and its loads.
  int64_t getNumOps() const { return 2 * runs.size() - 1 - getNumLoads(); }
  int64_t getNumLoads() const {
    return llvm::count_if(runs, [](auto &run) { return run.second == 0; });
  }
  /// Returns the state before the first vector: nothing is known.
  SmallVector<Value> begin(KernelBuilder &b) const {
    return SmallVector<Value>(getStateSize(), reduction.getIdentity(b));
  }

  /// Takes the next vector of the row. `load` gives accumulators that begin a
  /// number of elements after this vector, at most its length, or before it.
  /// Returns windows that begin at each lane of the vector getDelay() before.
  Value push(KernelBuilder &b, function_ref<Value(int64_t)> load,
             SmallVectorImpl<Value> &state) const {
    // For each run, the newest vector and the kept ones, from new to old.
    SmallVector<SmallVector<Value>> vectors(1);
    // Runs `offset` columns after the vector `delay` before.
    auto get = [&](unsigned index, int64_t delay, int64_t offset) {
      if (index == 0)
        return load(offset - delay * length);
      int64_t rest = offset % length;
      int64_t age = delay - offset / length - runs[index].delay;
      Value lanes = vectors[index][age];
      if (rest == 0)
        return lanes;
      return b.shuffle(
          lanes, vectors[index][age - 1],
          mapLanes(length, [&](int64_t lane) { return rest + lane; }));
    };
    ArrayRef<Value> kept = state;
    SmallVector<Value> next;
    for (const Run &run : ArrayRef(runs).drop_front()) {
      Value earlier = get(run.first, run.delay, 0);
      Value later = get(run.second, run.delay, run.offset);
      vectors.push_back(
          {reduction.combine(b, {earlier, {}}, {later, {}}).value});
      llvm::append_range(vectors.back(), kept.take_front(run.numKept));
      kept = kept.drop_front(run.numKept);
      llvm::append_range(next,
                         ArrayRef(vectors.back()).take_front(run.numKept));
    }
    state.assign(next);
    return get(runs.size() - 1, getDelay(), 0);
  }

private:
  /// The parts of a run of `length` lanes.
  struct Run {
    int64_t length = 1;
    /// Indices of two shorter runs, the second `offset` columns further.
    unsigned first = 0, second = 0;
    int64_t offset = 0;
    /// Number of vectors pushed since its newest known one; -1 if it is loaded.
    int64_t delay = -1;
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
      for (auto [index, delay] :
           {std::pair(run.first, run.delay),
            std::pair(run.second, run.delay - run.offset / length)})
        if (Run &part = runs[index]; index > 0)
          part.numKept = std::max(part.numKept, delay - part.delay);
    }
    runs.push_back(run);
    return runs.size() - 1;
  }

  const LaneReduction reduction;
  int64_t length, dilation;
  /// Each run comes after its parts; the last one is the window.
  SmallVector<Run> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SLIDINGWINDOW_H
