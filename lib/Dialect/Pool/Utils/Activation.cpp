// Builds bias and activation as elementwise linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Activation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

static Value clamp(ElementBuilder &b, Value x, double min, double max) {
  return b.fold<arith::MinimumFOp>(b.fold<arith::MaximumFOp>(x, min), max);
}

static Value onePlusExpOfMinus(ElementBuilder &b, Value x) {
  return b.addFloat(
      1, b.createOrFold<math::ExpOp>(b.createOrFold<arith::NegFOp>(x)));
}

/// Builds softplus as max(x, 0) + log1p(exp(-|x|)), whose exponential cannot
/// overflow.
static Value softplus(ElementBuilder &b, Value x) {
  Value small = b.createOrFold<math::ExpOp>(
      b.createOrFold<arith::NegFOp>(b.createOrFold<math::AbsFOp>(x)));
  return b.addFloat(b.fold<arith::MaximumFOp>(x, 0),
                    b.createOrFold<math::Log1pOp>(small));
}

static Value gelu(ElementBuilder &b, Value x) {
  Value cube = b.mulFloat(b.mulFloat(x, x), x);
  Value inner = b.addFloat(x, b.mulFloat(0.044715, cube));
  constexpr double kSqrtTwoOverPi = 0.7978845608028654;
  Value tanh = b.createOrFold<math::TanhOp>(b.mulFloat(kSqrtTwoOverPi, inner));
  return b.mulFloat(b.mulFloat(0.5, x), b.addFloat(1, tanh));
}

static Value apply(ElementBuilder &b, const Activation &activation, Value x) {
  double alpha = activation.alpha, beta = activation.beta;
  switch (activation.kind) {
  case ActivationKind::Identity:
  case ActivationKind::Softmax:
    return x;
  case ActivationKind::RectifiedLinear:
    return b.fold<arith::MaximumFOp>(x, 0);
  case ActivationKind::LeakyRectifiedLinear: {
    Value isNegative = b.fold<arith::CmpFOp>(x, 0, arith::CmpFPredicate::OLT);
    return b.select(isNegative, b.mulFloat(alpha, x), x);
  }
  case ActivationKind::Sigmoid:
    return b.divFloat(1, onePlusExpOfMinus(b, x));
  case ActivationKind::Tanh:
    return b.createOrFold<math::TanhOp>(x);
  case ActivationKind::ScaledTanh:
    return b.mulFloat(alpha, b.createOrFold<math::TanhOp>(b.mulFloat(beta, x)));
  case ActivationKind::Abs:
    return b.createOrFold<math::AbsFOp>(x);
  case ActivationKind::Linear:
    return b.mulFloat(alpha, x);
  case ActivationKind::Clamp:
    return clamp(b, x, alpha, beta);
  case ActivationKind::Softplus:
    return softplus(b, x);
  case ActivationKind::GELU:
    return gelu(b, x);
  case ActivationKind::SiLU:
    return b.divFloat(x, onePlusExpOfMinus(b, x));
  case ActivationKind::HardSigmoid:
    return clamp(b, b.addFloat(b.mulFloat(alpha, x), beta), 0, 1);
  }
  llvm_unreachable("all kinds handled");
}

/// Returns the softmax across `channelDim`, built by upstream's decomposition
/// of linalg.softmax.
static Value createSoftmax(OpBuilder &b, Location loc, Value input, Value init,
                           unsigned channelDim) {
  auto softmax = linalg::SoftmaxOp::create(b, loc, init.getType(), input, init,
                                           channelDim);
  b.setInsertionPointAfter(softmax);
  // The decomposition succeeds for every tensor, so dereference its result.
  Value result = softmax.decomposeOperation(b)->front();
  softmax.erase();
  return result;
}

Value pool::createBiasAndActivation(OpBuilder &b, Location loc, Value input,
                                    Value bias, Layout layout,
                                    const Activation &activation) {
  OpBuilder::InsertionGuard guard(b);
  auto type = cast<RankedTensorType>(input.getType());
  unsigned rank = type.getRank();
  unsigned channelDim = isChannelsFirst(layout) ? 1 : rank - 1;
  bool isSoftmax = activation.kind == ActivationKind::Softmax;
  Type elementType = type.getElementType();
  Type computeType = getFloatAccumulator(elementType);

  auto createMap = [&](Value source, Value bias, Type resultType,
                       function_ref<Value(OpBuilder &, Location, Value)> body) {
    SmallVector<Value> inputs = {source};
    SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(rank)};
    if (bias) {
      inputs.push_back(bias);
      maps.push_back(AffineMap::get(rank, 0, b.getAffineDimExpr(channelDim)));
    }
    return createElementwise(
               b, loc, inputs, tensor::getMixedSizes(b, loc, input), resultType,
               [&](OpBuilder &b, Location loc, ValueRange elements) {
                 Value x = extendElement(b, loc, elements[0], computeType);
                 if (bias)
                   x = arith::AddFOp::create(
                       b, loc, x,
                       extendElement(b, loc, elements[1], computeType));
                 return body(b, loc, x);
               },
               maps)
        .getResult(0);
  };

  Value result = input;
  // Softmax sums in the compute type, so give it an input of that type.
  Type mapType = isSoftmax ? computeType : elementType;
  if (bias || elementType != mapType ||
      (activation.kind != ActivationKind::Identity && !isSoftmax))
    result = createMap(
        input, bias, mapType, [&](OpBuilder &b, Location loc, Value x) {
          ElementBuilder element(b, loc);
          return truncateFloat(b, loc, apply(element, activation, x), mapType);
        });
  if (!isSoftmax)
    return result;
  result = createSoftmax(
      b, loc, result,
      tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, input),
                              computeType),
      channelDim);
  return createFloatCast(b, loc, result, cast<FloatType>(elementType));
}

