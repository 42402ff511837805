// Chooses shapes of straight code for rows of planes.
// docs/Internals/Rationale.md has the measurements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlanesPlanner.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

int64_t PlanesPlanner::getMostCarryingRows(const PlaneShape &shape) const {
  // Wide rows are read as they are in memory, strip after strip.
  bool isCut = columns.knownOutput && shape.cut == RowCut::Strips;
  if (problem.reduction.hasPositions() || isCut)
    return 0;
  RowRuns runs = getRuns(shape, 1);
  int64_t numRows = runs.getNumCarriedRows();
  int64_t numLoaded = runs.getLoadedVectors().size();
  int64_t numRegisters = problem.target.numVectorRegisters;
  int64_t mostCarried = numRegisters / 2;
  if (rows.kernel >= cost::kMinSharingRows)
    mostCarried = numRegisters / 4;
  else if (numRows <= 3)
    // A few rows of small windows are worth it even where registers do not
    // hold them: what is spilled stays in the first cache.
    mostCarried =
        std::max(mostCarried, std::min(cost::kMaxCarriedVectors,
                                       cost::kMaxCarriedBytes * 8 /
                                           problem.target.vectorBits));
  // A row of padding alone has nothing to carry.
  int64_t numCarried = numRows * numLoaded;
  if (numCarried == 0)
    return 0;
  // With dilation, the position of a row in the padding takes a division.
  // Spilled rows are faster than that, in groups whose rows share.
  bool isDilated = rows.dilation > 1;
  if (numCarried > mostCarried)
    return isDilated && columns.knownOutput &&
                   (shape.interleaves || numRows <= cost::kMaxShortRows) &&
                   numCarried <= cost::kMaxSpilledFactor * numRegisters
               ? cost::kMaxShortRows
               : 0;
  // Where planes lie apart, more rows at once gain more than spilling costs.
  int64_t numOwn = numRegisters * (hasCutPlanes() ? 5 : 3) / 4;
  int64_t numNew = shape.getGroupRows(problem).getSharingStride();
  return std::max<int64_t>((numOwn / numLoaded - numRows) / numNew,
                           isDilated && problem.mayClamp ? cost::kMaxShortRows
                                                         : 1);
}

int64_t PlanesPlanner::getNumPartRows(const PlaneShape &shape) const {
  int64_t mostRows = shape.cut == RowCut::Strips ? cost::kMaxStripPartRows
                                                 : cost::kMaxPartRows;
  if (!rows.knownOutput)
    return mostRows;
  int64_t numParts = llvm::divideCeil(*rows.knownOutput, mostRows);
  int64_t partRows = llvm::divideCeil(*rows.knownOutput, numParts);
  return llvm::alignTo(partRows, shape.groupRows * shape.getRowStep(problem));
}

std::optional<int64_t>
PlanesPlanner::getUsualRows(const PlaneShape &shape) const {
  // Planes are about as high as wide, and a group that is one computes no row
  // twice. The narrowest rows are of planes of all sizes.
  if (rows.knownOutput || shape.cut != RowCut::Narrow ||
      rows.kernel < cost::kMinSharingRows || shape.numColumns <= length)
    return rows.knownOutput;
  return shape.numColumns;
}

