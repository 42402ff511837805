// The window form of avg_pool: a sum, then a division by the number of
// positions that the divisor counts. Sums of integers cannot overflow, because
// getIntegerAccumulator chooses a type that is wide enough. A row of 4 elements
// with kernel 3, stride 2 and pads 1:
//
//   position   -1   0   1   2   3   4
//   element     p   a   b   c   d   p
//   output 0   [t0  t1  t2]              (a + b) / 2, or / 3 if padding counts
//   output 1           [t0  t1  t2]      (b + c + d) / 3
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Finishes.h"

#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class Average {
public:
  Average(AvgPoolOp op, const WindowExtents &extents)
      : op(op), dims(extents.dims), window(op.getWindow()),
        inputType(op.getInput().getType().getElementType()),
        outputType(op.getOutput().getType().getElementType()),
        type(getStoredType(inputType)),
        numPositions(*getProduct(window.kernel)),
        inputZp(op.getInputZp() + getZeroPoint(inputType)),
        outputZp(op.getOutputZp() + getZeroPoint(outputType)),
        accType(op.getElementReduction().accType) {}

  /// True if the average equals the sum in value and type, so that no finish is
  /// needed.
  bool isSum() const {
    return accType == type && isa<FloatType>(type) && getKnownDivisor() == 1;
  }
  Value build(ResultBuilder &b, Value sum) const {
    if (!isa<FloatType>(type))
      return divideInteger(b, sum);
    return b.convert<arith::TruncFOp>(type,
                                      b.divideByCount(sum, getDivisor(b)));
  }

private:
  /// Returns the divisor if it is known and the same for every window, else
  /// none.
  std::optional<int64_t> getKnownDivisor() const;
  /// Returns the divisor of the current output as a value of `accType`.
  Value getDivisor(ResultBuilder &b) const;
  /// Returns the number of positions of the current window that `divisor`
  /// counts, as a value of `accType`.
  Value countPositions(ResultBuilder &b, Divisor divisor) const;
  /// True if a window may count no position. The verifier rejects such windows,
  /// so this is possible only if an extent is unknown at compile time.
  bool mayDivideByZero() const;
  QuotientBounds getQuotientBounds() const;
  Value divideInteger(ResultBuilder &b, Value sum) const;
  /// Rescales `average` from the input's scale to the output's scale. The
  /// input's zero point has been subtracted from `average`. Returns an integer
  /// of 64 or 128 bits, which cannot overflow.
  Value rescale(ResultBuilder &b, Value average, Rescale ratio) const;
  /// False if it is known that every average is a value of the output's element
  /// type, so that no clamp is needed. True if there is a divisor override, a
  /// zero point or a quantized output.
  bool maySaturate() const {
    return op.getDivisorOverride() || inputZp != 0 || outputZp != 0 ||
           isQuantized(outputType);
  }

  // Mutable, because upstream does not declare accessors of operations const.
  mutable AvgPoolOp op;
  SmallVector<SymbolicDim> dims;
  WindowAttrs window;
  Type inputType, outputType;
  /// The element type of the input; for a quantized input, its storage type.
  Type type;
  /// Number of positions of a window, whether they lie inside the input or not.
  int64_t numPositions;
  int64_t inputZp, outputZp;
  Type accType;
};
} // namespace

std::optional<int64_t> Average::getKnownDivisor() const {
  if (std::optional<int64_t> divisor = op.getDivisorOverride())
    return divisor;
  int64_t product = 1;
  for (const SymbolicDim &dim : dims) {
    std::optional<int64_t> count = getConstantCount(dim, op.getDivisor());
    if (!count)
      return std::nullopt;
    product *= *count;
  }
  return product;
}

bool Average::mayDivideByZero() const {
  return !op.getDivisorOverride() && !countsOverhang(op.getDivisor()) &&
         llvm::any_of(dims, [](const SymbolicDim &dim) {
           return !dim.known && mayBeEmpty(dim);
         });
}

Value Average::countPositions(ResultBuilder &b, Divisor divisor) const {
  Value product;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value o = b.getCoordinate(window.getSpatialDim(i));
    Value count = b.value(getCount(b, dim, divisor, o));
    product = product ? b.mul(product, count) : count;
  }
  return castCount(b, product, numPositions, accType);
}

Value Average::getDivisor(ResultBuilder &b) const {
  if (std::optional<int64_t> known = getKnownDivisor())
    return castCount(b, b.getIndexAttr(*known), *known, accType);
  return countPositions(b, op.getDivisor());
}

QuotientBounds Average::getQuotientBounds() const {
  auto bounds = QuotientBounds::ofAverage(type, inputZp, numPositions);
  if (std::optional<int64_t> divisor = op.getDivisorOverride()) {
    uint64_t maxSum =
        llvm::SaturatingMultiply<uint64_t>(bounds.maxQuotient, numPositions);
    bounds.maxDivisor = llvm::AbsoluteValue(*divisor);
    bounds.maxQuotient = maxSum / bounds.maxDivisor + 1;
  }
  return bounds;
}

Value Average::divideInteger(ResultBuilder &b, Value sum) const {
  // Each element inside the input adds the zero point to the sum once, so
  // subtract the zero point once for each of these elements.
  if (inputZp != 0)
    sum = b.sub(sum, b.mul(countPositions(b, Divisor::Valid), inputZp));

  Value average = sum;
  std::optional<int64_t> known = getKnownDivisor();
  if (known != 1) {
    Value divisor = getDivisor(b);
    // Negate sum and divisor: the quotient stays the same, and roundQuotient
    // requires a positive divisor.
    if (known && *known < 0) {
      average = b.sub(0, sum);
      divisor = b.sub(0, divisor);
    }
    // A window that counts no position has sum 0. Divide this sum by 1, so that
    // the average is 0.
    if (mayDivideByZero())
      divisor = b.max(divisor, 1);
    if (known != -1)
      average = roundQuotient(b, average, divisor, op.getIntegerRounding(),
                              getQuotientBounds());
  }
  // A quantized result may have another scale than the input. Then rescale the
  // average.
  if (inputType != outputType) {
    average = clampInteger(b, average, inputType, /*offset=*/-inputZp);
    average = rescale(b, average, *Rescale::get(inputType, outputType));
  }
  average = b.add(average, outputZp);
  if (maySaturate())
    average = clampInteger(b, average, outputType);
  return truncateInteger(b, average, type);
}

Value Average::rescale(ResultBuilder &b, Value average, Rescale ratio) const {
  // Use a type that can hold the product with the multiplier. An average minus
  // a zero point has one bit more than `type`, and the multiplier has 31 bits.
  Type wide = b.getIntegerType(type.getIntOrFloatBitWidth() < 32 ? 64 : 128);
  if (getElementTypeOrSelf(average).getIntOrFloatBitWidth() <
      wide.getIntOrFloatBitWidth())
    average = b.convert<arith::ExtSIOp>(wide, average);
  else
    average = b.convert<arith::TruncIOp>(wide, average);
  average = b.mul(average, ratio.multiplier);
  average = b.add(average, int64_t(1) << (ratio.shift - 1));
  return b.fold<arith::ShRSIOp>(average, ratio.shift);
}

SmallVector<Finish> pool::createFinishes(AvgPoolOp op,
                                         const WindowExtents &extents) {
  auto average = std::make_shared<Average>(op, extents);
  Type type = op.getOutput().getType().getElementType();
  if (isQuantized(type))
    type = getSignless(getStoredType(type));
  if (average->isSum())
    return {{type}};
  return {
      {type, getCounts(extents.dims), [average](ResultBuilder &b, Value sum) {
         return average->build(b, sum);
       }}};
}
