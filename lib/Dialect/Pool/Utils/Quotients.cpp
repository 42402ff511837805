// Quotients of integers rounded to the nearest integer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

using IPredicate = arith::CmpIPredicate;

static Value compare(OpBuilder &b, Location loc, IPredicate predicate,
                     Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// By a reciprocal
//===----------------------------------------------------------------------===//

namespace {
/// Multiplies the dividend by a reciprocal, in floats of p bits of precision.
/// All elements take the same instructions, so loops over them vectorise.
///
/// Let Q be the greatest quotient, D the greatest divisor, and 2^g >= 2 D. A
/// tie is a quotient m + 1/2 with an integer m. If a dividend t and a divisor d
/// give no tie, t / d is at least 1/(2 d) >= 2^-g away from each tie. The
/// reciprocal and the product are rounded once each, so the product errs by
/// less than e = (Q + 1) 2^(1-p). The steps below require e <= 2^-g / 2, which
/// is
///
///     (Q + 1) 2^g <= 2^(p-2).
///
/// half_even: rounding the product to a multiple of 2^-g makes each tie exact
/// and moves no other quotient onto a tie. Then the nearest integer, to even at
/// a tie, is the result.
/// half_up: (t + 1/4) / d is at least 1/(4 d) >= 2^-g / 2 away from a tie. So
/// the nearest integer is the result. half_away adds 1/4 with the sign of t.
///
/// To round to a multiple of 2^-g, add 3 * 2^(p-2-g). The product is below
/// 2^(p-2-g), so the sum lies where floats are 2^-g apart. The low bits of the
/// sum are the number of multiples. The next sum adds
/// 3 * 2^(p-2) - 3 * 2^(p-2-g), an exact float because it has g + 2 bits.
class ReciprocalQuotient {
public:
  ReciprocalQuotient(OpBuilder &b, Location loc, FloatType type,
                     unsigned gridBits)
      : b(b), loc(loc), type(type), precision(type.getFPMantissaWidth()),
        gridBits(gridBits),
        bitsType(b.getIntegerType(type.getIntOrFloatBitWidth())) {}

  static bool isExact(FloatType type, QuotientBounds bounds, unsigned gridBits);

  Value emit(Value dividend, Value divisor, IntegerRounding rounding);

private:
  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  }
  /// Returns the number to add for rounding to a multiple of 2^-bits.
  double getMagic(unsigned bits) { return std::ldexp(3, precision - 2 - bits); }
  /// Returns the bits of getMagic(0).
  Value getMagicBits() {
    APFloat magic(getMagic(0));
    bool losesInfo;
    magic.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(bitsType, magic.bitcastToAPInt()));
  }
  Value toFloat(Value integer);
  /// Returns the integer x of `sum`, which is x + getMagic(0).
  Value toInteger(Value sum, Type integerType);

  OpBuilder &b;
  Location loc;
  FloatType type;
  unsigned precision, gridBits;
  Type bitsType;
};
} // namespace

bool ReciprocalQuotient::isExact(FloatType type, QuotientBounds bounds,
                                 unsigned gridBits) {
  uint64_t limit = uint64_t(1) << (type.getFPMantissaWidth() - 2);
  return bounds.maxQuotient < limit && gridBits < 64 &&
         bounds.maxQuotient + 1 <= limit >> gridBits;
}

Value ReciprocalQuotient::toFloat(Value integer) {
  if (!integer.getType().isInteger(64))
    return b.createOrFold<arith::SIToFPOp>(loc, type, integer);
  // AVX2 has no instruction that converts i64 to floats. Therefore add the
  // integer to the bits of getMagic(0), and subtract getMagic(0) as a float.
  // The sum is exact, because the integer's magnitude is below 2^(p-2).
  Value bits = b.createOrFold<arith::AddIOp>(loc, integer, getMagicBits());
  return b.createOrFold<arith::SubFOp>(
      loc, b.createOrFold<arith::BitcastOp>(loc, type, bits),
      constant(getMagic(0)));
}

Value ReciprocalQuotient::toInteger(Value sum, Type integerType) {
  Value bits = arith::BitcastOp::create(b, loc, bitsType, sum);
  Value integer = arith::SubIOp::create(b, loc, bits, getMagicBits());
  if (integerType == bitsType)
    return integer;
  return arith::TruncIOp::create(b, loc, integerType, integer);
}

