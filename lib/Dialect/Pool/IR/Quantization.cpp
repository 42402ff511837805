// Implements the helpers for uniformly quantized element types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Quantization.h"

#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Tosa/Utils/QuantUtils.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;
using quant::QuantizedType;

bool pool::isQuantized(Type type) {
  if (!isa<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
          type))
    return false;
  Type storage = cast<QuantizedType>(type).getStorageType();
  return storage.isInteger(8) || storage.isInteger(16) || storage.isInteger(32);
}

Type pool::getStoredType(Type elementType) {
  if (!isQuantized(elementType))
    return elementType;
  auto quantized = cast<QuantizedType>(elementType);
  return IntegerType::get(
      elementType.getContext(), quantized.getStorageTypeIntegralWidth(),
      quantized.isSigned() ? IntegerType::Signless : IntegerType::Unsigned);
}

Value pool::getStoredTensor(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<TensorType>(tensor.getType());
  Type stored = getStoredType(type.getElementType());
  if (stored == type.getElementType())
    return tensor;
  return quant::StorageCastOp::create(b, loc, type.clone(getSignless(stored)),
                                      tensor);
}

Value pool::castFromStored(OpBuilder &b, Location loc, Value stored,
                           Type elementType) {
  if (!isQuantized(elementType))
    return stored;
  auto type = cast<TensorType>(stored.getType());
  return quant::StorageCastOp::create(b, loc, type.clone(elementType), stored);
}

int64_t pool::getZeroPoint(Type elementType) {
  auto quantized = dyn_cast<quant::UniformQuantizedType>(elementType);
  return quantized ? quantized.getZeroPoint() : 0;
}

bool pool::hasNarrowRange(QuantizedType type) {
  unsigned width = type.getStorageTypeIntegralWidth();
  return type.getStorageTypeMin() > QuantizedType::getDefaultMinimumForInteger(
                                        type.isSigned(), width) ||
         type.getStorageTypeMax() <
             QuantizedType::getDefaultMaximumForInteger(type.isSigned(), width);
}

std::optional<Rescale> Rescale::get(Type from, Type to) {
  double ratio = cast<quant::UniformQuantizedType>(from).getScale() /
                 cast<quant::UniformQuantizedType>(to).getScale();
  Rescale rescale;
  if (!tosa::computeMultiplierAndShift(ratio, rescale.multiplier, rescale.shift,
                                       /*scaleWidth=*/32) ||
      rescale.multiplier < 0 || rescale.shift < 2 || rescale.shift > 62)
    return std::nullopt;
  return rescale;
}
