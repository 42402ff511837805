// Vectors of positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXLANES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXLANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::pool {

/// Vectors of type index, or of i32 if every result is known to fit. Vectors of
/// i32 need half as many registers, and processors can multiply them.
class IndexLanes {
public:
  IndexLanes(OpBuilder &b, Location loc, int64_t length, bool isNarrow = false)
      : b(b), loc(loc),
        type(VectorType::get(length, isNarrow ? Type(b.getI32Type())
                                              : b.getIndexType())) {}

  /// Copies `value`, of type index, to all lanes.
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
  /// Converts lanes of i32.
  Value fromIntegers(Value integers) {
    return integers.getType() == type
               ? integers
               : arith::IndexCastOp::create(b, loc, type, integers);
  }
  /// Converts to lanes of i64.
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

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXLANES_H
