// Plans groups of channels-last outputs: how many rows and columns at once, and
// which taps are loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelTile.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pool;

namespace {
class ChannelsPlanner {
public:
  explicit ChannelsPlanner(const Problem &problem)
      : problem(problem), rows(problem.getRows()),
        columns(problem.getColumns()) {}

  /// Sets the cheapest tile, and returns its cost in operations for a vector of
  /// outputs. Fails if no group's argmax fits into 31 bits.
  FailureOr<double> choose(ChannelTile &best, std::string &reason) const {
    FailureOr<double> bestCost = failure();
    auto consider = [&](const ChannelTile &tile) {
      int64_t numOutputs = tile.numRows * tile.numColumns;
      if (numOutputs > cost::kMaxGroupOutputs ||
          (numOutputs > 1 && getCodeSize(tile) > cost::kMaxCodeSize) ||
          failed(checkArgmax(tile, reason)))
        return;
      double tileCost = getCost(tile);
      if (succeeded(bestCost) && tileCost >= *bestCost * 0.999)
        return;
      best = tile;
      bestCost = tileCost;
    };
    auto getMost = [](const ProblemDim &dim) {
      return std::min(dim.knownOutput.value_or(cost::kMaxGroupExtent),
                      cost::kMaxGroupExtent);
    };
    ChannelTile tile;
    for (TapLoopDims loops : getLoops()) {
      tile.loops = loops;
      int64_t mostRows = tile.isStraight() ? getMost(rows) : 1;
      int64_t mostColumns = tile.rollsColumns() ? 1 : getMost(columns);
      int64_t mostVectors = tile.rollsColumns() ? getMostVectors() : 1;
      for (tile.numRows = 1; tile.numRows <= mostRows; ++tile.numRows)
        for (tile.numColumns = 1; tile.numColumns <= mostColumns;
             ++tile.numColumns)
          for (tile.numVectors = 1; tile.numVectors <= mostVectors;
               ++tile.numVectors)
            consider(tile);
    }
    // Buffers that stay in the caches need neither.
    if (succeeded(bestCost) && problem.isLarge.value_or(false))
      for (bool ChannelTile::*flag :
           {&ChannelTile::prefetches, &ChannelTile::streams}) {
        best.*flag = true;
        best.*flag = succeeded(checkMemory(best, reason));
      }
    return bestCost;
  }

  /// Which taps may be loops; of uniform sums, one alone, by the kernel alone.
  SmallVector<TapLoopDims> getLoops() const {
    SmallVector<TapLoopDims> all;
    if (getCodeSize(ChannelTile()) <= cost::kMaxCodeSize)
      all.push_back(TapLoopDims::None);
    if (2 * columns.getExtent() <= cost::kMaxCodeSize)
      all.push_back(TapLoopDims::AllButColumns);
    all.push_back(TapLoopDims::All);
    // The order of sums depends on the loops.
    if (problem.isUniform)
      all.truncate(1);
    return all;
  }

  /// About how many operations on vectors the code of a group is.
  double getCodeSize(const ChannelTile &tile) const {
    // An argmax is compared, selected and made a position.
    double ofElement = problem.reduction.hasPositions() ? 3 : 1;
    double ofLine = getLineLoads(tile), ofResult = 1;
    if (!tile.rollsColumns())
      ofLine += ChannelTile::share(problem, columns, tile.numColumns).getSize();
    if (tile.isStraight())
      ofResult = double(problem.getNumOuterTaps()) *
                 (ChannelTile::share(problem, rows, tile.numRows).getSize() +
                  tile.numRows);
    return ofElement * (getNumLines(tile) * ofLine +
                        tile.numVectors * tile.numColumns * ofResult);
  }

  LogicalResult checkArgmax(const ChannelTile &tile,
                            std::string &reason) const {
    return checkArgmaxBits(problem, tile.getArgmaxBits(problem), reason);
  }

