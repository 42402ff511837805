// Computes scalar operations as their documentation defines them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;

Scalar Scalar::load(const Tensor &tensor, int64_t position) {
  ElementFormat format = *ElementFormat::get(tensor.elementType);
  Scalar scalar;
  scalar.type = tensor.elementType;
  if (format.isFloat())
    scalar.number = format.load<double>(tensor, position);
  else
    scalar.integer = format.load<Wide>(tensor, position);
  return scalar;
}

void Scalar::store(Tensor &tensor, int64_t position) const {
  ElementFormat format = *ElementFormat::get(tensor.elementType);
  if (format.isFloat())
    format.store<double>(tensor, position, number);
  else
    format.store<Wide>(tensor, position, integer);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static unsigned getWidth(Type type) {
  return isa<IndexType>(type) ? IndexType::kInternalStorageBitWidth
                              : type.getIntOrFloatBitWidth();
}

/// Returns the integer with the same bits, read as an unsigned number.
static Wide asUnsigned(const Scalar &scalar) {
  return scalar.integer & ((Wide(1) << getWidth(scalar.type)) - 1);
}

/// Returns `value`, wrapped around to the width of `type`.
static Scalar makeInteger(Type type, Wide value) {
  unsigned width = getWidth(type);
  Scalar scalar{type, value};
  scalar.integer = asUnsigned(scalar);
  if (!type.isUnsignedInteger() && (scalar.integer >> (width - 1)) != 0)
    scalar.integer -= Wide(1) << width;
  return scalar;
}

static Scalar makeNumber(Type type, double value) {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
  return {type, /*integer=*/0, rounded.convertToDouble()};
}

/// Returns the larger of two numbers if `larger` is true, otherwise the
/// smaller. Returns NaN if one of them is NaN.
static double pickPropagating(double a, double b, bool larger) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return larger ? std::fmax(a, b) : std::fmin(a, b);
}

static bool compare(arith::CmpIPredicate predicate, const Scalar &a,
                    const Scalar &b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a.integer == b.integer;
  case P::ne:
    return a.integer != b.integer;
  case P::slt:
    return a.integer < b.integer;
  case P::sle:
    return a.integer <= b.integer;
  case P::sgt:
    return a.integer > b.integer;
  case P::sge:
    return a.integer >= b.integer;
  case P::ult:
    return asUnsigned(a) < asUnsigned(b);
  case P::ule:
    return asUnsigned(a) <= asUnsigned(b);
  case P::ugt:
    return asUnsigned(a) > asUnsigned(b);
  case P::uge:
    return asUnsigned(a) >= asUnsigned(b);
  }
  llvm_unreachable("all predicates are listed");
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

using Unary = double (*)(double);
using Binary = double (*)(double, double);
/// A function that computes an integer operation. Each operand is within the
/// range of its type. The caller wraps the result around to its type.
using Integer = Wide (*)(ArrayRef<Scalar>);

static const llvm::StringMap<Unary> &getUnaryFunctions() {
  static const llvm::StringMap<Unary> functions = {
      {"arith.negf", [](double a) { return -a; }},
      {"arith.extf", [](double a) { return a; }},
      {"arith.truncf", [](double a) { return a; }},
      {"math.absf", [](double a) { return std::fabs(a); }},
      {"math.ceil", [](double a) { return std::ceil(a); }},
      {"math.cos", [](double a) { return std::cos(a); }},
      {"math.erf", [](double a) { return std::erf(a); }},
      {"math.exp", [](double a) { return std::exp(a); }},
      {"math.expm1", [](double a) { return std::expm1(a); }},
      {"math.floor", [](double a) { return std::floor(a); }},
      {"math.log", [](double a) { return std::log(a); }},
      {"math.log1p", [](double a) { return std::log1p(a); }},
      {"math.round", [](double a) { return std::round(a); }},
      {"math.roundeven", [](double a) { return std::nearbyint(a); }},
      {"math.sin", [](double a) { return std::sin(a); }},
      {"math.sqrt", [](double a) { return std::sqrt(a); }},
      {"math.tanh", [](double a) { return std::tanh(a); }},
  };
  return functions;
}

static const llvm::StringMap<Binary> &getBinaryFunctions() {
  static const llvm::StringMap<Binary> functions = {
      {"arith.addf", [](double a, double b) { return a + b; }},
      {"arith.subf", [](double a, double b) { return a - b; }},
      {"arith.mulf", [](double a, double b) { return a * b; }},
      {"arith.divf", [](double a, double b) { return a / b; }},
      {"arith.maximumf",
       [](double a, double b) { return pickPropagating(a, b, true); }},
      {"arith.minimumf",
       [](double a, double b) { return pickPropagating(a, b, false); }},
      {"math.powf", [](double a, double b) { return std::pow(a, b); }},
  };
  return functions;
}

