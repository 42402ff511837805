// The window form of avg_pool: a sum, and an elementwise division by the number
// of counted positions. For integers, the accumulator is so wide that the sum
// cannot overflow.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class AverageBuilder {
public:
  AverageBuilder(AvgPoolOp op, WindowForm &form)
      : op(op), form(form), type(form.getElementType()),
        numPositions(*getProduct(form.window.kernel)),
        inputZp(op.getInputZp() +
                getZeroPoint(op.getInput().getType().getElementType())),
        outputZp(op.getOutputZp() +
                 getZeroPoint(op.getOutput().getType().getElementType())),
        accType(op.getElementReduction().accType) {}

  TilingResult create();

private:
  /// The divisor, if it is known and the same for every window.
  std::optional<int64_t> getConstantDivisor();
  /// The divisor of the current output position as a value of `accType`.
  Value getDivisor(OpBuilder &b, Location loc);
  /// Number of positions that `divisor` counts, as a value of `accType`.
  Value countPositions(OpBuilder &b, Location loc, Divisor divisor);
  /// True if a window may count no position. This is possible only if an extent
  /// is unknown until run time.
  bool mayDivideByZero();

  /// Element type of the created result. If the operation's result is
  /// quantised, this is its signless storage type.
  Type getResultType() {
    return isQuantized(op.getOutput().getType().getElementType())
               ? getSignless(type)
               : type;
  }

  QuotientBounds getQuotientBounds();
  Value divideFloat(OpBuilder &b, Location loc, Value sum);
  Value divideInteger(OpBuilder &b, Location loc, Value sum);
  /// Rescales `average`, the average of stored values less the input's zero
  /// point, to the output's scale. Returns a wider integer that holds the
  /// result.
  Value rescale(OpBuilder &b, Location loc, Value average, Rescale ratio);
  /// True if an average can leave the range of the element type.
  bool maySaturate() {
    return op.getDivisorOverride() || inputZp != 0 || outputZp != 0 ||
           isQuantized(op.getOutput().getType().getElementType());
  }

  Value getInteger(OpBuilder &b, Location loc, int64_t value) {
    return createInteger(b, loc, accType, value);
  }
  Value negate(OpBuilder &b, Location loc, Value value) {
    return b.createOrFold<arith::SubIOp>(loc, getInteger(b, loc, 0), value);
  }

  AvgPoolOp op;
  WindowForm &form;
  Type type;
  /// Number of positions of a window, whether they lie inside the input or not.
  int64_t numPositions;
  int64_t inputZp, outputZp;
  Type accType;
};
} // namespace

std::optional<int64_t> AverageBuilder::getConstantDivisor() {
  if (std::optional<int64_t> divisor = op.getDivisorOverride())
    return divisor;
  int64_t product = 1;
  for (const SymbolicDim &dim : form.dims) {
    std::optional<int64_t> count = getConstantCount(dim, op.getDivisor());
    if (!count)
      return std::nullopt;
    product *= *count;
  }
  return product;
}

bool AverageBuilder::mayDivideByZero() {
  return !op.getDivisorOverride() && !countsOverhang(op.getDivisor()) &&
         llvm::any_of(form.dims, [](const SymbolicDim &dim) {
           return !dim.known && mayBeEmpty(dim);
         });
}

Value AverageBuilder::countPositions(OpBuilder &b, Location loc,
                                     Divisor divisor) {
  Value product;
  for (auto [i, dim] : llvm::enumerate(form.dims)) {
    Value o = form.getOutputIndex(b, loc, form.window.getSpatialDim(i));
    Value count = getValueOrCreateConstantIndexOp(
        b, loc, getCount(b, loc, dim, divisor, o));
    product =
        product ? b.createOrFold<arith::MulIOp>(loc, product, count) : count;
  }
  return castCount(b, loc, product, numPositions, accType);
}

Value AverageBuilder::getDivisor(OpBuilder &b, Location loc) {
  if (std::optional<int64_t> constant = getConstantDivisor())
    return castCount(b, loc, b.getIndexAttr(*constant), *constant, accType);
  return countPositions(b, loc, op.getDivisor());
}

QuotientBounds AverageBuilder::getQuotientBounds() {
  auto bounds = QuotientBounds::ofAverage(type, inputZp, numPositions);
  if (std::optional<int64_t> divisor = op.getDivisorOverride()) {
    uint64_t maxSum =
        llvm::SaturatingMultiply<uint64_t>(bounds.maxQuotient, numPositions);
    bounds.maxDivisor = llvm::AbsoluteValue(*divisor);
    bounds.maxQuotient = maxSum / bounds.maxDivisor + 1;
  }
  return bounds;
}

