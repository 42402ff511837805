// Builds integer and float arithmetic. The same functions compute one element
// in the body of an elementwise operation, and all lanes of a vector in vector
// code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_ELEMENTBUILDER_H
#define POOL_DIALECT_POOL_UTILS_ELEMENTBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pool {

/// An operand of arithmetic: a known number, or a value. If another operand is
/// a vector, a number or scalar stands for a vector of equal lanes.
struct Operand {
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Operand(T integer) : integer(integer) {}
  /// Use it only if another operand is a value of a float type.
  Operand(double number) : number(number) {}
  /// Takes a Value, or an operation with one result.
  template <typename T,
            std::enable_if_t<std::is_convertible_v<T, Value>, int> = 0>
  Operand(T value) : value(value) {}
  Operand(OpFoldResult known)
      : value(dyn_cast<Value>(known)), integer(getConstantIntValue(known)) {}

  std::optional<int64_t> getKnown() const {
    return value ? getConstantIntValue(value) : integer;
  }

  /// Null if the operand is a known number. The number is then `integer`, or
  /// `number` if `integer` is none.
  Value value;
  std::optional<int64_t> integer;
  double number = 0;
};

/// Creates operations. The constructor copies the insertion point of `b`; later
/// the two builders move independently. If the operands are constants, the
/// result is a constant. If an operand is a vector, the result is a vector,
/// too; scalar operands are broadcast.
class ElementBuilder : public ImplicitLocOpBuilder {
public:
  ElementBuilder(const OpBuilder &b, Location loc)
      : ImplicitLocOpBuilder(loc, b) {}

  //===--------------------------------------------------------------------===//
  // Types and constants
  //===--------------------------------------------------------------------===//

  Value constant(TypedAttr value) {
    return arith::ConstantOp::create(*this, value);
  }
  /// Returns `operand` as a value of `type`, which is an element type or a
  /// vector of one. Broadcasts a scalar to a vector, and converts between
  /// integers and index by arith.index_cast. Requires that no other conversion
  /// is needed.
  Value splat(Type type, Operand operand);
  Value index(Operand operand) { return splat(getIndexType(), operand); }
  /// Returns `known` as a value: a constant of type index if it is an
  /// attribute, otherwise the value itself, which may be a vector.
  Value value(OpFoldResult known) {
    auto value = dyn_cast<Value>(known);
    return value ? value : index(known);
  }
  SmallVector<Value> value(ArrayRef<OpFoldResult> known) {
    return llvm::map_to_vector(
        known, [&](OpFoldResult extent) { return value(extent); });
  }
  Value castIndex(Type type, Value value) {
    return value.getType() == type
               ? value
               : createOrFold<arith::IndexCastOp>(type, value);
  }
  /// Converts `value`, or each of its lanes, to the element type `element` by
  /// the operation `Op`. Returns `value` itself if it has that type already.
  template <typename Op>
  Value convert(Type element, Value value) {
    Type type = element;
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(element);
    return value.getType() == type ? value : createOrFold<Op>(type, value);
  }

  //===--------------------------------------------------------------------===//
  // Arithmetic
  //===--------------------------------------------------------------------===//

  /// Creates `Op` and returns its result, which may be folded. Its arguments
  /// are `arguments`, then both operands, converted to their common type
  /// (getCommonType).
  template <typename Op, typename... Args>
  Value fold(Operand lhs, Operand rhs, Args... arguments) {
    Type type = getCommonType({lhs, rhs});
    Value left = splat(type, lhs), right = splat(type, rhs);
    return createOrFold<Op>(arguments..., left, right);
  }
  Value add(Operand lhs, Operand rhs) {
    // Adding 0 is frequent, so do not create an operation for it.
    bool isNothing = lhs.value && !rhs.value && rhs.integer == 0;
    return isNothing ? lhs.value : fold<arith::AddIOp>(lhs, rhs);
  }
  Value sub(Operand lhs, Operand rhs) { return fold<arith::SubIOp>(lhs, rhs); }
  Value mul(Operand lhs, Operand rhs) { return fold<arith::MulIOp>(lhs, rhs); }
  Value product(ArrayRef<Value> factors) {
    Value result = factors.front();
    for (Value factor : factors.drop_front())
      result = mul(result, factor);
    return result;
  }
  Value min(Operand lhs, Operand rhs) { return fold<arith::MinSIOp>(lhs, rhs); }
  Value max(Operand lhs, Operand rhs) { return fold<arith::MaxSIOp>(lhs, rhs); }
  /// Divides as unsigned integers. Requires `rhs > 0` and `lhs >= 0`. `lhs` may
  /// also be the 64-bit sum of two nonnegative values: if the sum exceeds the
  /// signed range, the unsigned quotient is still right.
  Value divUnsigned(Operand lhs, Operand rhs) {
    return fold<arith::DivUIOp>(lhs, rhs);
  }
  /// Divides and rounds up. Requires `lhs >= 0` and `rhs > 0`.
  Value ceilDiv(Operand lhs, int64_t rhs) {
    return divUnsigned(add(lhs, rhs - 1), rhs);
  }
  Value floorDiv(Operand lhs, Operand rhs) {
    return fold<arith::FloorDivSIOp>(lhs, rhs);
  }
  /// Returns the remainder of `lhs` by `rhs`. Requires `lhs >= 0` and `rhs >
  /// 0`.
  Value rem(Operand lhs, Operand rhs) { return fold<arith::RemUIOp>(lhs, rhs); }

  Value addFloat(Operand lhs, Operand rhs) {
    return fold<arith::AddFOp>(lhs, rhs);
  }
  Value mulFloat(Operand lhs, Operand rhs) {
    return fold<arith::MulFOp>(lhs, rhs);
  }
  Value divFloat(Operand lhs, Operand rhs) {
    return fold<arith::DivFOp>(lhs, rhs);
  }

  //===--------------------------------------------------------------------===//
  // Conditions
  //===--------------------------------------------------------------------===//

  Value compare(arith::CmpIPredicate predicate, Operand lhs, Operand rhs) {
    return fold<arith::CmpIOp>(lhs, rhs, predicate);
  }
  Value isAtLeast(Operand lhs, Operand rhs) {
    return compare(arith::CmpIPredicate::sge, lhs, rhs);
  }
  Value isEqual(Operand lhs, Operand rhs) {
    return compare(arith::CmpIPredicate::eq, lhs, rhs);
  }
  /// True if `lhs < rhs` as unsigned integers. A negative number counts as a
  /// huge one, so a negative `lhs` is not below a positive `rhs`.
  Value isBelow(Operand lhs, Operand rhs) {
    return compare(arith::CmpIPredicate::ult, lhs, rhs);
  }
  /// Returns the bitwise and of two integers, for example of two conditions. A
  /// null value counts as true: if one value is null, returns the other one.
  /// Returns null if both are null.
  Value both(Value lhs, Value rhs) {
    return lhs && rhs ? fold<arith::AndIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }
  /// Returns the bitwise or. A null value counts as false: if one value is
  /// null, returns the other one. Returns null if both are null.
  Value bitOr(Value lhs, Value rhs) {
    return lhs && rhs ? fold<arith::OrIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }
  /// Returns `then` if `condition` is true, else `otherwise`; for vectors, lane
  /// by lane. A null `condition` counts as true; `then` must be a value in that
  /// case.
  Value select(Value condition, Operand then, Operand otherwise);

private:
  /// Returns the type of the first vector among `operands`. Without vectors,
  /// returns the type of the first value, and without values, index.
  Type getCommonType(ArrayRef<Operand> operands);
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_ELEMENTBUILDER_H
