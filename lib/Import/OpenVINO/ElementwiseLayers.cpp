// Imports elementwise layers. The compiler fuses them into the loops of the
// pooling layers beside them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"
#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Activation.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

static LogicalResult emitTypeError(LayerConversion &c) {
  return c.emitError() << "it is not imported for elements of type "
                       << getName(c.getInputType(0).getElementType());
}

static LogicalResult convertActivation(LayerConversion &c,
                                       const Activation &activation) {
  RankedTensorType type = c.getInputType(0);
  FailureOr<RankedTensorType> declared = c.getOutputType(0, type);
  if (failed(declared))
    return failure();
  Value result = createBiasAndActivation(c.b, c.loc, c.inputs[0], /*bias=*/{},
                                         Layout::ChannelsFirst, activation);
  c.outputs[0] = castTo(c.b, c.loc, result, *declared);
  return success();
}

/// Rounds a limit of a clamp up or down to an integer of `type`. A limit beyond
/// the range of `type` becomes the end of the range.
static APInt getLimit(double limit, bool roundsUp, Type type) {
  APSInt value(type.getIntOrFloatBitWidth(), type.isUnsignedInteger());
  bool isExact;
  // The conversion saturates, so it needs no test for limits beyond the range.
  APFloat(limit).convertToInteger(
      value, roundsUp ? APFloat::rmTowardPositive : APFloat::rmTowardNegative,
      &isExact);
  return value;
}

static LogicalResult convertClamp(LayerConversion &c) {
  double min, max;
  if (failed(c.attributes.require("min", min)) ||
      failed(c.attributes.require("max", max)))
    return failure();
  if (!(min <= max))
    return c.emitError() << "min is " << min << ", max " << max;
  Type type = c.getInputType(0).getElementType();
  if (isa<FloatType>(type))
    return convertActivation(c, {ActivationKind::Clamp, min, max});
  return createElementwise(
      c, type, [&](ElementBuilder &b, ValueRange x) -> Value {
        auto constant = [&](double limit, bool roundsUp) {
          return b.constant(b.getIntegerAttr(getSignless(type),
                                             getLimit(limit, roundsUp, type)));
        };
        Value low = constant(min, /*roundsUp=*/true);
        Value high = constant(max, /*roundsUp=*/false);
        // Emit both limits even if one is an end of the type's range, because
        // the export reads both.
        if (type.isUnsignedInteger())
          return arith::MinUIOp::create(b, arith::MaxUIOp::create(b, x[0], low),
                                        high);
        return arith::MinSIOp::create(b, arith::MaxSIOp::create(b, x[0], low),
                                      high);
      });
}

static LogicalResult convertRelu(LayerConversion &c) {
  Type type = c.getInputType(0).getElementType();
  if (isa<FloatType>(type))
    return convertActivation(c, {ActivationKind::RectifiedLinear});
  return createElementwise(c, type, [&](ElementBuilder &b, ValueRange x) {
    return type.isUnsignedInteger() ? x[0] : b.max(x[0], 0);
  });
}

/// Imports a layer of floats as `Op`, of the math or arith dialect.
template <typename Op>
static LogicalResult convertFloat(LayerConversion &c) {
  return createElementwise(c, c.getInputType(0).getElementType(),
                           [](ElementBuilder &b, ValueRange x) -> Value {
                             return Op::create(b, x);
                           });
}

/// Imports a layer as a `FloatOp` for floats, an `UnsignedOp` for unsigned
/// integers, or a `SignedOp` for signed and signless integers.
template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
static LogicalResult convertNumber(LayerConversion &c) {
  Type type = c.getInputType(0).getElementType();
  return createElementwise(c, type,
                           [&](ElementBuilder &b, ValueRange x) -> Value {
                             if (isa<FloatType>(type))
                               return FloatOp::create(b, x);
                             if (type.isUnsignedInteger())
                               return UnsignedOp::create(b, x);
                             return SignedOp::create(b, x);
                           });
}

/// Imports a division of floats. Ignores the attribute `m_pythondiv`, which is
/// for integers.
static LogicalResult convertDivide(LayerConversion &c) {
  bool roundsDown;
  if (failed(c.attributes.read("m_pythondiv", roundsDown)))
    return failure();
  return convertFloat<arith::DivFOp>(c);
}

