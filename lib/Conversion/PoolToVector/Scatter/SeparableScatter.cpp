// Loops over the rows of a plane, there and back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/SeparableScatter.h"

#include "Emit/LaneMask.h"
#include "Problem/CostModel.h"
#include "Scatter/IndexedScatter.h"

using namespace mlir;
using namespace mlir::pool;

void SeparablePlan::emit(ScatterEmitter &emitter) const {
  std::string reason;
  WindowShape shape = *WindowShape::get(emitter.problem, reason);
  shape.setCodeWidth(emitter.problem.target,
                     std::max(shape.row.kernel, shape.column.kernel));
  SeparableScatter(emitter, shape).create();
}

SeparableScatter::SeparableScatter(const ScatterEmitter &emitter,
                                   const WindowShape &shape)
    : PlaneScatter(emitter, shape), emitter(emitter), input(emitter.input),
      choice(emitter.problem.choice->withLength(length)),
      preference(*emitter.problem.preference) {}

void SeparableScatter::create() {
  auto allocate = [&] { allocateBuffers(); };
  auto emit = [&](ValueRange outer) { return emitPlane(outer); };
  if (preference.nanMode == NanMode::Propagate) {
    SmallVector<Value> upper = at.getExtents(target);
    upper.truncate(shape.numOuter);
    return at.forEachTogether(upper, getNumTogether(), allocate, emit);
  }
  IndexedScatter byWindow(emitter, sumType.getElementType(), /*condition=*/{},
                          [&](KernelBuilder &, ValueRange position) {
                            return chooseElement(position);
                          });
  byWindow.createParts(shape.numOuter, getNumTogether(), allocate, emit);
}

int64_t SeparableScatter::getNumReached() const {
  return (shape.row.output - 1) * shape.row.stride +
         WindowShape::getReach(shape.row) + 1;
}

bool SeparableScatter::addsToEachNewRow() const {
  return shape.row.dilation == 1 && shape.row.stride <= shape.row.kernel;
}

void SeparableScatter::allocateBuffers() {
  int64_t numPlaces = getNumPlaces(), pitch = shape.getPitch();
  SmallVector<Value> buffers = allocate(
      {MemRefType::get({numPlaces, pitch}, choice.getType().getElementType()),
       MemRefType::get({numPlaces, pitch}, codeType.getElementType()),
       MemRefType::get({numPlaces, pitch}, sumType.getElementType())});
  values = buffers[0];
  taps = buffers[1];
  gradients = buffers[2];
  at.forEach(at.index(0), at.index(numPlaces), 1, [&](Value place) {
    fillRow(gradients, place, 0, pitch, getZeros());
    fillRow(taps, place, 0, pitch, getSplat(kNone));
  });
}

Value SeparableScatter::emitPlane(ValueRange outer) {
  int64_t stride = shape.row.stride, numReached = getNumReached();
  int64_t reach = WindowShape::getReach(shape.row);
  // The others of the first step, which are all new.
  if (addsToEachNewRow())
    at.forEach(at.index(0), at.index(reach + 1 - stride), 1, [&](Value row) {
      int64_t margin = shape.getMargin();
      fillRow(gradients, row, margin, margin + shape.getNumWritten(),
              getZeros());
    });
  SmallVector<Value> suspects;
  if (preference.nanMode == NanMode::Ignore)
    suspects.push_back(
        at.constant(VectorType::get(length, at.getI1Type()), false));
  at.forEach(at.index(0), at.index(shape.getNumSteps() + 1), 1, suspects,
             [&](Value r) {
               chooseRowIfThere(outer, r, suspects);
               // The step before is done with these.
               Value first = at.mul(r, stride);
               at.forEach(at.sub(first, stride), first, 1, [&](Value row) {
                 auto [isInside, inside] = getInside(row);
                 at.ifTrue(isInside, [&, inside = inside] {
                   if (shape.row.padBegin + shape.row.input <= numReached)
                     return gatherRow(outer, row);
                   Value isReached = at.isBelow(row, at.index(numReached));
                   at.ifTrue(isReached, [&] { gatherRow(outer, row); });
                   Value isBeyond = at.isAtLeast(row, at.index(numReached));
                   at.ifTrue(isBeyond, [&] {
                     storeTarget(outer, inside, [&](Value) {
                       return SmallVector<Value>(shape.column.stride,
                                                 getZeros());
                     });
                   });
                 });
               });
             });
  if (suspects.empty())
    return {};
  Value any =
      vector::ReductionOp::create(at, vector::CombiningKind::OR, suspects[0]);
  return arith::XOrIOp::create(
      at, any, arith::ConstantIntOp::create(at, 1, /*width=*/1));
}

