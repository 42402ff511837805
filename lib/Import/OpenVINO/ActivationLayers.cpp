// Activations and related layers of floats, by the formulas of OpenVINO's
// specification.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pool/Dialect/Pool/Utils/Activation.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

static Value compare(ElementBuilder &b, arith::CmpFPredicate predicate, Value x,
                     Operand y) {
  return b.fold<arith::CmpFOp>(x, y, predicate);
}

static Value apply(ElementBuilder &b, ActivationKind kind, Value x) {
  return createActivation(b, b.getLoc(), x, {kind});
}

/// Returns `value` if x < 0, else x. If x is NaN, returns x.
static Value whereNegative(ElementBuilder &b, Value x, Value value) {
  return b.select(compare(b, arith::CmpFPredicate::OLT, x, 0), value, x);
}

/// Returns alpha * (e^x - 1) if x < 0, else x. A null `alpha` stands for 1.
static Value elu(ElementBuilder &b, Value x, Value alpha) {
  Value value = b.createOrFold<math::ExpM1Op>(x);
  if (alpha)
    value = arith::MulFOp::create(b, alpha, value);
  return whereNegative(b, x, value);
}

static Value clamp(ElementBuilder &b, Value x, double low, double high) {
  return b.fold<arith::MinimumFOp>(b.fold<arith::MaximumFOp>(x, low), high);
}

/// Creates an operation for a layer whose other inputs broadcast to its first
/// input. The result has the first input's shape and element type.
/// `secondBegin` is as in Broadcast::secondBegin.
static LogicalResult createLayer(LayerConversion &c, ElementFn compute,
                                 std::optional<int64_t> secondBegin = {}) {
  return createElementwise(c, c.getInputType(0).getElementType(), compute,
                           {secondBegin, /*isToFirst=*/true});
}

static LogicalResult convertElu(LayerConversion &c) {
  double alpha;
  if (failed(c.attributes.require("alpha", alpha)))
    return failure();
  return createLayer(c, [&](ElementBuilder &b, ValueRange x) {
    return elu(b, x[0], alpha == 1 ? Value() : b.splat(x[0].getType(), alpha));
  });
}

/// Computes lambda * elu(x). The inputs are x, alpha and lambda.
static LogicalResult convertSelu(LayerConversion &c) {
  return createLayer(c, [](ElementBuilder &b, ValueRange x) {
    return b.mulFloat(x[2], elu(b, x[0], x[1]));
  });
}

/// Returns the dimension of PReLU's input with which the first dimension of its
/// slope aligns. A slope of rank 1 with one element for each channel aligns
/// with the channels. Any other slope broadcasts as in NumPy. Emits an error
/// and fails if it depends on unknown extents which rule applies.
static FailureOr<int64_t> getSlopeBegin(LayerConversion &c) {
  RankedTensorType input = c.getInputType(0), slope = c.getInputType(1);
  int64_t last = input.getRank() - slope.getRank();
  if (slope.getRank() != 1 || input.getRank() < 2 || slope.getDimSize(0) == 1)
    return last;
  if (slope.isDynamicDim(0) || input.isDynamicDim(1))
    return c.emitError() << "whether its slope, of rank 1, is for channels "
                            "follows from extents that are not known";
  return slope.getDimSize(0) == input.getDimSize(1) ? 1 : last;
}

static LogicalResult convertPRelu(LayerConversion &c) {
  FailureOr<int64_t> begin = getSlopeBegin(c);
  if (failed(begin))
    return failure();
  return createLayer(
      c,
      [](ElementBuilder &b, ValueRange x) {
        return whereNegative(b, x[0], b.mulFloat(x[1], x[0]));
      },
      begin);
}

/// Computes x * (1 + erf(x / sqrt(2))) / 2. From opset7 on, an attribute may
/// ask for the approximation by tanh instead.
static LogicalResult convertGelu(LayerConversion &c) {
  std::string mode = "erf";
  if (c.layer.opset >= 7 && failed(c.attributes.readWord(
                                "approximation_mode", mode, {"erf", "tanh"})))
    return failure();
  return createLayer(c, [&](ElementBuilder &b, ValueRange x) {
    if (mode == "tanh")
      return apply(b, ActivationKind::GELU, x[0]);
    constexpr double kSqrtHalf = 0.7071067811865476;
    Value erf = b.createOrFold<math::ErfOp>(b.mulFloat(x[0], kSqrtHalf));
    return b.mulFloat(b.mulFloat(0.5, x[0]), b.addFloat(1, erf));
  });
}

/// Computes x * tanh(softplus(x)).
static LogicalResult convertMish(LayerConversion &c) {
  return createLayer(c, [](ElementBuilder &b, ValueRange x) {
    Value softplus = apply(b, ActivationKind::Softplus, x[0]);
    return b.mulFloat(x[0], b.createOrFold<math::TanhOp>(softplus));
  });
}

/// Computes x * sigmoid(beta * x). The inputs are x and beta.
static LogicalResult convertSwishWithBeta(LayerConversion &c) {
  return createLayer(c, [](ElementBuilder &b, ValueRange x) {
    Value scaled = b.mulFloat(x[1], x[0]);
    return b.mulFloat(x[0], apply(b, ActivationKind::Sigmoid, scaled));
  });
}

