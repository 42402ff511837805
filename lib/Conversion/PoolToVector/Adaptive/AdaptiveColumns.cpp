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

SmallVector<int64_t> AdaptiveColumns::getVectors(int64_t first,
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

int64_t AdaptiveColumns::getTapsSize(int64_t first) const {
  int64_t size = 0;
  for (int64_t tap = 0; tap < dim.getMaxSize(); ++tap)
    size += std::max<int64_t>(getVectors(first, tap).size() - 1, 1) + 1;
  return size;
}

int64_t AdaptiveColumns::getMergesSize(int64_t first) const {
  int64_t size = 0, numLeft = getEnd(first) - first;
  for (int64_t o = first; o < getEnd(first); ++o)
    size += 2 * ((dim.getEnd(o) - 1) / length - dim.getStart(o) / length + 1);
  for (int64_t distance = 1; distance < length; distance *= 2) {
    numLeft = llvm::divideCeil(numLeft, 2);
    size += 3 * numLeft;
  }
  return size;
}

int64_t AdaptiveColumns::getCodeSize() const {
  int64_t size = 0;
  for (int64_t first = 0; first < dim.output; first += length)
    size += std::min(getTapsSize(first), getMergesSize(first));
  return size;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Accumulator AdaptiveColumns::reduce(KernelBuilder &at,
                                    ArrayRef<Accumulator> row,
                                    int64_t first) const {
  if (getTapsSize(first) <= getMergesSize(first))
    return reduceTaps(at, row, first);
  return mergeWindows(
      at, reduction, getEnd(first) - first,
      [&](int64_t window) { return reduceWindow(at, row, first + window); });
}

Accumulator AdaptiveColumns::gather(KernelBuilder &at,
                                    ArrayRef<Accumulator> row, int64_t first,
                                    int64_t tap) const {
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

Accumulator AdaptiveColumns::reduceTaps(KernelBuilder &at,
                                        ArrayRef<Accumulator> row,
                                        int64_t first) const {
  Accumulator acc = gather(at, row, first, 0);
  for (int64_t tap = 1; tap < dim.getMaxSize(); ++tap) {
    SmallVector<bool> hasTap(length, false);
    for (int64_t o = first; o < getEnd(first); ++o)
      hasTap[o - first] = tap < dim.getSize(o);
    auto existing = ArrayRef<bool>(hasTap).take_front(getEnd(first) - first);
    if (!llvm::is_contained(existing, true))
      break;
    Accumulator lanes = gather(at, row, first, tap);
    // A maximum meets a window's last element again.
    if (!reduction.isIdempotent() && llvm::is_contained(existing, false)) {
      Value mask = at.constant(VectorType::get(length, at.getI1Type()),
                               ArrayRef<bool>(hasTap));
      lanes = selectLanes(at, mask, lanes, reduction.getEmpty(at));
    }
    acc = reduction.choose(at, acc, lanes);
  }
  return acc;
}

Accumulator AdaptiveColumns::reduceWindow(KernelBuilder &at,
                                          ArrayRef<Accumulator> row,
                                          int64_t o) const {
  int64_t begin = dim.getStart(o), end = dim.getEnd(o);
  Accumulator acc;
  for (int64_t v = begin / length; v * length < end; ++v) {
    Accumulator lanes = row[v];
    int64_t first = v * length;
    if (begin > first || end < first + length)
      lanes =
          selectLanes(at,
                      createLaneMask(at, length,
                                     LaneRange::get(at, length, begin - first,
                                                    end - first)),
                      lanes, reduction.getEmpty(at));
    acc = acc.value ? reduction.choose(at, acc, lanes) : lanes;
  }
  return acc;
}
