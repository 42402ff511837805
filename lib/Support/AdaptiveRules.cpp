// The arithmetic of adaptive pooling, in integers and in index values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/AdaptiveRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Support/WideInteger.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::pool;

int64_t AdaptiveDim::getStart(int64_t o) const {
  return static_cast<int64_t>(Wide(o) * input / output);
}

int64_t AdaptiveDim::getEnd(int64_t o) const {
  return static_cast<int64_t>((Wide(o + 1) * input + output - 1) / output);
}

int64_t AdaptiveDim::getMaxSize() const {
  // Let I be the input extent, O the number of outputs, and I = q * O + r with
  // r < O. Window o has q + ceil((o * I mod O + r) / O) elements. The values of
  // o * I mod O are the multiples of gcd(I, O) below O. So the largest window
  // has q + 1 elements if r = gcd(I, O), and q + 2 if r is larger.
  int64_t remainder = input % output;
  if (remainder == 0)
    return input / output;
  return input / output + (remainder == std::gcd(input, output) ? 1 : 2);
}

RuleOr<AdaptiveDim> pool::resolveAdaptiveDim(int64_t input, int64_t output) {
  if (output < 1)
    return RuleViolation::OutputBelowOne;
  if (input < 1)
    return RuleViolation::InputBelowOne;
  if (input > getAdaptiveInputRange(output).max)
    return RuleViolation::Overflow;
  return AdaptiveDim{input, output};
}

InputRange pool::getAdaptiveInputRange(int64_t output) {
  if (output < 1)
    return {1, 0};
  return {1, std::numeric_limits<int64_t>::max() / output};
}

//===----------------------------------------------------------------------===//
// Over index values
//===----------------------------------------------------------------------===//

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
