// Chooses shapes of straight code for rows of planes.
// docs/Internals/Rationale.md has the measurements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneShape.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
using Shapes = SmallVector<PlaneShape>;

class PlanesPlanner {
public:
  explicit PlanesPlanner(const Problem &problem)
      : problem(problem), rows(problem.getRows()),
        columns(problem.getColumns()), length(problem.getLength()),
        hasKnownRow(columns.knownOutput && columns.knownPad &&
                    columns.knownInput &&
                    llvm::divideCeil(*columns.knownOutput, length) <=
                        cost::kMaxRowVectors),
        reducesWholePlane(rows.kernel >
                              cost::kMaxSeparateStrides * rows.stride &&
                          !problem.reduction.hasPositions()) {}

  FailureOr<Shapes> choose(std::string &reason) const {
    Shapes shapes = chooseUsual(cost::kNumStripVectors);
    if (!fit(shapes))
      chooseShort(shapes);
    // A small plane is one group, which has no loops and no row twice.
    if (hasKnownRow && rows.knownOutput &&
        (reducesWholePlane ||
         (*rows.knownOutput <= cost::kMaxPlaneRows && !hasCutPlanes(problem))))
      chooseWholePlane(shapes.front());
    // No other strategy has the order of straight code, which some shape always
    // is for.
    if (problem.isUniform && !fit(shapes))
      return getNarrowest();
    for (PlaneShape &shape : shapes) {
      if (failed(check(shape, reason)))
        return failure();
      shape.setStreaming(problem);
    }
    return shapes;
  }

private:
  //===--------------------------------------------------------------------===//
  // Columns
  //===--------------------------------------------------------------------===//

  /// Returns the most outputs in `numVectors` that read no more than as many
  /// vectors for each position of the stride. Returns all outputs if that is
  /// less than half of them.
  int64_t getNarrowWidth(int64_t numVectors) const {
    int64_t all = numVectors * length;
    int64_t overlap =
        std::max<int64_t>(columns.getExtent() - columns.stride, 0);
    int64_t width = all - llvm::divideCeil(overlap, columns.stride);
    return 2 * width > all ? width : all;
  }

  /// Where the width is unknown, strips read few vectors, or they are whole
  /// vectors if lanes that are computed twice cost more: rows often have a
  /// multiple of these.
  PlaneShape getStrips(int64_t numVectors) const {
    const LaneReduction &reduction = problem.reduction;
    bool hasCostlyLanes = reduction.hasPositions() ||
                          (!reduction.isIdempotent() &&
                           reduction.getType().getElementType().isInteger());
    return PlaneShape::get(problem, RowCut::Strips,
                           columns.knownOutput || hasCostlyLanes
                               ? numVectors * length
                               : getNarrowWidth(numVectors));
  }

  /// Returns the widest strips of rows of unknown width.
  PlaneShape getWidestStrips(int64_t mostVectors) const {
    auto narrowUntil = [&](int64_t numVectors, auto isGood) {
      while (numVectors > 1 && !isGood(getStrips(numVectors)))
        numVectors /= 2;
      return numVectors;
    };
    // Narrower strips rather than none that carry.
    auto carries = [](const PlaneShape &shape) { return shape.carriesRows; };
    int64_t widest = narrowUntil(cost::kNumStripVectors, carries);
    if (!carries(getStrips(widest)))
      widest = cost::kNumStripVectors;
    // Medium windows get narrower strips, unless the widest ones are known to
    // fit.
    if (columns.getExtent() <= length)
      widest = narrowUntil(widest, [&](const PlaneShape &shape) {
        return isWithinLimits(shape);
      });
    return getStrips(std::min(widest, mostVectors));
  }

  /// Returns shapes for a row of known width and padding as a whole. Loads from
  /// the row's own first column on are aligned if rows are. From the window's
  /// first column on, fewer lanes may be moved, or fewer vectors loaded.
  Shapes getKnownShapes() const {
    Shapes shapes = {
        PlaneShape::get(problem, RowCut::Row, *columns.knownOutput)};
    if (int64_t pad = *columns.knownPad)
      shapes.push_back(
          PlaneShape::get(problem, RowCut::Row, *columns.knownOutput, -pad));
    return shapes;
  }

