// Register tiling of planes, with channels first. A plane is the last two
// dimensions of a buffer. Straight-line code computes a tile of its outputs at
// once: a strip of columns of a group of rows. Here a vector has 4 lanes, and a
// tile is a vector of columns of 2 rows:
//
//              strip 0   strip 1   strip 2
//   group 0  | . . . . | . . . . | . . . . |   The windows of a tile share the
//            | . . . . | . . . . | . . . . |   input rows that they load, and
//   group 1  | . . . . | . . . . | . . . . |   partial reductions of them.
//            | . . . . | . . . . | . . . . |
//
// A group may also keep, in registers, the input rows that the next group needs
// too: it carries them. The plans of the strategy `planes` are such shapes.
// RowRuns finds the vectors that a tile computes, and so its cost, before any
// code is emitted. RowKernel.h emits a tile, PlaneNest.cpp the loops around it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H

#include "Reduce/GroupEmitter.h"
#include "Reduce/SharedTaps.h"

#include <map>

namespace mlir::pool {

/// How the rows of a group are divided into strips.
enum class RowCut {
  /// One strip is a whole row, whose width is known.
  Row,
  /// One strip is a whole row of at most `numColumns` columns. Masks leave out
  /// the columns that do not exist.
  Narrow,
  /// A row has at least `numColumns` columns, in strips of that width. The last
  /// strip is moved back to end where the row ends.
  Strips,
};

struct PlaneShape {
  RowCut cut = RowCut::Strips;
  /// Number of output columns of a strip.
  int64_t numColumns = 1;
  /// Number of output rows of a group.
  int64_t groupRows = 1;
  /// True if a group keeps, in registers, the input rows that the next group
  /// needs too. Rows are carried within a part of a plane, which has `partRows`
  /// output rows and is computed by one thread.
  bool carriesRows = false;
  int64_t partRows = 1;
  /// True if the rows of a group that carries are not neighbors, but
  /// getRowStep() apart. With dilation, neighbors may have no input row in
  /// common, but such rows have. A part is then that many interleaved grids of
  /// rows, which are computed one after the other.
  bool interleaves = false;
  /// Input column at which vector 0 of a row begins, for RowCut::Row only. It
  /// is between minus the padding and 0.
  int64_t firstColumn = 0;
  /// For buffers that do not stay in the caches. `prefetches`: input rows are
  /// prefetched. `streams`: stores are non-temporal, that is, bypass the
  /// caches.
  bool prefetches = false, streams = false;

  /// True if the code may have two variants. In the first one, a vector that
  /// reaches over an end of its row is loaded whole, because the buffer has
  /// elements there, too. The few planes where it has none get the second
  /// variant, which loads by masks, row by row. Two variants pay off only if
  /// rows have unknown width and masked loads are slow. Sums have one variant:
  /// the order of additions depends on the group, and all planes must be summed
  /// alike.
  bool hasWholeVectors(const Problem &problem) const {
    VectorType type = problem.reduction.getStoredType();
    return !problem.getColumns().knownOutput && problem.isPacked &&
           problem.reduction.isIdempotent() &&
           !problem.target.hasFastMaskedLoads(type.getElementTypeBitWidth(),
                                              type.getNumElements(),
                                              type.getElementType().isBF16());
  }
  /// True if groups that may reach into the padding are computed row by row.
  /// That keeps the code short if there is code for several widths.
  bool cutsBorder(const Problem &problem) const {
    return !problem.getColumns().knownOutput && !problem.mayClamp &&
           !carriesRows;
  }
  /// Returns the distance of neighboring rows of a group, in output rows.
  int64_t getRowStep(const Problem &problem) const {
    return interleaves ? problem.getRows().getSharingDistance() : 1;
  }
  /// Returns the windows in the dimension of the rows. Their stride is the
  /// distance of the windows of neighboring rows of a group.
  KernelDim getGroupRows(const Problem &problem) const {
    KernelDim rows = problem.getRows();
    rows.stride *= getRowStep(problem);
    return rows;
  }
  /// Returns the shape whose number of rows for each group is cheapest. Also
  /// decides whether rows are carried. Call setStreaming() afterwards.
  static PlaneShape get(const Problem &problem, RowCut cut, int64_t numColumns,
                        int64_t firstColumn = 0);
  /// Returns the estimated cost of an output, in cycles.
  double getCost(const Problem &problem) const;
  /// Sets the number of rows of a group and, if rows are carried, of a part.
  void setRows(const Problem &problem, int64_t numRows);
  /// Sets `prefetches` and `streams`, if the buffers may be too large for the
  /// caches.
  void setStreaming(const Problem &problem);
  /// Returns a number of elements. The largest power of two that divides it
  /// also divides the distances of rows, strips and vectors of a result, as far
  /// as they are known. GroupEmitter::emitStreaming() finds alignments by it.
  int64_t getStoreDistance(const Problem &problem) const;
};

/// True if planes are parts of higher planes, and so lie apart in memory. A
/// loop that was tiled has such planes: the first rows of a tile are not the
/// input's.
inline bool hasCutPlanes(const Problem &problem) {
  ProblemDim rows = problem.getRows();
  return !problem.isPacked && rows.knownOutput && !rows.knownInput;
}

/// The vectors of a row that the windows of a tile need, found before code is
/// emitted. Windows along a row are combined from runs, and longer runs from
/// shorter ones (doubling). RowRuns.cpp draws that.
///
/// Columns are counted from vector 0 of the tile: vector v has the columns from
/// v * length on. Vectors before vector 0 have negative numbers.
class RowRuns {
public:
  /// Plans a strip of a group of `numRows` output rows.
  RowRuns(const Problem &problem, const PlaneShape &shape, int64_t numRows);

