// Vector code for a few rows and columns of channels-last outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelGroup.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

ChannelGroup::ChannelGroup(WindowKernel &kernel, const ChannelShape &shape,
                           const ChannelPlace &place)
    : kernel(kernel), shape(shape), place(place), at(kernel.at),
      reduction(kernel.reduction), length(reduction.getLength()) {}

bool ChannelGroup::isInteriorDim(unsigned d) const {
  return !shape.mayLeaveInput(d) ||
         (place.isInterior && (!shape.mayClamp || d == shape.getColumnDim()));
}

Value ChannelGroup::getArgmax(unsigned d, Value offset) {
  if (!reduction.hasPositions())
    return {};
  int64_t shift = 0;
  for (unsigned later = d + 1; later < shape.dims.size(); ++later)
    shift += shape.getArgmaxBits(later, place.numColumns);
  Value argmax = at.castIndex(at.getI32Type(), offset);
  return at.createOrFold<arith::ShLIOp>(
      argmax, arith::ConstantIntOp::create(at, shift, 32));
}

ChannelGroup::Tap ChannelGroup::getTapInside(unsigned d, Value position) {
  return {position, {}, getArgmax(d, at.sub(position, place.starts[d]))};
}

ChannelGroup::Tap ChannelGroup::getTap(unsigned d, int64_t offset) {
  const LoopDim &dim = shape.dims[d];
  Value position = at.add(place.starts[d], offset);
  if (isInteriorDim(d))
    return {position, {}, getArgmax(d, at.index(offset))};
  if (shape.mayClamp)
    return getTapInside(d, dim.clampToWindow(at, position));
  // The value outside does not matter, but it must be readable.
  return {dim.clampToInput(at, position), dim.contains(at, position, 1), {}};
}

ChannelGroup::Line ChannelGroup::getLine(ArrayRef<Tap> taps) {
  Line line;
  line.indices.push_back(place.coordinates[0]);
  for (auto [d, tap] : llvm::enumerate(taps)) {
    if (d != shape.getRowDim() || shape.hasRows)
      line.indices.push_back(tap.position);
    line.isInside = at.both(line.isInside, tap.isInside);
    if (tap.argmax)
      line.argmax =
          line.argmax ? at.bitOr(line.argmax, tap.argmax) : tap.argmax;
  }
  return line;
}

