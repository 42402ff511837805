// Plans a separable reduction by stages (StagedPlan.h). Chooses the number of
// windows of a block, and the number of vectors that are reduced together.
// Chooses whether columns along the lanes are reduced by passes or in
// registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StagedPlan.h"

#include "Reduce/RowPasses.h"
#include "Reduce/SlidingWindow.h"

using namespace mlir;
using namespace mlir::pool;

int64_t pool::getAccumulatorBytes(const Problem &problem) {
  return problem.reduction.getType().getElementTypeBitWidth() / 8 +
         (problem.reduction.hasIndices() ? 8 : 0);
}

/// Returns the number of windows of `dim` whose distances are multiples of the
/// dilation. Only such windows can be in one block. Returns std::nullopt if the
/// number of outputs is unknown.
static std::optional<int64_t> getNumSharing(const ProblemDim &dim) {
  if (!dim.knownOutput)
    return std::nullopt;
  return llvm::divideCeil(*dim.knownOutput, dim.getSharingDistance());
}

/// Returns the largest number of windows in a block of `dim`, if buffers of any
/// size are allowed.
static int64_t getMostWindows(const ProblemDim &dim) {
  return std::min(BlockReduction::getMostWindows(dim),
                  getNumSharing(dim).value_or(cost::kMaxUnknownBlock));
}

/// Returns the number of windows in a block. Prefers the largest divisor of the
/// number of windows above 3/4 of the maximum, because blocks of equal length
/// need no remainder loop. If there is none, divides the windows as evenly as
/// possible.
static int64_t getEqualBlock(const ProblemDim &dim) {
  int64_t most = getMostWindows(dim);
  std::optional<int64_t> numWindows = getNumSharing(dim);
  if (!numWindows)
    return most;
  for (int64_t block = most; 4 * block > 3 * most; --block)
    if (*numWindows % block == 0)
      return block;
  return llvm::divideCeil(*numWindows, llvm::divideCeil(*numWindows, most));
}

int64_t pool::getNumJoined(const Problem &problem) {
  const ProblemDim &columns = problem.getColumns();
  // If channels are not joined, a vector has one column, and averages compute
  // the divisor of each column by itself. So sums are joined. Extrema are
  // joined only if most lanes would be unused, because passes along the lanes
  // need buffers.
  bool joins =
      problem.hasFewChannels() && columns.stride == 1 &&
      (!problem.reduction.isIdempotent() ||
       cost::kMinUnusedLanes * *problem.channels <= problem.getLength()) &&
      !problem.reduction.hasPositions() &&
      (problem.hasRows() || columns.knownInput) &&
      columns.getExtent() <= cost::kMaxPlaneElements;
  return joins ? *problem.channels : 1;
}

Problem pool::getStagedProblem(const Problem &problem) {
  Problem staged(problem);
  if (int64_t numJoined = getNumJoined(problem); numJoined > 1) {
    staged.layout = Layout::ChannelsFirst;
    ProblemDim &columns = staged.dims.back();
    columns.dilation *= numJoined;
    for (std::optional<int64_t> *known :
         {&columns.knownInput, &columns.knownOutput, &columns.knownPad})
      if (*known)
        **known *= numJoined;
  }
  if (!problem.hasRows() && staged.layout == Layout::ChannelsFirst)
    staged.dims.insert(staged.dims.begin(), ProblemDim());
  return staged;
}

/// Returns the number of vectors of outputs in a part of a row along the lanes.
/// It is at least 1. The passes over a part should stay in the first cache.
static int64_t getPartVectors(const Problem &problem) {
  const ProblemDim &columns = problem.getColumns();
  RowPasses passes(problem.reduction, columns);
  // `numRows` is the size of all buffers together, as a multiple of the row's
  // size. At stride s, the other buffers have only one element for every s
  // elements of the row. The row counts twice then: it may be in the input, or
  // in a copy.
  int64_t stride = passes.getRunStride();
  double numRows =
      (stride > 1 ? 2 : 1) + double(passes.getNumBuffers() - 1) / stride;
  int64_t numColumns = problem.target.firstCacheBytes / 2.0 / numRows /
                       getAccumulatorBytes(problem);
  // Neighboring parts both read the columns that their windows share. So let a
  // part be at least four windows long.
  numColumns = std::max(numColumns, 4 * columns.getExtent());
  return std::max<int64_t>(numColumns / columns.stride / problem.getLength(),
                           1);
}

