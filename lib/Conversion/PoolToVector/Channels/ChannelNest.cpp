// Emits the strategy `channels`: loops over groups of output rows, groups of
// output columns, and vectors of channels. Lanes are channels. Windows that
// overlap share loads and combinations (SharedTaps.h). Here a group of 2 x 2
// windows of 3 x 3 at stride 1 reads 16 vectors, not 36. Each letter is a
// position, with a vector of 8 channels:
//
//   input row 0   a b c d    along each row: bc = max(b, c),
//   input row 1   e f g h      left = max(a, bc), right = max(bc, d)
//   input row 2   i j k l    then, for left and right: mid = max(row 1, row 2),
//   input row 3   m n o p      output 0 = max(row 0, mid), 1 = max(mid, row 3)
//
// If straight-line code for all taps would be too long, the taps of some
// dimensions, or of all, are loops ("rolled" dimensions).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelTile.h"

#include <map>

using namespace mlir;
using namespace mlir::pool;

namespace {
class ChannelGroup : GroupEmitter {
public:
  ChannelGroup(WindowKernel &kernel, const ChannelTile &tile)
      : GroupEmitter(kernel), tile(tile), dims(kernel.dims),
        channels(kernel.getOutputShape().back()) {
    if (problem.hasRows()) {
      setGroupRows(dims.end()[-2], tile.numRows);
      rows = dims.end()[-2];
    }
  }

  void create() {
    emitStreaming(tile.streams, length, [&] { emitGroups(); });
  }

private:
  using Accumulators = SmallVector<Accumulator>;

  unsigned getColumnDim() const { return dims.size() - 1; }
  /// True if the taps of dimension `d` are a loop.
  bool isRolled(unsigned d) const {
    return d == getColumnDim() ? tile.rollsColumns() : !tile.isStraight();
  }

  /// A position in one dimension, or in several neighboring dimensions.
  struct Tap {
    SmallVector<Value> indices;
    /// True if all positions are inside the input. Null if they always are.
    Value isInside;
    /// The bits of these dimensions in an argmax, an i32. Null without an
    /// argmax.
    Value argmax;
  };
  /// Returns the position `here` of dimension `d`, with its bits of an argmax.
  Tap getTap(unsigned d, LoopDim::Tap here) {
    Tap tap{{here.position}, here.isInside, {}};
    if (!reduction.hasPositions())
      return tap;
    SmallVector<int64_t> numBits = tile.getArgmaxBits(problem);
    tap.argmax = b.createOrFold<arith::ShLIOp>(
        b.castIndex(b.getI32Type(), b.sub(here.position, starts[d])),
        arith::ConstantIntOp::create(
            b, llvm::sum_of(ArrayRef(numBits).drop_front(d + 1), int64_t(0)),
            32));
    return tap;
  }
  /// True if the group's positions in dimension `d` are known to be inside the
  /// input.
  bool isInteriorDim(unsigned d) const {
    return !dims[d].coversPadding ||
           (isInterior && (!problem.mayClamp || d == getColumnDim()));
  }

  /// Returns the position that has `taps` in the first spatial dimensions, with
  /// the current batch. If these are all dimensions before the columns, the
  /// position is a line of the input.
  Tap getLine(ArrayRef<Tap> taps) {
    Tap line{{coordinates[0]}, {}, {}};
    for (const Tap &tap : taps) {
      llvm::append_range(line.indices, tap.indices);
      line.isInside = b.both(line.isInside, tap.isInside);
      line.argmax = b.bitOr(line.argmax, tap.argmax);
    }
    return line;
  }

  /// Computes the positions that straight-line code reads, in `taps`.
  void setTaps() {
    taps.assign(dims.size(), {});
    for (auto [d, dim] : llvm::enumerate(dims))
      if (!isRolled(d))
        for (int64_t offset : dim.getPositions(tile.getNumOutputs(problem)[d]))
          taps[d][offset] =
              getTap(d, dim.getTap(b, b.add(starts[d], offset),
                                   isInteriorDim(d), problem.mayClamp));
  }

