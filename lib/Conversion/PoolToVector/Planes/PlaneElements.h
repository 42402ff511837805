// Loads and stores the elements of a group of rows of a plane, and fetches
// those of later groups meanwhile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H

#include "Planes/RowRuns.h"

namespace mlir::pool {

/// Columns of outputs that straight code is emitted for.
struct Strip {
  /// The first output column, and the input column that its columns count from.
  Value firstOutput, firstInput;
  /// True if every column that is loaded is in the input.
  bool isInterior = false;
  /// Number of columns; null if as many as the strip is wide.
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

/// Vectors that reach over the ends of rows are loaded by masks, as whole
/// vectors, or by masks in the few planes in which those leave the buffer.
enum class RowEnds { Masked, Whole, Few };

/// The plane that is emitted.
struct Plane {
  Plane(WindowKernel &kernel, const PlaneShape &shape);

  /// Emits a test that all loaded vectors of the plane's rows are in the
  /// input's buffer. Returns null if vectors are always loaded by masks.
  Value hasWholeVectors();

  WindowKernel &kernel;
  const Problem &problem;
  const PlaneShape &shape;
  KernelBuilder &at;
  /// The dimensions before rows and columns; a row of a plane without rows is
  /// the only one.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  /// Byte alignment of the rows and strips of each buffer. Empty if stores are
  /// not non-temporal.
  SmallVector<int64_t> alignments;
  /// True if rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Distance of the rows of a group.
  int64_t rowStep;
  /// True if the last group is moved to the last rows. Sums of rows depend, in
  /// their last bits, on the place in the group: two groups, which may be on
  /// two threads, must not both store a row.
  bool movesLastGroup;
  /// True if a group may have rows that the plane has not.
  bool mayLackRows;
  RowEnds ends = RowEnds::Masked;
  /// Position of the plane: all output coordinates before the row, and where
  /// the windows of outer dimensions begin.
  SmallVector<Value> coordinates, outerStarts;
};

/// Loads and stores the elements of a group of rows of a strip, for the
/// straight code of `runs`. Each position is computed once.
class GroupElements {
public:
  GroupElements(Plane &plane, const Strip &strip, const RowGroup &group,
                const RowRuns &runs)
      : plane(plane), at(plane.at), reduction(plane.kernel.reduction),
        strip(strip), group(group), runs(runs) {}

  /// Chooses lines of later groups, which store() and finish() fetch.
  void planPrefetch();
  /// Returns prepared lanes of input row `row` of the strip, from `column` on,
  /// fill outside the input. Null if all of it is outside whatever the row.
  Value load(int64_t outerTap, int64_t row, int64_t column);
  /// Stores the accumulators of the vector of outputs of a row from `column`
  /// on.
  void store(int64_t row, int64_t column, Accumulator lanes);
  /// Stores all outputs again one by one, as the loops of elements do, if any
  /// lane that was stored needs that.
  void finish();

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
  /// Returns facts about the vector of outputs from `column` on.
  ElementFacts getFacts(int64_t column);
  /// Returns the positions of an argmax, of outputs from `column` on.
  Value getPositions(int64_t column, Value argmax);

  /// Fetches the next `count` lines, or what is left of them.
  void fetchLines(size_t count);

  Plane &plane;
  KernelBuilder &at;
  const LaneReduction &reduction;
  const Strip &strip;
  const RowGroup &group;
  const RowRuns &runs;
  std::map<std::pair<int64_t, int64_t>, InputRow> inputRows;
  /// Lanes that need recomputing; null if none do.
  Value needsRecomputing;
  Value flatInput;
  unsigned cache = 0;
  /// Cache lines to be fetched beside the stores: an element, and how many are
  /// between it and the line. Each store fetches `numFetched` of them, because
  /// many at once are more than a processor keeps track of.
  SmallVector<std::pair<Value, int64_t>> linesAhead;
  size_t numFetched = 0;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H