SmallVector<Stage> pool::getStages(const Problem &problem,
                                   const StagedPlan &plan) {
  SmallVector<Stage> stages(problem.dims.size());
  bool isLast = problem.layout == Layout::ChannelsLast;
  std::optional<int64_t> inner = isLast ? problem.channels : 1;
  for (unsigned d = stages.size(); d-- > 0;) {
    const ProblemDim &dim = problem.dims[d];
    Stage &stage = stages[d];
    stage.inner = inner;
    stage.isAlong = d + 1 == stages.size() && !isLast;
    stage.numLanes = problem.getLength();
    // A vector needs no more lanes than there are outputs along the lanes, or
    // elements at a position.
    if (auto count = stage.isAlong ? dim.knownOutput : inner)
      stage.numLanes = std::min<int64_t>(
          stage.numLanes, std::max<int64_t>(llvm::PowerOf2Ceil(*count), 2));
    if (stage.isAlong) {
      stage.slides = plan.slidingVectors > 0;
      stage.partVectors =
          plan.cutsRows ? getPartVectors(problem) : plan.slidingVectors;
    } else {
      stage.block = d == 0 ? plan.block : getEqualBlock(dim);
      stage.numVectors = plan.numVectors;
      if (inner)
        stage.numVectors =
            std::clamp<int64_t>(*inner / stage.numLanes, 1, plan.numVectors);
    }
    inner = inner && dim.knownInput
                ? std::optional<int64_t>(*inner * *dim.knownInput)
                : std::nullopt;
  }
  return stages;
}

LogicalResult StagedPlan::supports(const Problem &problem,
                                   std::string &reason) const {
  bool isFirst = problem.layout == Layout::ChannelsFirst;
  const ProblemDim &columns = problem.getColumns();
  if (isFirst && columns.stride > cost::kMaxCodeSize)
    return refuse(reason, "a stride of {0} columns is no straight code",
                  columns.stride);
  RowPasses passes(problem.reduction, isFirst ? columns : ProblemDim());
  int64_t size = passes.getStridesSize() + passes.getNumLoads();
  if (columns.stride > 1 && size > cost::kMaxCodeSize)
    return refuse(reason,
                  "strides of a vector take {0} operations, more than {1}",
                  size, cost::kMaxCodeSize);
  // With rows and columns only, each strip is in one row. So rows may lie apart
  // in memory.
  bool hasRowsApart =
      isFirst && problem.dims.size() <= 2 && problem.hasContiguousLanes;
  if (!problem.isPacked && !hasRowsApart)
    return refuse(reason, "buffers are not packed");
  if (problem.isUniform)
    return refuse(reason, "blocks add in an order that depends on the row");
  double numElements = isFirst ? 1 : problem.channels.value_or(1);
  for (const ProblemDim &dim : problem.dims)
    numElements *= dim.knownInput.value_or(1);
  if (numElements > cost::kMaxPlaneElements)
    return refuse(reason, "a plane has more than {0} elements",
                  cost::kMaxPlaneElements);
  return success();
}

/// Returns the cost of one window of a stage, in vector operations, for all
/// elements of the later dimensions together. `isFirst` is true for the stage
/// that reads the input. Requires that extents are known.
static double getWindowCost(const Problem &problem, const ProblemDim &dim,
                            const Stage &stage, bool isFirst) {
  const Costs &costs = problem.target.costs;
  // Indices are moved and selected together with their values.
  bool hasIndices = problem.reduction.hasIndices();
  double moveFactor = hasIndices ? 3 : 1, combineOps = hasIndices ? 8 : 1;
  double perRow = costs.stageReadOps * moveFactor + combineOps;
  if (isFirst)
    perRow += problem.reduction.getNumPrepareOps();
  if (stage.slides) {
    SlidingWindow window(problem.reduction.withLength(stage.numLanes), dim);
    int64_t numOutputs = llvm::divideCeil(*dim.knownOutput, stage.numLanes);
    // SlidingWindow::push() loads elements that were just stored. If extents
    // are known, its other operations hide this latency. If not, tests between
    // the rows prevent that.
    double waitOps = costs.stageReadOps - 1 + window.getNumLoads();
    double perPush = window.getNumOps() + (problem.numBytes ? 1 : waitOps);
    // Each part of a row has three loops: one that fills the sliding window,
    // one for whole vectors of outputs, and one for the outputs that are left.
    double numParts = llvm::divideCeil(numOutputs, stage.partVectors);
    return (numOutputs * (perPush + costs.stageOps) +
            numParts * (window.getDelay() * perPush + 3 * costs.groupOps)) /
           *dim.knownOutput;
  }
  if (stage.isAlong) {
    RowPasses passes(problem.reduction.withLength(stage.numLanes), dim);
    double rowWindows = double(dim.getSpan(*dim.knownOutput)) / dim.stride;
    bool areLines =
        problem.target.vectorBits >= problem.target.cacheLineBytes * 8;
    double loadOps = areLines ? cost::kLineLoadOps : 1;
    double perVector =
        passes.getNumLoads() * (loadOps * moveFactor + combineOps) +
        passes.getStridesSize() * moveFactor;
    return (perVector * rowWindows / *dim.knownOutput +
            passes.getNumPasses() * costs.stageOps * moveFactor) /
           stage.numLanes;
  }
  double numBlocks =
      double(llvm::divideCeil(*getNumSharing(dim), stage.block)) *
      std::min(dim.getSharingDistance(), *dim.knownOutput);
  double numSuffixRows = BlockReduction::getFirstPrefix(dim);
  double numRows =
      dim.kernel - numSuffixRows + numSuffixRows * numBlocks / *dim.knownOutput;
  double perVector =
      numRows * perRow + combineOps + costs.stageOps * moveFactor;
  double numStrips = llvm::divideCeil(*stage.inner, stage.getWidth());
  return numStrips * (stage.numVectors * perVector + costs.groupOps);
}

