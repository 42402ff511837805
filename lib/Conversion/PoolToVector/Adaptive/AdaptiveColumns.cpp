// Columns of windows of several sizes, from a row in registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptiveColumns.h"

#include "Emit/LaneMask.h"
#include "Reduce/LaneMerge.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

SmallVector<int64_t> ColumnWindows::getVectors(int64_t first,
                                               int64_t tap) const {
  // Positions ascend with the outputs.
  SmallVector<int64_t> vectors;
  for (int64_t o = first; o < getEnd(first); ++o) {
    int64_t vector = getPosition(o, tap) / length;
    if (vectors.empty() || vectors.back() != vector)
      vectors.push_back(vector);
  }
  return vectors;
}

int64_t ColumnWindows::getTapsSize(int64_t first) const {
  int64_t size = 0;
  for (int64_t tap = 0; tap < dim.getMaxSize(); ++tap)
    size += std::max<int64_t>(getVectors(first, tap).size() - 1, 1) + 1;
  return size;
}

int64_t ColumnWindows::getMergesSize(int64_t first) const {
  int64_t size = 0, numLeft = getEnd(first) - first;
  for (int64_t o = first; o < getEnd(first); ++o)
    size += 2 * ((dim.getEnd(o) - 1) / length - dim.getStart(o) / length + 1);
  for (int64_t distance = 1; distance < length; distance *= 2) {
    numLeft = llvm::divideCeil(numLeft, 2);
    size += 3 * numLeft;
  }
  return size;
}

int64_t ColumnWindows::getCodeSize() const {
  int64_t size = 0;
  for (int64_t first = 0; first < dim.output; first += length)
    size += std::min(getTapsSize(first), getMergesSize(first));
  return size;
}

Accumulator AdaptiveColumns::reduce(ArrayRef<Accumulator> row, int64_t first) {
  return getTapsSize(first) <= getMergesSize(first) ? reduceTaps(row, first)
                                                    : reduceWindows(row, first);
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

Value AdaptiveColumns::getConstantMask(function_ref<bool(int64_t)> isSet) {
  SmallVector<bool> bits;
  for (int64_t lane = 0; lane < length; ++lane)
    bits.push_back(isSet(lane));
  auto type = VectorType::get(length, at.getI1Type());
  return at.constant(type, ArrayRef<bool>(bits));
}

Accumulator AdaptiveColumns::select(Value mask, Accumulator lanes) {
  return selectLanes(at, mask, lanes, kernel.getEmpty());
}

Accumulator AdaptiveColumns::gather(ArrayRef<Accumulator> row, int64_t first,
                                    int64_t tap) {
  SmallVector<int64_t> positions(length, vector::ShuffleOp::kPoisonIndex);
  for (int64_t o = first; o < getEnd(first); ++o)
    positions[o - first] = getPosition(o, tap);
  SmallVector<Value> values, indices;
  for (const Accumulator &lanes : row) {
    values.push_back(lanes.value);
    indices.push_back(lanes.index);
  }
  Accumulator result{gatherLanes(at, values, positions), {}};
  if (indices[0])
    result.index = gatherLanes(at, indices, positions);
  return result;
}

Accumulator AdaptiveColumns::reduceTaps(ArrayRef<Accumulator> row,
                                        int64_t first) {
  Accumulator acc = gather(row, first, 0);
  for (int64_t tap = 1; tap < dim.getMaxSize(); ++tap) {
    auto hasTap = [&](int64_t lane) {
      int64_t o = first + lane;
      return o < dim.output && tap < dim.getSize(o);
    };
    auto isMissing = [&](int64_t o) { return !hasTap(o - first); };
    auto outputs = llvm::seq<int64_t>(first, getEnd(first));
    if (llvm::all_of(outputs, isMissing))
      break;
    Accumulator lanes = gather(row, first, tap);
    // A maximum meets a window's last element again.
    if (!reduction.isIdempotent() && llvm::any_of(outputs, isMissing))
      lanes = select(getConstantMask(hasTap), lanes);
    acc = kernel.combine(acc, lanes);
  }
  return acc;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Accumulator AdaptiveColumns::reduceWindow(ArrayRef<Accumulator> row,
                                          int64_t o) {
  int64_t begin = dim.getStart(o), end = dim.getEnd(o);
  Accumulator acc;
  for (int64_t v = begin / length; v * length < end; ++v) {
    Accumulator lanes = row[v];
    if (begin > v * length || end < (v + 1) * length)
      lanes = select(
          createLaneMask(at, length, begin - v * length, end - v * length),
          lanes);
    acc = acc.value ? kernel.combine(acc, lanes) : lanes;
  }
  return acc;
}

Accumulator AdaptiveColumns::reduceWindows(ArrayRef<Accumulator> row,
                                           int64_t first) {
  return mergeWindows(
      kernel.at, reduction, getEnd(first) - first,
      [&](int64_t window) { return reduceWindow(row, first + window); });
}
