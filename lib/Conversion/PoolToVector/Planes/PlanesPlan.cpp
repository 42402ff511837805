// The strategy `planes`, which computes planes by straight-line code for tiles
// (PlaneShape.h draws them). Chooses the number of rows of a group, and whether
// rows are carried, prefetches are emitted and stores are non-temporal.
// Estimates the cost. Checks pinned plans, which users give by the attribute
// `pool.plan`. docs/Internals/Rationale.md has the measurements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneShape.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns the largest number of rows of a group that can carry shared rows to
/// the next group. Returns 0 if no group can, or if carrying would take too
/// many registers.
static int64_t getMostCarryingRows(const Problem &problem,
                                   const PlaneShape &shape) {
  ProblemDim rows = problem.getRows();
  bool isWidthKnown = problem.getColumns().knownOutput.has_value();
  // Strips of wide rows are computed in the order of memory, row after row.
  // Carrying rows would need another order: each strip from the top of the
  // plane to its bottom.
  bool isCut = isWidthKnown && shape.cut == RowCut::Strips;
  if (problem.reduction.hasPositions() || isCut)
    return 0;
  RowRuns runs(problem, shape, 1);
  int64_t numRows = runs.getCarriedRows().size();
  int64_t numLoaded = runs.getLoadedVectors().size();
  int64_t numRegisters = problem.target.numVectorRegisters;
  int64_t mostCarried = numRegisters / 2;
  if (rows.kernel >= cost::kMinSharingRows)
    mostCarried = numRegisters / 4;
  else if (numRows <= 3)
    // Carrying up to three rows of small windows pays off even if registers do
    // not hold them: spilled vectors stay in the first cache.
    mostCarried =
        std::max(mostCarried, std::min(cost::kMaxCarriedVectors,
                                       cost::kMaxCarriedBytes * 8 /
                                           problem.target.vectorBits));
  // Nothing is carried if neighboring windows share no rows, or if the rows are
  // known to be padding.
  int64_t numCarried = runs.getNumCarried();
  if (numCarried == 0)
    return 0;
  // With dilation, clamping a row from the padding into the input takes a
  // division for each load. Carrying rows saves loads, and so divisions. That
  // is faster even if carried rows are spilled.
  bool isDilated = rows.dilation > 1;
  if (numCarried > mostCarried)
    return isDilated && isWidthKnown &&
                   (shape.interleaves || numRows <= cost::kMaxShortRows) &&
                   numCarried <= cost::kMaxSpilledFactor * numRegisters
               ? cost::kMaxShortRows
               : 0;
  // If planes are parts of higher planes, allow more vectors than there are
  // registers: more rows at once gain more than spilling costs.
  int64_t numOwn = numRegisters * (hasCutPlanes(problem) ? 5 : 3) / 4;
  int64_t numNew = shape.getGroupRows(problem).getSharingStride();
  return std::max<int64_t>((numOwn / numLoaded - numRows) / numNew,
                           isDilated && problem.mayClamp ? cost::kMaxShortRows
                                                         : 1);
}

/// Returns the number of rows of a group, from 1 to `mostRows`, that makes a
/// row of outputs cheapest. `planeRows` is the number of output rows of a
/// plane, if it is known.
static int64_t chooseNumRows(const Problem &problem, const PlaneShape &shape,
                             int64_t mostRows,
                             std::optional<int64_t> planeRows) {
  const Costs &costs = problem.target.costs;
  KernelDim rows = shape.getGroupRows(problem);
  if (planeRows)
    mostRows = std::min(mostRows, *planeRows);
  double numRows = planeRows.value_or(cost::kUsualRows);
  int64_t bestRows = 1;
  double best = std::numeric_limits<double>::infinity();
  for (int64_t n = 1; n <= mostRows; ++n) {
    double numComputed, loads, groupOps;
    if (shape.carriesRows) {
      numComputed = numRows;
      loads = rows.getSharingStride();
      // In addition to computing rows, such a group only passes rows on.
      groupOps = costs.carryingRowOps;
    } else {
      // The last group is moved back, and computes some rows a second time.
      // Count these rows twice.
      numComputed =
          planeRows ? std::ceil(numRows / n) * n : numRows + (n - 1) / 2.0;
      loads = double(rows.getSpan(n)) / n;
      groupOps = costs.groupRowOps;
    }
    double perRow = SharedTaps{rows, n, problem.isUniform}.getCost() +
                    loads * problem.getNumOuterTaps() + groupOps / n;
    double rowsCost = perRow * numComputed;
    if (rowsCost < best * 0.999) {
      best = rowsCost;
      bestRows = n;
    }
  }
  return bestRows;
}