Value pool::createDataScale(OpBuilder &b, Location loc, Value input,
                            double scale, double bias, FloatType elementType) {
  Type storedType = cast<RankedTensorType>(input.getType()).getElementType();
  return createElementwise(
             b, loc, input, tensor::getMixedSizes(b, loc, input), elementType,
             [&](OpBuilder &builder, Location loc, ValueRange elements) {
               ElementBuilder b(builder, loc);
               Value x = castToSignless(b, loc, elements[0]);
               x = storedType.isUnsignedInteger()
                       ? b.convert<arith::UIToFPOp>(elementType, x)
                       : b.convert<arith::SIToFPOp>(elementType, x);
               return b.addFloat(b.mulFloat(x, scale), bias);
             })
      .getResult(0);
}

Value pool::createDataUnscale(OpBuilder &b, Location loc, Value input,
                              double scale, double bias,
                              IntegerType elementType) {
  auto signless = cast<IntegerType>(getSignless(elementType));
  unsigned width = signless.getWidth();
  const bool isUnsigned = elementType.isUnsigned();
  // `begin` and `end` are 0 or powers of two, which floats hold exactly. The
  // largest integer might be rounded, so `end` lies one above it.
  double end = std::ldexp(1.0, isUnsigned ? width : width - 1);
  double begin = isUnsigned ? 0 : -end;
  return createElementwise(
             b, loc, input, tensor::getMixedSizes(b, loc, input), elementType,
             [&](OpBuilder &builder, Location loc, ValueRange elements) {
               ElementBuilder b(builder, loc);
               Value x = elements[0];
               auto compare = [&](arith::CmpFPredicate predicate,
                                  double value) {
                 return b.fold<arith::CmpFOp>(x, value, predicate);
               };
               auto integer = [&](const APInt &value) {
                 return b.constant(b.getIntegerAttr(signless, value));
               };
               if (bias != 0)
                 x = b.fold<arith::SubFOp>(x, bias);
               if (scale != 1)
                 x = b.divFloat(x, scale);
               x = b.createOrFold<math::RoundEvenOp>(x);
               Value isBelow = compare(arith::CmpFPredicate::OLT, begin);
               Value isAbove = compare(arith::CmpFPredicate::OGE, end);
               Value isInside =
                   b.both(compare(arith::CmpFPredicate::OGE, begin),
                          compare(arith::CmpFPredicate::OLT, end));
               // The conversion of NaN or of a value out of range is undefined,
               // so convert 0 in their place.
               Value inside = b.select(isInside, x, 0);
               Value result =
                   isUnsigned ? b.convert<arith::FPToUIOp>(signless, inside)
                              : b.convert<arith::FPToSIOp>(signless, inside);
               Value least =
                   integer(isUnsigned ? APInt::getMinValue(width)
                                      : APInt::getSignedMinValue(width));
               Value most =
                   integer(isUnsigned ? APInt::getMaxValue(width)
                                      : APInt::getSignedMaxValue(width));
               result = b.select(isBelow, least, result);
               result = b.select(isAbove, most, result);
               return castFromSignless(b, loc, result, elementType);
             })
      .getResult(0);
}

Value pool::createFloatCast(OpBuilder &b, Location loc, Value input,
                            FloatType elementType) {
  auto type =
      cast<FloatType>(cast<RankedTensorType>(input.getType()).getElementType());
  if (type == elementType)
    return input;
  return createElementwise(
             b, loc, input, tensor::getMixedSizes(b, loc, input), elementType,
             [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
               Value x = elements[0];
               if (type.getWidth() < elementType.getWidth())
                 return arith::ExtFOp::create(b, loc, elementType, x);
               // Convert f64 to 16 bits through f32. Most targets convert f64
               // to 16 bits directly only by a library call, which compiled
               // code should not need.
               return truncateFloat(
                   b, loc,
                   truncateFloat(b, loc, x, getFloatAccumulator(elementType)),
                   elementType);
             })
      .getResult(0);
}
