// Elements that go where an index says: slices do not depend on each other, and
// one that is cleared just before it is written is still in the cache.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/IndexedScatter.h"

#include "Emit/LaneMask.h"
#include "Emit/Memory.h"

using namespace mlir;
using namespace mlir::pool;

IndexedScatter::IndexedScatter(const ScatterEmitter &emitter,
                               SourceElementFn getIndex)
    : emitter(emitter), at(emitter.at), axis(emitter.problem.axis),
      source(emitter.source), indices(emitter.indices),
      target(collapseFrom(at, emitter.target, axis)),
      extents(at.getExtents(emitter.target)),
      bound(at.getExtents(target).back()), type(getElementTypeOrSelf(target)),
      accType(emitter.accType), getIndex(std::move(getIndex)) {
  // These ask for all coordinates.
  if (emitter.condition || this->getIndex)
    return;
  Value packed = collapseFrom(at, source, axis);
  Value packedIndices = collapseFrom(at, indices, axis);
  if (packed && packedIndices) {
    source = packed;
    indices = packedIndices;
  }
}

/// Nested loops over the positions below `extents` that begin with `outer`.
static void forEachBelow(KernelBuilder &at, ValueRange outer,
                         ArrayRef<Value> extents,
                         MutableArrayRef<Value> carried,
                         KernelBuilder::NestBody body) {
  SmallVector<PositionRange> ranges;
  for (Value extent : extents.drop_front(outer.size()))
    ranges.push_back({at.index(0), extent});
  at.forEachIn(ranges, carried, body, outer);
}

void IndexedScatter::create() {
  at.forEachParallel(ArrayRef(extents).take_front(axis),
                     [&](ValueRange outer) { emitSlice(outer); });
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
  at.forEachParallel(ArrayRef(extents).take_front(axis), [&](ValueRange outer) {
    Value one = arith::ConstantIntOp::create(at, 1, 8), all = one;
    forEachBelow(at, outer, upper, all, [&](ValueRange part) {
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
  Type element = getElementTypeOrSelf(buffer);
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

void IndexedScatter::scatter(Value buffer, ValueRange place, ValueRange outer) {
  auto scatterElement = [&](ValueRange position) {
    Value flat =
        getIndex ? getIndex(at, position)
                 : at.castIndex(at.getIndexType(), at.load(indices, position));
    // As unsigned, a negative index is too large.
    Value isThere = at.isBelow(flat, bound);
    if (emitter.condition)
      isThere = at.both(isThere, emitter.condition(at, position));
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
  };
  forEachBelow(at, outer, at.getExtents(source), {}, scatterElement);
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

namespace {
/// Slice by slice, each cleared before it is written.
struct SlicesPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "slices";

  FailureOr<double> choose(const ScatterProblem &problem, std::string &) {
    // Clearing by vectors, and a load of an index, of an element and a store.
    return 1.0 * problem.width / problem.target.vectorBits +
           problem.target.costs.scatterOps / problem.target.vectorOpsPerCycle +
           problem.getChoiceCost();
  }

  void emit(ScatterEmitter &emitter) const { IndexedScatter(emitter).create(); }
};
} // namespace

const ScatterStrategy pool::kSlices = ScatterStrategy::of<SlicesPlan>();
