// Sums of 128 bits as vectors of halves.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/WideSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pool;

static Value getSplat(OpBuilder &b, Location loc, VectorType type,
                      int64_t value) {
  APInt bits(type.getElementTypeBitWidth(), value, /*isSigned=*/true);
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, bits));
}

Accumulator pool::getWideSum(OpBuilder &b, Location loc, Value integers,
                             bool isUnsigned) {
  auto type = cast<VectorType>(integers.getType());
  if (isUnsigned)
    return {integers, getSplat(b, loc, type, 0)};
  return {integers,
          arith::ShRSIOp::create(b, loc, integers, getSplat(b, loc, type, 63))};
}

Accumulator pool::addWideSums(OpBuilder &b, Location loc, Accumulator lhs,
                              Accumulator rhs) {
  Value low = arith::AddIOp::create(b, loc, lhs.value, rhs.value);
  Value carries =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, low, lhs.value);
  Value carry = arith::ExtUIOp::create(b, loc, low.getType(), carries);
  Value high = arith::AddIOp::create(b, loc, lhs.index, rhs.index);
  return {low, arith::AddIOp::create(b, loc, high, carry)};
}

Value pool::joinWideSum(OpBuilder &b, Location loc, Accumulator sum) {
  VectorType type =
      cast<VectorType>(sum.value.getType()).clone(b.getIntegerType(128));
  Value low = arith::ExtUIOp::create(b, loc, type, sum.value);
  Value high = arith::ExtSIOp::create(b, loc, type, sum.index);
  high = arith::ShLIOp::create(b, loc, high, getSplat(b, loc, type, 64));
  return arith::OrIOp::create(b, loc, high, low);
}
