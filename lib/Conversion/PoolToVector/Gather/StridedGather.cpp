// Loops over rows of elements that gather from windows. Rows of windows are
// added, and shuffles spread the sums over the elements of a stride. If a
// stride has many elements, a window's scalar goes to the lanes that a mask
// chooses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/StridedGather.h"

#include "Emit/LaneMask.h"
#include "Problem/CostModel.h"
#include "Reduce/LoopDim.h"
#include "Sink/ElementwiseChain.h"

using namespace mlir;
using namespace mlir::pool;

StridedGather::StridedGather(KernelBuilder &at, int64_t vectorBits,
                             Value source, Value target,
                             ArrayRef<GatheredDim> dims)
    : at(at), source(source), target(target), dims(dims) {
  Type element = cast<MemRefType>(source.getType()).getElementType();
  length = getNumLanes(vectorBits, element.getIntOrFloatBitWidth());
  type = VectorType::get(length, element);
  zeros = at.constant(at.getZeroAttr(type));
  // Lanes that are channels are each their own window.
  if (GatheredDim &lanes = this->dims.back(); !lanes.padBegin) {
    lanes.padBegin = at.index(0);
    lanes.numWindows = lanes.extent;
  }
}

void StridedGather::create() {
  if (dims.back().stride <= cost::kMaxGatherStride)
    return forEachRow(
        /*numTogether=*/1, [] {}, [&](ValueRange row) { emitStrips(row); });
  forEachRow(
      needsSums() ? cost::kRowsTogether : 1, [&] { allocateSums(); },
      [&](ValueRange row) { emitStrides(row, sumWindows(row)); });
}

void StridedGather::forEachRow(int64_t numTogether, function_ref<void()> begin,
                               function_ref<void(ValueRange row)> emit) {
  SmallVector<Value> upper;
  for (const GatheredDim &dim : ArrayRef(dims).drop_back())
    upper.push_back(dim.extent);
  at.forEachTogether(upper, numTogether, begin, emit);
}

//===----------------------------------------------------------------------===//
// Parts of both
//===----------------------------------------------------------------------===//

Value StridedGather::getMask(Value first, Value extent) {
  return createLaneMask(at, length, at.sub(at.index(0), first),
                        at.sub(extent, first));
}

Value StridedGather::load(Value buffer, ArrayRef<Value> position, Value mask) {
  return loadLanes(at, length, buffer, position, mask, /*fill=*/0);
}

void StridedGather::store(Value sums, ArrayRef<Value> place, Value mask) {
  Type element = cast<MemRefType>(target.getType()).getElementType();
  if (element != type.getElementType())
    sums = arith::TruncFOp::create(at, type.clone(element), sums);
  storeLanes(at, sums, target, place, mask);
}

//===----------------------------------------------------------------------===//
// Strides of few elements
//===----------------------------------------------------------------------===//

void StridedGather::emitStrips(ValueRange row) {
  const GatheredDim &lanes = dims.back();
  windowsBefore = lanes.getWindowsBefore();
  int64_t last = 0;
  for (const WindowsBefore &windows : windowsBefore)
    last = std::max(last, windows.getLast());

  // As many strides as elements take, whether or not windows begin there.
  auto [begin, end] = lanes.getStrides(at);
  at.forEach(begin, end, length, [&](Value first) {
    Value place = at.sub(at.mul(first, lanes.stride), lanes.padBegin);
    Value hasWindows =
        at.both(at.isAtLeast(first, at.index(last)),
                at.isAtLeast(lanes.numWindows, at.add(first, length)));
    Value hasElements = at.both(
        at.isAtLeast(place, at.index(0)),
        at.isAtLeast(lanes.extent, at.add(place, length * lanes.stride)));
    at.ifElse(at.both(hasWindows, hasElements),
              [&](bool isInterior) { emitStrip(row, first, isInterior); });
  });
}

Value StridedGather::addWindows(ArrayRef<Value> position,
                                const WindowsBefore &windows, Value first,
                                bool isInterior, Value sum) {
  Value numWindows = dims.back().numWindows;
  SmallVector<Value> place(position);
  place.emplace_back();
  auto add = [&](Value before, Value sum) -> Value {
    place.back() = at.sub(first, before);
    Value mask = isInterior ? Value() : getMask(place.back(), numWindows);
    return at.addFloats(sum, load(source, place, mask));
  };
  if (windows.count <= cost::kMaxStraightWindows) {
    for (int64_t i = 0; i < windows.count; ++i)
      sum = add(at.index(windows.first + i * windows.step), sum);
    return sum;
  }
  Value begin = at.index(0), end = at.index(windows.count);
  if (!isInterior) {
    // Only windows that exist in the row.
    Value own = at.sub(first, windows.first);
    begin =
        at.ceilDiv(at.max(at.add(at.sub(own, numWindows), 1), 0), windows.step);
    end = at.min(end, at.ceilDiv(at.max(at.add(own, length), 0), windows.step));
  }
  at.forEach(begin, end, 1, sum, [&](Value i) {
    sum = add(at.add(at.mul(i, windows.step), windows.first), sum);
  });
  return sum;
}

