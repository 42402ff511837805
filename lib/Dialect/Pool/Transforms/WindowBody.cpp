// The arithmetic of pool.window_reduce on one element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/WindowBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

static TypedAttr getZero(OpBuilder &b, Type type) {
  return cast<TypedAttr>(b.getZeroAttr(getSignless(type)));
}

TypedAttr pool::getWindowIdentity(OpBuilder &b, WindowReduceOp op) {
  Type type = getElementTypeOrSelf(op.getOuts()[0].getType());
  return op.getReduction() == Reduction::Max ? getLowest(b, type)
                                             : getZero(b, type);
}

TypedAttr pool::getWindowPadding(OpBuilder &b, WindowReduceOp op) {
  Type type = getElementTypeOrSelf(op.getInput().getType());
  bool isLowest = op.getReduction() == Reduction::Max &&
                  op.getPadValue() == PadValue::NegInf;
  return isLowest ? getLowest(b, type) : getZero(b, type);
}

/// `|value|^p`, by squaring.
static Value getPower(OpBuilder &b, Location loc, Value value, int64_t p) {
  // An even power has no sign.
  Value base = p % 2 ? math::AbsFOp::create(b, loc, value).getResult() : value;
  Value power;
  for (; p > 0; p /= 2) {
    if (p % 2)
      power =
          power ? arith::MulFOp::create(b, loc, power, base).getResult() : base;
    if (p > 1)
      base = arith::MulFOp::create(b, loc, base, base);
  }
  return power;
}

Value pool::prepareElement(OpBuilder &b, Location loc, WindowReduceOp op,
                           Value element) {
  if (op.getReduction() == Reduction::Max)
    return castToSignless(b, loc, element);
  Type accType = getSignless(getElementTypeOrSelf(op.getOuts()[0].getType()));
  element = extendElement(b, loc, element, accType);
  return op.getReduction() == Reduction::PowerSum
             ? getPower(b, loc, element, op.getP())
             : element;
}

Value pool::combineElements(OpBuilder &b, Location loc, WindowReduceOp op,
                            Value element, Value acc) {
  if (op.getReduction() == Reduction::Max)
    return getMaximum(b, loc, element, acc,
                      getElementTypeOrSelf(op.getInput().getType()),
                      op.getNanMode());
  if (isa<FloatType>(getElementTypeOrSelf(element.getType())))
    return arith::AddFOp::create(b, loc, acc, element);
  return arith::AddIOp::create(b, loc, acc, element);
}

Value pool::accumulateElement(OpBuilder &b, Location loc, WindowReduceOp op,
                              Value element, Value acc) {
  return combineElements(b, loc, op, prepareElement(b, loc, op, element), acc);
}
