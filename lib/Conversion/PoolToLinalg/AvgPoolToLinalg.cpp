// avg_pool as linalg: a window sum in an accumulator that cannot overflow, and
// an elementwise division by the number of counted positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class AverageLowering {
public:
  AverageLowering(AvgPoolOp op, WindowLowering &lowering)
      : op(op), lowering(lowering), type(lowering.getElementType()),
        numPositions(*getProduct(lowering.window.kernel)) {
    accType = isa<FloatType>(type) ? getFloatAccumulator(type)
                                   : getIntegerAccumulator();
  }

  Value create(OpBuilder &b);

private:
  Type getIntegerAccumulator();

  /// Sum of every window as `accType`; padding counts as `input_zp`.
  Value createSums(OpBuilder &b);
  /// The divisor, if it is the same everywhere.
  std::optional<int64_t> getConstantDivisor();
  /// The divisor of the current output position as a value of `accType`.
  Value getDivisor(OpBuilder &b, Location loc);
  /// True if only run time knows that every window counts something.
  bool mayDivideByZero();

  Value divideFloat(OpBuilder &b, Location loc, Value sum);
  Value divideInteger(OpBuilder &b, Location loc, Value sum);
  /// `dividend / divisor` to the nearest integer; `divisor` > 0.
  Value roundQuotient(OpBuilder &b, Location loc, Value dividend,
                      Value divisor);
  /// True if an average can leave the range of the element type.
  bool maySaturate() {
    return op.getDivisorOverride() || op.getInputZp() != 0 ||
           op.getOutputZp() != 0;
  }

  Value getInteger(OpBuilder &b, Location loc, const APInt &value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(accType, value));
  }
  Value getInteger(OpBuilder &b, Location loc, int64_t value) {
    return getInteger(
        b, loc,
        APInt(accType.getIntOrFloatBitWidth(), value, /*isSigned=*/true));
  }

  AvgPoolOp op;
  WindowLowering &lowering;
  Type type;
  /// Positions of a window, inside the input or not.
  int64_t numPositions;
  Type accType;
};
} // namespace

Type AverageLowering::getIntegerAccumulator() {
  // One bit for a sign, one for what the zero points add.
  unsigned bits = type.getIntOrFloatBitWidth() +
                  llvm::Log2_64_Ceil(numPositions) + 2;
  if (std::optional<int64_t> divisor = op.getDivisorOverride())
    bits = std::max<unsigned>(bits, llvm::Log2_64(*divisor) + 2);
  unsigned width = bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
  return IntegerType::get(op.getContext(), width);
}

/// A value of the element type in the accumulator's.
static Value extend(OpBuilder &b, Location loc, Value element, Type accType) {
  Type type = element.getType();
  Value value = castToSignless(b, loc, element);
  if (value.getType() == accType)
    return value;
  if (isa<FloatType>(type))
    return extendFloat(b, loc, value, accType);
  if (type.isUnsignedInteger())
    return arith::ExtUIOp::create(b, loc, accType, value);
  return arith::ExtSIOp::create(b, loc, accType, value);
}

Value AverageLowering::createSums(OpBuilder &b) {
  Type signless = getSignless(type);
  TypedAttr padding =
      isa<FloatType>(type)
          ? cast<TypedAttr>(b.getZeroAttr(signless))
          : b.getIntegerAttr(signless,
                             APInt(signless.getIntOrFloatBitWidth(),
                                   op.getInputZp(), /*isSigned=*/true,
                                   /*implicitTrunc=*/true));
  Value padded = lowering.getPaddedInput(padding);
  Value init =
      lowering.createFilled(cast<TypedAttr>(b.getZeroAttr(accType)), accType);
  if (std::optional<Value> named = lowering.reduceNamed(
          WindowLowering::NamedReduction::Sum, padded, init))
    return *named;
  return lowering
      .reduce(padded, init,
              [&](OpBuilder &b, Location loc,
                  ValueRange args) -> SmallVector<Value> {
                Value element = extend(b, loc, args[0], accType);
                if (isa<FloatType>(accType))
                  return {arith::AddFOp::create(b, loc, args[1], element)};
                return {arith::AddIOp::create(b, loc, args[1], element)};
              })
      .front();
}

std::optional<int64_t> AverageLowering::getConstantDivisor() {
  if (std::optional<int64_t> divisor = op.getDivisorOverride())
    return divisor;
  int64_t product = 1;
  for (const SymbolicDim &dim : lowering.dims) {
    std::optional<int64_t> count = getConstantCount(dim, op.getDivisor());
    if (!count)
      return std::nullopt;
    product *= *count;
  }
  return product;
}

bool AverageLowering::mayDivideByZero() {
  return !op.getDivisorOverride() && op.getDivisor() != Divisor::Kernel &&
         llvm::any_of(lowering.dims, [](const SymbolicDim &dim) {
           return !dim.known && mayBeEmpty(dim);
         });
}

