// Plans groups of channels-last outputs: how many rows and columns at once, and
// which taps are loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelTile.h"
#include "Channels/Channels.h"
#include "Plan/CostModel.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class ChannelsPlanner {
public:
  explicit ChannelsPlanner(const Problem &problem)
      : problem(problem), rows(problem.getRows()),
        columns(problem.getColumns()) {}

  /// The cheapest tile, and its cost in operations for a vector of outputs.
  std::pair<ChannelTile, double> choose() const;
  /// About how many operations on vectors a group is; those of one position of
  /// the loops over taps.
  double getCodeSize(const ChannelTile &tile) const;
  /// True if an argmax within a group fits into 31 bits.
  bool canFollowArgmax(const ChannelTile &tile) const;

private:
  const Problem &problem;
  const ProblemDim rows, &columns;
};
} // namespace

double ChannelsPlanner::getCodeSize(const ChannelTile &tile) const {
  int64_t perLine = columns.getSpan(tile.numColumns) +
                    tile.getSharedSize(columns, tile.numColumns);
  if (tile.loops != TapLoopDims::None)
    return perLine + tile.numColumns;
  int64_t perColumn = tile.getSharedSize(rows, tile.numRows) + tile.numRows;
  return double(problem.getNumOuterTaps()) *
         (double(rows.getSpan(tile.numRows)) * perLine +
          tile.numColumns * perColumn);
}

bool ChannelsPlanner::canFollowArgmax(const ChannelTile &tile) const {
  auto getBits = [](const KernelDim &dim, int64_t numOutputs) {
    return llvm::Log2_64_Ceil(dim.getSpan(numOutputs));
  };
  int64_t numBits =
      getBits(rows, tile.numRows) + getBits(columns, tile.numColumns);
  for (const ProblemDim &dim : problem.getOuter())
    numBits += getBits(dim, 1);
  return numBits < 31;
}

std::pair<ChannelTile, double> ChannelsPlanner::choose() const {
  // Small windows share little with more than one neighbour.
  int64_t mostRows = cost::kMaxGroupOutputs;
  int64_t mostColumns = columns.kernel <= 3 ? 2 : cost::kMaxGroupOutputs;
  while (rows.kernel <= 3 && mostRows > 1 &&
         rows.getSpan(mostRows) > cost::kMaxInputRows)
    --mostRows;
  ChannelTile tile;
  tile.isUniform = problem.isUniform;
  // Taps are loops where one output is too long already.
  if (getCodeSize(tile) > cost::kMaxCodeSize) {
    mostRows = 1;
    tile.loops = TapLoopDims::AllButColumns;
  }
  // The order of sums depends on the loops.
  bool isSingle =
      rows.knownOutput == 1 && columns.knownOutput == 1 && !problem.isUniform;
  if (isSingle || 2 * columns.getExtent() > cost::kMaxCodeSize) {
    mostRows = mostColumns = 1;
    tile.loops = TapLoopDims::All;
    int64_t most = std::clamp<int64_t>(cost::kMaxChannelBytes * 8 /
                                           problem.target.vectorBits,
                                       1, cost::kMaxChannelVectors);
    tile.numVectors = std::clamp<int64_t>(
        problem.channels.value_or(1) / problem.getLength(), 1, most);
  }
  auto getRepeated = [](const ProblemDim &dim, int64_t n) {
    // The last group's outputs that are computed twice included.
    if (!dim.knownOutput)
      return 1.0;
    return double(llvm::divideCeil(*dim.knownOutput, n) * n) / *dim.knownOutput;
  };
  mostRows = std::min(mostRows, rows.knownOutput.value_or(mostRows));
  mostColumns =
      std::min(mostColumns, columns.knownOutput.value_or(mostColumns));
  double best = std::numeric_limits<double>::infinity();
  ChannelTile bestTile = tile;
  for (tile.numRows = 1; tile.numRows <= mostRows; ++tile.numRows) {
    for (tile.numColumns = 1; tile.numColumns <= mostColumns;
         ++tile.numColumns) {
      double size = getCodeSize(tile);
      int64_t numOutputs = tile.numRows * tile.numColumns;
      if (size > cost::kMaxCodeSize && numOutputs > 1 &&
          tile.loops != TapLoopDims::All)
        break;
      double tileCost = (size + problem.target.costs.groupOps) / numOutputs *
                        getRepeated(rows, tile.numRows) *
                        getRepeated(columns, tile.numColumns);
      if (tileCost < best * 0.999) {
        best = tileCost;
        bestTile = tile;
      }
    }
  }
  // What was counted is one position of the loops.
  double numTaps = getNumTaps(ArrayRef(problem.dims));
  if (tile.loops == TapLoopDims::AllButColumns)
    best *= numTaps / columns.kernel;
  if (tile.loops == TapLoopDims::All)
    best = numTaps * (2 + problem.target.costs.loopOps / tile.numVectors);
  return {bestTile, best};
}

