// The cost model for planes: how many rows and columns straight code is emitted
// for. docs/Rationale.md has the measurements behind the constants.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneShape.h"

#include "RowStream.h"

using namespace mlir;
using namespace mlir::pool;

PlaneWindows::PlaneWindows(WindowKernel &kernel)
    : kernel(kernel), b(kernel.b), loc(kernel.getLoc()), at(b, loc),
      reduction(kernel.reduction), length(reduction.getLength()),
      rank(kernel.getRank()), mayClamp(canClampToWindow(kernel)) {
  SmallVector<LoopDim> dims = getLoopDims(kernel);
  columns = dims.pop_back_val();
  hasRows = !dims.empty();
  rows = hasRows ? dims.pop_back_val() : LoopDim::getSingle(at);
  outer = std::move(dims);
  numOuterTaps = getNumTaps(outer);
}

StripShape PlaneShape::getStrip(const PlaneWindows &windows,
                                int64_t numRows) const {
  StripShape strip{numRows, numColumns, windows.numOuterTaps, windows.rows,
                   windows.columns};
  if (cut == RowCut::Known)
    strip.columns.shift = *windows.columns.knownPad + firstColumn;
  return strip;
}

/// Operations of a strip: what takes longer to compile than it is worth.
static constexpr int64_t kMaxCodeSize = 700;
/// The same for all that is emitted for rows of unknown width, and what a load
/// with tests has more.
static constexpr int64_t kMaxTotalCodeSize = 6000, kTestedLoadSize = 6;

namespace {
class ShapeChooser {
public:
  explicit ShapeChooser(PlaneWindows &windows)
      : windows(windows), rows(windows.rows), columns(windows.columns) {}

  FailureOr<SmallVector<PlaneShape>> choose() const;

private:
  PlaneShape getShape(RowCut cut, int64_t numColumns,
                      int64_t firstColumn = 0) const;
  PlaneShape getStrips(int64_t numVectors) const;
  PlaneShape getKnownShape() const;
  /// The widest strips of rows of unknown width, in vectors.
  int64_t chooseNumVectors() const;
  /// The most outputs in `numVectors` that read no more vectors than as many
  /// for each position of the stride; all of them where those are less than
  /// half.
  int64_t getShortWidth(int64_t numVectors) const;
  /// Of strips of at most `mostVectors` where the width is unknown.
  SmallVector<PlaneShape> chooseStraight(int64_t mostVectors) const;
  FailureOr<PlaneShape> chooseScratch() const;
  std::optional<PlaneShape> chooseBlocks() const;

  /// Vector registers, as far as the vectors' length tells.
  int64_t getNumRegisters() const;
  RowKernel getKernel(const StripShape &strip) const {
    return RowKernel(windows.b, windows.loc, windows.reduction, strip);
  }
  /// Vectors of a row that are loaded and have some of the input.
  int64_t getNumInputVectors(const PlaneShape &shape,
                             const RowKernel &rowKernel) const;
  /// Of how many rows a group is at most that keeps for the next what windows
  /// share; 0 if it cannot.
  int64_t getMostCarryingRows(const PlaneShape &shape) const;
  /// The number of rows, at most `mostRows`, that makes a row cheapest.
  int64_t chooseNumRows(int64_t mostRows, bool carriesRows) const;
  /// Whether code for a strip is no longer than is worth it.
  bool isShort(const StripShape &strip) const {
    return getKernel(strip).getCodeSize() <= kMaxCodeSize;
  }
  /// Whether windows are too long for any straight code.
  static bool isLong(const LoopDim &dim) {
    return std::max(dim.getExtent(), dim.stride) > kMaxCodeSize;
  }
  /// About how many operations on vectors there will be for rows of unknown
  /// width, counting loads with tests as several.
  int64_t getTotalCodeSize(ArrayRef<PlaneShape> shapes) const;