Value AverageLowering::getDivisor(OpBuilder &b, Location loc) {
  Type integer = isa<FloatType>(accType) ? b.getI64Type() : accType;
  Value divisor;
  if (std::optional<int64_t> constant = getConstantDivisor()) {
    if (isa<FloatType>(accType))
      return arith::ConstantOp::create(b, loc,
                                       b.getFloatAttr(accType, *constant));
    return getInteger(b, loc, *constant);
  }
  for (auto [i, dim] : llvm::enumerate(lowering.dims)) {
    Value o =
        linalg::IndexOp::create(b, loc, lowering.window.getSpatialDim(i));
    Value count = getValueOrCreateConstantIndexOp(
        b, loc, getCount(b, loc, dim, op.getDivisor(), o));
    divisor =
        divisor ? b.createOrFold<arith::MulIOp>(loc, divisor, count) : count;
  }
  divisor = arith::IndexCastOp::create(b, loc, b.getI64Type(), divisor);
  if (isa<FloatType>(accType))
    return arith::SIToFPOp::create(b, loc, accType, divisor);
  return convertScalarToDtype(b, loc, divisor, integer,
                              /*isUnsignedCast=*/false);
}

Value AverageLowering::divideFloat(OpBuilder &b, Location loc, Value sum) {
  Value average = arith::DivFOp::create(b, loc, sum, getDivisor(b, loc));
  return truncateFloat(b, loc, average, type);
}

Value AverageLowering::roundQuotient(OpBuilder &b, Location loc, Value dividend,
                                     Value divisor) {
  using Predicate = arith::CmpIPredicate;
  auto compare = [&](Predicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  };
  Value zero = getInteger(b, loc, 0), one = getInteger(b, loc, 1);

  // Quotient rounded towards minus infinity, remainder at least 0.
  Value quotient = arith::DivSIOp::create(b, loc, dividend, divisor);
  Value remainder = arith::RemSIOp::create(b, loc, dividend, divisor);
  Value negative = compare(Predicate::slt, remainder, zero);
  quotient = arith::SelectOp::create(
      b, loc, negative, arith::SubIOp::create(b, loc, quotient, one), quotient);
  remainder = arith::SelectOp::create(
      b, loc, negative, arith::AddIOp::create(b, loc, remainder, divisor),
      remainder);

  // Compare the remainder with what is missing, which cannot overflow.
  Value missing = arith::SubIOp::create(b, loc, divisor, remainder);
  Value roundUp;
  if (op.getIntegerRounding() == IntegerRounding::HalfUp) {
    roundUp = compare(Predicate::sge, remainder, missing);
  } else {
    Value isOdd =
        compare(Predicate::eq, arith::AndIOp::create(b, loc, quotient, one), one);
    Value isHalf = compare(Predicate::eq, remainder, missing);
    roundUp = arith::OrIOp::create(
        b, loc, compare(Predicate::sgt, remainder, missing),
        arith::AndIOp::create(b, loc, isHalf, isOdd));
  }
  return arith::SelectOp::create(
      b, loc, roundUp, arith::AddIOp::create(b, loc, quotient, one), quotient);
}

Value AverageLowering::divideInteger(OpBuilder &b, Location loc, Value sum) {
  unsigned accWidth = accType.getIntOrFloatBitWidth();
  // Padding and overhang were summed as input_zp: every position gives it back.
  if (int64_t zeroPoint = op.getInputZp()) {
    APInt total = APInt(accWidth, zeroPoint, /*isSigned=*/true) *
                  APInt(accWidth, numPositions);
    sum = arith::SubIOp::create(b, loc, sum, getInteger(b, loc, total));
  }

  Value average = sum;
  if (getConstantDivisor() != 1) {
    Value divisor = getDivisor(b, loc);
    // A window that counts nothing has the sum 0; its average is 0.
    if (mayDivideByZero())
      divisor =
          arith::MaxSIOp::create(b, loc, divisor, getInteger(b, loc, 1));
    average = roundQuotient(b, loc, sum, divisor);
  }
  if (int64_t zeroPoint = op.getOutputZp())
    average = arith::AddIOp::create(b, loc, average,
                                    getInteger(b, loc, zeroPoint));
  unsigned width = type.getIntOrFloatBitWidth();
  if (maySaturate()) {
    bool isUnsigned = type.isUnsignedInteger();
    APInt min = isUnsigned ? APInt::getMinValue(width).zext(accWidth)
                           : APInt::getSignedMinValue(width).sext(accWidth);
    APInt max = isUnsigned ? APInt::getMaxValue(width).zext(accWidth)
                           : APInt::getSignedMaxValue(width).sext(accWidth);
    average =
        arith::MaxSIOp::create(b, loc, average, getInteger(b, loc, min));
    average =
        arith::MinSIOp::create(b, loc, average, getInteger(b, loc, max));
  }
  if (width < accWidth)
    average = arith::TruncIOp::create(b, loc, getSignless(type), average);
  return castFromSignless(b, loc, average, type);
}

Value AverageLowering::create(OpBuilder &b) {
  Value sums = createSums(b);
  if (accType == type && isa<FloatType>(type) && getConstantDivisor() == 1)
    return sums;
  return lowering.map(
      sums, type,
      [&](OpBuilder &b, Location loc, ValueRange args) -> SmallVector<Value> {
        return {isa<FloatType>(type) ? divideFloat(b, loc, args[0])
                                     : divideInteger(b, loc, args[0])};
      });
}

namespace {
struct AvgPoolToLinalg : OpRewritePattern<AvgPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AvgPoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getInput().getType().hasRank())
      return rewriter.notifyMatchFailure(op, "the input is unranked");
    WindowLowering lowering(rewriter, op);
    lowering.replaceWith(AverageLowering(op, lowering).create(rewriter));
    return success();
  }
};
} // namespace

void pool::populateAvgPoolToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<AvgPoolToLinalg>(patterns.getContext());
}