PlaneShape PlaneShape::get(const Problem &problem, RowCut cut,
                           int64_t numColumns, int64_t firstColumn) {
  ProblemDim rows = problem.getRows();
  PlaneShape shape;
  shape.cut = cut;
  shape.numColumns = numColumns;
  shape.firstColumn = firstColumn;
  int64_t mostCarrying = getMostCarryingRows(problem, shape);
  auto getGridRows = [&](std::optional<int64_t> planeRows) {
    return planeRows ? llvm::divideCeil(*planeRows, shape.getRowStep(problem))
                     : planeRows;
  };
  // With dilation, the windows of adjacent rows may share no input rows, or
  // carrying these may take too many registers. Windows that are getRowStep()
  // rows apart share rows as they would without dilation.
  if (mostCarrying == 0 && rows.getSharingDistance() > 1) {
    shape.interleaves = true;
    mostCarrying = getMostCarryingRows(problem, shape);
  }
  shape.carriesRows = mostCarrying > 0;
  shape.interleaves &= shape.carriesRows;
  int64_t length = problem.getLength();
  int64_t numVectors = llvm::divideCeil(numColumns, length);
  // If windows share few rows, make groups small: memory is best read as one
  // stream.
  int64_t mostRows = cost::kMaxGroupVectors / 2;
  if (rows.kernel <= shape.getGroupRows(problem).getSharingStride())
    mostRows = 1;
  else if (rows.kernel <= 3 && (rows.dilation == 1 || shape.interleaves))
    mostRows = 2;
  else if (rows.kernel < cost::kMinSharingRows)
    mostRows = 4;
  mostRows = std::min(
      mostRows, std::max<int64_t>(cost::kMaxGroupVectors / numVectors, 1));
  if (rows.kernel == 1 && numVectors < cost::kNumStripVectors)
    mostRows = 4;
  // An argmax doubles the number of registers. So more rows pay off only if
  // windows share most of their rows.
  if (problem.reduction.hasPositions()) {
    if (rows.kernel == 3 && rows.stride == 1 && rows.dilation == 1 &&
        cut != RowCut::Strips)
      mostRows = 4;
    else if (rows.kernel <= 3 || rows.kernel < 3 * rows.stride)
      mostRows = std::min<int64_t>(mostRows, rows.stride < rows.kernel ? 2 : 1);
  }
  if (shape.carriesRows)
    mostRows = std::min(mostRows, mostCarrying);
  // If the height is unknown, assume that planes are as high as wide. Then a
  // group may be the whole plane, which computes no row twice. Do not assume it
  // for rows of at most one vector: planes of all heights have such rows.
  std::optional<int64_t> usualRows = rows.knownOutput;
  if (!usualRows && cut == RowCut::Narrow &&
      rows.kernel >= cost::kMinSharingRows && numColumns > length)
    usualRows = numColumns;
  int64_t numRows =
      chooseNumRows(problem, shape, mostRows, getGridRows(usualRows));
  // A group of all rows has no next group to carry rows to.
  shape.carriesRows &= getGridRows(rows.knownOutput) != numRows;
  shape.interleaves &= shape.carriesRows;
  shape.setRows(problem, numRows);
  return shape;
}

void PlaneShape::setRows(const Problem &problem, int64_t numRows) {
  groupRows = numRows;
  if (!carriesRows)
    return;
  partRows =
      cut == RowCut::Strips ? cost::kMaxStripPartRows : cost::kMaxPartRows;
  if (std::optional<int64_t> rows = problem.getRows().knownOutput) {
    int64_t numParts = llvm::divideCeil(*rows, partRows);
    partRows = llvm::alignTo(llvm::divideCeil(*rows, numParts),
                             groupRows * getRowStep(problem));
  }
}

//===----------------------------------------------------------------------===//
// Cost and memory
//===----------------------------------------------------------------------===//