  /// Returns the range [first, last) of columns of all vectors that windows
  /// need, including vectors of padding only.
  std::pair<int64_t, int64_t> getLoadedColumns() const { return loadedColumns; }
  /// Returns the numbers of the vectors of a row that are loaded. Vectors that
  /// are known to be padding are left out.
  ArrayRef<int64_t> getLoadedVectors() const { return loadedVectors; }
  /// Returns the number of vectors of outputs in a row of the tile.
  int64_t getNumVectors() const {
    return llvm::divideCeil(shape.numColumns, length);
  }
  /// Returns the number of outputs in the vector that begins at output column
  /// `column` of the strip.
  int64_t getNumOutputs(int64_t column) const {
    return std::min(length, shape.numColumns - column);
  }
  /// Returns about how many vector operations are emitted for the tile. With
  /// `isTested`, each load counts as several operations.
  int64_t getCodeSize(bool isTested = false) const;
  /// Returns how many of these operations are shuffles that take every
  /// stride-th lane of a row.
  int64_t getNumStreamShuffles() const {
    return numStrided * getNumReducedRows();
  }
  /// Returns the number of input rows that are loaded, for all taps of the
  /// dimensions before the rows. Carried rows count, too.
  int64_t getNumLoadedRows() const {
    return rows.getNumPositions(numRows) * problem.getNumOuterTaps();
  }
  /// Returns the number of rows that are reduced along the row. These are the
  /// output rows, already reduced over the rows of their windows. With an
  /// argmax they are all input rows.
  int64_t getNumReducedRows() const {
    return reduction.hasPositions() ? getNumLoadedRows() : numRows;
  }
  /// Returns the input rows that this group shares with the next group, which
  /// begins `numRows` output rows later. They are counted from the first input
  /// row of the next group.
  SmallVector<int64_t> getCarriedRows() const;
  /// Returns the number of vectors that are carried.
  int64_t getNumCarried() const {
    return getCarriedRows().size() * loadedVectors.size();
  }
  /// Returns the number of shuffles for each reduced row.
  int64_t getNumSlides() const { return numSlides; }
  /// Within a tile, an argmax packs the distances of an element from the first
  /// loaded element, one for each dimension. Returns the number of bits of each
  /// distance. The last one, for columns, is in the lowest bits.
  SmallVector<int64_t> getArgmaxBits() const;
  /// Returns the distances of input row `row` from the tile's first row, in
  /// each dimension before the columns. `outerTap` is the tap of the dimensions
  /// before the rows.
  SmallVector<int64_t> getOffsets(int64_t outerTap, int64_t row) const;
  /// Returns the argmax of the first column of this input row.
  int64_t getRowCode(int64_t outerTap, int64_t row) const;

  /// A row whose lane i combines the `length` lanes i, i + step, i + 2 * step,
  /// ... of a base row. The base row is the row itself if `phase` is -1.
  /// Otherwise it has the columns phase, phase + stride, phase + 2 * stride,
  /// ... of the row.
  struct Run {
    int64_t length = 1, step = 1, phase = -1;

    /// True for the row itself, which is not combined from other runs.
    bool isRow() const { return length == 1 && phase < 0; }
    /// Returns a run of `length` lanes of the same base row. The step of a
    /// single lane is always 1, so that such runs are equal.
    Run withLength(int64_t length) const {
      return {length, length == 1 ? 1 : step, phase};
    }
    bool operator<(const Run &other) const {
      return std::tie(length, step, phase) <
             std::tie(other.length, other.step, other.phase);
    }
  };
  /// The lanes first, first + stride, first + 2 * stride, ... of a run. They
  /// may lie in several vectors.
  struct Lanes {
    Run run;
    int64_t first, stride = 1;

