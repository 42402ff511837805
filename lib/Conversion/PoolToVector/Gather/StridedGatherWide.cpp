// Loops over strides of many elements: what windows give is a scalar to a whole
// vector, whose lanes a mask chooses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"
#include "Gather/StridedGather.h"
#include "Problem/CostModel.h"
#include "Reduce/LoopDim.h"
#include "Sink/ElementwiseChain.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pool;

bool StridedGather::needsSums() const {
  return llvm::any_of(ArrayRef(dims).drop_back(), [](const GatheredDim &dim) {
    return dim.padBegin != nullptr;
  });
}

void StridedGather::allocateSums() {
  auto rowType = MemRefType::get(ShapedType::kDynamic, type.getElementType());
  if (needsSums())
    sums = memref::AllocOp::create(b, loc, rowType,
                                   ValueRange{dims.back().numWindows},
                                   b.getI64IntegerAttr(64));
}

StridedGather::WindowRow StridedGather::sumWindows(ValueRange row) {
  if (!sums)
    return {source, llvm::to_vector(row)};
  Value numWindows = dims.back().numWindows;
  at.forEach(at.index(0), numWindows, length, [&](Value first) {
    Value mask = createLaneMask(b, loc, length, {}, at.sub(numWindows, first));
    Value sum = zeros;
    forEachCovering(at, ArrayRef(dims).drop_back(), row, sum,
                    [&](ArrayRef<Value> position) {
                      SmallVector<Value> place(position);
                      place.push_back(first);
                      Value lanes = load(source, place, mask);
                      sum = arith::AddFOp::create(b, loc, sum, lanes);
                    });
    storeLanes(b, loc, sum, sums, first, mask);
  });
  return {sums, {}};
}

Value StridedGather::getTaps(Value offset) {
  const GatheredDim &lanes = dims.back();
  Value mask = createLaneMask(b, loc, length, {},
                              at.sub(at.index(lanes.getReach() + 1), offset));
  if (lanes.dilation == 1)
    return mask;
  // Among lanes with consecutive remainders, the lanes with remainder zero.
  SmallVector<int32_t> remainders;
  for (int64_t lane = 0; lane < length; ++lane)
    remainders.push_back(lane % lanes.dilation);
  Value own = at.rem(offset, lanes.dilation);
  Value missing = at.rem(at.sub(at.index(lanes.dilation), own), lanes.dilation);
  missing = arith::IndexCastOp::create(b, loc, b.getI32Type(),
                                       at.min(missing, length));
  Value isTap = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq,
      arith::ConstantOp::create(b, loc, b.getI32VectorAttr(remainders)),
      vector::BroadcastOp::create(b, loc, type.clone(b.getI32Type()), missing));
  return arith::AndIOp::create(b, loc, mask, isTap);
}

Value StridedGather::addToLanes(const WindowRow &sums, Value window,
                                Value lanes, Value sum) {
  SmallVector<Value> position = sums.row;
  position.push_back(window);
  Value added = vector::BroadcastOp::create(
      b, loc, type, memref::LoadOp::create(b, loc, sums.buffer, position));
  added = arith::AddFOp::create(b, loc, sum, added);
  return arith::SelectOp::create(b, loc, lanes, added, sum);
}

Value StridedGather::gatherInStride(const WindowRow &sums, Value stride,
                                    Value offset, bool isInterior) {
  const GatheredDim &lanes = dims.back();
  if (lanes.dilation > lanes.stride)
    return gatherTaps(sums, stride, offset);
  auto add = [&](Value window, Value before, Value sum) {
    Value taps = getTaps(at.add(at.mul(before, lanes.stride), offset));
    return addToLanes(sums, window, taps, sum);
  };
  int64_t last = lanes.getReach() / lanes.stride;
  Value sum = zeros;
  if (isInterior && last < cost::kMaxStraightWindows) {
    for (int64_t before = last; before >= 0; --before)
      sum = add(at.sub(stride, before), at.index(before), sum);
    return sum;
  }
  at.forEach(
      at.max(at.sub(stride, last), 0),
      at.min(at.add(stride, 1), lanes.numWindows), 1, sum,
      [&](Value window) { sum = add(window, at.sub(stride, window), sum); });
  return sum;
}

Value StridedGather::gatherTaps(const WindowRow &sums, Value stride,
                                Value offset) {
  const GatheredDim &lanes = dims.back();
  // The taps of windows that exist. The first one is at least `stride -
  // numWindows + 1` strides after its window. The last one is no later than the
  // end of this stride.
  Value numBefore = at.max(at.add(at.sub(stride, lanes.numWindows), 1), 0);
  Value begin = at.ceilDiv(at.mul(numBefore, lanes.stride), lanes.dilation);
  Value last = at.add(at.mul(stride, lanes.stride), lanes.stride - 1);
  Value end =
      at.min(at.add(at.divUnsigned(last, lanes.dilation), 1), lanes.kernel);
  Value sum = zeros;
  at.forEach(begin, end, 1, sum, [&](Value i) {
    // In the order of the windows, which is the other way round.
    Value tap = at.sub(at.sub(at.add(begin, end), 1), i);
    Value distance = at.mul(tap, lanes.dilation);
    Value window = at.sub(stride, at.floorDiv(distance, lanes.stride));
    Value lane = at.sub(at.rem(distance, lanes.stride), offset);
    Value isLane = createOneLaneMask(b, loc, length, lane);
    sum = addToLanes(sums, window, isLane, sum);
  });
  return sum;
}

void StridedGather::emitStride(ValueRange row, const WindowRow &sums,
                               Value stride, Value begin, bool isInterior) {
  const GatheredDim &lanes = dims.back();
  auto emitVector = [&](Value offset, Value mask) {
    SmallVector<Value> place(row);
    place.push_back(at.add(begin, offset));
    store(gatherInStride(sums, stride, offset, isInterior), place, mask);
  };
  if (isInterior && lanes.stride <= cost::kMaxGatherVectors * length) {
    for (int64_t offset = 0; offset < lanes.stride; offset += length) {
      int64_t numLanes = std::min(lanes.stride - offset, length);
      emitVector(at.index(offset),
                 numLanes == length
                     ? Value()
                     : createLaneMask(b, loc, length, 0, numLanes));
    }
    return;
  }
  // The elements of it that there are.
  Value end = at.min(at.sub(lanes.extent, begin), lanes.stride);
  at.forEach(
      at.max(at.sub(at.index(0), begin), 0), end, length, [&](Value offset) {
        emitVector(offset,
                   createLaneMask(b, loc, length, {}, at.sub(end, offset)));
      });
}

void StridedGather::emitStrides(ValueRange row, const WindowRow &sums) {
  const GatheredDim &lanes = dims.back();
  auto [firstStride, endStride] = lanes.getStrides(b, loc);
  at.forEach(firstStride, endStride, 1, [&](Value stride) {
    Value begin = at.sub(at.mul(stride, lanes.stride), lanes.padBegin);
    int64_t last = lanes.getReach() / lanes.stride;
    Value hasWindows =
        at.both(at.isAtLeast(stride, at.index(last)),
                at.isAtLeast(lanes.numWindows, at.add(stride, 1)));
    Value hasElements =
        at.both(at.isAtLeast(begin, at.index(0)),
                at.isAtLeast(lanes.extent, at.add(begin, lanes.stride)));
    at.ifElse(at.both(hasWindows, hasElements), [&](bool isInterior) {
      emitStride(row, sums, stride, begin, isInterior);
    });
  });
}