/// Fails, with the reason, if the buffers of a block are known to be larger
/// than kMaxStageBytes. Succeeds if an extent after the first dimension is
/// unknown: StageBuffers::setSizes() then limits the block at run time.
static LogicalResult checkBuffers(const Problem &staged, const StagedPlan &plan,
                                  std::string &reason) {
  SmallVector<Stage> stages = getStages(staged, plan);
  if (!stages.front().inner)
    return success();
  double numElements = 0;
  for (auto [d, stage] : llvm::enumerate(stages)) {
    double ofRow = stage.isAlong ? 0 : stage.getWidth();
    if (d + 1 < stages.size() && stages[d + 1].isAlong) {
      const ProblemDim &columns = staged.dims[d + 1];
      double numColumns = *stage.inner;
      if (double ofPart = stages[d + 1].partVectors)
        numColumns =
            std::min(numColumns, ofPart * staged.getLength() * columns.stride);
      ofRow += 3 * (numColumns + columns.getExtent());
    } else if (d + 1 < stages.size()) {
      ofRow += *stage.inner;
    }
    numElements += (stage.block + 1.0) * ofRow;
  }
  double numBytes = numElements * getAccumulatorBytes(staged);
  if (numBytes <= cost::kMaxStageBytes)
    return success();
  return refuse(reason,
                "the buffers of a block of {0} take about {1} bytes, more than "
                "{2}",
                plan.block, int64_t(numBytes), cost::kMaxStageBytes);
}

FailureOr<double> StagedPlan::chooseParameters(const Problem &problem,
                                               std::string &reason) {
  bool isFirst = problem.layout == Layout::ChannelsFirst;
  if (isFirst && problem.hasRows())
    return refuse(reason, "buffered-planes is the same for planes");
  // Cut the only row into parts if its accumulators exceed the first cache.
  int64_t width = problem.getColumns().knownInput.value_or(INT32_MAX);
  cutsRows = isFirst && width * getAccumulatorBytes(problem) >
                            problem.target.firstCacheBytes;
  return setBlock(problem, reason);
}

FailureOr<double> StagedPlan::setBlock(const Problem &problem,
                                       std::string &reason) {
  Problem staged = getStagedProblem(problem);
  numVectors =
      cost::kBlockStripVectors / (problem.reduction.hasIndices() ? 2 : 1);
  if (staged.layout == Layout::ChannelsFirst)
    numVectors = std::clamp<int64_t>(
        cost::kPlaneStripBytes * 8 / problem.target.vectorBits, 1, numVectors);
  block = getEqualBlock(staged.dims.front());
  while (block > 1 && failed(checkBuffers(staged, *this, reason)))
    block /= 2;
  if (failed(checkBuffers(staged, *this, reason)))
    return failure();
  return getCost(problem);
}

double StagedPlan::getCost(const Problem &problem) const {
  // Replace unknown extents by usual ones.
  Problem usual(problem);
  usual.channels = problem.channels.value_or(problem.getLength());
  for (ProblemDim &dim : usual.dims) {
    int64_t input = dim.knownInput.value_or(cost::kUsualExtent * dim.stride);
    dim.knownOutput =
        dim.knownOutput.value_or(llvm::divideCeil(input, dim.stride));
    dim.knownInput = dim.knownInput.value_or(*dim.knownOutput * dim.stride);
  }
  // If the length of rows is unknown, assume rows of exactly one part.
  if (slidingVectors > 0 && !problem.getColumns().knownOutput) {
    ProblemDim &columns = usual.dims.back();
    columns.knownOutput = slidingVectors * problem.getLength();
    columns.knownInput = columns.knownOutput;
  }
  usual = getStagedProblem(usual);
  SmallVector<Stage> stages = getStages(usual, *this);
  // `numResults` is the number of results that a stage computes for each
  // output. It exceeds 1 if a later dimension has a stride.
  double numOps = 0, numResults = 1, numOutputs = 1;
  for (unsigned d = stages.size(); d-- > 0;) {
    const ProblemDim &dim = usual.dims[d];
    numOps += numResults *
              getWindowCost(usual, dim, stages[d], /*isFirst=*/d == 0) /
              *stages[d].inner;
    numResults *= double(*dim.knownInput) / *dim.knownOutput;
    numOutputs *= *dim.knownOutput;
  }
  const Costs &costs = problem.target.costs;
  // Along the lanes, each lane of an average has its own divisor. There is no
  // quick division of integers by such divisors.
  if (stages.back().isAlong && !problem.reduction.isIdempotent() &&
      problem.reduction.getType().getElementType().isInteger())
    numOps += costs.countOps / stages.back().numLanes;
  if (stages.back().isAlong ||
      (usual.hasFewChannels() && !problem.reduction.hasIndices()))
    numOps *= costs.planeStagesFactor;
  numOps += costs.stagePlaneOps / (numOutputs * *stages.back().inner);
  return numOps / problem.target.vectorOpsPerCycle;
}

