// Layers that work element by element: what stands between pooling layers and
// is fused into their loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"
#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/Activation.h"
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
  if (!isa<FloatType>(type.getElementType()))
    return emitTypeError(c);
  FailureOr<RankedTensorType> declared = c.getOutputType(0, type);
  if (failed(declared))
    return failure();
  c.outputs[0] = createBiasAndActivation(c.b, c.loc, c.inputs[0], /*bias=*/{},
                                         Layout::ChannelsFirst, activation);
  if (*declared != type)
    c.outputs[0] = tensor::CastOp::create(c.b, c.loc, *declared, c.outputs[0]);
  return success();
}

/// The integer that a limit of a clamp rounds to, within the type.
static APInt getLimit(double limit, bool roundsUp, Type type) {
  APSInt value(type.getIntOrFloatBitWidth(), type.isUnsignedInteger());
  bool isExact;
  // Saturates.
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

/// An operation of the math or arith dialect for floats.
template <typename Op>
static LogicalResult convertFloat(LayerConversion &c, LayerAttributes &) {
  Type type = c.getInputType(0).getElementType();
  if (!isa<FloatType>(type))
    return emitTypeError(c);
  return createElementwise(
      c, type, [](OpBuilder &b, Location loc, ValueRange x) -> Value {
        return Op::create(b, loc, x);
      });
}

/// One for floats, one for signed and one for unsigned integers.
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

/// x * HSigmoid(x).
static LogicalResult convertHSwish(LayerConversion &c, LayerAttributes &) {
  Type type = c.getInputType(0).getElementType();
  if (!isa<FloatType>(type))
    return emitTypeError(c);
  return createElementwise(
      c, type, [](OpBuilder &b, Location loc, ValueRange x) -> Value {
        auto constant = [&](double value) -> Value {
          return arith::ConstantOp::create(
              b, loc, b.getFloatAttr(x[0].getType(), value));
        };
        Value shifted = arith::AddFOp::create(b, loc, x[0], constant(3));
        Value clamped = arith::MinimumFOp::create(
            b, loc, arith::MaximumFOp::create(b, loc, shifted, constant(0)),
            constant(6));
        return arith::MulFOp::create(
            b, loc, x[0],
            arith::MulFOp::create(b, loc, clamped, constant(1.0 / 6)));
      });
}

static LogicalResult convertHSigmoid(LayerConversion &c, LayerAttributes &) {
  return convertActivation(c, {ActivationKind::HardSigmoid, 1.0 / 6, 0.5});
}

static LogicalResult convertSquaredDifference(LayerConversion &c,
                                              LayerAttributes &) {
  Type type = c.getInputType(0).getElementType();
  if (!isa<FloatType>(type))
    return emitTypeError(c);
  return createElementwise(
      c, type, [](OpBuilder &b, Location loc, ValueRange x) -> Value {
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
    {"Clamp", 1, 1, convertClamp},
    {"Sigmoid", 1, 1, convertActivation<ActivationKind::Sigmoid>},
    {"Tanh", 1, 1, convertActivation<ActivationKind::Tanh>},
    {"SoftPlus", 1, 4, convertActivation<ActivationKind::Softplus>},
    {"Swish", 1, 4, convertActivation<ActivationKind::SiLU>},
    {"Exp", 1, 1, convertFloat<math::ExpOp>},
    {"Log", 1, 1, convertFloat<math::LogOp>},
    {"Sqrt", 1, 1, convertFloat<math::SqrtOp>},
    {"Floor", 1, 1, convertFloat<math::FloorOp>},
    {"Ceiling", 1, 1, convertFloat<math::CeilOp>},
    {"Negative", 1, 1, convertFloat<arith::NegFOp>},
    {"Abs", 1, 1, convertFloat<math::AbsFOp>},
    {"Convert", 1, 1, convertConvert},
    {"Add", 2, 1, convertNumber<arith::AddFOp, arith::AddIOp>},
    {"Subtract", 2, 1, convertNumber<arith::SubFOp, arith::SubIOp>},
    {"Multiply", 2, 1, convertNumber<arith::MulFOp, arith::MulIOp>},
    {"Divide", 2, 1, convertFloat<arith::DivFOp>},
    {"Maximum", 2, 1,
     convertNumber<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>},
    {"Minimum", 2, 1,
     convertNumber<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>},
    {"HSigmoid", 1, 5, convertHSigmoid},
    {"HSwish", 1, 4, convertHSwish},
    {"Erf", 1, 1, convertFloat<math::ErfOp>},
    {"Power", 2, 1, convertFloat<math::PowFOp>},
    {"SquaredDifference", 2, 1, convertSquaredDifference},
};

static const ElementwiseLayer *find(StringRef type) {
  return llvm::find_if(kLayers, [&](const ElementwiseLayer &layer) {
    return layer.type == type;
  });
}

ArrayRef<ElementwiseLayer> pool::openvino::getElementwiseLayers() {
  return kLayers;
}

bool pool::openvino::isElementwiseLayer(const Layer &layer) {
  return find(layer.type) != std::end(kLayers);
}

LogicalResult pool::openvino::convertElementwiseLayer(LayerConversion &c) {
  const ElementwiseLayer &elementwise = *find(c.layer.type);
  if (failed(c.checkVersion(elementwise.firstOpset)) ||
      failed(c.checkPorts(elementwise.numInputs, 1)))
    return failure();
  LayerAttributes attributes(c.places, c.layer);
  Type elementType = c.getInputType(0).getElementType();
  if (elementwise.numInputs == 2) {
    Type other = c.getInputType(1).getElementType();
    if (other != elementType)
      return c.emitError() << "its inputs have elements of type "
                           << getName(elementType) << " and " << getName(other);
    FailureOr<std::optional<StringRef>> broadcast =
        attributes.findText("auto_broadcast");
    if (failed(broadcast))
      return failure();
    StringRef rule = broadcast->value_or("numpy");
    bool areEqual =
        c.getInputType(0).getShape() == c.getInputType(1).getShape();
    if (rule != "numpy" && !(rule == "none" && areEqual))
      return attributes.emitError("auto_broadcast")
             << "which is not imported for these inputs";
  }
  // Layers that have attributes read them first.
  bool hasOwn = c.layer.type == "Clamp" || c.layer.type == "Convert";
  // How integers round, which are refused: zero would stop the program.
  if (c.layer.type == "Divide" && failed(attributes.findBoolean("m_pythondiv")))
    return failure();
  if (!hasOwn && failed(attributes.finish()))
    return failure();
  if (elementType.isInteger(1) && c.layer.type != "Convert")
    return emitTypeError(c);
  return elementwise.convert(c, attributes);
}
