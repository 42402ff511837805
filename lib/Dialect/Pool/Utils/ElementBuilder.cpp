// Brings operands of arithmetic to one type.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

Type ElementBuilder::getCommonType(ArrayRef<Operand> operands) {
  Type common;
  for (const Operand &operand : operands) {
    if (!operand.value)
      continue;
    Type type = operand.value.getType();
    if (isa<VectorType>(type))
      return type;
    if (!common)
      common = type;
  }
  return common ? common : getIndexType();
}

Value ElementBuilder::splat(Type type, Operand operand) {
  Type element = getElementTypeOrSelf(type);
  Value value = operand.value;
  if (!value) {
    assert((operand.integer || isa<FloatType>(element)) &&
           "a fraction needs a float type");
    TypedAttr known;
    if (isa<FloatType>(element))
      known = getFloatAttr(element, operand.integer ? double(*operand.integer)
                                                    : operand.number);
    else
      known = getIntegerAttr(
          element,
          APInt(element.isIndex() ? 64 : element.getIntOrFloatBitWidth(),
                *operand.integer, /*isSigned=*/true,
                /*implicitTrunc=*/true));
    auto vector = dyn_cast<VectorType>(type);
    return constant(vector ? DenseElementsAttr::get(vector, known) : known);
  }
  Type from = getElementTypeOrSelf(value.getType());
  if (from != element && (from.isIndex() || element.isIndex()))
    value = convert<arith::IndexCastOp>(element, value);
  return value.getType() == type
             ? value
             : createOrFold<vector::BroadcastOp>(type, value);
}

Value ElementBuilder::select(Value condition, Operand then, Operand otherwise) {
  if (!condition)
    return then.value;
  Type type = getCommonType({then, otherwise});
  // Broadcast scalars to the number of lanes of the condition.
  if (auto lanes = dyn_cast<VectorType>(condition.getType());
      lanes && !isa<VectorType>(type))
    type = lanes.clone(type);
  return createOrFold<arith::SelectOp>(condition, splat(type, then),
                                       splat(type, otherwise));
}
