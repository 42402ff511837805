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

namespace {
/// Builds the operations of a layer's body on single elements. All values but
/// the results of comparisons have the float type `type`.
class Body {
public:
  Body(OpBuilder &b, Location loc, Type type) : b(b), loc(loc), type(type) {}

  template <typename Op, typename... Args>
  Value create(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  Value constant(double value) {
    return create<arith::ConstantOp>(b.getFloatAttr(type, value));
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return create<arith::CmpFOp>(predicate, x, y);
  }
  Value apply(ActivationKind kind, Value x) {
    return createActivation(b, loc, x, {kind});
  }
  /// Returns `value` where x < 0, else x, also where x is NaN.
  Value whereNegative(Value x, Value value) {
    return create<arith::SelectOp>(
        compare(arith::CmpFPredicate::OLT, x, constant(0)), value, x);
  }
  /// Returns alpha * (e^x - 1) where x < 0, else x. A null `alpha` counts as 1.
  Value elu(Value x, Value alpha) {
    Value value = create<math::ExpM1Op>(x);
    if (alpha)
      value = create<arith::MulFOp>(alpha, value);
    return whereNegative(x, value);
  }
  Value clamp(Value x, double low, double high) {
    return create<arith::MinimumFOp>(
        create<arith::MaximumFOp>(x, constant(low)), constant(high));
  }

private:
  OpBuilder &b;
  Location loc;
  Type type;
};
} // namespace

/// Creates an operation for a layer whose other inputs broadcast to its first
/// input. The result has the first input's shape and element type. `compute`
/// maps one element of each input to an element of the result. `secondBegin`
/// has the meaning of Broadcast::secondBegin.
static LogicalResult
createLayer(LayerConversion &c,
            function_ref<Value(Body &body, ValueRange x)> compute,
            std::optional<int64_t> secondBegin = {}) {
  return createElementwise(c, c.getInputType(0).getElementType(),
                           [&](OpBuilder &b, Location loc, ValueRange x) {
                             Body body(b, loc, x[0].getType());
                             return compute(body, x);
                           },
                           {secondBegin, /*isToFirst=*/true});
}

static LogicalResult convertElu(LayerConversion &c) {
  double alpha;
  if (failed(c.attributes.require("alpha", alpha)))
    return failure();
  return createLayer(c, [&](Body &body, ValueRange x) {
    return body.elu(x[0], alpha == 1 ? Value() : body.constant(alpha));
  });
}

/// lambda * elu(x); the inputs are x, alpha and lambda.
static LogicalResult convertSelu(LayerConversion &c) {
  return createLayer(c, [](Body &body, ValueRange x) {
    return body.create<arith::MulFOp>(x[2], body.elu(x[0], x[1]));
  });
}

/// Returns the dimension of PReLU's input with which the first dimension of its
/// slope aligns. A slope of rank 1 with one element for each channel aligns
/// with the channels. Any other slope broadcasts as in NumPy. Fails if unknown
/// extents decide between the two rules.
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
      [](Body &body, ValueRange x) {
        return body.whereNegative(x[0], body.create<arith::MulFOp>(x[1], x[0]));
      },
      begin);
}

/// x * (1 + erf(x / sqrt(2))) / 2. From opset7 on, an attribute may ask for the
/// approximation by tanh instead.
static LogicalResult convertGelu(LayerConversion &c) {
  std::string mode = "erf";
  if (c.layer.opset >= 7 && failed(c.attributes.readWord(
                                "approximation_mode", mode, {"erf", "tanh"})))
    return failure();
  return createLayer(c, [&](Body &body, ValueRange x) {
    if (mode == "tanh")
      return body.apply(ActivationKind::GELU, x[0]);
    constexpr double kSqrtHalf = 0.7071067811865476;
    Value erf = body.create<math::ErfOp>(
        body.create<arith::MulFOp>(x[0], body.constant(kSqrtHalf)));
    return body.create<arith::MulFOp>(
        body.create<arith::MulFOp>(body.constant(0.5), x[0]),
        body.create<arith::AddFOp>(body.constant(1), erf));
  });
}

/// x * tanh(softplus(x)).
static LogicalResult convertMish(LayerConversion &c) {
  return createLayer(c, [](Body &body, ValueRange x) {
    return body.create<arith::MulFOp>(
        x[0],
        body.create<math::TanhOp>(body.apply(ActivationKind::Softplus, x[0])));
  });
}

