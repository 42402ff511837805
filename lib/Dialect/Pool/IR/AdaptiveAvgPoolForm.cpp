// Lowers adaptive_avg_pool to linalg: window sums, then an elementwise
// division.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdaptiveForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Casts.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the rounded average of `count` integers from their `sum`. Subtracts
/// the op's input zero point and adds its output zero point.
static Value divideInteger(OpBuilder &b, Location loc, AdaptiveAvgPoolOp op,
                           OpFoldResult count, int64_t maxCount, Value sum) {
  Type accType = sum.getType();
  Type type = op.getInput().getType().getElementType();
  auto getConstant = [&](int64_t value) {
    return createInteger(b, loc, accType, value);
  };
  Value divisor = castCount(b, loc, count, maxCount, accType);
  if (int64_t zeroPoint = op.getInputZp()) {
    Value total =
        arith::MulIOp::create(b, loc, divisor, getConstant(zeroPoint));
    sum = arith::SubIOp::create(b, loc, sum, total);
  }
  // Avoid a division by 0. A window is empty only if the input extent is 0 and
  // no run-time check has rejected that.
  if (!getConstantIntValue(count))
    divisor = arith::MaxSIOp::create(b, loc, divisor, getConstant(1));
  Value average =
      roundQuotient(b, loc, sum, divisor, op.getIntegerRounding(),
                    QuotientBounds::ofAverage(type, op.getInputZp(), maxCount));
  if (int64_t zeroPoint = op.getOutputZp())
    average = arith::AddIOp::create(b, loc, average, getConstant(zeroPoint));
  return op.getInputZp() != 0 || op.getOutputZp() != 0
             ? saturateInteger(b, loc, average, type)
             : truncateInteger(b, loc, average, type);
}

static Value createAverages(OpBuilder &b, AdaptiveAvgPoolOp op,
                            AdaptiveForm &form) {
  Type type = form.getElementType();
  bool isFloat = isa<FloatType>(type);
  Type accType = op.getElementReduction().accType;
  auto zero = cast<TypedAttr>(b.getZeroAttr(accType));
  SmallVector<Value> sums = form.reduce(
      zero, accType,
      [&](OpBuilder &b, Location loc, Tap tap,
          ValueRange acc) -> SmallVector<Value> {
        Value element = extendElement(
            b, loc, castFromSignless(b, loc, tap.element, type), accType);
        if (tap.isInside)
          element =
              arith::SelectOp::create(b, loc, tap.isInside, element,
                                      arith::ConstantOp::create(b, loc, zero));
        if (isFloat)
          return {arith::AddFOp::create(b, loc, acc[0], element)};
        return {arith::AddIOp::create(b, loc, acc[0], element)};
      });
  Value averages = form.map(
      sums[0], type, [&](OpBuilder &b, Location loc, ValueRange elements) {
        Value sum = elements[0];
        OpFoldResult count = form.getCount(b, loc);
        if (!isFloat)
          return divideInteger(b, loc, op, count, form.getMaxCount(), sum);
        Value average = arith::DivFOp::create(
            b, loc, sum, castCount(b, loc, count, form.getMaxCount(), accType));
        return truncateFloat(b, loc, average, type);
      });
  averages.getDefiningOp()->setDiscardableAttr(
      PoolDialect::DividesByCountAttrHelper::getNameStr(),
      UnitAttr::get(op.getContext()));
  return averages;
}

ElementReduction AdaptiveAvgPoolOp::getElementReduction() {
  Type element = getInput().getType().getElementType();
  if (isa<FloatType>(element))
    return {Reduction::Sum, element, getFloatAccumulator(element)};
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> shape = getFoldedShape(getInput());
  ArrayRef<int64_t> extents =
      ArrayRef(shape).drop_front(isChannelsFirst(getLayout()) ? 2 : 1);
  for (auto [input, output] : llvm::zip(extents, getOutputSize()))
    sizes.push_back(ShapedType::isDynamic(input)
                        ? kAddressable
                        : AdaptiveDim{input, output}.getMaxSize());
  int64_t maxCount =
      std::min(getProduct(sizes).value_or(kAddressable), kAddressable);
  return {Reduction::Sum, element,
          getIntegerAccumulator(element, maxCount, /*divisor=*/1)};
}

TilingResult AdaptiveAvgPoolOp::createLinalgForm(OpBuilder &b,
                                                 ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) {
  AdaptiveForm form(b, getLoc(), getInput(), getOutputSize(), getLayout(),
                    offsets, sizes);
  Value averages = createAverages(b, *this, form);
  return form.finish(averages);
}
