// Layers that work element by element, as linalg: what stands between pooling
// layers and is fused into their loops.
//
// f16 and bf16 are computed in f32. Operands broadcast by NumPy's rule; that
// two extents are equal which only run time knows is asserted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerConversion.h"
#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/Activation.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Dimension of `type` that lies under dimension `d` of a result of rank
/// `rank`; none where it has fewer dimensions.
static std::optional<unsigned> getOperandDim(RankedTensorType type,
                                             int64_t rank, int64_t d) {
  int64_t dim = d - (rank - type.getRank());
  return dim < 0 ? std::nullopt : std::optional<unsigned>(dim);
}

/// The shape that the operands broadcast to; failure, with an error, for
/// extents that do not go together.
static FailureOr<SmallVector<int64_t>> broadcastShapes(LayerConversion &c) {
  int64_t rank = 0;
  for (Value input : c.inputs)
    rank = std::max(rank, cast<RankedTensorType>(input.getType()).getRank());
  SmallVector<int64_t> shape(rank, 1);
  for (Value input : c.inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    for (int64_t d = 0; d < rank; ++d) {
      std::optional<unsigned> dim = getOperandDim(type, rank, d);
      int64_t extent = dim ? type.getDimSize(*dim) : 1;
      if (extent == 1 || extent == shape[d])
        continue;
      if (shape[d] == 1 || ShapedType::isDynamic(shape[d]))
        shape[d] = extent;
      else if (!ShapedType::isDynamic(extent))
        return c.emitError() << "extents " << shape[d] << " and " << extent
                             << " in dimension " << d << " do not broadcast";
    }
  }
  return shape;
}

namespace {
/// An extent of the result.
struct Extent {
  OpFoldResult size;
  /// The operand that an extent comes from which only run time knows.
  unsigned operand;
};
constexpr unsigned kKnown = ~0u;
} // namespace

/// The extents of the result: known, or those of the first operand that has
/// them.
static SmallVector<Extent> getExtents(LayerConversion &c,
                                      ArrayRef<int64_t> shape) {
  SmallVector<Extent> extents;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    Extent &result = extents.emplace_back();
    if (!ShapedType::isDynamic(extent)) {
      result = {c.b.getIndexAttr(extent), kKnown};
      continue;
    }
    for (auto [operand, input] : llvm::enumerate(c.inputs)) {
      auto type = cast<RankedTensorType>(input.getType());
      std::optional<unsigned> dim = getOperandDim(type, shape.size(), d);
      if (!dim || !type.isDynamicDim(*dim))
        continue;
      Value size = tensor::DimOp::create(c.b, c.loc, input, *dim);
      result = {size, unsigned(operand)};
      break;
    }
  }
  return extents;
}

/// Asserts that the extents of an operand are those of the result where only
/// run time knows them.
static void assertExtents(LayerConversion &c, unsigned operand,
                          ArrayRef<Extent> extents) {
  Value value = c.inputs[operand];
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [d, extent] : llvm::enumerate(extents)) {
    std::optional<unsigned> dim = getOperandDim(type, extents.size(), d);
    if (!dim || !type.isDynamicDim(*dim) ||
        (extent.operand != kKnown && c.inputs[extent.operand] == value))
      continue;
    Value size = tensor::DimOp::create(c.b, c.loc, value, *dim);
    Value expected = getValueOrCreateConstantIndexOp(c.b, c.loc, extent.size);
    Value isEqual = arith::CmpIOp::create(c.b, c.loc, arith::CmpIPredicate::eq,
                                          size, expected);
    std::string message = ("layer '" + shorten(c.layer.name) + "' (" +
                           c.layer.type + "): its inputs differ in dimension " +
                           llvm::Twine(d) + " of its output")
                              .str();
    cf::AssertOp::create(c.b, c.loc, isEqual, message);
  }
}

