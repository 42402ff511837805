// Computes starts and sizes of adaptive windows as index values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/SymbolicAdaptiveRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

SymbolicAdaptiveDim pool::resolveAdaptiveDim(OpBuilder &b, Location loc,
                                             OpFoldResult input,
                                             int64_t output) {
  if (std::optional<int64_t> extent = getConstantIntValue(input)) {
    AdaptiveDim known{*extent, output};
    return {input, output, b.getIndexAttr(known.getMaxSize()),
            known.isRegular()};
  }
  if (output == 1)
    return {input, output, input, /*isRegular=*/true};
  // Let I be the input extent, O the number of outputs, and I = q * O + r with
  // r < O. The bound is q + 1 if r < 2, and q + 2 otherwise. The minimum with I
  // has an effect only if I is 0, which a run-time check would reject.
  AffineExpr extent = b.getAffineSymbolExpr(0);
  AffineMap bounds = AffineMap::get(
      0, 1, {(extent - 1).ceilDiv(output) + 1, extent}, b.getContext());
  return {input, output,
          affine::makeComposedFoldedAffineMin(b, loc, bounds, input),
          /*isRegular=*/false};
}

/// Returns `o * input` as an expression in symbol 0. If the input extent is
/// known, symbol 0 stands for `o`. Otherwise creates the product and stores it
/// in `o`, so that symbol 0 stands for the product.
static AffineExpr multiply(const AffineBuilder &a,
                           const SymbolicAdaptiveDim &dim, OpFoldResult &o) {
  if (std::optional<int64_t> extent = getConstantIntValue(dim.input))
    return a.symbol(0) * *extent;
  o = a.multiply(o, dim.input);
  return a.symbol(0);
}

OpFoldResult pool::getStart(const AffineBuilder &a,
                            const SymbolicAdaptiveDim &dim, OpFoldResult o) {
  if (dim.output == 1)
    return a.known(0);
  AffineExpr product = multiply(a, dim, o);
  return a.apply(product.floorDiv(dim.output), o);
}

OpFoldResult pool::getSize(const AffineBuilder &a,
                           const SymbolicAdaptiveDim &dim, OpFoldResult o) {
  if (dim.isRegular)
    return dim.maxSize;
  AffineExpr product = multiply(a, dim, o);
  return a.apply((product + a.symbol(1)).ceilDiv(dim.output) -
                     product.floorDiv(dim.output),
                 {o, dim.input});
}
