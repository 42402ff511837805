// Emits the outputs of a strip of a few rows as straight vector code. Columns
// of the input rows are combined first, for output rows that share them, then
// the windows along each row by slides between registers; with positions the
// other way round, so that the first of equal elements is met first. No row is
// stored and loaded again.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ROWKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ROWKERNEL_H

#include "LaneReduction.h"

#include <map>
#include <set>

namespace mlir::pool {

/// The windows of one dimension: output `o` covers the positions
/// `o * stride + t * dilation - shift`.
struct KernelDim {
  int64_t kernel = 1, stride = 1, dilation = 1, shift = 0;

  int64_t getExtent() const { return (kernel - 1) * dilation + 1; }
  /// The positions that the windows of `numOutputs` outputs reach over.
  int64_t getSpan(int64_t numOutputs) const {
    return (numOutputs - 1) * stride + getExtent();
  }
};

/// The shape of a strip.
struct StripShape {
  /// Output rows, and outputs in each.
  int64_t numRows = 1, numColumns = 1;
  /// Positions of the windows in the dimensions before rows and columns, which
  /// are reduced too.
  int64_t numOuterTaps = 1;
  KernelDim rows, columns;
  /// Whether rows are stored from the last to the first.
  bool lastRowFirst = false;
};

/// Which element of a strip's input a code `c` names; see Lanes: column
/// `firstColumn` and the lowest `columnBits` bits of c; outer tap and input row
/// are quotient and remainder of `c >> columnBits` by `numInputRows`.
struct StripCodes {
  int64_t firstColumn, columnBits, numInputRows;
};

/// How many combinations an output row of a group of `numRows` costs for each
/// vector, with the best grouping of rows that share; loads are a separate
/// cost.
double getColumnCost(const KernelDim &rows, int64_t numRows);

/// Lengths of two runs that make one of `length`, which is at least 2: they
/// overlap where an element may count twice, else they are halves, or all taps
/// but the last of an odd length.
std::pair<int64_t, int64_t> splitRun(const LaneReduction &reduction,
                                     int64_t length);

class RowKernel {
public:
  /// Prepared lanes of input row `row` of the strip, from `column` on, fill
  /// outside the input. Null if all of it is outside whatever the row.
  using LoadFn =
      function_ref<Value(int64_t outerTap, int64_t row, int64_t column)>;
  /// Takes the accumulators of the vector of outputs of `row` from `column` on.
  using StoreFn = function_ref<void(int64_t row, int64_t column, Lanes)>;

  RowKernel(OpBuilder &b, Location loc, const LaneReduction &reduction,
            const StripShape &shape);

  /// The columns that vectors are loaded from, whole vectors: from the first
  /// up to but not including the last.
  std::pair<int64_t, int64_t> getLoadedColumns() const;
  /// Outputs of a row in the vector from `column` on.
  int64_t getNumOutputs(int64_t column) const {
    return std::min(length, shape.numColumns - column);
  }
  /// About how many operations on vectors emit() creates.
  int64_t getCodeSize() const;
  /// Input rows that it loads, if none are carried.
  int64_t getNumLoadedRows() const;
  /// Shuffles of each output row, if only columns [begin, end) of the strip are
  /// in the input: what is made of padding alone is folded.
  int64_t getNumSlides(int64_t begin, int64_t end) const;
  /// False if there are more elements than codes of 31 bits.
  bool canFollowCodes() const;
  StripCodes getCodes() const;

  /// Prepared elements of some of a strip's input rows, by row and vector, that
  /// need not be loaded. Without codes.
  struct Elements {
    SmallVector<std::pair<int64_t, int64_t>> places;
    SmallVector<Value> values;
  };
  /// How many rows a strip shares with the next, `numRows` outputs further.
  int64_t getNumCarriedRows() const {
    return std::max<int64_t>(shape.rows.getExtent() - shape.rows.stride, 0);
  }
  /// Vectors of a row that are loaded.
  SmallVector<int64_t> getLoadedVectors() const;
  /// The elements that a strip shares with the one before.
  Elements loadCarried(LoadFn load);

