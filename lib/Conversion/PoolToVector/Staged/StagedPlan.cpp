// Plans stages: how many windows are a block, and how many vectors lie side by
// side.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StagedPlan.h"

#include "Reduce/RowPasses.h"

using namespace mlir;
using namespace mlir::pool;

/// Bytes of an accumulator.
static int64_t getAccumulatorBytes(const Problem &problem) {
  return problem.reduction.getType().getElementTypeBitWidth() / 8 +
         (problem.reduction.hasIndices() ? 8 : 0);
}

bool Stage::joinsRows(const Problem &problem) const {
  return block * rowWidth * getAccumulatorBytes(problem) <=
         problem.target.firstCacheBytes / 2;
}

/// The windows of a block, no more than `most`. Equal blocks are best: loops of
/// one length are straight code.
static int64_t getEqualBlock(const ProblemDim &dim, int64_t most) {
  int64_t numOutputs = *dim.knownOutput;
  for (int64_t block = std::min(most, numOutputs); 4 * block > 3 * most;
       --block)
    if (numOutputs % block == 0)
      return block;
  return llvm::divideCeil(numOutputs, llvm::divideCeil(numOutputs, most));
}

SmallVector<Stage> pool::getStages(const Problem &problem,
                                   const StagedPlan &plan) {
  SmallVector<Stage> stages(problem.dims.size());
  int64_t inner =
      problem.layout == Layout::ChannelsLast ? *problem.channels : 1;
  for (unsigned d = stages.size(); d-- > 0;) {
    const ProblemDim &dim = problem.dims[d];
    Stage &stage = stages[d];
    stage.inner = inner;
    stage.isAlong =
        d + 1 == stages.size() && problem.layout == Layout::ChannelsFirst;
    int64_t numElements = stage.isAlong ? *dim.knownOutput : inner;
    stage.numLanes = std::min<int64_t>(
        problem.getLength(),
        std::max<int64_t>(llvm::PowerOf2Ceil(numElements), 2));
    if (!stage.isAlong) {
      stage.block =
          d == 0 ? plan.block
                 : getEqualBlock(dim, BlockReduction::getMostWindows(dim));
      stage.numVectors =
          std::clamp<int64_t>(inner / stage.numLanes, 1, plan.numVectors);
    }
    stage.rowWidth = std::max(inner, stage.getWidth());
    if (d + 1 < stages.size() && stages[d + 1].isAlong) {
      const ProblemDim &columns = problem.dims[d + 1];
      stage.rowPadding = *columns.knownPad;
      // The last vector of a pass loads so much more than a row has.
      stage.rowWidth =
          std::max(columns.kernel - 1 +
                       std::max(*columns.knownOutput, problem.getLength()),
                   stage.rowPadding + stage.rowWidth);
    } else {
      // A cache line more, so that rows do not share the sets of a cache.
      stage.rowWidth += std::max(problem.getLineLength(), problem.getLength());
    }
    stage.rowWidth = llvm::alignTo(
        stage.rowWidth, std::max<int64_t>(problem.getLength() / 2, 1));
    inner *= *dim.knownInput;
  }
  return stages;
}

LogicalResult StagedPlan::admit(const Problem &problem, std::string &reason) {
  if (problem.layout == Layout::ChannelsFirst) {
    if (!problem.hasRows())
      return refuse(reason, "the only dimension is along the lanes");
    if (problem.getColumns().stride != 1)
      return refuse(reason, "windows along the lanes are for a stride of 1");
    if (!problem.getColumns().knownPad)
      return refuse(reason, "windows along the lanes are for known padding");
  }
  if (!problem.isPacked)
    return refuse(reason, "buffers are not packed");
  if (problem.isUniform)
    return refuse(reason, "blocks add in an order that depends on the row");
  bool isLast = problem.layout == Layout::ChannelsLast;
  double numElements = isLast ? problem.channels.value_or(1) : 1;
  bool isKnown = !isLast || problem.channels;
  for (const ProblemDim &dim : problem.dims) {
    if (dim.dilation != 1)
      return refuse(reason, "blocks are for windows without dilation");
    isKnown &= dim.knownInput && dim.knownOutput;
    numElements *= dim.knownInput.value_or(1);
  }
  if (!isKnown)
    return refuse(reason, "it is for known extents");
  if (numElements > cost::kMaxPlaneElements)
    return refuse(reason, llvm::formatv("a plane has more than {0} elements",
                                        cost::kMaxPlaneElements));
  return success();
}

