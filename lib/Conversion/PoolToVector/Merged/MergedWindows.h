// Windows of channels-first buffers, whose rows are read as whole vectors. Then
// the lanes of each window merge into one lane of the results.
//
// This strip has four windows of three columns, in vectors of four lanes:
//
//   a row of the input  aaabbbcccddd
//   loaded              aaab bbbc cccd cddd   reduced over the rows of windows
//   lanes of windows    aaa_ bbb_ ccc_ _ddd   `_` adds nothing
//   merged              abcd
//
// No vector reaches out of the strip. A vector has several windows if they fill
// it. A window of more columns than a vector has lanes is loaded in parts,
// which are reduced to one vector.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_MERGED_MERGEDWINDOWS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_MERGED_MERGEDWINDOWS_H

#include "Emit/LaneMask.h"
#include "Problem/CostModel.h"
#include "Reduce/LaneMerge.h"
#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

/// Neighbouring windows of a row, which become one vector of results.
struct MergedStrip {
  /// The widest strip of the windows of `columns`.
  MergedStrip(const Problem &problem, const ProblemDim &columns)
      : columns(columns), length(problem.getLength()) {
    if (problem.reduction.hasPositions())
      length = std::min(length, cost::kMaxPositionLanes);
    numParts = llvm::divideCeil(columns.kernel, length);
    numWindows = std::min(length, columns.knownOutput.value_or(length));
  }

  /// Windows of a vector.
  int64_t getVectorWindows() const {
    int64_t most = length / columns.kernel;
    bool fillIt = columns.stride == columns.kernel &&
                  length % columns.kernel == 0 && numWindows % most == 0;
    return fillIt ? most : 1;
  }
  int64_t getNumVectors() const { return numWindows / getVectorWindows(); }
  /// The strip's column of a vector's first window.
  int64_t getColumn(int64_t vector) const {
    return vector * getVectorWindows() * columns.stride;
  }
  /// Lanes that come before part `part` of a vector's windows. The vector is
  /// moved back by them to stay in the strip, or in a window of several parts.
  int64_t getNumLanesBefore(int64_t vector, int64_t part) const {
    int64_t column = getColumn(vector) + part * length;
    int64_t end = numParts > 1 ? getColumn(vector) + columns.kernel
                               : columns.getSpan(numWindows);
    return std::clamp<int64_t>(column + length - end, 0, column);
  }
  /// About how many operations a strip takes for `numRows` rows of windows.
  double getNumOps(const Problem &problem, int64_t numRows) const {
    // Indices of 32 bits take more vectors than narrow elements.
    int64_t combineOps = 1;
    if (problem.reduction.hasIndices())
      combineOps =
          10 * llvm::divideCeil(32 * length, problem.target.vectorBits);
    double numLoads = double(numRows) * getNumVectors() * numParts;
    return numLoads * (1 + problem.reduction.getNumPrepareOps() + combineOps) +
           length / getVectorWindows() * (2 + combineOps);
  }

  KernelDim columns;
  /// Lanes of a vector; windows of the strip; vectors that a window is loaded
  /// as.
  int64_t length, numWindows, numParts;
};

class MergedWindows {
public:
  /// Windows of `columns` in the last dimension of `input`, and of `rows` in
  /// those before.
  MergedWindows(WindowKernel &kernel, Value input, ArrayRef<LoopDim> rows,
                const LoopDim &columns)
      : kernel(kernel), at(kernel.at), input(input), rows(rows),
        columns(columns), strip(kernel.problem, columns),
        reduction(kernel.reduction.withLength(strip.length)) {
    if (reduction.hasPositions() && kernel.hasNarrowPositions())
      reduction = reduction.withNarrowPositions();
  }

  /// Calls `emitStrips` for code of the widest strip, and, if there may be
  /// fewer windows, of narrower ones.
  void forEachWidth(function_ref<void()> emitStrips) {
    Value isWide;
    if (!columns.knownOutput && strip.numWindows > 1)
      isWide = at.isAtLeast(columns.output, strip.numWindows);
    at.ifElse(isWide, [&](bool isWide) {
      if (isWide)
        return emitStrips();
      strip.numWindows /= 2;
      forEachWidth(emitStrips);
    });
  }

  /// Makes strips of one window, whose vectors are read by a loop.
  void useLoop() {
    strip.numWindows = 1;
    hasLoop = true;
  }
  int64_t getNumWindows() const { return strip.numWindows; }
  /// Moves the last strip, which may begin at `first`, to the end of the row.
  Value getFirst(Value first) {
    return at.moveBack(first, columns.output, strip.numWindows);
  }