  /// Refuses to fetch groups ahead, or to store past the caches, where the
  /// tile or the buffers do not allow that.
  LogicalResult checkMemory(const ChannelTile &tile,
                            std::string &reason) const {
    if (!tile.prefetches && !tile.streams)
      return success();
    if (!problem.isPacked || !problem.getOuter().empty() || !problem.channels ||
        *problem.channels % problem.getLength() != 0)
      return refuse(reason,
                    "prefetch and stream are for packed buffers of whole "
                    "vectors of channels, with at most two spatial dimensions");
    // Vectors that are less than a cache line are fetched by themselves.
    int64_t numFetched = ChannelTile::getNumNew(rows, tile.numRows) *
                         ChannelTile::getNumNew(columns, tile.numColumns) *
                         llvm::divideCeil(tile.numVectors * problem.getLength(),
                                          problem.getLineLength());
    if (tile.prefetches && numFetched > cost::kMaxPrefetches)
      return refuse(reason,
                    "prefetch is for up to {0} cache lines of a group that "
                    "others do not read, but there are {1}",
                    cost::kMaxPrefetches, numFetched);
    if (tile.streams && !canStream(problem, problem.getLength()))
      return refuse(reason, "stream is for vectors of at least 16 bytes");
    return success();
  }

private:
  /// The most vectors of channels that loops over all taps reduce at once.
  int64_t getMostVectors() const {
    const Target &target = problem.target;
    int64_t most =
        std::min({cost::kMaxChannelBytes * 8 / target.vectorBits,
                  cost::kMaxChannelVectors,
                  problem.channels.value_or(1) / problem.getLength()});
    // An extremum is computed where the element was loaded: two registers each.
    if (problem.reduction.isIdempotent())
      most = std::min<int64_t>(most, target.numVectorRegisters / 2);
    return std::max<int64_t>(most, 1);
  }

  /// Lines of input in the code of a group, and vectors that each loads.
  double getNumLines(const ChannelTile &tile) const {
    return tile.isStraight() ? double(problem.getNumOuterTaps()) *
                                   rows.getNumPositions(tile.numRows)
                             : 1;
  }

  double getLineLoads(const ChannelTile &tile) const {
    return tile.rollsColumns() ? tile.numVectors
                               : columns.getNumPositions(tile.numColumns);
  }

  /// Additional cost if `numLines` lines are read at more places than the
  /// hardware follows.
  double getStreamedOps(const ChannelTile &tile, double numLines) const {
    // Consecutive vectors of channels are read at each place at once. Places
    // that are whole cache ways apart share one set of the first cache. It
    // evicts prefetched lines before they are needed.
    const Target &target = problem.target;
    int64_t numChannels = problem.channels.value_or(target.cacheLineBytes);
    int64_t elementBytes = problem.inputBytes;
    double mostStreams = target.maxStreams;
    double leastBytes = target.secondCacheBytes;
    double mostCrowding = cost::kMaxCrowding;
    if (problem.channels) {
      int64_t wayBytes = target.getFirstCacheWayBytes();
      int64_t rest = numChannels % wayBytes * elementBytes;
      int64_t numSets = wayBytes / std::gcd(wayBytes, rest);
      if (target.firstCacheWays * numSets < mostStreams) {
        mostStreams = target.firstCacheWays * numSets;
        leastBytes = target.firstCacheBytes;
        mostCrowding = cost::kMaxSetCrowding;
      }
    }
    if (problem.numBytes.value_or(leastBytes) < leastBytes)
      return 0;
    double numColumns = columns.getNumPositions(tile.numColumns);
    // Lines lie in pages of their own; stores wait for nobody.
    double ofLine = 2 + (numColumns - 1) *
                            std::min(1.0, double(numChannels) * elementBytes /
                                              target.cacheLineBytes);
    double numStreams =
        numLines * ofLine + 0.5 * tile.numRows * tile.numColumns;
    return target.costs.streamOps * numLines * numColumns *
           std::clamp(numStreams / mostStreams - 1, 0.0, mostCrowding);
  }

