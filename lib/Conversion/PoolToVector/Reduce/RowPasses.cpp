// Reduces the windows of a row by passes that make longer runs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/RowPasses.h"

using namespace mlir;
using namespace mlir::pool;

RowPasses::RowPasses(const LaneReduction &reduction, const KernelDim &columns)
    : reduction(reduction), numTaps(columns.kernel),
      dilation(columns.dilation) {
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
    Value place = at.add(element, part.offset * dilation);
    if (part.pass == 0)
      place = at.add(first, place);
    Accumulator run = buffers[part.pass].load(at, reduction, place);
    lanes = lanes.value ? reduction.choose(at, lanes, run) : run;
  }
  return lanes;
}

void RowPasses::emit(KernelBuilder &at, ArrayRef<AccumulatorBuffer> buffers,
                     Value first, Value length) const {
  for (unsigned pass = 1; pass < runs.size(); ++pass)
    at.forEach(at.index(0), length, reduction.getLength(), [&](Value element) {
      buffers[pass].store(
          at, join(at, buffers, first, split(runs[pass], pass), element),
          element);
    });
}

Accumulator RowPasses::getWindows(KernelBuilder &at,
                                  ArrayRef<AccumulatorBuffer> buffers,
                                  Value first, Value element) const {
  return join(at, buffers, first, split(numTaps, runs.size()), element);
}
