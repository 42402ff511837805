// Finds the windows of one dimension that cover a position.
//
// Window o covers position p if p = o * stride + t * dilation for a tap t. In
// this formula, p counts from the beginning of the padding. It follows that
// o * stride = p modulo the dilation. The windows with this property are
// dilation / gcd(stride, dilation) apart, and a modular inverse finds the
// first. With kernel 3, stride 2 and dilation 3, the inverse of 2 is 2, because
// 2 * 2 = 1 modulo 3:
//
//   position 6   o = 6 * 2 = 0 modulo 3   window 0 (tap 2), window 3 (tap 0)
//   position 7   o = 7 * 2 = 2 modulo 3   window 2 (tap 1)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/LoopDim.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the inverse of `value` modulo `modulus`: a number from 0 to
/// `modulus - 1` whose product with `value` is 1 modulo `modulus`. Requires
/// that their greatest common divisor is 1. Uses the extended Euclidean
/// algorithm.
static int64_t getInverse(int64_t value, int64_t modulus) {
  int64_t previous = 0, inverse = 1 % modulus;
  int64_t divisor = modulus, rest = value % modulus;
  while (rest > 1) {
    int64_t quotient = divisor / rest;
    previous -= quotient * inverse;
    divisor -= quotient * rest;
    std::swap(previous, inverse);
    std::swap(divisor, rest);
  }
  return inverse < 0 ? inverse + modulus : inverse;
}

bool pool::canInvert(const KernelDim &dim) {
  int64_t common = std::gcd(dim.stride, dim.dilation), product;
  int64_t step = dim.dilation / common;
  return !llvm::MulOverflow(step, getInverse(dim.stride / common, step),
                            product);
}

PositionRange LoopDim::getCovering(KernelBuilder &b, Value position) const {
  // If windows are side by side and cover the whole input, exactly one window
  // covers the position.
  int64_t numInput = getConstantIntValue(input).value_or(INT64_MAX);
  int64_t numOutput = getConstantIntValue(output).value_or(0);
  if (kernel == stride && dilation == 1 && isConstantIntValue(padBegin, 0) &&
      llvm::divideCeil(numInput, stride) <= uint64_t(numOutput)) {
    Value only = b.divUnsigned(position, stride);
    return {only, b.add(only, 1), 1};
  }
  // The first tap of windows [begin, end) is not after the position, and the
  // last tap not before it. With a dilation, some of them have no tap at the
  // position: o * stride must be position + padBegin modulo the dilation.
  Value padded = b.add(position, padBegin);
  Value begin = b.ceilDiv(b.max(b.sub(padded, getExtent() - 1), 0), stride);
  Value end = b.min(b.add(b.floorDiv(padded, stride), 1), output);
  int64_t common = std::gcd(stride, dilation), step = dilation / common;
  if (common != 1) {
    Value isMultiple = b.isAtLeast(0, b.rem(padded, common));
    end = b.select(isMultiple, end, 0);
    padded = b.floorDiv(padded, common);
  }
  if (step != 1) {
    // Move `begin` to the first window for which the congruence holds.
    int64_t inverse = getInverse(stride / common, step);
    Value residue = b.rem(b.mul(b.rem(padded, step), inverse), step);
    Value ahead = b.sub(b.add(residue, step), b.rem(begin, step));
    begin = b.add(begin, b.rem(ahead, step));
  }
  return {begin, end, step};
}
