// Loops over rows of elements that gather from windows: rows of windows are
// added, and shuffles spread the sums over the elements of a stride.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/StridedGather.h"

#include "Emit/LaneMask.h"
#include "Problem/CostModel.h"
#include "Reduce/LoopDim.h"
#include "Sink/ElementwiseChain.h"

using namespace mlir;
using namespace mlir::pool;

StridedGather::StridedGather(OpBuilder &b, Location loc, int64_t vectorBits,
                             Value source, Value target,
                             ArrayRef<GatheredDim> dims)
    : b(b), loc(loc), at(b, loc), source(source), target(target), dims(dims) {
  Type element = cast<MemRefType>(source.getType()).getElementType();
  length = getNumLanes(vectorBits, element.getIntOrFloatBitWidth());
  type = VectorType::get(length, element);
  zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
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
  return createLaneMask(b, loc, length, at.sub(at.index(0), first),
                        at.sub(extent, first));
}

Value StridedGather::load(Value buffer, ArrayRef<Value> position, Value mask) {
  return loadLanes(b, loc, length, buffer, position, mask, /*fill=*/0);
}

void StridedGather::store(Value sums, ArrayRef<Value> place, Value mask) {
  Type element = cast<MemRefType>(target.getType()).getElementType();
  if (element != type.getElementType())
    sums = arith::TruncFOp::create(b, loc, type.clone(element), sums);
  storeLanes(b, loc, sums, target, place, mask);
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
  auto [begin, end] = lanes.getStrides(b, loc);
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
    return arith::AddFOp::create(b, loc, sum, load(source, place, mask));
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
      Value part = b.createOrFold<vector::ShuffleOp>(loc, sum, zeros, ofLanes);
      result = result ? arith::AddFOp::create(b, loc, result, part).getResult()
                      : part;
    }
    SmallVector<Value> place(row);
    Value begin = at.sub(at.mul(first, lanes.stride), lanes.padBegin);
    place.push_back(at.add(begin, v * length));
    store(result, place,
          isInterior ? Value() : getMask(place.back(), lanes.extent));
  }
}
