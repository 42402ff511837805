// Which windows cover an element is a congruence where they have dilations:
// o * stride = i + padBegin modulo the dilation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/CoveringWindows.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

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

GatheredDim::Range GatheredDim::getCovering(OpBuilder &b, Location loc,
                                            Value i) const {
  IndexArithmetic at(b, loc);
  Value padded = at.add(i, padBegin);
  Range range;
  range.begin = at.ceilDiv(at.max(at.sub(padded, getReach()), 0), stride);
  range.end = at.min(at.add(at.floorDiv(padded, stride), 1), numWindows);
  int64_t common = std::gcd(stride, dilation);
  range.step = dilation / common;
  if (common != 1) {
    Value isMultiple = at.isAtLeast(at.constant(0), at.rem(padded, common));
    range.end = b.createOrFold<arith::SelectOp>(loc, isMultiple, range.end,
                                                at.constant(0));
    padded = at.floorDiv(padded, common);
  }
  if (range.step != 1) {
    // Of the windows that are congruent the first that reaches the element.
    int64_t inverse = getInverse(stride / common, range.step);
    Value residue =
        at.rem(at.mul(at.rem(padded, range.step), inverse), range.step);
    Value ahead =
        at.sub(at.add(residue, range.step), at.rem(range.begin, range.step));
    range.begin = at.add(range.begin, at.rem(ahead, range.step));
  }
  return range;
}

std::pair<Value, Value> GatheredDim::getStrides(OpBuilder &b,
                                                Location loc) const {
  IndexArithmetic at(b, loc);
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

SmallVector<Value> pool::createCoveringLoops(
    OpBuilder &b, Location loc, ArrayRef<GatheredDim> dims, ValueRange place,
    ValueRange inits,
    function_ref<SmallVector<Value>(ArrayRef<Value> position,
                                    ValueRange carried)>
        emit) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> position(place), carried(inits);
  SmallVector<scf::ForOp> loops;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    if (!dim.padBegin)
      continue;
    GatheredDim::Range range = dim.getCovering(b, loc, place[d]);
    Value step = arith::ConstantIndexOp::create(b, loc, range.step);
    auto loop =
        scf::ForOp::create(b, loc, range.begin, range.end, step, carried);
    loops.push_back(loop);
    position[d] = loop.getInductionVar();
    carried = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    b.setInsertionPointToStart(loop.getBody());
  }
  carried = emit(position, carried);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, carried);
    carried = llvm::to_vector_of<Value>(loop.getResults());
  }
  return carried;
}
