// Loops over stages. A stage reduces a block of windows of its dimension. It
// takes strips of the later dimensions, and stores a row for each window in a
// buffer. The next stage reduces these rows one after the other. The last stage
// stores outputs.
//
// Rows and columns, with channels last:
//
//   input   row 0  [column 0: c0..c7][column 1: c0..c7] ...
//           row 1  [column 0: c0..c7][column 1: c0..c7] ...     lanes are any
//           ...            |                                    eight elements
//   stage 0: rows          v  across rows, for all columns and channels
//   buffer  window 0 [column 0: c0..c7][column 1: c0..c7] ...
//           window 1 ...              |                         lanes are
//   stage 1: columns                  v  across columns         channels
//   output  window 0 [column 0: c0..c7] ...
//
// With dilation, the windows of a block begin a whole number of dilations
// apart, so that they share positions. These blocks have three windows two
// apart:
//
//   window  0  1  2  3  4  5  6  7  8  9 10 11
//   block   0  1  0  1  0  1  2  3  2  3  2  3
//
// With channels first there is nothing after the columns. The buffer's rows
// have padding at both ends, and the last stage reduces them along the lanes by
// the passes of RowPasses.h. If there are columns alone, the first stage copies
// their row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StagedPlan.h"

#include "Emit/Memory.h"
#include "Reduce/RowPasses.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class StageLoops {
public:
  StageLoops(WindowKernel &kernel, const StagedPlan &plan)
      : kernel(kernel), at(kernel.at),
        reduction(kernel.reduction.hasPositions() && kernel.hasNarrowPositions()
                      ? kernel.reduction.withNarrowPositions()
                      : kernel.reduction),
        problem(getStagedProblem(kernel.problem)), dims(kernel.dims),
        stages(getStages(problem, plan)),
        weights(at.value(kernel.op.getMixedPositions())) {
    if (dims.size() == problem.dims.size())
      return;
    dims.insert(dims.begin(), LoopDim::getSingle(at));
    if (reduction.hasPositions())
      weights.insert(weights.begin() + 1, at.index(0));
  }

  void create() {
    unsigned numLead = kernel.op.getWindow().getSpatialDim(0);
    input = collapseFrom(at, kernel.input, numLead);
    setSizes();
    SmallVector<Value> upper = kernel.getOutputShape();
    upper.truncate(numLead);
    upper.push_back(getNumBlocks(0));
    upper.front() = getNumUnlessEmpty(at, dims, upper.front());
    // Allocating buffers takes as long as a small block. So blocks of a plane
    // share them, because there are many planes. Small blocks of a dimension
    // that is alone do so with channels last, too.
    int64_t numTogether = 1;
    if (stages.back().isAlong) {
      numTogether = cost::kRowsTogether;
    } else if (isLast(0)) {
      int64_t numStrips = std::max<int64_t>(
          problem.channels.value_or(1) / stages[0].getWidth(), 1);
      numTogether = std::clamp<int64_t>(cost::kMaxUnknownBlock /
                                            stages[0].block / numStrips,
                                        1, cost::kRowsTogether);
    }
    at.forEachTogether(
        upper, numTogether, [&] { allocate(); },
        [&](ValueRange position) {
          lead = llvm::to_vector(position.drop_back());
          emitBlock(0, position.back());
        });
  }

