// Loads, loops and stores that all kernels of adaptive pooling share.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptiveKernel.h"

#include "Emit/LaneMask.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

Interval AdaptiveKernel::getInterval(unsigned i, OpFoldResult o) {
  const SymbolicAdaptiveDim &dim = dims[i];
  OpFoldResult begin = getStart(at, at.getLoc(), dim, o);
  AffineExpr sum = at.getAffineSymbolExpr(0) + at.getAffineSymbolExpr(1);
  return {begin,
          affine::makeComposedFoldedAffineApply(
              at, at.getLoc(), sum, {begin, getSize(at, at.getLoc(), dim, o)})};
}

VectorType AdaptiveKernel::getIndexType() {
  return VectorType::get(getLength(), at.getI64Type());
}

Accumulator AdaptiveKernel::load(ValueRange position, Value mask) {
  Value element =
      reduction.prepare(at, reduction.load(at, input, position, mask));
  if (!reduction.hasPositions())
    return reduction.getLanes(at, element, {});
  Value first = position[carriedAxis];
  for (unsigned d = carriedAxis + 1; d < getRank(); ++d)
    first = at.add(at.mul(first, at.value(inputShape[d])), position[d]);
  Value positions =
      at.add(at.splat(getIndexType(), first),
             at.lanes(getIndexType(), llvm::to_vector(llvm::seq(getLength()))));
  if (mask)
    positions = at.select(mask, positions, getEmpty().index);
  return reduction.getLanes(at, element, positions);
}

Accumulator AdaptiveKernel::append(Accumulator acc, Accumulator element) {
  if (!acc.value)
    return {reduction.begin(at, element.value), element.index};
  return combine(acc, element);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void AdaptiveKernel::forEach(Value begin, Value end, int64_t step,
                             MutableArrayRef<Accumulator> accs,
                             function_ref<void(Value)> body) {
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (first && last && *first >= *last)
    return;
  if (first && last && *first + step >= *last)
    return body(begin);
  at.forEach(begin, end, step, accs, body);
}

void AdaptiveKernel::forEachStrip(
    Value extent, int64_t mostVectors,
    function_ref<void(const VectorStrip &)> body) {
  int64_t length = getLength();
  Value begin = at.index(0);
  for (int64_t n : {mostVectors, int64_t(1)}) {
    Value end = at.mul(at.floorDiv(extent, n * length), n * length);
    forEach(begin, end, n * length, {}, [&, n = n](Value first) {
      VectorStrip strip;
      strip.numLanes.assign(n, at.index(length));
      for (int64_t v = 0; v < n; ++v)
        strip.firsts.push_back(at.add(first, v * length));
      body(strip);
    });
    begin = end;
  }
  forEach(begin, extent, length, {},
          [&](Value first) { body({{first}, {at.sub(extent, first)}}); });
}

void AdaptiveKernel::appendWindow(ValueRange plane,
                                  ArrayRef<Interval> intervals,
                                  const VectorStrip &strip, bool isStraight,
                                  MutableArrayRef<Accumulator> accs) {
  SmallVector<Value> masks;
  for (Value numLanes : strip.numLanes)
    masks.push_back(getMask(numLanes));
  SmallVector<Value> position(plane);
  forEachPosition(intervals, position, isStraight, accs,
                  [&](ValueRange position) {
                    SmallVector<Value> indices(position);
                    indices.emplace_back();
                    for (auto [acc, first, mask] :
                         llvm::zip_equal(accs, strip.firsts, masks)) {
                      indices.back() = first;
                      acc = append(acc, load(indices, mask));
                    }
                  });
}

void AdaptiveKernel::forEachPosition(
    ArrayRef<Interval> intervals, SmallVectorImpl<Value> &position,
    bool isStraight, MutableArrayRef<Accumulator> accs,
    function_ref<void(ValueRange position)> body) {
  if (intervals.empty())
    return body(position);
  auto enter = [&](Value here) {
    position.push_back(here);
    forEachPosition(intervals.drop_front(), position, isStraight, accs, body);
    position.pop_back();
  };
  const Interval &interval = intervals.front();
  if (isStraight) {
    int64_t end = *getConstantIntValue(interval.end);
    for (int64_t i = *getConstantIntValue(interval.begin); i < end; ++i)
      enter(at.index(i));
    return;
  }
  forEach(at.value(interval.begin), at.value(interval.end), 1, accs, enter);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

Value AdaptiveKernel::getMask(Value numLanes) {
  std::optional<int64_t> known = getConstantIntValue(numLanes);
  if (!known)
    return createLaneMask(at, getLength(), /*begin=*/Value(), numLanes);
  if (*known >= getLength())
    return {};
  return createLaneMask(at, getLength(), 0, *known);
}

ElementPlace AdaptiveKernel::getPlace(ArrayRef<Value> coordinates,
                                      Value numLanes) {
  ElementPlace place;
  place.coordinates = llvm::to_vector(coordinates);
  place.laneDim = getRank() - 1;
  place.numLanes = getLength();
  place.mask = getMask(numLanes);
  if (std::optional<int64_t> known = getConstantIntValue(numLanes))
    place.numExisting = std::min(*known, getLength());
  return place;
}

void AdaptiveKernel::store(const ElementPlace &place,
                           const Accumulator &lanes) {
  SmallVector<Value> values = {reduction.finish(at, lanes)};
  if (reduction.hasPositions())
    values.push_back(lanes.index);
  for (auto [chain, buffer, value] : llvm::zip_equal(chains, buffers, values))
    chain.store(at, value, buffer, place, {});
}
