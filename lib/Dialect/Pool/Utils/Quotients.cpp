// Division of integers with rounding to the nearest integer: by a reciprocal in
// floating point if that is exact, else by an integer division.
//
// A magic number converts the float quotient to an integer: adding it rounds
// the quotient and puts the integer into the low bits of the float. For
// example, 11 / 4 with ties up, in f32. The magic number is 12582912 = 3 *
// 2^22, because f32 values from 2^23 to 2^24 are 1 apart:
//
//   (11 + 1/4) * (1/4)    = 2.8125
//   2.8125 + 12582912     = 12582915
//
// The bits of 12582915 are those of 12582912 plus 3, which is the result.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Reductions.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

using IPredicate = arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// By a reciprocal
//===----------------------------------------------------------------------===//

namespace {
/// Divides by multiplying the dividend by the reciprocal of the divisor, in
/// floats of p bits of precision. All elements take the same instructions, so
/// loops over them vectorize.
///
/// Let Q be the greatest quotient, D the greatest divisor, and 2^g >= 2 D. A
/// tie is a quotient m + 1/2 with an integer m. If a dividend t and a divisor d
/// give no tie, t / d is at least 1/(2 d) >= 2^-g away from each tie. The
/// reciprocal and the product are rounded once each, so the error of the
/// product is less than e = (Q + 1) 2^(1-p). The steps below require e <= 2^-g
/// / 2, which is
///
///     (Q + 1) 2^g <= 2^(p-2).
///
/// half_even: rounding the product to a multiple of 2^-g makes each tie exact
/// and moves no other quotient onto a tie. Rounding that to the nearest
/// integer, to even at a tie, gives the result.
///
/// half_up: (t + 1/4) / d is at least 1/(4 d) >= 2^-g / 2 away from a tie. So
/// the nearest integer is the result. half_away adds 1/4 with the sign of t.
///
/// Adding the magic number M = 3 * 2^(p-2) rounds to an integer, because floats
/// are 1 apart there. The low bits of the sum are the integer. half_even first
/// adds 3 * 2^(p-2-g), where floats are 2^-g apart, because the product is
/// below 2^(p-2-g). Then it adds the rest of M, an exact float because it has g
/// + 2 bits.
class ReciprocalQuotient {
public:
  ReciprocalQuotient(ElementBuilder &b, FloatType type, unsigned gridBits)
      : b(b), type(type), precision(type.getFPMantissaWidth()),
        gridBits(gridBits),
        bitsType(b.getIntegerType(type.getIntOrFloatBitWidth())) {}

  static bool isExact(FloatType type, QuotientBounds bounds, unsigned gridBits);

  Value emit(Value dividend, Value divisor, IntegerRounding rounding);

private:
  /// Returns the magic number for `bits`: adding it rounds a float to a
  /// multiple of 2^-bits.
  double getMagic(unsigned bits) { return std::ldexp(3, precision - 2 - bits); }
  /// Returns the bits of getMagic(0).
  int64_t getMagicBits() {
    APFloat magic(getMagic(0));
    bool losesInfo;
    magic.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return magic.bitcastToAPInt().getSExtValue();
  }
  Value toFloat(Value integer);
  /// Returns the integer x, given `sum`, the float x + getMagic(0).
  Value toInteger(Value sum, Type integerType);

