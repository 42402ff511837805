// Emits the loops over planes of one shape. Several files implement it: loops,
// loads and stores.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANENEST_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANENEST_H

#include "Planes/PlaneShape.h"
#include "Planes/RowKernel.h"

namespace mlir::pool {

/// Columns of outputs that straight code is emitted for.
struct Strip {
  /// The first output column, and the input column that its columns count from.
  Value firstOutput, firstInput;
  /// True if every column that is loaded is in the input.
  bool isInterior = false;
  /// How many columns there are; null if as many as the strip is wide.
  Value numOutputs;
};

/// Rows of outputs that straight code is emitted for.
struct RowGroup {
  /// The first output row, and the input row that its first window begins at.
  Value first, start;
  /// True if all windows are inside the input, apart from their columns. If
  /// rows are carried, it is about the outer dimensions only.
  bool isInterior = false;
};

class PlaneNest {
public:
  PlaneNest(WindowKernel &kernel, const PlaneShape &shape);

  void create();

private:
  class Loader;
  class BufferedRows;

  /// Sets what is done about memory as `shape` says. Elementwise consumers may
  /// have given buffers another type than the planner knew.
  void setStreaming();
  /// True if buffers do not stay in the caches and are aligned; null if that
  /// needs no test.
  Value canStream();
  void emit();
  Strip getStrip(Value firstOutput, bool isInterior) {
    return {firstOutput, columns.getStart(at, firstOutput), isInterior, {}};
  }
  RowGroup getGroup(Value firstRow, bool isInterior) {
    return {firstRow, rows.getStart(at, firstRow), isInterior};
  }
  void emitGroup(Value firstRow);
  /// Emits a group of a plane whose rows are loaded as whole vectors, or by
  /// masks.
  void emitGroupByEnds(Value firstRow);
  /// Emits a test that all loaded vectors of the plane's rows are in the
  /// input's buffer.
  Value hasWholeVectors();
  void emitRows(const RowGroup &group);
  void emitStrips(const RowGroup &group);
  /// Returns the first strip of a known row that loads nothing outside of it,
  /// and the one after the last. The other strips are emitted one by one, so
  /// that their loads of padding are known. `loaded` are the columns that a
  /// strip loads, counted from the first column of its first window. Returns
  /// none if the row is not known or more than kMaxKnownStrips are at the
  /// border.
  std::optional<std::pair<int64_t, int64_t>>
  getInnerStrips(int64_t width, std::pair<int64_t, int64_t> loaded);
  void emitStrip(const Strip &strip, const RowGroup &group);
  /// A group of rows of a strip; see RowKernel::emit().
  void emitRowGroup(const Strip &strip, const RowGroup &group, int64_t numRows,
                    RowKernel::Elements *carried);

  /// The rows of a part, one group after the other; `part` is the first.
  void emitCarriedStrip(const Strip &strip, const RowGroup &part);
  /// Emits the rows before `end` that are a multiple of `rowStep` after the
  /// first one.
  void emitCarriedGrid(const Strip &strip, const RowGroup &grid, Value end);
  /// Rows [begin, end) of them.
  void emitCarriedRows(const Strip &strip, Value begin, Value end,
                       bool isInterior, RowKernel::Elements &carried);
  /// Sets `ahead` to the lines to be prefetched during a group's rows of a
  /// strip.
  void planPrefetch(const Strip &strip, const RowGroup &group, int64_t numRows);
  /// Fetches the next `count` lines of `ahead`, or what is left of them.
  void fetchLines(size_t count);

  /// The rows of a group by way of a buffer of reduced columns.
  void emitThroughBuffer(const RowGroup &group);

  /// Stores the accumulators of `numOutputs` outputs of the strip, from
  /// `column` on, in row `row` of a group. `layout` describes the argmax, if
  /// there is one. Returns the lanes that need recomputing, or null.
  Value store(const Strip &strip, const RowGroup &group, Value row,
              int64_t column, int64_t numOutputs, Accumulator lanes,
              const ArgmaxLayout *layout = nullptr);
  /// Returns facts about `numOutputs` outputs of the strip, from `column` on.
  ElementFacts getFacts(const Strip &strip, const RowGroup &group,
                        int64_t column, int64_t numOutputs);
  /// Positions of an argmax, of outputs from `firstOutput` of the strip on.
  Value getPositions(const Strip &strip, const RowGroup &group,
                     int64_t firstOutput, const ArgmaxLayout &layout,
                     Value argmax);
  /// Stores all outputs of the group again one by one, as the loops of elements
  /// do, if any lane `needsRecomputing`.
  void recompute(const Strip &strip, const RowGroup &group,
                 const StripShape &stripShape, Value needsRecomputing);

  WindowKernel &kernel;
  const Problem &problem;
  const PlaneShape &shape;
  KernelBuilder &at;
  const LaneReduction &reduction;
  int64_t length;
  unsigned rank;
  bool hasRows, mayClamp;
  int64_t numOuterTaps;
  /// The dimensions before rows and columns; a row of a plane without rows is
  /// the only one.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  /// True if rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Byte alignment of the rows and strips of each buffer. Empty if stores are
  /// not non-temporal.
  SmallVector<int64_t> alignments;
  /// How far the rows of a group are apart.
  int64_t rowStep;
  /// True if the last group is moved to the last rows. Sums of rows depend, in
  /// their last bits, on the place in the group: two groups, which may be on
  /// two threads, must not both store a row.
  bool movesLastGroup;
  /// True if a group may have rows that the plane has not.
  bool mayLackRows;
  /// Cache lines to be fetched while a group is emitted, a few beside each
  /// store: many at once are more than a processor keeps track of.
  struct {
    Value input;
    unsigned cache = 0;
    /// An element, and how many are between it and the line.
    SmallVector<std::pair<Value, int64_t>> lines;
  } ahead;

  /// How what reaches over the ends of rows is loaded: by masks, as a part of
  /// whole vectors, or by masks in the few planes in which it cannot be.
  enum class RowEnds { Masked, Whole, Few } ends = RowEnds::Masked;

  /// Position of the plane: all output coordinates before the row, and where
  /// the windows of outer dimensions begin.
  SmallVector<Value> coordinates, outerStarts;
};

/// Loads the input of a group of rows of a strip. It computes each position
/// once, so it supports straight code only.
class PlaneNest::Loader {
public:
  Loader(PlaneNest &nest, const Strip &strip, const RowGroup &group)
      : nest(nest), at(nest.at), strip(strip), group(group) {}

  /// Prepared lanes; see RowKernel::LoadFn.
  Value operator()(int64_t outerTap, int64_t row, int64_t column);

private:
  struct InputRow {
    SmallVector<Value> indices;
    /// Index of the first element in the whole buffer. Null unless whole
    /// vectors are loaded.
    Value first;
    /// Null if it is always inside the input.
    Value isInside;
  };
  const InputRow &getRow(int64_t outerTap, int64_t row);
  Value loadStored(const InputRow &row, int64_t column);

  PlaneNest &nest;
  KernelBuilder &at;
  const Strip &strip;
  const RowGroup &group;
  std::map<std::pair<int64_t, int64_t>, InputRow> rows;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANENEST_H
