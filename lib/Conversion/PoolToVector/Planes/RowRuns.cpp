// Plans the rows and columns of a strip.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/RowRuns.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// How many output rows share their columns
//===----------------------------------------------------------------------===//

/// Returns the combinations for each of `numRows` output rows at the sharing
/// distance. Their windows share the taps [(numRows - 1) * stride, kernel) of
/// the first one, which are reduced once. The taps before are reduced
/// backwards, and the taps after forwards.
static double getSharedCost(const KernelDim &rows, int64_t numRows) {
  int64_t outside = (numRows - 1) * rows.getSharingStride();
  if (numRows == 1)
    return rows.kernel - 1;
  return double(rows.kernel - outside - 1 + 2 * (outside - 1) +
                2 * (numRows - 1)) /
         numRows;
}

int64_t pool::getNumSharingRows(const KernelDim &rows, int64_t numRows) {
  int64_t best = 1;
  for (int64_t n = 2; n * rows.getSharingDistance() <= numRows &&
                      (n - 1) * rows.getSharingStride() < rows.kernel;
       ++n)
    if (getSharedCost(rows, n) < getSharedCost(rows, best))
      best = n;
  return best;
}

double pool::getColumnCost(const KernelDim &rows, int64_t numRows,
                           bool isUniform) {
  return getSharedCost(rows, isUniform ? 1 : getNumSharingRows(rows, numRows));
}

//===----------------------------------------------------------------------===//
// What windows along a row are made of
//===----------------------------------------------------------------------===//

RowRuns::RowRuns(const LaneReduction &reduction, const StripShape &shape)
    : reduction(reduction), shape(shape), length(reduction.getLength()),
      followsArgmax(reduction.hasPositions()) {
  for (int64_t vector = 0; vector * length < shape.numColumns; ++vector)
    for (auto &[run, offset] : getWindowRuns(vector))
      needSlide(run, offset, getNumOutputs(vector * length));
}

std::pair<int64_t, int64_t> RowRuns::getLoadedColumns() const {
  int64_t first = std::numeric_limits<int64_t>::max(), end = 0;
  for (auto &[run, numLanes] : needs) {
    if (run.phase >= 0 || run.length > 1)
      continue;
    first = std::min(first, run.vector * length);
    end = std::max(end, (run.vector + 1) * length);
  }
  return {first, end};
}

ArgmaxLayout RowRuns::getArgmaxLayout() const {
  auto [first, end] = getLoadedColumns();
  return {first, static_cast<int64_t>(llvm::Log2_64_Ceil(end - first)),
          shape.rows.getSpan(shape.numRows)};
}

SmallVector<int64_t> RowRuns::getLoadedVectors() const {
  SmallVector<int64_t> vectors;
  for (auto &[run, numLanes] : needs)
    if (run.phase < 0 && run.length == 1 && hasInput(run, length))
      vectors.push_back(run.vector);
  return vectors;
}

std::pair<int64_t, int64_t> pool::splitRun(const LaneReduction &reduction,
                                           int64_t length) {
  if (reduction.isIdempotent()) {
    int64_t half = llvm::bit_floor(static_cast<uint64_t>(length - 1));
    return {half, half};
  }
  if (length % 2 == 0)
    return {length / 2, length / 2};
  return {length - 1, 1};
}

std::tuple<RowRuns::Run, RowRuns::Run, int64_t>
RowRuns::split(const Run &run) const {
  auto [first, second] = splitRun(reduction, run.length);
  return {getPart(run, first), getPart(run, second),
          (run.length - second) * run.step};
}

SmallVector<std::pair<RowRuns::Run, int64_t>>
RowRuns::getWindowRuns(int64_t vector) const {
  const KernelDim &columns = shape.columns;
  int64_t s = columns.stride;
  // Within a phase taps are an arithmetic progression.
  SmallVector<std::pair<Run, int64_t>> runs;
  std::map<int64_t, unsigned> runOfPhase;
  for (int64_t t = 0; t < columns.kernel; ++t) {
    int64_t offset = t * columns.dilation - columns.shift;
    int64_t phase = s == 1 ? -1 : llvm::mod(offset, s);
    offset = llvm::divideFloorSigned(offset, s);
    auto [it, isNew] = runOfPhase.try_emplace(phase, runs.size());
    // One run after the other where their order matters: phases change it.
    if (isNew || (followsArgmax && s != 1)) {
      runs.push_back({{1, 1, phase, vector}, offset});
      continue;
    }
    auto &[run, first] = runs[it->second];
    if (run.length == 1)
      run.step = offset - first;
    ++run.length;
  }
  for (unsigned i = 0; i < runs.size(); ++i) {
    auto [run, first] = runs[i];
    int64_t numBefore = getNumMovedApart(run, first);
    if (numBefore == 0)
      continue;
    runs[i].first = getPart(run, numBefore);
    first += numBefore * run.step;
    runs.insert(runs.begin() + ++i,
                {getPart(run, run.length - numBefore), first});
  }
  return runs;
}

