// Bias and activation as elementwise linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Activation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Activations of one element.
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
  /// As max(x, 0) + log1p(exp(-|x|)), whose exponential cannot overflow.
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

/// The softmax across `channelDim`, in the ops that linalg.softmax stands for.
static Value createSoftmax(OpBuilder &b, Location loc, Value input, Value init,
                           unsigned channelDim) {
  auto softmax = linalg::SoftmaxOp::create(b, loc, init.getType(), input, init,
                                           channelDim);
  b.setInsertionPointAfter(softmax);
  // It fails for no tensor.
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
  unsigned channelDim = layout == Layout::ChannelsFirst ? 1 : rank - 1;
  bool isSoftmax = activation.kind == ActivationKind::Softmax;
  Type elementType = type.getElementType();
  Type computeType = getFloatAccumulator(elementType);

  auto createEmpty = [&](Type elementType) -> Value {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, input),
                                   elementType);
  };
  auto createMap = [&](Value source, Value bias, Type resultType,
                       function_ref<Value(OpBuilder &, Location, Value)> body) {
    AffineMap identity = b.getMultiDimIdentityMap(rank);
    SmallVector<Value> inputs = {source};
    SmallVector<AffineMap> maps = {identity};
    if (bias) {
      inputs.push_back(bias);
      maps.push_back(AffineMap::get(rank, 0, b.getAffineDimExpr(channelDim)));
    }
    maps.push_back(identity);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    Value init = createEmpty(resultType);
    return linalg::GenericOp::create(
               b, loc, init.getType(), inputs, init, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 Value x = extendElement(b, loc, args[0], computeType);
                 if (bias)
                   x = arith::AddFOp::create(
                       b, loc, x, extendElement(b, loc, args[1], computeType));
                 linalg::YieldOp::create(b, loc, body(b, loc, x));
               })
        .getResult(0);
  };

  Value result = input;
  // A softmax sums in the type that is computed in.
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
  result = createSoftmax(b, loc, result, createEmpty(computeType), channelDim);
  if (computeType == elementType)
    return result;
  return createMap(result, /*bias=*/{}, elementType,
                   [&](OpBuilder &b, Location loc, Value x) {
                     return truncateFloat(b, loc, x, elementType);
                   });
}

Value pool::createDataScale(OpBuilder &b, Location loc, Value input,
                            double scale, double bias, FloatType elementType) {
  auto type = cast<RankedTensorType>(input.getType());
  Value init = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, input), elementType);
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, init.getType(), input, init, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value stored = castToSignless(b, loc, args[0]);
        Value x;
        if (type.getElementType().isUnsignedInteger())
          x = arith::UIToFPOp::create(b, loc, elementType, stored);
        else
          x = arith::SIToFPOp::create(b, loc, elementType, stored);
        auto constant = [&](double value) -> Value {
          return arith::ConstantOp::create(b, loc,
                                           b.getFloatAttr(elementType, value));
        };
        Value scaled = arith::MulFOp::create(b, loc, x, constant(scale));
        linalg::YieldOp::create(
            b, loc,
            ValueRange{arith::AddFOp::create(b, loc, scaled, constant(bias))});
      });
  return generic.getResult(0);
}
