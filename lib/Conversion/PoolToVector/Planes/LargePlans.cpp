// Plans windows that are too large for straight code in both dimensions:
// columns by way of a buffer, or at stride 1 van Herk's blocks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"
#include "Planes/SlidingWindow.h"

using namespace mlir;
using namespace mlir::pool;

/// Vectors that loops reduce at once.
static int64_t getNumLoopVectors(const Problem &problem) {
  std::optional<int64_t> input = problem.getColumns().knownInput;
  int64_t length = problem.getLength();
  SmallVector<int64_t> choices = {cost::kMaxLoopVectors};
  if (!input)
    return choices.front();
  while (choices.back() > 1)
    choices.push_back(choices.back() - 1);
  // No strip is wider than a row, but for a vector.
  llvm::erase_if(choices,
                 [&](int64_t n) { return n > 1 && n * length > *input; });
  return chooseStripVectors(problem, llvm::divideCeil(*input, length), choices);
}

/// Output rows whose windows share a row: loops over rows are for such groups.
static int64_t getMostLoopRows(const Problem &problem) {
  ProblemDim rows = problem.getRows();
  return (rows.kernel - 1) / rows.stride + 1;
}

/// Refuses problems that loops over rows do not support.
static LogicalResult checkLoops(const Problem &problem, std::string &reason) {
  if (problem.getRows().dilation != 1)
    return refuse(
        reason,
        "rows of windows lie apart, which loops over rows do not follow");
  if (problem.getNumOuterTaps() > cost::kMaxBlockTaps)
    return refuse(reason, "{0} taps of outer dimensions are no straight code",
                  problem.getNumOuterTaps());
  if (problem.isUniform)
    return refuse(reason,
                  "loops over rows add in an order that depends on the row");
  return success();
}

namespace {
/// Columns by way of a buffer.
struct BufferedPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "buffered-planes", kWhole = "rows";
  PlaneShape shape;

  BufferedPlan() { shape.cut = RowCut::Buffered; }
  template <typename Fields>
  void visit(Fields &fields) {
    fields.integer("columns", shape.numColumns, 1, 1 << 20);
    fields.integer("rows", shape.groupRows, 1, cost::kMaxGroupRows);
    fields.flag("loops", shape.loopsOverRows);
    if (shape.loopsOverRows)
      fields.integer("vectors", shape.numVectors, 1, 8);
  }

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(checkPlanes(problem, reason)))
      return failure();
    if (problem.reduction.hasPositions())
      return refuse(reason, "a buffer of columns has no argmax");
    if (isLong(problem.getColumns()))
      return refuse(reason, "windows of {0} columns are no straight code",
                    problem.getColumns().getExtent());
    return success();
  }

  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    auto setRows = [&](int64_t most) {
      shape.groupRows = chooseNumRows(
          problem, problem.getRows(), std::min(most, cost::kMaxBufferedRows),
          /*carriesRows=*/false, problem.getRows().knownOutput);
    };
    setRows(cost::kMaxBufferedRows);
    int64_t codeSize = isLong(problem.getRows()) ? cost::kMaxCodeSize + 1
                                                 : getStraightSize(problem);
    std::string against;
    if (codeSize > cost::kMaxStraightColumnsSize &&
        succeeded(checkLoops(problem, against))) {
      setRows(getMostLoopRows(problem));
      shape.loopsOverRows = true;
      shape.numVectors = getNumLoopVectors(problem);
    } else if (codeSize > cost::kMaxCodeSize) {
      return refuse(reason, against);
    }
    // More vectors share what they read past their own.
    int64_t length = problem.getLength();
    shape.numColumns = 8 * length;
    while (getStripSize(problem) > cost::kMaxCodeSize) {
      shape.numColumns /= 2;
      if (shape.numColumns < length)
        return refuse(
            reason,
            "straight code for a vector of columns is more than {0} operations",
            cost::kMaxCodeSize);
    }
    // A row that is shorter than several vectors is strips of one.
    if (std::optional<int64_t> output = problem.getColumns().knownOutput)
      shape.numColumns =
          std::clamp(*output / length * length, length, shape.numColumns);
    return getCost(problem);
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const {
    int64_t length = problem.getLength(), most = 8 * length;
    if (std::optional<int64_t> output = problem.getColumns().knownOutput)
      most = std::clamp(*output / length * length, length, most);
    if (shape.numColumns % length != 0 || shape.numColumns > most)
      return refuse(reason,
                    "columns is {0}, must be a multiple of {1} up to {2}",
                    shape.numColumns, length, most);
    ProblemDim rows = problem.getRows();
    int64_t mostRows = rows.knownOutput.value_or(cost::kMaxBufferedRows);
    if (shape.loopsOverRows) {
      if (failed(checkLoops(problem, reason)))
        return failure();
      mostRows = std::min(mostRows, getMostLoopRows(problem));
    }
    if (shape.groupRows > mostRows)
      return refuse(reason, "rows is {0}, must be {1} at most", shape.groupRows,
                    mostRows);
    int64_t size = getStripSize(problem);
    if (!shape.loopsOverRows)
      size +=
          isLong(rows) ? cost::kMaxPinnedCodeSize : getStraightSize(problem);
    return checkPinnedSize("a group", size, reason);
  }

  void emit(WindowKernel &kernel) const { PlaneNest(kernel, shape).create(); }