void ChannelGroup::setLines() {
  unsigned numOuter = shape.getRowDim();
  SmallVector<std::pair<int64_t, Tap>> rowTaps;
  for (int64_t row : shape.getRows().getPositions(shape.numRows))
    rowTaps.emplace_back(row, getTap(shape.getRowDim(), row));
  for (int64_t outer = 0; outer < shape.getNumOuterTaps(); ++outer) {
    SmallVector<Tap> taps(numOuter);
    int64_t rest = outer;
    for (unsigned d = numOuter; d-- > 0; rest /= shape.dims[d].kernel)
      taps[d] = getTap(d, rest % shape.dims[d].kernel * shape.dims[d].dilation);
    taps.push_back({});
    for (const auto &[row, tap] : rowTaps) {
      taps.back() = tap;
      lines[{outer, row}] = getLine(taps);
    }
  }
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

Value ChannelGroup::fillUnless(Value isInside, Value lanes) {
  if (!isInside)
    return lanes;
  return at.select(isInside, lanes, reduction.getFill(at));
}

Accumulator ChannelGroup::load(const Line &line, const Tap &column,
                               Value firstChannel) {
  SmallVector<Value> indices = line.indices;
  indices.push_back(column.position);
  indices.push_back(firstChannel);
  Value element =
      reduction.prepare(at, kernel.load(kernel.input, indices, existing));
  Accumulator lanes{fillUnless(column.isInside, element), {}};
  if (reduction.hasPositions())
    lanes.index = at.broadcast(reduction.getIndexType(),
                               at.bitOr(line.argmax, column.argmax));
  return lanes;
}

SmallVector<Accumulator> ChannelGroup::reduceLine(const Line &line) {
  std::map<int64_t, Accumulator> loaded;
  auto get = [&](int64_t position, bool begins) -> SmallVector<Accumulator> {
    auto [it, isNew] = loaded.try_emplace(position);
    if (isNew)
      it->second = load(line, columnTaps.at(position), channel);
    Accumulator lanes = it->second;
    if (begins)
      lanes.value = reduction.begin(at, lanes.value);
    return {lanes};
  };
  const LoopDim &columns = shape.getColumns();
  int64_t numSharing = shape.getNumSharing(columns, place.numColumns);
  SmallVector<Accumulator> results;
  for (int64_t first = 0; first < place.numColumns; first += numSharing)
    for (ArrayRef<Accumulator> lanes :
         reduceSharing(at, reduction, columns, first,
                       std::min(numSharing, place.numColumns - first), get)) {
      // Outside the input the whole line is padding: one selection for each
      // column, not one for each element.
      results.push_back({fillUnless(line.isInside, lanes.front().value),
                         lanes.front().index});
    }
  return results;
}

void ChannelGroup::emitStraight() {
  SmallVector<SmallVector<Accumulator>> results(shape.numRows);
  const LoopDim &rows = shape.getRows();
  int64_t numSharing = shape.getNumSharing(rows, shape.numRows);
  int64_t numOuterTaps = shape.getNumOuterTaps();
  for (int64_t outer = 0; outer < numOuterTaps; ++outer) {
    // A line is reduced for all columns when it is first needed, so that its
    // elements need no registers for long.
    std::map<int64_t, SmallVector<Accumulator>> reducedLines;
    auto get = [&](int64_t position, bool) {
      auto [it, isNew] = reducedLines.try_emplace(position);
      if (isNew)
        it->second = reduceLine(lines.at({outer, position}));
      return it->second;
    };
    for (int64_t first = 0; first < shape.numRows; first += numSharing) {
      int64_t numRows = std::min(numSharing, shape.numRows - first);
      auto reduced = reduceSharing(at, reduction, rows, first, numRows, get);
      for (int64_t i = 0; i < numRows; ++i) {
        int64_t row = first + i;
        SmallVector<Accumulator> &result = results[row];
        result = outer == 0 ? reduced[i]
                            : combineAll(at, reduction, result, reduced[i]);
        if (outer + 1 < numOuterTaps)
          continue;
        for (auto [column, lanes] : llvm::enumerate(result))
          store(row, column, channel, lanes);
      }
    }
  }
}

SmallVector<Accumulator> ChannelGroup::reduceTap(ArrayRef<Tap> taps) {
  if (!rollsColumns())
    return reduceLine(getLine(taps));
  Line line = getLine(taps.drop_back());
  SmallVector<Accumulator> results;
  for (int64_t vector = 0; vector < shape.numVectors; ++vector)
    results.push_back(
        load(line, taps.back(), at.add(channel, vector * length)));
  return results;
}

void ChannelGroup::emitRolled() {
  // Only taps inside the input; the others are padding all alike.
  TapRanges taps;
  SmallVector<Tap> firstTaps;
  for (unsigned d = 0; d < shape.numRolled; ++d) {
    const LoopDim &dim = shape.dims[d];
    taps.addValid(at, dim, place.starts[d]);
    Value distance = at.mul(taps.ranges.back().begin, dim.dilation);
    firstTaps.push_back(getTapInside(d, at.add(place.starts[d], distance)));
  }
  // Where nothing is greater than the identity, the first is chosen.
  Value firstArgmax = getLine(firstTaps).argmax;
  SmallVector<Accumulator> accs;
  for (int64_t i = 0; i < getNumResults(); ++i) {
    Value argmax = firstArgmax;
    if (argmax && !rollsColumns())
      argmax =
          at.bitOr(argmax, columnTaps.at(i * shape.getColumns().stride).argmax);
    accs.push_back(taps.getInitial(at, reduction));
    if (argmax)
      accs.back().index = at.broadcast(reduction.getIndexType(), argmax);
  }

  at.forEachIn(taps.ranges, accs, [&](ValueRange taps) {
    SmallVector<Tap> positions;
    for (auto [d, tap] : llvm::enumerate(taps))
      positions.push_back(
          getTapInside(d, at.add(place.starts[d],
                                 at.mul(Value(tap), shape.dims[d].dilation))));
    for (auto [acc, lanes] : llvm::zip_equal(accs, reduceTap(positions)))
      acc = reduction.combine(at, acc, lanes);
  });
  const Accumulator *result = accs.begin();
  for (int64_t vector = 0; vector < shape.numVectors; ++vector)
    for (int64_t column = 0; column < place.numColumns; ++column)
      store(0, column, at.add(channel, vector * length), *result++);
}

//===----------------------------------------------------------------------===//
// Vectors of channels
//===----------------------------------------------------------------------===//

void ChannelGroup::emit() {
  const LoopDim &columns = shape.getColumns();
  // Values that do not depend on the channel.
  if (shape.numRolled == 0)
    setLines();
  if (!rollsColumns())
    for (int64_t column : columns.getPositions(place.numColumns))
      columnTaps[column] = getTap(shape.getColumnDim(), column);

  if (shape.knownChannels && *shape.knownChannels < length)
    return emitVector(at.index(0), LaneRange::getFirst(length, shape.channels));
  int64_t width = shape.numVectors * length;
  at.forEach(at.index(0), shape.channels, width, [&](Value first) {
    if (place.mayHaveFewChannels)
      return emitVector(
          first, LaneRange::getFirst(length, at.sub(shape.channels, first)));
    // The last vector is moved to the last channels.
    if (!shape.knownChannels || *shape.knownChannels % width != 0)
      first = at.min(first, at.sub(shape.channels, width));
    emitVector(first, {});
  });
}

void ChannelGroup::emitVector(Value firstChannel, const LaneRange &lanes) {
  channel = firstChannel;
  existing = lanes;
  prefetch();
  if (shape.numRolled > 0)
    emitRolled();
  else
    emitStraight();
  if (needsRecomputing)
    recompute();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

ElementFacts ChannelGroup::getFacts() {
  ElementFacts facts;
  facts.hasPosition = reduction.hasPositions();
  if (!place.isInterior)
    return facts;
  facts.countCoordinates.assign(kernel.getRank(), Value());
  unsigned coordinate = 1;
  for (auto [d, dim] : llvm::enumerate(shape.dims)) {
    if (d == shape.getRowDim() && !shape.hasRows)
      continue;
    if (isInteriorDim(d))
      facts.countCoordinates[coordinate] = dim.getFirstInterior(at);
    ++coordinate;
  }
  return facts;
}

Value ChannelGroup::getPositions(Value argmax) {
  VectorType type = kernel.getPositionType();
  SmallVector<OpFoldResult> weights = kernel.op.getMixedPositions();
  Value first = at.value(weights[0]);
  Value rest = at.castIndex(type, argmax);
  Value sum;
  unsigned weight = weights.size();
  for (unsigned d = shape.dims.size(); d-- > 0;) {
    if (d == shape.getRowDim() && !shape.hasRows)
      continue;
    OpFoldResult scale = weights[--weight];
    Value scaleValue = at.value(scale);
    first = at.add(first, at.mul(place.starts[d], scaleValue));
    int64_t numBits = shape.getArgmaxBits(d, place.numColumns);
    Value offset = at.bitAnd(rest, at.splat(type, (int64_t(1) << numBits) - 1));
    rest = arith::ShRUIOp::create(at, rest, at.splat(type, numBits));
    if (getConstantIntValue(scale) != 1)
      offset = at.mul(offset, at.splat(type, scaleValue));
    sum = sum ? at.add(sum, offset) : offset;
  }
  sum = at.add(sum, at.splat(type, first));
  return kernel.getWidePositions(sum);
}

void ChannelGroup::store(int64_t row, int64_t column, Value firstChannel,
                         Accumulator lanes) {
  if (Value suspect = lanes.index
                          ? reduction.getNeedsRecomputing(at, lanes.value)
                          : Value())
    needsRecomputing =
        needsRecomputing ? at.bitOr(needsRecomputing, suspect) : suspect;
  ElementPlace element;
  element.coordinates = place.coordinates;
  unsigned columnAt = element.coordinates.size() - 1;
  Value exists;
  Value &outputColumn = element.coordinates[columnAt];
  outputColumn = at.add(outputColumn, column);
  if (shape.hasRows) {
    Value &outputRow = element.coordinates[columnAt - 1];
    outputRow = at.add(outputRow, row);
    if (row > 0 && shape.mayLackRows())
      exists = at.isAtLeast(at.sub(shape.getRows().output, 1), outputRow);
  }
  element.coordinates.push_back(firstChannel);
  element.laneDim = kernel.getRank() - 1;
  element.numLanes = length;
  element.existing = existing;
  auto emitStores = [&] {
    SmallVector<Value> values = {reduction.finish(at, lanes)};
    if (lanes.index)
      values.push_back(getPositions(lanes.index));
    ElementFacts facts = getFacts();
    for (auto [i, value] : llvm::enumerate(values)) {
      if (!shape.storeAlignments.empty())
        element.streamAlignment = shape.storeAlignments[i];
      kernel.chains[i].store(at, value, kernel.buffers[i], element, facts);
    }
  };
  exists ? at.ifTrue(exists, emitStores) : emitStores();
}

void ChannelGroup::recompute() {
  Value lanes = at.both(needsRecomputing, createLaneMask(at, length, existing));
  needsRecomputing = {};
  SmallVector<WindowKernel::Range> outputs;
  for (Value coordinate : place.coordinates)
    outputs.push_back({coordinate, {}});
  outputs.push_back({channel, at.min(at.sub(shape.channels, channel),
                                     shape.numVectors * length)});
  unsigned columns = outputs.size() - 2;
  outputs[columns].size = at.index(place.numColumns);
  if (shape.hasRows) {
    WindowKernel::Range &rows = outputs[columns - 1];
    rows.size =
        at.min(at.sub(shape.getRows().output, rows.first), shape.numRows);
  }
  kernel.recompute(lanes, outputs);
}
