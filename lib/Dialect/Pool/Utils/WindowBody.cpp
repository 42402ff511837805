// Builds the arithmetic on the elements of a window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/WindowBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"

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

/// Returns `|value|^p`, computed by repeated squaring.
static Value getPower(ElementBuilder &b, Value value, int64_t p) {
  // An even power needs no absolute value.
  Value base = p % 2 ? b.createOrFold<math::AbsFOp>(value) : value;
  Value power;
  for (; p > 0; p /= 2) {
    if (p % 2)
      power = power ? b.mulFloat(power, base) : base;
    if (p > 1)
      base = b.mulFloat(base, base);
  }
  return power;
}

Value pool::prepareElement(ElementBuilder &b, const ElementReduction &reduction,
                           Value element) {
  if (reduction.isExtremum())
    return castToSignless(b, b.getLoc(), element);
  element =
      extendElement(b, b.getLoc(), element, getSignless(reduction.accType));
  return reduction.kind == Reduction::PowerSum
             ? getPower(b, element, reduction.p)
             : element;
}

Value pool::combineElements(ElementBuilder &b,
                            const ElementReduction &reduction, Value element,
                            Value acc) {
  if (reduction.isExtremum())
    return getExtremum(b, reduction.getPreference(), element, acc);
  return isa<FloatType>(getElementTypeOrSelf(element))
             ? b.addFloat(acc, element)
             : b.add(acc, element);
}

Value pool::accumulateElement(ElementBuilder &b,
                              const ElementReduction &reduction, Value element,
                              Value acc) {
  return combineElements(b, reduction, prepareElement(b, reduction, element),
                         acc);
}