/// Computes clamp(x + 3, 0, 6) * x / 6.
static LogicalResult convertHSwish(LayerConversion &c) {
  return createLayer(c, [](ElementBuilder &b, ValueRange x) {
    Value clamped = clamp(b, b.addFloat(x[0], 3), 0, 6);
    return b.mulFloat(x[0], b.mulFloat(clamped, 1.0 / 6));
  });
}

/// Computes clamp(alpha * x + beta, 0, 1). The inputs are x, alpha and beta.
static LogicalResult convertHardSigmoid(LayerConversion &c) {
  return createLayer(c, [](ElementBuilder &b, ValueRange x) {
    return clamp(b, b.addFloat(b.mulFloat(x[1], x[0]), x[2]), 0, 1);
  });
}

static LogicalResult convertSoftSign(LayerConversion &c) {
  return createLayer(c, [](ElementBuilder &b, ValueRange x) {
    Value one = b.splat(x[0].getType(), 1);
    return b.divFloat(x[0],
                      b.addFloat(one, b.createOrFold<math::AbsFOp>(x[0])));
  });
}

/// Computes the sign of x: -1, 0 or 1. NaN stays NaN.
static LogicalResult convertSign(LayerConversion &c) {
  return createLayer(c, [](ElementBuilder &b, ValueRange x) {
    Type type = x[0].getType();
    Value zero = b.splat(type, 0);
    Value notPositive = whereNegative(b, x[0], b.splat(type, -1));
    return b.select(compare(b, arith::CmpFPredicate::OGT, x[0], zero), 1,
                    notPositive);
  });
}

static LogicalResult convertRound(LayerConversion &c) {
  std::string mode = "half_to_even";
  if (failed(c.attributes.readWord("mode", mode,
                                   {"half_to_even", "half_away_from_zero"})))
    return failure();
  return createLayer(c, [&](ElementBuilder &b, ValueRange x) {
    return mode == "half_to_even" ? b.createOrFold<math::RoundEvenOp>(x[0])
                                  : b.createOrFold<math::RoundOp>(x[0]);
  });
}

/// Quantizes x (input 0) in the range of inputs 1 and 2, and maps it to the
/// range of inputs 3 and 4. An x outside the input range gives a limit of the
/// output range. An x inside is first rounded to the nearest of `levels` evenly
/// spaced values, ties to even.
static LogicalResult convertFakeQuantize(LayerConversion &c) {
  int64_t levels;
  if (failed(c.attributes.require("levels", levels)))
    return failure();
  // Steps are counted in f32, which has all integers up to this number.
  constexpr int64_t kMaxLevels = 1 << 24;
  if (levels < 2 || levels > kMaxLevels)
    return c.attributes.emitError("levels")
           << "must be from 2 to " << kMaxLevels;
  return createLayer(c, [&](ElementBuilder &b, ValueRange x) {
    Value value = x[0], low = x[1], high = x[2], outLow = x[3], outHigh = x[4];
    Value steps = b.splat(value.getType(), levels - 1);
    Value place = b.divFloat(b.fold<arith::SubFOp>(value, low),
                             b.fold<arith::SubFOp>(high, low));
    // Create the multiplication even if `steps` is 1, because the export reads
    // the constant.
    Value step = b.createOrFold<math::RoundEvenOp>(
        arith::MulFOp::create(b, place, steps));
    Value scaled = b.mulFloat(arith::DivFOp::create(b, step, steps),
                              b.fold<arith::SubFOp>(outHigh, outLow));
    Value inside = b.addFloat(scaled, outLow);
    Value least = b.fold<arith::MinimumFOp>(low, high);
    Value most = b.fold<arith::MaximumFOp>(low, high);
    Value isAbove = compare(b, arith::CmpFPredicate::OGT, value, most);
    Value result = b.select(isAbove, outHigh, inside);
    Value isBelow = compare(b, arith::CmpFPredicate::OLE, value, least);
    return b.select(isBelow, outLow, result);
  });
}

static constexpr ElementwiseLayer kActivations[] = {
    {"Elu", 1, 1, convertElu, HasFloats},
    {"FakeQuantize", 5, 1, convertFakeQuantize, HasAutoBroadcast | HasFloats},
    {"Gelu", 1, 2, convertGelu, HasFloats},
    {"HardSigmoid", 3, 1, convertHardSigmoid, HasFloats},
    {"HSwish", 1, 4, convertHSwish, HasFloats},
    {"Mish", 1, 4, convertMish, HasFloats},
    {"PReLU", 2, 1, convertPRelu, HasFloats},
    {"Round", 1, 5, convertRound, HasFloats},
    {"Selu", 3, 1, convertSelu, HasFloats},
    {"Sign", 1, 1, convertSign, HasFloats},
    {"SoftSign", 1, 9, convertSoftSign, HasFloats},
    {"Swish", 2, 4, convertSwishWithBeta, HasFloats},
};

ArrayRef<ElementwiseLayer> pool::openvino::getActivationLayers() {
  return kActivations;
}
