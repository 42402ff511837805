// Register tiling of planes, with channels first. A plane is the last two
// dimensions of a buffer. A tile is one strip of columns of one group of rows.
// Straight-line code computes all its outputs together. In this drawing a
// vector has 4 lanes, a strip is one vector wide, and a group has 2 rows:
//
//              strip 0   strip 1   strip 2
//   group 0  | . . . . | . . . . | . . . . |   The windows of a tile share the
//            | . . . . | . . . . | . . . . |   input rows that they load, and
//   group 1  | . . . . | . . . . | . . . . |   partial reductions of them.
//            | . . . . | . . . . | . . . . |
//
// A group may also carry input rows: it keeps those that the next group needs
// too in registers. PlaneShape is such a tiling, and a plan of the strategy
// `planes` is a PlaneShape. RowRuns finds the vectors that a tile computes, and
// so its cost, before any code is emitted. RowKernel.h emits a tile,
// PlaneNest.cpp the loops around it.
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
  /// One strip is a whole row, which has at most `numColumns` columns. Masks
  /// leave out the columns that do not exist.
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
  /// needs too. If so, a plane is divided into parts of `partRows` output rows.
  /// One thread computes a part, and rows are carried within it.
  bool carriesRows = false;
  int64_t partRows = 1;
  /// True if consecutive rows of a group are getRowStep() output rows apart,
  /// and not 1. Only groups that carry rows do that. With dilation, the windows
  /// of adjacent rows may have no input row in common, while windows at this
  /// distance have. A part then consists of getRowStep() interleaved grids of
  /// rows, which are computed one after the other.
  bool interleaves = false;
  /// Input column at which vector 0 of a row begins. It is between minus the
  /// padding and 0. It is used for RowCut::Row only.
  int64_t firstColumn = 0;
  /// Both are for buffers that do not stay in the caches. If `prefetches`,
  /// input rows are prefetched. If `streams`, stores are non-temporal: they
  /// bypass the caches.
  bool prefetches = false, streams = false;

  /// True if planes may have two variants of code. In the first one, a vector
  /// that reaches past an end of its row is loaded whole: the buffer has
  /// elements of other rows there. In a few planes, such a vector would leave
  /// the buffer. They get the second variant, which loads by masks, one row at
  /// a time. Two variants pay off only if rows have unknown width and masked
  /// loads are slow. Sums always have one variant: the order of additions
  /// depends on the size of a group, and all planes must be summed in the same
  /// order.
  bool hasWholeVectors(const Problem &problem) const {
    VectorType type = problem.reduction.getStoredType();
    return !problem.getColumns().knownOutput && problem.isPacked &&
           problem.reduction.isIdempotent() &&
           !problem.target.hasFastMaskedLoads(type.getElementTypeBitWidth(),
                                              type.getNumElements(),
                                              type.getElementType().isBF16());
  }
  /// True if groups whose windows may reach into the padding are computed row
  /// by row. If the width is unknown, there is code for several widths. This
  /// keeps it short.
  bool cutsBorder(const Problem &problem) const {
    return !problem.getColumns().knownOutput && !problem.mayClamp &&
           !carriesRows;
  }
  /// Returns the distance of consecutive rows of a group, in output rows.
  int64_t getRowStep(const Problem &problem) const {
    return interleaves ? problem.getRows().getSharingDistance() : 1;
  }
  /// Returns the dimension of the rows, with a changed stride: the number of
  /// input rows between the windows of consecutive rows of a group.
  KernelDim getGroupRows(const Problem &problem) const {
    KernelDim rows = problem.getRows();
    rows.stride *= getRowStep(problem);
    return rows;
  }
  /// Returns a shape with the given columns, and with the number of rows in a
  /// group that is cheapest. Also decides whether rows are carried. Prefetches
  /// and non-temporal stores are off until setStreaming() is called.
  static PlaneShape get(const Problem &problem, RowCut cut, int64_t numColumns,
                        int64_t firstColumn = 0);
  /// Returns the estimated cost of one output element, in cycles.
  double getCost(const Problem &problem) const;
  /// Sets `groupRows` to `numRows`. If rows are carried, also chooses
  /// `partRows`.
  void setRows(const Problem &problem, int64_t numRows);
  /// Sets `prefetches` and `streams` if the buffers may be too large for the
  /// caches. Changes nothing if they fit, if they are not packed, or if `cut`
  /// is Narrow.
  void setStreaming(const Problem &problem);
  /// Returns a number of elements that tells how stores are aligned. The
  /// largest power of two that divides it also divides the distances of rows,
  /// strips and vectors of a result, as far as these distances are known. See
  /// GroupEmitter::emitStreaming().
  int64_t getStoreDistance(const Problem &problem) const;
};

/// True if each plane seems to be some rows of a higher plane, so that planes
/// are not adjacent in memory. Tiling an operation along its rows makes such
/// planes. The height of a tile's input is then unknown, because tiles at the
/// ends of the plane have padding.
inline bool hasCutPlanes(const Problem &problem) {
  ProblemDim rows = problem.getRows();
  return !problem.isPacked && rows.knownOutput && !rows.knownInput;
}

