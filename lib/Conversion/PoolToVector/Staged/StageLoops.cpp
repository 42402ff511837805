// Loops over stages. A stage reduces a block of windows of its dimension, strip
// by strip of what comes after it in memory, into a buffer with a row for each
// window. The next stage reduces these rows one after the other. The last stage
// stores outputs.
//
// With two rows-and-columns dimensions, channels last:
//
//   input   row 0  [column 0: c0..c7][column 1: c0..c7] ...
//           row 1  [column 0: c0..c7][column 1: c0..c7] ...     lanes are any
//           ...            |                                    eight elements
//   stage 0: rows          v  across rows, for all columns and channels
//   buffer  window 0 [column 0: c0..c7][column 1: c0..c7] ...
//           window 1 ...              |                         lanes are
//   stage 1: columns                  v  across columns         channels
//   output  window 0 [column 0: c0..c7] ...
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/Staged.h"
#include "Staged/StagedPlan.h"

#include "Emit/LaneMask.h"
#include "Emit/Memory.h"
#include "Reduce/BlockReduction.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class StageLoops {
public:
  StageLoops(WindowKernel &kernel, const StagedPlan &plan);

  void create();

private:
  bool isLast(unsigned d) const { return d + 1 == stages.size(); }
  LaneReduction getReduction(unsigned d) const {
    return kernel.reduction.withLength(stages[d].numLanes);
  }
  /// Reduces the block of windows from `first` on, and what follows.
  void emitBlock(unsigned d, Value first);
  /// Reduces the elements from `element` on.
  void emitStrip(unsigned d, Value first, Value numWindows, Value element);
  /// Returns vector number `vector` of the elements at a position.
  Accumulator load(unsigned d, Value position, Value element);
  /// Returns the elements of the stage's source at a position inside.
  Accumulator loadInside(unsigned d, Value position, Value element);
  /// Lanes that have elements; null if all do.
  Value getMask(unsigned d);
  void storeOutput(Value window, Value element, Accumulator lanes);

  WindowKernel &kernel;
  OpBuilder &b;
  Location loc;
  KernelBuilder k;
  SmallVector<Stage> stages;
  /// The input with its spatial dimensions, and channels that are last, as one.
  Value input;
  /// Results of each stage but the last, and suffixes of each.
  SmallVector<AccumulatorBuffer> results, suffixes;
  /// Output coordinates before the spatial dimensions, and, of these, the
  /// windows and their rows of the buffers.
  SmallVector<Value> lead, windows, rows;
};
} // namespace

StageLoops::StageLoops(WindowKernel &kernel, const StagedPlan &plan)
    : kernel(kernel), b(kernel.b), loc(kernel.getLoc()), k(b, loc),
      stages(getStages(kernel.problem, plan)) {}

void StageLoops::create() {
  unsigned numLead = kernel.op.getWindow().getSpatialDim(0);
  input = collapseFrom(b, loc, kernel.input, numLead);
  SmallVector<Value> upper = kernel.getOutputShape();
  upper.truncate(numLead);
  upper.push_back(k.ceilDiv(kernel.dims[0].output, stages[0].block));
  upper.front() = getNumUnlessEmpty(k, kernel.dims, upper.front());
  k.forEachParallel(upper, [&](ValueRange position) {
    for (auto [d, stage] : llvm::enumerate(stages)) {
      LaneReduction reduction = getReduction(d);
      suffixes.push_back(AccumulatorBuffer::allocate(
          b, loc, reduction, {stage.block, stage.getWidth()}));
      if (!isLast(d))
        results.push_back(AccumulatorBuffer::allocate(
            b, loc, reduction,
            {stage.block, stage.getBufferWidth(kernel.problem)}));
    }
    lead = llvm::to_vector(position.drop_back());
    emitBlock(0, k.mul(position.back(), stages[0].block));
  });
}

void StageLoops::emitBlock(unsigned d, Value first) {
  const Stage &stage = stages[d];
  const LoopDim &dim = kernel.dims[d];
  Value numWindows = k.index(stage.block);
  if (*dim.knownOutput % stage.block != 0)
    numWindows = k.min(k.sub(dim.output, first), stage.block);
  int64_t width = stage.getWidth();
  if (stage.inner <= width)
    emitStrip(d, first, numWindows, k.index(0));
  else
    // The last strip is moved to the end.
    k.forEach(k.index(0), k.index(stage.inner), width, [&](Value element) {
      if (stage.inner % width != 0)
        element = k.min(element, stage.inner - width);
      emitStrip(d, first, numWindows, element);
    });
  if (isLast(d))
    return;
  k.forEach(k.index(0), numWindows, 1, [&](Value row) {
    rows.push_back(row);
    windows.push_back(k.add(first, row));
    k.forEach(k.index(0), kernel.dims[d + 1].output, stages[d + 1].block,
              [&](Value next) { emitBlock(d + 1, next); });
    rows.pop_back();
    windows.pop_back();
  });
}