  /// Reduces a strip. `outputs` has a coordinate of `rows` each, and then the
  /// strip's first output. `lead` are the input's coordinates before.
  Accumulator reduceStrip(ValueRange lead, ValueRange outputs) {
    // The last dimension's taps are lanes.
    WindowTaps taps(at);
    for (auto [dim, output] : llvm::zip(rows, outputs))
      taps.add(dim, dim.getStart(at, output), /*isKnownInside=*/true);
    Value start = columns.getStart(at, outputs.back());
    // A loop needs accumulators to begin with.
    SmallVector<Accumulator> accs(strip.getNumVectors(),
                                  rows.empty() ? Accumulator()
                                               : reduction.getEmpty(at));
    taps.forEach(accs, [&](ArrayRef<Value> positions) {
      for (auto [vector, acc] : llvm::enumerate(accs))
        appendRow(acc, vector, lead, append(positions, start));
    });
    int64_t size = strip.getVectorWindows() * columns.kernel;
    auto getWindows = [&](int64_t vector) {
      int64_t begin = strip.getNumLanesBefore(vector, 0);
      return keepLanes(accs[vector], begin, begin + size);
    };
    return mergeWindows(at, reduction, accs.size(), getWindows,
                        strip.length / strip.getVectorWindows());
  }

  const LaneReduction &getReduction() const { return reduction; }
  /// The lanes of a strip's results.
  LaneRange getLanes() { return {0, strip.numWindows}; }

private:
  /// Appends a row of a vector's windows to `acc`, by several accumulators if
  /// it has many parts. `position` is the strip's.
  void appendRow(Accumulator &acc, int64_t vector, ValueRange lead,
                 const SmallVector<Value> &position) {
    SmallVector<Accumulator> accs = {acc};
    int64_t part = 0;
    if (hasLoop) {
      accs.assign(cost::kNumPlaneAccumulators, reduction.getEmpty(at));
      int64_t width = accs.size() * strip.length;
      int64_t end = columns.kernel / width * width;
      at.forEach(at.index(0), at.index(end), width, accs, [&](Value column) {
        SmallVector<Value> place(position);
        place.back() = at.add(place.back(), column);
        for (auto [i, acc] : llvm::enumerate(accs))
          appendLanes(acc, load(lead, place, i * strip.length));
      });
      part = end / strip.length;
    } else if (strip.numParts >= 4 * cost::kNumStraightAccumulators) {
      accs.resize(cost::kNumStraightAccumulators);
    }
    for (; part < strip.numParts; ++part) {
      int64_t numBefore = strip.getNumLanesBefore(vector, part);
      int64_t column = strip.getColumn(vector) + part * strip.length;
      Accumulator &partAcc = accs[part % accs.size()];
      // A sum must not have the lanes of two parts twice.
      if (masksLoads() && strip.numParts > 1 && numBefore > 0) {
        appendLanes(partAcc,
                    load(lead, position, column, strip.length - numBefore));
        continue;
      }
      Accumulator lanes = load(lead, position, column - numBefore);
      if (!reduction.isIdempotent())
        lanes = keepLanes(lanes, numBefore, strip.length);
      appendLanes(partAcc, lanes);
    }
    // In pairs; their number is a power of two.
    for (size_t n = accs.size() / 2; n > 0; n /= 2)
      for (size_t i = 0; i < n; ++i)
        accs[i] = reduction.choose(at, accs[i], accs[n + i]);
    acc = accs[0];
  }

  /// True if a sum's last part is loaded without what the part before has.
  bool masksLoads() const {
    return !reduction.isIdempotent() &&
           kernel.problem.target.hasMaskRegisters(
               reduction.getStoredType().getElementTypeBitWidth());
  }

  /// Loads the lanes from `column` on, counted from `place`, `numLanes` at
  /// most.
  Accumulator load(ValueRange lead, SmallVector<Value> place, int64_t column,
                   int64_t numLanes = INT32_MAX) {
    place.back() = at.add(place.back(), column);
    numLanes = std::min(numLanes, columns.getSpan(strip.numWindows));
    Value stored =
        reduction.load(at, input, append(lead, place), {0, numLanes});
    Value positions;
    if (reduction.hasPositions())
      positions = at.castIndex(reduction.getPositionType(),
                               kernel.getPositions(place, strip.length, 1));
    return reduction.getLanes(at, reduction.prepare(at, stored), positions);
  }

  /// `acc` may be null, at the beginning.
  void appendLanes(Accumulator &acc, Accumulator lanes) {
    acc = acc.value
              ? reduction.choose(at, acc, lanes)
              : Accumulator{reduction.begin(at, lanes.value), lanes.index};
  }

  /// Returns lanes of no element outside of [begin, end).
  Accumulator keepLanes(Accumulator acc, int64_t begin, int64_t end) {
    Value mask = createLaneMask(at, strip.length, {begin, end});
    return mask ? selectLanes(at, mask, acc, reduction.getEmpty(at)) : acc;
  }

  WindowKernel &kernel;
  KernelBuilder &at;
  Value input;
  ArrayRef<LoopDim> rows;
  LoopDim columns;
  MergedStrip strip;
  LaneReduction reduction;
  bool hasLoop = false;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_MERGED_MERGEDWINDOWS_H
