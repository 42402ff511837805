// Emits the loops over channels-last buffers, with channels as lanes: groups of
// output rows, in these groups of output columns, and in these the channels.
// Input that several windows of a group share is loaded and reduced once for
// each vector of channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELNEST_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELNEST_H

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
  /// Positions of a dimension that a group reads and the one before does not,
  /// its last ones.
  static int64_t getNumNew(const KernelDim &dim, int64_t numOutputs) {
    return std::min(numOutputs * dim.stride, dim.getSpan(numOutputs));
  }
  /// Cache lines that are fetched beside a group's own; vectors that are less
  /// than one are, too.
  int64_t getNumFetched(const Problem &problem) const {
    return getNumNew(problem.getRows(), numRows) *
           getNumNew(problem.getColumns(), numColumns) *
           llvm::divideCeil(numVectors * problem.getLength(),
                            problem.getLineLength());
  }
  /// Returns the byte alignment, at most a cache line, of each vector of
  /// channels in an aligned buffer with elements of `elementBytes`.
  static int64_t getStoreAlignment(const Problem &problem,
                                   int64_t elementBytes) {
    int64_t bytes = problem.getLength() * elementBytes;
    return std::min(bytes & -bytes, problem.target.cacheLineBytes);
  }
};

class ChannelNest {
public:
  ChannelNest(WindowKernel &kernel, const ChannelTile &tile);

  void create();

private:
  using Accumulators = SmallVector<Accumulator>;

  unsigned getColumnDim() const { return dims.size() - 1; }
  bool isRowDim(unsigned d) const { return hasRows && d + 2 == dims.size(); }
  /// Outputs of a group in a dimension.
  int64_t getNumOutputs(unsigned d) const {
    return d == getColumnDim() ? numColumns : isRowDim(d) ? tile.numRows : 1;
  }
  bool rollsColumns() const { return tile.loops == TapLoopDims::All; }

  void emit();
  /// The columns of a group of rows.
  void emitRows();
  void emitColumns();
  /// All channels of a group's outputs.
  void emitGroup();
  void emitVector(Value firstChannel, const LaneRange &lanes);
  /// Fetches what a later group of columns reads of the vector of channels.
  void prefetch();

  /// A position of one dimension.
  struct Tap {
    Value position;
    /// Null if it always is.
    Value isInside;
    /// Its part of an argmax, an i32; null if there is none.
    Value argmax;
  };
  Tap getTap(unsigned d, int64_t offset);
  Tap getTapInside(unsigned d, Value position) {
    return {position, {}, getArgmax(d, at.sub(position, starts[d]))};
  }
  Value getArgmax(unsigned d, Value offset);
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
  struct Line {
    SmallVector<Value> indices;
    Value isInside, argmax;
  };
  Line getLine(ArrayRef<Tap> taps);
  /// Sets the lines that straight code reads.
  void setLines();

  /// Padding where not `isInside`, which may be null.
  Value fillUnless(Value isInside, Value lanes);
  /// Prepared elements of the channels, and their argmax; of a line that is
  /// outside of the input any.
  Accumulator load(const Line &line, const Tap &column, Value firstChannel);
  /// Combines each of `lhs` with the one of `rhs` at its place; if one has
  /// none, the result is the other.
  Accumulators combine(ArrayRef<Accumulator> lhs, ArrayRef<Accumulator> rhs);
  /// Reduces windows of one dimension, any number of accumulators side by side.
  void shareTaps(const KernelDim &dim, int64_t numWindows,
                 function_ref<Accumulators(int64_t position, bool begins)> get,
                 function_ref<void(int64_t window, const Accumulators &)> use) {
    SharedTaps{dim, numWindows, problem.isUniform}.reduce<Accumulators>(
        get, [&](auto &lhs, auto &rhs) { return combine(lhs, rhs); }, use);
  }
  /// The columns of the group, of one line.
  Accumulators reduceLine(const Line &line);
  /// The results at one position of the dimensions that are loops: columns, or
  /// vectors of channels if all dimensions are.
  Accumulators reduceTap(ArrayRef<Tap> taps);
  void emitStraight();
  void emitRolled();

  void store(int64_t row, int64_t column, Value firstChannel,
             Accumulator lanes);
  Value getPositions(Value argmax);
  ElementFacts getFacts();
  void recompute();

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
  /// True if the last group is moved to the last rows; see PlaneNest.
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

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELNEST_H