  /// Loads and prepares the vector of channels from `firstChannel` on, at a
  /// column of a line, and its argmax. Lanes are padding if the column is
  /// outside the input. If the line is outside, lanes are arbitrary, and
  /// reduceLine() replaces its results.
  Accumulator load(const Tap &line, const Tap &column, Value firstChannel) {
    SmallVector<Value> indices = append(line.indices, column.indices);
    indices.push_back(firstChannel);
    Value element = reduction.prepare(
        b, reduction.load(b, kernel.input, indices, existing));
    Accumulator lanes{fillUnless(column.isInside, element), {}};
    if (reduction.hasPositions())
      lanes.index = b.broadcast(reduction.getIndexType(),
                                b.bitOr(line.argmax, column.argmax));
    return lanes;
  }

  /// Combines `lhs[i]` and `rhs[i]`, in this order. If one of the lists is
  /// empty, returns the other list.
  Accumulators combine(ArrayRef<Accumulator> lhs, ArrayRef<Accumulator> rhs) {
    Accumulators results(rhs.empty() ? lhs : rhs);
    if (rhs.empty())
      return results;
    for (auto [result, acc] : llvm::zip(results, lhs))
      result = reduction.combine(b, acc, result);
    return results;
  }

  /// Reduces `numWindows` neighboring windows of `dim`, which share taps. `get`
  /// returns the vectors at a position. It is called once for each position,
  /// when that is first needed, so that its vectors need no registers for long.
  /// With `areBegun` they are accumulators, else prepared elements, which
  /// reduction.begin() converts here. `use` receives the result of each window.
  void shareTaps(const KernelDim &dim, int64_t numWindows, bool areBegun,
                 function_ref<Accumulators(int64_t position)> get,
                 function_ref<void(int64_t window, const Accumulators &)> use) {
    std::map<int64_t, Accumulators> known;
    auto getTap = [&](int64_t position, bool begins) {
      auto [it, isNew] = known.try_emplace(position);
      if (isNew)
        it->second = get(position);
      Accumulators lanes = it->second;
      if (begins && !areBegun)
        for (Accumulator &acc : lanes)
          acc.value = reduction.begin(b, acc.value);
      return lanes;
    };
    ChannelTile::share(problem, dim, numWindows)
        .reduce<Accumulators>(
            getTap, [&](auto &lhs, auto &rhs) { return combine(lhs, rhs); },
            use);
  }
  /// Returns the windows of the group's columns, reduced along `line`.
  Accumulators reduceLine(const Tap &line) {
    auto get = [&](int64_t position) -> Accumulators {
      return {load(line, taps.back().at(position), channel)};
    };
    Accumulators results;
    shareTaps(dims.back(), tile.numColumns, /*areBegun=*/false, get,
              [&](int64_t, ArrayRef<Accumulator> lanes) {
                // A line outside the input is padding as a whole. So one
                // selection for each window suffices, not one for each element.
                results.push_back({fillUnless(line.isInside, lanes[0].value),
                                   lanes[0].index});
              });
    return results;
  }

  /// Emits the outputs of a vector of channels, if all taps are straight-line
  /// code.
  void emitStraight() {
    SmallVector<Accumulators> results(tile.numRows);
    int64_t numOuterTaps = problem.getNumOuterTaps();
    for (int64_t outer = 0; outer < numOuterTaps; ++outer) {
      SmallVector<Tap> line(dims.size() - 1);
      for (auto [d, offset] : llvm::enumerate(problem.getOuterOffsets(outer)))
        line[d] = taps[d].at(offset);
      auto get = [&](int64_t position) {
        if (problem.hasRows())
          line.back() = taps.end()[-2].at(position);
        return reduceLine(getLine(line));
      };
      shareTaps(rows, tile.numRows, /*areBegun=*/true, get,
                [&](int64_t row, ArrayRef<Accumulator> lanes) {
                  results[row] = combine(results[row], lanes);
                  if (outer + 1 == numOuterTaps)
                    for (auto [column, acc] : llvm::enumerate(results[row]))
                      store(row, column, channel, acc);
                });
    }
  }

