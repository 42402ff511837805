// Groups of channels-last outputs that are emitted at once: rows, columns, and
// vectors of channels. The plans of the strategy are such groups. Input that
// several windows of a group share is loaded and reduced once for each vector
// of channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H

#include "Reduce/SharedTaps.h"
#include "Reduce/WindowStrategy.h"

#include <map>

namespace mlir::pool {

/// Which taps are loops rather than straight code.
enum class TapLoopDims { None, AllButColumns, All };

struct ChannelTile {
  TapLoopDims loops = TapLoopDims::None;
  /// Output rows of a group; one if the rows are loops over taps.
  int64_t numRows = 1;
  /// Output columns of a group; one if all taps are loops.
  int64_t numColumns = 1;
  /// Vectors of channels at once; one unless all taps are loops.
  int64_t numVectors = 1;
  /// True if groups are fetched before they are needed, and stores go past the
  /// caches.
  bool prefetches = false, streams = false;

  bool isStraight() const { return loops == TapLoopDims::None; }
  bool rollsColumns() const { return loops == TapLoopDims::All; }
  /// Positions of a dimension that a group reads and the one before does not,
  /// its last ones.
  static int64_t getNumNew(const KernelDim &dim, int64_t numOutputs) {
    return std::min(numOutputs * dim.stride, dim.getSpan(numOutputs));
  }
  /// Neighbouring windows of a group. Others take more registers than they save
  /// operations.
  static SharedTaps share(const Problem &problem, const KernelDim &dim,
                          int64_t numWindows) {
    return {dim, numWindows, problem.isUniform || dim.getSharingDistance() > 1};
  }
  /// Returns the byte alignment, at most a cache line, of each vector of
  /// channels in an aligned buffer with elements of `elementBytes`.
  static int64_t getStoreAlignment(const Problem &problem,
                                   int64_t elementBytes) {
    int64_t bytes = problem.getLength() * elementBytes;
    return std::min(bytes & -bytes, problem.target.cacheLineBytes);
  }
};

class ChannelGroup {
public:
  ChannelGroup(WindowKernel &kernel, const ChannelTile &tile)
      : kernel(kernel), problem(kernel.problem), at(kernel.at),
        reduction(kernel.reduction), tile(tile), length(reduction.getLength()),
        dims(kernel.dims), hasRows(problem.hasRows()),
        channels(kernel.getOutputShape().back()) {
    std::optional<int64_t> numRows = problem.getRows().knownOutput;
    mayLackRows = tile.numRows > 1 &&
                  (!numRows ||
                   (!reduction.isIdempotent() && *numRows % tile.numRows != 0));
    if (hasRows) {
      LoopDim &rowDim = dims[dims.size() - 2];
      // Windows of rows that are not there are treated like padding.
      rowDim.coversPadding |= mayLackRows;
      rows = rowDim;
    }
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
  Tap getTap(unsigned d, int64_t offset) {
    const LoopDim &dim = dims[d];
    Value position = at.add(starts[d], offset);
    if (!isInteriorDim(d)) {
      // The value outside does not matter, but it must be readable.
      if (!problem.mayClamp)
        return {{dim.clampToInput(at, position)},
                dim.contains(at, position, 1),
                {}};
      position = dim.clampToWindow(at, position);
    }
    return getTapInside(d, position);
  }

  Tap getTapInside(unsigned d, Value position) {
    Tap tap{{position}, {}, {}};
    if (!reduction.hasPositions())
      return tap;
    int64_t shift = 0;
    for (unsigned later = d + 1; later < dims.size(); ++later)
      shift += getArgmaxBits(later);
    tap.argmax = at.createOrFold<arith::ShLIOp>(
        at.castIndex(at.getI32Type(), at.sub(position, starts[d])),
        arith::ConstantIntOp::create(at, shift, 32));
    return tap;
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

  /// Joins positions of neighbouring dimensions, from the first one on.
  Tap getLine(ArrayRef<Tap> taps) {
    Tap line{{coordinates[0]}, {}, {}};
    for (const Tap &tap : taps) {
      llvm::append_range(line.indices, tap.indices);
      line.isInside = at.both(line.isInside, tap.isInside);
      line.argmax = at.bitOr(line.argmax, tap.argmax);
    }
    return line;
  }

  /// Sets the positions that straight code reads.
  void setTaps() {
    taps.assign(dims.size(), {});
    for (auto [d, dim] : llvm::enumerate(dims))
      if (!isRolled(d))
        for (int64_t offset : dim.getPositions(getNumOutputs(d)))
          taps[d][offset] = getTap(d, offset);
  }

  /// Padding where not `isInside`, which may be null.
  Value fillUnless(Value isInside, Value lanes) {
    if (!isInside)
      return lanes;
    return at.select(isInside, lanes, reduction.getFill(at));
  }

  /// Prepared elements of the channels, and their argmax; of a line that is
  /// outside of the input any.
  Accumulator load(const Tap &line, const Tap &column, Value firstChannel) {
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
  /// Calls `get` once for each position, when it is first needed, so that its
  /// elements need no registers for long.
  void shareTaps(const KernelDim &dim, int64_t numWindows,
                 function_ref<Accumulators(int64_t position)> get,
                 function_ref<void(int64_t window, const Accumulators &)> use) {
    std::map<int64_t, Accumulators> known;
    auto getTap = [&](int64_t position, bool begins) {
      auto [it, isNew] = known.try_emplace(position);
      if (isNew)
        it->second = get(position);
      Accumulators lanes = it->second;
      // Lines are reduced already.
      if (begins && &dim != &rows)
        for (Accumulator &acc : lanes)
          acc.value = reduction.begin(at, acc.value);
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
    shareTaps(dims.back(), numColumns, get,
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
      int64_t rest = outer;
      for (unsigned d = problem.getOuter().size(); d-- > 0;
           rest /= dims[d].kernel)
        line[d] = taps[d].at(rest % dims[d].kernel * dims[d].dilation);
      auto get = [&](int64_t position) {
        if (hasRows)
          line.back() = taps[dims.size() - 2].at(position);
        return reduceLine(getLine(line));
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
    WindowTaps loops(at);
    SmallVector<Tap> firstTaps;
    for (auto [d, dim] : llvm::enumerate(dims))
      if (isRolled(d)) {
        loops.add(dim, starts[d]);
        firstTaps.push_back(getTapInside(d, loops.getFirst(d)));
      }
    // Where nothing is greater than the identity, the first is chosen.
    Value firstArgmax = getLine(firstTaps).argmax;
    // Columns, or vectors of channels if all dimensions are loops.
    Accumulators accs;
    for (int64_t i = 0; i < tile.numVectors * numColumns; ++i) {
      Value argmax = firstArgmax;
      if (!tile.rollsColumns())
        argmax =
            at.bitOr(argmax, taps.back().at(i * dims.back().stride).argmax);
      accs.push_back(loops.getInitial(reduction));
      if (argmax)
        accs.back().index = at.broadcast(reduction.getIndexType(), argmax);
    }
    auto getVector = [&](int64_t i) {
      return at.add(channel, i / numColumns * length);
    };
    loops.forEach(accs, [&](ArrayRef<Value> positions) {
      SmallVector<Tap> here;
      for (auto [d, position] : llvm::enumerate(positions))
        here.push_back(getTapInside(d, position));
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
      store(0, i % numColumns, getVector(i), acc);
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
      if (lanes.index)
        lanes.index = kernel.decodeArgmax(
            lanes.index, starts,
            mapLanes(dims.size(), [&](int64_t d) { return getArgmaxBits(d); }));
      ElementFacts facts;
      if (isInterior)
        facts = kernel.getFacts([&](unsigned d) { return isInteriorDim(d); });
      facts.hasPosition = reduction.hasPositions();
      kernel.store(reduction, lanes, place, existing, facts);
    };
    exists ? at.ifTrue(exists, emitStores) : emitStores();
  }

  void recompute() {
    Value lanes =
        at.both(needsRecomputing, createLaneMask(at, length, existing));
    needsRecomputing = {};
    SmallVector<PositionRange> outputs;
    for (auto [i, first] : llvm::enumerate(coordinates))
      outputs.push_back(
          {first, at.add(first, i == 0 ? 1 : getNumOutputs(i - 1))});
    if (mayLackRows) {
      Operand &end = outputs[outputs.size() - 2].end;
      end = at.min(end, rows.output);
    }
    outputs.push_back(
        {channel, at.min(at.add(channel, tile.numVectors * length), channels)});
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
  /// True if a group may have rows that the output has not.
  bool mayLackRows;
  /// Extent of the channels.
  Value channels;

  /// Output coordinates of the group's first element, without the channel, and
  /// the input positions where its window starts.
  SmallVector<Value> coordinates, starts;
  int64_t numColumns = 1;
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
  /// Lanes to be computed again element by element.
  Value needsRecomputing;
};

/// Emits the loops over all groups.
void emitChannels(WindowKernel &kernel, const ChannelTile &tile);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H
