// Finds the vectors of a tile that are needed. Windows along a row are reduced
// by doubling. In a run of n, lane i combines the n elements that begin at lane
// i. Longer runs combine two shorter ones. Maxima over 5 columns at stride 1,
// eight lanes:
//
//   row        a   b   c   d   e   f   g   h  | i ..
//   run of 2   ab  bc  cd  de  ef  fg  gh  hi      row, row moved by 1 lane
//   run of 4   a-d b-e c-f d-g ..                  run 2, run 2 moved by 2
//   window     a-e b-f c-g ..                      run 4, run 4 moved by 1
//
// For a stride of 2, shuffles first split the row into two phases. A window
// then combines a run of each phase:
//
//   phase 0    a   c   e   g  ..     run of 3: ace ceg ..
//   phase 1    b   d   f   h  ..     run of 2: bd  df  ..
//   window     ace and bd, ceg and df, ..
//
// need() goes from the windows back to the row, and records which vectors of
// each run are needed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneShape.h"
#include "Reduce/SlidingWindow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::pool;

RowRuns::RowRuns(const Problem &problem, const PlaneShape &shape,
                 int64_t numRows)
    : problem(problem), reduction(problem.reduction), shape(shape),
      length(problem.getLength()), numRows(numRows),
      rows(shape.getGroupRows(problem)) {
  splitWindow();
  for (int64_t first = 0; first < shape.numColumns; first += length)
    for (const Lanes &lanes : windowRuns) {
      need(lanes.movedBy(first), getNumOutputs(first));
      numSlides += areMoved(lanes);
    }
  // The map is sorted by run, and the row itself is the first run.
  loadedColumns.first = needs.begin()->first.second * length;
  for (auto &[key, numLanes] : needs) {
    auto &[run, vector] = key;
    if (run.isRow()) {
      loadedColumns.second = (vector + 1) * length;
      if (hasInput(run, vector, length))
        loadedVectors.push_back(vector);
    } else if (!hasInput(run, vector, numLanes)) {
      continue;
    } else if (run.length > 1) {
      ++numCombined;
      numSlides += areMoved(getParts(run, vector).back());
    } else {
      int64_t numSources = std::min(numLanes, problem.getColumns().stride);
      numStrided += numSources;
      numSlides += numSources - 1;
    }
  }
}

SmallVector<int64_t> RowRuns::getArgmaxBits() const {
  SmallVector<int64_t> extents;
  for (const ProblemDim &dim : problem.getOuter())
    extents.push_back(dim.getExtent());
  if (problem.hasRows())
    extents.push_back(rows.getSpan(numRows));
  extents.push_back(loadedColumns.second - loadedColumns.first);
  return llvm::map_to_vector(extents, [](int64_t extent) -> int64_t {
    return llvm::Log2_64_Ceil(extent);
  });
}

SmallVector<int64_t> RowRuns::getOffsets(int64_t outerTap, int64_t row) const {
  SmallVector<int64_t> offsets = problem.getOuterOffsets(outerTap);
  if (problem.hasRows())
    offsets.push_back(row);
  return offsets;
}

int64_t RowRuns::getRowCode(int64_t outerTap, int64_t row) const {
  SmallVector<int64_t> numBits = getArgmaxBits();
  int64_t code = 0;
  for (auto [offset, bits] : llvm::zip(getOffsets(outerTap, row), numBits))
    code = code << bits | offset;
  return code << numBits.back();
}

SmallVector<RowRuns::Lanes> RowRuns::getParts(const Run &run,
                                              int64_t vector) const {
  int64_t start = vector * length;
  if (run.length > 1) {
    auto [first, second] = splitRun(reduction, run.length);
    int64_t offset = (run.length - second) * run.step;
    return {{run.withLength(first), start},
            {run.withLength(second), start + offset}};
  }
  int64_t stride = problem.getColumns().stride;
  return {{Run(), start * stride + run.phase, stride}};
}