double PlaneShape::getCost(const Problem &problem) const {
  RowRuns runs(problem, *this, groupRows);
  const Costs &costs = problem.target.costs;
  std::optional<int64_t> knownRows = problem.getRows().knownOutput;
  double numOps = runs.getCodeSize() + costs.groupOps;
  // Conversions overlap with other operations, so count half of their time.
  numOps += 0.5 * problem.reduction.getNumPrepareOps() *
            runs.getNumLoadedRows() * runs.getLoadedVectors().size();
  int64_t laneBits = problem.reduction.getType().getElementTypeBitWidth();
  if (laneBits < 32 && !problem.target.hasMaskRegisters(laneBits))
    numOps += (costs.narrowShuffleOps - 1) * runs.getNumStreamShuffles();
  if (carriesRows) {
    // The first group of a part loads all of its rows. The other groups get the
    // carried rows in registers.
    int64_t rows = std::min(partRows, knownRows.value_or(partRows));
    int64_t gridRows = llvm::divideCeil(rows, getRowStep(problem));
    double handed = std::max(1 - double(groupRows) / gridRows, 0.0);
    numOps -= 2 * handed * runs.getNumCarried() * problem.getNumOuterTaps();
    // Carried vectors beyond the registers are spilled and reloaded.
    if (runs.getNumCarried() > cost::kMaxCarriedVectors)
      numOps += runs.getNumCarried();
  }
  // The last group and the last strip are moved back, and compute some outputs
  // twice. Only new outputs count.
  auto getNumNew = [](std::optional<int64_t> known, int64_t each) {
    return known ? double(*known) * each / llvm::alignTo(*known, each) : each;
  };
  double numOutputs =
      getNumNew(knownRows, groupRows) *
      (cut == RowCut::Strips
           ? getNumNew(problem.getColumns().knownOutput, numColumns)
           : numColumns);
  return numOps / problem.target.vectorOpsPerCycle / numOutputs;
}

int64_t PlaneShape::getStoreDistance(const Problem &problem) const {
  // The last strip begins at column `width - numColumns`. So its alignment
  // depends on both numbers.
  int64_t distance = cut == RowCut::Row ? 0 : numColumns;
  // If the width is known, alignment to a vector suffices, even if a vector is
  // shorter than a cache line. If the width is unknown, the alignment is tested
  // at run time, and such short stores are not worth the test.
  if (std::optional<int64_t> columns = problem.getColumns().knownOutput)
    distance |= *columns | problem.getLength();
  return distance;
}

