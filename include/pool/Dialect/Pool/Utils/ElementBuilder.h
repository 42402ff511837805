// Builds arithmetic on elements. The same functions compute one element in the
// body of an elementwise operation, and the lanes of a vector in a kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_ELEMENTBUILDER_H
#define POOL_DIALECT_POOL_UTILS_ELEMENTBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pool {

/// An operand of arithmetic: a known number, or a value. Beside a vector it
/// stands for as many equal lanes.
struct Operand {
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Operand(T integer) : integer(integer) {}
  /// Only beside a float.
  Operand(double number) : number(number) {}
  /// A value, or an operation with one result.
  template <typename T,
            std::enable_if_t<std::is_convertible_v<T, Value>, int> = 0>
  Operand(T value) : value(value) {}
  Operand(OpFoldResult known)
      : value(dyn_cast<Value>(known)), integer(getConstantIntValue(known)) {}

  std::optional<int64_t> getKnown() const {
    return value ? getConstantIntValue(value) : integer;
  }

  /// Null if the operand is `integer` or `number`.
  Value value;
  std::optional<int64_t> integer;
  double number = 0;
};

/// Builds at an insertion point of its own. Results fold if the operands are
/// known. Where an operand is a vector, so is the result; then the other
/// operands may be scalars, which stand for equal lanes.
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
  /// Returns a number, or an integer value, as a value of `type`, an element
  /// type or a vector of one. Integers become index, and the other way, by
  /// arith.index_cast.
  Value splat(Type type, Operand operand);
  Value index(Operand operand) { return splat(getIndexType(), operand); }
  /// Returns an extent, a count or the like as a value of type index, or as the
  /// lanes that it is.
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
  /// Creates the conversion `Op` of `value`, or of each of its lanes, to
  /// `element`, unless it has that type.
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

  /// Creates `Op` of `arguments` and both operands.
  template <typename Op, typename... Args>
  Value fold(Operand lhs, Operand rhs, Args... arguments) {
    Type type = getCommonType({lhs, rhs});
    Value left = splat(type, lhs), right = splat(type, rhs);
    return createOrFold<Op>(arguments..., left, right);
  }
  Value add(Operand lhs, Operand rhs) {
    // Adding nothing is frequent.
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
  /// Requires `lhs >= 0`, or an unsigned 64-bit sum of two such values.
  Value divUnsigned(Operand lhs, Operand rhs) {
    return fold<arith::DivUIOp>(lhs, rhs);
  }
  /// Requires `lhs >= 0`.
  Value ceilDiv(Operand lhs, int64_t rhs) {
    return divUnsigned(add(lhs, rhs - 1), rhs);
  }
  Value floorDiv(Operand lhs, Operand rhs) {
    return fold<arith::FloorDivSIOp>(lhs, rhs);
  }
  /// Requires `lhs >= 0`.
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
  /// Compares as unsigned.
  Value isBelow(Operand lhs, Operand rhs) {
    return compare(arith::CmpIPredicate::ult, lhs, rhs);
  }
  /// Returns the bits of both, which are conditions for example. A null value
  /// has all bits.
  Value both(Value lhs, Value rhs) {
    return lhs && rhs ? fold<arith::AndIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }
  /// A null value has no bits.
  Value bitOr(Value lhs, Value rhs) {
    return lhs && rhs ? fold<arith::OrIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }
  /// A null condition holds; then `then` is a value.
  Value select(Value condition, Operand then, Operand otherwise);

private:
  /// The type of the first vector among `operands`, else of the first value,
  /// else index.
  Type getCommonType(ArrayRef<Operand> operands);
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_ELEMENTBUILDER_H