void RowRuns::splitWindow() {
  const ProblemDim &columns = problem.getColumns();
  int64_t stride = columns.stride;
  // Number of columns from the beginning of the first window to vector 0.
  int64_t shift =
      shape.cut == RowCut::Row ? *columns.knownPad + shape.firstColumn : 0;
  // The taps of one phase are at equal distances, so that they are one run.
  std::map<int64_t, unsigned> runOfPhase;
  for (int64_t t = 0; t < columns.kernel; ++t) {
    int64_t offset = t * columns.dilation - shift;
    int64_t phase = stride == 1 ? -1 : llvm::mod(offset, stride);
    offset = llvm::divideFloorSigned(offset, stride);
    auto [it, isNew] = runOfPhase.try_emplace(phase, windowRuns.size());
    // With an argmax, taps must be combined in their order. Neighboring taps
    // are in different phases, so each tap is a run of its own.
    if (isNew || (reduction.hasPositions() && stride != 1)) {
      windowRuns.push_back({{1, 1, phase}, offset});
      continue;
    }
    auto &[run, first, _] = windowRuns[it->second];
    if (run.length == 1)
      run.step = offset - first;
    ++run.length;
  }
  for (unsigned i = 0; i < windowRuns.size(); ++i) {
    auto [run, first, _] = windowRuns[i];
    int64_t numBefore = getNumMovedApart(windowRuns[i]);
    if (numBefore == 0)
      continue;
    windowRuns[i].run = run.withLength(numBefore);
    windowRuns.insert(
        windowRuns.begin() + ++i,
        {run.withLength(run.length - numBefore), first + numBefore * run.step});
  }
}

int64_t RowRuns::getNumMovedApart(const Lanes &lanes) const {
  // The cut depends on where vectors begin. The order of uniform sums must not
  // depend on that.
  if (problem.isUniform || !areMoved(lanes))
    return 0;
  // Building a run takes one shuffle for each different length above 1 of its
  // parts and of itself.
  auto getNumSlides = [&](SmallVector<int64_t> left) {
    std::set<int64_t> lengths;
    while (!left.empty()) {
      int64_t numTaps = left.pop_back_val();
      if (numTaps == 1 || !lengths.insert(numTaps).second)
        continue;
      auto [first, second] = splitRun(reduction, numTaps);
      left.append({first, second});
    }
    return lengths.size();
  };
  const Run &run = lanes.run;
  for (int64_t n = 1; n < run.length; ++n)
    if (!areMoved(lanes.movedBy(n * run.step)))
      return getNumSlides({n, run.length - n}) < getNumSlides({run.length}) ? n
                                                                            : 0;
  return 0;
}

void RowRuns::need(const Lanes &lanes, int64_t numLanes) {
  for (int64_t lane = 0; lane < numLanes; ++lane) {
    int64_t vector = llvm::divideFloorSigned(lanes.get(lane), length);
    // Record only the last needed lane of each vector: the lanes before it
    // count as needed, too.
    bool isLast =
        lane + 1 == numLanes || lanes.get(lane + 1) >= (vector + 1) * length;
    int64_t most = llvm::mod(lanes.get(lane), length) + 1;
    if (!isLast || needs[{lanes.run, vector}] >= most)
      continue;
    needs[{lanes.run, vector}] = most;
    if (!lanes.run.isRow())
      for (const Lanes &part : getParts(lanes.run, vector))
        need(part, most);
  }
}

bool RowRuns::hasInput(const Run &run, int64_t vector, int64_t numLanes) const {
  // Columns of padding are known only for whole rows of known width.
  if (shape.cut != RowCut::Row)
    return true;
  const ProblemDim &columns = problem.getColumns();
  int64_t stride = run.phase < 0 ? 1 : columns.stride;
  int64_t first = shape.firstColumn + vector * length * stride +
                  std::max<int64_t>(run.phase, 0);
  int64_t last = first + (numLanes - 1 + (run.length - 1) * run.step) * stride;
  return first < *columns.knownInput && last >= 0;
}

SmallVector<int64_t> RowRuns::getCarriedRows() const {
  // Rows that are not multiples of `step` are read by no window.
  int64_t step = std::gcd(rows.stride, rows.dilation);
  SmallVector<int64_t> carried;
  for (int64_t row = 0; row + rows.stride < rows.getExtent(); row += step)
    carried.push_back(row);
  return carried;
}

int64_t RowRuns::getCodeSize(bool isTested) const {
  int64_t loadOps = isTested ? 2 + cost::kTestedLoadOps : 2;
  int64_t perColumn = loadOps * getNumLoadedRows() + 2 * numRows;
  // A run of more than one lane takes about two shuffles and one combination.
  return loadedVectors.size() * perColumn +
         3 * numCombined * getNumReducedRows() + getNumStreamShuffles();
}