static const llvm::StringMap<Integer> &getIntegerFunctions() {
  using S = ArrayRef<Scalar>;
  static const llvm::StringMap<Integer> functions = {
      {"arith.addi", [](S v) { return v[0].integer + v[1].integer; }},
      {"arith.subi", [](S v) { return v[0].integer - v[1].integer; }},
      {"arith.muli",
       [](S v) {
         // Multiply modulo 2^128: unsigned multiplication cannot overflow.
         __extension__ typedef unsigned __int128 Bits;
         return static_cast<Wide>(static_cast<Bits>(v[0].integer) *
                                  static_cast<Bits>(v[1].integer));
       }},
      {"arith.andi", [](S v) { return v[0].integer & v[1].integer; }},
      {"arith.ori", [](S v) { return v[0].integer | v[1].integer; }},
      {"arith.xori", [](S v) { return v[0].integer ^ v[1].integer; }},
      {"arith.divsi", [](S v) { return v[0].integer / v[1].integer; }},
      {"arith.divui", [](S v) { return asUnsigned(v[0]) / asUnsigned(v[1]); }},
      {"arith.remsi", [](S v) { return v[0].integer % v[1].integer; }},
      {"arith.remui", [](S v) { return asUnsigned(v[0]) % asUnsigned(v[1]); }},
      {"arith.maxsi", [](S v) { return std::max(v[0].integer, v[1].integer); }},
      {"arith.minsi", [](S v) { return std::min(v[0].integer, v[1].integer); }},
      {"arith.maxui",
       [](S v) { return std::max(asUnsigned(v[0]), asUnsigned(v[1])); }},
      {"arith.minui",
       [](S v) { return std::min(asUnsigned(v[0]), asUnsigned(v[1])); }},
      {"arith.extsi", [](S v) { return v[0].integer; }},
      {"arith.extui", [](S v) { return asUnsigned(v[0]); }},
      {"arith.trunci", [](S v) { return v[0].integer; }},
      {"arith.index_cast", [](S v) { return v[0].integer; }},
      {"math.absi", [](S v) { return std::max(v[0].integer, -v[0].integer); }},
      {"builtin.unrealized_conversion_cast", [](S v) { return v[0].integer; }},
  };
  return functions;
}

/// Evaluates those operations that are not in one of the three tables above.
/// Returns none if `op` is not supported.
static std::optional<Scalar>
evaluateMixed(Operation *op, ArrayRef<Scalar> operands, Type type) {
  using Result = std::optional<Scalar>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::CmpIOp cmp) -> Result {
        return makeInteger(
            type, compare(cmp.getPredicate(), operands[0], operands[1]));
      })
      .Case([&](arith::CmpFOp cmp) -> Result {
        return makeInteger(
            type, arith::applyCmpPredicate(cmp.getPredicate(),
                                           APFloat(operands[0].number),
                                           APFloat(operands[1].number)));
      })
      .Case([&](arith::SelectOp) -> Result {
        return operands[0].integer != 0 ? operands[1] : operands[2];
      })
      .Case([&](arith::SIToFPOp) -> Result {
        return makeNumber(type, static_cast<double>(operands[0].integer));
      })
      .Case([&](arith::UIToFPOp) -> Result {
        return makeNumber(type, static_cast<double>(asUnsigned(operands[0])));
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([&](auto) -> Result {
        // The result of a value out of range is poison, so every number is
        // correct.
        double value = std::trunc(operands[0].number);
        bool fits = std::fabs(value) < std::ldexp(1.0, 64);
        return makeInteger(type, fits ? static_cast<Wide>(value) : Wide(0));
      })
      .Case([&](arith::ConstantOp constant) -> Result {
        if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
          return makeNumber(type, number.getValueAsDouble());
        APInt bits = cast<IntegerAttr>(constant.getValue()).getValue();
        return makeInteger(type, bits.getSExtValue());
      })
      .Default(Result());
}

bool reference::isScalarOp(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<IntegerAttr, FloatAttr>(constant.getValue());
  if (isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() != 1)
    return false;
  // True for a type that `Scalar` can hold, or a tensor of such elements.
  auto isElement = [](Type type) {
    return (isa<TensorType>(type) || !isa<ShapedType>(type)) &&
           ElementFormat::get(getElementTypeOrSelf(type));
  };
  if (!llvm::all_of(op->getOperandTypes(), isElement) ||
      !llvm::all_of(op->getResultTypes(), isElement))
    return false;
  StringRef name = op->getName().getStringRef();
  return getUnaryFunctions().contains(name) ||
         getBinaryFunctions().contains(name) ||
         getIntegerFunctions().contains(name) ||
         isa<arith::CmpIOp, arith::CmpFOp, arith::SelectOp, arith::SIToFPOp,
             arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp>(op);
}

FailureOr<Scalar> reference::evaluateScalar(Operation *op,
                                            ArrayRef<Scalar> operands) {
  StringRef name = op->getName().getStringRef();
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (Unary unary = getUnaryFunctions().lookup(name))
    return makeNumber(type, unary(operands[0].number));
  if (Binary binary = getBinaryFunctions().lookup(name))
    return makeNumber(type, binary(operands[0].number, operands[1].number));
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) &&
      operands[1].integer == 0)
    return op->emitOpError("divides by zero");
  if (Integer integer = getIntegerFunctions().lookup(name))
    return makeInteger(type, integer(operands));
  return *evaluateMixed(op, operands, type);
}
