// Loops over the planes of channels-first buffers; shared by the files that
// build the loops, what they load and what they store.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANELOOPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANELOOPS_H

#include "WindowDim.h"

namespace mlir::pool {

/// Columns of outputs that straight code is emitted for.
struct Strip {
  /// The first output column, and the input column that its columns count from;
  /// null where these are the row's own.
  Value firstOutput, firstInput;
  /// Whether every column that is loaded is in the input.
  bool isInterior = false;
  /// How many columns there are; null if as many as the strip is wide.
  Value numOutputs;
};

class PlaneLoops {
public:
  explicit PlaneLoops(WindowKernel &kernel);

  LogicalResult create();

private:
  Value index(int64_t value) { return at.constant(value); }

  /// Rows of a group, columns of a strip.
  void chooseShape();
  /// How many of the vectors that a whole row reads are in the input, if the
  /// first begins at `first`.
  int64_t getNumRowVectors(int64_t first) const;
  /// The number of rows, at most `mostRows`, that makes a row cheapest.
  int64_t chooseNumRows(int64_t mostRows) const;
  /// True if the buffers are packed and known not to stay in caches.
  bool isLarge();
  /// Bytes at a multiple of which each row of each buffer begins if the buffers
  /// do; empty if some are too few to store that many at once.
  SmallVector<int64_t> getStreamAlignments();
  void emitLoops();
  void emitGroup();
  /// The columns of a group of rows.
  void emitRows();
  void emitStrips(int64_t numVectors, bool hasInterior, bool isPartial);
  void emitStrip(const Strip &strip, const StripShape &shape);

  /// Of how many rows a group is at most that keeps for the next what windows
  /// share; 0 if it cannot.
  int64_t getMostCarryingRows() const;
  /// The rows of a plane, or of a part of it, one group after the other.
  void emitCarriedStrip(const Strip &strip, const StripShape &shape);
  /// Rows [begin, end) of them; all windows are inside the plane if `interior`.
  void emitCarriedRows(const Strip &strip, const StripShape &shape, Value begin,
                       Value end, bool interior, RowKernel::Elements &carried);
  void setFirstRow(Value row);
  /// Fetches what comes some time after a group's rows of a strip.
  void prefetch(const Strip &strip, int64_t numRows, int64_t numColumns);
  /// Output rows of a part.
  int64_t getNumPartRows() const;
  /// A group of rows of a strip; see RowKernel::emit().
  void emitRowGroup(const Strip &strip, const StripShape &shape,
                    RowKernel::Elements *carried);

  /// The columns of a group of rows by way of a buffer of reduced columns: for
  /// windows so large that straight code over both dimensions would be long.
  void emitThroughScratch();
  /// Reduces the group's columns into rows of the buffer, from `offset` on.
  void reduceIntoScratch(Value scratch, Value offset);
  void reduceFromScratch(Value scratch, Value offset, Value row,
                         const StripShape &shape, bool isPartial);
  /// Columns that a row of the buffer holds at least, for loads of whole
  /// strips.
  Value getScratchWidth(Value offset, const StripShape &shape);

  /// Of an input row of the group.
  struct InputRow {
    SmallVector<Value> indices;
    /// Null if it is always inside the input.
    Value isInside;
  };
  const InputRow &getInputRow(int64_t outerTap, int64_t row);
  Value load(const Strip &strip, int64_t outerTap, int64_t row, int64_t column);
  Value loadVector(const Strip &strip, ArrayRef<Value> indices, int64_t column);
  /// Columns [begin, end) of a vector of lanes, as a mask.
  Value getMask(Value begin, Value end);
  Value getConstantMask(int64_t begin, int64_t end);
  /// Accumulators of the strip's outputs of row `outputRow`, from `column` on.
  void store(const Strip &strip, const RowKernel &rowKernel, Value outputRow,
             int64_t column, Lanes lanes);
  Value getPositions(const Strip &strip, const StripCodes &codes, Value code);
  void storeDoubtful(const Strip &strip, int64_t numOutputs,
                     const ElementPlace &place);

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
  int64_t groupRows = 1, numOuterTaps = 1, numVectors = 1;
  bool isWholeRow = false, usesScratch = false, carriesRows = false;
  /// Whether rows are prefetched.
  bool fetchesAhead = false;
  /// Of a whole row, the input column that the first vector begins at: 0, or
  /// minus the padding.
  int64_t firstColumn = 0;
  /// ElementPlace::streamAlignment of each buffer, in the loops that are built.
  SmallVector<int64_t> streamAlignments;

  /// Of the group that is emitted.
  SmallVector<Value> coordinates, outerStarts;
  Value firstRow, rowStart;
  /// Where rows are carried, the row after the last of the part.
  Value endRow;
  bool isInteriorGroup = false;
  std::map<std::pair<int64_t, int64_t>, InputRow> inputRows;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANELOOPS_H