    int64_t get(int64_t lane) const { return first + lane * stride; }
    Lanes movedBy(int64_t numLanes) const {
      return {run, first + numLanes, stride};
    }
  };
  /// Returns the lanes of shorter runs that are combined into vector `vector`
  /// of `run`. For a run of one lane, these are the lanes of the row itself.
  SmallVector<Lanes> getParts(const Run &run, int64_t vector) const;
  /// False if `lanes` are exactly one vector of their run. True if a shuffle
  /// must gather them.
  bool areMoved(const Lanes &lanes) const {
    return lanes.stride > 1 || llvm::mod(lanes.first, length) != 0;
  }
  /// Returns how many lanes of vector `vector` of `run` are needed, from lane 0
  /// on. Requires that some are.
  int64_t getNumNeeded(const Run &run, int64_t vector) const {
    return needs.at({run, vector});
  }

  const Problem &problem;
  const LaneReduction &reduction;
  const PlaneShape shape;
  int64_t length, numRows;
  /// The result of PlaneShape::getGroupRows().
  KernelDim rows;
  /// The lanes whose combination is the first vector of windows. With an
  /// argmax, their order is such that the first of equal elements is chosen.
  SmallVector<Lanes> windowRuns;

private:
  /// Sets `windowRuns`.
  void splitWindow();
  /// False if the first `numLanes` lanes of vector `vector` of `run` are known
  /// to have padding only.
  bool hasInput(const Run &run, int64_t vector, int64_t numLanes) const;
  /// Returns how many taps to cut off the beginning of `lanes`, which are a
  /// window's run. The rest then begins with a whole vector and needs no
  /// shuffle. Returns 0 if that saves no shuffles.
  int64_t getNumMovedApart(const Lanes &lanes) const;
  /// Notes that the first `numLanes` of `lanes` are needed, and so are all
  /// lanes that these are combined from.
  void need(const Lanes &lanes, int64_t numLanes);

  /// Number of needed lanes, by run and vector.
  std::map<std::pair<Run, int64_t>, int64_t> needs;
  std::pair<int64_t, int64_t> loadedColumns;
  SmallVector<int64_t> loadedVectors;
  /// Number of operations for each reduced row: combinations; shuffles that
  /// take every stride-th lane; and all shuffles. Runs of padding only are not
  /// counted.
  int64_t numCombined = 0, numStrided = 0, numSlides = 0;
};

/// The columns of outputs that a tile is emitted for.
struct Strip {
  /// The first output column, and the input column where vector 0 begins.
  Value firstOutput, firstInput;
  /// True if all loaded columns are known to be inside the input.
  bool isInterior = false;
  /// Number of output columns that exist. Null if all of PlaneShape::numColumns
  /// exist.
  Value numOutputs;
};

/// The rows of outputs that a tile is emitted for.
struct RowGroup {
  /// The first output row, and the input row where its window begins, which may
  /// be in the padding.
  Value first, start;
  /// True if all windows are known to be inside the input, in the rows and in
  /// the dimensions before them. Columns do not matter. For a part, whose rows
  /// are carried, it says nothing about the rows either.
  bool isInterior = false;
};

/// How vectors that reach over the ends of rows are loaded. Masked: by masks,
/// in the only variant of code. Whole: as whole vectors, in the first of two
/// variants (PlaneShape::hasWholeVectors()). Few: by masks, in the second
/// variant, for the few planes where whole vectors would leave the buffer.
enum class RowEnds { Masked, Whole, Few };

/// The state of the code for a plane, which all its tiles share.
struct Plane : GroupEmitter {
  Plane(WindowKernel &kernel, const PlaneShape &shape)
      : GroupEmitter(kernel), shape(shape), outer(kernel.dims),
        rowStep(shape.getRowStep(problem)) {
    columns = outer.pop_back_val();
    rows = problem.hasRows() ? outer.pop_back_val() : LoopDim::getSingle(b);
    // A loop that carries rows ends at the plane's last row, so its last group
    // is not moved back.
    if (!shape.carriesRows)
      setGroupRows(rows, shape.groupRows);
  }

  const PlaneShape &shape;
  /// The dimensions before the rows. If there are no rows, `rows` is a
  /// dimension of a single row.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  /// True if the code that is being emitted prefetches input rows.
  bool fetchesAhead = false;
  /// The result of PlaneShape::getRowStep().
  int64_t rowStep;
  RowEnds ends = RowEnds::Masked;
  /// All output coordinates before the row, and the positions where the windows
  /// of the outer dimensions begin.
  SmallVector<Value> coordinates, outerStarts;
};

/// Returns shapes that together support all rows. If the width is known, there
/// is one. Otherwise all except the last have RowCut::Narrow and ascending
/// widths. A row takes the first shape that is wide enough, or else the last
/// one. Fails, with the reason, if the code for a shape would be too long.
FailureOr<SmallVector<PlaneShape>> choosePlanes(const Problem &problem,
                                                std::string &reason);

/// Emits loops that compute all planes by tiles of `shape`.
void emitPlanes(WindowKernel &kernel, const PlaneShape &shape);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H
