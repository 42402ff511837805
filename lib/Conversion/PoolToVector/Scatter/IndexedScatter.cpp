// Elements that go where an index says: slices do not depend on each other, and
// one that is cleared just before it is written is still in the cache.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/IndexedScatter.h"

#include "Emit/LaneMask.h"
#include "Emit/Memory.h"
#include "Sink/ElementwiseChain.h"

using namespace mlir;
using namespace mlir::pool;

IndexedScatter::IndexedScatter(KernelBuilder &at, int64_t axis,
                               int64_t vectorBits, Value source,
                               ElementFn getIndex, Value target, Type accType)
    : at(at), axis(axis), vectorBits(vectorBits), source(source),
      target(collapseFrom(at, target, axis)),
      type(cast<MemRefType>(target.getType()).getElementType()),
      accType(accType), getIndex(std::move(getIndex)) {
  OpFoldResult extent =
      memref::getMixedSize(at, at.getLoc(), this->target, axis);
  knownBound = getConstantIntValue(extent);
  bound = at.value(extent);
}

IndexedScatter::IndexedScatter(KernelBuilder &at, int64_t axis,
                               int64_t vectorBits, Value source, Value indices,
                               Value target, Type accType, ElementFn condition)
    : IndexedScatter(at, axis, vectorBits, source, ElementFn(), target,
                     accType) {
  this->condition = std::move(condition);
  this->indices = indices;
  // A condition asks for all coordinates.
  if (this->condition)
    return;
  Value packed = collapseFrom(at, source, axis);
  Value packedIndices = collapseFrom(at, indices, axis);
  if (packed && packedIndices) {
    this->source = packed;
    this->indices = packedIndices;
  }
}

void IndexedScatter::create() {
  forEachSlice([&](ValueRange outer) { emitSlice(outer); });
}

void IndexedScatter::forEachSlice(function_ref<void(ValueRange outer)> emit) {
  SmallVector<Value> upper;
  for (int64_t d = 0; d < axis; ++d)
    upper.push_back(at.value(memref::getMixedSize(at, at.getLoc(), target, d)));
  at.forEachTogether(upper, /*numTogether=*/1, [] {}, emit);
}

void IndexedScatter::createParts(ArrayRef<OpFoldResult> extents,
                                 int64_t numTogether,
                                 function_ref<void()> begin,
                                 function_ref<Value(ValueRange outer)> emit) {
  int64_t numParallel = extents.size();
  SmallVector<Value> upper = at.value(extents);
  if (numParallel == axis)
    return at.forEachTogether(upper, numTogether, begin, [&](ValueRange outer) {
      at.ifElse(emit(outer), [&](bool areAllThere) {
        if (!areAllThere)
          emitSlice(outer);
      });
    });
  // Parts of a slice are as parallel as slices; whether all are done is asked
  // afterwards.
  SmallVector<int64_t> staticShape;
  SmallVector<Value> dynamicShape;
  dispatchIndexOpFoldResults(extents, dynamicShape, staticShape);
  Value done = memref::AllocOp::create(
      at, MemRefType::get(staticShape, at.getI8Type()), dynamicShape);
  at.forEachTogether(upper, numTogether, begin, [&](ValueRange outer) {
    Value all = arith::ExtUIOp::create(at, at.getI8Type(), emit(outer));
    at.store(all, done, outer);
  });
  forEachSlice([&](ValueRange outer) {
    Value one = arith::ConstantIntOp::create(at, 1, 8), all = one;
    SmallVector<Value> lower(numParallel - axis, at.index(0));
    at.forEachIn(lower, ValueRange(upper).drop_front(axis), all,
                 [&](ValueRange inner) {
                   SmallVector<Value> part(outer);
                   llvm::append_range(part, inner);
                   Value isDone = at.load(done, part);
                   all = at.bitAnd(all, isDone);
                 });
    at.ifTrue(arith::CmpIOp::create(at, arith::CmpIPredicate::ne, all, one),
              [&] { emitSlice(outer); });
  });
}

void IndexedScatter::emitSlice(ValueRange outer) {
  if (!accType || accType == type) {
    clear(target, outer);
    return scatter(target, outer, outer);
  }
  Value sums = memref::AllocOp::create(
      at, MemRefType::get({ShapedType::kDynamic}, accType), bound,
      at.getI64IntegerAttr(64));
  clear(sums, {});
  scatter(sums, {}, outer);
  round(sums, outer);
}

void IndexedScatter::forEachVector(
    int64_t length, function_ref<void(Value position, Value mask)> emit) {
  Value rest = at.rem(bound, length);
  Value end = at.sub(bound, rest);
  if (!knownBound || *knownBound >= length)
    at.forEach(at.index(0), end, length,
               [&](Value position) { emit(position, {}); });
  auto maskType = VectorType::get(length, at.getI1Type());
  if (!knownBound)
    emit(end, vector::CreateMaskOp::create(at, maskType, rest));
  else if (int64_t numLanes = *knownBound % length)
    emit(end, vector::ConstantMaskOp::create(at, maskType, numLanes));
}

/// The indices of `position` in the slice at `outer`.
static SmallVector<Value> append(ValueRange outer, Value position) {
  SmallVector<Value> place(outer);
  place.push_back(position);
  return place;
}

void IndexedScatter::clear(Value buffer, ValueRange outer) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t length = getNumLanes(vectorBits, element.getIntOrFloatBitWidth());
  auto vectorType = VectorType::get(length, element);
  Value zeros = at.constant(at.getZeroAttr(getSignless(vectorType)));
  zeros = castFromSignless(at, zeros, vectorType);
  forEachVector(length, [&](Value position, Value mask) {
    storeLanes(at, zeros, buffer, append(outer, position), mask);
  });
}

void IndexedScatter::scatter(Value buffer, ValueRange place,
                             ValueRange position) {
  int64_t d = position.size();
  if (d == cast<MemRefType>(source.getType()).getRank())
    return scatterElement(buffer, place, position);
  Value extent = at.value(memref::getMixedSize(at, at.getLoc(), source, d));
  at.forEach(at.index(0), extent, 1, [&](Value here) {
    scatter(buffer, place, append(position, here));
  });
}

void IndexedScatter::scatterElement(Value buffer, ValueRange place,
                                    ValueRange position) {
  Value flat =
      getIndex
          ? getIndex(at, position)
          : Value(at.castIndex(at.getIndexType(), at.load(indices, position)));
  // As unsigned, a negative index is too large.
  Value isThere = at.isBelow(flat, bound);
  if (condition)
    isThere = at.both(isThere, condition(at, position));
  at.ifTrue(isThere, [&] {
    Value element = at.load(source, position);
    SmallVector<Value> there = append(place, flat);
    if (accType) {
      Value sum = at.load(buffer, there);
      element =
          at.addFloats(sum, extendElement(at, at.getLoc(), element, accType));
    }
    at.store(element, buffer, there);
  });
}

void IndexedScatter::round(Value sums, ValueRange outer) {
  int64_t length = getNumLanes(vectorBits, accType.getIntOrFloatBitWidth());
  forEachVector(length, [&](Value position, Value mask) {
    Value sum = loadLanes(at, length, sums, position, mask, /*fill=*/0);
    Value rounded =
        arith::TruncFOp::create(at, VectorType::get(length, type), sum);
    storeLanes(at, rounded, target, append(outer, position), mask);
  });
}