/// Finds the vectors of a row that the windows of a tile need, before code is
/// emitted. Windows along a row are combined from runs, and longer runs from
/// shorter ones (doubling). RowRuns.cpp draws that.
///
/// Input columns are counted from vector 0 of the tile: vector v begins at
/// column v * length. Vectors before vector 0 have negative numbers.
class RowRuns {
public:
  /// Finds the vectors for one strip of a group of `numRows` output rows.
  /// `numRows` may be less than shape.groupRows. Keeps a reference to
  /// `problem`.
  RowRuns(const Problem &problem, const PlaneShape &shape, int64_t numRows);

  /// Returns the range [first, last) of input columns of all vectors that
  /// windows need, including vectors that are padding only.
  std::pair<int64_t, int64_t> getLoadedColumns() const { return loadedColumns; }
  /// Returns the numbers of the vectors of a row that are loaded, in ascending
  /// order. Vectors that are known to be padding are left out.
  ArrayRef<int64_t> getLoadedVectors() const { return loadedVectors; }
  /// Returns the number of vectors of outputs in a row of the tile.
  int64_t getNumVectors() const {
    return llvm::divideCeil(shape.numColumns, length);
  }
  /// Returns the number of outputs in the vector that begins at output column
  /// `column` of the strip. The last vector may have fewer than `length`.
  int64_t getNumOutputs(int64_t column) const {
    return std::min(length, shape.numColumns - column);
  }
  /// Returns about how many vector operations the code of the tile has. If
  /// `isTested`, each load counts as more operations, because it must leave out
  /// elements outside the input.
  int64_t getCodeSize(bool isTested = false) const;
  /// Returns how many of the operations that getCodeSize() counts are shuffles
  /// that select every n-th lane of a row, for windows at a stride n > 1.
  int64_t getNumStreamShuffles() const {
    return numStrided * getNumReducedRows();
  }
  /// Returns the number of input rows that a tile reads. A row counts once for
  /// each tap of the dimensions before the rows. Carried rows count, too.
  int64_t getNumLoadedRows() const {
    return rows.getNumPositions(numRows) * problem.getNumOuterTaps();
  }
  /// Returns the number of rows that are reduced along the row. Without an
  /// argmax, these are the output rows: the rows of their windows were combined
  /// before. With an argmax, these are all input rows.
  int64_t getNumReducedRows() const {
    return reduction.hasPositions() ? getNumLoadedRows() : numRows;
  }
  /// Returns the input rows that this group shares with the next group, which
  /// begins `numRows` output rows later. They are counted from the first input
  /// row of the next group. Returns an empty list if no rows are shared.
  SmallVector<int64_t> getCarriedRows() const;
  /// Returns the number of vectors of all rows that are carried to the next
  /// group.
  int64_t getNumCarried() const {
    return getCarriedRows().size() * loadedVectors.size();
  }
  /// Returns the number of shuffles for each row that is reduced along the row.
  int64_t getNumSlides() const { return numSlides; }
  /// Within a tile, an argmax is one packed number. For each spatial dimension,
  /// it has the distance of the chosen element from the tile's first loaded
  /// element. Returns the number of bits of each distance. The last dimension,
  /// the columns, has the lowest bits.
  SmallVector<int64_t> getArgmaxBits() const;
  /// Returns the distance of an input row from the tile's first row, in each
  /// dimension before the columns. `row` is the distance in the dimension of
  /// the rows. `outerTap` is the number of a tap of the dimensions before the
  /// rows.
  SmallVector<int64_t> getOffsets(int64_t outerTap, int64_t row) const;
  /// Returns the packed argmax (see getArgmaxBits()) of the first loaded column
  /// of this input row.
  int64_t getRowCode(int64_t outerTap, int64_t row) const;

  /// A row of partial reductions. Its base is the input row if `phase` is -1.
  /// Otherwise its base has only the columns phase, phase + stride, phase + 2 *
  /// stride, ... of the input row. Lane i of the run combines `length` elements
  /// of the base: i, i + step, i + 2 * step, ...
  struct Run {
    int64_t length = 1, step = 1, phase = -1;

    /// True for the input row itself, which is not combined from other runs.
    bool isRow() const { return length == 1 && phase < 0; }
    /// Returns the run with the same base and step that combines `length`
    /// elements. For one element the step has no meaning: it is set to 1, so
    /// that such runs are equal.
    Run withLength(int64_t length) const {
      return {length, length == 1 ? 1 : step, phase};
    }
    bool operator<(const Run &other) const {
      return std::tie(length, step, phase) <
             std::tie(other.length, other.step, other.phase);
    }
  };
  /// The lanes first, first + stride, first + 2 * stride, ... of a run. They
  /// may lie in several vectors. Users say how many of them they need.
  struct Lanes {
    Run run;
    int64_t first, stride = 1;

