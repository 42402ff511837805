// Emits a group of channels-last outputs. Input that several windows of a group
// share is loaded and reduced once for each vector of channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H

#include "Channels/ChannelTile.h"
#include "Emit/Memory.h"

#include <map>

namespace mlir::pool {

class ChannelGroup {
public:
  ChannelGroup(WindowKernel &kernel, const ChannelTile &tile)
      : kernel(kernel), problem(kernel.problem), at(kernel.at),
        reduction(kernel.reduction), tile(tile), length(reduction.getLength()),
        dims(kernel.dims), hasRows(problem.hasRows()),
        movesLastRows(reduction.isIdempotent()),
        channels(kernel.getOutputShape().back()) {
    std::optional<int64_t> numRows = problem.getRows().knownOutput;
    mayLackRows =
        tile.numRows > 1 &&
        (!numRows || (!movesLastRows && *numRows % tile.numRows != 0));
    if (hasRows) {
      LoopDim &rowDim = dims[dims.size() - 2];
      // Windows of rows that are not there are treated like padding.
      rowDim.coversPadding |= mayLackRows;
      rows = rowDim;
    }
    if (!tile.streams)
      return;
    for (Value buffer : kernel.buffers)
      storeAlignments.push_back(
          ChannelTile::getStoreAlignment(problem, getElementBytes(buffer)));
    // Elementwise consumers may have given a buffer another type than the
    // planner knew.
    if (llvm::any_of(storeAlignments, [](int64_t alignment) {
          return alignment < cost::kMinStoreBytes;
        }))
      storeAlignments.clear();
  }

protected:
  using Accumulators = SmallVector<Accumulator>;

  unsigned getColumnDim() const { return dims.size() - 1; }
  /// Outputs of a group in a dimension.
  int64_t getNumOutputs(unsigned d) const {
    return d == getColumnDim()       ? numColumns
           : d + 1 == getColumnDim() ? tile.numRows
                                     : 1;
  }
  bool rollsColumns() const { return tile.loops == TapLoopDims::All; }

  /// Positions of one dimension, or of several.
  struct Tap {
    SmallVector<Value> indices;
    /// Null if they always are.
    Value isInside;
    /// Their part of an argmax, an i32; null if there is none.
    Value argmax;
  };
  Tap getTap(unsigned d, int64_t offset) {
    const LoopDim &dim = dims[d];
    Value position = at.add(starts[d], offset);
    if (isInteriorDim(d))
      return {{position}, {}, getArgmax(d, at.index(offset))};
    if (problem.mayClamp)
      return getTapInside(d, dim.clampToWindow(at, position));
    // The value outside does not matter, but it must be readable.
    return {
        {dim.clampToInput(at, position)}, dim.contains(at, position, 1), {}};
  }

  Tap getTapInside(unsigned d, Value position) {
    return {{position}, {}, getArgmax(d, at.sub(position, starts[d]))};
  }
  Value getArgmax(unsigned d, Value offset) {
    if (!reduction.hasPositions())
      return {};
    int64_t shift = 0;
    for (unsigned later = d + 1; later < dims.size(); ++later)
      shift += getArgmaxBits(later);
    Value argmax = at.castIndex(at.getI32Type(), offset);
    return at.createOrFold<arith::ShLIOp>(
        argmax, arith::ConstantIntOp::create(at, shift, 32));
  }

  /// Bits of an argmax for a dimension: its distance from the group's first.
  int64_t getArgmaxBits(unsigned d) const {
    return llvm::Log2_64_Ceil(dims[d].getSpan(getNumOutputs(d)));
  }
  /// True if the group's positions of the dimension are inside the input.
  bool isInteriorDim(unsigned d) const {
    return !dims[d].coversPadding ||
           (isInterior && (!problem.mayClamp || d == getColumnDim()));
  }

  /// All positions of the columns, of one combination of the others.
  using Line = Tap;
  Line getLine(ArrayRef<Tap> taps) {
    Line line;
    line.indices.push_back(coordinates[0]);
    for (const Tap &tap : taps) {
      llvm::append_range(line.indices, tap.indices);
      line.isInside = at.both(line.isInside, tap.isInside);
      line.argmax = at.bitOr(line.argmax, tap.argmax);
    }
    return line;
  }

