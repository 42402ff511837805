// Straight vector code for a strip of a few output rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pool;

static int64_t floorMod(int64_t a, int64_t b) {
  return a - llvm::divideFloorSigned(a, b) * b;
}

//===----------------------------------------------------------------------===//
// How many output rows share their columns
//===----------------------------------------------------------------------===//

/// Output rows that are so far apart begin a whole number of dilations apart,
/// and have taps in common.
static int64_t getSharingDistance(const KernelDim &rows) {
  return rows.dilation / std::gcd(rows.stride, rows.dilation);
}

/// By how many taps the windows of two such rows differ.
static int64_t getSharingStride(const KernelDim &rows) {
  return rows.stride / std::gcd(rows.stride, rows.dilation);
}

/// Combinations for each of `numRows` output rows, at that distance, whose
/// windows all contain the taps [(numRows - 1) * stride, kernel) of the first,
/// which are reduced once; what comes before and after is reduced towards and
/// away from them.
static double getSharedCost(const KernelDim &rows, int64_t numRows) {
  int64_t outside = (numRows - 1) * getSharingStride(rows);
  if (numRows == 1)
    return rows.kernel - 1;
  return double(rows.kernel - outside - 1 + 2 * (outside - 1) +
                2 * (numRows - 1)) /
         numRows;
}

/// How many of `numRows` consecutive output rows share best.
static int64_t getNumSharingColumns(const KernelDim &rows, int64_t numRows) {
  int64_t best = 1;
  for (int64_t n = 2; n * getSharingDistance(rows) <= numRows &&
                      (n - 1) * getSharingStride(rows) < rows.kernel;
       ++n)
    if (getSharedCost(rows, n) < getSharedCost(rows, best))
      best = n;
  return best;
}

double pool::getColumnCost(const KernelDim &rows, int64_t numRows) {
  return getSharedCost(rows, getNumSharingColumns(rows, numRows));
}

RowKernel::RowKernel(OpBuilder &b, Location loc, const LaneReduction &reduction,
                     const StripShape &shape)
    : b(b), loc(loc), reduction(reduction), shape(shape),
      length(reduction.getLength()), followsCodes(reduction.hasPositions()) {
  for (int64_t vector = 0; vector * length < shape.numColumns; ++vector)
    for (auto &[run, offset] : getWindowRuns(vector))
      needSlide(run, offset, getNumOutputs(vector * length));
}

std::pair<int64_t, int64_t> RowKernel::getLoadedColumns() const {
  int64_t first = std::numeric_limits<int64_t>::max(), end = 0;
  for (auto &[run, numLanes] : needs) {
    if (run.phase >= 0 || run.length > 1)
      continue;
    first = std::min(first, run.vector * length);
    end = std::max(end, (run.vector + 1) * length);
  }
  return {first, end};
}

int64_t RowKernel::getCodeSize() const {
  // Of each row: slides and combinations of runs, shuffles of streams.
  int64_t numSources = 0, numPerRow = 0;
  for (auto &[run, numLanes] : needs) {
    if (run.length > 1)
      numPerRow += 3;
    else if (run.phase < 0)
      ++numSources;
    else
      numPerRow += std::min(numLanes, shape.columns.stride);
  }
  int64_t numInputRows = shape.rows.getSpan(shape.numRows) * shape.numOuterTaps;
  int64_t perColumn = 2 * numInputRows + 2 * shape.numRows;
  int64_t numRows = followsCodes ? numInputRows : shape.numRows;
  return numSources * perColumn + numPerRow * numRows;
}