  ElementBuilder &b;
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
  if (!getElementTypeOrSelf(integer).isInteger(64))
    return b.convert<arith::SIToFPOp>(type, integer);
  // AVX2 has no instruction that converts i64 to floats. Therefore add the
  // integer to the bits of getMagic(0), and subtract getMagic(0) as a float.
  // The sum is exact, because the integer's magnitude is below 2^(p-2).
  Value bits = b.add(integer, getMagicBits());
  return b.fold<arith::SubFOp>(b.convert<arith::BitcastOp>(type, bits),
                               getMagic(0));
}

Value ReciprocalQuotient::toInteger(Value sum, Type integerType) {
  Value bits = b.convert<arith::BitcastOp>(bitsType, sum);
  return b.convert<arith::TruncIOp>(integerType, b.sub(bits, getMagicBits()));
}

Value ReciprocalQuotient::emit(Value dividend, Value divisor,
                               IntegerRounding rounding) {
  Value reciprocal = b.divFloat(1, toFloat(divisor));
  Value shifted = toFloat(dividend);
  // `toGrid` is the magic number that rounds to a multiple of 2^-gridBits. It
  // is 0 if this first rounding is not needed.
  double toGrid = 0;
  switch (rounding) {
  case IntegerRounding::HalfEven:
    toGrid = getMagic(gridBits);
    break;
  case IntegerRounding::HalfUp:
    shifted = b.addFloat(shifted, 0.25);
    break;
  case IntegerRounding::HalfAway: {
    Value isNegative = b.compare(IPredicate::slt, dividend, 0);
    Value quarter =
        b.select(isNegative, b.splat(type, -0.25), b.splat(type, 0.25));
    shifted = b.addFloat(shifted, quarter);
    break;
  }
  }
  Value sum = b.mulFloat(shifted, reciprocal);
  if (toGrid != 0)
    sum = b.addFloat(sum, toGrid);
  return toInteger(b.addFloat(sum, getMagic(0) - toGrid),
                   getElementTypeOrSelf(dividend));
}

//===----------------------------------------------------------------------===//
// By a division
//===----------------------------------------------------------------------===//

static Value divideAndRound(ElementBuilder &b, Value dividend, Value divisor,
                            IntegerRounding rounding) {
  // A lane that computes no output may have a count of 0, and a division by 0
  // ends the program.
  if (isa<VectorType>(divisor.getType()))
    divisor = b.max(divisor, 1);
  // Round the quotient towards minus infinity. Then the remainder lies in [0,
  // divisor).
  Value quotient = b.fold<arith::DivSIOp>(dividend, divisor);
  Value remainder = b.fold<arith::RemSIOp>(dividend, divisor);
  Value negative = b.compare(IPredicate::slt, remainder, 0);
  quotient = b.select(negative, b.sub(quotient, 1), quotient);
  remainder = b.select(negative, b.add(remainder, divisor), remainder);

  // Compare the remainder with `divisor - remainder`, because twice the
  // remainder might overflow.
  Value missing = b.sub(divisor, remainder);
  // True if a tie is rounded up: to the even number for half_even, away from
  // zero for half_away. Null for half_up, which rounds up each tie.
  Value halfGoesUp;
  switch (rounding) {
  case IntegerRounding::HalfEven:
    halfGoesUp = b.isEqual(b.fold<arith::AndIOp>(quotient, 1), 1);
    break;
  case IntegerRounding::HalfUp:
    break;
  case IntegerRounding::HalfAway:
    halfGoesUp = b.isAtLeast(quotient, 0);
    break;
  }
  Value roundUp;
  if (!halfGoesUp) {
    roundUp = b.isAtLeast(remainder, missing);
  } else {
    Value isHalf = b.isEqual(remainder, missing);
    roundUp = b.bitOr(b.compare(IPredicate::sgt, remainder, missing),
                      b.both(isHalf, halfGoesUp));
  }
  return b.select(roundUp, b.add(quotient, 1), quotient);
}

QuotientBounds QuotientBounds::ofAverage(Type elementType, int64_t inputZp,
                                         uint64_t maxCount) {
  unsigned width = elementType.getIntOrFloatBitWidth();
  bool isSigned = !elementType.isUnsignedInteger() && inputZp == 0;
  return {isSigned ? uint64_t(1) << (width - 1) : llvm::maxUIntN(width),
          maxCount};
}

Value pool::roundQuotient(ElementBuilder &b, Value dividend, Value divisor,
                          IntegerRounding rounding, QuotientBounds bounds) {
  unsigned gridBits = llvm::Log2_64_Ceil(bounds.maxDivisor) + 1;
  unsigned width = getElementTypeOrSelf(dividend).getIntOrFloatBitWidth();
  for (FloatType type : {b.getF32Type(), b.getF64Type()})
    if (width <= type.getIntOrFloatBitWidth() &&
        ReciprocalQuotient::isExact(type, bounds, gridBits))
      return ReciprocalQuotient(b, type, gridBits)
          .emit(dividend, divisor, rounding);
  return divideAndRound(b, dividend, divisor, rounding);
}
