// Emits the outputs of a few rows and columns of channels-last buffers, with
// channels as lanes. Input that several windows share is loaded and reduced
// once for each vector of channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELGROUP_H

#include "Channels/ChannelTile.h"

#include <map>

namespace mlir::pool {

/// State shared by all groups.
struct ChannelShape : ChannelTile {
  ChannelShape(WindowKernel &kernel, const ChannelTile &tile);

  /// Rows and columns are the last two. Before rows that do not exist there is
  /// nothing, and they are a single one.
  SmallVector<LoopDim> dims;
  bool hasRows;
  /// True if padding may be replaced by other positions of the window.
  bool mayClamp;
  /// Extent of the channels.
  Value channels;
  std::optional<int64_t> knownChannels;
  /// How many of the dimensions, from the first, are loops over taps rather
  /// than straight code; none, all or all but the columns.
  unsigned numRolled;
  /// True if the last group is moved to the last rows; see PlaneNest.
  bool movesLastRows;
  /// Byte alignment of each vector of channels, for each buffer. Empty if
  /// stores are not non-temporal.
  SmallVector<int64_t> storeAlignments;

  const LoopDim &getRows() const { return dims[dims.size() - 2]; }
  const LoopDim &getColumns() const { return dims.back(); }
  unsigned getRowDim() const { return dims.size() - 2; }
  unsigned getColumnDim() const { return dims.size() - 1; }
  /// Taps of all dimensions before the rows.
  int64_t getNumOuterTaps() const;
  /// True if positions of the dimension may be outside the input.
  bool mayLeaveInput(unsigned d) const;
  /// True if a group may have rows that the output has not.
  bool mayLackRows() const;
  void setStoreAlignments(const WindowKernel &kernel);
  /// Bits of an argmax for a dimension: its distance from the group's first.
  int64_t getArgmaxBits(unsigned d, int64_t numColumns) const;
};

/// Where a group is.
struct ChannelPlace {
  /// Output coordinates of the first element, without the channel.
  SmallVector<Value> coordinates;
  /// In the input, for each dimension of the shape.
  SmallVector<Value> starts;
  int64_t numColumns = 1;
  /// True if all columns are in the input; with padding that cannot be
  /// replaced, all of the group.
  bool isInterior = false;
  /// True if there may be fewer channels than lanes, where that is not known.
  bool mayHaveFewChannels = false;
};

class ChannelGroup {
public:
  ChannelGroup(WindowKernel &kernel, const ChannelShape &shape,
               const ChannelPlace &place);

  void emit();

private:
  /// A position of one dimension.
  struct Tap {
    Value position;
    /// Null if it always is.
    Value isInside;
    /// Its part of an argmax, an i32; null if there is none.
    Value argmax;
  };
  Tap getTap(unsigned d, int64_t offset);
  Tap getTapInside(unsigned d, Value position);
  Value getArgmax(unsigned d, Value offset);
  bool isInteriorDim(unsigned d) const;

  /// All positions of the columns, of one combination of the others.
  struct Line {
    SmallVector<Value> indices;
    Value isInside, argmax;
  };
  Line getLine(ArrayRef<Tap> taps);
  /// Padding where not `isInside`, which may be null.
  Value fillUnless(Value isInside, Value lanes);
  /// Prepared elements of the channels, and their argmax; of a line that is
  /// outside of the input any.
  Accumulator load(const Line &line, const Tap &column, Value firstChannel);
  /// The columns of the group, of one line.
  SmallVector<Accumulator> reduceLine(const Line &line);

  /// Fetches what a later group of columns reads of the vector of channels.
  void prefetch();
  void emitVector(Value channel, const LaneRange &lanes);
  void emitStraight();
  void emitRolled();
  /// The results of a group's code, in this order: columns, or vectors of
  /// channels where all dimensions are loops.
  int64_t getNumResults() const { return shape.numVectors * place.numColumns; }
  bool rollsColumns() const { return shape.numRolled == shape.dims.size(); }
  /// The results at one position of the rolled dimensions.
  SmallVector<Accumulator> reduceTap(ArrayRef<Tap> taps);
  /// Sets the lines that straight code reads.
  void setLines();

  void store(int64_t row, int64_t column, Value firstChannel,
             Accumulator lanes);
  Value getPositions(Value argmax);
  ElementFacts getFacts();
  void recompute();

  WindowKernel &kernel;
  const ChannelShape &shape;
  const ChannelPlace &place;
  KernelBuilder &at;
  const LaneReduction &reduction;
  int64_t length;
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
