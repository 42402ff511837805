// How planes of channels-first buffers are cut: into groups of output rows that
// share input rows, and these into strips of columns. The plans of the strategy
// `planes` are such shapes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

/// How the rows of a group are cut.
enum class RowCut {
  /// Straight code for a row of known width, as a whole.
  Row,
  /// For a row of no more than so many columns, as a whole.
  Narrow,
  /// For so many columns of a row with at least as many; the last strip is
  /// moved to the end of the row.
  Strips,
};

struct PlaneShape {
  RowCut cut = RowCut::Strips;
  /// Output columns of a strip.
  int64_t numColumns = 1;
  /// Output rows of a group.
  int64_t groupRows = 1;
  /// True if a group keeps, in registers, input rows that the next one needs.
  /// It does so within a part of the plane of `partRows` output rows.
  bool carriesRows = false;
  int64_t partRows = 1;
  /// True if the rows of a group that carries are so far apart that dilated
  /// windows share: the rows of a plane are several grids, one after the other.
  bool interleaves = false;
  /// Input column of a known row where the first vector begins: 0, or minus the
  /// padding.
  int64_t firstColumn = 0;
  /// Where buffers do not stay in the caches: whether rows are fetched before
  /// they are needed, and whether stores go past the caches.
  bool prefetches = false, streams = false;

  /// True if planes have two variants of code. Rows whose following elements
  /// are in the buffer are loaded as whole vectors; other rows are loaded by
  /// masks, one by one. It pays for narrow rows and for strips that exceed the
  /// ends of a row, if masks are slow. Sums do not use it, because their order
  /// depends on the group: all planes must be summed alike.
  bool hasWholeVectors(const Problem &problem) const {
    VectorType type = problem.reduction.getStoredType();
    return !problem.getColumns().knownOutput && problem.isPacked &&
           problem.reduction.isIdempotent() &&
           !problem.target.hasFastMaskedLoads(type.getElementTypeBitWidth(),
                                              type.getNumElements(),
                                              type.getElementType().isBF16());
  }
  /// True if straight code for groups at the border, whose rows are tested, is
  /// for one row at a time: where there is code for several widths.
  bool cutsBorder(const Problem &problem) const {
    return !problem.getColumns().knownOutput && !problem.mayClamp &&
           !carriesRows;
  }
  /// How many rows of the plane are between two of a group, and these rows.
  int64_t getRowStep(const Problem &problem) const {
    return interleaves ? problem.getRows().getSharingDistance() : 1;
  }
  KernelDim getGroupRows(const Problem &problem) const {
    KernelDim rows = problem.getRows();
    rows.stride *= getRowStep(problem);
    return rows;
  }
  /// Returns the shape with the best groups of rows.
  static PlaneShape get(const Problem &problem, RowCut cut, int64_t numColumns,
                        int64_t firstColumn = 0);
  /// Returns the cycles of an output.
  double getCost(const Problem &problem) const;
  /// Sets the rows of a group, and of a part if rows are carried.
  void setRows(const Problem &problem, int64_t numRows);
  /// Sets what is done about memory where buffers do not stay in the caches.
  void setStreaming(const Problem &problem);
  /// Returns the byte alignment of each row and strip in a result whose
  /// elements have `elementBytes`; or none if non-temporal stores would be too
  /// short.
  std::optional<int64_t> getStoreAlignment(const Problem &problem,
                                           int64_t elementBytes) const;
};

/// Returns shapes that together are for all rows. Each narrow one is for rows
/// no wider than itself that the ones before it are not for, the last one for
/// all others. Fails, with the reason, where one is too long.
FailureOr<SmallVector<PlaneShape>> choosePlanes(const Problem &problem,
                                                std::string &reason);

/// Emits the loops over all planes of one shape.
void emitPlanes(WindowKernel &kernel, const PlaneShape &shape);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H
