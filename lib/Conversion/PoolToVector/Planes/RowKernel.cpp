// Straight vector code for a strip of a few output rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/RowKernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

RowKernel::Column RowKernel::join(const Column &first, const Column &later) {
  if (!first.value || !later.value)
    return first.value ? first : later;
  // To begin is an operation, which no accumulator needs.
  bool isSwapped = !first.isBegun && later.isBegun;
  const Column &acc = isSwapped ? later : first;
  const Column &other = isSwapped ? first : later;
  return {combine({begin(acc), {}}, {other.value, {}}).value, true};
}

RowKernel::Column RowKernel::getElement(int64_t row, int64_t vector) {
  auto [it, isNew] = elementCache.try_emplace({row, vector});
  if (isNew)
    for (int64_t tap = 0; tap < shape.numOuterTaps; ++tap) {
      Value element = load(tap, row, vector * length);
      if (!element)
        break;
      it->second = join(it->second, {element});
    }
  return it->second;
}

void RowKernel::reduceSharedColumns(int64_t vector, int64_t firstRow,
                                    int64_t distance, int64_t numRows,
                                    MutableArrayRef<Value> results) {
  const KernelDim &rows = shape.rows;
  int64_t stride = rows.getSharingStride();
  auto append = [&](const Column &acc, int64_t tap) {
    return join(
        acc, getElement(firstRow * rows.stride + tap * rows.dilation, vector));
  };
  Column core;
  for (int64_t tap = (numRows - 1) * stride; tap < rows.kernel; ++tap)
    core = append(core, tap);
  SmallVector<Column> before(numRows), after(numRows);
  Column acc;
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
    results[firstRow + g * distance] =
        begin(join(join(before[g], core), after[g]));
}

SmallVector<Value> RowKernel::reduceColumns(int64_t vector) {
  // Where a column is outside the input, all of its rows are.
  if (!getElement(0, vector).value)
    return SmallVector<Value>(shape.numRows, reduction.getFill(at));
  SmallVector<Value> results(shape.numRows);
  int64_t distance = shape.rows.getSharingDistance();
  int64_t numSharing =
      shape.isUniform ? 1 : getNumSharingRows(shape.rows, shape.numRows);
  for (int64_t row = 0; row < shape.numRows; ++row) {
    if (results[row])
      continue;
    int64_t numLeft = llvm::divideCeil(shape.numRows - row, distance);
    reduceSharedColumns(vector, row, distance, std::min(numSharing, numLeft),
                        results);
  }
  return results;
}

Accumulator RowKernel::getSource(int64_t row, int64_t vector) {
  if (!followsArgmax) {
    auto [it, isNew] = columnCache.try_emplace(vector);
    if (isNew)
      it->second = reduceColumns(vector);
    return {it->second[row], {}};
  }
  ArgmaxLayout layout = getArgmaxLayout();
  int64_t numInputRows = layout.numInputRows;
  Value element = load(row / numInputRows, row % numInputRows, vector * length);
  Accumulator source;
  source.value = element ? reduction.begin(at, element) : reduction.getFill(at);
  SmallVector<int32_t> columns;
  for (int64_t lane = 0; lane < length; ++lane)
    columns.push_back(vector * length + lane - layout.firstColumn);
  source.index =
      at.constant(reduction.getIndexType(), ArrayRef<int32_t>(columns));
  return source;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Accumulator RowKernel::getDeinterleavedRow(int64_t row, const Run &run) {
  // Lane l holds column (vector * length + l) * s + phase. It is in source
  // vector (l * s + phase) / length, counted from vector * s.
  int64_t s = shape.columns.stride, last = -1;
  SmallVector<Accumulator> sources;
  SmallVector<int64_t> positions(length, vector::ShuffleOp::kPoisonIndex);
  for (int64_t lane = 0; lane < getNumNeeded(run); ++lane) {
    int64_t column = lane * s + run.phase;
    if (std::exchange(last, column / length) != column / length)
      sources.push_back(getRun(row, getSourceRun(run.vector * s + last)));
    positions[lane] = (sources.size() - 1) * length + column % length;
  }
  return gatherLanes(at, sources, positions);
}

Accumulator RowKernel::slideRun(int64_t row, Run run, int64_t offset,
                                int64_t numLanes) {
  int64_t rest = llvm::mod(offset, length);
  run.vector += llvm::divideFloorSigned(offset, length);
  Accumulator low = getRun(row, run), high = low;
  if (rest == 0)
    return low;
  ++run.vector;
  if (rest + numLanes > length)
    high = getRun(row, run);
  // Lanes that are not needed become poison. (LLVM 22's X86 backend takes
  // shuffles that repeat lanes there for splats, also of the lanes needed.)
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < length; ++lane)
    lanes.push_back(lane < numLanes ? lane + rest
                                    : vector::ShuffleOp::kPoisonIndex);
  return shuffleLanes(at, low, high, lanes);
}

Accumulator RowKernel::getRun(int64_t row, const Run &run) {
  auto it = runCache.find({row, run});
  if (it != runCache.end())
    return it->second;
  Accumulator result;
  if (run.length > 1) {
    auto [first, second, offset] = split(run);
    Accumulator acc = getRun(row, first);
    result = combine(acc, slideRun(row, second, offset, getNumNeeded(run)));
  } else {
    result = run.phase < 0 ? getSource(row, run.vector)
                           : getDeinterleavedRow(row, run);
  }
  runCache[{row, run}] = result;
  return result;
}

Accumulator RowKernel::reduceRow(int64_t row, int64_t vector) {
  Accumulator result;
  for (auto &[run, offset] : getWindowRuns(vector))
    result = combineOrBegin(
        result, slideRun(row, run, offset, getNumOutputs(vector * length)));
  return result;
}

Accumulator RowKernel::reduceRows(int64_t row, int64_t vector) {
  ArgmaxLayout layout = getArgmaxLayout();
  Accumulator result;
  for (int64_t tap = 0; tap < shape.numOuterTaps; ++tap)
    for (int64_t t = 0; t < shape.rows.kernel; ++t) {
      int64_t source = tap * layout.numInputRows + row * shape.rows.stride +
                       t * shape.rows.dilation;
      auto [it, isNew] = rowCache.try_emplace({source, vector});
      if (isNew) {
        it->second = reduceRow(source, vector);
        Value base =
            at.constant(reduction.getIndexType(),
                        static_cast<int32_t>(source << layout.columnBits));
        it->second.index = at.add(it->second.index, base);
      }
      result = combineOrBegin(result, it->second);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

RowKernel::Elements RowKernel::loadCarried(LoadFn loadFn) {
  load = loadFn;
  clear();
  Elements carried;
  for (int64_t row : getCarriedRows())
    for (int64_t vector : getLoadedVectors())
      if (Value element = getElement(row, vector).value) {
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
            followsArgmax ? reduceRows(row, vector) : reduceRow(row, vector));
    }
  if (!carried)
    return;
  for (auto [place, value] : llvm::zip_equal(carried->places, carried->values))
    value = getElement(place.first + shape.numRows * shape.rows.stride,
                       place.second)
                .value;
}