    int64_t get(int64_t lane) const { return first + lane * stride; }
    Lanes movedBy(int64_t numLanes) const {
      return {run, first + numLanes, stride};
    }
  };
  /// Returns the lanes of shorter runs that are combined into vector `vector`
  /// of `run`. If `run` has length 1 and a phase, returns one element: the
  /// lanes of the input row that are shuffled into this vector. Requires that
  /// `run` is not the input row itself.
  SmallVector<Lanes> getParts(const Run &run, int64_t vector) const;
  /// False if `lanes` are exactly the lanes of one vector of their run. True if
  /// a shuffle must collect them.
  bool areMoved(const Lanes &lanes) const {
    return lanes.stride > 1 || llvm::mod(lanes.first, length) != 0;
  }
  /// Returns how many lanes of vector `vector` of `run` are needed, counted
  /// from lane 0. Requires that at least one is needed.
  int64_t getNumNeeded(const Run &run, int64_t vector) const {
    return needs.at({run, vector});
  }

  const Problem &problem;
  const LaneReduction &reduction;
  const PlaneShape shape;
  int64_t length, numRows;
  /// The dimension of the rows. Its stride is that between the windows of
  /// consecutive rows of a group (PlaneShape::getGroupRows()).
  KernelDim rows;
  /// The runs of a window. Combined, these lanes are the first vector of
  /// windows. With an argmax, their order is such that the first of equal
  /// elements is chosen.
  SmallVector<Lanes> windowRuns;

private:
  /// Divides the taps of a window into runs, and stores them in `windowRuns`.
  void splitWindow();
  /// False if the first `numLanes` lanes of vector `vector` of `run` are known
  /// to combine padding only.
  bool hasInput(const Run &run, int64_t vector, int64_t numLanes) const;
  /// `lanes` are a run of a window. Returns how many of its first taps should
  /// become a run of their own, so that the other taps begin with a whole
  /// vector and need no shuffle. Returns 0 if that saves no shuffles.
  int64_t getNumMovedApart(const Lanes &lanes) const;
  /// Records in `needs` the first `numLanes` of `lanes`, and all lanes from
  /// which they are combined.
  void need(const Lanes &lanes, int64_t numLanes);

  /// Number of needed lanes of each vector of each run, counted from lane 0.
  std::map<std::pair<Run, int64_t>, int64_t> needs;
  std::pair<int64_t, int64_t> loadedColumns;
  SmallVector<int64_t> loadedVectors;
  /// Number of operations for each row that is reduced along the row:
  /// combinations; shuffles that take every stride-th lane; and shuffles of all
  /// kinds. Runs of padding only are not counted.
  int64_t numCombined = 0, numStrided = 0, numSlides = 0;
};

/// The output columns of a tile.
struct Strip {
  /// First output column, and input column at which the tile's vector 0 begins.
  /// The latter may be negative: in the padding.
  Value firstOutput, firstInput;
  /// True if all loaded columns are known to be inside the input.
  bool isInterior = false;
  /// Number of outputs that exist. Null if all PlaneShape::numColumns exist.
  Value numOutputs;
};

/// The output rows of a tile, or of a part (PlaneShape::partRows).
struct RowGroup {
  /// First output row, and the input row at which its window begins. The latter
  /// may be in the padding.
  Value first, start;
  /// True if all windows are known to be inside the input, in the rows and in
  /// the dimensions before them. It says nothing about columns. For a part, it
  /// says nothing about rows either.
  bool isInterior = false;
};

/// How vectors that reach past the ends of rows are loaded. Masked: by masks,
/// in the only variant of code. Whole: as whole vectors, in the first of two
/// variants (PlaneShape::hasWholeVectors()). Few: by masks, in the second
/// variant, for the few planes where whole vectors would leave the buffer.
enum class RowEnds { Masked, Whole, Few };

/// State while the code of a plane is emitted. All tiles of the plane share it.
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
  /// The spatial dimensions before the rows. If the operation has only columns,
  /// `rows` is a dimension of a single row.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  /// True if the code that is being emitted prefetches input rows.
  bool fetchesAhead = false;
  /// Distance of consecutive rows of a group, in output rows.
  int64_t rowStep;
  RowEnds ends = RowEnds::Masked;
  /// The output coordinates of the plane: image, channel, and those of the
  /// dimensions in `outer`. And for each dimension in `outer`, the input
  /// position at which the window begins.
  SmallVector<Value> coordinates, outerStarts;
};

/// Returns shapes that together support rows of any width. If the width is
/// known, there is one shape. Otherwise all except the last have
/// RowCut::Narrow, with ascending widths. At run time, the first shape that is
/// wide enough for the rows is used, or else the last shape. Fails, with the
/// reason, if the code for a shape would be too long, or its argmax would have
/// too many bits.
FailureOr<SmallVector<PlaneShape>> choosePlanes(const Problem &problem,
                                                std::string &reason);

/// Emits loops that compute all planes by tiles of `shape`.
void emitPlanes(WindowKernel &kernel, const PlaneShape &shape);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESHAPE_H
