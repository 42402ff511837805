// Plans the outputs of a strip of a few rows, before any code is emitted: which
// rows share columns, the runs of columns of windows along a row, the lanes
// that each run needs, and the cost.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWRUNS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWRUNS_H

#include "Planes/PlaneShape.h"
#include "Reduce/SharedTaps.h"
#include "Reduce/SlidingWindow.h"

#include <map>
#include <set>

namespace mlir::pool {

/// The meaning of an argmax `c` in a strip's input; see Accumulator. Its column
/// is `firstColumn` plus the lowest `columnBits` bits of c. The outer tap and
/// the input row are quotient and remainder of `c >> columnBits` by
/// `numInputRows`.
struct ArgmaxLayout {
  int64_t firstColumn, columnBits, numInputRows;
};

/// The windows along a row are made of runs. A run combines `length` lanes that
/// are `step` apart. A longer run is made of two shorter ones. At a stride,
/// runs are of every stride-th column, and of the row itself otherwise.
class RowRuns {
public:
  /// Plans a strip of `numRows` output rows.
  RowRuns(const Problem &problem, const PlaneShape &shape, int64_t numRows);

  /// Returns the columns [first, last) of the vectors that windows need.
  std::pair<int64_t, int64_t> getLoadedColumns() const { return loadedColumns; }
  /// Returns the vectors of a row that are loaded: those with a part of the
  /// input.
  ArrayRef<int64_t> getLoadedVectors() const { return loadedVectors; }
  int64_t getNumVectors() const {
    return llvm::divideCeil(shape.numColumns, length);
  }
  /// Outputs of a row in the vector from `column` on.
  int64_t getNumOutputs(int64_t column) const {
    return std::min(length, shape.numColumns - column);
  }
  /// About how many operations on vectors are emitted.
  int64_t getCodeSize() const;
  /// How many of these take every stride-th lane of a row.
  int64_t getNumStreamShuffles() const {
    return numStrided * getNumReducedRows();
  }
  /// Input rows that are loaded, if none are carried.
  int64_t getNumLoadedRows() const {
    return rows.getNumPositions(numRows) * problem.getNumOuterTaps();
  }
  /// Rows whose columns are reduced: an argmax is followed in each input row.
  int64_t getNumReducedRows() const {
    return followsArgmax ? getNumLoadedRows() : numRows;
  }
  /// The rows that a strip shares with the next, `numRows` outputs further,
  /// from the next one's first on.
  SmallVector<int64_t> getCarriedRows() const;
  /// Returns the vectors of these rows. Those of padding alone are not carried.
  int64_t getNumCarried() const {
    return getCarriedRows().size() * loadedVectors.size();
  }
  /// Shuffles of each output row.
  int64_t getNumSlides() const { return numSlides; }
  /// Refuses an argmax of more than 31 bits.
  LogicalResult checkArgmaxBits(std::string &reason) const;
  ArgmaxLayout getArgmaxLayout() const;

  /// A run of the lanes of a row that are `phase` modulo the stride, or of the
  /// row itself if the phase is -1. It begins at each lane of the row.
  struct Run {
    int64_t length = 1, step = 1, phase = -1;

    /// True for the elements of a row, which are not made of other runs.
    bool isRow() const { return length == 1 && phase < 0; }
    /// Returns the same with `length` lanes; one lane has no step.
    Run withLength(int64_t length) const {
      return {length, length == 1 ? 1 : step, phase};
    }
    bool operator<(const Run &other) const {
      return std::tie(length, step, phase) <
             std::tie(other.length, other.step, other.phase);
    }
  };
  /// Lanes of a run along the row: the first one, and how far it is to the next
  /// one.
  struct Lanes {
    Run run;
    int64_t first, stride = 1;

    int64_t get(int64_t lane) const { return first + lane * stride; }
    Lanes movedBy(int64_t numLanes) const {
      return {run, first + numLanes, stride};
    }
  };
  /// Returns the lanes that are combined into vector `vector` of a run.
  SmallVector<Lanes> getParts(const Run &run, int64_t vector) const;
  /// True if a slide takes `lanes` out of two vectors.
  bool areMoved(const Lanes &lanes) const {
    return lanes.stride > 1 || llvm::mod(lanes.first, length) != 0;
  }
  /// Returns how many lanes of a vector of a run are needed.
  int64_t getNumNeeded(const Run &run, int64_t vector) const {
    return needs.at({run, vector});
  }

  const Problem &problem;
  const LaneReduction &reduction;
  const PlaneShape shape;
  int64_t length, numRows;
  /// The windows of the strip's rows.
  KernelDim rows;
  bool followsArgmax;
  /// The runs that the windows of the first vector are made of, in an order in
  /// which positions may be followed.
  SmallVector<Lanes> windowRuns;

private:
  /// Sets `windowRuns`.
  void splitWindow();
  /// True if some of the first `numLanes` lanes of a vector can be in the
  /// input.
  bool hasInput(const Run &run, int64_t vector, int64_t numLanes) const;
  /// Returns how many taps of a window's run are better moved by themselves,
  /// since those after them need not be moved at all; 0 if none.
  int64_t getNumMovedApart(const Lanes &lanes) const;
  /// Finds how many lanes of each run are needed, so that no more is computed.
  void need(const Lanes &lanes, int64_t numLanes);

  std::map<std::pair<Run, int64_t>, int64_t> needs;
  std::pair<int64_t, int64_t> loadedColumns;
  SmallVector<int64_t> loadedVectors;
  /// Numbers for each reduced row, without what is in the padding.
  int64_t numCombined = 0, numStrided = 0, numSlides = 0;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWRUNS_H
