// Elementwise operations of StableHLO as linalg.generic. f16 and bf16 are
// computed in f32 and rounded once an operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Hlo.h"
#include "../Raising.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// The body of one operation: its scalar operands, in the type that is computed
/// in, and how their integers are signed.
struct Scalars {
  OpBuilder &b;
  Location loc;
  Operation *op;
  ValueRange operands;
  bool isFloat;
  bool isUnsigned;

  template <typename Op>
  Value unary() const {
    return Op::create(b, loc, operands[0]);
  }
  template <typename Op>
  Value binary() const {
    return Op::create(b, loc, operands[0], operands[1]);
  }
  Value constant(double number) const {
    return arith::ConstantOp::create(
        b, loc, b.getFloatAttr(operands[0].getType(), number));
  }
};
using BodyFn = Value (*)(const Scalars &);

/// An operation whose operands and result have one element type.
struct Entry {
  unsigned numOperands;
  BodyFn ofFloats;
  BodyFn ofIntegers;
};
} // namespace

static Value createLogistic(const Scalars &s) {
  Value one = s.constant(1);
  Value power = math::ExpOp::create(
      s.b, s.loc, arith::NegFOp::create(s.b, s.loc, s.operands[0]));
  return arith::DivFOp::create(s.b, s.loc, one,
                               arith::AddFOp::create(s.b, s.loc, one, power));
}

static Value createNegation(const Scalars &s) {
  Value zero = arith::ConstantOp::create(
      s.b, s.loc, s.b.getIntegerAttr(s.operands[0].getType(), 0));
  return arith::SubIOp::create(s.b, s.loc, zero, s.operands[0]);
}

static Value createNot(const Scalars &s) {
  Value ones = arith::ConstantOp::create(
      s.b, s.loc, s.b.getIntegerAttr(s.operands[0].getType(), -1));
  return arith::XOrIOp::create(s.b, s.loc, s.operands[0], ones);
}

template <typename Signed, typename Unsigned>
static Value createOrdered(const Scalars &s) {
  return s.isUnsigned ? s.binary<Unsigned>() : s.binary<Signed>();
}

static Value createAbsolute(const Scalars &s) {
  return s.isUnsigned ? s.operands[0] : s.unary<math::AbsIOp>();
}

template <typename Op>
static Value createUnary(const Scalars &s) {
  return s.unary<Op>();
}

template <typename Op>
static Value createBinary(const Scalars &s) {
  return s.binary<Op>();
}

/// Quotients of integers are not among them: StableHLO's by zero are XLA's own.
static const Entry *findEntry(StringRef name) {
  static const llvm::StringMap<Entry> kEntries = {
      {"abs", {1, createUnary<math::AbsFOp>, createAbsolute}},
      {"add", {2, createBinary<arith::AddFOp>, createBinary<arith::AddIOp>}},
      {"and", {2, nullptr, createBinary<arith::AndIOp>}},
      {"ceil", {1, createUnary<math::CeilOp>, nullptr}},
      {"cosine", {1, createUnary<math::CosOp>, nullptr}},
      {"divide", {2, createBinary<arith::DivFOp>, nullptr}},
      {"exponential", {1, createUnary<math::ExpOp>, nullptr}},
      {"exponential_minus_one", {1, createUnary<math::ExpM1Op>, nullptr}},
      {"floor", {1, createUnary<math::FloorOp>, nullptr}},
      {"log", {1, createUnary<math::LogOp>, nullptr}},
      {"log_plus_one", {1, createUnary<math::Log1pOp>, nullptr}},
      {"logistic", {1, createLogistic, nullptr}},
      {"maximum",
       {2, createBinary<arith::MaximumFOp>,
        createOrdered<arith::MaxSIOp, arith::MaxUIOp>}},
      {"minimum",
       {2, createBinary<arith::MinimumFOp>,
        createOrdered<arith::MinSIOp, arith::MinUIOp>}},
      {"multiply",
       {2, createBinary<arith::MulFOp>, createBinary<arith::MulIOp>}},
      {"negate", {1, createUnary<arith::NegFOp>, createNegation}},
      {"not", {1, nullptr, createNot}},
      {"or", {2, nullptr, createBinary<arith::OrIOp>}},
      {"power", {2, createBinary<math::PowFOp>, nullptr}},
      {"round_nearest_even", {1, createUnary<math::RoundEvenOp>, nullptr}},
      {"rsqrt", {1, createUnary<math::RsqrtOp>, nullptr}},
      {"sine", {1, createUnary<math::SinOp>, nullptr}},
      {"sqrt", {1, createUnary<math::SqrtOp>, nullptr}},
      {"subtract",
       {2, createBinary<arith::SubFOp>, createBinary<arith::SubIOp>}},
      {"tanh", {1, createUnary<math::TanhOp>, nullptr}},
      {"xor", {2, nullptr, createBinary<arith::XOrIOp>}}};
  auto found = kEntries.find(name);
  return found == kEntries.end() ? nullptr : &found->second;
}