/// Bytes of the buffers of a block.
static double getBufferBytes(const Problem &problem, ArrayRef<Stage> stages) {
  double numElements = 0;
  for (auto [d, stage] : llvm::enumerate(stages)) {
    double ofRow = stage.isAlong ? 0 : stage.getWidth();
    if (d + 1 < stages.size())
      ofRow += stage.rowWidth * (stages[d + 1].isAlong ? 3.0 : 1.0);
    numElements += (stage.block + 1.0) * ofRow;
  }
  return numElements * getAccumulatorBytes(problem);
}

/// The cost of a window of a stage, in operations on vectors.
static double getWindowCost(const Problem &problem, const ProblemDim &dim,
                            const Stage &stage, bool isFirst) {
  const Costs &costs = problem.target.costs;
  // Indices are moved, compared and selected beside their values.
  bool hasIndices = problem.reduction.hasIndices();
  double moveFactor = hasIndices ? 3 : 1, combineOps = hasIndices ? 8 : 1;
  double perRow = costs.stageReadOps * moveFactor + combineOps;
  if (isFirst)
    perRow += problem.reduction.getNumPrepareOps();
  if (stage.isAlong) {
    RowPasses passes(problem.reduction, dim.kernel);
    double rowWidth = dim.getSpan(*dim.knownOutput);
    return (passes.getNumLoads() * perRow * rowWidth / *dim.knownOutput +
            costs.stageOps * moveFactor) /
           stage.numLanes;
  }
  double numBlocks = llvm::divideCeil(*dim.knownOutput, stage.block);
  double numSuffixRows = BlockReduction::getFirstPrefix(dim);
  double numRows =
      dim.kernel - numSuffixRows + numSuffixRows * numBlocks / *dim.knownOutput;
  double perVector =
      numRows * perRow + combineOps + costs.stageOps * moveFactor;
  double numStrips = llvm::divideCeil(stage.inner, stage.getWidth());
  return numStrips * (stage.numVectors * perVector + costs.groupOps);
}

/// Cycles of an output.
static double getCost(const Problem &problem, ArrayRef<Stage> stages) {
  // The results of a stage for each output: a later dimension's stride leaves
  // some of them out.
  double numOps = 0, numResults = 1;
  for (unsigned d = stages.size(); d-- > 0;) {
    const ProblemDim &dim = problem.dims[d];
    numOps += numResults *
              getWindowCost(problem, dim, stages[d], /*isFirst=*/d == 0) /
              stages[d].inner;
    numResults *= double(*dim.knownInput) / *dim.knownOutput;
  }
  if (stages.back().isAlong || problem.hasFewChannels())
    numOps *= problem.target.costs.planeStagesFactor;
  return numOps / problem.target.vectorOpsPerCycle;
}

/// Refuses buffers that are longer than a cache.
static LogicalResult checkBuffers(const Problem &problem,
                                  const StagedPlan &plan, std::string &reason) {
  double numBytes = getBufferBytes(problem, getStages(problem, plan));
  if (numBytes <= cost::kMaxStageBytes)
    return success();
  return refuse(reason,
                llvm::formatv("the buffers of a block of {0} take {1} bytes, "
                              "more than {2}",
                              plan.block, int64_t(numBytes),
                              cost::kMaxStageBytes));
}

FailureOr<double> StagedPlan::choose(const Problem &problem,
                                     std::string &reason) {
  const ProblemDim &first = problem.dims.front();
  numVectors =
      cost::kBlockStripVectors / (problem.reduction.hasIndices() ? 2 : 1);
  block = getEqualBlock(first, BlockReduction::getMostWindows(first));
  while (block > 1 && failed(checkBuffers(problem, *this, reason)))
    block /= 2;
  if (failed(checkBuffers(problem, *this, reason)))
    return failure();
  return getCost(problem, getStages(problem, *this));
}

LogicalResult StagedPlan::check(const Problem &problem, PlanScope &,
                                std::string &reason) const {
  const ProblemDim &first = problem.dims.front();
  int64_t most =
      std::min(BlockReduction::getMostWindows(first), *first.knownOutput);
  if (block > most)
    return refuse(reason, llvm::formatv("block is {0}, must be {1} at most",
                                        block, most));
  return checkBuffers(problem, *this, reason);
}

const WindowStrategy pool::kStaged = WindowStrategy::of<StagedPlan>();