  /// Sets the lines that straight code reads.
  void setLines() {
    unsigned numOuter = dims.size() - 1 - hasRows;
    SmallVector<std::pair<int64_t, Tap>> rowTaps;
    for (int64_t row : rows.getPositions(tile.numRows))
      rowTaps.emplace_back(row, hasRows ? getTap(numOuter, row) : Tap());
    int64_t numOuterTaps = problem.getNumOuterTaps();
    for (int64_t outer = 0; outer < numOuterTaps; ++outer) {
      SmallVector<Tap> taps(numOuter + hasRows);
      int64_t rest = outer;
      for (unsigned d = numOuter; d-- > 0; rest /= dims[d].kernel)
        taps[d] = getTap(d, rest % dims[d].kernel * dims[d].dilation);
      for (const auto &[row, tap] : rowTaps) {
        if (hasRows)
          taps.back() = tap;
        lines[{outer, row}] = getLine(taps);
      }
    }
  }

  /// Padding where not `isInside`, which may be null.
  Value fillUnless(Value isInside, Value lanes) {
    if (!isInside)
      return lanes;
    return at.select(isInside, lanes, reduction.getFill(at));
  }

  /// Prepared elements of the channels, and their argmax; of a line that is
  /// outside of the input any.
  Accumulator load(const Line &line, const Tap &column, Value firstChannel) {
    SmallVector<Value> indices = append(line.indices, column.indices);
    indices.push_back(firstChannel);
    Value element = reduction.prepare(
        at, reduction.load(at, kernel.input, indices, existing));
    Accumulator lanes{fillUnless(column.isInside, element), {}};
    if (reduction.hasPositions())
      lanes.index = at.broadcast(reduction.getIndexType(),
                                 at.bitOr(line.argmax, column.argmax));
    return lanes;
  }

  /// Combines each of `lhs` with the one of `rhs` at its place; if one has
  /// none, the result is the other.
  Accumulators combine(ArrayRef<Accumulator> lhs, ArrayRef<Accumulator> rhs) {
    Accumulators results(rhs.empty() ? lhs : rhs);
    if (rhs.empty())
      return results;
    for (auto [result, acc] : llvm::zip(results, lhs))
      result = reduction.combine(at, acc, result);
    return results;
  }

  /// Reduces windows of one dimension, any number of accumulators side by side.
  void shareTaps(const KernelDim &dim, int64_t numWindows,
                 function_ref<Accumulators(int64_t position, bool begins)> get,
                 function_ref<void(int64_t window, const Accumulators &)> use) {
    ChannelTile::share(problem, dim, numWindows)
        .reduce<Accumulators>(
            get, [&](auto &lhs, auto &rhs) { return combine(lhs, rhs); }, use);
  }
  /// The columns of the group, of one line.
  Accumulators reduceLine(const Line &line) {
    std::map<int64_t, Accumulator> loaded;
    auto get = [&](int64_t position, bool begins) -> Accumulators {
      auto [it, isNew] = loaded.try_emplace(position);
      if (isNew)
        it->second = load(line, columnTaps.at(position), channel);
      Accumulator lanes = it->second;
      if (begins)
        lanes.value = reduction.begin(at, lanes.value);
      return {lanes};
    };
    Accumulators results;
    shareTaps(dims.back(), numColumns, get,
              [&](int64_t, ArrayRef<Accumulator> lanes) {
                // Outside the input the whole line is padding: one selection
                // for each column, not one for each element.
                results.push_back({fillUnless(line.isInside, lanes[0].value),
                                   lanes[0].index});
              });
    return results;
  }

  /// The results at one position of the dimensions that are loops: columns, or
  /// vectors of channels if all dimensions are.
  Accumulators reduceTap(ArrayRef<Tap> taps) {
    if (!rollsColumns())
      return reduceLine(getLine(taps));
    Line line = getLine(taps.drop_back());
    Accumulators results;
    for (int64_t vector = 0; vector < tile.numVectors; ++vector)
      results.push_back(
          load(line, taps.back(), at.add(channel, vector * length)));
    return results;
  }