Value AverageBuilder::divideFloat(OpBuilder &b, Location loc, Value sum) {
  Value average = arith::DivFOp::create(b, loc, sum, getDivisor(b, loc));
  return truncateFloat(b, loc, average, type);
}

Value AverageBuilder::divideInteger(OpBuilder &b, Location loc, Value sum) {
  // Each element inside the input adds the zero point to the sum once, so
  // subtract the zero point once for each of these elements.
  if (inputZp != 0) {
    Value count = countPositions(b, loc, Divisor::Valid);
    Value total =
        arith::MulIOp::create(b, loc, count, getInteger(b, loc, inputZp));
    sum = arith::SubIOp::create(b, loc, sum, total);
  }

  Value average = sum;
  std::optional<int64_t> constant = getConstantDivisor();
  if (constant != 1) {
    Value divisor = getDivisor(b, loc);
    // Negate sum and divisor: the quotient stays the same, and roundQuotient
    // requires a positive divisor.
    if (constant && *constant < 0) {
      average = negate(b, loc, sum);
      divisor = negate(b, loc, divisor);
    }
    // A window that counts no position has sum 0. Divide this sum by 1, so that
    // the average is 0.
    if (mayDivideByZero())
      divisor = arith::MaxSIOp::create(b, loc, divisor, getInteger(b, loc, 1));
    if (constant != -1)
      average = roundQuotient(b, loc, average, divisor, op.getIntegerRounding(),
                              getQuotientBounds());
  }
  // The type of a quantised result may have another scale than the input.
  Type inputType = op.getInput().getType().getElementType();
  Type outputType = op.getOutput().getType().getElementType();
  if (inputType != outputType) {
    average = clampInteger(b, loc, average, inputType, /*offset=*/-inputZp);
    average = rescale(b, loc, average, *Rescale::get(inputType, outputType));
  }
  if (outputZp != 0)
    average = arith::AddIOp::create(
        b, loc, average, createInteger(b, loc, average.getType(), outputZp));
  if (maySaturate())
    average = clampInteger(b, loc, average, outputType);
  return truncateInteger(b, loc, average, getResultType());
}

Value AverageBuilder::rescale(OpBuilder &b, Location loc, Value average,
                              Rescale ratio) {
  // `wideType` must hold average * multiplier. An average less a zero point has
  // one bit more than its type, and the multiplier has 31 bits.
  Type wideType =
      b.getIntegerType(type.getIntOrFloatBitWidth() < 32 ? 64 : 128);
  auto getConstant = [&](int64_t value) {
    return createInteger(b, loc, wideType, value);
  };
  average = convertScalarToDtype(b, loc, average, wideType,
                                 /*isUnsignedCast=*/false);
  average =
      arith::MulIOp::create(b, loc, average, getConstant(ratio.multiplier));
  average = arith::AddIOp::create(b, loc, average,
                                  getConstant(int64_t(1) << (ratio.shift - 1)));
  return arith::ShRSIOp::create(b, loc, average, getConstant(ratio.shift));
}

TilingResult AverageBuilder::create() {
  Value sums = form.reduce().getResults()[0];
  if (accType == type && isa<FloatType>(type) && getConstantDivisor() == 1)
    return form.finish(sums);
  Value averages = form.map(
      sums, getResultType(), [&](OpBuilder &b, Location loc, ValueRange args) {
        return isa<FloatType>(type) ? divideFloat(b, loc, args[0])
                                    : divideInteger(b, loc, args[0]);
      });
  averages.getDefiningOp()->setDiscardableAttr(
      PoolDialect::DividesByCountAttrHelper::getNameStr(),
      UnitAttr::get(op.getContext()));
  return form.finish(averages);
}

ElementReduction AvgPoolOp::getElementReduction() {
  Type type = getStoredType(getInput().getType().getElementType());
  int64_t numPositions = *getProduct(getKernel());
  ElementReduction reduction(
      Reduction::Sum, type,
      isa<FloatType>(type)
          ? getFloatAccumulator(type)
          : getIntegerAccumulator(type, numPositions,
                                  getDivisorOverride().value_or(1)));
  reduction.maxCount = numPositions;
  return reduction;
}

TilingResult AvgPoolOp::createWindowForm(OpBuilder &b,
                                         ArrayRef<OpFoldResult> offsets,
                                         ArrayRef<OpFoldResult> sizes) {
  WindowForm form(b, *this, offsets, sizes);
  return AverageBuilder(*this, form).create();
}
