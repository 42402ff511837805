// lp_pool as linalg: a window sum of powers, and an elementwise root.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"

using namespace mlir;
using namespace mlir::pool;

/// `|value|^p`, by squaring.
static Value getPower(OpBuilder &b, Location loc, Value value, int64_t p) {
  // An even power has no sign.
  Value base = p % 2 ? math::AbsFOp::create(b, loc, value).getResult() : value;
  Value power;
  for (; p > 0; p /= 2) {
    if (p % 2)
      power =
          power ? arith::MulFOp::create(b, loc, power, base).getResult() : base;
    if (p > 1)
      base = arith::MulFOp::create(b, loc, base, base);
  }
  return power;
}

/// `value^(1/p)` of a sum of powers.
static Value getRoot(OpBuilder &b, Location loc, Value value, int64_t p) {
  if (p == 1)
    return value;
  if (p == 2)
    return math::SqrtOp::create(b, loc, value);
  Type type = value.getType();
  Value exponent = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(type, 1.0 / static_cast<double>(p)));
  return math::PowFOp::create(b, loc, value, exponent);
}

namespace {
struct LpPoolToLinalg : OpRewritePattern<LpPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LpPoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getInput().getType().hasRank())
      return rewriter.notifyMatchFailure(op, "the input is unranked");
    WindowLowering lowering(rewriter, op);
    Type type = lowering.getElementType();
    Type accType = getFloatAccumulator(type);
    int64_t p = op.getP();

    Value padded =
        lowering.getPaddedInput(cast<TypedAttr>(rewriter.getZeroAttr(type)));
    Value init = lowering.createFilled(
        cast<TypedAttr>(rewriter.getZeroAttr(accType)), accType);
    SmallVector<Value> sums = lowering.reduce(
        padded, init,
        [&](OpBuilder &b, Location loc, ValueRange args) -> SmallVector<Value> {
          Value element = extendFloat(b, loc, args[0], accType);
          Value power = getPower(b, loc, element, p);
          return {arith::AddFOp::create(b, loc, args[1], power)};
        });
    Value output = sums.front();
    if (p != 1 || accType != type)
      output = lowering.map(
          sums, type,
          [&](OpBuilder &b, Location loc,
              ValueRange args) -> SmallVector<Value> {
            return {truncateFloat(b, loc, getRoot(b, loc, args[0], p), type)};
          });
    lowering.replaceWith(output);
    return success();
  }
};
} // namespace

void pool::populateLpPoolToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LpPoolToLinalg>(patterns.getContext());
}