/// x * sigmoid(beta * x); the inputs are x and beta.
static LogicalResult convertSwishWithBeta(LayerConversion &c) {
  return createLayer(c, [](Body &body, ValueRange x) {
    Value scaled = body.create<arith::MulFOp>(x[1], x[0]);
    return body.create<arith::MulFOp>(
        x[0], body.apply(ActivationKind::Sigmoid, scaled));
  });
}

/// clamp(x + 3, 0, 6) * x / 6.
static LogicalResult convertHSwish(LayerConversion &c) {
  return createLayer(c, [](Body &body, ValueRange x) {
    Value clamped =
        body.clamp(body.create<arith::AddFOp>(x[0], body.constant(3)), 0, 6);
    return body.create<arith::MulFOp>(
        x[0], body.create<arith::MulFOp>(clamped, body.constant(1.0 / 6)));
  });
}

/// clamp(alpha * x + beta, 0, 1); the inputs are x, alpha and beta.
static LogicalResult convertHardSigmoid(LayerConversion &c) {
  return createLayer(c, [](Body &body, ValueRange x) {
    Value scaled = body.create<arith::MulFOp>(x[1], x[0]);
    return body.clamp(body.create<arith::AddFOp>(scaled, x[2]), 0, 1);
  });
}

static LogicalResult convertSoftSign(LayerConversion &c) {
  return createLayer(c, [](Body &body, ValueRange x) {
    Value divisor = body.create<arith::AddFOp>(body.constant(1),
                                               body.create<math::AbsFOp>(x[0]));
    return body.create<arith::DivFOp>(x[0], divisor);
  });
}

/// The sign of x: -1, 0 or 1; NaN stays NaN.
static LogicalResult convertSign(LayerConversion &c) {
  return createLayer(c, [](Body &body, ValueRange x) {
    Value zero = body.constant(0);
    Value notPositive = body.whereNegative(x[0], body.constant(-1));
    return body.create<arith::SelectOp>(
        body.compare(arith::CmpFPredicate::OGT, x[0], zero), body.constant(1),
        notPositive);
  });
}

static LogicalResult convertRound(LayerConversion &c) {
  std::string mode = "half_to_even";
  if (failed(c.attributes.readWord("mode", mode,
                                   {"half_to_even", "half_away_from_zero"})))
    return failure();
  return createLayer(c, [&](Body &body, ValueRange x) -> Value {
    if (mode == "half_to_even")
      return body.create<math::RoundEvenOp>(x[0]);
    return body.create<math::RoundOp>(x[0]);
  });
}

/// Quantises x, input 0, in the range of inputs 1 and 2, and maps it to the
/// range of inputs 3 and 4. An x outside of the input range gives a limit of
/// the output range. An x inside is first rounded to the nearest of `levels`
/// evenly spaced values, ties to even.
static LogicalResult convertFakeQuantize(LayerConversion &c) {
  int64_t levels;
  if (failed(c.attributes.require("levels", levels)))
    return failure();
  // Steps are counted in f32, which is exact up to this number.
  constexpr int64_t kMaxLevels = 1 << 24;
  if (levels < 2 || levels > kMaxLevels)
    return c.attributes.emitError("levels")
           << "must be from 2 to " << kMaxLevels;
  return createLayer(c, [&](Body &body, ValueRange x) {
    Value value = x[0], low = x[1], high = x[2], outLow = x[3], outHigh = x[4];
    Value steps = body.constant(levels - 1);
    Value place =
        body.create<arith::DivFOp>(body.create<arith::SubFOp>(value, low),
                                   body.create<arith::SubFOp>(high, low));
    Value step = body.create<math::RoundEvenOp>(
        body.create<arith::MulFOp>(place, steps));
    Value scaled =
        body.create<arith::MulFOp>(body.create<arith::DivFOp>(step, steps),
                                   body.create<arith::SubFOp>(outHigh, outLow));
    Value inside = body.create<arith::AddFOp>(scaled, outLow);
    Value least = body.create<arith::MinimumFOp>(low, high);
    Value most = body.create<arith::MaximumFOp>(low, high);
    Value result = body.create<arith::SelectOp>(
        body.compare(arith::CmpFPredicate::OGT, value, most), outHigh, inside);
    return body.create<arith::SelectOp>(
        body.compare(arith::CmpFPredicate::OLE, value, least), outLow, result);
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