/// Operations of CHLO, of one operand, that JAX leaves in its modules.
static BodyFn findChlo(StringRef name) {
  return llvm::StringSwitch<BodyFn>(name)
      .Case("chlo.erf", createUnary<math::ErfOp>)
      .Case("chlo.erfc", createUnary<math::ErfcOp>)
      .Case("chlo.square",
            [](const Scalars &s) -> Value {
              return arith::MulFOp::create(s.b, s.loc, s.operands[0],
                                           s.operands[0]);
            })
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// Operations of several types
//===----------------------------------------------------------------------===//

std::optional<arith::CmpIPredicate>
pool::getIntegerPredicate(Operation *compare, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  return llvm::StringSwitch<std::optional<P>>(
             hlo::getKeyword(compare, "comparison_direction"))
      .Case("EQ", P::eq)
      .Case("NE", P::ne)
      .Case("GE", isUnsigned ? P::uge : P::sge)
      .Case("GT", isUnsigned ? P::ugt : P::sgt)
      .Case("LE", isUnsigned ? P::ule : P::sle)
      .Case("LT", isUnsigned ? P::ult : P::slt)
      .Default(std::nullopt);
}

static Value createCompare(const Scalars &s) {
  if (s.isFloat) {
    using P = arith::CmpFPredicate;
    auto predicate =
        llvm::StringSwitch<P>(hlo::getKeyword(s.op, "comparison_direction"))
            .Case("EQ", P::OEQ)
            .Case("NE", P::UNE)
            .Case("GE", P::OGE)
            .Case("GT", P::OGT)
            .Case("LE", P::OLE)
            .Default(P::OLT);
    return arith::CmpFOp::create(s.b, s.loc, predicate, s.operands[0],
                                 s.operands[1]);
  }
  return arith::CmpIOp::create(s.b, s.loc,
                               *getIntegerPredicate(s.op, s.isUnsigned),
                               s.operands[0], s.operands[1]);
}

static Value createSelect(const Scalars &s) {
  return arith::SelectOp::create(s.b, s.loc, s.operands[0], s.operands[1],
                                 s.operands[2]);
}

/// clamp(min, x, max), the lesser of max and the greater of x and min.
static Value createClamp(const Scalars &s) {
  auto pick = [&](bool isMax, Value a, Value b) -> Value {
    Value operands[] = {a, b};
    Scalars pair{s.b, s.loc, s.op, operands, s.isFloat, s.isUnsigned};
    const Entry *entry = findEntry(isMax ? "maximum" : "minimum");
    return (s.isFloat ? entry->ofFloats : entry->ofIntegers)(pair);
  };
  return pick(false, pick(true, s.operands[1], s.operands[0]), s.operands[2]);
}

/// An f64 as the f32 toward zero whose last bit is set if it is not exact
/// ("round to odd"). Rounded once more, to 16 bits, it is what the f64 itself
/// is rounded to, where the nearest f32 may be a tie that the f64 is not.
static Value truncateToOdd(OpBuilder &b, Location loc, Value value) {
  Value nearest = arith::TruncFOp::create(b, loc, b.getF32Type(), value);
  Value back = arith::ExtFOp::create(b, loc, b.getF64Type(), nearest);
  Value bits = arith::BitcastOp::create(b, loc, b.getI32Type(), nearest);
  // Of NaN too.
  Value isExact =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UEQ, back, value);
  Value isOdd = arith::TruncIOp::create(b, loc, b.getI1Type(), bits);
  Value isKept = arith::OrIOp::create(b, loc, isExact, isOdd);
  // The other neighbour is odd. Bits of floats count away from zero.
  Value isBelow = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(b, loc, back),
                                        math::AbsFOp::create(b, loc, value));
  Value next = arith::SelectOp::create(
      b, loc, isBelow,
      arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1)),
      arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(-1)));
  Value odd = arith::AddIOp::create(b, loc, bits, next);
  return arith::BitcastOp::create(
      b, loc, b.getF32Type(),
      arith::SelectOp::create(b, loc, isKept, bits, odd));
}

