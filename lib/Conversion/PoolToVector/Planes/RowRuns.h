// Plans the outputs of a strip of a few rows, before any code is emitted: which
// rows share columns, the runs of columns of windows along a row, the lanes
// that each run needs, and the cost.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWRUNS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWRUNS_H

#include "Problem/Problem.h"

#include <map>
#include <set>

namespace mlir::pool {

/// The shape of a strip.
struct StripShape {
  /// Output rows, and outputs in each.
  int64_t numRows = 1, numColumns = 1;
  /// Positions of the windows in the dimensions before rows and columns, which
  /// are reduced too.
  int64_t numOuterTaps = 1;
  KernelDim rows, columns;
  /// True if every output is reduced in an order that depends on the kernel
  /// alone; see `pool.uniform_sums`.
  bool isUniform = false;
  /// True if rows are stored from the last to the first.
  bool lastRowFirst = false;
  /// Columns [inputBegin, inputEnd) of the strip may be in the input. Others
  /// are known to be padding, and folded.
  int64_t inputBegin = std::numeric_limits<int64_t>::min();
  int64_t inputEnd = std::numeric_limits<int64_t>::max();
};

/// The meaning of an argmax `c` in a strip's input; see Accumulator. Its column
/// is `firstColumn` plus the lowest `columnBits` bits of c. The outer tap and
/// the input row are quotient and remainder of `c >> columnBits` by
/// `numInputRows`.
struct ArgmaxLayout {
  int64_t firstColumn, columnBits, numInputRows;
};

/// How many of `numRows` consecutive output rows share best.
int64_t getNumSharingRows(const KernelDim &rows, int64_t numRows);
/// How many combinations an output row of a group of `numRows` costs for each
/// vector, with the best grouping of rows that share, unless `isUniform`; loads
/// are a separate cost.
double getColumnCost(const KernelDim &rows, int64_t numRows, bool isUniform);

/// Returns the lengths of two runs that make a run of `length`, at least 2.
/// They overlap if an element may count twice. Otherwise they are halves, or
/// all taps but the last one of an odd length.
std::pair<int64_t, int64_t> splitRun(const LaneReduction &reduction,
                                     int64_t length);

class RowRuns {
public:
  RowRuns(const LaneReduction &reduction, const StripShape &shape);

  /// The columns that vectors are loaded from, whole vectors: from the first
  /// up to but not including the last.
  std::pair<int64_t, int64_t> getLoadedColumns() const;
  /// Returns the vectors of a row that are loaded: those with a part of the
  /// input.
  SmallVector<int64_t> getLoadedVectors() const;
  /// Outputs of a row in the vector from `column` on.
  int64_t getNumOutputs(int64_t column) const {
    return std::min(length, shape.numColumns - column);
  }
  /// About how many operations on vectors are emitted.
  int64_t getCodeSize() const;
  /// How many of these take every stride-th lane of a row.
  int64_t getNumStreamShuffles() const;
  /// Input rows that are loaded, if none are carried.
  int64_t getNumLoadedRows() const {
    return shape.rows.getNumPositions(shape.numRows) * shape.numOuterTaps;
  }
  /// Rows whose columns are reduced: an argmax is followed in each input row.
  int64_t getNumReducedRows() const {
    return followsArgmax ? getNumLoadedRows() : shape.numRows;
  }
  /// The rows that a strip shares with the next, `numRows` outputs further,
  /// from the next one's first on.
  SmallVector<int64_t> getCarriedRows() const;
  int64_t getNumCarriedRows() const { return getCarriedRows().size(); }
  /// Shuffles of each output row.
  int64_t getNumSlides() const;
  /// False if an argmax, which is followed, has more than 31 bits.
  bool canFollowArgmax() const {
    ArgmaxLayout layout = getArgmaxLayout();
    return !followsArgmax ||
           layout.columnBits + llvm::Log2_64_Ceil(layout.numInputRows *
                                                  shape.numOuterTaps) <
               31;
  }
  ArgmaxLayout getArgmaxLayout() const;

protected:
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
  /// Two runs that make a longer one, the second `offset` lanes further.
  std::tuple<Run, Run, int64_t> split(const Run &run) const;
  /// The runs that a window along the row is made of, in an order in which
  /// positions may be followed, and by how many lanes each is moved.
  SmallVector<std::pair<Run, int64_t>> getWindowRuns(int64_t vector) const;
  int64_t getNumNeeded(const Run &run) const { return needs.at(run); }

  const LaneReduction reduction;
  const StripShape shape;
  int64_t length;
  bool followsArgmax;

private:
  /// True if some of the first `numLanes` lanes of `run` can be in the input.
  bool hasInput(const Run &run, int64_t numLanes) const;
  /// `length` of the lanes of `run`; one has no step.
  static Run getPart(const Run &run, int64_t length) {
    return {length, length == 1 ? 1 : run.step, run.phase, run.vector};
  }
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

  std::map<Run, int64_t> needs;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWRUNS_H
