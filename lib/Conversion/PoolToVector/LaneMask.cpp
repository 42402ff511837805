// Masks as prefixes of lanes, and constants where they are known.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneMask.h"

#include "IndexArithmetic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::createLaneMask(OpBuilder &b, Location loc, int64_t length,
                           int64_t begin, int64_t end) {
  SmallVector<bool> bits(length);
  for (int64_t lane = 0; lane < length; ++lane)
    bits[lane] = begin <= lane && lane < end;
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(VectorType::get(length, b.getI1Type()),
                             ArrayRef<bool>(bits)));
}

Value pool::createLaneMask(OpBuilder &b, Location loc, int64_t length,
                           Value begin, Value end) {
  IndexArithmetic at(b, loc);
  auto type = VectorType::get(length, b.getI1Type());
  auto create = [&](Value bound) -> Value {
    // Bounds are compared as 32-bit integers.
    bound = at.max(at.min(bound, length), 0);
    return vector::CreateMaskOp::create(b, loc, type, bound);
  };
  Value mask = create(end);
  std::optional<int64_t> knownBegin;
  if (begin)
    knownBegin = getConstantIntValue(begin);
  if (!begin || knownBegin.value_or(1) <= 0)
    return mask;
  if (knownBegin)
    return arith::AndIOp::create(
        b, loc, mask, createLaneMask(b, loc, length, *knownBegin, length));
  Value all =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, true));
  Value from = arith::XOrIOp::create(b, loc, create(begin), all);
  return arith::AndIOp::create(b, loc, mask, from);
}
