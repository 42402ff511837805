// Windows along a row, vector after vector.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/SlidingWindow.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pool;

SlidingWindow::SlidingWindow(const LaneReduction &reduction,
                             const KernelDim &columns)
    : reduction(reduction), length(reduction.getLength()),
      dilation(columns.dilation) {
  assert(columns.stride == 1 && !reduction.hasPositions());
  addRun(columns.kernel);
}

unsigned SlidingWindow::addRun(int64_t numTaps) {
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

void SlidingWindow::keep(unsigned index, int64_t delay) {
  Run &run = runs[index];
  run.numKept = std::max(run.numKept, delay - run.delay);
}

int64_t SlidingWindow::getStateSize() const {
  int64_t size = 0;
  for (const Run &run : runs)
    size += run.numKept;
  return size;
}

SmallVector<Value> SlidingWindow::begin(KernelBuilder &at) const {
  return SmallVector<Value>(getStateSize(), reduction.getIdentity(at));
}

Value SlidingWindow::push(KernelBuilder &at, Value source,
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
