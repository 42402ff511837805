// Windows of channels-first buffers, whose rows are read as whole vectors. Then
// the lanes of each window merge into one lane of the results.
//
// A strip of four windows of three columns, in vectors of four lanes:
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

#include "Emit/LaneMask.h"
#include "Problem/CostModel.h"
#include "Reduce/LaneMerge.h"
#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Neighbouring windows of a row, which become one vector of results.
struct MergedStrip {
  explicit MergedStrip(const Problem &problem)
      : columns(problem.getColumns()), length(problem.getLength()) {
    if (problem.reduction.hasPositions())
      length = std::min(length, cost::kMaxPositionLanes);
    numParts = llvm::divideCeil(columns.kernel, length);
    numWindows =
        std::min(length, problem.getColumns().knownOutput.value_or(length));
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
  MergedWindows(WindowKernel &kernel)
      : kernel(kernel), at(kernel.at), strip(kernel.problem),
        reduction(kernel.reduction.withLength(strip.length)) {
    if (reduction.hasPositions() && kernel.hasNarrowPositions())
      reduction = reduction.withNarrowPositions();
  }

  /// Emits a row as strips, or as narrower ones if it has fewer windows.
  void emitRow(ValueRange outputs) {
    const LoopDim &columns = kernel.dims.back();
    Value isWide;
    if (!columns.knownOutput && strip.numWindows > 1)
      isWide = at.isAtLeast(columns.output, strip.numWindows);
    at.ifElse(isWide, [&](bool isWide) {
      if (!isWide) {
        strip.numWindows /= 2;
        return emitRow(outputs);
      }
      // The last strip is moved to the end.
      Value last = at.sub(columns.output, strip.numWindows);
      at.forEach(at.index(0), columns.output, strip.numWindows,
                 [&](Value first) {
                   coordinates = append(outputs, at.min(first, last));
                   emitStrip();
                 });
    });
  }

private:
  void emitStrip() {
    // The last dimension's taps are lanes.
    WindowTaps taps(at);
    for (auto [d, dim] : llvm::enumerate(ArrayRef(kernel.dims).drop_back()))
      taps.add(dim, dim.getStart(at, coordinates[2 + d]),
               /*isKnownInside=*/true);
    Value start = kernel.dims.back().getStart(at, coordinates.back());
    SmallVector<Accumulator> accs(strip.getNumVectors(),
                                  reduction.getEmpty(at));
    taps.forEach(accs, [&](ArrayRef<Value> positions) {
      for (auto [vector, acc] : llvm::enumerate(accs))
        appendRow(acc, vector, append(positions, start));
    });
    int64_t size = strip.getVectorWindows() * strip.columns.kernel;
    auto getWindows = [&](int64_t vector) {
      int64_t begin = strip.getNumLanesBefore(vector, 0);
      return keepLanes(accs[vector], begin, begin + size);
    };
    Accumulator lanes = mergeWindows(at, reduction, accs.size(), getWindows,
                                     strip.length / strip.getVectorWindows());
    kernel.store(reduction, lanes, coordinates,
                 LaneRange::get(at, strip.length, 0, strip.numWindows));
  }

  /// Appends a row of a vector's windows to `acc`. `position` is the strip's.
  void appendRow(Accumulator &acc, int64_t vector,
                 SmallVector<Value> position) {
    int64_t span = strip.columns.getSpan(strip.numWindows);
    LaneRange range = LaneRange::get(at, strip.length, 0, span);
    Value positions, start = position.back();
    for (int64_t part = 0; part < strip.numParts; ++part) {
      int64_t numBefore = strip.getNumLanesBefore(vector, part);
      int64_t column = strip.getColumn(vector) + part * strip.length;
      position.back() = at.add(start, column - numBefore);
      SmallVector<Value> indices =
          append(ArrayRef(coordinates).take_front(2), position);
      if (reduction.hasPositions())
        positions =
            at.castIndex(reduction.getPositionType(),
                         kernel.getPositions(position, strip.length, 1));
      Value stored = reduction.load(at, kernel.input, indices, range);
      Accumulator lanes =
          reduction.getLanes(at, reduction.prepare(at, stored), positions);
      // A sum must not have the lanes of two parts twice.
      if (!reduction.isIdempotent())
        lanes = keepLanes(lanes, numBefore, strip.length);
      acc = reduction.choose(at, acc, lanes);
    }
  }

  /// Returns lanes of no element outside of [begin, end).
  Accumulator keepLanes(Accumulator acc, int64_t begin, int64_t end) {
    Value mask = createLaneMask(at, strip.length,
                                LaneRange::get(at, strip.length, begin, end));
    return mask ? selectLanes(at, mask, acc, reduction.getEmpty(at)) : acc;
  }

  WindowKernel &kernel;
  KernelBuilder &at;
  MergedStrip strip;
  LaneReduction reduction;
  /// Output coordinates of the strip.
  SmallVector<Value> coordinates;
};

struct MergedPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "merged", kWhole = "windows";

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.getColumns().dilation != 1)
      return refuse(reason, "columns of windows lie apart");
    if (llvm::any_of(problem.dims, [](auto &dim) { return dim.coversPadding; }))
      return refuse(reason, "windows may cover padding");
    if (problem.isUniform)
      return refuse(
          reason,
          "the kernel alone does not tell that no window covers padding");
    int64_t size = MergedStrip(problem).getNumOps(problem, 1);
    if (size > cost::kMaxCodeSize)
      return refuse(reason, "{0} operations are no straight code", size);
    return success();
  }

  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    MergedStrip strip(problem);
    if (strip.columns.kernel < cost::kMinMergedColumns)
      return refuse(reason,
                    "windows of {0} columns are not worth merging lanes",
                    strip.columns.kernel);
    int64_t width = problem.getColumns().knownOutput.value_or(strip.numWindows);
    int64_t numRows = getNumTaps(ArrayRef(problem.dims).drop_back());
    double perStrip =
        strip.getNumOps(problem, numRows) + problem.target.costs.groupOps;
    return llvm::divideCeil(width, strip.numWindows) * perStrip / width /
           problem.target.vectorOpsPerCycle;
  }

  void emit(WindowKernel &kernel) const {
    MergedWindows windows(kernel);
    kernel.forEachRow([&](ValueRange outputs) { windows.emitRow(outputs); });
  }
};
} // namespace

const WindowStrategy pool::kMerged = WindowStrategy::of<MergedPlan>();
