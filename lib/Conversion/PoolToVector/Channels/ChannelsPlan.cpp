// Plans the strategy `channels`. Chooses how many rows, columns and vectors of
// channels a group has, and which taps are loops. ChannelNest.cpp draws a
// group.
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

  /// Sets `best` to the cheapest tile. Returns its cost for one vector of
  /// outputs, in operations. Fails, with the reason, if the packed argmax of
  /// every tile has 31 bits or more.
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
    // Prefetches and non-temporal stores are only for buffers that are known
    // not to stay in the caches.
    if (succeeded(bestCost) && problem.isLarge.value_or(false))
      for (bool ChannelTile::*flag :
           {&ChannelTile::prefetches, &ChannelTile::streams}) {
        best.*flag = true;
        best.*flag = succeeded(checkMemory(best, reason));
      }
    return bestCost;
  }

  /// Returns the possible values of ChannelTile::loops, with the fewest loops
  /// first. A value is possible if the straight-line code that it leaves is
  /// short enough. For uniform sums, returns only the first one, which depends
  /// on nothing but the kernel.
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

  /// Returns about how many vector operations the code of a group has. Loops
  /// around this code are not counted.
  double getCodeSize(const ChannelTile &tile) const {
    // Without an argmax, an element takes one operation. With an argmax, it
    // takes three: a comparison, a selection, and the computation of its
    // position.
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

  /// Fails, with the reason, if `tile` prefetches or has non-temporal stores,
  /// but the buffers or the size of `tile` do not allow that.
  LogicalResult checkMemory(const ChannelTile &tile,
                            std::string &reason) const {
    if (!tile.prefetches && !tile.streams)
      return success();
    if (!problem.isPacked || !problem.getOuter().empty() || !problem.channels ||
        *problem.channels % problem.getLength() != 0)
      return refuse(reason,
                    "prefetch and stream are for packed buffers of whole "
                    "vectors of channels, with at most two spatial dimensions");
    // Each vector takes a prefetch, even if it is shorter than a cache line.
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
  /// Returns the largest number of vectors of channels in a group if all taps
  /// are loops. It is at least 1.
  int64_t getMostVectors() const {
    const Target &target = problem.target;
    int64_t most =
        std::min({cost::kMaxChannelBytes * 8 / target.vectorBits,
                  cost::kMaxChannelVectors,
                  problem.channels.value_or(1) / problem.getLength()});
    // An extremum takes two registers for each vector: one for the loaded
    // element and one for the accumulator.
    if (problem.reduction.isIdempotent())
      most = std::min<int64_t>(most, target.numVectorRegisters / 2);
    return std::max<int64_t>(most, 1);
  }

  /// Returns the number of lines of input that the code of a group reads. A
  /// line has all columns, at one position of each dimension before them. In a
  /// loop, each iteration reads one line.
  double getNumLines(const ChannelTile &tile) const {
    return tile.isStraight() ? double(problem.getNumOuterTaps()) *
                                   rows.getNumPositions(tile.numRows)
                             : 1;
  }

  /// Returns the number of vectors that the code of a group loads from each
  /// line.
  double getLineLoads(const ChannelTile &tile) const {
    return tile.rollsColumns() ? tile.numVectors
                               : columns.getNumPositions(tile.numColumns);
  }

  /// Returns the additional cost of a group, in operations, if it reads more
  /// memory streams than the hardware prefetcher follows. `numLines` is the
  /// number of lines that it reads. Returns 0 if the buffers are known to stay
  /// in a cache.
  double getStreamedOps(const ChannelTile &tile, double numLines) const {
    // A stream is the channels of one position, which are read vector after
    // vector. Streams whose distance is a multiple of a cache way share a set
    // of the first cache. They evict each other's prefetched lines before these
    // are needed.
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
    // Each line is in another page of memory, so its first column counts as two
    // streams. Nothing waits for stores, so they count half.
    double ofLine = 2 + (numColumns - 1) *
                            std::min(1.0, double(numChannels) * elementBytes /
                                              target.cacheLineBytes);
    double numStreams =
        numLines * ofLine + 0.5 * tile.numRows * tile.numColumns;
    return target.costs.streamOps * numLines * numColumns *
           std::clamp(numStreams / mostStreams - 1, 0.0, mostCrowding);
  }

  /// Returns the cost of a vector of outputs, in operations.
  double getCost(const ChannelTile &tile) const {
    const Costs &costs = problem.target.costs;
    double numLines = getNumLines(tile), lineLoads = getLineLoads(tile);
    // The results of this line stay in registers, and so do results of earlier
    // lines that are still needed. Results beyond the registers are spilled and
    // reloaded.
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
    // If there are loops over taps, the code of the group runs `numRuns` times.
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
    // `numPlaces` is the number of input rows and columns whose positions are
    // computed for each group.
    double numPlaces = 0;
    if (tile.isStraight() && tile.numRows != rows.knownOutput)
      numPlaces += numLines;
    if (!tile.rollsColumns() && tile.numColumns != columns.knownOutput)
      numPlaces += lineLoads;
    int64_t length = problem.getLength(), width = tile.numVectors * length;
    int64_t numChannels = problem.channels.value_or(width);
    // Returns the number of groups divided by the number of outputs. The last
    // group is moved back, and computes some outputs twice.
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
    // The last vector of channels costs a whole vector, even if it is not full.
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