//===----------------------------------------------------------------------===//
// The strategy
//===----------------------------------------------------------------------===//

static LogicalResult checkChannels(const Problem &problem,
                                   std::string &reason) {
  if (problem.layout != Layout::ChannelsLast)
    reason = "it is for buffers with the channels last";
  else if (!problem.hasContiguousLanes)
    reason = "the channels of a buffer are not consecutive in memory";
  else if (problem.reduction.hasWideSums())
    reason = "sums are of 128 bits";
  else if (problem.reduction.hasPositions() && !problem.mayClamp)
    reason = "a window may lie in padding alone, which no argmax follows";
  else
    return success();
  return failure();
}

FailureOr<Candidate> pool::planChannels(MLIRContext *context,
                                        const Problem &problem,
                                        std::string &reason) {
  if (failed(checkChannels(problem, reason)))
    return failure();
  ChannelsPlanner planner(problem);
  auto [tile, numOps] = planner.choose();
  if (problem.reduction.hasPositions() && !planner.canFollowArgmax(tile)) {
    reason = "an argmax within a group has more than 31 bits";
    return failure();
  }
  int64_t length = problem.getLength();
  int64_t numChannels = problem.channels.value_or(length);
  double planCost = numOps / cost::kOpsPerCycle / std::min(numChannels, length);
  if (problem.hasFewChannels())
    planCost *= problem.target.costs.fewChannelsFactor;
  return Candidate{writePlan(context, ChannelsPlan{{}, tile}), planCost};
}

LogicalResult pool::checkChannelsPlan(PlanAttr attr, const Problem &problem,
                                      PlanScope &, std::string &reason) {
  FailureOr<ChannelsPlan> plan =
      readWholePlan<ChannelsPlan>(attr, "windows", reason);
  if (failed(plan) || failed(checkChannels(problem, reason)))
    return failure();
  const ChannelTile &tile = plan->tile;
  if (tile.loops != TapLoopDims::None && tile.numRows > 1)
    return refuse(reason, "rows is for straight code, must be 1");
  if (tile.loops == TapLoopDims::All && tile.numColumns > 1)
    return refuse(reason, "columns is for straight code, must be 1");
  if (tile.loops != TapLoopDims::All && tile.numVectors > 1)
    return refuse(reason, "vectors is for loops over all taps, must be 1");
  if (problem.isUniform &&
      tile.loops != ChannelsPlanner(problem).choose().first.loops)
    return refuse(reason,
                  "the order of sums depends on loops, which the kernel alone "
                  "decides");
  auto checkExtent = [&](StringRef name, int64_t value,
                         std::optional<int64_t> known) -> LogicalResult {
    if (value <= known.value_or(value))
      return success();
    return refuse(reason, llvm::formatv("{0} is {1}, but there are {2}", name,
                                        value, *known));
  };
  if (failed(
          checkExtent("rows", tile.numRows, problem.getRows().knownOutput)) ||
      failed(checkExtent("columns", tile.numColumns,
                         problem.getColumns().knownOutput)))
    return failure();
  if (tile.numVectors > 1 &&
      tile.numVectors * problem.getLength() > problem.channels.value_or(1))
    return refuse(reason, llvm::formatv("vectors is {0}, of {1} channels each",
                                        tile.numVectors, problem.getLength()));
  ChannelsPlanner planner(problem);
  if (problem.reduction.hasPositions() && !planner.canFollowArgmax(tile))
    return refuse(reason, "an argmax within a group has more than 31 bits");
  int64_t size = tile.loops == TapLoopDims::All ? 0 : planner.getCodeSize(tile);
  return checkPinnedSize("a group", size, reason);
}
