// Emits the outputs of a strip of a few rows as straight vector code. It first
// combines columns of the input rows, once for all output rows that share them.
// Then it reduces the windows along each row by slides between registers. With
// positions the order is reversed, so that the first of equal elements is met
// first. No row goes through memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H

#include "Planes/RowRuns.h"

namespace mlir::pool {

class RowKernel : public RowRuns {
public:
  /// Prepared lanes of input row `row` of the strip, from `column` on, fill
  /// outside the input. Null if all of it is outside whatever the row.
  using LoadFn =
      function_ref<Value(int64_t outerTap, int64_t row, int64_t column)>;
  /// Takes the accumulators of the vector of outputs of `row` from `column` on.
  using StoreFn = function_ref<void(int64_t row, int64_t column, Accumulator)>;

  RowKernel(KernelBuilder &at, const LaneReduction &reduction,
            const StripShape &shape)
      : RowRuns(reduction, shape), at(at) {}

  /// Prepared elements of some of a strip's input rows, by row and vector, that
  /// need not be loaded. Without argmax.
  struct Elements {
    SmallVector<std::pair<int64_t, int64_t>> places;
    SmallVector<Value> values;
  };
  /// The elements that a strip shares with the one before.
  Elements loadCarried(LoadFn load);

  /// `carried`, if given, has the elements that the strip shares with the strip
  /// before. On return it has those for the next strip.
  void emit(LoadFn load, StoreFn store, Elements *carried = nullptr);

private:
  Accumulator combine(Accumulator acc, Accumulator later) {
    return reduction.combine(at, acc, later);
  }
  Accumulator combineOrBegin(Accumulator acc, Accumulator later) {
    return acc.value ? combine(acc, later) : later;
  }

  /// Returns the source of a window along the row: an input row if there are
  /// positions, else an output row with reduced columns.
  Accumulator getSource(int64_t row, int64_t vector);
  /// Reduces columns of the vector for all output rows.
  SmallVector<Value> reduceColumns(int64_t vector);
  /// For the output rows `firstRow`, `firstRow + distance` and so on.
  void reduceSharedColumns(int64_t vector, int64_t firstRow, int64_t distance,
                           int64_t numRows, MutableArrayRef<Value> results);
  /// Taps of a column that were reduced; null if there are none.
  struct Column {
    Value value;
    /// True for an accumulator, false for an element to be combined with one.
    bool isBegun = false;
  };
  Value begin(const Column &column) {
    return column.value && !column.isBegun ? reduction.begin(at, column.value)
                                           : column.value;
  }
  Column join(const Column &first, const Column &later);
  /// The input row reduced over the outer taps.
  Column getElement(int64_t row, int64_t vector);
  void clear() {
    elementCache.clear();
    columnCache.clear();
    runCache.clear();
    rowCache.clear();
  }

  Accumulator getDeinterleavedRow(int64_t row, const Run &run);
  Accumulator getRun(int64_t row, const Run &run);
  /// The first `numLanes` lanes of a run moved by `offset`.
  Accumulator slideRun(int64_t row, Run run, int64_t offset, int64_t numLanes);
  Accumulator reduceRow(int64_t row, int64_t vector);
  /// An output row from its input rows reduced along the row.
  Accumulator reduceRows(int64_t row, int64_t vector);

  KernelBuilder &at;
  LoadFn load;
  // Values that were emitted.
  std::map<std::pair<int64_t, int64_t>, Column> elementCache;
  std::map<int64_t, SmallVector<Value>> columnCache;
  std::map<std::pair<int64_t, Run>, Accumulator> runCache;
  std::map<std::pair<int64_t, int64_t>, Accumulator> rowCache;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