private:
  /// Operations for a vector of the columns of a group.
  int64_t getStraightSize(const Problem &problem) const {
    return RowRuns(problem.reduction, shape.getBufferedColumns(problem))
        .getCodeSize();
  }

  /// Operations for a strip of a row of the buffer.
  int64_t getStripSize(const Problem &problem) const {
    return RowRuns(problem.reduction,
                   shape.getBufferedStrip(problem, shape.numColumns))
        .getCodeSize();
  }

  /// Cycles of an output.
  double getCost(const Problem &problem) const {
    ProblemDim rows = problem.getRows();
    double perVector =
        shape.loopsOverRows
            // The shared part once, and the parts before and after it.
            ? 2.0 * problem.getNumOuterTaps() * rows.getSpan(shape.groupRows) /
                      shape.groupRows +
                  cost::kLoopRowOps
            : double(getStraightSize(problem)) / shape.groupRows;
    // The padding, rounded up to vectors, and the last strip go with each row.
    const ProblemDim &columns = problem.getColumns();
    int64_t length = problem.getLength();
    double numOutputs = columns.knownOutput.value_or(8 * length);
    double numVectors = std::ceil(numOutputs * columns.stride / length) + 2;
    double numStrips = std::ceil(numOutputs / shape.numColumns);
    double numOps =
        numVectors * (perVector + problem.target.costs.bufferOps) +
        numStrips * (getStripSize(problem) + problem.target.costs.bufferOps);
    return numOps / numOutputs / problem.target.vectorOpsPerCycle;
  }
};
} // namespace

const WindowStrategy pool::kBufferedPlanes = WindowStrategy::of<BufferedPlan>();

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Blocks of as many rows as a window has.
struct VanHerkPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "van-herk", kWhole = "rows";
  PlaneShape shape;

  VanHerkPlan() {
    shape.cut = RowCut::Blocks;
    shape.loopsOverRows = true;
  }
  template <typename Fields>
  void visit(Fields &fields) {
    fields.integer("vectors", shape.numVectors, 1, 1 << 10);
  }

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(checkPlanes(problem, reason)))
      return failure();
    ProblemDim rows = problem.getRows();
    const ProblemDim &columns = problem.getColumns();
    if (rows.stride != 1 || columns.stride != 1 || rows.dilation != 1)
      return refuse(reason,
                    "blocks are for strides of 1 and rows without dilation");
    if (isLong(columns))
      return refuse(reason, "windows of {0} columns are no straight code",
                    columns.getExtent());
    if (isLong(problem.getRows()))
      return refuse(reason, "{0} rows of columns do not stay in the caches",
                    problem.getRows().getExtent());
    if (problem.reduction.hasPositions())
      return refuse(reason, "blocks have no argmax");
    if (problem.getNumOuterTaps() > cost::kMaxBlockTaps)
      return refuse(reason, "{0} taps of outer dimensions are no straight code",
                    problem.getNumOuterTaps());
    if (problem.isUniform)
      return refuse(reason, "blocks add in an order that depends on the row");
    return success();
  }

  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    ProblemDim rows = problem.getRows();
    const ProblemDim &columns = problem.getColumns();
    if (rows.kernel < cost::kMinBlockRows)
      return refuse(reason,
                    "windows of fewer than {0} rows share more in groups",
                    cost::kMinBlockRows);
    SlidingWindow stream(problem.reduction, columns);
    if (stream.getStateSize() > problem.target.numVectorRegisters * 3 / 4)
      return refuse(reason,
                    "{0} vectors stay in registers along a row, more than "
                    "three quarters of {1}",
                    stream.getStateSize(), problem.target.numVectorRegisters);
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

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const {
    int64_t numKept =
        SlidingWindow(problem.reduction, problem.getColumns()).getStateSize();
    if (problem.getRows().kernel < 2)
      return refuse(reason, "windows of one row are no blocks");
    if (numKept > cost::kMaxSpilledFactor * problem.target.numVectorRegisters)
      return refuse(
          reason,
          "{0} vectors are kept along a row, more than {1} registers can be",
          numKept, problem.target.numVectorRegisters);
    return success();
  }

  void emit(WindowKernel &kernel) const {
    PlaneShape blocks = shape;
    // A block has as many rows as a window.
    blocks.groupRows = kernel.problem.getRows().kernel;
    PlaneNest(kernel, blocks).create();
  }
};
} // namespace

const WindowStrategy pool::kVanHerk = WindowStrategy::of<VanHerkPlan>();
