// Emits a separable reduction by stages (StagedPlan.h). A stage reduces a block
// of windows of its dimension together, by the algorithm of van Herk, Gil and
// Werman. It does so for one strip after the other of the elements of the later
// dimensions, and stores a row for each window in a buffer. The next stage
// reduces these rows one by one. The last stage stores outputs.
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
// The windows of a block must have positions in common. With dilation 2 and
// stride 1, a window has positions in common with every other window only. Each
// window is then in this block, of three windows:
//
//   window  0  1  2  3  4  5  6  7  8  9 10 11
//   block   0  1  0  1  0  1  2  3  2  3  2  3
//
// With channels first, columns are last in memory. So the last stage reduces
// the buffer's rows along the lanes, perhaps in parts: by passes (RowPasses.h)
// or in registers (SlidingWindow.h). These rows have padding at both ends. If
// columns are the only dimension, a dimension of a single row is added before
// them, and its stage copies the input to the buffer. Parts inside the input
// are not copied if passes read each element once.
//
// Columns with few channels are also joined to a row along the lanes. The
// distance between its taps, in elements, is the number of channels. Three
// channels:
//
//   buffer        [column 0: c0 c1 c2][column 1: c0 c1 c2] ...
//   windows of 2   c0: elements 0, 3; c1: 1, 4; c2: 2, 5; column 1, c0: 3, 6
//   ...
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StageBuffers.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class StageLoops : private StageBuffers {
public:
  StageLoops(WindowKernel &kernel, const StagedPlan &plan)
      : StageBuffers(kernel, plan), kernel(kernel),
        weights(b.value(kernel.op.getMixedPositions())) {
    if (!hasRows() && reduction.hasPositions())
      weights.insert(weights.begin() + 1, b.index(0));
  }

  void create() {
    unsigned numLead = kernel.op.getWindow().getSpatialDim(0);
    // If rows are the only dimension before columns along the lanes, each strip
    // lies in one row. Then rows and columns can stay two dimensions, and the
    // input need not be packed.
    keepsRows = hasRows() && dims.size() == 2 && numJoined == 1 &&
                stages.back().isAlong;
    bool staysInCache = problem.numBytes &&
                        *problem.numBytes <= problem.target.secondCacheBytes;
    fetchesRows = keepsRows && !staysInCache && dims[0].stride == 1 &&
                  dims[1].stride == 1;
    input = keepsRows || isRowAlone ? kernel.input
                                    : collapseFrom(b, kernel.input, numLead);
    if (numJoined > 1)
      output = collapseFrom(b, kernel.buffers[0], kernel.getRank() - 2);
    setSizes(kernel.getOutputShape().back());
    SmallVector<Value> upper = kernel.getUpper(numLead);
    upper.push_back(getNumBlocks(0));
    // Allocating buffers takes as long as computing a small block. So let
    // several blocks share buffers, one after the other, if enough parallel
    // work is left. With columns along the lanes, planes are enough. With
    // channels last, do it only for small blocks of a single dimension.
    int64_t numTogether = 1;
    if (stages.back().isAlong && numJoined == 1) {
      numTogether = cost::kRowsTogether;
    } else if (isLast(0)) {
      int64_t numStrips = std::max<int64_t>(
          problem.channels.value_or(1) / stages[0].getWidth(), 1);
      numTogether = std::clamp<int64_t>(cost::kMaxUnknownBlock /
                                            stages[0].block / numStrips,
                                        1, cost::kRowsTogether);
    }
    b.forEachTogether(
        upper, numTogether,
        [&] {
          allocate();
          if (!stages.back().isAlong || hasParts())
            return;
          setPart(b.index(0));
          fillEnds(getBlock(stages.size() - 2));
        },
        [&](ValueRange position) {
          lead = llvm::to_vector(position.drop_back());
          emitBlock(0, position.back());
        });
  }

private:
  /// False if the operation has only columns, along the lanes. A dimension of a
  /// single row was then added before them.
  bool hasRows() const { return kernel.problem.dims.size() == dims.size(); }
  /// Returns the number of blocks into which the windows of stage `d` are
  /// divided.
  Value getNumBlocks(unsigned d) {
    const LoopDim &dim = dims[d];
    int64_t distance = dim.getSharingDistance();
    Value span = b.mul(getBlock(d), distance);
    Value numWhole = b.divUnsigned(dim.output, span);
    Value rest = b.sub(dim.output, b.mul(numWhole, span));
    return b.add(b.mul(numWhole, distance), b.min(rest, distance));
  }

  /// Returns the number of window `i` of a block of stage `d`. `first` is the
  /// number of the block's first window.
  Value getWindow(unsigned d, Value first, Value i) {
    return b.add(first, b.mul(i, dims[d].getSharingDistance()));
  }

  /// Emits block `number` of stage `d`. Then emits the later stages for each of
  /// the block's windows.
  void emitBlock(unsigned d, Value number) {
    const Stage &stage = stages[d];
    const LoopDim &dim = dims[d];
    int64_t distance = dim.getSharingDistance();
    Value numWindows = getBlock(d);
    Value first = b.add(
        b.mul(b.divUnsigned(number, distance), b.mul(numWindows, distance)),
        b.rem(number, distance));
    if (!dim.knownOutput || !isConstantIntValue(numWindows, stage.block) ||
        *dim.knownOutput % (stage.block * distance) != 0)
      numWindows =
          b.min(b.ceilDiv(b.sub(dim.output, first), distance), numWindows);
    if (!isLast(d) && stages[d + 1].isAlong)
      return emitParts(first, numWindows);
    forEachStrip(b, inner[d], stage.numLanes, stage.numVectors,
                 [&](const VectorStrip &strip) {
                   emitStrip(d, first, numWindows, strip);
                 });
    if (isLast(d))
      return;
    b.forEach(0, numWindows, 1, [&](Value row) {
      rows.push_back(row);
      windows.push_back(getWindow(d, first, row));
      b.forEach(0, getNumBlocks(d + 1), 1,
                [&](Value next) { emitBlock(d + 1, next); });
      rows.pop_back();
      windows.pop_back();
    });
  }

  /// Emits the reduction of `numWindows` windows of stage `d`, a block that
  /// begins with window `first`, for the elements of `strip`.
  void emitStrip(unsigned d, Value first, Value numWindows,
                 const VectorStrip &strip) {
    const Stage &stage = stages[d];
    const LoopDim &dim = dims[d];
    LaneReduction reduction = getReduction(d);
    Value start = dim.getStart(b, first);
    auto getElement = [&](int64_t vector) {
      return b.add(strip.element, vector * stage.numLanes);
    };
    BlockReduction{b, reduction, dim, strip.numVectors, stage.block}.emit(
        numWindows, suffixes[d],
        [&](Value position) {
          SmallVector<Accumulator> lanes;
          for (int64_t i = 0; i < strip.numVectors; ++i)
            lanes.push_back(load(d, b.add(start, b.mul(position, dim.dilation)),
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

  /// Emits a load of a vector of accumulators for stage `d`. The vector begins
  /// at element `element` of position `position` in the stage's dimension. Its
  /// source is the input, or the results of the stage before. If the position
  /// is outside the input, the vector is padding, or another position if that
  /// may replace padding (Problem::mayClamp).
  Accumulator load(unsigned d, Value position, Value element,
                   const LaneRange &existing) {
    const LoopDim &dim = dims[d];
    // With dilation, clamping takes a division, which is slower than a
    // selection.
    LoopDim::Tap tap = dim.getTap(b, position, /*isKnownInside=*/false,
                                  problem.mayClamp && dim.dilation == 1);
    Accumulator lanes = loadInside(d, tap.position, element, existing);
    if (!tap.isInside)
      return lanes;
    LaneReduction reduction = getReduction(d);
    Accumulator padding = {reduction.getFill(b), reduction.getEmpty(b).index};
    return selectLanes(b, tap.isInside, lanes, padding);
  }

  /// Like load(). Requires that `position` is inside the input.
  Accumulator loadInside(unsigned d, Value position, Value element,
                         const LaneRange &existing) {
    LaneReduction reduction = getReduction(d);
    Value offset;
    if (reduction.hasPositions()) {
      offset = b.mul(position, weights[1 + d]);
      if (d == 0)
        offset = b.add(offset, weights[0]);
      offset = b.splat(reduction.getPositionType(), offset);
    }
    if (d == 0) {
      SmallVector<Value> place(lead);
      if (keepsRows)
        llvm::append_values(place, position, element);
      else
        place.push_back(b.add(b.mul(position, inner[d]), element));
      Value stored = reduction.load(b, input, place, existing);
      return reduction.getLanes(b, reduction.prepare(b, stored), offset);
    }
    Value first = b.add(b.mul(position, inner[d]), element);
    Accumulator lanes = results[d - 1].load(b, reduction, {rows.back(), first});
    if (offset)
      lanes.index = addToPositions(reduction, lanes.index, offset);
    return lanes;
  }

  /// Emits a store of a vector of results of stage `d`, from element `element`
  /// on, to row `window` of its buffer. `window` counts the windows of the
  /// block.
  void storeResult(unsigned d, Value window, Value element,
                   const LaneRange &existing, Accumulator lanes) {
    if (!stages[d + 1].isAlong)
      return results[d].store(b, lanes, {window, element});
    LaneReduction reduction = getReduction(d);
    if (reduction.hasPositions()) {
      // The lanes are neighboring columns, so each has its own position.
      VectorType type = reduction.getPositionType();
      Value steps = b.castIndex(
          type, vector::StepOp::create(b, type.clone(b.getIndexType())));
      Value offset = b.mul(b.add(steps, element), weights.back());
      lanes.index = addToPositions(reduction, lanes.index, offset);
    }
    // Store existing lanes only. The lanes after them belong to the padding
    // that fillEnds() stores.
    results[d].store(b, lanes, {window, b.sub(element, partStart)}, existing);
  }

  /// Emits a store of a vector of outputs. The output coordinates of its first
  /// lane are `lead`, then `windows`, then `coordinates`.
  void storeOutput(ArrayRef<Value> coordinates, const LaneRange &existing,
                   Accumulator lanes) {
    LaneReduction reduction = getReduction(stages.size() - 1);
    SmallVector<Value> place(lead);
    llvm::append_range(place, ArrayRef(windows).drop_front(!hasRows()));
    llvm::append_range(place, coordinates);
    if (fetchesRows)
      fetchNextBlock(input, place);
    Value isInside;
    // Windows of an average that reach into the padding may count fewer
    // elements, and a different number in each lane. Windows inside the input
    // all have the same count. So emit a branch, in which vectors of such
    // windows have a single count.
    if (stages.back().isAlong && !reduction.isIdempotent())
      for (auto [dim, output] :
           llvm::zip_equal(ArrayRef(dims).drop_front(!hasRows()),
                           ArrayRef(place).drop_front(lead.size()))) {
        int64_t span =
            dim.getSpan(&dim == &dims.back() ? reduction.getLength() : 1);
        Value start = dim.getStart(b, output);
        isInside = b.both(isInside, dim.isInterior(b, start, span));
      }
    b.ifElse(isInside, [&](bool isInterior) {
      ElementFacts facts =
          isInterior && isInside ? kernel.getFacts() : ElementFacts();
      if (numJoined == 1)
        return kernel.store(reduction, lanes, place, existing, facts);
      Value first[] = {b.divUnsigned(place.back(), numJoined), b.index(0)};
      ElementPlace columns(append(ArrayRef(place).drop_back(), first),
                           reduction.getLength(), existing);
      columns.lanesPerStep = numJoined;
      Value value =
          kernel.chains[0].emit(b, reduction.finish(b, lanes), columns, facts);
      storeLanes(b, value, output, place, existing);
    });
  }

  /// Emits the last two stages for a block of `numWindows` windows that begins
  /// with window `first`. Emits them for each part of the rows. The first of
  /// the two stages works across the lanes and writes `results.back()`. The
  /// second one reduces these rows along the lanes.
  void emitParts(Value first, Value numWindows) {
    unsigned d = stages.size() - 2;
    auto emitPart = [&](Value output) {
      setPart(output);
      Value isInside = isRowInInput();
      b.ifElse(isInside, [&](bool then) {
        if (then && isInside) {
          llvm::SaveAndRestore row(passes[0], {input, {}, lead});
          return emitRowsAlong(first, numWindows, partStart);
        }
        if (hasParts())
          fillEnds(numWindows);
        forEachStrip(b, b.sub(inputEnd, inputBegin), stages[d].numLanes,
                     stages[d].numVectors, [&](VectorStrip strip) {
                       strip.element = b.add(strip.element, inputBegin);
                       emitStrip(d, first, numWindows, strip);
                     });
        emitRowsAlong(first, numWindows, b.index(0));
      });
    };
    if (!hasParts())
      return emitPart(b.index(0));
    b.forEach(0, dims.back().output, *getConstantIntValue(mostOutputs),
              emitPart);
  }

  /// Emits the last stage, along the lanes, for `numRows` rows. They are the
  /// results for the windows of the stage before, from window `first` on. They
  /// lie in `passes[0]`, from element `offset` on.
  void emitRowsAlong(Value first, Value numRows, Value offset) {
    unsigned d = stages.size() - 1;
    Value width = rowWidths.back();
    auto emitRows = [&](Value firstRow, Value numRows) {
      Value begin = b.add(offset, b.mul(firstRow, width));
      if (!slides)
        getRowPasses().emit(b, passes, begin, b.mul(numRows, width));
      b.forEach(0, numRows, 1, [&](Value row) {
        windows.push_back(getWindow(d - 1, first, b.add(firstRow, row)));
        slides ? slide(begin) : emitPasses(begin, row);
        windows.pop_back();
      });
    };
    if (!slides && joinsRows())
      return emitRows(b.index(0), numRows);
    b.forEach(0, numRows, 1, [&](Value row) { emitRows(row, b.index(1)); });
  }

  /// Emits the last pass over row `row`, and stores of its outputs. `begin` is
  /// the element of `passes[0]` at which row 0 begins.
  void emitPasses(Value begin, Value row) {
    const LoopDim &columns = dims.back();
    Value first = b.mul(row, b.divUnsigned(rowWidths.back(), columns.stride));
    first = b.add(first, b.sub(getMargin(), columns.padBegin));
    // Strips have whole columns of joined channels, so that the first lane has
    // the first channel.
    int64_t numLanes = stages.back().numLanes;
    int64_t width = numLanes / numJoined * numJoined;
    forEachStrip(
        b, numOutputs, width, /*numVectors=*/1, [&](const VectorStrip &strip) {
          Accumulator lanes = getRowPasses().getWindows(
              b, passes, begin, b.add(first, strip.element));
          LaneRange existing = strip.existing;
          if (existing.areAll(width))
            existing = {0, width};
          storeOutput(b.add(firstOutput, strip.element), existing, lanes);
        });
  }

  /// Emits the reduction, in registers, of the row that begins at element
  /// `begin` of `passes[0]`. Works vector by vector, and stores the outputs.
  void slide(Value begin) {
    const LoopDim &columns = dims.back();
    LaneReduction reduction = getReduction(stages.size() - 1);
    SlidingWindow window = getSlidingWindow();
    int64_t length = reduction.getLength(), delay = window.getDelay() * length;
    begin = b.add(begin, b.sub(getMargin(), columns.padBegin));
    SmallVector<Value> state = window.begin(b);
    // Vectors before the row may have any elements, because no stored window
    // uses them. Load them from the row's beginning, to stay inside the buffer.
    auto push = [&](Value column, int64_t ahead = 0) {
      auto load = [&](int64_t offset) {
        Value place = b.add(column, ahead + offset);
        if (ahead + offset < 0)
          place = b.max(place, 0);
        return passes[0].load(b, reduction, b.add(begin, place)).value;
      };
      return window.push(b, load, state);
    };
    b.forEach(0, delay, length, state, push);
    forEachVector(b, numOutputs, length, state,
                  [&](Value output, const LaneRange &existing) {
                    Value lanes = push(output, delay);
                    storeOutput(b.add(firstOutput, output), existing,
                                {lanes, {}});
                  });
  }

  WindowKernel &kernel;
  /// The position that an argmax gives for an element is weights[0], plus the
  /// sum of weights[1 + d] times the element's coordinate in dimension d, for
  /// all d.
  SmallVector<Value> weights;
  /// `input` has its spatial dimensions (and channels that are last) as one
  /// dimension, unless keepsRows or isRowAlone. `output` has columns and
  /// channels as one dimension. It is null unless they are joined.
  Value input, output;
  /// True if rows and columns of `input` stay two dimensions.
  bool keepsRows = false;
  /// `lead` has the output coordinates before the spatial dimensions. For each
  /// stage before the current one, `windows` has the number of the current
  /// window, and `rows` the window's row in the buffer of results.
  SmallVector<Value> lead, windows, rows;
};
} // namespace

void StagedPlan::emit(WindowKernel &kernel) const {
  StageLoops(kernel, *this).create();
}