LogicalResult StagedPlan::check(const Problem &problem, PlanScope &,
                                std::string &reason) const {
  Problem staged = getStagedProblem(problem);
  if (!cutsRows && !problem.hasRows() && !problem.getColumns().knownInput)
    return refuse(reason, "the length of the only row, and so of its buffers, "
                          "is unknown, which parts are for");
  int64_t most = getMostWindows(staged.dims.front());
  if (block > most)
    return refuse(reason, "block is {0}, must be {1} at most", block, most);
  return checkBuffers(staged, *this, reason);
}

namespace {
/// The strategy `buffered-planes`. It reduces the rows of windows in blocks,
/// across the lanes, and then their columns along the lanes, by passes.
struct BufferedPlan : StagedPlan {
  explicit BufferedPlan(StringLiteral strategy = "buffered-planes")
      : StagedPlan(strategy) {}

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
      return failure();
    if (!problem.hasRows())
      return refuse(reason, "a row alone is no plane");
    return StagedPlan::supports(problem, reason);
  }
  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    return setBlock(problem, reason);
  }
};

/// The strategy `van-herk`. It reduces the rows of windows in blocks, across
/// the lanes, and then their columns along the lanes, in registers.
struct VanHerkPlan : BufferedPlan {
  VanHerkPlan() : BufferedPlan("van-herk") {}

  void declareParameters(PlanFields &fields) override {
    fields.integer("vectors", slidingVectors, 1, 1 << 10);
  }

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    if (failed(BufferedPlan::supports(problem, reason)))
      return failure();
    const ProblemDim &columns = problem.getColumns();
    if (columns.stride != 1)
      return refuse(reason, "it is for columns at stride 1");
    if (columns.getExtent() > cost::kMaxCodeSize)
      return refuse(reason, "windows of {0} columns are no straight code",
                    columns.getExtent());
    if (problem.reduction.hasPositions())
      return refuse(reason, "columns in registers have no argmax");
    if (problem.reduction.hasWideSums())
      return refuse(reason, "sums are of 128 bits");
    return success();
  }

  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    SlidingWindow window(problem.reduction, problem.getColumns());
    int64_t numRegisters = problem.target.numVectorRegisters;
    if (window.getStateSize() > numRegisters * 3 / 4)
      return refuse(reason,
                    "{0} vectors stay in registers along a row, more than "
                    "three quarters of {1}",
                    window.getStateSize(), numRegisters);
    slidingVectors = std::max<int64_t>(
        cost::kBlockPartBytes * 8 / problem.target.vectorBits, 1);
    // Make the parts of a row equally long.
    if (auto numOutputs = problem.getColumns().knownOutput) {
      int64_t all = llvm::divideCeil(*numOutputs, problem.getLength());
      slidingVectors =
          llvm::divideCeil(all, llvm::divideCeil(all, slidingVectors));
    }
    return setBlock(problem, reason);
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override {
    SlidingWindow window(problem.reduction, problem.getColumns());
    if (failed(checkKept("kept along a row", window.getStateSize(),
                         problem.target, reason)))
      return failure();
    return StagedPlan(*this).setBlock(problem, reason);
  }

  void emit(WindowKernel &kernel) const override {
    // `block` is no parameter of this strategy. It is always as large as
    // possible.
    StagedPlan plan(*this);
    std::string reason;
    (void)plan.setBlock(kernel.problem, reason);
    plan.emit(kernel);
  }
};
} // namespace

std::shared_ptr<WindowPlan> pool::createBufferedPlanesPlan() {
  return std::make_shared<BufferedPlan>();
}
std::shared_ptr<WindowPlan> pool::createVanHerkPlan() {
  return std::make_shared<VanHerkPlan>();
}
std::shared_ptr<WindowPlan> pool::createStagedPlan() {
  return std::make_shared<StagedPlan>();
}
