// Loops over channels-last buffers, with channels as lanes: groups of output
// rows, in these groups of output columns, and in these the channels. Input
// that several windows of a group share is loaded and reduced once for each
// vector of channels.
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
  /// True if the taps of a dimension are a loop.
  bool isRolled(unsigned d) const {
    return d == getColumnDim() ? tile.rollsColumns() : !tile.isStraight();
  }

  /// Positions of one dimension, or of several.
  struct Tap {
    SmallVector<Value> indices;
    /// Null if they always are.
    Value isInside;
    /// Their part of an argmax, an i32; null if there is none.
    Value argmax;
  };
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
  /// True if the group's positions of the dimension are inside the input.
  bool isInteriorDim(unsigned d) const {
    return !dims[d].coversPadding ||
           (isInterior && (!problem.mayClamp || d == getColumnDim()));
  }

  /// Joins positions of neighbouring dimensions, from the first one on.
  Tap getLine(ArrayRef<Tap> taps) {
    Tap line{{coordinates[0]}, {}, {}};
    for (const Tap &tap : taps) {
      llvm::append_range(line.indices, tap.indices);
      line.isInside = b.both(line.isInside, tap.isInside);
      line.argmax = b.bitOr(line.argmax, tap.argmax);
    }
    return line;
  }

  /// Sets the positions that straight code reads.
  void setTaps() {
    taps.assign(dims.size(), {});
    for (auto [d, dim] : llvm::enumerate(dims))
      if (!isRolled(d))
        for (int64_t offset : dim.getPositions(tile.getNumOutputs(problem)[d]))
          taps[d][offset] =
              getTap(d, dim.getTap(b, b.add(starts[d], offset),
                                   isInteriorDim(d), problem.mayClamp));
  }

  /// Prepared elements of the channels, and their argmax; of a line that is
  /// outside of the input any.
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

  /// Combines each of `lhs` with the one of `rhs` at its place; if one has
  /// none, the result is the other.
  Accumulators combine(ArrayRef<Accumulator> lhs, ArrayRef<Accumulator> rhs) {
    Accumulators results(rhs.empty() ? lhs : rhs);
    if (rhs.empty())
      return results;
    for (auto [result, acc] : llvm::zip(results, lhs))
      result = reduction.combine(b, acc, result);
    return results;
  }

  /// Reduces windows of one dimension, any number of accumulators side by side.
  /// Calls `get` once for each position, when it is first needed, so that its
  /// elements need no registers for long. `get` has begun them if `areBegun`.
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
  /// The columns of the group, of one line.
  Accumulators reduceLine(const Tap &line) {
    auto get = [&](int64_t position) -> Accumulators {
      return {load(line, taps.back().at(position), channel)};
    };
    Accumulators results;
    shareTaps(dims.back(), tile.numColumns, /*areBegun=*/false, get,
              [&](int64_t, ArrayRef<Accumulator> lanes) {
                // Outside the input the whole line is padding: one selection
                // for each column, not one for each element.
                results.push_back({fillUnless(line.isInside, lanes[0].value),
                                   lanes[0].index});
              });
    return results;
  }

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

  void emitRolled() {
    // Only taps inside the input; the others are padding all alike.
    WindowTaps loops(b);
    SmallVector<Tap> firstTaps;
    for (auto [d, dim] : llvm::enumerate(dims))
      if (isRolled(d)) {
        loops.add(dim, starts[d]);
        firstTaps.push_back(getTap(d, {loops.getFirst(d), {}}));
      }
    // Where nothing is greater than the identity, the first is chosen.
    Value firstArgmax = getLine(firstTaps).argmax;
    // Columns, or vectors of channels if all dimensions are loops.
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

  void emitGroups() {
    forEachGroup(dims.size(), rows, tile.numRows, [&](ValueRange outputs) {
      coordinates = llvm::to_vector(outputs);
      starts.clear();
      for (auto [d, dim] : llvm::enumerate(ArrayRef(dims).drop_back()))
        starts.push_back(dim.getStart(b, coordinates[1 + d]));
      // The group's column.
      coordinates.push_back({});
      starts.push_back({});
      // True if there are as many columns and channels as a group has.
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
          // The last group is moved to the last columns.
          coordinates.back() =
              b.moveBack(first, columns.output, tile.numColumns);
          emitColumns();
        });
      });
      tile.numColumns = numColumns;
    });
  }

  void emitColumns() {
    starts.back() = dims.back().getStart(b, coordinates.back());
    // Padding is tested for or replaced, but not in the interior. Rolled loops
    // have no padding.
    Value isInside;
    SmallVector<int64_t> numOutputs = tile.getNumOutputs(problem);
    for (auto [d, dim] : llvm::enumerate(dims))
      if (!problem.mayClamp || d == getColumnDim())
        isInside = b.both(
            isInside, dim.isInterior(b, starts[d], dim.getSpan(numOutputs[d])));
    b.ifElse(isInside, [&](bool inThen) {
      isInterior = inThen;
      // Values that do not depend on the channel.
      setTaps();
      int64_t width = tile.numVectors * length;
      b.forEach(0, channels, width, [&](Value first) {
        if (mayHaveFewChannels)
          return emitVector(first, {0, b.sub(channels, first)});
        // The last vector is moved to the last channels.
        emitVector(b.moveBack(first, channels, width), {});
      });
    });
  }

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

  /// Fetches the vector of channels for a later group of columns.
  void prefetch() {
    if (!tile.prefetches || !isInterior)
      return;
    int64_t numNewRows = ChannelTile::getNumNew(rows, tile.numRows);
    int64_t numNewColumns =
        ChannelTile::getNumNew(dims.back(), tile.numColumns);
    // Whole groups of columns ahead, so that each vector is fetched once.
    int64_t columnSize = *problem.channels, groupSize, ahead;
    if (llvm::MulOverflow(numNewColumns, columnSize, groupSize) ||
        llvm::MulOverflow(cost::kMinPrefetchGroups, groupSize, ahead))
      return;
    int64_t least = cost::kChannelPrefetchBytes / getElementBytes(kernel.input);
    ahead = std::max<int64_t>(ahead, llvm::alignTo(least, groupSize));
    // Rows before these the group above has read.
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

  /// Groups of one column if a row has fewer than a group.
  ChannelTile tile;
  SmallVector<LoopDim> dims;
  /// The dimension before the columns. Without it, there is a single row.
  LoopDim rows;
  /// Extent of the channels.
  Value channels;

  /// Output coordinates of the group's first element, without the channel, and
  /// the input positions where its window starts.
  SmallVector<Value> coordinates, starts;
  /// True if all columns are in the input; with padding that cannot be
  /// replaced, all of the group.
  bool isInterior = false;
  /// True if there may be fewer channels than lanes, where that is not known.
  bool mayHaveFewChannels = false;
  /// For each dimension, taps by their distance from the start.
  SmallVector<std::map<int64_t, Tap>> taps;

  /// First channel of the vector that is being emitted, and its lanes that
  /// exist.
  Value channel;
  LaneRange existing;
};
} // namespace

void pool::emitChannels(WindowKernel &kernel, const ChannelTile &tile) {
  ChannelGroup(kernel, tile).create();
}
