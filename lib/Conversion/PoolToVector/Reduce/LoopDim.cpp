// Positions of windows in one dimension.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/LoopDim.h"

using namespace mlir;
using namespace mlir::pool;

LoopDim LoopDim::getSingle(KernelBuilder &at) {
  LoopDim dim;
  dim.input = dim.output = at.index(1);
  dim.padBegin = at.index(0);
  return dim;
}

Value LoopDim::getStart(KernelBuilder &at, Value o) const {
  return at.sub(at.mul(o, stride), padBegin);
}

Value LoopDim::getFirstInterior(KernelBuilder &at) const {
  return at.ceilDiv(padBegin, stride);
}

Value LoopDim::getInteriorEnd(KernelBuilder &at) const {
  Value reach = at.sub(at.add(input, padBegin), getExtent());
  return at.max(at.add(at.floorDiv(at.max(reach, -1), stride), 1), 0);
}

std::pair<Value, Value> LoopDim::getValidTaps(KernelBuilder &at,
                                              Value start) const {
  if (!coversPadding)
    return {at.index(0), at.index(kernel)};
  auto getNumTapsBefore = [&](Value position) {
    Value distance = at.max(at.sub(position, start), 0);
    return at.min(at.ceilDiv(distance, dilation), kernel);
  };
  return {getNumTapsBefore(at.index(0)), getNumTapsBefore(input)};
}

Value LoopDim::contains(KernelBuilder &at, Value start, int64_t span) const {
  return at.both(at.isAtLeast(start, at.index(0)),
                 at.isAtLeast(at.sub(input, span), start));
}

Value LoopDim::clampToWindow(KernelBuilder &at, Value position) const {
  if (dilation == 1)
    return clampToInput(at, position);
  // By whole dilations.
  Value before = at.max(at.sub(at.index(0), position), 0);
  Value after = at.max(at.sub(position, at.sub(input, 1)), 0);
  position = at.add(position, at.mul(at.ceilDiv(before, dilation), dilation));
  return at.sub(position, at.mul(at.ceilDiv(after, dilation), dilation));
}

Value LoopDim::clampToInput(KernelBuilder &at, Value position) const {
  return at.min(at.max(position, 0), at.sub(input, 1));
}

void TapRanges::addAll(KernelBuilder &at, const LoopDim &dim) {
  ranges.push_back({at.index(0), at.index(dim.kernel)});
}

void TapRanges::addValid(KernelBuilder &at, const LoopDim &dim, Value start) {
  auto [begin, end] = dim.getValidTaps(at, start);
  ranges.push_back({begin, end});
  if (dim.coversPadding)
    isInside = at.both(isInside,
                       at.isAtLeast(at.sub(end, begin), at.index(dim.kernel)));
}

Accumulator TapRanges::getInitial(KernelBuilder &at,
                                  const LaneReduction &reduction) const {
  Accumulator lanes = reduction.getEmpty(at);
  // A sum's padding equals its initial value, so no select is needed.
  if (isInside && reduction.isIdempotent())
    lanes.value = at.select(isInside, lanes.value, reduction.getFill(at));
  return lanes;
}

Value pool::getNumUnlessEmpty(KernelBuilder &at, ArrayRef<LoopDim> dims,
                              Value count) {
  Value isThere;
  for (const LoopDim &dim : dims) {
    auto requireSome = [&](Value extent, std::optional<int64_t> known) {
      if (known)
        return;
      Value hasSome = at.isAtLeast(extent, at.index(1));
      isThere = at.both(isThere, hasSome);
    };
    requireSome(dim.input, dim.knownInput);
    requireSome(dim.output, dim.knownOutput);
  }
  return isThere ? at.select(isThere, count, at.index(0)) : count;
}
