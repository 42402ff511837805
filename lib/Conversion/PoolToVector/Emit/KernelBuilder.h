// Builds what every kernel is made of: index arithmetic, loops and branches.
// No other file of PoolToVector creates operations of the scf dialect. Includes
// the dialects that kernels consist of.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_KERNELBUILDER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// One accumulator per lane. `index`: argmax, a non-negative integer that names
/// the chosen element, or the high word of a 128-bit sum; null if neither.
struct Accumulator {
  Value value;
  Value index;
};

/// The positions `begin`, `begin + step` and so on below `end` of a dimension.
struct PositionRange {
  Value begin, end;
  int64_t step = 1;
};

/// Returns `position` with the coordinates `last` behind its own.
inline SmallVector<Value> append(ValueRange position, ValueRange last) {
  SmallVector<Value> result(position);
  llvm::append_range(result, last);
  return result;
}

/// Returns what `get` gives for each of `length` lanes, from the first one on.
inline SmallVector<int64_t> mapLanes(int64_t length,
                                     function_ref<int64_t(int64_t)> get) {
  return llvm::map_to_vector(llvm::seq(length), get);
}

/// Variables that a loop hands from one iteration to the next. The body reads
/// their values in its iteration, and writes those for the next iteration.
/// After the loop they have the results.
class Carried {
public:
  Carried() = default;
  Carried(Value &value) : values({&value}) {}
  Carried(Accumulator &acc) { add(acc); }
  /// A range of values or accumulators.
  template <typename RangeT>
  Carried(RangeT &range) {
    for (auto &variable : range)
      add(variable);
  }

  bool empty() const { return values.empty(); }
  SmallVector<Value> get() const {
    return llvm::map_to_vector(values, [](Value *value) { return *value; });
  }
  void set(ValueRange results) const {
    for (auto [value, result] : llvm::zip_equal(values, results))
      *value = result;
  }

private:
  void add(Value &value) { values.push_back(&value); }
  void add(Accumulator &acc) {
    add(acc.value);
    if (acc.index)
      add(acc.index);
  }

  SmallVector<Value *> values;
};

/// Builds at an insertion point of its own, so a kernel has one builder, which
/// all parts refer to. A loop or a branch calls its body with the insertion
/// point inside, and leaves it behind the loop or the branch.
class KernelBuilder : public ImplicitLocOpBuilder {
public:
  KernelBuilder(const OpBuilder &b, Location loc, const Target &target)
      : ImplicitLocOpBuilder(loc, b), target(target) {}
  KernelBuilder(const KernelBuilder &) = delete;

  /// The machine that the kernel is for.
  const Target &target;

