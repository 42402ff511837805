// Positions of windows in one dimension.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/LoopDim.h"

using namespace mlir;
using namespace mlir::pool;

LoopDim LoopDim::getSingle(KernelBuilder &at) {
  LoopDim dim;
  dim.input = dim.output = at.index(1);
  dim.padBegin = at.index(0);
  return dim;
}

Value LoopDim::getInteriorEnd(KernelBuilder &at) const {
  Value reach = at.sub(at.add(input, padBegin), getExtent());
  return at.max(at.add(at.floorDiv(at.max(reach, -1), stride), 1), 0);
}

Value LoopDim::clampToWindow(KernelBuilder &at, Value position) const {
  if (dilation == 1)
    return clampToInput(at, position);
  // By whole dilations.
  Value before = at.max(at.sub(0, position), 0);
  Value after = at.max(at.sub(position, at.sub(input, 1)), 0);
  position = at.add(position, at.mul(at.ceilDiv(before, dilation), dilation));
  return at.sub(position, at.mul(at.ceilDiv(after, dilation), dilation));
}

//===----------------------------------------------------------------------===//
// Windows that cover a position
//===----------------------------------------------------------------------===//

/// The number whose product with `value`, which has no divisor in common with
/// `modulus`, is 1 modulo it.
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

PositionRange LoopDim::getCovering(KernelBuilder &at, Value position) const {
  // Windows that lie side by side, over all of the input.
  int64_t numInput = getConstantIntValue(input).value_or(INT64_MAX);
  int64_t numOutput = getConstantIntValue(output).value_or(0);
  if (kernel == stride && dilation == 1 && isConstantIntValue(padBegin, 0) &&
      llvm::divideCeil(numInput, stride) <= uint64_t(numOutput)) {
    Value only = at.divUnsigned(position, stride);
    return {only, at.add(only, 1), 1};
  }
  // Which windows cover it is a congruence where they have dilations:
  // o * stride = position + padBegin modulo the dilation.
  Value padded = at.add(position, padBegin);
  Value begin = at.ceilDiv(at.max(at.sub(padded, getExtent() - 1), 0), stride);
  Value end = at.min(at.add(at.floorDiv(padded, stride), 1), output);
  int64_t common = std::gcd(stride, dilation), step = dilation / common;
  if (common != 1) {
    Value isMultiple = at.isAtLeast(0, at.rem(padded, common));
    end = at.select(isMultiple, end, 0);
    padded = at.floorDiv(padded, common);
  }
  if (step != 1) {
    // The first congruent window that reaches the element.
    int64_t inverse = getInverse(stride / common, step);
    Value residue = at.rem(at.mul(at.rem(padded, step), inverse), step);
    Value ahead = at.sub(at.add(residue, step), at.rem(begin, step));
    begin = at.add(begin, at.rem(ahead, step));
  }
  return {begin, end, step};
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

void WindowTaps::add(const LoopDim &dim, Value start, bool isKnownInside) {
  dims.push_back({start, dim.dilation});
  if (!dim.coversPadding || isKnownInside)
    return ranges.push_back({0, dim.kernel});
  auto getNumTapsBefore = [&](Operand position) {
    Value distance = at.max(at.sub(position, start), 0);
    return at.min(at.ceilDiv(distance, dim.dilation), dim.kernel);
  };
  Value begin = getNumTapsBefore(0);
  Value end = getNumTapsBefore(dim.input);
  ranges.push_back({begin, end});
  isInside = at.both(isInside, at.isAtLeast(at.sub(end, begin), dim.kernel));
}

Accumulator WindowTaps::getInitial(const LaneReduction &reduction) const {
  Accumulator lanes = reduction.getEmpty(at);
  // A sum's padding equals its initial value, so no select is needed.
  if (isInside && reduction.isIdempotent())
    lanes.value = at.select(isInside, lanes.value, reduction.getFill(at));
  return lanes;
}

Value WindowTaps::getPosition(unsigned d, Operand tap) const {
  return at.add(dims[d].start, at.mul(tap, dims[d].dilation));
}

void WindowTaps::forEach(
    const Carried &carried,
    function_ref<void(ArrayRef<Value> positions)> body) const {
  at.forEachIn(ranges, carried, [&](ValueRange taps) {
    SmallVector<Value> positions;
    for (auto [d, tap] : llvm::enumerate(taps))
      positions.push_back(getPosition(d, tap));
    body(positions);
  });
}
