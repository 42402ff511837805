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
// If straight-line code for all taps would be too long, the taps of all
// dimensions, or of all but the columns, are loops. Such dimensions are
// "rolled".
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

  /// A position of the input in one dimension, or in several consecutive
  /// dimensions.
  struct Tap {
    SmallVector<Value> indices;
    /// True if the position is inside the input in all these dimensions. Null
    /// if it always is.
    Value isInside;
    /// The part of a packed argmax (ChannelTile::getArgmaxBits()) for these
    /// dimensions, an i32. Null without an argmax.
    Value argmax;
  };
  /// Returns position `here` of dimension `d`. With an argmax, also computes
  /// its part of the packed argmax.
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
  /// True if all positions of the group in dimension `d` are known to be inside
  /// the input. If padding is replaced by clamping, only columns are ever
  /// tested.
  bool isInteriorDim(unsigned d) const {
    return !dims[d].coversPadding ||
           (isInterior && (!problem.mayClamp || d == getColumnDim()));
  }

  /// Combines the batch of the group, and positions in the first spatial
  /// dimensions, to one position. If `taps` has all dimensions before the
  /// columns, the result is a line of the input: all columns at this position.
  Tap getLine(ArrayRef<Tap> taps) {
    Tap line{{coordinates[0]}, {}, {}};
    for (const Tap &tap : taps) {
      llvm::append_range(line.indices, tap.indices);
      line.isInside = b.both(line.isInside, tap.isInside);
      line.argmax = b.bitOr(line.argmax, tap.argmax);
    }
    return line;
  }

  /// Emits the positions that straight-line code reads, and stores them in
  /// `taps`.
  void setTaps() {
    taps.assign(dims.size(), {});
    for (auto [d, dim] : llvm::enumerate(dims))
      if (!isRolled(d))
        for (int64_t offset : dim.getPositions(tile.getNumOutputs(problem)[d]))
          taps[d][offset] =
              getTap(d, dim.getTap(b, b.add(starts[d], offset),
                                   isInteriorDim(d), problem.mayClamp));
  }

  /// Emits a load of the vector of channels from `firstChannel` on, at `column`
  /// of `line`. Returns the prepared elements and, if there is an argmax, their
  /// part of it. Lanes are padding if the column is outside the input. If the
  /// line is outside, lanes are arbitrary, and reduceLine() replaces its
  /// results.
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

  /// Emits the reduction of `numWindows` neighboring windows of `dim`, which
  /// share taps. `get` returns the vectors at a position. It is called once for
  /// each position, when that position is first needed, so that few vectors are
  /// in registers. If `areBegun`, `get` returns accumulators. Otherwise it
  /// returns prepared elements, which this function converts. `use` receives
  /// the result of each window.
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
  /// Returns, for each column of the group, the elements of its window that lie
  /// on `line`, reduced to one vector.
  Accumulators reduceLine(const Tap &line) {
    auto get = [&](int64_t position) -> Accumulators {
      return {load(line, taps.back().at(position), channel)};
    };
    Accumulators results;
    shareTaps(dims.back(), tile.numColumns, /*areBegun=*/false, get,
              [&](int64_t, ArrayRef<Accumulator> lanes) {
                // A line outside the input is padding as a whole. So select
                // padding once for each window, not once for each element.
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

  /// Emits the outputs of one or several vectors of channels, if the taps of
  /// some or all dimensions are loops.
  void emitRolled() {
    // The loops visit only taps inside the input. If a window has taps outside,
    // its accumulator begins with padding.
    WindowTaps loops(b);
    SmallVector<Tap> firstTaps;
    for (auto [d, dim] : llvm::enumerate(dims))
      if (isRolled(d)) {
        loops.add(dim, starts[d]);
        firstTaps.push_back(getTap(d, {loops.getFirst(d), {}}));
      }
    // Begin with the position of the first tap inside the input. It stays if no
    // element is greater than the initial value.
    Value firstArgmax = getLine(firstTaps).argmax;
    // There is one accumulator for each column. If all taps are loops, there is
    // one for each vector of channels.
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

  /// Emits a store of the output at `row` and `column` of the group, for the
  /// vector of channels from `firstChannel` on. The code stores nothing if the
  /// row does not exist.
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

  /// Emits the loops over groups of rows and groups of columns.
  void emitGroups() {
    forEachGroup(dims.size(), rows, tile.numRows, [&](ValueRange outputs) {
      coordinates = llvm::to_vector(outputs);
      starts.clear();
      for (auto [d, dim] : llvm::enumerate(ArrayRef(dims).drop_back()))
        starts.push_back(dim.getStart(b, coordinates[1 + d]));
      // Append an element for the column. The loop below sets the coordinate,
      // and emitColumns() sets the position at which the window begins.
      coordinates.push_back({});
      starts.push_back({});
      // True if a row has enough columns for a group, and if channels fill at
      // least one vector. Otherwise groups have one column.
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

  /// Emits a group for all channels. Requires that `coordinates` is set.
  void emitColumns() {
    starts.back() = dims.back().getStart(b, coordinates.back());
    // Emit a variant of code without tests for padding, for groups in the
    // interior. Loops over taps never visit padding, and clamping replaces it.
    // So dimensions that are clamped need no such variant, except the columns.
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
  /// `tile.numVectors` of them. Channels outside `lanes` do not exist.
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

  /// Emits prefetches of the same channels for a later group of columns, if the
  /// plan has prefetches and the group is in the interior.
  void prefetch() {
    if (!tile.prefetches || !isInterior)
      return;
    int64_t numNewRows = ChannelTile::getNumNew(rows, tile.numRows);
    int64_t numNewColumns =
        ChannelTile::getNumNew(dims.back(), tile.numColumns);
    // Let the distance be a multiple of a group of columns, so that each vector
    // is prefetched once.
    int64_t columnSize = *problem.channels, groupSize, ahead;
    if (llvm::MulOverflow(numNewColumns, columnSize, groupSize) ||
        llvm::MulOverflow(cost::kMinPrefetchGroups, groupSize, ahead))
      return;
    int64_t least = cost::kChannelPrefetchBytes / getElementBytes(kernel.input);
    ahead = std::max<int64_t>(ahead, llvm::alignTo(least, groupSize));
    // The group of rows above has already read the first `numRead` rows of this
    // group. Only the rows after them are new.
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

  /// The size of a group. While the variant for short rows is emitted,
  /// numColumns is 1.
  ChannelTile tile;
  SmallVector<LoopDim> dims;
  /// The dimension before the columns. If there is none, a dimension of a
  /// single row.
  LoopDim rows;
  /// The number of channels.
  Value channels;

  /// The output coordinates of the group's first element, without the channel.
  /// And, for each spatial dimension, the input position at which its window
  /// begins.
  SmallVector<Value> coordinates, starts;
  /// True if the code that is being emitted is for groups whose columns are all
  /// inside the input. If padding is not replaced by clamping, all other
  /// positions of the group are inside, too.
  bool isInterior = false;
  /// True if there may be fewer channels than lanes of a vector.
  bool mayHaveFewChannels = false;
  /// For each dimension, the positions that straight-line code reads. The key
  /// is the distance from the dimension's position in `starts`.
  SmallVector<std::map<int64_t, Tap>> taps;

  /// The first channel of the vector that is being emitted, and the lanes that
  /// exist.
  Value channel;
  LaneRange existing;
};
} // namespace

void pool::emitChannels(WindowKernel &kernel, const ChannelTile &tile) {
  ChannelGroup(kernel, tile).create();
}
