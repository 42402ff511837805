// Reduces the windows of a row by passes that make longer runs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/RowPasses.h"

using namespace mlir;
using namespace mlir::pool;

RowPasses::RowPasses(const LaneReduction &reduction, const KernelDim &columns)
    : reduction(reduction), columns(columns),
      numTaps(columns.kernel / columns.stride) {
  // A pass stores. Where combinations are cheap, fewer passes are faster,
  // though each loads more.
  int64_t factor = reduction.hasIndices() ? 2 : 4;
  for (int64_t length = 1; length < numTaps || runs.empty(); length *= factor)
    runs.push_back(length);
}

SmallVector<RowPasses::Part> RowPasses::split(int64_t length,
                                              unsigned end) const {
  SmallVector<Part> parts;
  int64_t offset = 0;
  for (unsigned pass = end; pass-- > 0 && offset < length;) {
    for (; offset + runs[pass] <= length; offset += runs[pass])
      parts.push_back({pass, offset});
    if (offset < length && !parts.empty() && reduction.isIdempotent()) {
      // One more run overlaps the last one.
      parts.push_back({pass, length - runs[pass]});
      break;
    }
  }
  return parts;
}

int64_t RowPasses::getNumLoads() const {
  int64_t numLoads = split(numTaps, runs.size()).size();
  for (unsigned pass = 1; pass < runs.size(); ++pass)
    numLoads += split(runs[pass], pass).size();
  return numLoads;
}

Accumulator RowPasses::join(KernelBuilder &at,
                            ArrayRef<AccumulatorBuffer> buffers, Value first,
                            ArrayRef<Part> parts, Value element) const {
  Accumulator lanes;
  for (const Part &part : parts) {
    Value place = at.add(element, part.offset * columns.dilation);
    unsigned buffer = getFirstRun() + part.pass;
    if (buffer == 0)
      place = at.add(first, place);
    Accumulator run = buffers[buffer].load(at, reduction, place);
    lanes = lanes.value ? reduction.choose(at, lanes, run) : run;
  }
  return lanes;
}

RowWindows RowPasses::getStrides(int64_t stride, int64_t size) const {
  SmallVector<RowWindow> windows;
  for (int64_t lane = 0; lane < reduction.getLength(); ++lane)
    windows.push_back({lane * stride, lane * stride + size});
  return RowWindows(reduction, windows);
}

std::pair<int64_t, int64_t> RowPasses::getHalvings() const {
  std::pair<int64_t, int64_t> best = {
      0, getStrides(columns.stride, columns.stride).getCodeSize()};
  int64_t stride = columns.stride, ofHalvings = 0;
  for (int64_t number = 1; stride % 2 == 0; ++number) {
    stride /= 2;
    // Two shuffles and a combination for two vectors.
    ofHalvings += 3 * stride;
    int64_t size = ofHalvings;
    if (stride > 1)
      size += getStrides(stride, stride).getCodeSize();
    if (size < best.second)
      best = {number, size};
  }
  return best;
}

int64_t RowPasses::getStridesSize() const {
  if (columns.stride == 1)
    return 0;
  int64_t size = columns.stride + getHalvings().second;
  if (hasBeginnings())
    size += getBeginnings().getCodeSize();
  return size;
}

SmallVector<Accumulator> RowPasses::halve(KernelBuilder &at,
                                          ArrayRef<Accumulator> row) const {
  SmallVector<Accumulator> halved;
  for (; !row.empty(); row = row.drop_front(2)) {
    auto getEvery = [&](int64_t first) {
      SmallVector<int64_t> lanes;
      for (int64_t lane = 0; lane < reduction.getLength(); ++lane)
        lanes.push_back(2 * lane + first);
      return shuffleLanes(at, row[0], row[1], lanes);
    };
    Accumulator even = getEvery(0);
    halved.push_back(reduction.choose(at, even, getEvery(1)));
  }
  return halved;
}

void RowPasses::reduceStrides(KernelBuilder &at,
                              ArrayRef<AccumulatorBuffer> buffers, Value first,
                              Value length) const {
  Value numStrides = at.divUnsigned(length, columns.stride);
  at.forEach(at.index(0), numStrides, reduction.getLength(), [&](Value stride) {
    Value place = at.add(first, at.mul(stride, columns.stride));
    SmallVector<Accumulator> row;
    for (int64_t i = 0; i < columns.stride; ++i)
      row.push_back(buffers[0].load(at, reduction,
                                    at.add(place, i * reduction.getLength())));
    SmallVector<Accumulator> halved(row);
    int64_t numHalvings = getHalvings().first;
    for (int64_t i = 0; i < numHalvings; ++i)
      halved = halve(at, halved);
    int64_t rest = columns.stride >> numHalvings;
    buffers[1].store(at, getStrides(rest, rest).reduce(at, halved, 0), stride);
    if (hasBeginnings())
      buffers.back().store(at, getBeginnings().reduce(at, row, 0), stride);
  });
}

void RowPasses::emit(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers,
                     Value first, Value length) const {
  if (columns.stride > 1) {
    reduceStrides(at, buffers, first, length);
    length = at.divUnsigned(length, columns.stride);
  }
  for (unsigned pass = 1; pass < runs.size(); ++pass)
    at.forEach(at.index(0), length, reduction.getLength(), [&](Value element) {
      buffers[getFirstRun() + pass].store(
          at, join(at, buffers, first, split(runs[pass], pass), element),
          element);
    });
}

Accumulator RowPasses::getWindows(KernelBuilder &at,
                                  ArrayRef<AccumulatorBuffer> buffers,
                                  Value first, Value window) const {
  Accumulator lanes =
      join(at, buffers, first, split(numTaps, runs.size()), window);
  if (!hasBeginnings())
    return lanes;
  Accumulator beginnings =
      buffers.back().load(at, reduction, at.add(window, numTaps));
  return reduction.choose(at, lanes, beginnings);
}
