// Plans van Herk's blocks: large windows at stride 1.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneShape.h"
#include "Planes/SlidingWindow.h"

using namespace mlir;
using namespace mlir::pool;

LogicalResult VanHerkPlan::admit(const Problem &problem, std::string &reason) {
  if (failed(checkPlanes(problem, reason)))
    return failure();
  ProblemDim rows = problem.getRows();
  const ProblemDim &columns = problem.getColumns();
  if (rows.stride != 1 || columns.stride != 1 || rows.dilation != 1)
    reason = "blocks are for strides of 1 and rows without dilation";
  else if (isLong(columns))
    reason = llvm::formatv("windows of {0} columns are no straight code",
                           columns.getExtent());
  else if (isLong(problem.getRows()))
    reason = llvm::formatv("{0} rows of columns do not stay in the caches",
                           problem.getRows().getExtent());
  else if (problem.reduction.hasPositions())
    reason = "blocks have no argmax";
  else if (problem.getNumOuterTaps() > cost::kMaxBlockTaps)
    reason = llvm::formatv("{0} taps of outer dimensions are no straight code",
                           problem.getNumOuterTaps());
  else if (problem.isUniform)
    reason = "blocks add in an order that depends on the row";
  else
    return success();
  return failure();
}

FailureOr<double> VanHerkPlan::choose(const Problem &problem,
                                      std::string &reason) {
  ProblemDim rows = problem.getRows();
  const ProblemDim &columns = problem.getColumns();
  if (rows.kernel < cost::kMinBlockRows)
    return refuse(reason,
                  llvm::formatv("windows of fewer than {0} rows share more in "
                                "groups",
                                cost::kMinBlockRows));
  SlidingWindow stream(problem.reduction, columns);
  if (stream.getStateSize() > problem.target.numVectorRegisters * 3 / 4)
    return refuse(reason, llvm::formatv("{0} vectors stay in registers along a "
                                        "row, more than three quarters of {1}",
                                        stream.getStateSize(),
                                        problem.target.numVectorRegisters));
  int64_t length = problem.getLength();
  // Vectors that are stored late are masked.
  if (columns.knownOutput &&
      stream.getDelay() * length * 4 > *columns.knownOutput * 3)
    return refuse(reason, "windows are too wide for rows that short");
  int64_t mostVectors = std::max<int64_t>(
      cost::kBlockPartBytes * 8 / problem.target.vectorBits, 1);
  shape.numVectors = mostVectors;
  // Each row is combined twice, and passes through a buffer between.
  double numOuterTaps = problem.getNumOuterTaps();
  double perVector = 2 * numOuterTaps + 6 + stream.getNumOps();
  double ofBlock = 2 * numOuterTaps + 1;
  if (rows.knownOutput)
    ofBlock *= double(llvm::alignTo(*rows.knownOutput, rows.kernel)) /
               *rows.knownOutput;
  perVector += ofBlock;
  double planCost = perVector / problem.target.vectorOpsPerCycle / length;
  if (columns.knownOutput) {
    int64_t all = llvm::divideCeil(*columns.knownOutput, length);
    int64_t numParts = llvm::divideCeil(all, mostVectors);
    shape.numVectors = llvm::divideCeil(all, numParts);
    // A part takes as much longer as windows are late.
    planCost *= double(all + numParts * stream.getDelay()) * length /
                *columns.knownOutput;
  }
  return planCost;
}

LogicalResult VanHerkPlan::check(const Problem &problem, PlanScope &,
                                 std::string &reason) const {
  int64_t numKept =
      SlidingWindow(problem.reduction, problem.getColumns()).getStateSize();
  if (problem.getRows().kernel < 2)
    reason = "windows of one row are no blocks";
  else if (numKept >
           cost::kMaxSpilledFactor * problem.target.numVectorRegisters)
    reason = llvm::formatv("{0} vectors are kept along a row, more than {1} "
                           "registers can be",
                           numKept, problem.target.numVectorRegisters);
  else
    return success();
  return failure();
}

const WindowStrategy pool::kVanHerk = WindowStrategy::of<VanHerkPlan>();