  /// If `carried` is given, it has the elements that are shared with the strip
  /// before, and gets those of the next.
  void emit(LoadFn load, StoreFn store, Elements *carried = nullptr);

private:
  /// Runs of `length` lanes, `step` apart, of the lanes of a row that are
  /// `phase` modulo the stride, that begin at each lane of vector `vector` of
  /// these. Phase -1 is the row itself.
  struct Run {
    int64_t length, step, phase, vector;

    bool operator<(const Run &other) const {
      return std::tie(length, step, phase, vector) <
             std::tie(other.length, other.step, other.phase, other.vector);
    }
  };
  static Run getSourceRun(int64_t vector) { return {1, 1, -1, vector}; }
  /// `length` of the lanes of `run`; one has no step.
  static Run getPart(const Run &run, int64_t length) {
    return {length, length == 1 ? 1 : run.step, run.phase, run.vector};
  }
  /// Two runs that make a longer one, the second `offset` lanes further.
  std::tuple<Run, Run, int64_t> split(const Run &run) const;
  /// The runs that a window along the row is made of, in an order in which
  /// positions may be followed, and by how many lanes each is moved.
  SmallVector<std::pair<Run, int64_t>> getWindowRuns(int64_t vector) const;

  /// Adds the lengths of the runs that one of `numTaps` is made of by a slide
  /// each.
  void addSlides(int64_t numTaps, std::set<int64_t> &slides) const;
  /// How many taps of a window's run, which is moved by `offset`, are better
  /// moved by themselves, since those after them need not be moved at all; 0 if
  /// none.
  int64_t getNumMovedApart(const Run &run, int64_t offset) const;

  /// Finds how many lanes of each run are needed, so that no more is computed.
  void need(const Run &run, int64_t numLanes);
  void needSlide(Run run, int64_t offset, int64_t numLanes);
  int64_t getNumNeeded(const Run &run) const { return needs.at(run); }

  /// Lanes that are not needed become poison. (LLVM 22's X86 backend takes
  /// shuffles that repeat lanes there for splats, also of the lanes needed.)
  Value shuffle(Value a, Value b, ArrayRef<int64_t> lanes);
  Lanes shuffle(Lanes a, Lanes b, ArrayRef<int64_t> lanes);
  Lanes combine(Lanes acc, Lanes later) {
    return reduction.combine(b, loc, acc, later);
  }
  Lanes combineOrBegin(Lanes acc, Lanes later) {
    return acc.value ? combine(acc, later) : later;
  }

  /// What a window along the row is made of: with positions an input row,
  /// without an output row whose columns are reduced.
  Lanes getSource(int64_t row, int64_t vector);
  /// Reduces columns of the vector for all output rows.
  SmallVector<Value> reduceColumns(int64_t vector);
  /// For the output rows `firstRow`, `firstRow + distance` and so on.
  void reduceSharedColumns(int64_t vector, int64_t firstRow, int64_t distance,
                           int64_t numRows, MutableArrayRef<Value> results);
  /// The input row reduced over the outer taps, as the beginning of an
  /// accumulator or to be combined with one.
  Value getElement(int64_t row, int64_t vector, bool begins);
  void clear();

  Lanes getStream(int64_t row, const Run &run);
  Lanes getRun(int64_t row, const Run &run);
  /// The first `numLanes` lanes of a run moved by `offset`.
  Lanes slideRun(int64_t row, Run run, int64_t offset, int64_t numLanes);
  Lanes reduceRow(int64_t row, int64_t vector);
  /// An output row from its input rows reduced along the row.
  Lanes reduceRows(int64_t row, int64_t vector);

  OpBuilder &b;
  Location loc;
  const LaneReduction &reduction;
  const StripShape &shape;
  int64_t length;
  bool followsCodes;
  std::map<Run, int64_t> needs;
  LoadFn load;
  // What was emitted.
  std::map<std::pair<int64_t, int64_t>, std::pair<Value, bool>> elementCache;
  std::map<int64_t, SmallVector<Value>> columnCache;
  std::map<std::pair<int64_t, Run>, Lanes> runCache;
  std::map<std::pair<int64_t, int64_t>, Lanes> rowCache;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ROWKERNEL_H