private:
  RowPasses getRowPasses() const {
    return RowPasses(getReduction(stages.size() - 1), dims.back());
  }
  /// False if the only dimension is along the lanes. Then a stage before it has
  /// a single row.
  bool hasRows() const { return kernel.problem.dims.size() == dims.size(); }
  bool isLast(unsigned d) const { return d + 1 == stages.size(); }
  LaneReduction getReduction(unsigned d) const {
    return reduction.withLength(stages[d].numLanes);
  }
  /// Windows of a whole block.
  Value getBlock(unsigned d) {
    return d == 0 ? firstBlock : at.index(stages[d].block);
  }
  /// Number of blocks that the windows of a stage are cut into.
  Value getNumBlocks(unsigned d) {
    const LoopDim &dim = dims[d];
    int64_t distance = dim.getSharingDistance();
    Value span = at.mul(getBlock(d), distance);
    Value numWhole = at.divUnsigned(dim.output, span);
    Value rest = at.sub(dim.output, at.mul(numWhole, span));
    return at.add(at.mul(numWhole, distance), at.min(rest, distance));
  }

  /// Window `i` of the block whose first window is `first`.
  Value getWindow(unsigned d, Value first, Value i) {
    return at.add(first, at.mul(i, dims[d].getSharingDistance()));
  }

  /// Reduces a block of windows, and what follows.
  void emitBlock(unsigned d, Value number) {
    const Stage &stage = stages[d];
    const LoopDim &dim = dims[d];
    int64_t distance = dim.getSharingDistance();
    Value numWindows = getBlock(d);
    Value first = at.add(
        at.mul(at.divUnsigned(number, distance), at.mul(numWindows, distance)),
        at.rem(number, distance));
    if (!dim.knownOutput || !isConstantIntValue(numWindows, stage.block) ||
        *dim.knownOutput % (stage.block * distance) != 0)
      numWindows =
          at.min(at.ceilDiv(at.sub(dim.output, first), distance), numWindows);
    forEachStrip(at, inner[d], stage.numLanes, stage.numVectors,
                 [&](const VectorStrip &strip) {
                   emitStrip(d, first, numWindows, strip);
                 });
    if (isLast(d))
      return;
    if (stages[d + 1].isAlong)
      return emitRowsAlong(first, numWindows);
    at.forEach(at.index(0), numWindows, 1, [&](Value row) {
      rows.push_back(row);
      windows.push_back(getWindow(d, first, row));
      at.forEach(at.index(0), getNumBlocks(d + 1), 1,
                 [&](Value next) { emitBlock(d + 1, next); });
      rows.pop_back();
      windows.pop_back();
    });
  }

  void emitStrip(unsigned d, Value first, Value numWindows,
                 const VectorStrip &strip) {
    const Stage &stage = stages[d];
    const LoopDim &dim = dims[d];
    LaneReduction reduction = getReduction(d);
    Value start = dim.getStart(at, first);
    auto getElement = [&](int64_t vector) {
      return at.add(strip.element, vector * stage.numLanes);
    };
    BlockReduction(at, reduction, dim, strip.numVectors, stage.block)
        .emit(
            numWindows, suffixes[d],
            [&](Value position) {
              SmallVector<Accumulator> lanes;
              for (int64_t i = 0; i < strip.numVectors; ++i)
                lanes.push_back(
                    load(d, at.add(start, at.mul(position, dim.dilation)),
                         getElement(i), strip.existing));
              return lanes;
            },
            [&](Value window, ArrayRef<Accumulator> lanes) {
              for (auto [i, acc] : llvm::enumerate(lanes))
                if (isLast(d))
                  storeOutput({getWindow(d, first, window), getElement(i)},
                              strip.existing, acc);
                else
                  storeResult(d, window, getElement(i), strip.existing, acc);
            });
  }

  /// Returns a vector of the stage's source at a position, or padding.
  Accumulator load(unsigned d, Value position, Value element,
                   const LaneRange &existing) {
    const LoopDim &dim = dims[d];
    if (!dim.coversPadding)
      return loadInside(d, position, element, existing);
    // A load outside of the input could leave the buffer. So load the nearest
    // element inside. Unless that may stand for padding, the fill replaces it
    // below. With dilation, it may be no tap of the window.
    Accumulator lanes =
        loadInside(d, dim.clampToInput(at, position), element, existing);
    if (problem.mayClamp && dim.dilation == 1)
      return lanes;
    LaneReduction reduction = getReduction(d);
    Accumulator padding = {reduction.getFill(at), reduction.getEmpty(at).index};
    return selectLanes(at, dim.contains(at, position, 1), lanes, padding);
  }

  /// Loads like load(), from a position inside.
  Accumulator loadInside(unsigned d, Value position, Value element,
                         const LaneRange &existing) {
    LaneReduction reduction = getReduction(d);
    Value first = at.add(at.mul(position, inner[d]), element);
    Value offset;
    if (reduction.hasPositions()) {
      offset = at.mul(position, weights[1 + d]);
      if (d == 0)
        offset = at.add(offset, weights[0]);
      offset = at.splat(reduction.getPositionType(), offset);
    }
    if (d == 0) {
      SmallVector<Value> place(lead);
      place.push_back(first);
      Value stored = reduction.load(at, input, place, existing);
      return reduction.getLanes(at, reduction.prepare(at, stored), offset);
    }
    Accumulator lanes =
        results[d - 1].load(at, reduction, {rows.back(), first});
    if (offset)
      lanes.index = addToPositions(reduction, lanes.index, offset);
    return lanes;
  }

  /// Stores results of a window for the next stage.
  void storeResult(unsigned d, Value window, Value element,
                   const LaneRange &existing, Accumulator lanes) {
    if (!stages[d + 1].isAlong)
      return results[d].store(at, lanes, {window, element});
    LaneReduction reduction = getReduction(d);
    if (reduction.hasPositions()) {
      // Lanes are neighbouring positions of the last dimension.
      VectorType type = reduction.getPositionType();
      Value steps = at.castIndex(
          type, vector::StepOp::create(at, type.clone(at.getIndexType())));
      Value offset = at.add(at.splat(type, at.mul(element, weights.back())),
                            at.mul(steps, at.splat(type, weights.back())));
      lanes.index = addToPositions(reduction, lanes.index, offset);
    }
    // Lanes without elements are padding of the next stage.
    Value place = at.add(element, dims[d + 1].padBegin);
    results[d].store(at, lanes, {window, place}, existing);
  }

  /// Stores outputs, the first of which has the last `coordinates`.
  void storeOutput(ArrayRef<Value> coordinates, const LaneRange &existing,
                   Accumulator lanes) {
    SmallVector<Value> place(lead);
    llvm::append_range(place, ArrayRef(windows).drop_front(!hasRows()));
    llvm::append_range(place, coordinates);
    kernel.store(getReduction(stages.size() - 1), lanes, place, existing);
  }

  /// Sets the sizes of rows and blocks.
  void setSizes() {
    Value elements = at.index(1);
    if (problem.layout == Layout::ChannelsLast)
      elements = kernel.getOutputShape().back();
    for (const LoopDim &dim : llvm::reverse(dims)) {
      inner.insert(inner.begin(), elements);
      elements = at.mul(elements, dim.input);
    }
    for (unsigned d = 0; !isLast(d); ++d)
      rowWidths.push_back(getRowWidth(d));
    firstBlock = at.index(stages[0].block);
    if (stages[0].inner || isLast(0) || stages[0].block == 1)
      return;
    // If the length of rows is unknown: as many as keep the results of the
    // first stage in a cache.
    int64_t elementBytes = getAccumulatorBytes(problem);
    Value numRows = at.divUnsigned(
        at.index(cost::kMaxStageBytes / elementBytes), at.max(rowWidths[0], 1));
    firstBlock = at.max(at.min(numRows, firstBlock), 1);
  }

  /// Elements of a row of the buffer of results of stage `d`.
  Value getRowWidth(unsigned d) {
    Value elements = at.max(inner[d], stages[d].numLanes);
    Value width;
    int64_t unit = std::max<int64_t>(reduction.getLength() / 2, 1);
    if (stages[d + 1].isAlong) {
      const LoopDim &columns = dims[d + 1];
      // The windows of the last vector reach this far. It may have more lanes
      // than there are outputs.
      Value last = at.sub(at.max(columns.output, reduction.getLength()), 1);
      width = at.max(at.add(at.mul(last, columns.stride),
                            llvm::alignTo(columns.getExtent(), columns.stride)),
                     at.add(columns.padBegin, elements));
      unit *= columns.stride;
    } else {
      // A cache line more, so that rows do not share the sets of a cache.
      width = at.add(elements,
                     std::max(problem.getLineLength(), reduction.getLength()));
    }
    return at.mul(at.ceilDiv(width, unit), unit);
  }

  /// Allocates the buffers of a block.
  void allocate() {
    auto create = [&](unsigned d, Value numRows, Value numColumns) {
      return AccumulatorBuffer::allocate(at, getReduction(d),
                                         {numRows, numColumns});
    };
    for (auto [d, stage] : llvm::enumerate(stages)) {
      if (!stage.isAlong)
        suffixes.push_back(
            create(d, at.index(stage.block), at.index(stage.getWidth())));
      if (isLast(d))
        break;
      bool isBeforeAlong = stages[d + 1].isAlong;
      // Passes along the lanes load up to a row more.
      Value numRows = at.add(getBlock(d), isBeforeAlong);
      results.push_back(create(d, numRows, rowWidths[d]));
      if (!isBeforeAlong)
        continue;
      passes.push_back(results[d].flatten(at));
      Value runWidth = at.divUnsigned(rowWidths[d], dims[d + 1].stride);
      while (passes.size() < getRowPasses().getNumBuffers())
        passes.push_back(
            create(d, joinsRows() ? numRows : at.index(2), runWidth)
                .flatten(at));
      if (!dims[d + 1].coversPadding)
        continue;
      // The padding at both ends of rows.
      LaneReduction reduction = getReduction(d);
      Accumulator fill = {reduction.getFill(at), reduction.getEmpty(at).index};
      at.forEach(at.index(0), at.mul(getBlock(d), rowWidths[d]),
                 reduction.getLength(),
                 [&](Value element) { passes[0].store(at, fill, element); });
    }
  }

  /// Reduces the rows of the last buffer along the lanes. They are those of
  /// `numRows` windows from `first` on.
  void emitRowsAlong(Value first, Value numRows) {
    unsigned d = stages.size() - 1;
    Value width = rowWidths[d - 1];
    RowPasses rowPasses = getRowPasses();
    Value rowWindows = at.divUnsigned(width, dims[d].stride);
    auto emitRows = [&](Value firstRow, Value numRows) {
      Value begin = at.mul(firstRow, width);
      rowPasses.emit(at, passes, begin, at.mul(numRows, width));
      at.forEach(at.index(0), numRows, 1, [&](Value row) {
        windows.push_back(getWindow(d - 1, first, at.add(firstRow, row)));
        forEachStrip(at, dims[d].output, stages[d].numLanes, /*numVectors=*/1,
                     [&](const VectorStrip &strip) {
                       Accumulator lanes = rowPasses.getWindows(
                           at, passes, begin,
                           at.add(at.mul(row, rowWindows), strip.element));
                       storeOutput(strip.element, strip.existing, lanes);
                     });
        windows.pop_back();
      });
    };
    if (joinsRows())
      return emitRows(at.index(0), numRows);
    at.forEach(at.index(0), numRows, 1,
               [&](Value row) { emitRows(row, at.index(1)); });
  }

  /// True if the rows of a block, for a stage along the lanes, are reduced as
  /// one. They stay in the first cache.
  bool joinsRows() {
    std::optional<int64_t> width = getConstantIntValue(rowWidths.back());
    return width && stages[stages.size() - 2].block * *width *
                            getAccumulatorBytes(problem) <=
                        problem.target.firstCacheBytes / 2;
  }

  /// Adds `offset` to the positions of chosen elements.
  Value addToPositions(const LaneReduction &reduction, Value positions,
                       Value offset) {
    // A lane that chose nothing keeps the empty position.
    Value none = reduction.getEmpty(at).index;
    Value isNone = at.isEqual(positions, none);
    return at.select(isNone, none, at.add(positions, offset));
  }

  WindowKernel &kernel;
  KernelBuilder &at;
  LaneReduction reduction;
  Problem problem;
  SmallVector<LoopDim> dims;
  SmallVector<Stage> stages;
  /// A constant, and the weight of a position in each dimension.
  SmallVector<Value> weights;
  /// The input with its spatial dimensions, and channels that are last, as one.
  Value input;
  /// For each stage, elements of a position, and of a row of its results.
  SmallVector<Value> inner, rowWidths;
  /// Windows of a block of the first stage.
  Value firstBlock;
  /// Results of each stage but the last, and suffixes of each.
  SmallVector<AccumulatorBuffer> results, suffixes;
  /// Buffers for a stage along the lanes.
  SmallVector<AccumulatorBuffer> passes;
  /// Output coordinates before the spatial dimensions; the windows of outer
  /// dimensions, and their rows in the buffers.
  SmallVector<Value> lead, windows, rows;
};
} // namespace

void StagedPlan::emit(WindowKernel &kernel) const {
  StageLoops(kernel, *this).create();
}
