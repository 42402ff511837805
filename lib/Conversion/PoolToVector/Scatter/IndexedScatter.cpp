// Elements that go where an index says: slices do not depend on each other, and
// one that is cleared just before it is written is still in the cache.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/IndexedScatter.h"

#include "Emit/LaneMask.h"
#include "Emit/Memory.h"

using namespace mlir;
using namespace mlir::pool;

IndexedScatter::IndexedScatter(const ScatterEmitter &emitter, Type accType,
                               ElementFn condition, ElementFn getIndex)
    : at(emitter.at), axis(emitter.problem.axis), source(emitter.source),
      indices(emitter.indices), target(collapseFrom(at, emitter.target, axis)),
      extents(at.getExtents(emitter.target)),
      bound(at.getExtents(target).back()),
      type(cast<MemRefType>(target.getType()).getElementType()),
      accType(accType), condition(std::move(condition)),
      getIndex(std::move(getIndex)) {
  // These ask for all coordinates.
  if (this->condition || this->getIndex)
    return;
  Value packed = collapseFrom(at, source, axis);
  Value packedIndices = collapseFrom(at, indices, axis);
  if (packed && packedIndices) {
    source = packed;
    indices = packedIndices;
  }
}

void IndexedScatter::create() {
  forEachSlice([&](ValueRange outer) { emitSlice(outer); });
}

void IndexedScatter::forEachSlice(function_ref<void(ValueRange outer)> emit) {
  at.forEachTogether(
      SmallVector<Value>(ArrayRef(extents).take_front(axis)),
      /*numTogether=*/1, [] {}, emit);
}

void IndexedScatter::createParts(int64_t numParallel, int64_t numTogether,
                                 function_ref<void()> begin,
                                 function_ref<Value(ValueRange outer)> emit) {
  SmallVector<Value> upper(ArrayRef(extents).take_front(numParallel));
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
  dispatchIndexOpFoldResults(getAsOpFoldResult(upper), dynamicShape,
                             staticShape);
  Value done = memref::AllocOp::create(
      at, MemRefType::get(staticShape, at.getI8Type()), dynamicShape);
  at.forEachTogether(upper, numTogether, begin, [&](ValueRange outer) {
    Value all = arith::ExtUIOp::create(at, at.getI8Type(), emit(outer));
    at.store(all, done, outer);
  });
  SmallVector<PositionRange> parts;
  for (Value extent : ArrayRef(upper).drop_front(axis))
    parts.push_back({at.index(0), extent});
  forEachSlice([&](ValueRange outer) {
    Value one = arith::ConstantIntOp::create(at, 1, 8), all = one;
    at.forEachIn(parts, all, [&](ValueRange inner) {
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

void IndexedScatter::clear(Value buffer, ValueRange outer) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t length =
      getNumLanes(at.target.vectorBits, element.getIntOrFloatBitWidth());
  auto vectorType = VectorType::get(length, element);
  Value zeros = at.constant(at.getZeroAttr(getSignless(vectorType)));
  zeros = castFromSignless(at, zeros, vectorType);
  forEachVector(at, bound, length, {}, [&](Value position, Value numLanes) {
    storeLanes(at, zeros, buffer, append(outer, position),
               LaneRange::getFirst(length, numLanes));
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
  int64_t length =
      getNumLanes(at.target.vectorBits, accType.getIntOrFloatBitWidth());
  forEachVector(at, bound, length, {}, [&](Value position, Value numLanes) {
    LaneRange range = LaneRange::getFirst(length, numLanes);
    Value sum = loadLanes(at, length, sums, position, range, /*fill=*/0);
    Value rounded =
        arith::TruncFOp::create(at, VectorType::get(length, type), sum);
    storeLanes(at, rounded, target, append(outer, position), range);
  });
}
