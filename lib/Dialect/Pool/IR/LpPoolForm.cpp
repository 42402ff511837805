// The window form of lp_pool: a sum of powers and an elementwise root.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns `value^(1/p)`, where `value` is a sum of powers.
static Value getRoot(OpBuilder &b, Location loc, Value value, int64_t p) {
  if (p == 1)
    return value;
  if (p == 2)
    return math::SqrtOp::create(b, loc, value);
  Value exponent = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(value.getType(), 1.0 / static_cast<double>(p)));
  return math::PowFOp::create(b, loc, value, exponent);
}

ElementReduction LpPoolOp::getElementReduction() {
  Type type = getInput().getType().getElementType();
  ElementReduction reduction(Reduction::PowerSum, type,
                             getFloatAccumulator(type));
  reduction.p = getP();
  reduction.maxCount = getProduct(getKernel());
  return reduction;
}

TilingResult LpPoolOp::createWindowForm(OpBuilder &b,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) {
  WindowForm form(b, *this, offsets, sizes);
  Type type = form.getElementType();
  int64_t p = getP();
  WindowReduceOp reduce = form.reduce();
  if (p == 1 && getElementTypeOrSelf(reduce.getResult(0)) == type)
    return form.finish(reduce.getResults());
  return form.finish(form.map(reduce.getResults(), type,
                              [&](OpBuilder &b, Location loc, ValueRange args) {
                                return truncateFloat(
                                    b, loc, getRoot(b, loc, args[0], p), type);
                              }));
}