  //===--------------------------------------------------------------------===//
  // Index arithmetic. Results fold if the operands are known.
  //===--------------------------------------------------------------------===//

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value value(OpFoldResult known) {
    return getValueOrCreateConstantIndexOp(*this, getLoc(), known);
  }
  SmallVector<Value> value(ArrayRef<OpFoldResult> known) {
    return getValueOrCreateConstantIndexOp(*this, getLoc(), known);
  }
  Value add(Value lhs, Value rhs) { return fold<arith::AddIOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return fold<arith::SubIOp>(lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return fold<arith::MulIOp>(lhs, rhs); }
  Value min(Value lhs, Value rhs) { return fold<arith::MinSIOp>(lhs, rhs); }
  Value max(Value lhs, Value rhs) { return fold<arith::MaxSIOp>(lhs, rhs); }
  Value add(Value lhs, int64_t rhs) {
    return rhs == 0 ? lhs : add(lhs, index(rhs));
  }
  Value sub(Value lhs, int64_t rhs) { return sub(lhs, index(rhs)); }
  Value mul(Value lhs, int64_t rhs) { return mul(lhs, index(rhs)); }
  Value min(Value lhs, int64_t rhs) { return min(lhs, index(rhs)); }
  Value max(Value lhs, int64_t rhs) { return max(lhs, index(rhs)); }
  /// Requires `lhs >= 0`, or an unsigned 64-bit sum of two such values.
  Value divUnsigned(Value lhs, Value rhs) {
    return fold<arith::DivUIOp>(lhs, rhs);
  }
  Value divUnsigned(Value lhs, int64_t rhs) {
    return divUnsigned(lhs, index(rhs));
  }
  /// Requires `lhs >= 0`.
  Value ceilDiv(Value lhs, int64_t rhs) {
    return divUnsigned(add(lhs, rhs - 1), rhs);
  }
  Value floorDiv(Value lhs, int64_t rhs) {
    return fold<arith::FloorDivSIOp>(lhs, index(rhs));
  }
  /// Requires `lhs >= 0`.
  Value rem(Value lhs, int64_t rhs) {
    return fold<arith::RemUIOp>(lhs, index(rhs));
  }
  /// Moves the last of steps of `width` back, so that it ends at `end`. `first`
  /// is a multiple of `width`, and so may `end` be known to be.
  Value moveBack(Value first, Value end, int64_t width) {
    bool isMultiple = getConstantIntValue(end).value_or(1) % width == 0;
    return isMultiple ? first : min(first, sub(end, width));
  }
  Value isAtLeast(Value lhs, Value rhs) {
    return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, lhs, rhs);
  }
  Value isAtLeast(Value lhs, int64_t rhs) { return isAtLeast(lhs, index(rhs)); }
  Value isEqual(Value lhs, Value rhs) {
    return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, lhs, rhs);
  }
  /// Compares as unsigned.
  Value isBelow(Value lhs, Value rhs) {
    return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, lhs, rhs);
  }
  /// True if both conditions hold. A null condition holds.
  Value both(Value lhs, Value rhs) {
    return lhs && rhs ? fold<arith::AndIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }

  //===--------------------------------------------------------------------===//
  // Vectors, and elements
  //===--------------------------------------------------------------------===//

  Value constant(TypedAttr value) {
    return arith::ConstantOp::create(*this, value);
  }
  template <typename Elements>
  Value constant(VectorType type, Elements elements) {
    return constant(DenseElementsAttr::get(type, elements));
  }
  /// Copies an integer, or a value of type index, to all lanes of `type`.
  Value splat(VectorType type, int64_t value) {
    return constant(type, getIntegerAttr(type.getElementType(), value));
  }
  Value splat(VectorType type, Value index) {
    return broadcast(type, castIndex(type.getElementType(), index));
  }
  Value lanes(VectorType type, ArrayRef<int64_t> integers) {
    SmallVector<Attribute> elements;
    for (int64_t integer : integers)
      elements.push_back(getIntegerAttr(type.getElementType(), integer));
    return constant(type, elements);
  }
  Value lanes(VectorType type, function_ref<int64_t(int64_t lane)> get) {
    return lanes(type, mapLanes(type.getNumElements(), get));
  }
  Value addFloats(Value lhs, Value rhs) {
    return arith::AddFOp::create(*this, lhs, rhs);
  }
  Value bitAnd(Value lhs, Value rhs) { return fold<arith::AndIOp>(lhs, rhs); }
  /// A null value has no bits.
  Value bitOr(Value lhs, Value rhs) {
    return lhs && rhs ? fold<arith::OrIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }
  Value select(Value condition, Value then, Value otherwise) {
    return createOrFold<arith::SelectOp>(condition, then, otherwise);
  }
  Value castIndex(Type type, Value value) {
    return value.getType() == type
               ? value
               : createOrFold<arith::IndexCastOp>(type, value);
  }
  /// Converts lanes that are indices, or integers with a sign, to i64.
  Value extendToI64(Value lanes) {
    Type wide = cast<VectorType>(lanes.getType()).clone(getI64Type());
    if (getElementTypeOrSelf(lanes).isIndex() || lanes.getType() == wide)
      return castIndex(wide, lanes);
    return arith::ExtSIOp::create(*this, wide, lanes);
  }
  Value broadcast(Type type, Value value) {
    return createOrFold<vector::BroadcastOp>(type, value);
  }
  Value shuffle(Value lhs, Value rhs, ArrayRef<int64_t> lanes) {
    return createOrFold<vector::ShuffleOp>(lhs, rhs, lanes);
  }
  /// Returns the extents of `buffer`.
  SmallVector<Value> getExtents(Value buffer) {
    return value(memref::getMixedSizes(*this, getLoc(), buffer));
  }
  Value load(VectorType type, Value buffer, ValueRange indices) {
    return vector::LoadOp::create(*this, type, buffer, indices);
  }
  Value load(Value buffer, ValueRange indices) {
    return memref::LoadOp::create(*this, buffer, indices);
  }
  void store(Value value, Value buffer, ValueRange indices) {
    if (isa<VectorType>(value.getType()))
      vector::StoreOp::create(*this, value, buffer, indices);
    else
      memref::StoreOp::create(*this, value, buffer, indices);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  using LoopBody = function_ref<void(Value position)>;
  using NestBody = function_ref<void(ValueRange position)>;

  /// A loop over `begin`, `begin + step`, ... below `end`. Straight code if it
  /// is known to have at most one iteration.
  void forEach(Value begin, Value end, int64_t step, const Carried &carried,
               LoopBody body);
  void forEach(Value begin, Value end, int64_t step, LoopBody body) {
    forEach(begin, end, step, {}, body);
  }
  /// Nested loops over the positions of `ranges`, the last one innermost.
  /// `body` takes these behind the coordinates `outer`.
  void forEachIn(ArrayRef<PositionRange> ranges, const Carried &carried,
                 NestBody body, ValueRange outer = {});
  /// A parallel loop over the box [0, upper). Calls `body` once, without a
  /// loop, if the box has no dimensions.
  void forEachParallel(ValueRange upper, NestBody body);
  /// A parallel loop over the box [0, upper) whose iterations each take
  /// `numTogether` positions of the last dimension, one after the other.
  /// `begin` runs once for each iteration, before the first position; it
  /// allocates a buffer, for example, which takes as long as one position.
  void forEachTogether(SmallVector<Value> upper, int64_t numTogether,
                       function_ref<void()> begin, NestBody body);

  //===--------------------------------------------------------------------===//
  // Branches. Conditions fold if they are known.
  //===--------------------------------------------------------------------===//

  /// Runs `body` if `condition` holds. `body` may change `carried`: after the
  /// branch it has the values of the side that ran.
  void ifTrue(Value condition, const Carried &carried,
              function_ref<void()> body);
  void ifTrue(Value condition, function_ref<void()> body) {
    ifTrue(condition, {}, body);
  }
  /// Builds `body` twice: for the case that `condition` holds, and for the case
  /// that it does not. A null condition holds.
  void ifElse(Value condition, function_ref<void(bool holds)> body);
  /// Runs `then` if `condition` holds, else `otherwise`. Returns its result.
  Value select(Value condition, function_ref<Value()> then,
               function_ref<Value()> otherwise);

private:
  template <typename Op>
  Value fold(Value lhs, Value rhs) {
    return createOrFold<Op>(lhs, rhs);
  }
};

inline Value castToSignless(KernelBuilder &at, Value value) {
  return castToSignless(at, at.getLoc(), value);
}
inline Value castFromSignless(KernelBuilder &at, Value value, Type type) {
  return castFromSignless(at, at.getLoc(), value, type);
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_KERNELBUILDER_H
