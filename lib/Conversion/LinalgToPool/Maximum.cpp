// Raises window maxima.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Maximum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

/// How padding with `value` is written as `pad_value`, if it can be. Under an
/// initial value that is at least `value`, padding has no effect.
static std::optional<PadValue> getPadValue(TypedAttr value, TypedAttr init,
                                           Combine combine) {
  if (isIdentity(value, combine) || (init && isAtMost(value, init, combine)))
    return PadValue::NegInf;
  if (isPositiveZero(value))
    return PadValue::Zero;
  return std::nullopt;
}

/// True for a constant that is not NaN.
static bool isNumber(TypedAttr constant) {
  auto number = dyn_cast_if_present<FloatAttr>(constant);
  return number && !number.getValue().isNaN();
}

FailureOr<MaximumPlan> pool::planMaximum(const WindowReduction &reduction,
                                         std::string &reason) {
  Type element = reduction.getInputType().getElementType();
  Type accumulator = reduction.getOutputType().getElementType();
  if (reduction.combine == Combine::Minimum) {
    reason = "the pool dialect has no minimum";
    return failure();
  }
  if (element != accumulator) {
    reason = llvm::formatv("it widens its elements from {0} to {1}", element,
                           accumulator)
                 .str();
    return failure();
  }

  MaximumPlan plan;
  plan.maximum = reduction;
  if (isa<FloatType>(element) && reduction.combine == Combine::Maximum)
    plan.nanMode = NanMode::Propagate;
  TypedAttr init = getSplatConstant(reduction.init);
  plan.keepsInit = !init || !isIdentity(init, reduction.combine);
  if (plan.keepsInit && reduction.combine == Combine::NumberMaximum &&
      !isNumber(init)) {
    reason = "it may start from NaN, which a window of nothing but NaN keeps";
    return failure();
  }

  FailureOr<SpatialPadding> padding = matchPadding(reduction, plan.keptPadding);
  if (succeeded(padding)) {
    std::optional<PadValue> padValue =
        getPadValue(padding->value, init, reduction.combine);
    if (padValue) {
      plan.padValue = *padValue;
    } else {
      plan.keptPadding = llvm::formatv("it pads with {0}", padding->value);
      padding = failure();
    }
  }
  FailureOr<FittedWindow> fitted =
      fitWindow(reduction, succeeded(padding) ? &*padding : nullptr, reason);
  if (failed(fitted))
    return failure();
  plan.fitted = std::move(*fitted);
  // Without padding there is nothing for pad_value to say.
  if (!plan.fitted.window.hasPadding())
    plan.padValue = PadValue::NegInf;
  if (failed(inferMaxPool(plan.fitted.sourceType, plan.fitted.window,
                          plan.padValue, reason)))
    return failure();
  return plan;
}

/// An elementwise operation over `inputs` of one shape, into `init`.
static Value
createMap(OpBuilder &b, Location loc, ValueRange inputs, Value init,
          function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   nested, loc,
                   body(nested, loc, args.take_front(inputs.size())));
             })
      .getResult(0);
}

/// `tensor` with the element type `elementType` of the same width: a tensor of
/// another signedness, which linalg and bufferisation take element by element.
static Value createSignCast(OpBuilder &b, Location loc, Value tensor,
                            Type elementType) {
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, tensor), elementType);
  return createMap(
      b, loc, tensor, empty, [&](OpBuilder &b, Location loc, ValueRange args) {
        return UnrealizedConversionCastOp::create(b, loc, elementType, args[0])
            .getResult(0);
      });
}

static Value createCombine(OpBuilder &b, Location loc, Combine combine,
                           Value lhs, Value rhs) {
  if (combine == Combine::UnsignedMaximum)
    return arith::MaxUIOp::create(b, loc, lhs, rhs);
  if (combine == Combine::NumberMaximum)
    return arith::MaxNumFOp::create(b, loc, lhs, rhs);
  if (isa<FloatType>(lhs.getType()))
    return arith::MaximumFOp::create(b, loc, lhs, rhs);
  return arith::MaxSIOp::create(b, loc, lhs, rhs);
}

Value pool::createMaximum(OpBuilder &b, const MaximumPlan &plan) {
  const WindowReduction &maximum = plan.maximum;
  Location loc = plan.getLoc();
  Type element = maximum.getInputType().getElementType();
  Value source = createSource(b, loc, plan.fitted);
  if (plan.isUnsigned())
    source = createSignCast(b, loc, source,
                            IntegerType::get(b.getContext(),
                                             element.getIntOrFloatBitWidth(),
                                             IntegerType::Unsigned));
  Value pooled = createMaxPool(b, loc, source, plan.fitted.window,
                               plan.padValue, plan.nanMode);
  if (plan.isUnsigned())
    pooled = createSignCast(b, loc, pooled, element);
  pooled = restoreOutput(b, loc, maximum, plan.fitted, pooled,
                         maximum.getOutputType());
  if (!plan.keepsInit)
    return pooled;
  if (TypedAttr constant = getSplatConstant(maximum.init)) {
    Value empty = tensor::EmptyOp::create(
        b, loc, getCreatedSizes(b, loc, maximum.init), element);
    return createMap(b, loc, pooled, empty,
                     [&](OpBuilder &b, Location loc, ValueRange args) {
                       Value init = arith::ConstantOp::create(b, loc, constant);
                       return createCombine(b, loc, maximum.combine, args[0],
                                            init);
                     });
  }
  return createMap(b, loc, ValueRange{pooled, maximum.init}, maximum.init,
                   [&](OpBuilder &b, Location loc, ValueRange args) {
                     return createCombine(b, loc, maximum.combine, args[0],
                                          args[1]);
                   });
}