static LogicalResult convertHSigmoid(LayerConversion &c) {
  return convertActivation(c, {ActivationKind::HardSigmoid, 1.0 / 6, 0.5});
}

static LogicalResult convertSquaredDifference(LayerConversion &c) {
  return createElementwise(c, c.getInputType(0).getElementType(),
                           [](ElementBuilder &b, ValueRange x) {
                             Value difference =
                                 b.fold<arith::SubFOp>(x[0], x[1]);
                             return b.mulFloat(difference, difference);
                           });
}

template <ActivationKind kind>
static LogicalResult convertActivation(LayerConversion &c) {
  return convertActivation(c, {kind});
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Converts the float `x` to the integer type `type`. Rounds toward zero, and
/// saturates if the number is out of range. NaN becomes 0.
static Value createFloatToInteger(ElementBuilder &b, Value x, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger();
  IntegerType signless = b.getIntegerType(width);
  Value result = isUnsigned ? b.convert<arith::FPToUIOp>(signless, x)
                            : b.convert<arith::FPToSIOp>(signless, x);
  auto choose = [&](arith::CmpFPredicate predicate, double limit,
                    const APInt &value) {
    Value isBeyond = b.fold<arith::CmpFOp>(x, limit, predicate);
    Value integer = b.constant(b.getIntegerAttr(signless, value));
    result = b.select(isBeyond, integer, result);
  };
  // All limits except 0 are powers of two, with either sign. So f32 and f64
  // have them exactly.
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

/// Converts an element of type `from` to `to`. `x` has the type in which an
/// ElementFn receives the element.
static Value createConversion(ElementBuilder &b, Value x, Type from, Type to) {
  bool isFromFloat = isa<FloatType>(from);
  bool isFromUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  if (to.isInteger(1)) {
    Value zero = b.splat(x.getType(), 0);
    if (isFromFloat)
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, x, zero);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, zero);
  }
  if (isa<FloatType>(to)) {
    Type target = getFloatAccumulator(to);
    if (!isFromFloat)
      return isFromUnsigned ? b.convert<arith::UIToFPOp>(target, x)
                            : b.convert<arith::SIToFPOp>(target, x);
    // Truncate f64 to the narrow type directly: rounding to f32 first would
    // round twice.
    if (x.getType().getIntOrFloatBitWidth() > target.getIntOrFloatBitWidth())
      return b.convert<arith::TruncFOp>(to, x);
    return b.convert<arith::ExtFOp>(target, x);
  }
  if (isFromFloat)
    return createFloatToInteger(b, x, to);
  Type target = getSignless(to);
  if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return b.convert<arith::TruncIOp>(target, x);
  return isFromUnsigned ? b.convert<arith::ExtUIOp>(target, x)
                        : b.convert<arith::ExtSIOp>(target, x);
}