  /// Returns the shapes that are best for small windows. Strips have at most
  /// `mostVectors` where the width is unknown.
  Shapes chooseUsual(int64_t mostVectors) const {
    if (hasKnownRow) {
      auto getRowCost = [&](const PlaneShape &shape) {
        RowRuns runs(problem, shape, 1);
        return runs.getLoadedVectors().size() * rows.kernel +
               2 * runs.getNumSlides();
      };
      Shapes shapes = getKnownShapes();
      return {*llvm::min_element(shapes, [&](auto &lhs, auto &rhs) {
        return getRowCost(lhs) < getRowCost(rhs);
      })};
    }
    if (columns.knownOutput) {
      int64_t all = llvm::divideCeil(*columns.knownOutput, length);
      if (all <= cost::kNumStripVectors)
        return {PlaneShape::get(problem, RowCut::Narrow, *columns.knownOutput)};
      // The first width whose last strip repeats little of the one before.
      auto getAllCost = [&](int64_t n) {
        return llvm::divideCeil(all, n) *
               (n + problem.target.costs.stripVectors);
      };
      int64_t numVectors = cost::kNumStripVectors;
      for (int64_t n : {5, 6, 3})
        if (getAllCost(n) < getAllCost(numVectors))
          numVectors = n;
      return {getStrips(std::min(numVectors, *columns.knownOutput / length))};
    }
    // Strips of windows that do not overlap share nothing: wide ones give no
    // more than narrow ones, and are as much longer to compile.
    if (columns.getExtent() <= columns.stride)
      mostVectors = std::min(mostVectors, cost::kMaxSeparateVectors);
    PlaneShape strips = getWidestStrips(mostVectors);
    Shapes shapes;
    // Rows of three vectors are left to code for four, which masks them.
    for (int64_t n = 1; n <= mostVectors; n *= 2) {
      // The last one is as wide as a strip, for which no row is too narrow.
      PlaneShape shape = PlaneShape::get(
          problem, RowCut::Narrow,
          n * length == strips.numColumns ? n * length : getNarrowWidth(n));
      if (n > 1 && !isWithinLimits(shape))
        break;
      shapes.push_back(shape);
    }
    // No row is too narrow for strips.
    if (shapes.back().numColumns < strips.numColumns - 1)
      shapes.push_back(
          PlaneShape::get(problem, RowCut::Narrow, strips.numColumns));
    shapes.push_back(strips);
    return shapes;
  }

  /// Replaces `best` by the cheapest fitting shapes with narrower strips and
  /// fewer rows, if there are any.
  void chooseShort(Shapes &best) const {
    SmallVector<Shapes> choices;
    for (int64_t most = 1; most <= cost::kNumStripVectors; ++most)
      if (!columns.knownOutput)
        choices.push_back(chooseUsual(most));
      else if (most * length <= *columns.knownOutput)
        choices.push_back({getStrips(most)});
    if (hasKnownRow)
      for (const PlaneShape &shape : getKnownShapes())
        choices.push_back({shape});
    double least = std::numeric_limits<double>::infinity();
    int64_t mostRows = std::min(cost::kMaxShortRows,
                                rows.knownOutput.value_or(cost::kMaxShortRows));
    for (const Shapes &choice : choices)
      for (int64_t numRows = 1; numRows <= mostRows; ++numRows) {
        Shapes shapes = choice;
        for (PlaneShape &shape : shapes)
          shape.setRows(problem, numRows);
        const PlaneShape &last = shapes.back();
        // Strips of more outputs than stay in registers are slow.
        int64_t mostVectors =
            problem.target.numVectorRegisters * 3 / 4 / numRows;
        if (last.cut == RowCut::Strips &&
            last.numColumns > mostVectors * length)
          continue;
        double shapesCost = last.getCost(problem);
        // Longer code has to be worth it.
        if (shapesCost >= cost::kMaxLongerCost * least || !fit(shapes))
          continue;
        least = shapesCost;
        best = std::move(shapes);
      }
  }

