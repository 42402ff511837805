// Sliding-window reduction of a row by doubling, in registers.
//
// Output i is x[i] + x[i + 1] + ... + x[i + K - 1], where + is any associative
// combination. Tap by tap, that takes K - 1 combinations for each vector of
// outputs. Doubling takes about log2(K). A run of n is a vector whose lane i
// combines n neighboring elements from lane i on. A run of 2n combines a run of
// n with itself moved by n lanes. K = 5, eight lanes:
//
//   run of 1   a   b   c   d   e   f   g   h  | i  ..   the row
//   run of 2   ab  bc  cd  de  ef  fg  gh  hi |         1 and 1 moved by 1
//   run of 4   a-d b-e c-f d-g ..                       2 and 2 moved by 2
//   run of 5   a-e b-f c-g d-h ..                       4 and 4 moved by 1
//
// The last step counts b to d twice, which does not change an extremum. A sum
// combines the run of 4 with the run of 1 moved by 4 instead.
//
// To move a run by n lanes needs the first n lanes of the next vector. So a
// window is complete only some vectors after the vector in which it begins, and
// the newest vectors of each run are kept.
//
// RowPasses.h does the same through memory, and supports strides and an argmax.
// BlockReduction.h reduces across vectors, at a cost that does not depend on K.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SLIDINGWINDOW_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SLIDINGWINDOW_H

#include "Emit/LaneReduction.h"
#include "Problem/Problem.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::pool {

/// Returns the lengths of the two runs that make a run of `length`, which must
/// be at least 2. For extrema, whose elements may count twice, both lengths are
/// the largest power of two below `length`. For sums, each is half of `length`
/// or, if that is odd, they are `length - 1` and 1.
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

/// Emits the windows of a row at stride 1, vector after vector. Does not
/// support an argmax. Runs of more than one element stay in registers, and are
/// moved by shuffles. Runs of one element are loaded where they are needed.
class SlidingWindow {
public:
  SlidingWindow(const LaneReduction &reduction, const KernelDim &columns)
      : reduction(reduction), length(reduction.getLength()),
        dilation(columns.dilation) {
    assert(columns.stride == 1 && !reduction.hasPositions());
    addRun(columns.kernel);
  }

  /// Returns by how many vectors windows are late: the push() of vector v
  /// returns the windows that begin in vector v - getDelay().
  int64_t getDelay() const { return std::max<int64_t>(runs.back().delay, 0); }
  /// Returns the number of vectors that one push() keeps for the next push().
  int64_t getStateSize() const {
    return llvm::sum_of(
        llvm::map_range(runs, [](const Run &run) { return run.numKept; }));
  }

  /// Returns the number of combinations and shuffles of one push().
  /// getNumLoads() returns the number of its loads.
  int64_t getNumOps() const { return 2 * runs.size() - 1 - getNumLoads(); }
  int64_t getNumLoads() const {
    return llvm::count_if(runs, [](auto &run) { return run.second == 0; });
  }
  /// Returns the `state` for the first push(): runs of no elements.
  SmallVector<Value> begin(KernelBuilder &b) const {
    return SmallVector<Value>(getStateSize(), reduction.getIdentity(b));
  }

  /// Emits the code for the next vector v of the row. Returns the windows that
  /// begin in the lanes of vector v - getDelay(). `load(d)` must return a
  /// vector of accumulators: the elements that begin `d` elements after the
  /// first lane of v. `d` is at most the number of lanes, and may be negative.
  /// Replaces `state`, the vectors that the previous push() kept.
  Value push(KernelBuilder &b, function_ref<Value(int64_t)> load,
             SmallVectorImpl<Value> &state) const {
    // vectors[i] has the vectors of run i: the new one, and then the kept ones
    // from the newest to the oldest.
    SmallVector<SmallVector<Value>> vectors(1);
    // Returns a vector of run `index`. It begins `offset` columns after the
    // vector that was pushed `delay` vectors ago.
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
  /// A run of `length` elements, which combines two shorter runs. A run of one
  /// element has none.
  struct Run {
    int64_t length = 1;
    /// Indices of the shorter runs in `runs`. The second begins `offset`
    /// columns after the first.
    unsigned first = 0, second = 0;
    int64_t offset = 0;
    /// In the newest vector of this run, runs begin in the lanes of the vector
    /// that was pushed `delay` vectors ago. -1 for runs of one element, which
    /// can be loaded one vector ahead.
    int64_t delay = -1;
    /// Number of vectors of this run that are kept for the next push().
    int64_t numKept = 0;
  };
  /// Returns the index in `runs` of the run of `numTaps`. If it is missing,
  /// adds it, after the shorter runs that it combines.
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
      // To move the second run by `offset` needs its vectors up to `end`
      // vectors later.
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
  /// The first run is one element. Each run comes after the shorter runs that
  /// it combines. The last run is the window.
  SmallVector<Run> runs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SLIDINGWINDOW_H