  void emitStraight() {
    SmallVector<Accumulators> results(tile.numRows);
    int64_t numOuterTaps = problem.getNumOuterTaps();
    for (int64_t outer = 0; outer < numOuterTaps; ++outer) {
      // A line is reduced for all columns when it is first needed, so that its
      // elements need no registers for long.
      std::map<int64_t, Accumulators> reducedLines;
      auto get = [&](int64_t position, bool) {
        auto [it, isNew] = reducedLines.try_emplace(position);
        if (isNew)
          it->second = reduceLine(lines.at({outer, position}));
        return it->second;
      };
      shareTaps(rows, tile.numRows, get,
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
    WindowTaps taps(at);
    SmallVector<Tap> firstTaps;
    unsigned numRolled = dims.size() - (rollsColumns() ? 0 : 1);
    for (unsigned d = 0; d < numRolled; ++d) {
      taps.add(dims[d], starts[d]);
      firstTaps.push_back(getTapInside(d, taps.getFirst(d)));
    }
    // Where nothing is greater than the identity, the first is chosen.
    Value firstArgmax = getLine(firstTaps).argmax;
    // Columns, or vectors of channels if all dimensions are loops.
    Accumulators accs;
    for (int64_t i = 0; i < tile.numVectors * numColumns; ++i) {
      Value argmax = firstArgmax;
      if (!rollsColumns())
        argmax = at.bitOr(argmax, columnTaps.at(i * dims.back().stride).argmax);
      accs.push_back(taps.getInitial(reduction));
      if (argmax)
        accs.back().index = at.broadcast(reduction.getIndexType(), argmax);
    }

    taps.forEach(accs, [&](ArrayRef<Value> positions) {
      SmallVector<Tap> here;
      for (auto [d, position] : llvm::enumerate(positions))
        here.push_back(getTapInside(d, position));
      llvm::copy(combine(accs, reduceTap(here)), accs.begin());
    });
    const Accumulator *result = accs.begin();
    for (int64_t vector = 0; vector < tile.numVectors; ++vector)
      for (int64_t column = 0; column < numColumns; ++column)
        store(0, column, at.add(channel, vector * length), *result++);
  }

  void store(int64_t row, int64_t column, Value firstChannel,
             Accumulator lanes) {
    if (lanes.index)
      needsRecomputing = at.bitOr(
          needsRecomputing, reduction.getNeedsRecomputing(at, lanes.value));
    SmallVector<Value> place = coordinates;
    place.back() = at.add(place.back(), column);
    Value exists;
    if (hasRows) {
      Value &outputRow = place[place.size() - 2];
      outputRow = at.add(outputRow, row);
      if (row > 0 && mayLackRows)
        exists = at.isAtLeast(at.sub(rows.output, 1), outputRow);
    }
    place.push_back(firstChannel);
    auto emitStores = [&] {
      SmallVector<Value> values = {reduction.finish(at, lanes)};
      if (lanes.index)
        values.push_back(kernel.decodeArgmax(
            lanes.index, starts, mapLanes(dims.size(), [&](int64_t d) {
              return getArgmaxBits(d);
            })));
      ElementFacts facts;
      if (isInterior)
        facts = kernel.getFacts([&](unsigned d) { return isInteriorDim(d); });
      facts.hasPosition = reduction.hasPositions();
      kernel.store(values, {place, length, existing}, facts, storeAlignments);
    };
    exists ? at.ifTrue(exists, emitStores) : emitStores();
  }

  void recompute() {
    Value lanes =
        at.both(needsRecomputing, createLaneMask(at, length, existing));
    needsRecomputing = {};
    SmallVector<WindowKernel::Range> outputs;
    for (Value coordinate : coordinates)
      outputs.push_back({coordinate, {}});
    outputs.push_back(
        {channel, at.min(at.sub(channels, channel), tile.numVectors * length)});
    unsigned column = outputs.size() - 2;
    outputs[column].size = at.index(numColumns);
    if (hasRows) {
      WindowKernel::Range &group = outputs[column - 1];
      group.size = at.min(at.sub(rows.output, group.first), tile.numRows);
    }
    kernel.recompute(lanes, outputs);
  }

  WindowKernel &kernel;
  const Problem &problem;
  KernelBuilder &at;
  const LaneReduction &reduction;
  ChannelTile tile;
  int64_t length;
  SmallVector<LoopDim> dims;
  /// The dimension before the columns. Without it, there is a single row.
  LoopDim rows;
  bool hasRows;
  /// True if the last group is moved to the last rows; see Plane.
  bool movesLastRows;
  /// True if a group may have rows that the output has not.
  bool mayLackRows;
  /// Extent of the channels.
  Value channels;
  /// Byte alignment of each vector of channels, for each buffer. Empty if
  /// stores are not non-temporal.
  SmallVector<int64_t> storeAlignments;

  /// Output coordinates of the group's first element, without the channel, and
  /// the input positions where its window starts.
  SmallVector<Value> coordinates, starts;
  int64_t numColumns = 1;
  /// True if all columns are in the input; with padding that cannot be
  /// replaced, all of the group.
  bool isInterior = false;
  /// True if there may be fewer channels than lanes, where that is not known.
  bool mayHaveFewChannels = false;
  /// Lines by outer tap and row position, and taps by column position.
  std::map<std::pair<int64_t, int64_t>, Line> lines;
  std::map<int64_t, Tap> columnTaps;

  /// First channel of the vector that is being emitted, and its lanes that
  /// exist.
  Value channel;
  LaneRange existing;
  /// Lanes to be computed again element by element.
  Value needsRecomputing;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H
