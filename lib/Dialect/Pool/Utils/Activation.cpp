// Bias and activation as elementwise linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Activation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Builds the activations on one element.
class ElementBuilder {
public:
  ElementBuilder(OpBuilder &b, Location loc, Type type)
      : b(b), loc(loc), type(type) {}

  Value apply(const Activation &activation, Value x) {
    auto alpha = [&] { return constant(activation.alpha); };
    auto beta = [&] { return constant(activation.beta); };
    switch (activation.kind) {
    case ActivationKind::Identity:
    case ActivationKind::Softmax:
      return x;
    case ActivationKind::RectifiedLinear:
      return create<arith::MaximumFOp>(x, constant(0));
    case ActivationKind::LeakyRectifiedLinear: {
      Value negative = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                             x, constant(0));
      return create<arith::SelectOp>(negative,
                                     create<arith::MulFOp>(alpha(), x), x);
    }
    case ActivationKind::Sigmoid:
      return create<arith::DivFOp>(constant(1), onePlusExpOfMinus(x));
    case ActivationKind::Tanh:
      return create<math::TanhOp>(x);
    case ActivationKind::ScaledTanh:
      return create<arith::MulFOp>(
          alpha(), create<math::TanhOp>(create<arith::MulFOp>(beta(), x)));
    case ActivationKind::Abs:
      return create<math::AbsFOp>(x);
    case ActivationKind::Linear:
      return create<arith::MulFOp>(alpha(), x);
    case ActivationKind::Clamp:
      return clamp(x, alpha(), beta());
    case ActivationKind::Softplus:
      return softplus(x);
    case ActivationKind::GELU:
      return gelu(x);
    case ActivationKind::SiLU:
      return create<arith::DivFOp>(x, onePlusExpOfMinus(x));
    case ActivationKind::HardSigmoid:
      return clamp(
          create<arith::AddFOp>(create<arith::MulFOp>(alpha(), x), beta()),
          constant(0), constant(1));
    }
    llvm_unreachable("all kinds handled");
  }

private:
  template <typename Op, typename... Args>
  Value create(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  }
  Value clamp(Value x, Value min, Value max) {
    return create<arith::MinimumFOp>(create<arith::MaximumFOp>(x, min), max);
  }
  Value onePlusExpOfMinus(Value x) {
    return create<arith::AddFOp>(constant(1),
                                 create<math::ExpOp>(create<arith::NegFOp>(x)));
  }
  /// Softplus as max(x, 0) + log1p(exp(-|x|)), whose exponential cannot
  /// overflow.
  Value softplus(Value x) {
    Value small =
        create<math::ExpOp>(create<arith::NegFOp>(create<math::AbsFOp>(x)));
    return create<arith::AddFOp>(create<arith::MaximumFOp>(x, constant(0)),
                                 create<math::Log1pOp>(small));
  }
  Value gelu(Value x) {
    Value cube = create<arith::MulFOp>(create<arith::MulFOp>(x, x), x);
    Value inner = create<arith::AddFOp>(
        x, create<arith::MulFOp>(constant(0.044715), cube));
    constexpr double kSqrtTwoOverPi = 0.7978845608028654;
    Value tanh = create<math::TanhOp>(
        create<arith::MulFOp>(constant(kSqrtTwoOverPi), inner));
    return create<arith::MulFOp>(create<arith::MulFOp>(constant(0.5), x),
                                 create<arith::AddFOp>(constant(1), tanh));
  }

  OpBuilder &b;
  Location loc;
  Type type;
};
} // namespace

/// Builds the softmax across `channelDim`, decomposed as upstream decomposes
/// linalg.softmax.
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

Value pool::createActivation(OpBuilder &b, Location loc, Value x,
                             const Activation &activation) {
  return ElementBuilder(b, loc, x.getType()).apply(activation, x);
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
          ElementBuilder element(b, loc, computeType);
          return truncateFloat(b, loc, element.apply(activation, x), mapType);
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
             [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
               Value element = elements[0];
               Value stored = castToSignless(b, loc, element);
               Value x;
               if (storedType.isUnsignedInteger())
                 x = arith::UIToFPOp::create(b, loc, elementType, stored);
               else
                 x = arith::SIToFPOp::create(b, loc, elementType, stored);
               auto constant = [&](double value) -> Value {
                 return arith::ConstantOp::create(
                     b, loc, b.getFloatAttr(elementType, value));
               };
               Value scaled = arith::MulFOp::create(b, loc, x, constant(scale));
               return arith::AddFOp::create(b, loc, scaled, constant(bias));
             })
      .getResult(0);
}

Value pool::createDataUnscale(OpBuilder &b, Location loc, Value input,
                              double scale, double bias,
                              IntegerType elementType) {
  auto floatType =
      cast<FloatType>(cast<RankedTensorType>(input.getType()).getElementType());
  auto signless = cast<IntegerType>(getSignless(elementType));
  unsigned width = signless.getWidth();
  const bool isUnsigned = elementType.isUnsigned();
  // `begin` and `end` are 0 or powers of two, which floats hold exactly. The
  // largest integer might be rounded, so `end` lies one above it.
  double end = std::ldexp(1.0, isUnsigned ? width : width - 1);
  double begin = isUnsigned ? 0 : -end;
  return createElementwise(
             b, loc, input, tensor::getMixedSizes(b, loc, input), elementType,
             [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
               Value x = elements[0];
               auto constant = [&](double value) -> Value {
                 return arith::ConstantOp::create(
                     b, loc, b.getFloatAttr(floatType, value));
               };
               auto integer = [&](const APInt &value) -> Value {
                 return arith::ConstantOp::create(
                     b, loc, b.getIntegerAttr(signless, value));
               };
               auto compare = [&](arith::CmpFPredicate predicate,
                                  double value) {
                 return arith::CmpFOp::create(b, loc, predicate, x,
                                              constant(value));
               };
               if (bias != 0)
                 x = arith::SubFOp::create(b, loc, x, constant(bias));
               if (scale != 1)
                 x = arith::DivFOp::create(b, loc, x, constant(scale));
               x = math::RoundEvenOp::create(b, loc, x);
               Value isBelow = compare(arith::CmpFPredicate::OLT, begin);
               Value isAbove = compare(arith::CmpFPredicate::OGE, end);
               Value isInside = arith::AndIOp::create(
                   b, loc, compare(arith::CmpFPredicate::OGE, begin),
                   compare(arith::CmpFPredicate::OLT, end));
               // The conversion of NaN or of a value out of range is undefined,
               // so convert 0 in their place.
               Value inside =
                   arith::SelectOp::create(b, loc, isInside, x, constant(0));
               Value rounded;
               if (isUnsigned)
                 rounded = arith::FPToUIOp::create(b, loc, signless, inside);
               else
                 rounded = arith::FPToSIOp::create(b, loc, signless, inside);
               Value least =
                   integer(isUnsigned ? APInt::getMinValue(width)
                                      : APInt::getSignedMinValue(width));
               Value most =
                   integer(isUnsigned ? APInt::getMaxValue(width)
                                      : APInt::getSignedMaxValue(width));
               Value result =
                   arith::SelectOp::create(b, loc, isBelow, least, rounded);
               result = arith::SelectOp::create(b, loc, isAbove, most, result);
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
