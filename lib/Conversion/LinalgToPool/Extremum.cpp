// Raises window extrema.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Extremum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the `pad_value` with the same effect as padding with `value`, or
/// nothing if there is none. The padding has no effect if `value` is the
/// identity of `combine`, or if `init` always beats or equals it. Then returns
/// the `pad_value` that is never chosen: -inf for a maximum, +inf for a
/// minimum.
static std::optional<PadValue> getPadValue(TypedAttr value, TypedAttr init,
                                           const Combine &combine) {
  if (isIdentity(value, combine) || (init && isAbsorbed(value, init, combine)))
    return getNeverChosen(combine.reduction);
  if (isPositiveZero(value))
    return PadValue::Zero;
  return std::nullopt;
}

/// True if `constant` is a float and not NaN.
static bool isNumber(TypedAttr constant) {
  auto number = dyn_cast_if_present<FloatAttr>(constant);
  return number && !number.getValue().isNaN();
}

FailureOr<ExtremumPlan> pool::planExtremum(const WindowReduction &reduction,
                                           std::string &reason,
                                           Type indexElementType) {
  const Combine &combine = reduction.combine;
  Type element = reduction.getInputType().getElementType();
  Type accumulator = reduction.getOutputType().getElementType();
  if (element != accumulator)
    return fail(reason, llvm::formatv("it widens its elements from {0} to {1}",
                                      element, accumulator));

  PadValue neverChosen = getNeverChosen(combine.reduction);
  bool propagatesNaN = isa<FloatType>(element) && !combine.prefersNumbers;
  ExtremumPlan plan{reduction,
                    {},
                    {/*axis=*/indexElementType ? 2 : 0, neverChosen,
                     propagatesNaN ? NanMode::Propagate : NanMode::Ignore},
                    /*pooledType=*/{},
                    indexElementType,
                    /*keepsInit=*/false,
                    /*keptPadding=*/{}};
  TypedAttr init = getSplatConstant(reduction.init);
  plan.keepsInit = !init || !isIdentity(init, combine);
  if (plan.keepsInit && combine.prefersNumbers && !isNumber(init))
    return fail(
        reason,
        "it may start from NaN, which a window of nothing but NaN keeps");

  auto takePadding = [&](TypedAttr value) {
    std::optional<PadValue> padValue = getPadValue(value, init, combine);
    plan.modes.padValue = padValue.value_or(neverChosen);
    return padValue.has_value();
  };
  FailureOr<FittedWindow> fitted =
      fitWindow(reduction, takePadding, plan.keptPadding, reason);
  if (failed(fitted))
    return failure();
  plan.fitted = std::move(*fitted);
  // Without padding, pad_value has no effect. Use the default.
  if (!plan.fitted.window.hasPadding())
    plan.modes.padValue = neverChosen;
  FailureOr<RankedTensorType> pooledType = inferExtremumPool(
      plan.fitted.sourceType, plan.fitted.window, combine.reduction, plan.modes,
      reason, indexElementType);
  if (failed(pooledType))
    return failure();
  plan.pooledType = *pooledType;
  return plan;
}

/// Casts the elements of `tensor` to `elementType`, which differs only in its
/// signedness. Casts element by element, because bufferisation does not support
/// such a cast of a whole tensor.
static Value createSignCast(OpBuilder &b, Location loc, Value tensor,
                            Type elementType) {
  return createElementwise(
             b, loc, tensor, tensor::getMixedSizes(b, loc, tensor), elementType,
             [&](OpBuilder &b, Location loc, ValueRange elements) {
               return UnrealizedConversionCastOp::create(b, loc, elementType,
                                                         elements[0])
                   .getResult(0);
             })
      .getResult(0);
}

PooledExtremum pool::createExtremum(OpBuilder &b, const ExtremumPlan &plan,
                                    TypeRange indexTypes) {
  const WindowReduction &extremum = plan.extremum;
  const Combine &combine = extremum.combine;
  Location loc = extremum.op->getLoc();
  Type element = extremum.getInputType().getElementType();
  Value source = createSource(b, loc, plan.fitted);
  if (combine.isUnsigned)
    source = createSignCast(b, loc, source,
                            IntegerType::get(b.getContext(),
                                             element.getIntOrFloatBitWidth(),
                                             IntegerType::Unsigned));
  ExtremumOpInterface op = createExtremumPool(
      b, loc, combine.reduction, source, plan.fitted.window.getAttrs(),
      plan.modes, plan.indexElementType);
  Value pooled = op.getValues();
  if (combine.isUnsigned)
    pooled = createSignCast(b, loc, pooled, element);
  pooled = restoreOutput(b, loc, extremum, plan.fitted, pooled,
                         extremum.getOutputType());
  SmallVector<Value> indices;
  for (Type type : indexTypes)
    indices.push_back(
        restoreOutput(b, loc, extremum, plan.fitted, op.getIndices(), type));
  if (!plan.keepsInit)
    return {pooled, indices};
  TypedAttr constant = getSplatConstant(extremum.init);
  auto combineWithInit = [&](OpBuilder &b, Location loc, ValueRange elements) {
    Value init = constant ? Value(arith::ConstantOp::create(b, loc, constant))
                          : elements[1];
    OperationState state(loc, combine.name, {elements[0], init}, {element});
    return b.create(state)->getResult(0);
  };
  auto combined =
      constant ? createElementwise(b, loc, pooled,
                                   getCreatedSizes(b, loc, extremum.init),
                                   element, combineWithInit)
               : createElementwise(b, loc, ValueRange{pooled, extremum.init},
                                   extremum.init, combineWithInit);
  return {combined.getResult(0), indices};
}