int64_t RowKernel::getNumSlides(int64_t begin, int64_t end) const {
  int64_t numSlides = 0;
  auto addSlide = [&](int64_t offset) {
    numSlides += floorMod(offset, length) != 0;
  };
  auto hasInput = [&](const Run &run, int64_t numLanes) {
    int64_t s = run.phase < 0 ? 1 : shape.columns.stride;
    int64_t first = run.vector * length * s + std::max<int64_t>(run.phase, 0);
    int64_t last = first + (numLanes - 1 + (run.length - 1) * run.step) * s;
    return first < end && last >= begin;
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

bool RowKernel::canFollowCodes() const {
  StripCodes codes = getCodes();
  return codes.columnBits +
             llvm::Log2_64_Ceil(codes.numInputRows * shape.numOuterTaps) <
         31;
}

StripCodes RowKernel::getCodes() const {
  auto [first, end] = getLoadedColumns();
  return {first, static_cast<int64_t>(llvm::Log2_64_Ceil(end - first)),
          shape.rows.getSpan(shape.numRows)};
}

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

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

std::tuple<RowKernel::Run, RowKernel::Run, int64_t>
RowKernel::split(const Run &run) const {
  auto [first, second] = splitRun(reduction, run.length);
  auto part = [&](int64_t length) {
    return Run{length, length == 1 ? 1 : run.step, run.phase, run.vector};
  };
  return {part(first), part(second), (run.length - second) * run.step};
}

SmallVector<std::pair<RowKernel::Run, int64_t>>
RowKernel::getWindowRuns(int64_t vector) const {
  const KernelDim &columns = shape.columns;
  int64_t s = columns.stride;
  // Within a phase taps are an arithmetic progression.
  SmallVector<std::pair<Run, int64_t>> runs;
  std::map<int64_t, unsigned> runOfPhase;
  for (int64_t t = 0; t < columns.kernel; ++t) {
    int64_t offset = t * columns.dilation - columns.shift;
    int64_t phase = s == 1 ? -1 : floorMod(offset, s);
    offset = llvm::divideFloorSigned(offset, s);
    auto [it, isNew] = runOfPhase.try_emplace(phase, runs.size());
    // One run after the other where their order matters: phases change it.
    if (isNew || (followsCodes && s != 1)) {
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
    runs[i].first.length = numBefore;
    if (numBefore == 1)
      runs[i].first.step = 1;
    run.length -= numBefore;
    first += numBefore * run.step;
    if (run.length == 1)
      run.step = 1;
    runs.insert(runs.begin() + ++i, {run, first});
  }
  return runs;
}

void RowKernel::addSlides(int64_t numTaps, std::set<int64_t> &slides) const {
  if (numTaps == 1 || !slides.insert(numTaps).second)
    return;
  auto [first, second] = splitRun(reduction, numTaps);
  addSlides(first, slides);
  addSlides(second, slides);
}

int64_t RowKernel::getNumMovedApart(const Run &run, int64_t offset) const {
  if (floorMod(offset, length) == 0)
    return 0;
  for (int64_t numBefore = 1; numBefore < run.length; ++numBefore) {
    if (floorMod(offset + numBefore * run.step, length) != 0)
      continue;
    std::set<int64_t> whole, parts;
    addSlides(run.length, whole);
    addSlides(numBefore, parts);
    addSlides(run.length - numBefore, parts);
    return parts.size() < whole.size() ? numBefore : 0;
  }
  return 0;
}

void RowKernel::need(const Run &run, int64_t numLanes) {
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

void RowKernel::needSlide(Run run, int64_t offset, int64_t numLanes) {
  int64_t rest = floorMod(offset, length);
  run.vector += llvm::divideFloorSigned(offset, length);
  need(run, std::min(length, rest + numLanes));
  ++run.vector;
  if (rest + numLanes > length)
    need(run, rest + numLanes - length);
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

Value RowKernel::shuffle(Value a, Value c, ArrayRef<int64_t> lanes) {
  return b.createOrFold<vector::ShuffleOp>(loc, a, c, lanes);
}

Lanes RowKernel::shuffle(Lanes a, Lanes c, ArrayRef<int64_t> lanes) {
  return {shuffle(a.value, c.value, lanes),
          a.code ? shuffle(a.code, c.code, lanes) : Value()};
}

Value RowKernel::getElement(int64_t row, int64_t vector, bool begins) {
  auto [it, isNew] = elementCache.try_emplace({row, vector});
  if (isNew) {
    Value acc = load(0, row, vector * length);
    bool begun = false;
    for (int64_t tap = 1; acc && tap < shape.numOuterTaps; ++tap) {
      if (!begun)
        acc = reduction.begin(b, loc, acc);
      begun = true;
      Value element = load(tap, row, vector * length);
      acc = combine({acc, {}}, {element, {}}).value;
    }
    it->second = {acc, begun};
  }
  auto [element, begun] = it->second;
  return element && begins && !begun ? reduction.begin(b, loc, element)
                                     : element;
}

void RowKernel::reduceSharedColumns(int64_t vector, int64_t firstRow,
                                    int64_t distance, int64_t numRows,
                                    MutableArrayRef<Value> results) {
  const KernelDim &rows = shape.rows;
  int64_t stride = getSharingStride(rows);
  auto append = [&](Value acc, int64_t tap) {
    Value element = getElement(firstRow * rows.stride + tap * rows.dilation,
                               vector, /*begins=*/!acc);
    return acc ? combine({acc, {}}, {element, {}}).value : element;
  };
  auto join = [&](Value lhs, Value rhs) {
    return lhs && rhs ? combine({lhs, {}}, {rhs, {}}).value : lhs ? lhs : rhs;
  };
  Value core;
  for (int64_t tap = (numRows - 1) * stride; tap < rows.kernel; ++tap)
    core = append(core, tap);
  SmallVector<Value> before(numRows), after(numRows);
  Value acc;
  for (int64_t g = numRows - 2; g >= 0; --g) {
    for (int64_t tap = (g + 1) * stride - 1; tap >= g * stride; --tap)
      acc = append(acc, tap);
    before[g] = acc;
  }
  acc = {};
  for (int64_t g = 1; g < numRows; ++g) {
    for (int64_t tap = rows.kernel + (g - 1) * stride;
         tap < rows.kernel + g * stride; ++tap)
      acc = append(acc, tap);
    after[g] = acc;
  }
  for (int64_t g = 0; g < numRows; ++g)
    results[firstRow + g * distance] = join(join(before[g], core), after[g]);
}

SmallVector<Value> RowKernel::reduceColumns(int64_t vector) {
  // Where a column is outside the input, all of its rows are.
  if (!getElement(0, vector, /*begins=*/false))
    return SmallVector<Value>(shape.numRows, reduction.getFill(b, loc));
  SmallVector<Value> results(shape.numRows);
  int64_t distance = getSharingDistance(shape.rows);
  int64_t numSharing = getNumSharingColumns(shape.rows, shape.numRows);
  for (int64_t row = 0; row < shape.numRows; ++row) {
    if (results[row])
      continue;
    int64_t numLeft = llvm::divideCeil(shape.numRows - row, distance);
    reduceSharedColumns(vector, row, distance, std::min(numSharing, numLeft),
                        results);
  }
  return results;
}

Lanes RowKernel::getSource(int64_t row, int64_t vector) {
  if (!followsCodes) {
    auto [it, isNew] = columnCache.try_emplace(vector);
    if (isNew)
      it->second = reduceColumns(vector);
    return {it->second[row], {}};
  }
  StripCodes codes = getCodes();
  int64_t numInputRows = codes.numInputRows;
  Value element = load(row / numInputRows, row % numInputRows, vector * length);
  Lanes source;
  source.value =
      element ? reduction.begin(b, loc, element) : reduction.getFill(b, loc);
  SmallVector<int32_t> columns;
  for (int64_t lane = 0; lane < length; ++lane)
    columns.push_back(vector * length + lane - codes.firstColumn);
  source.code = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(reduction.getCodeType(),
                             ArrayRef<int32_t>(columns)));
  return source;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Lanes RowKernel::getStream(int64_t row, const Run &run) {
  // Lane l is column (vector * length + l) * s + phase, in source vector
  // (l * s + phase) / length of the s that begin at vector * s.
  int64_t s = shape.columns.stride, numLanes = getNumNeeded(run);
  Lanes stream;
  for (int64_t source = 0; source < s; ++source) {
    SmallVector<int64_t> lanes;
    bool isUsed = false;
    for (int64_t lane = 0; lane < length; ++lane) {
      int64_t column = lane * s + run.phase;
      bool isNeeded = lane < numLanes && column / length <= source;
      bool isHere = isNeeded && column / length == source;
      isUsed |= isHere;
      lanes.push_back(isHere     ? length + column % length
                      : isNeeded ? lane
                                 : vector::ShuffleOp::kPoisonIndex);
    }
    if (!isUsed)
      continue;
    Lanes next = getRun(row, getSourceRun(run.vector * s + source));
    if (!stream.value) {
      // Nothing precedes it.
      stream = next;
      for (int64_t &lane : lanes)
        lane = lane >= length ? lane - length : vector::ShuffleOp::kPoisonIndex;
    }
    stream = shuffle(stream, next, lanes);
  }
  return stream;
}

Lanes RowKernel::slideRun(int64_t row, Run run, int64_t offset,
                          int64_t numLanes) {
  int64_t rest = floorMod(offset, length);
  run.vector += llvm::divideFloorSigned(offset, length);
  Lanes low = getRun(row, run), high = low;
  if (rest == 0)
    return low;
  ++run.vector;
  if (rest + numLanes > length)
    high = getRun(row, run);
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < length; ++lane)
    lanes.push_back(lane < numLanes ? lane + rest
                                    : vector::ShuffleOp::kPoisonIndex);
  return shuffle(low, high, lanes);
}

Lanes RowKernel::getRun(int64_t row, const Run &run) {
  auto it = runCache.find({row, run});
  if (it != runCache.end())
    return it->second;
  Lanes result;
  if (run.length > 1) {
    auto [first, second, offset] = split(run);
    Lanes acc = getRun(row, first);
    result = combine(acc, slideRun(row, second, offset, getNumNeeded(run)));
  } else {
    result = run.phase < 0 ? getSource(row, run.vector) : getStream(row, run);
  }
  runCache[{row, run}] = result;
  return result;
}

Lanes RowKernel::reduceRow(int64_t row, int64_t vector) {
  Lanes result;
  for (auto &[run, offset] : getWindowRuns(vector))
    result = combineOrBegin(
        result, slideRun(row, run, offset, getNumOutputs(vector * length)));
  return result;
}

Lanes RowKernel::reduceRows(int64_t row, int64_t vector) {
  StripCodes codes = getCodes();
  Lanes result;
  for (int64_t tap = 0; tap < shape.numOuterTaps; ++tap)
    for (int64_t t = 0; t < shape.rows.kernel; ++t) {
      int64_t source = tap * codes.numInputRows + row * shape.rows.stride +
                       t * shape.rows.dilation;
      auto [it, isNew] = rowCache.try_emplace({source, vector});
      if (isNew) {
        it->second = reduceRow(source, vector);
        Value base = arith::ConstantOp::create(
            b, loc,
            DenseElementsAttr::get(
                reduction.getCodeType(),
                static_cast<int32_t>(source << codes.columnBits)));
        it->second.code = arith::AddIOp::create(b, loc, it->second.code, base);
      }
      result = combineOrBegin(result, it->second);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

SmallVector<int64_t> RowKernel::getLoadedVectors() const {
  SmallVector<int64_t> vectors;
  for (auto &[run, numLanes] : needs)
    if (run.phase < 0 && run.length == 1)
      vectors.push_back(run.vector);
  return vectors;
}

void RowKernel::clear() {
  elementCache.clear();
  columnCache.clear();
  runCache.clear();
  rowCache.clear();
}

RowKernel::Elements RowKernel::loadCarried(LoadFn loadFn) {
  load = loadFn;
  clear();
  Elements carried;
  for (int64_t row = 0; row < getNumCarriedRows(); ++row)
    for (int64_t vector : getLoadedVectors())
      if (Value element = getElement(row, vector, /*begins=*/false)) {
        carried.places.push_back({row, vector});
        carried.values.push_back(element);
      }
  return carried;
}

void RowKernel::emit(LoadFn loadFn, StoreFn store, Elements *carried) {
  load = loadFn;
  clear();
  if (carried)
    for (auto [place, value] :
         llvm::zip_equal(carried->places, carried->values))
      elementCache[place] = {value, shape.numOuterTaps > 1};
  // Column by column, so that few vectors are alive at a time.
  for (int64_t vector = 0; vector * length < shape.numColumns; ++vector)
    for (int64_t i = 0; i < shape.numRows; ++i) {
      int64_t row = shape.lastRowFirst ? shape.numRows - 1 - i : i;
      store(row, vector * length,
            followsCodes ? reduceRows(row, vector) : reduceRow(row, vector));
    }
  if (!carried)
    return;
  for (auto [place, value] : llvm::zip_equal(carried->places, carried->values))
    value = getElement(place.first + shape.numRows * shape.rows.stride,
                       place.second, /*begins=*/false);
}