  /// Emits the outputs of one or several vectors of channels, if some or all
  /// dimensions have loops over taps.
  void emitRolled() {
    // The loops visit only taps inside the input. If a window has other taps,
    // its accumulator begins with padding.
    WindowTaps loops(b);
    SmallVector<Tap> firstTaps;
    for (auto [d, dim] : llvm::enumerate(dims))
      if (isRolled(d)) {
        loops.add(dim, starts[d]);
        firstTaps.push_back(getTap(d, {loops.getFirst(d), {}}));
      }
    // If no element is greater than the initial value, the first tap inside the
    // input is chosen.
    Value firstArgmax = getLine(firstTaps).argmax;
    // One accumulator for each column, or for each vector of channels if all
    // taps are loops.
    Accumulators accs;
    for (int64_t i = 0; i < tile.numVectors * tile.numColumns; ++i) {
      Value argmax = firstArgmax;
      if (!tile.rollsColumns())
        argmax = b.bitOr(argmax, taps.back().at(i * dims.back().stride).argmax);
      accs.push_back(loops.getInitial(reduction));
      if (argmax)
        accs.back().index = b.broadcast(reduction.getIndexType(), argmax);
    }
    auto getVector = [&](int64_t i) {
      return b.add(channel, i / tile.numColumns * length);
    };
    loops.forEach(accs, [&](ArrayRef<Value> positions) {
      SmallVector<Tap> here;
      for (auto [d, position] : llvm::enumerate(positions))
        here.push_back(getTap(d, {position, {}}));
      Tap line = getLine(here);
      Accumulators next;
      if (!tile.rollsColumns())
        next = reduceLine(line);
      else
        for (int64_t i = 0; i < tile.numVectors; ++i)
          next.push_back(load(line, {}, getVector(i)));
      llvm::copy(combine(accs, next), accs.begin());
    });
    for (auto [i, acc] : llvm::enumerate(accs))
      store(0, i % tile.numColumns, getVector(i), acc);
  }

  /// Stores the output at `row` and `column` of the group, from `firstChannel`
  /// on. Does nothing if the row does not exist.
  void store(int64_t row, int64_t column, Value firstChannel,
             Accumulator lanes) {
    if (lanes.index)
      markLanesWithoutMaximum(lanes, existing);
    SmallVector<Value> place = coordinates;
    place.back() = b.add(place.back(), column);
    Value exists;
    if (problem.hasRows()) {
      Value &outputRow = place.end()[-2];
      outputRow = b.add(outputRow, row);
      if (row > 0 && mayLackRows)
        exists = b.isAtLeast(b.sub(rows.output, 1), outputRow);
    }
    place.push_back(firstChannel);
    auto emitStores = [&] {
      if (lanes.index)
        lanes.index = kernel.decodeArgmax(lanes.index, starts,
                                          tile.getArgmaxBits(problem));
      ElementFacts facts;
      if (isInterior)
        facts = kernel.getFacts([&](unsigned d) { return isInteriorDim(d); });
      facts.hasPosition = reduction.hasPositions();
      kernel.store(reduction, lanes, place, existing, facts);
    };
    b.ifTrue(exists, emitStores);
  }

  /// Emits the loops over rows and columns of groups.
  void emitGroups() {
    forEachGroup(dims.size(), rows, tile.numRows, [&](ValueRange outputs) {
      coordinates = llvm::to_vector(outputs);
      starts.clear();
      for (auto [d, dim] : llvm::enumerate(ArrayRef(dims).drop_back()))
        starts.push_back(dim.getStart(b, coordinates[1 + d]));
      // Make room for the column: the loop below sets its coordinate, and
      // emitColumns() where its window begins.
      coordinates.push_back({});
      starts.push_back({});
      // True if a row has enough columns for a group, and there is at least a
      // vector of channels. Otherwise groups have one column.
      Value isFull;
      const LoopDim &columns = dims.back();
      int64_t numColumns = tile.numColumns;
      if (!columns.knownOutput && numColumns > 1)
        isFull = b.isAtLeast(columns.output, numColumns);
      if (!problem.channels)
        isFull = b.both(isFull, b.isAtLeast(channels, length));
      b.ifElse(isFull, [&](bool isFullHere) {
        tile.numColumns = isFullHere ? numColumns : 1;
        mayHaveFewChannels =
            problem.channels ? *problem.channels < length : !isFullHere;
        b.forEach(0, columns.output, tile.numColumns, [&](Value first) {
          // The last group is moved back to end with the last column.
          coordinates.back() =
              b.moveBack(first, columns.output, tile.numColumns);
          emitColumns();
        });
      });
      tile.numColumns = numColumns;
    });
  }

