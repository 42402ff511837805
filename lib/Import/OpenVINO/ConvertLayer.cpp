// Imports Convert: elements of any type to any other type.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"
#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

/// Rounds towards zero and saturates; NaN becomes 0.
static Value createFloatToInteger(OpBuilder &b, Location loc, Value x,
                                  Type type) {
  auto floatType = cast<FloatType>(x.getType());
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger();
  IntegerType signless = b.getIntegerType(width);
  Value result = isUnsigned
                     ? Value(arith::FPToUIOp::create(b, loc, signless, x))
                     : Value(arith::FPToSIOp::create(b, loc, signless, x));
  auto choose = [&](arith::CmpFPredicate predicate, double limit,
                    const APInt &value) {
    Value bound =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(floatType, limit));
    Value isBeyond = arith::CmpFOp::create(b, loc, predicate, x, bound);
    Value integer =
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(signless, value));
    result = arith::SelectOp::create(b, loc, isBeyond, integer, result);
  };
  // Powers of two, exact in f32 and f64.
  unsigned digits = isUnsigned ? width : width - 1;
  choose(arith::CmpFPredicate::OGE, std::ldexp(1.0, digits),
         isUnsigned ? APInt::getMaxValue(width)
                    : APInt::getSignedMaxValue(width));
  if (isUnsigned)
    choose(arith::CmpFPredicate::OLE, -1.0, APInt::getMinValue(width));
  else
    choose(arith::CmpFPredicate::OLT, -std::ldexp(1.0, digits),
           APInt::getSignedMinValue(width));
  choose(arith::CmpFPredicate::UNO, 0.0, APInt::getZero(width));
  return result;
}

/// Converts an element of type `from`, as createElementwise passes it, to `to`.
static Value createConversion(OpBuilder &b, Location loc, Value x, Type from,
                              Type to) {
  bool isFromFloat = isa<FloatType>(from);
  bool isFromUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  if (to.isInteger(1)) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
    if (isFromFloat)
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, zero);
  }
  if (isa<FloatType>(to)) {
    Type target = getFloatAccumulator(to);
    if (!isFromFloat)
      return isFromUnsigned ? Value(arith::UIToFPOp::create(b, loc, target, x))
                            : Value(arith::SIToFPOp::create(b, loc, target, x));
    if (x.getType() == target)
      return x;
    if (x.getType().getIntOrFloatBitWidth() < target.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, loc, target, x);
    // Rounds f64 to a narrow type once, not by way of f32.
    return arith::TruncFOp::create(b, loc, to, x);
  }
  if (isFromFloat)
    return createFloatToInteger(b, loc, x, to);
  Type target = getSignless(to);
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (fromWidth == toWidth)
    return x;
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(b, loc, target, x);
  return isFromUnsigned ? Value(arith::ExtUIOp::create(b, loc, target, x))
                        : Value(arith::ExtSIOp::create(b, loc, target, x));
}

LogicalResult pool::openvino::convertConvert(LayerConversion &c,
                                             LayerAttributes &attributes) {
  FailureOr<StringRef> name =
      attributes.require("destination_type", &LayerAttributes::findText);
  if (failed(name) || failed(attributes.finish()))
    return failure();
  Type from = c.getInputType(0).getElementType();
  Type to = getTypeOfName(c.b.getContext(), *name);
  if (!to)
    return attributes.emitError("destination_type") << "which is not supported";
  return createElementwise(c, to,
                           [&](OpBuilder &b, Location loc, ValueRange x) {
                             return createConversion(b, loc, x[0], from, to);
                           });
}