  /// Cost of a vector of outputs.
  double getCost(const ChannelTile &tile) const {
    const Costs &costs = problem.target.costs;
    double numLines = getNumLines(tile), lineLoads = getLineLoads(tile);
    // Results of a line, and of those before it, beyond the registers are
    // spilled and reloaded.
    int64_t numKept = tile.numColumns;
    if (tile.isStraight())
      numKept *=
          ChannelTile::share(problem, rows, tile.numRows).getNumSharing() + 1;
    if (problem.reduction.hasPositions())
      numKept *= 2;
    double numSpilled = std::max(numKept - problem.target.numVectorRegisters *
                                               cost::kLineRegisters,
                                 0.0);
    double numOps =
        getCodeSize(tile) +
        numLines *
            (problem.reduction.getNumPrepareOps() * lineLoads + numSpilled);
    // Loops over taps run the group's code again and again.
    double numRuns = 1;
    if (!tile.isStraight()) {
      numRuns =
          getNumTaps(ArrayRef(problem.dims).drop_back(!tile.rollsColumns()));
      numOps += costs.channelTapOps;
    }
    numOps *= numRuns;
    if (!tile.rollsColumns())
      numOps += getStreamedOps(tile, numRuns * numLines);
    numOps += costs.channelGroupOps;
    // Rows and columns of input whose place depends on the group.
    double numPlaces = 0;
    if (tile.isStraight() && tile.numRows != rows.knownOutput)
      numPlaces += numLines;
    if (!tile.rollsColumns() && tile.numColumns != columns.knownOutput)
      numPlaces += lineLoads;
    int64_t length = problem.getLength(), width = tile.numVectors * length;
    int64_t numChannels = problem.channels.value_or(width);
    // The last group's outputs that are computed twice included.
    auto getNumGroups = [](const ProblemDim &dim, int64_t n) {
      double numOutputs = dim.knownOutput.value_or(n);
      return llvm::divideCeil(dim.knownOutput.value_or(n), n) / numOutputs;
    };
    return (llvm::divideCeil(numChannels, width) * numOps +
            costs.placeOps * numPlaces) *
           getNumGroups(rows, tile.numRows) *
           getNumGroups(columns, tile.numColumns) /
           llvm::divideCeil(numChannels, length);
  }

  const Problem &problem;
  const ProblemDim rows, &columns;
};

struct ChannelsPlan : WindowPlan {
  ChannelsPlan() : WindowPlan("channels", "windows") {}
  ChannelTile tile;

  void declareParameters(PlanFields &fields) override {
    fields.keyword("loops", tile.loops, {"none", "rows", "all"});
    fields.integer("rows", tile.numRows, 1, 16);
    fields.integer("columns", tile.numColumns, 1, 16);
    fields.integer("vectors", tile.numVectors, 1, 16);
    fields.flag("prefetch", tile.prefetches);
    fields.flag("stream", tile.streams);
  }

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    if (failed(problem.checkLanes(Layout::ChannelsLast, reason)))
      return failure();
    if (problem.reduction.hasWideSums())
      return refuse(reason, "sums are of 128 bits");
    return problem.checkArgmax(reason);
  }

  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    FailureOr<double> tileCost = ChannelsPlanner(problem).choose(tile, reason);
    if (failed(tileCost))
      return failure();
    int64_t length = problem.getLength();
    // The last vector of channels takes as long as a whole one.
    int64_t numChannels = problem.channels.value_or(length);
    double planCost = *tileCost * llvm::divideCeil(numChannels, length) /
                      numChannels / problem.target.vectorOpsPerCycle;
    if (problem.hasFewChannels())
      planCost *= problem.target.costs.fewChannelsFactor;
    return planCost;
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override {
    ChannelsPlanner planner(problem);
    std::tuple<StringRef, int64_t, bool, StringRef, std::optional<int64_t>>
        sizes[] = {{"rows", tile.numRows, tile.isStraight(), "straight code",
                    problem.getRows().knownOutput},
                   {"columns", tile.numColumns, !tile.rollsColumns(),
                    "straight code", problem.getColumns().knownOutput},
                   {"vectors", tile.numVectors, tile.rollsColumns(),
                    "loops over all taps", std::nullopt}};
    for (auto [name, value, mayBeMore, use, known] : sizes) {
      if (value > 1 && !mayBeMore)
        return refuse(reason, "{0} is for {1}, must be 1", name, use);
      if (value > known.value_or(value))
        return refuse(reason, "{0} is {1}, but there are {2}", name, value,
                      *known);
    }
    if (problem.isUniform && planner.getLoops().front() != tile.loops)
      return refuse(
          reason,
          "the order of sums depends on loops, which the kernel alone decides");
    if (tile.numVectors > 1 &&
        tile.numVectors * problem.getLength() > problem.channels.value_or(1))
      return refuse(reason, "vectors is {0}, of {1} channels each",
                    tile.numVectors, problem.getLength());
    if (failed(planner.checkMemory(tile, reason)) ||
        failed(planner.checkArgmax(tile, reason)))
      return failure();
    return checkCodeSize(
        "a group", tile.rollsColumns() ? 0 : planner.getCodeSize(tile), reason);
  }

  void emit(WindowKernel &kernel) const override { emitChannels(kernel, tile); }
};
} // namespace

std::shared_ptr<WindowPlan> pool::createChannelsPlan() {
  return std::make_shared<ChannelsPlan>();
}
