// Scalar arithmetic of window reductions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/WindowBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

static TypedAttr getZero(OpBuilder &b, Type type) {
  return cast<TypedAttr>(b.getZeroAttr(getSignless(type)));
}

TypedAttr pool::getWindowIdentity(OpBuilder &b,
                                  const ElementReduction &reduction) {
  return reduction.isExtremum()
             ? getIdentity(b, reduction.accType, reduction.kind)
             : getZero(b, reduction.accType);
}

TypedAttr pool::getWindowPadding(OpBuilder &b,
                                 const ElementReduction &reduction) {
  return reduction.isExtremum() && !isZero(reduction.padValue)
             ? getIdentity(b, reduction.inputType, reduction.kind)
             : getZero(b, reduction.inputType);
}

/// Builds `|value|^p` by squaring.
static Value getPower(OpBuilder &b, Location loc, Value value, int64_t p) {
  // An even power needs no absolute value.
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

Value pool::prepareElement(OpBuilder &b, Location loc,
                           const ElementReduction &reduction, Value element) {
  if (reduction.isExtremum())
    return castToSignless(b, loc, element);
  Type accType = getSignless(reduction.accType);
  element = extendElement(b, loc, element, accType);
  return reduction.kind == Reduction::PowerSum
             ? getPower(b, loc, element, reduction.p)
             : element;
}

Value pool::combineElements(OpBuilder &b, Location loc,
                            const ElementReduction &reduction, Value element,
                            Value acc) {
  if (reduction.isExtremum())
    return getExtremum(b, loc, reduction.getPreference(), element, acc);
  if (isa<FloatType>(getElementTypeOrSelf(element.getType())))
    return arith::AddFOp::create(b, loc, acc, element);
  return arith::AddIOp::create(b, loc, acc, element);
}

Value pool::accumulateElement(OpBuilder &b, Location loc,
                              const ElementReduction &reduction, Value element,
                              Value acc) {
  return combineElements(b, loc, reduction,
                         prepareElement(b, loc, reduction, element), acc);
}
