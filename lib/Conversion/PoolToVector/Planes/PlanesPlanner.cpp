// Chooses the shapes of tiles for planes: whole rows or strips, and how wide.
// PlaneShape.h draws them. PlanesPlan.cpp chooses the other parameters.
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
    // A small plane is best as one group: it needs no loops, and computes no
    // row twice.
    if (hasKnownRow && rows.knownOutput &&
        (reducesWholePlane ||
         (*rows.knownOutput <= cost::kMaxPlaneRows && !hasCutPlanes(problem))))
      chooseWholePlane(shapes.front());
    // Uniform sums need the order of straight-line code, which no other
    // strategy has. The shape with the least code is never too long.
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

  /// Returns a width of strips, in output columns. Windows that overlap read
  /// more columns than they have outputs. So `numVectors` vectors of input, for
  /// each position of the stride, suffice for a little less than `numVectors`
  /// vectors of outputs. Returns this width, or `numVectors` whole vectors if
  /// it would be half of them or less.
  int64_t getNarrowWidth(int64_t numVectors) const {
    int64_t all = numVectors * length;
    int64_t overlap =
        std::max<int64_t>(columns.getExtent() - columns.stride, 0);
    int64_t width = all - llvm::divideCeil(overlap, columns.stride);
    return 2 * width > all ? width : all;
  }

  /// Returns strips of `numVectors` vectors. If the width is unknown, they are
  /// a little narrower, so that they read fewer vectors; see getNarrowWidth().
  /// But if outputs have an argmax or are sums of integers, strips are whole
  /// vectors. It is costly to compute such outputs twice, and the width of rows
  /// is often a multiple of a vector.
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

  /// Returns the widest strips of at most `mostVectors` vectors for rows of
  /// unknown width. Prefers strips that carry rows. Unless windows are wider
  /// than a vector, also prefers strips whose code is short enough.
  PlaneShape getWidestStrips(int64_t mostVectors) const {
    auto narrowUntil = [&](int64_t numVectors, auto isGood) {
      while (numVectors > 1 && !isGood(getStrips(numVectors)))
        numVectors /= 2;
      return numVectors;
    };
    // Prefer narrower strips that carry rows to wider strips that do not.
    auto carries = [](const PlaneShape &shape) { return shape.carriesRows; };
    int64_t widest = narrowUntil(cost::kNumStripVectors, carries);
    if (!carries(getStrips(widest)))
      widest = cost::kNumStripVectors;
    // If windows are not wider than a vector, narrow the strips until the code
    // is short enough.
    if (columns.getExtent() <= length)
      widest = narrowUntil(widest, [&](const PlaneShape &shape) {
        return isWithinLimits(shape);
      });
    return getStrips(std::min(widest, mostVectors));
  }

  /// Returns the one or two possible shapes for a whole row of known width and
  /// padding. In the first one, vectors begin at the row's first column, so
  /// that loads are aligned if rows are. The second one is for padded rows:
  /// vectors begin with the first window, which may take fewer shuffles or
  /// loads.
  Shapes getKnownShapes() const {
    Shapes shapes = {
        PlaneShape::get(problem, RowCut::Row, *columns.knownOutput)};
    if (int64_t pad = *columns.knownPad)
      shapes.push_back(
          PlaneShape::get(problem, RowCut::Row, *columns.knownOutput, -pad));
    return shapes;
  }

  /// Returns the shapes that are fastest. Their code may be too long, except
  /// for small windows. If the width is unknown, strips have at most
  /// `mostVectors` vectors.
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
      // Choose the width of strips that takes the least work for a row. The
      // last strip is moved back, so it computes some columns a second time.
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
    // Windows that do not overlap share nothing along the row. Wide strips are
    // then no faster than narrow ones, and take longer to compile.
    if (columns.getExtent() <= columns.stride)
      mostVectors = std::min(mostVectors, cost::kMaxSeparateVectors);
    PlaneShape strips = getWidestStrips(mostVectors);
    Shapes shapes;
    // Use powers of two only: a row of three vectors can use the code for four,
    // with masks.
    for (int64_t n = 1; n <= mostVectors; n *= 2) {
      // If the shape would be as wide as a strip, do not narrow it. Then every
      // row that is wider than this shape has at least the width of a strip.
      PlaneShape shape = PlaneShape::get(
          problem, RowCut::Narrow,
          n * length == strips.numColumns ? n * length : getNarrowWidth(n));
      if (n > 1 && !isWithinLimits(shape))
        break;
      shapes.push_back(shape);
    }
    // Strips need a row of at least their width. So add a shape for rows that
    // are narrower, but wider than the shapes so far.
    if (shapes.back().numColumns < strips.numColumns - 1)
      shapes.push_back(
          PlaneShape::get(problem, RowCut::Narrow, strips.numColumns));
    shapes.push_back(strips);
    return shapes;
  }

  /// Tries strips of each width, and whole rows if the width is known, with
  /// groups that are small enough for short code. Replaces `best` by the
  /// cheapest of them. If none is short enough, leaves `best` as it is.
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
        // A tile is slow if its vectors of outputs take more than three
        // quarters of the registers.
        int64_t mostVectors =
            problem.target.numVectorRegisters * 3 / 4 / numRows;
        if (last.cut == RowCut::Strips &&
            last.numColumns > mostVectors * length)
          continue;
        double shapesCost = last.getCost(problem);
        // Choices with shorter code come first, so a later one must be clearly
        // cheaper.
        if (shapesCost >= cost::kMaxLongerCost * least || !fit(shapes))
          continue;
        least = shapesCost;
        best = std::move(shapes);
      }
  }

  /// Replaces `shape` by one group of all rows of a plane, if that is clearly
  /// cheaper and its code is short enough. Requires that the number of rows is
  /// known.
  void chooseWholePlane(PlaneShape &shape) const {
    if (*rows.knownOutput > cost::kMaxGroupRows)
      return;
    PlaneShape whole = shape;
    whole.groupRows = *rows.knownOutput;
    whole.carriesRows = whole.interleaves = false;
    // The code is longer, so it must be clearly cheaper.
    if (fit(whole) &&
        whole.getCost(problem) < cost::kMaxLongerCost * shape.getCost(problem))
      shape = whole;
  }

  /// Returns the shapes with the least code. Their tiles are one vector of one
  /// row.
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

  /// Fails, with the reason, if the code of a tile is too long, or if its
  /// packed argmax needs 31 bits or more.
  LogicalResult check(const PlaneShape &shape, std::string &reason) const {
    // For large windows, allow longer code if a whole plane is one group,
    // because that saves so much.
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

  /// True if check() succeeds.
  bool isWithinLimits(const PlaneShape &shape) const {
    std::string reason;
    return succeeded(check(shape, reason));
  }
  /// True if check() succeeds for all shapes, and the code of all shapes
  /// together is short enough.
  bool fit(ArrayRef<PlaneShape> shapes) const {
    return getTotalCodeSize(shapes) <= cost::kMaxTotalCodeSize &&
           llvm::all_of(shapes,
                        [&](auto &shape) { return isWithinLimits(shape); });
  }

  /// Returns about how many vector operations the code for all shapes has, with
  /// all its variants. Returns 0 if the width is known. Then there is only one
  /// shape, and check() limits its code.
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
  /// True if one group for the whole plane is best, whatever its height,
  /// because windows overlap in many rows. False with an argmax.
  bool reducesWholePlane;
};
} // namespace

FailureOr<Shapes> pool::choosePlanes(const Problem &problem,
                                     std::string &reason) {
  return PlanesPlanner(problem).choose(reason);
}