void StageLoops::emitStrip(unsigned d, Value first, Value numWindows,
                           Value element) {
  const Stage &stage = stages[d];
  const LoopDim &dim = kernel.dims[d];
  LaneReduction reduction = getReduction(d);
  Value start = dim.getStart(k, first);
  auto getElement = [&](int64_t vector) {
    return k.add(element, vector * stage.numLanes);
  };
  BlockReduction(b, loc, reduction, dim, stage.numVectors)
      .emit(
          numWindows, suffixes[d],
          [&](Value position) {
            SmallVector<Accumulator> lanes;
            for (int64_t i = 0; i < stage.numVectors; ++i)
              lanes.push_back(load(d, k.add(start, position), getElement(i)));
            return lanes;
          },
          [&](Value window, ArrayRef<Accumulator> lanes) {
            for (auto [i, acc] : llvm::enumerate(lanes))
              if (isLast(d))
                storeOutput(k.add(first, window), getElement(i), acc);
              else
                results[d].store(b, loc, acc, {window, getElement(i)});
          });
}

Value StageLoops::getMask(unsigned d) {
  const Stage &stage = stages[d];
  if (stage.inner >= stage.numLanes)
    return {};
  return createLaneMask(b, loc, stage.numLanes, 0, stage.inner);
}

Accumulator StageLoops::load(unsigned d, Value position, Value element) {
  const LoopDim &dim = kernel.dims[d];
  if (!dim.coversPadding)
    return loadInside(d, position, element);
  // What is read does not matter where it is not inside, but that it is there.
  Accumulator lanes = loadInside(d, dim.clampToInput(k, position), element);
  if (kernel.problem.mayClamp)
    return lanes;
  LaneReduction reduction = getReduction(d);
  Value isInside = dim.contains(k, position, 1);
  lanes.value = arith::SelectOp::create(b, loc, isInside, lanes.value,
                                        reduction.getFill(b, loc));
  if (lanes.index)
    lanes.index = arith::SelectOp::create(b, loc, isInside, lanes.index,
                                          reduction.getEmpty(b, loc).index);
  return lanes;
}

Accumulator StageLoops::loadInside(unsigned d, Value position, Value element) {
  LaneReduction reduction = getReduction(d);
  Value first = k.add(k.mul(position, stages[d].inner), element);
  Value offset;
  if (reduction.hasPositions()) {
    SmallVector<OpFoldResult> weights = kernel.op.getMixedPositions();
    offset = k.mul(position,
                   getValueOrCreateConstantIndexOp(b, loc, weights[1 + d]));
    if (d == 0)
      offset =
          k.add(offset, getValueOrCreateConstantIndexOp(b, loc, weights[0]));
    offset = vector::BroadcastOp::create(
        b, loc, reduction.getType().clone(b.getI64Type()),
        arith::IndexCastOp::create(b, loc, b.getI64Type(), offset));
  }
  if (d == 0) {
    SmallVector<Value> place(lead);
    place.push_back(first);
    Value stored = reduction.load(b, loc, input, place, getMask(d));
    return reduction.getLanes(b, loc, reduction.prepare(b, loc, stored),
                              offset);
  }
  Accumulator lanes =
      results[d - 1].load(b, loc, reduction, {rows.back(), first});
  if (!offset)
    return lanes;
  // Nothing chosen has no position.
  Value none = reduction.getEmpty(b, loc).index;
  Value isNone = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       lanes.index, none);
  lanes.index = arith::SelectOp::create(
      b, loc, isNone, none, arith::AddIOp::create(b, loc, lanes.index, offset));
  return lanes;
}

void StageLoops::storeOutput(Value window, Value element, Accumulator lanes) {
  LaneReduction reduction = getReduction(stages.size() - 1);
  ElementPlace place;
  place.coordinates = lead;
  llvm::append_range(place.coordinates, windows);
  place.coordinates.append({window, element});
  place.laneDim = kernel.getRank() - 1;
  place.numLanes = reduction.getLength();
  place.mask = getMask(stages.size() - 1);
  place.numExisting = std::min(place.numLanes, stages.back().inner);
  SmallVector<Value> values = {reduction.finish(b, loc, lanes)};
  if (reduction.hasPositions())
    values.push_back(lanes.index);
  for (auto [chain, buffer, value] :
       llvm::zip_equal(kernel.chains, kernel.buffers, values))
    chain.store(b, loc, value, buffer, place, {});
}

void pool::emitStaged(WindowKernel &kernel, PlanAttr plan) {
  StageLoops(kernel, getChecked<StagedPlan>(plan)).create();
}
