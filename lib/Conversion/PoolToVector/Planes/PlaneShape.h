// How planes of channels-first buffers are cut: into groups of output rows that
// share input rows, and these into strips of columns. The plans of the strategy
// `planes` are such shapes. RowRuns finds the lanes that a shape computes, and
// their cost, before any code is emitted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H

#include "Reduce/GroupEmitter.h"
#include "Reduce/SharedTaps.h"

#include <map>

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
  /// Sets prefetches and stores for buffers that do not stay in the caches.
  void setStreaming(const Problem &problem);
  /// Returns a number of elements in which the distances of rows, strips and
  /// vectors of a result are multiples, where these are known.
  int64_t getStoreDistance(const Problem &problem) const;
};

/// True if planes are parts of higher ones, which lie apart in memory, as in a
/// tile whose first rows are not the input's.
inline bool hasCutPlanes(const Problem &problem) {
  ProblemDim rows = problem.getRows();
  return !problem.isPacked && rows.knownOutput && !rows.knownInput;
}

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
  /// About how many operations on vectors are emitted. Loads with tests count
  /// as several.
  int64_t getCodeSize(bool isTested = false) const;
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
    return reduction.hasPositions() ? getNumLoadedRows() : numRows;
  }
  /// The rows that a strip shares with the next, `numRows` outputs further,
  /// from the next one's first on.
  SmallVector<int64_t> getCarriedRows() const;
  /// Number of loaded vectors of the carried rows.
  int64_t getNumCarried() const {
    return getCarriedRows().size() * loadedVectors.size();
  }
  /// Shuffles of each output row.
  int64_t getNumSlides() const { return numSlides; }
  /// Returns the bits of an argmax for each dimension: it names an element of
  /// the input by its distance from the first one that is loaded.
  SmallVector<int64_t> getArgmaxBits() const;
  /// Returns where an input row is in each dimension before the columns, and
  /// the argmax of its first column.
  SmallVector<int64_t> getOffsets(int64_t outerTap, int64_t row) const;
  int64_t getRowCode(int64_t outerTap, int64_t row) const;

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
  /// because later taps need not be moved. Returns 0 if there are none.
  int64_t getNumMovedApart(const Lanes &lanes) const;
  /// Finds how many lanes of each run are needed, so that no more is computed.
  void need(const Lanes &lanes, int64_t numLanes);

  std::map<std::pair<Run, int64_t>, int64_t> needs;
  std::pair<int64_t, int64_t> loadedColumns;
  SmallVector<int64_t> loadedVectors;
  /// Numbers for each reduced row, without operations on padding alone.
  int64_t numCombined = 0, numStrided = 0, numSlides = 0;
};

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

/// Vectors that reach over the ends of rows are loaded by masks, or as whole
/// vectors. In a few planes, whole vectors would leave the buffer.
enum class RowEnds { Masked, Whole, Few };

/// The plane that is emitted.
struct Plane : GroupEmitter {
  Plane(WindowKernel &kernel, const PlaneShape &shape)
      : GroupEmitter(kernel), shape(shape), outer(kernel.dims),
        rowStep(shape.getRowStep(problem)) {
    columns = outer.pop_back_val();
    rows = problem.hasRows() ? outer.pop_back_val() : LoopDim::getSingle(b);
    // Loops over carried rows end where the plane does.
    if (!shape.carriesRows)
      setGroupRows(rows, shape.groupRows);
  }

  const PlaneShape &shape;
  /// The dimensions before rows and columns; a row of a plane without rows is
  /// the only one.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  /// True if rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Distance of the rows of a group.
  int64_t rowStep;
  RowEnds ends = RowEnds::Masked;
  /// Position of the plane: all output coordinates before the row, and where
  /// the windows of outer dimensions begin.
  SmallVector<Value> coordinates, outerStarts;
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
