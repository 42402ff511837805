// Vector code for a few rows and columns of channels-last outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelNest.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Value ChannelNest::getArgmax(unsigned d, Value offset) {
  if (!reduction.hasPositions())
    return {};
  int64_t shift = 0;
  for (unsigned later = d + 1; later < dims.size(); ++later)
    shift += getArgmaxBits(later);
  Value argmax = at.castIndex(at.getI32Type(), offset);
  return at.createOrFold<arith::ShLIOp>(
      argmax, arith::ConstantIntOp::create(at, shift, 32));
}

ChannelNest::Tap ChannelNest::getTap(unsigned d, int64_t offset) {
  const LoopDim &dim = dims[d];
  Value position = at.add(starts[d], offset);
  if (isInteriorDim(d))
    return {position, {}, getArgmax(d, at.index(offset))};
  if (problem.mayClamp)
    return getTapInside(d, dim.clampToWindow(at, position));
  // The value outside does not matter, but it must be readable.
  return {dim.clampToInput(at, position), dim.contains(at, position, 1), {}};
}

ChannelNest::Line ChannelNest::getLine(ArrayRef<Tap> taps) {
  Line line;
  line.indices.push_back(coordinates[0]);
  for (const Tap &tap : taps) {
    line.indices.push_back(tap.position);
    line.isInside = at.both(line.isInside, tap.isInside);
    line.argmax = at.bitOr(line.argmax, tap.argmax);
  }
  return line;
}

void ChannelNest::setLines() {
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

//===----------------------------------------------------------------------===//
// Windows that share positions
//===----------------------------------------------------------------------===//

SmallVector<Accumulator> ChannelNest::combine(ArrayRef<Accumulator> lhs,
                                              ArrayRef<Accumulator> rhs) {
  SmallVector<Accumulator> results(rhs.empty() ? lhs : rhs);
  if (rhs.empty())
    return results;
  for (auto [result, acc] : llvm::zip(results, lhs))
    result = reduction.combine(at, acc, result);
  return results;
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

Value ChannelNest::fillUnless(Value isInside, Value lanes) {
  if (!isInside)
    return lanes;
  return at.select(isInside, lanes, reduction.getFill(at));
}

Accumulator ChannelNest::load(const Line &line, const Tap &column,
                              Value firstChannel) {
  SmallVector<Value> indices = append(line.indices, column.position);
  indices.push_back(firstChannel);
  Value element = reduction.prepare(
      at, reduction.load(at, kernel.input, indices, existing));
  Accumulator lanes{fillUnless(column.isInside, element), {}};
  if (reduction.hasPositions())
    lanes.index = at.broadcast(reduction.getIndexType(),
                               at.bitOr(line.argmax, column.argmax));
  return lanes;
}

SmallVector<Accumulator> ChannelNest::reduceLine(const Line &line) {
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
  SmallVector<Accumulator> results;
  shareTaps(dims.back(), numColumns, get,
            [&](int64_t, ArrayRef<Accumulator> lanes) {
              // Outside the input the whole line is padding: one selection for
              // each column, not one for each element.
              results.push_back(
                  {fillUnless(line.isInside, lanes[0].value), lanes[0].index});
            });
  return results;
}

void ChannelNest::emitStraight() {
  SmallVector<SmallVector<Accumulator>> results(tile.numRows);
  int64_t numOuterTaps = problem.getNumOuterTaps();
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
    shareTaps(rows, tile.numRows, get,
              [&](int64_t row, ArrayRef<Accumulator> lanes) {
                results[row] = combine(results[row], lanes);
                if (outer + 1 == numOuterTaps)
                  for (auto [column, acc] : llvm::enumerate(results[row]))
                    store(row, column, channel, acc);
              });
  }
}

SmallVector<Accumulator> ChannelNest::reduceTap(ArrayRef<Tap> taps) {
  if (!rollsColumns())
    return reduceLine(getLine(taps));
  Line line = getLine(taps.drop_back());
  SmallVector<Accumulator> results;
  for (int64_t vector = 0; vector < tile.numVectors; ++vector)
    results.push_back(
        load(line, taps.back(), at.add(channel, vector * length)));
  return results;
}

void ChannelNest::emitRolled() {
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
  SmallVector<Accumulator> accs;
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

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

ElementFacts ChannelNest::getFacts() {
  ElementFacts facts;
  if (isInterior)
    facts = kernel.getFacts([&](unsigned d) { return isInteriorDim(d); });
  facts.hasPosition = reduction.hasPositions();
  return facts;
}

Value ChannelNest::getPositions(Value argmax) {
  VectorType type = kernel.getPositionType();
  SmallVector<OpFoldResult> weights = kernel.op.getMixedPositions();
  Value first = at.value(weights[0]);
  Value rest = at.castIndex(type, argmax);
  Value sum;
  for (unsigned d = dims.size(); d-- > 0;) {
    Value weight = at.value(weights[1 + d]);
    first = at.add(first, at.mul(starts[d], weight));
    int64_t numBits = getArgmaxBits(d);
    Value offset = at.bitAnd(rest, at.splat(type, (int64_t(1) << numBits) - 1));
    rest = arith::ShRUIOp::create(at, rest, at.splat(type, numBits));
    if (getConstantIntValue(weight) != 1)
      offset = at.mul(offset, at.splat(type, weight));
    sum = sum ? at.add(sum, offset) : offset;
  }
  sum = at.add(sum, at.splat(type, first));
  return at.extendToI64(sum);
}

void ChannelNest::store(int64_t row, int64_t column, Value firstChannel,
                        Accumulator lanes) {
  if (lanes.index)
    needsRecomputing = at.bitOr(needsRecomputing,
                                reduction.getNeedsRecomputing(at, lanes.value));
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
      values.push_back(getPositions(lanes.index));
    kernel.store(values, {place, length, existing}, getFacts(),
                 storeAlignments);
  };
  exists ? at.ifTrue(exists, emitStores) : emitStores();
}

void ChannelNest::recompute() {
  Value lanes = at.both(needsRecomputing, createLaneMask(at, length, existing));
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
