// How planes of channels-first buffers are cut: into groups of output rows that
// share input rows, and these into strips of columns.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANESHAPE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANESHAPE_H

#include "WindowDim.h"

namespace mlir::pool {

/// A problem with planes.
struct PlaneWindows {
  explicit PlaneWindows(WindowKernel &kernel);

  Value index(int64_t value) { return at.constant(value); }

  WindowKernel &kernel;
  OpBuilder &b;
  Location loc;
  IndexArithmetic at;
  const LaneReduction &reduction;
  int64_t length;
  unsigned rank;
  /// Before rows and columns; a row of a plane without rows is the only one.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  bool hasRows;
  /// Whether padding may be replaced by other positions of the window.
  bool mayClamp;
  int64_t numOuterTaps = 1;
};

/// What code is emitted for the rows of a group.
enum class RowCut {
  /// Straight code for a row of known width, as a whole.
  Known,
  /// For a row of no more than so many columns, as a whole.
  Short,
  /// For so many columns of a row with at least as many; the last strip is
  /// moved to the end of the row.
  Strips,
  /// Columns are reduced into a buffer, by straight code or by loops over rows,
  /// and strips of it by straight code.
  Scratch,
  /// Columns are reduced in blocks of as many rows as a window has, and each
  /// row of what comes out as one stream.
  Blocks,
};

struct PlaneShape {
  /// Whether straight code is for both dimensions.
  bool isStraight() const { return cut < RowCut::Scratch; }

  RowCut cut = RowCut::Strips;
  /// Output columns; not of blocks.
  int64_t numColumns = 1;
  /// Output rows of a group.
  int64_t groupRows = 1;
  /// Whether a group keeps, in registers, input rows that the next one needs.
  bool carriesRows = false;
  /// Whether columns are reduced by loops over rows.
  bool loopsOverRows = false;
  /// Of a known row, the input column that the first vector begins at: 0, or
  /// minus the padding.
  int64_t firstColumn = 0;

  /// Whether straight code for groups at the border, whose rows are tested, is
  /// for one row at a time: where there is code for several widths.
  bool cutsBorder(const PlaneWindows &windows) const {
    return !windows.columns.knownOutput && !windows.mayClamp && !carriesRows;
  }
  /// Of a group of `numRows`.
  StripShape getStrip(const PlaneWindows &windows, int64_t numRows) const;
};

/// Shapes that together are for all rows: each short one for rows no wider than
/// itself that the ones before it are not for, the last for all others. Failure
/// if there are none.
FailureOr<SmallVector<PlaneShape>> choosePlaneShapes(PlaneWindows &windows);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANESHAPE_H
