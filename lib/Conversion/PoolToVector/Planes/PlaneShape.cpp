// Helpers that all planners of planes share.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneShape.h"

using namespace mlir;
using namespace mlir::pool;

KernelDim PlaneShape::getGroupRows(const Problem &problem) const {
  KernelDim rows = problem.getRows();
  rows.stride *= getRowStep(problem);
  return rows;
}

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

StripShape PlaneShape::getBufferedStrip(const Problem &problem,
                                        int64_t width) const {
  return {1, width, 1, {}, problem.getColumns(), problem.isUniform};
}

StripShape PlaneShape::getBufferedColumns(const Problem &problem) const {
  return {groupRows,
          problem.getLength(),
          problem.getNumOuterTaps(),
          problem.getRows(),
          {},
          problem.isUniform};
}

LogicalResult pool::checkPlanes(const Problem &problem, std::string &reason) {
  if (problem.layout != Layout::ChannelsFirst)
    reason = "it is for buffers with the channels first";
  else if (!problem.hasContiguousLanes)
    reason = "the columns of a buffer are not consecutive in memory";
  else if (problem.reduction.hasWideSums())
    reason = "sums are of 128 bits";
  else if (problem.isUniform && !problem.hasUniformPlanes())
    reason = "the kernel is too large for straight code on every machine";
  else
    return success();
  return failure();
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