void StridedGather::emitStrip(ValueRange row, Value first, bool isInterior) {
  const GatheredDim &lanes = dims.back();
  SmallVector<Value> sums(windowsBefore.size(), zeros);
  forEachCovering(
      at, ArrayRef(dims).drop_back(), row, sums, [&](ArrayRef<Value> position) {
        for (auto [windows, sum] : llvm::zip_equal(windowsBefore, sums))
          sum = addWindows(position, windows, first, isInterior, sum);
      });
  for (int64_t v = 0; v < lanes.stride; ++v) {
    Value result;
    for (auto [windows, sum] : llvm::zip_equal(windowsBefore, sums)) {
      SmallVector<int64_t> ofLanes;
      for (int64_t lane = v * length; lane < (v + 1) * length; ++lane)
        ofLanes.push_back(
            windows.covers[lane % lanes.stride] ? lane / lanes.stride : length);
      Value part = at.shuffle(sum, zeros, ofLanes);
      result = result ? at.addFloats(result, part) : part;
    }
    SmallVector<Value> place(row);
    Value begin = at.sub(at.mul(first, lanes.stride), lanes.padBegin);
    place.push_back(at.add(begin, v * length));
    store(result, place,
          isInterior ? Value() : getMask(place.back(), lanes.extent));
  }
}

//===----------------------------------------------------------------------===//
// Strides of many elements
//===----------------------------------------------------------------------===//

bool StridedGather::needsSums() const {
  return llvm::any_of(ArrayRef(dims).drop_back(), [](const GatheredDim &dim) {
    return dim.padBegin != nullptr;
  });
}

void StridedGather::allocateSums() {
  auto rowType = MemRefType::get(ShapedType::kDynamic, type.getElementType());
  if (needsSums())
    sums =
        memref::AllocOp::create(at, rowType, ValueRange{dims.back().numWindows},
                                at.getI64IntegerAttr(64));
}

StridedGather::WindowRow StridedGather::sumWindows(ValueRange row) {
  if (!sums)
    return {source, llvm::to_vector(row)};
  Value numWindows = dims.back().numWindows;
  at.forEach(at.index(0), numWindows, length, [&](Value first) {
    Value mask = createLaneMask(at, length, {}, at.sub(numWindows, first));
    Value sum = zeros;
    forEachCovering(at, ArrayRef(dims).drop_back(), row, sum,
                    [&](ArrayRef<Value> position) {
                      SmallVector<Value> place(position);
                      place.push_back(first);
                      Value lanes = load(source, place, mask);
                      sum = at.addFloats(sum, lanes);
                    });
    storeLanes(at, sum, sums, first, mask);
  });
  return {sums, {}};
}

Value StridedGather::getTaps(Value offset) {
  const GatheredDim &lanes = dims.back();
  Value mask = createLaneMask(at, length, {},
                              at.sub(at.index(lanes.getReach() + 1), offset));
  if (lanes.dilation == 1)
    return mask;
  // Among lanes with consecutive remainders, the lanes with remainder zero.
  VectorType integers = type.clone(at.getI32Type());
  SmallVector<int64_t> remainders;
  for (int64_t lane = 0; lane < length; ++lane)
    remainders.push_back(lane % lanes.dilation);
  Value own = at.rem(offset, lanes.dilation);
  Value missing = at.rem(at.sub(at.index(lanes.dilation), own), lanes.dilation);
  Value isTap = at.isEqual(at.lanes(integers, remainders),
                           at.splat(integers, at.min(missing, length)));
  return at.bitAnd(mask, isTap);
}

Value StridedGather::addToLanes(const WindowRow &sums, Value window,
                                Value lanes, Value sum) {
  SmallVector<Value> position = sums.row;
  position.push_back(window);
  Value added = at.broadcast(type, at.load(sums.buffer, position));
  added = at.addFloats(sum, added);
  return at.select(lanes, added, sum);
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
    Value isLane = createOneLaneMask(at, length, lane);
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
                 numLanes == length ? Value()
                                    : createLaneMask(at, length, 0, numLanes));
    }
    return;
  }
  // The elements of it that there are.
  Value end = at.min(at.sub(lanes.extent, begin), lanes.stride);
  at.forEach(
      at.max(at.sub(at.index(0), begin), 0), end, length, [&](Value offset) {
        emitVector(offset, createLaneMask(at, length, {}, at.sub(end, offset)));
      });
}

void StridedGather::emitStrides(ValueRange row, const WindowRow &sums) {
  const GatheredDim &lanes = dims.back();
  auto [firstStride, endStride] = lanes.getStrides(at);
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
