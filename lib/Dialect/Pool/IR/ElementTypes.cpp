// Converts between the element types of pooling and the types that arith
// computes with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

namespace mlir::pool {
#include "pool/Dialect/Pool/IR/PoolTypes.cpp.inc"
} // namespace mlir::pool

Type pool::getSignless(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(getSignless(vector.getElementType()));
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSignless())
    return type;
  return IntegerType::get(type.getContext(), integer.getWidth());
}

Value pool::castToSignless(OpBuilder &b, Location loc, Value value) {
  return castFromSignless(b, loc, value, getSignless(value.getType()));
}

Value pool::castFromSignless(OpBuilder &b, Location loc, Value value,
                             Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

Type pool::getFloatAccumulator(Type type) {
  return type.getIntOrFloatBitWidth() < 32 ? Float32Type::get(type.getContext())
                                           : type;
}

Value pool::extendElement(OpBuilder &b, Location loc, Value element,
                          Type accType) {
  Type type = getElementTypeOrSelf(element.getType());
  Value value = castToSignless(b, loc, element);
  if (getElementTypeOrSelf(value.getType()) == accType)
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    accType = vector.clone(accType);
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, accType, value);
  if (type.isUnsignedInteger())
    return arith::ExtUIOp::create(b, loc, accType, value);
  return arith::ExtSIOp::create(b, loc, accType, value);
}

Value pool::truncateFloat(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::TruncFOp::create(b, loc, type, value);
}
