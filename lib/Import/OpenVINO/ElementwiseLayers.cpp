// Imports elementwise layers, which fuse into the loops of the pooling layers
// beside them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"
#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pool/Dialect/Pool/Utils/Activation.h"
#include "pool/Dialect/Pool/Utils/Casts.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "llvm/ADT/STLExtras.h"

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

/// Rounds a limit of a clamp to an integer, within the type's range.
static APInt getLimit(double limit, bool roundsUp, Type type) {
  APSInt value(type.getIntOrFloatBitWidth(), type.isUnsignedInteger());
  bool isExact;
  // The conversion saturates.
  APFloat(limit).convertToInteger(
      value, roundsUp ? APFloat::rmTowardPositive : APFloat::rmTowardNegative,
      &isExact);
  return value;
}

static LogicalResult convertClamp(LayerConversion &c,
                                  LayerAttributes &attributes) {
  FailureOr<double> min =
      attributes.require("min", &LayerAttributes::findNumber);
  FailureOr<double> max =
      attributes.require("max", &LayerAttributes::findNumber);
  if (failed(min) || failed(max) || failed(attributes.finish()))
    return failure();
  if (!(*min <= *max))
    return c.emitError() << "min is " << *min << ", max " << *max;
  Type type = c.getInputType(0).getElementType();
  if (isa<FloatType>(type))
    return convertActivation(c, {ActivationKind::Clamp, *min, *max});
  bool isUnsigned = type.isUnsignedInteger();
  return createElementwise(
      c, type, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        auto constant = [&](double limit, bool roundsUp) -> Value {
          return arith::ConstantOp::create(
              b, loc,
              b.getIntegerAttr(getSignless(type),
                               getLimit(limit, roundsUp, type)));
        };
        Value low = constant(*min, /*roundsUp=*/true);
        Value high = constant(*max, /*roundsUp=*/false);
        if (isUnsigned)
          return arith::MinUIOp::create(
              b, loc, arith::MaxUIOp::create(b, loc, x[0], low), high);
        return arith::MinSIOp::create(
            b, loc, arith::MaxSIOp::create(b, loc, x[0], low), high);
      });
}

static LogicalResult convertRelu(LayerConversion &c, LayerAttributes &) {
  Type type = c.getInputType(0).getElementType();
  if (isa<FloatType>(type))
    return convertActivation(c, {ActivationKind::RectifiedLinear});
  return createElementwise(
      c, type, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        if (type.isUnsignedInteger())
          return x[0];
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
        return arith::MaxSIOp::create(b, loc, x[0], zero);
      });
}

/// Imports a layer as an operation of the math or arith dialect.
template <typename Op>
static LogicalResult convertFloat(LayerConversion &c, LayerAttributes &) {
  return createElementwise(
      c, c.getInputType(0).getElementType(),
      [](OpBuilder &b, Location loc, ValueRange x) -> Value {
        return Op::create(b, loc, x);
      });
}

/// Imports a layer as one op for floats, another for signed and a third for
/// unsigned integers.
template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
static LogicalResult convertNumber(LayerConversion &c, LayerAttributes &) {
  Type type = c.getInputType(0).getElementType();
  return createElementwise(
      c, type, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        if (isa<FloatType>(type))
          return FloatOp::create(b, loc, x);
        if (type.isUnsignedInteger())
          return UnsignedOp::create(b, loc, x);
        return SignedOp::create(b, loc, x);
      });
}

/// Integers are refused, so their rounding does not matter.
static LogicalResult convertDivide(LayerConversion &c,
                                   LayerAttributes &attributes) {
  if (failed(attributes.findBoolean("m_pythondiv")) ||
      failed(attributes.finish()))
    return failure();
  return convertFloat<arith::DivFOp>(c, attributes);
}

static LogicalResult convertHSigmoid(LayerConversion &c, LayerAttributes &) {
  return convertActivation(c, {ActivationKind::HardSigmoid, 1.0 / 6, 0.5});
}

static LogicalResult convertSquaredDifference(LayerConversion &c,
                                              LayerAttributes &) {
  return createElementwise(
      c, c.getInputType(0).getElementType(),
      [](OpBuilder &b, Location loc, ValueRange x) -> Value {
        Value difference = arith::SubFOp::create(b, loc, x[0], x[1]);
        return arith::MulFOp::create(b, loc, difference, difference);
      });
}

