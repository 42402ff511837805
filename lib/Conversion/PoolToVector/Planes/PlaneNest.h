// The state of the loops over planes of one shape, and the elements of a group
// of rows: their loads and stores. The loops are in PlaneNest.cpp.
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

class PlaneNest {
public:
  PlaneNest(WindowKernel &kernel, const PlaneShape &shape);

  /// Emits the loops over all planes.
  void create();

protected:
  class Loader;
  class Loops;
  class BufferedRows;

  /// Emits the rows of a group by way of a buffer of reduced columns.
  void emitThroughBuffer(const RowGroup &group);
  /// Emits a test that all loaded vectors of the plane's rows are in the
  /// input's buffer. Returns null if vectors are always loaded by masks.
  Value hasWholeVectors();
  /// Stores the accumulators of `numOutputs` outputs of the strip, from
  /// `column` on, in row `row` of a group. `layout` describes the argmax, if
  /// there is one. Returns the lanes that need recomputing, or null.
  Value store(const Strip &strip, const RowGroup &group, Value row,
              int64_t column, int64_t numOutputs, Accumulator lanes,
              const ArgmaxLayout *layout = nullptr);
  /// Returns facts about `numOutputs` outputs of the strip, from `column` on.
  ElementFacts getFacts(const Strip &strip, const RowGroup &group,
                        int64_t column, int64_t numOutputs);
  /// Returns positions of an argmax, of outputs from `firstOutput` of the strip
  /// on.
  Value getPositions(const Strip &strip, const RowGroup &group,
                     int64_t firstOutput, const ArgmaxLayout &layout,
                     Value argmax);
  /// Stores all outputs of the group again one by one, as the loops of elements
  /// do, if any lane `needsRecomputing`.
  void recompute(const Strip &strip, const RowGroup &group, int64_t numRows,
                 Value needsRecomputing);

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
  /// Byte alignment of the rows and strips of each buffer. Empty if stores are
  /// not non-temporal.
  SmallVector<int64_t> alignments;
  /// Distance of the rows of a group.
  int64_t rowStep;
  /// True if the last group is moved to the last rows. Sums of rows depend, in
  /// their last bits, on the place in the group: two groups, which may be on
  /// two threads, must not both store a row.
  bool movesLastGroup;
  /// True if a group may have rows that the plane has not.
  bool mayLackRows;

  /// How vectors that reach over the ends of rows are loaded: by masks, as
  /// whole vectors, or by masks in the few planes in which those leave the
  /// buffer.
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

  /// Returns prepared lanes; see RowKernel::LoadFn.
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