PlaneShape PlanesPlanner::getShape(RowCut cut, int64_t numColumns,
                                   int64_t firstColumn) const {
  PlaneShape shape;
  shape.cut = cut;
  shape.numColumns = numColumns;
  shape.firstColumn = firstColumn;
  int64_t mostCarrying = getMostCarryingRows(shape);
  auto getGridRows = [&](std::optional<int64_t> planeRows) {
    return planeRows ? llvm::divideCeil(*planeRows, shape.getRowStep(problem))
                     : planeRows;
  };
  // If neighbouring windows share no rows, a group carries all rows that a
  // window reaches. Rows further apart carry as they would without dilation.
  if (mostCarrying == 0 && rows.getSharingDistance() > 1) {
    shape.interleaves = true;
    mostCarrying =
        getGridRows(rows.knownOutput) == 1 ? 0 : getMostCarryingRows(shape);
  }
  shape.carriesRows = mostCarrying > 0;
  shape.interleaves &= shape.carriesRows;
  KernelDim own = shape.getGroupRows(problem);
  int64_t numVectors = llvm::divideCeil(numColumns, length);
  // Few rows where few are shared: memory is read best in one stream.
  int64_t mostRows =
      rows.kernel <= own.getSharingStride()                           ? 1
      : rows.kernel <= 3 && (rows.dilation == 1 || shape.interleaves) ? 2
      : rows.kernel < cost::kMinSharingRows                           ? 4
                                            : cost::kMaxGroupVectors / 2;
  mostRows = std::min(
      mostRows, std::max<int64_t>(cost::kMaxGroupVectors / numVectors, 1));
  if (rows.kernel == 1 && numVectors < cost::kNumStripVectors)
    mostRows = 4;
  // Positions are as many registers again: more rows only where most is shared.
  if (problem.reduction.hasPositions() &&
      (rows.kernel <= 3 || rows.kernel < 3 * rows.stride))
    mostRows = std::min<int64_t>(mostRows, rows.stride < rows.kernel ? 2 : 1);
  if (shape.carriesRows)
    mostRows = std::min(mostRows, mostCarrying);
  shape.groupRows = chooseNumRows(problem, own, mostRows, shape.carriesRows,
                                  getGridRows(getUsualRows(shape)));
  // All rows of a plane hand nothing on.
  shape.carriesRows &= getGridRows(rows.knownOutput) != shape.groupRows;
  shape.interleaves &= shape.carriesRows;
  if (shape.carriesRows)
    shape.partRows = getNumPartRows(shape);
  return shape;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

SmallVector<PlaneShape> PlanesPlanner::getKnownShapes() const {
  // From the row's own first column on loads are aligned if rows are; from the
  // window's on fewer lanes may be moved, or fewer vectors loaded.
  SmallVector<PlaneShape> shapes;
  shapes.push_back(getShape(RowCut::Row, *columns.knownOutput));
  if (int64_t pad = *columns.knownPad)
    shapes.push_back(getShape(RowCut::Row, *columns.knownOutput, -pad));
  return shapes;
}

PlaneShape PlanesPlanner::getKnownShape() const {
  SmallVector<PlaneShape> shapes = getKnownShapes();
  auto getRowCost = [&](const PlaneShape &shape) {
    RowRuns runs = getRuns(shape, /*numRows=*/1);
    return runs.getLoadedVectors().size() *
               (1 + getColumnCost(rows, 1, problem.isUniform)) +
           2 * runs.getNumSlides();
  };
  return *llvm::min_element(shapes,
                            [&](const PlaneShape &lhs, const PlaneShape &rhs) {
                              return getRowCost(lhs) < getRowCost(rhs);
                            });
}

int64_t PlanesPlanner::chooseNumVectors() const {
  auto isBetterNarrow = [&](int64_t numVectors, auto isGood) {
    while (numVectors > 1 && !isGood(getStrips(numVectors)))
      numVectors /= 2;
    return numVectors;
  };
  // Narrower strips rather than none that carry.
  auto carries = [](const PlaneShape &shape) { return shape.carriesRows; };
  int64_t widest = isBetterNarrow(cost::kNumStripVectors, carries);
  if (!carries(getStrips(widest)))
    widest = cost::kNumStripVectors;
  // Medium windows get narrower strips, unless the widest ones are known to
  // fit.
  if (columns.getExtent() > length)
    return widest;
  return isBetterNarrow(
      widest, [&](const PlaneShape &shape) { return isShort(shape); });
}

int64_t PlanesPlanner::getNarrowWidth(int64_t numVectors) const {
  int64_t all = numVectors * length;
  int64_t overlap = std::max<int64_t>(columns.getExtent() - columns.stride, 0);
  int64_t width = all - llvm::divideCeil(overlap, columns.stride);
  return 2 * width > all ? width : all;
}

int64_t PlanesPlanner::getTotalCodeSize(ArrayRef<PlaneShape> shapes) const {
  int64_t size = 0;
  if (columns.knownOutput)
    return size;
  for (const PlaneShape &shape : shapes) {
    auto add = [&](int64_t numRows, bool isTested) {
      RowRuns runs = getRuns(shape, numRows);
      size += runs.getCodeSize();
      if (isTested)
        size += cost::kTestedLoadOps * runs.getNumLoadedRows() *
                runs.getLoadedVectors().size();
    };
    if (shape.hasWholeVectors(problem))
      add(/*numRows=*/1, /*isTested=*/true);
    if (shape.cut == RowCut::Strips)
      add(shape.groupRows, /*isTested=*/false);
    add(shape.groupRows, /*isTested=*/!shape.hasWholeVectors(problem));
    if (!problem.mayClamp)
      add(shape.cutsBorder(problem) ? 1 : shape.groupRows, /*isTested=*/true);
  }
  return size;
}

SmallVector<PlaneShape>
PlanesPlanner::chooseStraight(int64_t mostVectors) const {
  if (!columns.knownOutput) {
    // Strips of windows that do not overlap share nothing: wide ones give no
    // more than narrow ones, and are as much longer to compile.
    if (columns.getExtent() <= columns.stride)
      mostVectors = std::min(mostVectors, cost::kMaxSeparateVectors);
    PlaneShape strips = getStrips(std::min(chooseNumVectors(), mostVectors));
    SmallVector<PlaneShape> shapes;
    // Rows of three vectors are left to code for four, which masks them.
    for (int64_t n = 1; n <= mostVectors; n *= 2) {
      PlaneShape shape = getShape(RowCut::Narrow, getNarrowWidth(n));
      if (n > 1 && !isShort(shape))
        break;
      shapes.push_back(shape);
    }
    // No row is too narrow for strips.
    if (shapes.back().numColumns < strips.numColumns - 1)
      shapes.push_back(getShape(RowCut::Narrow, strips.numColumns));
    shapes.push_back(strips);
    return shapes;
  }
  int64_t all = llvm::divideCeil(*columns.knownOutput, length);
  if (hasKnownRow())
    return {getKnownShape()};
  if (all <= cost::kNumStripVectors)
    return {getShape(RowCut::Narrow, *columns.knownOutput)};
  int64_t numFull = *columns.knownOutput / length;
  int64_t numVectors =
      chooseStripVectors(problem, all, {cost::kNumStripVectors, 5, 6, 3});
  return {getStrips(std::min(numVectors, numFull))};
}

SmallVector<PlaneShape> PlanesPlanner::chooseShort() const {
  SmallVector<SmallVector<PlaneShape>> choices;
  for (int64_t most = 1; most <= cost::kNumStripVectors; ++most)
    if (!columns.knownOutput)
      choices.push_back(chooseStraight(most));
    else if (most * length <= *columns.knownOutput)
      choices.push_back({getStrips(most)});
  if (hasKnownRow())
    for (const PlaneShape &shape : getKnownShapes())
      choices.push_back({shape});
  else if (columns.knownOutput)
    choices.push_back(chooseStraight(cost::kNumStripVectors));
  SmallVector<PlaneShape> best;
  double least = std::numeric_limits<double>::infinity();
  auto consider = [&](SmallVector<PlaneShape> shapes, int64_t numRows) {
    for (PlaneShape &shape : shapes) {
      shape.groupRows = numRows;
      if (shape.carriesRows)
        shape.partRows = getNumPartRows(shape);
    }
    const PlaneShape &last = shapes.back();
    // Strips of more outputs than stay in registers are slow.
    int64_t mostVectors = problem.target.numVectorRegisters * 3 / 4 / numRows;
    if (last.cut == RowCut::Strips && last.numColumns > mostVectors * length)
      return;
    double shapesCost = getRepeatedCost(last);
    // Longer code has to be worth it.
    if (shapesCost >= cost::kMaxLongerCost * least || !fit(shapes))
      return;
    least = shapesCost;
    best = std::move(shapes);
  };
  int64_t mostRows = std::min(cost::kMaxShortRows,
                              rows.knownOutput.value_or(cost::kUsualRows));
  for (const SmallVector<PlaneShape> &choice : choices)
    for (int64_t numRows = 1; numRows <= mostRows; ++numRows)
      consider(choice, numRows);
  return best;
}

double PlanesPlanner::getRepeatedCost(const PlaneShape &shape) const {
  if (!rows.knownOutput)
    return getCost(shape);
  double numRows = *rows.knownOutput;
  return getCost(shape) * llvm::alignTo(*rows.knownOutput, shape.groupRows) /
         numRows;
}

PlaneShape PlanesPlanner::getWholePlane(const PlaneShape &other) const {
  PlaneShape shape = other;
  if (*rows.knownOutput > cost::kMaxGroupRows)
    return other;
  shape.groupRows = *rows.knownOutput;
  shape.carriesRows = shape.interleaves = false;
  // Longer code has to be worth it.
  return fit(shape) &&
                 getCost(shape) < cost::kMaxLongerCost * getRepeatedCost(other)
             ? shape
             : other;
}

SmallVector<PlaneShape> PlanesPlanner::getNarrowest() const {
  PlaneShape narrow, strips;
  narrow.cut = RowCut::Narrow;
  narrow.numColumns = strips.numColumns = length;
  if (!columns.knownOutput)
    return {narrow, strips};
  narrow.numColumns = std::min(length, *columns.knownOutput);
  return {*columns.knownOutput <= length ? narrow : strips};
}

SmallVector<PlaneShape> PlanesPlanner::choose(std::string &reason) const {
  SmallVector<PlaneShape> shapes = chooseStraight(cost::kNumStripVectors);
  for (int64_t most = cost::kNumStripVectors / 2;
       most > 0 && getTotalCodeSize(shapes) > cost::kMaxTotalCodeSize;
       most /= 2)
    shapes = chooseStraight(most);
  if (!fit(shapes))
    if (SmallVector<PlaneShape> others = chooseShort(); !others.empty())
      shapes = others;
  // A small plane is one group, which has no loops and no row twice.
  if (hasKnownRow() && rows.knownOutput &&
      (sharesPlanes() ||
       (*rows.knownOutput <= cost::kMaxPlaneRows && !hasCutPlanes())))
    shapes = {getWholePlane(shapes.front())};
  // No other strategy has the order of straight code, which some shape always
  // is for.
  if (problem.isUniform && !fit(shapes))
    return getNarrowest();
  for (const PlaneShape &shape : shapes) {
    if (!isShort(shape)) {
      reason = llvm::formatv("straight code for {0} rows of {1} columns is "
                             "about {2} operations, more than {3}",
                             shape.groupRows, shape.numColumns,
                             getCodeSize(shape), cost::kMaxCodeSize);
      return {};
    }
    if (!canFollowArgmax(shape)) {
      reason = "an argmax within a group has more than 31 bits";
      return {};
    }
  }
  for (PlaneShape &shape : shapes)
    setStreaming(shape);
  return shapes;
}

double PlanesPlanner::getCost(const PlaneShape &shape) const {
  RowRuns runs = getRuns(shape, shape.groupRows);
  const Costs &costs = problem.target.costs;
  double numOps = runs.getCodeSize() + costs.groupOps;
  int64_t laneBits = problem.reduction.getType().getElementTypeBitWidth();
  if (laneBits < 32 && !problem.target.hasMaskRegisters(laneBits))
    numOps += (costs.narrowShuffleOps - 1) * runs.getNumStreamShuffles();
  if (shape.carriesRows) {
    // The first group of a part loads what all others are handed.
    int64_t partRows = rows.knownOutput
                           ? std::min(shape.partRows, *rows.knownOutput)
                           : shape.partRows;
    int64_t gridRows = llvm::divideCeil(partRows, shape.getRowStep(problem));
    double handed = std::max(1 - double(shape.groupRows) / gridRows, 0.0);
    int64_t numVectors = runs.getLoadedVectors().size();
    int64_t numNew = shape.groupRows *
                     shape.getGroupRows(problem).getSharingStride() *
                     problem.getNumOuterTaps();
    int64_t numCarried = runs.getNumCarriedRows() * numVectors;
    numOps -= 2 * handed * (runs.getNumLoadedRows() - numNew) * numVectors;
    // Values beyond the registers are stored and loaded.
    if (numCarried > cost::kMaxCarriedVectors)
      numOps += numCarried;
  }
  double numOutputs = shape.groupRows * shape.numColumns;
  if (shape.cut == RowCut::Strips && columns.knownOutput)
    // The last strip's columns that are computed twice included.
    numOutputs *= double(*columns.knownOutput) /
                  llvm::alignTo(*columns.knownOutput, shape.numColumns);
  return numOps / problem.target.vectorOpsPerCycle / numOutputs;
}