template <ActivationKind kind>
static LogicalResult convertActivation(LayerConversion &c, LayerAttributes &) {
  return convertActivation(c, {kind});
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static constexpr ElementwiseLayer kLayers[] = {
    {"ReLU", 1, 1, convertRelu},
    {"Clamp", 1, 1, convertClamp, HasAttributes},
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
    {"Convert", 1, 1, convertConvert, HasAttributes},
    {"Add", 2, 1, convertNumber<arith::AddFOp, arith::AddIOp>,
     HasAutoBroadcast},
    {"Subtract", 2, 1, convertNumber<arith::SubFOp, arith::SubIOp>,
     HasAutoBroadcast},
    {"Multiply", 2, 1, convertNumber<arith::MulFOp, arith::MulIOp>,
     HasAutoBroadcast},
    {"Divide", 2, 1, convertDivide,
     HasAttributes | HasAutoBroadcast | HasFloats},
    {"Maximum", 2, 1,
     convertNumber<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>,
     HasAutoBroadcast},
    {"Minimum", 2, 1,
     convertNumber<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>,
     HasAutoBroadcast},
    {"HSigmoid", 1, 5, convertHSigmoid, HasFloats},
    {"HSwish", 1, 4, convertHSwish, HasFloats},
    {"Erf", 1, 1, convertFloat<math::ErfOp>, HasFloats},
    {"Power", 2, 1, convertFloat<math::PowFOp>, HasAutoBroadcast | HasFloats},
    {"SquaredDifference", 2, 1, convertSquaredDifference,
     HasAutoBroadcast | HasFloats},
    {"Elu", 1, 1, convertElu, HasAttributes | HasFloats},
    {"FakeQuantize", 5, 1, convertFakeQuantize,
     HasAttributes | HasAutoBroadcast | HasFloats},
    {"Gelu", 1, 2, convertGelu, HasAttributes | HasFloats},
    {"HardSigmoid", 3, 1, convertHardSigmoid, HasFloats},
    {"Mish", 1, 4, convertMish, HasFloats},
    {"PReLU", 2, 1, convertPRelu, HasFloats},
    {"Round", 1, 5, convertRound, HasAttributes | HasFloats},
    {"Selu", 3, 1, convertSelu, HasFloats},
    {"Sign", 1, 1, convertSign, HasFloats},
    {"SoftSign", 1, 9, convertSoftSign, HasFloats},
    {"Swish", 2, 4, convertSwishWithBeta, HasFloats},
};

/// The entry for the layer's type and number of inputs; if there is none, any
/// entry of its type, for the message; null for an unknown type.
static const ElementwiseLayer *find(const Layer &layer) {
  const ElementwiseLayer *found = nullptr;
  for (const ElementwiseLayer &entry : kLayers)
    if (entry.type == layer.type &&
        (!found || entry.numInputs == layer.inputs.size()))
      found = &entry;
  return found;
}

ArrayRef<ElementwiseLayer> pool::openvino::getElementwiseLayers() {
  return kLayers;
}

bool pool::openvino::isElementwiseLayer(const Layer &layer) {
  return find(layer);
}

/// Checks requirements shared by all layers with several inputs.
static LogicalResult checkInputs(LayerConversion &c, unsigned traits,
                                 LayerAttributes &attributes) {
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
  FailureOr<std::optional<StringRef>> broadcast =
      attributes.findText("auto_broadcast");
  if (failed(broadcast))
    return failure();
  StringRef rule = broadcast->value_or("numpy");
  if (rule != "numpy" && !(rule == "none" && areEqual))
    return attributes.emitError("auto_broadcast")
           << "which is not imported for these inputs";
  return success();
}

LogicalResult pool::openvino::convertElementwiseLayer(LayerConversion &c) {
  const ElementwiseLayer &elementwise = *find(c.layer);
  unsigned traits = elementwise.traits;
  if (failed(c.checkVersion(elementwise.firstOpset)) ||
      failed(c.checkPorts(elementwise.numInputs, 1)))
    return failure();
  LayerAttributes attributes(c.places, c.layer);
  if (failed(checkInputs(c, traits, attributes)))
    return failure();
  // Layers with other attributes have read and finished them already.
  if (!(traits & HasAttributes) && failed(attributes.finish()))
    return failure();
  Type elementType = c.getInputType(0).getElementType();
  if (traits & HasFloats
          ? !isa<FloatType>(elementType)
          : elementType.isInteger(1) && elementwise.convert != convertConvert)
    return emitTypeError(c);
  return elementwise.convert(c, attributes);
}
