// Loads and stores of stages: elements of the input, accumulators in buffers,
// and outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StageLoops.h"

using namespace mlir;
using namespace mlir::pool;

Accumulator StageLoops::load(unsigned d, Value position, Value element,
                             const LaneRange &existing) {
  const LoopDim &dim = dims[d];
  if (!dim.coversPadding)
    return loadInside(d, position, element, existing);
  // A load outside of the input could leave the buffer. So load the nearest
  // element inside. Unless that may stand for padding, the fill replaces it
  // below. With dilation, it may be no tap of the window.
  Accumulator lanes =
      loadInside(d, dim.clampToInput(at, position), element, existing);
  if (problem.mayClamp && dim.dilation == 1)
    return lanes;
  LaneReduction reduction = getReduction(d);
  Accumulator padding = {reduction.getFill(at), reduction.getEmpty(at).index};
  return selectLanes(at, dim.contains(at, position, 1), lanes, padding);
}

Accumulator StageLoops::loadInside(unsigned d, Value position, Value element,
                                   const LaneRange &existing) {
  LaneReduction reduction = getReduction(d);
  Value first = at.add(at.mul(position, inner[d]), element);
  Value offset;
  if (reduction.hasPositions()) {
    offset = at.mul(position, weights[1 + d]);
    if (d == 0)
      offset = at.add(offset, weights[0]);
    offset = at.splat(reduction.getPositionType(), offset);
  }
  if (d == 0) {
    SmallVector<Value> place(lead);
    place.push_back(first);
    Value stored = reduction.load(at, input, place, existing);
    return reduction.getLanes(at, reduction.prepare(at, stored), offset);
  }
  Accumulator lanes = results[d - 1].load(at, reduction, {rows.back(), first});
  if (!offset)
    return lanes;
  lanes.index = addToPositions(reduction, lanes.index, offset);
  return lanes;
}

Value StageLoops::addToPositions(const LaneReduction &reduction,
                                 Value positions, Value offset) {
  // A lane that chose nothing keeps the empty position.
  Value none = reduction.getEmpty(at).index;
  Value isNone = at.isEqual(positions, none);
  return at.select(isNone, none, at.add(positions, offset));
}

void StageLoops::storeResult(unsigned d, Value window, Value element,
                             const LaneRange &existing, Accumulator lanes) {
  if (!stages[d + 1].isAlong)
    return results[d].store(at, lanes, {window, element});
  LaneReduction reduction = getReduction(d);
  if (reduction.hasPositions()) {
    // Lanes are neighbouring positions of the last dimension.
    VectorType type = reduction.getPositionType();
    Value steps = at.castIndex(
        type, vector::StepOp::create(at, type.clone(at.getIndexType())));
    Value offset = at.add(at.splat(type, at.mul(element, weights.back())),
                          at.mul(steps, at.splat(type, weights.back())));
    lanes.index = addToPositions(reduction, lanes.index, offset);
  }
  // Lanes without elements are padding of the next stage.
  Value place = at.add(element, dims[d + 1].padBegin);
  results[d].store(at, lanes, {window, place}, existing);
}

void StageLoops::storeOutput(ArrayRef<Value> coordinates,
                             const LaneRange &existing, Accumulator lanes) {
  SmallVector<Value> place(lead);
  llvm::append_range(place, windows);
  llvm::append_range(place, coordinates);
  kernel.store(getReduction(stages.size() - 1), lanes, place, existing);
}