void RowRuns::addSlides(int64_t numTaps, std::set<int64_t> &slides) const {
  if (numTaps == 1 || !slides.insert(numTaps).second)
    return;
  auto [first, second] = splitRun(reduction, numTaps);
  addSlides(first, slides);
  addSlides(second, slides);
}

int64_t RowRuns::getNumMovedApart(const Run &run, int64_t offset) const {
  // Where a run is cut depends on where the strip begins.
  if (shape.isUniform || llvm::mod(offset, length) == 0)
    return 0;
  for (int64_t numBefore = 1; numBefore < run.length; ++numBefore) {
    if (llvm::mod(offset + numBefore * run.step, length) != 0)
      continue;
    std::set<int64_t> whole, parts;
    addSlides(run.length, whole);
    addSlides(numBefore, parts);
    addSlides(run.length - numBefore, parts);
    return parts.size() < whole.size() ? numBefore : 0;
  }
  return 0;
}

void RowRuns::need(const Run &run, int64_t numLanes) {
  int64_t &known = needs[run];
  if (known >= numLanes)
    return;
  known = numLanes;
  if (run.length > 1) {
    auto [first, second, offset] = split(run);
    need(first, numLanes);
    needSlide(second, offset, numLanes);
    return;
  }
  if (run.phase < 0)
    return;
  int64_t s = shape.columns.stride;
  for (int64_t lane = 0; lane < numLanes; ++lane) {
    int64_t column = lane * s + run.phase;
    need(getSourceRun(run.vector * s + column / length), column % length + 1);
  }
}

void RowRuns::needSlide(Run run, int64_t offset, int64_t numLanes) {
  int64_t rest = llvm::mod(offset, length);
  run.vector += llvm::divideFloorSigned(offset, length);
  need(run, std::min(length, rest + numLanes));
  ++run.vector;
  if (rest + numLanes > length)
    need(run, rest + numLanes - length);
}

bool RowRuns::hasInput(const Run &run, int64_t numLanes) const {
  int64_t s = run.phase < 0 ? 1 : shape.columns.stride;
  int64_t first = run.vector * length * s + std::max<int64_t>(run.phase, 0);
  int64_t last = first + (numLanes - 1 + (run.length - 1) * run.step) * s;
  return first < shape.inputEnd && last >= shape.inputBegin;
}

SmallVector<int64_t> RowRuns::getCarriedRows() const {
  // No tap is at others.
  int64_t step = std::gcd(shape.rows.stride, shape.rows.dilation);
  SmallVector<int64_t> carried;
  for (int64_t row = 0; row + shape.rows.stride < shape.rows.getExtent();
       row += step)
    carried.push_back(row);
  return carried;
}

int64_t RowRuns::getNumStreamShuffles() const {
  int64_t numShuffles = 0;
  for (auto &[run, numLanes] : needs)
    if (run.length == 1 && run.phase >= 0 && hasInput(run, numLanes))
      numShuffles += std::min(numLanes, shape.columns.stride);
  return numShuffles * getNumReducedRows();
}

int64_t RowRuns::getCodeSize() const {
  int64_t numSources = getLoadedVectors().size(), numRuns = 0;
  for (auto &[run, numLanes] : needs)
    numRuns += run.length > 1 && hasInput(run, numLanes);
  int64_t perColumn = 2 * getNumLoadedRows() + 2 * shape.numRows;
  // A run is two slides and a combination.
  return numSources * perColumn + 3 * numRuns * getNumReducedRows() +
         getNumStreamShuffles();
}

int64_t RowRuns::getNumSlides() const {
  int64_t numSlides = 0;
  auto addSlide = [&](int64_t offset) {
    numSlides += llvm::mod(offset, length) != 0;
  };
  for (auto &[run, numLanes] : needs)
    if (!hasInput(run, numLanes))
      continue;
    else if (run.length > 1)
      addSlide(std::get<int64_t>(split(run)));
    else if (run.phase >= 0)
      numSlides += std::min(numLanes, shape.columns.stride) - 1;
  for (int64_t vector = 0; vector * length < shape.numColumns; ++vector)
    for (auto &[run, offset] : getWindowRuns(vector))
      addSlide(offset);
  return numSlides;
}
