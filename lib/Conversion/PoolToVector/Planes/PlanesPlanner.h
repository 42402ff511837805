// How straight code is for rows of planes: how many rows and columns at once,
// and which rows stay in registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESPLANNER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESPLANNER_H

#include "Planes/PlaneShape.h"

namespace mlir::pool {

class PlanesPlanner {
public:
  explicit PlanesPlanner(const Problem &problem)
      : problem(problem), rows(problem.getRows()),
        columns(problem.getColumns()), length(problem.getLength()) {}

  /// Shapes that together are for all rows: each narrow one for rows no wider
  /// than itself that the ones before it are not for, the last for all others.
  /// None, with the reason, where one is too long.
  SmallVector<PlaneShape> choose(std::string &reason) const;
  double getCost(const PlaneShape &shape) const;

private:
  bool hasKnownRow() const {
    return columns.knownOutput && columns.knownPad && columns.knownInput &&
           llvm::divideCeil(*columns.knownOutput, length) <=
               cost::kMaxRowVectors;
  }
  /// True if planes are parts of higher ones, which lie apart in memory, as in
  /// a tile whose first rows are not the input's.
  bool hasCutPlanes() const {
    return !problem.isPacked && rows.knownOutput && !rows.knownInput;
  }
  PlaneShape getShape(RowCut cut, int64_t numColumns,
                      int64_t firstColumn = 0) const;
  /// The rows of planes that `shape` is for, where they are known or groups are
  /// of many rows.
  std::optional<int64_t> getUsualRows(const PlaneShape &shape) const;
  PlaneShape getStrips(int64_t numVectors) const {
    return getShape(RowCut::Strips, columns.knownOutput
                                        ? numVectors * length
                                        : getNarrowWidth(numVectors));
  }
  /// Shapes for a row of known width and padding as a whole.
  SmallVector<PlaneShape> getKnownShapes() const;
  PlaneShape getKnownShape() const;
  /// The widest strips of rows of unknown width, in vectors.
  int64_t chooseNumVectors() const;
  /// The most outputs in `numVectors` that read no more vectors than as many
  /// for each position of the stride; all of them where those are less than
  /// half.
  int64_t getNarrowWidth(int64_t numVectors) const;
  /// Returns straight shapes with strips of at most `mostVectors` where the
  /// width is unknown.
  SmallVector<PlaneShape> chooseStraight(int64_t mostVectors) const;
  /// Returns the cheapest fitting shapes with narrower strips and fewer rows,
  /// or none.
  SmallVector<PlaneShape> chooseShort() const;
  /// The cost of a shape, rows that are computed twice included where their
  /// number is known.
  double getRepeatedCost(const PlaneShape &shape) const;
  /// A shape for all rows of a known plane at once, if that is better than
  /// `other`.
  PlaneShape getWholePlane(const PlaneShape &other) const;
  /// The shapes with the least code: a row of a vector.
  SmallVector<PlaneShape> getNarrowest() const;
  /// Returns the most rows of a group that carries shared rows to the next one;
  /// 0 if it cannot.
  int64_t getMostCarryingRows(const PlaneShape &shape) const;
  int64_t getNumPartRows(const PlaneShape &shape) const;
  /// Sets what is done about memory where buffers do not stay in the caches.
  void setStreaming(PlaneShape &shape) const;

  RowRuns getRuns(const PlaneShape &shape, int64_t numRows) const {
    return RowRuns(problem.reduction, shape.getStrip(problem, numRows));
  }
  /// Operations of a group.
  int64_t getCodeSize(const PlaneShape &shape) const {
    return getRuns(shape, shape.groupRows).getCodeSize();
  }
  /// True if windows share so much that all rows of a plane are best reduced at
  /// once, however many there are.
  bool sharesPlanes() const {
    return rows.kernel > cost::kMaxSeparateStrides * rows.stride &&
           !problem.reduction.hasPositions();
  }
  /// True if the code of a group is short enough.
  bool isShort(const PlaneShape &shape) const {
    // With large windows, a plane as one group is worth more.
    bool isWorthMore = sharesPlanes() && rows.kernel >= cost::kMinSharingRows &&
                       shape.cut == RowCut::Row &&
                       shape.groupRows == rows.knownOutput;
    return getCodeSize(shape) <=
           (isWorthMore ? cost::kMaxPlaneCodeSize : cost::kMaxCodeSize);
  }
  bool canFollowArgmax(const PlaneShape &shape) const {
    return getRuns(shape, shape.groupRows).canFollowArgmax();
  }
  /// True if all emitted code is short enough and valid.
  bool fit(ArrayRef<PlaneShape> shapes) const {
    return getTotalCodeSize(shapes) <= cost::kMaxTotalCodeSize &&
           llvm::all_of(shapes, [&](const PlaneShape &shape) {
             return isShort(shape) && canFollowArgmax(shape);
           });
  }
  /// About how many operations on vectors there will be for rows of unknown
  /// width, counting loads with tests as several.
  int64_t getTotalCodeSize(ArrayRef<PlaneShape> shapes) const;

  const Problem &problem;
  const ProblemDim rows, &columns;
  int64_t length;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANESPLANNER_H
