// The finish of adaptive_avg_pool: a division of each sum by the size of its
// window. AdaptiveForm.h builds the sums. With 5 elements and 3 outputs:
//
//   element     a   b   c   d   e
//   output 0   (a + b) / 2
//   output 1       (b + c + d) / 3
//   output 2               (d + e) / 2
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Finishes.h"

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class AdaptiveAverage {
public:
  AdaptiveAverage(AdaptiveAvgPoolOp op, const AdaptiveExtents &extents)
      : op(op), layout(getAdaptiveLayout(op.getOutputSize(), op.getLayout())),
        extents(extents), type(op.getInput().getType().getElementType()),
        accType(op.getElementReduction().accType) {
    SmallVector<int64_t> sizes;
    for (const SymbolicAdaptiveDim &dim : extents.dims)
      sizes.push_back(getConstantIntValue(dim.maxSize).value_or(kAddressable));
    maxCount = std::min(getProduct(sizes).value_or(kAddressable), kAddressable);
  }

  Value build(ResultBuilder &b, Value sum) const {
    OpFoldResult count = getCount(b);
    Value divisor = castCount(b, count, maxCount, accType);
    if (isa<FloatType>(type))
      return b.convert<arith::TruncFOp>(type, b.divideByCount(sum, divisor));
    // Avoid a division by 0. A window is empty only if the input extent is 0
    // and no run-time check has rejected that.
    if (!getConstantIntValue(count))
      return divideInteger(b, sum, divisor, b.max(divisor, 1));
    return divideInteger(b, sum, divisor, divisor);
  }

private:
  /// Returns the number of positions of the current window.
  OpFoldResult getCount(ResultBuilder &b) const {
    OpFoldResult count = b.getIndexAttr(1);
    for (auto [i, dim] : llvm::enumerate(extents.dims)) {
      OpFoldResult size =
          getSize(b, dim, b.getCoordinate(layout.getSpatialDim(i)));
      std::optional<int64_t> lhs = getConstantIntValue(count);
      std::optional<int64_t> rhs = getConstantIntValue(size);
      if (lhs && rhs)
        count = b.getIndexAttr(*lhs * *rhs);
      else
        count = b.mul(count, size);
    }
    return count;
  }

  /// Returns the average as an integer of `type`: subtracts the input zero
  /// point `count` times, divides by `divisor`, and adds the output zero point.
  Value divideInteger(ResultBuilder &b, Value sum, Value count,
                      Value divisor) const {
    int64_t inputZp = op.getInputZp(), outputZp = op.getOutputZp();
    if (inputZp != 0)
      sum = b.sub(sum, b.mul(count, inputZp));
    Value average =
        roundQuotient(b, sum, divisor, op.getIntegerRounding(),
                      QuotientBounds::ofAverage(type, inputZp, maxCount));
    average = b.add(average, outputZp);
    if (inputZp != 0 || outputZp != 0)
      average = clampInteger(b, average, type);
    return truncateInteger(b, average, type);
  }

  // Mutable, because upstream does not declare accessors of operations const.
  mutable AdaptiveAvgPoolOp op;
  WindowAttrs layout;
  AdaptiveExtents extents;
  Type type, accType;
  /// Upper bound of the number of positions in a window.
  int64_t maxCount;
};
} // namespace

SmallVector<Finish> pool::createFinishes(AdaptiveAvgPoolOp op,
                                         const AdaptiveExtents &extents) {
  auto average = std::make_shared<AdaptiveAverage>(op, extents);
  return {{op.getInput().getType().getElementType(), Finish::Counts::Wide,
           [average](ResultBuilder &b, Value sum) {
             return average->build(b, sum);
           }}};
}