  PlaneWindows &windows;
  const LoopDim &rows, &columns;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Vectors of outputs of a group of rows: code grows with them.
static constexpr int64_t kMaxGroupVectors = 32;
/// What planes of unknown height are taken to have.
static constexpr int64_t kUsualRows = 24;
/// Operations for columns that go into a buffer, above which loops are as fast.
static constexpr int64_t kMaxStraightColumnsSize = 270;
/// Rows of a group that are kept in a buffer.
static constexpr int64_t kMaxScratchRows = 32;
/// The fewest rows that blocks are better for, and the most taps of outer
/// dimensions, which are straight code.
static constexpr int64_t kMinBlockRows = 13, kMaxBlockTaps = 16;
/// Vector registers of targets with 512-bit vectors, and of x86 with others.
/// Rows that are carried take half of them at most; those and the group's own
/// three quarters.
static constexpr int64_t kNumRegisters = 32, kNumNarrowRegisters = 16;
/// Windows of so many rows are cheap in groups of many, which share most of
/// them; rows that are carried take a quarter of the registers at most.
static constexpr int64_t kMinSharingRows = 9;

int64_t ShapeChooser::getNumRegisters() const {
  VectorType type = windows.reduction.getType();
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  return bits < 512 ? kNumNarrowRegisters : kNumRegisters;
}

int64_t ShapeChooser::getNumInputVectors(const PlaneShape &shape,
                                         const RowKernel &rowKernel) const {
  SmallVector<int64_t> vectors = rowKernel.getLoadedVectors();
  if (shape.cut != RowCut::Known)
    return vectors.size();
  return llvm::count_if(vectors, [&](int64_t vector) {
    int64_t first = shape.firstColumn + vector * windows.length;
    return first < *columns.knownInput && first + windows.length > 0;
  });
}

int64_t ShapeChooser::getMostCarryingRows(const PlaneShape &shape) const {
  // Wide rows are read as they are in memory, strip after strip.
  bool isCut = columns.knownOutput && shape.cut == RowCut::Strips;
  if (windows.reduction.hasPositions() || isCut)
    return 0;
  StripShape strip = shape.getStrip(windows, 1);
  RowKernel rowKernel = getKernel(strip);
  int64_t numRows = rowKernel.getNumCarriedRows();
  int64_t numLoaded = getNumInputVectors(shape, rowKernel);
  int64_t numRegisters = getNumRegisters();
  int64_t mostCarried =
      rows.kernel < kMinSharingRows ? numRegisters / 2 : numRegisters / 4;
  // A row of padding alone has nothing to carry.
  if (numRows == 0 || numLoaded == 0 || numRows * numLoaded > mostCarried)
    return 0;
  int64_t numOwn = numRegisters * 3 / 4;
  return std::max<int64_t>((numOwn / numLoaded - numRows) / rows.stride, 1);
}

int64_t ShapeChooser::chooseNumRows(int64_t mostRows, bool carriesRows) const {
  if (rows.knownOutput)
    mostRows = std::min(mostRows, *rows.knownOutput);
  double numRows = rows.knownOutput.value_or(kUsualRows);
  int64_t bestRows = 1;
  double best = std::numeric_limits<double>::infinity();
  for (int64_t n = 1; n <= mostRows; ++n) {
    // Rows of the last group that are computed twice count.
    double numComputed = carriesRows        ? numRows
                         : rows.knownOutput ? std::ceil(numRows / n) * n
                                            : numRows + (n - 1) / 2.0;
    double loads = carriesRows ? rows.stride : double(rows.getSpan(n)) / n;
    // Groups that carry rows need little besides handing them on.
    double perRow = getColumnCost(rows, n) + loads * windows.numOuterTaps +
                    (carriesRows ? 0.1 : 1.0) / n;
    double cost = perRow * numComputed;
    if (cost < best * 0.999) {
      best = cost;
      bestRows = n;
    }
  }
  return bestRows;
}

PlaneShape ShapeChooser::getShape(RowCut cut, int64_t numColumns,
                                  int64_t firstColumn) const {
  PlaneShape shape;
  shape.cut = cut;
  shape.numColumns = numColumns;
  shape.firstColumn = firstColumn;
  int64_t mostCarrying = getMostCarryingRows(shape);
  shape.carriesRows = mostCarrying > 0;
  int64_t numVectors = llvm::divideCeil(numColumns, windows.length);
  // Few rows where few are shared: memory is read best in one stream.
  int64_t mostRows = rows.kernel <= rows.stride               ? 1
                     : rows.kernel <= 3 && rows.dilation == 1 ? 2
                     : rows.kernel < kMinSharingRows          ? 4
                                                              : 16;
  mostRows =
      std::min(mostRows, std::max<int64_t>(kMaxGroupVectors / numVectors, 1));
  if (rows.kernel == 1 && numVectors < 4)
    mostRows = 4;
  if (windows.reduction.hasPositions())
    mostRows = std::min<int64_t>(mostRows, rows.stride < rows.kernel ? 2 : 1);
  if (shape.carriesRows)
    mostRows = std::min(mostRows, mostCarrying);
  shape.groupRows = chooseNumRows(mostRows, shape.carriesRows);
  return shape;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Vectors that a known row is kept in at once, so that it need not be cut.
static constexpr int64_t kMaxRowVectors = 8;
/// Vectors of other rows and strips.
static constexpr int64_t kNumStripVectors = 4;

PlaneShape ShapeChooser::getKnownShape() const {
  // From the row's own first column on loads are aligned if rows are; from the
  // window's on fewer lanes may be moved, or fewer vectors loaded.
  auto getFrom = [&](int64_t firstColumn) {
    return getShape(RowCut::Known, *columns.knownOutput, firstColumn);
  };
  PlaneShape own = getFrom(0), padded = getFrom(-*columns.knownPad);
  auto getRowCost = [&](const PlaneShape &shape) {
    StripShape strip = shape.getStrip(windows, /*numRows=*/1);
    RowKernel rowKernel = getKernel(strip);
    return getNumInputVectors(shape, rowKernel) * (1 + getColumnCost(rows, 1)) +
           2 * rowKernel.getNumSlides(-shape.firstColumn,
                                      *columns.knownInput - shape.firstColumn);
  };
  return getRowCost(padded) < getRowCost(own) ? padded : own;
}

/// How many vectors wide strips of a row of `all` vectors are, so that the last
/// one repeats little of the one before.
static int64_t getNumStripVectors(int64_t all) {
  int64_t best = kNumStripVectors;
  auto getCost = [&](int64_t n) {
    return llvm::divideCeil(all, n) * (n + 0.3);
  };
  for (int64_t n : {5, 6, 3})
    if (getCost(n) < getCost(best))
      best = n;
  return best;
}

int64_t ShapeChooser::chooseNumVectors() const {
  auto isBetterNarrow = [&](int64_t numVectors, auto isGood) {
    while (numVectors > 1 && !isGood(getStrips(numVectors)))
      numVectors /= 2;
    return numVectors;
  };
  // Narrower strips rather than none that carry.
  auto carries = [](const PlaneShape &shape) { return shape.carriesRows; };
  int64_t widest = isBetterNarrow(kNumStripVectors, carries);
  if (!carries(getStrips(widest)))
    widest = kNumStripVectors;
  // Of medium windows narrower ones, unless the widest are known to fit.
  if (columns.getExtent() > windows.length)
    return widest;
  return isBetterNarrow(widest, [&](const PlaneShape &shape) {
    return isShort(shape.getStrip(windows, shape.groupRows));
  });
}

int64_t ShapeChooser::getShortWidth(int64_t numVectors) const {
  int64_t all = numVectors * windows.length;
  int64_t overlap = std::max<int64_t>(columns.getExtent() - columns.stride, 0);
  int64_t width = all - llvm::divideCeil(overlap, columns.stride);
  return 2 * width > all ? width : all;
}

PlaneShape ShapeChooser::getStrips(int64_t numVectors) const {
  return getShape(RowCut::Strips, columns.knownOutput
                                      ? numVectors * windows.length
                                      : getShortWidth(numVectors));
}

int64_t ShapeChooser::getTotalCodeSize(ArrayRef<PlaneShape> shapes) const {
  int64_t size = 0;
  if (columns.knownOutput)
    return size;
  for (const PlaneShape &shape : shapes) {
    auto add = [&](int64_t numRows, bool isTested) {
      StripShape strip = shape.getStrip(windows, numRows);
      RowKernel rowKernel = getKernel(strip);
      size += rowKernel.getCodeSize();
      if (isTested)
        size += kTestedLoadSize * rowKernel.getNumLoadedRows() *
                rowKernel.getLoadedVectors().size();
    };
    if (shape.cut == RowCut::Strips)
      add(shape.groupRows, /*isTested=*/false);
    add(shape.groupRows, /*isTested=*/true);
    if (!windows.mayClamp)
      add(shape.cutsBorder(windows) ? 1 : shape.groupRows, /*isTested=*/true);
  }
  return size;
}

SmallVector<PlaneShape>
ShapeChooser::chooseStraight(int64_t mostVectors) const {
  if (!columns.knownOutput) {
    PlaneShape strips = getStrips(std::min(chooseNumVectors(), mostVectors));
    SmallVector<PlaneShape> shapes;
    for (int64_t n = 1; n <= mostVectors; ++n) {
      PlaneShape shape = getShape(RowCut::Short, getShortWidth(n));
      if (n > 1 && !isShort(shape.getStrip(windows, shape.groupRows)))
        break;
      shapes.push_back(shape);
    }
    // No row is too narrow for strips.
    if (shapes.back().numColumns < strips.numColumns - 1)
      shapes.push_back(getShape(RowCut::Short, strips.numColumns));
    shapes.push_back(strips);
    return shapes;
  }
  int64_t all = llvm::divideCeil(*columns.knownOutput, windows.length);
  if (columns.knownPad && columns.knownInput && all <= kMaxRowVectors)
    return {getKnownShape()};
  if (all <= kNumStripVectors)
    return {getShape(RowCut::Short, *columns.knownOutput)};
  int64_t numFull = *columns.knownOutput / windows.length;
  return {getStrips(std::min(getNumStripVectors(all), numFull))};
}

FailureOr<PlaneShape> ShapeChooser::chooseScratch() const {
  PlaneShape shape;
  shape.cut = RowCut::Scratch;
  shape.groupRows = chooseNumRows(kMaxScratchRows, /*carriesRows=*/false);
  StripShape straight{
      shape.groupRows, windows.length, windows.numOuterTaps, rows, {}};
  int64_t codeSize =
      isLong(rows) ? kMaxCodeSize + 1 : getKernel(straight).getCodeSize();
  if (codeSize > kMaxStraightColumnsSize && rows.dilation == 1 &&
      windows.numOuterTaps <= kMaxBlockTaps) {
    // All windows of a group share rows.
    int64_t mostRows = (rows.kernel - 1) / rows.stride + 1;
    shape.groupRows = chooseNumRows(std::min(mostRows, kMaxScratchRows),
                                    /*carriesRows=*/false);
    shape.loopsOverRows = true;
  } else if (codeSize > kMaxCodeSize) {
    return failure();
  }
  // More vectors share what they read past their own.
  shape.numColumns = 8 * windows.length;
  while (!isShort({1, shape.numColumns, 1, {}, columns}))
    if ((shape.numColumns /= 2) < windows.length)
      return failure();
  return shape;
}

std::optional<PlaneShape> ShapeChooser::chooseBlocks() const {
  if (rows.stride != 1 || rows.dilation != 1 || columns.stride != 1 ||
      rows.kernel < kMinBlockRows || windows.numOuterTaps > kMaxBlockTaps ||
      windows.reduction.hasPositions())
    return std::nullopt;
  RowStream stream(windows.b, windows.loc, windows.reduction, columns);
  if (stream.getStateSize() > getNumRegisters() * 3 / 4)
    return std::nullopt;
  // A row takes as much longer as windows are late.
  if (columns.knownOutput &&
      stream.getDelay() * windows.length * 4 > *columns.knownOutput * 3)
    return std::nullopt;
  PlaneShape shape;
  shape.cut = RowCut::Blocks;
  shape.loopsOverRows = true;
  shape.groupRows = rows.kernel;
  return shape;
}

FailureOr<SmallVector<PlaneShape>> ShapeChooser::choose() const {
  bool hasPositions = windows.reduction.hasPositions();
  if (isLong(columns) || (hasPositions && (isLong(rows) || !windows.mayClamp)))
    return failure();
  auto getScratch = [&]() -> FailureOr<SmallVector<PlaneShape>> {
    FailureOr<PlaneShape> scratch = chooseScratch();
    if (hasPositions || failed(scratch))
      return failure();
    return SmallVector<PlaneShape>{*scratch};
  };
  if (isLong(rows))
    return getScratch();
  std::optional<PlaneShape> blocks = chooseBlocks();
  if (blocks && columns.knownOutput)
    return SmallVector<PlaneShape>{*blocks};
  SmallVector<PlaneShape> shapes = chooseStraight(kNumStripVectors);
  for (int64_t most = kNumStripVectors / 2;
       most > 0 && getTotalCodeSize(shapes) > kMaxTotalCodeSize; most /= 2)
    shapes = chooseStraight(most);
  for (const PlaneShape &shape : shapes) {
    StripShape strip = shape.getStrip(windows, shape.groupRows);
    if (!isShort(strip)) {
      if (blocks)
        return SmallVector<PlaneShape>{*blocks};
      return getScratch();
    }
    if (hasPositions && !getKernel(strip).canFollowCodes())
      return failure();
  }
  if (blocks)
    shapes.back() = *blocks;
  return shapes;
}

FailureOr<SmallVector<PlaneShape>>
pool::choosePlaneShapes(PlaneWindows &windows) {
  return ShapeChooser(windows).choose();
}