  /// Emits a group of columns, for all channels.
  void emitColumns() {
    starts.back() = dims.back().getStart(b, coordinates.back());
    // Groups in the interior get a variant of code without tests for padding.
    // Dimensions whose padding is replaced by clamping need no variant, except
    // the columns. Loops over taps never visit padding.
    Value isInside;
    SmallVector<int64_t> numOutputs = tile.getNumOutputs(problem);
    for (auto [d, dim] : llvm::enumerate(dims))
      if (!problem.mayClamp || d == getColumnDim())
        isInside = b.both(
            isInside, dim.isInterior(b, starts[d], dim.getSpan(numOutputs[d])));
    b.ifElse(isInside, [&](bool inThen) {
      isInterior = inThen;
      // These values do not depend on the channel, so compute them before the
      // loop.
      setTaps();
      int64_t width = tile.numVectors * length;
      b.forEach(0, channels, width, [&](Value first) {
        if (mayHaveFewChannels)
          return emitVector(first, {0, b.sub(channels, first)});
        // The last vector is moved back to end with the last channel.
        emitVector(b.moveBack(first, channels, width), {});
      });
    });
  }

  /// Emits the group for the channels from `firstChannel` on: one vector, or
  /// `tile.numVectors`. Lanes outside `lanes` do not exist.
  void emitVector(Value firstChannel, const LaneRange &lanes) {
    channel = firstChannel;
    existing = lanes;
    prefetch();
    if (tile.isStraight())
      emitStraight();
    else
      emitRolled();
    SmallVector<int64_t> sizes = {1};
    llvm::append_range(sizes, tile.getNumOutputs(problem));
    sizes.push_back(tile.numVectors * length);
    recomputeMarkedLanes(append(coordinates, channel), sizes);
  }

  /// Prefetches the same channels of a later group of columns.
  void prefetch() {
    if (!tile.prefetches || !isInterior)
      return;
    int64_t numNewRows = ChannelTile::getNumNew(rows, tile.numRows);
    int64_t numNewColumns =
        ChannelTile::getNumNew(dims.back(), tile.numColumns);
    // The distance is a multiple of a group of columns, so that each vector is
    // prefetched once.
    int64_t columnSize = *problem.channels, groupSize, ahead;
    if (llvm::MulOverflow(numNewColumns, columnSize, groupSize) ||
        llvm::MulOverflow(cost::kMinPrefetchGroups, groupSize, ahead))
      return;
    int64_t least = cost::kChannelPrefetchBytes / getElementBytes(kernel.input);
    ahead = std::max<int64_t>(ahead, llvm::alignTo(least, groupSize));
    // The first `numRead` rows were read by the group above, so only the last
    // ones are new.
    int64_t numRead = rows.getSpan(tile.numRows) - numNewRows;
    SmallVector<Value> position = {coordinates[0]};
    if (problem.hasRows())
      position.push_back(b.max(b.add(starts.front(), numRead), 0));
    position.push_back(b.max(starts.back(), 0));
    position.push_back(channel);
    Value rowSize = b.mul(channels, dims.back().input);
    Value first = getElementAhead(
        b, kernel.getInputShape(), position, ahead,
        /*reach=*/b.add(b.mul(rowSize, numNewRows - 1), groupSize));
    Value flat = collapseFrom(b, kernel.input, 0);
    int64_t step = problem.getFetchLength();
    for (int64_t row = 0; row < numNewRows; ++row) {
      Value line = b.add(first, b.mul(rowSize, row));
      for (int64_t column = 0; column < numNewColumns; ++column)
        for (int64_t i = 0; i < tile.numVectors * length; i += step)
          prefetchElement(b, flat, b.add(line, column * columnSize + i),
                          cost::kSecondCache);
    }
  }

  /// The sizes of a group. In the variant for short rows, numColumns is 1.
  ChannelTile tile;
  SmallVector<LoopDim> dims;
  /// The dimension before the columns. If there is none, this is a single row.
  LoopDim rows;
  /// Extent of the channels.
  Value channels;

  /// The output coordinates of the group's first element, without the channel;
  /// and the input positions where its window begins.
  SmallVector<Value> coordinates, starts;
  /// True if all columns of the group are inside the input. If rows cannot be
  /// clamped to the input, it is true only if all other positions of the group
  /// are inside, too.
  bool isInterior = false;
  /// True if a vector may have more lanes than there are channels.
  bool mayHaveFewChannels = false;
  /// For each dimension, the positions that straight-line code reads, by their
  /// distance from `starts`.
  SmallVector<std::map<int64_t, Tap>> taps;

  /// The first channel of the vector that is being emitted, and its lanes that
  /// exist.
  Value channel;
  LaneRange existing;
};
} // namespace

void pool::emitChannels(WindowKernel &kernel, const ChannelTile &tile) {
  ChannelGroup(kernel, tile).create();
}
