// Plans the rows and columns of a strip.
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
  // The row itself comes first, a run for each of its vectors.
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
  // How far the first window begins before the columns of the strip.
  int64_t shift =
      shape.cut == RowCut::Row ? *columns.knownPad + shape.firstColumn : 0;
  // Within a phase taps are an arithmetic progression.
  std::map<int64_t, unsigned> runOfPhase;
  for (int64_t t = 0; t < columns.kernel; ++t) {
    int64_t offset = t * columns.dilation - shift;
    int64_t phase = stride == 1 ? -1 : llvm::mod(offset, stride);
    offset = llvm::divideFloorSigned(offset, stride);
    auto [it, isNew] = runOfPhase.try_emplace(phase, windowRuns.size());
    // One run after the other where their order matters: phases change it.
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
  // Where a run is cut depends on where the strip begins.
  if (problem.isUniform || !areMoved(lanes))
    return 0;
  // Each length of a run takes a slide.
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
    // The last lane of each vector needs those before it.
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
  // Columns of a known row that are padding are folded.
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
  // No tap is at others.
  int64_t step = std::gcd(rows.stride, rows.dilation);
  SmallVector<int64_t> carried;
  for (int64_t row = 0; row + rows.stride < rows.getExtent(); row += step)
    carried.push_back(row);
  return carried;
}

int64_t RowRuns::getCodeSize(bool isTested) const {
  int64_t loadOps = isTested ? 2 + cost::kTestedLoadOps : 2;
  int64_t perColumn = loadOps * getNumLoadedRows() + 2 * numRows;
  // A run is two slides and a combination.
  return loadedVectors.size() * perColumn +
         3 * numCombined * getNumReducedRows() + getNumStreamShuffles();
}