LogicalResult pool::openvino::createElementwise(LayerConversion &c,
                                                Type elementType,
                                                ElementFn compute) {
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(c);
  if (failed(shape))
    return failure();
  FailureOr<RankedTensorType> declared =
      c.getOutputType(0, RankedTensorType::get(*shape, elementType));
  if (failed(declared))
    return failure();

  OpBuilder &b = c.b;
  int64_t rank = shape->size();
  SmallVector<Extent> extents = getExtents(c, *shape);
  SmallVector<AffineMap> maps;
  for (auto [operand, input] : llvm::enumerate(c.inputs)) {
    auto type = cast<RankedTensorType>(input.getType());
    assertExtents(c, operand, extents);
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t d = dim + rank - type.getRank();
      bool isBroadcast = type.getDimSize(dim) == 1 && (*shape)[d] != 1;
      exprs.push_back(isBroadcast ? b.getAffineConstantExpr(0)
                                  : b.getAffineDimExpr(d));
    }
    maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));

  auto sizes = llvm::map_to_vector(
      extents, [](const Extent &extent) { return extent.size; });
  Value init = tensor::EmptyOp::create(b, c.loc, sizes, elementType);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, c.loc, init.getType(), c.inputs, init, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> elements;
        for (Value arg : args.drop_back()) {
          Type type = arg.getType();
          elements.push_back(
              isa<FloatType>(type)
                  ? extendElement(b, loc, arg, getFloatAccumulator(type))
                  : castToSignless(b, loc, arg));
        }
        Value result = compute(b, loc, elements);
        result = isa<FloatType>(elementType)
                     ? truncateFloat(b, loc, result, elementType)
                     : castFromSignless(b, loc, result, elementType);
        linalg::YieldOp::create(b, loc, result);
      });
  c.outputs[0] = generic.getResult(0);
  if (c.outputs[0].getType() != *declared)
    c.outputs[0] = tensor::CastOp::create(b, c.loc, *declared, c.outputs[0]);
  return success();
}

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

using ConvertFn = LogicalResult (*)(LayerConversion &, LayerAttributes &);

/// In the order of the table below.
static constexpr ElementwiseName kNames[] = {
    {"ReLU", 1, 1},
    {"Clamp", 1, 1},
    {"Sigmoid", 1, 1},
    {"Tanh", 1, 1},
    {"SoftPlus", 1, 4},
    {"Swish", 1, 4},
    {"Exp", 1, 1},
    {"Log", 1, 1},
    {"Sqrt", 1, 1},
    {"Floor", 1, 1},
    {"Ceiling", 1, 1},
    {"Negative", 1, 1},
    {"Abs", 1, 1},
    {"Convert", 1, 1},
    {"Add", 2, 1},
    {"Subtract", 2, 1},
    {"Multiply", 2, 1},
    {"Divide", 2, 1},
    {"Maximum", 2, 1},
    {"Minimum", 2, 1},
    {"HSigmoid", 1, 5},
    {"HSwish", 1, 4},
    {"Erf", 1, 1},
    {"Power", 2, 1},
    {"SquaredDifference", 2, 1},
};

static constexpr ConvertFn kConversions[] = {
    convertRelu,
    convertClamp,
    convertActivation<ActivationKind::Sigmoid>,
    convertActivation<ActivationKind::Tanh>,
    convertActivation<ActivationKind::Softplus>,
    convertActivation<ActivationKind::SiLU>,
    convertFloat<math::ExpOp>,
    convertFloat<math::LogOp>,
    convertFloat<math::SqrtOp>,
    convertFloat<math::FloorOp>,
    convertFloat<math::CeilOp>,
    convertFloat<arith::NegFOp>,
    convertFloat<math::AbsFOp>,
    convertConvert,
    convertNumber<arith::AddFOp, arith::AddIOp>,
    convertNumber<arith::SubFOp, arith::SubIOp>,
    convertNumber<arith::MulFOp, arith::MulIOp>,
    convertFloat<arith::DivFOp>,
    convertNumber<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>,
    convertNumber<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>,
    convertHSigmoid,
    convertHSwish,
    convertFloat<math::ErfOp>,
    convertFloat<math::PowFOp>,
    convertSquaredDifference,
};
static_assert(std::size(kNames) == std::size(kConversions));

/// Position in both tables, or their size.
static size_t find(StringRef type) {
  return llvm::find_if(
             kNames,
             [&](const ElementwiseName &name) { return name.type == type; }) -
         std::begin(kNames);
}

ArrayRef<ElementwiseName> pool::openvino::getElementwiseNames() {
  return kNames;
}

bool pool::openvino::isElementwiseLayer(const Layer &layer) {
  return find(layer.type) != std::size(kNames);
}

LogicalResult pool::openvino::convertElementwiseLayer(LayerConversion &c) {
  size_t position = find(c.layer.type);
  const ElementwiseName &elementwise = kNames[position];
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
  return kConversions[position](c, attributes);
}