Value ReciprocalQuotient::emit(Value dividend, Value divisor,
                               IntegerRounding rounding) {
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddFOp::create(b, loc, lhs, rhs);
  };
  Value reciprocal =
      b.createOrFold<arith::DivFOp>(loc, constant(1), toFloat(divisor));
  Value shifted = toFloat(dividend);
  // Number whose addition rounds to a multiple of 2^-gridBits; 0 if rounding to
  // an integer suffices.
  double toGrid = 0;
  switch (rounding) {
  case IntegerRounding::HalfEven:
    toGrid = getMagic(gridBits);
    break;
  case IntegerRounding::HalfUp:
    shifted = add(shifted, constant(0.25));
    break;
  case IntegerRounding::HalfAway: {
    Value zero = createInteger(b, loc, dividend.getType(), 0);
    Value isNegative = compare(b, loc, IPredicate::slt, dividend, zero);
    shifted =
        add(shifted, arith::SelectOp::create(b, loc, isNegative,
                                             constant(-0.25), constant(0.25)));
    break;
  }
  }
  Value sum = arith::MulFOp::create(b, loc, shifted, reciprocal);
  if (toGrid != 0)
    sum = add(sum, constant(toGrid));
  return toInteger(add(sum, constant(getMagic(0) - toGrid)),
                   dividend.getType());
}

//===----------------------------------------------------------------------===//
// By a division
//===----------------------------------------------------------------------===//

static Value divideAndRound(OpBuilder &b, Location loc, Value dividend,
                            Value divisor, IntegerRounding rounding) {
  Type type = dividend.getType();
  Value zero = createInteger(b, loc, type, 0);
  Value one = createInteger(b, loc, type, 1);

  // Round the quotient towards minus infinity, so that the remainder is at
  // least 0.
  Value quotient = arith::DivSIOp::create(b, loc, dividend, divisor);
  Value remainder = arith::RemSIOp::create(b, loc, dividend, divisor);
  Value negative = compare(b, loc, IPredicate::slt, remainder, zero);
  quotient = arith::SelectOp::create(
      b, loc, negative, arith::SubIOp::create(b, loc, quotient, one), quotient);
  remainder = arith::SelectOp::create(
      b, loc, negative, arith::AddIOp::create(b, loc, remainder, divisor),
      remainder);

  // Compare the remainder with `divisor - remainder`, because twice the
  // remainder might overflow.
  Value missing = arith::SubIOp::create(b, loc, divisor, remainder);
  // True if a tie is rounded up: to the even number for half_even, away from
  // zero for half_away. Null for half_up, which rounds up each tie.
  Value halfGoesUp;
  switch (rounding) {
  case IntegerRounding::HalfEven:
    halfGoesUp = compare(b, loc, IPredicate::eq,
                         arith::AndIOp::create(b, loc, quotient, one), one);
    break;
  case IntegerRounding::HalfUp:
    break;
  case IntegerRounding::HalfAway:
    halfGoesUp = compare(b, loc, IPredicate::sge, quotient, zero);
    break;
  }
  Value roundUp;
  if (!halfGoesUp) {
    roundUp = compare(b, loc, IPredicate::sge, remainder, missing);
  } else {
    Value isHalf = compare(b, loc, IPredicate::eq, remainder, missing);
    roundUp = arith::OrIOp::create(
        b, loc, compare(b, loc, IPredicate::sgt, remainder, missing),
        arith::AndIOp::create(b, loc, isHalf, halfGoesUp));
  }
  return arith::SelectOp::create(
      b, loc, roundUp, arith::AddIOp::create(b, loc, quotient, one), quotient);
}

QuotientBounds QuotientBounds::ofAverage(Type elementType, int64_t inputZp,
                                         uint64_t maxCount) {
  unsigned width = elementType.getIntOrFloatBitWidth();
  bool isSigned = !elementType.isUnsignedInteger() && inputZp == 0;
  return {isSigned ? uint64_t(1) << (width - 1) : llvm::maxUIntN(width),
          maxCount};
}

Value pool::roundQuotient(OpBuilder &b, Location loc, Value dividend,
                          Value divisor, IntegerRounding rounding,
                          QuotientBounds bounds) {
  unsigned gridBits = llvm::Log2_64_Ceil(bounds.maxDivisor) + 1;
  for (FloatType type : {b.getF32Type(), b.getF64Type()}) {
    unsigned width = dividend.getType().getIntOrFloatBitWidth();
    if (width <= type.getIntOrFloatBitWidth() &&
        ReciprocalQuotient::isExact(type, bounds, gridBits))
      return ReciprocalQuotient(b, loc, type, gridBits)
          .emit(dividend, divisor, rounding);
  }
  return divideAndRound(b, loc, dividend, divisor, rounding);
}
