// Loads and stores of stages: elements of the input, accumulators in buffers,
// and outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StageLoops.h"

using namespace mlir;
using namespace mlir::pool;

LaneRange StageLoops::getLanes(unsigned d) {
  return LaneRange::get(at, stages[d].numLanes, 0, stages[d].inner);
}

Accumulator StageLoops::load(unsigned d, Value position, Value element) {
  const LoopDim &dim = kernel.dims[d];
  if (!dim.coversPadding)
    return loadInside(d, position, element);
  // A load outside of the input could leave the buffer. So load the nearest
  // element inside. Unless it may stand for padding, the fill replaces it
  // below.
  Accumulator lanes = loadInside(d, dim.clampToInput(at, position), element);
  if (kernel.problem.mayClamp)
    return lanes;
  LaneReduction reduction = getReduction(d);
  Accumulator padding = {reduction.getFill(at), reduction.getEmpty(at).index};
  return selectLanes(at, dim.contains(at, position, 1), lanes, padding);
}

Accumulator StageLoops::loadInside(unsigned d, Value position, Value element) {
  LaneReduction reduction = getReduction(d);
  Value first = at.add(at.mul(position, stages[d].inner), element);
  Value offset;
  if (reduction.hasPositions()) {
    SmallVector<OpFoldResult> weights = kernel.op.getMixedPositions();
    offset = at.mul(position, at.value(weights[1 + d]));
    if (d == 0)
      offset = at.add(offset, at.value(weights[0]));
    offset = at.splat(reduction.getPositionType(), offset);
  }
  if (d == 0) {
    SmallVector<Value> place(lead);
    place.push_back(first);
    Value stored = reduction.load(at, input, place, getLanes(d));
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
  // Nothing chosen has no position.
  Value none = reduction.getEmpty(at).index;
  Value isNone = at.isEqual(positions, none);
  return at.select(isNone, none, at.add(positions, offset));
}

void StageLoops::storeResult(unsigned d, Value window, Value element,
                             Accumulator lanes) {
  Value place = at.add(element, stages[d].rowPadding);
  if (!stages[d + 1].isAlong)
    return results[d].store(at, lanes, {window, place});
  LaneReduction reduction = getReduction(d);
  if (reduction.hasPositions()) {
    // Lanes are neighbouring positions of the last dimension.
    VectorType type = reduction.getPositionType();
    Value steps = at.castIndex(
        type, vector::StepOp::create(at, type.clone(at.getIndexType())));
    Value weight = at.value(kernel.op.getMixedPositions().back());
    Value offset = at.add(at.splat(type, at.mul(element, weight)),
                          at.mul(steps, at.splat(type, weight)));
    lanes.index = addToPositions(reduction, lanes.index, offset);
  }
  // Lanes without elements are padding of the next stage.
  results[d].store(at, lanes, {window, place}, getLanes(d));
}

void StageLoops::storeOutput(ArrayRef<Value> coordinates, Accumulator lanes) {
  const Stage &stage = stages.back();
  LaneReduction reduction = getReduction(stages.size() - 1);
  SmallVector<Value> element(lead);
  llvm::append_range(element, windows);
  llvm::append_range(element, coordinates);
  kernel.store(reduction, lanes, element,
               stage.isAlong ? *kernel.dims.back().knownOutput : stage.inner);
}