static Value createConvert(const Scalars &s) {
  Type from = getElementTypeOrSelf(s.op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(s.op->getResult(0).getType());
  Value value = s.operands[0];
  // Truth values are 0 and 1.
  bool isUnsigned = s.isUnsigned || from.isInteger(1);
  if (isa<FloatType>(to)) {
    Type target = getFloatAccumulator(to);
    if (isa<IntegerType>(from))
      return isUnsigned
                 ? Value(arith::UIToFPOp::create(s.b, s.loc, target, value))
                 : arith::SIToFPOp::create(s.b, s.loc, target, value);
    unsigned have = value.getType().getIntOrFloatBitWidth();
    unsigned want = target.getIntOrFloatBitWidth();
    if (have < want)
      return arith::ExtFOp::create(s.b, s.loc, target, value);
    if (have > want && target != to)
      return truncateToOdd(s.b, s.loc, value);
    return have > want ? truncateFloat(s.b, s.loc, value, target) : value;
  }
  Type target = getSignless(to);
  unsigned have = value.getType().getIntOrFloatBitWidth();
  unsigned want = target.getIntOrFloatBitWidth();
  if (have > want)
    return arith::TruncIOp::create(s.b, s.loc, target, value);
  if (have == want)
    return value;
  return isUnsigned ? Value(arith::ExtUIOp::create(s.b, s.loc, target, value))
                    : arith::ExtSIOp::create(s.b, s.loc, target, value);
}

namespace {
/// What to compute, and of which operand the elements decide how.
struct Plan {
  BodyFn body = nullptr;
  unsigned typed = 0;
};
} // namespace

static bool isElement(Type type) {
  return type.isInteger(1) || isPoolElementType(type);
}

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// Chooses the body of `op`, whose operands and result are ranked tensors.
static std::optional<Plan> planBody(Operation *op, std::string &reason) {
  StringRef name = hlo::getName(op);
  unsigned numOperands = op->getNumOperands();
  Type result = getElement(op->getResult(0));
  Type first = numOperands ? getElement(op->getOperand(0)) : Type();
  auto haveType = [&](Type type, unsigned begin) {
    return llvm::all_of(op->getOperands().drop_front(begin),
                        [&](Value value) { return getElement(value) == type; });
  };
  if (name == "compare" && numOperands == 2 && result.isInteger(1) &&
      haveType(first, 0)) {
    std::string type = hlo::getKeyword(op, "compare_type");
    if (type == "TOTALORDER" ||
        !getIntegerPredicate(op, /*isUnsigned=*/false)) {
      reason = "it compares in no order of numbers";
      return std::nullopt;
    }
    return Plan{createCompare, 0};
  }
  if (name == "select" && numOperands == 3 && first.isInteger(1) &&
      haveType(result, 1))
    return Plan{createSelect, 1};
  if (name == "clamp" && numOperands == 3 && haveType(result, 0))
    return Plan{createClamp, 1};
  if (name == "convert" && numOperands == 1) {
    if (isa<FloatType>(first) && !isa<FloatType>(result)) {
      reason = "what it makes of numbers that do not fit is XLA's own";
      return std::nullopt;
    }
    if (result.isInteger(1) && !first.isInteger(1)) {
      reason = "it makes truth values";
      return std::nullopt;
    }
    return Plan{createConvert, 0};
  }
  if (BodyFn body = findChlo(op->getName().getStringRef());
      body && numOperands == 1 && isa<FloatType>(first) && first == result)
    return Plan{body, 0};
  const Entry *entry = findEntry(name);
  if (!entry || entry->numOperands != numOperands || !haveType(result, 0)) {
    reason = "it is not supported";
    return std::nullopt;
  }
  Plan plan{isa<FloatType>(result) ? entry->ofFloats : entry->ofIntegers, 0};
  bool isLogical =
      llvm::is_contained(ArrayRef<StringRef>{"and", "or", "xor", "not"}, name);
  if (!plan.body || (result.isInteger(1) && !isLogical)) {
    reason = "elements of its type are not supported";
    return std::nullopt;
  }
  return plan;
}

LogicalResult pool::lowerElementwise(Operation *op, RewriterBase &rewriter,
                                     std::string &reason) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->getNumSuccessors() != 0 || op->getNumOperands() == 0) {
    reason = "it is not supported";
    return failure();
  }
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<AffineMap> maps;
  MLIRContext *context = op->getContext();
  int64_t rank = type ? type.getRank() : 0;
  Value sized;
  bool fits = type && !type.getEncoding() && isElement(type.getElementType());
  for (Value operand : op->getOperands()) {
    auto operandType = dyn_cast<RankedTensorType>(operand.getType());
    fits = fits && operandType && !operandType.getEncoding() &&
           isElement(operandType.getElementType()) &&
           (operandType.getRank() == 0 ||
            operandType.getShape() == type.getShape());
    if (!fits)
      break;
    bool isScalar = operandType.getRank() == 0;
    maps.push_back(isScalar ? AffineMap::get(rank, 0, context)
                            : AffineMap::getMultiDimIdentityMap(rank, context));
    if (!isScalar && !sized)
      sized = operand;
  }
  if (!fits || (rank != 0 && !sized)) {
    reason = "its operands and result are no ranked tensors of one shape";
    return failure();
  }
  std::optional<Plan> plan = planBody(op, reason);
  if (!plan)
    return failure();

  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Type element = type.getElementType();
  SmallVector<OpFoldResult> sizes;
  if (sized)
    sizes = tensor::getMixedSizes(rewriter, loc, sized);
  Value init = tensor::EmptyOp::create(rewriter, loc, sizes, element);
  maps.push_back(AffineMap::getMultiDimIdentityMap(rank, context));
  Type typed = getElement(op->getOperand(plan->typed));
  auto generic = linalg::GenericOp::create(
      rewriter, loc, init.getType(), op->getOperands(), init, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        SmallVector<Value> operands;
        for (Value argument : arguments.drop_back()) {
          Value value = castToSignless(b, loc, argument);
          Type wide = isa<FloatType>(value.getType())
                          ? getFloatAccumulator(value.getType())
                          : value.getType();
          operands.push_back(wide == value.getType()
                                 ? value
                                 : extendElement(b, loc, value, wide));
        }
        Value result =
            // Truth values are 0 and 1.
            plan->body(
                Scalars{b, loc, op, operands, isa<FloatType>(typed),
                        typed.isUnsignedInteger() || typed.isInteger(1)});
        if (isa<FloatType>(element))
          result = truncateFloat(b, loc, result, element);
        else
          result = castFromSignless(b, loc, result, element);
        linalg::YieldOp::create(b, loc, result);
      });
  rewriter.replaceOp(op, generic.getResults());
  return success();
}
