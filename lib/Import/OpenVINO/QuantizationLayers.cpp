// Imports Convert and FakeQuantize as linalg operations. The compiler fuses
// them into the loops of the pooling layers beside them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "QuantizationLayers.h"

#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

/// Computes one element of the result from one element of each input. Floats
/// have the type of accumulators (f32 for f16 and bf16), and integers are
/// signless. The caller converts the result to the output's element type.
using ElementFn = function_ref<Value(ElementBuilder &b, ValueRange elements)>;

/// Returns the map from the dimensions of input 0 to those of another input,
/// which broadcasts to it by NumPy's rule: the last dimensions align. Emits an
/// error and fails if the extents do not fit. Creates assertions for unknown
/// extents, which do not broadcast and so must be equal.
static FailureOr<AffineMap> broadcastToFirst(LayerConversion &c,
                                             unsigned input) {
  RankedTensorType first = c.getInputType(0), type = c.getInputType(input);
  int64_t begin = first.getRank() - type.getRank();
  if (begin < 0)
    return c.emitError() << "input " << input << " has rank " << type.getRank()
                         << ", input 0 " << first.getRank();
  SmallVector<AffineExpr> exprs;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    int64_t d = begin + dim, known = first.getDimSize(d);
    bool isBroadcast = extent == 1 && known != 1;
    exprs.push_back(isBroadcast ? c.b.getAffineConstantExpr(0)
                                : c.b.getAffineDimExpr(d));
    if (isBroadcast || (extent == known && !ShapedType::isDynamic(extent)))
      continue;
    if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(known))
      return c.emitError() << "extent " << extent << " of input " << input
                           << " does not broadcast to " << known
                           << " in dimension " << d << " of input 0";
    ElementBuilder b(c.b, c.loc);
    Value isEqual =
        b.isEqual(tensor::DimOp::create(b, c.inputs[input], dim).getResult(),
                  tensor::DimOp::create(b, c.inputs[0], d).getResult());
    std::string message = ("layer '" + shorten(c.layer.name) + "' (" +
                           c.layer.type + "): its inputs differ in dimension " +
                           llvm::Twine(d) + " of its output")
                              .str();
    cf::AssertOp::create(b, isEqual, message);
  }
  return AffineMap::get(first.getRank(), 0, exprs, c.b.getContext());
}

/// Creates a linalg.generic that applies `compute` to the elements of input 0
/// and of the other inputs, which broadcast to its shape. The result has
/// elements of `elementType` and becomes the layer's output.
static LogicalResult createElementwise(LayerConversion &c, Type elementType,
                                       ElementFn compute) {
  FailureOr<RankedTensorType> declared =
      c.getOutputType(0, c.getInputType(0).clone(elementType));
  if (failed(declared))
    return failure();
  OpBuilder &b = c.b;
  SmallVector<AffineMap> maps = {
      b.getMultiDimIdentityMap(c.getInputType(0).getRank())};
  for (unsigned input = 1; input < c.inputs.size(); ++input) {
    FailureOr<AffineMap> map = broadcastToFirst(c, input);
    if (failed(map))
      return failure();
    maps.push_back(*map);
  }
  auto generic = pool::createElementwise(
      b, c.loc, c.inputs, tensor::getMixedSizes(b, c.loc, c.inputs[0]),
      elementType,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> elements;
        for (Value arg : args) {
          Type type = arg.getType();
          elements.push_back(
              isa<FloatType>(type)
                  ? extendElement(b, loc, arg, getFloatAccumulator(type))
                  : castToSignless(b, loc, arg));
        }
        ElementBuilder builder(b, loc);
        Value result = compute(builder, elements);
        return isa<FloatType>(elementType)
                   ? truncateFloat(b, loc, result, elementType)
                   : castFromSignless(b, loc, result, elementType);
      },
      maps);
  c.outputs[0] = castTo(b, c.loc, generic.getResult(0), *declared);
  return success();
}

//===----------------------------------------------------------------------===//
// Convert
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
// FakeQuantize
//===----------------------------------------------------------------------===//

/// Emits an error and fails unless all inputs are of the same floats, and
/// auto_broadcast is a rule by which they broadcast as in NumPy.
static LogicalResult checkInputs(LayerConversion &c) {
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
  if (!isa<FloatType>(first.getElementType()))
    return c.emitError() << "it is not imported for elements of type "
                         << getName(first.getElementType());
  StringRef rule = "numpy";
  if (failed(c.attributes.read("auto_broadcast", rule)))
    return failure();
  if (rule != "numpy" && !(rule == "none" && areEqual))
    return c.attributes.emitError("auto_broadcast")
           << "which is not imported for these inputs";
  return success();
}

/// Quantizes x (input 0) in the range of inputs 1 and 2, and maps it to the
/// range of inputs 3 and 4. An x outside the input range gives a limit of the
/// output range. An x inside is first rounded to the nearest of `levels` evenly
/// spaced values, ties to even.
static LogicalResult convertFakeQuantize(LayerConversion &c) {
  int64_t levels;
  if (failed(checkInputs(c)) || failed(c.attributes.require("levels", levels)))
    return failure();
  if (levels < 2 || levels > kMaxLevels)
    return c.attributes.emitError("levels")
           << "must be from 2 to " << kMaxLevels;
  return createElementwise(
      c, c.getInputType(0).getElementType(),
      [&](ElementBuilder &b, ValueRange x) {
        Value value = x[0], low = x[1], high = x[2], outLow = x[3],
              outHigh = x[4];
        Value steps = b.splat(value.getType(), levels - 1);
        Value place = b.divFloat(b.fold<arith::SubFOp>(value, low),
                                 b.fold<arith::SubFOp>(high, low));
        // Create the multiplication even if `steps` is 1, because the export
        // reads the constant.
        Value step = b.createOrFold<math::RoundEvenOp>(
            arith::MulFOp::create(b, place, steps));
        Value scaled = b.mulFloat(arith::DivFOp::create(b, step, steps),
                                  b.fold<arith::SubFOp>(outHigh, outLow));
        Value inside = b.addFloat(scaled, outLow);
        Value least = b.fold<arith::MinimumFOp>(low, high);
        Value most = b.fold<arith::MaximumFOp>(low, high);
        Value isAbove =
            b.fold<arith::CmpFOp>(value, most, arith::CmpFPredicate::OGT);
        Value result = b.select(isAbove, outHigh, inside);
        Value isBelow =
            b.fold<arith::CmpFOp>(value, least, arith::CmpFPredicate::OLE);
        return b.select(isBelow, outLow, result);
      });
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool pool::openvino::isQuantizationLayer(const Layer &layer) {
  return layer.type == "Convert" || layer.type == "FakeQuantize";
}

LogicalResult pool::openvino::convertQuantizationLayer(LayerConversion &c) {
  bool isConvert = c.layer.type == "Convert";
  if (failed(c.checkVersion(1)) || failed(c.checkPorts(isConvert ? 1 : 5, 1)))
    return failure();
  return success(
      succeeded(isConvert ? convertConvert(c) : convertFakeQuantize(c)) &&
      succeeded(c.attributes.finish()));
}