void PlaneShape::setStreaming(const Problem &problem) {
  // Narrow rows are stored by masks, and non-temporal stores cannot have masks.
  if (!problem.isLarge.value_or(true) || !problem.isPacked ||
      cut == RowCut::Narrow)
    return;
  streams = canStream(problem, getStoreDistance(problem));
  // The hardware prefetches several short rows by itself if each row is read
  // once, and if stores do not disturb it.
  bool isFollowed = streams && carriesRows && cut == RowCut::Row &&
                    groupRows * problem.getRows().stride > 1 &&
                    *problem.getColumns().knownInput * problem.inputBytes <=
                        cost::kMaxFollowedBytes;
  // The hardware prefetches well if windows reach over several planes, and less
  // well if they lie in one plane. If the size is unknown, it must be tested at
  // run time. Prefetches are worth it only if non-temporal stores have this
  // test anyway.
  prefetches = problem.hasRows() && problem.getOuter().empty() && !isFollowed &&
               !interleaves && (problem.isLarge || streams);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// A plan of one shape. If `cut` is Narrow and the width is unknown, the plan
/// `fallback` is for rows that are wider than `numColumns`.
struct PlanesPlan : WindowPlan, PlaneShape {
  explicit PlanesPlan(const PlaneShape &shape = {})
      : WindowPlan("planes", ""), PlaneShape(shape) {}

  void declareParameters(PlanFields &fields) override {
    fields.keyword("cut", cut, {"row", "narrow", "strips"});
    fields.integer("columns", numColumns, 1, 1 << 20);
    fields.integer("rows", groupRows, 1, cost::kMaxGroupRows);
    if (cut == RowCut::Row)
      fields.integer("first_column", firstColumn, -(1 << 30), 0);
    fields.flag("carry", carriesRows);
    if (carriesRows) {
      fields.integer("part_rows", partRows, 1, 1 << 20);
      fields.flag("interleave", interleaves);
    }
    fields.flag("prefetch", prefetches);
    fields.flag("stream", streams);
  }

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.reduction.hasWideSums())
      return refuse(reason, "sums are of 128 bits");
    if (problem.isUniform && !problem.hasUniformPlanes())
      return refuse(
          reason, "the kernel is too large for straight code on every machine");
    auto isLong = [](const KernelDim &dim) {
      return std::max(dim.getExtent(), dim.stride) > cost::kMaxCodeSize;
    };
    if (isLong(problem.getRows()) || isLong(problem.getColumns()))
      return refuse(
          reason, "windows of {0} x {1} positions are no straight code",
          problem.getRows().getExtent(), problem.getColumns().getExtent());
    return problem.checkArgmax(reason);
  }

  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    FailureOr<SmallVector<PlaneShape>> planned = choosePlanes(problem, reason);
    if (failed(planned))
      return failure();
    SmallVector<PlaneShape> &shapes = *planned;
    double planCost = shapes.back().getCost(problem);
    if (problem.reduction.hasPositions())
      planCost *= problem.target.costs.indexFactor;
    // If the width is unknown, the last shape is for wide rows. Replace it by a
    // plan of the strategy `van-herk` if that is cheaper.
    if (!problem.getColumns().knownOutput) {
      auto blocks = createCandidate<WindowPlan>(createVanHerkPlan, problem);
      if (blocks.plan && blocks.cost < planCost) {
        fallback = blocks.plan;
        planCost = blocks.cost;
        shapes.pop_back();
      }
    }
    for (const PlaneShape &later :
         llvm::reverse(ArrayRef(shapes).drop_front())) {
      auto plan = std::make_shared<PlanesPlan>(later);
      plan->fallback = std::exchange(fallback, plan);
    }
    static_cast<PlaneShape &>(*this) = shapes.front();
    return planCost;
  }

  LogicalResult check(const Problem &problem, PlanScope &scope,
                      std::string &reason) const override {
    ProblemDim rows = problem.getRows();
    const ProblemDim &columns = problem.getColumns();
    if (rows.knownOutput && groupRows > *rows.knownOutput)
      return refuse(reason, "rows is {0}, but a plane has {1}", groupRows,
                    *rows.knownOutput);
    bool isDispatched = cut == RowCut::Narrow && !columns.knownOutput;
    if (isDispatched != (fallback != nullptr))
      return refuse(reason,
                    isDispatched
                        ? "rows may be wider at run time: fallback is missing"
                        : "it is for all rows: fallback has no meaning");
    switch (cut) {
    case RowCut::Row:
      if (!columns.knownOutput || !columns.knownInput || !columns.knownPad)
        return refuse(
            reason,
            "cut is \"row\", but the width or its padding is not known");
      if (numColumns != *columns.knownOutput ||
          firstColumn < -*columns.knownPad)
        return refuse(reason,
                      "a row has {0} columns and {1} of padding, not columns = "
                      "{2}, first_column = {3}",
                      *columns.knownOutput, *columns.knownPad, numColumns,
                      firstColumn);
      break;
    case RowCut::Narrow:
      if (columns.knownOutput && numColumns < *columns.knownOutput)
        return refuse(reason, "columns is {0}, but a row has {1}", numColumns,
                      *columns.knownOutput);
      scope.minColumns = numColumns + 1;
      break;
    case RowCut::Strips: {
      int64_t most = columns.knownOutput.value_or(scope.minColumns);
      if (numColumns > most)
        return refuse(
            reason,
            "strips have {0} columns, but a row may have no more than {1}",
            numColumns, most);
    }
    }
    // Prefetch distances count elements of the flattened buffer, and alignment
    // is tested for the first row only. So there must be no gaps between rows.
    if ((prefetches || streams) && !problem.isPacked)
      return refuse(reason,
                    "prefetch and stream are for buffers that are packed");
    if (interleaves && rows.getSharingDistance() == 1)
      return refuse(reason,
                    "interleave is for windows whose neighbours share no rows, "
                    "but dilation {0} divides stride {1}",
                    rows.dilation, rows.stride);
    if (prefetches && interleaves)
      return refuse(reason, "prefetch is for rows that follow each other, not "
                            "for those that interleave");
    if (prefetches && !problem.hasRows())
      return refuse(reason, "there are no rows to prefetch");
    RowRuns runs(problem, *this, groupRows);
    if (failed(checkCodeSize("a group", runs.getCodeSize(), reason)) ||
        failed(checkArgmaxBits(problem, runs.getArgmaxBits(), reason)))
      return failure();
    if (!carriesRows)
      return success();
    if (problem.reduction.hasPositions())
      return refuse(reason, "rows with an argmax are not carried");
    if (runs.getNumCarried() == 0)
      return refuse(reason, "groups share no rows to carry");
    return checkKept("carried", runs.getNumCarried(), problem.target, reason);
  }

  void emit(WindowKernel &kernel) const override { emitPlanes(kernel, *this); }

  Value createCondition(WindowKernel &kernel) const override {
    if (!fallback)
      return {};
    KernelBuilder &b = kernel.b;
    return b.isAtLeast(numColumns, kernel.dims.back().output);
  }
};
} // namespace

std::shared_ptr<WindowPlan> pool::createPlanesPlan() {
  return std::make_shared<PlanesPlan>();
}
