// Writes elements where an index says: slices do not depend on each other, and
// one that is cleared just before it is written is still in the cache.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

using namespace mlir;
using namespace mlir::pool;

/// Nested loops over the positions below `extents` that begin with `outer`.
static void forEachBelow(KernelBuilder &at, ValueRange outer,
                         ArrayRef<Value> extents, const Carried &carried,
                         KernelBuilder::NestBody body) {
  SmallVector<PositionRange> ranges;
  for (Value extent : extents.drop_front(outer.size()))
    ranges.push_back({0, extent});
  at.forEachIn(ranges, carried, body, outer);
}

namespace {
class IndexedScatter : ScatterEmitter {
public:
  explicit IndexedScatter(const ScatterEmitter &emitter)
      : ScatterEmitter(emitter) {
    target = collapseFrom(at, target, axis);
    bound = at.getExtents(target).back();
    // These ask for all coordinates.
    if (condition || getIndex)
      return;
    Value packed = collapseFrom(at, source, axis);
    Value packedIndices = collapseFrom(at, indices, axis);
    if (packed && packedIndices) {
      source = packed;
      indices = packedIndices;
    }
  }

  /// Clears the slice at `outer` and writes its elements. Sums of another type
  /// than the target's are rounded once, from a buffer.
  void emitSlice(ValueRange outer) {
    Type type = getElementTypeOrSelf(target);
    SmallVector<Value> place(outer);
    Value buffer = target;
    if (accType && accType != type) {
      place.clear();
      buffer = memref::AllocOp::create(
          at, MemRefType::get({ShapedType::kDynamic}, accType), bound,
          at.getI64IntegerAttr(64));
    }
    Type element = getElementTypeOrSelf(buffer);
    int64_t length =
        getNumLanes(at.target.vectorBits, element.getIntOrFloatBitWidth());
    auto lanes = VectorType::get(length, element);
    Value zeros = at.constant(at.getZeroAttr(getSignless(lanes)));
    zeros = castFromSignless(at, zeros, lanes);
    forEachVector(at, bound, length, {},
                  [&](Value first, const LaneRange &range) {
                    storeLanes(at, zeros, buffer, append(place, first), range);
                  });
    forEachBelow(at, outer, at.getExtents(source), {},
                 [&](ValueRange from) { scatterElement(from, buffer, place); });
    if (buffer == target)
      return;
    forEachVector(
        at, bound, length, {}, [&](Value first, const LaneRange &range) {
          Value sum = loadLanes(at, length, buffer, first, range, /*fill=*/0);
          Value rounded = arith::TruncFOp::create(at, lanes.clone(type), sum);
          storeLanes(at, rounded, target, append(outer, first), range);
        });
  }

private:
  /// Writes the element at `position` of the source to the slice at `place` of
  /// `buffer`.
  void scatterElement(ValueRange position, Value buffer, ValueRange place) {
    Value flat =
        getIndex ? getIndex(position)
                 : at.castIndex(at.getIndexType(), at.load(indices, position));
    // As unsigned, a negative index is too large.
    Value isThere = at.isBelow(flat, bound);
    if (condition)
      isThere = at.both(isThere, condition(position));
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

  /// Positions of a slice.
  Value bound;
};
} // namespace

void pool::scatterParts(const ScatterEmitter &emitter, int64_t numParallel,
                        function_ref<Value(ValueRange outer)> emit,
                        int64_t numTogether, function_ref<void()> begin) {
  KernelBuilder &at = emitter.at;
  IndexedScatter slices(emitter);
  SmallVector<Value> upper = at.getExtents(emitter.target);
  upper.truncate(numParallel);
  if (numParallel == emitter.axis)
    return at.forEachTogether(upper, numTogether, begin, [&](ValueRange outer) {
      at.ifElse(emit(outer), [&](bool isDone) {
        if (!isDone)
          slices.emitSlice(outer);
      });
    });
  // Parts of a slice are as parallel as slices; whether all are done is asked
  // afterwards.
  Value done =
      memref::AllocOp::create(at, getAsOpFoldResult(upper), at.getI8Type());
  at.forEachTogether(upper, numTogether, begin, [&](ValueRange outer) {
    Value isDone = arith::ExtUIOp::create(at, at.getI8Type(), emit(outer));
    at.store(isDone, done, outer);
  });
  at.forEachParallel(
      ArrayRef(upper).take_front(emitter.axis), [&](ValueRange outer) {
        Value one = arith::ConstantIntOp::create(at, 1, 8), all = one;
        forEachBelow(at, outer, upper, all, [&](ValueRange part) {
          Value isDone = at.load(done, part);
          all = at.both(all, isDone);
        });
        at.ifTrue(arith::CmpIOp::create(at, arith::CmpIPredicate::ne, all, one),
                  [&] { slices.emitSlice(outer); });
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

  void emit(ScatterEmitter &emitter) const {
    scatterParts(emitter, emitter.axis, [&](ValueRange) -> Value {
      return arith::ConstantIntOp::create(emitter.at, 0, 1);
    });
  }
};
} // namespace

const ScatterStrategy pool::kSlices = ScatterStrategy::of<SlicesPlan>();
