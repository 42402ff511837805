// Arithmetic on values of type index that folds where operands are known, and
// vectors of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXARITHMETIC_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::pool {

/// An operand: a value or an integer.
class IndexArithmetic {
public:
  IndexArithmetic(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value lhs, Value rhs) { return create<arith::AddIOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return create<arith::SubIOp>(lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return create<arith::MulIOp>(lhs, rhs); }
  Value min(Value lhs, Value rhs) { return create<arith::MinSIOp>(lhs, rhs); }
  Value max(Value lhs, Value rhs) { return create<arith::MaxSIOp>(lhs, rhs); }
  Value add(Value lhs, int64_t rhs) {
    return rhs == 0 ? lhs : add(lhs, constant(rhs));
  }
  Value sub(Value lhs, int64_t rhs) { return sub(lhs, constant(rhs)); }
  Value mul(Value lhs, int64_t rhs) { return mul(lhs, constant(rhs)); }
  Value min(Value lhs, int64_t rhs) { return min(lhs, constant(rhs)); }
  Value max(Value lhs, int64_t rhs) { return max(lhs, constant(rhs)); }
  /// Of what is not negative, or the sum of two such in 64 bits without a sign.
  Value divUnsigned(Value lhs, int64_t rhs) {
    return create<arith::DivUIOp>(lhs, constant(rhs));
  }
  /// Of what is not negative.
  Value ceilDiv(Value lhs, int64_t rhs) {
    return divUnsigned(add(lhs, rhs - 1), rhs);
  }
  Value floorDiv(Value lhs, int64_t rhs) {
    return create<arith::FloorDivSIOp>(lhs, constant(rhs));
  }
  /// Of what is not negative.
  Value rem(Value lhs, int64_t rhs) {
    return create<arith::RemUIOp>(lhs, constant(rhs));
  }
  Value isAtLeast(Value lhs, Value rhs) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, lhs,
                                         rhs);
  }
  /// A condition that is null holds.
  Value both(Value lhs, Value rhs) {
    return lhs && rhs ? create<arith::AndIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }

private:
  template <typename Op>
  Value create(Value lhs, Value rhs) {
    return b.createOrFold<Op>(loc, lhs, rhs);
  }

  OpBuilder &b;
  Location loc;
};

/// Vectors of values of type index, or of 32 bits where what is computed is
/// known to fit these: half as many registers, and products that processors
/// have.
class IndexLanes {
public:
  IndexLanes(OpBuilder &b, Location loc, int64_t length, bool isNarrow = false)
      : b(b), loc(loc),
        type(VectorType::get(length, isNarrow ? Type(b.getI32Type())
                                              : b.getIndexType())) {}

  /// Of a value of type index.
  Value splat(Value value) {
    Type element = type.getElementType();
    if (value.getType() != element)
      value = b.createOrFold<arith::IndexCastOp>(loc, element, value);
    return vector::BroadcastOp::create(b, loc, type, value);
  }
  Value constant(int64_t value) {
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type,
                               b.getIntegerAttr(type.getElementType(), value)));
  }
  /// From integers of 32 bits, and to integers of 64.
  Value fromIntegers(Value integers) {
    return integers.getType() == type
               ? integers
               : arith::IndexCastOp::create(b, loc, type, integers);
  }
  Value toIntegers(Value lanes) {
    auto wide = type.clone(b.getI64Type());
    return type.getElementType().isIndex()
               ? Value(arith::IndexCastOp::create(b, loc, wide, lanes))
               : Value(arith::ExtSIOp::create(b, loc, wide, lanes));
  }

private:
  OpBuilder &b;
  Location loc;
  VectorType type;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXARITHMETIC_H
