// What follows from a shape: its code and cost, the parts of a plane, and what
// is done about memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneShape.h"

using namespace mlir;
using namespace mlir::pool;

StripShape PlaneShape::getStrip(const Problem &problem, int64_t numRows) const {
  StripShape strip{numRows,
                   numColumns,
                   problem.getNumOuterTaps(),
                   getGroupRows(problem),
                   problem.getColumns(),
                   problem.isUniform};
  if (cut == RowCut::Row) {
    strip.columns.shift = *problem.getColumns().knownPad + firstColumn;
    strip.inputBegin = -firstColumn;
    strip.inputEnd = *problem.getColumns().knownInput - firstColumn;
  }
  return strip;
}

double PlaneShape::getCost(const Problem &problem) const {
  RowRuns runs = getRuns(problem, groupRows);
  const Costs &costs = problem.target.costs;
  std::optional<int64_t> knownRows = problem.getRows().knownOutput;
  double numOps = runs.getCodeSize() + costs.groupOps;
  int64_t laneBits = problem.reduction.getType().getElementTypeBitWidth();
  if (laneBits < 32 && !problem.target.hasMaskRegisters(laneBits))
    numOps += (costs.narrowShuffleOps - 1) * runs.getNumStreamShuffles();
  if (carriesRows) {
    // The first group of a part loads what all others are handed.
    int64_t rows = std::min(partRows, knownRows.value_or(partRows));
    int64_t gridRows = llvm::divideCeil(rows, getRowStep(problem));
    double handed = std::max(1 - double(groupRows) / gridRows, 0.0);
    int64_t numVectors = runs.getLoadedVectors().size();
    int64_t numNew = groupRows * getGroupRows(problem).getSharingStride() *
                     problem.getNumOuterTaps();
    int64_t numCarried = runs.getNumCarriedRows() * numVectors;
    numOps -= 2 * handed * (runs.getNumLoadedRows() - numNew) * numVectors;
    // Values beyond the registers are stored and loaded.
    if (numCarried > cost::kMaxCarriedVectors)
      numOps += numCarried;
  }
  double numOutputs = groupRows * numColumns;
  std::optional<int64_t> knownColumns = problem.getColumns().knownOutput;
  if (cut == RowCut::Strips && knownColumns)
    // The last strip's columns that are computed twice included.
    numOutputs *=
        double(*knownColumns) / llvm::alignTo(*knownColumns, numColumns);
  return numOps / problem.target.vectorOpsPerCycle / numOutputs;
}

void PlaneShape::setRows(const Problem &problem, int64_t numRows) {
  groupRows = numRows;
  if (!carriesRows)
    return;
  partRows =
      cut == RowCut::Strips ? cost::kMaxStripPartRows : cost::kMaxPartRows;
  if (std::optional<int64_t> rows = problem.getRows().knownOutput) {
    int64_t numParts = llvm::divideCeil(*rows, partRows);
    partRows = llvm::alignTo(llvm::divideCeil(*rows, numParts),
                             groupRows * getRowStep(problem));
  }
}

std::optional<int64_t>
PlaneShape::getStoreAlignment(const Problem &problem,
                              int64_t elementBytes) const {
  int64_t lineBytes = problem.target.cacheLineBytes;
  int64_t rowBytes =
      problem.getColumns().knownOutput.value_or(lineBytes) * elementBytes;
  int64_t alignment = std::min(rowBytes & -rowBytes, lineBytes);
  // A strip that is moved to the end of the row is aligned there.
  int64_t stripBytes = numColumns * elementBytes;
  if (cut != RowCut::Row)
    alignment = std::min(alignment, stripBytes & -stripBytes);
  // A line in several stores is not worth a test at run time.
  int64_t vectorBytes = problem.getLength() * elementBytes;
  if (problem.getColumns().knownOutput)
    alignment = std::min(alignment, vectorBytes);
  if (alignment < cost::kMinStoreBytes || vectorBytes < alignment)
    return std::nullopt;
  return alignment;
}

void PlaneShape::setStreaming(const Problem &problem) {
  // Vectors of narrow rows are masked.
  if (!problem.isLarge.value_or(true) || !problem.isPacked ||
      cut == RowCut::Narrow)
    return;
  streams = llvm::all_of(problem.resultBytes, [&](int64_t bytes) {
    return getStoreAlignment(problem, bytes).has_value();
  });
  // The processor prefetches several short rows by itself, if each row is read
  // once and stores do not disturb it.
  bool isFollowed = streams && carriesRows && cut == RowCut::Row &&
                    groupRows * problem.getRows().stride > 1 &&
                    *problem.getColumns().knownInput * problem.inputBytes <=
                        cost::kMaxFollowedBytes;
  // Hardware prefetches the rows of several planes, but one plane less well.
  // To fetch alone is not worth a test at run time.
  prefetches = problem.hasRows() && problem.getOuter().empty() && !isFollowed &&
               !interleaves && (problem.isLarge || streams);
}

LogicalResult pool::checkPlanes(const Problem &problem, std::string &reason) {
  if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
    return failure();
  if (problem.reduction.hasWideSums())
    return refuse(reason, "sums are of 128 bits");
  if (problem.isUniform && !problem.hasUniformPlanes())
    return refuse(reason,
                  "the kernel is too large for straight code on every machine");
  return success();
}

int64_t pool::chooseStripVectors(const Problem &problem, int64_t all,
                                 ArrayRef<int64_t> choices) {
  auto getCost = [&](int64_t n) {
    return llvm::divideCeil(all, n) * (n + problem.target.costs.stripVectors);
  };
  return *llvm::min_element(
      choices, [&](int64_t a, int64_t b) { return getCost(a) < getCost(b); });
}

int64_t pool::chooseNumRows(const Problem &problem, const KernelDim &rows,
                            int64_t mostRows, bool carriesRows,
                            std::optional<int64_t> planeRows) {
  const Costs &costs = problem.target.costs;
  if (planeRows)
    mostRows = std::min(mostRows, *planeRows);
  double numRows = planeRows.value_or(cost::kUsualRows);
  int64_t bestRows = 1;
  double best = std::numeric_limits<double>::infinity();
  for (int64_t n = 1; n <= mostRows; ++n) {
    // Rows of the last group that are computed twice count.
    double numComputed = carriesRows ? numRows
                         : planeRows ? std::ceil(numRows / n) * n
                                     : numRows + (n - 1) / 2.0;
    double loads =
        carriesRows ? rows.getSharingStride() : double(rows.getSpan(n)) / n;
    // Groups that carry rows need little besides handing them on.
    double perRow =
        getColumnCost(rows, n, problem.isUniform) +
        loads * problem.getNumOuterTaps() +
        (carriesRows ? costs.carryingRowOps : costs.groupRowOps) / n;
    double rowsCost = perRow * numComputed;
    if (rowsCost < best * 0.999) {
      best = rowsCost;
      bestRows = n;
    }
  }
  return bestRows;
}