  /// Makes all rows of a known plane one group, if that is better.
  void chooseWholePlane(PlaneShape &shape) const {
    if (*rows.knownOutput > cost::kMaxGroupRows)
      return;
    PlaneShape whole = shape;
    whole.groupRows = *rows.knownOutput;
    whole.carriesRows = whole.interleaves = false;
    // Longer code has to be worth it.
    if (fit(whole) &&
        whole.getCost(problem) < cost::kMaxLongerCost * shape.getCost(problem))
      shape = whole;
  }

  /// Returns the shapes with the least code: a row of a vector.
  Shapes getNarrowest() const {
    int64_t width = std::min(length, columns.knownOutput.value_or(length));
    PlaneShape narrow{RowCut::Narrow, width}, strips{RowCut::Strips, length};
    if (!columns.knownOutput)
      return {narrow, strips};
    return {*columns.knownOutput <= length ? narrow : strips};
  }

  //===--------------------------------------------------------------------===//
  // Limits and costs
  //===--------------------------------------------------------------------===//

  /// Fails, with the reason, if the code of a group is too long or invalid.
  LogicalResult check(const PlaneShape &shape, std::string &reason) const {
    // With large windows, a plane as one group is worth more.
    bool isWorthMore =
        reducesWholePlane && rows.kernel >= cost::kMinSharingRows &&
        shape.cut == RowCut::Row && shape.groupRows == rows.knownOutput;
    RowRuns runs(problem, shape, shape.groupRows);
    int64_t most = isWorthMore ? cost::kMaxPlaneCodeSize : cost::kMaxCodeSize;
    if (runs.getCodeSize() > most)
      return refuse(reason,
                    "straight code for {0} rows of {1} columns is about {2} "
                    "operations, more than {3}",
                    shape.groupRows, shape.numColumns, runs.getCodeSize(),
                    most);
    return checkArgmaxBits(problem, runs.getArgmaxBits(), reason);
  }

  bool isWithinLimits(const PlaneShape &shape) const {
    std::string reason;
    return succeeded(check(shape, reason));
  }
  /// True if all emitted code is short enough and valid.
  bool fit(ArrayRef<PlaneShape> shapes) const {
    return getTotalCodeSize(shapes) <= cost::kMaxTotalCodeSize &&
           llvm::all_of(shapes,
                        [&](auto &shape) { return isWithinLimits(shape); });
  }

  /// Returns about how many operations on vectors there will be for rows of
  /// unknown width.
  int64_t getTotalCodeSize(ArrayRef<PlaneShape> shapes) const {
    int64_t size = 0;
    if (columns.knownOutput)
      return size;
    for (const PlaneShape &shape : shapes) {
      auto add = [&](int64_t numRows, bool isTested) {
        size += RowRuns(problem, shape, numRows).getCodeSize(isTested);
      };
      bool hasWhole = shape.hasWholeVectors(problem);
      if (hasWhole)
        add(/*numRows=*/1, /*isTested=*/true);
      if (shape.cut == RowCut::Strips)
        add(shape.groupRows, /*isTested=*/false);
      add(shape.groupRows, /*isTested=*/!hasWhole);
      if (!problem.mayClamp)
        add(shape.cutsBorder(problem) ? 1 : shape.groupRows, /*isTested=*/true);
    }
    return size;
  }

  const Problem &problem;
  const ProblemDim rows, &columns;
  int64_t length;
  bool hasKnownRow;
  /// True if windows share so much that all rows of a plane are best reduced at
  /// once, however many there are.
  bool reducesWholePlane;
};
} // namespace

FailureOr<Shapes> pool::choosePlanes(const Problem &problem,
                                     std::string &reason) {
  return PlanesPlanner(problem).choose(reason);
}
