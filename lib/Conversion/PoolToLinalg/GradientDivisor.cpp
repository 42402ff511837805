// Computes conditions, divisors and extents for the lowerings of the gradients.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLinalg/GradientDivisor.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::hasElementInside(ElementBuilder &b, ArrayRef<SymbolicDim> dims,
                             const WindowAttrs &window, ValueRange position) {
  Value result;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!mayBeEmpty(dim))
      continue;
    OpFoldResult count = getCount({b, b.getLoc()}, dim, Divisor::Valid,
                                  position[window.getSpatialDim(i)]);
    result = b.both(result, b.compare(arith::CmpIPredicate::ne, count, 0));
  }
  return result;
}

Value pool::getDivisor(ResultBuilder &b, AvgPoolGradOp op,
                       ArrayRef<SymbolicDim> dims, Type accType) {
  WindowAttrs window = op.getWindow();
  if (std::optional<int64_t> divisor = op.getDivisorOverride())
    return divisor == 1 ? Value() : b.splat(accType, *divisor);
  Value product;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value o = b.getCoordinate(window.getSpatialDim(i));
    Value count = b.value(getCount(b, dim, op.getDivisor(), o));
    product = product ? b.mul(product, count) : count;
  }
  return isConstantIntValue(product, 1)
             ? Value()
             : castCount(b, product, *getProduct(window.kernel), accType);
}

SmallVector<OpFoldResult> pool::limitWindows(const AffineBuilder &a,
                                             SmallVector<OpFoldResult> sizes,
                                             ArrayRef<SymbolicDim> dims,
                                             const WindowAttrs &window) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult &size = sizes[window.getSpatialDim(i)];
    size = a.applyMin({a.symbol(0), a.symbol(1)}, {size, dim.output});
  }
  return sizes;
}

Value pool::roundSums(OpBuilder &b, Location loc, Value sums,
                      ArrayRef<OpFoldResult> shape, Type elementType) {
  if (getElementTypeOrSelf(sums.getType()) == elementType)
    return sums;
  return createElementwise(
             b, loc, sums, shape, elementType,
             [&](OpBuilder &b, Location loc, ValueRange elements) {
               return truncateFloat(b, loc, elements[0], elementType);
             })
      .getResult(0);
}
