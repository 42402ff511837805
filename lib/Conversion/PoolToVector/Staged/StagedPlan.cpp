// Plans stages: how many windows are a block, and how many vectors lie side by
// side.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StagedPlan.h"
#include "Staged/Staged.h"

#include "Reduce/BlockReduction.h"

using namespace mlir;
using namespace mlir::pool;

int64_t Stage::getBufferWidth(const Problem &problem) const {
  int64_t line = std::max(problem.getLineLength(), numLanes);
  return llvm::alignTo(std::max(inner, getWidth()), line) + line;
}

/// The most windows of a block of equal blocks, no more than `most`.
static int64_t getEqualBlock(const ProblemDim &dim, int64_t most) {
  int64_t numBlocks = llvm::divideCeil(*dim.knownOutput, most);
  return llvm::divideCeil(*dim.knownOutput, numBlocks);
}

SmallVector<Stage> pool::getStages(const Problem &problem,
                                   const StagedPlan &plan) {
  SmallVector<Stage> stages(problem.dims.size());
  int64_t inner =
      problem.layout == Layout::ChannelsLast ? *problem.channels : 1;
  for (unsigned d = stages.size(); d-- > 0;) {
    const ProblemDim &dim = problem.dims[d];
    Stage &stage = stages[d];
    stage.block = d == 0
                      ? plan.block
                      : getEqualBlock(dim, BlockReduction::getMostWindows(dim));
    stage.inner = inner;
    stage.numLanes = std::min<int64_t>(
        problem.getLength(),
        std::max<int64_t>(llvm::PowerOf2Ceil(stage.inner), 2));
    stage.numVectors =
        std::clamp<int64_t>(stage.inner / stage.numLanes, 1, plan.numVectors);
    inner *= *dim.knownInput;
  }
  return stages;
}

static LogicalResult checkStaged(const Problem &problem, std::string &reason) {
  if (problem.layout != Layout::ChannelsLast)
    return refuse(reason, "it is for buffers with the channels last");
  if (!problem.isPacked)
    return refuse(reason, "buffers are not packed");
  if (problem.isUniform)
    return refuse(reason, "blocks add in an order that depends on the row");
  double numElements = problem.channels.value_or(1);
  bool isKnown = problem.channels.has_value();
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
  double numBytes = 0;
  double ofElement = problem.reduction.getType().getElementTypeBitWidth() / 8 +
                     (problem.reduction.hasIndices() ? 8 : 0);
  for (auto [d, stage] : llvm::enumerate(stages)) {
    double width = stage.getWidth();
    if (d + 1 < stages.size())
      width += stage.getBufferWidth(problem);
    numBytes += ofElement * stage.block * width;
  }
  return numBytes;
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

FailureOr<Candidate> pool::planStaged(MLIRContext *context,
                                      const Problem &problem,
                                      std::string &reason) {
  if (failed(checkStaged(problem, reason)))
    return failure();
  const ProblemDim &first = problem.dims.front();
  StagedPlan plan;
  plan.numVectors =
      cost::kBlockStripVectors / (problem.reduction.hasIndices() ? 2 : 1);
  plan.block = getEqualBlock(first, BlockReduction::getMostWindows(first));
  while (plan.block > 1 && failed(checkBuffers(problem, plan, reason)))
    plan.block /= 2;
  if (failed(checkBuffers(problem, plan, reason)))
    return failure();
  return Candidate{writePlan(context, plan),
                   getCost(problem, getStages(problem, plan))};
}

LogicalResult pool::checkStagedPlan(PlanAttr attr, const Problem &problem,
                                    PlanScope &, std::string &reason) {
  FailureOr<StagedPlan> plan =
      readWholePlan<StagedPlan>(attr, "windows", reason);
  if (failed(plan) || failed(checkStaged(problem, reason)))
    return failure();
  const ProblemDim &first = problem.dims.front();
  int64_t most =
      std::min(BlockReduction::getMostWindows(first), *first.knownOutput);
  if (plan->block > most)
    return refuse(reason, llvm::formatv("block is {0}, must be {1} at most",
                                        plan->block, most));
  return checkBuffers(problem, *plan, reason);
}
