// Which windows cover an element is a congruence where they have dilations:
// o * stride = i + padBegin modulo the dilation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/StridedGather.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::pool;

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

bool GatheredDim::hasCovering() const {
  int64_t common = std::gcd(stride, dilation), step = dilation / common,
          product;
  return !llvm::MulOverflow(step, getInverse(stride / common, step), product);
}

GatheredDim::Range GatheredDim::getCovering(KernelBuilder &at, Value i) const {
  Value padded = at.add(i, padBegin);
  Range range;
  range.begin = at.ceilDiv(at.max(at.sub(padded, getReach()), 0), stride);
  range.end = at.min(at.add(at.floorDiv(padded, stride), 1), numWindows);
  int64_t common = std::gcd(stride, dilation);
  range.step = dilation / common;
  if (common != 1) {
    Value isMultiple = at.isAtLeast(at.index(0), at.rem(padded, common));
    range.end = at.select(isMultiple, range.end, at.index(0));
    padded = at.floorDiv(padded, common);
  }
  if (range.step != 1) {
    // The first congruent window that reaches the element.
    int64_t inverse = getInverse(stride / common, range.step);
    Value residue =
        at.rem(at.mul(at.rem(padded, range.step), inverse), range.step);
    Value ahead =
        at.sub(at.add(residue, range.step), at.rem(range.begin, range.step));
    range.begin = at.add(range.begin, at.rem(ahead, range.step));
  }
  return range;
}

std::pair<Value, Value> GatheredDim::getStrides(KernelBuilder &at) const {
  Value last = at.sub(at.add(extent, padBegin), 1);
  return {at.floorDiv(padBegin, stride), at.add(at.floorDiv(last, stride), 1)};
}

SmallVector<WindowsBefore> GatheredDim::getWindowsBefore() const {
  // After as many taps as strides without common divisor the same elements of a
  // stride are covered again.
  int64_t common = std::gcd(stride, dilation);
  int64_t period = stride / common;
  std::map<int64_t, SmallVector<int64_t>> taps;
  for (int64_t tap = 0; tap < std::min(period, kernel); ++tap)
    taps[tap * dilation / stride].push_back(tap);
  SmallVector<WindowsBefore> result;
  for (const auto &entry : taps) {
    int64_t first = entry.first;
    ArrayRef<int64_t> together = entry.second;
    auto getCount = [&](int64_t tap) {
      return (kernel - tap + period - 1) / period;
    };
    auto add = [&](int64_t first, int64_t begin, int64_t end) {
      if (begin >= end)
        return;
      WindowsBefore windows{first, dilation / common, end - begin, {}};
      windows.covers.resize(stride);
      for (int64_t tap : together)
        if (getCount(tap) >= end)
          windows.covers[tap * dilation % stride] = true;
      result.push_back(windows);
    };
    // The last of them may lack the last taps.
    int64_t fewest = getCount(together.back());
    add(first, 0, fewest);
    add(first + fewest * (dilation / common), fewest,
        getCount(together.front()));
  }
  return result;
}

void pool::forEachCovering(KernelBuilder &at, ArrayRef<GatheredDim> dims,
                           ValueRange place, MutableArrayRef<Value> carried,
                           function_ref<void(ArrayRef<Value> position)> body) {
  SmallVector<Value> position(place);
  auto enter = [&](auto enter, size_t d) -> void {
    if (d == dims.size())
      return body(position);
    if (!dims[d].padBegin)
      return enter(enter, d + 1);
    GatheredDim::Range range = dims[d].getCovering(at, place[d]);
    at.forEach(range.begin, range.end, range.step, carried, [&](Value window) {
      position[d] = window;
      enter(enter, d + 1);
    });
  };
  enter(enter, 0);
}