static LogicalResult convertConvert(LayerConversion &c) {
  StringRef name;
  if (failed(c.attributes.require("destination_type", name)))
    return failure();
  Type from = c.getInputType(0).getElementType();
  Type to = getTypeOfName(c.b.getContext(), name);
  if (!to)
    return c.attributes.emitError("destination_type")
           << "which is not supported";
  return createElementwise(c, to, [&](ElementBuilder &b, ValueRange x) {
    return createConversion(b, x[0], from, to);
  });
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static constexpr ElementwiseLayer kLayers[] = {
    {"ReLU", 1, 1, convertRelu},
    {"Clamp", 1, 1, convertClamp},
    {"Sigmoid", 1, 1, convertActivation<ActivationKind::Sigmoid>, HasFloats},
    {"Tanh", 1, 1, convertActivation<ActivationKind::Tanh>, HasFloats},
    {"SoftPlus", 1, 4, convertActivation<ActivationKind::Softplus>, HasFloats},
    {"Swish", 1, 4, convertActivation<ActivationKind::SiLU>, HasFloats},
    {"Exp", 1, 1, convertFloat<math::ExpOp>, HasFloats},
    {"Log", 1, 1, convertFloat<math::LogOp>, HasFloats},
    {"Sqrt", 1, 1, convertFloat<math::SqrtOp>, HasFloats},
    {"Floor", 1, 1, convertFloat<math::FloorOp>, HasFloats},
    {"Ceiling", 1, 1, convertFloat<math::CeilOp>, HasFloats},
    {"Negative", 1, 1, convertFloat<arith::NegFOp>, HasFloats},
    {"Abs", 1, 1, convertFloat<math::AbsFOp>, HasFloats},
    {"Convert", 1, 1, convertConvert},
    {"Add", 2, 1, convertNumber<arith::AddFOp, arith::AddIOp>,
     HasAutoBroadcast},
    {"Subtract", 2, 1, convertNumber<arith::SubFOp, arith::SubIOp>,
     HasAutoBroadcast},
    {"Multiply", 2, 1, convertNumber<arith::MulFOp, arith::MulIOp>,
     HasAutoBroadcast},
    {"Divide", 2, 1, convertDivide, HasAutoBroadcast | HasFloats},
    {"Maximum", 2, 1,
     convertNumber<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>,
     HasAutoBroadcast},
    {"Minimum", 2, 1,
     convertNumber<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>,
     HasAutoBroadcast},
    {"HSigmoid", 1, 5, convertHSigmoid, HasFloats},
    {"Erf", 1, 1, convertFloat<math::ErfOp>, HasFloats},
    {"Power", 2, 1, convertFloat<math::PowFOp>, HasAutoBroadcast | HasFloats},
    {"SquaredDifference", 2, 1, convertSquaredDifference,
     HasAutoBroadcast | HasFloats},
};

ArrayRef<ElementwiseLayer> pool::openvino::getElementwiseLayers() {
  static const SmallVector<ElementwiseLayer, 0> layers = [] {
    SmallVector<ElementwiseLayer, 0> layers(std::begin(kLayers),
                                            std::end(kLayers));
    llvm::append_range(layers, getActivationLayers());
    return layers;
  }();
  return layers;
}

/// Returns the entry for the layer's type and number of inputs. If no entry has
/// this number, returns another entry of the type, so that an error can name
/// the right number of inputs. Returns null for an unknown type.
static const ElementwiseLayer *find(const Layer &layer) {
  const ElementwiseLayer *found = nullptr;
  for (const ElementwiseLayer &entry : getElementwiseLayers())
    if (entry.type == layer.type &&
        (!found || entry.numInputs == layer.inputs.size()))
      found = &entry;
  return found;
}

bool pool::openvino::isElementwiseLayer(const Layer &layer) {
  return find(layer);
}

/// Emits an error and fails unless all inputs have the same element type. If
/// the layer has the attribute auto_broadcast, also checks its value.
static LogicalResult checkInputs(LayerConversion &c, unsigned traits) {
  RankedTensorType first = c.getInputType(0);
  bool areEqual = true;
  for (unsigned i = 1; i < c.inputs.size(); ++i) {
    RankedTensorType type = c.getInputType(i);
    if (type.getElementType() != first.getElementType())
      return c.emitError() << "its inputs have elements of type "
                           << getName(first.getElementType()) << " and "
                           << getName(type.getElementType());
    areEqual &= type.getShape() == first.getShape();
  }
  if (!(traits & HasAutoBroadcast))
    return success();
  StringRef rule = "numpy";
  if (failed(c.attributes.read("auto_broadcast", rule)))
    return failure();
  if (rule != "numpy" && !(rule == "none" && areEqual))
    return c.attributes.emitError("auto_broadcast")
           << "which is not imported for these inputs";
  return success();
}

LogicalResult pool::openvino::convertElementwiseLayer(LayerConversion &c) {
  const ElementwiseLayer &elementwise = *find(c.layer);
  unsigned traits = elementwise.traits;
  if (failed(c.checkVersion(elementwise.firstOpset)) ||
      failed(c.checkPorts(elementwise.numInputs, 1)))
    return failure();
  if (failed(checkInputs(c, traits)))
    return failure();
  Type elementType = c.getInputType(0).getElementType();
  if (traits & HasFloats
          ? !isa<FloatType>(elementType)
          : elementType.isInteger(1) && elementwise.convert != convertConvert)
    return emitTypeError(c);
  return success(succeeded(elementwise.convert(c)) &&
                 succeeded(c.attributes.finish()));
}