void SeparableScatter::chooseRowIfThere(ValueRange outer, Value r,
                                        MutableArrayRef<Value> suspects) {
  Value isThere = at.isBelow(r, at.index(shape.row.output));
  at.ifTrue(isThere, suspects, [&] {
    reduceNewRows(outer, r);
    scatterRow(outer, r, suspects);
  });
}

//===----------------------------------------------------------------------===//
// And back
//===----------------------------------------------------------------------===//

void SeparableScatter::scatterRow(ValueRange outer, Value r,
                                  MutableArrayRef<Value> suspects) {
  const ResolvedDim &dim = shape.row;
  Value first = at.mul(r, dim.stride);
  SmallVector<Value> places;
  for (int64_t tap = 0; tap < dim.kernel; ++tap)
    places.push_back(getPlace(at.add(first, tap * dim.dilation)));
  // Rows of padding stand for the first one inside.
  Value firstTap;
  if (dim.padBegin > 0)
    firstTap = at.splat(
        codeType, at.ceilDiv(at.max(at.sub(at.index(dim.padBegin), first), 0),
                             dim.dilation));
  SmallVector<Value> row = getRowIndices(outer, r);
  forEachVector(at, at.index(shape.column.output), length, suspects,
                [&](Value column, Value numLanes) {
                  scatterVector(places, firstTap, append(row, column),
                                LaneRange::getFirst(length, numLanes),
                                suspects);
                });
}

void SeparableScatter::scatterVector(ValueRange places, Value firstTap,
                                     ValueRange position,
                                     const LaneRange &range,
                                     MutableArrayRef<Value> suspects) {
  const ResolvedDim &dim = shape.row;
  Value there = at.add(position.back(), shape.getMargin());
  Accumulator acc;
  for (int64_t tap = 0; tap < dim.kernel; ++tap) {
    Accumulator next{loadRow(values, places[tap], there), getSplat(tap)};
    acc = acc.value ? choice.combine(at, acc, next) : next;
  }
  if (firstTap)
    acc.index = at.max(acc.index, firstTap);
  Value element =
      extendElement(at, at.getLoc(),
                    loadLanes(at, length, source, position, range, /*fill=*/0),
                    sumType.getElementType());
  for (int64_t tap = 0; tap < dim.kernel; ++tap) {
    bool isNew = addsToEachNewRow() &&
                 tap * dim.dilation > WindowShape::getReach(dim) - dim.stride;
    Value before = isNew ? getZeros() : loadRow(gradients, places[tap], there);
    Value isNamed = at.isEqual(acc.index, getSplat(tap));
    Value added = at.addFloats(before, element);
    Value sum = at.select(isNamed, added, before);
    storeRow(sum, gradients, places[tap], there);
  }
  if (suspects.empty())
    return;
  Value suspect = choice.getNeedsRecomputing(at, acc.value);
  suspect = at.both(suspect, createLaneMask(at, length, range));
  suspects[0] = at.bitOr(suspects[0], suspect);
}

void SeparableScatter::gatherRow(ValueRange outer, Value row) {
  Value place = getPlace(row);
  storeTarget(outer, getInside(row).second, [&](Value firstStride) {
    return gatherStrip(place, firstStride);
  });
}

void SeparableScatter::storeTarget(
    ValueRange outer, Value row,
    function_ref<SmallVector<Value>(Value firstStride)> getSums) {
  forEachStrip([&](const WindowStrip &strip) {
    storeStrip(outer, row, strip, getSums(strip.first));
  });
}

SmallVector<Value> SeparableScatter::gatherStrip(Value place,
                                                 Value firstStride) {
  SmallVector<Value> sums(shape.column.stride, getZeros());
  for (auto [sum, covering] : llvm::zip_equal(sums, shape.classes))
    for (const WindowShape::Tap &tap : covering) {
      Value there = at.add(firstStride, shape.getMargin() + tap.shift);
      Value isNamed =
          at.isEqual(loadRow(taps, place, there), getSplat(tap.tap));
      Value added = at.addFloats(sum, loadRow(gradients, place, there));
      sum = at.select(isNamed, added, sum);
    }
  return sums;
}
