// Loads, loops and stores that all kernels of adaptive pooling share, and the
// kernel for channels-last buffers: its lanes are channels, and the bounds of a
// window scalars.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"

#include "Emit/Memory.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace mlir::pool;

AdaptiveKernel::AdaptiveKernel(KernelBuilder &at,
                               const AdaptiveProblem &problem, Value input,
                               const FusedResults &results)
    : at(at), problem(problem), reduction(problem.reduction), input(input),
      results(results), inputShape(at.getExtents(input)) {
  unsigned firstDim = problem.layout == Layout::ChannelsFirst ? 2 : 1;
  for (auto [i, output] : llvm::enumerate(problem.outputs))
    dims.push_back(resolveAdaptiveDim(
        at, at.getLoc(), getAsOpFoldResult(inputShape[firstDim + i]), output));
}

PositionRange AdaptiveKernel::getInterval(unsigned i, Value o) {
  const SymbolicAdaptiveDim &dim = dims[i];
  OpFoldResult begin = getStart(at, at.getLoc(), dim, o);
  AffineExpr sum = at.getAffineSymbolExpr(0) + at.getAffineSymbolExpr(1);
  OpFoldResult end = affine::makeComposedFoldedAffineApply(
      at, at.getLoc(), sum, {begin, getSize(at, at.getLoc(), dim, o)});
  return {at.value(begin), at.value(end)};
}

SmallVector<PositionRange> AdaptiveKernel::getIntervals(ValueRange outputs) {
  SmallVector<PositionRange> intervals;
  for (auto [i, o] : llvm::enumerate(outputs))
    intervals.push_back(getInterval(i, o));
  return intervals;
}

Accumulator AdaptiveKernel::load(ValueRange position, const LaneRange &range) {
  Value element =
      reduction.prepare(at, reduction.load(at, input, position, range));
  if (!reduction.hasPositions())
    return reduction.getLanes(at, element, {});
  int64_t axis = problem.carriedAxis;
  Value first = getElementNumber(at, ArrayRef(inputShape).drop_front(axis),
                                 llvm::to_vector(position.drop_front(axis)));
  VectorType type = reduction.getPositionType();
  Value positions =
      at.add(at.splat(type, first),
             at.lanes(type, llvm::to_vector(llvm::seq(getLength()))));
  positions = selectRange(at, range, positions, getEmpty().index);
  return reduction.getLanes(at, element, positions);
}

void AdaptiveKernel::appendWindow(ValueRange outer,
                                  ArrayRef<PositionRange> intervals,
                                  ArrayRef<LaneVector> strip,
                                  MutableArrayRef<Accumulator> accs) {
  SmallVector<LaneRange> ranges;
  for (const LaneVector &vector : strip)
    ranges.push_back(LaneRange::getFirst(getLength(), vector.numLanes));
  at.forEachIn(intervals, accs, [&](ValueRange inner) {
    SmallVector<Value> position(outer);
    llvm::append_range(position, inner);
    for (auto [acc, vector, range] : llvm::zip_equal(accs, strip, ranges)) {
      Accumulator next = load(append(position, vector.first), range);
      acc = acc.value
                ? reduction.choose(at, acc, next)
                : Accumulator{reduction.begin(at, next.value), next.index};
    }
  });
}

void AdaptiveKernel::forEachStrip(
    Value extent, int64_t mostVectors,
    function_ref<void(ArrayRef<LaneVector>)> body) {
  int64_t length = getLength();
  Value begin = at.index(0);
  for (int64_t n : {mostVectors, int64_t(1)}) {
    Value end = at.mul(at.floorDiv(extent, n * length), n * length);
    at.forEach(begin, end, n * length, [&, n = n](Value first) {
      SmallVector<LaneVector> strip;
      for (int64_t v = 0; v < n; ++v)
        strip.push_back({at.add(first, v * length), at.index(length)});
      body(strip);
    });
    begin = end;
  }
  at.forEach(begin, extent, length, [&](Value first) {
    body(LaneVector{first, at.sub(extent, first)});
  });
}

void AdaptiveKernel::store(ValueRange coordinates, LaneVector outputs,
                           const Accumulator &lanes) {
  ElementPlace place;
  place.coordinates = append(coordinates, outputs.first);
  place.laneDim = coordinates.size();
  place.numLanes = getLength();
  place.existing = LaneRange::getFirst(getLength(), outputs.numLanes);
  SmallVector<Value> values = {reduction.finish(at, lanes)};
  if (reduction.hasPositions())
    values.push_back(lanes.index);
  for (auto [chain, buffer, value] :
       llvm::zip_equal(results.chains, results.buffers, values))
    chain.store(at, value, buffer, place, {});
}

void AdaptiveChannelsPlan::emit(AdaptiveKernel &kernel) const {
  KernelBuilder &at = kernel.at;
  SmallVector<Value> upper = {kernel.inputShape[0]};
  for (int64_t output : kernel.problem.outputs)
    upper.push_back(at.index(output));
  at.forEachParallel(upper, [&](ValueRange outputs) {
    SmallVector<PositionRange> window =
        kernel.getIntervals(outputs.drop_front());
    auto emitStrip = [&](ArrayRef<LaneVector> strip) {
      SmallVector<Accumulator> accs(strip.size(), kernel.getEmpty());
      kernel.appendWindow(outputs[0], window, strip, accs);
      for (auto [acc, channels] : llvm::zip_equal(accs, strip))
        kernel.store(outputs, channels, acc);
    };
    kernel.forEachStrip(kernel.inputShape.back(), numVectors, emitStrip);
  });
}
